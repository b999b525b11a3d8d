//! Four corners in a picture: the outline of a card, and what can be asked of it.

/// A place in a picture in pixels: right and down from its top left.
pub type Pixel = [f32; 2];

/// How much longer than wide a card is.
const ASPECT: f32 = 1.4;

/// A card's corners, clockwise from its own top left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Quad(pub [Pixel; 4]);

impl Quad {
    /// The card around a middle, with its half axes: from the middle to the top edge and to one of the sides. Which end of
    /// the card is its top cannot be told from axes; the end higher in the picture is taken for it.
    pub fn around(middle: Pixel, long: Pixel, short: Pixel) -> Self {
        let up = if long[1] <= 0.0 { long } else { [-long[0], -long[1]] };
        let turns = short[0] * -up[1] + short[1] * up[0];
        let right = if turns >= 0.0 { short } else { [-short[0], -short[1]] };
        let corner = |ups: f32, rights: f32| {
            [middle[0] + ups * up[0] + rights * right[0], middle[1] + ups * up[1] + rights * right[1]]
        };
        Self([corner(1.0, -1.0), corner(1.0, 1.0), corner(-1.0, 1.0), corner(-1.0, -1.0)])
    }

    /// Where the diagonals' ends have their middle.
    pub fn middle(&self) -> Pixel {
        let sum = self.0.iter().fold([0.0, 0.0], |sum, corner| [sum[0] + corner[0], sum[1] + corner[1]]);
        [sum[0] / 4.0, sum[1] / 4.0]
    }

    /// The mean length of the top and bottom edges, and that of the two sides.
    pub fn size(&self) -> (f32, f32) {
        let [a, b, c, d] = self.0;
        ((length(a, b) + length(d, c)) / 2.0, (length(b, c) + length(a, d)) / 2.0)
    }

    /// How wide a card of this outline is. Perspective foreshortens either side, so the mean of both is asked.
    pub fn card_width(&self) -> f32 {
        let (across, along) = self.size();
        (across * along / ASPECT).sqrt()
    }

    /// How far its middle is from another's.
    pub fn away_from(&self, other: &Self) -> f32 {
        length(self.middle(), other.middle())
    }

    /// From the middle of the bottom edge to the middle of the top edge.
    pub fn upward(&self) -> Pixel {
        let [a, b, c, d] = self.0;
        [(a[0] + b[0] - c[0] - d[0]) / 2.0, (a[1] + b[1] - c[1] - d[1]) / 2.0]
    }

    /// The same card the other way round.
    #[must_use]
    pub fn half_turn(&self) -> Self {
        let [a, b, c, d] = self.0;
        Self([c, d, a, b])
    }

    /// The same quad in a picture `by` times as large, moved after that.
    #[must_use]
    pub fn scaled(&self, by: f32, moved: Pixel) -> Self {
        Self(self.0.map(|[x, y]| [x * by + moved[0], y * by + moved[1]]))
    }

    /// Left, top, right and bottom.
    pub fn bounds(&self) -> [f32; 4] {
        let along = |axis: usize| self.0.iter().map(move |corner| corner[axis]);
        let (low, high) = (f32::INFINITY, f32::NEG_INFINITY);
        [
            along(0).fold(low, f32::min),
            along(1).fold(low, f32::min),
            along(0).fold(high, f32::max),
            along(1).fold(high, f32::max),
        ]
    }

    /// The area enclosed; positive when the corners run clockwise as seen in the picture.
    pub fn area(&self) -> f32 {
        area(&self.0)
    }

    /// Whether the outline is that of something flat seen in perspective: every corner turns the same way.
    pub fn is_convex(&self) -> bool {
        let corner = |at: usize| self.0[at % 4];
        (0..4).all(|at| turn(corner(at), corner(at + 1), corner(at + 2)) > 0.0)
    }

    /// Whether a place lies within.
    pub fn holds(&self, at: Pixel) -> bool {
        (0..4).all(|side| turn(self.0[side], self.0[(side + 1) % 4], at) >= 0.0)
    }

    /// The part that two outlines share, of all that either covers; both have to be convex.
    pub fn overlap(&self, other: &Self) -> f32 {
        let shared = self.shared(other);
        let all = self.area() + other.area() - shared;
        if all > 0.0 { (shared / all).clamp(0.0, 1.0) } else { 0.0 }
    }

    /// The area that two outlines share.
    pub fn shared(&self, other: &Self) -> f32 {
        let [left, top, right, bottom] = self.bounds();
        let [from, above, to, below] = other.bounds();
        if right <= from || to <= left || bottom <= above || below <= top {
            return 0.0;
        }
        let mut outline = self.0.to_vec();
        for side in 0..4 {
            outline = cut(&outline, other.0[side], other.0[(side + 1) % 4]);
        }
        area(&outline).max(0.0)
    }
}

/// What of an outline lies to the right of the line from `a` to `b`.
fn cut(outline: &[Pixel], a: Pixel, b: Pixel) -> Vec<Pixel> {
    let mut kept = Vec::with_capacity(outline.len() + 1);
    for (at, &here) in outline.iter().enumerate() {
        let next = outline[(at + 1) % outline.len()];
        let (of_here, of_next) = (turn(a, b, here), turn(a, b, next));
        if of_here >= 0.0 {
            kept.push(here);
        }
        if of_here * of_next < 0.0 {
            let part = of_here / (of_here - of_next);
            kept.push([here[0] + part * (next[0] - here[0]), here[1] + part * (next[1] - here[1])]);
        }
    }
    kept
}

fn area(outline: &[Pixel]) -> f32 {
    let next = outline.iter().cycle().skip(1);
    outline.iter().zip(next).map(|(a, b)| a[0] * b[1] - b[0] * a[1]).sum::<f32>() / 2.0
}

/// Positive if one turns clockwise, as seen in the picture, on the way from `a` over `b` to `c`.
fn turn(a: Pixel, b: Pixel, c: Pixel) -> f32 {
    (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0])
}

fn length(a: Pixel, b: Pixel) -> f32 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(x: f32, y: f32, side: f32) -> Quad {
        Quad([[x, y], [x + side, y], [x + side, y + side], [x, y + side]])
    }

    #[test]
    fn squares_share_what_one_can_count() {
        assert!((square(0.0, 0.0, 4.0).shared(&square(2.0, 1.0, 4.0)) - 6.0).abs() < 1e-4);
        assert!((square(0.0, 0.0, 4.0).overlap(&square(0.0, 0.0, 4.0)) - 1.0).abs() < 1e-5);
        assert!(square(0.0, 0.0, 4.0).overlap(&square(9.0, 9.0, 4.0)) < 1e-6);
        assert!((square(0.0, 0.0, 8.0).overlap(&square(2.0, 2.0, 4.0)) - 0.25).abs() < 1e-5);
    }

    #[test]
    fn axes_make_a_quad_that_runs_clockwise_whatever_their_signs() {
        for (up, side) in [([3.0, -9.0], [6.0, 2.0]), ([-3.0, 9.0], [6.0, 2.0]), ([-3.0, 9.0], [-6.0, -2.0])] {
            let quad = Quad::around([50.0, 40.0], up, side);
            assert!(quad.area() > 0.0 && quad.is_convex(), "{quad:?}");
            let [x, y] = quad.middle();
            assert!((x - 50.0).abs() < 1e-4 && (y - 40.0).abs() < 1e-4);
            assert!(quad.upward()[1] < 0.0);
            assert_eq!(quad.half_turn().half_turn(), quad);
        }
    }
}
