//! The log's chain, verification from outside, backups, retention and messages, on both databases.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on should stop where it stands")]

mod support;

use std::fs;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::Router;
use axum::http::{HeaderMap, StatusCode};
use axum::routing::post;
use review::accounts::Role;
use review::backup::{BackupError, backup, restore};
use review::evidence::{Exhibit, Locker};
use review::log::{Deed, Entry};
use review::notify::{Notifier, SIGNATURE, sign};
use review::retention::{Swept, sweep};
use review::store::cases::{CaseKind, Fields, Member};
use review::store::decisions::{Action, Decision};
use review::store::notes::Subject;
use review::store::rounds::Reread;
use review::store::site::Channel;
use review::verify::{Anchor, verify};
use review::{Store, StoreError};
use serde_json::json;
use sqlx::AssertSqlSafe;
use support::{at, evening, flags, officer};
use table::Severity;

const PUSH: &str = "BJ-04.17.3.paid_a_push.1a";

/// Somebody with the database in their hands, and the triggers out of the way.
async fn tamper(store: &Store, table: &str, sql: &str) {
    let commands = match store {
        Store::Sqlite { .. } => vec![
            format!("drop trigger if exists {table}_no_update"),
            format!("drop trigger if exists {table}_no_delete"),
            "pragma foreign_keys = off".to_owned(),
            sql.to_owned(),
            "pragma foreign_keys = on".to_owned(),
        ],
        Store::Postgres(_) => vec![
            format!("alter table {table} disable trigger user"),
            "set session_replication_role = replica".to_owned(),
            sql.to_owned(),
        ],
    };
    // One connection: the pragma and the role are its own.
    match store {
        Store::Sqlite { writes: pool, .. } => {
            let mut connection = pool.acquire().await.unwrap();
            for sql in commands {
                sqlx::query(AssertSqlSafe(sql)).execute(&mut *connection).await.unwrap();
            }
        }
        Store::Postgres(pool) => {
            let mut connection = pool.acquire().await.unwrap();
            for sql in commands {
                sqlx::query(AssertSqlSafe(sql)).execute(&mut *connection).await.unwrap();
            }
        }
    }
}

async fn faults(store: &Store) -> Vec<String> {
    verify(store, None, &[]).await.unwrap().faults
}

/// An evening with a decision and a note.
async fn lived(store: &Store) {
    let ana = officer(store, "ana", Role::Officer).await;
    store.write("site", &evening("BJ-04"), at(0)).await.unwrap();
    let decision = Decision { action: Action::Confirm, reason: "seen", assignee: None };
    store.decide(&ana, &[PUSH], &decision, at(1)).await.unwrap();
    store.add_note(&ana, Subject::Flag, PUSH, "spoke to the pit", at(2)).await.unwrap();
}

fn letter() -> Exhibit<'static> {
    Exhibit {
        bytes: b"a still of box 1",
        media_type: "image/jpeg",
        taken_at: Some(at(0)),
        kind: Subject::Flag,
        subject: PUSH,
        what: "box 1 at the payout",
    }
}

