//! Cards that lie face down. All look alike, so where they lie, and whether felt shows where they lay, tells which is which.

use std::collections::BTreeSet;

use table::{BoxNo, Face, Place};

use super::card::{TURNED, Track};
use super::{BARE, COVERED, Watcher};
use crate::vision::{Quad, Seen};

/// What reads like a face less surely than this may be a back of which a strip shows.
const READ: f32 = 0.6;
/// Of two backs that lie on each other the upper shows whole and some of the lower. Two outlines that hide at least half of each other
/// and together show no more than so much of a card are of one.
const SHOWN: f32 = 1.2;
const ON_EACH_OTHER: f32 = 0.5;
/// A back that is found further from where it lay than this part of its width may be another. Nearer, it is found a little otherwise.
const MOVED: f32 = 0.18;

impl Watcher {
    /// Pairs backs, of which a glance says too little: a player tucks all he has under his chips at once, and one that seems to have
    /// moved a little is another, laid on the first, unless felt shows where that lay.
    pub(super) fn pair_backs(&self, tracks: &[&Track], seen: &[Seen], pairs: &mut [Option<usize>]) {
        let outlines: Vec<Quad> = seen.iter().map(|seen| seen.quad).collect();
        let is_gone = |track: &Track| self.gate.bare_beyond(&track.quad, &outlines).is_some_and(|bare| bare >= BARE);
        let at_box = |quad: &Quad, home| self.layout.lie(quad, home).and_then(|lie| lie.box_no);
        tuck(tracks, seen, pairs, at_box, is_gone);
        let paired: Vec<bool> = (0..seen.len()).map(|which| pairs.contains(&Some(which))).collect();
        for (pair, track) in pairs.iter_mut().zip(tracks) {
            if let Some(which) = pair.filter(|which| track.face == Face::Down && is_moved(track, &seen[*which])) {
                let itself = nearest(track, seen, &paired);
                *pair = itself.or_else(|| Some(which).filter(|_| !self.still_lies(track, &outlines)));
            }
        }
    }

    /// Whether a player may have put a card that he has face down elsewhere before his box.
    pub(super) fn may_be_tucked(&self, track: &Track) -> bool {
        let of_box = track.told.and_then(|told| told.at?.place.box_no()).is_some();
        of_box && track.face == Face::Down && self.gate.bare(&track.quad) >= BARE
    }

    /// Whether a card still lies where it lay: where nothing else lies there, there is no felt.
    fn still_lies(&self, track: &Track, seen: &[Quad]) -> bool {
        let others = self.tracks.iter().filter(|other| other.id != track.id).map(|other| other.quad);
        let elsewhere: Vec<Quad> = seen.iter().copied().chain(others).collect();
        let bare = self.gate.bare_beyond(&track.quad, &elsewhere);
        bare.is_some_and(|bare| bare < BARE)
    }
}

/// Takes what hardly looks as if it lay face up or can hardly be read, and lies on a back or under it, for a back as well: of one below only a strip shows.
pub(super) fn lie_as_their_like(seen: &mut [Seen]) {
    let backs: Vec<Quad> = seen.iter().filter(|seen| !seen.is_up()).map(|seen| seen.quad).collect();
    let hardly = |seen: &&mut Seen| seen.is_up() && (seen.is_card() < TURNED || seen.confidence() < READ);
    for seen in seen.iter_mut().filter(hardly) {
        if backs.iter().any(|back| back.shared(&seen.quad) > COVERED * seen.quad.area()) {
            seen.state.swap(0, 1);
        }
    }
}

/// Leaves out the lesser of two outlines that share what shows of one back.
pub(super) fn leave_halves(seen: &mut Vec<Seen>) {
    let half = |one: &Seen, other: &Seen| {
        let shown = one.visible + other.visible;
        let on = one.quad.shared(&other.quad) > ON_EACH_OTHER * one.quad.area();
        !one.is_up() && !other.is_up() && one.visible < other.visible && shown < SHOWN && on
    };
    let halves: Vec<bool> = seen.iter().map(|one| seen.iter().any(|other| half(one, other))).collect();
    let mut halves = halves.into_iter();
    seen.retain(|_| !halves.next().unwrap_or(false));
}

