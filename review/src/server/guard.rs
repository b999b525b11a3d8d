//! What every request passes: who is it, is the form ours, and the headers that keep browsers strict.

use std::convert::Infallible;

use axum::Router;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{FromRequestParts, OptionalFromRequestParts, Request, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use cookie::Cookie;

use super::error::{Failure, Told};
use super::site::Site;
use crate::accounts::{Entrance, Looks, Officer, Scope, secret};
use crate::store::StoreError;
use crate::store::users::User;

/// The cookie of a session.
pub const SESSION_COOKIE: &str = "fairdeal";
/// The header scripts send the form's secret in.
const CSRF_HEADER: &str = "x-csrf-token";
/// The largest form.
const LARGEST_FORM: usize = 1 << 20;
/// A session's last use is written down at most this often, in microseconds.
const TOUCH: i64 = 60_000_000;

/// Nothing from elsewhere, nothing inline, nobody's frame.
const HEADERS: &[(&str, &str)] = &[
    (
        "content-security-policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self'; connect-src 'self'; \
         font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "same-origin"),
    ("permissions-policy", "camera=(), microphone=(), geolocation=()"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
];

pub(super) fn around(router: Router<Site>, site: Site) -> Router {
    router
        .fallback(|| async { Failure::Missing("such page".to_owned()) })
        .method_not_allowed_fallback(|| async { Failure::Missing("such action".to_owned()) })
        .layer(middleware::from_fn_with_state(site.clone(), guard))
        .with_state(site)
}

async fn guard(State(site): State<Site>, request: Request, next: Next) -> Response {
    let api = request.uri().path().starts_with("/api/");
    let to = (request.method() == Method::GET)
        .then(|| request.uri().path_and_query().map(|path| path.as_str().to_owned()))
        .flatten();
    let mut theme = Looks::default().theme;
    let mut response = match admit(&site, request).await {
        Ok(request) => {
            if let Some(officer) = request.extensions().get::<Officer>() {
                theme.clone_from(&officer.looks.theme);
            }
            next.run(request).await
        }
        Err(failure) => failure.into_response(),
    };
    if let Some(told) = response.extensions_mut().remove::<Told>() {
        response = if api { told.as_json() } else { told.as_page(to.as_deref(), &theme) };
    }
    let headers = response.headers_mut();
    for (name, value) in HEADERS {
        headers.insert(HeaderName::from_static(name), HeaderValue::from_static(value));
    }
    if site.setup.secure {
        headers.insert(header::STRICT_TRANSPORT_SECURITY, HeaderValue::from_static("max-age=31536000"));
    }
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

/// Finds out who it is, and refuses forms that are not ours.
async fn admit(site: &Site, mut request: Request) -> Result<Request, Failure> {
    if let Some(officer) = whose(site, Credentials::of(request.headers())).await? {
        if let (Entrance::Session { csrf }, false) = (&officer.by, request.method().is_safe()) {
            let (sent, whole) = sent_secret(request).await?;
            if !sent.is_some_and(|sent| secret::same(&sent, csrf)) {
                return Err(Failure::Stale);
            }
            request = whole;
        }
        request.extensions_mut().insert(officer);
    } else if !request.method().is_safe() {
        same_origin(&request)?;
    }
    Ok(request)
}

/// A form sent by nobody (the login) must at least come from our own page.
fn same_origin(request: &Request) -> Result<(), Failure> {
    let text = |name: HeaderName| request.headers().get(name).and_then(|value| value.to_str().ok());
    // Browsers of today say it outright, whatever a proxy made of the host's name.
    if let Some(from) = text(HeaderName::from_static("sec-fetch-site")) {
        return if matches!(from, "same-origin" | "none") { Ok(()) } else { Err(Failure::Stale) };
    }
    let Some(origin) = text(header::ORIGIN) else { return Ok(()) };
    let host = text(header::HOST).unwrap_or_default();
    let ours = origin.split_once("://").is_some_and(|(_, rest)| rest == host);
    if ours { Ok(()) } else { Err(Failure::Stale) }
}

/// What a request shows at the door.
enum Credentials {
    Nothing,
    Bearer(String),
    Cookie(String),
}

impl Credentials {
    fn of(headers: &HeaderMap) -> Self {
        let bearer = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()?.strip_prefix("Bearer "));
        match (bearer, session_cookie(headers)) {
            (Some(bearer), _) => Self::Bearer(bearer.to_owned()),
            (None, Some(cookie)) => Self::Cookie(cookie),
            (None, None) => Self::Nothing,
        }
    }
}

async fn whose(site: &Site, credentials: Credentials) -> Result<Option<Officer>, StoreError> {
    let now = site.now();
    let token = match credentials {
        Credentials::Nothing => return Ok(None),
        Credentials::Bearer(bearer) => {
            let Some((user, scopes)) = site.store.api_token(&secret::hashed(&bearer), now).await? else {
                return Ok(None);
            };
            let scopes: Vec<Scope> = scopes.split_whitespace().filter_map(|scope| scope.parse().ok()).collect();
            return officer(site, user, Entrance::Token { scopes }).await;
        }
        Credentials::Cookie(cookie) => secret::hashed(&cookie),
    };
    let Some(session) = site.store.session(&token).await? else { return Ok(None) };
    let idle = i64::from(site.setup.idle_minutes) * 60_000_000;
    if session.expires_at <= now.micros() || session.seen_at.saturating_add(idle) <= now.micros() {
        return Ok(None);
    }
    if now.micros() - session.seen_at > TOUCH {
        site.store.touch_session(&token, now).await?;
    }
    officer(site, session.user_id, Entrance::Session { csrf: session.csrf }).await
}

async fn officer(site: &Site, user: i64, by: Entrance) -> Result<Option<Officer>, StoreError> {
    let Some(user) = site.store.user(user).await?.filter(|user| user.disabled_at.is_none()) else { return Ok(None) };
    let tables = site.store.tables_of(&user).await?;
    let User { id, name, full_name, title, role, looks, .. } = user;
    Ok(Some(Officer { id, name, full_name, title, role: role.0, tables, looks, by }))
}

/// The value of the session's cookie.
pub(crate) fn session_cookie(headers: &HeaderMap) -> Option<String> {
    headers
        .get_all(header::COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(Cookie::split_parse)
        .filter_map(Result::ok)
        .find(|cookie| cookie.name() == SESSION_COOKIE)
        .map(|cookie| cookie.value().to_owned())
}

/// The secret a request brings: in a header, or in a form, which is read and put back.
async fn sent_secret(request: Request) -> Result<(Option<String>, Request), Failure> {
    if let Some(sent) = request.headers().get(CSRF_HEADER).and_then(|value| value.to_str().ok()) {
        return Ok((Some(sent.to_owned()), request));
    }
    let is_form = request
        .headers()
        .get(header::CONTENT_TYPE)
        .is_some_and(|kind| kind.as_bytes().starts_with(b"application/x-www-form-urlencoded"));
    if !is_form {
        return Ok((None, request));
    }
    let (parts, body) = request.into_parts();
    let bytes: Bytes =
        to_bytes(body, LARGEST_FORM).await.map_err(|_| Failure::Bad("the form is too large".to_owned()))?;
    let sent =
        url::form_urlencoded::parse(&bytes).find(|(name, _)| name == "csrf").map(|(_, value)| value.into_owned());
    Ok((sent, Request::from_parts(parts, Body::from(bytes))))
}

impl OptionalFromRequestParts<Site> for Officer {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &Site) -> Result<Option<Self>, Infallible> {
        Ok(parts.extensions.get::<Self>().cloned())
    }
}

impl FromRequestParts<Site> for Officer {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &Site) -> Result<Self, Failure> {
        parts.extensions.get::<Self>().cloned().ok_or(Failure::LogIn)
    }
}
