//! Frames to H.264: an `ffmpeg` of one's own takes them raw and gives back one access unit for each, in order.

mod units;

use std::collections::VecDeque;
use std::io::{self, ErrorKind, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread::JoinHandle;

use table::Utc;
use table::tape::{Picture, PictureFormat};

use super::camera::Size;
use super::frame::Frame;
use units::Units;

/// How video is packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packing {
    /// The program that does it.
    pub program: String,
    /// From frame to frame, in microseconds.
    pub micros_per_frame: u32,
    /// How much may be lost: 18 is nothing one could see, 28 a lot.
    pub crf: u8,
    /// Frames from one that stands alone to the next.
    pub key_every: u32,
}

impl Packing {
    /// Good quality at this rate, with a frame that stands alone every second and a half.
    pub fn at(micros_per_frame: u32) -> Self {
        let micros_per_frame = micros_per_frame.max(1);
        let key_every = (1_500_000 / micros_per_frame).max(1);
        Self { program: "ffmpeg".to_owned(), micros_per_frame, crf: 25, key_every }
    }
}

/// Why there is no video.
#[derive(Debug, thiserror::Error)]
pub enum EncodeError {
    /// There is no such program.
    #[error("`{program}` packs the video and is not installed")]
    Missing {
        /// Its name.
        program: String,
    },
    /// It could not be started.
    #[error("`{program}` could not be started")]
    Start {
        /// Its name.
        program: String,
        /// Why.
        source: io::Error,
    },
    /// It ended before all frames were packed.
    #[error("the video encoder ended after {packed} of {given} frames ({status}): {says}")]
    Ended {
        /// Frames that came back.
        packed: usize,
        /// Frames that were given.
        given: usize,
        /// How it ended.
        status: String,
        /// Its last words.
        says: String,
    },
    /// A frame has another size than the video.
    #[error("a frame of {}x{} does not fit a video of {}x{}", frame.width(), frame.height(), video.width(), video.height())]
    Size {
        /// The frame's.
        frame: Size,
        /// The video's.
        video: Size,
    },
}

/// A running encoder.
pub struct Encoder {
    size: Size,
    child: Child,
    /// Closed when all frames are in.
    input: Option<ChildStdin>,
    units: Receiver<Vec<u8>>,
    reader: Option<JoinHandle<()>>,
    words: Option<JoinHandle<String>>,
    /// The times of frames that have not come back yet.
    waiting: VecDeque<Utc>,
    given: usize,
    packed: usize,
}

impl Encoder {
    /// Starts packing frames of this size.
    pub fn start(size: Size, packing: &Packing) -> Result<Self, EncodeError> {
        let program = packing.program.clone();
        let mut child = command(size, packing).spawn().map_err(|source| match source.kind() {
            ErrorKind::NotFound => EncodeError::Missing { program: program.clone() },
            _ => EncodeError::Start { program: program.clone(), source },
        })?;
        let (sender, units) = channel();
        // The encoder stops taking frames when nobody takes what it packed, or listens to what it says; so both are
        // read all the time, whatever happens here.
        let reader = child.stdout.take().map(|mut stdout| {
            std::thread::spawn(move || {
                let mut split = Units::default();
                let mut bytes = vec![0; 1 << 16];
                while let Ok(count @ 1..) = stdout.read(&mut bytes) {
                    split.feed(&bytes[..count]);
                    for unit in split.by_ref() {
                        if sender.send(unit).is_err() {
                            return;
                        }
                    }
                }
                // Whoever no longer listens does not miss the last one.
                let _ = split.rest().map(|unit| sender.send(unit));
            })
        });
        let words = child.stderr.take().map(|stderr| std::thread::spawn(move || last_words(stderr)));
        let input = child.stdin.take();
        Ok(Self { size, child, input, units, reader, words, waiting: VecDeque::new(), given: 0, packed: 0 })
    }

