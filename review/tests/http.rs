//! The door, the forms and the API, as browsers and programs meet them.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on should stop where it stands")]

mod support;

use axum::body::Body;
use axum::http::{Method, StatusCode};
use review::Store;
use review::accounts::{Role, Scope, Tables, password, secret};
use review::server::{Live, routes};
use review::store::users::NewToken;
use serde_json::json;
use support::browser::Browser;
use support::{at, evening, officer, officer_at, site};

const PUSH: &str = "BJ-04.17.3.paid_a_push.1a";
const PASSWORD: &str = "correct horse battery";

async fn with_password(store: &Store, name: &str) {
    let mut tx = store.begin().await.unwrap();
    tx.set_password(name, &password::hash(PASSWORD).unwrap(), at(0), "test").await.unwrap();
    tx.commit().await.unwrap();
}

/// The session's secret out of the answer's cookie.
fn cookie(answer: &support::browser::Answer) -> String {
    let cookie = answer.header("set-cookie");
    cookie.strip_prefix("fairdeal=").unwrap().split(';').next().unwrap().to_owned()
}

on_both! {
    async fn a_password_opens_the_door_and_logging_out_shuts_it(store: Store) {
        let (site, clock) = site(store);
        officer(&site.store, "ana", Role::Officer).await;
        with_password(&site.store, "ana").await;
        let mut browser = Browser::new(&site);

        let wrong = browser.form("/login", "name=ana&password=correct+horse+batterz").await;
        assert_eq!(wrong.status, StatusCode::UNAUTHORIZED);
        assert!(wrong.text().contains("Name or password is wrong."));
        let right = browser.form("/login", "name=ana&password=correct+horse+battery&next=/cases").await;
        assert_eq!((right.status, right.header("location")), (StatusCode::SEE_OTHER, "/cases"));
        let set = right.header("set-cookie");
        assert!(set.contains("HttpOnly") && set.contains("SameSite=Strict") && set.contains("Path=/"), "{set}");

        browser.cookie = Some(cookie(&right));
        assert_eq!(browser.get("/api/me").await.json()["name"], "ana");
        assert_eq!(browser.post("/logout", json!({})).await.status, StatusCode::FORBIDDEN, "not without the form's secret");
        let session = site.store.session(&secret::hashed(browser.cookie.as_deref().unwrap())).await.unwrap().unwrap();
        let out = browser.form("/logout", &format!("csrf={}", session.csrf)).await;
        assert_eq!((out.status, out.header("location")), (StatusCode::SEE_OTHER, "/login"));
        assert_eq!(browser.get("/api/me").await.status, StatusCode::UNAUTHORIZED);
        drop(clock);
    }

    async fn wrong_passwords_lock_the_account_for_longer_and_longer(store: Store) {
        let (site, clock) = site(store);
        officer(&site.store, "ana", Role::Officer).await;
        with_password(&site.store, "ana").await;
        let browser = Browser::new(&site);
        for _ in 0..5 {
            assert_eq!(browser.form("/login", "name=ana&password=x").await.status, StatusCode::UNAUTHORIZED);
        }
        let right = "name=ana&password=correct+horse+battery";
        let locked = browser.form("/login", right).await;
        assert_eq!(locked.status, StatusCode::TOO_MANY_REQUESTS, "even the right password waits");
        assert!(locked.text().contains("try again in 31 seconds"), "{}", locked.text());
        clock.pass(31);
        assert_eq!(browser.form("/login", "name=ana&password=x").await.status, StatusCode::UNAUTHORIZED);
        clock.pass(31);
        assert_eq!(browser.form("/login", right).await.status, StatusCode::TOO_MANY_REQUESTS, "twice as long");
        clock.pass(30);
        assert_eq!(browser.form("/login", right).await.status, StatusCode::SEE_OTHER);
    }

    async fn sessions_end_after_rest_and_after_a_shift(store: Store) {
        let (site, clock) = site(store);
        let ana = officer(&site.store, "ana", Role::Officer).await;
        let browser = Browser::of(&site, ana.id).await;
        clock.pass(59 * 60);
        assert_eq!(browser.get("/api/me").await.status, StatusCode::OK);
        clock.pass(61 * 60);
        assert_eq!(browser.get("/api/me").await.status, StatusCode::UNAUTHORIZED, "an hour of rest");
        let browser = Browser::of(&site, ana.id).await;
        for _ in 0..23 {
            clock.pass(30 * 60);
            assert_eq!(browser.get("/api/me").await.status, StatusCode::OK);
        }
        clock.pass(31 * 60);
        assert_eq!(browser.get("/api/me").await.status, StatusCode::UNAUTHORIZED, "twelve hours");
    }

    async fn a_login_link_works_once(store: Store) {
        let (site, clock) = site(store);
        officer(&site.store, "ana", Role::Officer).await;
        let link = secret::fresh().unwrap();
        let mut tx = site.store.begin().await.unwrap();
        tx.add_login_link("ana", &secret::hashed(&link), at(600), at(0), "test").await.unwrap();
        tx.commit().await.unwrap();
        let browser = Browser::new(&site);
        assert_eq!(browser.get(&format!("/login/once/{link}")).await.status, StatusCode::SEE_OTHER);
        assert_eq!(browser.get(&format!("/login/once/{link}")).await.status, StatusCode::BAD_REQUEST);
        assert_eq!(browser.get("/login/once/another").await.status, StatusCode::BAD_REQUEST);
        drop(clock);
    }

    async fn a_closed_account_is_out_at_once(store: Store) {
        let (site, _) = site(store);
        let ana = officer(&site.store, "ana", Role::Officer).await;
        let browser = Browser::of(&site, ana.id).await;
        let mut tx = site.store.begin().await.unwrap();
        tx.disable_user("ana", true, at(0), "test").await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(browser.get("/api/me").await.status, StatusCode::UNAUTHORIZED);
    }

    async fn forms_of_others_are_refused(store: Store) {
        let (site, _) = site(store);
        let ana = officer(&site.store, "ana", Role::Officer).await;
        site.store.write("site", &evening("BJ-04"), at(0)).await.unwrap();
        let mut browser = Browser::of(&site, ana.id).await;
        let decide = json!({ "flags": [PUSH], "action": "confirm" });
        browser.csrf = Some("somebody else's".to_owned());
        assert_eq!(browser.post("/api/flags/decide", decide.clone()).await.status, StatusCode::FORBIDDEN);
        browser.csrf = None;
        assert_eq!(browser.post("/api/flags/decide", decide).await.status, StatusCode::FORBIDDEN);
        assert_eq!(site.store.flag(&ana, PUSH).await.unwrap().state, "new");
    }

    async fn tokens_do_what_their_scope_says(store: Store) {
        let (site, clock) = site(store);
        officer(&site.store, "ana", Role::Admin).await;
        site.store.write("site", &evening("BJ-04"), at(0)).await.unwrap();
        let mut tx = site.store.begin().await.unwrap();
        let id = tx.add_token("ana", &NewToken { name: "wall", hash: &secret::hashed("wall"), scopes: &[Scope::Read], expires: Some(at(3600)) }, at(0), "test").await.unwrap();
        tx.add_token("ana", &NewToken { name: "desk", hash: &secret::hashed("desk"), scopes: &[Scope::Read, Scope::Decide], expires: None }, at(0), "test").await.unwrap();
        tx.commit().await.unwrap();
        let wall = Browser { bearer: Some("wall".to_owned()), ..Browser::new(&site) };
        let desk = Browser { bearer: Some("desk".to_owned()), ..Browser::new(&site) };
        let decide = json!({ "flags": [PUSH], "action": "dismiss", "reason": "a test" });
        assert_eq!(wall.get("/api/flags").await.json()["flags"].as_array().unwrap().len(), 3);
        assert_eq!(wall.post("/api/flags/decide", decide.clone()).await.status, StatusCode::FORBIDDEN);
        assert_eq!(wall.get("/api/users").await.status, StatusCode::FORBIDDEN);
        let me = wall.get("/api/me").await;
        assert_eq!((me.status, &me.json()["name"]), (StatusCode::OK, &json!("ana")));
        assert_eq!(me.json()["rights"], json!(["anyone", "known", "read", "history"]), "of the token, not of the account");
        assert_eq!(desk.post("/api/flags/decide", decide).await.status, StatusCode::OK);
        clock.pass(3601);
        assert_eq!(wall.get("/api/flags").await.status, StatusCode::UNAUTHORIZED, "expired");
        let mut tx = site.store.begin().await.unwrap();
        tx.revoke_token(id + 1, at(0), "test").await.unwrap();
        tx.commit().await.unwrap();
        assert_eq!(desk.get("/api/flags").await.status, StatusCode::UNAUTHORIZED, "revoked");
    }

    async fn a_flag_is_the_contracts_with_where_it_stands(store: Store) {
        let (site, _) = site(store);
        let ana = officer(&site.store, "ana", Role::Officer).await;
        site.store.write("site", &evening("BJ-04"), at(0)).await.unwrap();
        let browser = Browser::of(&site, ana.id).await;
        let mut screens = site.live.subscribe();

        let decided = browser.post("/api/flags/decide", json!({ "flags": [PUSH], "action": "escalate", "reason": "look" })).await;

        assert_eq!(decided.status, StatusCode::OK, "{}", decided.text());
        let Live::Flag { flag, state, .. } = screens.recv().await.unwrap();
        assert_eq!((flag.as_str(), state.as_str()), (PUSH, "escalated"));
        let shown = browser.get(&format!("/api/flags/{PUSH}")).await.json();
        assert_eq!(shown["flag"]["id"], PUSH);
        assert_eq!(shown["flag"]["clause"], "nz-5.1(e)");
        assert_eq!(shown["flag"]["money"], json!({ "amount": 2500, "favours": "player" }));
        assert_eq!((&shown["flag"]["state"], &shown["flag"]["decided_by"]), (&json!("escalated"), &json!("ana")));
        assert_eq!(shown["decisions"][0]["reason"], "look");
        let undone = browser.post(&format!("/api/decisions/{}/undo", shown["decisions"][0]["id"]), json!({})).await;
        assert_eq!(undone.json()["flag"], PUSH);
        let log = site.store.log_from(1, 1000).await.unwrap();
        let deeds: Vec<_> = log.iter().filter(|entry| entry.actor == "ana").map(|entry| entry.action.as_str()).collect();
        assert_eq!(deeds, ["escalate", "view", "undo"]);
    }

    async fn a_table_of_flags_is_exported_and_the_log_says_so(store: Store) {
        let (site, _) = site(store);
        let ida = officer(&site.store, "ida", Role::Investigator).await;
        site.store.write("site", &evening("BJ-04"), at(0)).await.unwrap();
        let answer = Browser::of(&site, ida.id).await.get("/api/flags.csv?order=time").await;
        assert_eq!(answer.header("content-type"), "text/csv; charset=utf-8");
        let mut csv = csv::Reader::from_reader(answer.body.as_slice());
        assert_eq!(csv.records().map(|record| record.unwrap()).filter(|record| &record[1] == "BJ-04").count(), 3);
        let last = site.store.log_before(i64::MAX, 1).await.unwrap().remove(0);
        assert_eq!((last.action.as_str(), last.actor.as_str()), ("export", "ida"));
        assert!(last.detail.contains(&review::log::sha256(&answer.body)));
    }

    async fn a_misread_card_is_corrected_and_a_step_without_card_is_not(store: Store) {
        let (site, _) = site(store);
        let ida = officer(&site.store, "ida", Role::Investigator).await;
        let evening = evening("BJ-04");
        site.store.write("site", &evening, at(0)).await.unwrap();
        let browser = Browser::of(&site, ida.id).await;
        let steps = &evening[2].round.steps;
        let with_card = steps.iter().position(|step| matches!(step.act, table::Act::Card { .. })).unwrap();
        let path = "/api/rounds/BJ-04.17.3/corrections";
        let done = browser.post(path, json!({ "step": with_card, "becomes": "7H", "reason": "glare" })).await;
        assert_eq!(done.status, StatusCode::OK, "{}", done.text());
        assert_eq!(browser.post(path, json!({ "step": 9999, "becomes": "7H", "reason": "glare" })).await.status, StatusCode::BAD_REQUEST);
        assert_eq!(browser.post(path, json!({ "step": 0, "becomes": "7X", "reason": "glare" })).await.status, StatusCode::BAD_REQUEST);
        let shown = browser.get("/api/rounds/BJ-04.17.3").await.json();
        assert_eq!(shown["corrections"][0]["becomes"], "7H");
        assert_eq!(shown["flags"][0]["id"], PUSH);
    }

    async fn a_text_that_cannot_be_stored_is_refused_and_breaks_nothing(store: Store) {
        let (site, _) = site(store);
        let ada = officer(&site.store, "ada", Role::Admin).await;
        site.store.write("site", &evening("BJ-04"), at(0)).await.unwrap();
        let browser = Browser::of(&site, ada.id).await;
        let odd = "a\u{0}b";
        for (path, body) in [
            (format!("/api/flags/{PUSH}/notes"), json!({ "text": odd })),
            (format!("/api/flags/{PUSH}/notes"), json!({ "text": "\u{0}b" })),
            ("/api/filters".to_owned(), json!({ "name": "\u{0}b", "query": "" })),
            ("/api/filters".to_owned(), json!({ "name": odd, "query": "" })),
            ("/api/cases".to_owned(), json!({ "kind": "dispute", "fields": { "title": odd } })),
            ("/api/flags/decide".to_owned(), json!({ "flags": [PUSH], "action": "confirm", "reason": odd })),
            ("/api/flags/decide".to_owned(), json!({ "flags": [odd], "action": "confirm", "reason": "" })),
        ] {
            let answer = browser.post(&path, body).await;
            assert!(!answer.status.is_server_error(), "{path}: {}", answer.text());
        }
        for path in ["/api/flags?dealer=%00", "/api/rounds/%00.1.1", "/api/flags/%00", "/search?q=%00", "/dealers/%00"] {
            let answer = browser.get(path).await;
            assert!(!answer.status.is_server_error(), "{path}: {}", answer.text());
        }
    }

    async fn what_is_not_of_ones_tables_is_not_there(store: Store) {
        let (site, _) = site(store);
        let ben = officer_at(&site.store, "ben", Role::Investigator, Tables::Only(["BJ-05".to_owned()].into())).await;
        site.store.write("site", &evening("BJ-04"), at(0)).await.unwrap();
        let browser = Browser::of(&site, ben.id).await;
        for path in [&format!("/api/flags/{PUSH}"), "/api/rounds/BJ-04.17.3", "/api/shoes/BJ-04/17"] {
            assert_eq!(browser.get(path).await.status, StatusCode::NOT_FOUND, "{path}");
        }
        assert_eq!(browser.get("/api/tables?from=2000-01-01T00:00:00Z").await.json()["tables"], json!([]));
        let csv = browser.get("/api/flags.csv").await.text();
        assert_eq!(csv.lines().count(), 1, "{csv}");
    }

    async fn settings_holds_and_accounts_go_through_the_api(store: Store) {
        let (site, _) = site(store);
        let ada = officer(&site.store, "ada", Role::Admin).await;
        let browser = Browser::of(&site, ada.id).await;
        let put = |path: &'static str, json: serde_json::Value| {
            let browser = browser.clone();
            async move { browser.send(Method::PUT, path, "application/json", json.to_string()).await.status }
        };
        assert_eq!(put("/api/settings/keep-rounds-days", json!({ "value": "400" })).await, StatusCode::OK);
        assert_eq!(put("/api/settings/keep-rounds-days", json!({ "value": "1" })).await, StatusCode::BAD_REQUEST);
        assert_eq!(put("/api/settings/colour", json!({ "value": "1" })).await, StatusCode::NOT_FOUND);
        let hold = json!({ "table": "BJ-04", "from": at(0), "until": at(60), "reason": "police" });
        let held = browser.post("/api/holds", hold).await;
        assert_eq!(browser.post(&format!("/api/holds/{}/release", held.json()["id"]), json!({})).await.status, StatusCode::OK);
        let new = json!({ "name": "ben", "full_name": "Ben", "role": "officer", "password": "too short", "tables": ["BJ-04"] });
        assert_eq!(browser.post("/api/users", new.clone()).await.status, StatusCode::BAD_REQUEST);
        let mut longer = new;
        longer["password"] = json!(PASSWORD);
        assert_eq!(browser.post("/api/users", longer.clone()).await.status, StatusCode::OK);
        assert_eq!(browser.post("/api/users", longer).await.status, StatusCode::CONFLICT);
        let users = browser.get("/api/users").await.json();
        assert_eq!(users["users"][1]["tables"], json!(["BJ-04"]));
        assert!(!users.to_string().contains("argon2"));
        let closing = put("/api/users/ada", json!({ "role": "admin", "disabled": true })).await;
        assert_eq!(closing, StatusCode::CONFLICT, "nobody locks themselves out");
    }
}

