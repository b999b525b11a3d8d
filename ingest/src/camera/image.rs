//! One picture in memory: shared, never copied on the way, and seen by OpenCV where it lies.

use std::fmt;
use std::sync::Arc;

use ffmpeg_next::format::Pixel;
use ffmpeg_next::frame::Video;
use ffmpeg_next::software::scaling::{Context, Flags};
use opencv::boxed_ref::BoxedRef;
use opencv::core::{Mat, MatTraitConst, Rect};
use opencv::imgproc;

/// Formats whose first plane is brightness, a byte a pixel.
const LUMA_FIRST: &[Pixel] = &[
    Pixel::YUV420P,
    Pixel::YUVJ420P,
    Pixel::YUV422P,
    Pixel::YUVJ422P,
    Pixel::YUV444P,
    Pixel::YUVJ444P,
    Pixel::NV12,
    Pixel::NV21,
    Pixel::GRAY8,
];

/// Pixels that somebody else holds, for any function of OpenCV that takes a matrix to read.
pub type View<'a> = BoxedRef<'a, Mat>;

/// A picture. Cloning it shares the pixels.
#[derive(Clone)]
pub struct Image(Arc<Pixels>);

enum Pixels {
    /// As the decoder left it; its buffer goes back to the decoder when the last sharer is done.
    Decoded(Video),
    /// Blue, green, red.
    Bgr(Mat),
}

