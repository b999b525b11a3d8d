//! Letters of our own: skeletons drawn with a pen of any weight, so that every deck and layout prints its own hand.

mod glyphs;

use table::Rank;
use tiny_skia::{LineCap, LineJoin, Path, PathBuilder, Stroke, Transform};

use super::pen::{CIRCLE, chain, trace};
use glyphs::{Glyph, Part};

/// How letters are drawn. Lengths are parts of the height of a capital.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Style {
    /// Width of the pen where it draws level strokes.
    pub weight: f32,
    /// How much wider upright strokes are than level ones; 1 is a round pen.
    pub contrast: f32,
    /// Width of the letters; 1 is ordinary.
    pub width: f32,
    /// Lean to the right, as the tangent of the angle.
    pub slant: f32,
    /// Length of a serif to either side of its stem; 0 for none.
    pub serif: f32,
    /// From 0 for boxy curves and cut ends to 1 for round ones.
    pub round: f32,
    /// Space between letters.
    pub space: f32,
    /// Whether to take the other form of letters that have two: a flat-topped 3, an open 4, a J with a bar.
    pub alternate: bool,
}

impl Style {
    /// Heavy, without serifs.
    pub const SANS: Self = Self {
        weight: 0.15,
        contrast: 1.12,
        width: 1.0,
        slant: 0.0,
        serif: 0.0,
        round: 0.6,
        space: 0.11,
        alternate: false,
    };
    /// Slab serifs, as on most casino cards.
    pub const SLAB: Self = Self {
        weight: 0.105,
        contrast: 1.5,
        width: 1.02,
        slant: 0.0,
        serif: 0.11,
        round: 0.5,
        space: 0.22,
        alternate: false,
    };
    /// Light and narrow.
    pub const LIGHT: Self = Self {
        weight: 0.085,
        contrast: 1.1,
        width: 0.76,
        slant: 0.0,
        serif: 0.0,
        round: 0.8,
        space: 0.1,
        alternate: true,
    };
    /// For indices that fill the corner.
    pub const JUMBO: Self = Self {
        weight: 0.17,
        contrast: 1.2,
        width: 1.06,
        slant: 0.0,
        serif: 0.0,
        round: 0.35,
        space: 0.08,
        alternate: false,
    };
    /// Thick and thin, with fine serifs.
    pub const BOOK: Self = Self {
        weight: 0.07,
        contrast: 2.3,
        width: 0.98,
        slant: 0.0,
        serif: 0.13,
        round: 0.6,
        space: 0.24,
        alternate: true,
    };
    /// Leaning, with round ends.
    pub const LEANING: Self = Self {
        weight: 0.12,
        contrast: 1.25,
        width: 0.9,
        slant: 0.16,
        serif: 0.0,
        round: 1.0,
        space: 0.1,
        alternate: true,
    };
    /// Heavy and boxy.
    pub const BLOCK: Self = Self {
        weight: 0.16,
        contrast: 1.05,
        width: 0.92,
        slant: 0.0,
        serif: 0.0,
        round: 0.0,
        space: 0.1,
        alternate: true,
    };

    /// All of them.
    pub const ALL: [Self; 7] =
        [Self::SANS, Self::SLAB, Self::LIGHT, Self::JUMBO, Self::BOOK, Self::LEANING, Self::BLOCK];
}

/// A set of letters in one style.
///
/// ```
/// use simulator::art::letters::{Letters, Style};
/// let letters = Letters::new(Style::SLAB);
/// let printed = letters.path("DEALER MUST DRAW TO 16", 12.0).ok_or("nothing to print")?;
/// assert!((printed.bounds().height() - 12.0).abs() < 1.0);
/// assert!(letters.path("7♥", 12.0).is_none(), "suits are pips, not letters");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Letters(Style);

/// How much narrower the digits of a ten stand, so that its index is hardly wider than a queen's.
const TEN: f32 = 0.66;

impl Letters {
    /// Letters in this style.
    pub const fn new(style: Style) -> Self {
        Self(style)
    }

