//! The server: what every request passes through, and what the handlers share.

pub(crate) mod door;
mod error;
mod guard;
mod routes;
mod serve;
mod site;

pub use error::Failure;
pub use guard::SESSION_COOKIE;
pub use routes::{Route, Routes};
pub use serve::{ServeError, Tls, choose_cryptography, serve};
pub use site::{Clock, Live, Setup, Site, WallClock};

use axum::Router;

use crate::accounts::Right;

/// Every route there is, with the right it asks for.
pub fn routes() -> Routes {
    crate::pages::routes()
        .merge(door::routes())
        .get("/metrics", Right::Read, crate::api::metrics)
        .nest("/api", crate::api::routes())
}

/// The whole site as one service.
pub fn router(site: Site) -> Router {
    guard::around(routes().into_router(), site)
}
