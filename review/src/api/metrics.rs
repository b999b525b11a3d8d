//! Counters for Prometheus.

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};

use crate::server::{Failure, Site};

/// Flags by state and what waits to be told, in the text format of Prometheus.
pub async fn metrics(State(site): State<Site>) -> Result<Response, Failure> {
    let counts = site.store.counts().await?;
    let mut text = String::new();
    let mut family = |name: &str, help: &str, kind: &str, lines: &[(String, i64)]| {
        text.push_str(&format!("# HELP {name} {help}\n# TYPE {name} {kind}\n"));
        for (labels, value) in lines {
            text.push_str(&format!("{name}{labels} {value}\n"));
        }
    };
    let states: Vec<_> =
        counts.states.iter().map(|(state, count)| (format!("{{state=\"{state}\"}}"), *count)).collect();
    family("fairdeal_review_flags", "Flags by where they stand.", "gauge", &states);
    family("fairdeal_review_log_entries", "Entries of the log.", "counter", &[(String::new(), counts.log)]);
    family(
        "fairdeal_review_outbox_waiting",
        "Messages not yet delivered.",
        "gauge",
        &[(String::new(), counts.waiting)],
    );
    family("fairdeal_review_sessions", "Sessions that have not ended.", "gauge", &[(String::new(), counts.sessions)]);
    Ok(([(header::CONTENT_TYPE, "text/plain; version=0.0.4")], text).into_response())
}
