//! A recording as a surveillance room runs it: a site with real ends, and the command watched while it runs.
#![allow(dead_code, reason = "each test file uses its own part of it")]

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStderr, Command, Output, Stdio};
use std::time::{Duration, Instant};

use table::tape::{Reader, Record, TapeError};
use tempfile::TempDir;

/// Longer than anything here takes on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_secs(60);

/// What every recording is told.
pub(crate) const RECORD: [&str; 9] =
    ["record", "--config", "site.toml", "--table", "BJ-04", "--least-free-mb", "0", "--metrics", "127.0.0.1:0"];

/// A device server for a shoe, another for chips, and a site file that names them.
pub(crate) struct Site {
    folder: TempDir,
    pub(crate) shoe: TcpListener,
    pub(crate) chips: TcpListener,
}

impl Site {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let [shoe, chips] = [0, 1].map(|_| TcpListener::bind("127.0.0.1:0").unwrap());
        let port = |at: &TcpListener| at.local_addr().unwrap().port();
        let text = format!(
            "name = \"Test\"\ncurrency = \"NZD\"\n[[table]]\nid = \"BJ-04\"\ngame = \"nz-base\"\n\
             [table.shoe]\nname = \"east\"\ndialect = \"bee-tek\"\nurl = \"tcp://127.0.0.1:{}\"\n\
             [table.chips]\nname = \"mat\"\nurl = \"tcp://127.0.0.1:{}\"\n",
            port(&shoe),
            port(&chips)
        );
        fs::write(folder.path().join("site.toml"), text).unwrap();
        Self { folder, shoe, chips }
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn record(&self, args: &[&str]) -> Recording {
        Recording::start(self.path(), Command::new(env!("CARGO_BIN_EXE_fairdeal")).args(RECORD).args(args))
    }

    pub(crate) fn tapes(&self) -> Vec<PathBuf> {
        let mut tapes: Vec<PathBuf> =
            fs::read_dir(self.path().join("tapes")).unwrap().map(|entry| entry.unwrap().path()).collect();
        tapes.sort_by_key(|path| fs::metadata(path).unwrap().modified().unwrap());
        tapes
    }
}

/// A recording that runs, and is killed if the test ends before it.
pub(crate) struct Recording {
    pub(crate) child: Child,
    metrics: String,
    said: BufReader<ChildStderr>,
}

impl Recording {
    /// Starts a command that records, in a folder.
    pub(crate) fn start(folder: &Path, command: &mut Command) -> Self {
        let command = command.current_dir(folder).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut said = BufReader::new(child.stderr.take().unwrap());
        let mut line = String::new();
        said.read_line(&mut line).unwrap();
        let address = line.strip_prefix("metrics at http://").and_then(|rest| rest.strip_suffix("/metrics\n"));
        let metrics = address.unwrap_or_else(|| panic!("{line}")).to_owned();
        Recording { child, metrics, said }
    }

    pub(crate) fn page(&self) -> String {
        let mut http = TcpStream::connect(&self.metrics).unwrap();
        http.write_all(b"GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").unwrap();
        let mut page = String::new();
        http.read_to_string(&mut page).unwrap();
        page
    }

    pub(crate) fn metrics(&self) -> &str {
        &self.metrics
    }

    /// A number from the metrics, summed over its labels.
    pub(crate) fn number(&self, name: &str) -> f64 {
        let page = self.page();
        let values = page.lines().filter(|line| line.starts_with(&format!("{name}{{")));
        values.map(|line| line.rsplit_once(' ').unwrap().1.parse::<f64>().unwrap()).sum()
    }

    /// Waits until a number is at least this large.
    pub(crate) fn until(&self, name: &str, least: f64) -> f64 {
        let begun = Instant::now();
        loop {
            let number = self.number(name);
            if number >= least {
                return number;
            }
            assert!(begun.elapsed() < PATIENCE, "{}", self.page());
        }
    }

    /// Ends it as an operator or a service would; what it printed.
    pub(crate) fn terminate(mut self) -> (String, String) {
        Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        let mut out = String::new();
        self.child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
        let mut said = String::new();
        self.said.read_to_string(&mut said).unwrap();
        assert!(self.child.wait().unwrap().success(), "{said}");
        (out, said)
    }
}

impl Drop for Recording {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What is on a tape, and whether it has an end.
pub(crate) fn records(tape: &Path) -> (Vec<Record>, bool) {
    let (mut records, mut finished) = (Vec::new(), true);
    for message in Reader::open(fs::File::open(tape).unwrap()).unwrap() {
        match message {
            Ok(message) => records.push(Record::decode(&message).unwrap()),
            Err(TapeError::Unfinished { .. }) => finished = false,
            Err(error) => panic!("{}: {error}", tape.display()),
        }
    }
    (records, finished)
}

pub(crate) fn shoe_bytes(records: &[Record]) -> Vec<u8> {
    let bytes = records.iter().filter_map(|record| match record {
        Record::ShoeBytes { bytes, .. } => Some(bytes.as_slice()),
        _ => None,
    });
    bytes.collect::<Vec<_>>().concat()
}

pub(crate) fn fairdeal(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fairdeal")).current_dir(folder).args(args).output().unwrap()
}