/// Pairs backs that are gone from a hand with those that lie elsewhere before its box.
fn tuck(
    tracks: &[&Track],
    seen: &[Seen],
    pairs: &mut [Option<usize>],
    at_box: impl Fn(&Quad, Option<BoxNo>) -> Option<BoxNo>,
    is_gone: impl Fn(&Track) -> bool,
) {
    let hand = |of: usize| Some(tracks[of].told?.at?.place).filter(|place| place.box_no().is_some());
    let gone = |of: &usize| pairs[*of].is_none() && tracks[*of].face == Face::Down && is_gone(tracks[*of]);
    let gone: Vec<usize> = (0..tracks.len()).filter(gone).collect();
    let hands: BTreeSet<Place> = gone.iter().filter_map(|of| hand(*of)).collect();
    for place in hands {
        let of_hand: Vec<usize> = gone.iter().copied().filter(|of| hand(*of) == Some(place)).collect();
        let there = |which: &usize| {
            let free = !pairs.contains(&Some(*which)) && !seen[*which].is_up();
            free && at_box(&seen[*which].quad, place.box_no()) == place.box_no()
        };
        let there: Vec<usize> = (0..seen.len()).filter(there).collect();
        let with_hand = |of: usize| {
            let which = pairs[of].filter(|_| hand(of) == Some(place) && tracks[of].face == Face::Up)?;
            is_moved(tracks[of], &seen[which]).then(|| (tracks[of].quad.middle(), seen[which].quad.middle()))
        };
        let by = (0..tracks.len()).find_map(with_hand);
        for (of, which) in carried_together(tracks, seen, &of_hand, &there, by) {
            pairs[of] = Some(which);
        }
    }
}

/// Each of several cards that were carried together lies to the others as it did before; `by` says from where to where a card of theirs
/// was carried that lies face up. If it is not known, and fewer are seen than were there, those are the ones on top.
fn carried_together(
    tracks: &[&Track],
    seen: &[Seen],
    moved: &[usize],
    there: &[usize],
    by: Option<([f32; 2], [f32; 2])>,
) -> Vec<(usize, usize)> {
    let middle = |of: &mut dyn Iterator<Item = [f32; 2]>| {
        let (sum, count) = of.fold(([0.0, 0.0], 0.0_f32), |([x, y], count), at| ([x + at[0], y + at[1]], count + 1.0));
        sum.map(|along| along / count.max(1.0))
    };
    let (from, to) = by.unwrap_or_else(|| {
        let from = middle(&mut moved.iter().map(|of| tracks[*of].quad.middle()));
        (from, middle(&mut there.iter().map(|which| seen[*which].quad.middle())))
    });
    let mut free = there.to_vec();
    let mut pairs = Vec::new();
    for of in moved.iter().rev() {
        let [x, y] = tracks[*of].quad.middle();
        let off = |which: &usize| {
            let [to_x, to_y] = seen[*which].quad.middle();
            (to_x - to[0] - (x - from[0])).hypot(to_y - to[1] - (y - from[1]))
        };
        let near = |at: &usize| by.is_none() || off(&free[*at]) <= MOVED * tracks[*of].quad.card_width();
        let nearest = (0..free.len()).filter(near).min_by(|a, b| off(&free[*a]).total_cmp(&off(&free[*b])));
        pairs.extend(nearest.map(|nearest| (*of, free.remove(nearest))));
    }
    pairs
}

/// Of the backs that are nobody's yet the nearest to where this one lay, if that is where it lay.
fn nearest(back: &Track, seen: &[Seen], paired: &[bool]) -> Option<usize> {
    let near = |which: &usize| !paired[*which] && !seen[*which].is_up() && !is_moved(back, &seen[*which]);
    let away = |which: &usize| back.quad.away_from(&seen[*which].quad);
    (0..seen.len()).filter(near).min_by(|a, b| away(a).total_cmp(&away(b)))
}

