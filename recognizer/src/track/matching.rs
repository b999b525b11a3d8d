//! Which of the cards seen are the cards that were there.

use table::{BoxNo, Card, Face, Place};

use super::card::Track;
use crate::vision::{Quad, Seen};

/// Outlines of one card at two looks share at least this much if it is read as the same; if it is not, at least so much
/// more: the next card of a hand is laid on the one before and shares nearly half with it.
const SAME: (f32, f32) = (0.45, 0.68);
/// In a column the next card shares even more, so what was surely read as another rank is another card unless it shares this.
const READ_OTHERWISE: f32 = 0.85;
/// A card counts as carried to another spot of its box only if it is read as surely as this both times,
const CARRIED: f32 = 0.7;
/// or as this once, if nothing lies where it lay, or a card that was carried there,
const MISSING: f32 = 0.4;
/// and no more of it than this lies under cards that came later and have stayed where they were.
const HELD: f32 = 0.3;

/// No two cards of a hand have their middles nearer to each other than this on the felt, in millimetres: whoever lays a card
/// on another leaves that one's index open.
const LAID: f32 = 16.0;
/// The same for backs, of which the finder sees one more between two that lie on each other.
const BACKS_LAID: f32 = 13.0;
/// Something so near to a card and read less surely than this is that card once more, whatever it reads like.
const SURE: f32 = 0.85;

/// A card that lies on others and is found further from where it lay than this part of its width was moved, and they with it.
const MOVED: f32 = 0.25;
/// It lies on those of which it hid at least this much.
const LAID_ON: f32 = 0.3;

/// Cards that share less than this lie side by side.
const TOUCHES: f32 = 0.1;

/// A card found no further than this part of its width from where it lay has stayed there.
const STAYED: f32 = 0.12;
/// How nearly the next card of a hand is laid in the direction of those before, as a cosine, and how much nearer or further than they.
const ONWARD: (f32, std::ops::RangeInclusive<f32>) = (0.8, 0.6..=1.6);

/// What became of a card that was there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Whereabouts {
    /// It is the sighting with this number.
    Seen(usize),
    /// Nobody sees it, but the card that lay on it was moved with its whole hand, so it must lie here.
    Below(Quad),
    /// It was not seen.
    Unknown,
}

/// Of cards that no track is of, those that are cards of their own, in the order in which they were laid. Edges of cards that lie
/// on each other make outlines between them, which read like one of the two, or doubtfully like something else; `apart` says how
/// far two outlines are from each other.
pub(super) fn new_cards<'a>(
    tracks: &[Track],
    seen: impl Iterator<Item = &'a Seen>,
    apart: impl Fn(&Quad, &Quad) -> Option<f32>,
) -> Vec<&'a Seen> {
    let near = |one: &Quad, other: &Quad, least: f32| apart(one, other).is_some_and(|apart| apart < least);
    let mut surest: Vec<&Seen> = seen.collect();
    surest.sort_by(|a, b| b.confidence().total_cmp(&a.confidence()));
    let mut new: Vec<&Seen> = Vec::new();
    for card in surest {
        let echoes = |of: Option<Card>, quad: &Quad| match of {
            Some(_) if card.is_up() => (card.confidence() < SURE || card.card() == of) && near(quad, &card.quad, LAID),
            None if !card.is_up() => near(quad, &card.quad, BACKS_LAID),
            _ => false,
        };
        let followed = |track: &Track| {
            let face = Some(track.card()).filter(|_| track.face == Face::Up);
            track.missing.is_none() && echoes(face, &track.quad)
        };
        if !tracks.iter().any(followed) && !new.iter().any(|other| echoes(other.card(), &other.quad)) {
            new.push(card);
        }
    }
    as_laid(new)
}

/// Cards that were first seen together, the first laid first: of those that lie on each other the one of which most shows is on
/// top, and the further from it the earlier. Of those that lie side by side, as the dealer's own do, the leftmost.
fn as_laid(cards: Vec<&Seen>) -> Vec<&Seen> {
    let from_top = |card: &Seen| {
        let on_it = cards.iter().filter(|other| other.quad.shared(&card.quad) > TOUCHES * card.quad.area());
        let top = on_it.max_by(|a, b| a.visible.total_cmp(&b.visible));
        let ([x, y], [top_x, top_y]) = (card.quad.middle(), top.map_or(card.quad.middle(), |top| top.quad.middle()));
        (x - top_x).hypot(y - top_y)
    };
    let mut order: Vec<(f32, &Seen)> = cards.iter().map(|card| (from_top(card), *card)).collect();
    order.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.quad.middle()[0].total_cmp(&b.1.quad.middle()[0])));
    order.into_iter().map(|(_, card)| card).collect()
}

