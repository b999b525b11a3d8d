//! The pages as a browser gets them: every one renders, from an empty database and from a full one, and stays strict.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may stop where it stands")]

#[path = "../examples/showcase/rounds.rs"]
mod rounds;

use std::sync::Arc;

use auditor::rulebook::books;
use axum::Router;
use axum::body::{Body, to_bytes};
use axum::http::{Request, StatusCode, header};
use review::accounts::{Role, Tables, secret};
use review::footage::NoFootage;
use review::server::{Clock, Setup};
use review::store::users::NewUser;
use review::{Site, Store};
use table::Utc;
use tower::ServiceExt;

const NOW: &str = "2026-11-16T09:00:00Z";
/// What an officer may be sent at once.
const FIRST_PAGE: usize = 100_000;

struct Stopped;

impl Clock for Stopped {
    fn now(&self) -> Utc {
        NOW.parse().unwrap()
    }
}

/// A site in a folder of its own, and a browser that is logged in.
struct Browser {
    router: Router,
    cookie: String,
    site: Site,
    _folder: tempfile::TempDir,
}

impl Browser {
    async fn new(role: Role, checks: usize) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&format!("sqlite:{}", folder.path().join("test.db").display())).await.unwrap();
        let books = Arc::from(books::all().unwrap());
        let site = Site::new(store, books, Arc::new(NoFootage), Setup::default()).with_clock(Arc::new(Stopped));
        let now = site.now();
        if checks > 0 {
            site.store.write("site", &rounds::audited(now, checks), now).await.unwrap();
        }
        let link = secret::fresh().unwrap();
        let mut tx = site.store.begin().await.unwrap();
        let user = NewUser { name: "kim", full_name: "Kim <b>", title: "", role, password: None, tables: Tables::All };
        tx.add_user(&user, now, "test").await.unwrap();
        let until = now.shifted(60_000_000).unwrap();
        tx.add_login_link("kim", &secret::hashed(&link), until, now, "test").await.unwrap();
        tx.commit().await.unwrap();
        let router = review::router(site.clone());
        let request = Request::get(format!("/login/once/{link}")).body(Body::empty()).unwrap();
        let answer = router.clone().oneshot(request).await.unwrap();
        let cookie = answer.headers()[header::SET_COOKIE].to_str().unwrap().split(';').next().unwrap().to_owned();
        Self { router, cookie, site, _folder: folder }
    }

    async fn send(&self, request: axum::http::request::Builder, body: String) -> (StatusCode, String, String) {
        let request = request.header(header::COOKIE, &self.cookie).body(Body::from(body)).unwrap();
        let answer = self.router.clone().oneshot(request).await.unwrap();
        let status = answer.status();
        let to = answer.headers().get(header::LOCATION).map(|to| to.to_str().unwrap().to_owned());
        let bytes = to_bytes(answer.into_body(), usize::MAX).await.unwrap();
        (status, String::from_utf8_lossy(&bytes).into_owned(), to.unwrap_or_default())
    }

    async fn get(&self, path: &str) -> String {
        let (status, page, _) = self.send(Request::get(path), String::new()).await;
        assert_eq!(status, StatusCode::OK, "{path}: {page}");
        page
    }

    /// Sends a form with its secret, and gives where it leads.
    async fn post(&self, path: &str, fields: &[(&str, &str)]) -> (StatusCode, String) {
        let page = self.get("/account").await;
        let csrf = page.split("name=\"csrf\" content=\"").nth(1).unwrap().split('"').next().unwrap();
        let mut form = url::form_urlencoded::Serializer::new(String::new());
        form.append_pair("csrf", csrf).extend_pairs(fields);
        let request = Request::post(path).header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
        let (status, page, to) = self.send(request, form.finish()).await;
        (status, if to.is_empty() { page } else { to })
    }
}

/// Every page that needs nothing to be there.
const EVERYWHERE: &[&str] = &[
    "/",
    "/?severity=critical",
    "/?doubts=only",
    "/?state=all&order=money",
    "/cases",
    "/cases/new",
    "/tables",
    "/dealers",
    "/calculator",
    "/calculator?round=",
    "/calculator?round=bet+3+25%0Acard+3+%3Cb%3E",
    "/rules",
    "/rules/nz",
    "/rules/nz?q=insurance&auditable=yes",
    "/rules/clauses/nz-13.3",
    "/rules/checks/paid_a_push",
    "/health",
    "/calibration/BJ-01",
    "/search",
    "/search?q=%3Cscript%3E",
    "/account",
    "/users",
    "/settings",
    "/log",
];

