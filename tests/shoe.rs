//! `fairdeal shoe` as an engineer meets it: captures, device servers and ports on real ends.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops where it stands")]
#![cfg(unix)]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Output, Stdio};

use serde_json::Value;
use serialport::{SerialPort, TTYPort};
use tempfile::TempDir;

/// Half a telegram.
const HALF: &[u8] = b"\x051D\x23";
const BEE_TEK: &[u8] = b" [Game]<Card:4S>  [Game]<Card:10h> ";

/// Telegrams with the numbers 1 to 9, each a burned four of hearts.
fn angel_eye() -> Vec<u8> {
    let telegrams = (b'1'..=b'9').map(|seq| {
        let body = [seq, b'D', 0x23, 0x44, 0x03];
        let sum = body.iter().fold(0, |sum, byte| sum ^ byte);
        [&[0x05], &body[..], format!("{sum:02X}").as_bytes()].concat()
    });
    telegrams.collect::<Vec<_>>().concat()
}

fn fairdeal(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
    command.arg("shoe").args(arguments);
    command
}

fn capture(folder: &Path, bytes: &[u8]) -> String {
    let file = folder.join("capture.bin");
    fs::write(&file, bytes).unwrap();
    format!("file://{}", file.display())
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// A command that is watched while it runs, and ended when the test is over.
struct Running {
    child: Child,
    lines: BufReader<ChildStdout>,
}

impl Running {
    fn start(mut command: Command) -> Self {
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let lines = BufReader::new(child.stdout.take().unwrap());
        Self { child, lines }
    }

    /// The next line with these words in it.
    fn until(&mut self, words: &str) -> String {
        let mut before = String::new();
        loop {
            let mut line = String::new();
            assert!(self.lines.read_line(&mut line).unwrap() > 0, "{words:?} never came after:\n{before}");
            if line.contains(words) {
                return line;
            }
            before.push_str(&line);
        }
    }

    /// Ctrl-C; what is still said, and the exit code.
    fn interrupt(mut self) -> (String, Option<i32>) {
        let id = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
        let mut rest = String::new();
        self.lines.read_to_string(&mut rest).unwrap();
        (rest, self.child.wait().unwrap().code())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn a_capture_is_shown_as_bytes_events_and_counters() {
    let folder = TempDir::new().unwrap();
    let output = fairdeal(&["watch", &capture(folder.path(), &angel_eye())]).output().unwrap();
    let text = text(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("bytes            0  05 31 44 23 44 03 31 31 05 32"), "{text}");
    assert!(
        text.contains(r#"event     {"offset":0,"seq":49,"event":"card","card":"4H","as":"burn","index":3}"#),
        "{text}"
    );
    let last = text.lines().last().unwrap();
    assert!(last.contains("counters  angel-eye · bytes 72 · frames 9 · events 9 · bad checksums 0 · "), "{last}");
    assert!(!text.contains("wrong"), "{text}");
}

#[test]
fn a_capture_of_the_other_dialect_is_said_in_words() {
    let folder = TempDir::new().unwrap();
    let url = capture(folder.path(), &BEE_TEK.repeat(5));
    let output = fairdeal(&["watch", &url, "--dialect", "angel-eye", "--no-bytes"]).output().unwrap();
    let text = text(&output);
    assert!(text.contains("wrong     bytes, but no angel-eye telegrams: this shoe speaks bee-tek"), "{text}");
    assert!(!text.contains("bytes     "), "{text}");
}

#[test]
fn a_capture_that_is_not_there_fails_in_one_sentence() {
    let output = fairdeal(&["watch", "file:///nowhere/capture.bin"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "fairdeal: there is no file /nowhere/capture.bin\n");
    assert!(!text(&output).contains("wrong"), "a file that is not there is not a silent shoe");
}

#[test]
fn an_address_that_is_none_fails_in_one_sentence() {
    let output = fairdeal(&["watch", "serial:///dev/ttyUSB0"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("the speed is missing, add ?baud=9600"), "{said}");
}

#[test]
fn a_device_server_is_watched_through_silence_garbage_and_a_restart() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let mut watch = Running::start(fairdeal(&["watch", &format!("tcp://{address}"), "--patience", "1"]));
    let mut far = listener.accept().unwrap().0;
    watch.until("connected");
    watch.until("wrong     connected, but no bytes");

    far.write_all(&[0x9e, 0xf8, 0x00, 0xfe].repeat(40)).unwrap();
    let wrong = watch.until("wrong     bytes, but no telegrams");
    assert!(wrong.contains("another speed"), "{wrong}");

    // The door first, or a client that comes back at once is let in and thrown out again.
    drop((listener, far));
    watch.until("lost      127.0.0.1");
    let listener = TcpListener::bind(address).unwrap();
    let mut far = listener.accept().unwrap().0;
    watch.until("connected");
    watch.until("wrong     connected, but no bytes");
    far.write_all(&angel_eye()).unwrap();
    watch.until(r#""seq":57,"event":"card""#);

    let (rest, code) = watch.interrupt();
    assert_eq!(code, Some(0));
    assert!(rest.contains("counters  angel-eye · bytes 232 · frames 9 · "), "{rest}");
    assert!(rest.contains("reconnects 1 · last byte "), "{rest}");
    assert_silent(far);
}

/// Nothing was said to a device server before its client left.
fn assert_silent(mut far: TcpStream) {
    let mut said = Vec::new();
    far.read_to_end(&mut said).unwrap();
    assert_eq!(said, b"");
}

#[test]
fn a_probe_of_a_port_finds_the_dialect_and_writes_nothing() {
    let folder = TempDir::new().unwrap();
    let port = folder.path().join("ttyShoe");
    let (mut far, near) = TTYPort::pair().unwrap();
    symlink(near.name().unwrap(), &port).unwrap();
    // What is written before the probe listens waits in the port, as in a real one.
    far.write_all(&BEE_TEK.repeat(3)).unwrap();
    let url = format!("serial://{}?baud=9600", port.display());
    let output = fairdeal(&["probe", &url, "--seconds", "20"]).output().unwrap();

    let text = text(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.contains("bee-tek   fits: 6 telegrams"), "{text}");
    assert!(text.ends_with(&format!("for site.toml:\nurl = \"{url}\"\ndialect = \"bee-tek\"\n")), "{text}");
    assert_eq!(far.bytes_to_read().unwrap(), 0);
}

#[test]
fn a_probe_gives_its_evidence_for_scripts() {
    let folder = TempDir::new().unwrap();
    let output = fairdeal(&["probe", &capture(folder.path(), &angel_eye()), "--json"]).output().unwrap();
    let tried: Vec<Value> = text(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(tried.len(), 2);
    assert_eq!((&tried[0]["dialect"], &tried[0]["fits"]), (&"angel-eye".into(), &true.into()));
    assert_eq!((&tried[1]["dialect"], &tried[1]["fits"]), (&"bee-tek".into(), &false.into()));
    assert_eq!(tried[0]["stats"]["frames"], 9);
}

#[test]
fn a_probe_that_finds_nothing_says_what_that_means() {
    let folder = TempDir::new().unwrap();
    for (bytes, words) in [
        (Vec::new(), "connected, but no bytes"),
        ([0x9e, 0xf8, 0x00, 0xfe].repeat(40), "look like those of another speed"),
        (b"login: ".repeat(20), "readable text, so the speed is right"),
        (HALF.to_vec(), "too few bytes to judge by"),
    ] {
        let output = fairdeal(&["probe", &capture(folder.path(), &bytes)]).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2));
        assert!(said.starts_with("fairdeal: nothing fits file://") && said.contains(words), "{said}");
    }
}

#[test]
fn a_probe_of_a_port_that_is_not_there_says_what_to_do() {
    let output = fairdeal(&["probe", "serial:///dev/ttyNowhere"]).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("there is no port /dev/ttyNowhere: plug the adapter in"), "{said}");
}
