//! The HTTP API: everything the pages do, for programs.
//!
//! Every handler is described beside its code; `/api/openapi.json` is made of those descriptions, and a test sees that it
//! names every route.

mod account;
mod calibration;
mod cases;
mod flags;
mod live;
mod metrics;
mod pictures;
mod rounds;
mod rules;
mod search;
mod shuffles;
mod site;
mod users;

use axum::Json;
use axum::extract::rejection::{FormRejection, JsonRejection, PathRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts};
use serde_json::Value;
use utoipa::OpenApi;

use crate::accounts::Right;
use crate::filter::BadFilter;
use crate::server::{Failure, Routes};

pub(crate) use cases::{download, exists};
pub(crate) use flags::moved;
pub use metrics::metrics;
pub(crate) use site::{NewHold, NewSubscriber, add_subscriber, change_setting, place_hold};
pub(crate) use users::{Account, Change, change_account, make_account, reset_password};

/// Every route of the API.
pub fn routes() -> Routes {
    Routes::new()
        .get("/openapi.json", Right::Anyone, openapi)
        .merge(account::routes())
        .merge(flags::routes())
        .merge(rounds::routes())
        .merge(pictures::routes())
        .merge(shuffles::routes())
        .merge(rules::routes())
        .merge(search::routes())
        .merge(calibration::routes())
        .merge(cases::routes())
        .merge(site::routes())
        .merge(users::routes())
        .merge(live::routes())
}

/// The body of a request.
#[derive(FromRequest)]
#[from_request(via(axum::Json), rejection(Failure))]
pub(crate) struct Body<T>(pub(crate) T);

/// What stands after the question mark.
#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Query), rejection(Failure))]
pub(crate) struct Asked<T>(pub(crate) T);

/// What the address names.
#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Path), rejection(Failure))]
pub(crate) struct Named<T>(pub(crate) T);

macro_rules! bad {
    ($($rejection:ty),+) => {
        $(impl From<$rejection> for Failure {
            fn from(rejection: $rejection) -> Self {
                Self::Bad(rejection.body_text())
            }
        })+
    };
}

bad!(FormRejection, JsonRejection, PathRejection, QueryRejection);

impl From<BadFilter> for Failure {
    fn from(bad: BadFilter) -> Self {
        Self::Bad(bad.to_string())
    }
}

/// What a handler gives.
pub(crate) type Answer = Result<Json<Value>, Failure>;

/// Anything that serializes, as an answer.
pub(crate) fn answer(value: &impl serde::Serialize) -> Answer {
    serde_json::to_value(value).map(Json).map_err(Failure::broken)
}

/// The description of the API.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "Fairdeal",
        description = "Rounds, flags, decisions and cases of a site. Send an API token as \
        `Authorization: Bearer …`. Times are microseconds of UTC unless they are written out; money is in minor units."
    ),
    paths(
        account::me,
        account::looks,
        account::password,
        flags::list,
        flags::csv,
        flags::show,
        flags::decide,
        flags::undo,
        flags::note,
        flags::unread,
        flags::filters,
        flags::save_filter,
        flags::forget_filter,
        rounds::show,
        rounds::correct,
        rounds::note,
        rounds::ledger,
        rounds::shoe,
        rounds::shoes,
        rounds::dealers,
        rounds::tables,
        pictures::still,
        pictures::frames,
        shuffles::report,
        shuffles::of_dealer,
        shuffles::of_table,
        shuffles::of_shuffler,
        rules::books,
        rules::book,
        rules::clause,
        rules::check,
        rules::calculate,
        rules::settle,
        search::find,
        calibration::show,
        calibration::keep,
        cases::list,
        cases::open,
        cases::show,
        cases::edit,
        cases::add,
        cases::take,
        cases::close,
        cases::lock,
        cases::assign,
        cases::note,
        cases::export,
        site::health,
        site::holds,
        site::hold,
        site::release,
        site::settings,
        site::set,
        site::subscribers,
        site::subscribe,
        site::unsubscribe,
        site::log,
        site::evidence,
        users::list,
        users::add,
        users::change,
        users::password,
        users::tokens,
        users::add_token,
        users::revoke_token,
        live::live,
    )
)]
struct Description;

/// The description of the API as OpenAPI.
pub fn description() -> utoipa::openapi::OpenApi {
    Description::openapi()
}

async fn openapi() -> Answer {
    answer(&description())
}
