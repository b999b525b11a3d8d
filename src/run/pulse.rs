//! How every table is, told to the database every few seconds: the officers' pages show it, also on another machine.

use std::time::Duration;

use review::Store;
use review::store::watches::{self, Watch};
use table::{Ident, Utc};

use super::board::{Doing, Slate, Table};
use crate::database;

/// How often it is told. Pages take four such silences for the end.
const TELL_EVERY: Duration = Duration::from_secs(5);

/// Tells it until somebody ends the task.
pub(super) async fn tell(store: Store, slates: Vec<(Ident, Slate)>) {
    let mut ticks = tokio::time::interval(TELL_EVERY);
    loop {
        ticks.tick().await;
        say(&store, &slates, false).await;
    }
}

/// Says how every table is; or that nobody watches them any more.
pub(super) async fn say(store: &Store, slates: &[(Ident, Slate)], stopped: bool) {
    let now = database::now();
    let watches: Vec<_> = slates.iter().map(|(id, slate)| watch(id, &slate.write(), now, stopped)).collect();
    if let Err(error) = store.watched(&watches).await {
        tracing::warn!(%error, "how the tables are is not in the database");
    }
}

fn watch(id: &Ident, table: &Table, now: Utc, stopped: bool) -> Watch {
    let doing = match table.doing {
        _ if stopped => watches::Doing::Stopped,
        Doing::Starting => watches::Doing::Starting,
        Doing::Catching => watches::Doing::Catching,
        Doing::Watching => watches::Doing::Watching,
        Doing::Failed => watches::Doing::Failed,
        Doing::Ended => watches::Doing::Ended,
    };
    let [lag, lag_half, lag_most] = match table.lag_ms {
        Some(lags) => lags.map(|ms| Some((ms * 1000.0) as i64)),
        None => [None; 3],
    };
    Watch {
        table_name: id.to_string(),
        at: now.micros(),
        doing: doing.name().to_owned(),
        since_at: table.since.map(Utc::micros),
        heard_at: table.heard.map(Utc::micros),
        lag,
        lag_half,
        lag_most,
        waiting: i64::try_from(table.waiting).unwrap_or(i64::MAX),
        failure: table.failure.clone().unwrap_or_default(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_known_of_a_table_is_not_made_up() {
        let id: Ident = "BJ-04".parse().unwrap();
        let now = Utc::EPOCH;
        let fresh = watch(&id, &Table::default(), now, false);
        assert_eq!((fresh.doing.as_str(), fresh.lag, fresh.heard_at), ("starting", None, None));
        let mut table = Table::default();
        (table.lag_ms, table.waiting) = (Some([38.2, 31.0, 120.5]), 3);
        table.turns(Doing::Watching, now);
        let told = watch(&id, &table, now, false);
        assert_eq!((told.lag, told.lag_half, told.lag_most), (Some(38_200), Some(31_000), Some(120_500)));
        assert_eq!((told.doing.as_str(), told.waiting, told.since_at), ("watching", 3, Some(0)));
        assert_eq!(watch(&id, &table, now, true).doing, "stopped");
    }
}