/// For each track, the first laid first, the number of the sighting that is the same card: one that lies where it lay, or else one of the same
/// face at the same box, for players' cards are moved about when a hand is split. `at_box` says at which box an outline lies, and
/// how far across it, if it is known to be of a box.
pub(super) fn pairs(
    tracks: &[&Track],
    seen: &[Seen],
    at_box: impl Fn(&Quad, Option<BoxNo>) -> Option<(BoxNo, f32)>,
) -> Vec<Option<usize>> {
    let in_place = in_place(tracks, seen);
    // Where a card lay another may lie by now: what is read otherwise there is that card only if it was not carried.
    let itself = |(of, which): (usize, &Option<usize>)| which.filter(|which| is_read_alike(tracks[of], &seen[*which]));
    let mut pairs: Vec<Option<usize>> = in_place.iter().enumerate().map(itself).collect();
    carry(tracks, seen, &in_place, &mut pairs, at_box);
    for (of, stayed) in in_place.iter().enumerate() {
        if pairs[of].is_none() && !pairs.contains(stayed) {
            pairs[of] = *stayed;
        }
    }
    let others: Vec<usize> = (0..tracks.len()).filter(|of| is_laid_on_its_like(tracks, seen, &pairs, *of)).collect();
    others.into_iter().for_each(|of| pairs[of] = None);
    pairs
}

fn is_read_alike(track: &Track, seen: &Seen) -> bool {
    seen.card().unwrap_or(Card::HIDDEN) == track.card()
}

