//! The page of all numbers over HTTP, for Prometheus to fetch.

use std::net::SocketAddr;
use std::sync::Arc;
use std::thread::{self, JoinHandle};

use tiny_http::{Header, Method, Request, Response};

use super::Registry;

/// The page cannot be served.
#[derive(Debug, thiserror::Error)]
#[error("cannot serve metrics at {address}: {why}")]
pub struct ServeError {
    /// Where.
    pub address: SocketAddr,
    /// Why not.
    pub why: String,
}

/// Serves the numbers at `/metrics` until it is dropped.
pub struct Server {
    http: Arc<tiny_http::Server>,
    address: SocketAddr,
    thread: Option<JoinHandle<()>>,
}

impl Server {
    /// Begins to serve. Port 0 takes any that is free.
    pub fn start(address: SocketAddr, registry: Registry) -> Result<Self, ServeError> {
        let wrong = |why: String| ServeError { address, why };
        let http = Arc::new(tiny_http::Server::http(address).map_err(|error| wrong(error.to_string()))?);
        let bound = http.server_addr().to_ip().unwrap_or(address);
        let serving = Arc::clone(&http);
        let serve = move || serving.incoming_requests().for_each(|request| answer(request, &registry));
        let thread = thread::Builder::new().name("metrics".into()).spawn(serve);
        let thread = thread.map_err(|error| wrong(error.to_string()))?;
        Ok(Self { http, address: bound, thread: Some(thread) })
    }

    /// Where it serves.
    pub const fn address(&self) -> SocketAddr {
        self.address
    }
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.http.unblock();
        if let Some(thread) = self.thread.take() {
            // A thread that broke off serves no more, which is what is wanted here.
            let _ = thread.join();
        }
    }
}

fn answer(request: Request, registry: &Registry) {
    let path = request.url().split('?').next().unwrap_or_default();
    let sent = if path != "/metrics" {
        request.respond(Response::from_string("the numbers are at /metrics\n").with_status_code(404))
    } else if !matches!(request.method(), Method::Get | Method::Head) {
        request.respond(Response::from_string("only GET\n").with_status_code(405))
    } else {
        let page = Response::from_string(registry.page().to_string());
        match Header::from_bytes("Content-Type", "text/plain; version=0.0.4; charset=utf-8") {
            Ok(kind) => request.respond(page.with_header(kind)),
            Err(()) => request.respond(page),
        }
    };
    if let Err(error) = sent {
        tracing::debug!(%error, "whoever asked for metrics did not wait for them");
    }
}
