//! What goes on a tape comes off it.

use std::io::Cursor;

use proptest::prelude::*;
use table::tape::{Options, Picture, PictureFormat, Reader, Record, SeekReader, TapeError, Writer};
use table::{Ident, Utc};

use crate::sample::{about, event, placeless, read, records, tape, time};

#[test]
fn every_kind_of_record_comes_back_with_its_time() {
    let (messages, ending) = read(&tape(&records()));
    ending.unwrap();
    let decoded: Vec<_> = messages.iter().map(|message| Record::decode(message).unwrap()).collect();
    assert_eq!(decoded, records());
    assert!((0..).zip(&messages).all(|(second, message)| message.at() == time(second * 1000)));
}

#[test]
fn a_tape_says_whose_it_is_and_that_its_hashes_hold() {
    let file = tape(&records());
    let mut tape = Reader::open(file.as_slice()).unwrap();
    assert_eq!(*tape.about(), about());
    assert_eq!(tape.by_ref().filter(Result::is_ok).count(), records().len());
    assert!(tape.verified());
    assert_eq!(tape.tallies()["/events"].messages, 2);
}

#[test]
fn the_same_records_give_the_same_bytes() {
    assert_eq!(tape(&records()), tape(&records()));
}

#[test]
fn a_stretch_of_time_is_found_through_the_index() {
    let file = tape(&records());
    let (all, _) = read(&file);
    let mut tape = SeekReader::open(Cursor::new(&file)).unwrap();
    assert_eq!(tape.span(), Some((all[0].log_time, all[11].log_time)));
    let part: Vec<_> = tape.messages(all[3].log_time..all[7].log_time, |_| true).map(Result::unwrap).collect();
    assert_eq!(part, all[3..7]);
    let shoe: Vec<_> = tape.messages(0..u64::MAX, |topic| topic == "/shoe/east/raw").map(Result::unwrap).collect();
    assert_eq!(shoe, [all[0].clone(), all[6].clone(), all[11].clone()]);
}

#[test]
fn a_recorder_that_flushed_and_died_loses_nothing_it_flushed() {
    let mut file = Vec::new();
    let mut tape = Writer::create(&mut file, &about()).unwrap();
    tape.record(time(1), &Record::Event(event(1))).unwrap();
    tape.flush().unwrap();
    drop(tape);
    let (messages, ending) = read(&file);
    assert_eq!(messages.len(), 1);
    let end = file.len() as u64;
    assert!(matches!(ending, Err(TapeError::Unfinished { offset }) if offset == end), "{ending:?}");
}

#[test]
fn a_dropped_recorder_leaves_what_it_had_but_no_finished_tape() {
    let mut file = Vec::new();
    let mut tape = Writer::create(&mut file, &about()).unwrap();
    tape.record(time(1), &Record::Event(event(1))).unwrap();
    drop(tape);
    let (messages, ending) = read(&file);
    assert_eq!(messages.len(), 1);
    assert!(matches!(ending, Err(TapeError::Unfinished { .. })));
    assert!(matches!(SeekReader::open(Cursor::new(&file)), Err(TapeError::Unfinished { .. })));
}

#[test]
fn what_a_tape_cannot_hold_is_refused_when_it_is_written() {
    let mut tape = Writer::create(Vec::new(), &about()).unwrap();
    let before_1970 = Utc::EPOCH.shifted(-1).unwrap();
    assert!(matches!(tape.record(before_1970, &Record::Event(event(1))), Err(TapeError::Time(_))));
    let line = Record::ChipLine { sensor: "layout".parse().unwrap(), line: vec![0; table::tape::MAX_MESSAGE + 1] };
    assert!(matches!(tape.record(time(0), &line), Err(TapeError::TooLong { .. })));
    let picture = |format| Record::Picture {
        camera: "top".parse().unwrap(),
        picture: Picture { at: time(0), format, data: Vec::new() },
    };
    tape.record(time(0), &picture(PictureFormat::Jpeg)).unwrap();
    let other = tape.record(time(0), &picture(PictureFormat::H264));
    assert!(matches!(other, Err(TapeError::ChannelConflict(_))));
    let (messages, ending) = read(&tape.finish().unwrap());
    ending.unwrap();
    assert_eq!(messages.len(), 1);
}

fn ident() -> impl Strategy<Value = Ident> {
    "[A-Za-z0-9_-]{1,32}".prop_map(|text| text.parse().unwrap())
}

fn label() -> impl Strategy<Value = serde_json::Value> {
    prop_oneof![
        any::<i64>().prop_map(Into::into),
        any::<f64>().prop_filter("JSON has no such number", |number| number.is_finite()).prop_map(Into::into),
        ".{0,20}".prop_map(Into::into),
    ]
}

/// Any record with any bytes; a camera's name tells its format, as one camera keeps to one.
fn record() -> impl Strategy<Value = Record> {
    let bytes = || prop::collection::vec(any::<u8>(), 0..300);
    let picture = (ident(), 0i64..4_000_000_000_000_000, bytes()).prop_map(|(camera, at, data)| {
        let format = if camera.as_str().len() % 2 == 0 { PictureFormat::Jpeg } else { PictureFormat::H264 };
        Record::Picture { camera, picture: Picture { at: Utc::from_micros(at).unwrap(), format, data } }
    });
    prop_oneof![
        (ident(), bytes()).prop_map(|(shoe, bytes)| Record::ShoeBytes { shoe, bytes }),
        (ident(), bytes()).prop_map(|(sensor, line)| Record::ChipLine { sensor, line }),
        picture,
        any::<u64>().prop_map(|id| Record::Event(event(id))),
        prop::collection::btree_map(".{0,8}", label(), 0..4).prop_map(|map| Record::Truth(map.into_iter().collect())),
        prop::sample::select(records()),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn any_records_in_chunks_of_any_size_come_back(
        records in prop::collection::vec((record(), 0i64..4_000_000_000_000_000), 0..40),
        chunk_bytes in 0u64..5000,
    ) {
        let mut tape = Writer::with_options(Vec::new(), &about(), Options { chunk_bytes }).unwrap();
        for (record, at) in &records {
            tape.record(Utc::from_micros(*at).unwrap(), record).unwrap();
        }
        let file = tape.finish().unwrap();
        let (messages, ending) = read(&file);
        ending.unwrap();
        let back: Vec<_> = messages.iter().map(|m| (Record::decode(m).unwrap(), m.at().micros())).collect();
        prop_assert_eq!(back, records);
        let mut index = SeekReader::open(Cursor::new(&file)).unwrap();
        let indexed: Vec<_> = index.messages(0..u64::MAX, |_| true).map(Result::unwrap).collect();
        prop_assert_eq!(placeless(&indexed), placeless(&messages));
    }

    #[test]
    fn arbitrary_bytes_are_an_error_and_no_panic(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        prop_assert!(read(&bytes).1.is_err());
    }
}