#[tokio::test]
async fn every_answer_keeps_browsers_strict() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("test.db").display());
    let (site, _) = site(Store::open(&url).await.unwrap());
    let browser = Browser::new(&site);
    for path in ["/login", "/nowhere", "/api/nowhere", "/api/flags", "/api/openapi.json"] {
        let answer = browser.get(path).await;
        assert!(answer.header("content-security-policy").starts_with("default-src 'none'"), "{path}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("cache-control"), "no-store", "{path}");
    }
    assert_eq!(browser.get("/api/nowhere").await.json()["error"], "there is no such page");
    assert!(browser.get("/nowhere").await.text().contains("Nothing here"));
}

#[tokio::test]
async fn no_body_breaks_a_route() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("test.db").display());
    let (site, _) = site(Store::open(&url).await.unwrap());
    let ada = officer(&site.store, "ada", Role::Admin).await;
    for route in routes().list() {
        let path = route.path.replace("{id}", "-1").replace("{shoe}", "99999999999999999999").replace(['{', '}'], "");
        for body in [Body::empty(), Body::from("{"), Body::from("[1]"), Body::from(vec![0xff; 64])] {
            let browser = Browser::of(&site, ada.id).await;
            let answer = browser.send(route.method.clone(), &path, "application/json", body).await;
            assert!(!answer.status.is_server_error(), "{} {path}: {}", route.method, answer.status);
        }
    }
}

#[test]
fn the_description_names_every_route_of_the_api() {
    let description = serde_json::to_value(review::api::description()).unwrap();
    for route in
        routes().list().iter().filter(|route| route.path.starts_with("/api/") && route.path != "/api/openapi.json")
    {
        let there = &description["paths"][&route.path][route.method.as_str().to_ascii_lowercase()];
        assert!(there["responses"]["200"].is_object(), "{} {} is not described", route.method, route.path);
    }
    let described: usize =
        description["paths"].as_object().unwrap().values().map(|path| path.as_object().unwrap().len()).sum();
    let routes = routes();
    assert_eq!(described, routes.list().iter().filter(|route| route.path.starts_with("/api/")).count() - 1);
}
