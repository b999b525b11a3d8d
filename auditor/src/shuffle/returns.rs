//! A continuous shuffler by what it gives back: the cards of a round go into it together and should come out apart.
//!
//! There is no shoe, and no moment at which all cards have come. So a stretch of rounds is compared with what a proper machine
//! would have given at the same table: as many cards in every round, put back in the same order of collection. A card
//! just played may come back in the next round, and now and then two come back together; how often, the machine's own
//! model says.

use super::calibrate::{ALL, minus_log_beyond, p_value};
use super::chain::{FACES, UNREAD};
use super::{Composition, Continuous, DECK, ENOUGH, Report, Riffles, Terms, Tested, Verdict, e_value};
use crate::model::random::Dice;

/// So many packs' worth of cards make a stretch: a machine that mixes badly gives the cards back only after the others.
const PACKS: usize = 3;
/// Proper stretches that say how the measures are spread.
const SCALE: usize = 100;
/// Proper stretches that are drawn for a glance, and how many deviations beyond them are looked at closely.
const GLANCE: usize = 20;
const ODD: f64 = 2.5;
/// The first so many of the tests are about the order of the cards; the others about when they come back, which differs
/// from one make of machine to the next.
const OF_ORDER: usize = 2;
/// What is measured.
const TESTS: [(&str, &str); 4] = [
    ("returned pairs", "cards put back together that came out together"),
    ("returned runs", "runs of cards that came out as they were put back, or in reverse"),
    ("early returns", "cards of the last round that came back too often"),
    ("late returns", "cards of the last round that came back too seldom"),
];

/// One round at a continuous shuffler.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Turn {
    /// The cards that left the machine, in order.
    pub(super) drawn: Vec<u8>,
    /// Which of them went back, in the order of collection.
    pub(super) back: Vec<usize>,
}

impl Turn {
    /// Another round, by its cards as they came and as they were collected.
    fn read(&mut self, drawn: &[u8], racked: &[u8]) {
        self.drawn.clear();
        self.drawn.extend(drawn);
        self.back.clear();
        for face in racked {
            let at = (0..drawn.len()).find(|at| drawn[*at] == *face && !self.back.contains(at));
            self.back.extend(at);
        }
    }
}

/// Rounds of one table, enough of them to be judged.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stretch {
    /// What it is called; the dice are seeded by it.
    pub id: String,
    /// Decks in the machine.
    pub decks: u8,
    pub(super) turns: Vec<Turn>,
    /// Room for further rounds: a table that goes on asks for no more memory.
    pub(super) spare: Vec<Turn>,
}

impl Stretch {
    /// Cards that left the machine.
    pub fn cards(&self) -> usize {
        self.turns.iter().map(|turn| turn.drawn.len()).sum()
    }

    /// Forgets the rounds so far.
    pub(super) fn clear(&mut self) {
        self.spare.append(&mut self.turns);
    }

    /// Adds a round by its cards as they came and as they were collected. Another number of decks is another machine.
    pub(super) fn add(&mut self, decks: u8, drawn: &[u8], racked: &[u8]) {
        if std::mem::replace(&mut self.decks, decks) != decks {
            self.clear();
        }
        let mut turn = self.spare.pop().unwrap_or_default();
        turn.read(drawn, racked);
        self.turns.push(turn);
    }

    /// Whether there are enough rounds to judge the machine by.
    pub(super) fn is_enough(&self) -> bool {
        self.decks > 0 && self.cards() >= PACKS * DECK * usize::from(self.decks)
    }

    /// Whether the cards came back in order more than a proper machine gives them, at a glance: it clears and never accuses.
    pub(super) fn is_odd(&self) -> bool {
        let mut dice = Dice::new(0).fork("glance");
        let seen = measure(&self.turns);
        let drawn: Vec<[f64; TESTS.len()]> = (0..GLANCE).map(|_| measure(&self.draw(&mut dice))).collect();
        (0..OF_ORDER).any(|test| {
            let (mean, deviation) = spread(drawn.iter().map(|drawn| drawn[test]));
            seen[test] > mean + ODD * deviation
        })
    }

