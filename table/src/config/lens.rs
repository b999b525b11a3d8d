//! A camera's lens: how far it bends what is straight at the table.

/// A lens as the configuration describes it, in millionths so that it reads back as it was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lens {
    k1: i32,
    k2: i32,
    focal: i32,
}

/// A lens that no camera has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotALens {
    /// A number that is none, or far from any lens.
    #[error("`{0}` is out of bounds")]
    OutOfBounds(&'static str),
    /// It would show one place of the table twice.
    #[error("the lens folds the picture over before its corners: `k1` or `k2` is too far below 0 for this `focal`")]
    Folds,
}

impl Lens {
    /// What `k1` and `k2` may be, in millionths.
    pub(super) const BENDS: std::ops::RangeInclusive<i64> = -1_000_000..=1_000_000;
    /// What `focal` may be, in millionths of the picture's width.
    pub(super) const FOCALS: std::ops::RangeInclusive<i64> = 200_000..=10_000_000;

    /// A lens of so many millionths, over a picture of this width and height.
    pub(super) fn from_millionths(k1: i32, k2: i32, focal: i32, size: (u16, u16)) -> Result<Self, NotALens> {
        let out = |name, value: i32, bounds: &std::ops::RangeInclusive<i64>| {
            if bounds.contains(&i64::from(value)) { Ok(()) } else { Err(NotALens::OutOfBounds(name)) }
        };
        out("k1", k1, &Self::BENDS)?;
        out("k2", k2, &Self::BENDS)?;
        out("focal", focal, &Self::FOCALS)?;
        let lens = Self { k1, k2, focal };
        let [wide, high] = [size.0, size.1].map(f64::from);
        let corner = 0.5 * (wide * wide + high * high).sqrt() / (lens.focal() * wide.max(1.0));
        if lens.bend().reaches(corner) { Ok(lens) } else { Err(NotALens::Folds) }
    }

    /// A lens with these numbers, rounded to millionths, over a picture of this width and height.
    pub fn new(k1: f64, k2: f64, focal: f64, size: (u16, u16)) -> Result<Self, NotALens> {
        let millionths = |name, of: f64| {
            let rounded = (of * 1e6).round();
            // Far beyond any bound, far below what an integer holds.
            if rounded.abs() < 1e9 { Ok(rounded as i32) } else { Err(NotALens::OutOfBounds(name)) }
        };
        Self::from_millionths(millionths("k1", k1)?, millionths("k2", k2)?, millionths("focal", focal)?, size)
    }

    /// How much a straight line is bent, with the square of the distance from the middle in focal lengths.
    pub fn k1(self) -> f64 {
        f64::from(self.k1) / 1e6
    }

    /// The same with the fourth power.
    pub fn k2(self) -> f64 {
        f64::from(self.k2) / 1e6
    }

    /// From the lens to the picture, in widths of the picture.
    pub fn focal(self) -> f64 {
        f64::from(self.focal) / 1e6
    }

    /// What it does to a place in the picture.
    pub fn bend(self) -> Bend {
        Bend::new(self.k1(), self.k2())
    }
}

/// What a lens does to places in a picture, which are counted from its middle in focal lengths.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bend {
    k1: f64,
    k2: f64,
    /// Beyond this (squared) the lens would fold the picture over.
    widest: f64,
}

impl Bend {
    /// A lens that bends by these.
    pub fn new(k1: f64, k2: f64) -> Self {
        let grows = |square: f64| 1.0 + square * (3.0 * k1 + 5.0 * k2 * square) > 0.05;
        let mut widest = 0.0;
        while widest < 25.0 && grows(widest) {
            widest += 0.05;
        }
        Self { k1, k2, widest }
    }

    /// How many times as far from the middle something is seen whose true distance is this, squared; none for what is so
    /// far aside that no lens bends it in.
    pub fn times(&self, square: f64) -> Option<f64> {
        (square <= self.widest).then(|| self.at(square))
    }

    /// Where something would be seen without the lens.
    pub fn straightened(&self, bent: [f64; 2]) -> [f64; 2] {
        let [mut x, mut y] = bent;
        for _ in 0..60 {
            let times = self.at((x * x + y * y).min(self.widest));
            let (to_x, to_y) = (bent[0] / times, bent[1] / times);
            let moved = (to_x - x).abs() + (to_y - y).abs();
            (x, y) = (to_x, to_y);
            if moved < 1e-9 {
                break;
            }
        }
        [x, y]
    }

    /// Where the lens shows what would be seen here without it; what no lens bends in, at its edge.
    pub fn bent(&self, [x, y]: [f64; 2]) -> [f64; 2] {
        let times = self.at((x * x + y * y).min(self.widest));
        [times * x, times * y]
    }

    /// Whether something is seen as far from the middle as this.
    fn reaches(&self, away: f64) -> bool {
        let farthest = self.widest.sqrt();
        farthest * self.at(self.widest) >= away
    }

    fn at(&self, square: f64) -> f64 {
        1.0 + square * (self.k1 + square * self.k2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const HD: (u16, u16) = (1280, 720);

    #[test]
    fn what_a_lens_bends_can_be_straightened_up_to_the_corners() {
        for (k1, k2, focal) in [(-0.04, 0.004, 1.035), (-0.3, 0.05, 0.8), (-0.2, 0.0, 0.7), (0.15, 0.0, 0.9)] {
            let bend = Lens::new(k1, k2, focal, HD).unwrap().bend();
            for seen in [[0.0, 0.0], [0.3, -0.1], [0.5 / focal, 0.28 / focal]] {
                let back = bend.bent(bend.straightened(seen));
                assert!((back[0] - seen[0]).hypot(back[1] - seen[1]) < 1e-6, "{k1} {seen:?} came back as {back:?}");
            }
        }
    }

    #[test]
    fn a_lens_that_folds_the_picture_is_none() {
        assert_eq!(Lens::new(-0.9, 0.0, 0.5, HD), Err(NotALens::Folds));
        assert_eq!(Lens::new(-0.9, 0.0, 2.0, HD).map(Lens::k1), Ok(-0.9));
        assert_eq!(Lens::new(f64::NAN, 0.0, 1.0, HD), Err(NotALens::OutOfBounds("k1")));
        assert_eq!(Lens::new(0.0, 0.0, 1e300, HD), Err(NotALens::OutOfBounds("focal")));
        assert_eq!(Lens::new(0.0, 1.5, 1.0, HD), Err(NotALens::OutOfBounds("k2")));
    }
}
