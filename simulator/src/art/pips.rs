//! Hearts, diamonds, clubs and spades in several cuts: two makers never draw a spade alike, and at sixty pixels a fat
//! spade is nearly a club.

use table::Suit;
use tiny_skia::{Path, PathBuilder, Transform};

use super::pen::{CIRCLE, Pen, trace};

/// The cut of a deck's pips.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cut {
    /// Width of a pip in parts of its height; about 0.9.
    pub breadth: f32,
    /// How full hearts and spades are towards the tip, from 0 (hollow) to 1 (bulging).
    pub belly: f32,
    /// How deep the lobes of heart and spade part, in parts of the height.
    pub cleft: f32,
    /// Radius of a leaf of the club, in parts of its height; about 0.24.
    pub leaf: f32,
    /// How far the sides of the diamond bend inwards; 0 is straight.
    pub hollow: f32,
    /// Width of the foot under club and spade, in parts of the height.
    pub foot: f32,
}

impl Cut {
    /// As most makers cut them.
    pub const CLASSIC: Self = Self { breadth: 0.9, belly: 0.45, cleft: 0.2, leaf: 0.235, hollow: 0.06, foot: 0.36 };
    /// Full and soft, for large indices.
    pub const ROUND: Self = Self { breadth: 0.98, belly: 0.8, cleft: 0.16, leaf: 0.255, hollow: 0.0, foot: 0.3 };
    /// Drawn out to long tips.
    pub const SHARP: Self = Self { breadth: 0.8, belly: 0.15, cleft: 0.25, leaf: 0.22, hollow: 0.12, foot: 0.46 };
    /// High and narrow, for bridge cards.
    pub const SLENDER: Self = Self { breadth: 0.74, belly: 0.5, cleft: 0.22, leaf: 0.215, hollow: 0.03, foot: 0.28 };
    /// Wide and low, with hardly a foot.
    pub const BROAD: Self = Self { breadth: 1.08, belly: 0.6, cleft: 0.18, leaf: 0.262, hollow: 0.09, foot: 0.22 };

    /// All of them.
    pub const ALL: [Self; 5] = [Self::CLASSIC, Self::ROUND, Self::SHARP, Self::SLENDER, Self::BROAD];

    /// A pip of this height, its middle at the origin, its foot down.
    pub fn pip(&self, suit: Suit, height: f32) -> Option<Path> {
        let mut path = PathBuilder::new();
        match suit {
            Suit::Hearts => self.heart(&mut path),
            Suit::Diamonds => self.diamond(&mut path),
            Suit::Clubs => self.club(&mut path),
            Suit::Spades => self.spade(&mut path),
        }
        path.finish()?.transform(Transform::from_scale(height, height))
    }

    fn heart(&self, path: &mut PathBuilder) {
        self.lobes(path, |x, y| (x, y));
    }

    fn spade(&self, path: &mut PathBuilder) {
        // Turned, not mirrored: lobes and stalk must run the same way round, or one would cut a hole into the other.
        self.lobes(path, |x, y| (-x, -0.08 - y * 0.84));
        self.stalk(path, 0.02);
    }

    /// Two lobes above a tip: a heart, or a spade when `place` turns it.
    fn lobes(&self, path: &mut PathBuilder, place: impl Fn(f32, f32) -> (f32, f32)) {
        use Pen::{C, M, Z};
        let half = self.breadth / 2.0;
        let (valley, shoulder) = (-0.5 + self.cleft, -0.2);
        let (bulge, tip) = (0.04 + 0.24 * self.belly, half * (0.1 + 0.3 * self.belly));
        let moves = [
            M(0.0, valley),
            C(half * 0.06, -0.44, half * 0.3, -0.5, half * 0.54, -0.5),
            C(half * 0.82, -0.5, half, -0.35, half, shoulder),
            C(half, shoulder + bulge, tip, 0.34, 0.0, 0.5),
            C(-tip, 0.34, -half, shoulder + bulge, -half, shoulder),
            C(-half, -0.35, -half * 0.82, -0.5, -half * 0.54, -0.5),
            C(-half * 0.3, -0.5, -half * 0.06, -0.44, 0.0, valley),
            Z,
        ];
        trace(path, &moves, CIRCLE, place);
    }

    fn diamond(&self, path: &mut PathBuilder) {
        use Pen::{C, M, Z};
        let half = self.breadth * 0.43;
        let bend = 1.0 - self.hollow * 2.0;
        let (x, y) = (half * 0.5 * bend, 0.25 * bend);
        let moves = [
            M(0.0, -0.5),
            C(x, -y, x, -y, half, 0.0),
            C(x, y, x, y, 0.0, 0.5),
            C(-x, y, -x, y, -half, 0.0),
            C(-x, -y, -x, -y, 0.0, -0.5),
            Z,
        ];
        trace(path, &moves, CIRCLE, |x, y| (x, y));
    }

    fn club(&self, path: &mut PathBuilder) {
        let leaf = self.leaf;
        let out = self.breadth / 2.0 - leaf;
        path.push_circle(0.0, -0.5 + leaf, leaf);
        path.push_circle(-out, 0.1, leaf);
        path.push_circle(out, 0.1, leaf);
        path.push_circle(0.0, 0.0, leaf * 0.55);
        self.stalk(path, 0.0);
    }

    /// The foot under clubs and spades.
    fn stalk(&self, path: &mut PathBuilder, top: f32) {
        use Pen::{C, L, M, Z};
        let (half, neck) = (self.foot / 2.0, 0.035);
        let moves = [
            M(-neck, top),
            L(neck, top),
            C(neck * 1.4, 0.34, half * 0.45, 0.46, half, 0.5),
            L(-half, 0.5),
            C(-half * 0.45, 0.46, -neck * 1.4, 0.34, -neck, top),
            Z,
        ];
        trace(path, &moves, CIRCLE, |x, y| (x, y));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pip_stands_in_its_height_about_the_middle() {
        for cut in Cut::ALL {
            for suit in Suit::ALL {
                let bounds = cut.pip(suit, 10.0).unwrap().bounds();
                assert!((bounds.top() + 5.0).abs() < 0.1 && (bounds.bottom() - 5.0).abs() < 0.1, "{suit:?} {bounds:?}");
                assert!((bounds.left() + bounds.right()).abs() < 0.1, "{suit:?} {bounds:?}");
                assert!(bounds.width() > 5.0 && bounds.width() < 12.0, "{suit:?} {bounds:?}");
            }
        }
    }

    #[test]
    fn no_two_cuts_draw_a_suit_alike() {
        for suit in Suit::ALL {
            let shapes = Cut::ALL.map(|cut| cut.pip(suit, 10.0).unwrap());
            for (number, shape) in shapes.iter().enumerate() {
                assert!(!shapes[number + 1..].contains(shape), "{suit:?}");
            }
        }
    }
}
