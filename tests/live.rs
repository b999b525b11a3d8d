//! `fairdeal run` at a table as it stands on the floor: a camera that streams, a shoe and a chip sensor, all in real time.
#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

#[path = "../ingest/tests/camera/ends.rs"]
#[allow(dead_code, reason = "the ends of other tests are there too")]
mod ends;
#[allow(dead_code, reason = "this house has one table, and nobody pulls its plug")]
mod running;

use std::fs::{self, File};
use std::io::Write;
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use ends::RtspServer;
use recognizer::round::exact;
use running::House;
use serde_json::Value;
use table::Round;
use table::config::{Chips, Secrets, Shoe, Site};
use table::tape::{Reader, Record};

/// Pictures a second of the film.
const RATE: &str = "5";

/// What the devices of a tape said, and when, from the beginning of its film.
struct Said {
    after: Duration,
    what: Record,
}

/// What a filmed round's devices said, and the round; the film goes to a file.
fn played(tape: &Path, film: &Path) -> (Vec<Said>, Round) {
    let (mut said, mut pictures, mut begin, mut round) = (Vec::new(), Vec::new(), None, None);
    for message in Reader::open(File::open(tape).unwrap()).unwrap() {
        let message = message.unwrap();
        match Record::decode(&message).unwrap() {
            Record::Picture { picture, .. } => {
                begin.get_or_insert(message.log_time);
                pictures.extend(picture.data);
            }
            Record::Round(told) => round = Some(*told),
            what @ (Record::ShoeBytes { .. } | Record::ChipLine { .. }) => {
                let after = message.log_time.saturating_sub(*begin.get_or_insert(message.log_time));
                said.push(Said { after: Duration::from_nanos(after), what });
            }
            _ => {}
        }
    }
    let stream = film.with_extension("h264");
    fs::write(&stream, pictures).unwrap();
    let packed = Command::new("ffmpeg")
        .args(["-loglevel", "error", "-r", RATE, "-f", "h264", "-i"])
        .arg(&stream)
        .args(["-c", "copy"])
        .arg(film)
        .status();
    assert!(packed.unwrap().success());
    (said, round.unwrap())
}

/// A sensor's line as if it were said now.
fn said_now(line: &[u8]) -> Vec<u8> {
    let mut line: Value = serde_json::from_slice(line).unwrap();
    line["at"] = (SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_micros() as u64).into();
    format!("{line}\n").into_bytes()
}

#[test]
fn a_round_in_front_of_a_streaming_camera_is_told_card_for_card() {
    let [shoe, chips] = [0, 1].map(|_| TcpListener::bind("127.0.0.1:0").unwrap());
    let at = |end: &TcpListener| format!("tcp://{}", end.local_addr().unwrap()).parse().unwrap();
    let round = ["--rounds", "1", "--seed", "11", "--mid-shoe", "--boxes", "1", "--no-side-bets", "--no-back-bets"];
    let house = House::with_shift(&[&round[..], &["--no-tips", "--video", "--fps", RATE]].concat());
    let (said, dealt) = played(&house.path().join("shift.mcap"), &house.path().join("film.mp4"));
    let stream = RtspServer::start(0, &house.path().join("film.mp4"));
    let file = house.path().join("site.toml");
    let mut site = Site::parse(&fs::read_to_string(&file).unwrap()).unwrap();
    site.tables.truncate(1);
    for table in &mut site.tables {
        table.cameras.iter_mut().for_each(|camera| camera.source = stream.address());
        table.shoe = table.shoe.take().map(|known| Shoe { transport: at(&shoe), ..known });
        table.chips = table.chips.take().map(|known| Chips { transport: at(&chips), ..known });
    }
    fs::write(&file, site.to_toml(Secrets::Kept)).unwrap();

    let running = house.run(&[]);
    let ((mut shoe, _), (mut chips, _)) = (shoe.accept().unwrap(), chips.accept().unwrap());
    running.until(|_| stream.calls() > 0);
    let begun = Instant::now();
    for Said { after, what } in said {
        std::thread::sleep(after.saturating_sub(begun.elapsed()));
        match what {
            Record::ShoeBytes { bytes, .. } => shoe.write_all(&bytes).unwrap(),
            Record::ChipLine { line, .. } => chips.write_all(&said_now(&line)).unwrap(),
            _ => {}
        }
    }
    running.until(|tables| tables["BJ-04"]["rounds"] == 1);
    running.terminate();

    let told = house.database();
    let rebuilt: Round = serde_json::from_str(&told.rounds[0].document).unwrap();
    let difference = exact::difference(&dealt, &rebuilt);
    assert!(difference.is_none(), "{}", difference.unwrap());
}
