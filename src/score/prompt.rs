//! How soon an officer would have known: from a round's last chip to each of its flags, by the table's clock.

use std::collections::BTreeSet;
use std::time::Duration;

use recognizer::round::Rebuilt;
use table::{Flag, FlagKind};

/// When the flags of a tape were known.
#[derive(Clone, Debug, Default)]
pub(super) struct Prompt {
    /// From the last chip to the flag, in microseconds.
    delays: Vec<i64>,
    /// Flags told ahead of their round's end.
    pub(super) ahead: u64,
    /// Those of them that the round did not bear out when it was over.
    pub(super) withdrawn: Vec<String>,
    /// What was told of the round being played, and how long after its last chip.
    early: Option<(BTreeSet<String>, i64)>,
}

impl Prompt {
    /// Takes in what was found in a round, told ahead of its end or over. Doubts accuse nobody and are not waited for.
    pub(super) fn told(&mut self, rebuilt: &Rebuilt, flags: &[Flag], hold: Duration) {
        let hold = i64::try_from(hold.as_micros()).unwrap_or(i64::MAX);
        let since = |settled: table::Utc| rebuilt.known.micros().saturating_sub(settled.micros()).saturating_add(hold);
        let ids: BTreeSet<String> = flags.iter().filter(|flag| flag.kind != FlagKind::Doubt).map(Flag::id).collect();
        if !rebuilt.over {
            self.early = rebuilt.settled.map(|settled| (ids, since(settled)));
            return;
        }
        let (early, told) = self.early.take().unwrap_or_default();
        self.ahead += early.len() as u64;
        let borne_out: BTreeSet<String> = flags.iter().map(Flag::id).collect();
        self.withdrawn.extend(early.difference(&borne_out).cloned());
        if let Some(late) = rebuilt.settled.map(since) {
            for id in ids.difference(&early) {
                tracing::debug!("{id} was told {} ms after the last chip", late / 1000);
            }
            self.delays.extend(ids.iter().map(|id| if early.contains(id) { told } else { late }));
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
            "flags after the last chip, by the table's clock: half within {half} ms, 99 % within {most} ms; {} told ahead of \
             the round's end, {} of them taken back",
            self.ahead,
            self.withdrawn.len()
        ))
    }
}
