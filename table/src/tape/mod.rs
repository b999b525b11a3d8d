//! Tapes: one recording of one table in one MCAP file.
//!
//! A [`Writer`] appends records in chunks of bounded size, so a crash loses at most the open chunk. A [`Reader`]
//! streams them back and checks every byte on the way: a message is handed out only when the checksum of its chunk
//! is right and no message before it is missing. A [`SeekReader`] goes straight to a stretch of time through the
//! index of a finished tape, and [`recover()`] makes a finished tape of whatever is left of a damaged one.
//!
//! ```
//! use table::tape::{About, Reader, Record, Writer};
//!
//! let about = About::new("BJ-04".parse()?, "2026-11-15T21:00:00Z".parse()?, "fairdeal 0.1.0");
//! let mut tape = Writer::create(Vec::new(), &about)?;
//! let drawn = Record::ShoeBytes { shoe: "east".parse()?, bytes: b"\x02C7H\x03".to_vec() };
//! tape.record(about.created, &drawn)?;
//! let file = tape.finish()?;
//!
//! let mut tape = Reader::open(file.as_slice())?;
//! assert_eq!(tape.about().table.as_str(), "BJ-04");
//! let message = tape.next().ok_or("an empty tape")??;
//! assert_eq!(Record::decode(&message)?, drawn);
//! assert!(tape.next().is_none());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! `docs/ref/tape.md` describes the format for other tools.

mod about;
mod channel;
mod chunk;
mod content;
mod error;
mod fields;
mod read;
mod record;
mod recover;
mod seek;
mod walk;
mod write;

pub use about::{About, Config, ConfigFormat};
pub use channel::{Channel, Message, Schema};
pub use content::Tally;
pub use error::{Damage, TapeError};
pub use read::Reader;
pub use record::{DecodeError, Picture, PictureFormat, Record};
pub use recover::{Loss, Recovery, recover};
pub use seek::SeekReader;
pub use write::{Options, Writer};

/// The version of the format that this code writes and reads.
pub const FORMAT: &str = "1";
/// The profile in the header of every tape.
pub const PROFILE: &str = "fairdeal";
/// The longest message a tape takes.
pub const MAX_MESSAGE: usize = 32 << 20;

/// The longest record that is read into memory, and the most a chunk may unpack to. The writer stays well below it.
const MAX_RECORD: u64 = 64 << 20;
