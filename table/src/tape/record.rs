//! What messages mean: the records of a tape and the channels they travel on.

use std::collections::BTreeMap;

use data_encoding::BASE64;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::channel::{self, Channel, Message, Schema};
use super::error::TapeError;
use crate::event::Event;
use crate::flag::Flag;
use crate::ident::Ident;
use crate::round::Round;
use crate::text::named;
use crate::time::Utc;

/// The version of every schema of ours, kept in the metadata of its channel.
const VERSION: &str = "1";
const RAW: &str = "application/octet-stream";

named! {
    /// How a camera's pictures are packed.
    pub enum PictureFormat, "jpeg or h264" {
        /// Each a JPEG picture.
        Jpeg = "jpeg",
        /// A frame of H.264 in Annex B form.
        H264 = "h264",
    }
}

/// One picture of a camera, or one frame of its video.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// When it was taken.
    pub at: Utc,
    /// How it is packed. A camera keeps to one.
    pub format: PictureFormat,
    /// The packed bytes.
    pub data: Vec<u8>,
}

/// What a message says.
#[derive(Clone, Debug, PartialEq)]
pub enum Record {
    /// Bytes of a shoe, as they came.
    ShoeBytes {
        /// The shoe's name in the site's configuration.
        shoe: Ident,
        /// One read of its line.
        bytes: Vec<u8>,
    },
    /// A line of a chip sensor, as it came.
    ChipLine {
        /// The sensor's name in the site's configuration.
        sensor: Ident,
        /// One line.
        line: Vec<u8>,
    },
    /// A camera's picture.
    Picture {
        /// The camera's name in the site's configuration.
        camera: Ident,
        /// The picture.
        picture: Picture,
    },
    /// A fact from a source.
    Event(Event),
    /// A round as rebuilt.
    Round(Box<Round>),
    /// A finding.
    Flag(Box<Flag>),
    /// A label of the simulator: what really happened.
    Truth(Map<String, Value>),
    /// A finding that an audit of this tape must come to.
    Expected(Box<Flag>),
    /// Something on a channel that is none of ours.
    Unknown(Message),
}

/// A message on one of our channels that is not what the channel carries.
#[derive(Debug, thiserror::Error)]
#[error("a message on {topic} in the chunk at byte {offset} does not decode: {why}")]
pub struct DecodeError {
    /// The channel.
    pub topic: String,
    /// The byte at which its chunk begins.
    pub offset: u64,
    /// What is wrong.
    pub why: String,
}

/// Picture messages as Foxglove knows them.
#[derive(Serialize, Deserialize)]
struct PictureJson {
    timestamp: Timestamp,
    frame_id: String,
    data: String,
    format: String,
}

#[derive(Serialize, Deserialize)]
struct Timestamp {
    sec: i64,
    nsec: u32,
}

/// Our JSON channels with one topic each.
const JSON: &[(&str, &str, &str)] = &[
    ("/events", "fairdeal.Event", include_str!("schemas/event.json")),
    ("/rounds", "fairdeal.Round", include_str!("schemas/round.json")),
    ("/flags", "fairdeal.Flag", include_str!("schemas/flag.json")),
    ("/truth", "fairdeal.Truth", include_str!("schemas/truth.json")),
    ("/expected", "fairdeal.Flag", include_str!("schemas/flag.json")),
];

impl Record {
    /// The record of a message. A channel that is not ours, or in a version we do not know, gives
    /// [`Unknown`](Self::Unknown).
    pub fn decode(message: &Message) -> Result<Self, DecodeError> {
        let wrong = |why: String| DecodeError { topic: message.channel.topic.clone(), offset: message.offset, why };
        let Some((kind, name)) = kind(&message.channel) else {
            return Ok(Self::Unknown(message.clone()));
        };
        let data = &message.data;
        Ok(match kind {
            Kind::Shoe => Self::ShoeBytes { shoe: name.ok_or_else(|| wrong("no shoe".into()))?, bytes: data.clone() },
            Kind::Chips => {
                Self::ChipLine { sensor: name.ok_or_else(|| wrong("no sensor".into()))?, line: data.clone() }
            }
            Kind::Camera => Self::Picture {
                camera: name.ok_or_else(|| wrong("no camera".into()))?,
                picture: picture(data).map_err(wrong)?,
            },
            Kind::Json("/events") => Self::Event(json(data).map_err(wrong)?),
            Kind::Json("/rounds") => Self::Round(json(data).map_err(wrong)?),
            Kind::Json("/flags") => Self::Flag(json(data).map_err(wrong)?),
            Kind::Json("/truth") => Self::Truth(json(data).map_err(wrong)?),
            Kind::Json(_) => Self::Expected(json(data).map_err(wrong)?),
        })
    }

