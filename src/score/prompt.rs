//! How soon an officer would have known: from a round's last chip to each of its flags, by the table's clock. What goes wrong
//! after the last chip, such as cards put away in the wrong order, is counted from when it went wrong.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use recognizer::round::Rebuilt;
use table::{Flag, FlagKind};

/// When the flags of a tape were known.
#[derive(Clone, Debug, Default)]
pub(super) struct Prompt {
    /// From the last chip, or from what is flagged if that came later, to the flag, in microseconds.
    delays: Vec<i64>,
    /// Flags told ahead of their round's end.
    pub(super) ahead: u64,
    /// Those of them that the round did not bear out when it was over.
    pub(super) withdrawn: Vec<String>,
    /// What was told of the round being played, and how long after its last chip or what went wrong after it.
    early: BTreeMap<String, i64>,
}

impl Prompt {
    /// Takes in what was found in a round, told ahead of its end or over. Doubts accuse nobody and are not waited for.
    pub(super) fn told(&mut self, rebuilt: &Rebuilt, flags: &[Flag], hold: Duration) {
        let hold = i64::try_from(hold.as_micros()).unwrap_or(i64::MAX);
        let since = |settled: table::Utc| rebuilt.known.micros().saturating_sub(settled.micros()).saturating_add(hold);
        let accusing = flags.iter().filter(|flag| flag.kind != FlagKind::Doubt);
        let told = rebuilt.settled.map(|settled| accusing.map(move |flag| (flag.id(), since(settled.max(flag.at)))));
        let told: Vec<_> = told.into_iter().flatten().collect();
        if !rebuilt.over {
            for (id, delay) in told {
                self.early.entry(id).or_insert(delay);
            }
            return;
        }
        let early = std::mem::take(&mut self.early);
        self.ahead += early.len() as u64;
        let borne_out: BTreeSet<String> = flags.iter().map(Flag::id).collect();
        self.withdrawn.extend(early.keys().filter(|id| !borne_out.contains(*id)).cloned());
        for (id, late) in told {
            let delay = early.get(&id).copied().unwrap_or(late);
            tracing::debug!("{id} was told {} ms after the last chip or what went wrong after it", delay / 1000);
            self.delays.push(delay);
        }
    }

    pub(super) fn add(&mut self, other: &Self) {
        self.delays.extend(&other.delays);
        self.ahead += other.ahead;
        self.withdrawn.extend_from_slice(&other.withdrawn);
    }

    /// Within how many milliseconds half of the flags were told, and 99 of a hundred.
    pub(super) fn delay_ms(&self) -> Option<[i64; 2]> {
        let mut delays = self.delays.clone();
        delays.sort_unstable();
        let within =
            |hundredths: usize| delays.get((delays.len() * hundredths).div_ceil(100).saturating_sub(1)).copied();
        Some([within(50)? / 1000, within(99)? / 1000])
    }

    /// In words, if there is anything to say.
    pub(super) fn line(&self) -> Option<String> {
        let [half, most] = self.delay_ms()?;
        Some(format!(
            "flags after the last chip or what went wrong after it, by the table's clock: half within {half} ms, 99 % within \
             {most} ms; {} told ahead of the round's end, {} of them taken back",
            self.ahead,
            self.withdrawn.len()
        ))
    }
}
