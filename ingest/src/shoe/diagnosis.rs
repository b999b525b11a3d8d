//! What is wrong with a line, in words for the engineer under the table.

use std::fmt;

use table::config::Dialect;

use super::Stats;

/// Bytes without a telegram in them that are enough to judge by: the longest telegram three times over, and some.
const ENOUGH: u64 = 48;
/// With one wrong checksum in so many telegrams the line needs looking at.
const BAD_OF: u64 = 10;
/// With this many of a hundred bytes readable, the sender's speed is the listener's.
const READABLE: usize = 90;

/// Something wrong with a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Diagnosis {
    /// Nothing comes.
    Silent,
    /// The shoe speaks another dialect than the one listened for.
    OtherDialect {
        /// What it was taken for.
        configured: Dialect,
        /// What it speaks.
        speaks: Dialect,
    },
    /// Bytes that look like those of another speed.
    OtherSpeed {
        /// What was listened for.
        configured: Dialect,
    },
    /// Readable characters, but of no dialect we know.
    OtherDevice,
    /// Telegrams arrive, and none of them says anything that is known.
    NothingKnown {
        /// How many.
        frames: u64,
    },
    /// Many telegrams arrive damaged.
    Damaged {
        /// How many.
        bad: u64,
        /// How many did not.
        frames: u64,
    },
}

impl fmt::Display for Diagnosis {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Silent => f.write_str(
                "connected, but no bytes: is the shoe switched on, and its transmit wire on our receive pin? \
                 Draw a card to see",
            ),
            Self::OtherDialect { configured, speaks } => {
                write!(f, "bytes, but no {configured} telegrams: this shoe speaks {speaks}; set that dialect")
            }
            Self::OtherSpeed { configured } => write!(
                f,
                "bytes, but no telegrams, and the bytes look like those of another speed: check the baud rate of \
                 port or device server ({configured} shoes leave the factory with {})",
                configured.usual_baud()
            ),
            Self::OtherDevice => f.write_str(
                "bytes, but no telegrams: readable text, so the speed is right, but of no dialect we know; \
                 is this the shoe's line?",
            ),
            Self::NothingKnown { frames } => write!(
                f,
                "{frames} telegrams, but none that means anything to us: another model or version of the shoe; \
                 keep a capture of its bytes"
            ),
            Self::Damaged { bad, frames } => write!(
                f,
                "{bad} telegrams with a wrong checksum to {frames} good ones: look at cable, ground and plugs, and \
                 for a second device on the line"
            ),
        }
    }
}

/// What is wrong with a stretch of line, if anything is: what passed on it ([`Stats::since`] the last look), and some
/// of its latest bytes, as many as the caller cares to keep; a few hundred tell enough.
pub fn diagnose(dialect: Dialect, passed: &Stats, sample: &[u8]) -> Option<Diagnosis> {
    if passed.bytes == 0 {
        return Some(Diagnosis::Silent);
    }
    if passed.bad_checksum > 1 && passed.bad_checksum.saturating_mul(BAD_OF) >= passed.frames {
        return Some(Diagnosis::Damaged { bad: passed.bad_checksum, frames: passed.frames });
    }
    if passed.frames == 0 {
        return without_frames(dialect, passed, sample);
    }
    (passed.events == 0 && passed.unknown > 0).then_some(Diagnosis::NothingKnown { frames: passed.frames })
}

/// Why bytes hold no telegram.
fn without_frames(dialect: Dialect, passed: &Stats, sample: &[u8]) -> Option<Diagnosis> {
    let speaks = |other: &&Dialect| {
        let mut decoder = super::dialect(**other);
        decoder.push(sample, &mut Vec::new());
        decoder.stats().events > 0
    };
    let others = Dialect::ALL.iter().filter(|other| **other != dialect);
    if let Some(speaks) = others.copied().find(|other| speaks(&other)) {
        return Some(Diagnosis::OtherDialect { configured: dialect, speaks });
    }
    if passed.bytes < ENOUGH || sample.is_empty() {
        return None;
    }
    let readable = sample.iter().filter(|byte| matches!(**byte, b' '..=b'~' | b'\r' | b'\n' | b'\t')).count();
    let is_text = readable * 100 >= sample.len() * READABLE;
    Some(if is_text { Diagnosis::OtherDevice } else { Diagnosis::OtherSpeed { configured: dialect } })
}
