//! Captures: one for each thing that shoes and their lines do, named for it, with what must be heard.
//!
//! `FAIRDEAL_BLESS=1` writes what is heard as what is expected: read it before you keep it.
#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use ingest::shoe;
use serde_json::json;
use table::config::Dialect;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/shoe")
}

/// What is heard, a line each, then the statistics; the bytes come in reads of this length.
fn heard(dialect: Dialect, bytes: &[u8], read: usize) -> String {
    let (mut decoder, mut heard) = (shoe::dialect(dialect), Vec::new());
    bytes.chunks(read).for_each(|read| decoder.push(read, &mut heard));
    decoder.line_ended(&mut heard);
    let mut text = String::new();
    for heard in heard {
        writeln!(text, "{}", serde_json::to_string(&heard).unwrap()).unwrap();
    }
    let stats = serde_json::to_string(&decoder.stats()).unwrap();
    writeln!(text, "{{\"stats\":{stats}}}").unwrap();
    text
}

#[test]
fn every_capture_is_heard_as_expected_however_it_is_read() {
    let mut captures = 0;
    for file in fs::read_dir(folder()).unwrap().map(|entry| entry.unwrap().path()) {
        if file.extension().is_none_or(|ending| ending != "bin") {
            continue;
        }
        captures += 1;
        let name = file.file_name().unwrap().to_str().unwrap();
        let spoken = |dialect: &&Dialect| name.starts_with(&dialect.name().replace('-', "_"));
        let dialect = *Dialect::ALL.iter().find(spoken).unwrap();
        let bytes = fs::read(&file).unwrap();
        let expected = file.with_extension("expected.jsonl");
        if std::env::var_os("FAIRDEAL_BLESS").is_some() {
            fs::write(&expected, heard(dialect, &bytes, usize::MAX)).unwrap();
        }
        let expected = fs::read_to_string(&expected).unwrap_or_default();
        for read in [1, 2, 3, 7, usize::MAX] {
            assert_eq!(heard(dialect, &bytes, read), expected, "{name}, {read} bytes at a time");
        }
    }
    assert!(captures >= 20, "only {captures} captures in {}", folder().display());
}

#[test]
fn the_telegram_that_the_protocol_spells_out_is_one_of_them() {
    let bytes = fs::read(folder().join("angel_eye_worked_example.bin")).unwrap();
    assert_eq!(bytes, [0x05, 0x31, 0x44, 0x23, 0x44, 0x03, 0x31, 0x31]);
    let heard = heard(Dialect::AngelEye, &bytes, 8);
    let said: serde_json::Value = serde_json::from_str(heard.lines().next().unwrap()).unwrap();
    assert_eq!(said, json!({"offset": 0, "seq": 49, "event": "card", "card": "4H", "as": "burn", "index": 3}));
}
