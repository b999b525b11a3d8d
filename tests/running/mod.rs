//! A site that runs: its folder, its process, and what is in its database.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;
use sqlx::{Connection, SqliteConnection};
use table::config::{Secrets, Site, TableConfig};
use table::tape::Reader;
use tempfile::TempDir;

/// Longer than anything here takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// The site's database, from its folder.
const DATABASE: &str = "sqlite:fairdeal.db";

/// A folder with a site file, a database and tapes.
pub(crate) struct House {
    folder: TempDir,
}

/// What officers would find.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Told {
    pub(crate) rounds: Vec<Round>,
    /// Id, digest and state of every flag.
    pub(crate) flags: Vec<(String, String, String)>,
}

/// A round as it is stored, by the last word on it.
#[derive(Debug, PartialEq, Eq, sqlx::FromRow)]
pub(crate) struct Round {
    shoe: i64,
    round: i64,
    pub(crate) document: String,
}

impl House {
    /// A house with a simulated shift, and a table that could have played it, and another.
    pub(crate) fn with_shift(args: &[&str]) -> Self {
        let house = Self { folder: tempfile::tempdir().unwrap() };
        let simulated = house.fairdeal(&[&["simulate", "--game", "nz-base", "--out", "shift.mcap"], args].concat());
        assert!(simulated.status.success(), "{}", String::from_utf8_lossy(&simulated.stderr));
        let tape = Reader::open(File::open(house.path().join("shift.mcap")).unwrap()).unwrap();
        let first = TableConfig::parse(&tape.about().config.as_ref().unwrap().text).unwrap();
        let second = TableConfig { id: "BJ-05".parse().unwrap(), shoe: None, chips: None, ..first.clone() };
        house.configure(vec![first, second]);
        house
    }

    /// Another house that plays the same shift.
    pub(crate) fn beside(other: &Self) -> Self {
        let house = Self { folder: tempfile::tempdir().unwrap() };
        for file in ["shift.mcap", "site.toml"] {
            fs::copy(other.path().join(file), house.path().join(file)).unwrap();
        }
        house
    }

    /// A house with one table whose devices are at these ends.
    pub(crate) fn with_lines(shoe: &TcpListener, chips: &TcpListener) -> Self {
        Self::with_tables([("BJ-04", shoe, chips)])
    }

    /// A house whose tables have a sign that asks for ten, and their shoes and chip sensors at these ends.
    pub(crate) fn with_tables<'l>(
        tables: impl IntoIterator<Item = (&'l str, &'l TcpListener, &'l TcpListener)>,
    ) -> Self {
        let house = Self { folder: tempfile::tempdir().unwrap() };
        let port = |at: &TcpListener| at.local_addr().unwrap().port();
        let mut text = "name = \"Test\"\ncurrency = \"NZD\"\n".to_owned();
        for (table, shoe, chips) in tables {
            text += &format!(
                "[[table]]\nid = \"{table}\"\ngame = \"nz-base\"\n\
                 [[table.limits]]\non = \"main\"\nmin = \"10\"\nmax = \"2500\"\n\
                 [table.shoe]\nname = \"east\"\ndialect = \"angel-eye\"\nurl = \"tcp://127.0.0.1:{}\"\n\
                 [table.chips]\nname = \"mat\"\nurl = \"tcp://127.0.0.1:{}\"\n",
                port(shoe),
                port(chips)
            );
        }
        fs::write(house.path().join("site.toml"), text).unwrap();
        house
    }

    /// What an officer's screen needs to be let in.
    pub(crate) fn token(&self) -> String {
        let mut add = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
        let add = add.current_dir(self.path()).args(["user", "add", "ana", "--role", "officer", "--db", DATABASE]);
        let mut add = add.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        add.stdin.take().unwrap().write_all(b"correct horse battery\n").unwrap();
        assert!(add.wait().unwrap().success());
        let token = self.fairdeal(&["user", "token", "ana", "wall", "--scope", "read", "--db", DATABASE]);
        String::from_utf8(token.stdout).unwrap().trim().to_owned()
    }

    fn configure(&self, tables: Vec<TableConfig>) {
        let site = "name = \"Test\"\n[[table]]\nid = \"X\"\ngame = \"nz-base\"\ncurrency = \"NZD\"\n";
        let site = Site { tables, ..Site::parse(site).unwrap() };
        fs::write(self.path().join("site.toml"), site.to_toml(Secrets::Kept)).unwrap();
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn fairdeal(&self, args: &[&str]) -> Output {
        Command::new(env!("CARGO_BIN_EXE_fairdeal")).current_dir(self.path()).args(args).output().unwrap()
    }

    /// Starts `fairdeal run`.
    pub(crate) fn run(&self, args: &[&str]) -> Running<'_> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
        let command = command.current_dir(self.path()).args(["run", "--config", "site.toml", "--least-free-mb", "0"]);
        let child = command.args(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        Running { house: self, child }
    }

    /// Waits until so many rounds are in the database.
    pub(crate) fn until_told(&self, rounds: usize) {
        let begun = Instant::now();
        while self.database().rounds.len() < rounds {
            assert!(begun.elapsed() < PATIENCE, "{} of {rounds}", self.database().rounds.len());
        }
    }

    /// What is in the database by now.
    pub(crate) fn database(&self) -> Told {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let path = self.path().join("fairdeal.db");
        if !path.exists() {
            return Told { rounds: Vec::new(), flags: Vec::new() };
        }
        runtime.block_on(async {
            let mut db = SqliteConnection::connect(&format!("sqlite:{}", path.display())).await.unwrap();
            const TABLES: &str = "select count(*) from sqlite_master where name in ('rounds', 'queue')";
            let made: i64 = sqlx::query_scalar(TABLES).fetch_one(&mut db).await.unwrap();
            if made < 2 {
                return Told { rounds: Vec::new(), flags: Vec::new() };
            }
            const ROUNDS: &str =
                "select shoe, round, document from rounds where superseded_by is null order by shoe, round";
            const FLAGS: &str = "select q.flag, f.digest, q.state from queue q join flags f on f.id = q.flag_entry \
                                 order by q.flag";
            let rounds = sqlx::query_as(ROUNDS).fetch_all(&mut db).await.unwrap();
            let flags = sqlx::query_as(FLAGS).fetch_all(&mut db).await.unwrap();
            Told { rounds, flags }
        })
    }
}

/// A site that is watched; killed if the test ends before it.
pub(crate) struct Running<'h> {
    house: &'h House,
    pub(crate) child: Child,
}

