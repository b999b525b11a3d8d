//! `fairdeal simulate` through the command line: the same seed, the same bytes; clear answers to bad wishes; a tape that
//! survives an interruption.
#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

use std::io::Read;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use table::tape::{Reader, Record};

fn fairdeal(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fairdeal")).args(args).output().unwrap()
}

fn simulate(out: &Path, args: &[&str]) -> Output {
    let out = out.to_str().unwrap();
    fairdeal(&[&["simulate", "--out", out], args].concat())
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let (a, b, c) = (folder.path().join("a.mcap"), folder.path().join("b.mcap"), folder.path().join("c.mcap"));
    let wish = ["--game", "act", "--rounds", "8", "--fault", "all=0.5", "--noise", "0.1", "--seed"];
    for (tape, seed) in [(&a, "4"), (&b, "4"), (&c, "5")] {
        assert!(simulate(tape, &[&wish[..], &[seed]].concat()).status.success());
    }
    let [a, b, c] = [a, b, c].map(|tape| std::fs::read(tape).unwrap());
    assert!(a == b);
    assert!(a != c);
}

#[test]
fn a_filmed_round_has_a_picture_and_its_truth_for_every_frame() {
    let folder = tempfile::tempdir().unwrap();
    let tape = folder.path().join("film.mcap");
    let wish = ["--game", "nz-base", "--rounds", "1", "--boxes", "1", "--mid-shoe", "--no-side-bets", "--video"];
    let small = ["--video-seconds", "2", "--size", "720p", "--fps", "1", "--clear"];
    let done = simulate(&tape, &[&wish[..], &small[..]].concat());
    assert!(done.status.success(), "{}", text(&done.stderr));
    let (mut pictures, mut frames, mut last) = (0, 0, 0);
    for message in Reader::open(std::fs::File::open(&tape).unwrap()).unwrap() {
        let message = message.unwrap();
        assert!(message.log_time >= last, "a record out of order");
        last = message.log_time;
        match Record::decode(&message).unwrap() {
            Record::Picture { .. } => pictures += 1,
            Record::Truth(label) => frames += usize::from(label["what"] == "frame"),
            _ => {}
        }
    }
    assert!(pictures >= 2, "{pictures} pictures");
    assert_eq!(pictures, frames);
}

#[test]
fn two_cameras_film_the_same_play_and_the_second_sees_nothing_while_it_is_covered() {
    let folder = tempfile::tempdir().unwrap();
    let tape = folder.path().join("film.mcap");
    let wish = ["--game", "nz-base", "--rounds", "1", "--boxes", "1", "--mid-shoe", "--no-side-bets", "--video"];
    let small = ["--size", "720p", "--fps", "1", "--clear", "--lens", "-0.2", "--cover", "0+5"];
    let views = ["--view", "overhead", "--view", "oblique"];
    let done = simulate(&tape, &[&wish[..], &small, &views].concat());
    assert!(done.status.success(), "{}", text(&done.stderr));
    let tape = Reader::open(std::fs::File::open(&tape).unwrap()).unwrap();
    let config = table::config::TableConfig::parse(&tape.about().config.as_ref().unwrap().text).unwrap();
    let names: Vec<&str> = config.cameras.iter().map(|camera| camera.name.as_str()).collect();
    assert_eq!(names, ["camera", "camera-2"]);
    assert!(config.cameras.iter().all(|camera| camera.lens.is_some_and(|lens| (lens.k1() + 0.2).abs() < 1e-9)));
    assert_ne!(config.cameras[0].areas, config.cameras[1].areas);
    let mut pictures = std::collections::BTreeMap::<String, usize>::new();
    let mut seen = std::collections::BTreeMap::<String, Vec<usize>>::new();
    let mut last = 0;
    for message in tape {
        let message = message.unwrap();
        assert!(message.log_time >= last, "a record out of order");
        last = message.log_time;
        match Record::decode(&message).unwrap() {
            Record::Picture { camera, .. } => *pictures.entry(camera.to_string()).or_default() += 1,
            Record::Truth(label) if label["what"] == "frame" => {
                let cards = label["cards"].as_array().unwrap().len();
                seen.entry(label["camera"].as_str().unwrap().to_owned()).or_default().push(cards);
            }
            _ => {}
        }
    }
    assert_eq!(pictures["camera"], pictures["camera-2"]);
    assert_eq!(pictures["camera"], seen["camera"].len());
    assert_eq!(seen["camera-2"][..5], [0; 5]);
    assert_eq!(seen["camera"][5..], seen["camera-2"][5..], "both see the same cards");
    assert!(seen["camera"].iter().any(|cards| *cards > 2), "{seen:?}");
}