    /// The outline of a line of text with capitals of this height, its top left at the origin; to be filled by winding.
    ///
    /// None if there is nothing to print, no height to print it in, or a letter is not ours: `A`–`Z`, `0`–`9`, space
    /// and `: / & ' - .` are. Serifs at the ends of the line reach a little beyond its [`width`](Self::width).
    pub fn path(&self, text: &str, height: f32) -> Option<Path> {
        self.set(text, height, 1.0, self.0.space)
    }

    /// The width of a line of text; a letter that is not ours takes the place of a space.
    pub fn width(&self, text: &str, height: f32) -> f32 {
        let widths = text.chars().map(|letter| self.glyph(letter).map_or(0.34, |glyph| glyph.width) * self.0.width);
        let spaces = text.chars().count().saturating_sub(1) as f32 * self.0.space;
        (widths.sum::<f32>() + spaces) * height
    }

    /// The index of a rank, its top middle at the origin; a ten is condensed.
    pub fn index(&self, rank: Rank, height: f32) -> Option<Path> {
        let path = match rank {
            Rank::Ten => self.set("10", height, TEN, self.0.space.min(0.12) * 0.7)?,
            rank => self.set(rank.letter().encode_utf8(&mut [0; 4]), height, 1.0, 0.0)?,
        };
        let bounds = path.bounds();
        path.transform(Transform::from_translate(-(bounds.left() + bounds.right()) / 2.0, 0.0))
    }

    fn glyph(&self, letter: char) -> Option<&'static Glyph> {
        glyphs::of(letter, self.0.alternate)
    }

    fn set(&self, text: &str, height: f32, condensed: f32, space: f32) -> Option<Path> {
        if !height.is_finite() || height <= 0.0 {
            return None;
        }
        let mut line = PathBuilder::new();
        let mut at = 0.0;
        for letter in text.chars() {
            let glyph = self.glyph(letter)?;
            let width = glyph.width * self.0.width * condensed;
            if let Some(path) = self.draw(glyph, width).and_then(|p| p.transform(Transform::from_translate(at, 0.0))) {
                line.push_path(&path);
            }
            at += width + space;
        }
        let slant = Transform::from_row(1.0, 0.0, -self.0.slant, 1.0, self.0.slant, 0.0);
        line.finish()?.transform(slant)?.transform(Transform::from_scale(height, height))
    }

    /// One letter of height 1. The pen is an ellipse, which no stroker knows: draw with a round one on squeezed paper.
    fn draw(&self, glyph: &Glyph, width: f32) -> Option<Path> {
        let squeeze = self.0.contrast.max(0.1);
        let box_width = width / squeeze;
        // A pen too wide for the letter would turn it inside out; a lone stem may fill its box.
        let lone = glyph.width < 0.3;
        let pen = self.0.weight.min(box_width * if lone { 1.0 } else { 0.6 });
        let round = 1.0 - (1.0 - CIRCLE) * (0.62 + 0.38 * self.0.round);
        let skeleton = Skeleton { pen, width: box_width, serif: self.0.serif / squeeze, rounded: self.0.round > 0.9 };
        let mut strokes = PathBuilder::new();
        let mut letter = PathBuilder::new();
        for part in glyph.parts {
            match *part {
                Part::Stroke(moves) => trace(&mut strokes, moves, round, |x, y| skeleton.place(x, y)),
                part => skeleton.part(part, &mut letter),
            }
        }
        let (line_cap, line_join) = match skeleton.rounded {
            true => (LineCap::Round, LineJoin::Round),
            false => (LineCap::Square, LineJoin::Miter),
        };
        let stroke = Stroke { width: pen, line_cap, line_join, ..Stroke::default() };
        if let Some(outline) = strokes.finish().and_then(|path| path.stroke(&stroke, 200.0)) {
            letter.push_path(&outline);
        }
        letter.finish()?.transform(Transform::from_scale(squeeze, 1.0))
    }
}

/// The box of a letter and the pen that draws into it.
struct Skeleton {
    pen: f32,
    width: f32,
    serif: f32,
    rounded: bool,
}

