//! A camera on this machine, through Video4Linux.

use std::path::{Path, PathBuf};

use opencv::core::Mat;
use opencv::videoio::{CAP_V4L2, VideoCapture, VideoCaptureTrait, VideoCaptureTraitConst};
use table::tape::PictureFormat;

use super::clock::Times;
use super::image::Image;
use super::lost::Lost;
use super::source::{Decoded, Packed, Source, Took, now};
use super::stills::jpeg;

pub(super) struct Device {
    path: PathBuf,
    capture: VideoCapture,
    /// Whether somebody wants its pictures packed: that takes time, and such a camera does not do it for us.
    packed: bool,
}

impl Device {
    pub(super) fn open(path: &Path, packed: bool) -> Result<Self, Lost> {
        if !path.exists() {
            return Err(Lost::Missing(path.to_owned()));
        }
        let name = path.to_str().ok_or_else(|| Lost::Path(path.to_owned()))?;
        let capture = VideoCapture::from_file(name, CAP_V4L2)?;
        if !capture.is_opened()? {
            return Err(Lost::Device(path.to_owned()));
        }
        Ok(Self { path: path.to_owned(), capture, packed })
    }
}

impl Source for Device {
    fn times(&self) -> Times {
        Times::Arrival
    }

    fn packing(&self) -> Option<PictureFormat> {
        Some(PictureFormat::Jpeg)
    }

    fn next(&mut self, took: &mut Vec<Took>) -> Result<(), Lost> {
        let mut mat = Mat::default();
        if !self.capture.read(&mut mat)? {
            return Err(Lost::Broken(format!("{} gives no more pictures", self.path.display())));
        }
        let (arrived, image) = (now(), Image::from_bgr(mat)?);
        if self.packed {
            let unit = Some((jpeg(&image)?, true));
            took.push(Took::Packed(Packed { counted: None, wall: None, arrived, unit }));
        }
        took.push(Took::Frame(Decoded { counted: None, wall: None, arrived, image }));
        Ok(())
    }
}
