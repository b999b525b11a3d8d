//! What to keep of what was found: weak votes never reach the reader, and of two sightings of one card one stays.

use super::Seen;
use super::quad::Quad;
use super::reader::Answer;
use super::votes::Candidate;

/// The most places of a picture that are read: a table holds fewer, and a carpet of card patterns must not take for ever.
const MOST: usize = 120;
/// A candidate whose visible cells are less sure of a card than this is not read.
const SUREST: f32 = 0.5;
/// Less likely cards are not looked at a second time.
const WORTH: f32 = 0.15;
/// What is less likely a card is not reported.
const CARD: f32 = 0.5;
/// Outlines that share more than this show one card: fanned cards share less than half.
const SAME: f32 = 0.55;
/// Candidates that share more than this were found twice.
const TWICE: f32 = 0.8;

/// The candidates worth reading.
pub(super) fn gated(mut candidates: Vec<Candidate>) -> Vec<Candidate> {
    candidates.retain(|candidate| candidate.surety >= SUREST);
    candidates.sort_by(|a, b| strength(b).total_cmp(&strength(a)));
    let mut kept: Vec<Candidate> = Vec::new();
    for candidate in candidates {
        if kept.len() == MOST {
            break;
        }
        if kept.iter().all(|other| other.quad.overlap(&candidate.quad) < TWICE) {
            kept.push(candidate);
        }
    }
    kept
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
        if apart.iter().all(|other| other.1.quad.overlap(&one.1.quad) < TWICE) {
            apart.push(one);
        }
    }
    apart
}

/// What both ways of reading a card come to: the mean of their logits, and the mean of their outlines.
pub(super) fn seen(candidate: &Candidate, both: &[Answer]) -> Seen {
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
        _ => candidate.quad,
    };
    Seen {
        quad: if quad.is_convex() { quad } else { candidate.quad },
        ranks: softmax(std::array::from_fn(|at| mean(|answer| &answer.ranks, at))),
        suits: softmax(std::array::from_fn(|at| mean(|answer| &answer.suits, at))),
        state: state.map(|part| part / all),
        visible: candidate.visible,
    }
}

/// The cards among what was read, each once, from top to bottom of the picture.
pub(super) fn cards(mut seen: Vec<Seen>) -> Vec<Seen> {
    seen.retain(|seen| seen.is_card() >= CARD);
    let weight = |seen: &Seen| seen.confidence() * (0.3 + seen.visible);
    seen.sort_by(|a, b| weight(b).total_cmp(&weight(a)));
    let mut kept: Vec<Seen> = Vec::new();
    for card in seen {
        if kept.iter().all(|other| other.quad.overlap(&card.quad) < SAME) {
            kept.push(card);
        }
    }
    let key = |seen: &Seen| seen.quad.middle();
    kept.sort_by(|a, b| key(a)[1].total_cmp(&key(b)[1]).then(key(a)[0].total_cmp(&key(b)[0])));
    kept
}

pub(crate) fn softmax<const N: usize>(logits: [f32; N]) -> [f32; N] {
    let most = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let parts = logits.map(|logit| (logit - most).exp());
    let all: f32 = parts.iter().sum();
    parts.map(|part| part / all)
}
