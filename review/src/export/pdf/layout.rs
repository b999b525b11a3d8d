//! Where everything goes: blocks one below the other, pages broken where they are full.

use super::super::report::{Block, Report};
use super::face::{Faces, Style};

/// A4, in points.
pub(super) const WIDTH: f32 = 595.0;
pub(super) const HEIGHT: f32 = 842.0;
const MARGIN: f32 = 50.0;
const FOOT: f32 = 40.0;
const INSIDE: f32 = WIDTH - 2.0 * MARGIN;

/// Type on its line.
#[derive(Clone, Copy)]
struct Type {
    style: Style,
    size: f32,
    leading: f32,
}

const fn type_of(style: Style, size: f32, leading: f32) -> Type {
    Type { style, size, leading }
}

const TITLE: Type = type_of(Style::Bold, 18.0, 24.0);
const HEADING: Type = type_of(Style::Bold, 13.0, 18.0);
const SUBHEADING: Type = type_of(Style::Bold, 10.0, 14.0);
const TEXT: Type = type_of(Style::Regular, 9.0, 12.5);
const SMALL: Type = type_of(Style::Regular, 7.5, 10.5);
const SMALL_BOLD: Type = type_of(Style::Bold, 7.5, 10.5);
const LINES: Type = type_of(Style::Mono, 8.0, 11.0);

/// The label column of facts.
const LABELS: f32 = 130.0;
/// The highest a picture gets.
const PICTURE: f32 = 330.0;
/// The drawing of a table is this high for its width.
const FELT: f32 = 560.0 / 1000.0;

/// How a mark is inked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ink {
    Black,
    Soft,
    Line,
    Alarm,
}

/// Something on a page, with its place from the upper left corner.
#[derive(Debug)]
pub(super) enum Mark<'r> {
    Text { x: f32, y: f32, style: Style, size: f32, ink: Ink, text: String },
    Bar { x: f32, y: f32, width: f32, height: f32, ink: Ink },
    Still { x: f32, y: f32, width: f32, height: f32, jpeg: &'r [u8] },
    Drawing { x: f32, y: f32, width: f32, height: f32, svg: &'r str },
}

/// The head of a table, kept for as long as its rows run.
struct Head<'r> {
    names: &'r [&'static str],
    widths: Vec<f32>,
}

/// Sets a report, line by line.
pub(super) struct Setter<'r> {
    faces: &'r Faces,
    pages: Vec<Vec<Mark<'r>>>,
    y: f32,
    /// What every page begins with while a table runs over it.
    head: Option<Head<'r>>,
    /// What stands at the foot of every page.
    foot: String,
    /// Whether a letter was met that the typeface does not have.
    lacks: bool,
}

impl<'r> Setter<'r> {
    pub(super) fn new(faces: &'r Faces) -> Self {
        Self { faces, pages: vec![Vec::new()], y: MARGIN, head: None, foot: String::new(), lacks: false }
    }

    pub(super) fn report(&mut self, report: &'r Report) {
        self.foot = report.title.clone();
        self.paragraph(&report.subtitle, TEXT, Ink::Soft);
        self.paragraph(&report.title, TITLE, Ink::Black);
        self.y += 8.0;
        for block in &report.blocks {
            self.block(block);
        }
        if self.lacks {
            self.notice("Some letters of this report are not in the typeface of this PDF and stand here as boxes; report.html has them.");
        }
    }

