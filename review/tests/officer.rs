//! An evening's work in a real browser: log in, decide a flag by keyboard alone, step through a round, make a case, export
//! it, and verify what came out of the house.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on should stop where it stands")]

mod support;

use std::fs::{self, File};
use std::path::Path;
use std::sync::Arc;

use fantoccini::key::Key;
use review::Store;
use review::accounts::{Role, Tables, password};
use review::export::check::check;
use review::server::{Clock, Setup, WallClock};
use review::store::users::NewUser;
use review::store::watches::{Doing, Watch};
use serde_json::json;
use support::chromium::drive;
use support::{at, evening, site};

const PASSWORD: &str = "correct horse battery";

fn key(key: Key) -> String {
    char::from(key).to_string()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn from_the_login_to_a_verified_export() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&format!("sqlite:{}", folder.path().join("test.db").display())).await.unwrap();
    let (site, _) = site(store.clone());
    let mut site = site.with_clock(Arc::new(WallClock));
    site.setup = Arc::new(Setup { signing_key: Some(folder.path().join("key")), ..Setup::default() });
    site.store.write("site", &evening("BJ-04"), at(0)).await.unwrap();
    let user = NewUser {
        name: "ida",
        full_name: "Ida Moss",
        title: "Investigator",
        role: Role::Investigator,
        password: Some(password::hash(PASSWORD).unwrap()),
        tables: Tables::All,
    };
    let mut tx = store.begin().await.unwrap();
    tx.add_user(&user, at(0), "test").await.unwrap();
    tx.commit().await.unwrap();
    let downloads = folder.path().join("downloads");
    fs::create_dir(&downloads).unwrap();
    let zip = downloads.join("site-case-1.zip");
    let to = zip.clone();
    drive(&site, &downloads, |person| async move {
        // The name's field has the focus already: no mouse is needed to log in.
        person.open("/").await;
        person.until("document.activeElement.name === 'name'").await;
        person.press(&format!("ida{}{PASSWORD}{}", key(Key::Tab), key(Key::Enter))).await;
        person.until("document.querySelector('.item.now') && document.querySelectorAll('.item').length === 3").await;

        // Down to the second flag, confirmed with its usual reason: three keys.
        let second = person.value("document.querySelectorAll('.item')[1].dataset.flag").await;
        let second = second.as_str().unwrap().to_owned();
        person.press("j").await;
        person.until(&format!("document.querySelector('.item.now').dataset.flag === '{second}'")).await;
        person
            .until(&format!(
                "document.querySelector('.preview form.decision')?.getAttribute('action').includes('{second}')"
            ))
            .await;
        person.press("c").await;
        person.until("document.querySelector('.reasons[data-for=confirm] button') === document.activeElement").await;
        person.press(&key(Key::Enter)).await;
        person.until(&format!("!document.querySelector('.item[data-flag=\"{second}\"]')")).await;
        person.until("document.querySelector('.toast')?.textContent.startsWith('Confirmed')").await;
        person.until("document.querySelector('.item.now') && !document.querySelector('.reasons:not([hidden])')").await;

        // The next one is opened and stepped through, the drawing with the words.
        person.press(&key(Key::Enter)).await;
        person.until("location.pathname.startsWith('/rounds/') && document.getElementById('told')").await;
        person.press(&key(Key::Home)).await;
        person.until("document.getElementById('told').textContent.startsWith('1 / ')").await;
        person.press(&key(Key::Right)).await;
        person.until("document.getElementById('told').textContent.startsWith('2 / ')").await;
        person
            .until(
                "document.querySelector('#felt svg').getAttribute('aria-label').startsWith('The table after step 2 ')",
            )
            .await;
        person.press(&key(Key::Left)).await;
        person
            .until(
                "document.querySelector('#felt svg').getAttribute('aria-label').startsWith('The table after step 1 ')",
            )
            .await;

        // It is decided there as well, and taken back.
        person.press("e").await;
        person.until("document.querySelector('.reasons[data-for=escalate] button') === document.activeElement").await;
        person.press("2").await;
        person.until("document.querySelector('.flagged-card .chip-label').textContent === 'escalated'").await;
        person.press("u").await;
        person.until("document.querySelector('.flagged-card .chip-label').textContent === 'new'").await;

        // A case with it.
        person.click("a[href^='/cases/new?flag=']").await;
        person.until("document.querySelector('input[name=title]')?.value").await;
        person.click("main form button.main").await;
        person.until("location.pathname === '/cases/1' && document.querySelector('form[action$=\"/export\"]')").await;
        person.click("form[action$='/export'] button").await;
        whole(&to).await;
        person.open("/cases/1").await;
        person.until("document.querySelector('.sealed')?.textContent.includes('by ida')").await;
        person.until("document.querySelector('.history').textContent.includes('exported it, SHA-256')").await;
    })
    .await;

    let states: Vec<_> = site.store.log_before(i64::MAX, 100).await.unwrap();
    assert!(states.iter().any(|entry| entry.action == "confirm" && entry.actor == "ida"));
    let found = check(File::open(&zip).unwrap(), None).unwrap();
    assert_eq!(found.faults, [""; 0]);
    let exported = states.iter().find(|entry| entry.action == "export").unwrap();
    assert_eq!(serde_json::from_str::<serde_json::Value>(&exported.detail).unwrap()["exported"], json!(found.sha256));
}

