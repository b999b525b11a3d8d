//! Writing and reading a long tape takes no more memory than a short one.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on stops")]
#![cfg(target_os = "linux")]

use std::io::{self, BufReader};
use std::thread;

use table::Utc;
use table::tape::{About, Reader, Record, Writer};

const MESSAGE: usize = 100_000;
const MESSAGES: usize = 2_000;

/// The most memory this process ever had, in kilobytes.
fn high_water() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find(|line| line.starts_with("VmHWM:")).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Writes so many messages of noise into one end of a pipe and reads them from the other.
fn through_a_pipe(messages: usize) {
    let (from, to) = io::pipe().unwrap();
    let writer = thread::spawn(move || {
        let about = About::new("BJ-04".parse().unwrap(), Utc::EPOCH, "test");
        let mut tape = Writer::create(to, &about).unwrap();
        let mut seed = 1u64;
        for _ in 0..messages {
            let mut noise = || {
                seed ^= seed << 13;
                seed ^= seed >> 7;
                seed ^= seed << 17;
                seed.to_le_bytes()
            };
            let bytes = (0..MESSAGE / 8).flat_map(|_| noise()).collect();
            tape.record(Utc::EPOCH, &Record::ShoeBytes { shoe: "east".parse().unwrap(), bytes }).unwrap();
        }
        tape.finish().unwrap();
    });
    let tape = Reader::open(BufReader::new(from)).unwrap();
    assert_eq!(tape.map(|message| message.unwrap().data.len()).sum::<usize>(), messages * MESSAGE);
    writer.join().unwrap();
}

#[test]
fn two_hundred_megabytes_take_the_memory_of_ten() {
    through_a_pipe(MESSAGES / 20);
    let short = high_water();
    through_a_pipe(MESSAGES);
    let long = high_water();
    assert!(long < short + 8_192, "{short} kB for ten megabytes, {long} kB for two hundred");
}
