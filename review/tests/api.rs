//! What the API does beside flags and cases: rules, the calculator, search, shuffles, calibration, health, one's own account.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on should stop where it stands")]

mod support;

use axum::http::{Method, StatusCode};
use review::Store;
use review::accounts::{Role, Scope, Tables, password, secret};
use review::store::users::NewToken;
use review::store::watches::{Doing, Watch};
use serde_json::{Value, json};
use support::browser::{Answer, Browser};
use support::{at, evening, officer, officer_at, site};

const ROUND: &str = "BJ-04.17.3";
const PUSH: &str = "BJ-04.17.3.paid_a_push.1a";

async fn put(browser: &Browser, path: &str, json: Value) -> Answer {
    browser.send(Method::PUT, path, "application/json", json.to_string()).await
}

/// The answer, which must have come.
async fn got(browser: &Browser, path: &str) -> Value {
    let answer = browser.get(path).await;
    assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.text());
    answer.json()
}

fn names(list: &Value, field: &str) -> Vec<String> {
    list.as_array().unwrap().iter().map(|one| one[field].as_str().unwrap().to_owned()).collect()
}

on_both! {
    async fn rules_are_read_as_the_pages_show_them(store: Store) {
        let (site, _) = site(store);
        let ana = officer(&site.store, "ana", Role::Officer).await;
        let browser = Browser::of(&site, ana.id).await;

        let all = got(&browser, "/api/rules").await;
        assert!(names(&all["books"], "id").contains(&"nz".to_owned()), "{all}");
        assert!(names(&all["checks"], "name").contains(&"paid_a_push".to_owned()));
        let counted = all["books"][0]["clauses"].as_object().unwrap().values().map(|n| n.as_u64().unwrap()).sum::<u64>();
        let id = all["books"][0]["id"].as_str().unwrap();
        let book = got(&browser, &format!("/api/rules/{id}")).await;
        assert_eq!(book["clauses"].as_array().unwrap().len() as u64, counted, "every clause is audited, partly, or not");

        let audited = got(&browser, "/api/rules/nz?q=insurance&auditable=yes").await;
        let audited = audited["clauses"].as_array().unwrap();
        assert!(!audited.is_empty() && audited.iter().all(|clause| clause["auditable"] == "yes"), "{audited:?}");
        let clause = got(&browser, "/api/rules/clauses/nz-13.3").await;
        assert!(clause["checks"].as_array().unwrap().contains(&json!("dealer_overdrew")), "{clause}");
        assert!(clause["games"].as_array().unwrap().contains(&json!("nz-base")), "{clause}");
        let check = got(&browser, "/api/rules/checks/paid_a_push").await;
        assert_eq!((&check["title"], &check["kind"]), (&json!("Paid a push"), &json!("wrong-payout")));
        assert!(check["example"]["violating"].as_str().unwrap().contains("pay"), "{check}");
        for path in ["/api/rules/xx", "/api/rules/clauses/nz-99", "/api/rules/checks/none"] {
            assert_eq!(browser.get(path).await.status, StatusCode::NOT_FOUND, "{path}");
        }
    }

    async fn a_case_of_which_nobody_says_when_it_happened_is_of_the_time_it_is_opened(store: Store) {
        let (site, _) = site(store);
        let ida = officer(&site.store, "ida", Role::Investigator).await;
        let browser = Browser::of(&site, ida.id).await;
        let said = at(0).micros();
        for (fields, told) in [(json!({ "title": "a" }), false), (json!({ "title": "b", "incident_at": said }), true)] {
            let opened = browser.post("/api/cases", json!({ "kind": "incident", "fields": fields })).await.json();
            let case = got(&browser, &format!("/api/cases/{}", opened["id"])).await;
            let expected = if told { json!(said) } else { case["case"]["opened_at"].clone() };
            assert_eq!(case["case"]["incident_at"], expected, "{case}");
        }
    }

    async fn a_dispute_is_settled_in_notation_and_as_a_case(store: Store) {
        let (site, _) = site(store);
        let ana = officer(&site.store, "ana", Role::Auditor).await;
        let browser = Browser::of(&site, ana.id).await;
        let round = "bet 3 25\ncard 3 TH\ncard dealer 7S\ncard 3 7C\nstand 3\ncard dealer TD\npay 3 25\nend";

        let settled = browser.post("/api/calculator", json!({ "game": "nz-base", "round": round })).await;
        assert_eq!(settled.status, StatusCode::OK, "{}", settled.text());
        let settled = settled.json();
        let wager = &settled["wagers"][0];
        assert_eq!((&wager["expected"], &wager["due"], &wager["gain"]), (&json!("push"), &json!(0), &json!(2500)), "{wager}");
        assert_eq!((&settled["net"], &settled["flags"][0]["check"]), (&json!(0), &json!("paid_a_push")));
        let wrong = browser.post("/api/calculator", json!({ "game": "nz-base", "round": "bet 3 25\ncard 3 1H" })).await;
        assert_eq!(wrong.status, StatusCode::BAD_REQUEST);
        assert!(wrong.json()["error"].as_str().unwrap().starts_with("Line 2, column 8"), "{}", wrong.text());

        let case = json!({ "id": "box 3", "game": "nz-base", "options": { "bj_pays": "6:5" }, "dealer_cards": ["6D"],
                           "initial_cards": ["AH", "KC"],
                           "hands": [{ "cards": ["AH", "KC"], "wager": 25, "actions": ["stand"] }] });
        let settled = browser.post("/api/settle", case).await.json();
        assert_eq!((&settled["id"], &settled["total"]), (&json!("box 3"), &json!(30)), "{settled}");
        assert!(browser.post("/api/settle", json!({ "game": "whist" })).await.json()["error"].is_string());
        assert_eq!(site.store.log_before(1000, 9).await.unwrap().iter().filter(|e| e.actor == "ana").count(), 0, "nothing is kept");
    }

    async fn search_finds_by_name_what_the_asker_may_see(store: Store) {
        let (site, _) = site(store);
        for table in ["BJ-04", "BJ-05"] {
            site.store.write("site", &evening(table), at(0)).await.unwrap();
        }
        let ana = officer(&site.store, "ana", Role::Officer).await;
        let ben = officer_at(&site.store, "ben", Role::Officer, Tables::Only(["BJ-05".to_owned()].into())).await;
        let (ana, ben) = (Browser::of(&site, ana.id).await, Browser::of(&site, ben.id).await);

        let found = got(&ana, "/api/search?q=bj-0").await;
        assert_eq!(names(&found["found"], "name"), ["BJ-04", "BJ-05"]);
        assert_eq!(names(&got(&ben, "/api/search?q=bj-0").await["found"], "name"), ["BJ-05"]);
        let flag = got(&ana, &format!("/api/search?q={PUSH}")).await;
        assert_eq!(flag["found"], json!([{ "kind": "flag", "name": PUSH, "path": format!("/rounds/{ROUND}") }]));
        assert_eq!(got(&ben, &format!("/api/search?q={PUSH}")).await["found"], json!([]), "not at his tables");
        let dealer = site.store.dealers(&officer(&site.store, "cat", Role::Officer).await).await.unwrap().remove(0);
        assert_eq!(names(&got(&ben, &format!("/api/search?q={dealer}")).await["found"], "path"), [format!("/dealers/{dealer}")]);
        assert_eq!(got(&ana, "/api/search").await["found"], json!([]));
    }

    async fn a_dealer_of_other_tables_is_not_found(store: Store) {
        let (site, _) = site(store);
        site.store.write("site", &evening("BJ-04"), at(0)).await.unwrap();
        let ben = officer_at(&site.store, "ben", Role::Officer, Tables::Only(["BJ-05".to_owned()].into())).await;
        assert!(site.store.dealers(&ben).await.unwrap().is_empty());
        let nobody = officer_at(&site.store, "cat", Role::Officer, Tables::Only([].into())).await;
        assert!(site.store.dealers(&nobody).await.unwrap().is_empty());
    }

    async fn a_ledger_follows_a_card_that_might_have_been_another(store: Store) {
        let (site, _) = site(store);
        let ida = officer(&site.store, "ida", Role::Investigator).await;
        let evening = evening("BJ-04");
        site.store.write("site", &evening, at(0)).await.unwrap();
        let browser = Browser::of(&site, ida.id).await;
        let path = format!("/api/rounds/{ROUND}/ledger");

        let seen = got(&browser, &path).await;
        assert!(seen["wagers"].as_array().unwrap().iter().any(|wager| wager["gain"] == 2500), "{seen}");
        let step = evening[2].round.steps.iter().position(|step| step.act.to_string().starts_with("card 1 ")).unwrap();
        let better = got(&browser, &format!("{path}?step={step}&card=AH")).await;
        assert_ne!(better, seen, "another card, another result");
        assert_eq!(got(&browser, &path).await, seen, "nothing was kept");
        for query in ["step=0", "card=7H", "step=99999&card=7H", "step=18446744073709551615&card=7H", "step=1&card=7X"] {
            assert_eq!(browser.get(&format!("{path}?{query}")).await.status, StatusCode::BAD_REQUEST, "{query}");
        }
        assert_eq!(got(&browser, &format!("/api/rounds/{ROUND}/frames?at=0")).await["frames"], json!([]));
        let still = browser.get(&format!("/api/rounds/{ROUND}/still?at=0")).await;
        assert_eq!(still.status, StatusCode::NOT_FOUND, "no recording is at hand");
    }

    async fn shoes_and_their_shuffles_are_told(store: Store) {
        let (site, _) = site(store);
        let ana = officer(&site.store, "ana", Role::Officer).await;
        let mut rounds = evening("BJ-04");
        let dealer = rounds[0].round.dealer.clone().unwrap();
        rounds.extend(evening("BJ-04").into_iter().map(|mut later| {
            later.round.id.shoe += 1;
            later.round.at = later.round.at.shifted(3_600_000_000).unwrap();
            later.flags.clear();
            later
        }));
        site.store.write("site", &rounds, at(0)).await.unwrap();
        let browser = Browser::of(&site, ana.id).await;

        let shoe = got(&browser, "/api/shoes/BJ-04/17").await;
        let seen: u64 = shoe["cards"].as_object().unwrap().values().map(|times| times.as_u64().unwrap()).sum();
        assert!(seen > 30 && shoe["decks"] == 6, "{seen} cards of {} decks", shoe["decks"]);
        assert_eq!(got(&browser, "/api/tables/BJ-04/shoes").await["shoes"].as_array().unwrap().len(), 2);
        let unseen = browser.get("/api/shoes/BJ-04/17/shuffle").await;
        assert_eq!(unseen.status, StatusCode::CONFLICT, "what went in was not seen: {}", unseen.text());
        let report = got(&browser, "/api/shoes/BJ-04/18/shuffle").await;
        assert_eq!((&report["shoe"], &report["verdict"]), (&json!(18), &json!("suspect")), "the same cards again: {report}");
        assert!(report["tests"].as_array().is_some_and(|tests| !tests.is_empty()) && report["seen"].is_number());
        for path in ["/api/tables/BJ-04/shuffles".to_owned(), format!("/api/dealers/{dealer}/shuffles")] {
            let series = got(&browser, &path).await;
            let shuffles = series["shuffles"].as_array().unwrap();
            assert_eq!((shuffles.len(), &shuffles[0]["judged"]), (2, &Value::Null), "{path}: {series}");
            assert_eq!((&shuffles[1]["judged"]["verdict"], &series["shoes"]), (&json!("suspect"), &json!(1)), "{path}");
            assert_eq!(series["drifting"], json!(true), "{path}");
        }
        site.store.shuffler_stands("site", "BJ-04", Some("SH-1"), rounds[0].round.at.shifted(-1).unwrap()).await.unwrap();
        assert_eq!(got(&browser, "/api/shufflers/SH-1/shuffles").await["series"], "shuffling machine SH-1");
        let ben = officer_at(&site.store, "ben", Role::Officer, Tables::Only(["BJ-05".to_owned()].into())).await;
        let ben = Browser::of(&site, ben.id).await;
        for path in ["/api/shoes/BJ-04/18/shuffle", "/api/tables/BJ-04/shuffles", "/api/shufflers/SH-1/shuffles", "/api/tables/BJ-04/shoes"] {
            assert_eq!(ben.get(path).await.status, StatusCode::NOT_FOUND, "{path}: not at his tables");
        }
    }

    async fn outlines_are_kept_and_what_is_none_is_refused(store: Store) {
        let (site, _) = site(store);
        let mia = officer(&site.store, "mia", Role::Manager).await;
        let browser = Browser::of(&site, mia.id).await;
        let path = "/api/calibration/BJ-04";

        let first = got(&browser, path).await;
        assert_eq!((&first["by_hand"], &first["cameras"]), (&json!(false), &json!([])), "{first}");
        let drawn = json!({ "width": 640, "height": 360, "areas": { "3": [[1, 1], [90, 1], [90, 90]] } });
        let kept = put(&browser, path, drawn.clone()).await;
        assert_eq!(kept.status, StatusCode::OK, "{}", kept.text());
        let now = got(&browser, path).await;
        assert_eq!((&now["by_hand"], &now["outlines"]), (&json!(true), &drawn));
        assert!(browser.get("/calibration/BJ-04").await.text().contains("3 1,1 90,1 90,90"), "the page shows the same");
        let last = site.store.log_before(i64::MAX, 1).await.unwrap().remove(0);
        assert_eq!((last.action.as_str(), last.actor.as_str()), ("calibrate", "mia"));
        for (areas, why) in [
            (json!({ "3": [[1, 1], [90, 1]] }), "at least 3 points"),
            (json!({ "3": [[1, 1], [90, 1], [90, 900]] }), "outside the picture"),
            (json!({ "cellar": [[1, 1], [90, 1], [90, 90]] }), "cellar"),
        ] {
            let refused = put(&browser, path, json!({ "width": 640, "height": 360, "areas": areas })).await;
            assert_eq!(refused.status, StatusCode::BAD_REQUEST);
            assert!(refused.text().contains(why), "{}", refused.text());
        }
        let elsewhere = put(&browser, &format!("{path}?camera=roof"), drawn).await;
        assert_eq!(elsewhere.status, StatusCode::NOT_FOUND, "no such camera");
    }

    async fn health_says_who_watches_and_how_far_behind(store: Store) {
        let (site, clock) = site(store);
        let ana = officer(&site.store, "ana", Role::Officer).await;
        site.store.write("site", &evening("BJ-04"), at(0)).await.unwrap();
        let browser = Browser::of(&site, ana.id).await;
        assert!(browser.get("/health").await.text().contains("never"), "a tape was audited, nobody watched");
        let watch = Watch {
            table_name: "BJ-05".to_owned(),
            at: at(0).micros(),
            doing: Doing::Watching.name().to_owned(),
            since_at: None,
            heard_at: None,
            lag: Some(38_000),
            lag_half: Some(31_000),
            lag_most: Some(120_000),
            waiting: 0,
            failure: String::new(),
        };
        site.store.watched(&[watch]).await.unwrap();

        let tables = got(&browser, "/api/health").await["tables"].clone();
        assert_eq!(names(&tables, "table"), ["BJ-04", "BJ-05"]);
        assert_eq!((&tables[0]["running"], &tables[0]["watch"]), (&json!(false), &Value::Null));
        assert_eq!((&tables[1]["running"], &tables[1]["watch"]["lag"]), (&json!(true), &json!(38_000)));
        let page = browser.get("/health").await.text();
        assert!(page.contains("38 ms behind, 99 % within 120 ms"), "{page}");
        clock.pass(60);
        let page = browser.get("/health").await.text();
        assert!(page.contains("not running since") && !page.contains("38 ms"), "an old number is not shown as if it were now");
        assert!(page.contains("Nobody has watched BJ-05 since"), "{page}");
        assert_eq!(got(&browser, "/api/health").await["tables"][1]["running"], json!(false));
    }

    async fn ones_own_account_is_changed_by_whoever_is_logged_in_only(store: Store) {
        let (site, _) = site(store);
        let ana = officer(&site.store, "ana", Role::Admin).await;
        let mut tx = site.store.begin().await.unwrap();
        let every = NewToken { name: "all", hash: &secret::hashed("all"), scopes: Scope::ALL, expires: None };
        tx.add_token("ana", &every, at(0), "test").await.unwrap();
        tx.set_password("ana", &password::hash("correct horse battery").unwrap(), at(0), "test").await.unwrap();
        tx.commit().await.unwrap();
        let browser = Browser::of(&site, ana.id).await;

        assert_eq!(put(&browser, "/api/me/looks", json!({ "theme": "light", "suits": 4 })).await.status, StatusCode::OK);
        assert_eq!(got(&browser, "/api/me").await["looks"], json!({ "theme": "light", "suits": 4 }));
        assert_eq!(put(&browser, "/api/me/looks", json!({ "suits": 3 })).await.status, StatusCode::CONFLICT);
        let token = Browser { bearer: Some("all".to_owned()), ..Browser::new(&site) };
        assert_eq!(put(&token, "/api/me/looks", json!({ "theme": "dark" })).await.status, StatusCode::FORBIDDEN);
        let change = |old: &str, new: &str| json!({ "old": old, "new": new });
        let path = "/api/me/password";
        assert_eq!(token.post(path, change("correct horse battery", "another horse battery")).await.status, StatusCode::FORBIDDEN);
        assert_eq!(browser.post(path, change("wrong", "another horse battery")).await.status, StatusCode::BAD_REQUEST);
        assert_eq!(browser.post(path, change("correct horse battery", "short")).await.status, StatusCode::BAD_REQUEST);
        assert_eq!(browser.post(path, change("correct horse battery", "another horse battery")).await.status, StatusCode::OK);
        assert_eq!(browser.get("/api/me").await.status, StatusCode::UNAUTHORIZED, "their sessions end");
    }
}
