//! The shoe's line, read back by decoders that know nothing of how it was written.

use table::{Card, Rank, Suit};

use super::*;
use crate::feeds::shoe::{Heard, Shoe};

/// One telegram as it stood on the line.
#[derive(Clone, Debug, PartialEq)]
struct Telegram {
    seq: u8,
    code: u8,
    payload: Vec<u8>,
}

/// Reads one telegram from the front; how long it is.
fn telegram(bytes: &[u8]) -> Option<(Telegram, usize)> {
    let length = match bytes.get(2)? {
        b'S' | b'P' | b'C' => 0,
        b'D' | b'R' => 2,
        _ => return None,
    };
    let frame = bytes.get(..length + 6)?;
    let check = frame[1..length + 4].iter().fold(0, |check, byte| check ^ byte);
    let whole = frame[0] == 5 && frame[length + 3] == 3 && frame[length + 4..] == *format!("{check:02X}").as_bytes();
    let telegram = Telegram { seq: frame[1], code: frame[2], payload: frame[3..length + 3].to_vec() };
    whole.then_some((telegram, length + 6))
}

fn card(byte: u8) -> Card {
    let suit = match byte >> 4 {
        1 => Suit::Diamonds,
        2 => Suit::Clubs,
        3 => Suit::Spades,
        4 => Suit::Hearts,
        _ => return Card::UNREAD,
    };
    Card::new(Rank::from_number(byte & 0x0F).unwrap(), suit)
}

/// Every whole telegram on a line, whatever lies between; how many bytes did.
fn telegrams(mut bytes: &[u8]) -> (Vec<Telegram>, usize) {
    let (mut all, mut stray) = (Vec::new(), 0);
    while !bytes.is_empty() {
        if let Some((telegram, length)) = telegram(bytes) {
            all.push(telegram);
            bytes = &bytes[length..];
        } else {
            stray += 1;
            bytes = &bytes[1..];
        }
    }
    (all, stray)
}

/// The drawn cards of an Angel Eye line: sends of one telegram count once.
fn angel_cards(bytes: &[u8]) -> Vec<Card> {
    let (mut telegrams, _) = telegrams(bytes);
    telegrams.dedup();
    telegrams.iter().filter(|telegram| telegram.code == b'D').map(|telegram| card(telegram.payload[1])).collect()
}

/// The drawn cards of a Bee-Tek line.
fn bee_cards(bytes: &[u8]) -> Vec<Card> {
    let text: String = bytes.iter().map(|byte| char::from(*byte)).collect();
    let tokens = text.split("> ").filter_map(|token| {
        let (_, token) = token.rsplit_once('[')?;
        let (mode, said) = token.split_once("]<")?;
        if !["Game", "Manual Burn Cards"].contains(&mode) {
            return None;
        }
        match said {
            "Game" | "Alarm:E3 Card Not Read" => Some(Card::UNREAD),
            _ => said.strip_prefix("Card:")?.parse().ok(),
        }
    });
    tokens.collect()
}

fn bytes(reads: &[(i64, Vec<u8>)]) -> Vec<u8> {
    reads.iter().flat_map(|(_, bytes)| bytes.clone()).collect()
}

fn heard(dialect: Dialect, noise: f64, dealt: &Dealt, seed: u64) -> Heard {
    Shoe::new(dialect, noise, Dice::new(seed)).of(dealt, &times(&dealt.round))
}

#[test]
fn a_clean_line_gives_every_card_in_order_in_both_dialects() {
    for (game, law) in laws() {
        for seed in 0..6 {
            let dealt = lawful(&game, &law, seed);
            let drawn: Vec<Card> = dealt.drawn.iter().map(|draw| draw.card).collect();
            let angel = bytes(&heard(Dialect::AngelEye, 0.0, &dealt, seed).reads);
            assert_eq!(telegrams(&angel).1, 0, "every byte belongs to a telegram");
            assert_eq!(angel_cards(&angel), drawn, "{} seed {seed}", game.name);
            let bee = bytes(&heard(Dialect::BeeTek, 0.0, &dealt, seed).reads);
            assert_eq!(bee_cards(&bee), drawn, "{} seed {seed}", game.name);
        }
    }
}

#[test]
fn every_telegram_is_sent_three_times_and_counted_once() {
    let dealt = told("burn 4H\nbet 1 10\ncard 1 9H\ncut-card\ncard dealer 7S\nend");
    let (all, _) = telegrams(&bytes(&heard(Dialect::AngelEye, 0.0, &dealt, 1).reads));
    let sends: Vec<_> = all.chunk_by(|one, other| one == other).map(|sends| (sends[0].clone(), sends.len())).collect();
    let codes: Vec<_> =
        sends.iter().map(|(telegram, sends)| (telegram.seq as char, telegram.code as char, *sends)).collect();
    assert_eq!(codes, [('0', 'S', 3), ('1', 'D', 3), ('2', 'D', 3), ('3', 'C', 3), ('4', 'D', 3), ('5', 'P', 3)]);
    assert_eq!(sends[1].0.payload, [0x21, 0x44], "the first burn card, four of hearts");
    assert_eq!(sends[2].0.payload, [0x01, 0x49], "the first card of the round, nine of hearts");
}

