//! Card faces of our own drawing: an index that can be read across a room, and one big suit.

use table::card::Rank;
use table::layout::LaidCard;
use table::{Card, Face, Suit, Turn};

use super::{Esc, Num, Svg};

/// A card's width and height in the units of its drawing.
pub(super) const SIZE: (f64, f64) = (50.0, 70.0);
/// How much of a card the next one leaves in sight.
pub(super) const FAN: f64 = 30.0;
/// The same in the hands of a split, which have less room.
pub(super) const SPLIT_FAN: f64 = 27.0;

/// How far a card that lies sideways juts out over the place it would have upright, at either end.
pub(super) const JUT: f64 = (SIZE.1 - SIZE.0) / 2.0;

/// Whether a card lies sideways, as the one to a double does.
pub(super) fn is_sideways(laid: &LaidCard) -> bool {
    laid.turn == Turn::Sideways
}

/// The letter of a suit's symbol.
const fn symbol(suit: Suit) -> char {
    suit.letter().to_ascii_lowercase()
}

/// The rank as printed: `10`, not `T`.
pub(super) fn index(rank: Rank) -> String {
    if rank == Rank::Ten { "10".to_owned() } else { rank.letter().to_string() }
}

/// Draws a card with its top left corner at the origin.
pub(super) fn draw(svg: &mut Svg, laid: LaidCard) {
    let (width, height) = SIZE;
    let sideways = is_sideways(&laid);
    if sideways {
        // Turned about its middle, so that it takes the place it would have taken upright.
        svg.put(format_args!("<g transform=\"rotate(90 {} {})\">", Num(width / 2.0), Num(height / 2.0)));
    }
    match (laid.card.rank(), laid.card.suit()) {
        (Some(rank), Some(suit)) => {
            let down = if laid.face == Face::Down { " down" } else { "" };
            svg.put(format_args!(
                "<g class=\"card suit-{s}{down}\"><rect class=\"paper\" width=\"{}\" height=\"{}\" rx=\"5\"/>\
                 <text class=\"rank{narrow}\" y=\"26\"{place}>{}</text>\
                 <use href=\"#suit-{s}\" x=\"5\" y=\"31\" width=\"15\" height=\"15\"/>\
                 <use href=\"#suit-{s}\" x=\"20\" y=\"36\" width=\"27\" height=\"27\"/></g>",
                Num(width),
                Num(height),
                index(rank),
                s = symbol(suit),
                narrow = if rank == Rank::Ten { " narrow" } else { "" },
                // Two digits are set to the width that the next card leaves in sight, whatever the typeface.
                place = if rank == Rank::Ten {
                    " x=\"2\" textLength=\"24\" lengthAdjust=\"spacingAndGlyphs\""
                } else {
                    " x=\"4\""
                },
            ));
        }
        _ => {
            let (class, sign) = if laid.card == Card::UNREAD { ("unread", "?") } else { ("back", "") };
            svg.put(format_args!(
                "<g class=\"card {class}\"><rect class=\"paper\" width=\"{w}\" height=\"{h}\" rx=\"5\"/>\
                 <rect class=\"lining\" x=\"5\" y=\"5\" width=\"{iw}\" height=\"{ih}\" rx=\"3\"/>",
                w = Num(width),
                h = Num(height),
                iw = Num(width - 10.0),
                ih = Num(height - 10.0)
            ));
            if !sign.is_empty() {
                svg.text("rank", (17.0, 44.0), &sign);
            }
            svg.put(format_args!("</g>"));
        }
    }
    if sideways {
        svg.put(format_args!("</g>"));
    }
}

/// One card by itself.
pub fn face(card: Card) -> String {
    let mut svg = Svg::new("card-glyph", SIZE, &card.pretty());
    draw(&mut svg, LaidCard { card, face: Face::Up, turn: Turn::Upright });
    svg.finish()
}

/// A hand of cards fanned so that every index can be read.
pub fn hand(cards: &[LaidCard]) -> String {
    let (width, height) = SIZE;
    let (mut at, mut whole, mut places) = (0.0, width, Vec::with_capacity(cards.len()));
    for laid in cards {
        let further = if laid.turn == Turn::Sideways { height - width } else { 0.0 };
        places.push(at + further / 2.0);
        whole = at + width + further;
        at += FAN + further;
    }
    let told = cards.iter().map(|laid| laid.card.pretty()).collect::<Vec<_>>().join(" ");
    let mut svg = Svg::new("hand-glyph", (whole, height), &told);
    for (x, laid) in places.into_iter().zip(cards) {
        svg.group("", (x, 0.0), |svg| {
            svg.put(format_args!("<title>{}</title>", Esc(&laid.card.pretty())));
            draw(svg, *laid);
        });
    }
    svg.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_card_shows_its_rank_and_suit_and_what_is_hidden_shows_neither() {
        for card in Card::faces() {
            let svg = face(card);
            assert!(svg.contains(&format!(">{}</text>", index(card.rank().unwrap()))), "{svg}");
            assert!(svg.contains(&format!("suit-{}", symbol(card.suit().unwrap()))), "{svg}");
        }
        assert!(!face(Card::HIDDEN).contains("suit-"));
        assert!(face(Card::UNREAD).contains('?'));
    }

    #[test]
    fn a_hand_is_as_wide_as_its_cards() {
        let laid = |turn| LaidCard { card: Card::faces().next().unwrap(), face: Face::Up, turn };
        assert!(hand(&[laid(Turn::Upright)]).contains("viewBox=\"0 0 50 70\""));
        assert!(hand(&[laid(Turn::Upright), laid(Turn::Upright)]).contains("viewBox=\"0 0 80 70\""));
        assert!(hand(&[laid(Turn::Upright), laid(Turn::Sideways)]).contains("viewBox=\"0 0 100 70\""));
        assert!(hand(&[]).contains("viewBox=\"0 0 50 70\""));
    }
}
