//! How many of each card a shoe has shown, against how many it should hold.

use table::card::Rank;
use table::{Card, Suit};

use super::card::index;
use super::{Num, Svg};

const CELL: (f64, f64) = (44.0, 34.0);
const LEFT: f64 = 30.0;
const TOP: f64 = 24.0;

/// Draws thirteen ranks by four suits. `counts` is by [`Card::index`]; `decks` is how many of each there should be at the
/// most. A card seen more often than that stands out.
pub fn composition(counts: &[u32; 52], decks: u32) -> String {
    let size = (LEFT + 13.0 * CELL.0 + 2.0, TOP + 4.0 * CELL.1 + 2.0);
    let mut svg = Svg::new("composition", size, "How often each card was seen");
    for (column, rank) in Rank::ALL.iter().enumerate() {
        svg.text("head", (LEFT + (column as f64 + 0.5) * CELL.0, 16.0), &index(*rank));
    }
    for (row, suit) in [Suit::Spades, Suit::Hearts, Suit::Clubs, Suit::Diamonds].into_iter().enumerate() {
        let y = TOP + row as f64 * CELL.1;
        let letter = suit.letter().to_ascii_lowercase();
        svg.put(format_args!(
            "<g class=\"suit suit-{letter}\"><use href=\"#suit-{letter}\" x=\"5\" y=\"{}\" width=\"16\" height=\"16\"/></g>",
            Num(y + 8.0)
        ));
        for (column, rank) in Rank::ALL.iter().enumerate() {
            let card = Card::new(*rank, suit);
            let count = card.index().and_then(|at| counts.get(at)).copied().unwrap_or_default();
            cell(&mut svg, card, count, decks, (LEFT + column as f64 * CELL.0, y));
        }
    }
    svg.finish()
}

fn cell(svg: &mut Svg, card: Card, count: u32, decks: u32, (x, y): (f64, f64)) {
    let over = count > decks;
    let class = match count {
        _ if over => "n over",
        0 => "n none",
        _ => "n",
    };
    // The bar shows how much of what there should be has been seen.
    let share = f64::from(count.min(decks)) / f64::from(decks.max(1));
    svg.put(format_args!(
        "<g class=\"{class}\"><title>{}: {count} seen of {decks}</title>\
         <rect class=\"cell\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"3\"/>\
         <rect class=\"share\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"3\"/>",
        card.pretty(),
        Num(x + 1.0),
        Num(y + 1.0),
        Num(CELL.0 - 2.0),
        Num(CELL.1 - 2.0),
        Num(x + 4.0),
        Num(y + CELL.1 - 7.0),
        Num((CELL.0 - 8.0) * share)
    ));
    svg.text("count", (x + CELL.0 / 2.0, y + 19.0), &format!("{count}{}", if over { " !" } else { "" }));
    svg.put(format_args!("</g>"));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seventh_of_six_stands_out() {
        let mut counts = [3; 52];
        counts[10] = 7;
        let svg = composition(&counts, 6);
        assert_eq!(svg.matches("n over").count(), 1);
        assert_eq!(svg.matches("class=\"cell\"").count(), 52);
        assert!(composition(&[0; 52], 0).contains("n none"));
    }
}
