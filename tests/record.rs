//! `fairdeal record` as a surveillance room runs it: real sockets, real signals, and a power switch.
#![allow(clippy::panic, clippy::unwrap_used, reason = "a test stops where it stands")]

mod recording;

use std::fs;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::process::Command;
use std::thread;
use std::time::Duration;

use table::tape::{Reader, Record};

use recording::{Site, fairdeal, records, shoe_bytes};

#[test]
fn killed_at_any_moment_it_loses_nothing_that_was_safe_and_starts_again_beside_what_is_left() {
    let site = Site::new();
    for (run, safe) in [1.0, 40.0, 400.0].into_iter().enumerate() {
        let mut recording = site.record(&["--out", "tapes"]);
        let (mut shoe, _) = site.shoe.accept().unwrap();
        // The shoe counts until the line breaks.
        let counting = thread::spawn(move || {
            let mut number = 0_u64;
            while shoe.write_all(&number.to_be_bytes()).is_ok() {
                number += 1;
                thread::sleep(Duration::from_micros(500));
            }
        });
        let acknowledged = recording.until("fairdeal_recorder_safe_total", safe);
        recording.child.kill().unwrap();
        recording.child.wait().unwrap();
        counting.join().unwrap();

        let tapes = site.tapes();
        assert_eq!(tapes.len(), run + 1);
        let (kept, finished) = records(&tapes[run]);
        assert!(!finished && kept.len() as f64 >= acknowledged, "{} of {acknowledged}", kept.len());
        let bytes = shoe_bytes(&kept);
        let expected: Vec<u8> = (0..=bytes.len() as u64 / 8).flat_map(u64::to_be_bytes).collect();
        assert_eq!(bytes, expected[..bytes.len()], "no byte is missing and none is there twice");

        let name = tapes[run].file_name().unwrap().to_str().unwrap();
        let recovered =
            fairdeal(site.path(), &["tape", "recover", &format!("tapes/{name}"), "--out", "whole.mcap", "--force"]);
        assert!(recovered.status.success(), "{}", String::from_utf8_lossy(&recovered.stderr));
        let (whole, finished) = records(&site.path().join("whole.mcap"));
        assert!(finished && shoe_bytes(&whole) == bytes);
        if let Some(before) = run.checked_sub(1) {
            let origin = Reader::open(fs::File::open(&tapes[run]).unwrap()).unwrap().about().origin.clone();
            let left = tapes[before].file_name().unwrap().to_str().unwrap();
            assert_eq!(origin, Some(format!("continues {left}, which has no end")));
        }
    }
}

#[test]
fn a_signal_ends_the_tape_with_everything_that_was_heard() {
    let site = Site::new();
    let recording = site.record(&["--out", "tapes"]);
    let (mut shoe, _) = site.shoe.accept().unwrap();
    let (mut chips, _) = site.chips.accept().unwrap();
    shoe.write_all(b" [Game]<Card:4S> ").unwrap();
    chips.write_all(b"{\"a\":1}\n{\"b\":2}\n{\"half").unwrap();
    recording.until("fairdeal_line_bytes_total", 39.0);
    let (out, said) = recording.terminate();
    assert!(out.starts_with("tapes: 6 records in 1 tape, "), "{out}{said}");
    assert!(said.contains("chip feed, line 1, column 7: missing field"), "what cannot be read is told: {said}");
    let (records, finished) = records(&site.tapes()[0]);
    assert!(finished);
    assert_eq!(shoe_bytes(&records), b" [Game]<Card:4S> ");
    let lines = records.iter().filter_map(|record| match record {
        Record::ChipLine { sensor, line } if sensor.as_str() == "mat" => Some(String::from_utf8(line.clone()).unwrap()),
        _ => None,
    });
    assert_eq!(lines.collect::<Vec<_>>(), ["{\"a\":1}", "{\"b\":2}", "{\"half"]);
}

#[test]
fn a_pulled_cable_is_told_and_what_comes_after_it_is_on_the_same_tape() {
    let site = Site::new();
    let recording = site.record(&["--out", "night.mcap"]);
    let (mut shoe, _) = site.shoe.accept().unwrap();
    shoe.write_all(b"before").unwrap();
    recording.until("fairdeal_line_bytes_total", 6.0);
    drop(shoe);
    let (mut shoe, _) = site.shoe.accept().unwrap();
    shoe.write_all(b"after").unwrap();
    recording.until("fairdeal_line_bytes_total", 11.0);
    assert!(recording.number("fairdeal_line_losses_total") >= 1.0);
    let (_, said) = recording.terminate();
    assert!(said.contains("lost"), "{said}");
    let (records, finished) = records(&site.path().join("night.mcap"));
    assert!(finished);
    assert_eq!(shoe_bytes(&records), b"beforeafter");
}

