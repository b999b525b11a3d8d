//! Which of the cards seen are the cards that were there.

use table::{BoxNo, Card, Face};

use super::card::Track;
use crate::vision::{Quad, Seen};

/// Outlines of one card at two looks share at least this much if it is read as the same; if it is not, at least so much
/// more: the next card of a hand is laid on the one before and shares nearly half with it.
const SAME: (f32, f32) = (0.45, 0.68);
/// A card counts as carried to another spot of its box only if it is read as surely as this both times.
const CARRIED: f32 = 0.7;

/// No two cards of a hand have their middles nearer to each other than this on the felt, in millimetres: whoever lays a card
/// on another leaves that one's index open.
const LAID: f32 = 16.0;

/// Of cards that no track is of, those that are cards of their own, in the order in which they were laid. Edges of cards that lie
/// on each other make outlines between them, which read like one of the two; `apart` says how far two outlines are from each other.
pub(super) fn new_cards<'a>(
    tracks: &[Track],
    seen: impl Iterator<Item = &'a Seen>,
    apart: impl Fn(&Quad, &Quad) -> Option<f32>,
) -> Vec<&'a Seen> {
    let near = |one: &Quad, other: &Quad| apart(one, other).is_some_and(|apart| apart < LAID);
    let mut surest: Vec<&Seen> = seen.collect();
    surest.sort_by(|a, b| b.confidence().total_cmp(&a.confidence()));
    let mut new: Vec<&Seen> = Vec::new();
    for card in surest {
        let followed = |track: &Track| {
            let same = track.face == Face::Up && track.missing.is_none() && card.card() == Some(track.card());
            same && near(&track.quad, &card.quad)
        };
        let told = |other: &&Seen| card.is_up() && card.card() == other.card() && near(&other.quad, &card.quad);
        if !tracks.iter().any(followed) && !new.iter().any(told) {
            new.push(card);
        }
    }
    as_laid(new)
}

/// Cards that were first seen together, the first laid first: of those that lie on each other the one of which most shows is on
/// top, and the further from it the earlier.
fn as_laid(cards: Vec<&Seen>) -> Vec<&Seen> {
    let from_top = |card: &Seen| {
        let on_it = cards.iter().filter(|other| other.quad.shared(&card.quad) > 0.0);
        let top = on_it.max_by(|a, b| a.visible.total_cmp(&b.visible));
        let ([x, y], [top_x, top_y]) = (card.quad.middle(), top.map_or(card.quad.middle(), |top| top.quad.middle()));
        (x - top_x).hypot(y - top_y)
    };
    let mut order: Vec<(f32, &Seen)> = cards.iter().map(|card| (from_top(card), *card)).collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0));
    order.into_iter().map(|(_, card)| card).collect()
}

