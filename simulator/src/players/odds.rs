//! The dealer's chances from one up card, as if cards were drawn from endless decks.

use auditor::Rules;
use auditor::dealer::must_draw;
use auditor::rules::Dealer22;
use table::Total;

/// The points of a card, an ace as one, and how many of thirteen ranks count so much.
pub(super) const POINTS: [(u8, f64); 10] =
    [(1, 1.0), (2, 1.0), (3, 1.0), (4, 1.0), (5, 1.0), (6, 1.0), (7, 1.0), (8, 1.0), (9, 1.0), (10, 4.0)];
/// How many ranks there are.
const RANKS: f64 = 13.0;

/// A hand as far as its worth goes: its points with aces as one, whether an ace is among them, how many cards.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Held {
    pub(super) sum: u8,
    pub(super) ace: bool,
    pub(super) cards: u8,
}

impl Held {
    /// The hand with one more card.
    pub(super) const fn with(self, points: u8) -> Self {
        Self { sum: self.sum.saturating_add(points), ace: self.ace || points == 1, cards: self.cards.saturating_add(1) }
    }

    pub(super) const fn total(self) -> Total {
        Total::counting(self.sum as u16, self.ace)
    }

    /// The hand after each card it can get, with the chance of it.
    pub(super) fn next(self) -> impl Iterator<Item = (Self, f64)> {
        POINTS.iter().map(move |(points, ranks)| (self.with(*points), ranks / RANKS))
    }
}

/// How a dealer's hand may end.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Dealer {
    /// The chance of a natural that shows only after the players have played.
    pub(super) natural: f64,
    /// The chances of 16 to 21, given that it is no natural.
    stands: [f64; 6],
    /// The chance of a hand that loses to all, likewise.
    busts: f64,
    /// The chance of a hand that stands off with all, likewise.
    stands_off: f64,
}

/// The lowest total on which a dealer may stand.
const LOWEST: usize = 16;
/// The most points, aces as one, from which a dealer may still draw, and one card on top.
const SUMS: usize = 32;

impl Dealer {
    /// The chances of a dealer who shows a card of so many points.
    pub(super) fn showing(rules: &Rules, up: u8) -> Self {
        let fatal = match up {
            1 => Some(10),
            10 => Some(1),
            _ => None,
        };
        let natural = POINTS.iter().filter(|(points, _)| Some(*points) == fatal).map(|(_, ranks)| ranks / RANKS).sum();
        // Where the hole card is looked at, no decision is ever made against a natural.
        let mut dealer = Self { natural: if rules.hole_card { 0.0 } else { natural }, ..Self::default() };
        let mut chances = [[0.0; 2]; SUMS];
        let shown = Held::default().with(up);
        for (points, ranks) in POINTS.iter().filter(|(points, _)| Some(*points) != fatal) {
            let held = shown.with(*points);
            chances[usize::from(held.sum)][usize::from(held.ace)] += ranks / RANKS / (1.0 - natural);
        }
        for sum in 0..SUMS {
            for ace in [false, true] {
                let held = Held { sum: sum as u8, ace, cards: 2 };
                dealer.follow(rules, held, chances[sum][usize::from(ace)], &mut chances);
            }
        }
        dealer
    }

    /// Draws to a hand that comes up with some chance, or counts it where it ends.
    fn follow(&mut self, rules: &Rules, held: Held, chance: f64, chances: &mut [[f64; 2]; SUMS]) {
        let total = held.total();
        let points = usize::from(total.points);
        if total.is_bust() {
            let push = points == 22 && rules.dealer22 == Dealer22::Push;
            *(if push { &mut self.stands_off } else { &mut self.busts }) += chance;
        } else if must_draw(rules, total) {
            for (next, part) in held.next() {
                chances[usize::from(next.sum)][usize::from(next.ace)] += chance * part;
            }
        } else if let Some(ends) = points.checked_sub(LOWEST).and_then(|at| self.stands.get_mut(at)) {
            *ends += chance;
        }
    }

    /// The chances of winning and losing with a total, given that the dealer has no natural.
    pub(super) fn against(&self, points: u16) -> (f64, f64) {
        let mut wins = self.busts;
        let mut loses = 0.0;
        for (chance, stands) in self.stands.iter().zip(LOWEST as u16..) {
            match stands.cmp(&points) {
                std::cmp::Ordering::Less => wins += chance,
                std::cmp::Ordering::Equal => {}
                std::cmp::Ordering::Greater => loses += chance,
            }
        }
        (wins, loses)
    }
}
