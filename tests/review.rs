//! The officers' side as the command line offers it: written, served, verified, backed up, and killed in the middle.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on should stop where it stands")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

const EVENING: &str = "fixtures/evening/evening.mcap";
const PUSH: &str = "BJ-04.17.3.paid_a_push.1a";

fn command(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
    command.args(args);
    command
}

fn fairdeal(args: &[&str]) -> Output {
    command(args).output().unwrap()
}

fn with_input(args: &[&str], input: &str) -> Output {
    let mut child = command(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn database(folder: &Path) -> String {
    format!("sqlite:{}", folder.join("night.db").display())
}

fn verified(db: &str) -> Value {
    let output = fairdeal(&["verify", "--db", db, "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output));
    serde_json::from_slice(&output.stdout).unwrap()
}

/// A server, until it is dropped.
struct Server {
    child: Child,
    address: String,
}

impl Server {
    fn start(db: &str) -> Self {
        let mut child =
            command(&["review", "--db", db, "--listen", "127.0.0.1:0"]).stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim().strip_prefix("serving at http://").unwrap().to_owned();
        Self { child, address }
    }

    fn get(&self, path: &str, token: &str) -> String {
        let mut socket = TcpStream::connect(&self.address).unwrap();
        let head = format!(
            "GET {path} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {token}\r\nconnection: close\r\n\r\n",
            self.address
        );
        socket.write_all(head.as_bytes()).unwrap();
        let mut answer = String::new();
        socket.read_to_string(&mut answer).unwrap();
        answer
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

#[test]
fn an_audit_is_written_served_and_verified() {
    let folder = tempfile::tempdir().unwrap();
    let db = database(folder.path());
    let first = fairdeal(&["audit", EVENING, "--db", &db]);
    assert!(text(&first).contains("written: 8 new rounds, 3 new flags\n"), "{}", text(&first));
    let again = fairdeal(&["audit", EVENING, "--db", &db]);
    assert!(text(&again).contains("written: 0 new rounds, 0 new flags; 8 rounds known already\n"), "{}", text(&again));

    let added = with_input(&["user", "add", "ana", "--role", "officer", "--db", &db], "correct horse battery\n");
    assert_eq!(added.status.code(), Some(0), "{}", text(&added));
    let token = fairdeal(&["user", "token", "ana", "wall", "--scope", "read", "--db", &db]);
    let token = String::from_utf8(token.stdout).unwrap();
    let server = Server::start(&db);
    let answer = server.get(&format!("/api/flags/{PUSH}"), token.trim());
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains(PUSH), "{answer}");
    assert!(server.get("/api/flags", "another").starts_with("HTTP/1.1 401"));
    assert_eq!(verified(&db)["rounds"], 8);
}

#[test]
fn a_flag_written_by_another_program_is_on_the_screens_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let db = database(folder.path());
    with_input(&["user", "add", "ana", "--role", "officer", "--db", &db], "correct horse battery\n");
    let token = fairdeal(&["user", "token", "ana", "wall", "--scope", "read", "--db", &db]);
    let token = String::from_utf8(token.stdout).unwrap();
    let server = Server::start(&db);
    let mut socket = TcpStream::connect(&server.address).unwrap();
    write!(socket, "GET /api/live HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {}\r\n\r\n", token.trim()).unwrap();
    let mut lines = BufReader::new(socket).lines();
    assert_eq!(lines.next().unwrap().unwrap(), "HTTP/1.1 200 OK");
    fairdeal(&["audit", EVENING, "--db", &db]);
    let told = lines.map(Result::unwrap).find(|line| line.contains(PUSH));
    assert!(told.is_some_and(|told| told.contains("\"state\":\"new\"")));
}

#[test]
fn passwords_are_not_taken_from_the_command_line_and_short_ones_not_at_all() {
    let folder = tempfile::tempdir().unwrap();
    let db = database(folder.path());
    let short = with_input(&["user", "add", "ana", "--role", "admin", "--db", &db], "hunter2\n");
    assert_eq!(short.status.code(), Some(2));
    assert!(text(&short).contains("a password has at least 12 characters"), "{}", text(&short));
    assert_eq!(fairdeal(&["user", "add", "ana", "--password", "x", "--db", &db]).status.code(), Some(2));
    let list = fairdeal(&["user", "list", "--db", &db, "--json"]);
    assert!(list.status.success() && list.stdout.is_empty());
}

#[test]
fn a_network_without_tls_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let refused = fairdeal(&["review", "--db", &database(folder.path()), "--listen", "0.0.0.0:0"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused).contains("--tls-cert"), "{}", text(&refused));
}

#[test]
fn a_backup_comes_back() {
    let folder = tempfile::tempdir().unwrap();
    let db = database(folder.path());
    fairdeal(&["audit", EVENING, "--db", &db]);
    let file = folder.path().join("night.zip");
    let made = fairdeal(&["backup", "--db", &db, file.to_str().unwrap()]);
    assert!(text(&made).contains("8 rounds, 3 flags, 0 cases"), "{}", text(&made));
    assert_eq!(
        fairdeal(&["backup", "--db", &db, file.to_str().unwrap()]).status.code(),
        Some(2),
        "nothing is overwritten"
    );
    let other = format!("sqlite:{}", folder.path().join("other.db").display());
    let restored = fairdeal(&["restore", "--db", &other, file.to_str().unwrap()]);
    assert_eq!(restored.status.code(), Some(0), "{}", text(&restored));
    assert!(text(&restored).contains("all is as it was written"), "{}", text(&restored));
}

#[test]
fn killed_while_writing_it_loses_nothing_acknowledged_and_writes_nothing_twice() {
    let folder = tempfile::tempdir().unwrap();
    // The evening at two hundred tables: no table has a second shoe, whose shuffle would take long to judge.
    let evening = std::fs::read_to_string("fixtures/evening/evening.round").unwrap();
    let tables = (1..=200).map(|table| evening.replace("round BJ-04 17 ", &format!("round BJ-{table} 17 ")));
    let shift = folder.path().join("shift.round");
    std::fs::write(&shift, tables.collect::<String>()).unwrap();
    let shift = shift.to_str().unwrap();
    let whole = format!("sqlite:{}", folder.path().join("whole.db").display());
    fairdeal(&["audit", shift, "--db", &whole]);
    let whole = verified(&whole);

    let db = database(folder.path());
    let mut kept = 0;
    for batches in 1..=2 {
        let mut child = command(&["audit", shift, "--db", &db, "--json"]).stdout(Stdio::piped()).spawn().unwrap();
        // Once it has printed so many flags, so many batches have been through its hands and some are on their way.
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
        for _ in 0..batches * 250 {
            lines.next();
        }
        child.kill().unwrap();
        child.wait().unwrap();
        let found = verified(&db);
        assert!(found["rounds"].as_u64().unwrap() >= kept, "what was there stays");
        kept = found["rounds"].as_u64().unwrap();
    }
    assert!(kept > 0 && kept < whole["rounds"].as_u64().unwrap(), "it was killed in the middle");
    fairdeal(&["audit", shift, "--db", &db]);
    let found = verified(&db);
    assert_eq!([&found["rounds"], &found["flags"]], [&whole["rounds"], &whole["flags"]]);
}
