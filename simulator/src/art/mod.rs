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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cut_card_and_lammer_are_drawn_in_any_size_but_none() {
        for draw in [cut_card, lammer] {
            for width in [1, 20, 300] {
                assert_eq!(draw(width).unwrap().width(), width);
            }
            for width in [0, WIDEST + 1, u32::MAX] {
                assert!(draw(width).is_none());
            }
        }
    }

    #[test]
    fn the_cutting_card_is_one_colour_and_no_card_of_any_deck() {
        let plastic = cut_card(60).unwrap();
        let middle = plastic.pixel(30, 42).unwrap();
        let same = plastic.pixels().iter().filter(|&&pixel| pixel == middle).count();
        assert!(same > plastic.pixels().len() * 8 / 10);
        for design in Design::ALL {
            assert_ne!(design.back(60).unwrap().pixel(30, 3).unwrap(), middle, "{}", design.name);
        }
    }
}
