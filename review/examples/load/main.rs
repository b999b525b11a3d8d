//! A million rounds in one database, and how long an officer waits for it: `make load`.
//!
//! Writes ROUNDS rounds (a million) at fifty tables over a year, every twentieth with a flag, and says how long that took against bare
//! inserts of the same bytes. Then asks the database what the pages ask it, and at last starts the server and opens the
//! queue and rounds as an officer would, to the last byte. `DB` names another database than a SQLite file in a temporary
//! folder; it keeps its rounds, and the next run writes only those it lacks.

mod ask;
mod visit;
mod watch;
mod write;
mod year;

use std::error::Error;

use rand::SeedableRng;
use rand::rngs::SmallRng;
use review::Store;
use review::accounts::{Entrance, Looks, Officer, Role, Tables};
use review::store::users::NewUser;
use table::Utc;
use write::Bare;
use year::Year;

type Outcome<T> = Result<T, Box<dyn Error>>;

/// The account that asks.
const NAME: &str = "load";
/// How often each page is asked for.
const ASKED: usize = 200;

#[tokio::main]
async fn main() -> Outcome<()> {
    let rounds: u32 = std::env::var("ROUNDS").map_or(Ok(1_000_000), |text| text.parse())?;
    let folder = tempfile::tempdir()?;
    let path = |name: &str| format!("sqlite:{}", folder.path().join(name).display());
    let store = Store::open(&std::env::var("DB").unwrap_or_else(|_| path("load.db"))).await?;
    let officer = officer(&store).await?;
    let year = Year::new()?;

    let there = written(&store).await?;
    if there < rounds {
        let mut bare = match store {
            Store::Sqlite { .. } => Some(Bare::open(&path("bare.db")).await?),
            Store::Postgres(_) => None,
        };
        let ours = write::fill(&store, &officer, &year, there, rounds, &mut bare).await?;
        let [waited, worked] = [ours.waited, ours.worked].map(|spent| spent.as_secs_f64());
        println!("{} rounds written: waited {waited:.1} s, worked {worked:.1} s", rounds - there);
        if let Some(Bare { spent, bytes, .. }) = bare {
            let [least, least_work] = [spent.waited, spent.worked].map(|spent| spent.as_secs_f64());
            println!(
                "bare inserts of their {} MB: waited {least:.1} s, ratio {:.2}; worked {least_work:.1} s, ratio {:.2}",
                bytes / 1_000_000,
                waited / least,
                worked / least_work
            );
        }
    }
    let mut rng = SmallRng::seed_from_u64(1);
    ask::ask(&store, &officer, rounds, &mut rng).await?;
    visit::visit(&store, rounds, &mut rng).await
}

/// Rounds that an earlier run wrote.
async fn written(store: &Store) -> Outcome<u32> {
    const SQL: &str = "select count(*) from rounds";
    let count: i64 = match store {
        Store::Sqlite { reads: pool, .. } => sqlx::query_scalar(SQL).fetch_one(pool).await?,
        Store::Postgres(pool) => sqlx::query_scalar(SQL).fetch_one(pool).await?,
    };
    Ok(u32::try_from(count)?)
}

/// The account, made if it is not there.
async fn officer(store: &Store) -> Outcome<Officer> {
    let id = match store.user_named(NAME).await? {
        Some(user) => user.id,
        None => {
            let [full_name, title] = ["Load", ""];
            let new = NewUser { name: NAME, full_name, title, role: Role::Admin, password: None, tables: Tables::All };
            let mut tx = store.begin().await?;
            let id = tx.add_user(&new, Utc::EPOCH, NAME).await?;
            tx.commit().await?;
            id
        }
    };
    let by = Entrance::Token { scopes: vec![] };
    Ok(Officer {
        id,
        name: NAME.to_owned(),
        full_name: String::new(),
        title: String::new(),
        role: Role::Admin,
        tables: Tables::All,
        looks: Looks::default(),
        by,
    })
}
