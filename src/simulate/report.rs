//! What was simulated, for people.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::path::Path;

use simulator::Dealt;
use simulator::faults;
use simulator::truth::Kind;

use super::Args;
use crate::audit::several;
use crate::columns::{FAINT, STRONG, row};

/// What a shift came to.
#[derive(Default)]
pub(super) struct Report {
    rounds: u64,
    shoes: BTreeSet<u32>,
    cards: usize,
    /// By fault: how often it happened, and the check that should find it.
    faults: BTreeMap<String, (u64, Option<String>)>,
    handled: u64,
}

impl Report {
    /// Takes in a round.
    pub(super) fn count(&mut self, dealt: &Dealt) {
        self.rounds += 1;
        self.shoes.insert(dealt.round.id.shoe);
        self.cards += dealt.drawn.len();
        for label in &dealt.labels {
            if label.kind == Kind::Handled {
                self.handled += 1;
                continue;
            }
            let (count, check) = self.faults.entry(label.fault.clone()).or_default();
            *count += 1;
            check.clone_from(&label.check);
        }
    }

    pub(super) const fn rounds(&self) -> u64 {
        self.rounds
    }

    /// Says what is on the tape, and what to do with it.
    pub(super) fn write(&self, out: &mut impl Write, tape: &Path, args: &Args) -> io::Result<()> {
        let shoes = several(self.shoes.len() as u64, "shoe");
        writeln!(out, "{}, {shoes}, {} cards in {}", several(self.rounds, "round"), self.cards, tape.display())?;
        let injected: u64 = self.faults.values().map(|(count, _)| count).sum();
        if injected > 0 {
            writeln!(out, "{}:", several(injected, "fault"))?;
        }
        for (fault, (count, check)) in &self.faults {
            let found_by = check.as_deref().unwrap_or("no check by now");
            row(out, &[(&count.to_string(), 5, STRONG), (fault, 48, STRONG), (found_by, 40, FAINT)])?;
        }
        if self.handled > 0 {
            writeln!(out, "irregularities put right, which should raise nothing: {}", self.handled)?;
        }
        let without: Vec<_> = args.left_out().collect();
        if !without.is_empty() {
            writeln!(
                out,
                "{FAINT}left out of all, because no check finds them by now: {}{FAINT:#}",
                without.join(", ")
            )?;
        }
        writeln!(out, "{FAINT}next: fairdeal score {}{FAINT:#}", tape.display())
    }
}

/// Every fault there is, by kind.
pub(super) fn list_faults(out: &mut impl Write) -> io::Result<()> {
    for kind in Kind::ALL {
        writeln!(out, "{STRONG}{kind}{STRONG:#}")?;
        for fault in faults::all().iter().filter(|fault| fault.kind == *kind) {
            row(out, &[(fault.name, 44, STRONG), (fault.what, 52, FAINT)])?;
        }
    }
    Ok(())
}
