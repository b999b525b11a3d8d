//! The numbers of telegrams: which one is a repeat, and how many are missing before it.
//!
//! A shoe numbers its telegrams round a cycle, but no document says which. What is known byte for byte has a digit. So
//! the cycle is learned: it is the narrowest of [`CYCLES`] that holds every number heard so far on the line. That reads
//! `9` and `0` as neighbours until some other byte shows that they are not. A wider cycle goes on where the narrower one
//! ends, so learning it makes up no gap.
//!
//! A number tells telegrams apart only within its cycle. One that says the same under the same number as one of the last
//! few is a repeat, even if others came between; one that says something else, or comes when more have passed, is new.
//!
//! Numbers count what was lost only up to whole cycles: of ten digits, twelve lost telegrams look like two, and ten like
//! none. So many are lost only while the line is away, which its listener knows and has to tell. While a wider cycle is
//! not learned yet, losing just what it has beyond the narrower leaves no trace either. A start of communication begins
//! to count anew: what was lost before it nobody can number, and the start itself tells so.

use std::collections::VecDeque;

use super::telegram::Telegram;

/// A cycle of numbers: runs of bytes, the last followed by the first.
type Cycle = &'static [(u8, u8)];

/// What a sequence byte may count with, each holding the one before: digits, hexadecimal digits, printable characters,
/// seven bits, a byte.
const CYCLES: [Cycle; 5] =
    [&[(b'0', b'9')], &[(b'0', b'9'), (b'A', b'F')], &[(b' ', b'~')], &[(0, 0x7F)], &[(0, 0xFF)]];
/// How many telegrams back a repeat may lie. Fewer than half the shortest cycle, so that it is nearer as a repeat than
/// as a new one.
const MEMORY: usize = 4;

/// How a telegram stands to those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// It was heard before.
    Repeat,
    /// It is new; so many before it were not heard.
    Next { missing: u32 },
}

/// The telegrams heard last, and what they teach about the cycle.
#[derive(Default)]
pub(super) struct Sequence {
    /// The narrowest cycle that holds all numbers heard, by its place in [`CYCLES`].
    cycle: usize,
    /// The last telegrams that were new, the latest last.
    recent: VecDeque<Telegram>,
}

impl Sequence {
    /// Takes the next telegram of the line.
    pub(super) fn place(&mut self, telegram: Telegram) -> Place {
        // Starts in quick succession are a shoe in trouble: only the very last telegram makes one a repeat.
        let reach = if telegram.is_start() { 1 } else { MEMORY };
        if self.recent.iter().rev().take(reach).any(|before| telegram.repeats(before)) {
            return Place::Repeat;
        }
        while self.cycle + 1 < CYCLES.len() && position(self.cycle(), telegram.seq).is_none() {
            self.cycle += 1;
        }
        if telegram.is_start() {
            self.recent.clear();
        }
        let missing = self.recent.back().map_or(0, |before| between(self.cycle(), before.seq, telegram.seq));
        if self.recent.len() == MEMORY {
            self.recent.pop_front();
        }
        self.recent.push_back(telegram);
        Place::Next { missing }
    }

    fn cycle(&self) -> Cycle {
        CYCLES.get(self.cycle).copied().unwrap_or(&[(0, 0xFF)])
    }
}

/// How many numbers lie between two. If they are the same, it is the whole cycle but one.
fn between(cycle: Cycle, before: u8, after: u8) -> u32 {
    let length: u32 = cycle.iter().map(|(first, last)| u32::from(last - first) + 1).sum();
    match (position(cycle, before), position(cycle, after)) {
        (Some(before), Some(after)) => (after + length - before - 1) % length,
        _ => 0,
    }
}