/// For each track the number of the sighting that is the same card: one that lies where it lay, or else one of the same
/// face at the same box, for players' cards are moved about when a hand is split.
pub(super) fn pairs(
    tracks: &[&Track],
    seen: &[Seen],
    box_of: impl Fn(&Quad) -> Option<Option<BoxNo>>,
) -> Vec<Option<usize>> {
    let mut likely: Vec<(f32, usize, usize)> = Vec::new();
    for (of, track) in tracks.iter().enumerate() {
        for (which, seen) in seen.iter().enumerate() {
            let shared = track.quad.overlap(&seen.quad);
            let same = seen.card().unwrap_or(Card::HIDDEN) == track.card();
            if shared >= if same { SAME.0 } else { SAME.1 } {
                likely.push((shared + if same { 0.4 } else { 0.0 }, of, which));
            }
        }
    }
    likely.sort_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
    let mut pairs = vec![None; tracks.len()];
    let mut taken = vec![false; seen.len()];
    for (_, of, which) in likely {
        if pairs[of].is_none() && !taken[which] {
            pairs[of] = Some(which);
            taken[which] = true;
        }
    }
    for (of, track) in tracks.iter().enumerate() {
        let Some(home) = box_of(&track.quad).flatten() else { continue };
        if pairs[of].is_some() || track.face == Face::Down || track.confidence() < CARRIED {
            continue;
        }
        let carried = seen.iter().enumerate().position(|(which, seen)| {
            !taken[which]
                && seen.card() == Some(track.card())
                && seen.confidence() >= CARRIED
                && box_of(&seen.quad).flatten() == Some(home)
        });
        if let Some(which) = carried {
            pairs[of] = Some(which);
            taken[which] = true;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use table::Utc;

    use super::*;

    /// A sighting of the rank with this number at a place.
    fn seen(x: f32, y: f32, rank: usize) -> Seen {
        let mut ranks = [0.005; 13];
        ranks[rank] = 0.94;
        let quad = Quad::around([x, y], [0.0, -56.0], [40.0, 0.0]);
        Seen { quad, ranks, suits: [0.97, 0.01, 0.01, 0.01], state: [0.98, 0.01, 0.01], visible: 1.0 }
    }

    fn paired(tracks: &[Seen], now: &[Seen]) -> Vec<Option<usize>> {
        let tracks: Vec<Track> = tracks.iter().map(|seen| Track::new(1, seen, Utc::EPOCH)).collect();
        pairs(&tracks.iter().collect::<Vec<_>>(), now, |_| Some(BoxNo::new(3)))
    }

    #[test]
    fn the_next_card_of_a_hand_is_not_taken_for_the_one_below() {
        assert_eq!(paired(&[seen(100.0, 100.0, 4)], &[seen(118.0, 77.0, 8)]), [None]);
        assert_eq!(paired(&[seen(100.0, 100.0, 4)], &[seen(118.0, 77.0, 8), seen(101.0, 99.0, 4)]), [Some(1)]);
    }

    /// The numbers of the new cards among what was seen, where a pixel is a millimetre.
    fn new(tracks: &[Seen], now: &[Seen]) -> Vec<usize> {
        let tracks: Vec<Track> = tracks.iter().map(|seen| Track::new(1, seen, Utc::EPOCH)).collect();
        let apart = |one: &Quad, other: &Quad| {
            let ([x, y], [to_x, to_y]) = (one.middle(), other.middle());
            Some((x - to_x).hypot(y - to_y))
        };
        let new = new_cards(&tracks, now.iter(), apart);
        new.iter().filter_map(|card| now.iter().position(|seen| seen == *card)).collect()
    }

    #[test]
    fn one_face_twice_in_one_place_is_one_card() {
        assert_eq!(new(&[seen(100.0, 100.0, 4)], &[seen(108.0, 104.0, 4)]).len(), 0);
        assert_eq!(new(&[], &[seen(100.0, 100.0, 4), seen(108.0, 104.0, 4)]).len(), 1);
        assert_eq!(new(&[seen(100.0, 100.0, 4)], &[seen(108.0, 104.0, 8)]), [0], "another face");
        assert_eq!(new(&[seen(100.0, 100.0, 4)], &[seen(118.0, 77.0, 4)]), [0], "as far off as cards are laid");
        let unmeasured = new_cards(&[], [seen(100.0, 100.0, 4), seen(108.0, 104.0, 4)].iter(), |_, _| None).len();
        assert_eq!(unmeasured, 2, "no calibration, no millimetres");
    }

    #[test]
    fn cards_first_seen_together_come_in_the_order_in_which_they_were_laid() {
        let showing = |visible: f32, card: Seen| Seen { visible, ..card };
        let fan = [
            showing(0.5, seen(118.0, 77.0, 2)),
            showing(1.0, seen(136.0, 54.0, 3)),
            showing(0.45, seen(100.0, 100.0, 1)),
        ];
        assert_eq!(new(&[], &fan), [2, 0, 1]);
    }

    #[test]
    fn a_card_read_otherwise_in_its_own_place_is_the_same_card() {
        assert_eq!(paired(&[seen(100.0, 100.0, 4)], &[seen(102.0, 101.0, 8)]), [Some(0)]);
    }

    #[test]
    fn a_card_carried_across_its_box_is_known_by_its_face() {
        let before = [seen(100.0, 100.0, 7), seen(118.0, 77.0, 7)];
        let after = [seen(60.0, 40.0, 7), seen(160.0, 40.0, 7)];
        assert_eq!(paired(&before, &after), [Some(0), Some(1)]);
        assert_eq!(paired(&before[..1], &[seen(160.0, 40.0, 2)]), [None]);
    }
}
