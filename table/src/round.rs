//! Rounds: what happened at the table from first wager to last chip, one step after another.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::card::Card;
use crate::chance::Chance;
use crate::event::EventId;
use crate::ident::{Ident, Remark, Word};
use crate::money::Money;
use crate::place::{BoxNo, Face, Place, Turn};
use crate::text::named;
use crate::time::Utc;
use crate::wager::{Wager, WagerKind};

/// Which round of which shoe at which table.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoundId {
    /// The table.
    pub table: Ident,
    /// The shoe, counted per table.
    pub shoe: u32,
    /// The round, counted per shoe.
    pub round: u32,
}

/// The game played and the house's choices where its rulebook leaves one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Game {
    /// The game's name, such as `nz-base`.
    pub name: Ident,
    /// House options by name, as written.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub options: BTreeMap<Ident, Word>,
}

/// The posted limits of one kind of wager.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Limit {
    /// Of which wager.
    pub on: WagerKind,
    /// The least that may be staked.
    pub min: Money,
    /// The most that may be staked.
    pub max: Money,
    /// Stakes are multiples of this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub step: Option<Money>,
}

/// One round.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Round {
    /// Which one.
    pub id: RoundId,
    /// When it began.
    pub at: Utc,
    /// Who dealt.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub dealer: Option<Ident>,
    /// What was played.
    pub game: Game,
    /// What the sign at the table said.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<Limit>,
    /// What whoever wrote the round down could not have noticed.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub unseen: Vec<Unseen>,
    /// What happened, in order.
    pub steps: Vec<Step>,
}

named! {
    /// Something that the sources of a round cannot show, so that its absence from the steps says nothing.
    pub enum Unseen, "cards, shoe, wagers, payouts, signals, calls or procedure" {
        /// Where cards went.
        Cards = "cards",
        /// What left the shoe.
        Shoe = "shoe",
        /// What was staked.
        Wagers = "wagers",
        /// What was paid and taken.
        Payouts = "payouts",
        /// What players asked for by hand or voice: decisions are inferred from what came of them.
        Signals = "signals",
        /// What was said for the table to hear, and who was called.
        Calls = "calls",
        /// How cards were made ready, looked at, turned or put away other than at a hand.
        Procedure = "procedure",
    }
}

/// One step of a round: what was done, and where we know it from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// What was done.
    #[serde(rename = "do")]
    pub act: Act,
    /// When, in microseconds since the round began.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<u64>,
    /// How sure we are; absent where somebody wrote it down.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chance: Option<Chance>,
    /// The events that show it.
    #[serde(default, skip_serializing_if = "<[_]>::is_empty")]
    pub events: Box<[EventId]>,
}

impl From<Act> for Step {
    fn from(act: Act) -> Self {
        Self { act, after: None, chance: None, events: Box::default() }
    }
}

/// What a player stakes on a double or a split.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stake {
    /// As much as the hand's own stake.
    Full,
    /// This amount.
    Chips(Money),
    /// A free bet: the house puts a lammer.
    Free,
}

named! {
    /// How cards are mixed. Plain `shuffle` is the house's whole procedure.
    pub enum Mix, "whole, wash, stack, riffle, strip, box or machine" {
        /// The whole procedure, not watched move by move.
        Whole = "whole",
        /// Spread face down and stirred (chemmy).
        Wash = "wash",
        /// Squared into one stack.
        Stack = "stack",
        /// Two packets riffled together.
        Riffle = "riffle",
        /// Packets pulled off in turn.
        Strip = "strip",
        /// Packets put in another order.
        Box = "box",
        /// Put through a shuffling machine.
        Machine = "machine",
    }
}

named! {
    /// How the cards that come to a table were prepared.
    pub enum Preparation, "new, checked, preshuffled or sealed" {
        /// Fresh decks in factory order.
        New = "new",
        /// Checked beforehand by the house.
        Checked = "checked",
        /// Checked and shuffled beforehand by the house.
        Preshuffled = "preshuffled",
        /// Checked, shuffled and sealed by the maker.
        Sealed = "sealed",
    }
}

named! {
    /// Somebody at the table who is not on a box.
    pub enum Person, "dealer, supervisor or players" {
        /// The dealer.
        Dealer = "dealer",
        /// A supervisor or floor manager.
        Supervisor = "supervisor",
        /// The players.
        Players = "players",
    }
}

named! {
    /// Equipment that can fail in the middle of a round.
    pub enum Device, "shuffler, shoe, button or meter" {
        /// The shuffling machine.
        Shuffler = "shuffler",
        /// The shoe.
        Shoe = "shoe",
        /// The jackpot prize button.
        Button = "button",
        /// The progressive system.
        Meter = "meter",
    }
}

named! {
    /// What a player put a hand to.
    pub enum Touched, "cards or wager" {
        /// The cards.
        Cards = "cards",
        /// The chips.
        Wager = "wager",
    }
}

/// Who cuts the cards.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Cutter {
    /// The player on a box.
    Box(BoxNo),
    /// An employee of the casino.
    Staff,
}

