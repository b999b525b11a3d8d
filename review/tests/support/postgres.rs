//! A PostgreSQL server for tests: started by the first that needs it, stopped by the last, a database for each.
//!
//! Tests may run as processes of their own, so they agree through files: one lock for starting and stopping, and one that
//! every user of the server shares. It listens on a socket in its own folder and nowhere else.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU32, Ordering};

use sqlx::Connection;
use sqlx::postgres::PgConnection;

/// The server, for as long as this test needs it.
pub(crate) struct Server {
    folder: PathBuf,
    users: File,
}

static DATABASES: AtomicU32 = AtomicU32::new(0);

impl Server {
    /// The running server, started if it is not.
    pub(crate) fn start() -> Self {
        let folder = std::env::temp_dir().join(format!("fairdeal-test-postgres-{}", uid()));
        fs::create_dir_all(&folder).unwrap();
        let door = lock_file(&folder.join("door"));
        door.lock().unwrap();
        let users = lock_file(&folder.join("users"));
        users.lock_shared().unwrap();
        let server = Self { folder, users };
        if !server.pg_ctl(&["status"]) {
            server.launch();
        }
        server
    }

    fn launch(&self) {
        let data = self.data();
        if !data.join("PG_VERSION").exists() {
            let _ = fs::remove_dir_all(&data);
            fs::create_dir_all(&data).unwrap();
            give_away(&self.folder);
            give_away(&data);
            let made =
                run(&["initdb", "--auth=trust", "--username=fairdeal", "--no-sync", "-E", "UTF8", "--locale=C"], &data);
            assert!(made, "initdb failed");
        }
        let socket = self.folder.display();
        // Nothing here must outlive the test, so nothing need reach the disk.
        let options = format!("-c fsync=off -c listen_addresses='' -c max_connections=200 -k {socket}");
        let log = self.folder.join("log");
        assert!(
            self.pg_ctl(&["-w", "-l", log.to_str().unwrap(), "-o", &options, "start"]),
            "PostgreSQL does not start"
        );
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    fn pg_ctl(&self, args: &[&str]) -> bool {
        run(&[&["pg_ctl"], args].concat(), &self.data())
    }

    fn url(&self, database: &str) -> String {
        format!("postgres://fairdeal@localhost/{database}?host={}", self.folder.display())
    }

    /// The address of an empty database.
    pub(crate) async fn database(&self) -> String {
        let number = DATABASES.fetch_add(1, Ordering::SeqCst);
        let name = format!("test_{}_{number}", std::process::id());
        let mut connection = PgConnection::connect(&self.url("postgres")).await.unwrap();
        for sql in [format!("drop database if exists {name}"), format!("create database {name}")] {
            sqlx::query(sqlx::AssertSqlSafe(sql)).execute(&mut connection).await.unwrap();
        }
        self.url(&name)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let door = lock_file(&self.folder.join("door"));
        door.lock().unwrap();
        self.users.unlock().unwrap();
        // Nobody else shares it: we are the last.
        if self.users.try_lock().is_ok() {
            self.pg_ctl(&["-m", "immediate", "-w", "stop"]);
        }
    }
}

fn lock_file(path: &Path) -> File {
    File::options().create(true).truncate(false).write(true).open(path).unwrap()
}

/// Runs one of PostgreSQL's programs on a folder, as somebody it accepts: it refuses root.
fn run(command: &[&str], data: &Path) -> bool {
    let bin = bin().join(command[0]);
    let mut program = if uid() == 0 {
        let mut program = Command::new("setpriv");
        program.args(["--reuid=nobody", "--regid=nogroup", "--clear-groups"]).arg(bin);
        program
    } else {
        Command::new(bin)
    };
    let output = program.arg("-D").arg(data).args(&command[1..]).current_dir("/").output().unwrap();
    if !output.status.success() && command.get(1) != Some(&"status") {
        eprintln!("{command:?}: {}", String::from_utf8_lossy(&output.stderr));
    }
    output.status.success()
}

/// Where Debian puts the programs of the newest version.
fn bin() -> PathBuf {
    let versions = fs::read_dir("/usr/lib/postgresql").map(|entries| entries.flatten().map(|entry| entry.path()));
    let newest = versions.ok().and_then(Iterator::max);
    newest
        .map(|version| version.join("bin"))
        .unwrap_or_else(|| panic!("PostgreSQL is not installed: run scripts/setup"))
}

fn give_away(folder: &Path) {
    if uid() == 0 {
        let done = Command::new("chown").arg("nobody:nogroup").arg(folder).status().unwrap();
        assert!(done.success());
    }
}

fn uid() -> u32 {
    rustix::process::getuid().as_raw()
}