/// Void elements, which have no end.
const VOID: &[&str] = &["meta", "link", "input", "br", "img", "hr"];

/// Every element that begins ends, in order, and nothing but text stands between them.
fn well_formed(path: &str, page: &str) {
    let mut open: Vec<&str> = Vec::new();
    let mut rest = page;
    while let Some(at) = rest.find('<') {
        rest = &rest[at + 1..];
        // A `>` in the value of an attribute is escaped by us, so the first one ends the tag.
        let end = rest.find('>').unwrap_or_else(|| panic!("{path}: a tag without end: {:.60}", rest));
        let tag = &rest[..end];
        rest = &rest[end + 1..];
        let name = tag.trim_start_matches('/').split([' ', '/', '\n']).next().unwrap();
        match tag.as_bytes()[0] {
            b'!' => {}
            b'/' => assert_eq!(open.pop(), Some(name), "{path}: </{name}> closes another element"),
            _ if tag.ends_with('/') || VOID.contains(&name) => {}
            _ => open.push(name),
        }
    }
    assert!(open.is_empty(), "{path}: never closed: {open:?}");
}

/// What the policy of the server forbids must not be in the page either.
fn strict(path: &str, page: &str) {
    assert!(!page.contains(" style="), "{path} has an inline style");
    assert!(!page.contains("<style"), "{path} has an inline style sheet");
    assert!(!page.contains(" onclick=") && !page.contains("javascript:"), "{path} has an inline script");
    for script in page.split("<script").skip(1) {
        assert!(script.starts_with(" defer src=\"/assets/"), "{path}: <script{:.80}", script);
    }
    assert!(!page.contains("http://") && !page.contains("https://"), "{path} points elsewhere");
}

#[tokio::test]
async fn every_page_renders_from_an_empty_database() {
    let browser = Browser::new(Role::Admin, 0).await;
    for path in EVERYWHERE {
        let page = browser.get(path).await;
        well_formed(path, &page);
        strict(path, &page);
        assert!(page.len() < FIRST_PAGE, "{path} has {} bytes", page.len());
    }
    assert!(browser.get("/").await.contains("All done"));
    assert!(browser.get("/tables").await.contains("Nothing yet"));
}

#[tokio::test]
async fn every_page_renders_from_a_full_database() {
    let browser = Browser::new(Role::Admin, usize::MAX).await;
    for path in EVERYWHERE {
        let page = browser.get(path).await;
        well_formed(path, &page);
        strict(path, &page);
        assert!(page.len() < FIRST_PAGE, "{path} has {} bytes", page.len());
    }
    let queue = browser.get("/").await;
    let flag = queue.split("data-flag=\"").nth(1).unwrap().split('"').next().unwrap();
    let round = queue.split("data-round=\"").nth(1).unwrap().split('"').next().unwrap();
    let (table, rest) = flag.split_once('.').unwrap();
    let shoe = rest.split('.').next().unwrap();
    let further = [
        format!("/flags/{flag}/preview"),
        format!("/?flag={flag}"),
        round.to_owned(),
        format!("{round}?step=2"),
        format!("{round}/felt?step=3"),
        format!("/shoes/{table}/{shoe}"),
        format!("/tables/{table}"),
        "/dealers/D-110".to_owned(),
        format!("/tables/{table}/shuffles"),
        "/dealers/D-110/shuffles".to_owned(),
        format!("/cases/new?flag={flag}"),
    ];
    for path in &further {
        let page = browser.get(path).await;
        well_formed(path, &page);
        strict(path, &page);
        assert!(page.len() < FIRST_PAGE, "{path} has {} bytes", page.len());
    }
    assert!(browser.get(round).await.contains("No video"), "a server without footage says so");
    assert!(browser.get("/dealers").await.contains("too few hands to tell"));
    assert!(browser.get("/dealers/D-110").await.contains("less than half an hour of play in any one week"));
    let book = browser.get("/rules/nz?q=13.3").await;
    assert!(book.contains("title=\"dealer_stood_short\">Dealer stood short</a>"), "{book}");
}

