//! The recorder on disks that work, fill up and fail.
#![allow(clippy::panic, clippy::unwrap_used, reason = "a test stops where it stands")]

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use ingest::recorder::{Alarm, Disk, LocalDisk, Recorder, SegmentFile, Settings, Shelf};
use table::Utc;
use table::tape::{Picture, PictureFormat, Reader, Record, TapeError};
use tempfile::TempDir;

/// Longer than anything here takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

fn opens() -> Utc {
    "2026-01-05T20:00:00Z".parse().unwrap()
}

fn at(second: i64) -> Utc {
    opens().shifted(second * 1_000_000).unwrap()
}

/// The numbered reads of a shoe, long enough to fill small disks and hard to pack.
fn read(number: u32) -> Record {
    let mut bytes = number.to_be_bytes().to_vec();
    let mut noise = number.wrapping_add(1);
    bytes.extend((0..1000).map(|_| {
        noise ^= noise << 13;
        noise ^= noise >> 17;
        noise ^= noise << 5;
        noise as u8
    }));
    Record::ShoeBytes { shoe: "east".parse().unwrap(), bytes }
}

fn picture(format: PictureFormat, data: Vec<u8>) -> Record {
    let picture = Picture { at: opens(), format, data };
    Record::Picture { camera: "overhead".parse().unwrap(), picture }
}

fn quick() -> Settings {
    Settings {
        flush_every: Duration::from_millis(5),
        retry_every: Duration::from_millis(5),
        least_free: 0,
        sync: false,
        ..Settings::default()
    }
}

fn shelf(folder: &TempDir) -> Shelf {
    Shelf::folder(folder.path(), "BJ-04".parse().unwrap(), opens())
}

fn start(folder: &TempDir, settings: Settings) -> Recorder {
    Recorder::start(shelf(folder), "fairdeal test", None, settings).unwrap()
}

/// The tapes of a folder by name, which is by time.
fn tapes(folder: &Path) -> Vec<PathBuf> {
    let mut tapes: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    tapes.retain(|path| path.extension().is_some_and(|end| end == "mcap"));
    tapes.sort_by_key(|path| path.file_stem().map(ToOwned::to_owned));
    tapes
}

/// The numbers of the reads on a tape, and whether it has an end.
fn numbers(tape: &Path) -> (Vec<u32>, bool) {
    let mut numbers = Vec::new();
    let mut finished = true;
    for message in Reader::open(fs::File::open(tape).unwrap()).unwrap() {
        match message {
            Ok(message) => match Record::decode(&message).unwrap() {
                Record::ShoeBytes { bytes, .. } => {
                    numbers.push(u32::from_be_bytes(bytes[..4].try_into().unwrap()));
                }
                Record::Picture { .. } => {}
                other => panic!("{other:?}"),
            },
            Err(TapeError::Unfinished { .. }) => finished = false,
            Err(error) => panic!("{}: {error}", tape.display()),
        }
    }
    (numbers, finished)
}

fn all_numbers(folder: &Path) -> Vec<u32> {
    tapes(folder).iter().flat_map(|tape| numbers(tape).0).collect()
}

/// Waits until this many records are safe.
fn until_safe(recorder: &Recorder, records: u64) {
    let begun = std::time::Instant::now();
    while recorder.counters().counts().safe < records {
        assert!(begun.elapsed() < PATIENCE, "{:?}", recorder.counters().counts());
        std::thread::yield_now();
    }
}

