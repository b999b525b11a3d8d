//! The door: logging in and out in a browser.

use std::net::SocketAddr;

use askama::Template;
use axum::Form;
use axum::extract::{ConnectInfo, FromRequestParts, Path, Query, State};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use cookie::{Cookie, SameSite};
use serde::Deserialize;

use super::error::Failure;
use super::guard::{SESSION_COOKIE, session_cookie};
use super::routes::Routes;
use super::site::Site;
use crate::accounts::login::{self, Begun};
use crate::accounts::{Officer, Right};
use crate::pages::words;

pub(super) fn routes() -> Routes {
    Routes::new()
        .get("/login", Right::Anyone, show)
        .post("/login", Right::Anyone, log_in)
        .get("/login/once/{link}", Right::Anyone, once)
        .post("/logout", Right::Own, log_out)
}

/// Where the caller sits, as far as we can know.
pub(crate) struct Address(pub(crate) String);

impl FromRequestParts<Site> for Address {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, site: &Site) -> Result<Self, Self::Rejection> {
        // The proxy appends whom it saw; what stands before that, the caller may have made up.
        let told = parts.headers.get("x-forwarded-for").and_then(|value| value.to_str().ok()?.rsplit(',').next());
        let told = told.filter(|_| site.setup.behind_proxy).map(|address| address.trim().to_owned());
        let seen = || parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|seen| seen.0.ip().to_string());
        Ok(Self(told.or_else(seen).unwrap_or_default()))
    }
}

#[derive(Template)]
#[template(path = "login.html")]
struct LoginPage<'a> {
    site: &'a str,
    next: &'a str,
    name: &'a str,
    message: Option<&'a str>,
}

#[derive(Deserialize)]
struct Next {
    #[serde(default)]
    next: String,
}

#[derive(Deserialize)]
struct LoginForm {
    name: String,
    password: String,
    #[serde(default)]
    next: String,
}

async fn show(
    State(site): State<Site>,
    officer: Option<Officer>,
    Query(Next { next }): Query<Next>,
) -> Result<Response, Failure> {
    if officer.is_some() {
        return Ok(Redirect::to(within(&next)).into_response());
    }
    let page = LoginPage { site: &site.setup.site, next: within(&next), name: "", message: None };
    Ok(Html(page.render()?).into_response())
}

async fn log_in(State(site): State<Site>, address: Address, Form(form): Form<LoginForm>) -> Result<Response, Failure> {
    match login::with_password(&site, &form.name, &form.password, &address.0).await {
        Ok(begun) => Ok(enter(&site, &begun, within(&form.next))),
        Err(failure @ (Failure::Bad(_) | Failure::Wait(_))) => {
            let message = words::sentence(&failure.to_string());
            let next = within(&form.next);
            let page = LoginPage { site: &site.setup.site, next, name: &form.name, message: Some(&message) };
            let status =
                if let Failure::Wait(_) = failure { StatusCode::TOO_MANY_REQUESTS } else { StatusCode::UNAUTHORIZED };
            Ok((status, Html(page.render()?)).into_response())
        }
        Err(failure) => Err(failure),
    }
}

async fn once(State(site): State<Site>, address: Address, Path(link): Path<String>) -> Result<Response, Failure> {
    let begun = login::with_link(&site, &link, &address.0).await?;
    Ok(enter(&site, &begun, "/"))
}

async fn log_out(State(site): State<Site>, officer: Officer, headers: HeaderMap) -> Result<Response, Failure> {
    if let Some(cookie) = session_cookie(&headers) {
        login::log_out(&site, &officer.name, &cookie).await?;
    }
    let mut response = Redirect::to("/login").into_response();
    set_cookie(&mut response, cookie_for(&site, String::new()).max_age(cookie::time::Duration::ZERO).build());
    Ok(response)
}

fn enter(site: &Site, begun: &Begun, to: &str) -> Response {
    let mut response = Redirect::to(to).into_response();
    set_cookie(&mut response, cookie_for(site, begun.secret.clone()).build());
    response
}

fn cookie_for(site: &Site, value: String) -> cookie::CookieBuilder<'static> {
    Cookie::build((SESSION_COOKIE, value))
        .path("/")
        .http_only(true)
        .same_site(SameSite::Strict)
        .secure(site.setup.secure)
}

fn set_cookie(response: &mut Response, cookie: Cookie<'_>) {
    if let Ok(value) = HeaderValue::from_str(&cookie.to_string()) {
        response.headers_mut().append(header::SET_COOKIE, value);
    }
}

/// A place on this site, and none other: nobody is sent elsewhere by a link to our login.
pub(crate) fn within(next: &str) -> &str {
    let ours = next.starts_with('/') && !next.starts_with("//") && !next.contains(['\\', '\r', '\n']);
    if ours { next } else { "/" }
}

#[cfg(test)]
mod tests {
    use super::within;

    #[test]
    fn the_login_leads_nowhere_else() {
        assert_eq!(within("/rounds/BJ-04.17.212?step=3"), "/rounds/BJ-04.17.212?step=3");
        for elsewhere in ["//example.org", "https://example.org", "/\\example.org", "", "rounds"] {
            assert_eq!(within(elsewhere), "/", "{elsewhere}");
        }
    }
}
