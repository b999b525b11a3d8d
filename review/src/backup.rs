//! Backups: everything in one ZIP, the same from SQLite and PostgreSQL, restored into either.
//!
//! `TABLE.jsonl` holds a table, a row a line; `evidence/HASH` a file; `manifest.json` the number of rows and the SHA-256 of
//! each. Sessions, login links and failed logins are left out.

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use serde::{Deserialize, Serialize};
use serde_json::json;
use sha2::{Digest, Sha256};
use table::Utc;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

use crate::evidence::{Locker, LockerError};
use crate::log::{self, Deed};
use crate::store::dump::TABLES;
use crate::store::sql::value;
use crate::store::{Store, StoreError};

/// What is in a backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The form of backup, `fairdeal-backup 1`.
    pub format: String,
    /// When it was made.
    pub made: Utc,
    /// The tables, in the order they are restored.
    pub tables: Vec<Part>,
    /// Evidence files.
    pub evidence: Vec<String>,
}

/// A table in a backup.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Part {
    /// Which.
    pub table: String,
    /// Its rows.
    pub rows: u64,
    /// The hash of its lines.
    pub sha256: String,
}

/// Why a backup could not be made or restored.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// The file failed.
    #[error("{}: {what}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What was tried.
        what: &'static str,
        /// Why it failed.
        source: io::Error,
    },
    /// It is not a backup, or is damaged.
    #[error("{}: {what}", path.display())]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        what: String,
    },
    /// The database is not empty.
    #[error("the database to restore into must be empty")]
    NotEmpty,
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The evidence failed.
    #[error(transparent)]
    Locker(#[from] LockerError),
}

impl From<sqlx::Error> for BackupError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error.into())
    }
}

const FORMAT: &str = "fairdeal-backup 1";
/// Rows at a time.
const PIECE: i64 = 500;
/// The longest line and evidence file we take back: a damaged file must not fill the memory.
const LONGEST: u64 = 64 << 20;
const LONGEST_FILE: u64 = 4 << 30;

/// Writes a backup. Making one is recorded in the log, also in the backup itself.
pub async fn backup(store: &Store, locker: Option<&Locker>, to: &Path, now: Utc) -> Result<Manifest, BackupError> {
    let failed = |what| move |source| BackupError::File { path: to.to_owned(), what, source };
    let zipped = |error: zip::result::ZipError| failed("cannot be written")(error.into());
    let subject = "backup".to_owned();
    store.record(Deed { at: now, actor: log::SYSTEM, action: "backup", subject, detail: json!({}) }).await?;
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated).large_file(true);
    let file = File::create_new(to).map_err(failed("cannot be created"))?;
    let mut zip = ZipWriter::new(BufWriter::new(file));
    let mut tables = Vec::new();
    let mut evidence = Vec::new();
    // One transaction keeps writers out, so that all tables are of the same instant.
    let mut tx = store.begin().await?;
    for (table, order) in TABLES {
        zip.start_file(format!("{table}.jsonl"), options).map_err(zipped)?;
        let columns = store.columns(table).await?;
        let mut hash = Sha256::new();
        let mut rows = 0;
        loop {
            let piece = tx.dump(table, order, &columns, i64::try_from(rows).unwrap_or(i64::MAX), PIECE).await?;
            if piece.is_empty() {
                break;
            }
            for row in &piece {
                let line = format!("{row}\n");
                hash.update(&line);
                zip.write_all(line.as_bytes()).map_err(failed("cannot be written"))?;
            }
            rows += piece.len() as u64;
        }
        tables.push(Part { table: (*table).to_owned(), rows, sha256: HEXLOWER.encode(&hash.finalize()) });
    }
    if let Some(locker) = locker {
        let mut last = String::new();
        loop {
            let files = store.evidence_after(&last, PIECE).await?;
            let Some(end) = files.last() else { break };
            last = end.digest.clone();
            for kept in files.iter().filter(|file| file.removed_at.is_none()) {
                zip.start_file(format!("evidence/{}", kept.digest), options).map_err(zipped)?;
                zip.write_all(&locker.fetch(&kept.digest)?).map_err(failed("cannot be written"))?;
                evidence.push(kept.digest.clone());
            }
        }
    }
    drop(tx);
    let manifest = Manifest { format: FORMAT.to_owned(), made: now, tables, evidence };
    zip.start_file("manifest.json", options).map_err(zipped)?;
    serde_json::to_writer_pretty(&mut zip, &manifest).map_err(|error| failed("cannot be written")(error.into()))?;
    let file = zip.finish().map_err(zipped)?;
    let file = file.into_inner().map_err(|error| failed("cannot be written")(error.into_error()))?;
    file.sync_all().map_err(failed("cannot be written"))?;
    Ok(manifest)
}

