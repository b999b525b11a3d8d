//! Picture files, whatever is in them: depth, colours and transparency brought to blue, green and red.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use opencv::core::{CV_8U, Mat, MatTraitConst, Vector};
use opencv::{core, imgcodecs, imgproc};

/// The longest file that is read: no photograph is longer.
const MOST_BYTES: u64 = 256 << 20;
/// The most pixels of a picture, in millions.
const MOST_MEGAPIXELS: u64 = 100;

/// Why a file is no picture.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// It could not be read.
    #[error("{} cannot be read", path.display())]
    Read {
        /// Which file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// There is nothing in it.
    #[error("{}: the file is empty", path.display())]
    Empty {
        /// Which file.
        path: PathBuf,
    },
    /// It is too large.
    #[error("{}: too large, {what}; make it smaller and try again", path.display())]
    Large {
        /// Which file.
        path: PathBuf,
        /// How large, and what would do.
        what: String,
    },
    /// It is no picture that can be read.
    #[error("{}: no picture that can be read (JPEG, PNG, WebP, TIFF and BMP can), or a damaged one", path.display())]
    Picture {
        /// Which file.
        path: PathBuf,
    },
    /// The end of it is missing.
    #[error("{}: the picture is cut off, its end is missing", path.display())]
    Truncated {
        /// Which file.
        path: PathBuf,
    },
    /// It is smaller than any card that could be read.
    #[error("{}: {width}x{height} pixels are too few to show a card", path.display())]
    Small {
        /// Which file.
        path: PathBuf,
        /// Pixels across.
        width: i32,
        /// Pixels down.
        height: i32,
    },
}

/// Reads a picture file as blue, green and red.
pub fn open(path: &Path) -> Result<Mat, OpenError> {
    let unread = |source| OpenError::Read { path: path.to_owned(), source };
    let about = fs::metadata(path).map_err(unread)?;
    // Asked first: a pipe or a device might never end.
    if !about.is_file() {
        return Err(unread(io::Error::new(io::ErrorKind::InvalidInput, "not a file")));
    }
    if about.len() > MOST_BYTES {
        let what = format!("{} MB of at most {} MB", about.len() >> 20, MOST_BYTES >> 20);
        return Err(OpenError::Large { path: path.to_owned(), what });
    }
    decode(&fs::read(path).map_err(unread)?, path)
}

/// Reads a picture from the bytes of a file, which is named in errors.
pub fn decode(bytes: &[u8], path: &Path) -> Result<Mat, OpenError> {
    let path = path.to_owned();
    if bytes.is_empty() {
        return Err(OpenError::Empty { path });
    }
    if let Some((width, height)) = size(bytes) {
        // OpenCV would throw, or take gigabytes.
        if width * height > MOST_MEGAPIXELS * 1_000_000 {
            let what = format!("{width}x{height} pixels of at most {MOST_MEGAPIXELS} million");
            return Err(OpenError::Large { path, what });
        }
    }
    if is_cut_off(bytes) {
        return Err(OpenError::Truncated { path });
    }
    let unreadable = |_: opencv::Error| OpenError::Picture { path: path.clone() };
    let flags = imgcodecs::IMREAD_COLOR | imgcodecs::IMREAD_ANYDEPTH;
    let read = imgcodecs::imdecode(&Vector::from_slice(bytes), flags).map_err(unreadable)?;
    if read.empty() {
        return Err(OpenError::Picture { path });
    }
    let (width, height) = (read.cols(), read.rows());
    if width.min(height) < 16 {
        return Err(OpenError::Small { path, width, height });
    }
    bgr(read).map_err(|_| OpenError::Picture { path: path.clone() })
}

/// Eight bits of blue, green and red, whatever it was.
fn bgr(read: Mat) -> Result<Mat, opencv::Error> {
    let mut deep = read;
    if deep.depth() != CV_8U {
        let mut plain = Mat::default();
        match deep.depth() {
            core::CV_16U => deep.convert_to(&mut plain, CV_8U, 1.0 / 257.0, 0.0)?,
            // Numbers of no fixed range: the brightest becomes white.
            _ => core::normalize(&deep, &mut plain, 0.0, 255.0, core::NORM_MINMAX, CV_8U, &core::no_array())?,
        }
        deep = plain;
    }
    let code = match deep.channels() {
        1 => imgproc::COLOR_GRAY2BGR,
        4 => imgproc::COLOR_BGRA2BGR,
        _ => return Ok(deep),
    };
    let mut out = Mat::default();
    imgproc::cvt_color_def(&deep, &mut out, code)?;
    Ok(out)
}

