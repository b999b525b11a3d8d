//! Tapes from the outside: what goes on comes off, and what was harmed on the way is never passed off as whole.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on stops")]

mod damage;
mod foreign;
mod records;
mod rescue;
mod sample;
