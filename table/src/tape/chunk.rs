//! Chunks: unpacked and checked before anything in them is believed.

use mcap::records::op;

use super::MAX_RECORD;
use super::channel::{Definitions, Message};
use super::error::Damage;
use super::fields::{self, Fields};

/// The head of a chunk record.
pub(super) struct Head<'a> {
    pub(super) unpacked: u64,
    crc: u32,
    compression: &'a str,
    packed: &'a [u8],
}

impl<'a> Head<'a> {
    /// Reads the head of a whole chunk record, which must fill it to the last byte.
    pub(super) fn parse(body: &'a [u8]) -> Result<Self, Damage> {
        let read = |mut f: Fields<'a>| {
            let (_start, _end) = (f.u64()?, f.u64()?);
            let (unpacked, crc, compression) = (f.u64()?, f.u32()?, f.text()?);
            let length = usize::try_from(f.u64()?).ok()?;
            let packed = f.bytes(length)?;
            f.end()?;
            Some(Self { unpacked, crc, compression, packed })
        };
        read(Fields(body)).ok_or(Damage::Malformed("chunk"))
    }
}

/// An unpacked chunk and how far it has been read.
pub(super) struct Chunk {
    /// Where it begins in the file.
    pub(super) offset: u64,
    records: Vec<u8>,
    at: usize,
}

impl Chunk {
    /// Unpacks a chunk record and checks it. `room` is a buffer to use again.
    pub(super) fn open(offset: u64, body: &[u8], mut room: Vec<u8>) -> Result<Self, Damage> {
        let head = Head::parse(body)?;
        if head.unpacked > MAX_RECORD {
            return Err(Damage::TooLong(head.unpacked));
        }
        let size = usize::try_from(head.unpacked).map_err(|_| Damage::TooLong(head.unpacked))?;
        room.clear();
        match head.compression {
            "" => room.extend_from_slice(head.packed),
            "zstd" => unpack(head.packed, size, &mut room)?,
            other => return Err(Damage::Compression(other.to_owned())),
        }
        if room.len() != size || crc32fast::hash(&room) != head.crc {
            return Err(Damage::ChunkChecksum);
        }
        Ok(Self { offset, records: room, at: 0 })
    }

    /// The next message, after learning from the descriptions that stand before it.
    pub(super) fn next(&mut self, definitions: &mut Definitions) -> Result<Option<Message>, Damage> {
        while let Some(rest) = self.records.get(self.at..).filter(|rest| !rest.is_empty()) {
            let mut fields = Fields(rest);
            let (kind, body) = fields::record(&mut fields).ok_or(Damage::Malformed("content of the chunk"))?;
            self.at = self.records.len() - fields.0.len();
            match kind {
                op::SCHEMA => definitions.schema_record(body)?,
                op::CHANNEL => definitions.channel_record(body)?,
                op::MESSAGE => return message(self.offset, body, definitions).map(Some),
                other => return Err(Damage::Misplaced(other)),
            }
        }
        Ok(None)
    }

    /// How many unpacked bytes have not been read.
    pub(super) fn left(&self) -> u64 {
        (self.records.len() - self.at) as u64
    }

    /// Its buffer, to be used again.
    pub(super) fn into_room(self) -> Vec<u8> {
        self.records
    }
}

/// Unpacks into `room`, which never grows beyond the size the chunk gives.
fn unpack(packed: &[u8], size: usize, room: &mut Vec<u8>) -> Result<(), Damage> {
    room.reserve_exact(size);
    let mut unpacker = zstd::bulk::Decompressor::new().map_err(|_| Damage::ChunkChecksum)?;
    unpacker.decompress_to_buffer(packed, room).map_err(|_| Damage::ChunkChecksum)?;
    Ok(())
}

fn message(offset: u64, body: &[u8], definitions: &Definitions) -> Result<Message, Damage> {
    let read = |mut f: Fields<'_>| Some((f.u16()?, f.u32()?, f.u64()?, f.u64()?, f.0.to_vec()));
    let (id, sequence, log_time, publish_time, data) = read(Fields(body)).ok_or(Damage::Malformed("message"))?;
    let channel = definitions.channel(id)?.clone();
    Ok(Message { channel, sequence, log_time, publish_time, data, offset })
}
