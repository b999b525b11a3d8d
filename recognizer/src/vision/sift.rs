//! What to keep of what was found: weak votes never reach the reader, and of two sightings of one card one stays.

use super::Seen;
use super::quad::Quad;
use super::reader::Answer;
use super::shows::{self, Shown};
use super::votes::Candidate;

/// The most places of a picture that are read: a table holds fewer, and a carpet of card patterns must not take for ever.
const MOST: usize = 120;
/// A candidate whose visible cells are less sure of a card than this is not read.
const SUREST: f32 = 0.5;
/// Less likely cards are not looked at a second time.
const WORTH: f32 = 0.15;
/// What is less likely a card is not reported.
const CARD: f32 = 0.5;
/// Something of which less than the first shows, and of which more than the second lies on a surer card, is a sliver between
/// cards: nobody could name a card by it.
const SLIVER: (f32, f32) = (0.1, 0.25);
/// Outlines that share more than this show one card, unless what shows of the one lies beyond the other,
const SAME: f32 = 0.55;
/// and the less sure of the two is at least as likely as not what it is said to be.
const LIKELY: f32 = 0.5;
/// Of two that read alike and share this much the doubtful one is an echo of the other.
const ECHO: (f32, f32) = (0.3, 0.6);
/// Nobody lays a card on another with their middles nearer to each other than this part of a card's width: its index would be
/// hidden. Of two that read alike one is then a piece of the other.
const NEAR: f32 = 0.25;
/// So is one of which so much lies within the other, if it is so much smaller.
const WITHIN: (f32, f32) = (0.8, 0.8);
/// Cards that lie on each other are of one size: something so many times smaller or larger is part of a card, or spans two.
const SIZES: f32 = 1.8;
/// A face read less surely than this is no better than a guess, and mostly none.
const GUESS: f32 = 0.2;
/// A face read as surely as this is a card, whatever else is around; its size is the measure for those beside it.
const MEASURE: f32 = 0.85;
/// A back, or a face less sure than the second number, that is so many times smaller or larger than the nearest sure card
/// is a pattern of the cloth.
const SCALE: (f32, f32) = (2.2, 0.7);
/// An outline so many times as large as sure cards of two other faces that lie in it frames the table, not a card.
const TABLE: f32 = 3.0;
/// Candidates that share more than this were found twice, with the same exception.
const TWICE: f32 = 0.8;

/// Something read, and what shows of it.
#[derive(Clone, Debug)]
pub(super) struct Read {
    pub(super) seen: Seen,
    pub(super) shown: Shown,
    /// How well its size suits the scale at which it was found.
    pub(super) fit: f32,
}

/// The candidates worth reading.
pub(super) fn gated(mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    candidates.retain(|candidate| candidate.surety >= SUREST);
    candidates.sort_by(|a, b| strength(b).total_cmp(&strength(a)));
    let mut kept: Vec<Candidate> = Vec::new();
    for candidate in candidates {
        if kept.len() == MOST {
            break;
        }
        if !kept.iter().any(|other| is_twice(other, &candidate)) {
            kept.push(candidate);
        }
    }
    kept
}

fn is_twice(one: &Candidate, other: &Candidate) -> bool {
    one.quad.overlap(&other.quad) >= TWICE && !shows::two((&one.quad, &one.shown), (&other.quad, &other.shown))
}

/// How much a candidate promises: what shows of it, and whether its index is in that.
fn strength(candidate: &Candidate) -> f32 {
    candidate.surety * (candidate.visible.sqrt() + 0.2 * (candidate.index / 12.0).min(1.0))
}

/// Whether the first reading leaves hope of a card.
pub(super) fn promising(candidate: &Candidate, answer: &Answer) -> bool {
    let [up, down, _] = softmax(answer.state);
    up.max(down) * candidate.surety >= WORTH
}

/// Candidates whose corrected outlines fell together, the strongest of each.
pub(super) fn apart(mut kept: Vec<(Candidate, Answer)>) -> Vec<(Candidate, Answer)> {
    let sure = |answer: &Answer| 1.0 - softmax(answer.state)[2];
    kept.sort_by(|a, b| (strength(&b.0) * sure(&b.1)).total_cmp(&(strength(&a.0) * sure(&a.1))));
    let mut apart: Vec<(Candidate, Answer)> = Vec::new();
    for one in kept {
        if !apart.iter().any(|other| is_twice(&other.0, &one.0)) {
            apart.push(one);
        }
    }
    apart
}

