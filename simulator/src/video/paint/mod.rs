//! The painter: every thing of a scene as the camera sees it, each a sprite with its own shadow.

mod arm;
mod chips;
mod furniture;

use super::camera::Camera;
use super::canvas::{Rect, Sprite};
use super::geometry::Geometry;
use super::props::{Prop, Props};
use super::scene::{Point, Pose, Thing};
use super::shapes::{Pixel, Polygon, ease};

/// How far a shadow falls for each millimetre of height, in millimetres: the light hangs above the dealer.
const FALL: [f32; 2] = [0.16, 0.3];

/// A painted thing.
#[derive(Debug)]
pub(super) struct Painted {
    /// Its pixels.
    pub(super) sprite: Sprite,
    /// Its corners, if it is a card that the camera can have in its picture.
    pub(super) quad: Option<[Pixel; 4]>,
}

/// Paints things for one camera.
#[derive(Debug)]
pub(super) struct Painter {
    camera: Camera,
    props: Props,
    geometry: Geometry,
}

impl Painter {
    /// A painter who looks through this camera, with these props on this table.
    pub(super) fn new(camera: Camera, props: Props, geometry: Geometry) -> Self {
        Self { camera, props, geometry }
    }

    /// A thing as it is seen; what the camera cannot see leaves an empty sprite.
    pub(super) fn paint(&mut self, thing: &Thing) -> Painted {
        let mut quad = None;
        let sprite = match thing {
            Thing::Card { card, up, pose, .. } => {
                let size = self.props.card_mm();
                quad = self.quad(*pose, size);
                let prop = if *up && card.is_known() { Prop::Face(*card) } else { Prop::Back };
                self.sheet(prop, *pose, size)
            }
            Thing::CutCard(pose) => self.sheet(Prop::CutCard, *pose, self.props.card_mm()),
            Thing::Chips { at, stack, lift } => self.chips(*at, stack, *lift),
            Thing::Lammer(at) => self.disc(Prop::Lammer, *at),
            Thing::Arm { elbow, hand, lift, whose, points } => self.arm(*elbow, *hand, *lift, *whose, *points),
            Thing::Shoe(cards) => self.shoe(*cards),
            Thing::Rack(cards) => self.rack(*cards),
            Thing::Tray => self.tray(),
            Thing::Clutter { kind, pose } => self.clutter(*kind, *pose),
        };
        Painted { sprite: sprite.unwrap_or_else(|| Sprite::new(Rect::default(), self.camera.size())), quad }
    }

    fn project(&self, at: Point, height: f32) -> Option<Pixel> {
        self.camera.project([at.x, at.y, height])
    }

    /// The corners of a flat thing, clockwise from its own top left.
    fn quad(&self, pose: Pose, (width, height): (f32, f32)) -> Option<[Pixel; 4]> {
        let corner = |x: f32, y: f32| self.project(around(pose, x * width, y * height), pose.lift);
        Some([corner(-0.5, -0.5)?, corner(0.5, -0.5)?, corner(0.5, 0.5)?, corner(-0.5, 0.5)?])
    }

    /// A flat thing with its shadow.
    fn sheet(&mut self, prop: Prop, pose: Pose, size: (f32, f32)) -> Option<Sprite> {
        let quad = self.quad(pose, size)?;
        let scale = self.camera.scale([pose.at.x, pose.at.y, pose.lift]);
        let drop = pose.lift.max(0.0) + 2.5;
        let fallen = Pose { at: beside(pose.at, FALL[0] * drop, FALL[1] * drop), lift: 0.0, ..pose };
        let shadow = Polygon::new(&self.quad(fallen, size)?);
        let (soft, dark) = (scale * (1.5 + 0.12 * drop), 0.5 / (1.0 + 0.006 * drop));
        let bounds = shadow.bounds(soft).join(Polygon::new(&quad).bounds(1.0));
        let mut sprite = self.blank(bounds);
        sprite.shadow(shadow.bounds(soft), |at| dark * (1.0 - ease(-soft, soft, shadow.distance(at))));
        let picture = self.props.picture(prop, scale * size.0)?;
        picture.paint(&mut sprite, quad, 1.0);
        Some(sprite)
    }

    fn blank(&self, bounds: Rect) -> Sprite {
        Sprite::new(bounds, self.camera.size())
    }
}

/// A point given in the frame of something that lies turned.
fn around(pose: Pose, x: f32, y: f32) -> Point {
    let (sin, cos) = pose.turn.sin_cos();
    beside(pose.at, x * cos - y * sin, x * sin + y * cos)
}

fn beside(at: Point, x: f32, y: f32) -> Point {
    Point { x: at.x + x, y: at.y + y }
}
