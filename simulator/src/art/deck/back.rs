//! The backs of the cards: the same either way up, so that nobody can read how a card was turned.

use tiny_skia::Transform;

use super::super::cloth::{Cloth, drape};
use super::super::letters::{Letters, Style};
use super::super::pen::{block, circle, ellipse, polygon, rounded};
use super::super::pips::Cut;
use super::super::sheet::{Rgb, Sheet, mix};
use table::Suit;

/// The back of a deck.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Back {
    /// Its pattern.
    pub pattern: Pattern,
    /// The main colour.
    pub ground: Rgb,
    /// What is printed on it.
    pub ink: Rgb,
    /// Unprinted stock around it, in millimetres; 0 prints to the edge, as many casinos order it.
    pub margin: f32,
}

/// What a back shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pattern {
    /// A lattice with a diamond in every mesh.
    Diamonds,
    /// A basket weave.
    Weave,
    /// A large medallion on a fine ground.
    Medallion,
    /// Stripes.
    Stripes,
    /// A plain ground with the house's name.
    Logo,
    /// Circles over circles.
    Scales,
}

impl Pattern {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Diamonds, Self::Weave, Self::Medallion, Self::Stripes, Self::Logo, Self::Scales];
}

impl Back {
    pub(super) fn draw(&self, sheet: &mut Sheet, (width, height): (f32, f32), stock: Rgb) {
        let margin = self.margin;
        let radius = if margin > 0.0 { 1.5 } else { 0.0 };
        let print = rounded(margin, margin, width - margin, height - margin, radius);
        let (x, y) = (width / 2.0, height / 2.0);
        let colours = [self.ground, self.ink];
        match self.pattern {
            Pattern::Diamonds => {
                drape(sheet, print.clone(), Cloth::Lattice, 6.0, colours);
                drape(sheet, block(x - 9.0, y - 12.0, x + 9.0, y + 12.0), Cloth::Lozenges, 6.0, colours);
            }
            Pattern::Weave => drape(sheet, print.clone(), Cloth::Weave, 5.0, colours),
            Pattern::Stripes => {
                drape(sheet, print.clone(), Cloth::Stripes, 5.2, colours);
                sheet.fill(ellipse(x, y, width * 0.2, width * 0.2), self.ink);
                sheet.fill(ellipse(x, y, width * 0.16, width * 0.16), self.ground);
            }
            Pattern::Medallion => {
                drape(sheet, print.clone(), Cloth::Dots, 3.0, colours);
                self.medallion(sheet, (x, y), width * 0.36);
            }
            Pattern::Logo => {
                sheet.fill(print.clone(), self.ground);
                self.logo(sheet, (x, y), (width, height));
            }
            Pattern::Scales => drape(sheet, print.clone(), Cloth::Scales, 7.0, colours),
        }
        if margin > 0.0 {
            sheet.line(print, 0.7, mix(self.ground, stock, 0.15));
        }
    }

    fn medallion(&self, sheet: &mut Sheet, (x, y): (f32, f32), radius: f32) {
        sheet.inked(circle(x, y, radius), self.ground, 1.0, self.ink);
        for ray in 0..24 {
            let turn = Transform::from_rotate_at(ray as f32 * 15.0, x, y);
            let leaf = [
                (x, y - radius * 0.92),
                (x + radius * 0.1, y - radius * 0.6),
                (x, y - radius * 0.4),
                (x - radius * 0.1, y - radius * 0.6),
            ];
            sheet.within(turn, |sheet| sheet.fill(polygon(&leaf), self.ink));
        }
        sheet.inked(circle(x, y, radius * 0.34), self.ink, 0.6, self.ground);
        sheet.line(circle(x, y, radius * 0.24), 0.8, self.ground);
        for (dx, dy) in [(0.0, -1.0), (0.0, 1.0)] {
            sheet.line(circle(x + dx * radius, y + dy * radius * 1.35, radius * 0.22), 0.9, self.ink);
        }
    }

    fn logo(&self, sheet: &mut Sheet, middle: (f32, f32), (width, height): (f32, f32)) {
        let letters = Letters::new(Style::BOOK);
        let size = width * 0.12;
        let inner = self.margin + 3.0;
        sheet.line(rounded(inner, inner, width - inner, height - inner, 2.0), 0.6, self.ink);
        sheet.both_ways(middle, |sheet| {
            let place =
                Transform::from_translate(middle.0 - letters.width("FAIRDEAL", size) / 2.0, height * 0.36 - size);
            sheet.within(place, |sheet| sheet.fill(letters.path("FAIRDEAL", size), self.ink));
            sheet.within(Transform::from_translate(middle.0, height * 0.16), |sheet| {
                sheet.fill(Cut::SHARP.pip(Suit::Diamonds, 9.0), self.ink);
            });
        });
        sheet.line(circle(middle.0, middle.1, width * 0.09), 1.0, self.ink);
        sheet.fill(circle(middle.0, middle.1, width * 0.05), self.ink);
    }
}