/// What the ways of reading a card come to, one or both: the mean of their logits, and the mean of their outlines.
pub(super) fn read(candidate: Candidate, both: &[Answer]) -> Read {
    let mean = |of: fn(&Answer) -> &[f32], at: usize| {
        both.iter().filter_map(|answer| of(answer).get(at)).sum::<f32>() / both.len().max(1) as f32
    };
    let mut state = softmax(std::array::from_fn(|at| mean(|answer| &answer.state, at)));
    // Chips look like backs to either network alone: face down needs both to say so.
    let up = candidate.face_up.clamp(0.02, 0.98);
    state[0] *= up.sqrt();
    state[1] *= (1.0 - up).sqrt();
    let all: f32 = state.iter().sum();
    let quad = match both {
        [one, other] => {
            let turned = other.quad.half_turn();
            Quad(std::array::from_fn(|at| [0, 1].map(|axis| (one.quad.0[at][axis] + turned.0[at][axis]) / 2.0)))
        }
        [one] => one.quad,
        _ => candidate.quad,
    };
    let quad = if quad.is_convex() { shows::moved(candidate.quad, quad, &candidate.shown) } else { candidate.quad };
    let seen = Seen {
        quad,
        ranks: softmax(std::array::from_fn(|at| mean(|answer| &answer.ranks, at))),
        suits: softmax(std::array::from_fn(|at| mean(|answer| &answer.suits, at))),
        state: state.map(|part| part / all),
        visible: candidate.visible,
    };
    Read { seen, shown: candidate.shown, fit: candidate.fit }
}

/// What of all that was read is likely a card and more than a guess.
pub(super) fn legible(mut read: Vec<Read>) -> Vec<Read> {
    read.retain(|Read { seen, .. }| seen.is_card() >= CARD && seen.confidence() >= GUESS);
    read
}

/// The cards among what could be read, each once, from top to bottom of the picture.
pub(super) fn cards(read: Vec<Read>) -> Vec<Seen> {
    let tables: Vec<bool> = read.iter().map(|one| is_table(one, &read)).collect();
    let mut read: Vec<Read> = read.into_iter().zip(tables).filter_map(|(one, table)| (!table).then_some(one)).collect();
    let weight = |Read { seen, .. }: &Read| seen.confidence() * (0.3 + seen.visible);
    read.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
    // A frame that was bettered may hold pieces that seemed cards before.
    let kept = each_once(each_once(read));
    let mut kept: Vec<Seen> = kept.into_iter().map(|read| read.seen).collect();
    let sure: Vec<Quad> =
        kept.iter().filter(|seen| seen.is_up() && seen.confidence() >= MEASURE).map(|seen| seen.quad).collect();
    kept.retain(|seen| is_to_scale(seen, &sure));
    let key = |seen: &Seen| seen.quad.middle();
    kept.sort_by(|a, b| key(a)[1].total_cmp(&key(b)[1]).then(key(a)[0].total_cmp(&key(b)[0])));
    kept
}

/// Whether an outline holds several cards: seen small enough, a table full of them reads as one, and surely.
fn is_table(one: &Read, all: &[Read]) -> bool {
    let within = |other: &&Read| {
        let card = &other.seen;
        let sure = card.is_up() && card.confidence() >= MEASURE && card.card() != one.seen.card();
        sure && TABLE * card.quad.area() < one.seen.quad.area() && one.seen.quad.holds(card.quad.middle())
    };
    let mut faces = all.iter().filter(within).map(|other| other.seen.card());
    faces.next().is_some_and(|first| faces.any(|face| face != first))
}

/// Of what was read, the surest first, all that nothing before it explains.
fn each_once(read: Vec<Read>) -> Vec<Read> {
    let mut kept: Vec<Read> = Vec::new();
    for card in read {
        match kept.iter_mut().find(|other| is_ghost(&card, other)) {
            // The surer of two looks says what it is; the one at the better scale, unless it framed a piece, where.
            Some(same) if is_better_framed(&card, same) => {
                (same.seen.quad, same.seen.visible) = (card.seen.quad, card.seen.visible);
                (same.shown, same.fit) = (card.shown, card.fit);
            }
            Some(_) => {}
            None => kept.push(card),
        }
    }
    kept
}

/// Whether a look at the same card was at a better scale and took in more of it.
fn is_better_framed(one: &Read, other: &Read) -> bool {
    one.seen.card() == other.seen.card() && one.fit > other.fit && one.seen.quad.area() > other.seen.quad.area()
}

