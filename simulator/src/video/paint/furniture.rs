//! What belongs to the table: shoe, discard rack and chip tray, and what players leave on it.

use table::Money;

use super::{FALL, Painter, around, beside};
use crate::art::chip;
use crate::video::canvas::{Colour, Rect, Sprite, lit};
use crate::video::geometry::Footprint;
use crate::video::props::Prop;
use crate::video::scene::Pose;
use crate::video::shapes::{Pixel, Polygon, Slant, ease};

/// How high shoe, rack and tray stand, in millimetres.
const SHOE: f32 = 95.0;
const RACK: f32 = 120.0;
const TRAY: f32 = 14.0;
/// Cards to a millimetre.
const CARDS_PER_MM: f32 = 3.3;
/// Tubes of chips in the tray, by their values in minor units.
const TUBES: [i64; 10] = [100, 500, 500, 2500, 2500, 10_000, 2500, 2500, 500, 100];

/// A block on the table: where it stands, from which height to which, and its colours on top and around.
struct Block {
    foot: Footprint,
    from: f32,
    to: f32,
    top: Colour,
    side: Colour,
}

impl Painter {
    /// The shoe: a dark box, open behind, with what is left of its cards in it.
    pub(super) fn shoe(&self, cards: usize) -> Option<Sprite> {
        let foot = self.geometry.shoe();
        let left = (cards as f32 / CARDS_PER_MM / foot.depth * 0.9).min(0.72);
        let body = Block { foot, from: 0.0, to: SHOE, top: [34.0, 34.0, 38.0], side: [26.0, 26.0, 30.0] };
        let mut sprite = self.blank(self.shade_of(&body)?);
        self.stand(&mut sprite, &body)?;
        let inside = part(foot, [0.14, 0.08], [0.86, 0.86]);
        self.slab(&mut sprite, inside, SHOE, [14.0, 14.0, 16.0]);
        if cards > 0 {
            self.slab(&mut sprite, part(foot, [0.16, 0.86 - left], [0.84, 0.86]), SHOE, [222.0, 220.0, 212.0]);
        }
        self.slab(&mut sprite, part(foot, [0.2, 0.88], [0.8, 0.98]), SHOE, [58.0, 58.0, 64.0]);
        Some(sprite)
    }

    /// The discard rack: a tall tray of smoked plastic, the cards lying in it.
    pub(super) fn rack(&mut self, cards: usize) -> Option<Sprite> {
        let foot = self.geometry.rack();
        let wall = Block { foot, from: 0.0, to: RACK, top: [96.0, 30.0, 30.0], side: [78.0, 24.0, 26.0] };
        let floor = part(foot, [0.06, 0.05], [0.94, 0.95]);
        let mut sprite = self.blank(self.shade_of(&wall)?);
        self.stand(&mut sprite, &wall)?;
        let high = (cards as f32 / CARDS_PER_MM).min(RACK - 2.0);
        self.slab(&mut sprite, floor, RACK, [48.0, 14.0, 16.0]);
        if cards > 0 {
            // Down in the rack they would be seen through its wall; what is left of their depth is that it is dark there.
            let pose = raised(floor.pose, RACK);
            let size = (floor.width.min(66.0), floor.depth.min(90.0));
            let quad = self.quad(pose, size)?;
            let scale = self.camera.scale([pose.at.x, pose.at.y, RACK]);
            self.props.picture(Prop::Back, scale * size.0)?.paint(&mut sprite, quad, 0.6 + 0.4 * high / RACK);
        }
        Some(sprite)
    }

    /// The tray: tubes of chips lying on their rims.
    pub(super) fn tray(&self) -> Option<Sprite> {
        let foot = self.geometry.tray();
        let body = Block { foot, from: 0.0, to: TRAY, top: [44.0, 40.0, 36.0], side: [30.0, 28.0, 26.0] };
        let mut sprite = self.blank(self.shade_of(&body)?);
        self.stand(&mut sprite, &body)?;
        let quad = self.quad(raised(foot.pose, TRAY), (foot.width, foot.depth))?;
        let slant = Slant::new(quad)?;
        let rims = TUBES.map(|value| chip::side_colours(Money::from_minor(value)));
        sprite.paint(Polygon::new(&quad).bounds(1.0), |pixel| {
            let [u, v] = slant.at(pixel);
            let tube = u * TUBES.len() as f32;
            let across = tube.rem_euclid(1.0) * 2.0 - 1.0;
            let inside = (0.0..1.0).contains(&u) && (0.06..0.94).contains(&v) && across.abs() < 0.88;
            let Some(rim) = rims.get(tube as usize).filter(|_| inside) else { return ([0.0; 3], 0.0) };
            let along = v * foot.depth / chip::THICK_MM;
            // Full tubes would hide that they are filled from the dealer's side.
            if v > 0.62 + 0.28 * ((tube.floor() * 2.4).sin()) {
                return (lit([24.0, 22.0, 20.0], 1.0 - 0.5 * across.abs()), 1.0);
            }
            let colour = rim.at(across.acos() + 2.4 * along.floor()).map(f32::from);
            let seam = if along.fract() < 0.3 { 0.7 } else { 1.0 };
            (lit(colour, seam * (1.0 - 0.45 * across * across)), 1.0)
        });
        Some(sprite)
    }

