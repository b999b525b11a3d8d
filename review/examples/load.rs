//! A year of a large site in one database, and how long an officer waits for it: `make load`.
//!
//! Writes ROUNDS rounds (a million) at fifty tables, every twentieth with a flag, then asks what the queue page and the round
//! page ask, and says how long the database took. Also how long writing took, against bare inserts of the same bytes in
//! transactions of the same size. `DB` names another database than a SQLite file in a temporary folder.

use std::error::Error;
use std::time::{Duration, Instant};

use auditor::check::{Law, Session};
use auditor::rulebook::books;
use rand::rngs::SmallRng;
use rand::{Rng, SeedableRng};
use review::Store;
use review::accounts::{Entrance, Officer, Role, Tables};
use review::store::ingest::Audited;
use review::store::notes::Subject;
use review::store::people::{Question, Whose};
use review::store::queue::{Doubts, Filter, Order, State};
use review::store::users::NewUser;
use table::{Utc, notation};

type Outcome<T> = Result<T, Box<dyn Error>>;

const TABLES: u32 = 50;
const ROUNDS_A_SHOE: u32 = 40;
const AT_ONCE: usize = 500;
const ASKED: usize = 200;

#[tokio::main]
async fn main() -> Outcome<()> {
    let rounds: u32 = std::env::var("ROUNDS").map_or(Ok(1_000_000), |text| text.parse())?;
    let folder = tempfile::tempdir()?;
    let path = |name: &str| format!("sqlite:{}", folder.path().join(name).display());
    let store = Store::open(&std::env::var("DB").unwrap_or_else(|_| path("load.db"))).await?;
    let officer = officer(&store).await?;
    let sample = sample()?;

    let (ours, bytes) = fill(&store, &sample, rounds).await?;
    println!("{rounds} rounds written in {:.1} s, {} MB of documents", ours.as_secs_f64(), bytes / 1_000_000);
    if let Store::Sqlite(_) = store {
        let bare = bare(&path("bare.db"), &sample, rounds).await?;
        println!(
            "bare inserts of the same bytes: {:.1} s, ratio {:.2}",
            bare.as_secs_f64(),
            ours.as_secs_f64() / bare.as_secs_f64()
        );
    }
    ask(&store, &officer, rounds).await
}

async fn officer(store: &Store) -> Outcome<Officer> {
    let new =
        NewUser { name: "load", full_name: "Load", title: "", role: Role::Admin, password: None, tables: Tables::All };
    let mut tx = store.begin().await?;
    let id = tx.add_user(&new, Utc::EPOCH, "load").await?;
    tx.commit().await?;
    let by = Entrance::Token { scopes: vec![] };
    Ok(Officer {
        id,
        name: "load".to_owned(),
        full_name: String::new(),
        title: String::new(),
        role: Role::Admin,
        tables: Tables::All,
        theme: String::new(),
        by,
    })
}

/// Rounds of a real evening with the flags of a real audit.
fn sample() -> Outcome<Vec<Audited>> {
    let mut session = Session::default();
    let text = include_str!("../../fixtures/evening/evening.round");
    let rounds = notation::parse(text)?.into_iter().map(|round| {
        let law = Law::of(books::all()?, &round.game)?;
        let (flags, coverage) = session.audit(&law, &round);
        Ok(Audited { round, flags, seen: coverage.seen_names(), not_seen: coverage.missing_names() })
    });
    rounds.collect()
}

/// The `number`th round of the year: the same every time.
fn round(sample: &[Audited], number: u32) -> Audited {
    let flagged = number.is_multiple_of(20);
    let of_kind: Vec<&Audited> = sample.iter().filter(|audited| audited.flags.is_empty() != flagged).collect();
    let mut audited = of_kind[number as usize / 20 % of_kind.len()].clone();
    let [table, turn] = [number / ROUNDS_A_SHOE % TABLES, number / (ROUNDS_A_SHOE * TABLES)];
    let id = &mut audited.round.id;
    id.table = format!("BJ-{table:02}").parse().unwrap_or(id.table.clone());
    id.shoe = turn + 1;
    id.round = number % ROUNDS_A_SHOE + 1;
    let begin = 1_735_689_600_000_000 + i64::from(turn) * 2_400_000_000 + i64::from(id.round) * 60_000_000;
    audited.round.at = Utc::from_micros(begin).unwrap_or(Utc::EPOCH);
    audited.round.dealer = format!("D-{:03}", (table * 7 + turn / 3) % 200).parse().ok();
    for flag in &mut audited.flags {
        flag.round = audited.round.id.clone();
        flag.at = audited.round.at;
    }
    audited
}