impl Skeleton {
    /// Where the middle of the pen goes, so that its edge stays in the box.
    fn place(&self, x: f32, y: f32) -> (f32, f32) {
        (self.pen / 2.0 + x * (self.width - self.pen), self.pen / 2.0 + y * (1.0 - self.pen))
    }

    /// Parts that are cut flat; clockwise, as the stroker's outlines are, so that nothing cancels out where they cross.
    fn part(&self, part: Part, letter: &mut PathBuilder) {
        match part {
            Part::Stroke(_) => {}
            Part::Stem(ax, ay, bx, by) => {
                let (ax, ay, bx, by) = if ay <= by { (ax, ay, bx, by) } else { (bx, by, ax, ay) };
                let edge = |y: f32| if y <= 0.0 || y >= 1.0 { y } else { self.place(0.0, y).1 };
                let (ax, bx) = (self.place(ax, 0.0).0, self.place(bx, 0.0).0);
                let (ay, by) = (edge(ay), edge(by));
                let half = self.pen / 2.0 * (bx - ax).hypot(by - ay) / (by - ay).max(0.01);
                chain(letter, &[(ax - half, ay), (ax + half, ay), (bx + half, by), (bx - half, by)], true);
                if self.rounded {
                    letter.push_circle(ax, ay + self.pen / 2.0, self.pen / 2.0);
                    letter.push_circle(bx, by - self.pen / 2.0, self.pen / 2.0);
                }
            }
            Part::Bar(from, to, y) => {
                let ((from, y), (to, _)) = (self.place(from, y), self.place(to, y));
                let half = self.pen / 2.0;
                chain(
                    letter,
                    &[(from - half, y - half), (to + half, y - half), (to + half, y + half), (from - half, y + half)],
                    true,
                );
            }
            Part::Serif(..) if self.serif <= 0.0 => {}
            Part::Serif(x, y) => {
                let (x, y) = self.place(x, y);
                let (reach, half) = (self.pen / 2.0 + self.serif, self.pen / 2.0);
                chain(
                    letter,
                    &[(x - reach, y - half), (x + reach, y - half), (x + reach, y + half), (x - reach, y + half)],
                    true,
                );
            }
            Part::Dot(x, y) => {
                let (x, y) = self.place(x, y);
                letter.push_circle(x, y, self.pen * 0.7);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_of_every_style_stands_in_its_line() {
        for style in Style::ALL {
            let letters = Letters::new(style);
            for letter in ('A'..='Z').chain('0'..='9').chain(":/&'-.".chars()) {
                let bounds = letters.path(&letter.to_string(), 10.0).unwrap().bounds();
                assert!(bounds.top() > -0.8 && bounds.bottom() < 10.8, "{letter} {bounds:?} {style:?}");
                assert!(bounds.width() < 14.0, "{letter} {bounds:?}");
            }
        }
    }

    #[test]
    fn letters_that_are_not_ours_are_refused() {
        let letters = Letters::new(Style::SANS);
        for text in ["", " ", "é", "A\u{0}", "7♥", "A\n"] {
            assert!(letters.path(text, 10.0).is_none(), "{text:?}");
            assert!(letters.width(text, 10.0).is_finite());
        }
        assert!(letters.path("A", 0.0).is_none(), "no height, no letter");
        assert!(letters.path("A", f32::NAN).is_none(), "no height, no letter");
    }

    #[test]
    fn a_ten_is_hardly_wider_than_a_queen() {
        for style in Style::ALL {
            let width = |rank| Letters::new(style).index(rank, 10.0).unwrap().bounds().width();
            assert!(width(Rank::Ten) < width(Rank::Queen) * 1.3, "{style:?}");
        }
    }

    #[test]
    fn a_line_is_as_wide_as_it_says() {
        for style in Style::ALL {
            let letters = Letters::new(Style { slant: 0.0, serif: 0.0, ..style });
            let said = letters.width("HOUSE", 20.0);
            let drawn = letters.path("HOUSE", 20.0).unwrap().bounds().width();
            assert!((said - drawn).abs() < 1.0, "{said} {drawn}");
        }
    }
}
