//! What holds for any bytes on a shoe's line, however they are read.
#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

use ingest::shoe::{self, Heard, Said, Stats};
use proptest::collection::vec;
use proptest::prelude::*;
use table::config::Dialect;

const CODES: &[(u8, usize)] =
    &[(b'P', 0), (b'D', 2), (b'd', 2), (b'C', 0), (b'G', 1), (b'E', 1), (b'e', 1), (b'L', 1), (b'M', 6), (b'Q', 3)];
const TOKENS: &[&str] = &[
    " [Game]<Card:4S> ",
    " [game]<card:10d> ",
    " [Manual Burn Cards]<Card:TH> ",
    " [Game]<Game> ",
    " [Game]<Alarm:E3 Card Not Read> ",
    " [GameAlarm]<Alarm:E5 Jam> ",
    " <W0x1F> ",
    " [Game]<Shoe Open> ",
];

fn hear(dialect: Dialect, reads: &[&[u8]]) -> (Vec<Heard>, Stats) {
    let (mut decoder, mut heard) = (shoe::dialect(dialect), Vec::new());
    reads.iter().for_each(|read| decoder.push(read, &mut heard));
    decoder.line_ended(&mut heard);
    (heard, decoder.stats())
}

/// What was said, wherever it stood on the line.
fn said(heard: Vec<Heard>) -> Vec<Said> {
    heard.into_iter().map(|heard| heard.said).collect()
}

fn telegram(seq: u8, code: u8, payload: &[u8]) -> Vec<u8> {
    let body = [&[seq, code], payload, &[0x03]].concat();
    let check = body.iter().fold(0, |check, byte| check ^ byte);
    [&[0x05], &body[..], format!("{check:02X}").as_bytes()].concat()
}

fn any_dialect() -> impl Strategy<Value = Dialect> {
    (0..Dialect::ALL.len()).prop_map(|dialect| Dialect::ALL[dialect])
}

/// Telegrams with numbers that follow each other, each sent one to three times, or tokens.
fn sends(dialect: Dialect) -> BoxedStrategy<Vec<Vec<u8>>> {
    let telegram = (0..CODES.len(), vec(any::<u8>(), 6), 1..=3usize).prop_map(|(code, payload, sends)| {
        let (code, length) = CODES[code];
        (code, payload[..length].to_vec(), sends)
    });
    match dialect {
        Dialect::AngelEye => vec(telegram, 1..24)
            .prop_map(|telegrams| {
                let count = telegrams.into_iter().zip((b'0'..=b'9').cycle());
                count.map(|((code, payload, sends), seq)| telegram_sends(seq, code, &payload, sends)).collect()
            })
            .boxed(),
        Dialect::BeeTek => {
            let token = (0..TOKENS.len()).prop_map(|token| TOKENS[token].as_bytes().to_vec());
            vec(token, 1..24).boxed()
        }
    }
}

fn telegram_sends(seq: u8, code: u8, payload: &[u8], sends: usize) -> Vec<u8> {
    telegram(seq, code, payload).repeat(sends)
}

/// Bytes that a line may carry: telegrams, pieces of them, the bytes they are made of, and anything else.
fn line(dialect: Dialect) -> impl Strategy<Value = Vec<u8>> {
    let of_frames = prop::sample::select(b"\x02\x03\x05\x06\x1501AFDRSCP[]<> :4S\r\nGameCard\x80".to_vec());
    let piece = prop_oneof![
        4 => sends(dialect).prop_map(|sends| sends.concat()),
        2 => (sends(dialect), any::<prop::sample::Index>()).prop_map(|(sends, cut)| {
            let bytes = sends.concat();
            bytes[..cut.index(bytes.len())].to_vec()
        }),
        2 => vec(of_frames, 0..20),
        1 => vec(any::<u8>(), 0..20),
    ];
    vec(piece, 0..8).prop_map(|pieces| pieces.concat())
}

fn dialect_and_line() -> impl Strategy<Value = (Dialect, Vec<u8>)> {
    (any_dialect(), any_dialect()).prop_flat_map(|(spoken, read)| line(spoken).prop_map(move |line| (read, line)))
}