async fn fill(store: &Store, sample: &[Audited], rounds: u32) -> Outcome<(Duration, usize)> {
    let mut spent = Duration::ZERO;
    let mut bytes = 0;
    let mut batch = Vec::with_capacity(AT_ONCE);
    for number in 0..rounds {
        batch.push(round(sample, number));
        if batch.len() == AT_ONCE || number + 1 == rounds {
            for audited in &batch {
                bytes += serde_json::to_string(&audited.round)?.len();
            }
            let began = Instant::now();
            store.write("load", &batch, Utc::EPOCH).await?;
            spent += began.elapsed();
            batch.clear();
        }
    }
    Ok((spent, bytes))
}

/// The same documents in a table without anything.
async fn bare(url: &str, sample: &[Audited], rounds: u32) -> Outcome<Duration> {
    let Store::Sqlite(pool) = Store::open(url).await? else { return Err("not SQLite".into()) };
    sqlx::query("create table bare (id integer primary key, document text not null)").execute(&pool).await?;
    let mut spent = Duration::ZERO;
    let mut documents = Vec::with_capacity(AT_ONCE);
    for number in 0..rounds {
        let audited = round(sample, number);
        documents.push(serde_json::to_string(&audited.round)?);
        for flag in &audited.flags {
            documents.push(serde_json::to_string(flag)?);
        }
        if documents.len() >= AT_ONCE || number + 1 == rounds {
            let began = Instant::now();
            let mut tx = pool.begin().await?;
            for document in documents.drain(..) {
                sqlx::query("insert into bare (document) values ($1)").bind(document).execute(&mut *tx).await?;
            }
            tx.commit().await?;
            spent += began.elapsed();
        }
    }
    Ok(spent)
}

async fn ask(store: &Store, officer: &Officer, rounds: u32) -> Outcome<()> {
    let mut rng = SmallRng::seed_from_u64(1);
    let filters = [
        Filter::default(),
        Filter { order: Order::Time, ..Filter::default() },
        Filter { order: Order::Money, ..Filter::default() },
        Filter { tables: vec!["BJ-07".to_owned()], ..Filter::default() },
        Filter { dealer: Some("D-042".to_owned()), ..Filter::default() },
        Filter { check: Some("paid_a_push".to_owned()), states: vec![], ..Filter::default() },
        Filter { unread: true, ..Filter::default() },
        Filter { doubts: Doubts::Only, ..Filter::default() },
        Filter { states: vec![State::Confirmed], ..Filter::default() },
    ];
    let mut times = Vec::new();
    for turn in 0..ASKED {
        let filter = &filters[turn % filters.len()];
        let began = Instant::now();
        let page = store.queue(officer, filter, None, 50).await?;
        if let Some(next) = page.next {
            store.queue(officer, filter, Some(next), 50).await?;
        }
        for saved in &filters[..6] {
            store.count(officer, saved).await?;
        }
        times.push(began.elapsed());
    }
    tell("queue page (two pages, six counts)", times);
    let mut times = Vec::new();
    for _ in 0..ASKED {
        let number = rng.random_range(0..rounds);
        let [table, turn] = [number / ROUNDS_A_SHOE % TABLES, number / (ROUNDS_A_SHOE * TABLES)];
        let name = format!("BJ-{table:02}.{}.{}", turn + 1, number % ROUNDS_A_SHOE + 1);
        let began = Instant::now();
        let stored = store.round(officer, &name).await?;
        store.flags_of_round(officer, &stored.table_name, stored.shoe, stored.round).await?;
        store.neighbours(&stored, 3).await?;
        store.corrections(&stored).await?;
        store.readings(&stored).await?;
        store.notes(Subject::Round, &name).await?;
        store.evidence_of(Subject::Round, &name).await?;
        store.viewed(officer, format!("round {name}"), Utc::EPOCH).await?;
        times.push(began.elapsed());
    }
    tell("round page (its view recorded)", times);
    for (whose, name) in [(Whose::Dealer, "D-042"), (Whose::Table, "BJ-07")] {
        let until = Utc::from_micros(4_000_000_000_000_000).unwrap_or(Utc::EPOCH);
        let mut times = Vec::new();
        for _ in 0..20 {
            let began = Instant::now();
            let question = Question { whose, name: Some(name), from: Utc::EPOCH, until, weekly: true };
            store.stretches(officer, &question).await?;
            times.push(began.elapsed());
        }
        tell(&format!("{whose} page, a year by weeks"), times);
    }
    Ok(())
}

fn tell(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |share: usize| times[(times.len() - 1) * share / 100].as_secs_f64() * 1000.0;
    println!("{what}: median {:.1} ms, 99 % within {:.1} ms", at(50), at(99));
}