/// Whether a sighting that may be a pattern is as large as the sure card nearest to it.
fn is_to_scale(seen: &Seen, sure: &[Quad]) -> bool {
    let away = |quad: &Quad| quad.away_from(&seen.quad);
    let Some(nearest) = sure.iter().min_by(|a, b| away(a).total_cmp(&away(b))) else { return true };
    let (small, large) = (seen.quad.area().min(nearest.area()), seen.quad.area().max(nearest.area()));
    let doubtful = !seen.is_up() || seen.confidence() < SCALE.1;
    !doubtful || large <= SCALE.0 * small
}

/// Whether what was seen is explained by a card seen more surely.
fn is_ghost(of: &Read, by: &Read) -> bool {
    let (ghost, card) = (&of.seen, &by.seen);
    let shared = ghost.quad.shared(&card.quad);
    let (small, large) = (ghost.quad.area().min(card.quad.area()), ghost.quad.area().max(card.quad.area()));
    let overlap = shared / (small + large - shared).max(1.0);
    if ghost.card() == card.card() && shared > 0.0 {
        let doubtful = overlap >= ECHO.0 && ghost.confidence() < ECHO.1;
        let within = shared >= WITHIN.0 * small && small < WITHIN.1 * large;
        let near = ghost.quad.away_from(&card.quad) < NEAR * card.quad.card_width();
        // All backs are alike, so that one on another is no piece of it.
        if doubtful || ghost.is_up() && (within || near) || of.shown.is_shared_with(&by.shown) {
            return true;
        }
    }
    if ghost.visible < SLIVER.0 && shared > SLIVER.1 * ghost.quad.area() {
        return true;
    }
    let likely = ghost.confidence() >= LIKELY;
    let (ghost, card) = ((&ghost.quad, &of.shown), (&card.quad, &by.shown));
    if large > SIZES * small && shared > 0.5 * small {
        // What is smaller is no part of the card if it shows beyond it.
        return ghost.0.area() > small || !likely || !shows::beyond(ghost, card.0);
    }
    overlap >= SAME && !(likely && shows::two(ghost, card))
}

