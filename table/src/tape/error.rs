//! What can be wrong with a tape, and at which byte.

use std::io;

/// A tape could not be read on or written on.
#[derive(Debug, thiserror::Error)]
pub enum TapeError {
    /// The file could not be read.
    #[error("cannot read on at byte {offset}")]
    Read {
        /// Where.
        offset: u64,
        /// Why.
        source: io::Error,
    },
    /// The file is something else.
    #[error("not a tape: {why} (byte {offset})")]
    NotATape {
        /// Where that shows.
        offset: u64,
        /// What it is instead.
        why: &'static str,
    },
    /// The tape stops before its end was written: the recorder crashed, is still running, or the file was cut off.
    #[error("unfinished: the tape stops at byte {offset}")]
    Unfinished {
        /// Everything before this byte was whole.
        offset: u64,
    },
    /// The tape is not what was written.
    #[error("damaged at byte {offset}: {damage}")]
    Damaged {
        /// The record that is wrong begins here.
        offset: u64,
        /// What is wrong with it.
        damage: Damage,
    },
    /// The tape could not be written.
    #[error("cannot write the tape")]
    Write(#[from] mcap::McapError),
    /// A record could not be put into JSON.
    #[error("cannot put the record into JSON")]
    Encode(#[from] serde_json::Error),
    /// A message is longer than a tape takes.
    #[error("a message of {length} bytes on {topic} is longer than the {} a tape takes", super::MAX_MESSAGE)]
    TooLong {
        /// Of which channel.
        topic: String,
        /// How long it is.
        length: usize,
    },
    /// A time that a tape cannot hold.
    #[error("{0} is outside the years 1970 to 2554 that a tape can hold")]
    Time(crate::time::Utc),
    /// Two different channels with one topic.
    #[error("the tape already has another channel named {0}")]
    ChannelConflict(String),
}

impl TapeError {
    /// The byte of the file it is about.
    pub fn offset(&self) -> Option<u64> {
        match self {
            Self::Read { offset, .. }
            | Self::NotATape { offset, .. }
            | Self::Unfinished { offset }
            | Self::Damaged { offset, .. } => Some(*offset),
            _ => None,
        }
    }
}

/// How a part of a tape differs from anything that can have been written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Damage {
    /// A record that does not parse.
    #[error("the {0} does not parse")]
    Malformed(&'static str),
    /// A kind of record that does not stand in this part of a tape.
    #[error("a record of kind {0:#04x} does not belong here")]
    Misplaced(u8),
    /// A length beyond anything a tape holds.
    #[error("a record claims to be {0} bytes long")]
    TooLong(u64),
    /// A length that leads beyond the end of a finished tape.
    #[error("a record runs over the end of the file")]
    RunsOver,
    /// A chunk packed in a way no tape uses.
    #[error("the chunk is packed with {0:?}, expected zstd or nothing")]
    Compression(String),
    /// A chunk that is not what was written.
    #[error("the chunk does not match its checksum")]
    ChunkChecksum,
    /// A metadata record that is not what was written.
    #[error("the metadata {0:?} does not match its own hash")]
    Seal(String),
    /// Metadata expected here is not here.
    #[error("expected the metadata {0:?}")]
    NoMetadata(&'static str),
    /// More channels and schemas than a tape can sensibly have.
    #[error("too many channels and schemas")]
    TooManyChannels,
    /// A channel that was described otherwise before.
    #[error("the channel or schema {0} is described twice, differently")]
    Redefined(String),
    /// A message on a channel that nothing describes.
    #[error("a message on channel {0}, which nothing describes")]
    UnknownChannel(u16),
    /// Messages are missing.
    #[error("expected message {expected} of the tape, found {found}")]
    Gap {
        /// The number that should have come.
        expected: u32,
        /// The number that came.
        found: u32,
    },
    /// The messages of a channel are not those that were written.
    #[error("the messages of {0} do not match their hash")]
    Content(String),
    /// The tape was finished without its hashes.
    #[error("the hashes of the content are missing")]
    NoContent,
    /// Something before this byte is not what was written.
    #[error("the bytes before it do not match their checksum")]
    DataChecksum,
    /// The summary is not what was written.
    #[error("the summary does not match its checksum")]
    SummaryChecksum,
    /// The last bytes are not those of an MCAP file.
    #[error("the file does not end as a tape does")]
    End,
}

impl Damage {
    /// This damage, found in the record at `offset`.
    pub(super) fn at(self, offset: u64) -> TapeError {
        TapeError::Damaged { offset, damage: self }
    }
}
