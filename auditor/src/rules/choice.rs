//! The values of parameters that are more than a number or a yes.

use std::fmt;
use std::str::FromStr;

use table::{Odds, named};

named! {
    /// How the players' first cards lie.
    pub enum PlayerCards, "up, down or either" {
        /// Face up.
        Up = "up",
        /// Face down.
        Down = "down",
        /// Either way, as the house deals.
        Either = "either",
    }
}

named! {
    /// When a natural is settled.
    pub enum NaturalTiming, "at_once, wait_for_ace_or_ten or after_peek" {
        /// After the initial deal, whatever the dealer shows.
        AtOnce = "at_once",
        /// After the initial deal, but against an ace or ten only when the dealer's hand is decided.
        WaitForAceOrTen = "wait_for_ace_or_ten",
        /// Once the dealer has looked at the hole card.
        AfterPeek = "after_peek",
    }
}

named! {
    /// How naturals fare against a dealer's natural in New Hampshire.
    pub enum NaturalMode, "push or guaranteed_1to1" {
        /// They stand off.
        Push = "push",
        /// They are paid even money.
        Guaranteed = "guaranteed_1to1",
    }
}

named! {
    /// When a natural may ask to be paid 1:1.
    pub enum EvenMoney, "never, ace or ace_if_3to2" {
        /// Not at all.
        Never = "never",
        /// Against an ace.
        Ace = "ace",
        /// Against an ace, and only where naturals pay 3:2.
        AceIfThreeToTwo = "ace_if_3to2",
    }
}

named! {
    /// Whether a 21 may be hit.
    pub enum Hit21, "forbidden, soft_only or allowed" {
        /// Never.
        Forbidden = "forbidden",
        /// A soft 21 that is no natural may: the rulebook forbids only naturals and hard 21.
        SoftOnly = "soft_only",
        /// The rulebook does not forbid it.
        Allowed = "allowed",
    }
}

named! {
    /// How much may be staked on a double.
    pub enum DoubleStake, "increment_to_equal, table_min_to_equal, equal or full_or_half_of_max" {
        /// From the table's increment up to the original stake.
        IncrementToEqual = "increment_to_equal",
        /// From the table minimum up to the original stake.
        TableMinToEqual = "table_min_to_equal",
        /// Exactly the original stake.
        Equal = "equal",
        /// The original stake, or half of it on a maximum bet.
        FullOrHalfOfMax = "full_or_half_of_max",
    }
}

named! {
    /// Which cards may be split.
    pub enum SplitBy, "point_value or rank" {
        /// Cards that count the same.
        PointValue = "point_value",
        /// Cards of one rank.
        Rank = "rank",
    }
}

named! {
    /// Whether and when a hand may be given up for half.
    pub enum Surrender, "none, late or provisional" {
        /// Not offered.
        None = "none",
        /// After the dealer has looked for a natural.
        Late = "late",
        /// On the first two cards, settled once the dealer's second card is known.
        Provisional = "provisional",
    }
}

named! {
    /// How generously surrender clauses are read.
    pub enum SurrenderMode, "strict or liberal" {
        /// Two unsplit cards only.
        Strict = "strict",
        /// Any number of cards under 21, split and doubled hands too.
        Liberal = "liberal",
    }
}

named! {
    /// What a surrendered hand loses to a dealer's natural.
    pub enum SurrenderLoss, "full_loss or half" {
        /// The whole stake.
        FullLoss = "full_loss",
        /// Half of it all the same.
        Half = "half",
    }
}

named! {
    /// What a dealer's natural means for a stake that bust before it.
    pub enum OboBust, "bust_final or returned" {
        /// It stays lost.
        BustFinal = "bust_final",
        /// It comes back unless it is the original.
        Returned = "returned",
    }
}

named! {
    /// When the dealer leaves the hand unfinished.
    pub enum DealerSkip, "no_effect, all_settled or unstated" {
        /// When further cards could change nothing.
        NoEffect = "no_effect",
        /// When every bet is settled.
        AllSettled = "all_settled",
        /// The rulebook does not say.
        Unstated = "unstated",
    }
}

