//! Whatever a table's devices send, and however their times lie, the feed tells events that are numbered without a gap and
//! did not happen after they arrived; and letting time pass between two records changes none of them.
//!
//! The input is a row of records: a byte for what it is, a byte for how much later it came, a byte for its length, and its
//! bytes.
#![no_main]

use ingest::feed::Feed;
use libfuzzer_sys::fuzz_target;
use table::config::Dialect;
use table::tape::Record;
use table::{Event, Ident, Utc};

fn name(text: &str) -> Ident {
    text.parse().expect("a name")
}

fn told(mut input: &[u8], looks: bool) -> Vec<Event> {
    let mut feed = Feed::default();
    feed.shoe(name("a"), Dialect::AngelEye);
    feed.shoe(name("b"), Dialect::BeeTek);
    let (mut events, mut now) = (Vec::new(), Utc::EPOCH);
    while let [kind, later, length, rest @ ..] = input {
        let (bytes, rest) = rest.split_at(usize::from(*length).min(rest.len()));
        input = rest;
        let later = i64::from(*later) * 20_000;
        if looks {
            feed.pass(now.shifted(later / 2).unwrap_or(now), &mut events);
        }
        now = now.shifted(later).unwrap_or(now);
        let bytes = bytes.to_vec();
        let record = match kind % 3 {
            0 => Record::ShoeBytes { shoe: name("a"), bytes },
            1 => Record::ShoeBytes { shoe: name("b"), bytes },
            _ => Record::ChipLine { sensor: name("c"), line: bytes },
        };
        feed.hear(now, &record, &mut events);
    }
    feed.end(&mut events);
    events
}

fuzz_target!(|input: &[u8]| {
    let events = told(input, false);
    assert!(events.iter().map(|event| event.id.0).eq(1..=events.len() as u64));
    assert!(events.iter().all(|event| event.at <= event.arrived));
    assert_eq!(events, told(input, true));
});
