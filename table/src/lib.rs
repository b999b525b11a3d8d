//! The vocabulary of a blackjack table.
//!
//! Everything the other rooms say to each other is said in these words: a [`Card`] is one byte, [`Money`] is
//! exact minor units, a [`Round`] is the ordered [`Step`]s from first wager to last chip, a [`Flag`] is a
//! finding with its clause and its money. This room has no threads, no sockets and no clock.

pub mod card;
pub mod chance;
pub mod chips;
pub mod config;
pub mod event;
pub mod flag;
pub mod grammar;
pub mod ident;
pub mod layout;
pub mod money;
pub mod notation;
pub mod place;
pub mod round;
pub mod tape;
pub mod text;
pub mod time;
pub mod total;
pub mod wager;

pub use card::{Card, Colour, Rank, Suit};
pub use chance::{Chance, Reading};
pub use event::{Event, EventId, Fact, Source, SourceKind};
pub use flag::{AtStake, Evidence, EvidenceKind, Favours, Flag, FlagKind, Severity};
pub use grammar::Grammar;
pub use ident::{Ident, Remark, Word};
pub use layout::Layout;
pub use money::{Money, Odds, Winnings};
pub use place::{BoxNo, CardAt, Face, Hand, Place, Turn};
pub use round::{Act, Game, Limit, Round, RoundId, Step, Unseen};
pub use time::Utc;
pub use total::Total;
pub use wager::{Bettor, SideBet, Wager, WagerKind};
