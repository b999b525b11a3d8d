//! Why a plan could not be dealt.

use table::{Card, Place, Wager};

/// Why a plan could not be read or dealt.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PlanError {
    /// The text is no plan.
    #[error("expected {expected} in {item:?}, found {found:?}")]
    Text {
        /// The item of the plan.
        item: String,
        /// What would have been right.
        expected: &'static str,
        /// What stood there; empty at the item's end.
        found: String,
    },
    /// A hand must get a card and the plan has none.
    #[error("{place} must get a card here, the plan has none")]
    NoCard {
        /// Whose hand.
        place: Place,
    },
    /// A hand must be decided on and the plan does not say how.
    #[error("the plan does not say what {place} does with {total}")]
    NoDecision {
        /// Whose hand.
        place: Place,
        /// What it counts.
        total: String,
    },
    /// The plan goes on where the rules do not.
    #[error("the plan has more for {place} than the rules allow: {left}")]
    TooMuch {
        /// Whose hand.
        place: Place,
        /// What is left over.
        left: String,
    },
    /// The rules do not allow a decision.
    #[error("{place} may not {what} here")]
    NotAllowed {
        /// Whose hand.
        place: Place,
        /// What was decided.
        what: &'static str,
    },
    /// The rules do not allow a wager.
    #[error("the wager {wager} breaks the rules: {why}")]
    Wager {
        /// Which.
        wager: Wager,
        /// Why.
        why: &'static str,
    },
    /// The dealer takes no card on this hand.
    #[error("the dealer takes no {card} on {total}")]
    DealerStands {
        /// The card planned.
        card: Card,
        /// What the dealer's hand counts.
        total: String,
    },
    /// An amount is out of range or cannot be paid in whole minor units.
    #[error("what {wager} is due cannot be paid in whole minor units")]
    Amount {
        /// Of which wager.
        wager: Wager,
    },
    /// Nobody plays.
    #[error("the plan has no box")]
    Empty,
    /// More hands than letters.
    #[error("box {0} has more hands than there are letters")]
    Letters(table::BoxNo),
}
