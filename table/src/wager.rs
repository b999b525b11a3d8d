//! Wagers: whose chips, on which hand, on what.

use std::fmt;

use crate::place::{BoxNo, Hand, Place};
use crate::text::named;

named! {
    /// The side bets of the four rulebooks, by the name used in files and on the command line.
    pub enum SideBet, "a side bet such as super_sevens or perfect_pair" {
        /// First two cards of one rank, paid by likeness.
        PerfectPair = "perfect_pair",
        /// First two cards of one rank, one price.
        AnyPair = "any_pair",
        /// First two cards alike, better if the third is too.
        LuckyMatch = "lucky_match",
        /// Sevens among the first three cards.
        SuperSevens = "super_sevens",
        /// A natural wins a button prize.
        Madness21 = "madness21",
        /// First two cards in sequence, suited or paired; winnings may ride.
        HouseMoney = "house_money",
        /// First two cards suited or in sequence; winnings may ride.
        LetItRide = "let_it_ride",
        /// The dealer makes exactly 22.
        Push22 = "push22",
        /// First two cards make twenty.
        KingsBounty = "kings_bounty",
        /// First card above the dealer's.
        War = "war",
        /// Sevens in the first two cards and the up card, with a progressive meter.
        Blazing7 = "blazing7",
        /// First two cards match the up card.
        MatchDealer = "match_dealer",
        /// First two cards above thirteen.
        Over13 = "over13",
        /// First two cards below thirteen.
        Under13 = "under13",
    }
}

/// Who made a wager on a box: 1 sits and decides, the others bet behind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bettor(u8);

impl Bettor {
    /// The seated player, who decides.
    pub const SEATED: Self = Self(1);

    /// Bettor `number`; `None` unless 1 to 9.
    pub const fn new(number: u8) -> Option<Self> {
        if number >= 1 && number <= 9 { Some(Self(number)) } else { None }
    }

    /// 1 for the seated player.
    pub const fn number(self) -> u8 {
        self.0
    }
}

/// What a wager is on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum WagerKind {
    /// The hand as dealt.
    Main,
    /// A hand opened by a split.
    Split,
    /// The additional stake of a double.
    Double,
    /// The dealer's natural.
    Insurance,
    /// The fee of Ante Up.
    Ante,
    /// A side bet.
    Side(SideBet),
}

/// One wager on the layout. Written place, bettor behind if any, `tip` if it is for the dealer, then the kind:
/// `3`, `3b`, `3/2`, `3b double`, `3 insurance`, `3/2 super_sevens`, `3 tip`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Wager {
    /// The box.
    pub box_no: BoxNo,
    /// The hand.
    pub hand: Hand,
    /// Whose chips.
    pub bettor: Bettor,
    /// Whether it is played for the dealer.
    pub tip: bool,
    /// What it is on.
    pub kind: WagerKind,
}

impl Wager {
    /// The seated player's stake on a hand.
    pub const fn on(box_no: BoxNo, hand: Hand) -> Self {
        Self { box_no, hand, bettor: Bettor::SEATED, tip: false, kind: WagerKind::stake(hand) }
    }

    /// The same bettor's chips on something else of the same hand.
    pub const fn of_kind(self, kind: WagerKind) -> Self {
        Self { kind, ..self }
    }

    /// The same kind of wager by another bettor.
    pub const fn by(self, bettor: Bettor) -> Self {
        Self { bettor, ..self }
    }

    /// The same wager played for the dealer.
    pub const fn for_dealer(self) -> Self {
        Self { tip: true, ..self }
    }

    /// The hand it stands on.
    pub const fn place(self) -> Place {
        Place::Box(self.box_no, self.hand)
    }
}

impl WagerKind {
    /// The stake that a hand plays for: main on the hand dealt, split on the others.
    pub const fn stake(hand: Hand) -> Self {
        if hand.index() == 0 { Self::Main } else { Self::Split }
    }

    /// The name it is written by.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Main => "main",
            Self::Split => "split",
            Self::Double => "double",
            Self::Insurance => "insurance",
            Self::Ante => "ante",
            Self::Side(side) => side.name(),
        }
    }

    /// The kind with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Some(match name {
            "main" => Self::Main,
            "split" => Self::Split,
            "double" => Self::Double,
            "insurance" => Self::Insurance,
            "ante" => Self::Ante,
            side => Self::Side(side.parse().ok()?),
        })
    }
}

impl fmt::Display for Wager {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.place())?;
        if self.bettor != Bettor::SEATED {
            write!(f, "/{}", self.bettor.number())?;
        }
        if self.tip {
            f.write_str(" tip")?;
        }
        if self.kind != WagerKind::stake(self.hand) {
            write!(f, " {}", self.kind.name())?;
        }
        Ok(())
    }
}
