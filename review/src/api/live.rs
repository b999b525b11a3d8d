//! What changes, as it changes: server-sent events.

use std::convert::Infallible;
use std::time::Duration;

use axum::extract::State;
use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::{Stream, StreamExt};
use serde_json::json;
use tokio_stream::wrappers::BroadcastStream;

use crate::accounts::{Officer, Right};
use crate::server::{Live, Routes, Site};

/// How long a stream lasts: somebody whose account was closed hears no more after this.
const LONGEST: Duration = Duration::from_secs(300);

pub(super) fn routes() -> Routes {
    Routes::new().get("/live", Right::Read, live)
}

/// Flags of your tables as they come and are decided, as server-sent events: `flag` with id, table and state, and `behind` when some were missed
#[utoipa::path(get, path = "/api/live", responses((status = 200, description = "Events", content_type = "text/event-stream", body = String)))]
pub(super) async fn live(
    State(site): State<Site>,
    officer: Officer,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let events = BroadcastStream::new(site.live.subscribe()).filter_map(move |live| {
        let event = match live {
            Ok(Live::Flag { flag, table, state }) if officer.tables.include(&table) => {
                let data = json!({ "id": flag, "table": table, "state": state }).to_string();
                Some(Ok(Event::default().event("flag").data(data)))
            }
            Ok(Live::Flag { .. }) => None,
            // The screen must load its page again.
            Err(_) => Some(Ok(Event::default().event("behind").data("{}"))),
        };
        async move { event }
    });
    // A browser comes back by itself, and is asked again who it is.
    let events = events.take_until(tokio::time::sleep(LONGEST));
    Sse::new(events).keep_alive(KeepAlive::new().interval(Duration::from_secs(15)))
}
