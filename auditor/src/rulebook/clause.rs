//! The clause registry: every clause of a regulator's document, whether a machine can audit it, and if not, why.
//!
//! A registry is a table with tabs between the columns. Why a clause cannot be audited is a code there, and one
//! sentence for the code in a table of its own, so that officers read the same words for the same obstacle.

use std::collections::BTreeMap;

use table::{Severity, named};

use super::diagnostic::{Diagnostic, Faults};

named! {
    /// How far a clause can be audited.
    pub enum Auditable, "yes, partly or no" {
        /// Entirely.
        Yes = "yes",
        /// As far as the evidence goes.
        Partly = "partly",
        /// Not at all.
        No = "no",
    }
}

named! {
    /// The evidence that auditing a clause takes.
    pub enum Need, "cards, shoe, wagers, payouts, decisions, timing or video" {
        /// Which cards lay where.
        Cards = "cards",
        /// What the shoe or shuffler reported.
        Shoe = "shoe",
        /// Chips staked.
        Wagers = "wagers",
        /// Chips paid and taken.
        Payouts = "payouts",
        /// What players asked for.
        Decisions = "decisions",
        /// What came before what.
        Timing = "timing",
        /// What only a camera or an officer sees.
        Video = "video",
    }
}

/// One clause of a document, in our words.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// Book and number, such as `nz-13.3`.
    pub id: Box<str>,
    /// The part of the document it stands in.
    pub section: Box<str>,
    /// What it says.
    pub summary: Box<str>,
    /// How far it can be audited.
    pub auditable: Auditable,
    /// What stands in the way, for an officer; empty if nothing does.
    pub why_not: Box<str>,
    /// The evidence auditing it takes.
    pub needs: Vec<Need>,
    /// How much breaking it matters.
    pub severity: Severity,
}

/// A clause by its place in [`Clauses`]: what citations hold, so that naming a clause costs nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ClauseNo(u16);

/// Every clause of a document, and those a house adds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Clauses {
    list: Vec<Clause>,
    by_id: BTreeMap<Box<str>, ClauseNo>,
}

const COLUMNS: &str = "id\tsection\tsummary\tauditable\treason\tneeds\tseverity";

impl Clauses {
    /// Reads a registry. `reasons` gives the sentence for each code.
    pub fn parse(text: &str, reasons: &Reasons) -> Result<Self, Vec<Diagnostic>> {
        let mut faults = Faults::of(text);
        let mut clauses = Self::default();
        let mut lines = Lines::of(text);
        if lines.next().map(|(_, line)| line) != Some(COLUMNS) {
            faults.add(0, format!("expected the columns {}", COLUMNS.replace('\t', ", ")));
        }
        for (at, line) in lines {
            match read_clause(line, reasons) {
                Ok(clause) => {
                    if let Err(message) = clauses.add(clause) {
                        faults.add(at, message);
                    }
                }
                Err((column, message)) => faults.add(at + column, message),
            }
        }
        let found = faults.into_sorted();
        if found.is_empty() { Ok(clauses) } else { Err(found) }
    }

    /// Adds a clause; refuses an id that is taken.
    pub(super) fn add(&mut self, clause: Clause) -> Result<ClauseNo, String> {
        if self.by_id.contains_key(&clause.id) {
            return Err(format!("there is a clause {} already", clause.id));
        }
        let number = u16::try_from(self.list.len()).map_err(|_| "too many clauses".to_owned())?;
        self.by_id.insert(clause.id.clone(), ClauseNo(number));
        self.list.push(clause);
        Ok(ClauseNo(number))
    }

    /// The clause with an id.
    pub fn find(&self, id: &str) -> Option<ClauseNo> {
        self.by_id.get(id).copied()
    }

    /// The clause behind a number; `None` for a number of another registry.
    pub fn get(&self, number: ClauseNo) -> Option<&Clause> {
        self.list.get(usize::from(number.0))
    }

    /// Every clause in the order of the document.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &Clause> {
        self.list.iter()
    }

    /// Every id.
    pub(super) fn ids(&self) -> impl Iterator<Item = &str> {
        self.by_id.keys().map(|id| &**id)
    }
}

fn read_clause(line: &str, reasons: &Reasons) -> Result<Clause, (usize, String)> {
    let cells: Vec<&str> = line.split('\t').collect();
    let [id, section, summary, auditable, reason, needs, severity] = cells[..] else {
        return Err((0, format!("expected 7 columns, found {}", cells.len())));
    };
    let at = |column: usize| cells[..column].iter().map(|cell| cell.len() + 1).sum::<usize>();
    for (column, cell) in [id, section, summary].into_iter().enumerate() {
        if cell.trim().is_empty() {
            return Err((at(column), "expected an id, a section and a summary".to_owned()));
        }
    }
    let wrong = |column, error: table::text::UnknownName| (at(column), error.to_string());
    let auditable: Auditable = auditable.parse().map_err(|error| wrong(3, error))?;
    let why_not = match (auditable, reason) {
        (Auditable::Yes, "") => "",
        (Auditable::Yes, _) => return Err((at(4), "an auditable clause needs no reason".to_owned())),
        (_, code) => reasons.get(code).ok_or_else(|| (at(4), format!("there is no reason {code:?}")))?,
    };
    Ok(Clause {
        id: id.into(),
        section: section.into(),
        summary: summary.into(),
        auditable,
        why_not: why_not.into(),
        needs: read_needs(needs).map_err(|error| wrong(5, error))?,
        severity: severity.parse().map_err(|error| wrong(6, error))?,
    })
}

