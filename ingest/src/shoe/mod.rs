//! Smart shoes: from bytes on a line to what the shoe saw.

mod angel_eye;
mod bee_tek;
mod diagnosis;
mod fact;

use serde::Serialize;
use table::Card;
use table::config::Dialect;
use table::event::Drawn;

pub use angel_eye::AngelEye;
pub use bee_tek::BeeTek;
pub use diagnosis::{Diagnosis, diagnose};
pub use fact::{event, fact};

/// A decoder of this dialect, at the beginning of a line.
///
/// ```
/// use ingest::shoe::{self, Said};
/// use table::config::Dialect;
/// use table::event::Drawn;
///
/// let mut decoder = shoe::dialect(Dialect::BeeTek);
/// let mut heard = Vec::new();
/// decoder.push(b" [Game]<Card:", &mut heard);
/// decoder.push(b"10h> ", &mut heard);
/// assert_eq!(heard[0].said, Said::Card { card: "TH".parse()?, drawn: Drawn::Game });
/// # Ok::<(), table::card::NotACard>(())
/// ```
pub fn dialect(dialect: Dialect) -> Box<dyn Decoder> {
    match dialect {
        Dialect::AngelEye => Box::new(AngelEye::default()),
        Dialect::BeeTek => Box::new(BeeTek::default()),
    }
}

/// Reads one shoe's bytes as they come, split anywhere. A dialect is one file with one of these in it.
///
/// Nothing a line can carry makes a decoder fail: what is no telegram is counted as noise.
pub trait Decoder: Send {
    /// Takes the next bytes of the line and appends what they say.
    fn push(&mut self, bytes: &[u8], heard: &mut Vec<Heard>);
    /// The line broke here, or the capture is over: what was begun is not coming any more. Bytes may follow all the
    /// same, and the count of telegrams goes on, so that what was lost meanwhile shows as a gap. How long the line was
    /// away, and so whether more can be missing than the numbers tell, only the caller knows.
    fn line_ended(&mut self, heard: &mut Vec<Heard>);
    /// What has passed so far.
    fn stats(&self) -> Stats;
}

/// Something a shoe said.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Heard {
    /// Where on the line its telegram began, in bytes from the first.
    pub offset: u64,
    /// The telegram's own number, in dialects that have one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub seq: Option<u8>,
    /// What it says.
    #[serde(flatten)]
    pub said: Said,
    /// The shoe's own count of the card within its round or burn.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub index: Option<u8>,
}

/// What a telegram says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Said {
    /// A card was drawn.
    Card {
        /// Which.
        card: Card,
        /// What the shoe took it for.
        #[serde(rename = "as")]
        drawn: Drawn,
    },
    /// A card was drawn that the shoe could not read.
    Unread {
        /// What the shoe took it for.
        #[serde(rename = "as")]
        drawn: Drawn,
    },
    /// The cutting card was drawn.
    Cut,
    /// Communication starts: power-up or reset.
    Start,
    /// Between rounds.
    Standby,
    /// A game's result, as the shoe reckons it.
    Result {
        /// The byte as sent.
        code: u8,
    },
    /// The shoe reports an error.
    Error {
        /// Its number.
        code: u8,
        /// Whether the shoe is in error mode now.
        mode: bool,
    },
    /// An error is over.
    ErrorCleared {
        /// Its number.
        code: u8,
    },
    /// The shoe was locked or unlocked.
    Lock {
        /// Whether it is locked.
        locked: bool,
    },
    /// Somebody changed a setting of the shoe.
    Preset {
        /// Which.
        address: String,
        /// To what.
        value: String,
    },
    /// A warning.
    Warning {
        /// Its number.
        code: u16,
    },
    /// A hardware alarm.
    Alarm {
        /// In the shoe's words.
        says: String,
    },
    /// Somebody sent the shoe a command; it was not us, for we only listen.
    HostCommand {
        /// The command without its frame.
        says: String,
    },
    /// A whole telegram whose meaning is not known.
    Unknown {
        /// Its words, or its code and payload; what is no printable character is escaped.
        says: String,
    },
    /// Telegrams are missing before this one.
    Gap {
        /// The most there can have been, unless the line was away so long that the shoe's numbers came round; each may
        /// have been a card.
        at_most: u32,
    },
}

/// What has passed on a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Stats {
    /// Bytes.
    pub bytes: u64,
    /// Whole telegrams, repeats included.
    pub frames: u64,
    /// What the shoe said that we understood; gaps are not counted, nor what somebody else said.
    pub events: u64,
    /// Telegrams that were sent before.
    pub duplicates: u64,
    /// Telegrams whose checksum is wrong.
    pub bad_checksum: u64,
    /// Times that telegrams were missing.
    pub gaps: u64,
    /// Bytes that belong to no telegram; those of a wrong checksum are among them.
    pub noise_bytes: u64,
    /// Whole telegrams whose meaning is not known.
    pub unknown: u64,
    /// Commands that somebody sent to the shoe.
    pub host_commands: u64,
}

impl Stats {
    /// What has passed since an earlier look at the same line.
    pub const fn since(&self, earlier: &Self) -> Self {
        Self {
            bytes: self.bytes.saturating_sub(earlier.bytes),
            frames: self.frames.saturating_sub(earlier.frames),
            events: self.events.saturating_sub(earlier.events),
            duplicates: self.duplicates.saturating_sub(earlier.duplicates),
            bad_checksum: self.bad_checksum.saturating_sub(earlier.bad_checksum),
            gaps: self.gaps.saturating_sub(earlier.gaps),
            noise_bytes: self.noise_bytes.saturating_sub(earlier.noise_bytes),
            unknown: self.unknown.saturating_sub(earlier.unknown),
            host_commands: self.host_commands.saturating_sub(earlier.host_commands),
        }
    }
}