#[test]
fn metrics_are_what_prometheus_reads_and_nothing_else_is_served() {
    let site = Site::new();
    let recording = site.record(&["--out", "tapes"]);
    let page = recording.page();
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    assert!(page.to_ascii_lowercase().contains("content-type: text/plain; version=0.0.4"), "{page}");
    assert!(page.contains("# TYPE fairdeal_recorder_safe_total counter\n"), "{page}");
    assert!(page.contains("fairdeal_recorder_failing{table=\"BJ-04\"} 0\n"), "{page}");
    let mut http = TcpStream::connect(recording.metrics()).unwrap();
    http.write_all(b"GET /../etc/passwd HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
    let mut answer = String::new();
    http.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 404"), "{answer}");
}

#[test]
fn files_end_by_themselves_and_are_reported_as_json() {
    let folder = tempfile::tempdir().unwrap();
    let site = "name = \"Test\"\ncurrency = \"NZD\"\n[[table]]\nid = \"BJ-04\"\ngame = \"nz-base\"\n\
        [table.shoe]\nname = \"east\"\ndialect = \"bee-tek\"\nurl = \"file:shoe.bin\"\n";
    fs::write(folder.path().join("site.toml"), site).unwrap();
    let bytes: Vec<u8> = (0..200_000_u32).map(|number| (number % 251) as u8).collect();
    fs::write(folder.path().join("shoe.bin"), &bytes).unwrap();
    let args = ["record", "--config", "site.toml", "--least-free-mb", "0", "--out", "x.mcap", "--json", "--table"];
    let output = fairdeal(folder.path(), &[&args[..], &["BJ-04"]].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&report["lost"], &report["tapes"]), (&0.into(), &1.into()), "{report}");
    let (records, finished) = records(&folder.path().join("x.mcap"));
    assert!(finished && shoe_bytes(&records) == bytes);
    assert_eq!(report["records"], records.len());

    let output = fairdeal(folder.path(), &[&args[..], &["BJ-05"]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8(output.stderr).unwrap(), "fairdeal: the site has no table BJ-05; it has BJ-04\n");
}

#[test]
fn a_camera_is_recorded_with_its_own_pictures() {
    let folder = tempfile::tempdir().unwrap();
    let site = "name = \"Test\"\ncurrency = \"NZD\"\n[[table]]\nid = \"BJ-04\"\ngame = \"nz-base\"\n\
        [[table.camera]]\nname = \"east\"\nurl = \"file:east.mp4\"\n";
    fs::write(folder.path().join("site.toml"), site).unwrap();
    let film = ["-v", "error", "-f", "lavfi", "-i", "testsrc=size=320x240:rate=10:duration=1.2", "-c:v", "libx264"];
    let packed = ["-pix_fmt", "yuv420p", "-bf", "0", "-g", "5", "east.mp4"];
    let made = Command::new("ffmpeg").current_dir(folder.path()).args(film).args(packed).status().unwrap();
    assert!(made.success());
    let args = ["record", "--config", "site.toml", "--least-free-mb", "0", "--out", "x.mcap", "--table", "BJ-04"];
    let output = fairdeal(folder.path(), &args);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let (records, finished) = records(&folder.path().join("x.mcap"));
    let pictures = records.iter().filter_map(|record| match record {
        Record::Picture { camera, picture } if camera.as_str() == "east" => Some(picture),
        _ => None,
    });
    let pictures: Vec<_> = pictures.collect();
    assert!(finished);
    assert_eq!(pictures.len(), 12);
    assert!(pictures.iter().all(|picture| picture.format == table::tape::PictureFormat::H264));
    assert!(pictures.windows(2).all(|pair| pair[0].at < pair[1].at), "pictures follow one another");
}

#[test]
fn the_time_is_up_when_it_is_up() {
    let site = Site::new();
    let mut recording = site.record(&["--out", "tapes", "--for", "100ms"]);
    assert!(recording.child.wait().unwrap().success());
    assert!(records(&site.tapes()[0]).1);
}

#[test]
fn a_tape_is_held_and_released_from_the_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("night.mcap");
    fs::write(&path, b"tape").unwrap();
    let mark = folder.path().join("night.mcap.hold");
    let done = |args: &[&str]| String::from_utf8(fairdeal(folder.path(), args).stdout).unwrap();
    assert_eq!(done(&["tape", "hold", "night.mcap"]), "night.mcap: on hold\n");
    assert!(mark.exists());
    assert_eq!(done(&["tape", "release", "night.mcap"]), "night.mcap: released\n");
    assert!(!mark.exists());
    assert_eq!(done(&["tape", "release", "night.mcap"]), "night.mcap: was not on hold\n");
    let missing = fairdeal(folder.path(), &["tape", "hold", "day.mcap"]);
    assert_eq!(missing.status.code(), Some(2));
    assert!(String::from_utf8(missing.stderr).unwrap().contains("day.mcap: cannot hold a tape that is not there"));
}
