//! Goes straight to a stretch of time of a finished tape.

use std::collections::VecDeque;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;

use mcap::MAGIC;
use mcap::records::op;

use super::MAX_RECORD;
use super::about::About;
use super::channel::{Definitions, Message};
use super::chunk::Chunk;
use super::error::{Damage, TapeError};
use super::fields::Fields;
use super::read;
use super::walk::{PRELUDE, Walker, read_error};

/// Bytes of the footer record and what follows it.
const FOOTER: u64 = PRELUDE as u64 + 20 + MAGIC.len() as u64;

/// Where a chunk lies and what is in it.
#[derive(Clone)]
pub(super) struct Indexed {
    pub(super) offset: u64,
    length: u64,
    first: u64,
    last: u64,
    channels: Vec<u16>,
}

/// Reads parts of a finished tape through the index at its end.
pub struct SeekReader<R> {
    from: R,
    about: About,
    definitions: Definitions,
    chunks: Vec<Indexed>,
}

impl<R: Read + Seek> SeekReader<R> {
    /// Opens a finished tape; one that is not gives [`TapeError::Unfinished`].
    pub fn open(mut from: R) -> Result<Self, TapeError> {
        let about = read::front(&mut Walker::new(&mut from))?;
        let (definitions, chunks) = summary(&mut from)?;
        Ok(Self { from, about, definitions, chunks })
    }

    /// What the tape says of itself.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// The topics that are on the tape, in order of their names.
    pub fn topics(&self) -> impl Iterator<Item = &str> {
        self.definitions.topics()
    }

    /// The first and last moment of the tape in nanoseconds since 1970; `None` if it is empty.
    pub fn span(&self) -> Option<(u64, u64)> {
        let filled = || self.chunks.iter().filter(|chunk| !chunk.channels.is_empty());
        Some((filled().map(|chunk| chunk.first).min()?, filled().map(|chunk| chunk.last).max()?))
    }

    /// The messages recorded from `time.start` to before `time.end`, in nanoseconds since 1970, on the topics that
    /// `wanted` likes, in the order of recording. Only chunks that can hold any are read.
    pub fn messages<'r, F: Fn(&str) -> bool + 'r>(&'r mut self, time: Range<u64>, wanted: F) -> Messages<'r, R, F> {
        let likes = |id: &u16| self.definitions.channel(*id).is_ok_and(|channel| wanted(&channel.topic));
        let chunks = self
            .chunks
            .iter()
            .filter(|chunk| chunk.first < time.end && chunk.last >= time.start && chunk.channels.iter().any(likes))
            .cloned()
            .collect();
        Messages { from: &mut self.from, definitions: &mut self.definitions, chunks, open: None, time, wanted }
    }
}

/// Messages of a stretch of time. Ends after an error.
pub struct Messages<'r, R, F> {
    from: &'r mut R,
    definitions: &'r mut Definitions,
    chunks: VecDeque<Indexed>,
    open: Option<Chunk>,
    time: Range<u64>,
    wanted: F,
}

impl<R: Read + Seek, F: Fn(&str) -> bool> Messages<'_, R, F> {
    fn advance(&mut self) -> Result<Option<Message>, TapeError> {
        loop {
            let Some(chunk) = &mut self.open else {
                let Some(next) = self.chunks.pop_front() else { return Ok(None) };
                self.open = Some(read_chunk(self.from, next.offset, next.length)?);
                continue;
            };
            let offset = chunk.offset;
            match chunk.next(self.definitions).map_err(|damage| damage.at(offset))? {
                Some(message) if self.time.contains(&message.log_time) && (self.wanted)(&message.channel.topic) => {
                    return Ok(Some(message));
                }
                Some(_) => {}
                None => self.open = None,
            }
        }
    }
}

impl<R: Read + Seek, F: Fn(&str) -> bool> Iterator for Messages<'_, R, F> {
    type Item = Result<Message, TapeError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.advance();
        if next.is_err() {
            self.chunks.clear();
            self.open = None;
        }
        next.transpose()
    }
}

