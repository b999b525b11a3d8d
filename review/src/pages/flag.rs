//! A flag as the pages show it: what, where, when, how much, which rule, how sure, show me.

use auditor::checks;
use table::{Chance, Flag, FlagKind, RoundId};

use super::frame::Frame;
use super::words::{self, When};
use crate::draw;

/// One flag, in words.
pub(crate) struct FlagView {
    pub(crate) id: String,
    pub(crate) mark: String,
    pub(crate) what: String,
    pub(crate) severity_word: &'static str,
    /// The class of its edge: the severity, or `doubt`.
    pub(crate) class: &'static str,
    pub(crate) doubt: bool,
    pub(crate) place: String,
    pub(crate) table: String,
    pub(crate) shoe: u32,
    pub(crate) round: u32,
    pub(crate) round_path: String,
    /// The shoe's page, for what only all its cards together show.
    pub(crate) shoe_path: Option<String>,
    pub(crate) when: When,
    pub(crate) dealer: Option<String>,
    pub(crate) money: String,
    pub(crate) clause: String,
    pub(crate) clause_text: String,
    pub(crate) also: Vec<String>,
    pub(crate) confidence: String,
    pub(crate) state: String,
    pub(crate) assignee: Option<String>,
    pub(crate) expected: String,
    pub(crate) observed: String,
    pub(crate) matters: &'static str,
    /// The step it points at, where the round is at hand.
    pub(crate) step: Option<usize>,
    pub(crate) other_reading: Option<String>,
}

/// Where a flag stands, beside what it says.
pub(crate) struct Stands<'a> {
    pub(crate) state: &'a str,
    pub(crate) assignee: Option<&'a str>,
    pub(crate) dealer: Option<&'a str>,
}

impl FlagView {
    pub(crate) fn new(frame: &Frame, flag: &Flag, stands: &Stands<'_>) -> Self {
        let doubt = flag.kind == FlagKind::Doubt;
        Self {
            id: flag.id(),
            mark: draw::severity(flag.severity, flag.kind),
            what: words::finding(&flag.check),
            severity_word: if doubt { "doubt" } else { flag.severity.name() },
            class: if doubt { "doubt" } else { flag.severity.name() },
            doubt,
            place: words::place(flag.box_no, flag.hand),
            table: flag.round.table.to_string(),
            shoe: flag.round.shoe,
            round: flag.round.round,
            round_path: round_path(&flag.round),
            shoe_path: (flag.kind == FlagKind::SuspectShuffle)
                .then(|| format!("/shoes/{}/{}", flag.round.table, flag.round.shoe)),
            when: frame.when(flag.at),
            dealer: stands.dealer.map(str::to_owned),
            money: frame.stake(flag.money),
            clause: flag.clause.clone(),
            clause_text: clause_text(frame, &flag.clause),
            also: flag.also.clone(),
            confidence: words::percent(flag.confidence),
            state: stands.state.to_owned(),
            assignee: stands.assignee.map(str::to_owned),
            expected: flag.expected.clone(),
            observed: flag.observed.clone(),
            matters: checks::find(&flag.check).map_or("", |check| check.matters),
            step: None,
            other_reading: other_reading(flag),
        }
    }
}

/// Where a round's page is.
pub(crate) fn round_path(id: &RoundId) -> String {
    format!("/rounds/{}.{}.{}", id.table, id.shoe, id.round)
}

fn clause_text(frame: &Frame, id: &str) -> String {
    let found = frame.site.books.iter().find_map(|book| book.clauses.get(book.clauses.find(id)?));
    found.map(|clause| clause.summary.to_string()).unwrap_or_default()
}

/// What else would explain it, and how likely that is.
fn other_reading(flag: &Flag) -> Option<String> {
    let wrong = Chance::CERTAIN.millionths() - flag.confidence.millionths();
    let chance = Chance::from_millionths(wrong).filter(|_| wrong > 0)?;
    Some(format!("what we saw was misread ({})", words::percent(chance)))
}