/// What was done. Each is one line of [round notation](crate::notation).
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Act {
    /// Decks came to the table.
    Cards {
        /// How they were prepared.
        prepared: Preparation,
        /// How many decks.
        decks: u8,
    },
    /// Somebody looked the cards through.
    Inspect(Person),
    /// The cards were mixed.
    Shuffle(Mix),
    /// The cut was offered to a box.
    OfferCut(BoxNo),
    /// The cards were cut.
    Cut {
        /// By whom.
        by: Cutter,
        /// How many cards from the front the cutting card went in.
        depth: Option<u16>,
    },
    /// The dealer put the cutting card in, so many cards from the back.
    CutCardIn(u16),
    /// The cutting card came out of the shoe.
    CutCardOut,
    /// A card was burned.
    Burn(Card),
    /// The last three rounds of the day were announced.
    FinalRounds,
    /// A marker gave a box a maximum of its own.
    Marker(BoxNo, Money),
    /// A wager was placed.
    Bet(Wager, Money),
    /// A wager that stood was changed to this amount.
    Alter(Wager, Money),
    /// No more bets.
    NoMoreBets,
    /// A card was put to a hand.
    Card {
        /// Whose.
        to: Place,
        /// Which.
        card: Card,
        /// Which way up.
        face: Face,
        /// Which way round.
        turn: Turn,
    },
    /// A hand's first face-down card was turned up.
    TurnUp(Place, Card),
    /// The cards of a hand were turned sideways.
    TurnSideways(Place),
    /// A player tucked the cards under the wager.
    Tuck(Place),
    /// Insurance was offered.
    OfferInsurance,
    /// A natural asked for even money.
    EvenMoney(Wager),
    /// The dealer looked at the hole card.
    Peek,
    /// The player asked for a card.
    Hit(Place),
    /// The player asked for no more cards.
    Stand(Place),
    /// A bettor doubled.
    Double(Wager, Stake),
    /// A bettor split.
    Split(Wager, Stake),
    /// A bettor gave up half.
    Surrender(Wager),
    /// The player asked to exchange both cards.
    Zap(Place),
    /// War winnings of this amount went on top of the main wager.
    Parlay(Wager, Money),
    /// Of a won side bet and its winnings, this much stays and rides on the hand.
    Ride(Wager, Money),
    /// The player of a box is away.
    Absent(BoxNo),
    /// The player refused a card.
    Refuse(Place),
    /// The player accepted a card that could have been refused.
    Accept(Place),
    /// A card left the shoe and was not yet put anywhere.
    Drawn(Card),
    /// A card's face was shown before its time.
    Exposed(Card),
    /// A card fell to the floor.
    Dropped(Card),
    /// A card was found face up in the shoe.
    Boxed(Card),
    /// A card was found damaged.
    Damaged(Card),
    /// A card was replaced by a fresh one.
    Replaced(Card),
    /// A single card went to the discard rack.
    Discard(Card),
    /// A card was moved from one hand to another to mend an error.
    Move {
        /// Which.
        card: Card,
        /// Where it lay.
        from: Place,
        /// Where it lies now.
        to: Place,
    },
    /// A hand was put back to what it should have been.
    Reconstruct(Place),
    /// A hand was declared void.
    Void(Place),
    /// The whole round was declared void.
    VoidRound,
    /// Somebody other than the dealer touched cards or chips of a box.
    Touch(BoxNo, Touched),
    /// A device failed.
    Fault(Device),
    /// A supervisor was called.
    Supervisor,
    /// The jackpot button gave this prize for every unit staked.
    Prize(Wager, Money),
    /// The progressive meter showed this.
    Meter(Money),
    /// A wager was paid this much beside its stake.
    Pay(Wager, Money),
    /// A wager was taken, whole or this much of it.
    Take(Wager, Option<Money>),
    /// A wager stood off.
    Push(Wager),
    /// A wager was handed back as if never made.
    Return(Wager),
    /// The cards of a hand went to the discard rack.
    Collect(Place),
    /// Another dealer took over.
    DealerChange(Ident),
    /// Somebody's remark.
    Note(Remark),
    /// All cards are in the rack.
    End,
}

impl Act {
    /// The hand it is about, or whose wager it is about; none for what concerns the whole table.
    pub fn place(&self) -> Option<Place> {
        match self {
            Self::Card { to: place, .. }
            | Self::Move { to: place, .. }
            | Self::TurnUp(place, _)
            | Self::TurnSideways(place)
            | Self::Tuck(place)
            | Self::Hit(place)
            | Self::Stand(place)
            | Self::Zap(place)
            | Self::Refuse(place)
            | Self::Accept(place)
            | Self::Reconstruct(place)
            | Self::Void(place)
            | Self::Collect(place) => Some(*place),
            Self::Bet(wager, _)
            | Self::Alter(wager, _)
            | Self::EvenMoney(wager)
            | Self::Double(wager, _)
            | Self::Split(wager, _)
            | Self::Surrender(wager)
            | Self::Parlay(wager, _)
            | Self::Ride(wager, _)
            | Self::Prize(wager, _)
            | Self::Pay(wager, _)
            | Self::Take(wager, _)
            | Self::Push(wager)
            | Self::Return(wager) => Some(wager.place()),
            _ => None,
        }
    }
}
