//! Video by FFmpeg, from a file, an RTSP camera or an MJPEG stream: packets for the tape and frames from the same bytes.

use std::collections::VecDeque;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, Once, PoisonError};
use std::time::Duration;

use ffmpeg_next as ffmpeg;
use ffmpeg_next::codec::packet::side_data::Type;
use ffmpeg_next::codec::{self, Id};
use ffmpeg_next::format::context::{Input, StreamIo};
use ffmpeg_next::{Dictionary, Error, Packet, Rational, decoder, frame, media};
use table::Utc;
use table::tape::PictureFormat;

use super::annexb::{self, Parameters};
use super::clock::Times;
use super::image::Image;
use super::lost::Lost;
use super::source::{Decoded, Leash, Pace, Packed, Source, Took, now};

/// How many frames a decoder may be behind its packets.
const BEHIND: usize = 64;

/// What kind of video is opened, which decides about its times and its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// An RTSP camera.
    Rtsp,
    /// JPEG pictures over HTTP.
    Mjpeg,
    /// A file, as fast as it can be read.
    File,
    /// A file, as fast as it was recorded.
    PacedFile,
}

pub(super) struct Video {
    kind: Kind,
    leash: Arc<Leash>,
    patience: Duration,
    input: Input,
    stream: usize,
    base: Rational,
    first: i64,
    times: Times,
    decoder: decoder::Video,
    codec: Id,
    parameters: Parameters,
    /// Packets in the decoder: their times, and when they came.
    inside: VecDeque<Inside>,
    pace: Option<Pace>,
}

struct Inside {
    pts: Option<i64>,
    wall: Option<i64>,
    arrived: Utc,
}

impl Video {
    pub(super) fn open(kind: Kind, address: &str, leash: &Arc<Leash>, patience: Duration) -> Result<Self, Lost> {
        silence();
        if address.contains('\0') {
            return Err(Lost::Path(address.into()));
        }
        let watched = Arc::clone(leash);
        let gives_up = move || watched.is_over();
        let input = ffmpeg::format::input_with_interrupt_and_dictionary(Path::new(address), gives_up, options(kind))
            .map_err(|wrong| failed(wrong, leash, patience, |why| Lost::NotOpened { why }))?;
        let stream = input.streams().best(media::Type::Video).ok_or(Lost::NoVideo)?;
        let not_decoded = |wrong: Error| Lost::Undecodable(wrong.to_string());
        let mut context = codec::Context::from_parameters(stream.parameters()).map_err(not_decoded)?;
        // One thread a camera: a decoder with more of them is also as many frames late.
        context.set_threading(codec::threading::Config::count(1));
        let codec = stream.parameters().id();
        let parameters = if codec == Id::H264 { parameters(&stream.parameters()) } else { Parameters::default() };
        Ok(Self {
            kind,
            leash: Arc::clone(leash),
            patience,
            stream: stream.index(),
            base: stream.time_base(),
            first: if stream.start_time() == ffmpeg::ffi::AV_NOPTS_VALUE { 0 } else { stream.start_time() },
            times: times(kind, &input),
            decoder: context.decoder().video().map_err(not_decoded)?,
            codec,
            parameters,
            inside: VecDeque::new(),
            pace: (kind == Kind::PacedFile).then(|| Pace::new(Arc::clone(leash))),
            input,
        })
    }

    /// The next packet of the video; `None` at the end.
    fn packet(&mut self) -> Result<Option<Packet>, Lost> {
        let mut packet = Packet::empty();
        loop {
            match packet.read(&mut self.input) {
                Ok(()) if packet.stream() == self.stream => return Ok(Some(packet)),
                Ok(()) | Err(Error::Other { errno: ffmpeg::error::EAGAIN }) if self.leash.is_over() => {
                    return Err(failed(Error::Exit, &self.leash, self.patience, Lost::Broken));
                }
                Ok(()) | Err(Error::Other { errno: ffmpeg::error::EAGAIN }) => {}
                Err(Error::Eof) if self.is_recording() => return Ok(None),
                Err(Error::Eof) => return Err(Lost::HungUp),
                Err(wrong) => return Err(failed(wrong, &self.leash, self.patience, Lost::Broken)),
            }
        }
    }

    const fn is_recording(&self) -> bool {
        matches!(self.kind, Kind::File | Kind::PacedFile)
    }

    /// The stream's count in microseconds from its beginning.
    fn counted(&self, pts: Option<i64>) -> Option<i64> {
        let ticks = i128::from(pts?) - i128::from(self.first);
        let (per, of) = (i128::from(self.base.numerator()), i128::from(self.base.denominator()));
        i64::try_from((ticks * per * 1_000_000).checked_div(of)?).ok()
    }

    /// All frames that are ready.
    fn frames(&mut self, took: &mut Vec<Took>) {
        loop {
            let mut video = frame::Video::empty();
            if self.decoder.receive_frame(&mut video).is_err() {
                return;
            }
            let pts = video.timestamp();
            let at = self.inside.iter().position(|inside| inside.pts == pts).unwrap_or(0);
            let inside = self.inside.remove(at);
            took.push(Took::Frame(Decoded {
                counted: self.counted(pts),
                wall: inside.as_ref().and_then(|inside| inside.wall),
                arrived: inside.map_or_else(now, |inside| inside.arrived),
                image: Image::decoded(video),
            }));
        }
    }
}

