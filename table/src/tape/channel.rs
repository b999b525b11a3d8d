//! Channels and messages: a tape's content before anybody asks what it means.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use data_encoding::BASE64;

use super::error::Damage;
use super::fields::Fields;
use crate::time::Utc;

/// The most bytes that all descriptions of channels and schemas together may take.
const MAX_DEFINITIONS: usize = 8 << 20;

/// How the messages of a channel are to be understood by other tools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schema {
    /// Such as `fairdeal.Event` or `foxglove.CompressedImage`.
    pub name: String,
    /// Such as `jsonschema`.
    pub encoding: String,
    /// The schema itself.
    pub data: Vec<u8>,
}

/// One feed of a tape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Channel {
    /// Its name, one of a kind on the tape, such as `/shoe/east/raw`.
    pub topic: String,
    /// Such as `json` or `application/octet-stream`.
    pub encoding: String,
    /// None for raw bytes.
    pub schema: Option<Schema>,
    /// Among others the `version` of a schema of ours.
    pub metadata: BTreeMap<String, String>,
}

/// One message as it stands on the tape.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// The channel it came on.
    pub channel: Arc<Channel>,
    /// Its number on the tape, from zero.
    pub sequence: u32,
    /// When it was recorded, in nanoseconds since 1970.
    pub log_time: u64,
    /// When its source published it, in nanoseconds since 1970.
    pub publish_time: u64,
    /// The message.
    pub data: Vec<u8>,
    /// The byte of the file at which its chunk begins.
    pub offset: u64,
}

impl Message {
    /// When it was recorded.
    pub fn at(&self) -> Utc {
        // All of 64 bits in microseconds ends in the year 2554.
        i64::try_from(self.log_time / 1000).ok().and_then(Utc::from_micros).unwrap_or(Utc::EPOCH)
    }
}

/// The time as a tape holds it; `None` before 1970 and after 2554.
pub(super) fn nanos(at: Utc) -> Option<u64> {
    u64::try_from(at.micros()).ok()?.checked_mul(1000)
}

/// The channels and schemas a tape has described so far.
#[derive(Default)]
pub(super) struct Definitions {
    schemas: BTreeMap<u16, Schema>,
    channels: BTreeMap<u16, Arc<Channel>>,
    topics: BTreeSet<String>,
    bytes: usize,
}

impl Definitions {
    pub(super) fn channel(&self, id: u16) -> Result<&Arc<Channel>, Damage> {
        self.channels.get(&id).ok_or(Damage::UnknownChannel(id))
    }

    /// The topics of all channels known so far.
    pub(super) fn topics(&self) -> impl Iterator<Item = &str> {
        self.topics.iter().map(String::as_str)
    }

    /// Learns from a schema record.
    pub(super) fn schema_record(&mut self, body: &[u8]) -> Result<(), Damage> {
        let read = |mut f: Fields<'_>| {
            let (id, name, encoding) = (f.u16()?, f.text()?.to_owned(), f.text()?.to_owned());
            let data = f.sized()?.to_vec();
            f.end()?;
            Some((id, Schema { name, encoding, data }))
        };
        let (id, schema) = read(Fields(body)).ok_or(Damage::Malformed("schema"))?;
        match self.schemas.get(&id) {
            Some(known) if *known == schema => Ok(()),
            Some(_) => Err(Damage::Redefined(schema.name)),
            None => {
                self.afford(body.len())?;
                self.schemas.insert(id, schema);
                Ok(())
            }
        }
    }

    /// Learns from a channel record.
    pub(super) fn channel_record(&mut self, body: &[u8]) -> Result<(), Damage> {
        let read = |mut f: Fields<'_>| {
            let (id, schema) = (f.u16()?, f.u16()?);
            let (topic, encoding, metadata) = (f.text()?.to_owned(), f.text()?.to_owned(), f.map()?);
            f.end()?;
            Some((id, schema, Channel { topic, encoding, schema: None, metadata }))
        };
        let malformed = Damage::Malformed("channel");
        let (id, schema, mut channel) = read(Fields(body)).ok_or(malformed.clone())?;
        if schema != 0 {
            channel.schema = Some(self.schemas.get(&schema).ok_or(malformed)?.clone());
        }
        self.define(id, channel)
    }

    /// Learns that this channel has this number.
    pub(super) fn define(&mut self, id: u16, channel: Channel) -> Result<(), Damage> {
        match self.channels.get(&id) {
            Some(known) if **known == channel => Ok(()),
            None if !self.topics.contains(&channel.topic) => {
                let schema = channel.schema.as_ref().map_or(0, |schema| schema.data.len());
                self.afford(schema + channel.topic.len() + 64)?;
                self.topics.insert(channel.topic.clone());
                self.channels.insert(id, Arc::new(channel));
                Ok(())
            }
            _ => Err(Damage::Redefined(channel.topic)),
        }
    }

    fn afford(&mut self, bytes: usize) -> Result<(), Damage> {
        self.bytes += bytes;
        if self.bytes > MAX_DEFINITIONS { Err(Damage::TooManyChannels) } else { Ok(()) }
    }
}

/// A channel as a metadata record, so that its later chunks can be read even if the one that describes it is lost.
pub(super) fn to_metadata(id: u16, channel: &Channel) -> BTreeMap<String, String> {
    let mut map = BTreeMap::from([
        ("id".to_owned(), id.to_string()),
        ("topic".to_owned(), channel.topic.clone()),
        ("encoding".to_owned(), channel.encoding.clone()),
    ]);
    if let Some(schema) = &channel.schema {
        map.insert("schema".into(), schema.name.clone());
        map.insert("schema.encoding".into(), schema.encoding.clone());
        map.insert("schema.base64".into(), BASE64.encode(&schema.data));
    }
    map.extend(channel.metadata.iter().map(|(key, value)| (format!("metadata.{key}"), value.clone())));
    map
}

/// The channel of such a metadata record and its number.
pub(super) fn from_metadata(map: &BTreeMap<String, String>) -> Option<(u16, Channel)> {
    let schema = match map.get("schema") {
        Some(name) => Some(Schema {
            name: name.clone(),
            encoding: map.get("schema.encoding")?.clone(),
            data: BASE64.decode(map.get("schema.base64")?.as_bytes()).ok()?,
        }),
        None => None,
    };
    let own = |(key, value): (&String, &String)| Some((key.strip_prefix("metadata.")?.to_owned(), value.clone()));
    let channel = Channel {
        topic: map.get("topic")?.clone(),
        encoding: map.get("encoding")?.clone(),
        schema,
        metadata: map.iter().filter_map(own).collect(),
    };
    Some((map.get("id")?.parse().ok()?, channel))
}