/// A number's place in its cycle.
fn position(cycle: Cycle, number: u8) -> Option<u32> {
    let mut before = 0;
    for (first, last) in cycle {
        if (*first..=*last).contains(&number) {
            return Some(before + u32::from(number - first));
        }
        before += u32::from(last - first) + 1;
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::telegram::{Tail, at_end};
    use super::*;

    /// A telegram with this number and target byte, the rest being always the same.
    fn told(code: u8, seq: u8, target: u8) -> Telegram {
        let check = seq ^ code ^ target ^ 0x44 ^ 0x03;
        let bytes = [&[0x05, seq, code, target, 0x44, 0x03][..], format!("{check:02X}").as_bytes()].concat();
        let Tail::Telegram { telegram, .. } = at_end(&bytes) else { panic!("{bytes:?}") };
        telegram
    }

    fn start(seq: u8) -> Telegram {
        let bytes = [&[0x05, seq, b'S', 0x03][..], format!("{:02X}", seq ^ b'S' ^ 0x03).as_bytes()].concat();
        let Tail::Telegram { telegram, .. } = at_end(&bytes) else { panic!("{bytes:?}") };
        telegram
    }

    /// What is missing before each of these numbers; a card of its own for each.
    fn missing(numbers: impl IntoIterator<Item = u8>) -> Vec<u32> {
        let mut sequence = Sequence::default();
        let places = numbers.into_iter().enumerate().map(|(card, seq)| sequence.place(told(b'D', seq, card as u8)));
        let missing = places.map(|place| match place {
            Place::Next { missing } => missing,
            Place::Repeat => panic!("a new card is no repeat"),
        });
        missing.collect()
    }

    #[test]
    fn whatever_cycle_a_shoe_counts_with_no_gap_is_made_up() {
        for cycle in CYCLES {
            let all: Vec<u8> = (0..=255).filter(|number| position(cycle, *number).is_some()).collect();
            for begin in 0..all.len() {
                let count = all.iter().cycle().skip(begin).take(3 * all.len()).copied();
                assert!(missing(count).iter().all(|missing| *missing == 0), "{cycle:?} from {begin}");
            }
        }
    }

    #[test]
    fn a_jump_tells_how_many_are_missing() {
        assert_eq!(missing(*b"0134"), [0, 0, 1, 0]);
        assert_eq!(missing(*b"8912"), [0, 0, 1, 0]);
        assert_eq!(missing(*b"12"), [0, 0]);
        assert_eq!(missing(*b"21"), [0, 8]);
        assert_eq!(missing([b'9', b':', b'<']), [0, 0, 1]);
        assert_eq!(missing([0xFE, 0xFF, 0x01]), [0, 0, 1]);
    }

    #[test]
    fn another_card_under_the_same_number_comes_a_whole_cycle_later() {
        assert_eq!(missing(*b"11"), [0, 9]);
    }

    #[test]
    fn a_late_send_is_a_repeat_and_does_not_turn_the_count_back() {
        let mut sequence = Sequence::default();
        let mut place = |seq: u8| sequence.place(told(b'D', seq, seq));
        let next = Place::Next { missing: 0 };
        assert_eq!([b'1', b'2', b'1', b'2', b'3'].map(&mut place), [next, next, Place::Repeat, Place::Repeat, next]);
    }

    #[test]
    fn the_same_card_under_the_same_number_a_cycle_later_is_new() {
        let mut sequence = Sequence::default();
        for seq in (b'0'..=b'9').chain(b'0'..=b'9') {
            assert_eq!(sequence.place(told(b'D', seq, 1)), Place::Next { missing: 0 });
        }
    }

    #[test]
    fn a_card_told_again_is_a_repeat_under_its_old_number_and_counts_under_a_new_one() {
        let mut sequence = Sequence::default();
        assert_eq!(sequence.place(told(b'D', b'1', 7)), Place::Next { missing: 0 });
        assert_eq!(sequence.place(told(b'R', b'1', 7)), Place::Repeat);
        assert_eq!(sequence.place(told(b'R', b'2', 7)), Place::Next { missing: 0 });
        assert_eq!(sequence.place(told(b'D', b'3', 8)), Place::Next { missing: 0 });
    }

    #[test]
    fn a_start_counts_anew() {
        let mut sequence = Sequence::default();
        sequence.place(told(b'D', b'1', 1));
        sequence.place(told(b'D', b'2', 2));
        assert_eq!(sequence.place(start(b'0')), Place::Next { missing: 0 });
        assert_eq!(sequence.place(start(b'0')), Place::Repeat);
        assert_eq!(sequence.place(told(b'D', b'1', 1)), Place::Next { missing: 0 }, "the old 1 is forgotten");
        assert_eq!(sequence.place(start(b'0')), Place::Next { missing: 0 }, "it starts once more");
    }
}
