//! A serial line: bytes leave one after the other at the line's pace and are read in pieces of any length.

use auditor::model::random::Dice;

/// The bits of a byte with its start and stop bit.
const BITS: i64 = 10;

/// One direction of a serial line.
#[derive(Clone, Debug)]
pub(super) struct Line {
    /// Microseconds that a byte takes.
    byte: i64,
    /// When the last byte is through.
    free: i64,
}

impl Line {
    pub(super) const fn new(baud: i64) -> Self {
        Self { byte: BITS * 1_000_000 / baud, free: i64::MIN }
    }

    /// When bytes given to the line at a time begin to leave.
    pub(super) fn start(&self, at: i64) -> i64 {
        at.max(self.free)
    }

    /// Sends bytes as soon as the line is free, and adds the reads in which they arrive.
    pub(super) fn send(&mut self, at: i64, bytes: &[u8], dice: &mut Dice, reads: &mut Vec<(i64, Vec<u8>)>) {
        let start = self.start(at);
        let (mut rest, mut sent) = (bytes, 0);
        while !rest.is_empty() {
            let whole = dice.once_in(2);
            let length = if whole { rest.len() } else { 1 + dice.below(rest.len()) };
            let (read, later) = rest.split_at(length);
            sent += length as i64;
            reads.push((start.saturating_add(self.byte * sent), read.to_vec()));
            rest = later;
        }
        self.free = start.saturating_add(self.byte * sent);
    }
}
