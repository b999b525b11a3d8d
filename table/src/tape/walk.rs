//! Walks a file record by record, counting bytes and checksums, and tells a file that stops from one that is wrong.

use std::io::{self, Read};

use mcap::MAGIC;
use mcap::records::op;

use super::MAX_RECORD;
use super::error::{Damage, TapeError};
use super::fields::Fields;

/// Bytes of a record before its body: kind and length.
pub(super) const PRELUDE: usize = 9;

/// A record's place and kind; its body is in the walker.
#[derive(Clone, Copy)]
pub(super) struct Found {
    pub(super) offset: u64,
    pub(super) kind: u8,
}

/// Where in the file the walker is.
pub(super) struct Walker<R> {
    from: R,
    at: u64,
    /// Of the section being read.
    crc: crc32fast::Hasher,
    /// The last bytes read: a file that stops within a record but ends like a finished tape is damaged, not cut off.
    tail: Vec<u8>,
    body: Vec<u8>,
}

impl<R: Read> Walker<R> {
    pub(super) fn new(from: R) -> Self {
        Self { from, at: 0, crc: crc32fast::Hasher::new(), tail: Vec::new(), body: Vec::new() }
    }

    /// The body of the record last found.
    pub(super) fn body(&self) -> &[u8] {
        &self.body
    }

    /// Reads the bytes every MCAP file begins with.
    pub(super) fn start(&mut self) -> Result<(), TapeError> {
        let start = self.take(MAGIC.len() as u64)?;
        if start == MAGIC {
            self.crc.update(MAGIC);
            Ok(())
        } else if MAGIC.starts_with(&start) {
            Err(TapeError::Unfinished { offset: 0 })
        } else {
            Err(TapeError::NotATape { offset: 0, why: "the file does not begin as an MCAP file does" })
        }
    }

    /// Reads the next record. A record of the summary or the data section is counted into the section's checksum.
    pub(super) fn next(&mut self) -> Result<Found, TapeError> {
        let offset = self.at;
        let prelude = self.take(PRELUDE as u64)?;
        let mut fields = Fields(&prelude);
        let (Some(kind), Some(length)) = (fields.u8(), fields.u64()) else {
            return Err(self.stopped(offset));
        };
        let fixed = match kind {
            op::DATA_END => Some(4),
            op::FOOTER => Some(20),
            _ => None,
        };
        if length > MAX_RECORD || fixed.is_some_and(|fixed| fixed != length) {
            return Err(Damage::TooLong(length).at(offset));
        }
        self.body = {
            let room = std::mem::take(&mut self.body);
            self.take_into(length, room)?
        };
        if self.body.len() as u64 != length {
            return Err(self.stopped(offset));
        }
        match kind {
            op::DATA_END => {}
            // The footer's checksum covers the footer up to the checksum itself.
            op::FOOTER => {
                self.crc.update(&prelude);
                self.crc.update(&self.body[..16]);
            }
            _ => {
                self.crc.update(&prelude);
                self.crc.update(&self.body);
            }
        }
        Ok(Found { offset, kind })
    }

    /// The checksum of the section so far, and a new section begins.
    pub(super) fn section_crc(&mut self) -> u32 {
        std::mem::take(&mut self.crc).finalize()
    }

    /// Reads the bytes every MCAP file ends with; nothing may follow.
    pub(super) fn end(&mut self) -> Result<(), TapeError> {
        let offset = self.at;
        let end = self.take(MAGIC.len() as u64 + 1)?;
        if end == MAGIC {
            Ok(())
        } else if MAGIC.starts_with(&end) {
            Err(TapeError::Unfinished { offset })
        } else {
            Err(Damage::End.at(offset))
        }
    }

    /// The file ended within the record at `offset`.
    fn stopped(&self, offset: u64) -> TapeError {
        let ends_as_finished = self.tail == MAGIC && self.at >= 2 * MAGIC.len() as u64;
        if ends_as_finished { Damage::RunsOver.at(offset) } else { TapeError::Unfinished { offset } }
    }

    fn take(&mut self, count: u64) -> Result<Vec<u8>, TapeError> {
        self.take_into(count, Vec::new())
    }

    /// Reads so many bytes, or fewer at the end of the file. The buffer grows with what is there, not with what a
    /// length claims.
    fn take_into(&mut self, count: u64, mut room: Vec<u8>) -> Result<Vec<u8>, TapeError> {
        room.clear();
        let read = (&mut self.from).take(count).read_to_end(&mut room);
        self.at += room.len() as u64;
        let tail = &room[room.len().saturating_sub(MAGIC.len())..];
        self.tail.extend_from_slice(tail);
        self.tail.drain(..self.tail.len().saturating_sub(MAGIC.len()));
        match read {
            Ok(_) => Ok(room),
            Err(source) => Err(read_error(self.at, source)),
        }
    }
}

/// Reading the file itself failed.
pub(super) fn read_error(offset: u64, source: io::Error) -> TapeError {
    TapeError::Read { offset, source }
}