proptest! {
    #[test]
    fn any_split_of_the_bytes_is_heard_the_same(
        (dialect, line) in dialect_and_line(),
        cuts in vec(any::<prop::sample::Index>(), 0..12),
    ) {
        let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.index(line.len() + 1)).collect();
        cuts.extend([0, line.len()]);
        cuts.sort_unstable();
        let reads: Vec<&[u8]> = cuts.windows(2).map(|cut| &line[cut[0]..cut[1]]).collect();
        prop_assert_eq!(hear(dialect, &reads), hear(dialect, &[&line]));
    }

    #[test]
    fn the_counters_of_any_line_add_up((dialect, line) in dialect_and_line()) {
        let (heard, stats) = hear(dialect, &[&line]);
        let count = |wanted: fn(&Said) -> bool| heard.iter().filter(|heard| wanted(&heard.said)).count() as u64;
        prop_assert_eq!(stats.bytes, line.len() as u64);
        prop_assert_eq!(stats.gaps, count(|said| matches!(said, Said::Gap { .. })));
        prop_assert_eq!(stats.host_commands, count(|said| matches!(said, Said::HostCommand { .. })));
        let others = stats.gaps + stats.host_commands + count(|said| matches!(said, Said::Unknown { .. }));
        prop_assert_eq!(stats.events, heard.len() as u64 - others);
        prop_assert!(stats.noise_bytes <= stats.bytes);
        let in_frames = stats.bytes - stats.noise_bytes;
        if dialect == Dialect::AngelEye {
            prop_assert_eq!(stats.frames, stats.events + stats.duplicates + stats.unknown);
            let commands = stats.host_commands;
            prop_assert!((stats.frames * 6 + commands * 6..=stats.frames * 12 + commands * 26).contains(&in_frames));
        }
        prop_assert!(heard.iter().all(|heard| heard.offset < stats.bytes));
    }

    #[test]
    fn noise_between_telegrams_changes_nothing_that_is_heard(
        sends in sends(Dialect::AngelEye),
        noise in vec(vec(any::<u8>(), 0..12), 24),
    ) {
        let (quiet, _) = hear(Dialect::AngelEye, &[&sends.concat()]);
        let noisy: Vec<u8> = noise.iter().zip(&sends).flat_map(|(noise, send)| [&noise[..], send].concat()).collect();
        let (heard, stats) = hear(Dialect::AngelEye, &[&noisy]);
        prop_assert_eq!(said(heard), said(quiet));
        let stray: usize = noise.iter().zip(&sends).map(|(noise, _)| noise.len()).sum();
        prop_assert_eq!(stats.noise_bytes, stray as u64);
    }

    #[test]
    fn noise_between_tokens_changes_no_card(
        sends in sends(Dialect::BeeTek),
        noise in vec(vec(any::<u8>(), 0..12), 24),
    ) {
        let cards = |bytes: &[u8]| {
            let mut said = said(hear(Dialect::BeeTek, &[bytes]).0);
            said.retain(|said| !matches!(said, Said::Gap { .. } | Said::Unknown { .. }));
            said
        };
        let noisy: Vec<u8> = noise.iter().zip(&sends).flat_map(|(noise, send)| [&noise[..], send].concat()).collect();
        prop_assert_eq!(cards(&noisy), cards(&sends.concat()));
    }

    #[test]
    fn a_flipped_bit_loses_its_telegram_to_a_gap_and_makes_no_other_card(
        cards in vec((any::<u8>(), any::<u8>()), 3..9),
        harmed in any::<prop::sample::Index>(),
        bit in any::<prop::sample::Index>(),
    ) {
        let sent: Vec<Vec<u8>> =
            cards.iter().zip(b'1'..).map(|((target, card), seq)| telegram(seq, b'D', &[*target, *card])).collect();
        let (whole, _) = hear(Dialect::AngelEye, &[&sent.concat()]);
        // Neither the first nor the last: only between two others a telegram can be missed.
        let harmed = 1 + harmed.index(sent.len() - 2);
        let mut line = sent.clone();
        let bit = bit.index(line[harmed].len() * 8);
        line[harmed][bit / 8] ^= 1 << (bit % 8);
        let (heard, stats) = hear(Dialect::AngelEye, &[&line.concat()]);
        let mut expected = said(whole);
        expected[harmed] = Said::Gap { at_most: 1 };
        prop_assert_eq!(said(heard), expected);
        prop_assert_eq!(stats.noise_bytes, sent[harmed].len() as u64);
    }
}