#[test]
fn segments_follow_each_other_by_size_and_name_what_they_continue() {
    let folder = tempfile::tempdir().unwrap();
    let settings = Settings { segment_bytes: 50_000, flush_bytes: 8_000, ..quick() };
    let recorder = start(&folder, settings);
    for number in 0..200 {
        recorder.intake().offer(at(i64::from(number)), read(number));
    }
    let counts = recorder.finish();
    assert_eq!((counts.safe, counts.lost, counts.failures), (200, 0, 0));
    let tapes = tapes(folder.path());
    assert!(tapes.len() > 2 && tapes.len() as u64 == counts.segments, "{tapes:?}");
    assert!(tapes[0].ends_with("BJ-04-20260105T200000Z.mcap"), "{tapes:?}");
    assert!(tapes[1].ends_with("BJ-04-20260105T200000Z-0002.mcap"), "{tapes:?}");
    assert!(tapes.iter().all(|tape| numbers(tape).1), "every segment has an end");
    assert_eq!(all_numbers(folder.path()), (0..200).collect::<Vec<_>>());
    let second = Reader::open(fs::File::open(&tapes[1]).unwrap()).unwrap();
    assert_eq!(second.about().origin.as_deref(), Some("continues BJ-04-20260105T200000Z.mcap"));
    let bytes: u64 = tapes.iter().map(|tape| fs::metadata(tape).unwrap().len()).sum();
    assert_eq!(counts.bytes, bytes);
}

#[test]
fn a_segment_ends_by_age_too() {
    let folder = tempfile::tempdir().unwrap();
    let recorder = start(&folder, Settings { segment_age: Duration::from_millis(1), ..quick() });
    recorder.intake().offer(at(0), read(0));
    until_safe(&recorder, 1);
    recorder.intake().offer(at(1), read(1));
    until_safe(&recorder, 2);
    recorder.finish();
    assert!(tapes(folder.path()).len() > 1);
}

#[test]
fn what_a_crash_left_is_kept_as_it_is_and_named_by_the_tape_that_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let left = folder.path().join("BJ-04-20260105T190000Z.mcap");
    fs::write(&left, b"\x89MCAP0\r\nhalf a header").unwrap();
    let other_table = folder.path().join("BJ-040-20260105T195900Z.mcap");
    fs::write(&other_table, b"half").unwrap();
    start(&folder, quick()).finish();
    assert_eq!(fs::read(&left).unwrap(), b"\x89MCAP0\r\nhalf a header");
    let tape = Reader::open(fs::File::open(folder.path().join("BJ-04-20260105T200000Z.mcap")).unwrap()).unwrap();
    let origin = tape.about().origin.clone();
    assert_eq!(origin.as_deref(), Some("continues BJ-04-20260105T190000Z.mcap, which has no end"));
}

#[test]
fn a_tape_that_is_there_is_never_overwritten() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("test.mcap");
    fs::write(&file, b"precious").unwrap();
    let shelf = Shelf::file(&file, "BJ-04".parse().unwrap(), opens());
    Recorder::start(shelf, "fairdeal test", None, quick()).unwrap().finish();
    assert_eq!(fs::read(&file).unwrap(), b"precious");
    assert!(numbers(&folder.path().join("test-0002.mcap")).1);
}

#[test]
fn a_folder_that_is_not_there_is_an_error_in_words() {
    let shelf = Shelf::folder(Path::new("/nowhere/at/all"), "BJ-04".parse().unwrap(), opens());
    let error = Recorder::start(shelf, "fairdeal test", None, quick()).unwrap_err();
    assert_eq!(error.to_string(), "cannot begin a tape in /nowhere/at/all");
}

#[test]
fn records_no_tape_can_hold_are_refused_and_the_rest_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let recorder = start(&folder, Settings { queue_bytes: 256 << 20, ..quick() });
    let too_long = Record::ShoeBytes { shoe: "east".parse().unwrap(), bytes: vec![0; 33 << 20] };
    recorder.intake().offer("1969-01-01T00:00:00Z".parse().unwrap(), read(7));
    recorder.intake().offer(at(0), too_long);
    recorder.intake().offer(at(1), read(1));
    let counts = recorder.finish();
    assert_eq!((counts.refused, counts.safe), (2, 1));
    assert_eq!(all_numbers(folder.path()), [1]);
}

#[test]
fn a_camera_that_changes_its_format_gets_a_new_tape() {
    let folder = tempfile::tempdir().unwrap();
    let recorder = start(&folder, quick());
    recorder.intake().offer(at(0), picture(PictureFormat::Jpeg, vec![1; 10]));
    recorder.intake().offer(at(1), picture(PictureFormat::H264, vec![0, 0, 1, 0x65]));
    let counts = recorder.finish();
    assert_eq!((counts.safe, counts.refused, counts.segments), (2, 0, 2));
}

