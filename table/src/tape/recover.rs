//! Makes a finished tape of what is left of a damaged or unfinished one.

use std::collections::BTreeMap;
use std::io::{Read, Seek, SeekFrom, Write};

use mcap::MAGIC;
use mcap::records::op;

use super::MAX_RECORD;
use super::about::{About, Config};
use super::channel::{self, Definitions};
use super::chunk::Chunk;
use super::content::Metadata;
use super::error::{Damage, TapeError};
use super::fields::Fields;
use super::read::{is_message_index, profile, trusted};
use super::seek::{read_at, summary};
use super::walk::{PRELUDE, read_error};
use super::write::Writer;
use crate::ident::Ident;
use crate::time::Utc;

/// How much of the file is looked through at once for the next whole record.
const WINDOW: u64 = 1 << 16;

/// A stretch of the file that could not be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Loss {
    /// Where it begins.
    pub offset: u64,
    /// How long it is.
    pub bytes: u64,
    /// How many whole chunks stand before it.
    pub after_chunks: u64,
    /// What is wrong there; `None` where the file just stops.
    pub damage: Option<Damage>,
}

/// What a rescue brought.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Recovery {
    /// Messages on the new tape.
    pub messages: u64,
    /// Whole chunks found.
    pub chunks: u64,
    /// Stretches of the file that could not be used.
    pub losses: Vec<Loss>,
    /// Messages known to be missing. What an unfinished tape lost at its end nobody can count.
    pub missing: u64,
    /// Whether the tape's end was found.
    pub finished: bool,
    /// Whether the name of the table had to be given up.
    pub nameless: bool,
}

impl Recovery {
    /// Whether the new tape holds everything the old one held when it was finished.
    pub fn complete(&self) -> bool {
        self.finished && !self.nameless && self.missing == 0
    }
}

/// Writes a finished tape with everything in `from` that can be trusted. `origin` says on the new tape what it was
/// made from.
///
/// A chunk that does not check out is left out, and the search goes on for the next record whose own checksum holds.
pub fn recover<R: Read + Seek, W: Write>(mut from: R, to: W, origin: &str) -> Result<(W, Recovery), TapeError> {
    let length = from.seek(SeekFrom::End(0)).map_err(|source| read_error(0, source))?;
    // A summary that holds describes every channel, even one whose first chunk is lost.
    let definitions = summary(&mut from).map(|(definitions, _)| definitions).unwrap_or_default();
    let mut salvage = Salvage { from, length, at: 0, recovery: Recovery::default() };
    let mut rescue = Rescue { about: None, config: None, definitions, expected: 0, content: None };
    let mut first = None;
    while let Some(piece) = salvage.next()? {
        match piece {
            Piece::Metadata(metadata) => rescue.metadata(metadata),
            Piece::Chunk(chunk) => {
                first = Some(chunk);
                break;
            }
        }
    }
    salvage.recovery.nameless = rescue.about.is_none();
    let mut tape = Writer::create(to, &rescue.about(origin))?;
    if let Some(chunk) = first {
        rescue.chunk(chunk, &mut tape, &mut salvage.recovery)?;
    }
    while let Some(piece) = salvage.next()? {
        match piece {
            Piece::Metadata(metadata) => rescue.metadata(metadata),
            Piece::Chunk(chunk) => rescue.chunk(chunk, &mut tape, &mut salvage.recovery)?,
        }
    }
    rescue.count_missing(&mut salvage.recovery);
    Ok((tape.finish()?, salvage.recovery))
}

/// Something in the file that can be trusted.
enum Piece {
    Metadata(Metadata),
    Chunk(Chunk),
}

/// What stands at a place in the file.
enum Place {
    Trusted(Piece),
    /// Nothing to keep, but nothing wrong either.
    Passable,
    /// The end of the data.
    End,
}

/// Finds what can be trusted.
struct Salvage<R> {
    from: R,
    length: u64,
    at: u64,
    recovery: Recovery,
}

impl<R: Read + Seek> Salvage<R> {
    fn next(&mut self) -> Result<Option<Piece>, TapeError> {
        if self.at == 0 && read_at(&mut self.from, 0, MAGIC.len() as u64)? == MAGIC {
            self.at = MAGIC.len() as u64;
        }
        while self.at < self.length && !self.recovery.finished {
            match self.look(self.at) {
                Ok((place, next)) => {
                    self.at = next;
                    match place {
                        Place::Trusted(piece) => {
                            self.recovery.chunks += u64::from(matches!(piece, Piece::Chunk(_)));
                            return Ok(Some(piece));
                        }
                        Place::Passable => {}
                        Place::End => self.recovery.finished = true,
                    }
                }
                Err(TapeError::Damaged { damage, .. }) => self.lose(Some(damage))?,
                Err(TapeError::Unfinished { .. }) => self.lose(None)?,
                Err(error) => return Err(error),
            }
        }
        Ok(None)
    }

    /// Notes a loss from here to the next record that can be trusted.
    fn lose(&mut self, damage: Option<Damage>) -> Result<(), TapeError> {
        let next = self.search(self.at + 1)?;
        let after_chunks = self.recovery.chunks;
        self.recovery.losses.push(Loss { offset: self.at, bytes: next - self.at, after_chunks, damage });
        self.at = next;
        Ok(())
    }