/// For each track what lies where it lay, though it may be read otherwise.
fn in_place(tracks: &[&Track], seen: &[Seen]) -> Vec<Option<usize>> {
    let mut likely: Vec<(f32, usize, usize)> = Vec::new();
    for (of, track) in tracks.iter().enumerate() {
        for (which, seen) in seen.iter().enumerate() {
            let shared = track.quad.overlap(&seen.quad);
            let same = is_read_alike(track, seen);
            let sure = seen.confidence() >= SURE && track.confidence() >= SURE;
            // Suits are mistaken for each other, ranks hardly ever.
            let other = sure && seen.card().is_some_and(|card| card.rank() != track.card().rank());
            let least = match same {
                true => SAME.0,
                false if other && track.face == Face::Up => READ_OTHERWISE,
                false => SAME.1,
            };
            if shared >= least {
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
    pairs
}

/// Pairs cards that do not lie where they lay with those of their face elsewhere at their box.
fn carry(
    tracks: &[&Track],
    seen: &[Seen],
    in_place: &[Option<usize>],
    pairs: &mut [Option<usize>],
    at_box: impl Fn(&Quad, Option<BoxNo>) -> Option<(BoxNo, f32)>,
) {
    // Those that were read surely choose first: where a doubtful one lay one of them may lie by now.
    for sure in [true, false] {
        for (of, track) in tracks.iter().enumerate() {
            let told = track.told.and_then(|told| told.at?.place.box_no());
            let Some((home, across)) = at_box(&track.quad, told) else { continue };
            let after = tracks.iter().zip(in_place).skip(of + 1).filter(|(_, stayed)| stayed.is_some());
            let held = || after.clone().any(|(other, _)| other.quad.shared(&track.quad) > HELD * track.quad.area());
            let displaced = in_place[of].is_none_or(|which| pairs.contains(&Some(which)));
            let enough = if sure || !displaced { CARRIED } else { MISSING };
            if pairs[of].is_some() || track.face == Face::Down || track.confidence() < enough || held() {
                continue;
            }
            let least = if in_place[of].is_some() { CARRIED } else { MISSING };
            // How far a card was carried, if this is the card. Hands stay in the order in which they lay: of two of one face the
            // first goes to the nearer place.
            let carried = |(which, seen): (usize, &Seen)| {
                let (there, to) = at_box(&seen.quad, Some(home))?;
                let same = seen.card() == Some(track.card()) && seen.confidence() >= least && there == home;
                (same && !pairs.contains(&Some(which))).then_some((which, (to - across).abs()))
            };
            let nearest = seen.iter().enumerate().filter_map(carried).min_by(|a, b| a.1.total_cmp(&b.1));
            pairs[of] = nearest.map(|(which, _)| which);
        }
    }
}

/// Whether what pairs with a card is another of the same face, laid on it: it lies where the next card of its hand belongs, while those
/// below have stayed. Nobody pushes one card of a hand alone.
fn is_laid_on_its_like(tracks: &[&Track], seen: &[Seen], pairs: &[Option<usize>], of: usize) -> bool {
    let told = |track: &Track| track.told?.at.map(|at| (at.place, f32::from(at.position.get())));
    let by = |of: usize| {
        let ([x, y], [to_x, to_y]) = (tracks[of].quad.middle(), seen[pairs[of]?].quad.middle());
        Some([to_x - x, to_y - y])
    };
    let length = |[x, y]: [f32; 2]| x.hypot(y);
    let (track, width) = (tracks[of], tracks[of].quad.card_width());
    let (Some(on), Some((hand, position))) = (by(of).filter(|by| length(*by) > MOVED * width), told(track)) else {
        return false;
    };
    tracks.iter().enumerate().take(of).any(|(lower, below)| {
        let Some((_, before)) = told(below).filter(|(of, before)| *of == hand && *before < position) else {
            return false;
        };
        let ([x, y], [from_x, from_y]) = (track.quad.middle(), below.quad.middle());
        let step = [x - from_x, y - from_y].map(|along| along / (position - before));
        let onward = on[0] * step[0] + on[1] * step[1] > ONWARD.0 * length(on) * length(step);
        let stays = by(lower).is_some_and(|by| length(by) < STAYED * width);
        stays && onward && ONWARD.1.contains(&(length(on) / length(step)))
    })
}

/// What became of each track, given what pairs with what. A second split makes room for a third hand, and the others are pushed
/// aside whole: of what lies below in them too little shows to be known by its face alone.
pub(super) fn whereabouts(tracks: &[&Track], seen: &[Seen], pairs: &[Option<usize>]) -> Vec<Whereabouts> {
    let mut taken: Vec<bool> = (0..seen.len()).map(|which| pairs.contains(&Some(which))).collect();
    let mut found = Vec::with_capacity(tracks.len());
    for (of, track) in tracks.iter().enumerate() {
        if let Some(which) = pairs[of] {
            found.push(Whereabouts::Seen(which));
            continue;
        }
        let Some(quad) = moved_along(tracks, seen, pairs, of) else {
            found.push(Whereabouts::Unknown);
            continue;
        };
        let there = |which: &usize| {
            !taken[*which] && seen[*which].card() == Some(track.card()) && quad.overlap(&seen[*which].quad) >= SAME.0
        };
        match (0..seen.len()).find(there) {
            Some(which) => {
                taken[which] = true;
                found.push(Whereabouts::Seen(which));
            }
            None => found.push(Whereabouts::Below(quad)),
        }
    }
    found
}

/// Where a card must lie since the one on top of it was moved.
fn moved_along(tracks: &[&Track], seen: &[Seen], pairs: &[Option<usize>], of: usize) -> Option<Quad> {
    let track = tracks[of];
    let hand = |track: &Track| track.told?.at.map(|at| at.place);
    let home = hand(track).filter(|place| matches!(place, Place::Box(..)))?;
    tracks.iter().zip(pairs).skip(of + 1).rev().find_map(|(above, which)| {
        let on_it = hand(above) == Some(home) && above.quad.shared(&track.quad) > LAID_ON * track.quad.area();
        let ([x, y], [to_x, to_y]) = (above.quad.middle(), seen[on_it.then_some(*which)??].quad.middle());
        let by = [to_x - x, to_y - y];
        (by[0].hypot(by[1]) > MOVED * above.quad.card_width()).then(|| track.quad.scaled(1.0, by))
    })
}

#[cfg(test)]
pub(super) mod tests {
    use std::num::NonZeroU8;

    use table::{CardAt, Hand, Turn, Utc};

    use super::super::card::Told;
    use super::*;

    /// A sighting of the rank with this number at a place.
    pub(crate) fn seen(x: f32, y: f32, rank: usize) -> Seen {
        let mut ranks = [0.005; 13];
        ranks[rank] = 0.94;
        let quad = Quad::around([x, y], [0.0, -56.0], [40.0, 0.0]);
        Seen { quad, ranks, suits: [0.97, 0.01, 0.01, 0.01], state: [0.98, 0.01, 0.01], visible: 1.0 }
    }

    /// Cards that nobody has told of yet.
    fn untold(cards: &[Seen]) -> Vec<Track> {
        cards.iter().map(|seen| Track::new(1, seen, Utc::EPOCH)).collect()
    }

    fn paired(tracks: &[Track], now: &[Seen]) -> Vec<Option<usize>> {
        pairs(&tracks.iter().collect::<Vec<_>>(), now, |quad, _| Some((BoxNo::new(3)?, quad.middle()[0])))
    }

    #[test]
    fn the_next_card_of_a_hand_is_not_taken_for_the_one_below() {
        assert_eq!(paired(&untold(&[seen(100.0, 100.0, 4)]), &[seen(118.0, 77.0, 8)]), [None]);
        assert_eq!(paired(&untold(&[seen(100.0, 100.0, 4)]), &[seen(118.0, 77.0, 8), seen(101.0, 99.0, 4)]), [Some(1)]);
    }

    /// The numbers of the new cards among what was seen, where a pixel is a millimetre.
    fn new(tracks: &[Seen], now: &[Seen]) -> Vec<usize> {
        let tracks = untold(tracks);
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
        let doubtful = Seen { suits: [0.6, 0.0, 0.0, 0.4], ..seen(108.0, 104.0, 8) };
        assert_eq!(
            new(&[seen(100.0, 100.0, 4)], std::slice::from_ref(&doubtful)).len(),
            0,
            "which one of the cards may be"
        );
        assert_eq!(new(&[seen(100.0, 160.0, 4)], &[doubtful]), [0], "with no card near that it could be");
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
        assert_eq!(new(&[], &[seen(300.0, 100.0, 1), seen(100.0, 100.0, 2), seen(200.0, 100.0, 3)]), [1, 2, 0]);
    }

    #[test]
    fn the_next_card_of_a_column_is_not_taken_for_the_one_below() {
        let surely = |y, rank| Seen { suits: [1.0, 0.0, 0.0, 0.0], ..seen(100.0, y, rank) };
        assert_eq!(
            paired(&untold(&[surely(100.0, 4)]), &[surely(118.0, 8)]),
            [None],
            "the one below may be hidden by now"
        );
        assert_eq!(paired(&untold(&[surely(100.0, 4)]), &[surely(103.0, 8)]), [Some(0)], "no card is laid so near");
    }

    #[test]
    fn a_card_read_otherwise_in_its_own_place_is_the_same_card() {
        assert_eq!(paired(&untold(&[seen(100.0, 100.0, 4)]), &[seen(102.0, 101.0, 8)]), [Some(0)]);
    }

    #[test]
    fn a_card_carried_across_its_box_is_known_by_its_face() {
        let before = [seen(100.0, 100.0, 7), seen(118.0, 77.0, 7)];
        let after = [seen(60.0, 40.0, 7), seen(160.0, 40.0, 7)];
        assert_eq!(paired(&untold(&before), &after), [Some(0), Some(1)]);
        let as_found = [seen(160.0, 40.0, 7), seen(60.0, 40.0, 7)];
        assert_eq!(paired(&untold(&before), &as_found), [Some(1), Some(0)], "in whatever order they are found");
        assert_eq!(paired(&untold(&before[..1]), &[seen(160.0, 40.0, 2)]), [None]);
        // One of the same face that comes to another hand is not the one that is covered.
        let column = [seen(100.0, 100.0, 7), seen(100.0, 120.0, 3)];
        assert_eq!(paired(&untold(&column), &[seen(100.0, 120.0, 3), seen(200.0, 120.0, 7)]), [None, Some(0)]);
        assert_eq!(
            paired(&untold(&column), &[seen(100.0, 100.0, 7), seen(200.0, 120.0, 3)]),
            [Some(0), Some(1)],
            "it lay on top"
        );
    }

    /// A card of a hand of box 3 that was told of.
    pub(crate) fn lain(card: Seen, hand: u8, position: u8) -> Track {
        let place = Place::Box(BoxNo::new(3).unwrap(), Hand::new(hand).unwrap());
        let at = CardAt { place, position: NonZeroU8::new(position).unwrap(), face: Face::Up, turn: Turn::Upright };
        let mut track = Track::new(u64::from(position), &card, Utc::EPOCH);
        track.told = Some(Told { at: Some(at), face: Face::Up, card: track.card() });
        track
    }

    #[test]
    fn hands_that_change_places_take_their_cards_along() {
        let of = |suit: usize, x: f32| {
            let mut suits = [0.01; 4];
            suits[suit] = 0.97;
            Seen { suits, ..seen(x, 100.0, 9) }
        };
        // Three tens of a box that is split once more: the last comes to lie where another lay.
        let three = untold(&[of(0, 40.0), of(1, 130.0), of(2, 220.0), of(3, 45.0)]);
        let four = [of(0, 30.0), of(1, 95.0), of(2, 160.0), of(3, 225.0)];
        assert_eq!(paired(&three, &four), [Some(0), Some(1), Some(2), Some(3)]);
        assert_eq!(paired(&three[2..3], &four[3..]), [Some(0)], "read otherwise where it lay, and seen nowhere else");
        let hardly = Seen { suits: [0.55, 0.15, 0.15, 0.15], ..seen(300.0, 100.0, 9) };
        assert_eq!(paired(&three[..1], std::slice::from_ref(&hardly)), [Some(0)]);
        assert_eq!(paired(&three[..1], &[hardly, of(3, 42.0)]), [Some(1)], "something lies where it lay");
        // A pair of which the lower was hardly read, split: the upper comes to lie where that lay.
        let pair = untold(&[Seen { suits: [0.7, 0.1, 0.1, 0.1], ..of(0, 40.0) }, of(2, 85.0)]);
        assert_eq!(paired(&pair, &[of(2, 38.0), of(0, 120.0)]), [Some(1), Some(0)]);
    }

    #[test]
    fn a_card_laid_on_its_like_is_another_if_those_below_stay() {
        let hand = [lain(seen(100.0, 100.0, 7), 0, 1), lain(seen(118.0, 77.0, 3), 0, 2)];
        let lower = || seen(101.0, 100.0, 7);
        assert_eq!(paired(&hand, &[lower(), seen(136.0, 54.0, 3)]), [Some(0), None], "laid on it");
        assert_eq!(paired(&hand, &[lower(), seen(133.0, 59.0, 3)]), [Some(0), None], "laid on it more nearly");
        assert_eq!(paired(&hand, &[lower(), seen(119.0, 75.0, 3)]), [Some(0), Some(1)], "the card itself");
        assert_eq!(paired(&hand, &[lower(), seen(134.0, 90.0, 3)]), [Some(0), Some(1)], "pushed to the side");
        assert_eq!(paired(&hand, &[lower(), seen(198.0, 30.0, 3)]), [Some(0), Some(1)], "split");
        assert_eq!(paired(&hand, &[seen(114.0, 83.0, 7), seen(132.0, 60.0, 3)]), [Some(0), Some(1)], "all are pushed");
    }

    #[test]
    fn a_hand_that_is_pushed_aside_takes_along_what_lies_below_in_it() {
        let hand = [lain(seen(100.0, 100.0, 7), 0, 1), lain(seen(100.0, 120.0, 3), 0, 2)];
        let found = |tracks: &[Track], now: &[Seen]| {
            let tracks: Vec<&Track> = tracks.iter().collect();
            let pairs = pairs(&tracks, now, |quad, _| Some((BoxNo::new(3)?, quad.middle()[0])));
            whereabouts(&tracks, now, &pairs)
        };
        let aside = seen(40.0, 120.0, 3);
        let below = seen(40.0, 100.0, 7).quad;
        assert_eq!(found(&hand, std::slice::from_ref(&aside)), [Whereabouts::Below(below), Whereabouts::Seen(0)]);
        let hardly = Seen { suits: [0.6, 0.0, 0.0, 0.4], ..seen(42.0, 101.0, 7) };
        assert_eq!(found(&hand, &[aside.clone(), hardly]), [Whereabouts::Seen(1), Whereabouts::Seen(0)]);
        assert_eq!(found(&hand, &[seen(102.0, 120.0, 3)]), [Whereabouts::Unknown, Whereabouts::Seen(0)], "not moved");
        let split = [lain(seen(100.0, 100.0, 7), 0, 1), lain(seen(100.0, 120.0, 3), 1, 1)];
        assert_eq!(found(&split, &[aside]), [Whereabouts::Unknown, Whereabouts::Seen(0)], "of another hand");
    }
}
