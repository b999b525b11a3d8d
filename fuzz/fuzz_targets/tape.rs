//! Tapes: no bytes whatsoever make the readers panic or take memory without bound, and a harmed tape never yields a
//! message that was not written on it.
//!
//! The first byte of the input chooses. Even: the rest is read as a file of its own. Odd: the rest is a list of
//! alterations to a good tape (four bytes each: kind, place, place, value), after which every message read, sought or
//! rescued must be one of the original, in the original order.
#![no_main]

use std::io::Cursor;
use std::sync::LazyLock;

use libfuzzer_sys::fuzz_target;
use table::Utc;
use table::tape::{About, Message, Options, Reader, Record, SeekReader, Writer, recover};

static GOOD: LazyLock<(Vec<u8>, Vec<Message>)> = LazyLock::new(|| {
    let about = About::new("BJ-04".parse().unwrap(), Utc::EPOCH, "fuzz");
    let mut tape = Writer::with_options(Vec::new(), &about, Options { chunk_bytes: 100 }).unwrap();
    for i in 0..12u8 {
        let shoe = if i % 3 == 0 { "east" } else { "west" }.parse().unwrap();
        let at = Utc::from_micros(i64::from(i)).unwrap();
        tape.record(at, &Record::ShoeBytes { shoe, bytes: vec![i; usize::from(i) * 5] }).unwrap();
    }
    let file = tape.finish().unwrap();
    let messages = Reader::open(file.as_slice()).unwrap().map(Result::unwrap).collect();
    (file, messages)
});

/// Everything each of the three ways to read a file yields before it gives up.
fn read(file: &[u8]) -> [Vec<Message>; 3] {
    let stream = |file: &[u8]| match Reader::open(file) {
        Ok(tape) => tape.map_while(Result::ok).inspect(|message| drop(Record::decode(message))).collect(),
        Err(_) => Vec::new(),
    };
    let sought = match SeekReader::open(Cursor::new(file)) {
        Ok(mut tape) => tape.messages(0..u64::MAX, |_| true).map_while(Result::ok).collect(),
        Err(_) => Vec::new(),
    };
    let rescued = match recover(Cursor::new(file), Vec::new(), "fuzz") {
        Ok((rescued, _)) => stream(&rescued),
        Err(_) => Vec::new(),
    };
    [stream(file), sought, rescued]
}

fn alter(file: &mut Vec<u8>, alteration: &[u8]) {
    let &[kind, low, high, value] = alteration else { return };
    let at = usize::from(u16::from_le_bytes([low, high])) % file.len().max(1);
    match kind % 4 {
        0 if at < file.len() => file[at] ^= value,
        1 => file.truncate(at),
        2 if at < file.len() => drop(file.drain(at..file.len().min(at + usize::from(value)))),
        3 => {
            let copy = file[at..file.len().min(at + usize::from(value))].to_vec();
            file.splice(at..at, copy);
        }
        _ => {}
    }
}

fuzz_target!(|input: &[u8]| {
    let Some((choice, rest)) = input.split_first() else { return };
    if choice % 2 == 0 {
        read(rest);
        return;
    }
    let (mut file, originals) = GOOD.clone();
    for alteration in rest.chunks_exact(4).take(8) {
        alter(&mut file, alteration);
    }
    for yielded in read(&file) {
        let mut left = originals.iter();
        for message in yielded {
            let same = |original: &Message| {
                (&original.channel, original.log_time, original.publish_time, &original.data)
                    == (&message.channel, message.log_time, message.publish_time, &message.data)
            };
            assert!(left.any(same), "a message that was never written, or out of order");
        }
    }
});