on_both! {
    async fn writers_at_once_make_one_chain(store: Store) {
        let writers: Vec<_> = (0..8)
            .map(|writer| {
                let store = store.clone();
                tokio::spawn(async move {
                    for number in 0..25 {
                        let subject = format!("thing {number}");
                        let actor = format!("writer-{writer}");
                        let deed = Deed { at: at(number), actor: &actor, action: "view", subject, detail: json!({}) };
                        store.record(deed).await.unwrap();
                    }
                })
            })
            .collect();
        for writer in writers {
            writer.await.unwrap();
        }
        let entries: Vec<Entry> = store.log_from(1, 1000).await.unwrap();
        assert_eq!(entries.iter().map(|entry| entry.seq).collect::<Vec<_>>(), (1..=200).collect::<Vec<_>>());
        assert!(entries.windows(2).all(|pair| pair[1].previous == pair[0].hash));
        assert_eq!(faults(&store).await, Vec::<String>::new());
    }

    async fn an_honest_database_verifies(store: Store) {
        lived(&store).await;
        let found = verify(&store, None, &[]).await.unwrap();
        assert_eq!(found.faults, Vec::<String>::new());
        assert_eq!((found.rounds, found.flags, found.decisions), (evening("BJ-04").len() as u64, 3, 1));
    }

    async fn an_altered_log_entry_is_named(store: Store) {
        lived(&store).await;
        tamper(&store, "log", "update log set actor = 'ben' where seq = 3").await;
        assert_eq!(faults(&store).await, ["log entry 3 was altered"]);
    }

    async fn a_missing_log_entry_is_named(store: Store) {
        lived(&store).await;
        tamper(&store, "log", "delete from log where seq = 3").await;
        let expected = ["log entry 3 is missing".to_owned(), format!("decision 1 on {PUSH} is not in the log")];
        assert_eq!(faults(&store).await, expected);
    }

    async fn a_log_cut_off_is_seen_by_who_wrote_its_end_down(store: Store) {
        lived(&store).await;
        let found = verify(&store, None, &[]).await.unwrap();
        let anchor: Anchor = format!("{}:{}", found.entries, found.last).parse().unwrap();
        let deed = Deed { at: at(9), actor: "ana", action: "view", subject: "x".to_owned(), detail: json!({}) };
        store.record(deed).await.unwrap();
        assert_eq!(verify(&store, None, std::slice::from_ref(&anchor)).await.unwrap().faults, Vec::<String>::new());
        tamper(&store, "log", "delete from log where seq > 3").await;
        let faults = verify(&store, None, &[anchor]).await.unwrap().faults;
        assert!(faults.contains(&"the log ends before entry 4, which there was".to_owned()), "{faults:?}");
    }

    async fn an_altered_round_flag_decision_or_note_is_named(store: Store) {
        lived(&store).await;
        tamper(&store, "rounds", "update rounds set document = replace(document, '\"BJ-04\"', '\"BJ-09\"') where round = 3").await;
        tamper(&store, "flags", "update flags set document = '{}' where flag = 'BJ-04.17.5.dealer_overdrew'").await;
        tamper(&store, "decisions", "update decisions set reason = 'never seen'").await;
        tamper(&store, "notes", "update notes set text = 'said nothing'").await;
        let expected = [
            "round BJ-04.17.3 was altered".to_owned(),
            "flag BJ-04.17.5.dealer_overdrew entry 1 was altered".to_owned(),
            format!("decision 1 on {PUSH} was altered"),
            "note 1 was altered".to_owned(),
        ];
        assert_eq!(faults(&store).await, expected);
    }

    async fn a_case_or_correction_altered_behind_the_logs_back_is_named(store: Store) {
        lived(&store).await;
        let ida = officer(&store, "ida", Role::Investigator).await;
        let round = store.round(&ida, "BJ-04.17.3").await.unwrap();
        let read = Reread { step: 2, was: "7H".parse().unwrap(), becomes: "8H".parse().unwrap(), reason: "glare" };
        // The same twice is two corrections.
        for _ in 0..2 {
            store.correct(&ida, &round, &read, at(3)).await.unwrap();
        }
        let mut fields = Fields { title: "Paid a push".to_owned(), incident_at: at(0).micros(), ..Fields::default() };
        let id = store.open_case(&ida, "site", CaseKind::Dispute, &fields, at(4)).await.unwrap();
        fields.losses = 2500;
        fields.second_auditor = Some("ana".to_owned());
        store.edit_case(&ida, id, &fields, at(5)).await.unwrap();
        for subject in ["BJ-04.17.3", "BJ-04.17.5"] {
            store.add_to_case(&ida, id, Member::Round, subject, at(6)).await.unwrap();
        }
        store.take_from_case(&ida, id, Member::Round, "BJ-04.17.5", at(7)).await.unwrap();
        store.assign_case(&ida, id, Some("ana"), at(8)).await.unwrap();
        store.close_case(&ida, id, true, at(9)).await.unwrap();
        store.lock_case(&ida, id, at(10)).await.unwrap();
        assert_eq!(faults(&store).await, Vec::<String>::new());

        for sql in [
            "update cases set losses = 0",
            "update cases set losses = 2500, locked_at = null",
            "update cases set locked_at = 1, assignee = null",
        ] {
            tamper(&store, "cases", sql).await;
            assert_eq!(faults(&store).await, ["case 1 is not what its changes made of it"], "{sql}");
        }
        tamper(&store, "cases", "update cases set assignee = 1").await;
        tamper(&store, "case_members", "delete from case_members").await;
        assert_eq!(faults(&store).await, ["case 1 is not what its changes made of it"]);
        tamper(&store, "corrections", "update corrections set becomes = '9H' where id = 2").await;
        tamper(&store, "case_changes", "delete from case_changes where id = 5").await;
        let found = faults(&store).await;
        for fault in [
            "correction 2 of round BJ-04.17.3 is not in the log as it stands",
            "a correction of round BJ-04.17.3 is missing",
            "a change of case 1 is missing",
        ] {
            assert!(found.iter().any(|told| told == fault), "{fault}: {found:?}");
        }
    }

    async fn a_round_or_a_decision_taken_out_is_missed(store: Store) {
        lived(&store).await;
        let rounds = evening("BJ-04").len();
        tamper(&store, "rounds", "delete from rounds where round = 1").await;
        tamper(&store, "decisions", "delete from decisions").await;
        let expected = [
            format!("log entry 2 wrote {rounds} rounds, there are {}", rounds - 1),
            "decision 1 is missing".to_owned(),
            format!("flag {PUSH} stands where no decision put it"),
        ];
        assert_eq!(faults(&store).await, expected);
    }

    async fn a_flag_moved_behind_the_logs_back_is_named(store: Store) {
        lived(&store).await;
        tamper(&store, "queue", "update queue set state = 'dismissed' where check_name = 'dealer_overdrew'").await;
        assert_eq!(faults(&store).await, ["flag BJ-04.17.5.dealer_overdrew stands where no decision put it"]);
    }

    async fn altered_and_missing_evidence_is_named(store: Store) {
        let folder = tempfile::tempdir().unwrap();
        let locker = Locker::open(folder.path()).unwrap();
        lived(&store).await;
        let digest = locker.put(&store, &letter(), "system", at(3)).await.unwrap();
        let check = async || verify(&store, Some(&locker), &[]).await.unwrap();
        assert_eq!((check().await.files, check().await.faults), (1, vec![]));
        fs::write(locker.path(&digest).unwrap(), b"another").unwrap();
        assert_eq!(check().await.faults, [format!("evidence {digest} was altered")]);
        fs::remove_file(locker.path(&digest).unwrap()).unwrap();
        assert_eq!(check().await.faults, [format!("evidence {digest} is missing")]);
        tamper(&store, "evidence_links", "delete from evidence_links").await;
        tamper(&store, "evidence", "delete from evidence").await;
        assert_eq!(check().await.faults, [format!("evidence {digest} is in the log and not in the database")]);
    }

    async fn a_backup_is_restored_into_either_database(store: Store) {
        let folder = tempfile::tempdir().unwrap();
        let locker = Locker::open(&folder.path().join("evidence")).unwrap();
        lived(&store).await;
        let mut again = evening("BJ-04");
        again[0].round.dealer = Some("D-999".parse().unwrap());
        store.write("site", &again, at(5)).await.unwrap();
        let digest = locker.put(&store, &letter(), "system", at(6)).await.unwrap();
        let file = folder.path().join("night.zip");
        let made = backup(&store, Some(&locker), &file, at(7)).await.unwrap();

        let server = support::postgres::Server::start();
        let sqlite = format!("sqlite:{}", folder.path().join("other.db").display());
        for url in [sqlite, server.database().await] {
            let elsewhere = tempfile::tempdir().unwrap();
            let other_locker = Locker::open(elsewhere.path()).unwrap();
            let other = Store::open(&url).await.unwrap();
            assert_eq!(restore(&other, Some(&other_locker), &file, at(8)).await.unwrap(), made);
            let found = verify(&other, Some(&other_locker), &[]).await.unwrap();
            assert_eq!((found.faults, found.files), (vec![], 1));
            assert_eq!(other_locker.fetch(&digest).unwrap(), letter().bytes);
            let ana = other.user_named("ana").await.unwrap().unwrap();
            let ana = review::accounts::Officer {
                id: ana.id,
                name: ana.name,
                full_name: ana.full_name,
                title: ana.title,
                role: Role::Officer,
                tables: review::accounts::Tables::All,
                looks: ana.looks,
                by: review::accounts::Entrance::Token { scopes: vec![] },
            };
            assert_eq!(other.flag(&ana, PUSH).await.unwrap().state, "confirmed");
            // Numbers go on where they ended.
            other.add_note(&ana, Subject::Flag, PUSH, "after the restore", at(9)).await.unwrap();
            assert_eq!(other.write("site", &again, at(9)).await.unwrap().rounds, 0);
            let full = restore(&other, None, &file, at(10)).await;
            assert!(matches!(full, Err(BackupError::NotEmpty)));
        }
    }

    async fn a_damaged_backup_restores_nothing(store: Store) {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite:{}", folder.path().join("from.db").display());
        let from = Store::open(&url).await.unwrap();
        lived(&from).await;
        let file = folder.path().join("night.zip");
        backup(&from, None, &file, at(7)).await.unwrap();
        let bytes = fs::read(&file).unwrap();
        for place in [bytes.len() / 4, bytes.len() / 3, bytes.len() / 2] {
            let mut damaged = bytes.clone();
            damaged[place] ^= 0x20;
            fs::write(&file, damaged).unwrap();
            assert!(restore(&store, None, &file, at(8)).await.is_err(), "byte {place}");
            assert_eq!(store.users().await.unwrap().len(), 0);
            assert_eq!(store.log_from(1, 1).await.unwrap().len(), 0);
        }
        fs::write(&file, b"not a zip").unwrap();
        assert!(matches!(restore(&store, None, &file, at(8)).await, Err(BackupError::Damaged { .. })));
    }

    async fn retention_keeps_what_is_needed_and_lets_the_rest_go(store: Store) {
        const DAY: i64 = 86_400;
        let folder = tempfile::tempdir().unwrap();
        let locker = Locker::open(folder.path()).unwrap();
        let max = officer(&store, "max", Role::Manager).await;
        for table in ["BJ-04", "BJ-05", "BJ-06"] {
            store.write("site", &evening(table), at(0)).await.unwrap();
        }
        let rounds = evening("BJ-04").len() as u64;
        let dated = evening("BJ-04")[0].round.at;
        // BJ-04 is on hold; at BJ-05 one flag is undecided and one round in a case; at BJ-06 all is decided.
        store.hold(&max, "BJ-04", dated, at(DAY), "police", at(1)).await.unwrap();
        let dismiss = Decision { action: Action::Dismiss, reason: "", assignee: None };
        for table in ["BJ-05", "BJ-06"] {
            let evening = evening(table);
            let ids: Vec<String> = flags(&evening).iter().map(|flag| flag.id()).collect();
            for id in ids.iter().skip(usize::from(table == "BJ-05")) {
                store.decide(&max, &[id], &dismiss, at(2)).await.unwrap();
            }
        }
        let fields = Fields { title: "A dispute".to_owned(), incident_at: at(0).micros(), ..Fields::default() };
        let case = store.open_case(&max, "site", CaseKind::Dispute, &fields, at(3)).await.unwrap();
        store.add_to_case(&max, case, Member::Round, "BJ-05.17.1", at(3)).await.unwrap();
        let exhibit = Exhibit { subject: "BJ-06.17.3.paid_a_push.1a", ..letter() };
        let gone = locker.put(&store, &exhibit, "system", at(4)).await.unwrap();
        let exhibit = Exhibit { bytes: b"of an undecided flag", ..letter() };
        let kept = locker.put(&store, &exhibit, "system", at(4)).await.unwrap();

        let late = at(500 * DAY);
        let would = sweep(&store, Some(&locker), late, true).await.unwrap();
        let swept = sweep(&store, Some(&locker), late, false).await.unwrap();

        assert_eq!(swept, Swept { rounds: rounds + rounds - 2, files: 1, bytes: letter().bytes.len() as u64 });
        assert_eq!(would, swept);
        assert_eq!(sweep(&store, Some(&locker), late, false).await.unwrap(), Swept::default());
        assert!(store.round(&max, "BJ-04.17.1").await.unwrap().document.is_some());
        assert!(store.round(&max, "BJ-05.17.1").await.unwrap().document.is_some());
        assert!(store.round(&max, "BJ-05.17.3").await.unwrap().document.is_some());
        assert_eq!(store.round(&max, "BJ-06.17.3").await.unwrap().parsed().unwrap(), None);
        assert!(!locker.path(&gone).unwrap().exists() && locker.path(&kept).unwrap().exists());
        assert_eq!(verify(&store, Some(&locker), &[]).await.unwrap().faults, Vec::<String>::new());
        // The same round again is still the same round.
        assert_eq!(store.write("site", &evening("BJ-06"), late).await.unwrap().rounds, 0);
    }

    async fn severe_flags_are_told_once_signed_and_again_until_heard(store: Store) {
        let max = officer(&store, "max", Role::Manager).await;
        let (heard, mut hears) = tokio::sync::mpsc::unbounded_channel::<(HeaderMap, String)>();
        let deaf = Arc::new(AtomicBool::new(true));
        let ear = {
            let deaf = deaf.clone();
            post(move |headers: HeaderMap, body: String| {
                let heard = heard.clone();
                let deaf = deaf.clone();
                async move {
                    if deaf.load(Ordering::SeqCst) {
                        return StatusCode::SERVICE_UNAVAILABLE;
                    }
                    heard.send((headers, body)).unwrap();
                    StatusCode::OK
                }
            })
        };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let target = format!("http://{}/ear", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, Router::new().route("/ear", ear)).await });
        store.subscribe(&max, Channel::Webhook, &target, "key", Severity::Critical, at(0)).await.unwrap();
        store.subscribe(&max, Channel::Email, "pit@example.org", "", Severity::Info, at(0)).await.unwrap();
        let evening = evening("BJ-04");
        let severe = flags(&evening).iter().filter(|flag| flag.severity == Severity::Critical).count() as u64;
        assert!(severe > 0);
        store.write("site", &evening, at(0)).await.unwrap();

        let notifier = Notifier::new(None).unwrap();
        assert_eq!(notifier.deliver(&store, at(1)).await.unwrap(), 0, "nobody hears");
        deaf.store(false, Ordering::SeqCst);
        assert_eq!(notifier.deliver(&store, at(2)).await.unwrap(), 0, "not yet");
        assert_eq!(notifier.deliver(&store, at(60)).await.unwrap(), severe);
        assert_eq!(notifier.deliver(&store, at(6000)).await.unwrap(), 0, "once");

        let (headers, body) = hears.recv().await.unwrap();
        assert_eq!(headers[SIGNATURE], format!("sha256={}", sign("key", body.as_bytes())));
        let told: serde_json::Value = serde_json::from_str(&body).unwrap();
        assert_eq!(told["flag"]["severity"], "critical");
    }
}

#[tokio::test]
async fn addresses_that_are_no_database_are_refused_without_their_password() {
    let refused = Store::open("mysql://ana:secret@db/fairdeal").await.unwrap_err();
    assert!(matches!(refused, StoreError::Address(_)));
    assert!(!refused.to_string().contains("secret"), "{refused}");
}