#[tokio::test]
async fn a_shuffling_machine_is_followed_while_it_stands_at_a_table() {
    let browser = Browser::new(Role::Admin, 12).await;
    let shoe = &browser.site.store.shoes("BJ-04", 1).await.unwrap()[0];
    let at = |micros: i64| Utc::from_micros(micros).unwrap();
    let stands = async |name: Option<&'static str>, since: i64| {
        browser.site.store.shuffler_stands("site", "BJ-04", name, at(since)).await.unwrap();
    };
    stands(Some("SH-11"), shoe.began_at - 1).await;
    stands(Some("SH-11"), shoe.began_at + 1).await;
    let shoes = async |name: &str| browser.site.store.shoes_shuffled_by(name, 9).await.unwrap().len();
    assert!(shoes("SH-11").await > 0, "it stood there when the shoe began");
    let page = browser.get("/shufflers/SH-11/shuffles").await;
    well_formed("shuffler", &page);
    strict("shuffler", &page);
    assert!(page.contains("Shuffles of shuffling machine SH-11"), "{page}");
    assert!(browser.get("/tables/BJ-04/shuffles").await.contains("/shufflers/SH-11/shuffles"));
    stands(Some("SH-12"), shoe.began_at + 2).await;
    stands(None, shoe.began_at + 3).await;
    assert!(shoes("SH-11").await > 0 && shoes("SH-12").await == 0, "the other came when the shoe was in use");
    assert!(!browser.get("/tables/BJ-04/shuffles").await.contains("/shufflers/"), "none stands there now");
    let (status, ..) = browser.send(Request::get("/shufflers/SH-12/shuffles"), String::new()).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_flag_goes_from_the_queue_to_a_decision_by_plain_forms() {
    let browser = Browser::new(Role::Officer, 12).await;
    let queue = browser.get("/").await;
    let flag = queue.split("data-flag=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let fields = [("action", "confirm"), ("reason", "seen on video"), ("back", "/?severity=major")];
    let (status, to) = browser.post(&format!("/flags/{flag}/decide"), &fields).await;
    assert_eq!((status, &*to), (StatusCode::SEE_OTHER, "/?severity=major"));
    assert!(!browser.get("/").await.contains(&format!("data-flag=\"{flag}\"")), "decided flags leave the queue");
    let decided = browser.get("/?state=confirmed").await;
    assert!(decided.contains(&flag) && decided.contains("confirmed it: seen on video"), "{decided}");
    let elsewhere = browser.post(&format!("/flags/{flag}/decide"), &[("action", "reopen"), ("back", "//evil")]).await;
    assert_eq!(elsewhere, (StatusCode::SEE_OTHER, "/".to_owned()));
    let (status, _) = browser.post(&format!("/flags/{flag}/decide"), &[("action", "forget")]).await;
    assert!(status.is_client_error(), "{status}");
}

#[tokio::test]
async fn a_case_is_opened_written_and_sealed() {
    let browser = Browser::new(Role::Investigator, 12).await;
    let queue = browser.get("/").await;
    let flag = queue.split("data-flag=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let opened = [("title", "A <dispute>"), ("kind", "dispute"), ("incident_at", NOW), ("flag", &flag)];
    let (status, case) = browser.post("/cases", &opened).await;
    assert_eq!(status, StatusCode::SEE_OTHER, "{case}");
    let written = [("title", "A dispute"), ("nature", "paid twice"), ("losses", "25.00"), ("assignee", "kim")];
    assert_eq!(browser.post(&case, &written).await.0, StatusCode::SEE_OTHER);
    let page = browser.get(&case).await;
    well_formed(&case, &page);
    assert!(page.contains("paid twice") && page.contains("25.00") && page.contains(&flag), "{page}");
    assert!(page.contains("Losses, NZD"), "money has its unit: {page}");
    let [table, shoe, round, ..] = flag.split('.').collect::<Vec<_>>()[..] else { panic!("{flag}") };
    let named = format!(", {table} shoe {shoe} round {round}</a>");
    assert!(page.contains(&named), "evidence is named as people would: {page}");
    let round = [table, shoe, round].join(".");
    let with = [("kind", "round"), ("subject", &*round)];
    assert!(browser.get(&format!("/rounds/{round}")).await.contains(&format!("formaction=\"{case}/members\"")));
    assert_eq!(browser.post(&format!("{case}/members"), &with).await.0, StatusCode::SEE_OTHER);
    assert!(browser.get(&format!("/rounds/{round}")).await.contains(&format!("In <a href=\"{case}\">case 1</a>")));
    assert_eq!(browser.post(&format!("{case}/members/take"), &with).await.0, StatusCode::SEE_OTHER);
    let page = browser.get(&case).await;
    assert!(page.contains("took out") && !page.contains(&format!("value=\"{round}\"")), "{page}");
    assert_eq!(browser.post(&format!("{case}/members/take"), &with).await.0, StatusCode::NOT_FOUND);
    assert_eq!(browser.post(&format!("{case}/lock"), &[]).await.0, StatusCode::SEE_OTHER);
    let sealed = browser.get(&case).await;
    assert!(sealed.contains("Sealed") && !sealed.contains("name=\"nature\""), "{sealed}");
    assert_eq!(browser.post(&case, &[("title", "Another")]).await.0, StatusCode::CONFLICT);
}

#[tokio::test]
async fn a_misread_card_is_worked_out_again_and_recorded() {
    let browser = Browser::new(Role::Investigator, 60).await;
    let round = "round T-1 1 1 2026-11-15T21:04:05Z\ngame nz-base\nbet 3 25\ncard 3 TH\ncard dealer 7S\ncard 3 7C\n\
                 stand 3\ncard dealer TD\npay 3 25\nend";
    let round = table::notation::parse(round).unwrap().remove(0);
    let audited = review::store::ingest::Audited { round, flags: vec![], seen: vec!["cards"], not_seen: vec!["shoe"] };
    browser.site.store.write("site", &[audited], browser.site.now()).await.unwrap();
    let as_read = browser.get("/rounds/T-1.1.1").await;
    assert!(as_read.contains("+25.00 NZD to player"), "{as_read}");
    assert!(as_read.contains("data-step=\"5\">box 3: stands</a>"), "steps are told in words: {as_read}");
    assert!(as_read.contains("/cases/new?round=T-1.1.1"), "{as_read}");
    assert!(browser.get("/cases/new?round=T-1.1.1").await.contains("Begins with: T-1 shoe 1 round 1."));
    let otherwise = browser.get("/rounds/T-1.1.1/ledger?step=4&card=9C").await;
    assert!(otherwise.contains("pay 25.00") && !otherwise.contains("to player"), "{otherwise}");
    let fields = [("step", "4"), ("card", "9C"), ("reason", "the still shows it")];
    assert_eq!(browser.post("/rounds/T-1.1.1/correct", &fields).await.0, StatusCode::SEE_OTHER);
    let corrected = browser.get("/rounds/T-1.1.1").await;
    assert!(corrected.contains("7♣ was really 9♣") && !corrected.contains("to player"), "{corrected}");
    let (status, _) = browser.post("/rounds/T-1.1.1/correct", &[("step", "1"), ("card", "9C"), ("reason", "x")]).await;
    assert_eq!(status, StatusCode::BAD_REQUEST, "a bet shows no card");
}

#[tokio::test]
async fn an_auditor_reads_all_and_is_offered_no_button() {
    let browser = Browser::new(Role::Auditor, 12).await;
    let queue = browser.get("/").await;
    assert!(queue.contains("data-flag=") && !queue.contains("class=\"decision\""), "nothing to decide with");
    let (status, _) = browser.post("/flags/x/decide", &[("action", "confirm")]).await;
    assert_eq!(status, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn a_hostile_name_stays_text() {
    let browser = Browser::new(Role::Admin, 6).await;
    for path in ["/account", "/users", "/search?q=%3Cimg+src%3Dx%3E", "/?table=%22%3E%3Cimg+src%3Dx%3E"] {
        let page = browser.get(path).await;
        assert!(!page.contains("Kim <b>") && !page.contains("<img src=x"), "{path}");
        well_formed(path, &page);
    }
}

#[tokio::test]
async fn what_is_not_there_is_told_as_a_page() {
    let browser = Browser::new(Role::Admin, 0).await;
    for (path, expected) in [
        ("/rounds/BJ-04.17.212", StatusCode::NOT_FOUND),
        ("/rounds/nonsense", StatusCode::NOT_FOUND),
        ("/rules/xx", StatusCode::NOT_FOUND),
        ("/rules/clauses/nz-99", StatusCode::NOT_FOUND),
        ("/rules/checks/none", StatusCode::NOT_FOUND),
        ("/shoes/BJ-04/x", StatusCode::BAD_REQUEST),
        ("/shoes/BJ-04/1", StatusCode::NOT_FOUND),
        ("/dealers/nobody", StatusCode::NOT_FOUND),
        ("/dealers/nobody/shuffles", StatusCode::NOT_FOUND),
        ("/?severity=dire", StatusCode::BAD_REQUEST),
        ("/?flag=none", StatusCode::NOT_FOUND),
        ("/cases/99", StatusCode::NOT_FOUND),
        ("/assets/now/none.js", StatusCode::NOT_FOUND),
    ] {
        let (status, page, _) = browser.send(Request::get(path), String::new()).await;
        assert_eq!(status, expected, "{path}: {page}");
        if page.contains("<html") {
            well_formed(path, &page);
        }
    }
}

#[tokio::test]
async fn a_filter_is_kept_and_forgotten_by_plain_forms() {
    let browser = Browser::new(Role::Officer, 12).await;
    let own = [("name", "Mine <b>"), ("query", "severity=critical&table=BJ-01")];
    assert_eq!(browser.post("/filters", &own).await.0, StatusCode::SEE_OTHER);
    let kim = browser.site.store.user_named("kim").await.unwrap().unwrap();
    let ours =
        "insert into saved_filters (user_id, name, query, position) values (null, 'Everybody', 'table=BJ-02', 9)";
    let Store::Sqlite { writes: pool, .. } = &browser.site.store else { panic!("SQLite") };
    sqlx::query(ours).execute(pool).await.unwrap();
    let filters: Vec<(i64, Option<i64>)> =
        sqlx::query_as("select id, user_id from saved_filters order by id").fetch_all(pool).await.unwrap();
    let [(mine, Some(owner)), (everybodys, None)] = filters[..] else { panic!("{filters:?}") };
    assert_eq!(owner, kim.id);
    let page = browser.get("/?severity=critical&table=BJ-01").await;
    well_formed("kept", &page);
    assert!(page.contains(&format!("/filters/{mine}/forget")) && page.contains("Forget “Mine &#60;b&#62;”"), "{page}");
    let page = browser.get("/?table=BJ-02").await;
    assert!(page.contains("Everybody") && !page.contains("/forget"), "everybody's are a manager's");

    assert_eq!(browser.post(&format!("/filters/{everybodys}/forget"), &[]).await.0, StatusCode::NOT_FOUND);
    assert_eq!(browser.post(&format!("/filters/{mine}/forget"), &[]).await, (StatusCode::SEE_OTHER, "/".to_owned()));
    let last = browser.site.store.log_before(i64::MAX, 1).await.unwrap().remove(0);
    assert_eq!((last.action.as_str(), last.actor.as_str()), ("forget-filter", "kim"));
    assert!(!browser.get("/").await.contains("Mine &#60;b&#62;"));
    let form = Request::post(format!("/filters/{mine}/forget"))
        .header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
    assert_eq!(browser.send(form, String::new()).await.0, StatusCode::FORBIDDEN, "not without the form's secret");
}

#[tokio::test]
async fn somebody_is_told_and_told_no_longer_by_plain_forms() {
    let browser = Browser::new(Role::Manager, 0).await;
    let hook = [("kind", "webhook"), ("target", "http://hooks.example/<b>"), ("least", "major")];
    let (status, page) = browser.post("/subscribers", &hook).await;
    assert_eq!(status, StatusCode::OK, "the key is shown at once: {page}");
    well_formed("subscribed", &page);
    let who = browser.site.store.subscribers().await.unwrap().remove(0);
    assert!(page.contains(&who.secret) && page.contains("major and graver"), "{page}");
    let later = browser.get("/settings").await;
    assert!(!later.contains(&who.secret) && later.contains("hooks.example/&#60;b&#62;"), "shown this once: {later}");
    let letter = [("kind", "email"), ("target", "pit@example.org"), ("least", "critical")];
    assert_eq!(browser.post("/subscribers", &letter).await, (StatusCode::SEE_OTHER, "/settings".to_owned()));
    let nowhere = [("kind", "email"), ("target", "pit"), ("least", "critical")];
    assert_eq!(browser.post("/subscribers", &nowhere).await.0, StatusCode::BAD_REQUEST);

    assert_eq!(browser.post(&format!("/subscribers/{}/remove", who.id), &[]).await.0, StatusCode::SEE_OTHER);
    let last = browser.site.store.log_before(i64::MAX, 1).await.unwrap().remove(0);
    assert_eq!((last.action.as_str(), last.actor.as_str()), ("unsubscribe", "kim"));
    let page = browser.get("/settings").await;
    assert!(!page.contains("hooks.example") && page.contains("pit@example.org"), "{page}");
}

#[tokio::test]
async fn the_house_is_set_up_by_plain_forms() {
    let browser = Browser::new(Role::Admin, 0).await;
    let password = "correct horse battery";
    let new = [
        ("name", "ben"),
        ("full_name", "Ben <b>"),
        ("role", "officer"),
        ("tables", "BJ-04, BJ-05"),
        ("password", password),
    ];
    assert_eq!(browser.post("/users", &new).await, (StatusCode::SEE_OTHER, "/users".to_owned()));
    let page = browser.get("/users").await;
    well_formed("/users", &page);
    assert!(page.contains("Ben &#60;b&#62;") && page.contains("BJ-04, BJ-05"), "{page}");
    let short = [("name", "cat"), ("full_name", "Cat"), ("role", "officer"), ("password", "short")];
    assert_eq!(browser.post("/users", &short).await.0, StatusCode::BAD_REQUEST);

    let change = [("role", "investigator"), ("tables", ""), ("closed", "yes")];
    assert_eq!(browser.post("/users/ben", &change).await.0, StatusCode::SEE_OTHER);
    let ben = browser.site.store.user_named("ben").await.unwrap().unwrap();
    assert_eq!((ben.role.0, ben.disabled_at.is_some()), (Role::Investigator, true));
    assert_eq!(browser.site.store.tables_of(&ben).await.unwrap(), Tables::All);
    let open = [("role", "investigator"), ("tables", "none")];
    assert_eq!(browser.post("/users/ben", &open).await.0, StatusCode::SEE_OTHER);
    let ben = browser.site.store.user_named("ben").await.unwrap().unwrap();
    assert_eq!(ben.disabled_at, None);
    assert_eq!(browser.site.store.tables_of(&ben).await.unwrap(), Tables::Only(std::collections::BTreeSet::new()));
    assert_eq!(browser.post("/users/ben", &[("role", "officer"), ("tables", "a b")]).await.0, StatusCode::BAD_REQUEST);
    let (status, _) = browser.post("/users/kim", &[("role", "officer"), ("tables", "")]).await;
    assert_eq!(status, StatusCode::CONFLICT, "nobody demotes themselves");
    let reset = [("password", "another horse battery")];
    assert_eq!(browser.post("/users/ben/password", &reset).await.0, StatusCode::SEE_OTHER);

    assert_eq!(browser.post("/settings/keep-rounds-days", &[("value", "400")]).await.0, StatusCode::SEE_OTHER);
    assert_eq!(browser.post("/settings/keep-rounds-days", &[("value", "1")]).await.0, StatusCode::BAD_REQUEST);
    let hold = [("table", "BJ-04"), ("from", NOW), ("until", NOW), ("reason", "police <i>")];
    assert_eq!(browser.post("/holds", &hold).await.0, StatusCode::SEE_OTHER);
    let page = browser.get("/settings").await;
    well_formed("/settings", &page);
    assert!(page.contains("value=\"400\"") && page.contains("police &#60;i&#62;"), "{page}");
    assert_eq!(browser.post("/holds/1/release", &[]).await.0, StatusCode::SEE_OTHER);
    assert!(browser.get("/settings").await.contains("None: retention follows"));
}