    /// What stands at `offset`, and where the next record begins.
    fn look(&mut self, offset: u64) -> Result<(Place, u64), TapeError> {
        let prelude = read_at(&mut self.from, offset, PRELUDE as u64)?;
        let mut fields = Fields(&prelude);
        let (Some(kind), Some(length)) = (fields.u8(), fields.u64()) else {
            return Err(TapeError::Unfinished { offset });
        };
        let begin = offset + PRELUDE as u64;
        if length > MAX_RECORD {
            return Err(Damage::TooLong(length).at(offset));
        }
        let next = begin + length;
        if next > self.length {
            return Err(TapeError::Unfinished { offset });
        }
        let body = read_at(&mut self.from, begin, length)?;
        let place = match kind {
            op::CHUNK => {
                Place::Trusted(Piece::Chunk(Chunk::open(offset, &body, Vec::new()).map_err(|d| d.at(offset))?))
            }
            op::METADATA => Place::Trusted(Piece::Metadata(trusted(offset, &body)?)),
            op::HEADER if offset == MAGIC.len() as u64 && profile(&body).is_some() => Place::Passable,
            op::MESSAGE_INDEX if is_message_index(&body) => Place::Passable,
            op::DATA_END if length == 4 => Place::End,
            other => return Err(Damage::Misplaced(other).at(offset)),
        };
        Ok((place, next))
    }

    /// The place of the next chunk or metadata whose checksum holds, or the end of the file.
    fn search(&mut self, mut from: u64) -> Result<u64, TapeError> {
        while from < self.length {
            // A little of the next window, so that a head on the border is seen whole.
            let window = read_at(&mut self.from, from, WINDOW + HEAD as u64)?;
            for start in 0..window.len().min(WINDOW as usize) {
                let offset = from + start as u64;
                if plausible(&window[start..], self.length - offset) && self.look(offset).is_ok() {
                    return Ok(offset);
                }
            }
            from += WINDOW;
        }
        Ok(self.length)
    }
}

/// Bytes of a chunk record before its packed data, with the longer of the two names of a compression.
const HEAD: usize = PRELUDE + 8 + 8 + 8 + 4 + 4 + 4 + 8;

/// Whether a chunk or metadata record may begin here: a quick look that spares reading what cannot be one.
fn plausible(bytes: &[u8], left: u64) -> bool {
    let look = |mut f: Fields<'_>| {
        let (kind, length) = (f.u8()?, f.u64()?);
        if length > MAX_RECORD || length + PRELUDE as u64 > left {
            return None;
        }
        match kind {
            op::CHUNK => {
                let (first, last, unpacked, _crc) = (f.u64()?, f.u64()?, f.u64()?, f.u32()?);
                let name = f.text().filter(|name| matches!(*name, "" | "zstd"))?;
                let packed = f.u64()?;
                let head = (HEAD - PRELUDE - 4 + name.len()) as u64;
                (first <= last && unpacked <= MAX_RECORD && head + packed == length).then_some(())
            }
            op::METADATA => f.u32().filter(|name| (1..=64).contains(name)).map(|_| ()),
            _ => None,
        }
    };
    look(Fields(bytes)).is_some()
}

/// Puts what was found on the new tape.
struct Rescue {
    about: Option<About>,
    config: Option<Config>,
    definitions: Definitions,
    /// The number of the next message.
    expected: u32,
    content: Option<BTreeMap<String, String>>,
}

impl Rescue {
    fn metadata(&mut self, metadata: Metadata) {
        match metadata.name.as_str() {
            "fairdeal" => self.about = About::from_identity(&metadata.own()),
            "table-config" => self.config = Config::from_metadata(&metadata.own()).flatten(),
            "content" => self.content = Some(metadata.own()),
            "channel" => {
                if let Some((id, channel)) = channel::from_metadata(&metadata.own()) {
                    // What may be known of the channel already came from a record just as trusted.
                    let _ = self.definitions.define(id, channel);
                }
            }
            _ => {}
        }
    }

    /// What the new tape says of itself.
    fn about(&self, origin: &str) -> About {
        let nameless = || About::new(Ident::unnamed_table(), Utc::EPOCH, "unknown");
        let about = self.about.clone().unwrap_or_else(nameless);
        About { origin: Some(origin.to_owned()), config: self.config.clone(), ..about }
    }

    /// Copies the messages of a chunk and notices which are missing before them.
    fn chunk<W: Write>(
        &mut self,
        mut chunk: Chunk,
        tape: &mut Writer<W>,
        recovery: &mut Recovery,
    ) -> Result<(), TapeError> {
        let mut told = false;
        loop {
            let message = match chunk.next(&mut self.definitions) {
                Ok(Some(message)) => message,
                Ok(None) => return Ok(()),
                Err(damage) => {
                    let go_on = matches!(damage, Damage::UnknownChannel(_));
                    if !told {
                        let (bytes, after_chunks) = (chunk.left(), recovery.chunks.saturating_sub(1));
                        recovery.losses.push(Loss { offset: chunk.offset, bytes, after_chunks, damage: Some(damage) });
                        told = true;
                    }
                    if go_on {
                        continue;
                    }
                    return Ok(());
                }
            };
            let skipped = message.sequence.wrapping_sub(self.expected);
            // A number that lies behind is a chunk met a second time.
            if skipped > u32::MAX / 2 {
                continue;
            }
            recovery.missing += u64::from(skipped);
            self.expected = message.sequence.wrapping_add(1);
            tape.message(&message)?;
            recovery.messages += 1;
        }
    }

    /// The hashes at the end of a finished tape tell how many messages it had.
    fn count_missing(&self, recovery: &mut Recovery) {
        if let Some(content) = &self.content {
            let count = |entry: &String| entry.split(' ').next().and_then(|count| count.parse::<u64>().ok());
            let had = content.values().filter_map(count).fold(0, u64::saturating_add);
            recovery.missing = had.saturating_sub(recovery.messages);
        }
    }
}
