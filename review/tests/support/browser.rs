//! Requests to a site as a browser or a program would make them.

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{HeaderMap, Method, Request, StatusCode, header};
use review::accounts::secret;
use review::{Site, router};
use serde_json::Value;
use table::Utc;
use tower::ServiceExt;

/// What came back.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| panic!("not JSON: {}", self.text()))
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

/// Somebody with a screen.
#[derive(Clone)]
pub(crate) struct Browser {
    pub(crate) router: Router,
    pub(crate) cookie: Option<String>,
    pub(crate) csrf: Option<String>,
    pub(crate) bearer: Option<String>,
}

impl Browser {
    /// Nobody in particular.
    pub(crate) fn new(site: &Site) -> Self {
        Self { router: router(site.clone()), cookie: None, csrf: None, bearer: None }
    }

    /// Somebody logged in.
    pub(crate) async fn of(site: &Site, user: i64) -> Self {
        let [cookie, csrf] = [secret::fresh().unwrap(), secret::fresh().unwrap()];
        let now = site.now();
        let until = Utc::from_micros(now.micros() + 12 * 3_600_000_000).unwrap();
        let mut tx = site.store.begin().await.unwrap();
        tx.add_session(&secret::hashed(&cookie), user, &csrf, now, until, "").await.unwrap();
        tx.commit().await.unwrap();
        Self { cookie: Some(cookie), csrf: Some(csrf), ..Self::new(site) }
    }

    pub(crate) async fn send(&self, method: Method, path: &str, kind: &str, body: impl Into<Body>) -> Answer {
        let mut request = Request::builder().method(method).uri(path).header(header::CONTENT_TYPE, kind);
        if let Some(cookie) = &self.cookie {
            request = request.header(header::COOKIE, format!("fairdeal={cookie}"));
        }
        if let Some(csrf) = &self.csrf {
            request = request.header("x-csrf-token", csrf);
        }
        if let Some(bearer) = &self.bearer {
            request = request.header(header::AUTHORIZATION, format!("Bearer {bearer}"));
        }
        let response = self.router.clone().oneshot(request.body(body.into()).unwrap()).await.unwrap();
        let (parts, body) = response.into_parts();
        let endless = parts.headers.get(header::CONTENT_TYPE).is_some_and(|kind| kind == "text/event-stream");
        let body = if endless { Vec::new() } else { to_bytes(body, 1 << 26).await.unwrap().to_vec() };
        Answer { status: parts.status, headers: parts.headers, body }
    }

    pub(crate) async fn get(&self, path: &str) -> Answer {
        self.send(Method::GET, path, "", Body::empty()).await
    }

    pub(crate) async fn post(&self, path: &str, json: Value) -> Answer {
        self.send(Method::POST, path, "application/json", json.to_string()).await
    }

    pub(crate) async fn form(&self, path: &str, form: &str) -> Answer {
        self.send(Method::POST, path, "application/x-www-form-urlencoded", form.to_owned()).await
    }
}
