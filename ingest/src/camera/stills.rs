//! Still pictures in a folder, in the order of their names, as if a camera had taken them.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use opencv::core::Vector;
use opencv::imgcodecs;
use opencv::prelude::VectorToVec;
use table::Utc;
use table::tape::PictureFormat;

use super::clock::Times;
use super::image::Image;
use super::lost::Lost;
use super::source::{Decoded, Leash, Pace, Packed, Source, Took, now};

/// Stills have no times, so they follow one another as at an ordinary camera: 25 in a second, in microseconds.
const INTERVAL: i64 = 40_000;
const ENDINGS: &[&str] = &["jpg", "jpeg", "png", "bmp", "webp"];
/// Good enough to read an index from, small enough to keep.
const QUALITY: i32 = 92;

pub(super) struct Stills {
    paths: std::vec::IntoIter<PathBuf>,
    counted: i64,
    pace: Option<Pace>,
}

impl Stills {
    /// Opens a folder; with `paced`, to be shown as fast as a camera would.
    pub(super) fn open(folder: &Path, leash: &Arc<Leash>, paced: bool) -> Result<Self, Lost> {
        let unread = |source| Lost::Folder { folder: folder.to_owned(), source };
        if !folder.exists() {
            return Err(Lost::Missing(folder.to_owned()));
        }
        let mut paths = Vec::new();
        for entry in fs::read_dir(folder).map_err(unread)? {
            let path = entry.map_err(unread)?.path();
            let ending = path.extension().and_then(|ending| ending.to_str()).map(str::to_ascii_lowercase);
            if ending.is_some_and(|ending| ENDINGS.contains(&ending.as_str())) {
                paths.push(path);
            }
        }
        if paths.is_empty() {
            return Err(Lost::NoStills(folder.to_owned()));
        }
        paths.sort();
        let pace = paced.then(|| Pace::new(Arc::clone(leash)));
        Ok(Self { paths: paths.into_iter(), counted: 0, pace })
    }
}

impl Source for Stills {
    fn times(&self) -> Times {
        if self.pace.is_some() { Times::Stream } else { Times::Recorded(Utc::EPOCH) }
    }

    fn packing(&self) -> Option<PictureFormat> {
        Some(PictureFormat::Jpeg)
    }

    fn next(&mut self, took: &mut Vec<Took>) -> Result<(), Lost> {
        let path = self.paths.next().ok_or(Lost::Over)?;
        let unreadable = || Lost::Still(path.clone());
        let bytes = fs::read(&path).map_err(|_| unreadable())?;
        let mat =
            imgcodecs::imdecode(&Vector::from_slice(&bytes), imgcodecs::IMREAD_COLOR).map_err(|_| unreadable())?;
        let image = Image::from_bgr(mat).map_err(|_| unreadable())?;
        let counted = self.counted;
        self.counted += INTERVAL;
        if let Some(pace) = &mut self.pace {
            pace.wait(counted)?;
        }
        let is_jpeg = bytes.starts_with(&[0xFF, 0xD8, 0xFF]);
        let unit = if is_jpeg { bytes } else { jpeg(&image)? };
        let (counted, arrived) = (Some(counted), now());
        took.push(Took::Packed(Packed { counted, wall: None, arrived, unit: Some((unit, true)) }));
        took.push(Took::Frame(Decoded { counted, wall: None, arrived, image }));
        Ok(())
    }
}

/// A picture as a JPEG, for sources that have no packed form a tape could keep.
pub(super) fn jpeg(image: &Image) -> Result<Vec<u8>, Lost> {
    image.with_bgr(|bgr| {
        let mut packed = Vector::new();
        let settings = Vector::from_slice(&[imgcodecs::IMWRITE_JPEG_QUALITY, QUALITY]);
        imgcodecs::imencode(".jpg", bgr, &mut packed, &settings)?;
        Ok(packed.to_vec())
    })
}