/// Who has worked through the whole list can take the last decision back like any other.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_last_flag_of_a_list_can_be_taken_back() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&format!("sqlite:{}", folder.path().join("test.db").display())).await.unwrap();
    let (site, _) = site(store.clone());
    let site = site.with_clock(Arc::new(WallClock));
    site.store.write("site", &evening("BJ-04"), at(0)).await.unwrap();
    let user = NewUser {
        name: "ana",
        full_name: "Ana Reti",
        title: "Officer",
        role: Role::Officer,
        password: Some(password::hash(PASSWORD).unwrap()),
        tables: Tables::All,
    };
    let mut tx = store.begin().await.unwrap();
    tx.add_user(&user, at(0), "test").await.unwrap();
    tx.commit().await.unwrap();
    drive(&site, folder.path(), |person| async move {
        person.open("/").await;
        person.until("document.activeElement.name === 'name'").await;
        person.press(&format!("ana{}{PASSWORD}{}", key(Key::Tab), key(Key::Enter))).await;
        for left in [2, 1, 0] {
            person
                .until("document.querySelector('.item.now') && document.querySelector('.preview form.decision')")
                .await;
            // Pressed before the flag is there, the key waits for it.
            person.press("d").await;
            person
                .until("document.querySelector('.reasons[data-for=dismiss] button') === document.activeElement")
                .await;
            person.press(&key(Key::Enter)).await;
            person.until(&format!("document.querySelectorAll('.item').length === {left}")).await;
        }
        person.until("document.querySelector('.preview h2').textContent === 'All done'").await;
        person.press("u").await;
        person.until("document.querySelectorAll('.item.now').length === 1").await;
        person.until("document.querySelector('.preview form.decision')").await;
    })
    .await;
    let done = store.log_before(i64::MAX, 9).await.unwrap();
    assert!(done.iter().any(|entry| entry.action == "undo" && entry.actor == "ana"), "{done:?}");
}

/// What stands on the wall all night follows the tables by itself.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn health_on_a_wall_follows_a_live_table() {
    let folder = tempfile::tempdir().unwrap();
    let store = Store::open(&format!("sqlite:{}", folder.path().join("test.db").display())).await.unwrap();
    let (site, _) = site(store.clone());
    let site = site.with_clock(Arc::new(WallClock));
    let user = NewUser {
        name: "ana",
        full_name: "Ana Reti",
        title: "Officer",
        role: Role::Officer,
        password: Some(password::hash(PASSWORD).unwrap()),
        tables: Tables::All,
    };
    let mut tx = store.begin().await.unwrap();
    tx.add_user(&user, at(0), "test").await.unwrap();
    tx.commit().await.unwrap();
    let watch = |lag| Watch {
        table_name: "BJ-04".to_owned(),
        at: WallClock.now().micros(),
        doing: Doing::Watching.name().to_owned(),
        since_at: None,
        heard_at: None,
        lag: Some(lag),
        lag_half: Some(lag),
        lag_most: Some(lag),
        waiting: 0,
        failure: String::new(),
    };
    store.watched(&[watch(38_000)]).await.unwrap();
    drive(&site, folder.path(), |person| async move {
        person.open("/health").await;
        person.until("document.activeElement.name === 'name'").await;
        person.press(&format!("ana{}{PASSWORD}{}", key(Key::Tab), key(Key::Enter))).await;
        person.until("document.getElementById('main').textContent.includes('38 ms behind')").await;
        // Nobody touches the page.
        store.watched(&[watch(4_200_000)]).await.unwrap();
        person.until("document.getElementById('main').textContent.includes('4.2 s behind')").await;
    })
    .await;
}

/// Waits until a download has its name, which it gets when it is whole.
async fn whole(path: &Path) {
    let begun = std::time::Instant::now();
    while !path.exists() {
        assert!(begun.elapsed().as_secs() < 30, "{} never came", path.display());
        tokio::time::sleep(std::time::Duration::from_millis(20)).await;
    }
}
