//! One picture out of a stretch of video.

use ffmpeg_next::Error;
use opencv::core::Vector;
use opencv::imgcodecs;
use opencv::prelude::VectorToVec;
use table::tape::{Picture, PictureFormat};

use super::{FootageError, Still};
use crate::camera::{Image, Unpacker};

/// Fine enough to read a card's index by, and a third of the size of the finest.
const JPEG_QUALITY: i32 = 88;

/// The last of these pictures; the first is one that play can begin with.
pub(super) fn of(pictures: &[Picture]) -> Result<Still, FootageError> {
    let last = pictures.last().ok_or(FootageError::NotRecorded)?;
    let jpeg = match last.format {
        PictureFormat::Jpeg => last.data.clone(),
        PictureFormat::H264 => packed(&decoded(pictures, last)?)?,
    };
    Ok(Still { at: last.at, jpeg })
}

/// The frame taken when the wanted picture was.
fn decoded(pictures: &[Picture], wanted: &Picture) -> Result<Image, FootageError> {
    let mut unpacker = Unpacker::new();
    let mut shown = None;
    for picture in pictures {
        shown = unpacker.push(picture)?.into_iter().find(|frame| frame.at == wanted.at).or(shown);
    }
    let late = unpacker.finish().into_iter().find(|frame| frame.at == wanted.at);
    late.or(shown).map(|frame| frame.image).ok_or(FootageError::Undecodable(Error::InvalidData))
}

fn packed(image: &Image) -> Result<Vec<u8>, FootageError> {
    image.with_bgr(|bgr| {
        let mut jpeg = Vector::new();
        let quality = Vector::from_slice(&[imgcodecs::IMWRITE_JPEG_QUALITY, JPEG_QUALITY]);
        imgcodecs::imencode(".jpg", bgr, &mut jpeg, &quality)?;
        Ok(jpeg.to_vec())
    })
}