/// Restores a backup into an empty database, all of it or nothing.
pub async fn restore(store: &Store, locker: Option<&Locker>, from: &Path, now: Utc) -> Result<Manifest, BackupError> {
    let failed = |what| move |source| BackupError::File { path: from.to_owned(), what, source };
    let damaged = |what: String| BackupError::Damaged { path: from.to_owned(), what };
    let file = File::open(from).map_err(failed("cannot be read"))?;
    let mut zip = ZipArchive::new(BufReader::new(file)).map_err(|error| damaged(error.to_string()))?;
    let manifest = read_manifest(&mut zip).map_err(damaged)?;
    for (part, (table, _)) in manifest.tables.iter().zip(TABLES) {
        if part.table != *table {
            return Err(damaged(format!("expected table {table}, found {}", part.table)));
        }
    }
    if manifest.tables.len() != TABLES.len() {
        return Err(damaged(format!("expected {} tables, found {}", TABLES.len(), manifest.tables.len())));
    }
    let mut tx = store.begin().await?;
    for table in ["log", "rounds", "users"] {
        let sql = sqlx::AssertSqlSafe(format!("select count(*) from {table}"));
        let there: i64 = value!(Tx &mut tx, sql);
        if there > 0 {
            return Err(BackupError::NotEmpty);
        }
    }
    for part in &manifest.tables {
        let columns = store.columns(&part.table).await?;
        let member = zip.by_name(&format!("{}.jsonl", part.table)).map_err(|error| damaged(error.to_string()))?;
        let mut lines = BufReader::new(member);
        let mut hash = Sha256::new();
        let mut rows = 0;
        loop {
            let piece = read_piece(&mut lines, &mut hash).map_err(failed("cannot be read"))?;
            let Some(first) = piece.first() else { break };
            let columns = present(&columns, first);
            rows += piece.len() as u64;
            tx.undump(&part.table, &columns, &format!("[{}]", piece.join(","))).await?;
        }
        if rows != part.rows || HEXLOWER.encode(&hash.finalize()) != part.sha256 {
            return Err(damaged(format!("{} is not what the manifest says", part.table)));
        }
    }
    tx.count_on().await?;
    if let Some(locker) = locker {
        for digest in &manifest.evidence {
            let member = zip.by_name(&format!("evidence/{digest}")).map_err(|error| damaged(error.to_string()))?;
            let mut bytes = Vec::new();
            member.take(LONGEST_FILE).read_to_end(&mut bytes).map_err(failed("cannot be read"))?;
            if log::sha256(&bytes) != *digest {
                return Err(damaged(format!("evidence {digest} is not what its name says")));
            }
            locker.keep(&bytes)?;
        }
    }
    let detail = json!({ "made": manifest.made });
    let deed = Deed { at: now, actor: log::SYSTEM, action: "restore", subject: "backup".to_owned(), detail };
    log::append(&mut tx, deed).await?;
    tx.commit().await?;
    Ok(manifest)
}

fn read_manifest<R: Read + io::Seek>(zip: &mut ZipArchive<R>) -> Result<Manifest, String> {
    let member = zip.by_name("manifest.json").map_err(|_| "there is no manifest; it is not a backup".to_owned())?;
    let manifest: Manifest =
        serde_json::from_reader(member.take(LONGEST)).map_err(|error| format!("manifest: {error}"))?;
    if manifest.format == FORMAT { Ok(manifest) } else { Err(format!("it is a {}, not a {FORMAT}", manifest.format)) }
}

/// The columns a row brings. One that an older version did not have yet is left to the database's own choice.
fn present(columns: &[String], row: &str) -> Vec<String> {
    let row: serde_json::Map<String, serde_json::Value> = serde_json::from_str(row).unwrap_or_default();
    columns.iter().filter(|name| row.contains_key(*name)).cloned().collect()
}

/// The next rows, hashed as they are read.
fn read_piece(lines: &mut impl BufRead, hash: &mut Sha256) -> io::Result<Vec<String>> {
    let mut piece = Vec::new();
    for _ in 0..PIECE {
        let mut line = String::new();
        if lines.by_ref().take(LONGEST).read_line(&mut line)? == 0 {
            break;
        }
        hash.update(&line);
        line.truncate(line.trim_end().len());
        piece.push(line);
    }
    Ok(piece)
}

#[cfg(test)]
mod tests {
    use super::present;

    #[test]
    fn a_backup_of_an_older_version_lacks_the_columns_it_did_not_know() {
        let columns = ["id", "name", "suits"].map(str::to_owned);
        assert_eq!(present(&columns, r#"{"id":1,"name":null}"#), ["id", "name"]);
        assert_eq!(present(&columns, r#"{"id":1,"name":"ana","suits":4}"#), columns);
    }
}
