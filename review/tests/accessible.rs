//! Every page, light and dark, looked at by axe in Chromium: nothing keeps a person from using it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "a test may stop where it stands")]

#[path = "../examples/showcase/rounds.rs"]
mod rounds;
mod support;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use review::accounts::{Role, Tables, secret};
use review::server::{Setup, WallClock};
use review::store::cases::{CaseKind, Fields, Member};
use review::store::users::NewUser;
use review::{Site, Store};
use serde_json::Value;
use support::chromium::{Person, drive};
use support::{officer, site};

/// Where flags are worked on.
const WORK: &[&str] = &[
    "/",
    "/?doubts=only",
    "/rounds/{round}",
    "/shoes/{table}/{shoe}",
    "/tables/{table}",
    "/tables/{table}/shuffles",
    "/dealers/D-111",
    "/cases",
    "/cases/new",
    "/cases/1",
    "/cases/2",
];

/// Where rules are looked up.
const RULES: &[&str] = &[
    "/calculator",
    "/rules",
    // A part of the book: the whole takes axe long and has nothing that this has not.
    "/rules/nz?q=insurance",
    "/rules/clauses/nz-13.3",
    "/rules/checks/paid_a_push",
];

/// Everything else.
const AROUND: &[&str] = &[
    "/tables",
    "/dealers",
    "/health",
    "/calibration/BJ-01",
    "/search?q=BJ-01",
    "/account",
    "/users",
    "/settings",
    "/log",
    "/nowhere",
];

/// Checks the page that is open, in the dark and in the light, where only colours differ. What axe calls serious or
/// critical fails.
const LOOK: &str = r#"
    const done = arguments[arguments.length - 1];
    const colours = ["color-contrast", "link-in-text-block"];
    const look = async () => {
        const found = [];
        for (const theme of ["dark", "light"]) {
            document.documentElement.dataset.theme = theme;
            const only = theme === "light" ? { runOnly: colours } : {};
            const { violations } = await axe.run(document, { resultTypes: ["violations"], ...only });
            for (const rule of violations.filter((rule) => ["serious", "critical"].includes(rule.impact))) {
                const nodes = rule.nodes.slice(0, 3).map((node) => `${node.html.slice(0, 200)} ${node.any[0]?.message ?? ""}`);
                found.push(`${theme}: ${rule.impact} ${rule.id}: ${rule.help}: ${nodes.join(" | ")}`);
            }
        }
        return found;
    };
    look().then(done, (error) => done([String(error)]));
"#;

async fn full_site(folder: &Path) -> (Site, String) {
    let store = Store::open(&format!("sqlite:{}", folder.join("test.db").display())).await.unwrap();
    let (site, _) = site(store);
    let mut site = site.with_clock(Arc::new(WallClock));
    site.setup = Arc::new(Setup { signing_key: Some(folder.join("key")), ..Setup::default() });
    let now = site.now();
    site.store.write("site", &rounds::audited(now, 12), now).await.unwrap();
    let ida = officer(&site.store, "ida", Role::Investigator).await;
    let flags = site.store.queue(&ida, &review::store::queue::Filter::default(), None, 1).await.unwrap().flags;
    for title in ["Paid a push", "Sealed"] {
        let fields = Fields { title: title.to_owned(), incident_at: now.micros(), ..Fields::default() };
        let id = site.store.open_case(&ida, "site", CaseKind::Dispute, &fields, now).await.unwrap();
        site.store.add_to_case(&ida, id, Member::Flag, &flags[0].flag, now).await.unwrap();
    }
    site.store.lock_case(&ida, 2, now).await.unwrap();
    let link = secret::fresh().unwrap();
    let mut tx = site.store.begin().await.unwrap();
    let user =
        NewUser { name: "kim", full_name: "Kim", title: "", role: Role::Admin, password: None, tables: Tables::All };
    tx.add_user(&user, now, "test").await.unwrap();
    let until = now.shifted(600_000_000).unwrap();
    tx.add_login_link("kim", &secret::hashed(&link), until, now, "test").await.unwrap();
    tx.commit().await.unwrap();
    (site, link)
}

async fn faults(person: &Person, axe: &str, path: &str) -> Vec<String> {
    person.open(path).await;
    person.client.execute(axe, Vec::new()).await.unwrap();
    let found: Value = person.client.execute_async(LOOK, Vec::new()).await.unwrap();
    found.as_array().unwrap().iter().map(|fault| format!("{path}: {}", fault.as_str().unwrap())).collect()
}

/// Looks at pages; `{round}`, `{table}` and `{shoe}` in an address stand for ones that are there.
async fn looked_at(pages: &'static [&'static str]) {
    let axe = Path::new(env!("CARGO_MANIFEST_DIR")).join("../.deps/axe/axe.min.js");
    let axe = fs::read_to_string(&axe).unwrap_or_else(|_| panic!("axe is not there: run scripts/setup"));
    let folder = tempfile::tempdir().unwrap();
    let (site, link) = full_site(folder.path()).await;
    drive(&site, folder.path(), |person| async move {
        let mut found = faults(&person, &axe, "/login").await;
        person.open(&format!("/login/once/{link}")).await;
        person.until("document.querySelector('.item.now')").await;
        let round = person.value("document.querySelector('.item.now').dataset.round").await;
        let round = round.as_str().unwrap().trim_start_matches("/rounds/").to_owned();
        let [table, shoe, _] = round.split('.').collect::<Vec<_>>()[..] else { panic!("{round}") };
        for path in pages {
            let path = path.replace("{round}", &round).replace("{table}", table).replace("{shoe}", shoe);
            found.extend(faults(&person, &axe, &path).await);
        }
        assert!(found.is_empty(), "{}", found.join("\n"));
    })
    .await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_is_kept_out_of_an_officers_pages() {
    looked_at(WORK).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_is_kept_out_of_the_rules() {
    looked_at(RULES).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_is_kept_out_of_the_pages_around_them() {
    looked_at(AROUND).await;
}
