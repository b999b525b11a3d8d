//! The table as a surveillance camera sees it: what lies where at every instant, and the picture of it.

pub mod geometry;
pub mod random;
pub mod scene;
pub mod stage;
