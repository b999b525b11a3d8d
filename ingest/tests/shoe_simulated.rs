//! The decoders against the simulator's shoes, which were written without them.
#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

use auditor::model::random::Dice;
use auditor::rulebook::books;
use ingest::shoe::{self, Heard, Said, Stats};
use simulator::Dealt;
use simulator::feeds::shoe::{Says, angel_eye};
use simulator::feeds::{Feeds, Names};
use simulator::players;
use simulator::setup::Setup;
use simulator::shift::{Shift, Wishes};
use table::config::Dialect;
use table::event::Drawn;
use table::tape::Record;
use table::{Act, Card, Game, Utc};

/// A shift of lawful rounds.
fn shift(game: &str, seed: u64) -> Vec<Dealt> {
    let game = Game { name: game.parse().unwrap(), options: Default::default() };
    let setup = Setup::new(books::all().unwrap(), "BJ-04".parse().unwrap(), game).unwrap();
    let wishes = Wishes {
        seed,
        rounds: 40,
        begins: Utc::from_micros(1_700_000_000_000_000).unwrap(),
        mid_shoe: false,
        company: players::Wish::default(),
        dealers: vec!["D-01".parse().unwrap()],
        procedure: None,
        faults: Vec::new(),
        several: false,
    };
    Shift::open(&setup, wishes).map(Result::unwrap).collect()
}

/// What is heard on the shoe's line while these rounds are dealt, read as it came.
fn heard(dialect: Dialect, noise: f64, rounds: &[Dealt], seed: u64) -> (Vec<Heard>, Stats) {
    let mut feeds = Feeds::new(Names::usual().unwrap(), dialect, noise, &Dice::new(seed));
    let (mut decoder, mut heard) = (shoe::dialect(dialect), Vec::new());
    for (_, record) in rounds.iter().flat_map(|dealt| feeds.of(dealt).records) {
        if let Record::ShoeBytes { bytes, .. } = record {
            decoder.push(&bytes, &mut heard);
        }
    }
    (heard, decoder.stats())
}

/// What left the shoe in truth: cards, burned or not, and `None` for the cutting card.
fn truth(rounds: &[Dealt]) -> Vec<Option<(Card, Drawn)>> {
    let mut left = Vec::new();
    for dealt in rounds {
        let mut draws = dealt.drawn.iter().peekable();
        let last = dealt.round.steps.len() - 1;
        for (number, step) in dealt.round.steps.iter().enumerate() {
            let drawn = if matches!(step.act, Act::Burn(_)) { Drawn::Burn } else { Drawn::Game };
            while let Some(draw) = draws.next_if(|draw| draw.step.min(last) <= number) {
                left.push(Some((draw.card, drawn)));
            }
            if matches!(step.act, Act::CutCardOut) {
                left.push(None);
            }
        }
    }
    left
}

#[test]
fn a_quiet_line_gives_every_card_every_burn_and_the_cutting_card_in_order() {
    for (game, seed) in [("nz-base", 1), ("act", 2), ("bclc-dd", 3)] {
        let rounds = shift(game, seed);
        for dialect in Dialect::ALL.iter().copied() {
            let (heard, stats) = heard(dialect, 0.0, &rounds, seed);
            let left = heard.iter().filter_map(|heard| match heard.said {
                Said::Card { card, drawn } => Some(Some((card, drawn))),
                Said::Cut => Some(None),
                _ => None,
            });
            let mut truth = truth(&rounds);
            if dialect == Dialect::BeeTek {
                truth.retain(Option::is_some);
            }
            assert!(truth.len() > 200, "{game}: {} cards", truth.len());
            assert_eq!(left.collect::<Vec<_>>(), truth, "{game} {dialect}");
            let wrong = (stats.gaps, stats.noise_bytes, stats.bad_checksum, stats.unknown);
            assert_eq!(wrong, (0, 0, 0, 0), "{game} {dialect}");
            if dialect == Dialect::AngelEye {
                assert_eq!((stats.frames, stats.duplicates), (stats.events * 3, stats.events * 2));
            }
        }
    }
}

