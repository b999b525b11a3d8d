//! The law: rulebooks as data, settlement, replay, and the checks that turn a wrong step into a flag.
//!
//! Pure by construction: no clock, no files, no randomness. The same round under the same rules gives the same flags.

mod cards;
pub mod check;
pub mod checks;
pub mod dealer;
pub mod equipment;
pub mod hand;
pub mod model;
pub mod replay;
pub mod rulebook;
pub mod rules;
pub mod settle;
pub mod shuffle;
pub mod sidebet;

pub use rulebook::{Game, Rulebook};
pub use rules::Rules;
pub use sidebet::{Pay, SideRules, Tier};
