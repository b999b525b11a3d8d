//! A stretch of a camera's H.264 as an MP4 file: other wrapping, the same pictures. Single pictures are encoded first.

use std::io::{self, Cursor, Seek, SeekFrom, Write};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use ffmpeg_next::codec::packet::Flags;
use ffmpeg_next::codec::{Id, Parameters};
use ffmpeg_next::format::context::StreamIo;
use ffmpeg_next::{Error, Packet, Rational, format, media};
use table::tape::{Picture, PictureFormat};

use super::{Clip, FootageError, begins_play, encode};
use crate::camera::silence_ffmpeg;

/// Ticks of a second in the file: microseconds, as the tape has them.
pub(super) const BASE: Rational = Rational(1, 1_000_000);
/// How long the last picture stays, in ticks: that of a camera with 25 pictures a second.
const LAST: i64 = 40_000;

/// These pictures as one file; the first is one that play can begin with.
///
/// They are shown in the order in which they were recorded. Table cameras send no pictures out of order, since that costs
/// delay; the video of one that did would jerk.
pub(super) fn of(pictures: &[Picture]) -> Result<Clip, FootageError> {
    let (Some(first), Some(last)) = (pictures.first(), pictures.last()) else { return Err(FootageError::NotRecorded) };
    if first.format == PictureFormat::Jpeg {
        return of(&encode::as_video(pictures)?);
    }
    silence_ffmpeg();
    let file = Shared::default();
    let io = StreamIo::from_write_seek(file.clone()).map_err(|_| Error::Unknown)?;
    let mut output = format::output_to_stream(io, None, Some("mp4"))?;
    let mut stream = output.add_stream(Id::None)?;
    stream.set_parameters(parameters(&first.data)?);
    stream.set_time_base(BASE);
    output.write_header()?;
    let base = output.stream(0).map_or(BASE, |stream| stream.time_base());
    let mut shown = -1;
    for (number, picture) in pictures.iter().enumerate() {
        // Two pictures at one instant would make the file unplayable.
        shown = (picture.at.micros() - first.at.micros()).max(shown + 1);
        let next = pictures.get(number + 1).map_or(LAST, |next| next.at.micros() - picture.at.micros()).max(1);
        let mut packet = Packet::copy(&picture.data);
        packet.set_stream(0);
        packet.set_pts(Some(shown));
        packet.set_dts(Some(shown));
        packet.set_duration(next);
        if begins_play(picture) {
            packet.set_flags(Flags::KEY);
        }
        packet.rescale_ts(BASE, base);
        packet.write_interleaved(&mut output)?;
    }
    output.write_trailer()?;
    drop(output);
    let mp4 = std::mem::take(file.bytes().get_mut());
    Ok(Clip { from: first.at, to: last.at, frames: pictures.len(), mp4 })
}

/// What a player has to know before the first picture, from the parameter sets in front of it.
fn parameters(key_frame: &[u8]) -> Result<Parameters, FootageError> {
    let io = StreamIo::from_read_seek(Cursor::new(key_frame.to_vec())).map_err(|_| Error::Unknown)?;
    let input = format::input_from_stream(io, Some("clip.h264"), None)?;
    let stream = input.streams().best(media::Type::Video).ok_or(Error::StreamNotFound)?;
    Ok(stream.parameters())
}

/// A file in memory that FFmpeg writes and we read.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Cursor<Vec<u8>>>>);

impl Shared {
    fn bytes(&self) -> MutexGuard<'_, Cursor<Vec<u8>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Seek for Shared {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.bytes().seek(to)
    }
}
