//! Round notation: one step per line, readable aloud, typed without a manual.
//!
//! ```text
//! round BJ-04 17 212 2026-11-15T21:04:05Z
//! game nz-base bj_pays=3:2
//! bet 3 25
//! no-more-bets
//! card 3 TH
//! card dealer 7S
//! card 3 9C
//! stand 3
//! card dealer TD
//! pay 3 25
//! end
//! ```
//!
//! [`parse`] and [`print()`] are each other's inverse: `parse(&print(&rounds)) == rounds`. What stands after `#` is a
//! comment. A step may end with marks of where it is known from: `@4.25` seconds into the round, `~0.98` how sure,
//! `^7,8` the events on the tape. `docs/ref/round-notation.md` teaches the whole of it.

mod forms;
mod line;
mod print;

use std::fmt;
use std::str::FromStr;

use crate::ident::Ident;
use crate::round::{Act, Game, Limit, Round, RoundId, Step, Unseen};
use crate::text::serde_as_text;
use crate::time::Utc;
use crate::wager::{Wager, WagerKind};

pub use forms::{FORMS, Form};
use line::{Line, lines};
pub use print::print;

/// Where a text stops being round notation, and what would have been right there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct ParseError {
    /// Counted from one.
    pub line: usize,
    /// Counted from one, in characters.
    pub column: usize,
    /// What would have been right.
    pub expected: String,
    /// What stood there; empty at the end of a line.
    pub found: String,
}

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}: expected {}", self.line, self.column, self.expected)?;
        if self.found.is_empty() {
            f.write_str(", found nothing more on the line")
        } else {
            write!(f, ", found {:?}", self.found)
        }
    }
}

/// Reads every round of a text.
pub fn parse(text: &str) -> Result<Vec<Round>, ParseError> {
    let mut rounds = Vec::new();
    let mut open: Option<Draft> = None;
    for mut line in lines(text) {
        let Some(word) = line.peek() else { continue };
        if word == "round" {
            if let Some(draft) = open.take() {
                rounds.push(draft.finish()?);
            }
            line.next();
            open = Some(Draft::named(&mut line, rounds.len())?);
        } else {
            let count = rounds.len();
            open.get_or_insert_with(|| Draft::unnamed(count, line.number())).read(&mut line)?;
        }
    }
    if let Some(draft) = open {
        rounds.push(draft.finish()?);
    }
    Ok(rounds)
}

/// A round being read.
struct Draft {
    /// The line it began on.
    line: usize,
    id: RoundId,
    at: Utc,
    dealer: Option<Ident>,
    game: Option<Game>,
    limits: Vec<Limit>,
    unseen: Vec<Unseen>,
    steps: Vec<Step>,
}

