//! Every role at every route. `roles.txt` says who may; a route that is not in it, or is no longer there, fails.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on should stop where it stands")]

mod support;

use std::collections::BTreeMap;

use axum::http::{Method, StatusCode};
use review::Store;
use review::accounts::{Entrance, Right, Role, Scope, Tables};
use review::server::{Route, routes};
use support::browser::Browser;
use support::{officer, site};

const ROLES: [(char, Role); 5] =
    [('o', Role::Officer), ('i', Role::Investigator), ('m', Role::Manager), ('a', Role::Auditor), ('x', Role::Admin)];

/// The lines of `roles.txt` by method and path.
fn said() -> BTreeMap<(String, String), String> {
    let lines = include_str!("roles.txt").lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    lines
        .map(|line| {
            let words: Vec<_> = line.split_whitespace().collect();
            let [method, path, who] = words[..] else { panic!("expected method, path and roles: {line}") };
            ((method.to_owned(), path.to_owned()), who.to_owned())
        })
        .collect()
}

/// An address that fits the route and names nothing there is.
fn filled(route: &Route) -> String {
    let pieces = route.path.split('/').map(|piece| match piece {
        "{id}" | "{shoe}" => "999999",
        "{kind}" => "flag",
        piece if piece.starts_with('{') => "nothing",
        piece => piece,
    });
    pieces.collect::<Vec<_>>().join("/")
}

#[test]
fn the_table_names_every_route_and_no_other() {
    let said = said();
    let there: BTreeMap<_, _> =
        routes().list().iter().map(|route| ((route.method.to_string(), route.path.clone()), route.right)).collect();
    let unsaid: Vec<_> = there.keys().filter(|route| !said.contains_key(*route)).collect();
    assert!(unsaid.is_empty(), "roles.txt does not say who may use {unsaid:?}");
    let gone: Vec<_> = said.keys().filter(|route| !there.contains_key(*route)).collect();
    assert!(gone.is_empty(), "roles.txt names routes that are not there: {gone:?}");
}

on_both! {
    async fn every_role_gets_what_the_table_says_and_nothing_else(store: Store) {
        let (site, _) = site(store);
        let said = said();
        for (letter, role) in ROLES {
            let user = officer(&site.store, role.name(), role).await;
            for route in routes().list() {
                let browser = Browser::of(&site, user.id).await;
                let who = &said[&(route.method.to_string(), route.path.clone())];
                let answer = browser.send(route.method.clone(), &filled(route), "application/json", "{}").await;
                let told = format!("{role} {} {}: {}", route.method, route.path, answer.status);
                assert!(!answer.status.is_server_error(), "{told}");
                let refused = answer.status == StatusCode::FORBIDDEN;
                assert_eq!(refused, !who.contains(letter) && who != "*", "{told}");
                assert_ne!(answer.status, StatusCode::UNAUTHORIZED, "{told}");
            }
        }
    }

    async fn nobody_gets_nothing_but_the_door(store: Store) {
        let (site, _) = site(store);
        let said = said();
        let browser = Browser::new(&site);
        for route in routes().list() {
            if said[&(route.method.to_string(), route.path.clone())] == "*" {
                continue;
            }
            let answer = browser.send(route.method.clone(), &filled(route), "application/json", "{}").await;
            let told = format!("{} {}: {}", route.method, route.path, answer.status);
            if route.path.starts_with("/api/") || route.method != Method::GET {
                assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{told}");
            } else {
                assert_eq!(answer.status, StatusCode::SEE_OTHER, "{told}");
                assert!(answer.header("location").starts_with("/login?next="), "{told}");
            }
        }
    }
}

#[test]
fn a_token_never_allows_more_than_its_scope_and_its_user() {
    let officer = |role, scopes: &[Scope]| review::accounts::Officer {
        id: 1,
        name: String::new(),
        full_name: String::new(),
        title: String::new(),
        role,
        tables: Tables::All,
        theme: String::new(),
        by: Entrance::Token { scopes: scopes.to_vec() },
    };
    for (_, role) in ROLES {
        for right in Right::ALL {
            assert!(role.has(*right) || !officer(role, Scope::ALL).may(*right), "{role} {right}");
            assert!(!officer(role, &[]).may(*right), "{role} {right}");
        }
    }
    let reader = officer(Role::Admin, &[Scope::Read]);
    assert!(
        reader.may(Right::Read)
            && !reader.may(Right::Decide)
            && !reader.may(Right::Export)
            && !reader.may(Right::Admin)
    );
}