    /// Packs one more frame. What comes back are frames packed in the meantime, each with the time it was given with.
    pub fn push(&mut self, frame: &Frame, at: Utc) -> Result<Vec<Picture>, EncodeError> {
        if frame.size() != self.size {
            return Err(EncodeError::Size { frame: frame.size(), video: self.size });
        }
        let written =
            self.input.as_mut().map_or(Err(ErrorKind::BrokenPipe.into()), |input| input.write_all(frame.bytes()));
        self.given += 1;
        self.waiting.push_back(at);
        let ready: Vec<Vec<u8>> = self.units.try_iter().collect();
        let pictures = self.name(ready);
        match written {
            Ok(()) => Ok(pictures),
            Err(_) => Err(self.ended()),
        }
    }

    /// Packs what is left.
    pub fn finish(mut self) -> Result<Vec<Picture>, EncodeError> {
        drop(self.input.take());
        let ready: Vec<Vec<u8>> = self.units.iter().collect();
        let pictures = self.name(ready);
        match self.child.wait() {
            Ok(status) if status.success() && self.waiting.is_empty() && self.packed == self.given => Ok(pictures),
            _ => Err(self.ended()),
        }
    }

    /// Gives every access unit the time of its frame; none comes back out of order.
    fn name(&mut self, units: Vec<Vec<u8>>) -> Vec<Picture> {
        self.packed += units.len();
        let times = self.waiting.drain(..units.len().min(self.waiting.len()));
        units.into_iter().zip(times).map(|(data, at)| Picture { at, format: PictureFormat::H264, data }).collect()
    }

    fn ended(&mut self) -> EncodeError {
        drop(self.input.take());
        let status = self.child.wait().map_or_else(|error| error.to_string(), |status| status.to_string());
        let says = self.words.take().and_then(|words| words.join().ok()).unwrap_or_default();
        let says = if says.is_empty() { "it gave no reason".to_owned() } else { says };
        EncodeError::Ended { packed: self.packed, given: self.given, status, says }
    }
}

impl Drop for Encoder {
    fn drop(&mut self) {
        drop(self.input.take());
        // Already gone is as good as stopped.
        let _ = self.child.kill();
        let _ = self.child.wait();
        if let Some(thread) = self.reader.take() {
            let _ = thread.join();
        }
    }
}

/// The end of what the encoder complained about, on one line.
fn last_words(mut stderr: impl Read) -> String {
    const MOST: usize = 600;
    let mut words = Vec::new();
    let mut bytes = [0; 1024];
    while let Ok(count @ 1..) = stderr.read(&mut bytes) {
        words.extend_from_slice(&bytes[..count]);
        let surplus = words.len().saturating_sub(MOST);
        words.drain(..surplus);
    }
    String::from_utf8_lossy(&words).trim().replace('\n', "; ")
}

fn command(size: Size, packing: &Packing) -> Command {
    let mut command = Command::new(&packing.program);
    // Who interrupts us at the terminal wants the frames so far, not an encoder that stops in the middle of them.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.args(["-hide_banner", "-loglevel", "error", "-nostdin", "-fflags", "+bitexact"]);
    command.args(["-f", "rawvideo", "-pix_fmt", "yuv420p"]);
    command.args(["-video_size", &format!("{}x{}", size.width(), size.height())]);
    command.args(["-framerate", &format!("1000000/{}", packing.micros_per_frame), "-i", "pipe:0", "-an"]);
    // One thread: more of them pack the same frames into other bytes on another machine.
    command.args(["-c:v", "libx264", "-preset", "veryfast", "-tune", "zerolatency", "-threads", "1"]);
    command.args(["-crf", &packing.crf.min(51).to_string(), "-g", &packing.key_every.to_string(), "-bf", "0"]);
    command.args(["-x264-params", "aud=1:repeat-headers=1:scenecut=0", "-flags", "+bitexact"]);
    command.args(["-f", "h264", "pipe:1"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}
