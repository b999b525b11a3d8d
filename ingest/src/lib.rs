//! Facts in, with their time, whatever the cable does: smart shoes, chip sensors, cameras, clocks, and the recorder.
//!
//! This room knows no rules of any game. What it cannot read it counts and says; what it did not see it says too.

pub mod camera;
pub mod chips;
pub mod clock;
pub mod feed;
pub mod footage;
pub mod metrics;
pub mod recorder;
pub mod retention;
pub mod shoe;
pub mod transport;
