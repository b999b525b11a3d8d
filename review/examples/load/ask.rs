//! What the pages ask the database, and how long it takes to say.

use rand::Rng;
use rand::rngs::SmallRng;
use review::Store;
use review::accounts::Officer;
use review::store::notes::Subject;
use review::store::people::{Question, Whose};
use review::store::queue::{Doubts, Filter, Order, State};
use table::Utc;

use crate::watch::{Spent, Watch, tell};
use crate::{ASKED, Outcome, year};

/// Asks for the queue and for rounds as their pages do, and for a year of a dealer and of a table.
pub(crate) async fn ask(store: &Store, officer: &Officer, rounds: u32, rng: &mut SmallRng) -> Outcome<()> {
    tell("database, queue (two pages, its counts)", &queue(store, officer).await?);
    let mut times = Vec::new();
    for _ in 0..ASKED {
        let name = year::name(rng.random_range(0..rounds));
        let watch = Watch::start();
        let stored = store.round(officer, &name).await?;
        store.flags_of_round(officer, &stored.table_name, stored.shoe, stored.round).await?;
        store.neighbours(&stored, 3).await?;
        store.corrections(&stored).await?;
        store.readings(&stored).await?;
        store.notes(Subject::Round, &name).await?;
        store.evidence_of(Subject::Round, &name).await?;
        store.viewed(officer, format!("round {name}"), Utc::EPOCH).await?;
        times.push(watch.stop());
    }
    tell("database, round (its view recorded)", &times);
    for (whose, name) in [(Whose::Dealer, "D-042"), (Whose::Table, "BJ-07")] {
        let until = Utc::from_micros(4_000_000_000_000_000).unwrap_or(Utc::EPOCH);
        let mut times = Vec::new();
        for _ in 0..20 {
            let watch = Watch::start();
            let question = Question { whose, name: Some(name), from: Utc::EPOCH, until, weekly: true };
            store.stretches(officer, &question).await?;
            times.push(watch.stop());
        }
        tell(&format!("database, a year of a {whose} by weeks"), &times);
    }
    Ok(())
}

async fn queue(store: &Store, officer: &Officer) -> Outcome<Vec<Spent>> {
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
    for filter in filters.iter().cycle().take(ASKED) {
        let watch = Watch::start();
        let page = store.list(officer, filter, None, 50).await?;
        if let Some(next) = page.next {
            store.list(officer, filter, Some(next), 50).await?;
        }
        store.tally(officer).await?;
        store.count(officer, filter).await?;
        times.push(watch.stop());
    }
    Ok(times)
}
