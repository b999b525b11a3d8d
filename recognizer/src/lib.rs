//! From pictures to cards, and from cards, draws and chips to rounds. Knows no law.

pub mod round;
pub mod runtime;
pub mod track;
pub mod vision;
