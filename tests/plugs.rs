//! Every plug pulled once while a table is recorded: nothing that was received is lost, and each fault is told in words.
#![allow(clippy::panic, clippy::unwrap_used, reason = "a test stops where it stands")]
#![cfg(unix)]

#[allow(dead_code, reason = "not every end is needed here")]
#[path = "../ingest/tests/camera/ends.rs"]
mod ends;
mod recording;

use std::fs;
use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use ingest::feed::{self, Settings, TapeEventsError};
use serde_json::Value;
use serialport::{SerialPort, TTYPort};
use table::event::Health;
use table::tape::{Reader, Record, TapeError};
use table::{Card, Event, Fact};

use ends::{RtspServer, film};
use recording::{PATIENCE, RECORD, Recording, Site, fairdeal, records};

/// A pseudo-terminal whose near end has this path. What is returned is the shoe's end of the cable.
fn plug_in(port: &Path) -> TTYPort {
    let (far, near) = TTYPort::pair().unwrap();
    let _ = fs::remove_file(port);
    symlink(near.name().unwrap(), port).unwrap();
    far
}

/// The events of a tape, which may have no end.
fn events(tape: &Path) -> Vec<Event> {
    let tape = Reader::open(fs::File::open(tape).unwrap()).unwrap();
    let mut told = Vec::new();
    for event in feed::on_tape(tape, Settings::default()).unwrap() {
        match event {
            Ok(event) => told.push(event),
            Err(TapeEventsError::Tape(TapeError::Unfinished { .. })) => {}
            Err(error) => panic!("{error}"),
        }
    }
    told
}

fn drawn(events: &[Event]) -> Vec<Card> {
    let cards = events.iter().filter_map(|event| match &event.fact {
        Fact::Drew { card, .. } => Some(card.card),
        _ => None,
    });
    cards.collect()
}

fn cards(names: &[&str]) -> Vec<Card> {
    names.iter().map(|name| name.parse().unwrap()).collect()
}

/// Waits until something holds.
fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !holds() {
        assert!(begun.elapsed() < PATIENCE, "waited in vain: {what}");
        thread::sleep(Duration::from_millis(50));
    }
}

/// Whether the metrics say that a device is well, or say that it is not.
fn is(recording: &Recording, kind: &str, name: &str, well: bool) -> bool {
    let labels = format!("table=\"BJ-04\",device=\"{name}\",kind=\"{kind}\"");
    recording.page().contains(&format!("fairdeal_device_well{{{labels}}} {}\n", u8::from(well)))
}

/// Waits until that is so.
fn device(recording: &Recording, kind: &str, name: &str, well: bool) {
    let what = format!("{kind} {name} is {}", if well { "well" } else { "not well" });
    wait_until(&what, || is(recording, kind, name, well));
}

fn chip_line(seq: u64, amount: &str) -> String {
    let at = 1_000_000 * seq;
    format!("{{\"seq\":{seq},\"at\":{at},\"full\":true,\"spots\":[{{\"spot\":\"3\",\"amount\":\"{amount}\"}}]}}\n")
}

/// Bytes of another speed, as they look to who listens.
const OTHER_SPEED: [u8; 64] = [0xf8; 64];

/// A table with a shoe on a serial port, chips on a device server and an RTSP camera.
struct Table {
    folder: tempfile::TempDir,
    port: PathBuf,
    chips: TcpListener,
}

impl Table {
    fn with_camera(rtsp: u16) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let port = folder.path().join("ttyShoe");
        let chips = TcpListener::bind("127.0.0.1:0").unwrap();
        let text = format!(
            "name = \"Test\"\ncurrency = \"NZD\"\n[[table]]\nid = \"BJ-04\"\ngame = \"nz-base\"\n\
             [table.shoe]\nname = \"east\"\ndialect = \"bee-tek\"\nurl = \"serial://{}?baud=9600\"\n\
             [table.chips]\nname = \"mat\"\nurl = \"tcp://{}\"\n\
             [[table.camera]]\nname = \"top\"\nurl = \"rtsp://127.0.0.1:{rtsp}/table\"\n",
            port.display(),
            chips.local_addr().unwrap()
        );
        fs::write(folder.path().join("site.toml"), text).unwrap();
        Self { folder, port, chips }
    }

    fn sensor(&self) -> TcpStream {
        self.chips.accept().unwrap().0
    }
}

