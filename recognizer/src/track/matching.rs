//! Which of the cards seen are the cards that were there.

use table::{BoxNo, Face};

use super::card::Track;
use crate::vision::{Quad, Seen};

/// Outlines of one card at two looks share at least this much.
const SAME: f32 = 0.45;
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
            if shared >= SAME {
                let same = seen.card() == Some(track.card());
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
