//! Props: the drawn pictures of everything that lies on a table, kept once drawn in the size they are seen at.

use std::collections::BTreeMap;
use std::sync::Arc;

use table::{Card, Money};
use tiny_skia::{Color, Paint, Pixmap, Rect, Transform};

use super::texture::Texture;
use crate::art::{self, Design};

/// Widths at which pictures are drawn: each thing takes the next wider one, and is shrunk from there.
const WIDTHS: [u32; 11] = [16, 24, 32, 48, 64, 80, 100, 128, 180, 256, 360];
/// The width of what is seen larger still.
const WIDEST: u32 = 512;

/// What can be drawn flat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Prop {
    /// A card's face.
    Face(Card),
    /// A card's back.
    Back,
    /// The cutting card.
    CutCard,
    /// The top of a chip, by its value.
    Chip(Money),
    /// A marker.
    Lammer,
    /// A paper slip with print on it.
    Receipt,
    /// A phone, its screen up.
    Phone,
}

/// The pictures drawn so far.
#[derive(Debug)]
pub(super) struct Props {
    design: Design,
    drawn: BTreeMap<(Prop, u32), Option<Arc<Texture>>>,
}

impl Props {
    /// Props with cards of this design.
    pub(super) const fn new(design: Design) -> Self {
        Self { design, drawn: BTreeMap::new() }
    }

    /// Width and height of a card in millimetres.
    pub(super) const fn card_mm(&self) -> (f32, f32) {
        self.design.size_mm()
    }

    /// The picture of a prop that is seen so many pixels wide; none of a card that has no face.
    pub(super) fn picture(&mut self, prop: Prop, seen_px: f32) -> Option<Arc<Texture>> {
        let width = WIDTHS.into_iter().find(|&width| width as f32 >= seen_px).unwrap_or(WIDEST);
        let design = &self.design;
        self.drawn
            .entry((prop, width))
            .or_insert_with(|| draw(prop, design, width).map(|drawn| Arc::new(Texture::new(drawn))))
            .clone()
    }
}

fn draw(prop: Prop, design: &Design, width: u32) -> Option<Pixmap> {
    match prop {
        Prop::Face(card) => design.face(card, width),
        Prop::Back => design.back(width),
        Prop::CutCard => art::cut_card(width),
        Prop::Chip(value) => art::chip::top(value, width),
        Prop::Lammer => art::lammer(width),
        Prop::Receipt => receipt(width),
        Prop::Phone => phone(width),
    }
}

/// Paper with lines of print, in hundredths of its width.
fn receipt(width: u32) -> Option<Pixmap> {
    let mut drawn = Pixmap::new(width, width * 2)?;
    drawn.fill(Color::from_rgba8(238, 238, 232, 255));
    for line in 0..14_u16 {
        let length = 30.0 + f32::from(line * 37 % 48);
        stroke(&mut drawn, [10.0, 14.0 + 12.0 * f32::from(line), length, 4.0], [120, 120, 124])?;
    }
    Some(drawn)
}

/// Black glass with a glow on it.
fn phone(width: u32) -> Option<Pixmap> {
    let mut drawn = Pixmap::new(width, width * 2)?;
    drawn.fill(Color::from_rgba8(18, 18, 22, 255));
    stroke(&mut drawn, [5.0, 8.0, 90.0, 184.0], [34, 38, 52])?;
    for row in 0..4_u8 {
        stroke(&mut drawn, [14.0, 30.0 + 34.0 * f32::from(row), 72.0, 22.0], [58, 66, 92])?;
    }
    Some(drawn)
}

/// A filled rectangle given in hundredths of the picture's width.
fn stroke(drawn: &mut Pixmap, [x, y, width, height]: [f32; 4], [red, green, blue]: [u8; 3]) -> Option<()> {
    let scale = drawn.width() as f32 / 100.0;
    let mut paint = Paint::default();
    paint.set_color_rgba8(red, green, blue, 255);
    drawn.fill_rect(Rect::from_xywh(x, y, width, height)?, &paint, Transform::from_scale(scale, scale), None);
    Some(())
}
