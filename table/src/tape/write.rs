//! Writes a tape, one chunk after another.

use std::collections::BTreeMap;
use std::io::Write;
use std::sync::Arc;

use mcap::records::MessageHeader;
use mcap::write::NoSeek;
use mcap::{Compression, WriteOptions};

use super::about::{About, Config};
use super::channel::{self, Channel, Message};
use super::content::{Tally, sealed};
use super::error::TapeError;
use super::record::Record;
use crate::time::Utc;

/// How a tape is written.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// A chunk is closed when it has grown beyond so many bytes before packing; at most 16 MiB.
    pub chunk_bytes: u64,
}

impl Default for Options {
    fn default() -> Self {
        Self { chunk_bytes: 1 << 20 }
    }
}

/// A channel being written.
struct Open {
    id: u16,
    channel: Arc<Channel>,
    tally: Tally,
}

/// Records a tape. Memory stays at about two chunks, plus some three hundred bytes of index for every chunk written.
///
/// Dropped without [`finish`](Self::finish) it writes its open chunk and leaves an unfinished tape, which says so.
pub struct Writer<W: Write> {
    /// `None` once finished.
    mcap: Option<mcap::Writer<NoSeek<W>>>,
    channels: BTreeMap<String, Open>,
    /// The number of the next message. It runs over all channels, so that a missing chunk shows at the next message
    /// whatever its channel; it wraps after four billion, on purpose.
    sequence: u32,
}

impl<W: Write> Writer<W> {
    /// Begins a tape.
    pub fn create(to: W, about: &About) -> Result<Self, TapeError> {
        Self::with_options(to, about, Options::default())
    }

    /// Begins a tape with chunks of another size.
    pub fn with_options(to: W, about: &About, options: Options) -> Result<Self, TapeError> {
        // Whole chunks go to the file in one piece: what a crash leaves is then a plain prefix of a tape.
        let mut mcap = WriteOptions::new()
            .profile(super::PROFILE)
            .library(super::PROFILE)
            .compression(Some(Compression::Zstd))
            .compression_threads(0)
            .chunk_size(Some(options.chunk_bytes.min(16 << 20)))
            .disable_seeking(true)
            .create(NoSeek::new(to))?;
        mcap.write_metadata(&sealed("fairdeal", about.identity()))?;
        mcap.write_metadata(&sealed("table-config", Config::to_metadata(about.config.as_ref())))?;
        mcap.flush()?;
        Ok(Self { mcap: Some(mcap), channels: BTreeMap::new(), sequence: 0 })
    }

    /// Records something that arrived at this time.
    pub fn record(&mut self, at: Utc, record: &Record) -> Result<(), TapeError> {
        let time = channel::nanos(at).ok_or(TapeError::Time(at))?;
        match record {
            Record::Unknown(message) => self.write(&message.channel, time, time, &message.data),
            known => {
                let (channel, data) = known.encode()?;
                self.write(&Arc::new(channel), time, time, &data)
            }
        }
    }

    /// Copies a message from another tape as it is.
    pub fn message(&mut self, message: &Message) -> Result<(), TapeError> {
        self.write(&message.channel, message.log_time, message.publish_time, &message.data)
    }

    /// Closes the open chunk and hands everything to the file. What was recorded before is safe from a crash of
    /// this process, at the price of smaller chunks.
    pub fn flush(&mut self) -> Result<(), TapeError> {
        if let Some(mcap) = &mut self.mcap {
            mcap.flush()?;
        }
        Ok(())
    }

    /// Writes hashes, index and statistics, and gives the file back.
    pub fn finish(mut self) -> Result<W, TapeError> {
        let entries = self.channels.iter().map(|(topic, open)| (topic.clone(), open.tally.entry())).collect();
        let mut mcap = self.mcap.take().ok_or(mcap::McapError::AttemptedWriteAfterFailure)?;
        let finished = mcap.write_metadata(&sealed("content", entries)).and_then(|()| mcap.finish());
        let file = mcap.into_inner().into_inner();
        finished?;
        Ok(file)
    }

    fn write(
        &mut self,
        channel: &Arc<Channel>,
        log_time: u64,
        publish_time: u64,
        data: &[u8],
    ) -> Result<(), TapeError> {
        if data.len() > super::MAX_MESSAGE {
            return Err(TapeError::TooLong { topic: channel.topic.clone(), length: data.len() });
        }
        let mcap = self.mcap.as_mut().ok_or(mcap::McapError::AttemptedWriteAfterFailure)?;
        if !self.channels.contains_key(&channel.topic) {
            let id = describe(mcap, self.channels.len(), channel)?;
            let open = Open { id, channel: channel.clone(), tally: Tally::default() };
            self.channels.insert(channel.topic.clone(), open);
        }
        let conflict = || TapeError::ChannelConflict(channel.topic.clone());
        let open = self.channels.get_mut(&channel.topic).ok_or_else(conflict)?;
        if open.channel != *channel {
            return Err(conflict());
        }
        let header = MessageHeader { channel_id: open.id, sequence: self.sequence, log_time, publish_time };
        mcap.write_to_known_channel(&header, data)?;
        self.sequence = self.sequence.wrapping_add(1);
        open.tally.add(log_time, publish_time, data);
        Ok(())
    }
}

impl<W: Write> Drop for Writer<W> {
    fn drop(&mut self) {
        if let Some(mut mcap) = self.mcap.take() {
            // Whoever wanted to know of a failed write has called `finish`. The writer itself must not finish the
            // tape when dropped, or a crash would pass for an end.
            let _ = mcap.flush();
            mcap.into_inner();
        }
    }
}

/// Describes a channel: once as metadata for a rescue, once in the chunk where MCAP wants it.
fn describe<W: Write>(mcap: &mut mcap::Writer<NoSeek<W>>, known: usize, channel: &Channel) -> Result<u16, TapeError> {
    let id = u16::try_from(known + 1).map_err(|_| mcap::McapError::TooManyChannels)?;
    mcap.write_metadata(&sealed("channel", channel::to_metadata(id, channel)))?;
    let schema = match &channel.schema {
        Some(schema) => mcap.add_schema(&schema.name, &schema.encoding, &schema.data)?,
        None => 0,
    };
    mcap.add_channel_with_id(id, schema, &channel.topic, &channel.encoding, &channel.metadata)?;
    Ok(id)
}
