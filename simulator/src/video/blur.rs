//! A lens out of focus: a bell-shaped blur of one plane, in whole numbers, in any part of it alone.

use super::canvas::Rect;

/// A blur of a certain strength.
#[derive(Clone, Debug)]
pub(super) struct Blur {
    /// Weights from the middle outwards to both sides; they sum up to 256.
    weights: Vec<u32>,
}

impl Blur {
    /// A blur with this deviation in pixels, 4 at the most.
    pub(super) fn new(deviation: f32) -> Self {
        let deviation = if deviation.is_finite() { deviation.clamp(0.0, 4.0) } else { 0.0 };
        if deviation < 0.15 {
            return Self { weights: vec![256] };
        }
        let radius = (2.5 * deviation).ceil() as i32;
        let bell = |at: i32| (-(at as f32 / deviation).powi(2) / 2.0).exp();
        let sum: f32 = (-radius..=radius).map(bell).sum();
        let mut weights: Vec<u32> = (-radius..=radius).map(|at| (256.0 * bell(at) / sum) as u32).collect();
        let rest = 256 - weights.iter().sum::<u32>();
        weights[radius as usize] += rest;
        Self { weights }
    }

    /// How far from a pixel its surroundings count.
    pub(super) fn radius(&self) -> i32 {
        (self.weights.len() / 2) as i32
    }

    /// Blurs a part of a plane with rows of this width into another plane.
    pub(super) fn apply(&self, from: &[u8], to: &mut [u8], width: usize, part: Rect) {
        let height = from.len() / width.max(1);
        let part = part.cut(Rect { x0: 0, y0: 0, x1: width as i32, y1: height as i32 });
        if part.is_empty() {
            return;
        }
        let radius = self.radius();
        let span = part.x0 as usize..part.x1 as usize;
        if radius == 0 {
            for y in part.y0 as usize..part.y1 as usize {
                let row = y * width + span.start..y * width + span.end;
                to[row.clone()].copy_from_slice(&from[row]);
            }
            return;
        }
        let row_of = |y: i32| y.clamp(0, height as i32 - 1) as usize * width;
        let level: Vec<Vec<u16>> = (part.y0 - radius..part.y1 + radius)
            .map(|y| self.across(&from[row_of(y)..row_of(y) + width], part))
            .collect();
        let mut sums = vec![0_u32; span.len()];
        for (rows, y) in level.windows(self.weights.len()).zip(part.y0 as usize..) {
            sums.fill(1 << 15);
            for (row, &weight) in rows.iter().zip(&self.weights) {
                for (sum, &value) in sums.iter_mut().zip(row) {
                    *sum += weight * u32::from(value);
                }
            }
            for (to, sum) in to[y * width + span.start..].iter_mut().zip(&sums) {
                *to = (sum >> 16) as u8;
            }
        }
    }

    /// One row blurred along itself, times 256.
    fn across(&self, row: &[u8], part: Rect) -> Vec<u16> {
        let radius = self.radius();
        let last = row.len() as i32 - 1;
        let padded: Vec<u8> = (part.x0 - radius..part.x1 + radius).map(|x| row[x.clamp(0, last) as usize]).collect();
        let mut sums = vec![0_u16; part.width()];
        for (tap, &weight) in self.weights.iter().enumerate() {
            for (sum, &value) in sums.iter_mut().zip(&padded[tap..]) {
                *sum += (weight * u32::from(value)) as u16;
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_even_plane_stays_as_it_is() {
        for deviation in [0.0, 0.4, 1.0, 2.0, 4.0] {
            let plane = vec![255_u8; 20 * 10];
            let mut out = vec![0; plane.len()];
            Blur::new(deviation).apply(&plane, &mut out, 20, Rect { x0: 0, y0: 0, x1: 20, y1: 10 });
            assert_eq!(out, plane, "with a deviation of {deviation}");
        }
    }

    #[test]
    fn a_point_becomes_a_spot_of_the_same_light() {
        let mut plane = vec![0_u8; 21 * 21];
        plane[10 * 21 + 10] = 250;
        let mut out = vec![0; plane.len()];
        Blur::new(1.0).apply(&plane, &mut out, 21, Rect { x0: 0, y0: 0, x1: 21, y1: 21 });
        let light: u32 = out.iter().map(|&value| u32::from(value)).sum();
        assert!((235..=265).contains(&light), "{light}");
        assert!(out[10 * 21 + 10] < 60 && out[10 * 21 + 11] > 15);
    }
}
