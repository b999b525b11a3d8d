//! Lines on real ends: pseudo-terminals, sockets and files that come, go and come back.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test stops where it stands")]
#![cfg(unix)]

use std::fs;
use std::io::{ErrorKind, Read as _, Write as _};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::time::Duration;

use ingest::transport::{Fault, Line, Settings, State, Told};
use serialport::{SerialPort, TTYPort};
use table::config::Transport;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// Long enough for any machine; a test that waits so long has failed.
const PATIENCE: Duration = Duration::from_secs(30);

fn hurried() -> Settings {
    Settings {
        wait_first: Duration::from_millis(2),
        wait_most: Duration::from_millis(16),
        look_every: Duration::from_millis(2),
        ..Settings::default()
    }
}

fn open(url: &str) -> Line {
    Line::open(&url.parse().unwrap(), hurried())
}

async fn next(line: &mut Line) -> Option<Told> {
    tokio::time::timeout(PATIENCE, line.next()).await.unwrap()
}

/// The next state for which `wanted` holds; states and bytes on the way are passed over.
async fn until(line: &mut Line, wanted: impl Fn(&State) -> bool) -> State {
    loop {
        match next(line).await.unwrap() {
            Told::State { state, .. } if wanted(&state) => return state,
            _ => {}
        }
    }
}

async fn connected(line: &mut Line) {
    until(line, |state| *state == State::Connected).await;
}

async fn lost(line: &mut Line) -> Fault {
    match until(line, |state| matches!(state, State::Lost(_))).await {
        State::Lost(fault) => fault,
        other => panic!("{other:?}"),
    }
}

/// The next `count` bytes, in however many reads.
async fn bytes(line: &mut Line, count: usize) -> Vec<u8> {
    let mut all = Vec::new();
    while all.len() < count {
        if let Told::Read(read) = next(line).await.unwrap() {
            all.extend(read.bytes);
        }
    }
    all
}

/// A pseudo-terminal whose near end has this path. What is returned is the shoe's end of the cable.
fn plug_in(path: &Path) -> TTYPort {
    let (far, near) = TTYPort::pair().unwrap();
    let _ = fs::remove_file(path);
    symlink(near.name().unwrap(), path).unwrap();
    far
}

/// Nothing has come to the far end of a cable.
fn assert_silent(far: &mut TTYPort) {
    far.set_timeout(Duration::from_millis(1)).unwrap();
    let read = far.read(&mut [0; 16]);
    assert!(matches!(&read, Err(error) if error.kind() == ErrorKind::TimedOut), "{read:?}");
}

async fn server() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("tcp://{}", listener.local_addr().unwrap());
    (listener, url)
}

async fn client(listener: &TcpListener) -> TcpStream {
    tokio::time::timeout(PATIENCE, listener.accept()).await.unwrap().unwrap().0
}

#[tokio::test]
async fn a_serial_port_is_heard_and_never_spoken_to() {
    let folder = TempDir::new().unwrap();
    let port = folder.path().join("ttyShoe");
    let mut far = plug_in(&port);
    let mut line = open(&format!("serial://{}?baud=4800", port.display()));
    connected(&mut line).await;

    let telegram = [0x05, 0x31, 0x44, 0x23, 0x44, 0x03, 0x31, 0x31, 0x0d, 0x11, 0x13, 0xff, 0x00];
    far.write_all(&telegram).unwrap();

    assert_eq!(bytes(&mut line, telegram.len()).await, telegram, "not one byte is changed or held back");
    assert_silent(&mut far);
    let counts = line.counters().now();
    assert_eq!((counts.bytes, counts.connections, counts.losses), (13, 1, 0));
    assert!(counts.last_seen.is_some());
}

