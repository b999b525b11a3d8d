//! Where on the table the cards lie that a camera follows: at which box, in which hand, and as which of its cards.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU8;

use table::{BoxNo, CardAt, Face, Place};

use super::Watcher;
use super::card::Track;
use super::hands::{self, Across};
use super::layout::Lie;

impl Watcher {
    /// Where a card lies on the table, its hand and position with regard to the others.
    pub(super) fn place(&self, number: usize) -> Option<CardAt> {
        let track = &self.tracks[number];
        let lie = self.lie(track)?;
        let of_box = |box_no: Option<BoxNo>| {
            self.tracks.iter().filter_map(move |other| {
                let lies = self.lie(other)?;
                (lies.box_no == box_no && (other.told.is_some() || other.id == track.id)).then_some((other, lies))
            })
        };
        let place = match lie.box_no {
            None => Place::Dealer,
            Some(box_no) => {
                let cards: Vec<(u64, Across)> = of_box(lie.box_no)
                    .map(|(other, lies)| (other.id, Across { across: lies.across, told: hand_of(other) }))
                    .collect();
                let across: Vec<Across> = cards.iter().map(|(_, across)| *across).collect();
                let places = hands::hands(box_no, &across, &self.over);
                let mine = cards.iter().position(|(id, _)| *id == track.id)?;
                places[mine]
            }
        };
        let told = track.told.and_then(|told| told.at).filter(|told| told.place == place);
        let position = told.map_or_else(|| self.next_position(place), |told| told.position);
        Some(CardAt { place, position, face: track.face, turn: lie.turn })
    }

    /// How a card lies, given what is known of it and of those it lies on.
    fn lie(&self, track: &Track) -> Option<Lie> {
        let home = hands::home(track, &self.tracks);
        match track.face {
            Face::Up => self.layout.lie(&track.quad, home),
            Face::Down => self.layout.lie_of_back(&track.quad, home),
        }
    }

    fn next_position(&self, place: Place) -> NonZeroU8 {
        let at = self.tracks.iter().filter_map(|track| track.told?.at).filter(|at| at.place == place);
        let last = at.map(|at| at.position.get()).max().unwrap_or(0);
        NonZeroU8::MIN.saturating_add(last)
    }

    /// Remembers hands of which so many cards were put away, until nothing lies before their box: they are over.
    pub(super) fn put_away(&mut self, left: BTreeMap<Place, usize>) {
        // A single card may have been lost from sight, and keeps its hand when it is found again.
        self.over.extend(left.into_iter().filter(|(_, cards)| *cards > 1).map(|(place, _)| place));
        let in_use: BTreeSet<_> = self.tracks.iter().filter_map(|track| track.told?.at?.place.box_no()).collect();
        self.over.retain(|place| place.box_no().is_some_and(|box_no| in_use.contains(&box_no)));
    }
}

/// The hand and position a card was told to have.
fn hand_of(track: &Track) -> Option<(table::Hand, u8)> {
    let at = track.told?.at?;
    match at.place {
        Place::Box(_, hand) => Some((hand, at.position.get())),
        Place::Dealer => None,
    }
}

pub(super) fn place_of(at: Option<CardAt>) -> Option<(Place, NonZeroU8)> {
    at.map(|at| (at.place, at.position))
}

/// How a card lies, apart from which way up.
pub(super) fn lies(at: Option<CardAt>) -> Option<(Place, NonZeroU8, table::Turn)> {
    at.map(|at| (at.place, at.position, at.turn))
}
