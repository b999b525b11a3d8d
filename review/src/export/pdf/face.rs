//! The typefaces of the PDF, and how wide things are in them.

use krilla::text::{Font, GlyphId, KrillaGlyph};
use skrifa::instance::{LocationRef, Size};
use skrifa::metrics::GlyphMetrics;
use skrifa::{FontRef, MetadataProvider};

/// One typeface.
pub(super) struct Face {
    pub(super) font: Font,
    letters: FontRef<'static>,
    metrics: GlyphMetrics<'static>,
    em: f32,
    /// The letters that nearly all text is made of, looked up once.
    usual: Vec<(skrifa::GlyphId, f32)>,
}

/// So many letters are looked up once: Latin with its accents.
const USUAL: u8 = u8::MAX;

/// The typefaces of a report. DejaVu has Latin with all its accents, Greek, Cyrillic, and the four suits.
pub(super) struct Faces {
    regular: Face,
    bold: Face,
    mono: Face,
}

/// Which typeface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    Regular,
    Bold,
    Mono,
}

impl Faces {
    pub(super) fn load() -> Result<Self, String> {
        Ok(Self {
            regular: Face::load(dejavu::sans::regular())?,
            bold: Face::load(dejavu::sans::bold())?,
            mono: Face::load(dejavu::sans_mono::regular())?,
        })
    }

    pub(super) const fn of(&self, style: Style) -> &Face {
        match style {
            Style::Regular => &self.regular,
            Style::Bold => &self.bold,
            Style::Mono => &self.mono,
        }
    }
}

impl Face {
    fn load(bytes: &'static [u8]) -> Result<Self, String> {
        let font = Font::new(bytes.into(), 0).ok_or("the typeface cannot be read")?;
        let letters = FontRef::new(bytes).map_err(|error| error.to_string())?;
        let metrics = letters.glyph_metrics(Size::unscaled(), LocationRef::default());
        let mut face = Self { em: font.units_per_em(), font, metrics, letters, usual: Vec::new() };
        face.usual = (0..USUAL).map(|letter| face.look_up(char::from(letter))).collect();
        Ok(face)
    }

    fn look_up(&self, letter: char) -> (skrifa::GlyphId, f32) {
        let glyph = self.letters.charmap().map(letter).unwrap_or_default();
        (glyph, self.metrics.advance_width(glyph).unwrap_or(self.em / 2.0) / self.em)
    }

    /// A letter's glyph and how wide it is, as a share of the size of the type.
    fn advance(&self, letter: char) -> (skrifa::GlyphId, f32) {
        let usual = usize::try_from(u32::from(letter)).ok().and_then(|at| self.usual.get(at));
        usual.copied().unwrap_or_else(|| self.look_up(letter))
    }

    /// Whether it has a letter.
    pub(super) fn has(&self, letter: char) -> bool {
        self.advance(letter).0 != skrifa::GlyphId::NOTDEF
    }

    /// How wide a text is at a size.
    pub(super) fn width(&self, text: &str, size: f32) -> f32 {
        text.chars().map(|letter| self.advance(letter).1).sum::<f32>() * size
    }

    /// The text as glyphs, side by side.
    pub(super) fn glyphs(&self, text: &str) -> Vec<KrillaGlyph> {
        let glyph = |(at, letter): (usize, char)| {
            let (id, advance) = self.advance(letter);
            let range = at..at + letter.len_utf8();
            KrillaGlyph::new(GlyphId::new(id.to_u32()), advance, 0.0, 0.0, 0.0, range, None)
        };
        text.char_indices().map(glyph).collect()
    }

    /// A text broken into lines that fit a width: between words, within a word only where it is wider than the line.
    pub(super) fn lines(&self, text: &str, size: f32, width: f32) -> Vec<String> {
        text.lines().flat_map(|line| self.wrapped(line, size, width)).collect()
    }

    fn wrapped(&self, text: &str, size: f32, width: f32) -> Vec<String> {
        let mut line: String = text.chars().take_while(|letter| *letter == ' ').collect();
        let (mut filled, gap) = (self.width(&line, size), self.width(" ", size));
        let mut lines = Vec::new();
        let mut begun = false;
        for word in text.split(' ').filter(|word| !word.is_empty()) {
            let wide = self.width(word, size);
            let before = if begun { gap } else { 0.0 };
            if filled + before + wide <= width {
                if begun {
                    line.push(' ');
                }
                line.push_str(word);
                (filled, begun) = (filled + before + wide, true);
                continue;
            }
            if begun {
                lines.push(std::mem::take(&mut line));
                filled = 0.0;
            }
            for letter in word.chars() {
                let wide = self.advance(letter).1 * size;
                if filled + wide > width && !line.is_empty() {
                    lines.push(std::mem::take(&mut line));
                    filled = 0.0;
                }
                line.push(letter);
                filled += wide;
            }
            begun = true;
        }
        lines.push(line);
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_fit_and_lose_nothing() {
        let faces = Faces::load().unwrap();
        let face = faces.of(Style::Regular);
        let text =
            "The dealer drew 4♣ to soft 17 6f86d0816f86d0816f86d0816f86d0816f86d0816f86d081 at Tāmaki\nand  paid";
        for width in [40.0, 90.0, 400.0] {
            let lines = face.lines(text, 10.0, width);
            assert!(lines.iter().all(|line| face.width(line, 10.0) <= width), "{width}: {lines:?}");
            let bare = |text: &str| text.chars().filter(|letter| !letter.is_whitespace()).collect::<String>();
            assert_eq!(bare(&lines.concat()), bare(text), "{width}");
        }
    }

    #[test]
    fn the_typeface_has_what_reports_need() {
        let faces = Faces::load().unwrap();
        for letter in "Āāčéß♠♥♦♣–−·ЖΩ".chars() {
            assert!(faces.of(Style::Regular).has(letter) && faces.of(Style::Bold).has(letter), "{letter}");
        }
        assert!(!faces.of(Style::Regular).has('漢'));
    }
}
