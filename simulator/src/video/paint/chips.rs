//! Chips in stacks, and other round things that stand.

use table::Money;

use super::{FALL, Painter, beside};
use crate::art::LAMMER_MM;
use crate::art::chip::{self, Rim};
use crate::video::canvas::{Colour, Rect, Sprite, lit};
use crate::video::props::Prop;
use crate::video::scene::Point;
use crate::video::shapes::{Bar, Cylinder, OnCylinder, Pixel, ease};
use crate::video::texture::straight;

/// Half a chip's width in millimetres.
const RADIUS: f32 = 0.5 * chip::ACROSS_MM;
/// Where the light comes from along the rim: the upper left, as the shadows say.
const LIGHT: [f32; 2] = [-0.47, -0.88];
/// Samples each way within a pixel.
const FINE: usize = 3;

impl Painter {
    /// Chips one on another.
    pub(super) fn chips(&mut self, at: Point, stack: &[Money], lift: f32) -> Option<Sprite> {
        let top = *stack.last()?;
        let height = chip::THICK_MM * stack.len() as f32;
        let (cylinder, shadow) = self.standing(at, lift, height, RADIUS)?;
        let scale = self.camera.scale([at.x, at.y, lift + height]);
        let picture = self.props.picture(Prop::Chip(top), 2.0 * RADIUS * scale)?;
        let colours: Vec<_> = stack.iter().map(|&value| chip::side_colours(value)).collect();
        let mut sprite = self.blank(cylinder.bounds(1.0).join(shadow_rect(&shadow, scale)));
        cast(&mut sprite, &shadow, scale);
        sprite.paint(cylinder.bounds(1.0), |pixel| {
            finely(pixel, |place| match cylinder.at(place) {
                OnCylinder::Top([u, v]) => Some(straight(picture.at([0.5 + 0.5 * u, 0.5 + 0.5 * v]), 1.0).0),
                OnCylinder::Side(rim, depth) => Some(side(rim, depth, &colours)),
                OnCylinder::Beside => None,
            })
        });
        Some(sprite)
    }

    /// A single flat round thing.
    pub(super) fn disc(&mut self, prop: Prop, at: Point) -> Option<Sprite> {
        let (cylinder, shadow) = self.standing(at, 0.0, 2.0, 0.5 * LAMMER_MM)?;
        let scale = self.camera.scale([at.x, at.y, 0.0]);
        let picture = self.props.picture(prop, LAMMER_MM * scale)?;
        let mut sprite = self.blank(cylinder.bounds(1.0).join(shadow_rect(&shadow, scale)));
        cast(&mut sprite, &shadow, scale);
        sprite.paint(cylinder.bounds(1.0), |pixel| {
            finely(pixel, |place| match cylinder.at(place) {
                OnCylinder::Top([u, v]) => Some(straight(picture.at([0.5 + 0.5 * u, 0.5 + 0.5 * v]), 1.0).0),
                OnCylinder::Side(..) => Some([150.0, 150.0, 145.0]),
                OnCylinder::Beside => None,
            })
        });
        Some(sprite)
    }

    /// A glass with something brown in it.
    pub(super) fn glass(&mut self, at: Point) -> Option<Sprite> {
        let (cylinder, shadow) = self.standing(at, 0.0, 110.0, 34.0)?;
        let scale = self.camera.scale([at.x, at.y, 110.0]);
        let mut sprite = self.blank(cylinder.bounds(1.0).join(shadow_rect(&shadow, scale)));
        cast(&mut sprite, &shadow, scale);
        sprite.paint(cylinder.bounds(1.0), |pixel| {
            finely(pixel, |place| match cylinder.at(place) {
                OnCylinder::Top([u, v]) => Some(match u.hypot(v) {
                    rim if rim > 0.9 => [205.0, 214.0, 214.0],
                    rim if rim > 0.82 => [120.0, 128.0, 124.0],
                    _ if (u + 0.3).hypot(v + 0.35) < 0.18 => [236.0, 226.0, 205.0],
                    _ => lit([112.0, 66.0, 26.0], 1.0 - 0.3 * v),
                }),
                OnCylinder::Side(rim, depth) => {
                    let shine = if (rim[0] + 0.5).abs() < 0.12 { 1.5 } else { 0.8 + 0.25 * rim[0].abs() };
                    Some(lit(if depth < 0.3 { [120.0, 128.0, 126.0] } else { [104.0, 70.0, 38.0] }, shine))
                }
                OnCylinder::Beside => None,
            })
        });
        Some(sprite)
    }

    /// A round thing as it stands, and its shadow on the felt.
    fn standing(&self, at: Point, lift: f32, height: f32, radius: f32) -> Option<(Cylinder, Bar)> {
        let top = lift + height;
        let cylinder = Cylinder::new(
            self.project(at, top)?,
            self.project(at, lift)?,
            self.project(beside(at, radius, 0.0), top)?,
            self.project(beside(at, 0.0, radius), top)?,
        )?;
        let fallen = |drop: f32| self.project(beside(at, FALL[0] * drop, FALL[1] * drop), 0.0);
        let thick = radius * self.camera.scale([at.x, at.y, 0.0]);
        Some((cylinder, Bar { from: fallen(lift + 2.0)?, to: fallen(top)?, radius: [thick, thick] }))
    }
}

/// The colour of a stack's side at a place on the rim.
fn side(rim: [f32; 2], depth: f32, colours: &[Rim]) -> Colour {
    let from_top = depth * colours.len() as f32;
    let number = colours.len().saturating_sub(1 + from_top as usize);
    let Some(rim_colours) = colours.get(number) else { return [0.0; 3] };
    // Nobody lines up the spots of a stack.
    let colour = rim_colours.at(rim[1].atan2(rim[0]) + 2.4 * number as f32).map(f32::from);
    let light = 0.72 + 0.22 * (rim[0] * LIGHT[0] + rim[1] * LIGHT[1]);
    let seam = if from_top.fract() < 0.16 { 0.62 } else { 1.0 };
    lit(colour, light * seam)
}

fn shadow_rect(shadow: &Bar, scale: f32) -> Rect {
    use crate::video::canvas::Extent;
    shadow.bounds(4.0 * scale).rect()
}

fn cast(sprite: &mut Sprite, shadow: &Bar, scale: f32) {
    let soft = 3.0 * scale;
    sprite.shadow(shadow.bounds(soft), |at| 0.45 * (1.0 - ease(-soft, soft, shadow.at(at).distance)));
}

/// The mean over several places in a pixel, as colour and cover.
fn finely(pixel: Pixel, shade: impl Fn(Pixel) -> Option<Colour>) -> (Colour, f32) {
    let mut sum = [0.0; 3];
    let mut hits = 0.0;
    let place = |index: usize| (index as f32 + 0.5) / FINE as f32 - 0.5;
    for index in 0..FINE * FINE {
        if let Some(colour) = shade([pixel[0] + place(index % FINE), pixel[1] + place(index / FINE)]) {
            for channel in 0..3 {
                sum[channel] += colour[channel];
            }
            hits += 1.0;
        }
    }
    if hits < 0.5 { ([0.0; 3], 0.0) } else { (sum.map(|channel| channel / hits), hits / (FINE * FINE) as f32) }
}
