//! Pictures of a tape after the fact: which instants a camera has, a still of one of them, a clip between two.
//!
//! Stills are decoded from the camera's own bytes, from the key frame before on. A clip holds those bytes as they are, in
//! another container; only of a camera that sent single pictures are they encoded anew. Browsers cannot step through video frame by frame; with stills and their instants a page can.

mod clip;
mod encode;
mod still;

use std::collections::BTreeSet;
use std::io::{Read, Seek};
use std::ops::Range;

use table::tape::{About, DecodeError, Picture, PictureFormat, Record, SeekReader, TapeError};
use table::{Ident, Utc};

use crate::camera::{ImageError, UnpackError, annexb};

/// How long before an instant a video's last key frame is looked for, in microseconds.
const BEFORE: i64 = 20_000_000;
/// How long after it was taken a picture may have reached the recorder, in microseconds.
const LATE: i64 = 5_000_000;

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
pub enum FootageError {
    /// The tape cannot be read.
    #[error(transparent)]
    Tape(#[from] TapeError),
    /// A record on the tape is not what its channel says.
    #[error(transparent)]
    Record(#[from] DecodeError),
    /// No camera of that name recorded that time.
    #[error("no camera recorded that moment")]
    NotRecorded,
    /// The bytes are no video.
    #[error("the video cannot be decoded: {0}")]
    Undecodable(#[from] ffmpeg_next::Error),
    /// The pictures could not be unpacked.
    #[error(transparent)]
    Unpack(#[from] UnpackError),
    /// The picture could not be looked at or packed.
    #[error(transparent)]
    Image(#[from] ImageError),
}

impl From<opencv::Error> for FootageError {
    fn from(wrong: opencv::Error) -> Self {
        Self::Image(wrong.into())
    }
}

/// One picture of a tape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Still {
    /// When it was taken.
    pub at: Utc,
    /// The picture.
    pub jpeg: Vec<u8>,
}

/// A stretch of a camera's video.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clip {
    /// When its first picture was taken: that of the key frame before the stretch.
    pub from: Utc,
    /// When its last picture was taken.
    pub to: Utc,
    /// How many pictures it has.
    pub frames: usize,
    /// The video, as an MP4 file.
    pub mp4: Vec<u8>,
}

/// The cameras of a finished tape.
pub struct Footage<R> {
    tape: SeekReader<R>,
}

impl<R> From<SeekReader<R>> for Footage<R> {
    fn from(tape: SeekReader<R>) -> Self {
        Self { tape }
    }
}

impl<R: Read + Seek> Footage<R> {
    /// Opens a finished tape.
    pub fn open(from: R) -> Result<Self, FootageError> {
        Ok(Self { tape: SeekReader::open(from)? })
    }

    /// The tape itself, for what else is on it.
    pub fn tape(&mut self) -> &mut SeekReader<R> {
        &mut self.tape
    }

    /// What the tape says of itself.
    pub fn about(&self) -> &About {
        self.tape.about()
    }

    /// When the first and the last message of the tape were recorded; `None` if it is empty.
    pub fn span(&self) -> Option<Range<Utc>> {
        let utc = |nanos: u64| Utc::from_micros(i64::try_from(nanos / 1000).ok()?);
        let (first, last) = self.tape.span()?;
        Some(utc(first)?..utc(last)?)
    }

    /// The cameras that are on the tape.
    pub fn cameras(&self) -> BTreeSet<Ident> {
        self.tape.topics().filter_map(|topic| topic.strip_prefix("/camera/")?.parse().ok()).collect()
    }

    /// When a camera's pictures between two instants were taken.
    pub fn instants(&mut self, camera: &Ident, time: Range<Utc>) -> Result<Vec<Utc>, FootageError> {
        let pictures = self.pictures(camera, time.clone())?;
        Ok(pictures.iter().map(|picture| picture.at).filter(|at| time.contains(at)).collect())
    }

    /// The last picture of a camera taken at an instant or before it, or the first after it where it had only begun.
    pub fn still(&mut self, camera: &Ident, at: Utc) -> Result<Still, FootageError> {
        let pictures = self.pictures(camera, later(at, -BEFORE)..later(at, LATE))?;
        let last = pictures.iter().rposition(|picture| picture.at <= at);
        let wanted = match last {
            Some(last) => last,
            None => pictures.iter().position(begins_play).ok_or(FootageError::NotRecorded)?,
        };
        let key = pictures[..=wanted].iter().rposition(begins_play).ok_or(FootageError::NotRecorded)?;
        still::of(&pictures[key..=wanted])
    }

    /// A camera's video between two instants, from the key frame before the first on. Video is not encoded anew; single
    /// pictures are.
    pub fn clip(&mut self, camera: &Ident, time: Range<Utc>) -> Result<Clip, FootageError> {
        let mut pictures = self.pictures(camera, later(time.start, -BEFORE)..time.end)?;
        pictures.retain(|picture| picture.at < time.end);
        let before = pictures.iter().rposition(|picture| picture.at <= time.start && begins_play(picture));
        let key = before.or_else(|| pictures.iter().position(begins_play)).ok_or(FootageError::NotRecorded)?;
        clip::of(&pictures[key..])
    }

    /// A camera's pictures that were recorded about a time, in the order in which they were taken.
    fn pictures(&mut self, camera: &Ident, time: Range<Utc>) -> Result<Vec<Picture>, FootageError> {
        let topic = format!("/camera/{camera}");
        let mut pictures = Vec::new();
        for message in self.tape.messages(recorded(&time), |name| name == topic) {
            if let Record::Picture { picture, .. } = Record::decode(&message?)? {
                pictures.push(picture);
            }
        }
        Ok(pictures)
    }
}

/// Whether a player can begin with this picture.
fn begins_play(picture: &Picture) -> bool {
    picture.format == PictureFormat::Jpeg || annexb::begins_play(&picture.data)
}

fn later(at: Utc, micros: i64) -> Utc {
    Utc::from_micros(at.micros().saturating_add(micros)).unwrap_or(at)
}

/// The time of recording of what was taken between two instants, in nanoseconds, with room for what came late.
fn recorded(time: &Range<Utc>) -> Range<u64> {
    let nanos = |at: Utc| u64::try_from(at.micros()).unwrap_or(0).saturating_mul(1000);
    nanos(time.start)..nanos(later(time.end, LATE))
}
