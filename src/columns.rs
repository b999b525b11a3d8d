//! Tables for the terminal: cells wrap within their column, and the whole stays within a hundred columns.

use std::io::{self, Write};

use anstyle::Style;

/// The width that everything fits.
pub(crate) const WIDTH: usize = 100;
/// Headings.
pub(crate) const STRONG: Style = Style::new().bold();
/// What is beside the point.
pub(crate) const FAINT: Style = Style::new().dimmed();

/// One row: cells, each with the width it may take and its style. Rows are indented by two.
pub(crate) fn row(out: &mut impl Write, cells: &[(&str, usize, Style)]) -> io::Result<()> {
    let wrapped: Vec<_> = cells.iter().map(|(text, width, _)| wrap(text, *width)).collect();
    let height = wrapped.iter().map(Vec::len).max().unwrap_or(0);
    for line in 0..height {
        let mut gap = 2;
        for ((_, width, style), lines) in cells.iter().zip(&wrapped) {
            let text = lines.get(line).map_or("", |text| text);
            if !text.is_empty() {
                write!(out, "{:gap$}{style}{text}{style:#}", "")?;
                gap = 0;
            }
            gap += width - text.chars().count().min(*width) + 2;
        }
        writeln!(out)?;
    }
    Ok(())
}

/// Breaks a text into lines of at most `width` characters, between words where it can.
pub(crate) fn wrap(text: &str, width: usize) -> Vec<String> {
    let width = width.max(1);
    let mut lines = vec![String::new()];
    let mut used = 0;
    for word in text.split_whitespace() {
        let mut letters: Vec<char> = word.chars().collect();
        if used > 0 && used + 1 + letters.len() > width {
            lines.push(String::new());
            used = 0;
        }
        while letters.len() > width {
            // A tag reads better cut behind one of its dots.
            let dot = letters[..width].iter().rposition(|letter| *letter == '.').map(|dot| dot + 1);
            let rest = letters.split_off(dot.unwrap_or(width));
            lines.push(std::mem::replace(&mut letters, rest).into_iter().collect());
            // The piece has its line to itself, before the open one.
            let last = lines.len() - 1;
            lines.swap(last - 1, last);
        }
        if let Some(line) = lines.last_mut() {
            if used > 0 {
                line.push(' ');
                used += 1;
            }
            used += letters.len();
            line.extend(letters);
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_break_between_words_and_a_word_too_long_is_cut() {
        assert_eq!(wrap("dealer must draw to 17", 11), ["dealer must", "draw to 17"]);
        assert_eq!(wrap("a dealer_stood_short b", 8), ["a", "dealer_s", "tood_sho", "rt b"]);
        assert_eq!(wrap("hit_on_21.natural", 12), ["hit_on_21.", "natural"]);
        assert_eq!(wrap("", 5), [""]);
        assert_eq!(wrap("ab", 0), ["a", "b"]);
    }

    #[test]
    fn a_row_aligns_its_columns_and_leaves_no_blanks_behind() {
        let mut out = Vec::new();
        let plain = Style::new();
        row(&mut out, &[("h17", 5, plain), ("", 4, plain), ("the dealer draws", 10, plain)]).unwrap();
        assert_eq!(String::from_utf8(out).unwrap(), "  h17          the dealer\n               draws\n");
    }
}
