//! Shoes made ready by the procedures of the books and of the machines, and how they are cheated.
//!
//! A [`Procedure`] does to a pack what hands or a machine do, so that what survives of the old order survives here too.
//! [`ready()`] makes a shoe of a pack, with cut, cutting card and burn; [`ShuffleFault`] makes one that is not what it seems.

mod fault;
mod ready;

use auditor::shuffle::DECK;
pub use auditor::shuffle::{Continuous, Procedure, ProcedureError, Stage};
pub use fault::{ShuffleFault, Spoiled};
pub use ready::{Cut, Ready, open, ready};
