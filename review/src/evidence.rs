//! Evidence files, named by what is in them: `ab/abcdef…` is the file whose SHA-256 is `abcdef…`.
//!
//! A file is written beside its place, synced, and then moved there, so that a name never stands for half a file. The same
//! bytes are kept once, whoever needs them.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use data_encoding::HEXLOWER;
use serde_json::json;
use sha2::{Digest, Sha256};
use table::Utc;

use crate::log::{self, Deed, sha256};
use crate::store::notes::Subject;
use crate::store::{Store, StoreError};

/// A folder of evidence.
#[derive(Clone, Debug)]
pub struct Locker {
    folder: PathBuf,
}

/// Why evidence could not be put away or fetched.
#[derive(Debug, thiserror::Error)]
pub enum LockerError {
    /// The disk failed.
    #[error("{}: {what}", path.display())]
    Disk {
        /// Where.
        path: PathBuf,
        /// What was tried.
        what: &'static str,
        /// Why it failed.
        source: io::Error,
    },
    /// The name is no SHA-256.
    #[error("{0:?} is not the hash of a file")]
    Name(String),
    /// What lies there is not what its name says.
    #[error("{} does not hold what its name says; it holds {found}", path.display())]
    Altered {
        /// Where.
        path: PathBuf,
        /// The hash of what is there.
        found: String,
    },
    /// The database failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<sqlx::Error> for LockerError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(error.into())
    }
}

fn failed(path: &Path, what: &'static str) -> impl FnOnce(io::Error) -> LockerError {
    move |source| LockerError::Disk { path: path.to_owned(), what, source }
}

/// What is put away, and for what.
#[derive(Clone, Debug)]
pub struct Exhibit<'a> {
    /// Its bytes.
    pub bytes: &'a [u8],
    /// Such as `image/jpeg`.
    pub media_type: &'a str,
    /// The instant it shows.
    pub taken_at: Option<Utc>,
    /// What it belongs to.
    pub kind: Subject,
    /// Which flag, round or case.
    pub subject: &'a str,
    /// What it shows, in words.
    pub what: &'a str,
}

impl Locker {
    /// The locker in a folder, which is made if it is not there.
    pub fn open(folder: &Path) -> Result<Self, LockerError> {
        fs::create_dir_all(folder).map_err(failed(folder, "cannot make the evidence folder"))?;
        Ok(Self { folder: folder.to_owned() })
    }

    /// Where a file lies, or would.
    pub fn path(&self, digest: &str) -> Result<PathBuf, LockerError> {
        let is_hash = digest.len() == 64 && digest.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        if !is_hash {
            return Err(LockerError::Name(digest.to_owned()));
        }
        Ok(self.folder.join(&digest[..2]).join(digest))
    }

    /// Writes bytes under their hash, and gives it.
    pub fn keep(&self, bytes: &[u8]) -> Result<String, LockerError> {
        let digest = sha256(bytes);
        let path = self.path(&digest)?;
        if path.exists() {
            return Ok(digest);
        }
        let folder = path.parent().unwrap_or(&self.folder);
        fs::create_dir_all(folder).map_err(failed(folder, "cannot make the folder"))?;
        // Two writers of the same bytes write the same file; each has a name of its own until it is whole.
        let beside = path.with_extension(format!("part-{}", std::process::id()));
        let mut file = File::create(&beside).map_err(failed(&beside, "cannot be created"))?;
        file.write_all(bytes).and_then(|()| file.sync_all()).map_err(failed(&beside, "cannot be written"))?;
        fs::rename(&beside, &path).map_err(failed(&path, "cannot be put in place"))?;
        File::open(folder).and_then(|folder| folder.sync_all()).map_err(failed(folder, "cannot be synced"))?;
        Ok(digest)
    }

    /// The bytes of a file, if they are still what its name says.
    pub fn fetch(&self, digest: &str) -> Result<Vec<u8>, LockerError> {
        let path = self.path(digest)?;
        let bytes = fs::read(&path).map_err(failed(&path, "cannot be read"))?;
        let found = sha256(&bytes);
        if found == digest { Ok(bytes) } else { Err(LockerError::Altered { path, found }) }
    }

    /// The hash of what lies under a name; `None` if nothing does.
    pub fn rehash(&self, digest: &str) -> Result<Option<String>, LockerError> {
        let path = self.path(digest)?;
        let mut file = match File::open(&path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(failed(&path, "cannot be read")(error)),
        };
        let mut hash = Sha256::new();
        let mut piece = vec![0; 1 << 16];
        loop {
            match file.read(&mut piece).map_err(failed(&path, "cannot be read"))? {
                0 => return Ok(Some(HEXLOWER.encode(&hash.finalize()))),
                read => hash.update(&piece[..read]),
            }
        }
    }

    /// Removes a file. Whoever calls has seen that nothing holds it.
    pub fn remove(&self, digest: &str) -> Result<(), LockerError> {
        let path = self.path(digest)?;
        match fs::remove_file(&path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(failed(&path, "cannot be removed")(error)),
            _ => Ok(()),
        }
    }

    /// Puts an exhibit away: the file first, then the row that says it is there, with its entry in the log.
    pub async fn put(&self, store: &Store, exhibit: &Exhibit<'_>, actor: &str, at: Utc) -> Result<String, LockerError> {
        let digest = self.keep(exhibit.bytes)?;
        let mut tx = store.begin().await?;
        let length = i64::try_from(exhibit.bytes.len()).unwrap_or(i64::MAX);
        tx.add_evidence(&digest, exhibit.media_type, length, exhibit.taken_at, at).await?;
        tx.link_evidence(&digest, exhibit.kind, exhibit.subject, exhibit.what).await?;
        let detail = json!({ "sha256": digest, "bytes": length, "what": exhibit.what });
        let subject = format!("{} {}", exhibit.kind, exhibit.subject);
        log::append(&mut tx, Deed { at, actor, action: "evidence", subject, detail }).await?;
        tx.commit().await?;
        Ok(digest)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_kept_under_their_hash_once() {
        let folder = tempfile::tempdir().unwrap();
        let locker = Locker::open(folder.path()).unwrap();
        let digest = locker.keep(b"a still").unwrap();
        assert_eq!(locker.keep(b"a still").unwrap(), digest);
        assert_eq!(locker.fetch(&digest).unwrap(), b"a still");
        assert_eq!(locker.rehash(&digest).unwrap().as_deref(), Some(digest.as_str()));
    }

    #[test]
    fn altered_bytes_are_not_given_out() {
        let folder = tempfile::tempdir().unwrap();
        let locker = Locker::open(folder.path()).unwrap();
        let digest = locker.keep(b"a still").unwrap();
        fs::write(locker.path(&digest).unwrap(), b"another").unwrap();
        assert!(matches!(locker.fetch(&digest), Err(LockerError::Altered { .. })));
    }

    #[test]
    fn no_name_leads_out_of_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let locker = Locker::open(folder.path()).unwrap();
        for name in ["", "..", "../../etc/passwd", &"A".repeat(64), &"é".repeat(32)] {
            assert!(matches!(locker.fetch(name), Err(LockerError::Name(_))), "{name}");
        }
    }
}
