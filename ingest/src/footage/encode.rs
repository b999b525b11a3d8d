//! Single pictures as H.264, for cameras that send no video: what a page and a regulator's player can show.
//!
//! The tape keeps the pictures as they came; this is a copy to look at.

use ffmpeg_next::codec::{Context as Codec, encoder};
use ffmpeg_next::format::Pixel;
use ffmpeg_next::frame::Video;
use ffmpeg_next::software::scaling::{Context as Scaler, Flags};
use ffmpeg_next::{Dictionary, Error, Packet};
use opencv::prelude::{MatTraitConst, MatTraitConstManual};
use table::tape::{Picture, PictureFormat};

use super::FootageError;
use super::clip::BASE;
use crate::camera::{Image, Unpacker, silence_ffmpeg};

/// How x264 encodes: nothing is shown out of order, every key frame can be begun with, one thread, so that the same pictures
/// give the same bytes. The index of a card stays readable.
const SETTINGS: &[(&str, &str)] = &[
    ("preset", "veryfast"),
    ("tune", "zerolatency"),
    ("crf", "20"),
    ("g", "50"),
    ("threads", "1"),
    ("x264-params", "aud=1:repeat-headers=1"),
];

/// These pictures as a camera with video would have recorded them, at the same instants; those that cannot be read are
/// left out.
pub(super) fn as_video(pictures: &[Picture]) -> Result<Vec<Picture>, FootageError> {
    silence_ffmpeg();
    let mut unpacker = Unpacker::new();
    let mut encoder: Option<Encoder> = None;
    let mut packed = Vec::with_capacity(pictures.len());
    for picture in pictures {
        for frame in unpacker.push(picture)? {
            let encoder = match &mut encoder {
                Some(encoder) => encoder,
                none => none.insert(Encoder::start(&frame.image)?),
            };
            let data = encoder.push(&frame.image, frame.at.micros())?;
            packed.push(Picture { at: frame.at, format: PictureFormat::H264, data });
        }
    }
    if packed.is_empty() { Err(Error::InvalidData.into()) } else { Ok(packed) }
}

struct Encoder {
    video: encoder::video::Encoder,
    /// Width and height, both even as H.264 wants them.
    size: (u32, u32),
}

impl Encoder {
    fn start(first: &Image) -> Result<Self, FootageError> {
        let size = (first.width() & !1, first.height() & !1);
        let codec = encoder::find_by_name("libx264").ok_or(Error::EncoderNotFound)?;
        let mut video = Codec::new_with_codec(codec).encoder().video()?;
        video.set_width(size.0);
        video.set_height(size.1);
        video.set_format(Pixel::YUV420P);
        video.set_time_base(BASE);
        let settings: Dictionary = SETTINGS.iter().copied().collect();
        Ok(Self { video: video.open_with(settings)?, size })
    }

    fn push(&mut self, image: &Image, at: i64) -> Result<Vec<u8>, FootageError> {
        let coloured = coloured(image)?;
        let (width, height) = self.size;
        let mut scaler = Scaler::get(
            coloured.format(),
            coloured.width(),
            coloured.height(),
            Pixel::YUV420P,
            width,
            height,
            Flags::BILINEAR,
        )?;
        let mut frame = Video::empty();
        scaler.run(&coloured, &mut frame)?;
        frame.set_pts(Some(at));
        self.video.send_frame(&frame)?;
        let mut packet = Packet::empty();
        self.video.receive_packet(&mut packet)?;
        Ok(packet.data().ok_or(Error::InvalidData)?.to_vec())
    }
}

/// A picture as FFmpeg holds it.
fn coloured(image: &Image) -> Result<Video, FootageError> {
    let mut frame = Video::new(Pixel::BGR24, image.width(), image.height());
    let stride = frame.stride(0);
    image.with_bgr(|bgr| {
        let width = usize::try_from(bgr.cols()).unwrap_or(0) * 3;
        let whole = bgr.try_clone()?;
        let rows = whole.data_bytes()?.chunks_exact(width.max(1));
        for (to, from) in frame.data_mut(0).chunks_mut(stride.max(1)).zip(rows) {
            if let Some(to) = to.get_mut(..from.len()) {
                to.copy_from_slice(from);
            }
        }
        Ok::<_, FootageError>(())
    })?;
    Ok(frame)
}