named! {
    /// What a dealer's 22 does to the hands still in play; a natural is never touched by it.
    pub enum Dealer22, "bust or push" {
        /// It is a bust like any other.
        Bust = "bust",
        /// They stand off.
        Push = "push",
    }
}

named! {
    /// The burn card.
    pub enum Burn, "optional, per_shoe, per_round, never or unstated" {
        /// One may be burned when a shoe begins.
        Optional = "optional",
        /// One is burned when a shoe begins.
        PerShoe = "per_shoe",
        /// One is burned every round.
        PerRound = "per_round",
        /// None is burned.
        Never = "never",
        /// The rulebook does not say.
        Unstated = "unstated",
    }
}

named! {
    /// What a bettor behind may do when the box is split.
    pub enum BackSplit, "either, first_hand or none" {
        /// Choose one hand, or stake on both.
        Either = "either",
        /// Stay on the first hand, or stake on both.
        FirstHand = "first_hand",
        /// There is no betting behind.
        None = "none",
    }
}

named! {
    /// How amounts that no chip can pay are paid.
    pub enum Rounding, "none or down_50c" {
        /// Exactly.
        None = "none",
        /// Down to the next fifty cents.
        Down50c = "down_50c",
    }
}

named! {
    /// What happens to a wager over the maximum.
    pub enum OverMax, "refused or settle_to_max" {
        /// It should not stand.
        Refused = "refused",
        /// It is settled up to the maximum, the rest is handed back.
        SettleToMax = "settle_to_max",
    }
}

named! {
    /// Which card decides Super Sevens after a split of sevens.
    pub enum SsSplit, "two_card or next_card" {
        /// None: it is settled on the first two.
        TwoCard = "two_card",
        /// The card next dealt.
        NextCard = "next_card",
    }
}

named! {
    /// What a Madness 21 winner gets when the equipment fails.
    pub enum MadnessFault, "flat or per_dollar" {
        /// 25.00 a wager.
        Flat = "flat",
        /// 25.00 for every unit staked.
        PerDollar = "per_dollar",
    }
}

named! {
    /// Whether an award includes the stake.
    pub enum BlazingPays, "for_one or to_one" {
        /// It does: the net win is the award less the stake.
        ForOne = "for_one",
        /// It does not.
        ToOne = "to_one",
    }
}

named! {
    /// By what Match the Dealer matches.
    pub enum MatchBy, "rank or value" {
        /// Rank.
        Rank = "rank",
        /// Point value.
        Value = "value",
    }
}

/// A set of hand totals up to 31, written `9,10,11` or `15-18`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Totals(u32);

impl Totals {
    /// No total.
    pub const NONE: Self = Self(0);

    /// Whether `total` is one of them.
    pub const fn has(self, total: u16) -> bool {
        total < 32 && self.0 & (1 << total) != 0
    }

    /// Whether there is any.
    pub const fn any(self) -> bool {
        self.0 != 0
    }
}

/// Text that names no totals.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected totals such as 9,10,11 or 15-18")]
pub struct NotTotals;

impl FromStr for Totals {
    type Err = NotTotals;

    fn from_str(text: &str) -> Result<Self, NotTotals> {
        if text == "none" {
            return Ok(Self::NONE);
        }
        let total = |text: &str| text.parse::<u32>().ok().filter(|total| *total < 32).ok_or(NotTotals);
        let mut set = 0;
        for part in text.split(',') {
            let (from, to) = match part.split_once('-') {
                Some((from, to)) => (total(from)?, total(to)?),
                None => (total(part)?, total(part)?),
            };
            if from > to {
                return Err(NotTotals);
            }
            for total in from..=to {
                set |= 1 << total;
            }
        }
        Ok(Self(set))
    }
}

impl fmt::Display for Totals {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.any() {
            return f.write_str("none");
        }
        let totals: Vec<_> = (0..32).filter(|total| self.has(*total)).map(|total| total.to_string()).collect();
        f.write_str(&totals.join(","))
    }
}

/// The odds a house may choose from.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OddsSet(pub Vec<Odds>);
