//! Other tools read our tapes, and we keep what other tools put on them.

use std::collections::BTreeMap;
use std::sync::Arc;

use table::tape::{Channel, Message, Record, Writer};

use crate::sample::{about, read, records, tape, time};

#[test]
fn any_mcap_reader_reads_a_tape() {
    let file = tape(&records());
    let messages: Vec<_> = mcap::MessageStream::new(&file).unwrap().map(Result::unwrap).collect();
    assert_eq!(messages.len(), records().len());
    let picture = messages.iter().find(|message| message.channel.topic == "/camera/top").unwrap();
    assert_eq!(picture.channel.schema.as_ref().unwrap().name, "foxglove.CompressedImage");
    let json: serde_json::Value = serde_json::from_slice(&picture.data).unwrap();
    assert_eq!(json["data"], "/9j/");
    assert_eq!(json["timestamp"]["nsec"], 20_000_000);
    let summary = mcap::Summary::read(&file).unwrap().unwrap();
    assert_eq!(summary.stats.unwrap().message_count, records().len() as u64);
}

#[test]
fn every_schema_on_a_tape_is_json() {
    let file = tape(&records());
    let summary = mcap::Summary::read(&file).unwrap().unwrap();
    assert_eq!(summary.schemas.len(), 6);
    for schema in summary.schemas.values() {
        let text: serde_json::Value = serde_json::from_slice(&schema.data).unwrap();
        assert_eq!(text["title"], schema.name);
    }
}

/// A message on a channel described like this.
fn message(topic: &str, encoding: &str, version: &str, data: &[u8]) -> Message {
    let metadata = BTreeMap::from([("version".to_owned(), version.to_owned())]);
    let channel = Channel { topic: topic.into(), encoding: encoding.into(), schema: None, metadata };
    Message {
        channel: Arc::new(channel),
        sequence: 0,
        log_time: 1_700_000_000_123_456_789,
        publish_time: 7,
        data: data.to_vec(),
        offset: 0,
    }
}

#[test]
fn a_channel_that_is_none_of_ours_is_kept_as_it_is() {
    let weather = message("/weather", "cbor", "9", b"\xa1");
    let mut copy = Writer::create(Vec::new(), &about()).unwrap();
    copy.message(&weather).unwrap();
    let (messages, ending) = read(&copy.finish().unwrap());
    ending.unwrap();
    assert_eq!(messages.len(), 1);
    assert_eq!((messages[0].log_time, messages[0].publish_time), (weather.log_time, 7));
    let record = Record::decode(&messages[0]).unwrap();
    assert!(matches!(&record, Record::Unknown(kept) if kept.data == weather.data));
    let mut again = Writer::create(Vec::new(), &about()).unwrap();
    again.record(time(0), &record).unwrap();
    assert_eq!(read(&again.finish().unwrap()).0[0].channel, weather.channel);
}

#[test]
fn a_later_version_of_our_own_channel_is_kept_unread() {
    let later = message("/shoe/east/raw", "application/octet-stream", "2", b"?");
    assert!(matches!(Record::decode(&later).unwrap(), Record::Unknown(_)));
}

#[test]
fn a_message_that_is_not_what_its_channel_carries_is_an_error_that_names_it() {
    let (mut messages, _) = read(&tape(&records()));
    let event = &mut messages[4];
    event.data = b"{\"id\":1}".to_vec();
    let error = Record::decode(event).unwrap_err().to_string();
    assert!(error.contains("/events") && error.contains(&event.offset.to_string()), "{error}");
}
