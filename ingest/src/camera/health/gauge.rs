//! Measuring a picture, cheaply: on small copies of it and on a few of its rows.

use opencv::core::{self, Mat, MatTraitConst, Point2d, Rect, Scalar, Size};
use opencv::imgproc;

use crate::camera::image::{Image, ImageError, View};

/// How wide the small copies are.
const WIDTH: i32 = 160;
/// Stripes across the picture on which sharpness is measured, and the rows of each.
const STRIPES: i32 = 12;
const ROWS: i32 = 16;
/// Wider pictures are halved before sharpness is measured, until they are not: noise is finer than any card's edge.
const WIDEST: i32 = 960;
/// Contrast below which a picture has no edges to be known by.
const FLAT: f32 = 6.0;
/// The first pictures, of which the reference is the plain mean, and how much each later one then counts.
const FIRST: f64 = 50.0;
const LATER: f64 = 0.001;

/// What was measured of one picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// Mean brightness, from 0 to 255.
    pub light: f32,
    /// The part of the pixels that differ from the last picture measured, if there was one of this size.
    pub changed: Option<f32>,
    /// How fast brightness changes from pixel to pixel, against how much it differs at all.
    pub sharpness: f32,
    /// How the picture lies against what the camera saw before.
    pub placed: Option<Placed>,
}

/// How a picture lies against the reference.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Placed {
    /// How far it is shifted, in parts of its width.
    pub shift: f32,
    /// How sure that shift is, from 0 to 1.
    pub sure: f32,
    /// How alike the edges are where they stand: 1 the same, 0 nothing to do with one another.
    pub alike: f32,
}

/// Measures the pictures of one camera, one after another.
#[derive(Default)]
pub struct Gauge {
    points: Mat,
    /// The mean edges seen so far, and of how many pictures.
    reference: Mat,
    pictures: f64,
    window: Mat,
}

impl Gauge {
    /// Measures the next picture.
    pub fn measure(&mut self, image: &Image) -> Result<Measure, ImageError> {
        image.with_luma(|luma| Ok(self.look(luma)?))
    }

    fn look(&mut self, luma: &View<'_>) -> opencv::Result<Measure> {
        let height = (WIDTH * luma.rows() / luma.cols().max(1)).clamp(8, 4 * WIDTH);
        let size = Size::new(WIDTH, height);
        let changed = self.changed(luma, size)?;
        let mut small = Mat::default();
        imgproc::resize(luma, &mut small, size, 0.0, 0.0, imgproc::INTER_AREA)?;
        let [light, contrast] = spread(&small)?;
        let placed = if contrast < FLAT { None } else { self.placed(&small)? };
        Ok(Measure { light, changed, sharpness: sharpness(luma)?, placed })
    }

    /// Compares single pixels, since the mean of many hides the noise that tells a live picture from a frozen one.
    fn changed(&mut self, luma: &View<'_>, size: Size) -> opencv::Result<Option<f32>> {
        let mut points = Mat::default();
        imgproc::resize(luma, &mut points, size, 0.0, 0.0, imgproc::INTER_NEAREST)?;
        let before = std::mem::replace(&mut self.points, points);
        if before.size()? != size {
            return Ok(None);
        }
        let mut difference = Mat::default();
        core::absdiff(&before, &self.points, &mut difference)?;
        Ok(Some(core::count_non_zero(&difference)? as f32 / (size.width * size.height) as f32))
    }

    fn placed(&mut self, small: &Mat) -> opencv::Result<Option<Placed>> {
        let edges = edges(small)?;
        if self.reference.size()? != edges.size()? {
            imgproc::create_hanning_window(&mut self.window, edges.size()?, core::CV_32F)?;
            self.reference = edges;
            self.pictures = 1.0;
            return Ok(None);
        }
        let mut sure = 0.0_f64;
        let Point2d { x, y } = imgproc::phase_correlate(&self.reference, &edges, &self.window, Some(&mut sure))?;
        let lengths = core::norm_def(&self.reference)? * core::norm_def(&edges)?;
        let alike = if lengths > 0.0 { self.reference.dot(&edges)? / lengths } else { 0.0 };
        let placed =
            Placed { shift: x.hypot(y) as f32 / WIDTH as f32, sure: sure.clamp(0.0, 1.0) as f32, alike: alike as f32 };
        // The table as it usually is, not as it was with somebody's arm over it; but never from another place.
        if x.hypot(y) < 1.0 && alike > 0.5 {
            self.pictures += 1.0;
            let weight = if self.pictures <= FIRST { 1.0 / self.pictures } else { LATER };
            let mut mean = Mat::default();
            core::add_weighted_def(&self.reference, 1.0 - weight, &edges, weight, 0.0, &mut mean)?;
            self.reference = mean;
        }
        Ok(Some(placed))
    }
}

/// Mean and deviation.
fn spread(mat: &Mat) -> opencv::Result<[f32; 2]> {
    let (mut mean, mut deviation) = (Scalar::default(), Scalar::default());
    core::mean_std_dev_def(mat, &mut mean, &mut deviation)?;
    Ok([mean[0] as f32, deviation[0] as f32])
}

/// How steep the picture is at every pixel, about its mean: where things are, whatever the light.
fn edges(small: &Mat) -> opencv::Result<Mat> {
    let (mut right, mut down, mut steep) = (Mat::default(), Mat::default(), Mat::default());
    imgproc::sobel_def(small, &mut right, core::CV_32F, 1, 0)?;
    imgproc::sobel_def(small, &mut down, core::CV_32F, 0, 1)?;
    core::magnitude(&right, &down, &mut steep)?;
    let [mean, deviation] = spread(&steep)?;
    let scale = 1.0 / f64::from(deviation.max(0.01));
    let mut level = Mat::default();
    steep.convert_to(&mut level, core::CV_32F, scale, -f64::from(mean) * scale)?;
    Ok(level)
}

/// The variance of the Laplacian against that of the brightness, so that dimmed light is not taken for lost focus.
fn sharpness(luma: &View<'_>) -> opencv::Result<f32> {
    let (width, height) = (luma.cols(), luma.rows());
    let times = (width / WIDEST).max(1);
    let rows = (ROWS * times).min(height);
    let (mut steep, mut all) = (0.0, 0.0);
    for stripe in 0..STRIPES {
        let top = (height - rows) * (2 * stripe + 1) / (2 * STRIPES);
        let part = Mat::roi(luma, Rect::new(0, top, width, rows))?;
        let mut fine = Mat::default();
        let size = Size::new((width / times).max(1), (rows / times).max(1));
        imgproc::resize(&part, &mut fine, size, 0.0, 0.0, imgproc::INTER_AREA)?;
        let mut laplacian = Mat::default();
        imgproc::laplacian_def(&fine, &mut laplacian, core::CV_16S)?;
        steep += spread(&laplacian)?[1].powi(2);
        all += spread(&fine)?[1].powi(2);
    }
    Ok(steep / all.max(1.0))
}