/// A disk with room for so many bytes, as tests change it.
struct Tin {
    room: Arc<AtomicU64>,
}

#[derive(Debug)]
struct TinFile {
    file: Arc<dyn SegmentFile>,
    room: Arc<AtomicU64>,
}

impl Disk for Tin {
    fn create(&self, path: &Path) -> io::Result<Arc<dyn SegmentFile>> {
        Ok(Arc::new(TinFile { file: LocalDisk.create(path)?, room: Arc::clone(&self.room) }))
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        LocalDisk.remove(path)
    }

    fn free(&self, _: &Path) -> io::Result<u64> {
        Ok(u64::MAX)
    }
}

impl SegmentFile for TinFile {
    /// Like a real disk it writes what fits and fails with the rest.
    fn append(&self, bytes: &[u8]) -> io::Result<usize> {
        let room = usize::try_from(self.room.load(Ordering::SeqCst)).unwrap();
        if room == 0 {
            return Err(io::Error::from(io::ErrorKind::StorageFull));
        }
        let fits = &bytes[..bytes.len().min(room)];
        let written = self.file.append(fits)?;
        self.room.fetch_sub(written as u64, Ordering::SeqCst);
        Ok(written)
    }

    fn sync(&self) -> io::Result<()> {
        self.file.sync()
    }

    fn cut(&self, length: u64) -> io::Result<()> {
        self.file.cut(length)
    }
}

fn next(alarms: &mpsc::Receiver<Alarm>) -> Alarm {
    alarms.recv_timeout(PATIENCE).unwrap()
}

#[test]
fn a_disk_that_fails_in_the_middle_is_an_alarm_and_nothing_is_lost_or_twice() {
    // The room ends within the header, at a flush, and within a chunk.
    for room in [40_u64, 3_000, 20_000, 55_555] {
        let folder = tempfile::tempdir().unwrap();
        let left = Arc::new(AtomicU64::new(2_000));
        let tin = Tin { room: Arc::clone(&left) };
        let settings = Settings { flush_bytes: 10_000, ..quick() };
        let mut recorder = Recorder::on(tin, shelf(&folder), "fairdeal test", None, settings).unwrap();
        let alarms = recorder.alarms().unwrap();
        left.store(room, Ordering::SeqCst);
        for number in 0..100 {
            recorder.intake().offer(at(i64::from(number)), read(number));
        }
        let Alarm::Failed { why } = next(&alarms) else { panic!("room {room}") };
        assert!(why.contains("BJ-04-20260105T200000Z.mcap"), "{why}");
        assert!(recorder.counters().counts().failing);
        left.store(u64::from(u32::MAX), Ordering::SeqCst);
        let Alarm::Recovered { segment, lost, dropped } = next(&alarms) else { panic!("room {room}") };
        assert!(segment.ends_with("BJ-04-20260105T200000Z-0002.mcap") || room == 40, "{segment:?}");
        assert_eq!((lost, dropped), (0, 0));
        let counts = recorder.finish();
        assert_eq!((counts.safe, counts.lost, counts.failing), (100, 0, false), "room {room}");
        assert_eq!(all_numbers(folder.path()), (0..100).collect::<Vec<_>>(), "room {room}");
    }
}

#[test]
fn a_disk_that_fails_to_the_end_costs_what_is_counted_and_no_crash() {
    let folder = tempfile::tempdir().unwrap();
    let left = Arc::new(AtomicU64::new(2_000));
    let tin = Tin { room: Arc::clone(&left) };
    let settings = Settings { queue_bytes: 40_000, picture_bytes: 20_000, ..quick() };
    let mut recorder = Recorder::on(tin, shelf(&folder), "fairdeal test", None, settings).unwrap();
    let alarms = recorder.alarms().unwrap();
    left.store(0, Ordering::SeqCst);
    let offered = (0..100).filter(|number| recorder.intake().offer(at(i64::from(*number)), read(*number)));
    let taken = offered.count() as u64;
    assert!(matches!(next(&alarms), Alarm::Failed { .. }));
    assert!(taken < 100, "memory is bounded");
    let counts = recorder.finish();
    assert_eq!((counts.offered, counts.safe, counts.lost), (100, 0, 100));
}

