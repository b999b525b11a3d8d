//! Checks: one piece of code for each kind of wrong.
//!
//! A check is a file in `checks/`. It names the wrong it finds, says why it matters, shows it in templates that are
//! dealt in every game, and has a function that looks at the table at one of the moments of a [`Run`]. What it finds it
//! [raises](Report::raise) under one of its tags; the game's rulebook says which clause that tag breaks.

mod compare;
mod dispute;
mod due;
mod example;
mod explained;
mod law;
mod ledger;
mod report;
mod sight;
mod template;

use table::{Act, FlagKind};

pub use due::{Judgement, Rode, Wrong};
pub use example::Example;
pub use law::{Clause, Law, NoLaw, Reading, Session};
pub use ledger::Entry;
pub use report::{Coverage, Finding, Report};
pub use sight::may_miss;
pub use template::{TemplateError, posted_limits};

use crate::replay::{Deal, Table};
use crate::rules::Rules;

/// One kind of wrong.
pub struct Check {
    /// Its name: the wrong it finds.
    pub name: &'static str,
    /// What sort of flag it raises.
    pub kind: FlagKind,
    /// What it finds, in a sentence or two.
    pub finds: &'static str,
    /// Why that matters.
    pub matters: &'static str,
    /// Every tag it can raise, its own name included if it raises that.
    pub tags: &'static [&'static str],
    /// When it looks, and with what.
    pub runs: &'static [Run],
    /// Rounds that set it off.
    pub templates: &'static [Template],
}

/// A moment of a round at which a check looks at the table. Every function gets the table as it is before the step.
pub enum Run {
    /// Before the first step.
    Begins(fn(&Table<'_>, &mut Report<'_>)),
    /// Before a step of one of these kinds is followed.
    Act(&'static [ActKind], fn(&Table<'_>, &Act, &mut Report<'_>)),
    /// The last card of the initial deal lies.
    Dealt(fn(&Table<'_>, &mut Report<'_>)),
    /// The round is over; one wager that did not come to what it should have.
    Missettled(fn(&Table<'_>, &Judgement<'_>, &mut Report<'_>)),
    /// The round is over; one side bet, and what it should have come to.
    SideBet(fn(&Table<'_>, &Judgement<'_>, &mut Report<'_>)),
    /// The round is over.
    Ends(fn(&Table<'_>, &mut Report<'_>)),
}

/// Kinds of steps a check can look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActKind {
    /// `bet`, insurance excepted.
    Bet,
    /// `insure`.
    Insure,
    /// `alter`.
    Alter,
    /// `no-more-bets`.
    NoMoreBets,
    /// `card`, at any time.
    Card,
    /// `card`, the first of a round.
    FirstCard,
    /// `card` after the initial deal.
    DrawnCard,
    /// `card`, once a card has lain about or was refused in the round.
    CardAfterLoose,
    /// `turn`, `sideways`, `tuck`.
    Turn,
    /// `hit`.
    Hit,
    /// `stand`.
    Stand,
    /// `double`.
    Double,
    /// `split`.
    Split,
    /// `surrender`.
    Surrender,
    /// `even-money`.
    EvenMoney,
    /// `zap`.
    Zap,
    /// `parlay`.
    Parlay,
    /// `ride`.
    Ride,
    /// `peek`.
    Peek,
    /// `pay`, `take`, `push`, `return`.
    Settle,
    /// `collect`.
    Collect,
    /// `cards`, `inspect`, `shuffle`, `offer-cut`, `cut`, `cut-card-in`, `cut-card`, `burn`.
    Shoe,
    /// `drawn`, `exposed`, `dropped`, `boxed`, `damaged`, `replaced`, `discard`, `refuse`, `accept`.
    Loose,
    /// `move`, `reconstruct`, `void`, `fault`.
    Repair,
    /// `end`.
    End,
    /// Everything else.
    Other,
}

impl ActKind {
    /// How many kinds there are.
    pub(crate) const COUNT: usize = Self::Other as usize + 1;

    /// The narrowest kind of a step, at a table where the initial deal has come so far.
    pub(crate) const fn of(act: &Act, deal: Deal) -> Self {
        match act {
            Act::Bet(wager, _) if matches!(wager.kind, table::WagerKind::Insurance) => Self::Insure,
            Act::Bet(..) => Self::Bet,
            Act::Alter(..) => Self::Alter,
            Act::NoMoreBets => Self::NoMoreBets,
            Act::Card { .. } => match deal {
                Deal::Betting => Self::FirstCard,
                Deal::Dealing => Self::Card,
                Deal::Done => Self::DrawnCard,
            },
            Act::TurnUp(..) | Act::TurnSideways(_) | Act::Tuck(_) => Self::Turn,
            Act::Hit(_) => Self::Hit,
            Act::Stand(_) => Self::Stand,
            Act::Double(..) => Self::Double,
            Act::Split(..) => Self::Split,
            Act::Surrender(_) => Self::Surrender,
            Act::EvenMoney(_) => Self::EvenMoney,
            Act::Zap(_) => Self::Zap,
            Act::Parlay(..) => Self::Parlay,
            Act::Ride(..) => Self::Ride,
            Act::Peek => Self::Peek,
            Act::Pay(..) | Act::Take(..) | Act::Push(_) | Act::Return(_) => Self::Settle,
            Act::Collect(_) => Self::Collect,
            Act::Cards { .. }
            | Act::Inspect(_)
            | Act::Shuffle(_)
            | Act::OfferCut(_)
            | Act::Cut { .. }
            | Act::CutCardIn(_)
            | Act::CutCardOut
            | Act::Burn(_) => Self::Shoe,
            Act::Drawn(_)
            | Act::Exposed(_)
            | Act::Dropped(_)
            | Act::Boxed(_)
            | Act::Damaged(_)
            | Act::Replaced(_)
            | Act::Discard(_)
            | Act::Refuse(_)
            | Act::Accept(_) => Self::Loose,
            Act::Move { .. } | Act::Reconstruct(_) | Act::Void(_) | Act::VoidRound | Act::Fault(_) => Self::Repair,
            Act::End => Self::End,
            _ => Self::Other,
        }
    }
}

/// A round that is dealt by the book in any game it fits, and then spoiled.
///
/// `plan` is for the [model dealer](crate::model), rounds separated by `---`. `spoil` is a list of edits separated by
/// `;`, each `line => other lines`: the first such line of the clean round is replaced by the others, which are
/// separated by `|` (nothing deletes the line). `limits => …` puts up another sign. `$` is the game's usual stake.
pub struct Template {
    /// The tag it must raise.
    pub tag: &'static str,
    /// Which games it is for, of those that cite the tag.
    pub fits: fn(&Rules) -> bool,
    /// House options to set, as in a `game` line.
    pub options: &'static str,
    /// What is dealt.
    pub plan: &'static str,
    /// What goes wrong.
    pub spoil: &'static str,
}

/// For templates that fit every game that cites their tag.
pub const EVERY_GAME: fn(&Rules) -> bool = |_| true;
