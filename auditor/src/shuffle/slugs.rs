//! Slugs: runs of cards that came through the shuffle together.

use super::chain::{FACES, UNREAD};

/// A run of cards that came out in the order they went in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize)]
pub struct Slug {
    /// The place of its first card among those that went in, counted from 0.
    pub from: usize,
    /// The place of its first card among those that came out.
    pub to: usize,
    /// How many cards, unread ones within it included.
    pub length: usize,
}

/// The number of slugs that fair shuffles may show, on average, for a slug to be told of.
const TOLD: f64 = 0.005;

/// An order that went in, in which runs are looked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Runs {
    before: Vec<u8>,
    /// The places of each face, and where each face's begin.
    places: Vec<u16>,
    starts: Vec<usize>,
    /// For each diagonal (the distance between old place and new): where its last run began and ended, and its cards read.
    open: Vec<Open>,
}

#[derive(Clone, Copy, Debug)]
struct Open {
    began: usize,
    ended: usize,
    read: usize,
}

const CLOSED: Open = Open { began: 0, ended: usize::MAX, read: 0 };

impl Runs {
    pub(super) fn of(before: &[u8]) -> Self {
        let mut runs = Self::default();
        runs.read(before);
        runs
    }

    /// Looks for runs of another order.
    pub(super) fn read(&mut self, before: &[u8]) {
        self.before.clear();
        self.before.extend(before);
        self.starts.clear();
        self.starts.resize(FACES + 2, 0);
        for face in before.iter().filter(|face| **face < UNREAD) {
            self.starts[usize::from(*face) + 2] += 1;
        }
        for face in 2..FACES + 2 {
            self.starts[face] += self.starts[face - 1];
        }
        self.places.clear();
        self.places.resize(self.starts[FACES + 1], 0);
        // Each start walks to the next one's as its places are filled in.
        for (at, face) in before.iter().enumerate().filter(|(_, face)| **face < UNREAD) {
            let start = &mut self.starts[usize::from(*face) + 1];
            self.places[*start] = at as u16;
            *start += 1;
        }
        self.open.clear();
        self.open.resize(before.len(), CLOSED);
    }

    /// How unlikely the longest run is: minus the logarithm of how many as long there are in a fair shuffle.
    pub(super) fn surprise(&mut self, after: &[u8], decks: usize) -> f64 {
        let mut longest = 0;
        self.each(after, |run| longest = longest.max(run.read));
        let further = (FACES as f64).ln() * (longest as f64 - 1.0);
        further - ((self.before.len() * decks).max(1) as f64).ln()
    }

    /// The slugs that chance does not explain, the longest first.
    pub(super) fn slugs(&mut self, after: &[u8], decks: usize) -> Vec<Slug> {
        let least = least_told(self.before.len(), decks);
        let mut slugs = Vec::new();
        let size = self.before.len();
        self.each(after, |run| {
            if run.read >= least {
                slugs.push(run.slug(size));
            }
        });
        slugs.sort_by_key(|slug| (std::cmp::Reverse(slug.length), slug.to, slug.from));
        slugs
    }

    fn each(&mut self, after: &[u8], mut found: impl FnMut(Run)) {
        self.open.fill(CLOSED);
        for at in 0..after.len() {
            self.come(after, at, |_| {}, &mut found);
        }
        for (diagonal, open) in self.open.iter().enumerate().filter(|(_, open)| open.ended != usize::MAX) {
            found(Run { diagonal, began: open.began, ended: open.ended, read: open.read });
        }
    }

    /// The longest run that the card at this place belongs to. The cards before it must have come already.
    pub(super) fn longest_at(&mut self, after: &[u8], at: usize) -> Option<(usize, Slug)> {
        let size = self.before.len();
        let mut longest: Option<Run> = None;
        let going_on = |run: Run| {
            if longest.as_ref().is_none_or(|longest| longest.read < run.read) {
                longest = Some(run);
            }
        };
        self.come(after, at, going_on, |_| {});
        longest.map(|run| (run.read, run.slug(size)))
    }

    /// A card came: runs that go on with it, and runs that it shows to be over.
    fn come(&mut self, after: &[u8], at: usize, mut goes_on: impl FnMut(Run), mut over: impl FnMut(Run)) {
        let size = self.before.len();
        let face = usize::from(after[at]);
        if face >= FACES || size == 0 {
            return;
        }
        let turned = at % size;
        for place in &self.places[self.starts[face]..self.starts[face + 1]] {
            // Without a division: this is done for every copy of every card.
            let ahead = usize::from(*place) + size - turned;
            let diagonal = if ahead >= size { ahead - size } else { ahead };
            let open = self.open[diagonal];
            let unread =
                |between: usize| after[between] >= UNREAD || self.before[(between + diagonal) % size] >= UNREAD;
            let now = if open.ended != usize::MAX && (open.ended + 1..at).all(unread) {
                Open { ended: at, read: open.read + 1, ..open }
            } else {
                if open.ended != usize::MAX {
                    over(Run { diagonal, began: open.began, ended: open.ended, read: open.read });
                }
                Open { began: at, ended: at, read: 1 }
            };
            self.open[diagonal] = now;
            goes_on(Run { diagonal, began: now.began, ended: now.ended, read: now.read });
        }
    }
}

struct Run {
    diagonal: usize,
    began: usize,
    ended: usize,
    read: usize,
}

impl Run {
    fn slug(&self, size: usize) -> Slug {
        Slug { from: (self.began + self.diagonal) % size, to: self.began, length: self.ended + 1 - self.began }
    }
}

/// The shortest run of which fair shuffles show fewer than [`TOLD`].
pub(super) fn least_told(size: usize, decks: usize) -> usize {
    let mut expected = (size * decks) as f64;
    let mut length = 1;
    while expected > TOLD {
        expected /= FACES as f64;
        length += 1;
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pack() -> Vec<u8> {
        // Six decks in an order without runs of its own.
        (0..312_usize).map(|at| ((at * 37 + at / 52 * 11 + at * at % 7) % 52) as u8).collect()
    }

    #[test]
    fn a_run_is_told_with_its_places_and_its_length() {
        let before = pack();
        let mut after = before.clone();
        after.reverse();
        let kept: Vec<u8> = before[100..120].to_vec();
        after.splice(200..220, kept);
        let slugs = Runs::of(&before).slugs(&after, 6);
        assert_eq!(slugs.first(), Some(&Slug { from: 100, to: 200, length: 20 }));
    }

    #[test]
    fn an_unread_card_does_not_end_a_run() {
        let before = pack();
        let mut after = before.clone();
        after.reverse();
        let kept: Vec<u8> = before[100..120].to_vec();
        after.splice(200..220, kept);
        after[207] = UNREAD;
        let slugs = Runs::of(&before).slugs(&after, 6);
        assert_eq!(slugs.first(), Some(&Slug { from: 100, to: 200, length: 20 }));
    }

    #[test]
    fn the_more_cards_are_alike_the_longer_a_run_must_be() {
        assert_eq!([1, 2, 6, 8].map(|decks| least_told(52 * decks, decks)), [4, 4, 5, 5]);
    }
}