/// Reads and checks the chunk record at `offset`, `length` bytes with its prelude.
pub(super) fn read_chunk<R: Read + Seek>(from: &mut R, offset: u64, length: u64) -> Result<Chunk, TapeError> {
    if length > MAX_RECORD + PRELUDE as u64 {
        return Err(Damage::TooLong(length).at(offset));
    }
    let bytes = read_at(from, offset, length)?;
    let mut fields = Fields(&bytes);
    let (kind, claimed) = (fields.u8(), fields.u64());
    if kind != Some(op::CHUNK) || claimed != Some(fields.0.len() as u64) || bytes.len() as u64 != length {
        return Err(Damage::Malformed("chunk").at(offset));
    }
    Chunk::open(offset, fields.0, Vec::new()).map_err(|damage| damage.at(offset))
}

/// So many bytes from `offset`, or fewer at the end of the file.
pub(super) fn read_at<R: Read + Seek>(from: &mut R, offset: u64, count: u64) -> Result<Vec<u8>, TapeError> {
    let mut bytes = Vec::new();
    from.seek(SeekFrom::Start(offset))
        .and_then(|_| from.take(count).read_to_end(&mut bytes))
        .map_err(|source| read_error(offset, source))?;
    Ok(bytes)
}

/// Reads the summary at the end of a finished tape.
pub(super) fn summary<R: Read + Seek>(from: &mut R) -> Result<(Definitions, Vec<Indexed>), TapeError> {
    let length = from.seek(SeekFrom::End(0)).map_err(|source| read_error(0, source))?;
    let footer_at = length.saturating_sub(FOOTER);
    let footer = read_at(from, footer_at, FOOTER)?;
    if !footer.ends_with(MAGIC) || length < FOOTER + MAGIC.len() as u64 {
        return Err(TapeError::Unfinished { offset: length });
    }
    let read = |mut f: Fields<'_>| Some((f.u8()?, f.u64()?, f.u64()?, f.u64()?, f.u32()?));
    let Some((op::FOOTER, 20, start, _, crc)) = read(Fields(&footer)) else {
        return Err(Damage::Malformed("footer").at(footer_at));
    };
    if start > footer_at || footer_at - start > MAX_RECORD {
        return Err(Damage::Malformed("footer").at(footer_at));
    }
    let bytes = read_at(from, start, footer_at - start)?;
    let mut hash = crc32fast::Hasher::new();
    hash.update(&bytes);
    hash.update(footer.get(..PRELUDE + 16).unwrap_or_default());
    if hash.finalize() != crc {
        return Err(Damage::SummaryChecksum.at(start));
    }
    index(&bytes).map_err(|damage| damage.at(start))
}

fn index(summary: &[u8]) -> Result<(Definitions, Vec<Indexed>), Damage> {
    let (mut definitions, mut chunks) = (Definitions::default(), Vec::new());
    let mut fields = Fields(summary);
    while !fields.0.is_empty() {
        let (kind, body) = super::fields::record(&mut fields).ok_or(Damage::Malformed("summary"))?;
        match kind {
            op::SCHEMA => definitions.schema_record(body)?,
            op::CHANNEL => definitions.channel_record(body)?,
            op::CHUNK_INDEX => chunks.push(indexed(body).ok_or(Damage::Malformed("chunk index"))?),
            _ => {}
        }
    }
    chunks.sort_by_key(|chunk| chunk.offset);
    Ok((definitions, chunks))
}

fn indexed(body: &[u8]) -> Option<Indexed> {
    let mut f = Fields(body);
    let (first, last, offset, length) = (f.u64()?, f.u64()?, f.u64()?, f.u64()?);
    let mut entries = Fields(f.sized()?);
    let mut channels = Vec::new();
    while !entries.0.is_empty() {
        channels.push(entries.u16()?);
        entries.u64()?;
    }
    Some(Indexed { offset, length, first, last, channels })
}
