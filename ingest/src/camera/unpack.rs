//! Pictures off a tape: what a recorder packed away becomes frames again, with the times they were taken.

use std::collections::VecDeque;

use ffmpeg_next as ffmpeg;
use ffmpeg_next::codec::{self, Id};
use ffmpeg_next::{Packet, decoder, frame};
use opencv::core::Vector;
use opencv::imgcodecs;
use table::Utc;
use table::tape::{Picture, PictureFormat};

use super::Frame;
use super::image::{Image, ImageError};
use super::video::silence;

/// How many frames a decoder may be behind its packets.
const BEHIND: usize = 64;

/// Why a tape's pictures cannot be seen.
#[derive(Debug, thiserror::Error)]
pub enum UnpackError {
    /// FFmpeg has no decoder for it.
    #[error("the video of a tape cannot be decoded on this machine: {0}")]
    Decoder(String),
    /// The pixels could not be had.
    #[error(transparent)]
    Image(#[from] ImageError),
}

/// Unpacks the pictures of one camera, in the order they were recorded.
pub struct Unpacker {
    video: Option<decoder::Video>,
    /// Times of the packets in the decoder.
    inside: VecDeque<Utc>,
    number: u64,
    broken: u64,
}

impl Unpacker {
    /// An unpacker for one camera.
    pub fn new() -> Self {
        silence();
        Self { video: None, inside: VecDeque::new(), number: 0, broken: 0 }
    }

    /// Pictures that were none.
    pub const fn broken(&self) -> u64 {
        self.broken
    }

    /// Takes the next picture and gives the frames that are ready; a damaged one is counted and passed over.
    pub fn push(&mut self, picture: &Picture) -> Result<Vec<Frame>, UnpackError> {
        match picture.format {
            PictureFormat::Jpeg => {
                let bytes = Vector::from_slice(&picture.data);
                let read = imgcodecs::imdecode(&bytes, imgcodecs::IMREAD_COLOR).ok();
                let Some(image) = read.and_then(|mat| Image::from_bgr(mat).ok()).filter(|image| image.width() > 0)
                else {
                    self.broken += 1;
                    return Ok(Vec::new());
                };
                Ok(vec![self.frame(picture.at, image)])
            }
            PictureFormat::H264 => {
                let mut packet = Packet::copy(&picture.data);
                packet.set_pts(Some(picture.at.micros()));
                packet.set_dts(Some(picture.at.micros()));
                let video = match &mut self.video {
                    Some(video) => video,
                    none => none.insert(h264()?),
                };
                if video.send_packet(&packet).is_err() {
                    self.broken += 1;
                } else {
                    self.inside.push_back(picture.at);
                }
                let ready = self.ready();
                while self.inside.len() > BEHIND {
                    self.inside.pop_front();
                }
                Ok(ready)
            }
        }
    }

    /// The frames that the decoder still held.
    pub fn finish(mut self) -> Vec<Frame> {
        if let Some(video) = &mut self.video {
            // A decoder that does not take the end has nothing to give either.
            let _ = video.send_eof();
        }
        self.ready()
    }

    fn ready(&mut self) -> Vec<Frame> {
        let mut ready = Vec::new();
        while let Some(video) = &mut self.video {
            let mut decoded = frame::Video::empty();
            if video.receive_frame(&mut decoded).is_err() {
                break;
            }
            let oldest = self.inside.pop_front();
            let at = decoded.timestamp().and_then(Utc::from_micros).or(oldest).unwrap_or(Utc::EPOCH);
            ready.push(self.frame(at, Image::decoded(decoded)));
        }
        ready
    }

    fn frame(&mut self, at: Utc, image: Image) -> Frame {
        self.number += 1;
        Frame { number: self.number, at, arrived: at, source_clock: None, image }
    }
}

impl Default for Unpacker {
    fn default() -> Self {
        Self::new()
    }
}

fn h264() -> Result<decoder::Video, UnpackError> {
    let wrong = |why: ffmpeg::Error| UnpackError::Decoder(why.to_string());
    let codec = codec::decoder::find(Id::H264).ok_or(wrong(ffmpeg::Error::DecoderNotFound))?;
    let mut context = codec::Context::new_with_codec(codec);
    // One thread a camera, as live: replay must not be the faster for being different.
    context.set_threading(codec::threading::Config::count(1));
    context.decoder().video().map_err(wrong)
}
