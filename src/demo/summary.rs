//! What a shift came to, as a surveillance manager wants to hear it.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::time::Duration;

use auditor::check::Coverage;
use table::{Favours, Flag, FlagKind, Money};

use crate::audit::several;
use crate::columns::{FAINT, STRONG};

/// The kinds of flags in words, the gravest first.
const KINDS: [(FlagKind, &str); 5] = [
    (FlagKind::SuspectShuffle, "suspect shuffles"),
    (FlagKind::WrongPayout, "wrong payouts"),
    (FlagKind::DealerError, "dealer errors"),
    (FlagKind::Irregularity, "irregularities"),
    (FlagKind::Equipment, "equipment failures"),
];

/// What no device may have shown, in words.
const UNSEEN: [(&str, &str); 8] = [
    ("cards", "cards on the table"),
    ("shoe", "draws from the shoe"),
    ("wagers", "wagers"),
    ("payouts", "payments"),
    ("decisions", "decisions"),
    ("signals", "hand signals"),
    ("calls", "calls"),
    ("procedure", "procedure between rounds"),
];

/// Flags of one kind.
#[derive(Default)]
struct Sum {
    flags: u64,
    too_much: Money,
    too_little: Money,
}

/// The sum of a shift.
#[derive(Default)]
pub(super) struct Summary {
    rounds: u64,
    /// Rounds whose cards were read in the video.
    read: u64,
    flagged: u64,
    kinds: BTreeMap<FlagKind, Sum>,
    unseen: BTreeMap<&'static str, u64>,
}

impl Summary {
    /// Adds a round.
    pub(super) fn add(&mut self, read: bool, flags: &[Flag], coverage: &Coverage) {
        self.rounds += 1;
        self.read += u64::from(read);
        self.flagged += u64::from(flags.iter().any(|flag| flag.kind != FlagKind::Doubt));
        for flag in flags {
            let sum = self.kinds.entry(flag.kind).or_default();
            sum.flags += 1;
            let side = match flag.money.favours {
                Favours::Player => &mut sum.too_much,
                Favours::House => &mut sum.too_little,
                Favours::None => continue,
            };
            *side = side.plus(flag.money.amount).unwrap_or(*side);
        }
        for name in coverage.missing_names() {
            *self.unseen.entry(name).or_default() += 1;
        }
    }

    /// In a few lines.
    pub(super) fn write(&self, out: &mut impl Write, took: Duration) -> io::Result<()> {
        let reported = self.rounds - self.read;
        writeln!(out, "{STRONG}{} rebuilt from what the devices sent{STRONG:#}", several(self.rounds, "round"))?;
        writeln!(
            out,
            "  cards     {} read in the video just now, {reported} as the camera's reader reported them",
            self.read
        )?;
        writeln!(out, "  money     from the chip sensor; draws from the shoe's bytes")?;
        let flags: u64 = KINDS.iter().filter_map(|(kind, _)| self.kinds.get(kind)).map(|sum| sum.flags).sum();
        writeln!(out, "{STRONG}{} in {}{STRONG:#}", several(flags, "flag"), several(self.flagged, "round"))?;
        for (kind, words) in KINDS {
            let Some(sum) = self.kinds.get(&kind) else { continue };
            write!(out, "  {:<3} {words}", sum.flags)?;
            for (amount, what) in [(sum.too_much, "paid too much"), (sum.too_little, "paid too little")] {
                if amount != Money::ZERO {
                    write!(out, ", {amount} {what}")?;
                }
            }
            writeln!(out)?;
        }
        let doubts = self.kinds.get(&FlagKind::Doubt).map_or(0, |sum| sum.flags);
        writeln!(
            out,
            "{STRONG}{}{STRONG:#}: findings that a misreading of ours would explain; nobody is accused",
            several(doubts, "doubt")
        )?;
        // What was missing in some rounds only need not have happened in them.
        let never = UNSEEN.iter().filter(|(name, _)| self.unseen.get(name) == Some(&self.rounds));
        let never: Vec<&str> = never.map(|(_, words)| *words).collect();
        if !never.is_empty() {
            writeln!(out, "not seen by any device, so not judged: {}", never.join(", "))?;
        }
        writeln!(out, "{FAINT}took {:.1} s{FAINT:#}", took.as_secs_f64())
    }
}
