//! Damaged and unfinished tapes made whole again, as far as that goes.

use std::io::Cursor;

use table::tape::{Message, Recovery, recover};

use crate::sample::{few_records, placeless, read, records, tape};

fn rescue(file: &[u8]) -> (Vec<Message>, Recovery) {
    let (rescued, recovery) = recover(Cursor::new(file), Vec::new(), "a test").unwrap();
    let tape = table::tape::Reader::open(rescued.as_slice()).unwrap();
    assert_eq!(tape.about().origin.as_deref(), Some("a test"));
    let messages: Vec<_> = tape.map(Result::unwrap).collect();
    assert_eq!(messages.len() as u64, recovery.messages);
    (messages, recovery)
}

#[test]
fn a_whole_tape_is_rescued_whole() {
    let file = tape(&records());
    let (messages, recovery) = rescue(&file);
    assert_eq!(placeless(&messages), placeless(&read(&file).0));
    assert!(recovery.complete() && recovery.losses.is_empty(), "{recovery:?}");
}

#[test]
fn a_tape_cut_off_anywhere_is_rescued_up_to_its_last_whole_chunk() {
    let whole = tape(&few_records());
    let (all, _) = read(&whole);
    for cut in (0..whole.len()).step_by(3) {
        let (before, _) = read(&whole[..cut]);
        let (messages, recovery) = rescue(&whole[..cut]);
        assert!(placeless(&messages) == placeless(&before), "cut at byte {cut}");
        assert!(messages.len() == all.len() || !recovery.complete(), "cut at byte {cut}");
        let lost: u64 = recovery.losses.iter().map(|loss| loss.bytes).sum();
        assert!(lost <= cut as u64, "cut at byte {cut}");
    }
}

#[test]
fn a_harmed_chunk_is_left_out_named_and_counted_and_all_others_are_kept() {
    let whole = tape(&records());
    let (all, _) = read(&whole);
    let harmed_chunk = all[4].offset;
    let mut harmed = whole.clone();
    harmed[usize::try_from(harmed_chunk).unwrap() + 60] ^= 0x10;
    let (messages, recovery) = rescue(&harmed);
    let kept: Vec<_> = all.iter().filter(|message| message.offset != harmed_chunk).cloned().collect();
    assert!(kept.len() < all.len());
    assert!(placeless(&messages) == placeless(&kept));
    assert_eq!(recovery.losses.len(), 1);
    assert_eq!(recovery.losses[0].offset, harmed_chunk);
    assert_eq!(recovery.missing, (all.len() - kept.len()) as u64);
    assert!(recovery.finished && !recovery.complete());
}

#[test]
fn a_harmed_first_chunk_does_not_take_its_channel_along_even_without_an_index() {
    let whole = tape(&records());
    let (all, _) = read(&whole);
    let mut harmed = whole[..usize::try_from(all[11].offset).unwrap()].to_vec();
    harmed[usize::try_from(all[0].offset).unwrap() + 60] ^= 0x10;
    let (messages, recovery) = rescue(&harmed);
    assert!(placeless(&messages) == placeless(&all[1..11]));
    assert_eq!(recovery.missing, 1);
    assert!(!recovery.finished);
}

#[test]
fn wherever_it_was_harmed_the_rescue_keeps_only_true_messages_and_counts_the_rest() {
    let whole = tape(&few_records());
    let all = placeless(&read(&whole).0);
    for at in (0..whole.len()).step_by(3) {
        let mut harmed = whole.clone();
        harmed[at] ^= 0x41;
        let (messages, recovery) = rescue(&harmed);
        let mut truth = all.iter();
        for message in placeless(&messages) {
            assert!(truth.any(|original| *original == message), "byte {at}: a message that was never written");
        }
        let unnamed = recovery.losses.iter().any(|loss| loss.offset + loss.bytes >= whole.len() as u64);
        assert!(unnamed || messages.len() as u64 + recovery.missing == all.len() as u64, "byte {at}: {recovery:?}");
        assert!(messages.len() + 3 >= all.len(), "byte {at}: one flip cost {} messages", all.len() - messages.len());
    }
}

#[test]
fn rubbish_is_rescued_to_an_empty_tape_without_a_name() {
    let rubbish: Vec<u8> = (0..100_000u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 13) as u8).collect();
    let (rescued, recovery) = recover(Cursor::new(&rubbish), Vec::new(), "a test").unwrap();
    assert!(table::tape::Reader::open(rescued.as_slice()).unwrap().next().is_none());
    assert!(recovery.nameless);
    assert_eq!(recovery.losses.iter().map(|loss| loss.bytes).sum::<u64>(), 100_000);
}