#[test]
fn a_wish_that_cannot_be_granted_is_answered_with_the_nearest() {
    let folder = tempfile::tempdir().unwrap();
    let tape = folder.path().join("never.mcap");
    let wishes: &[(&[&str], &str)] = &[
        (&["--game", "nz-bose"], "did you mean nz-base?"),
        (&["--game", "nz-base", "--fault", "paid_a_posh"], "did you mean paid_a_push?"),
        (&["--game", "nz-base", "--option", "csn=true"], "did you mean csm?"),
        (&["--game", "nz-base", "--players", "basik"], "basic"),
        (&["--game", "nz-base", "--shuffle", "rifles:7"], "riffles"),
        (&["--game", "nz-base", "--video", "--deck", "jumbi"], "did you mean jumbo?"),
        (&["--game", "nz-base", "--noise", "1.5"], "from 0 to 1"),
        (&["--game", "nz-base", "--fault", "all=2"], "from 0 to 1"),
    ];
    for (wish, answer) in wishes {
        let refused = simulate(&tape, wish);
        assert_eq!(refused.status.code(), Some(2), "{wish:?}");
        assert!(text(&refused.stderr).contains(answer), "{wish:?}: {}", text(&refused.stderr));
        assert!(!tape.exists(), "{wish:?} left a file");
    }
}

#[test]
fn a_tape_that_is_there_is_not_overwritten_unless_asked() {
    let folder = tempfile::tempdir().unwrap();
    let tape = folder.path().join("tape.mcap");
    std::fs::write(&tape, "precious").unwrap();
    let wish = ["--game", "nz-base", "--rounds", "1"];
    assert!(text(&simulate(&tape, &wish).stderr).contains("--force overwrites it"));
    assert_eq!(std::fs::read(&tape).unwrap(), b"precious");
    assert!(simulate(&tape, &[&wish[..], &["--force"]].concat()).status.success());
}

#[test]
fn an_interrupted_run_leaves_a_whole_tape_of_what_was_played() {
    let folder = tempfile::tempdir().unwrap();
    let tape = folder.path().join("long.mcap");
    let mut run = Command::new(env!("CARGO_BIN_EXE_fairdeal"))
        .args(["simulate", "--game", "nz-base", "--rounds", "1000000", "--out", tape.to_str().unwrap()])
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    // The first chunk on the disk shows that play has begun, and that somebody listens for interruption.
    while std::fs::metadata(&tape).map_or(0, |file| file.len()) < 1 << 17 {
        assert!(run.try_wait().unwrap().is_none(), "it ended by itself");
        std::thread::yield_now();
    }
    rustix::process::kill_process(rustix::process::Pid::from_child(&run), rustix::process::Signal::INT).unwrap();
    let mut says = String::new();
    run.stderr.take().unwrap().read_to_string(&mut says).unwrap();
    assert_eq!(run.wait().unwrap().code(), Some(2));
    assert!(says.contains("interrupted after"), "{says}");
    let info = fairdeal(&["tape", "info", tape.to_str().unwrap()]);
    assert!(text(&info.stdout).contains("finished, all hashes hold"), "{}", text(&info.stdout));
}