    /// The pages, with their feet.
    pub(super) fn finish(mut self) -> Vec<Vec<Mark<'r>>> {
        let count = self.pages.len();
        let face = self.faces.of(Style::Regular);
        let foot = face.lines(&self.foot, SMALL.size, INSIDE - 60.0).into_iter().next().unwrap_or_default();
        for (number, page) in (1..).zip(&mut self.pages) {
            let y = HEIGHT - FOOT + 16.0;
            let of = format!("{number} / {count}");
            let x = WIDTH - MARGIN - face.width(&of, SMALL.size);
            let line = |x, text| Mark::Text { x, y, style: Style::Regular, size: SMALL.size, ink: Ink::Soft, text };
            page.push(line(MARGIN, foot.clone()));
            page.push(line(x, of));
        }
        self.pages
    }

    fn put(&mut self, mark: Mark<'r>) {
        if let Some(page) = self.pages.last_mut() {
            page.push(mark);
        }
    }

    /// Begins a page if what comes next does not fit on this one.
    fn room(&mut self, height: f32) {
        if self.y + height > HEIGHT - MARGIN - FOOT / 2.0 && self.y > MARGIN {
            self.pages.push(Vec::new());
            self.y = MARGIN;
            self.head();
        }
    }

    fn line(&mut self, x: f32, text: String, set: Type, ink: Ink) {
        let face = self.faces.of(set.style);
        self.lacks |= text.chars().any(|letter| !letter.is_control() && !face.has(letter));
        let y = self.y + set.leading * 0.75;
        self.put(Mark::Text { x, y, style: set.style, size: set.size, ink, text });
    }

    fn paragraph(&mut self, text: &str, set: Type, ink: Ink) {
        for line in self.faces.of(set.style).lines(text, set.size, INSIDE) {
            self.room(set.leading);
            self.line(MARGIN, line, set, ink);
            self.y += set.leading;
        }
    }

    fn block(&mut self, block: &'r Block) {
        match block {
            Block::Heading(text) => {
                self.y += 14.0;
                self.room(HEADING.leading + 60.0);
                self.paragraph(text, HEADING, Ink::Black);
                self.put(Mark::Bar { x: MARGIN, y: self.y, width: INSIDE, height: 0.8, ink: Ink::Black });
                self.y += 8.0;
            }
            Block::Subheading(text) => {
                self.y += 8.0;
                self.room(SUBHEADING.leading + 48.0);
                self.paragraph(text, SUBHEADING, Ink::Black);
                self.y += 3.0;
            }
            Block::Text(text) => {
                self.paragraph(text, TEXT, Ink::Black);
                self.y += 6.0;
            }
            Block::Notice(text) => self.notice(text),
            Block::Lines(text) => {
                self.paragraph(text, LINES, Ink::Black);
                self.y += 6.0;
            }
            Block::Facts(facts) => {
                let widths = [LABELS, INSIDE - LABELS];
                for (label, value) in facts {
                    self.row(&[(label, TEXT, Ink::Soft), (value, TEXT, Ink::Black)], &widths);
                    self.y += 1.5;
                }
                self.y += 6.0;
            }
            Block::List(lines) => {
                let widths = [10.0, INSIDE - 10.0];
                for line in lines {
                    self.row(&[("·", TEXT, Ink::Soft), (line, TEXT, Ink::Black)], &widths);
                    self.y += 1.5;
                }
                self.y += 6.0;
            }
            Block::Table { head, rows } => self.table(head, rows),
            Block::Still { jpeg, caption } => match super::paint::size_of(jpeg) {
                Some((wide, high)) => {
                    let scale = (INSIDE / wide).min(PICTURE / high);
                    let (width, height) = (wide * scale, high * scale);
                    self.figure(height, caption, |x, y| Mark::Still { x, y, width, height, jpeg });
                }
                None => self.notice(&format!("This picture cannot be shown here: {caption}")),
            },
            Block::Drawing { svg, caption } => {
                let width = INSIDE * 0.8;
                let height = width * FELT;
                self.figure(height, caption, |x, y| Mark::Drawing { x, y, width, height, svg });
            }
        }
    }

    fn notice(&mut self, text: &str) {
        let lines = self.faces.of(TEXT.style).lines(text, TEXT.size, INSIDE - 12.0);
        let height = lines.len() as f32 * TEXT.leading;
        self.room(height.min(HEIGHT / 2.0));
        self.put(Mark::Bar { x: MARGIN, y: self.y, width: 3.0, height: height + 2.0, ink: Ink::Alarm });
        for line in lines {
            self.room(TEXT.leading);
            self.line(MARGIN + 12.0, line, TEXT, Ink::Black);
            self.y += TEXT.leading;
        }
        self.y += 8.0;
    }

    fn figure(&mut self, height: f32, caption: &str, mark: impl FnOnce(f32, f32) -> Mark<'r>) {
        self.room(height + SMALL.leading * 2.0 + 6.0);
        self.put(mark(MARGIN, self.y));
        self.y += height + 3.0;
        self.paragraph(caption, SMALL, Ink::Soft);
        self.y += 8.0;
    }

    /// Cells side by side, each in lines of its own; a row too high for a page goes on on the next.
    fn row(&mut self, cells: &[(&str, Type, Ink)], widths: &[f32]) {
        let set: Vec<Vec<String>> = cells
            .iter()
            .zip(widths)
            .map(|((text, set, _), width)| self.faces.of(set.style).lines(text, set.size, width - 6.0))
            .collect();
        let leading = cells.iter().map(|(_, set, _)| set.leading).fold(0.0, f32::max);
        let most = set.iter().map(Vec::len).max().unwrap_or(0).max(1);
        self.room((most.min(4)) as f32 * leading);
        for number in 0..most {
            self.room(leading);
            let mut x = MARGIN;
            for (((_, cell, ink), lines), width) in cells.iter().zip(&set).zip(widths) {
                if let Some(line) = lines.get(number) {
                    self.line(x, line.clone(), *cell, *ink);
                }
                x += width;
            }
            self.y += leading;
        }
    }

    fn table(&mut self, names: &'r [&'static str], rows: &[Vec<String>]) {
        let widths = self.columns(names, rows);
        self.room(60.0);
        self.head = Some(Head { names, widths: widths.clone() });
        self.head();
        for row in rows {
            let cells: Vec<_> = row.iter().map(|cell| (cell.as_str(), SMALL, Ink::Black)).collect();
            self.ruled(&cells, &widths);
        }
        self.head = None;
        self.y += 8.0;
    }

    /// The head of the table that is being set, if one is.
    fn head(&mut self) {
        // Out of the way while it is set: a head does not begin with a head.
        let Some(head) = self.head.take() else { return };
        let cells: Vec<_> = head.names.iter().map(|name| (*name, SMALL_BOLD, Ink::Black)).collect();
        self.ruled(&cells, &head.widths);
        self.head = Some(head);
    }

    /// A row with a line under it: one above would stay behind where the row goes to the next page.
    fn ruled(&mut self, cells: &[(&str, Type, Ink)], widths: &[f32]) {
        self.row(cells, widths);
        self.y += 2.0;
        self.put(Mark::Bar { x: MARGIN, y: self.y, width: INSIDE, height: 0.4, ink: Ink::Line });
        self.y += 2.0;
    }

    /// Columns as wide as what is in them. Where that is too wide, only the widest give way, so that a number stays in one
    /// piece beside a hash that has to be broken anyhow.
    fn columns(&self, head: &[&str], rows: &[Vec<String>]) -> Vec<f32> {
        let face = self.faces.of(SMALL_BOLD.style);
        let mut widths: Vec<f32> = head
            .iter()
            .enumerate()
            .map(|(at, name)| {
                let cells = rows.iter().filter_map(|row| row.get(at)).map(String::as_str);
                cells.chain([*name]).map(|text| face.width(text, SMALL.size)).fold(20.0, f32::max) + 8.0
            })
            .collect();
        let mut narrow_first: Vec<&mut f32> = widths.iter_mut().collect();
        narrow_first.sort_by(|a, b| a.total_cmp(b));
        let mut left = INSIDE;
        let count = narrow_first.len();
        for (at, width) in narrow_first.into_iter().enumerate() {
            *width = width.min(left / (count - at) as f32);
            left -= *width;
        }
        widths
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(blocks: Vec<Block>) -> Report {
        Report { title: "t".to_owned(), subtitle: "s".to_owned(), blocks }
    }

    fn pages<'r>(faces: &'r Faces, report: &'r Report) -> Vec<Vec<Mark<'r>>> {
        let mut setter = Setter::new(faces);
        setter.report(report);
        setter.finish()
    }

    fn set(blocks: Vec<Block>) -> usize {
        let faces = Faces::load().unwrap();
        let report = report(blocks);
        let pages = pages(&faces, &report);
        for mark in pages.iter().flatten() {
            if let Mark::Text { x, y, style, size, text, .. } = mark {
                assert!(x + faces.of(*style).width(text, *size) <= WIDTH - MARGIN + 1.0, "{text}");
                assert!(*y < HEIGHT - 10.0, "{text}");
            }
        }
        pages.len()
    }

    /// The texts of a page from top to bottom, without its foot.
    fn texts<'m>(page: &'m [Mark<'_>]) -> Vec<&'m str> {
        let above = HEIGHT - FOOT;
        let text = |mark: &'m Mark<'_>| match mark {
            Mark::Text { y, text, .. } if *y < above => Some(text.as_str()),
            _ => None,
        };
        page.iter().filter_map(text).collect()
    }

    #[test]
    fn nothing_leaves_the_paper_and_pages_break() {
        let long = "a word and anotherverylongwordwithoutanyendwhatsoever ".repeat(12);
        let facts = (0..30).map(|_| ("label of a fact".to_owned(), long.clone())).collect();
        let rows = (0..30).map(|_| vec![long.clone(), "b".to_owned(), "c".repeat(64)]).collect();
        assert_eq!(set(vec![Block::Text("short".to_owned())]), 1);
        assert!(set(vec![Block::Facts(facts), Block::Table { head: &["A", "B", "C"], rows }]) > 3);
    }

    #[test]
    fn a_number_is_not_broken_beside_what_has_to_be() {
        let faces = Faces::load().unwrap();
        let hash = "f".repeat(64);
        let file = ["stills/BJ-04.1.5.paid_a_push.3a.jpg", "the moment, overhead camera", "2147483648", &hash];
        let row = file.map(ToOwned::to_owned).to_vec();
        let blocks = vec![Block::Table { head: &["File", "Shows", "Bytes", "SHA-256"], rows: vec![row] }];
        let report = report(blocks);
        let pages = pages(&faces, &report);
        let has = |wanted: &str| pages.iter().any(|page| texts(page).contains(&wanted));
        assert!(has("2147483648"), "the number of bytes in one piece");
        assert!(!has(&hash), "the hash gives way");
    }

    #[test]
    fn a_table_has_its_head_on_every_page_it_runs_over() {
        let faces = Faces::load().unwrap();
        let mut rows: Vec<_> = (0..90).map(|number| vec![format!("file {number}"), "a still".to_owned()]).collect();
        rows.push(vec!["the last".to_owned(), "line by line ".repeat(900)]);
        let table = Block::Table { head: &["File", "Shows"], rows };
        let report = report(vec![table, Block::Text("what follows ".repeat(600))]);
        let pages = pages(&faces, &report);
        let table_ends = pages.iter().position(|page| texts(page).iter().any(|text| text.starts_with("what"))).unwrap();
        assert!(table_ends > 2, "{table_ends} pages");
        for page in &pages[1..=table_ends] {
            assert_eq!(texts(page)[..2], ["File", "Shows"]);
        }
        assert!(pages.len() > table_ends + 1, "text that follows has pages of its own");
        for page in &pages[table_ends + 1..] {
            assert!(texts(page).iter().all(|text| text.starts_with("what") || text.starts_with("follows")));
        }
    }

    #[test]
    fn a_page_never_begins_with_the_line_of_a_row_before() {
        let faces = Faces::load().unwrap();
        let rows = (0..90).map(|number| vec![number.to_string()]).collect();
        let report = report(vec![Block::Table { head: &["File"], rows }]);
        for page in &pages(&faces, &report)[1..] {
            assert!(matches!(page.first(), Some(Mark::Text { .. })), "{:?}", page.first());
        }
    }
}