/// Why pixels cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum ImageError {
    /// The bytes are not as many as such a picture has.
    #[error("a picture of {width}x{height} in planes of brightness and colour has not {bytes} bytes")]
    Bytes {
        /// Pixels across.
        width: u32,
        /// Pixels down.
        height: u32,
        /// How many bytes there are.
        bytes: usize,
    },
    /// Not a picture with three bytes to the pixel.
    #[error("expected a picture in blue, green and red")]
    NotBgr,
    /// The colours could not be converted.
    #[error("the colours of a picture could not be converted: {0}")]
    Colours(#[from] ffmpeg_next::Error),
    /// OpenCV could not look at it.
    #[error("a picture could not be looked at: {}", .0.message)]
    OpenCv(#[from] opencv::Error),
}

impl Image {
    pub(crate) fn decoded(video: Video) -> Self {
        Self(Arc::new(Pixels::Decoded(video)))
    }

    /// A picture that OpenCV holds in blue, green and red; it is taken over as it lies.
    pub fn from_bgr(mat: Mat) -> Result<Self, ImageError> {
        if mat.typ() != opencv::core::CV_8UC3 || mat.dims() != 2 {
            return Err(ImageError::NotBgr);
        }
        Ok(Self(Arc::new(Pixels::Bgr(mat))))
    }

    /// A picture from three planes one after another: brightness, and two of colour at half the size both ways.
    pub fn from_i420(width: u32, height: u32, bytes: &[u8]) -> Result<Self, ImageError> {
        let wrong = ImageError::Bytes { width, height, bytes: bytes.len() };
        let (across, down) = (width as usize, height as usize);
        let sizes = [(across, down), (across.div_ceil(2), down.div_ceil(2)), (across.div_ceil(2), down.div_ceil(2))];
        let wanted = sizes.iter().try_fold(0_usize, |sum, (across, down)| sum.checked_add(across.checked_mul(*down)?));
        if across == 0 || down == 0 || width.max(height) > 16_384 || wanted != Some(bytes.len()) {
            return Err(wrong);
        }
        let mut video = Video::new(Pixel::YUV420P, width, height);
        let mut rest = bytes;
        for (plane, (across, down)) in sizes.into_iter().enumerate() {
            let stride = video.stride(plane);
            let (here, later) = rest.split_at(across * down);
            for (to, from) in video.data_mut(plane).chunks_mut(stride).zip(here.chunks_exact(across)) {
                to[..across].copy_from_slice(from);
            }
            rest = later;
        }
        Ok(Self::decoded(video))
    }

    /// Pixels across.
    pub fn width(&self) -> u32 {
        match &*self.0 {
            Pixels::Decoded(video) => video.width(),
            Pixels::Bgr(mat) => mat.cols().unsigned_abs(),
        }
    }

    /// Pixels down.
    pub fn height(&self) -> u32 {
        match &*self.0 {
            Pixels::Decoded(video) => video.height(),
            Pixels::Bgr(mat) => mat.rows().unsigned_abs(),
        }
    }

    /// Looks at the brightness of every pixel, which video has ready: nothing is copied.
    pub fn with_luma<T, E: From<ImageError>>(&self, look: impl FnOnce(&View<'_>) -> Result<T, E>) -> Result<T, E> {
        match &*self.0 {
            Pixels::Decoded(video) if LUMA_FIRST.contains(&video.format()) => {
                let rows = with_rows(video, video.width()).map_err(E::from)?;
                let part = Rect::new(0, 0, video.width() as i32, video.height() as i32);
                look(&Mat::roi(&rows, part).map_err(ImageError::from).map_err(E::from)?)
            }
            _ => look(&self.grey().map_err(E::from)?.into()),
        }
    }

    /// The same with one row of every so many, which is enough for most measuring and costs that much less.
    pub fn with_some_luma<T, E: From<ImageError>>(
        &self,
        every: u32,
        look: impl FnOnce(&View<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        match &*self.0 {
            Pixels::Decoded(video) if LUMA_FIRST.contains(&video.format()) => {
                let every = every.clamp(1, video.height().max(1));
                let rows = video.height() / every;
                // Several rows taken for one long one: the first of them is at its beginning.
                let (stride, bytes) = (video.stride(0) * every as usize, video.data(0));
                let bytes = bytes.get(..stride * rows as usize).ok_or(ImageError::Bytes {
                    width: video.width(),
                    height: video.height(),
                    bytes: bytes.len(),
                })?;
                let long = Mat::new_rows_cols_with_data(rows as i32, stride as i32, bytes).map_err(ImageError::from)?;
                let part = Rect::new(0, 0, video.width() as i32, rows as i32);
                look(&Mat::roi(&long, part).map_err(ImageError::from).map_err(E::from)?)
            }
            _ => look(&self.grey().map_err(E::from)?.into()),
        }
    }

    fn grey(&self) -> Result<Mat, ImageError> {
        self.with_bgr(|bgr| {
            let mut grey = Mat::default();
            imgproc::cvt_color_def(bgr, &mut grey, imgproc::COLOR_BGR2GRAY)?;
            Ok(grey)
        })
    }

    /// Looks at the picture in blue, green and red. What video holds is converted for it, each time anew.
    pub fn with_bgr<T, E: From<ImageError>>(&self, look: impl FnOnce(&View<'_>) -> Result<T, E>) -> Result<T, E> {
        match &*self.0 {
            Pixels::Bgr(mat) => {
                let all = Rect::new(0, 0, mat.cols(), mat.rows());
                look(&Mat::roi(mat, all).map_err(ImageError::from).map_err(E::from)?)
            }
            Pixels::Decoded(video) => {
                let out = bgr(video).map_err(E::from)?;
                look(&coloured(&out).map_err(E::from)?.into())
            }
        }
    }

    /// A part of the picture in blue, green and red. Of most video only that part is converted.
    pub fn cut(&self, part: Rect) -> Result<Mat, ImageError> {
        let all = Rect::new(0, 0, self.width() as i32, self.height() as i32);
        let part = part & all;
        if let Pixels::Decoded(video) = &*self.0
            && video.format() == Pixel::YUV420P
            && let Some(cut) = from_planes(video, part)?
        {
            return Ok(cut);
        }
        self.with_bgr(|bgr| Ok(Mat::roi(bgr, part)?.try_clone()?))
    }
}

/// A part of a picture in three planes, if it begins and ends where a pixel of colour does.
fn from_planes(video: &Video, part: Rect) -> Result<Option<Mat>, ImageError> {
    if part.empty() || [part.x, part.y, part.width, part.height].iter().any(|along| along % 2 != 0) {
        return Ok(None);
    }
    let mut planes = Vec::with_capacity((part.area() * 3 / 2) as usize);
    for (plane, half) in [(0, 1), (1, 2), (2, 2)] {
        let (stride, bytes) = (video.stride(plane), video.data(plane));
        let [left, top, wide, high] = [part.x, part.y, part.width, part.height].map(|along| (along / half) as usize);
        for row in top..top + high {
            let begin = row * stride + left;
            planes.extend_from_slice(bytes.get(begin..begin + wide).ok_or(ImageError::Bytes {
                width: video.width(),
                height: video.height(),
                bytes: bytes.len(),
            })?);
        }
    }
    let rows = Mat::new_rows_cols_with_data(part.height * 3 / 2, part.width, &planes)?;
    let mut cut = Mat::default();
    imgproc::cvt_color_def(&rows, &mut cut, imgproc::COLOR_YUV2BGR_I420)?;
    Ok(Some(cut))
}

/// The first plane of a frame with all that pads its rows; `across` bytes of each belong to the picture.
fn with_rows(video: &Video, across: u32) -> Result<BoxedRef<'_, Mat>, ImageError> {
    let (stride, height) = (video.stride(0), video.height());
    let bytes = video.data(0);
    if stride < across as usize {
        return Err(ImageError::Bytes { width: video.width(), height, bytes: bytes.len() });
    }
    Ok(Mat::new_rows_cols_with_data(height as i32, stride as i32, bytes)?)
}

/// The same frame in blue, green and red.
fn bgr(video: &Video) -> Result<Video, ImageError> {
    let (width, height) = (video.width(), video.height());
    let way = Flags::BILINEAR | Flags::ACCURATE_RND;
    let mut context = Context::get(video.format(), width, height, Pixel::BGR24, width, height, way)?;
    let mut out = Video::empty();
    context.run(video, &mut out)?;
    Ok(out)
}

/// A frame in blue, green and red as OpenCV sees it.
fn coloured(video: &Video) -> Result<Mat, ImageError> {
    let (width, height) = (video.width(), video.height());
    let rows = with_rows(video, 3 * width)?;
    let packed = Mat::roi(&rows, Rect::new(0, 0, 3 * width as i32, height as i32))?;
    Ok(packed.reshape(3, 0)?.try_clone()?)
}

impl fmt::Debug for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Image({}x{})", self.width(), self.height())
    }
}

#[cfg(test)]
mod tests {
    use opencv::core::Vec3b;
    use opencv::prelude::MatTraitConstManual;

    use super::*;

    #[test]
    fn planes_are_seen_where_they_lie_whatever_pads_their_rows() {
        // A width that no decoder's rows end at.
        let (width, height) = (50_u32, 34_u32);
        let luma: Vec<u8> = (0..width * height).map(|at| 16 + (at % 200) as u8).collect();
        let colours = vec![128; (width * height / 2) as usize];
        let image = Image::from_i420(width, height, &[luma.clone(), colours].concat()).unwrap();
        let seen = image
            .with_luma(|mat| {
                let rows = (0..mat.rows()).map(|row| Ok(mat.at_row::<u8>(row)?.to_vec()));
                rows.collect::<Result<Vec<_>, opencv::Error>>().map_err(ImageError::from)
            })
            .unwrap();
        assert_eq!(seen.concat(), luma);
        let some = image
            .with_some_luma(4, |mat| {
                let rows = (0..mat.rows()).map(|row| Ok(mat.at_row::<u8>(row)?.to_vec()));
                rows.collect::<Result<Vec<_>, opencv::Error>>().map_err(ImageError::from)
            })
            .unwrap();
        let every_fourth: Vec<Vec<u8>> = luma.chunks(width as usize).step_by(4).take(8).map(<[u8]>::to_vec).collect();
        assert_eq!(some, every_fourth);
    }

    #[test]
    fn grey_video_is_grey_in_blue_green_and_red() {
        let image = Image::from_i420(64, 48, &[vec![126; 64 * 48], vec![128; 64 * 48 / 2]].concat()).unwrap();
        let pixel = image.with_bgr(|bgr| Ok::<_, ImageError>(*bgr.at_2d::<Vec3b>(20, 30)?)).unwrap();
        assert!(pixel.iter().all(|channel| channel.abs_diff(128) < 3), "{pixel:?}");
    }

    #[test]
    fn a_part_is_the_same_cut_out_before_or_after_its_colours_are_converted() {
        let (width, height) = (96_i32, 64_i32);
        let luma: Vec<u8> = (0..width * height).map(|at| 60 + (at / 7 % 120) as u8).collect();
        let quarter = (width * height / 4) as usize;
        let image = Image::from_i420(96, 64, &[luma, vec![100; quarter], vec![160; quarter]].concat()).unwrap();
        // On whole pixels of colour, and not; reaching out of the picture, and not.
        for part in [Rect::new(16, 8, 40, 32), Rect::new(17, 9, 21, 13), Rect::new(60, 40, 100, 100)] {
            let inside = part & Rect::new(0, 0, width, height);
            let cut = image.cut(part).unwrap();
            assert_eq!((cut.cols(), cut.rows()), (inside.width, inside.height));
            let far = image
                .with_bgr(|bgr| {
                    let whole = Mat::roi(bgr, inside)?.try_clone()?;
                    let pixels = cut.data_typed::<Vec3b>()?.iter().zip(whole.data_typed::<Vec3b>()?);
                    let apart =
                        pixels.flat_map(|(one, other)| one.iter().zip(other.iter()).map(|(a, b)| a.abs_diff(*b)));
                    Ok::<_, ImageError>(apart.max().unwrap_or(0))
                })
                .unwrap();
            // The two converters round differently.
            assert!(far <= 3, "{part:?}: {far}");
        }
    }

    #[test]
    fn bytes_that_make_no_picture_are_refused() {
        for (width, height, bytes) in [(0, 0, 0), (64, 48, 64 * 48), (u32::MAX, u32::MAX, 12)] {
            assert!(Image::from_i420(width, height, &vec![0; bytes]).is_err());
        }
        assert!(matches!(Image::from_bgr(Mat::default()), Err(ImageError::NotBgr)));
    }
}