/// Width and height that the head of a JPEG or PNG file claims.
fn size(bytes: &[u8]) -> Option<(u64, u64)> {
    let number = |at: usize, length: usize| {
        Some(bytes.get(at..at + length)?.iter().fold(0_u64, |number, byte| number << 8 | u64::from(*byte)))
    };
    if bytes.starts_with(b"\x89PNG") {
        return Some((number(16, 4)?, number(20, 4)?));
    }
    if !bytes.starts_with(&[0xFF, 0xD8]) {
        return None;
    }
    let mut at = 2;
    loop {
        let (mark, kind) = (number(at, 1)?, number(at + 1, 1)?);
        match kind {
            _ if mark != 0xFF => return None,
            0xFF => at += 1,
            0xC0..=0xCF if ![0xC4, 0xC8, 0xCC].contains(&kind) => {
                return Some((number(at + 7, 2)?, number(at + 5, 2)?));
            }
            0xD0..=0xD9 | 0x01 => at += 2,
            _ => at += 2 + number(at + 2, 2)? as usize,
        }
    }
}

/// Whether the end of a JPEG or PNG file is missing: they would be read all the same, with grey where cards may have lain.
fn is_cut_off(bytes: &[u8]) -> bool {
    if bytes.starts_with(b"\x89PNG\r\n\x1a\n") {
        return !bytes.windows(4).rev().any(|four| four == b"IEND");
    }
    // Some cameras put bytes of their own behind the end.
    bytes.starts_with(&[0xFF, 0xD8, 0xFF]) && !bytes.windows(2).rev().any(|two| two == [0xFF, 0xD9])
}

#[cfg(test)]
mod tests {
    use opencv::prelude::VectorToVec;

    use super::*;

    fn picture(typ: i32) -> Mat {
        Mat::new_rows_cols_with_default(40, 60, typ, core::Scalar::all(90.0)).unwrap()
    }

    fn packed(ending: &str, mat: &Mat) -> Vec<u8> {
        let mut bytes = Vector::new();
        imgcodecs::imencode(ending, mat, &mut bytes, &Vector::new()).unwrap();
        bytes.to_vec()
    }

    fn decoded(bytes: &[u8]) -> Result<Mat, OpenError> {
        decode(bytes, Path::new("x.jpg"))
    }

    #[test]
    fn every_kind_of_pixel_becomes_blue_green_and_red() {
        let kinds = [
            (".png", core::CV_8UC1),
            (".png", core::CV_8UC3),
            (".png", core::CV_8UC4),
            (".png", core::CV_16UC1),
            (".png", core::CV_16UC3),
            (".tiff", core::CV_16UC3),
            (".tiff", core::CV_32FC3),
            (".jpg", core::CV_8UC1),
            (".bmp", core::CV_8UC3),
        ];
        for (ending, typ) in kinds {
            let read = decoded(&packed(ending, &picture(typ))).unwrap();
            assert_eq!((read.typ(), read.cols(), read.rows()), (core::CV_8UC3, 60, 40), "{ending} {typ}");
        }
    }

    #[test]
    fn sixteen_bits_keep_their_brightness() {
        let mat = Mat::new_rows_cols_with_default(40, 60, core::CV_16UC1, core::Scalar::all(257.0 * 90.0)).unwrap();
        let read = decoded(&packed(".png", &mat)).unwrap();
        assert_eq!(read.at_2d::<core::Vec3b>(3, 3).unwrap()[0], 90);
    }

    #[test]
    fn what_is_no_picture_is_said_to_be_none() {
        let whole = packed(".jpg", &picture(core::CV_8UC3));
        assert!(matches!(decoded(&[]), Err(OpenError::Empty { .. })));
        assert!(matches!(decoded(b"hello, world, I am no picture"), Err(OpenError::Picture { .. })));
        assert!(matches!(decoded(&whole[..whole.len() / 2]), Err(OpenError::Truncated { .. })));
        let dot = Mat::new_rows_cols_with_default(1, 1, core::CV_8UC3, core::Scalar::all(9.0)).unwrap();
        assert!(matches!(decoded(&packed(".png", &dot)), Err(OpenError::Small { width: 1, height: 1, .. })));
    }

    #[test]
    fn a_file_that_claims_to_be_huge_is_refused_before_it_is_unpacked() {
        let mut huge = packed(".png", &picture(core::CV_8UC3));
        huge[16..24].copy_from_slice(&[0, 0, 0x7F, 0xFF, 0, 0, 0x7F, 0xFF]);
        assert!(matches!(decoded(&huge), Err(OpenError::Large { .. })));
        let mut jpeg = packed(".jpg", &picture(core::CV_8UC3));
        let head = jpeg.windows(2).position(|two| two == [0xFF, 0xC0]).unwrap();
        jpeg[head + 5..head + 9].copy_from_slice(&[0xFF, 0xFF, 0xFF, 0xFF]);
        assert!(matches!(decoded(&jpeg), Err(OpenError::Large { .. })));
    }

    proptest::proptest! {
        #[test]
        fn no_bytes_whatever_break_it(mut bytes: Vec<u8>, kind in 0..3_usize) {
            let head: &[u8] = [&b"\x89PNG\r\n\x1a\n"[..], &[0xFF, 0xD8, 0xFF], &[]][kind];
            bytes.splice(0..0, head.iter().copied());
            let _ = decoded(&bytes);
        }
    }
}
