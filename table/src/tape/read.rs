//! Reads a tape from its first byte to its last, in constant memory, and believes nothing it has not checked.

use std::collections::BTreeMap;
use std::io::Read;

use mcap::records::op;

use super::about::{About, Config};
use super::channel::{Definitions, Message};
use super::chunk::Chunk;
use super::content::{Metadata, Tally};
use super::error::{Damage, TapeError};
use super::fields::Fields;
use super::walk::{Found, Walker};

/// The part of the file the reader is in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Section {
    Data,
    Summary,
    Over,
}

/// Streams the messages of a tape.
///
/// It ends with `None` after the last byte of a finished tape whose hashes hold, and with one error otherwise:
/// [`TapeError::Unfinished`] where the tape stops, [`TapeError::Damaged`] where it is wrong. Nothing follows an error.
pub struct Reader<R> {
    walker: Walker<R>,
    about: About,
    section: Section,
    definitions: Definitions,
    chunk: Option<Chunk>,
    room: Vec<u8>,
    tallies: BTreeMap<String, Tally>,
    /// The number of the next message.
    expected: u32,
    content_seen: bool,
}

impl<R: Read> Reader<R> {
    /// Opens a tape and reads what it says of itself.
    pub fn open(from: R) -> Result<Self, TapeError> {
        let mut walker = Walker::new(from);
        let about = front(&mut walker)?;
        Ok(Self {
            walker,
            about,
            section: Section::Data,
            definitions: Definitions::default(),
            chunk: None,
            room: Vec::new(),
            tallies: BTreeMap::new(),
            expected: 0,
            content_seen: false,
        })
    }

    /// What the tape says of itself.
    pub fn about(&self) -> &About {
        &self.about
    }

    /// What has been read, by topic.
    pub fn tallies(&self) -> &BTreeMap<String, Tally> {
        &self.tallies
    }

    /// Whether the hashes of the content were there and held.
    pub fn verified(&self) -> bool {
        self.content_seen
    }

    fn advance(&mut self) -> Result<Option<Message>, TapeError> {
        loop {
            if let Some(chunk) = &mut self.chunk {
                let offset = chunk.offset;
                match chunk.next(&mut self.definitions).map_err(|damage| damage.at(offset))? {
                    Some(message) => return self.count(message).map(Some),
                    None => self.room = self.chunk.take().map(Chunk::into_room).unwrap_or_default(),
                }
            }
            if self.section == Section::Over {
                return Ok(None);
            }
            let found = self.walker.next()?;
            match self.section {
                Section::Data => self.data(found),
                _ => self.summary(found),
            }?;
        }
    }

    /// Takes a message into account; its number must be the next on the tape, or a chunk before it is missing.
    fn count(&mut self, message: Message) -> Result<Message, TapeError> {
        if message.sequence != self.expected {
            return Err(Damage::Gap { expected: self.expected, found: message.sequence }.at(message.offset));
        }
        self.expected = self.expected.wrapping_add(1);
        let topic = &message.channel.topic;
        if !self.tallies.contains_key(topic) {
            self.tallies.insert(topic.clone(), Tally::default());
        }
        if let Some(tally) = self.tallies.get_mut(topic) {
            tally.add(message.log_time, message.publish_time, &message.data);
        }
        Ok(message)
    }

    fn data(&mut self, Found { offset, kind }: Found) -> Result<(), TapeError> {
        if self.content_seen && kind != op::DATA_END {
            return Err(Damage::Misplaced(kind).at(offset));
        }
        match kind {
            op::CHUNK => {
                let room = std::mem::take(&mut self.room);
                let chunk = Chunk::open(offset, self.walker.body(), room).map_err(|damage| damage.at(offset))?;
                self.chunk = Some(chunk);
            }
            // Only other tools use these. One that is none may be a chunk whose kind was altered.
            op::MESSAGE_INDEX if is_message_index(self.walker.body()) => {}
            op::METADATA => {
                let metadata = trusted(offset, self.walker.body())?;
                if metadata.name == "content" {
                    self.check_content(offset, metadata)?;
                }
            }
            op::DATA_END => self.data_end(offset)?,
            other => return Err(Damage::Misplaced(other).at(offset)),
        }
        Ok(())
    }

    fn check_content(&mut self, offset: u64, metadata: Metadata) -> Result<(), TapeError> {
        let mut written = metadata.own();
        for (topic, tally) in &self.tallies {
            if written.remove(topic) != Some(tally.entry()) {
                return Err(Damage::Content(topic.clone()).at(offset));
            }
        }
        if let Some((topic, _)) = written.pop_first() {
            return Err(Damage::Content(topic).at(offset));
        }
        self.content_seen = true;
        Ok(())
    }

