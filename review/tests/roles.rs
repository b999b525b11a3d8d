//! Every role at every route. `roles.txt` says who may; a route that is not in it, or is no longer there, fails.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on should stop where it stands")]

mod support;

use std::collections::BTreeMap;

use axum::http::{Method, StatusCode};
use review::Store;
use review::accounts::{Entrance, Looks, Right, Role, Scope, Tables};
use review::server::{Route, routes};
use review::store::cases::{CaseKind, Fields, Member};
use review::store::notes::Subject;
use serde_json::json;
use support::browser::Browser;
use support::{at, evening, officer, officer_at, site};

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

    async fn a_case_tells_nobody_of_tables_they_may_not_see(store: Store) {
        let (site, _) = site(store);
        for table in ["BJ-04", "BJ-05"] {
            site.store.write("site", &evening(table), at(0)).await.unwrap();
        }
        let ida = officer(&site.store, "ida", Role::Investigator).await;
        let ben = officer_at(&site.store, "ben", Role::Investigator, Tables::Only(["BJ-05".to_owned()].into())).await;
        let fields = Fields { title: "Quarrel at four".to_owned(), persons: "Hemi".to_owned(), ..Fields::default() };
        let id = site.store.open_case(&ida, "site", CaseKind::Dispute, &fields, at(1)).await.unwrap();
        for subject in ["BJ-05.17.3.paid_a_push.1a", "BJ-04.17.3.paid_a_push.1a"] {
            site.store.add_to_case(&ida, id, Member::Flag, subject, at(2)).await.unwrap();
        }
        for (who, text) in [(&ida, "four paid twice"), (&ben, "asked the pit")] {
            site.store.add_note(who, Subject::Case, &id.to_string(), text, at(3)).await.unwrap();
        }
        let mut tx = site.store.begin().await.unwrap();
        let digest = review::log::sha256(b"a clip of four");
        tx.add_evidence(&digest, "video/mp4", 14, None, at(3)).await.unwrap();
        tx.link_evidence(&digest, Subject::Case, &id.to_string(), "clips/BJ-04.17.3.overhead.mp4").await.unwrap();
        tx.commit().await.unwrap();
        let secrets = ["Quarrel", "Hemi", "four paid twice", "BJ-04", &digest];

        let browser = Browser::of(&site, ben.id).await;
        for path in ["/cases".to_owned(), format!("/cases/{id}"), "/api/cases".to_owned(), format!("/api/cases/{id}")] {
            let answer = browser.get(&path).await;
            assert_eq!(answer.status, StatusCode::OK, "{path}");
            for secret in secrets {
                assert!(!answer.text().contains(secret), "{path} tells {secret}: {}", answer.text());
            }
        }
        let shown = browser.get(&format!("/api/cases/{id}")).await.json();
        assert_eq!((&shown["whole"], shown["members"].as_array().unwrap().len()), (&json!(false), 1), "{shown}");
        assert_eq!(shown["notes"][0]["text"], "asked the pit", "one's own notes are one's own");
        assert!(browser.get(&format!("/cases/{id}")).await.text().contains("asked the pit"));
        assert_eq!(browser.get(&format!("/api/evidence/{digest}")).await.status, StatusCode::NOT_FOUND);
        for (method, path) in [(Method::PUT, format!("/api/cases/{id}")), (Method::POST, format!("/api/cases/{id}/lock"))] {
            let body = json!({ "title": "mine now" }).to_string();
            let answer = browser.send(method, &path, "application/json", body).await;
            assert_eq!(answer.status, StatusCode::CONFLICT, "{path}: {}", answer.text());
        }
        // What was taken out is still written about.
        site.store.take_from_case(&ida, id, Member::Flag, "BJ-04.17.3.paid_a_push.1a", at(4)).await.unwrap();
        assert!(!browser.get(&format!("/cases/{id}")).await.text().contains("four paid twice"));
        let whole = Browser::of(&site, ida.id).await.get(&format!("/api/cases/{id}")).await.json();
        assert_eq!((&whole["whole"], whole["notes"].as_array().unwrap().len()), (&json!(true), 2), "{whole}");
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
        looks: Looks::default(),
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
