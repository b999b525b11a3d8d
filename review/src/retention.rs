//! What may go: rounds and evidence older than the settings say. Never what a case, a hold or an undecided flag needs.
//!
//! A round that goes leaves its hash, its flags and its decisions; an evidence file leaves its row. The log says what went.

use serde_json::json;
use table::Utc;

use crate::evidence::{Locker, LockerError};
use crate::log::{self, Deed, sha256};
use crate::settings::{self, Setting};
use crate::store::sql::{all, run};
use crate::store::{Store, StoreError};

/// What went, or would go.
#[derive(Clone, Debug, Default, PartialEq, Eq, serde::Serialize)]
pub struct Swept {
    /// Rounds.
    pub rounds: u64,
    /// Evidence files.
    pub files: u64,
    /// Their bytes.
    pub bytes: u64,
}

/// Rounds and files in one transaction.
const AT_ONCE: i64 = 500;
const DAY: i64 = 86_400_000_000;

/// Rounds that nothing needs. Their age counts from when they were written: who audits an old tape today wants it today.
const ROUNDS: &str = "select r.id, r.digest from rounds r where r.document is not null and r.at < $1 and r.id > $2 \
    and exists (select 1 from log l where l.seq = r.batch and l.at < $1) \
    and not exists (select 1 from holds h where h.table_name = r.table_name and h.released_at is null \
        and r.at between h.from_at and h.until_at) \
    and not exists (select 1 from queue q where q.table_name = r.table_name and q.shoe = r.shoe and q.round = r.round \
        and (q.state in ('new', 'escalated') \
        or exists (select 1 from case_members m where m.kind = 'flag' and m.subject = q.flag))) \
    and not exists (select 1 from case_members m where m.kind = 'round' \
        and m.subject = r.table_name || '.' || r.shoe || '.' || r.round) \
    and r.id <= $4 order by r.id limit $3";

const FILES: &str = "select e.digest, e.bytes from evidence e where e.removed_at is null and e.digest > $2 \
    and e.added_at < $1 \
    and not exists (select 1 from case_members m where m.kind = 'evidence' and m.subject = e.digest) \
    and not exists (select 1 from evidence_links l where l.digest = e.digest and (l.kind = 'case' \
        or exists (select 1 from case_members m where m.kind = l.kind and m.subject = l.subject) \
        or exists (select 1 from queue q where l.kind = 'flag' and q.flag = l.subject and (q.state in ('new', 'escalated') \
            or exists (select 1 from holds h where h.table_name = q.table_name and h.released_at is null \
                and q.at between h.from_at and h.until_at))) \
        or exists (select 1 from holds h where l.kind = 'round' and h.released_at is null \
            and l.subject like h.table_name || '.%' \
            and coalesce(e.taken_at, e.added_at) between h.from_at and h.until_at))) \
    order by e.digest limit $3";

/// Lets go what is old enough, or with `dry` only says what would go. Without a locker, files stay.
pub async fn sweep(store: &Store, locker: Option<&Locker>, now: Utc, dry: bool) -> Result<Swept, LockerError> {
    let changed = store.settings().await?;
    let before = |name| {
        let days = settings::find(name).map_or(u32::MAX, |setting: &Setting| setting.among(&changed));
        now.micros().saturating_sub(i64::from(days).saturating_mul(DAY))
    };
    let mut swept = Swept::default();
    sweep_rounds(store, before(settings::KEEP_ROUNDS), now, dry, &mut swept).await?;
    if let Some(locker) = locker {
        sweep_files(store, locker, before(settings::KEEP_EVIDENCE), now, dry, &mut swept).await?;
    }
    Ok(swept)
}

async fn sweep_rounds(store: &Store, before: i64, now: Utc, dry: bool, swept: &mut Swept) -> Result<(), StoreError> {
    let mut last = 0;
    loop {
        // Finding them may mean going through all rounds: nobody should wait for that to write.
        let found: Vec<(i64, String)> = all!(Store store, ROUNDS, before, last, AT_ONCE, i64::MAX);
        let Some((until, _)) = found.last() else { return Ok(()) };
        if dry {
            last = *until;
            swept.rounds += found.len() as u64;
            continue;
        }
        let mut tx = store.begin().await?;
        // Somebody may have needed one of them since.
        let rounds: Vec<(i64, String)> = all!(Tx &mut tx, ROUNDS, before, last, AT_ONCE, *until);
        last = *until;
        swept.rounds += rounds.len() as u64;
        if rounds.is_empty() {
            continue;
        }
        for (id, _) in &rounds {
            const FORGET: &str = "update rounds set document = null, forgotten_at = $2 where id = $1";
            run!(Tx &mut tx, FORGET, id, now.micros());
        }
        let digests: String = rounds.iter().map(|(_, digest)| digest.as_str()).collect();
        let detail = json!({ "rounds": rounds.len(), "sha256": sha256(digests.as_bytes()) });
        let deed = Deed { at: now, actor: log::SYSTEM, action: "retention", subject: "rounds".to_owned(), detail };
        log::append(&mut tx, deed).await?;
        tx.commit().await?;
    }
}

async fn sweep_files(
    store: &Store,
    locker: &Locker,
    before: i64,
    now: Utc,
    dry: bool,
    swept: &mut Swept,
) -> Result<(), LockerError> {
    let mut last = String::new();
    loop {
        let mut tx = store.begin().await?;
        let files: Vec<(String, i64)> = all!(Tx &mut tx, FILES, before, last.as_str(), AT_ONCE);
        let Some((digest, _)) = files.last() else { return Ok(()) };
        last = digest.clone();
        for (digest, bytes) in &files {
            swept.files += 1;
            swept.bytes += u64::try_from(*bytes).unwrap_or_default();
            if !dry {
                run!(Tx &mut tx, "update evidence set removed_at = $2 where digest = $1", digest, now.micros());
            }
        }
        if dry {
            continue;
        }
        let digests: Vec<&str> = files.iter().map(|(digest, _)| digest.as_str()).collect();
        let detail = json!({ "files": digests });
        let deed = Deed { at: now, actor: log::SYSTEM, action: "retention", subject: "evidence".to_owned(), detail };
        log::append(&mut tx, deed).await?;
        // The log first: a file that outlives its row is found by the next sweep of the folder, a missing one is an alarm.
        tx.commit().await?;
        for digest in digests {
            locker.remove(digest)?;
        }
    }
}