fn read_needs(text: &str) -> Result<Vec<Need>, table::text::UnknownName> {
    text.split(',').filter(|need| !need.is_empty()).map(str::parse).collect()
}

/// Why clauses cannot be audited: a sentence for each code.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Reasons(BTreeMap<Box<str>, Box<str>>);

impl Reasons {
    /// Reads a table of code and sentence.
    pub fn parse(text: &str) -> Result<Self, Vec<Diagnostic>> {
        let mut faults = Faults::of(text);
        let mut reasons = BTreeMap::new();
        for (at, line) in Lines::of(text).skip(1) {
            match line.split_once('\t') {
                Some((code, reason)) if !code.is_empty() && !reason.is_empty() => {
                    if reasons.insert(code.into(), reason.into()).is_some() {
                        faults.add(at, format!("there is a reason {code:?} already"));
                    }
                }
                _ => faults.add(at, "expected a code, a tab and a reason"),
            }
        }
        let found = faults.into_sorted();
        if found.is_empty() { Ok(Self(reasons)) } else { Err(found) }
    }

    /// The sentence for a code.
    pub fn get(&self, code: &str) -> Option<&str> {
        self.0.get(code).map(|reason| &**reason)
    }

    /// Every code.
    pub fn codes(&self) -> impl Iterator<Item = &str> {
        self.0.keys().map(|code| &**code)
    }
}

/// The lines of a text that say anything, each with the byte it begins at.
struct Lines<'t> {
    rest: &'t str,
    at: usize,
}

impl<'t> Lines<'t> {
    fn of(text: &'t str) -> Self {
        Self { rest: text, at: 0 }
    }
}

impl<'t> Iterator for Lines<'t> {
    type Item = (usize, &'t str);

    fn next(&mut self) -> Option<Self::Item> {
        while !self.rest.is_empty() {
            let (line, rest) = self.rest.split_once('\n').unwrap_or((self.rest, ""));
            let at = self.at;
            self.at += self.rest.len() - rest.len();
            self.rest = rest;
            let line = line.strip_suffix('\r').unwrap_or(line);
            if !line.trim().is_empty() {
                return Some((at, line));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HEAD: &str = "id\tsection\tsummary\tauditable\treason\tneeds\tseverity\n";

    fn reasons() -> Reasons {
        Reasons::parse("code\treason\ndeaf\tFairdeal hears nothing\n").unwrap()
    }

    #[test]
    fn a_clause_that_cannot_be_audited_says_why_in_words() {
        let text = format!("{HEAD}nz-9.2(a)\tInsurance\tDealer announces\tpartly\tdeaf\tvideo,timing\tminor\n");
        let clauses = Clauses::parse(&text, &reasons()).unwrap();
        let clause = clauses.find("nz-9.2(a)").and_then(|number| clauses.get(number)).unwrap();
        assert_eq!(&*clause.why_not, "Fairdeal hears nothing");
        assert_eq!(clause.needs, [Need::Video, Need::Timing]);
        assert_eq!(clauses.find("nz-9.2"), None);
    }

    #[test]
    fn every_bad_line_is_told_at_its_column() {
        let told = |lines: &str| -> Vec<String> {
            let text = format!("{HEAD}{lines}");
            Clauses::parse(&text, &reasons()).unwrap_err().iter().map(Diagnostic::to_string).collect()
        };
        assert_eq!(told("a\tb\n"), ["2:1: expected 7 columns, found 2"]);
        assert_eq!(told("a\tb\tc\tmaybe\t\t\tinfo\n"), ["2:7: expected yes, partly or no"]);
        assert_eq!(told("a\tb\tc\tno\t\t\tinfo\n"), ["2:10: there is no reason \"\""]);
        assert_eq!(told("a\tb\tc\tyes\tdeaf\t\tinfo\n"), ["2:11: an auditable clause needs no reason"]);
        assert_eq!(told("a\tb\tc\tyes\t\tsmell\tinfo\n"), [format!("2:12: expected {}", Need::EXPECTED)]);
        assert_eq!(
            told("a\tb\tc\tyes\t\t\tinfo\na\tb\tc\tyes\t\t\tdire\n\na\tb\tc\tyes\t\t\tinfo\n"),
            [format!("3:13: expected {}", Severity::EXPECTED), "5:1: there is a clause a already".to_owned()]
        );
        assert_eq!(
            Clauses::parse("", &reasons()).unwrap_err()[0].message,
            "expected the columns id, section, summary, auditable, reason, needs, severity"
        );
    }
}
