//! What a request gets when it does not get what it asked for.

use askama::Template;
use axum::Json;
use axum::http::{StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};

use crate::pages::words;
use crate::store::StoreError;

/// Why a request is not served. Becomes JSON below `/api` and a page elsewhere.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// Nobody is logged in.
    #[error("please log in")]
    LogIn,
    /// Their role, token or tables do not include this.
    #[error("your account does not include this")]
    Forbidden,
    /// The form was not ours, or is too old.
    #[error("this form is out of date; load the page again")]
    Stale,
    /// There is no such thing.
    #[error("there is no {0}")]
    Missing(String),
    /// The request makes no sense; says why.
    #[error("{0}")]
    Bad(String),
    /// It cannot be done as things stand; says why.
    #[error("{0}")]
    Refused(String),
    /// Too often.
    #[error("too many attempts; try again in {0} seconds")]
    Wait(u64),
    /// We failed. The details go to the log, not to the screen.
    #[error("something went wrong on our side; it has been written down")]
    Broken(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl Failure {
    /// The HTTP status it is told with.
    pub const fn status(&self) -> StatusCode {
        match self {
            Self::LogIn => StatusCode::UNAUTHORIZED,
            Self::Forbidden | Self::Stale => StatusCode::FORBIDDEN,
            Self::Missing(_) => StatusCode::NOT_FOUND,
            Self::Bad(_) => StatusCode::BAD_REQUEST,
            Self::Refused(_) => StatusCode::CONFLICT,
            Self::Wait(_) => StatusCode::TOO_MANY_REQUESTS,
            Self::Broken(_) => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// Wraps a failure of ours.
    pub fn broken(error: impl std::error::Error + Send + Sync + 'static) -> Self {
        Self::Broken(Box::new(error))
    }
}

/// PostgreSQL's code for a text with a character that it cannot hold.
const NOT_TEXT: &str = "22021";

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Missing(what) => Self::Missing(what),
            StoreError::Refused(why) => Self::Refused(why),
            // PostgreSQL holds no text with a zero byte, and says so only when it gets one.
            StoreError::Database(sqlx::Error::Database(error)) if error.code().as_deref() == Some(NOT_TEXT) => {
                Self::Bad("a text holds a character that cannot be stored".to_owned())
            }
            other => Self::broken(other),
        }
    }
}

impl From<askama::Error> for Failure {
    fn from(error: askama::Error) -> Self {
        Self::broken(error)
    }
}

/// A failure on its way out, which the guard turns into JSON or a page.
#[derive(Clone, Debug)]
pub(super) struct Told {
    pub(super) status: StatusCode,
    pub(super) message: String,
    pub(super) wait: Option<u64>,
}

impl IntoResponse for Failure {
    fn into_response(self) -> Response {
        if let Self::Broken(source) = &self {
            let mut causes = vec![source.to_string()];
            let mut cause = source.source();
            while let Some(next) = cause {
                causes.push(next.to_string());
                cause = next.source();
            }
            tracing::error!(error = causes.join(": "), "a request failed");
        }
        let wait = if let Self::Wait(seconds) = self { Some(seconds) } else { None };
        let told = Told { status: self.status(), message: self.to_string(), wait };
        let mut response = told.status.into_response();
        response.extensions_mut().insert(told);
        response
    }
}

/// The page that says what went wrong.
#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage<'a> {
    theme: &'a str,
    status: u16,
    message: &'a str,
}

impl Told {
    /// As a program wants it.
    pub(super) fn as_json(&self) -> Response {
        self.timed((self.status, Json(serde_json::json!({ "error": self.message }))).into_response())
    }

    /// As a person wants it, light or dark as they chose; who must log in is sent there, and back to `to` afterwards.
    pub(super) fn as_page(&self, to: Option<&str>, theme: &str) -> Response {
        if let (StatusCode::UNAUTHORIZED, Some(to)) = (self.status, to) {
            let next: String = url::form_urlencoded::byte_serialize(to.as_bytes()).collect();
            return Redirect::to(&format!("/login?next={next}")).into_response();
        }
        let page = ErrorPage { theme, status: self.status.as_u16(), message: &words::sentence(&self.message) };
        let text = page.render().unwrap_or_else(|_| self.message.clone());
        self.timed((self.status, Html(text)).into_response())
    }

    fn timed(&self, mut response: Response) -> Response {
        if let Some(wait) = self.wait {
            response.headers_mut().insert(header::RETRY_AFTER, wait.into());
        }
        response
    }
}