impl Draft {
    /// A round without a `round` line is counted by its place in the text.
    fn unnamed(before: usize, line: usize) -> Self {
        let round = u32::try_from(before).unwrap_or(u32::MAX).saturating_add(1);
        Self {
            line,
            id: RoundId { table: Ident::unnamed_table(), shoe: 1, round },
            at: Utc::EPOCH,
            dealer: None,
            game: None,
            limits: Vec::new(),
            unseen: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// After the word `round`: table, shoe and round, and when it began, each as far as known.
    fn named(line: &mut Line<'_>, before: usize) -> Result<Self, ParseError> {
        let mut draft = Self::unnamed(before, line.number());
        if line.peek().is_some() {
            draft.id = RoundId {
                table: line.value(Ident::EXPECTED)?,
                shoe: line.value("the shoe's number")?,
                round: line.value("the round's number")?,
            };
            if line.peek().is_some() {
                draft.at = line.value(Utc::EXPECTED)?;
            }
        }
        line.end()?;
        Ok(draft)
    }

    fn read(&mut self, line: &mut Line<'_>) -> Result<(), ParseError> {
        let header = matches!(line.peek(), Some("game" | "dealer" | "limits" | "unseen"));
        if header && !self.steps.is_empty() {
            return Err(line.expected("a step: game, dealer, limits and unseen come before the first one"));
        }
        match line.peek() {
            Some("game") if self.game.is_none() => {
                line.next();
                self.game = Some(game(line)?);
            }
            Some("dealer") if self.dealer.is_none() => {
                line.next();
                self.dealer = Some(line.value(Ident::EXPECTED)?);
            }
            Some("limits") => {
                line.next();
                self.limits.push(limit(line)?);
            }
            Some("unseen") if self.unseen.is_empty() => {
                line.next();
                self.unseen.push(line.value(Unseen::EXPECTED)?);
                while line.peek().is_some() {
                    self.unseen.push(line.value(Unseen::EXPECTED)?);
                }
            }
            _ => self.steps.push(step(line)?),
        }
        line.end()
    }

    fn finish(self) -> Result<Round, ParseError> {
        let Some(game) = self.game else {
            return Err(ParseError {
                line: self.line,
                column: 1,
                expected: "a line such as game nz-base in this round".into(),
                found: "a round without one".into(),
            });
        };
        let Self { id, at, dealer, limits, unseen, steps, .. } = self;
        Ok(Round { id, at, dealer, game, limits, unseen, steps })
    }
}

/// After the word `game`: its name, then options as `name=value`.
fn game(line: &mut Line<'_>) -> Result<Game, ParseError> {
    let mut game = Game { name: line.value(Ident::EXPECTED)?, options: Default::default() };
    while let Some(word) = line.peek() {
        let wrong = line.expected("an option such as bj_pays=3:2, each named once");
        let (Ok(name), Ok(value)) = (match word.split_once('=') {
            Some((name, value)) => (name.parse::<Ident>(), value.parse()),
            None => return Err(wrong),
        }) else {
            return Err(wrong);
        };
        if game.options.insert(name, value).is_some() {
            return Err(wrong);
        }
        line.next();
    }
    Ok(game)
}

/// After the word `limits`: of what, least, most, and `step` with the multiple if there is one.
fn limit(line: &mut Line<'_>) -> Result<Limit, ParseError> {
    let wrong = line.expected("main or a side bet");
    let on = line.next().and_then(WagerKind::from_name).ok_or(wrong)?;
    let (min, max) = (line.amount()?, line.amount()?);
    let step = if line.take("step") { Some(line.amount()?) } else { None };
    Ok(Limit { on, min, max, step })
}

/// One step with its marks.
fn step(line: &mut Line<'_>) -> Result<Step, ParseError> {
    let mut step = Step::from(forms::act(line)?);
    if let Some(text) = line.mark('@') {
        step.after = Some(line.marked(text, "seconds into the round such as @4.25", print::micros)?);
    }
    if let Some(text) = line.mark('~') {
        step.chance = Some(line.marked(text, "a probability such as ~0.98", |p| p.parse().ok())?);
    }
    if let Some(text) = line.mark('^') {
        step.events = line.marked(text, "event numbers such as ^7,8", print::event_ids)?;
    }
    Ok(step)
}

/// Reads a whole text as one thing on one line.
fn parse_one<T>(text: &str, read: impl Fn(&mut Line<'_>) -> Result<T, ParseError>) -> Result<T, ParseError> {
    let mut all = lines(text);
    let mut line = all.next().unwrap_or_else(|| Line::empty(1));
    let value = read(&mut line)?;
    line.end()?;
    match all.next() {
        Some(second) => Err(second.expected("a single line")),
        None => Ok(value),
    }
}

impl Act {
    const EXPECTED: &'static str = "a step in round notation such as card 3 TH";
}

impl FromStr for Act {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        parse_one(text, forms::act)
    }
}

serde_as_text!(Act);

impl Wager {
    const EXPECTED: &'static str = "a wager such as 3, 3b double, 3/2 super_sevens";
}

impl FromStr for Wager {
    type Err = ParseError;

    fn from_str(text: &str) -> Result<Self, ParseError> {
        parse_one(text, |line| line.wager())
    }
}

serde_as_text!(Wager);

impl WagerKind {
    const EXPECTED: &'static str = "main, double, split, insurance, ante or a side bet";
}

impl fmt::Display for WagerKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for WagerKind {
    type Err = crate::text::UnknownName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::from_name(text).ok_or(crate::text::UnknownName { expected: Self::EXPECTED })
    }
}

serde_as_text!(WagerKind);
