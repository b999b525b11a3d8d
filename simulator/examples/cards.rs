//! Draws a contact sheet of every design, for people to look at.
//!
//! `cargo run -p simulator --example cards -- cards.png [WIDTH [DESIGN]]`; `DESIGN` may be `invented`.

use std::error::Error;

use auditor::model::random::Dice;
use simulator::art::{Design, chip, cut_card, lammer};
use table::{Card, Rank, Suit};
use tiny_skia::{Color, Pixmap, PixmapPaint, Transform};

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let out = words.next().ok_or("name the PNG to write")?;
    let width: u32 = words.next().unwrap_or_else(|| "60".into()).parse()?;
    let wanted = words.next();
    let mut designs: Vec<Design> = match wanted.as_deref() {
        Some("invented") => {
            let mut dice = Dice::new(1);
            (0..8).map(|_| Design::invented(&mut dice)).collect()
        }
        _ => Design::ALL.to_vec(),
    };
    if let Some(name) = wanted {
        designs.retain(|design| design.name == name);
    }
    let (across, down) = (width + 4, width * 8 / 5 + 4);
    let rows = designs.len() as u32 * 4 + 1;
    let mut sheet = Pixmap::new(across * 15, down * rows).ok_or("nothing to draw, or too large")?;
    sheet.fill(Color::from_rgba8(24, 92, 60, 255));
    let mut lay = |column: usize, row: usize, picture: Option<Pixmap>| {
        let Some(picture) = picture else { return };
        let at = (column as i32 * across as i32 + 2, row as i32 * down as i32 + 2);
        sheet.draw_pixmap(at.0, at.1, picture.as_ref(), &PixmapPaint::default(), Transform::identity(), None);
    };
    for (number, design) in designs.iter().enumerate() {
        for (row, suit) in Suit::ALL.into_iter().enumerate() {
            for (column, rank) in Rank::ALL.into_iter().enumerate() {
                lay(column, number * 4 + row, design.face(Card::new(rank, suit), width));
            }
        }
        lay(13, number * 4, design.back(width));
    }
    let last = designs.len() * 4;
    for (column, value) in chip::denominations().iter().enumerate() {
        lay(column, last, chip::top(*value, width));
    }
    lay(13, last, cut_card(width));
    lay(14, last, lammer(width));
    sheet.save_png(out)?;
    Ok(())
}