/// Whether a back lies elsewhere than the one that it seems to be.
fn is_moved(back: &Track, seen: &Seen) -> bool {
    back.quad.away_from(&seen.quad) > MOVED * back.quad.card_width()
}

#[cfg(test)]
mod tests {
    use super::super::matching::tests::{lain, seen};
    use super::*;

    fn down(x: f32, y: f32) -> Seen {
        Seen { state: [0.01, 0.98, 0.01], ..seen(x, y, 0) }
    }

    #[test]
    fn backs_that_are_tucked_away_together_keep_their_order() {
        let hand = [lain(down(100.0, 100.0), 0, 1), lain(down(118.0, 77.0), 0, 2), lain(seen(136.0, 54.0, 4), 0, 3)];
        let tucked = [down(128.0, 237.0), seen(136.0, 54.0, 4), down(110.0, 260.0)];
        let paired = |now: &[Seen], gone: bool| {
            let mut pairs = [None, None, Some(1)];
            tuck(&hand.iter().collect::<Vec<_>>(), now, &mut pairs, |_, _| BoxNo::new(3), |_| gone);
            pairs
        };
        assert_eq!(paired(&tucked, true), [Some(2), Some(0), Some(1)]);
        assert_eq!(paired(&tucked[..2], true), [None, Some(0), Some(1)], "the one below is hidden");
        let along = [down(110.0, 260.0), seen(146.0, 214.0, 4)];
        assert_eq!(paired(&along, true), [Some(0), None, Some(1)], "where the third went the first went");
        assert_eq!(paired(&tucked, false), [None, None, Some(1)], "they still lie there, and others came");
    }

    #[test]
    fn what_shows_of_a_back_below_another_is_not_a_face() {
        let looks_up = |sure: f32, x: f32| Seen { state: [sure, 1.0 - sure, 0.0], ..seen(x, 100.0, 2) };
        let faces = |mut all: Vec<Seen>| {
            lie_as_their_like(&mut all);
            all.iter().map(Seen::is_up).collect::<Vec<_>>()
        };
        assert_eq!(faces(vec![looks_up(0.6, 100.0), down(118.0, 100.0)]), [false, false]);
        assert_eq!(faces(vec![looks_up(0.9, 100.0), down(118.0, 100.0)]), [true, false], "turned up already");
        let unread = Seen { suits: [0.4, 0.2, 0.2, 0.2], ..looks_up(0.9, 100.0) };
        assert_eq!(faces(vec![unread, down(118.0, 100.0)]), [false, false]);
        assert_eq!(faces(vec![looks_up(0.6, 100.0), looks_up(0.9, 118.0)]), [true, true], "no back near");
    }

    #[test]
    fn two_outlines_that_share_a_back_are_one() {
        let shows = |visible: f32, x: f32| Seen { visible, ..down(x, 100.0) };
        let left = |mut seen: Vec<Seen>| {
            leave_halves(&mut seen);
            seen.iter().map(|seen| seen.quad.middle()[0]).collect::<Vec<_>>()
        };
        assert_eq!(left(vec![shows(0.4, 100.0), shows(0.7, 115.0)]), [115.0]);
        assert_eq!(left(vec![shows(0.4, 100.0), shows(1.0, 115.0)]), [100.0, 115.0], "one lies on the other");
        assert_eq!(left(vec![shows(0.4, 100.0), shows(0.7, 150.0)]), [100.0, 150.0], "side by side");
    }

    #[test]
    fn of_two_backs_the_one_that_stayed_is_the_one_that_was_there() {
        let back = lain(down(100.0, 100.0), 0, 1);
        let now = [down(118.0, 77.0), down(104.0, 98.0)];
        assert!(is_moved(&back, &now[0]) && !is_moved(&back, &now[1]));
        assert_eq!(nearest(&back, &now, &[true, false]), Some(1));
        assert_eq!(nearest(&back, &now, &[true, true]), None, "it is another's");
    }
}
