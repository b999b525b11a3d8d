//! Routes that cannot be made without saying who may use them.

use axum::Router;
use axum::extract::Request;
use axum::handler::Handler;
use axum::http::Method;
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::{MethodFilter, on};

use super::error::Failure;
use super::site::Site;
use crate::accounts::{Officer, Right};

/// One route.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    /// How it is called.
    pub method: Method,
    /// Where, as axum writes it: `/flags/{id}`.
    pub path: String,
    /// Who may.
    pub right: Right,
}

/// Routes, and the list of them that tests go through.
#[derive(Default)]
pub struct Routes {
    router: Router<Site>,
    list: Vec<Route>,
}

impl Routes {
    /// None yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a route for `GET`.
    pub fn get<H: Handler<T, Site>, T: 'static>(self, path: &str, right: Right, handler: H) -> Self {
        self.on(Method::GET, MethodFilter::GET, path, right, handler)
    }

    /// Adds a route for `POST`.
    pub fn post<H: Handler<T, Site>, T: 'static>(self, path: &str, right: Right, handler: H) -> Self {
        self.on(Method::POST, MethodFilter::POST, path, right, handler)
    }

    /// Adds a route for `PUT`.
    pub fn put<H: Handler<T, Site>, T: 'static>(self, path: &str, right: Right, handler: H) -> Self {
        self.on(Method::PUT, MethodFilter::PUT, path, right, handler)
    }

    /// Adds a route for `DELETE`.
    pub fn delete<H: Handler<T, Site>, T: 'static>(self, path: &str, right: Right, handler: H) -> Self {
        self.on(Method::DELETE, MethodFilter::DELETE, path, right, handler)
    }

    fn on<H: Handler<T, Site>, T: 'static>(
        mut self,
        method: Method,
        filter: MethodFilter,
        path: &str,
        right: Right,
        handler: H,
    ) -> Self {
        let guarded = on(filter, handler)
            .layer(middleware::from_fn(move |request: Request, next: Next| allow(right, request, next)));
        self.router = self.router.route(path, guarded);
        self.list.push(Route { method, path: path.to_owned(), right });
        self
    }

    /// Adds the routes of another list below a path.
    pub fn nest(mut self, path: &str, other: Self) -> Self {
        self.router = self.router.nest(path, other.router);
        self.list.extend(other.list.into_iter().map(|route| Route { path: format!("{path}{}", route.path), ..route }));
        self
    }

    /// Adds the routes of another list.
    pub fn merge(mut self, other: Self) -> Self {
        self.router = self.router.merge(other.router);
        self.list.extend(other.list);
        self
    }

    /// Every route.
    pub fn list(&self) -> &[Route] {
        &self.list
    }

    pub(super) fn into_router(self) -> Router<Site> {
        self.router
    }
}

async fn allow(right: Right, request: Request, next: Next) -> Response {
    if right != Right::Anyone {
        match request.extensions().get::<Officer>() {
            None => return Failure::LogIn.into_response(),
            Some(officer) if !officer.may(right) => return Failure::Forbidden.into_response(),
            Some(_) => {}
        }
    }
    next.run(request).await
}
