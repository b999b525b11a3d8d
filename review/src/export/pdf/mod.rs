//! A report as a PDF: the same blocks as the page, set on A4. The same report gives the same bytes.

mod face;
mod layout;
mod paint;

use krilla::metadata::Metadata;
use krilla::page::PageSettings;
use krilla::{Document, SerializeSettings};

use super::report::Report;
use face::Faces;
use layout::{HEIGHT, Setter, WIDTH};

/// The document; says why if it cannot be made.
pub(super) fn document(report: &Report) -> Result<Vec<u8>, String> {
    let faces = Faces::load()?;
    let mut setter = Setter::new(&faces);
    setter.report(report);
    let pages = setter.finish();
    let drawings = paint::Drawings::new();
    // Tags would claim an order of reading that a plain list of marks does not have.
    let settings = SerializeSettings { enable_tagging: false, ..SerializeSettings::default() };
    let mut document = Document::new_with(settings);
    document.set_metadata(
        Metadata::new().title(report.title.clone()).creator(super::SOFTWARE.to_owned()).language("en".to_owned()),
    );
    let size = PageSettings::from_wh(WIDTH, HEIGHT).ok_or("A4 is no size")?;
    for marks in &pages {
        let mut page = document.start_page_with(size.clone());
        let mut surface = page.surface();
        for mark in marks {
            paint::mark(&mut surface, &faces, &drawings, mark)?;
        }
        surface.finish();
        page.finish();
    }
    document.finish().map_err(|error| format!("{error:?}"))
}

#[cfg(test)]
mod tests {
    use super::super::report::Block;
    use super::*;

    fn report(blocks: Vec<Block>) -> Report {
        Report { title: "Dispute 3: Māori 10♥".to_owned(), subtitle: "of harbour".to_owned(), blocks }
    }

    #[test]
    fn the_same_report_gives_the_same_bytes() {
        let round = table::notation::parse("game nz-base\nbet 3 25\ncard 3 TH\ncard dealer 7S\npay 3 25\nend").unwrap();
        let blocks = || {
            vec![
                Block::Heading("Findings".to_owned()),
                Block::Facts(vec![("Seen".to_owned(), "paid 25.00".to_owned())]),
                Block::Drawing { svg: crate::draw::felt(&round[0], 4, 5), caption: "the table".to_owned() },
            ]
        };
        let first = document(&report(blocks())).unwrap();
        assert!(first.starts_with(b"%PDF-"));
        assert_eq!(first, document(&report(blocks())).unwrap());
    }

    #[test]
    fn what_is_no_picture_is_an_error_and_no_panic() {
        let still = Block::Still { jpeg: vec![0xff, 0xd8, 0, 1], caption: String::new() };
        let made = document(&report(vec![still])).unwrap();
        assert!(made.starts_with(b"%PDF-"));
    }
}