#[tokio::test]
async fn a_cable_that_is_pulled_and_plugged_in_elsewhere_is_found_again() {
    let folder = TempDir::new().unwrap();
    let port = folder.path().join("ttyShoe");
    let mut far = plug_in(&port);
    let mut line = open(&format!("serial://{}?baud=9600", port.display()));
    connected(&mut line).await;
    far.write_all(b"before").unwrap();
    assert_eq!(bytes(&mut line, 6).await, b"before");

    fs::remove_file(&port).unwrap();
    drop(far);
    let name = port.display().to_string();
    assert_eq!(lost(&mut line).await, Fault::PortGone { port: name.clone() });
    assert_eq!(lost(&mut line).await, Fault::NoPort { port: name });

    let mut far = plug_in(&port);
    connected(&mut line).await;
    far.write_all(b"after").unwrap();
    assert_eq!(bytes(&mut line, 5).await, b"after");
    assert_silent(&mut far);
    assert_eq!(line.counters().now().reconnects(), 1);
}

#[tokio::test]
async fn a_port_that_is_plugged_in_ends_a_long_rest() {
    let folder = TempDir::new().unwrap();
    let port = folder.path().join("ttyShoe");
    let transport = format!("serial://{}?baud=9600", port.display()).parse().unwrap();
    let hour = Duration::from_secs(3600);
    let mut line = Line::open(&transport, Settings { wait_first: hour, wait_most: hour, ..hurried() });
    until(&mut line, |state| matches!(state, State::Retrying { wait } if *wait >= hour / 2)).await;

    let _far = plug_in(&port);
    connected(&mut line).await;
}

#[tokio::test]
async fn a_port_has_one_listener() {
    let folder = TempDir::new().unwrap();
    let port = folder.path().join("ttyShoe");
    let _far = plug_in(&port);
    let url = format!("serial://{}?baud=9600", port.display());
    let mut first = open(&url);
    connected(&mut first).await;

    let mut second = open(&url);
    let fault = lost(&mut second).await;
    assert_eq!(fault, Fault::PortBusy { port: port.display().to_string() });
    assert!(fault.to_string().contains("in use by another program"), "{fault}");
}

#[tokio::test]
async fn what_is_no_serial_port_is_refused_in_words() {
    let folder = TempDir::new().unwrap();
    let port = folder.path().join("notes.txt");
    fs::write(&port, "not a port").unwrap();
    let mut line = open(&format!("serial://{}?baud=9600", port.display()));
    let fault = lost(&mut line).await;
    assert!(fault.to_string().contains("notes.txt cannot be set to 9600 baud"), "{fault}");
}

#[tokio::test]
async fn a_device_server_that_dies_in_mid_frame_and_comes_back_is_heard_on() {
    let (listener, url) = server().await;
    let address = listener.local_addr().unwrap();
    let mut line = open(&url);
    let mut far = client(&listener).await;
    connected(&mut line).await;
    far.write_all(&[0x05, 0x31, 0x44]).await.unwrap();
    assert_eq!(bytes(&mut line, 3).await, [0x05, 0x31, 0x44]);

    // The door first, or a client that comes back at once is let in and thrown out again.
    drop((listener, far));
    let server = address.to_string();
    assert_eq!(lost(&mut line).await, Fault::Closed { server: server.clone() });
    assert_eq!(next_wait(&mut line).await, Duration::ZERO, "the first attempt is made at once");
    let mut rests = Vec::new();
    for _ in 0..5 {
        assert_eq!(lost(&mut line).await, Fault::Refused { server: server.clone() });
        rests.push(next_wait(&mut line).await.as_micros());
    }
    for (rest, full) in rests.iter().zip([2000, 4000, 8000, 16_000, 16_000]) {
        assert!((full / 2..=full).contains(rest), "{rests:?}");
    }

    let listener = TcpListener::bind(address).await.unwrap();
    let mut far = client(&listener).await;
    connected(&mut line).await;
    far.write_all(b"[Game]<Card:4S>").await.unwrap();
    assert_eq!(bytes(&mut line, 15).await, b"[Game]<Card:4S>");
}

