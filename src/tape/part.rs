//! A part of a tape: which of its messages belong to it, and copying them.

use std::collections::BTreeSet;
use std::io::{Read, Seek, Write};
use std::ops::Range;

use table::RoundId;
use table::tape::{Record, SeekReader, Writer};

/// What is copied: a stretch of time in nanoseconds, and for what was made of a round, the rounds.
pub(crate) struct Part {
    pub(crate) time: Range<u64>,
    pub(crate) rounds: Option<BTreeSet<RoundId>>,
}

/// Topics of what was made of a round. Such records are written after it, so their round chooses them, not their time.
fn is_made(topic: &str) -> bool {
    matches!(topic, "/rounds" | "/flags" | "/expected")
}

impl Part {
    /// Copies the part to another tape in the order of recording, and says how many messages it had.
    pub(crate) fn copy<R: Read + Seek, W: Write>(
        &self,
        from: &mut SeekReader<R>,
        to: &mut Writer<W>,
    ) -> anyhow::Result<u64> {
        let mut made = Vec::new();
        if let Some(rounds) = &self.rounds {
            for message in from.messages(0..u64::MAX, is_made) {
                let message = message?;
                let of = match Record::decode(&message)? {
                    Record::Round(round) => round.id,
                    Record::Flag(flag) | Record::Expected(flag) => flag.round,
                    _ => continue,
                };
                if rounds.contains(&of) {
                    made.push(message);
                }
            }
        }
        let mut made = made.into_iter().peekable();
        let mut copied = 0;
        for message in from.messages(self.time.clone(), |topic| self.rounds.is_none() || !is_made(topic)) {
            let message = message?;
            while let Some(earlier) = made.next_if(|made| made.log_time < message.log_time) {
                to.message(&earlier)?;
                copied += 1;
            }
            to.message(&message)?;
            copied += 1;
        }
        for later in made {
            to.message(&later)?;
            copied += 1;
        }
        Ok(copied)
    }
}
