//! The page of errors: every card missed, misread or made up, with its picture.

use std::fmt::Write;
use std::path::Path;

use data_encoding::BASE64;
use opencv::core::{Mat, MatTraitConst, Rect, Size, Vector};
use opencv::{imgcodecs, imgproc};
use recognizer::vision::{self, Ink, Quad, Seen};
use table::Card;

use super::Row;
use super::sets::Picture;
use super::tally::{Verdict, counts};

/// So many errors are shown; a page with more would not be looked at, and hardly load.
const SHOWN: usize = 400;
/// The width of a shown picture.
const WIDTH: i32 = 220;

/// Errors gathered so far.
#[derive(Default)]
pub(super) struct Page {
    items: String,
    shown: usize,
    count: usize,
}

impl Page {
    /// How many errors there are.
    pub(super) const fn len(&self) -> usize {
        self.count
    }

    /// Takes up the errors of a picture.
    pub(super) fn errors(
        &mut self,
        set: &str,
        picture: &Picture,
        seen: &[Seen],
        verdict: &Verdict,
    ) -> anyhow::Result<()> {
        for (card, found) in picture.cards.iter().zip(&verdict.found).filter(|(card, _)| counts(card)) {
            match found.and_then(|which| seen.get(which)) {
                None => self.add(set, picture, &card.quad, None, &format!("missed {}", name(card.card)))?,
                Some(seen) if seen.card() != card.card => {
                    let says =
                        format!("{} read as {} {:.0} %", name(card.card), name(seen.card()), 100.0 * seen.confidence());
                    self.add(set, picture, &card.quad, Some(&seen.quad), &says)?;
                }
                Some(_) => {}
            }
        }
        for (seen, _) in seen.iter().zip(&verdict.of).filter(|(_, of)| of.is_none()) {
            let says = format!("made up {} {:.0} %", name(seen.card()), 100.0 * seen.confidence());
            self.add(set, picture, &seen.quad, Some(&seen.quad), &says)?;
        }
        Ok(())
    }

    /// Takes up something wrong that was told of a tape, with its picture as JPEG.
    pub(super) fn told(&mut self, tape: &Path, jpeg: &[u8], says: &str) -> anyhow::Result<()> {
        self.count += 1;
        let set = tape.file_name().unwrap_or_default().to_string_lossy();
        self.show(&set, "", jpeg, says)
    }

    fn add(&mut self, set: &str, of: &Picture, at: &Quad, seen: Option<&Quad>, says: &str) -> anyhow::Result<()> {
        self.count += 1;
        if self.shown == SHOWN {
            return Ok(());
        }
        self.show(set, &of.name, &cut_out(&of.image, at, seen)?, says)
    }

    fn show(&mut self, set: &str, name: &str, jpeg: &[u8], says: &str) -> anyhow::Result<()> {
        if self.shown == SHOWN {
            return Ok(());
        }
        self.shown += 1;
        writeln!(
            self.items,
            "<figure><img alt=\"\" src=\"data:image/jpeg;base64,{}\"><figcaption>{}<br><small>{} {}</small></figcaption></figure>",
            BASE64.encode(jpeg),
            plain(says),
            plain(set),
            plain(name)
        )?;
        Ok(())
    }

    /// The page.
    pub(super) fn html(&self, rows: &[Row]) -> String {
        let mut table = Vec::new();
        // Writing to memory does not fail.
        let _ = super::tally::table(&mut table, rows);
        let more = self.count - self.shown;
        let rest = if more > 0 { format!("<p>{more} more are not shown.</p>") } else { String::new() };
        format!(
            "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>Recognition errors</title>\n\
             <style>body{{font-family:sans-serif}}figure{{display:inline-block;margin:4px;width:{WIDTH}px;vertical-align:top}}\
             img{{width:100%}}figcaption{{font-size:13px}}</style></head>\n<body><h1>Recognition errors</h1>\n<pre>{}</pre>\n\
             <p>Light blue is where the card is, red what was seen.</p>\n{}{rest}</body></html>\n",
            plain(&String::from_utf8_lossy(&table)),
            self.items
        )
    }
}

fn name(card: Option<Card>) -> String {
    card.map_or_else(|| "a back".to_owned(), |card| card.to_string())
}

fn plain(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// The part of a picture around a card, with both outlines.
pub(super) fn cut_out(picture: &Mat, at: &Quad, seen: Option<&Quad>) -> anyhow::Result<Vec<u8>> {
    let mut drawn = picture.try_clone()?;
    vision::outline(&mut drawn, &at.0, Ink::Layout)?;
    if let Some(seen) = seen {
        vision::outline(&mut drawn, &seen.0, Ink::Wrong)?;
    }
    let [left, top, right, bottom] = at.bounds().map(|along| along.clamp(-1e4, 1e5) as i32);
    let room = ((right - left).max(bottom - top) / 2).max(12);
    let wanted = Rect::new(left - room, top - room, right - left + 2 * room, bottom - top + 2 * room);
    let part = wanted & Rect::new(0, 0, drawn.cols(), drawn.rows());
    let part = if part.width < 4 || part.height < 4 { Rect::new(0, 0, drawn.cols(), drawn.rows()) } else { part };
    let cut = Mat::roi(&drawn, part)?;
    let height = (part.height * WIDTH / part.width).clamp(8, 3 * WIDTH);
    let mut small = Mat::default();
    imgproc::resize(&cut, &mut small, Size::new(WIDTH, height), 0.0, 0.0, imgproc::INTER_AREA)?;
    let mut packed = Vector::new();
    imgcodecs::imencode(".jpg", &small, &mut packed, &Vector::from_slice(&[imgcodecs::IMWRITE_JPEG_QUALITY, 80]))?;
    Ok(packed.into())
}