#[test]
fn a_night_on_which_every_plug_is_pulled_once() {
    let films = tempfile::tempdir().unwrap();
    let playing = film(films.path(), "playing.mp4", 2500, &["-bf", "0"]);
    // Moves for four seconds and then stands still.
    let freezing =
        film(films.path(), "freezing.mp4", 1500, &["-bf", "0", "-vf", "trim=end=4,tpad=stop_mode=clone:stop=-1"]);
    let camera = RtspServer::start(0, &playing);
    let rtsp = camera.port;
    let table = Table::with_camera(rtsp);
    let folder = table.folder.path();
    // Nobody has plugged the shoe in. (Nor may it be: what is open now the recording would inherit, and keep open.)
    let recording = Recording::start(
        folder,
        Command::new(env!("CARGO_BIN_EXE_fairdeal")).args(RECORD).args(["--out", "night.mcap"]),
    );
    let mut sensor = table.sensor();
    device(&recording, "shoe", "east", false);
    let mut shoe = plug_in(&table.port);
    device(&recording, "shoe", "east", true);

    // All is well.
    shoe.write_all(b" [Game]<Card:4S> ").unwrap();
    sensor.write_all(chip_line(1, "25.00").as_bytes()).unwrap();
    recording.until("fairdeal_shoe_events_total", 1.0);
    recording.until("fairdeal_chips_lines_total", 1.0);
    recording.until("fairdeal_camera_frames_total", 25.0);

    // The shoe's cable is pulled in the middle of a telegram, and plugged in again.
    shoe.write_all(b" [Game]<Ca").unwrap();
    recording.until("fairdeal_line_bytes_total", (17 + 10 + chip_line(1, "25.00").len()) as f64);
    fs::remove_file(&table.port).unwrap();
    drop(shoe);
    device(&recording, "shoe", "east", false);
    let mut shoe = plug_in(&table.port);
    device(&recording, "shoe", "east", true);
    shoe.write_all(b" [Game]<Card:9C> ").unwrap();
    recording.until("fairdeal_shoe_events_total", 2.0);

    // Noise on the line.
    shoe.write_all(b"\x00\xff\xfe~~ [Game]<Card:KD> ").unwrap();
    recording.until("fairdeal_shoe_events_total", 3.0);

    // Somebody sets the wrong speed, and the right one again.
    wait_until("another speed is told", || {
        shoe.write_all(&OTHER_SPEED).unwrap();
        is(&recording, "shoe", "east", false)
    });
    shoe.write_all(b" [Game]<Card:QH> ").unwrap();
    device(&recording, "shoe", "east", true);

    // The chip sensor's connection breaks within a line; the next full line makes good what was lost.
    sensor.write_all(&chip_line(2, "50.00").as_bytes()[..20]).unwrap();
    drop(sensor);
    device(&recording, "chips", "mat", false);
    let mut sensor = table.sensor();
    sensor.write_all(chip_line(3, "75.00").as_bytes()).unwrap();
    device(&recording, "chips", "mat", true);

    // The camera's power goes, and when it is back its picture stands still after a while.
    drop(camera);
    device(&recording, "camera", "top", false);
    let camera = RtspServer::start(rtsp, &freezing);
    device(&recording, "camera", "top", true);
    let tape = folder.join("night.mcap");
    let is = |state: Health| move |record: &Record| matches!(record, Record::Event(event) if event.fact == Fact::Health { state });
    wait_until("the frozen picture is on the tape", || records(&tape).0.iter().any(is(Health::Frozen)));
    drop(camera);
    let (_, said) = recording.terminate();

    let told = events(&tape);
    assert_eq!(drawn(&told), cards(&["4S", "9C", "KD", "QH"]), "every card that came whole, and no other");
    let stood: Vec<String> = told
        .iter()
        .filter_map(|event| match &event.fact {
            Fact::Stands { wager, amount, .. } => Some(format!("{wager} {amount}")),
            _ => None,
        })
        .collect();
    assert_eq!(stood, ["3 25.00", "3 75.00"]);
    for words in [
        "there is no port",
        "ttyShoe is gone",
        "look like those of another speed",
        "closed the connection",
        "lines lost before it: 1",
        "the picture is frozen: restart the camera",
    ] {
        assert!(said.contains(words), "{words:?} is not in\n{said}");
    }
    let audit = fairdeal(folder, &["audit", "night.mcap", "--json"]);
    let flags: Vec<Value> =
        String::from_utf8(audit.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for check in ["camera_frozen", "camera_lost", "chips_lost", "shoe_error", "shoe_lost"] {
        let flag = flags.iter().find(|flag| flag["check"] == check);
        assert_eq!(flag.unwrap_or_else(|| panic!("no {check} in {flags:?}"))["kind"], "equipment");
    }
}

/// Records onto a disk of one megabyte, which is filled and freed when the test asks for it.
const SMALL_DISK: &str = r#"
mount -t tmpfs -o size=1m none tapes || exit 9
"$0" "$@" & pid=$!
trap 'kill -TERM $pid' TERM
(
    until [ -e fill ]; do sleep 0.05; done
    head -c 2m /dev/zero > tapes/filler 2> /dev/null
    touch filled
    until [ -e free ]; do sleep 0.05; done
    rm tapes/filler
) &
wait $pid; code=$?
[ $code -le 128 ] || { wait $pid; code=$?; }
cp tapes/*.mcap kept/
exit $code
"#;

#[test]
fn a_full_disk_is_an_alarm_and_loses_nothing_that_was_heard() {
    let site = Site::new();
    let here = |name: &str| site.path().join(name);
    for folder in ["tapes", "kept"] {
        fs::create_dir(here(folder)).unwrap();
    }
    // A disk of one's own needs a name space of one's own, which systems give to everybody.
    let recording = Recording::start(
        site.path(),
        Command::new("unshare")
            .args(["--user", "--map-root-user", "--mount", "sh", "-c", SMALL_DISK, env!("CARGO_BIN_EXE_fairdeal")])
            .args(RECORD)
            .args(["--out", "tapes"]),
    );
    let (mut shoe, _) = site.shoe.accept().unwrap();
    shoe.write_all(b" [Game]<Card:4S> ").unwrap();
    recording.until("fairdeal_recorder_safe_total", 1.0);

    fs::write(here("fill"), "").unwrap();
    wait_until("the disk is full", || here("filled").exists());
    // More than the last page of the tape has room for, and nothing that can be packed.
    let mut number = 1_u32;
    let noise = std::iter::repeat_with(|| {
        number = number.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        0x80 | (number >> 24) as u8
    });
    shoe.write_all(&noise.take(64 << 10).collect::<Vec<u8>>()).unwrap();
    shoe.write_all(b" [Game]<Card:9C> ").unwrap();
    recording.until("fairdeal_recorder_failing", 1.0);
    shoe.write_all(b" [Game]<Card:KD> ").unwrap();
    recording.until("fairdeal_shoe_events_total", 3.0);

    fs::write(here("free"), "").unwrap();
    wait_until("recording goes on", || recording.number("fairdeal_recorder_failing") < 1.0);
    shoe.write_all(b" [Game]<Card:QH> ").unwrap();
    recording.until("fairdeal_shoe_events_total", 4.0);
    let (out, said) = recording.terminate();

    assert!(said.contains("nothing can be recorded"), "{said}");
    assert!(out.contains("in 2 tapes"), "{out}");
    let mut tapes: Vec<PathBuf> = fs::read_dir(here("kept")).unwrap().map(|entry| entry.unwrap().path()).collect();
    tapes.sort_by_key(|tape| Reader::open(fs::File::open(tape).unwrap()).unwrap().about().created);
    let told: Vec<Event> = tapes.iter().flat_map(|tape| events(tape)).collect();
    assert_eq!(drawn(&told), cards(&["4S", "9C", "KD", "QH"]));
}
