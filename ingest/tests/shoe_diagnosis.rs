//! Lines that are wired or configured wrongly, and what the engineer is told.
#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

use ingest::shoe::{self, Diagnosis};
use table::config::Dialect;

/// What a shoe of this dialect sends while five cards are drawn.
fn line(dialect: Dialect) -> Vec<u8> {
    let cards = ["4S", "KH", "9D", "AC", "TD"].into_iter().zip(1u8..);
    let telegrams = cards.map(|(card, number)| match dialect {
        Dialect::AngelEye => {
            let body = [b'0' + number, b'D', number, 0x10 + number, 0x03];
            let check = body.iter().fold(0, |check, byte| check ^ byte);
            [&[0x05], &body[..], format!("{check:02X}").as_bytes()].concat().repeat(3)
        }
        Dialect::BeeTek => format!(" [Game]<Card:{card}> ").into_bytes(),
    });
    telegrams.flatten().collect()
}

/// The bytes that a port set to one speed makes of those sent with another: start bit, eight bits, stop bit.
fn at_other_speed(bytes: &[u8], sent: usize, read: usize) -> Vec<u8> {
    let mut levels = Vec::new();
    for byte in bytes {
        levels.push(false);
        levels.extend((0..8).map(|bit| byte >> bit & 1 == 1));
        levels.push(true);
    }
    // The middle of a bit of the reader lies at an odd number of its half bits.
    let level = |start: usize, half: usize| levels.get(start + half * sent / (2 * read)).copied().unwrap_or(true);
    let (mut at, mut seen) = (0, Vec::new());
    while at < levels.len() {
        if levels[at] {
            at += 1;
            continue;
        }
        seen.push((0..8).map(|bit| u8::from(level(at, 3 + 2 * bit)) << bit).sum());
        at += (19 * sent).div_ceil(2 * read);
    }
    seen
}

fn told(dialect: Dialect, bytes: &[u8]) -> Option<Diagnosis> {
    let mut decoder = shoe::dialect(dialect);
    decoder.push(bytes, &mut Vec::new());
    shoe::diagnose(dialect, &decoder.stats(), bytes)
}

#[test]
fn a_good_line_is_left_alone() {
    for dialect in Dialect::ALL.iter().copied() {
        assert_eq!(told(dialect, &line(dialect)), None);
        assert_eq!(at_other_speed(&line(dialect), 9600, 9600), line(dialect), "the same speed changes nothing");
    }
}

#[test]
fn a_line_without_bytes_is_not_the_same_as_one_with_half_a_telegram() {
    assert_eq!(told(Dialect::AngelEye, b""), Some(Diagnosis::Silent));
    assert_eq!(told(Dialect::AngelEye, b"\x051D"), None);
}

#[test]
fn the_other_dialect_is_recognised_by_name() {
    for (configured, speaks) in [(Dialect::AngelEye, Dialect::BeeTek), (Dialect::BeeTek, Dialect::AngelEye)] {
        let wrong = told(configured, &line(speaks)).unwrap();
        assert_eq!(wrong, Diagnosis::OtherDialect { configured, speaks });
        assert!(wrong.to_string().contains(&format!("speaks {speaks}")), "{wrong}");
    }
}

#[test]
fn the_wrong_speed_is_told_from_the_wrong_device() {
    for dialect in Dialect::ALL.iter().copied() {
        let sent = dialect.usual_baud() as usize;
        for read in [1200, 2400, 4800, 9600, 19200, 38400].into_iter().filter(|read| *read != sent) {
            let bytes = at_other_speed(&line(dialect).repeat(8), sent, read);
            for configured in Dialect::ALL.iter().copied() {
                assert_eq!(told(configured, &bytes), Some(Diagnosis::OtherSpeed { configured }), "{sent} as {read}");
            }
        }
    }
    let printer = b"ROULETTE 17 BLACK\r\nROULETTE 4 BLACK\r\nROULETTE 0 GREEN\r\n";
    assert_eq!(told(Dialect::AngelEye, printer), Some(Diagnosis::OtherDevice));
}

#[test]
fn checksums_that_begin_to_fail_are_told_though_all_was_well_before() {
    let mut decoder = shoe::dialect(Dialect::AngelEye);
    (0..100).for_each(|_| decoder.push(&line(Dialect::AngelEye), &mut Vec::new()));
    let before = decoder.stats();
    let mut harmed = line(Dialect::AngelEye);
    harmed.iter_mut().skip(4).step_by(16).for_each(|byte| *byte ^= 0x04);
    decoder.push(&harmed, &mut Vec::new());
    let since = decoder.stats().since(&before);
    assert_eq!((since.bad_checksum, since.frames), (8, 7), "every other telegram of fifteen");
    let wrong = shoe::diagnose(Dialect::AngelEye, &since, &harmed);
    assert_eq!(wrong, Some(Diagnosis::Damaged { bad: 8, frames: 7 }));
    assert_eq!(shoe::diagnose(Dialect::AngelEye, &decoder.stats(), &harmed), None, "eight in fifteen hundred");
}

#[test]
fn telegrams_of_unknown_codes_alone_are_another_model() {
    let bytes = b"\x051Z\x0368".repeat(3);
    assert_eq!(told(Dialect::AngelEye, &bytes), Some(Diagnosis::NothingKnown { frames: 3 }));
}
