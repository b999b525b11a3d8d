//! A small tape with something of every kind on it.

use std::io::Cursor;

use table::event::{Drawn, Fact};
use table::tape::{
    About, Config, ConfigFormat, Message, Options, Picture, PictureFormat, Reader, Record, TapeError, Writer,
};
use table::{Chance, Event, EventId, Reading, Source, SourceKind, Utc};

pub(crate) fn about() -> About {
    About {
        config: Some(Config { format: ConfigFormat::Toml, text: "game = \"nz-base\"\n".into() }),
        ..About::new("BJ-04".parse().unwrap(), time(0), "fairdeal test")
    }
}

/// So many milliseconds into the recording.
pub(crate) fn time(millis: i64) -> Utc {
    let start: Utc = "2026-11-15T21:00:00Z".parse().unwrap();
    start.shifted(millis * 1000).unwrap()
}

pub(crate) fn event(id: u64) -> Event {
    Event {
        id: EventId(id),
        source: Source { kind: SourceKind::Shoe, name: "east".parse().unwrap() },
        at: time(10),
        arrived: time(12),
        source_clock: Some(-5),
        chance: Chance::CERTAIN,
        fact: Fact::Drew { card: Reading::certain("7H".parse().unwrap()), drawn: Drawn::Game },
    }
}

const ROUND: &str = "round BJ-04 17 212 2026-11-15T21:00:01Z\ngame nz-base\nbet 3 25\ncard 3 TH\nend\n";

const FLAG: &str = r#"{"id":"BJ-04.17.212.paid_a_push.3a","table":"BJ-04","shoe":17,"round":212,
    "at":"2026-11-15T21:00:02Z","check":"paid_a_push","clause":"nz-5.1","severity":"major","kind":"wrong-payout","box":3,
    "hand":"a","expected":"no pay","observed":"paid 25.00","money":{"amount":2500,"favours":"player"},
    "confidence":0.998,"evidence":[]}"#;

/// One record of every kind, the frequent ones twice.
pub(crate) fn records() -> Vec<Record> {
    let round = table::notation::parse(ROUND).unwrap().remove(0);
    let flag: table::Flag = serde_json::from_str(FLAG).unwrap();
    let picture = |format, data: &[u8]| Picture { at: time(20), format, data: data.to_vec() };
    let shoe = |bytes: &[u8]| Record::ShoeBytes { shoe: "east".parse().unwrap(), bytes: bytes.to_vec() };
    vec![
        shoe(b"\x02C7H\x03"),
        Record::ChipLine { sensor: "layout".parse().unwrap(), line: b"3,2500".to_vec() },
        Record::Picture { camera: "top".parse().unwrap(), picture: picture(PictureFormat::Jpeg, b"\xff\xd8\xff") },
        Record::Picture { camera: "side".parse().unwrap(), picture: picture(PictureFormat::H264, b"\0\0\0\x01g") },
        Record::Event(event(1)),
        Record::Event(event(2)),
        shoe(b"\x02C9C\x03"),
        Record::Round(Box::new(round)),
        Record::Flag(Box::new(flag.clone())),
        Record::Truth(serde_json::from_str(r#"{"fault":"paid_a_push","box":3,"weight":0.1}"#).unwrap()),
        Record::Expected(Box::new(flag)),
        shoe(b""),
    ]
}

/// A few records that make a short tape, for tests that read it for every one of its bytes.
pub(crate) fn few_records() -> Vec<Record> {
    let all = records();
    [0, 1, 9, 6, 9, 11].map(|kind| all[kind].clone()).to_vec()
}

/// The tape of these records, a second apart, in chunks of at most a record or two.
pub(crate) fn tape(records: &[Record]) -> Vec<u8> {
    let mut tape = Writer::with_options(Vec::new(), &about(), Options { chunk_bytes: 64 }).unwrap();
    for (second, record) in (0..).zip(records) {
        tape.record(time(second * 1000), record).unwrap();
    }
    tape.finish().unwrap()
}

/// Everything a tape yields, and how it ended.
pub(crate) fn read(file: &[u8]) -> (Vec<Message>, Result<(), TapeError>) {
    let mut messages = Vec::new();
    let reader = match Reader::open(Cursor::new(file)) {
        Ok(reader) => reader,
        Err(error) => return (messages, Err(error)),
    };
    assert_eq!(reader.about().table.as_str(), "BJ-04");
    for message in reader {
        match message {
            Ok(message) => messages.push(message),
            Err(error) => return (messages, Err(error)),
        }
    }
    (messages, Ok(()))
}

/// The messages without the place of their chunk, which a copy does not keep.
pub(crate) fn placeless(messages: &[Message]) -> Vec<Message> {
    messages.iter().cloned().map(|message| Message { offset: 0, sequence: 0, ..message }).collect()
}
