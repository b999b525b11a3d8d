//! Arms: sleeve, cuff, palm and fingers as round bars, shaded across, with a soft shadow that grows with the height.

use super::{FALL, Painter, beside};
use crate::video::canvas::{Colour, Extent, Rect, Sprite, lit};
use crate::video::scene::{Point, Whose};
use crate::video::shapes::{Bar, ease};

/// Sleeves of players; the dealer's is black.
const SLEEVES: [Colour; 7] = [
    [66.0, 78.0, 104.0],
    [128.0, 54.0, 48.0],
    [176.0, 170.0, 158.0],
    [46.0, 50.0, 48.0],
    [96.0, 112.0, 92.0],
    [64.0, 90.0, 128.0],
    [150.0, 128.0, 88.0],
];
const BLACK: Colour = [30.0, 30.0, 36.0];
const SKINS: [Colour; 5] =
    [[214.0, 168.0, 140.0], [190.0, 138.0, 106.0], [150.0, 102.0, 74.0], [104.0, 70.0, 52.0], [226.0, 184.0, 160.0]];
const CUFF: Colour = [232.0, 232.0, 228.0];

/// From the wrist to the finger tips, in millimetres.
const HAND: f32 = 178.0;
/// How much higher the elbow is than the hand.
const RISE: f32 = 70.0;
/// A hand that lies on the felt has this much above it.
const THICK: f32 = 22.0;

/// A bar of the hand: from and to (along the hand from the tips back, to its thumb side) and its two half thicknesses.
type Limb = ([f32; 2], [f32; 2], [f32; 2]);

/// A hand that holds something: fingers together, a little bent.
const HOLDING: [Limb; 7] = [
    ([108.0, 26.0], [40.0, 40.0], [14.0, 10.0]),
    ([90.0, -29.0], [24.0, -24.0], [8.5, 6.5]),
    ([86.0, -10.0], [6.0, -9.0], [9.5, 7.5]),
    ([86.0, 9.0], [0.0, 5.0], [9.5, 7.5]),
    ([90.0, 27.0], [10.0, 20.0], [9.5, 7.5]),
    ([150.0, -4.0], [96.0, -18.0], [33.0, 24.0]),
    ([150.0, 4.0], [98.0, 16.0], [33.0, 25.0]),
];

/// A hand that points: one finger out, the others folded.
const POINTING: [Limb; 7] = [
    ([112.0, 26.0], [66.0, 32.0], [14.0, 10.0]),
    ([88.0, -29.0], [66.0, -26.0], [9.5, 9.5]),
    ([84.0, -11.0], [58.0, -10.0], [10.5, 10.5]),
    ([84.0, 8.0], [58.0, 8.0], [10.5, 10.5]),
    ([92.0, 26.0], [0.0, 0.0], [10.0, 7.0]),
    ([150.0, -4.0], [96.0, -18.0], [33.0, 24.0]),
    ([150.0, 4.0], [98.0, 16.0], [33.0, 25.0]),
];

/// An arm as it is: a line from wrist to elbow, seen from above.
struct Reach {
    tips: Point,
    ahead: [f32; 2],
    thumb: f32,
    length: f32,
    lift: f32,
}

impl Reach {
    fn at(&self, back: f32, aside: f32) -> Point {
        let aside = aside * self.thumb;
        beside(self.tips, -self.ahead[0] * back - self.ahead[1] * aside, -self.ahead[1] * back + self.ahead[0] * aside)
    }

    fn height(&self, back: f32) -> f32 {
        self.lift + THICK + RISE * (back / self.length.max(HAND)).clamp(0.0, 1.0)
    }
}

impl Painter {
    /// An arm over the table.
    pub(super) fn arm(&self, elbow: Point, hand: Point, lift: f32, whose: Whose, points: bool) -> Option<Sprite> {
        let (x, y) = (hand.x - elbow.x, hand.y - elbow.y);
        let length = x.hypot(y);
        if !(length.is_finite() && length > 1.0 && lift.is_finite()) {
            return None;
        }
        let ahead = [x / length, y / length];
        let thumb = if matches!(whose, Whose::Player(number) if number % 2 == 0) { -1.0 } else { 1.0 };
        let reach = Reach { tips: hand, ahead, thumb, length, lift: lift.max(0.0) };
        let (sleeve, skin) = match whose {
            Whose::Dealer => (BLACK, SKINS[0]),
            Whose::Player(number) => {
                (SLEEVES[usize::from(number) % SLEEVES.len()], SKINS[usize::from(number) % SKINS.len()])
            }
        };
        let limbs = if points { &POINTING } else { &HOLDING };
        let hand_bars: Vec<Bar> = limbs.iter().filter_map(|limb| self.limb(&reach, *limb)).collect();
        let forearm = self.forearm(&reach, HAND - 12.0, [31.0, 50.0]);
        let upper = self.upper_arm(&reach);
        let cuff = self.limb(&reach, ([HAND - 4.0, 0.0], [HAND - 16.0, 0.0], [34.0, 33.0]));
        let shadow = [self.fallen(&reach, 70.0, HAND, [30.0, 34.0]), self.fallen(&reach, HAND, length, [32.0, 48.0])];
        let soft = self.camera.scale([hand.x, hand.y, lift]) * (8.0 + 0.22 * reach.lift);

        let bars = hand_bars.iter().chain(&forearm).chain(&upper).chain(&cuff);
        let dark = shadow.iter().flatten().map(|bar| bar.bounds(soft).rect());
        let bounds = bars.map(|bar| bar.bounds(1.0).rect()).chain(dark).fold(Rect::default(), Rect::join);
        let mut sprite = self.blank(bounds);
        darken(&mut sprite, &shadow, soft);
        for bar in &hand_bars {
            skinned(&mut sprite, bar, skin);
        }
        if let Some(bar) = &cuff {
            clothe(&mut sprite, bar, if whose == Whose::Dealer { CUFF } else { lit(sleeve, 1.15) }, 0.0);
        }
        for bar in forearm.iter().chain(&upper) {
            clothe(&mut sprite, bar, sleeve, 1.0);
        }
        Some(sprite)
    }

