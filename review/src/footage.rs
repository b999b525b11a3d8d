//! Pictures of a table, from wherever they are kept.
//!
//! Decoding video is no job of this room. Whoever starts the server hands it something that can; a server without
//! footage shows its pages without pictures and says so.

use table::config::Camera;
use table::{Ident, RoundId, Utc};

/// One picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Still {
    /// The exact instant of the frame.
    pub at: Utc,
    /// The frame as JPEG.
    pub jpeg: Vec<u8>,
}

/// Why there is no picture where there should be one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct FootageError(pub String);

/// Recordings of the site's tables. Calls may block; the server makes them on threads where that does no harm.
pub trait Footage: Send + Sync {
    /// The names of the cameras that look at a table, the one to show first at the front. Empty: no video of this table.
    fn cameras(&self, table: &Ident) -> Vec<String>;

    /// The camera as the recordings say it was set up: what it sees where. `None` if they do not.
    fn set_up(&self, _table: &Ident, _camera: &str) -> Option<Camera> {
        None
    }

    /// The frame that was on the screen at an instant, `None` if nothing was recorded then.
    fn still(&self, table: &Ident, camera: &str, at: Utc) -> Result<Option<Still>, FootageError>;

    /// The instants of up to `count` frames before and as many after `at`, in order, for stepping.
    fn frames(&self, table: &Ident, camera: &str, at: Utc, count: usize) -> Result<Vec<Utc>, FootageError>;

    /// An MP4 (H.264) of what was recorded between two instants.
    fn clip(&self, table: &Ident, camera: &str, from: Utc, until: Utc) -> Result<Option<Vec<u8>>, FootageError>;

    /// A tape of everything recorded of a round's table between two instants, and of what was made of that round.
    fn tape(&self, round: &RoundId, from: Utc, until: Utc) -> Result<Option<Vec<u8>>, FootageError>;
}

/// No recordings at all.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoFootage;

impl Footage for NoFootage {
    fn cameras(&self, _: &Ident) -> Vec<String> {
        Vec::new()
    }

    fn still(&self, _: &Ident, _: &str, _: Utc) -> Result<Option<Still>, FootageError> {
        Ok(None)
    }

    fn frames(&self, _: &Ident, _: &str, _: Utc, _: usize) -> Result<Vec<Utc>, FootageError> {
        Ok(Vec::new())
    }

    fn clip(&self, _: &Ident, _: &str, _: Utc, _: Utc) -> Result<Option<Vec<u8>>, FootageError> {
        Ok(None)
    }

    fn tape(&self, _: &RoundId, _: Utc, _: Utc) -> Result<Option<Vec<u8>>, FootageError> {
        Ok(None)
    }
}