    /// Whether a report says that the machine keeps the order of the cards, whatever else it says.
    pub(super) fn kept_order(report: &Report, terms: &Terms) -> bool {
        report.p <= terms.rate && report.tests.iter().take(OF_ORDER).any(|test| test.p <= terms.rate)
    }

    /// Judges the machine by these rounds.
    pub fn judge(&self, terms: &Terms) -> Report {
        let mut dice = Dice::new(0).fork(&self.id);
        let seen = measure(&self.turns);
        let mut draw = || measure(&self.draw(&mut dice));
        let batch: Vec<[f64; TESTS.len()]> = (0..SCALE).map(|_| draw()).collect();
        let scale: [(f64, f64); TESTS.len()] =
            std::array::from_fn(|test| spread(batch.iter().map(|drawn| drawn[test])));
        let surprises = |measured: &[f64; TESTS.len()]| -> [f64; TESTS.len()] {
            std::array::from_fn(|test| minus_log_beyond((measured[test] - scale[test].0) / scale[test].1))
        };
        let drawn: Vec<_> = (0..ALL).map(|_| surprises(&draw())).collect();
        let ours = surprises(&seen);
        let most = |surprises: &[f64; TESTS.len()]| surprises.iter().copied().fold(0.0, f64::max);
        let p = p_value(most(&ours), drawn.iter().map(most), &mut dice);
        let tests = TESTS.iter().enumerate().map(|(test, (name, finds))| Tested {
            name,
            finds,
            statistic: seen[test],
            p: p_value(ours[test], drawn.iter().map(|drawn| drawn[test]), &mut dice),
        });
        let tests = tests.collect();
        let seen = 100 * self.read() / self.cards().max(1);
        let (verdict, reason) = verdict(p, terms, seen);
        Report {
            id: self.id.clone(),
            tests,
            p,
            e: e_value(p),
            verdict,
            reason,
            riffles: Riffles { estimate: None, least: 0.0, most: None },
            composition: Composition::default(),
            slugs: Vec::new(),
            seen,
        }
    }

    fn read(&self) -> usize {
        self.turns.iter().flat_map(|turn| &turn.drawn).filter(|face| **face < UNREAD).count()
    }

    /// The same rounds as a proper machine would have given them, the same cards unread.
    fn draw(&self, dice: &mut Dice) -> Vec<Turn> {
        let mut pack: Vec<u8> = (0..usize::from(self.decks) * DECK).map(|card| (card % DECK) as u8).collect();
        super::null::shuffle(&mut pack, dice);
        let mut machine = Continuous::load(pack, dice);
        let turn = |turn: &Turn| {
            let came: Vec<u8> = turn.drawn.iter().map(|_| machine.draw().unwrap_or(UNREAD)).collect();
            machine.put_back(turn.back.iter().filter_map(|at| came.get(*at)).copied().filter(|face| *face < UNREAD));
            let seen = came.iter().zip(&turn.drawn).map(|(came, drawn)| if *drawn < UNREAD { *came } else { UNREAD });
            Turn { drawn: seen.collect(), back: turn.back.clone() }
        };
        self.turns.iter().map(turn).collect()
    }
}

/// What is made of a stretch of which so many hundredths were read.
fn verdict(p: f64, terms: &Terms, seen: usize) -> (Verdict, Option<String>) {
    if p <= terms.rate {
        return (Verdict::Suspect, Some("a proper machine would hardly have given these cards back so".to_owned()));
    }
    if seen < ENOUGH {
        let reason = format!("only {seen} % of the cards were read, {ENOUGH} % are needed to clear the machine");
        return (Verdict::Inconclusive, Some(reason));
    }
    (Verdict::Ok, None)
}

/// The mean of some values and their deviation, which is never nothing.
fn spread(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let values: Vec<f64> = values.collect();
    let count = values.len().max(1) as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
    (mean, variance.sqrt().max(0.5))
}