impl Running<'_> {
    /// The states of the tables, by name.
    fn tables(&self) -> BTreeMap<String, Value> {
        let told = self.house.fairdeal(&["status", "--config", "site.toml", "--json"]);
        let lines = String::from_utf8(told.stdout).unwrap();
        let lines = lines.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let named = lines.filter_map(|line| Some((line["table"].as_str()?.to_owned(), line.clone())));
        let mut tables: BTreeMap<_, _> = named.collect();
        for name in ["BJ-04", "BJ-05"] {
            tables.entry(name.to_owned()).or_insert_with(|| serde_json::json!({ "restarts": 0 }));
        }
        tables
    }

    /// Where pages are served, told once.
    pub(crate) fn served_at(&mut self) -> String {
        let mut served = String::new();
        BufReader::new(self.child.stdout.take().unwrap()).read_line(&mut served).unwrap();
        served.trim().strip_prefix("serving at http://").unwrap().to_owned()
    }

    /// The lines that an officer's screen gets from now on, if pages are served.
    pub(crate) fn screen(&mut self, token: &str) -> impl Iterator<Item = String> + use<> {
        let mut screen = TcpStream::connect(self.served_at()).unwrap();
        write!(screen, "GET /api/live HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\n\r\n").unwrap();
        screen.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut lines = BufReader::new(screen).lines().map(Result::unwrap);
        assert_eq!(lines.next().unwrap(), "HTTP/1.1 200 OK");
        lines
    }

    /// Waits until the tables are in a state.
    pub(crate) fn until(&self, wanted: impl Fn(&BTreeMap<String, Value>) -> bool) -> BTreeMap<String, Value> {
        let begun = Instant::now();
        loop {
            let tables = self.tables();
            if wanted(&tables) {
                return tables;
            }
            assert!(begun.elapsed() < PATIENCE, "{tables:#?}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Waits until so many facts are safe in the journal.
    pub(crate) fn until_recorded(&self, facts: usize) {
        let begun = Instant::now();
        let journal = self.house.path().join("evidence/tapes/journal/BJ-04");
        loop {
            let parts = fs::read_dir(&journal).into_iter().flatten().flatten();
            let safe: usize = parts.map(|part| count(&part.path().join("facts.mcap"))).sum();
            if safe >= facts {
                return;
            }
            assert!(begun.elapsed() < PATIENCE, "{safe} of {facts}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Waits for the end.
    pub(crate) fn finish(mut self) {
        let begun = Instant::now();
        while self.child.try_wait().unwrap().is_none() {
            assert!(begun.elapsed() < PATIENCE, "it does not end: {:#?}", self.tables());
            std::thread::sleep(Duration::from_millis(20));
        }
        self.ended_well();
    }

    /// Ends it as an operator or a service would.
    pub(crate) fn terminate(mut self) {
        Command::new("kill").args(["-TERM", &self.child.id().to_string()]).status().unwrap();
        self.ended_well();
    }

    fn ended_well(&mut self) {
        let mut said = String::new();
        self.child.stderr.take().unwrap().read_to_string(&mut said).unwrap();
        assert!(self.child.wait().unwrap().success(), "{said}");
    }
}

impl Drop for Running<'_> {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A page as an officer gets it.
pub(crate) fn page(address: &str, path: &str, token: &str) -> String {
    let mut socket = TcpStream::connect(address).unwrap();
    let head = format!("GET {path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {token}\r\nconnection: close\r\n\r\n");
    socket.write_all(head.as_bytes()).unwrap();
    let mut answer = String::new();
    socket.read_to_string(&mut answer).unwrap();
    answer
}

fn count(tape: &Path) -> usize {
    let Some(tape) = File::open(tape).ok().and_then(|file| Reader::open(file).ok()) else { return 0 };
    tape.take_while(Result::is_ok).count()
}

/// A telegram of a shoe: head, number, what it says, end and checksum.
pub(crate) fn telegram(number: u8, says: &[u8]) -> Vec<u8> {
    let inner: Vec<u8> = [&[b'0' + number], says, &[0x03]].concat();
    let sum = inner.iter().fold(0, |sum, byte| sum ^ byte);
    [&[0x05], &inner[..], format!("{sum:02X}").as_bytes()].concat()
}

/// A full line of a chip sensor: what stands on one box, and what the tray holds.
pub(crate) fn chips_line(seq: u64, spot: &str, amount: &str, tray: &str) -> String {
    let at = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_micros();
    let spots = format!("[{{\"spot\":\"{spot}\",\"amount\":\"{amount}\"}}]");
    format!("{{\"seq\":{seq},\"at\":{at},\"full\":true,\"spots\":{spots},\"tray\":\"{tray}\"}}\n")
}