/// The greatest number of cards that two lists have in common in the same order.
fn in_common(one: &[Card], other: &[Card]) -> usize {
    let mut best = vec![0; other.len() + 1];
    for card in one {
        let mut corner = 0;
        for (place, same) in other.iter().enumerate() {
            let above = best[place + 1];
            best[place + 1] = if card == same { corner + 1 } else { above.max(best[place]) };
            corner = above;
        }
    }
    best[other.len()]
}

#[test]
fn a_noisy_line_loses_cards_but_makes_none_up() {
    let rounds = shift("nz-base", 5);
    let drawn: Vec<Card> = truth(&rounds).into_iter().flatten().map(|(card, _)| card).collect();
    for dialect in Dialect::ALL.iter().copied() {
        let (heard, stats) = heard(dialect, 0.2, &rounds, 5);
        let cards = heard.iter().filter_map(|heard| match heard.said {
            Said::Card { card, .. } => Some(card),
            _ => None,
        });
        let cards: Vec<Card> = cards.collect();
        let unread = heard.iter().filter(|heard| matches!(heard.said, Said::Unread { .. })).count();
        assert!(cards.len() + unread <= drawn.len(), "{dialect}: {} and {unread} of {}", cards.len(), drawn.len());
        assert!(cards.len() * 10 > drawn.len() * 7, "{dialect}: only {} of {}", cards.len(), drawn.len());
        // The shoe itself misreads one card in a hundred at this noise; everything else must be as drawn.
        let wrong = cards.len() - in_common(&cards, &drawn);
        assert!(wrong * 100 <= drawn.len() * 2, "{dialect}: {wrong} wrong of {}", drawn.len());
        assert!(stats.gaps > 0 && stats.noise_bytes > 0, "{dialect}: {stats:?}");
    }
}

/// What becomes of a telegram on its way.
#[derive(Clone, Copy, PartialEq)]
enum Fate {
    Whole,
    FirstFlipped,
    LastShort,
    AfterStray,
    Half,
    Lost,
}

#[test]
fn every_telegram_that_is_lost_is_in_a_gap_of_its_length() {
    let faces: Vec<Card> = Card::faces().collect();
    for seed in 0..40 {
        let mut dice = Dice::new(seed);
        let (mut line, mut expected) = (Vec::new(), Vec::new());
        let (mut seq, mut missing) = (b'0', 0);
        for number in 0..200 {
            let card = *dice.pick(&faces).unwrap();
            let drawn = if dice.once_in(9) { Drawn::Burn } else { Drawn::Game };
            let says = Says::Card { card, drawn, index: number };
            let bytes = angel_eye::telegram(seq, &says);
            let fates = [Fate::Lost, Fate::Half, Fate::FirstFlipped, Fate::LastShort, Fate::AfterStray];
            let mut fate = if dice.once_in(3) { *dice.pick(&fates).unwrap() } else { Fate::Whole };
            if missing == 4 || number == 0 {
                fate = Fate::Whole;
            }
            line.extend(on_line(&bytes, fate, &mut dice));
            if matches!(fate, Fate::Lost | Fate::Half) {
                missing += 1;
            } else {
                if missing > 0 {
                    expected.push((seq, Said::Gap { at_most: missing }));
                }
                missing = 0;
                expected.push((seq, Said::Card { card, drawn }));
            }
            seq = angel_eye::next(seq);
        }
        let (mut decoder, mut heard) = (shoe::dialect(Dialect::AngelEye), Vec::new());
        decoder.push(&line, &mut heard);
        let heard: Vec<_> = heard.into_iter().map(|heard| (heard.seq.unwrap(), heard.said)).collect();
        assert_eq!(heard, expected, "seed {seed}");
    }
}

/// The bytes of a telegram's three sends, as they arrive.
fn on_line(telegram: &[u8], fate: Fate, dice: &mut Dice) -> Vec<u8> {
    let mut sends = vec![telegram.to_vec(); 3];
    match fate {
        Fate::Whole => {}
        Fate::FirstFlipped => sends[0][dice.below(telegram.len())] ^= 1 << dice.below(8),
        Fate::LastShort => drop(sends[2].remove(dice.below(telegram.len()))),
        Fate::AfterStray => sends.insert(0, (0..dice.below(9)).map(|_| dice.below(256) as u8).collect()),
        Fate::Half => sends = vec![telegram[..telegram.len() / 2].to_vec()],
        Fate::Lost => sends.clear(),
    }
    sends.concat()
}