#[test]
fn bytes_arrive_at_the_pace_of_the_line_and_cards_before_they_lie() {
    let (game, law) = laws().remove(0);
    let dealt = lawful(&game, &law, 3);
    for (dialect, micros) in [(Dialect::AngelEye, 2083), (Dialect::BeeTek, 1041)] {
        let heard = heard(dialect, 0.0, &dealt, 1);
        for pair in heard.reads.windows(2) {
            assert!(pair[1].0 - pair[0].0 >= micros * pair[1].1.len() as i64, "{dialect}: {pair:?}");
        }
    }
    let steps = times(&dealt.round);
    let heard = heard(Dialect::BeeTek, 0.0, &dealt, 1);
    let (mut starts, mut at) = (Vec::new(), 0);
    for (time, read) in &heard.reads {
        starts.extend(
            read.iter()
                .enumerate()
                .filter(|(_, byte)| **byte == b'[')
                .map(|(index, _)| time - 1041 * (read.len() - index) as i64),
        );
        at += read.len();
    }
    assert_eq!((starts.len(), at), (dealt.drawn.len(), bytes(&heard.reads).len()));
    for (start, draw) in starts.iter().zip(&dealt.drawn) {
        let lead = steps[draw.step] - start;
        assert!((295_000..=702_000).contains(&lead), "{lead} before it lies");
    }
}

#[test]
fn troubles_happen_as_asked() {
    let mut dealt = told("bet 1 10\ncard 1 9H\ncard dealer 7S\ncard 1 8C\ncard 1 2D\nend");
    dealt.troubles = vec![
        Trouble::ShoeMisread { draw: 0, says: "6H".parse().unwrap() },
        Trouble::ShoeUnread { draw: 1 },
        Trouble::ShoeLost { draw: 2 },
        Trouble::ShoeRepeated { draw: 3 },
    ];
    let six = "6H".parse().unwrap();
    let deuce = "2D".parse().unwrap();
    let angel = heard(Dialect::AngelEye, 0.0, &dealt, 1);
    assert_eq!(angel_cards(&bytes(&angel.reads)), [six, Card::UNREAD, deuce]);
    assert_eq!(angel.read, [Some(six), None, None, Some(deuce)]);
    let (all, _) = telegrams(&bytes(&angel.reads));
    let told: String =
        all.iter().map(|telegram| format!("{}{} ", telegram.seq as char, telegram.code as char)).collect();
    assert_eq!(told, "0S 0S 0S 1D 1D 1D 2D 2D 2D 4D 4D 4D 4D 4D 5R 5R 5R 6P 6P 6P ");
    let bee = heard(Dialect::BeeTek, 0.0, &dealt, 1);
    assert_eq!(bee_cards(&bytes(&bee.reads)), [six, Card::UNREAD, deuce, deuce, deuce]);
}

#[test]
fn a_shoe_that_fails_starts_again() {
    let dealt =
        told("bet 1 10\ncard 1 9H\nfault shoe\nsupervisor\nnote \"reset\"\nnote \"goes on\"\ncard dealer 7S\nend");
    let (all, _) = telegrams(&bytes(&heard(Dialect::AngelEye, 0.0, &dealt, 1).reads));
    let told: String =
        all.iter().step_by(3).map(|telegram| format!("{}{} ", telegram.seq as char, telegram.code as char)).collect();
    assert_eq!(told, "0S 1D 0S 1D 2P ");
}

#[test]
fn on_a_noisy_line_a_good_listener_has_just_the_cards_it_should() {
    let (game, law) = laws().remove(0);
    let (mut lost, mut wrong, mut drawn) = (0, 0, 0);
    for seed in 0..60 {
        let dealt = lawful(&game, &law, seed);
        for dialect in DIALECTS {
            let heard = heard(dialect, 0.3, &dealt, seed);
            let bytes = bytes(&heard.reads);
            let on_line = if dialect == Dialect::AngelEye { angel_cards(&bytes) } else { bee_cards(&bytes) };
            let known: Vec<Card> = on_line.into_iter().filter(|card| card.is_known()).collect();
            let read: Vec<Card> = heard.read.iter().flatten().copied().collect();
            assert_eq!(known, read, "{dialect} seed {seed}");
            drawn += dealt.drawn.len();
            lost += heard.read.iter().filter(|read| read.is_none()).count();
            wrong += heard
                .read
                .iter()
                .zip(&dealt.drawn)
                .filter(|(read, draw)| read.is_some_and(|read| read != draw.card))
                .count();
        }
    }
    let (lost, wrong) = (lost as f64 / drawn as f64, wrong as f64 / drawn as f64);
    assert!((0.1..0.4).contains(&lost) && (0.005..0.03).contains(&wrong), "{lost} lost, {wrong} wrong");
}