#[test]
fn pictures_give_way_to_what_the_shoe_says_and_video_goes_on_at_a_key_frame() {
    let folder = tempfile::tempdir().unwrap();
    let left = Arc::new(AtomicU64::new(2_000));
    let tin = Tin { room: Arc::clone(&left) };
    let settings = Settings { queue_bytes: 30_000, picture_bytes: 20_000, ..quick() };
    let mut recorder = Recorder::on(tin, shelf(&folder), "fairdeal test", None, settings).unwrap();
    let alarms = recorder.alarms().unwrap();
    left.store(0, Ordering::SeqCst);
    recorder.intake().offer(at(0), read(0));
    assert!(matches!(next(&alarms), Alarm::Failed { .. }));
    let intake = recorder.intake();
    let frame = |kind: u8, length: usize| picture(PictureFormat::H264, [vec![0, 0, 1, kind], vec![9; length]].concat());
    assert!(intake.offer(at(1), frame(0x65, 9_000)));
    assert!(intake.offer(at(1), frame(0x41, 9_000)));
    assert!(!intake.offer(at(1), frame(0x65, 9_000)), "pictures have their part of the room");
    assert!(!intake.offer(at(1), frame(0x41, 10)), "what depends on a dropped frame is no use");
    assert!(intake.offer(at(1), frame(0x65, 10)), "a key frame stands alone");
    for number in 1..20 {
        assert!(intake.offer(at(2), read(number)), "the shoe's bytes push pictures out");
    }
    left.store(u64::from(u32::MAX), Ordering::SeqCst);
    let Alarm::Recovered { lost, dropped, .. } = next(&alarms) else { panic!("not recovered") };
    assert_eq!(lost, 0);
    assert!(dropped >= 3, "{dropped}");
    let counts = recorder.finish();
    assert_eq!((counts.lost, counts.offered), (0, counts.safe + counts.dropped));
    assert_eq!(all_numbers(folder.path()), (0..20).collect::<Vec<_>>());
}

/// A file system of one megabyte, gone with the test.
struct Small(TempDir);

impl Small {
    fn mount() -> Result<Self, String> {
        let folder = tempfile::tempdir().unwrap();
        let mount = Command::new("mount").args(["-t", "tmpfs", "-o", "size=1m", "tmpfs"]).arg(folder.path()).output();
        match mount {
            Ok(output) if output.status.success() => Ok(Self(folder)),
            Ok(output) => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
            Err(error) => Err(error.to_string()),
        }
    }
}

impl Drop for Small {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(self.0.path()).output();
    }
}

#[test]
fn a_full_file_system_is_survived_and_recording_goes_on_when_there_is_room() {
    let small = match Small::mount() {
        Ok(small) => small,
        Err(why) => {
            eprintln!("skipped, no small file system can be mounted here: {why}; a failing disk is tested above");
            return;
        }
    };
    let ballast = small.0.path().join("ballast");
    fs::write(&ballast, vec![0; 600_000]).unwrap();
    let mut recorder = start(&small.0, Settings { least_free: 100_000, flush_bytes: 50_000, ..quick() });
    let alarms = recorder.alarms().unwrap();
    for number in 0..700 {
        recorder.intake().offer(at(i64::from(number)), read(number));
    }
    let Alarm::Failed { why } = next(&alarms) else { panic!("no alarm") };
    assert!(why.contains("No space left on device"), "{why}");
    fs::remove_file(&ballast).unwrap();
    assert!(matches!(next(&alarms), Alarm::Recovered { lost: 0, .. }));
    until_safe(&recorder, 700);
    let counts = recorder.finish();
    assert_eq!((counts.safe, counts.lost), (700, 0));
    assert_eq!(all_numbers(small.0.path()), (0..700).collect::<Vec<_>>());
}
