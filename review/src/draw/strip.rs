//! A shoe's cards in the order they came, the rounds bracketed.

use table::card::Rank;
use table::{Card, Suit};

use super::card::index;
use super::{Esc, Num, Svg};

/// Cards that belong together: a round, the burn, what came out of turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// What it is called under its bracket.
    pub name: String,
    /// Where a click leads, if anywhere.
    pub link: Option<String>,
    /// Whether something in it was flagged.
    pub flagged: bool,
    /// Whether its cards were burned.
    pub burned: bool,
    /// Whether the cutting card came out in it, and before which of its cards.
    pub cut_before: Option<usize>,
    /// The cards.
    pub cards: Vec<Card>,
}

const CELL: (f64, f64) = (19.0, 34.0);
const ROW: f64 = 64.0;
/// Cards to a row.
const PER_ROW: usize = 52;

/// Draws the strip in rows of fifty-two.
pub fn strip(segments: &[Segment]) -> String {
    let count: usize = segments.iter().map(|segment| segment.cards.len()).sum();
    let rows = count.div_ceil(PER_ROW).max(1);
    let size = (CELL.0 * PER_ROW as f64 + 2.0, ROW * rows as f64);
    let mut svg = Svg::of_parts("strip", size, &format!("{count} cards in the order they left the shoe"));
    let mut at = 0;
    for segment in segments {
        if let Some(link) = &segment.link {
            svg.put(format_args!("<a href=\"{}\">", Esc(link)));
        }
        bracket(&mut svg, segment, at);
        for (number, card) in segment.cards.iter().enumerate() {
            if segment.cut_before == Some(number) {
                let (x, y) = place(at);
                svg.put(format_args!(
                    "<path class=\"cut-card\" d=\"M{} {}v{}\"/>",
                    Num(x),
                    Num(y - 3.0),
                    Num(CELL.1 + 6.0)
                ));
            }
            cell(&mut svg, *card, segment.burned, at);
            at += 1;
        }
        if segment.link.is_some() {
            svg.put(format_args!("</a>"));
        }
    }
    svg.finish()
}

fn place(at: usize) -> (f64, f64) {
    (1.0 + (at % PER_ROW) as f64 * CELL.0, 4.0 + (at / PER_ROW) as f64 * ROW)
}

fn cell(svg: &mut Svg, card: Card, burned: bool, at: usize) {
    let (x, y) = place(at);
    let class = match card.suit() {
        _ if burned && !card.is_known() => "cell burned unread",
        None => "cell unread",
        Some(Suit::Clubs) => "cell suit-c",
        Some(Suit::Diamonds) => "cell suit-d",
        Some(Suit::Hearts) => "cell suit-h",
        Some(Suit::Spades) => "cell suit-s",
    };
    svg.put(format_args!(
        "<g class=\"{class}\"><title>card {}: {}{}</title><rect class=\"paper\" x=\"{}\" y=\"{}\" width=\"18\" height=\"{}\" rx=\"2\"/>",
        at + 1,
        Esc(&card.pretty()),
        if burned { ", burned" } else { "" },
        Num(x),
        Num(y),
        Num(CELL.1)
    ));
    match (card.rank(), card.suit()) {
        (Some(rank), Some(suit)) => {
            let class = if rank == Rank::Ten { "rank narrow" } else { "rank" };
            svg.text(class, (x + 9.0, y + 15.0), &index(rank));
            let letter = suit.letter().to_ascii_lowercase();
            svg.put(format_args!(
                "<use href=\"#suit-{letter}\" x=\"{}\" y=\"{}\" width=\"11\" height=\"11\"/>",
                Num(x + 3.5),
                Num(y + 19.0)
            ));
        }
        _ => svg.text("rank", (x + 9.0, y + 22.0), &if burned { "×" } else { "?" }),
    }
    svg.put(format_args!("</g>"));
}

/// A line under the segment's cards, in each row they reach into; its name under the first.
fn bracket(svg: &mut Svg, segment: &Segment, from: usize) {
    let to = from + segment.cards.len();
    let class = if segment.flagged { "bracket flagged" } else { "bracket" };
    let mut start = from;
    while start < to {
        let end = to.min((start / PER_ROW + 1) * PER_ROW);
        let ((x, y), width) = (place(start), (end - start) as f64 * CELL.0 - 4.0);
        svg.put(format_args!(
            "<path class=\"{class}\" d=\"M{} {}h{}\"/>",
            Num(x + 1.0),
            Num(y + CELL.1 + 4.0),
            Num(width)
        ));
        // A burn is one card wide, too narrow for a name; its mark says it.
        if start == from && !segment.burned {
            svg.text(class, (x + 1.0, y + CELL.1 + 17.0), &segment.name);
        }
        start = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_round_that_runs_into_the_next_row_is_bracketed_in_both() {
        let segment = Segment {
            name: "round <1>".into(),
            link: Some("/rounds/BJ-04/17/1".into()),
            flagged: true,
            burned: false,
            cut_before: Some(3),
            cards: Card::faces().take(40).collect(),
        };
        let svg = strip(&[segment.clone(), segment]);
        assert_eq!(svg.matches("<path class=\"bracket flagged\"").count(), 3);
        assert_eq!(svg.matches("cut-card").count(), 2);
        assert!(!svg.contains("<1>"));
    }
}
