//! The officers' pages: server-rendered, complete before any script runs.
//!
//! A page is a file here with its handler, and a template of the same name. What it shows comes from the store in the
//! words of `words`, drawn by [`crate::draw`], inside the `frame` that all pages share.

pub(crate) mod account;
mod assets;
pub(crate) mod calculator;
pub(crate) mod calibration;
mod cases;
mod flag;
pub(crate) mod footage;
mod frame;
pub(crate) mod health;
mod house;
mod instant;
mod people;
mod queue;
pub(crate) mod round;
pub(crate) mod rules;
pub(crate) mod search;
pub(crate) mod shoe;
mod shuffle;
pub(crate) mod shuffles;
pub(crate) mod words;

pub(crate) use cases::told as case_told;
pub(crate) use flag::FlagView;
pub(crate) use frame::Frame;
pub(crate) use queue::{told as decision_told, view};
pub(crate) use round::scene::{last_card, ledger, picture_of, step_of};
pub(crate) use round::{as_corrected, corrected as correction_told};

use crate::accounts::Right;
use crate::server::Routes;

/// Every page.
pub fn routes() -> Routes {
    Routes::new()
        .get("/assets/{version}/{name}", Right::Anyone, assets::asset)
        .get("/", Right::Read, queue::show)
        .post("/filters", Right::Own, queue::keep)
        .post("/filters/{id}/forget", Right::Own, queue::forget)
        .get("/flags/{flag}/preview", Right::Read, queue::preview)
        .post("/flags/decide", Right::Decide, queue::decide_many)
        .post("/flags/{flag}/decide", Right::Decide, queue::decide)
        .post("/flags/{flag}/note", Right::Decide, queue::note)
        .get("/rounds/{round}", Right::Read, round::show)
        .get("/rounds/{round}/felt", Right::Read, round::felt)
        .get("/rounds/{round}/ledger", Right::Read, round::ledger)
        .get("/rounds/{round}/still", Right::Read, footage::still)
        .get("/rounds/{round}/frames", Right::Read, footage::frames)
        .post("/rounds/{round}/correct", Right::Investigate, round::correct)
        .post("/rounds/{round}/note", Right::Decide, round::note)
        .get("/shoes/{table}/{shoe}", Right::Read, shoe::show)
        .get("/dealers", Right::Read, people::dealers)
        .get("/dealers/{name}", Right::Read, people::dealer)
        .get("/dealers/{name}/shuffles", Right::Read, shuffles::of_dealer)
        .get("/tables", Right::Read, people::tables)
        .get("/tables/{name}", Right::Read, people::table)
        .get("/tables/{name}/shuffles", Right::Read, shuffles::of_table)
        .get("/shufflers/{name}/shuffles", Right::Read, shuffles::of_shuffler)
        .get("/cases", Right::Read, cases::list)
        .get("/cases/new", Right::Investigate, cases::new)
        .post("/cases", Right::Investigate, cases::open)
        .get("/cases/{id}", Right::Read, cases::show)
        .post("/cases/{id}", Right::Investigate, cases::write)
        .post("/cases/{id}/members", Right::Investigate, cases::add)
        .post("/cases/{id}/members/take", Right::Investigate, cases::take)
        .post("/cases/{id}/state", Right::Investigate, cases::close)
        .post("/cases/{id}/lock", Right::Investigate, cases::lock)
        .post("/cases/{id}/export", Right::Export, cases::export)
        .post("/cases/{id}/note", Right::Decide, cases::note)
        .get("/calculator", Right::Read, calculator::show)
        .get("/rules", Right::Read, rules::books)
        .get("/rules/{book}", Right::Read, rules::book)
        .get("/rules/clauses/{id}", Right::Read, rules::clause)
        .get("/rules/checks/{name}", Right::Read, rules::check)
        .get("/health", Right::Read, health::show)
        .get("/calibration/{table}", Right::Manage, calibration::show)
        .post("/calibration/{table}", Right::Manage, calibration::save)
        .get("/search", Right::Read, search::search)
        .get("/account", Right::Own, account::show)
        .post("/account/theme", Right::Own, account::theme)
        .post("/account/suits", Right::Own, account::suits)
        .post("/account/password", Right::Own, account::change)
        .get("/users", Right::Admin, house::users)
        .post("/users", Right::Admin, house::add_user)
        .post("/users/{name}", Right::Admin, house::change_user)
        .post("/users/{name}/password", Right::Admin, house::reset_password)
        .get("/settings", Right::Manage, house::settings)
        .post("/settings/{name}", Right::Manage, house::set)
        .post("/holds", Right::Manage, house::hold)
        .post("/holds/{id}/release", Right::Manage, house::release)
        .post("/subscribers", Right::Manage, house::subscribe)
        .post("/subscribers/{id}/remove", Right::Manage, house::unsubscribe)
        .get("/log", Right::History, account::log)
}
