//! `fairdeal show` and `fairdeal demo` through the built binary.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a test stops where it stands")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Output, Stdio};

use table::notation::{parse, print};

fn fairdeal(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fairdeal")).args(args).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn the_bundled_tape_holds_the_rounds_of_its_source() {
    let written = parse(include_str!("../fixtures/evening/evening.round")).unwrap();
    let taped = fairdeal(&["tape", "cat", "fixtures/evening/evening.mcap", "--channel", "/rounds"]);
    assert_eq!(text(&taped.stdout).trim_end(), print(&written).trim_end());
}

/// A demonstration that serves its pages until the test is over.
struct Demo {
    child: Child,
    shown: String,
    link: String,
}

impl Demo {
    fn start() -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
        let mut child = command.arg("demo").stdout(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        let mut shown = String::new();
        let link = loop {
            let line = lines.next().expect("the demonstration prints a link").unwrap();
            if let Some(link) = line.trim().strip_prefix("http://") {
                break link.to_owned();
            }
            shown.push_str(&line);
            shown.push('\n');
        };
        Self { child, shown, link }
    }

    /// Asks for a page, and gives all of the answer.
    fn get(&self, path: &str, cookie: &str) -> String {
        let (host, _) = self.link.split_once('/').unwrap();
        let mut socket = TcpStream::connect(host).unwrap();
        write!(socket, "GET {path} HTTP/1.1\r\nHost: {host}\r\nCookie: {cookie}\r\nConnection: close\r\n\r\n").unwrap();
        let mut answer = Vec::new();
        socket.read_to_end(&mut answer).unwrap();
        text(&answer)
    }
}

impl Drop for Demo {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn the_demo_rebuilds_the_shift_from_its_feeds_and_shows_what_went_wrong() {
    let demo = Demo::start();
    let shown = &demo.shown;
    assert!(shown.contains("finished, all hashes hold"));
    for channel in ["/camera/camera", "/chips/chips/raw", "/shoe/shoe/raw"] {
        assert!(shown.contains(channel), "{channel}");
    }
    // All of it is on video, and every card was read there.
    assert!(shown.contains("24 read in the video just now, 0 as the camera's reader reported them"), "{shown}");
    assert!(
        shown.contains("box 2          9.00  3♣ 7♥ 10♦-                  20        paid 9.00, double 9.00"),
        "{shown}"
    );
    assert!(shown.contains("seen      the dealer drew 2♦ to 17\n  asked     the dealer stands on 17"), "{shown}");
    assert!(!shown.contains('\u{1b}'), "no colours in a pipe");
    assert!(shown.contains("critical, wrong-payout, nz-5.1(c), 21.00 too little for the player"), "{shown}");
    for kind in ["wrong-payout", "dealer-error", "irregularity", "suspect-shuffle", "equipment", "doubt"] {
        assert!(shown.contains(&format!(", {kind}, ")), "a flag of every kind, {kind} too: {shown}");
    }
    let flags = shown.matches("fairdeal explain ").count();
    assert!(flags >= 10 && shown.contains(&format!("{flags} new flags")), "{shown}");

    let (_, path) = demo.link.split_once('/').unwrap();
    let entered = demo.get(&format!("/{path}"), "");
    let cookie = entered.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap().split(';').next().unwrap();
    let queue = demo.get("/", cookie);
    let doubts = shown.matches(", doubt, ").count();
    assert_eq!(queue.matches("data-flag=").count(), flags - doubts, "every flag waits for an officer, doubts apart");
    assert!(demo.get(&format!("/{path}"), "").contains("has been used"), "the link works once");
    assert!(demo.get("/", "").starts_with("HTTP/1.1 303"), "without it there is only the login");
}

#[test]
fn a_demo_that_exits_says_the_sum_alone() {
    let demo = fairdeal(&["demo", "--exit"]);
    assert_eq!(demo.status.code(), Some(0));
    let shown = text(&demo.stdout);
    for words in ["24 rounds rebuilt from what the devices sent", " wrong payouts, ", "written: 24 new rounds, "] {
        assert!(shown.contains(words), "{words}: {shown}");
    }
    assert!(shown.contains("not seen by any device, so not judged: hand signals, calls, procedure between rounds"));
    assert!(!shown.contains("box 1") && !shown.contains("http://"));
}

#[test]
fn a_round_looks_the_same_from_notation_tape_and_json() {
    let folder = tempfile::tempdir().unwrap();
    let json = folder.path().join("rounds.jsonl");
    let rounds = parse(include_str!("../fixtures/evening/evening.round")).unwrap();
    let lines: Vec<_> = rounds.iter().map(|round| serde_json::to_string(round).unwrap()).collect();
    std::fs::write(&json, lines.join("\n")).unwrap();
    let from_text = fairdeal(&["show", "fixtures/evening/evening.round"]).stdout;
    assert_eq!(text(&fairdeal(&["show", "fixtures/evening/evening.mcap"]).stdout), text(&from_text));
    assert_eq!(text(&fairdeal(&["show", json.to_str().unwrap()]).stdout), text(&from_text));
}

#[test]
fn a_file_that_cannot_be_read_is_named_with_the_place_in_one_sentence() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, content: &str| {
        let file = folder.path().join(name);
        std::fs::write(&file, content).unwrap();
        file.to_str().unwrap().to_owned()
    };
    let cases = [
        (write("a.round", "game nz-base\ncard 3 7X\n"), "line 2, column 8"),
        (write("a.jsonl", "\n{\"id\":1}\n"), "a.jsonl line 2"),
        (write("a.mcap", "not a tape"), "a.mcap"),
        (write("a.txt", ""), "expected a file ending in .round, .jsonl or .mcap"),
        ("nowhere.round".to_owned(), "nowhere.round: No such file"),
    ];
    for (file, place) in cases {
        let output = fairdeal(&["show", &file]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.starts_with("fairdeal: ") && said.contains(place), "{said}");
        assert_eq!(said.trim_end().lines().count(), 1, "{said}");
    }
}