async fn next_wait(line: &mut Line) -> Duration {
    match until(line, |state| matches!(state, State::Retrying { .. })).await {
        State::Retrying { wait } => wait,
        other => panic!("{other:?}"),
    }
}

#[tokio::test]
async fn a_device_server_sees_one_client_that_says_nothing() {
    let (listener, url) = server().await;
    let mut line = open(&url);
    let mut far = client(&listener).await;
    connected(&mut line).await;
    far.write_all(b"a telegram").await.unwrap();
    assert_eq!(bytes(&mut line, 10).await, b"a telegram");

    let another = tokio::time::timeout(Duration::from_millis(20), listener.accept()).await;
    assert!(another.is_err(), "a second connection would take the place of the first");
    let mut said = Vec::new();
    let heard = tokio::time::timeout(Duration::from_millis(1), far.read_to_end(&mut said)).await;
    assert!(heard.is_err(), "neither a byte nor an end: a device server takes an end for a farewell");
    drop(line);
    far.read_to_end(&mut said).await.unwrap();
    assert_eq!(said, b"");
}

#[tokio::test]
async fn a_server_that_throws_us_out_at_once_is_not_hammered() {
    let (listener, url) = server().await;
    let mut line = open(&url);
    let mut rests = Vec::new();
    for _ in 0..4 {
        drop(client(&listener).await);
        rests.push(next_wait(&mut line).await);
    }
    assert!(rests.iter().all(|rest| !rest.is_zero()), "{rests:?}");
    assert!(rests[3] >= Duration::from_millis(8), "{rests:?}");
}

#[tokio::test]
async fn a_host_nobody_knows_is_named() {
    let mut line = open("tcp://no-such-host.invalid:4001");
    let fault = lost(&mut line).await;
    assert!(fault.to_string().starts_with("no address is known for the host no-such-host.invalid"), "{fault}");
}

#[tokio::test]
async fn a_file_is_read_whole_and_ends() {
    let folder = TempDir::new().unwrap();
    let capture: Vec<u8> = (0..100_000_u32).flat_map(u32::to_le_bytes).collect();
    fs::write(folder.path().join("capture.bin"), &capture).unwrap();
    let settings = Settings { folder: folder.path().into(), queue: 2, ..hurried() };
    let mut line = Line::open(&"file:capture.bin".parse().unwrap(), settings);

    let mut read = Vec::new();
    let mut states = Vec::new();
    while let Some(told) = next(&mut line).await {
        match told {
            Told::Read(part) => read.extend(part.bytes),
            Told::State { state, .. } => states.push(state),
        }
    }
    assert!(read == capture, "{} bytes of {}", read.len(), capture.len());
    assert_eq!(states, [State::Connecting, State::Connected, State::Ended]);
    assert_eq!(line.counters().now().bytes, capture.len() as u64);
}

#[tokio::test]
async fn a_file_that_is_not_there_is_said_once() {
    let mut line = open("file:///nowhere/capture.bin");
    assert_eq!(lost(&mut line).await, Fault::NoFile { file: "/nowhere/capture.bin".into() });
    until(&mut line, |state| *state == State::Ended).await;
    assert_eq!(next(&mut line).await, None);
}

#[tokio::test]
async fn a_slow_listener_loses_nothing_and_is_counted() {
    let (listener, url) = server().await;
    let transport: Transport = url.parse().unwrap();
    let mut line = Line::open(&transport, Settings { queue: 1, ..hurried() });
    let mut far = client(&listener).await;
    let sent: Vec<u8> = (0..=255).cycle().take(200_000).collect();
    let sending = {
        let sent = sent.clone();
        tokio::spawn(async move {
            far.write_all(&sent).await.unwrap();
            far
        })
    };
    while line.counters().now().held_up == 0 {
        tokio::task::yield_now().await;
    }
    assert!(bytes(&mut line, sent.len()).await == sent);
    sending.await.unwrap();
}
