//! Any bytes on a Bee-Tek line are heard the same however they are read, and the counters add up: what is heard lies
//! on the line in the order in which it is told, and no byte is counted as noise twice.
//!
//! The first byte of the input is the length of a read.
#![no_main]

use ingest::shoe::{self, Heard, Stats};
use libfuzzer_sys::fuzz_target;
use table::config::Dialect;

fn hear(bytes: &[u8], read: usize) -> (Vec<Heard>, Stats) {
    let (mut decoder, mut heard) = (shoe::dialect(Dialect::BeeTek), Vec::new());
    bytes.chunks(read).for_each(|read| decoder.push(read, &mut heard));
    decoder.line_ended(&mut heard);
    (heard, decoder.stats())
}

fuzz_target!(|input: &[u8]| {
    let Some((read, bytes)) = input.split_first() else { return };
    let (heard, stats) = hear(bytes, usize::from(*read).max(1));
    assert_eq!((&heard, stats), (&hear(bytes, usize::MAX).0, hear(bytes, usize::MAX).1));
    assert_eq!(stats.bytes, bytes.len() as u64);
    // A token has at least its two brackets.
    assert!(stats.noise_bytes + 2 * stats.frames <= stats.bytes);
    assert!(stats.events + stats.gaps <= heard.len() as u64);
    assert!(heard.iter().all(|heard| heard.offset < stats.bytes));
    assert!(heard.iter().map(|heard| heard.offset).is_sorted());
});