impl Source for Video {
    fn times(&self) -> Times {
        self.times
    }

    fn packing(&self) -> Option<PictureFormat> {
        match self.codec {
            Id::H264 => Some(PictureFormat::H264),
            Id::MJPEG => Some(PictureFormat::Jpeg),
            _ => None,
        }
    }

    fn next(&mut self, took: &mut Vec<Took>) -> Result<(), Lost> {
        let Some(packet) = self.packet()? else {
            let ended = self.decoder.send_eof();
            self.frames(took);
            return if took.is_empty() || ended.is_err() { Err(Lost::Over) } else { Ok(()) };
        };
        let counted = self.counted(packet.pts().or(packet.dts()));
        if let (Some(pace), Some(counted)) = (&mut self.pace, counted) {
            pace.wait(counted)?;
        }
        let (arrived, wall) = (now(), wall(&packet));
        let bytes = packet.data().unwrap_or_default();
        let unit = match self.packing() {
            Some(PictureFormat::H264) => self.parameters.unit(bytes),
            Some(PictureFormat::Jpeg) => jpeg(bytes).map(|picture| (picture.to_vec(), true)),
            None => None,
        };
        took.push(Took::Packed(Packed { counted, wall, arrived, unit }));
        self.inside.push_back(Inside { pts: packet.pts(), wall, arrived });
        if self.decoder.send_packet(&packet).is_err() {
            self.inside.pop_back();
            took.push(Took::Broken);
        }
        self.frames(took);
        while self.inside.len() > BEHIND {
            self.inside.pop_front();
        }
        Ok(())
    }
}

/// A JPEG without what an HTTP camera puts between two of them.
fn jpeg(bytes: &[u8]) -> Option<&[u8]> {
    let end = bytes.windows(2).rposition(|mark| mark == [0xFF, 0xD9])?;
    bytes.starts_with(&[0xFF, 0xD8]).then_some(&bytes[..end + 2])
}

/// FFmpeg writes what it thinks to stderr, addresses with passwords included. What matters comes back as errors.
pub(crate) fn silence() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Without it, errors have no words.
        ffmpeg::error::register_all();
        ffmpeg::log::set_level(ffmpeg::log::Level::Quiet);
    });
}

fn options(kind: Kind) -> Dictionary<'static> {
    let mut options = Dictionary::new();
    if matches!(kind, Kind::Rtsp | Kind::Mjpeg) {
        // The first picture is wanted now, not after five seconds of getting to know the stream. What is read for that
        // is not thrown away (`nobuffer` would), since the first key frame is in it.
        options.set("analyzeduration", "500000");
    }
    if kind == Kind::Rtsp {
        // Over TCP no packet is lost between the camera and us; a camera on the same switch has the time.
        options.set("rtsp_transport", "tcp");
        options.set("allowed_media_types", "video");
    }
    options
}

fn times(kind: Kind, input: &Input) -> Times {
    match kind {
        Kind::Rtsp | Kind::PacedFile => Times::Stream,
        Kind::Mjpeg => Times::Arrival,
        Kind::File => {
            let made = input.metadata().get("creation_time").and_then(|made| made.parse().ok());
            Times::Recorded(made.unwrap_or(Utc::EPOCH))
        }
    }
}

/// What became of a call that failed: given up by us, or by the other end.
fn failed(wrong: Error, leash: &Leash, patience: Duration, otherwise: impl FnOnce(String) -> Lost) -> Lost {
    match wrong {
        _ if leash.is_stopped() => Lost::Stopped,
        _ if leash.is_over() => Lost::Silent(patience),
        wrong => otherwise(wrong.to_string()),
    }
}

/// The camera's wall clock, which an RTSP camera tells with its sender reports: microseconds since 1970.
fn wall(packet: &Packet) -> Option<i64> {
    let side = packet.side_data().find(|side| side.kind() == Type::PRFT)?;
    side.data().first_chunk().map(|bytes| i64::from_ne_bytes(*bytes))
}

/// The parameter sets that came apart from the frames. FFmpeg hands them out in one form only that is the same for all
/// sources: in the head of an MP4 file, so it is made to write one.
fn parameters(of: &codec::Parameters) -> Parameters {
    let head = Head::default();
    let written = (|| {
        let io = StreamIo::from_write(head.clone()).map_err(|_| Error::Unknown)?;
        let mut output = ffmpeg::format::output_to_stream(io, None, Some("mp4"))?;
        let mut stream = output.add_stream(Id::None)?;
        stream.set_parameters(of.clone());
        let mut options = Dictionary::new();
        options.set("movflags", "empty_moov+frag_keyframe");
        output.write_header_with(options).map(drop)
    })();
    let head = head.0.lock().unwrap_or_else(PoisonError::into_inner);
    let found = written.ok().and_then(|()| annexb::find_avcc(&head)).and_then(Parameters::from_avcc);
    // Without them the frames may still bring their own.
    found.unwrap_or_default()
}

#[derive(Clone, Default)]
struct Head(Arc<Mutex<Vec<u8>>>);

impl Write for Head {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
