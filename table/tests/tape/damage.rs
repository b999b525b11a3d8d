//! Tapes cut off or altered at every single byte.

use std::io::Cursor;

use table::tape::{SeekReader, TapeError};

use crate::sample::{few_records, read, records, tape};

#[test]
fn a_tape_cut_off_at_any_byte_yields_its_whole_chunks_and_says_where_it_stops() {
    let whole = tape(&records());
    let (all, ending) = read(&whole);
    ending.unwrap();
    for cut in 0..whole.len() {
        let (messages, ending) = read(&whole[..cut]);
        let Err(TapeError::Unfinished { offset }) = ending else {
            panic!("cut at byte {cut}: {ending:?}");
        };
        assert!(offset <= cut as u64, "cut at byte {cut}: stops at {offset}");
        assert!(messages == all[..messages.len()], "cut at byte {cut}");
        let missing = all.get(messages.len());
        assert!(missing.is_none_or(|message| message.offset >= offset), "cut at byte {cut}: a whole chunk is missing");
    }
}

/// Flips bits of one byte after another, `stride` apart, and reads on as far as that goes.
fn flip_bytes(whole: &[u8], stride: usize, patterns: &[u8]) {
    let (all, _) = read(whole);
    for at in (0..whole.len()).step_by(stride) {
        for flip in patterns.iter().chain([&(1 << (at % 8))]) {
            let mut harmed = whole.to_vec();
            harmed[at] ^= flip;
            let (messages, ending) = read(&harmed);
            assert!(messages == all[..messages.len()], "byte {at} ^ {flip:#x}: other data");
            match ending {
                Err(TapeError::Damaged { offset, .. } | TapeError::NotATape { offset, .. }) => {
                    assert!(offset <= whole.len() as u64, "byte {at} ^ {flip:#x}");
                }
                other => panic!("byte {at} ^ {flip:#x}: {other:?}"),
            }
        }
    }
}

#[test]
fn a_flipped_byte_anywhere_is_an_error_with_its_place_and_never_other_data() {
    flip_bytes(&tape(&few_records()), 1, &[0x03, 0xff]);
}

#[test]
fn that_holds_with_every_kind_of_record_on_the_tape() {
    flip_bytes(&tape(&records()), 7, &[]);
}

#[test]
fn a_flipped_byte_never_gives_other_data_through_the_index() {
    let whole = tape(&few_records());
    let (all, _) = read(&whole);
    for at in 0..whole.len() {
        let mut harmed = whole.clone();
        harmed[at] ^= 0x55;
        let Ok(mut reader) = SeekReader::open(Cursor::new(&harmed)) else { continue };
        let messages: Result<Vec<_>, _> = reader.messages(0..u64::MAX, |_| true).collect();
        match messages {
            Ok(messages) => assert!(messages == all, "byte {at}"),
            Err(TapeError::Damaged { .. }) => {}
            Err(other) => panic!("byte {at}: {other}"),
        }
    }
}

#[test]
fn a_flipped_byte_of_an_unfinished_tape_never_gives_other_data() {
    let whole = tape(&few_records());
    let (all, _) = read(&whole);
    let cut = usize::try_from(all[5].offset).unwrap();
    for at in 0..cut {
        for flip in [0x01, 0x03] {
            let mut harmed = whole[..cut].to_vec();
            harmed[at] ^= flip;
            let (messages, ending) = read(&harmed);
            assert!(messages == all[..messages.len()], "byte {at} ^ {flip:#x}");
            assert!(ending.is_err(), "byte {at} ^ {flip:#x}");
        }
    }
}

#[test]
fn bytes_after_the_end_are_damage() {
    let mut file = tape(&records());
    let end = file.len() as u64;
    file.push(0);
    let (_, ending) = read(&file);
    assert!(matches!(ending, Err(TapeError::Damaged { offset, .. }) if offset == end - 8), "{ending:?}");
}

#[test]
fn a_length_of_terabytes_is_refused_before_anything_is_allocated() {
    let mut file = tape(&[]);
    let (header, length) = (8, 9..17);
    file[length].copy_from_slice(&(1u64 << 42).to_le_bytes());
    let (_, ending) = read(&file);
    assert!(matches!(ending, Err(TapeError::Damaged { offset, .. }) if offset == header), "{ending:?}");
}
