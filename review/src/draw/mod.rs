//! Drawings as SVG: cards, chips, the table from above, a shoe's cards, counts and trends.
//!
//! Every function here is pure: the same round gives the same bytes. Nothing carries a colour of its own. Shapes have
//! classes, and the style sheet gives them the colours of the light or the dark room. Suits are drawn once, in the
//! [`SPRITE`] that each page holds, and only pointed at from there on.

mod card;
mod chips;
mod felt;
mod grid;
mod mark;
mod multiple;
mod odds;
mod strip;
mod timeline;

use std::fmt;

pub use card::{face, hand};
pub use felt::{boxes_of, felt};
pub use grid::composition;
pub use mark::{SPRITE, severity};
pub use multiple::{Point, Series, multiple};
pub use odds::{Odds, odds};
pub use strip::{Segment, strip};
pub use timeline::{StepMark, timeline};

/// An SVG picture that is being drawn.
pub(crate) struct Svg {
    text: String,
}

impl Svg {
    /// An empty picture of so many units, with a sentence for those who cannot see it.
    pub(crate) fn new(class: &str, size: (f64, f64), label: &str) -> Self {
        Self::with_role("img", class, size, label)
    }

    /// The same for a picture whose parts can be chosen, which a reader must not take for one thing.
    pub(crate) fn of_parts(class: &str, size: (f64, f64), label: &str) -> Self {
        Self::with_role("group", class, size, label)
    }

    fn with_role(role: &str, class: &str, (width, height): (f64, f64), label: &str) -> Self {
        let mut svg = Self { text: String::with_capacity(4096) };
        svg.put(format_args!(
            "<svg class=\"{class}\" viewBox=\"0 0 {} {}\" role=\"{role}\" aria-label=\"{}\">",
            Num(width),
            Num(height),
            Esc(label)
        ));
        svg
    }

    /// Adds markup.
    pub(crate) fn put(&mut self, markup: fmt::Arguments<'_>) {
        // Writing to a string cannot fail.
        let _ = fmt::Write::write_fmt(&mut self.text, markup);
    }

    /// Adds a group, drawn by `inside`.
    pub(crate) fn group(&mut self, class: &str, (x, y): (f64, f64), inside: impl FnOnce(&mut Self)) {
        self.put(format_args!("<g class=\"{class}\" transform=\"translate({} {})\">", Num(x), Num(y)));
        inside(self);
        self.put(format_args!("</g>"));
    }

    /// Adds a line of text.
    pub(crate) fn text(&mut self, class: &str, (x, y): (f64, f64), text: &dyn fmt::Display) {
        let text = text.to_string();
        self.put(format_args!("<text class=\"{class}\" x=\"{}\" y=\"{}\">{}</text>", Num(x), Num(y), Esc(&text)));
    }

    /// The finished picture.
    pub(crate) fn finish(mut self) -> String {
        self.text.push_str("</svg>");
        self.text
    }
}

/// A coordinate to a tenth, without idle zeros.
pub(crate) struct Num(pub(crate) f64);

impl fmt::Display for Num {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let tenths = (self.0 * 10.0).round() as i64;
        let sign = if tenths < 0 { "-" } else { "" };
        match (tenths.unsigned_abs() / 10, tenths.unsigned_abs() % 10) {
            (whole, 0) => write!(f, "{sign}{whole}"),
            (whole, tenth) => write!(f, "{sign}{whole}.{tenth}"),
        }
    }
}

/// Text that cannot become markup.
pub(crate) struct Esc<'t>(pub(crate) &'t str);

impl fmt::Display for Esc<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for letter in self.0.chars() {
            match letter {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                other => fmt::Write::write_char(f, other)?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_short_and_signed() {
        let told = [0.0, -0.04, 1.25, -3.0, 12.96].map(|n| Num(n).to_string());
        assert_eq!(told, ["0", "0", "1.3", "-3", "13"]);
    }

    #[test]
    fn no_text_becomes_markup() {
        let mut svg = Svg::new("x", (1.0, 1.0), "\"><script>");
        svg.text("t", (0.0, 0.0), &"<b>'&");
        let svg = svg.finish();
        assert!(!svg.contains("<script>") && !svg.contains("<b>"), "{svg}");
    }
}