    fn data_end(&mut self, offset: u64) -> Result<(), TapeError> {
        let crc = self.walker.section_crc();
        if Fields(self.walker.body()).u32() != Some(crc) {
            return Err(Damage::DataChecksum.at(offset));
        }
        if !self.content_seen {
            return Err(Damage::NoContent.at(offset));
        }
        self.section = Section::Summary;
        Ok(())
    }

    fn summary(&mut self, Found { offset, kind }: Found) -> Result<(), TapeError> {
        match kind {
            op::SCHEMA | op::CHANNEL | op::STATISTICS | op::CHUNK_INDEX | op::METADATA_INDEX | op::SUMMARY_OFFSET => {
                Ok(())
            }
            op::FOOTER => {
                let crc = self.walker.section_crc();
                let mut fields = Fields(self.walker.body());
                let saved = fields.bytes(16).and_then(|_| fields.u32());
                if saved != Some(crc) {
                    return Err(Damage::SummaryChecksum.at(offset));
                }
                self.walker.end()?;
                self.section = Section::Over;
                Ok(())
            }
            other => Err(Damage::Misplaced(other).at(offset)),
        }
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Message, TapeError>;

    fn next(&mut self) -> Option<Self::Item> {
        let next = self.advance();
        if next.is_err() {
            self.section = Section::Over;
            self.chunk = None;
        }
        next.transpose()
    }
}

/// Everything before the first message: what the tape says of itself.
pub(super) fn front<R: Read>(walker: &mut Walker<R>) -> Result<About, TapeError> {
    walker.start()?;
    header(walker)?;
    let (offset, identity) = expect(walker, "fairdeal")?;
    if identity.get("format").is_none_or(|format| format != super::FORMAT) {
        return Err(TapeError::NotATape { offset, why: "it is in a format this version does not know" });
    }
    let malformed = Damage::Malformed("metadata");
    let mut about = About::from_identity(&identity).ok_or_else(|| malformed.clone().at(offset))?;
    let (offset, config) = expect(walker, "table-config")?;
    about.config = Config::from_metadata(&config).ok_or_else(|| malformed.at(offset))?;
    Ok(about)
}

/// The header every MCAP file has, which must name our profile.
fn header<R: Read>(walker: &mut Walker<R>) -> Result<(), TapeError> {
    let found = walker.next()?;
    if found.kind != op::HEADER {
        return Err(Damage::Misplaced(found.kind).at(found.offset));
    }
    match profile(walker.body()) {
        Some(super::PROFILE) => Ok(()),
        Some(_) => Err(TapeError::NotATape {
            offset: found.offset,
            why: "it is an MCAP file of another profile than fairdeal",
        }),
        None => Err(Damage::Malformed("header").at(found.offset)),
    }
}

/// The profile a header names.
pub(super) fn profile(header: &[u8]) -> Option<&str> {
    let mut fields = Fields(header);
    let (profile, _library) = (fields.text()?, fields.text()?);
    fields.end()?;
    Some(profile)
}

/// Whether a record is built like a message index.
pub(super) fn is_message_index(body: &[u8]) -> bool {
    let read = |mut f: Fields<'_>| {
        let (_channel, entries) = (f.u16()?, f.sized()?);
        f.end()?;
        Some(entries.len() % 16 == 0)
    };
    read(Fields(body)) == Some(true)
}

/// A metadata record that must stand here under this name.
fn expect<R: Read>(walker: &mut Walker<R>, name: &'static str) -> Result<(u64, BTreeMap<String, String>), TapeError> {
    let Found { offset, kind } = walker.next()?;
    if kind != op::METADATA {
        return Err(Damage::NoMetadata(name).at(offset));
    }
    let metadata = trusted(offset, walker.body())?;
    if metadata.name == name { Ok((offset, metadata.own())) } else { Err(Damage::NoMetadata(name).at(offset)) }
}

/// A metadata record whose own hash holds.
pub(super) fn trusted(offset: u64, body: &[u8]) -> Result<Metadata, TapeError> {
    let metadata = Metadata::parse(body).ok_or_else(|| Damage::Malformed("metadata").at(offset))?;
    if metadata.holds() { Ok(metadata) } else { Err(Damage::Seal(metadata.name).at(offset)) }
}