    fn limb(&self, reach: &Reach, (from, to, thick): Limb) -> Option<Bar> {
        let end = |[back, aside]: [f32; 2]| self.project(reach.at(back, aside), reach.height(back));
        let scale = self.camera.scale([reach.tips.x, reach.tips.y, reach.lift]);
        Some(Bar { from: end(from)?, to: end(to)?, radius: thick.map(|half| half * scale) })
    }

    /// The sleeve, from the wrist back as far as the camera can see.
    fn forearm(&self, reach: &Reach, wrist: f32, thick: [f32; 2]) -> Option<Bar> {
        let near = self.project(reach.at(wrist, 0.0), reach.height(wrist))?;
        let ends = (0..8).map(|piece| wrist + (reach.length.max(wrist + 20.0) - wrist) * (1.0 - 0.125 * piece as f32));
        let (far, back) =
            ends.filter_map(|back| Some((self.project(reach.at(back, 0.0), reach.height(back))?, back))).next()?;
        let scale = |back: f32| {
            let at = reach.at(back, 0.0);
            self.camera.scale([at.x, at.y, reach.height(back)])
        };
        Some(Bar { from: far, to: near, radius: [thick[1] * scale(back), thick[0] * scale(wrist)] })
    }

    /// From the elbow to a shoulder that is seldom in the picture.
    fn upper_arm(&self, reach: &Reach) -> Option<Bar> {
        let elbow = reach.at(reach.length, 0.0);
        let shoulder = reach.at(reach.length + 200.0, 0.0);
        let height = reach.height(reach.length);
        let thick = |at: Point, height: f32, half: f32| half * self.camera.scale([at.x, at.y, height]);
        Some(Bar {
            from: self.project(shoulder, height + 320.0)?,
            to: self.project(elbow, height)?,
            radius: [thick(shoulder, height + 320.0, 66.0), thick(elbow, height, 50.0)],
        })
    }

    /// The shadow of a stretch of the arm.
    fn fallen(&self, reach: &Reach, from: f32, to: f32, thick: [f32; 2]) -> Option<Bar> {
        let scale = self.camera.scale([reach.tips.x, reach.tips.y, 0.0]);
        let end = |back: f32| {
            let drop = reach.height(back);
            self.project(beside(reach.at(back, 0.0), FALL[0] * drop, FALL[1] * drop), 0.0)
        };
        Some(Bar { from: end(from)?, to: end(to)?, radius: thick.map(|half| half * scale) })
    }
}

fn darken(sprite: &mut Sprite, shadow: &[Option<Bar>], soft: f32) {
    for bar in shadow.iter().flatten() {
        sprite.shadow(bar.bounds(soft), |at| 0.36 * (1.0 - ease(-soft, soft, bar.at(at).distance)));
    }
}

fn skinned(sprite: &mut Sprite, bar: &Bar, skin: Colour) {
    sprite.paint(bar.bounds(1.0), |at| {
        let on = bar.at(at);
        let round = 1.04 - 0.34 * on.across * on.across - 0.1 * on.across;
        let edge = if on.distance > -1.2 { 0.86 } else { 1.0 };
        (lit(skin, round * edge), 0.5 - on.distance)
    });
}

/// Cloth, with folds across it where there is enough of it.
fn clothe(sprite: &mut Sprite, bar: &Bar, cloth: Colour, folds: f32) {
    sprite.paint(bar.bounds(1.0), |at| {
        let on = bar.at(at);
        let fold = folds * 0.1 * ease(0.25, 1.0, (23.0 * on.along + 2.2 * on.across + 4.0 * on.along * on.along).sin());
        let round = 1.16 - 0.5 * on.across * on.across - 0.14 * on.across - fold;
        (lit(cloth, round), 0.5 - on.distance)
    });
}