    /// The record as bytes, with the channel it travels on.
    pub(super) fn encode(&self) -> Result<(Channel, Vec<u8>), TapeError> {
        Ok(match self {
            Self::ShoeBytes { shoe, bytes } => (raw_channel(format!("/shoe/{shoe}/raw")), bytes.clone()),
            Self::ChipLine { sensor, line } => (raw_channel(format!("/chips/{sensor}/raw")), line.clone()),
            Self::Picture { camera, picture } => {
                (camera_channel(camera, picture.format), picture_json(camera, picture)?)
            }
            Self::Event(event) => (json_channel("/events"), serde_json::to_vec(event)?),
            Self::Round(round) => (json_channel("/rounds"), serde_json::to_vec(round)?),
            Self::Flag(flag) => (json_channel("/flags"), serde_json::to_vec(flag)?),
            Self::Truth(label) => (json_channel("/truth"), serde_json::to_vec(label)?),
            Self::Expected(flag) => (json_channel("/expected"), serde_json::to_vec(flag)?),
            Self::Unknown(message) => ((*message.channel).clone(), message.data.clone()),
        })
    }
}

/// What a channel of ours carries.
enum Kind {
    Shoe,
    Chips,
    Camera,
    Json(&'static str),
}

/// What a channel carries and, for devices, the device's name; `None` if it is not written the way we write it.
fn kind(channel: &Channel) -> Option<(Kind, Option<Ident>)> {
    let name = |before: &str, after: &str| -> Option<Ident> {
        channel.topic.strip_prefix(before)?.strip_suffix(after)?.parse().ok()
    };
    let ours = channel.metadata.get("version").is_some_and(|version| version == VERSION);
    if channel.encoding == RAW && ours {
        let shoe = name("/shoe/", "/raw").map(|name| (Kind::Shoe, Some(name)));
        return shoe.or_else(|| name("/chips/", "/raw").map(|name| (Kind::Chips, Some(name))));
    }
    if channel.encoding != "json" || !ours {
        return None;
    }
    let schema = channel.schema.as_ref()?.name.as_str();
    if matches!(schema, "foxglove.CompressedImage" | "foxglove.CompressedVideo") {
        return name("/camera/", "").map(|name| (Kind::Camera, Some(name)));
    }
    let (topic, ..) = JSON.iter().find(|(topic, named, _)| *topic == channel.topic && *named == schema)?;
    Some((Kind::Json(topic), None))
}

fn version() -> BTreeMap<String, String> {
    BTreeMap::from([("version".to_owned(), VERSION.to_owned())])
}

fn raw_channel(topic: String) -> Channel {
    Channel { topic, encoding: RAW.into(), schema: None, metadata: version() }
}

fn json_channel(topic: &str) -> Channel {
    let schema = JSON.iter().find(|(named, ..)| *named == topic).map(|(_, name, text)| schema(name, text));
    Channel { topic: topic.into(), encoding: "json".into(), schema, metadata: version() }
}

fn camera_channel(camera: &Ident, format: PictureFormat) -> Channel {
    let schema = match format {
        PictureFormat::Jpeg => schema("foxglove.CompressedImage", include_str!("schemas/compressed_image.json")),
        PictureFormat::H264 => schema("foxglove.CompressedVideo", include_str!("schemas/compressed_video.json")),
    };
    let topic = format!("/camera/{camera}");
    Channel { topic, encoding: "json".into(), schema: Some(schema), metadata: version() }
}

fn schema(name: &str, text: &str) -> Schema {
    Schema { name: name.into(), encoding: "jsonschema".into(), data: text.into() }
}

fn json<T: DeserializeOwned>(data: &[u8]) -> Result<T, String> {
    serde_json::from_slice(data).map_err(|error| error.to_string())
}

fn picture_json(camera: &Ident, picture: &Picture) -> Result<Vec<u8>, TapeError> {
    channel::nanos(picture.at).ok_or(TapeError::Time(picture.at))?;
    let micros = picture.at.micros();
    let nsec = u32::try_from(micros.rem_euclid(1_000_000) * 1000).unwrap_or_default();
    Ok(serde_json::to_vec(&PictureJson {
        timestamp: Timestamp { sec: micros.div_euclid(1_000_000), nsec },
        frame_id: camera.to_string(),
        data: BASE64.encode(&picture.data),
        format: picture.format.to_string(),
    })?)
}

fn picture(data: &[u8]) -> Result<Picture, String> {
    let PictureJson { timestamp, data, format, .. } = json(data)?;
    let micros = timestamp.sec.checked_mul(1_000_000).and_then(|us| us.checked_add(i64::from(timestamp.nsec / 1000)));
    Ok(Picture {
        at: micros.and_then(Utc::from_micros).ok_or("the timestamp is out of range")?,
        format: format.parse().map_err(|error| format!("format: {error}"))?,
        data: BASE64.decode(data.as_bytes()).map_err(|error| format!("data: {error}"))?,
    })
}
