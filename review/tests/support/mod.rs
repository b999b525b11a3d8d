//! A database of either kind for a test, officers of every role, and rounds with real flags.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::panic,
    reason = "each test binary uses a part; a test that cannot go on should stop where it stands"
)]

pub(crate) mod browser;
pub(crate) mod chromium;
pub(crate) mod postgres;

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use auditor::check::{Law, Session};
use auditor::rulebook::books;
use review::accounts::{Entrance, Looks, Officer, Role, Tables};
use review::footage::NoFootage;
use review::server::{Clock, Setup};
use review::store::ingest::Audited;
use review::store::users::NewUser;
use review::{Site, Store};
use table::{Flag, Utc, notation};

/// Makes the same test for both databases.
#[macro_export]
macro_rules! on_both {
    ($($(#[$meta:meta])* async fn $name:ident($store:ident: Store) $body:block)+) => {
        $(mod $name {
            use super::*;

            async fn story($store: Store) $body

            $(#[$meta])*
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn sqlite() {
                let folder = tempfile::tempdir().unwrap();
                let url = format!("sqlite:{}", folder.path().join("test.db").display());
                story(Store::open(&url).await.unwrap()).await;
            }

            $(#[$meta])*
            #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
            async fn postgres() {
                let server = $crate::support::postgres::Server::start();
                story(Store::open(&server.database().await).await.unwrap()).await;
            }
        })+
    };
}

/// 2026-11-16T00:00:00Z.
pub(crate) fn midnight() -> Utc {
    "2026-11-16T00:00:00Z".parse().unwrap()
}

/// Seconds after midnight.
pub(crate) fn at(seconds: i64) -> Utc {
    midnight().shifted(seconds * 1_000_000).unwrap()
}

/// A clock that stands still until told otherwise.
#[derive(Default)]
pub(crate) struct TestClock(AtomicI64);

impl TestClock {
    pub(crate) fn pass(&self, seconds: i64) {
        self.0.fetch_add(seconds, Ordering::SeqCst);
    }
}

impl Clock for TestClock {
    fn now(&self) -> Utc {
        at(self.0.load(Ordering::SeqCst))
    }
}

/// A site over a database, by a clock of the test's.
pub(crate) fn site(store: Store) -> (Site, Arc<TestClock>) {
    let clock = Arc::new(TestClock::default());
    let books = Arc::from(books::all().unwrap());
    let site = Site::new(store, books, Arc::new(NoFootage), Setup::default()).with_clock(clock.clone());
    (site, clock)
}

/// An account and its officer.
pub(crate) async fn officer(store: &Store, name: &str, role: Role) -> Officer {
    officer_at(store, name, role, Tables::All).await
}

/// An account for some tables, and its officer.
pub(crate) async fn officer_at(store: &Store, name: &str, role: Role, tables: Tables) -> Officer {
    let user =
        NewUser { name, full_name: name, title: "Surveillance officer", role, password: None, tables: tables.clone() };
    let mut tx = store.begin().await.unwrap();
    let id = tx.add_user(&user, midnight(), "test").await.unwrap();
    tx.commit().await.unwrap();
    let by = Entrance::Session { csrf: "csrf".to_owned() };
    Officer {
        id,
        name: name.to_owned(),
        full_name: name.to_owned(),
        title: user.title.to_owned(),
        role,
        tables,
        looks: Looks::default(),
        by,
    }
}

const EVENING: &str = include_str!("../../../fixtures/evening/evening.round");

/// The evening's rounds at a table, with the flags a real audit finds: paid_a_push, dealer_overdrew, wager_altered.
pub(crate) fn evening(table: &str) -> Vec<Audited> {
    let mut session = Session::default();
    let mut audited = Vec::new();
    for mut round in notation::parse(EVENING).unwrap() {
        round.id.table = table.parse().unwrap();
        let law = Law::of(books::all().unwrap(), &round.game).unwrap();
        let (flags, coverage) = session.audit(&law, &round);
        audited.push(Audited { round, flags, seen: coverage.seen_names(), not_seen: coverage.missing_names() });
    }
    audited
}

/// Every flag of audited rounds.
pub(crate) fn flags(audited: &[Audited]) -> Vec<&Flag> {
    audited.iter().flat_map(|audited| &audited.flags).collect()
}
