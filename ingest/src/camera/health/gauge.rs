//! Measuring a picture, cheaply: on small copies of it and on a few of its rows.

use opencv::core::{self, Mat, MatTraitConst, Rect, Scalar, Size};
use opencv::imgproc;
use opencv::prelude::MatTraitConstManual;

use crate::camera::image::{Image, ImageError, View};

/// How wide the small copies are.
const WIDTH: i32 = 160;
/// Stripes across the picture on which sharpness is measured, and the rows of each.
const STRIPES: i32 = 8;
const ROWS: i32 = 8;
/// Rows of the picture that make one of its small copy; more would cost more and say the same.
const ROWS_IN_ONE: u32 = 2;
/// Wider pictures are halved before sharpness is measured, until they are not: noise is finer than any card's edge.
const WIDEST: i32 = 960;
/// Contrast below which a picture has no edges to be known by.
const FLAT: f32 = 6.0;
/// The first few pictures count whatever they show, of some more the reference is the plain mean, and so much does each
/// later one then count.
const FEW: f32 = 5.0;
const FIRST: f32 = 50.0;
const LATER: f32 = 0.001;
/// The picture is compared in squares of so many pixels of its small copy.
const TILE: usize = 16;
/// A square with edges weaker than this shows nothing but noise.
const PLAIN: f32 = 4.0;
/// How well a square must agree with what it showed, from 0 to 1.
const SAME: f32 = 0.5;
/// How many squares must show something to know the place by.
const ENOUGH: u32 = 4;

/// What was measured of one picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measure {
    /// Mean brightness, from 0 to 255.
    pub light: f32,
    /// The part of the pixels that differ from the last picture measured, if there was one of this size.
    pub changed: Option<f32>,
    /// How fast brightness changes from pixel to pixel, against how much it differs at all.
    pub sharpness: f32,
    /// The part of the picture that shows the same things in the same places as before; `None` if there is too little in
    /// it to tell.
    pub alike: Option<f32>,
}

/// Measures the pictures of one camera, one after another.
#[derive(Default)]
pub struct Gauge {
    points: Mat,
    /// The mean edges seen so far, and of how many pictures.
    reference: Vec<f32>,
    pictures: f32,
}

impl Gauge {
    /// Measures the next picture.
    pub fn measure(&mut self, image: &Image) -> Result<Measure, ImageError> {
        let (width, height) = (image.width().max(1), image.height());
        let rows = (u64::from(WIDTH.unsigned_abs()) * u64::from(height) / u64::from(width)) as u32;
        let rows = rows.clamp(8, 4 * WIDTH.unsigned_abs());
        let size = Size::new(WIDTH, rows as i32);
        let every = height / (rows * ROWS_IN_ONE);
        let sharpness = image.with_luma(|luma| Ok::<_, ImageError>(sharpness(luma)?))?;
        image.with_some_luma(every, |luma| Ok(self.look(luma, size, sharpness)?))
    }

    fn look(&mut self, luma: &View<'_>, size: Size, sharpness: f32) -> opencv::Result<Measure> {
        let changed = self.changed(luma, size)?;
        let mut small = Mat::default();
        imgproc::resize(luma, &mut small, size, 0.0, 0.0, imgproc::INTER_AREA)?;
        let [light, contrast] = spread(&small)?;
        let alike = if contrast < FLAT { None } else { self.placed(&small)? };
        Ok(Measure { light, changed, sharpness, alike })
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

    fn placed(&mut self, small: &Mat) -> opencv::Result<Option<f32>> {
        let edges = edges(small)?;
        let edges = edges.data_typed::<f32>()?;
        if self.reference.len() != edges.len() {
            self.reference = edges.to_vec();
            self.pictures = 1.0;
            return Ok(None);
        }
        let alike = alike(&self.reference, edges);
        // The table as it usually is, not as it was with somebody's arm over it; but never from another place.
        if self.pictures < FEW || alike.is_none_or(|alike| alike > 0.5) {
            self.pictures += 1.0;
            let weight = if self.pictures <= FIRST { 1.0 / self.pictures } else { LATER };
            for (known, new) in self.reference.iter_mut().zip(edges) {
                *known += weight * (new - *known);
            }
        }
        Ok(alike)
    }
}

/// The part of the tiles that show what they did. An arm or a guest changes some of them, another place all.
fn alike(reference: &[f32], edges: &[f32]) -> Option<f32> {
    let width = WIDTH as usize;
    let (mut known, mut same) = (0, 0);
    for (one, other) in reference.chunks_exact(width * TILE).zip(edges.chunks_exact(width * TILE)) {
        for left in (0..width).step_by(TILE) {
            let rows = one.chunks_exact(width).zip(other.chunks_exact(width));
            let pixels = rows.flat_map(|(one, other)| one[left..left + TILE].iter().zip(&other[left..left + TILE]));
            let [mut a, mut b, mut aa, mut bb, mut ab] = [0.0_f32; 5];
            for (&one, &other) in pixels {
                a += one;
                b += other;
                aa += one * one;
                bb += other * other;
                ab += one * other;
            }
            let count = (TILE * TILE) as f32;
            let spread = [aa - a * a / count, bb - b * b / count];
            if spread[0] < count * PLAIN * PLAIN {
                continue;
            }
            known += 1;
            same += u32::from(ab - a * b / count > SAME * (spread[0] * spread[1].max(1.0)).sqrt());
        }
    }
    (known >= ENOUGH).then(|| same as f32 / known as f32)
}

/// Mean and deviation.
fn spread(mat: &Mat) -> opencv::Result<[f32; 2]> {
    let (mut mean, mut deviation) = (Scalar::default(), Scalar::default());
    core::mean_std_dev_def(mat, &mut mean, &mut deviation)?;
    Ok([mean[0] as f32, deviation[0] as f32])
}

/// How steep the picture is at every pixel: where things are, whatever the light.
fn edges(small: &Mat) -> opencv::Result<Mat> {
    let (mut right, mut down, mut steep) = (Mat::default(), Mat::default(), Mat::default());
    imgproc::sobel_def(small, &mut right, core::CV_32F, 1, 0)?;
    imgproc::sobel_def(small, &mut down, core::CV_32F, 0, 1)?;
    core::magnitude(&right, &down, &mut steep)?;
    Ok(steep)
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