    /// What players leave about.
    pub(super) fn clutter(&mut self, kind: u8, pose: Pose) -> Option<Sprite> {
        match kind % 3 {
            0 => self.sheet(Prop::Receipt, pose, (57.0, 110.0)),
            1 => self.glass(pose.at),
            _ => self.sheet(Prop::Phone, Pose { lift: pose.lift + 8.0, ..pose }, (72.0, 148.0)),
        }
    }

    /// A block with its shadow on the felt.
    fn stand(&self, sprite: &mut Sprite, block: &Block) -> Option<()> {
        let shadow = self.fallen_block(block)?;
        let soft = 5.0 * self.camera.scale([block.foot.pose.at.x, block.foot.pose.at.y, 0.0]);
        sprite.shadow(shadow.bounds(soft), |at| 0.4 * (1.0 - ease(-soft, soft, shadow.distance(at))));
        let base = self.corners(block.foot, block.from)?;
        let top = self.corners(block.foot, block.to)?;
        for (edge, light) in [0.9, 0.8, 1.1, 0.95].into_iter().enumerate() {
            let next = (edge + 1) % 4;
            // Seen from outside, a wall's corners run against the clock.
            let wall = [top[edge], top[next], base[next], base[edge]];
            if turns(wall) < 0.0 {
                let wall = Polygon::new(&wall);
                sprite.paint(wall.bounds(1.0), |at| (lit(block.side, light), wall.cover(at)));
            }
        }
        self.slab(sprite, block.foot, block.to, block.top);
        Some(())
    }

    /// A level surface at some height.
    fn slab(&self, sprite: &mut Sprite, foot: Footprint, height: f32, colour: Colour) {
        if let Some(corners) = self.corners(foot, height) {
            let slab = Polygon::new(&corners);
            sprite.paint(slab.bounds(1.0), |at| (colour, slab.cover(at)));
        }
    }

    fn corners(&self, foot: Footprint, height: f32) -> Option<[Pixel; 4]> {
        self.quad(raised(foot.pose, height), (foot.width, foot.depth))
    }

    fn fallen_block(&self, block: &Block) -> Option<Polygon> {
        let at = beside(block.foot.pose.at, 0.5 * FALL[0] * block.to, 0.5 * FALL[1] * block.to);
        let foot = Footprint { pose: Pose { at, ..block.foot.pose }, ..block.foot };
        Some(Polygon::new(&self.corners(foot, 0.0)?))
    }

    /// What holds a block and its shadow.
    fn shade_of(&self, block: &Block) -> Option<Rect> {
        let soft = 6.0 * self.camera.scale([block.foot.pose.at.x, block.foot.pose.at.y, 0.0]);
        let base = Polygon::new(&self.corners(block.foot, block.from)?).bounds(1.0);
        let top = Polygon::new(&self.corners(block.foot, block.to)?).bounds(1.0);
        Some(self.fallen_block(block)?.bounds(soft).join(base).join(top))
    }
}

fn raised(pose: Pose, lift: f32) -> Pose {
    Pose { lift, ..pose }
}

/// A part of a footprint, its corners given from 0 to 1.
fn part(foot: Footprint, from: [f32; 2], to: [f32; 2]) -> Footprint {
    let middle = |axis: usize| 0.5 * (from[axis] + to[axis]) - 0.5;
    let at = around(foot.pose, middle(0) * foot.width, middle(1) * foot.depth);
    Footprint {
        pose: Pose { at, ..foot.pose },
        width: (to[0] - from[0]) * foot.width,
        depth: (to[1] - from[1]) * foot.depth,
    }
}

/// Twice the area of four corners, positive if they run clockwise in the picture.
fn turns(corners: [Pixel; 4]) -> f32 {
    (0..4).map(|i| corners[i][0] * corners[(i + 1) % 4][1] - corners[(i + 1) % 4][0] * corners[i][1]).sum()
}
