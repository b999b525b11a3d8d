//! Which of the cards seen are the cards that were there.

use table::{BoxNo, Card, Face};

use super::card::Track;
use crate::vision::{Quad, Seen};

/// Outlines of one card at two looks share at least this much if it is read as the same; if it is not, at least so much
/// more: the next card of a hand is laid on the one before and shares nearly half with it.
const SAME: (f32, f32) = (0.45, 0.68);
/// A card counts as carried to another spot of its box only if it is read as surely as this both times.
const CARRIED: f32 = 0.7;

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
