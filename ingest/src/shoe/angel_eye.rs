//! Angel Eye telegrams: `ENQ seq code payload ETX BCC`.
//!
//! A telegram is known by its end. With every byte the last few are looked at: do they make a whole telegram whose
//! length fits its code and whose checksum holds? So a telegram is heard with its last byte, whatever stood before it
//! on the line, and a payload that holds a control byte disturbs nobody. The checksum is two upper-case digits, as the
//! shoe writes them; anything else is a wrong checksum.

mod sequence;
mod telegram;

use super::{Decoder, Heard, Said, Stats};
use sequence::{Place, Sequence};
use telegram::{ACK, COMMAND_LONGEST, ENQ, NAK, Tail};

/// Reads Angel Eye telegrams.
#[derive(Default)]
pub struct AngelEye {
    /// The last bytes, as far back as a telegram that ends with the next one can begin.
    tail: Vec<u8>,
    sequence: Sequence,
    answer: Answer,
    stats: Stats,
}

/// What the shoe owes to a host's command. Elsewhere on the line these bytes mean nothing.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Answer {
    #[default]
    None,
    Due,
    Reason,
}

impl Decoder for AngelEye {
    fn push(&mut self, bytes: &[u8], heard: &mut Vec<Heard>) {
        for byte in bytes {
            self.stats.bytes += 1;
            if !self.answers(*byte) {
                self.take(*byte, heard);
            }
        }
    }

    fn line_ended(&mut self, _: &mut Vec<Heard>) {
        self.stats.noise_bytes += self.tail.len() as u64;
        self.tail.clear();
        self.answer = Answer::None;
    }

    fn stats(&self) -> Stats {
        self.stats
    }
}

impl AngelEye {
    /// Whether a byte is the shoe's answer to a command just heard: `ACK`, or `NAK` and a reason.
    fn answers(&mut self, byte: u8) -> bool {
        let (answers, next) = match (self.answer, byte) {
            (Answer::Due, ACK) => (true, Answer::None),
            (Answer::Due, NAK) => (true, Answer::Reason),
            (Answer::Reason, byte) => (byte != ENQ, Answer::None),
            _ => (false, Answer::None),
        };
        self.answer = next;
        answers
    }

    fn take(&mut self, byte: u8, heard: &mut Vec<Heard>) {
        if self.tail.len() == COMMAND_LONGEST {
            self.tail.remove(0);
            self.stats.noise_bytes += 1;
        }
        self.tail.push(byte);
        let start = match telegram::at_end(&self.tail) {
            Tail::Open => return,
            Tail::BadChecksum => {
                self.stats.bad_checksum += 1;
                return;
            }
            Tail::Telegram { start, telegram } => {
                let offset = self.offset(start);
                self.hear(offset, telegram, heard);
                start
            }
            Tail::Command { start, says } => {
                self.stats.host_commands += 1;
                self.answer = Answer::Due;
                let offset = self.offset(start);
                heard.push(Heard { offset, seq: None, said: Said::HostCommand { says }, index: None });
                start
            }
        };
        self.stats.noise_bytes += start as u64;
        self.tail.clear();
    }

    /// Where on the line a byte of the tail stands.
    fn offset(&self, in_tail: usize) -> u64 {
        self.stats.bytes.saturating_sub((self.tail.len().saturating_sub(in_tail)) as u64)
    }

    fn hear(&mut self, offset: u64, telegram: telegram::Telegram, heard: &mut Vec<Heard>) {
        self.stats.frames += 1;
        let seq = Some(telegram.seq);
        let is_again = telegram.is_again();
        let (said, index) = telegram.means().unwrap_or_else(|| (Said::Unknown { says: telegram.text() }, None));
        match self.sequence.place(telegram) {
            Place::Repeat => {
                self.stats.duplicates += 1;
                return;
            }
            Place::Next { missing: 0 } => {}
            Place::Next { missing } => {
                self.stats.gaps += 1;
                heard.push(Heard { offset, seq, said: Said::Gap { at_most: missing }, index: None });
            }
        }
        match said {
            // It has its own number, so its absence would be a gap; but its card was told before or is in one.
            _ if is_again => {
                self.stats.duplicates += 1;
                return;
            }
            Said::Unknown { .. } => self.stats.unknown += 1,
            _ => self.stats.events += 1,
        }
        heard.push(Heard { offset, seq, said, index });
    }
}
