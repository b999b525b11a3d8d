//! The table as a surveillance camera sees it: what lies where at every instant, and the picture of it.

mod blur;
pub mod camera;
pub mod canvas;
pub mod effects;
pub mod encode;
pub mod eye;
pub mod felt;
pub mod frame;
pub mod geometry;
mod paint;
mod props;
pub mod random;
pub mod render;
pub mod scene;
mod shapes;
pub mod stage;
pub mod stills;
mod texture;
