//! When each thing happened to a card, where it was seen late.

use table::{Act, CardAt, Face, Hand, Place};

use super::{Narrator, TOGETHER};
use crate::round::beam::PATIENCE;
use crate::round::guess::Happening;

/// A card lies in its hand within this after it left the shoe, in microseconds.
const LAID_WITHIN: i64 = 1_500_000;
/// A card that is turned up within this after it was first seen lay so all the time, in microseconds: a hand was taken for its back.
const NOT_TURNED: i64 = 1_000_000;
/// A card that is turned up under another is read within this after that one, in microseconds.
const TURNED_BELOW: i64 = 6_000_000;
/// A card is seen within this after it came, in microseconds.
pub(in crate::round) const SEEN_AT_ONCE: i64 = 2_000_000;

impl Narrator<'_> {
    /// When each thing happened to a card. A card seen late lay there before the next that left the shoe, also one that the shoe
    /// lost count of, and none lies there before it has left the shoe itself.
    pub(super) fn times(&self) -> Vec<i64> {
        let mut times: Vec<i64> = self.guess.log.iter().map(|(at, ..)| *at).collect();
        // In the order in which they left the shoe: what it missed before a draw comes ahead of that.
        let mut drawn: Vec<((usize, bool), usize)> = Vec::new();
        for (number, (_, _, happening)) in self.guess.log.iter().enumerate() {
            if let Happening::Laid(piece) = happening {
                let laid = &self.guess.laid[*piece];
                let order = laid.draw.map(|draw| (draw, true)).or(laid.in_gap.map(|before| (before, false)));
                drawn.extend(order.map(|order| (order, number)));
            }
        }
        drawn.sort_unstable();
        let mut next = i64::MAX;
        for ((draw, told), number) in drawn.into_iter().rev() {
            let Some(left) = self.evidence.beam.drawn(draw).map(|draw| draw.at) else { continue };
            if told {
                times[number] = times[number].max(left);
            }
            let waited = times[number].saturating_sub(left);
            if waited <= PATIENCE {
                if told {
                    times[number] = times[number].min(left.saturating_add(LAID_WITHIN));
                }
                times[number] = times[number].min(next.saturating_sub(1));
                next = times[number];
            }
        }
        self.put_in_order(&mut times);
        times
    }

    /// Whether a camera that errs took a player's card for a back only at its first look. A dealer who lays one of his own face down
    /// turns it up at once.
    pub(super) fn came_up(&self, piece: usize) -> bool {
        let [laid, turned] = [Happening::Laid(piece), Happening::Turned(piece)].map(|of| self.guess.when(of));
        let soon = |(laid, turned): (i64, i64)| turned.saturating_sub(laid) <= NOT_TURNED;
        let down = |(_, spot): (Place, Option<CardAt>)| spot.is_some_and(|spot| spot.face == Face::Down);
        let of_player = self.guess.laid[piece].place != Place::Dealer;
        of_player && down(self.first_spot(piece)) && self.evidence.beam.errs() && laid.zip(turned).is_some_and(soon)
    }

    /// A camera that errs sees some things late. What should come before another thing and was seen just after it came before it.
    fn put_in_order(&self, times: &mut [i64]) {
        if !self.evidence.beam.errs() {
            return;
        }
        for later in 0..times.len() {
            for earlier in 0..times.len() {
                let late = times[earlier].saturating_sub(times[later]);
                if self.usually_follows(later, earlier).is_some_and(|within| (1..=within).contains(&late)) {
                    times[earlier] = times[later].saturating_sub(1);
                }
            }
        }
    }

    /// Nobody puts the hands of two boxes away within [`TOGETHER`]: where a camera that errs saw it so, it saw the first of them late,
    /// and hands go from the last box to the first.
    pub(super) fn put_rack_in_order(&mut self) {
        if !self.evidence.beam.errs() {
            return;
        }
        let cleared = |number: &usize| match self.told[*number].act {
            Act::Collect(Place::Box(box_no, _)) if self.told[*number].at > self.dealer_done => Some((box_no, *number)),
            _ => None,
        };
        let mut hands: Vec<_> = (0..self.told.len()).filter_map(|number| cleared(&number)).collect();
        hands.sort_by_key(|(box_no, _)| std::cmp::Reverse(*box_no));
        for (at, (first, earlier)) in hands.iter().enumerate() {
            for (_, later) in hands[at..].iter().filter(|(box_no, _)| box_no < first) {
                let late = self.told[*earlier].at.saturating_sub(self.told[*later].at);
                if (1..=TOGETHER).contains(&late) {
                    self.told[*earlier].at = self.told[*later].at.saturating_sub(1);
                }
            }
        }
    }

    /// Whether a player's card that was turned up is of a hand that waited for the dealer's: it still lay there when his hole card
    /// showed, and got no other.
    fn is_settled_after(&self, hand: usize, hole: usize) -> bool {
        let when = |of: Happening| self.guess.when(of);
        let [hand_laid, hole_laid] = [hand, hole].map(|piece| &self.guess.laid[piece]);
        let doubled = || {
            self.guess
                .laid
                .iter()
                .any(|laid| laid.place == hand_laid.place && Some(laid.at) > when(Happening::Turned(hand)))
        };
        let lay = || when(Happening::Gone(hand)).is_none_or(|gone| Some(gone) > when(Happening::Turned(hole)));
        hand_laid.place != Place::Dealer && hole_laid.place == Place::Dealer && lay() && !doubled()
    }

    /// Within how many microseconds one thing was most likely seen late if it was seen after another: the cards of a hand are turned up
    /// as they lie, and cards of which the shoe said nothing are dealt round the table.
    fn usually_follows(&self, later: usize, earlier: usize) -> Option<i64> {
        let [later, earlier] = [later, earlier].map(|number| self.guess.log[number].2);
        let laid = |piece: usize| &self.guess.laid[piece];
        match (later, earlier) {
            (Happening::Turned(hand), Happening::Turned(hole)) if self.is_settled_after(hand, hole) => {
                Some(SEEN_AT_ONCE)
            }
            (Happening::Turned(later), Happening::Turned(earlier)) => {
                let [later, earlier] = [later, earlier].map(laid);
                let below = later.place == earlier.place && later.position > earlier.position;
                let within = if later.place == Place::Dealer { SEEN_AT_ONCE } else { TURNED_BELOW };
                below.then_some(within)
            }
            (Happening::Laid(later), Happening::Laid(earlier)) => {
                let [later, earlier] = [later, earlier].map(laid);
                let untold = later.draw.is_none() && earlier.draw.is_none();
                let dealt = later.position == earlier.position && later.position <= 2;
                (untold && dealt && is_later_in_deal(later.place, earlier.place)).then_some(SEEN_AT_ONCE)
            }
            _ => None,
        }
    }
}

/// Whether a place gets its card of the initial deal after another.
fn is_later_in_deal(place: Place, other: Place) -> bool {
    match (place, other) {
        (Place::Box(later, Hand::A), Place::Box(earlier, Hand::A)) => later > earlier,
        (Place::Dealer, Place::Box(_, Hand::A)) => true,
        _ => false,
    }
}