/// What a stretch shows of how its cards came back.
fn measure(turns: &[Turn]) -> [f64; TESTS.len()] {
    // How often each pair was put back together, in either order, in the rounds so far.
    let mut together = vec![0_u16; FACES * FACES];
    let (mut pairs, mut runs, mut soon) = (0.0, 0.0_f64, 0.0);
    let mut last = [false; FACES];
    for turn in turns {
        let mut run = 0.0;
        for pair in turn.drawn.windows(2) {
            let met = pair_of(pair[0], pair[1]).and_then(|at| together.get(at)).copied().unwrap_or_default();
            pairs += f64::from(met);
            run = if met > 0 { run + (1.0 + turns.len() as f64 / f64::from(met)).ln() } else { 0.0 };
            runs = runs.max(run);
        }
        soon += turn.drawn.iter().filter(|face| last.get(usize::from(**face)).copied().unwrap_or(false)).count() as f64;
        last = [false; FACES];
        let back: Vec<u8> = turn.back.iter().filter_map(|at| turn.drawn.get(*at)).copied().collect();
        for face in &back {
            if let Some(face) = last.get_mut(usize::from(*face)) {
                *face = true;
            }
        }
        for pair in back.windows(2) {
            for at in [pair_of(pair[0], pair[1]), pair_of(pair[1], pair[0])].into_iter().flatten() {
                together[at] += 1;
            }
        }
    }
    [pairs, runs, soon, -soon]
}

fn pair_of(one: u8, other: u8) -> Option<usize> {
    (one < UNREAD && other < UNREAD).then(|| usize::from(one) * FACES + usize::from(other))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounds of eighteen cards from a machine, collected hand by hand.
    fn stretch(seed: u64, stuck: bool) -> Stretch {
        let mut dice = Dice::new(seed);
        let mut pack: Vec<u8> = (0..312_usize).map(|card| (card % DECK) as u8).collect();
        super::super::null::shuffle(&mut pack, &mut dice);
        let mut machine = Continuous::load(pack, &mut dice);
        if stuck {
            machine.stop();
        }
        let turns = (0..55).map(|_| {
            let drawn: Vec<u8> = (0..18).filter_map(|_| machine.draw()).collect();
            let back: Vec<usize> = (0..9).flat_map(|hand| [hand, hand + 9]).collect();
            machine.put_back(back.iter().map(|at| drawn[*at]));
            Turn { drawn, back }
        });
        Stretch { id: format!("{seed}"), decks: 6, turns: turns.collect(), spare: Vec::new() }
    }

    #[test]
    fn a_proper_machine_is_left_in_peace_and_every_p_is_as_likely() {
        let values: Vec<f64> = (1..=60).map(|seed| stretch(seed, false).judge(&Terms::default()).p).collect();
        let below = |bar: f64| values.iter().filter(|p| **p <= bar).count();
        assert!(below(1e-4) == 0 && (18..=42).contains(&below(0.5)) && below(0.1) <= 14, "{values:?}");
    }

    #[test]
    fn a_machine_that_gives_the_cards_back_as_they_came_is_suspect() {
        for seed in 1..=5 {
            let report = stretch(seed, true).judge(&Terms::default());
            assert_eq!(report.verdict, Verdict::Suspect, "seed {seed}: p {}", report.p);
        }
    }

    #[test]
    fn a_machine_whose_cards_were_hardly_read_is_not_cleared() {
        let mut hardly = stretch(1, false);
        for face in hardly.turns.iter_mut().flat_map(|turn| turn.drawn.iter_mut().step_by(2)) {
            *face = UNREAD;
        }
        let report = hardly.judge(&Terms::default());
        assert_eq!((report.verdict, report.seen), (Verdict::Inconclusive, 50));
        assert!(report.reason.is_some_and(|reason| reason.contains("only 50 %")));
    }

    #[test]
    fn a_round_remembers_which_of_its_cards_went_back_when() {
        let mut turn = Turn::default();
        turn.read(&[4, 7, 4, 9], &[9, 4, 4]);
        assert_eq!(turn.back, [3, 0, 2]);
    }
}
