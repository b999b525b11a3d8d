//! The reader: a card's outline in a picture in, what is printed on it and a better outline out.

use opencv::core::{BORDER_REPLICATE, Mat, MatTraitConst, Point2f, Scalar, Size, Vec3b};
use opencv::imgproc;
use opencv::prelude::MatTraitConstManual;

use super::VisionError;
use super::model::{Model, Models, READER};
use super::quad::Quad;

/// The crop, and the part of it that the card takes.
const CROP: (usize, usize) = (96, 128);
const CARD: [[f32; 2]; 4] = [[8.0, 8.0], [88.0, 8.0], [88.0, 120.0], [8.0, 120.0]];
/// So many crops go through the network at once.
const BATCH: usize = 16;
/// A corner that is to move further than this, in pixels of the crop, is not believed.
const FURTHEST: f32 = 24.0;

/// What the reader made of one crop.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Answer {
    /// Logits over the temperature, ace to king.
    pub(crate) ranks: [f32; 13],
    /// The same for clubs, diamonds, hearts and spades.
    pub(crate) suits: [f32; 4],
    /// The same for face up, face down and no card.
    pub(crate) state: [f32; 3],
    /// The outline corrected.
    pub(crate) quad: Quad,
}

pub(super) struct Reader {
    model: Model,
    /// For rank, suit and state.
    temperatures: [f32; 3],
    input: Vec<f32>,
}

/// A picture in several sizes, each half the one before: a card is cut out of the one where it is nearest to the crop's
/// size, since cutting it small out of a large one would leave pixels out.
pub(super) struct Sizes<'p> {
    full: &'p Mat,
    smaller: Vec<Mat>,
}

impl<'p> Sizes<'p> {
    pub(super) fn of(full: &'p Mat) -> Self {
        Self { full, smaller: Vec::new() }
    }

    /// The picture in which a card of this width is read best, and how large it is against the full one.
    fn best(&mut self, width: f32) -> Result<(&Mat, f32), VisionError> {
        let halvings = (width / 120.0).log2().ceil().clamp(0.0, 6.0) as usize;
        while self.smaller.len() < halvings {
            let last = self.smaller.last().unwrap_or(self.full);
            let size = Size::new((last.cols() / 2).max(1), (last.rows() / 2).max(1));
            let mut half = Mat::default();
            imgproc::resize(last, &mut half, size, 0.0, 0.0, imgproc::INTER_AREA)?;
            self.smaller.push(half);
        }
        let picture = if halvings == 0 { self.full } else { &self.smaller[halvings - 1] };
        Ok((picture, picture.cols() as f32 / self.full.cols() as f32))
    }
}

impl Reader {
    pub(super) fn load(models: &Models, environment: &ort::environment::Environment) -> Result<Self, VisionError> {
        let model = Model::load(&READER, models, environment)?;
        let temperatures = [model.temperature("rank")?, model.temperature("suit")?, model.temperature("state")?];
        Ok(Self { model, temperatures, input: Vec::new() })
    }

    /// Reads cards as their outlines lie; a quad given as its [half turn](Quad::half_turn) is read the other way round.
    pub(super) fn read(&mut self, sizes: &mut Sizes<'_>, quads: &[Quad]) -> Result<Vec<Answer>, VisionError> {
        let mut answers = Vec::with_capacity(quads.len());
        for batch in quads.chunks(BATCH) {
            self.input.clear();
            let mut back = Vec::with_capacity(batch.len());
            for quad in batch {
                let (picture, scale) = sizes.best(quad.size().0.min(quad.size().1))?;
                back.push(cut_out(picture, &quad.scaled(scale, [0.0, 0.0]), &mut self.input)?.map(|to| (to, scale)));
            }
            let [rank, suit, state] = self.temperatures;
            let shape = [batch.len(), 3, CROP.1, CROP.0];
            let read = self.model.run(shape, &self.input, |[ranks, suits, states, corners]| {
                let each = batch.iter().zip(back).enumerate().map(|(number, (quad, back))| Answer {
                    ranks: row(ranks, number, rank),
                    suits: row(suits, number, suit),
                    state: row(states, number, state),
                    quad: corrected(quad, row(corners, number, 1.0), back),
                });
                each.collect::<Vec<_>>()
            })?;
            answers.extend(read);
        }
        Ok(answers)
    }
}

/// The numbers of one crop, divided.
fn row<const N: usize>(of: &[f32], number: usize, by: f32) -> [f32; N] {
    std::array::from_fn(|at| of.get(number * N + at).copied().filter(|number| number.is_finite()).unwrap_or(0.0) / by)
}

/// From a crop back into the picture: a matrix in rows.
type Back = [f64; 9];

/// Cuts a card out, straightens it and appends it to the input: red, green and blue, a plane each.
fn cut_out(picture: &Mat, quad: &Quad, input: &mut Vec<f32>) -> Result<Option<Back>, VisionError> {
    let from = quad.0.map(|[x, y]| Point2f::new(x, y));
    let to = CARD.map(|[x, y]| Point2f::new(x, y));
    let matrix = imgproc::get_perspective_transform_slice_def(from, to)?;
    let mut crop = Mat::default();
    let size = Size::new(CROP.0 as i32, CROP.1 as i32);
    imgproc::warp_perspective(
        picture,
        &mut crop,
        &matrix,
        size,
        imgproc::INTER_LINEAR,
        BORDER_REPLICATE,
        Scalar::default(),
    )?;
    let pixels = crop.data_typed::<Vec3b>()?;
    for of_bgr in [2, 1, 0] {
        input.extend(pixels.iter().map(|pixel| f32::from(pixel[of_bgr])));
    }
    let back = imgproc::get_perspective_transform_slice_def(to, from)?;
    Ok(back.data_typed::<f64>()?.try_into().ok())
}

/// The outline with its corners moved as the reader says; as it was if that makes no outline.
fn corrected(quad: &Quad, offsets: [f32; 8], back: Option<(Back, f32)>) -> Quad {
    let Some((back, scale)) = back else { return *quad };
    // Numbers that are none are not near either.
    let near = |offset: &f32| offset.abs() <= FURTHEST;
    if !offsets.iter().all(near) {
        return *quad;
    }
    let corners = std::array::from_fn(|at| {
        let [x, y] = CARD[at];
        let (x, y) = (f64::from(x + offsets[2 * at]), f64::from(y + offsets[2 * at + 1]));
        let depth = back[6] * x + back[7] * y + back[8];
        let along = |row: usize| (back[row] * x + back[row + 1] * y + back[row + 2]) / depth;
        [along(0) as f32 / scale, along(3) as f32 / scale]
    });
    let better = Quad(corners);
    if better.is_convex() && better.overlap(quad) > 0.2 { better } else { *quad }
}
