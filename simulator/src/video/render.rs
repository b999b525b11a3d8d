//! The renderer: a scene in, the clean picture and the truth about its cards out, with only what changed painted anew.

use std::collections::VecDeque;

use super::camera::Camera;
use super::canvas::{Canvas, Rect, apart};
use super::felt::{self, Look};
use super::paint::{Painted, Painter};
use super::props::Props;
use super::scene::{Scene, Thing};
use super::shapes::{Pixel, Polygon};
use crate::truth::CardSeen;

/// Places each way at which a card is looked at to find how much of it shows.
const LOOKS: usize = 32;

/// A thing that is in the picture.
struct Shown {
    thing: Thing,
    painted: Painted,
    /// Whether it came with the last scene.
    new: bool,
    /// How much of it shows, if it is a card.
    visible: f32,
}

/// A card in the picture, with the thing that it is.
#[derive(Clone, Copy, Debug)]
pub struct Sighting<'a> {
    /// Always a card.
    pub thing: &'a Thing,
    /// Its corners, clockwise from the card's own top left.
    pub quad: [Pixel; 4],
    /// The part of it that shows.
    pub visible: f32,
}

/// Paints the scenes of one table for one camera.
pub struct Renderer {
    painter: Painter,
    plate: Canvas,
    canvas: Canvas,
    shown: Vec<Shown>,
    changed: Vec<Rect>,
}

impl Renderer {
    /// A renderer for this camera above a table of this look.
    pub fn new(camera: Camera, look: &Look) -> Self {
        let plate = felt::plate(&camera, look);
        let canvas = plate.clone();
        let changed = vec![Rect::all(camera.size())];
        let painter = Painter::new(camera, Props::new(look.design), look.geometry.clone());
        Self { painter, plate, canvas, shown: Vec::new(), changed }
    }

    /// The picture of the last scene, before light and lens.
    pub const fn canvas(&self) -> &Canvas {
        &self.canvas
    }

    /// Where the picture may differ from the one that was last [taken](Self::settle).
    pub fn changed(&self) -> &[Rect] {
        &self.changed
    }

    /// Forgets what changed: somebody has taken the picture.
    pub fn settle(&mut self) {
        self.changed.clear();
    }

    /// Paints a scene.
    pub fn show(&mut self, scene: &Scene) {
        let dirty = apart(self.exchange(&scene.things));
        for &part in &dirty {
            self.canvas.restore(&self.plate, part);
            for shown in &self.shown {
                self.canvas.lay(&shown.painted.sprite, part);
            }
        }
        for index in 0..self.shown.len() {
            let touched = |shown: &Shown| dirty.iter().any(|part| part.meets(shown.painted.sprite.rect()));
            if self.shown.get(index).is_some_and(|shown| shown.new || touched(shown)) {
                let visible = self.visible(index);
                if let Some(shown) = self.shown.get_mut(index) {
                    shown.visible = visible;
                }
            }
        }
        self.changed = apart(self.changed.drain(..).chain(dirty));
    }

    /// The cards of the last scene, the lowest first; without those behind the camera.
    pub fn sightings(&self) -> impl Iterator<Item = Sighting<'_>> {
        self.shown.iter().filter_map(|shown| {
            let quad = shown.painted.quad?;
            Some(Sighting { thing: &shown.thing, quad, visible: shown.visible })
        })
    }

    /// The same as labels for the truth channel.
    pub fn cards(&self) -> Vec<CardSeen> {
        let label = |seen: Sighting<'_>| match seen.thing {
            Thing::Card { card, at, .. } => {
                Some(CardSeen { card: *card, at: *at, quad: seen.quad, visible: seen.visible })
            }
            _ => None,
        };
        self.sightings().filter_map(label).collect()
    }

    /// Keeps what is in both scenes in the same order, paints what is new, and says where the picture changes.
    fn exchange(&mut self, things: &[Thing]) -> Vec<Rect> {
        let mut dirty = Vec::new();
        let mut old = VecDeque::from(std::mem::take(&mut self.shown));
        for thing in things {
            let kept = old.iter().position(|shown| shown.thing == *thing).and_then(|found| {
                dirty.extend(old.drain(..found).map(|gone| gone.painted.sprite.rect()));
                old.pop_front()
            });
            let shown = match kept {
                Some(shown) => Shown { new: false, ..shown },
                None => {
                    let painted = self.painter.paint(thing);
                    dirty.push(painted.sprite.rect());
                    Shown { thing: thing.clone(), painted, new: true, visible: 0.0 }
                }
            };
            self.shown.push(shown);
        }
        dirty.extend(old.into_iter().map(|gone| gone.painted.sprite.rect()));
        dirty
    }

    /// How much of a card is in the picture with nothing on it.
    fn visible(&self, index: usize) -> f32 {
        let Some(Shown { painted: Painted { quad: Some(quad), .. }, .. }) = self.shown.get(index) else { return 0.0 };
        let card = Polygon::new(quad);
        let bounds = Rect::around(quad, 0.0);
        let picture = Rect::all(self.canvas.size());
        let above: Vec<_> = self.shown[index + 1..]
            .iter()
            .map(|shown| &shown.painted.sprite)
            .filter(|sprite| sprite.rect().meets(bounds))
            .collect();
        let (mut all, mut seen) = (0_u32, 0_u32);
        for look in 0..LOOKS * LOOKS {
            let part = |index: usize| (index as f32 + 0.5) / LOOKS as f32;
            let x = bounds.x0 as f32 + part(look % LOOKS) * (bounds.x1 - bounds.x0) as f32;
            let y = bounds.y0 as f32 + part(look / LOOKS) * (bounds.y1 - bounds.y0) as f32;
            if card.distance([x, y]) > 0.0 {
                continue;
            }
            all += 1;
            let (x, y) = (x.floor() as i32, y.floor() as i32);
            let inside = Rect { x0: x, y0: y, x1: x + 1, y1: y + 1 }.meets(picture);
            seen += u32::from(inside && !above.iter().any(|sprite| sprite.covers(x, y)));
        }
        if all == 0 { 0.0 } else { seen as f32 / all as f32 }
    }
}