pub(crate) fn softmax<const N: usize>(logits: [f32; N]) -> [f32; N] {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let parts = logits.map(|logit| (logit - most).exp());
    let all: f32 = parts.iter().sum();
    parts.map(|part| part / all)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A sighting of the rank with this number, all of which shows.
    fn sighting(x: f32, y: f32, half: f32, rank: usize, sure: f32) -> Read {
        let mut ranks = [(1.0 - sure) / 12.0; 13];
        ranks[rank] = sure;
        let quad = Quad::around([x, y], [0.0, -1.4 * half], [half, 0.0]);
        let [left, top, right, bottom] = quad.bounds().map(|along| along as i32);
        let cells = (top..bottom).step_by(4).flat_map(|y| (left..right).step_by(4).map(move |x| [x as f32, y as f32]));
        let shown = Shown { cells: cells.collect(), side: 4.0 };
        let seen = Seen { quad, ranks, suits: [1.0, 0.0, 0.0, 0.0], state: [1.0, 0.0, 0.0], visible: 1.0 };
        Read { seen, shown, fit: 1.0 }
    }

    /// The same cards laid on each other, the lowest first: what others lie on does not show.
    fn laid(mut cards: Vec<Read>) -> Vec<Read> {
        for lower in 0..cards.len() {
            let above: Vec<Quad> = cards[lower + 1..].iter().map(|card| card.seen.quad).collect();
            cards[lower].shown.cells.retain(|cell| !above.iter().any(|quad| quad.holds(*cell)));
        }
        cards
    }

    #[test]
    fn a_fan_stays_whole_and_one_card_seen_twice_becomes_one() {
        let fan: Vec<Read> = (0..3)
            .map(|card| sighting(100.0 + 18.0 * card as f32, 100.0 - 23.0 * card as f32, 40.0, card, 0.9))
            .collect();
        assert_eq!(cards(laid(fan)).len(), 3);
        let twice = vec![sighting(100.0, 100.0, 40.0, 4, 0.9), sighting(106.0, 97.0, 40.0, 7, 0.6)];
        assert_eq!(cards(twice).len(), 1);
    }

    #[test]
    fn a_pair_of_equal_cards_is_two_but_an_echo_is_none() {
        let pair = |sure| vec![sighting(100.0, 100.0, 40.0, 4, 0.95), sighting(118.0, 77.0, 40.0, 4, sure)];
        assert_eq!(cards(laid(pair(0.9))).len(), 2);
        assert_eq!(cards(laid(pair(0.3))).len(), 1);
    }

    #[test]
    fn pieces_that_read_as_the_card_they_are_of_are_none() {
        let whole = || sighting(100.0, 100.0, 40.0, 4, 0.95);
        let seen = |piece| cards(laid(vec![piece, whole()])).len();
        assert_eq!(seen(sighting(110.0, 112.0, 40.0, 4, 0.99)), 1, "nobody lays a card so near to another");
        assert_eq!(seen(sighting(117.0, 113.0, 32.0, 4, 0.99)), 1, "nor is there one so small");
        assert_eq!(seen(sighting(122.0, 118.0, 40.0, 4, 0.99)), 2);
    }

    #[test]
    fn a_table_that_reads_as_a_card_takes_none_of_its_cards_away() {
        let small = |x, rank| sighting(x, 100.0, 40.0, rank, 0.95);
        let table = || sighting(160.0, 100.0, 160.0, 10, 0.999);
        assert_eq!(cards(vec![table(), small(100.0, 4), small(200.0, 5)]).len(), 2);
        assert_eq!(
            cards(vec![table(), small(100.0, 10), small(200.0, 10)]).len(),
            1,
            "pieces read as the card they are of"
        );
        assert_eq!(cards(vec![table(), small(100.0, 4), small(200.0, 4)]).len(), 1, "or all alike");
    }

    #[test]
    fn a_card_found_at_two_scales_is_one_and_has_the_frame_of_the_better() {
        let whole = Read { fit: 0.9, ..sighting(100.0, 100.0, 40.0, 4, 0.95) };
        let pieces = [(88.0, 80.0), (112.0, 120.0)].map(|(x, y)| {
            let mut piece = Read { fit: 0.4, ..sighting(x, y, 28.0, 4, 0.99) };
            piece.shown.side = 2.0;
            piece
        });
        let frame = whole.seen.quad;
        let found = cards(pieces.into_iter().chain([whole]).collect());
        assert_eq!(found.len(), 1, "{found:?}");
        assert_eq!(found[0].quad, frame);
    }

    #[test]
    fn a_pattern_of_another_size_beside_a_sure_card_is_none() {
        let back = |half| {
            let read = sighting(300.0, 100.0, half, 0, 0.9);
            Read { seen: Seen { state: [0.05, 0.9, 0.05], ..read.seen }, ..read }
        };
        let beside = |half| cards(vec![sighting(100.0, 100.0, 40.0, 4, 0.95), back(half)]).len();
        assert_eq!((beside(40.0), beside(22.0)), (2, 1));
        assert_eq!(cards(vec![back(22.0)]).len(), 1, "alone it has no measure");
    }

    #[test]
    fn a_card_within_a_card_is_none() {
        let seen = vec![sighting(100.0, 100.0, 40.0, 11, 0.9), sighting(110.0, 105.0, 18.0, 10, 0.8)];
        assert_eq!(cards(seen).len(), 1);
    }

    #[test]
    fn a_column_stays_whole_if_each_card_shows_what_is_its_own() {
        let lower = |shown: f32| {
            let mut lower = sighting(100.0, 100.0, 40.0, 4, 0.9);
            lower.shown.cells.retain(|cell| cell[1] < 44.0 + shown);
            lower
        };
        assert_eq!(cards(vec![sighting(100.0, 122.0, 40.0, 7, 0.9), lower(22.0)]).len(), 2);
        assert_eq!(cards(vec![sighting(100.0, 122.0, 40.0, 4, 0.9), lower(22.0)]).len(), 2, "also a pair");
        assert_eq!(cards(vec![sighting(100.0, 122.0, 40.0, 7, 0.9), lower(80.0)]).len(), 1);
        let mut sliver = lower(22.0);
        sliver.seen.visible = 0.06;
        assert_eq!(cards(vec![sighting(100.0, 122.0, 40.0, 7, 0.9), sliver]).len(), 1, "nothing to name it by");
        let guessed = Read { seen: sighting(100.0, 100.0, 40.0, 4, 0.4).seen, ..lower(22.0) };
        assert_eq!(cards(vec![sighting(100.0, 122.0, 40.0, 7, 0.9), guessed]).len(), 1, "no better than a guess");
    }
}
