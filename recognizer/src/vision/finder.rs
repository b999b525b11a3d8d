//! The finder: a picture at the working scale in, places where cards may be out.

use opencv::core::{Mat, MatTraitConst, Rect, Size};
use opencv::imgproc;
use opencv::prelude::MatTraitConstManual;

use super::VisionError;
use super::model::{FINDER, Model, Models};
use super::quad::{Pixel, Quad};
use super::votes::{Candidate, Map, STRIDE, count};

/// The network wants sides of a multiple of this.
const STEP: usize = 32;
/// The longest side looked at in one go; larger pictures are looked at in tiles, which bounds the memory.
const TILE: usize = 1280;
/// How much tiles share: more than a card at the working scale is long, so that each is whole in one of them.
const SHARED: usize = 192;
/// Grey around a picture whose sides are no multiples, as in training.
const GREY: f32 = 114.0;

pub(super) struct Finder {
    model: Model,
    temperature: f32,
    input: Vec<f32>,
}

impl Finder {
    pub(super) fn load(models: &Models, environment: &ort::environment::Environment) -> Result<Self, VisionError> {
        let model = Model::load(&FINDER, models, environment)?;
        Ok(Self { temperature: model.temperature("class")?, model, input: Vec::new() })
    }

    pub(super) fn trained(&self) -> String {
        self.model.trained()
    }

    /// Where cards may be in a part of a picture, looked at `scale` times as large; in pixels of the picture.
    pub(super) fn find(&mut self, picture: &Mat, part: Rect, scale: f32) -> Result<Vec<Candidate>, VisionError> {
        let seen = Mat::roi(picture, part)?;
        let side = |length: i32| ((length as f32 * scale).round() as i32).max(1);
        let size = Size::new(side(part.width), side(part.height));
        let mut scaled = Mat::default();
        let way = if scale < 1.0 { imgproc::INTER_AREA } else { imgproc::INTER_LINEAR };
        imgproc::resize(&seen, &mut scaled, size, 0.0, 0.0, way)?;
        let (across, down) = (size.width as f32 / part.width as f32, size.height as f32 / part.height as f32);
        let mut found = Vec::new();
        for (y, tall) in tiles(size.height as usize) {
            for (x, wide) in tiles(size.width as usize) {
                let tile = Mat::roi(&scaled, Rect::new(x as i32, y as i32, wide as i32, tall as i32))?;
                for mut candidate in self.tile(&tile, wide, tall)? {
                    let placed = |[right, under]: Pixel| {
                        [(right + x as f32) / across + part.x as f32, (under + y as f32) / down + part.y as f32]
                    };
                    candidate.quad = Quad(candidate.quad.0.map(placed));
                    candidate.shown.cells.iter_mut().for_each(|cell| *cell = placed(*cell));
                    candidate.shown.side /= across;
                    found.push(candidate);
                }
            }
        }
        Ok(found)
    }

    fn tile(&mut self, tile: &impl MatTraitConst, wide: usize, tall: usize) -> Result<Vec<Candidate>, VisionError> {
        let (width, height) = (wide.next_multiple_of(STEP), tall.next_multiple_of(STEP));
        let plane = width * height;
        self.input.clear();
        self.input.resize(3 * plane, GREY);
        for y in 0..tall {
            let row = tile.at_row::<opencv::core::Vec3b>(y as i32)?;
            for (colour, of_bgr) in [2, 1, 0].into_iter().enumerate() {
                let begin = colour * plane + y * width;
                for (to, from) in self.input[begin..begin + wide].iter_mut().zip(row) {
                    *to = f32::from(from[of_bgr]);
                }
            }
        }
        let temperature = self.temperature;
        self.model.run([1, 3, height, width], &self.input, |[class, centre, axes, index]| {
            let (width, height) = (width / STRIDE, height / STRIDE);
            count(&Map { width, height, class, centre, axes, index, temperature })
        })
    }
}

/// Where tiles begin along a side, and how long they are.
fn tiles(side: usize) -> Vec<(usize, usize)> {
    if side <= TILE {
        return vec![(0, side)];
    }
    let count = (side - SHARED).div_ceil(TILE - SHARED);
    (0..count).map(|number| (number * (side - TILE) / (count - 1).max(1), TILE)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiles_cover_a_side_and_share_a_card() {
        for side in [1, 500, TILE, TILE + 1, 1920, 3840, 8000] {
            let all = tiles(side);
            assert_eq!(all[0].0, 0);
            let (last, long) = all[all.len() - 1];
            assert_eq!(last + long, side);
            for pair in all.windows(2) {
                assert!(pair[0].0 + pair[0].1 >= pair[1].0 + SHARED, "{side}: {pair:?}");
            }
        }
    }
}
