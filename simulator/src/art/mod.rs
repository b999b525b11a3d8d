//! Cards, chips and letters drawn in code: no fonts and no pictures of anybody else's, and as many makers as we care
//! to invent.

pub mod chip;
mod cloth;
pub mod courts;
pub mod deck;
pub mod letters;
mod pen;
pub mod pips;
mod sheet;

use tiny_skia::{Pixmap, Transform};

pub use deck::Design;
use letters::{Letters, Style};
use pen::{circle, rounded};
use sheet::Sheet;
pub use sheet::{Rgb, WIDEST};

/// Width and height of the cutting card in millimetres: a poker card.
pub const CUT_CARD_MM: (f32, f32) = deck::POKER;
/// Across a lammer, in millimetres.
pub const LAMMER_MM: f32 = 28.0;

/// The cutting card: plain coloured plastic; none without pixels, or wider than [`WIDEST`].
pub fn cut_card(width_px: u32) -> Option<Pixmap> {
    let (width, height) = CUT_CARD_MM;
    let mut sheet = Sheet::new(width_px, CUT_CARD_MM)?;
    sheet.fill(rounded(0.0, 0.0, width, height, 3.5), [196, 150, 10]);
    sheet.fill(rounded(0.6, 0.6, width - 0.6, height - 0.6, 3.0), [242, 196, 24]);
    Some(sheet.finish())
}

/// A free-bet lammer, seen from above; none without pixels, or wider than [`WIDEST`].
pub fn lammer(width_px: u32) -> Option<Pixmap> {
    let middle = LAMMER_MM / 2.0;
    let mut sheet = Sheet::new(width_px, (LAMMER_MM, LAMMER_MM))?;
    sheet.fill(circle(middle, middle, middle), [28, 60, 130]);
    sheet.fill(circle(middle, middle, middle * 0.9), [236, 240, 248]);
    let letters = Letters::new(Style::SANS);
    for (word, top) in [("FREE", 7.6), ("BET", 14.6)] {
        let place = Transform::from_translate(middle - letters.width(word, 5.6) / 2.0, top);
        sheet.within(place, |sheet| sheet.fill(letters.path(word, 5.6), [28, 60, 130]));
    }
    Some(sheet.finish())
}
