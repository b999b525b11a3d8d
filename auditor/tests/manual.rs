//! The manual of all checks, `docs/ref/checks.md`, is the registry and the rulebooks written out, and never behind them.
//!
//! After a change that is meant, `FAIRDEAL_BLESS=1 cargo test -p auditor --test manual` writes it anew; read the
//! difference before you commit it.
#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use auditor::check::Check;
use auditor::checks::CHECKS;
use auditor::equipment::{self, Fault};
use auditor::rulebook::books;
use table::FlagKind;

/// Begins the file: what is not in the registry.
const HEAD: &str = "\
# Checks

Every check there is, by name. Each is named for the wrong it finds, and looks only in games whose rulebook cites a clause
for it. `fairdeal explain NAME` adds a clean and a violating round and the clauses; `fairdeal rules` has them the other way
round, clause by clause.

The kind says whose matter a finding is:

";

/// Begins the part on what is found in events rather than rounds.
const DEVICES: &str = "
# Devices

Failures of cameras, shoes and chip sensors are flags too. They are found in the events on a tape, whatever the game, and cite
rules of the site's own, since no regulator's book speaks of these devices. A round has one flag for each kind of failure.
";

/// What a kind of flag means; none for a kind that no check raises by itself.
const fn meaning(kind: FlagKind) -> Option<&'static str> {
    match kind {
        FlagKind::DealerError => Some("the dealer did, or let happen, what the rules do not allow"),
        FlagKind::WrongPayout => Some("a wager came to more or less than it was due"),
        FlagKind::Irregularity => Some("something at the table was not in order, whoever caused it"),
        FlagKind::SuspectShuffle => Some("the order of the cards does not look like chance"),
        FlagKind::Equipment => Some("a device did not do its work"),
        FlagKind::Doubt => None,
    }
}

/// The games that cite a check: a whole book by its name, else game by game.
fn cited_in(check: &Check) -> String {
    let mut named = Vec::new();
    for book in books::all().unwrap() {
        let cites = |game: &&auditor::Game| game.cites.iter().any(|cite| check.tags.contains(&&*cite.tag));
        let citing: Vec<_> = book.games.iter().filter(cites).map(|game| game.name.to_string()).collect();
        match citing.len() {
            all if all == book.games.len() && all > 1 => named.push(format!("all of {}", book.id)),
            _ => named.extend(citing),
        }
    }
    named.join(", ")
}

fn manual() -> String {
    let mut text = HEAD.to_owned();
    for kind in FlagKind::ALL {
        let raised = CHECKS.iter().filter(|check| check.kind == *kind).count();
        if let (Some(meaning), 1..) = (meaning(*kind), raised) {
            writeln!(text, "- `{kind}`: {meaning} ({raised} checks)").unwrap();
        }
    }
    for check in CHECKS {
        let Check { name, kind, finds, matters, .. } = check;
        let games = cited_in(check);
        write!(text, "\n## {name}\n\n- finds: {finds}\n- matters: {matters}\n- kind: `{kind}`\n- cited in: {games}\n")
            .unwrap();
    }
    text.push_str(DEVICES);
    let mut told = BTreeSet::new();
    for fault in equipment::all().filter(|fault| told.insert(fault.check)) {
        let Fault { check, clause, severity, asked, seen, matters, .. } = fault;
        let devices = equipment::all().filter(|other| other.check == *check).map(|other| other.source.name());
        let devices = devices.collect::<Vec<_>>().join(", ");
        write!(text, "\n## {check}\n\n- finds: {seen} ({devices})\n- matters: {matters}\n- kind: `equipment`\n")
            .unwrap();
        writeln!(text, "- cites: `{clause}`, {asked}; {severity}").unwrap();
    }
    text
}

#[test]
fn the_manual_says_what_the_checks_say() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/ref/checks.md");
    let manual = manual();
    if std::env::var_os("FAIRDEAL_BLESS").is_some() {
        std::fs::write(path, manual).unwrap();
        return;
    }
    let kept = std::fs::read_to_string(path).unwrap();
    let differs = manual.lines().zip(kept.lines()).find(|(now, kept)| now != kept);
    assert!(
        manual == kept,
        "docs/ref/checks.md is behind the checks, first at {differs:?}; FAIRDEAL_BLESS=1 writes it anew"
    );
}

#[test]
fn every_check_is_cited_in_some_game() {
    for check in CHECKS {
        assert_ne!(cited_in(check), "", "{} never looks", check.name);
    }
}
