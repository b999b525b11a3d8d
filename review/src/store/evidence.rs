//! Which evidence files there are, and what they belong to. The files themselves are [`crate::evidence`]'s.

use table::Utc;

use super::notes::Subject;
use super::sql::{all, find, run};
use super::{Store, StoreError, Tx};

/// An evidence file as known to the database.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, sqlx::FromRow)]
pub struct EvidenceFile {
    /// SHA-256 of its bytes, and its name.
    pub digest: String,
    /// Such as `image/jpeg`.
    pub media_type: String,
    /// Its length.
    pub bytes: i64,
    /// The instant it shows.
    pub taken_at: Option<i64>,
    /// When it was put away.
    pub added_at: i64,
    /// When retention took it.
    pub removed_at: Option<i64>,
}

/// A file and what it is to what it belongs to.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, sqlx::FromRow)]
pub struct Linked {
    /// The file.
    #[sqlx(flatten)]
    #[serde(flatten)]
    pub file: EvidenceFile,
    /// What it shows, in words.
    pub what: String,
}

const COLUMNS: &str = "e.digest, e.media_type, e.bytes, e.taken_at, e.added_at, e.removed_at";

impl Store {
    /// A file by its hash.
    pub async fn evidence(&self, digest: &str) -> Result<EvidenceFile, StoreError> {
        let sql = format!("select {COLUMNS} from evidence e where e.digest = $1");
        let found: Option<EvidenceFile> = find!(Store self, sqlx::AssertSqlSafe(sql), digest);
        found.ok_or_else(|| StoreError::Missing(format!("evidence {digest}")))
    }

    /// The files of a flag, round or case.
    pub async fn evidence_of(&self, kind: Subject, subject: &str) -> Result<Vec<Linked>, StoreError> {
        let sql = format!(
            "select {COLUMNS}, l.what from evidence e join evidence_links l on l.digest = e.digest \
             where l.kind = $1 and l.subject = $2 order by e.taken_at, e.digest"
        );
        Ok(all!(Store self, sqlx::AssertSqlSafe(sql), kind.name(), subject))
    }

    /// What a file belongs to: kinds and subjects.
    pub async fn evidence_subjects(&self, digest: &str) -> Result<Vec<(String, String)>, StoreError> {
        const SQL: &str = "select kind, subject from evidence_links where digest = $1 order by kind, subject";
        Ok(all!(Store self, SQL, digest))
    }

    /// Files after one, by hash: for going through all of them.
    pub async fn evidence_after(&self, digest: &str, limit: i64) -> Result<Vec<EvidenceFile>, StoreError> {
        let sql = format!("select {COLUMNS} from evidence e where e.digest > $1 order by e.digest limit $2");
        Ok(all!(Store self, sqlx::AssertSqlSafe(sql), digest, limit))
    }
}

impl Tx {
    /// Makes a file known. One that retention took and that came back is there again.
    pub async fn add_evidence(
        &mut self,
        digest: &str,
        media_type: &str,
        bytes: i64,
        taken_at: Option<Utc>,
        at: Utc,
    ) -> Result<(), StoreError> {
        const SQL: &str = "insert into evidence (digest, media_type, bytes, taken_at, added_at) values ($1, $2, $3, $4, $5) \
                           on conflict (digest) do update set removed_at = null";
        run!(Tx self, SQL, digest, media_type, bytes, taken_at.map(Utc::micros), at.micros());
        Ok(())
    }

    /// Says what a file belongs to.
    pub async fn link_evidence(
        &mut self,
        digest: &str,
        kind: Subject,
        subject: &str,
        what: &str,
    ) -> Result<(), StoreError> {
        const SQL: &str = "insert into evidence_links (digest, kind, subject, what) values ($1, $2, $3, $4) \
                           on conflict do nothing";
        run!(Tx self, SQL, digest, kind.name(), subject, what);
        Ok(())
    }
}
