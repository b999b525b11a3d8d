//! A case as one ZIP: verified with programs that are not ours, the same bytes from the same case, honest about gaps.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on should stop where it stands")]

mod support;

use std::fs;
use std::io::{Cursor, Read};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

use axum::http::StatusCode;
use review::Site;
use review::Store;
use review::accounts::{Role, Tables};
use review::evidence::Locker;
use review::export::check::{Checked, check};
use review::export::key::SiteKey;
use review::footage::{Footage, FootageError, Still};
use review::server::Setup;
use review::store::cases::{CaseKind, Fields, Member};
use review::verify::verify;
use serde_json::json;
use support::browser::{Answer, Browser};
use support::{at, evening, officer, officer_at, site};
use table::{Ident, RoundId, Utc};
use zip::ZipArchive;

const PUSH: &str = "BJ-04.17.3.paid_a_push.1a";
/// The same in words.
const PUSH_SAID: &str = "Paid a push, box 1, BJ-04 shoe 17 round 3";
const STILL: &str = "stills/BJ-04.17.3.paid_a_push.1a.overhead.jpg";

/// A camera that saw a grey wall, a clip and a tape of four letters each.
struct Wall;

impl Footage for Wall {
    fn cameras(&self, table: &Ident) -> Vec<String> {
        if table.as_str() == "BJ-04" { vec!["overhead".to_owned()] } else { Vec::new() }
    }

    fn still(&self, _: &Ident, _: &str, at: Utc) -> Result<Option<Still>, FootageError> {
        let mut jpeg = Vec::new();
        jpeg_encoder::Encoder::new(&mut jpeg, 80)
            .encode(&[128; 64 * 48], 64, 48, jpeg_encoder::ColorType::Luma)
            .unwrap();
        Ok(Some(Still { at, jpeg }))
    }

    fn frames(&self, _: &Ident, _: &str, at: Utc, _: usize) -> Result<Vec<Utc>, FootageError> {
        Ok(vec![at])
    }

    fn clip(&self, _: &Ident, _: &str, _: Utc, _: Utc) -> Result<Option<Vec<u8>>, FootageError> {
        Ok(Some(b"clip".to_vec()))
    }

    fn tape(&self, _: &RoundId, _: Utc, _: Utc) -> Result<Option<Vec<u8>>, FootageError> {
        Ok(Some(b"tape".to_vec()))
    }
}

/// A site in a folder, with a key and a locker, and the number of a case with a flag and a round.
async fn case_in(folder: &Path, store: Store, footage: Option<Arc<dyn Footage>>) -> (Site, i64) {
    let (mut site, _) = site(store);
    let setup =
        Setup { evidence: Some(folder.join("evidence")), signing_key: Some(folder.join("key")), ..Setup::default() };
    site.setup = Arc::new(setup);
    if let Some(footage) = footage {
        site.footage = footage;
    }
    site.store.write("site", &evening("BJ-04"), at(0)).await.unwrap();
    let ida = officer(&site.store, "ida", Role::Investigator).await;
    let fields = Fields {
        title: "Paid a push".to_owned(),
        incident_at: at(0).micros(),
        place: "table BJ-04".to_owned(),
        nature: "A player says <b>he</b> was not paid.".to_owned(),
        persons: "Hēmi Tāwhiri".to_owned(),
        ..Fields::default()
    };
    let id = site.store.open_case(&ida, "site", CaseKind::Dispute, &fields, at(1)).await.unwrap();
    site.store.add_to_case(&ida, id, Member::Flag, PUSH, at(2)).await.unwrap();
    site.store.add_to_case(&ida, id, Member::Round, "BJ-04.17.5", at(3)).await.unwrap();
    site.store
        .add_note(&ida, review::store::notes::Subject::Case, &id.to_string(), "seen on video", at(4))
        .await
        .unwrap();
    (site, id)
}

async fn sqlite(folder: &Path) -> Store {
    Store::open(&format!("sqlite:{}", folder.join("test.db").display())).await.unwrap()
}

async fn export(site: &Site, user: &str, id: i64) -> Answer {
    let user = site.store.user_named(user).await.unwrap().unwrap();
    Browser::of(site, user.id).await.post(&format!("/api/cases/{id}/export"), json!({})).await
}

fn checked(zip: &[u8]) -> Checked {
    check(Cursor::new(zip), None).unwrap()
}

fn member(zip: &[u8], name: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    ZipArchive::new(Cursor::new(zip)).unwrap().by_name(name).unwrap().read_to_end(&mut bytes).unwrap();
    bytes
}

fn run(folder: &Path, program: &str, args: &[&str]) -> Output {
    Command::new(program).args(args).current_dir(folder).output().unwrap()
}

/// Unpacks an export with `unzip` and does what VERIFY.txt says; whether each step succeeds.
fn as_verify_txt_says(zip: &[u8], into: PathBuf) -> (bool, bool) {
    fs::create_dir(&into).unwrap();
    fs::write(into.join("case.zip"), zip).unwrap();
    run(&into, "unzip", &["-q", "case.zip"]);
    let openssl = "pkeyutl -verify -pubin -inkey public-key.pem -rawin -in manifest.json -sigfile manifest.sig";
    let signed = run(&into, "openssl", &openssl.split(' ').collect::<Vec<_>>());
    let summed = run(&into, "sha256sum", &["--check", "--quiet", "--strict", "SHA256SUMS"]);
    let sums = run(&into, "sha256sum", &["SHA256SUMS"]);
    let sums = String::from_utf8(sums.stdout).unwrap();
    let manifest = fs::read_to_string(into.join("manifest.json")).unwrap_or_default();
    let chained = sums.split(' ').next().is_some_and(|sum| sum.len() == 64 && manifest.contains(sum));
    (signed.status.success(), summed.status.success() && chained)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_export_is_verified_by_programs_that_are_not_ours_and_one_flipped_byte_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let (site, id) = case_in(folder.path(), sqlite(folder.path()).await, Some(Arc::new(Wall))).await;
    let answer = export(&site, "ida", id).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    assert_eq!(answer.header("content-type"), "application/zip");
    assert_eq!(answer.header("content-disposition"), "attachment; filename=\"site-case-1.zip\"");
    let zip = answer.body;
    assert_eq!(as_verify_txt_says(&zip, folder.path().join("good")), (true, true));
    let found = checked(&zip);
    assert_eq!(found.faults, [""; 0]);
    assert_eq!(found.sha256, answer.headers["x-sha256"].to_str().unwrap());
    let good = folder.path().join("good");
    let key = SiteKey::open(&folder.path().join("key")).unwrap().public();
    let openssl = run(&good, "sh", &["-c", "openssl pkey -pubin -in public-key.pem -outform DER | sha256sum"]);
    assert!(String::from_utf8(openssl.stdout).unwrap().starts_with(&key.fingerprint()));
    assert!(fs::read_to_string(good.join("VERIFY.txt")).unwrap().contains(&key.fingerprint()));

    let manifest = found.manifest.unwrap();
    let mut names: Vec<_> = manifest.files.iter().map(|part| part.name.as_str()).collect();
    names.sort_unstable();
    let expected = [
        "SHA256SUMS",
        "VERIFY.html",
        "VERIFY.txt",
        "case.json",
        "clips/BJ-04.17.3.overhead.mp4",
        "clips/BJ-04.17.5.overhead.mp4",
        "public-key.pem",
        "report.html",
        "report.pdf",
        STILL,
        "stills/BJ-04.17.5.overhead.jpg",
        "tape/BJ-04.17.3.mcap",
        "tape/BJ-04.17.5.mcap",
    ];
    assert_eq!(names, expected);
    assert_eq!(manifest.missing, []);

    // A byte of the picture is flipped where it lies in the ZIP.
    let still = member(&zip, STILL);
    let place = zip.windows(still.len()).position(|window| window == still).unwrap();
    let mut flipped = zip.clone();
    flipped[place + still.len() / 2] ^= 1;
    assert!(checked(&flipped).faults.iter().any(|fault| fault.starts_with(STILL)), "{:?}", checked(&flipped).faults);
    assert_eq!(as_verify_txt_says(&flipped, folder.path().join("bad")), (true, false));
    // So is a flipped byte of every other member, the manifest and its signature included.
    let mut archive = ZipArchive::new(Cursor::new(&zip)).unwrap();
    assert_eq!(archive.len(), expected.len() + 2);
    for index in 0..archive.len() {
        let member = archive.by_index(index).unwrap();
        let place = member.data_start().unwrap() + member.compressed_size() / 2;
        let mut flipped = zip.clone();
        flipped[usize::try_from(place).unwrap()] ^= 0x10;
        assert!(!checked(&flipped).faults.is_empty(), "{}", member.name().unwrap());
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_forged_manifest_is_found_out() {
    let folder = tempfile::tempdir().unwrap();
    let (site, id) = case_in(folder.path(), sqlite(folder.path()).await, None).await;
    let zip = export(&site, "ida", id).await.body;
    let other = SiteKey::open_or_make(&folder.path().join("other")).unwrap().public();
    let found = check(Cursor::new(&zip), Some(&other)).unwrap();
    assert!(found.faults.iter().any(|fault| fault.contains("is signed with the key")), "{:?}", found.faults);

    // Somebody packs the same files again with another report, and leaves the manifest as it was.
    let unpacked = folder.path().join("unpacked");
    fs::create_dir(&unpacked).unwrap();
    fs::write(unpacked.join("case.zip"), &zip).unwrap();
    let script = "unzip -q case.zip && rm case.zip && echo '<p>all was well</p>' > report.html && echo more > more.txt && \
                  rm report.pdf && python3 -m zipfile -c ../forged.zip *";
    assert!(run(&unpacked, "sh", &["-c", script]).status.success());
    let found = checked(&fs::read(folder.path().join("forged.zip")).unwrap());
    for fault in ["report.html was altered", "more.txt is not in manifest.json", "report.pdf is missing"] {
        assert!(found.faults.iter().any(|told| told == fault), "{fault}: {:?}", found.faults);
    }
    assert!(!checked(b"a letter").faults.is_empty());
    assert!(!checked(&[]).faults.is_empty());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_same_case_gives_the_same_bytes_from_either_database() {
    let folder = tempfile::tempdir().unwrap();
    let (first, id) = case_in(folder.path(), sqlite(folder.path()).await, Some(Arc::new(Wall))).await;
    let server = support::postgres::Server::start();
    let store = Store::open(&server.database().await).await.unwrap();
    let (second, same) = case_in(folder.path(), store, Some(Arc::new(Wall))).await;
    let [one, two] = [export(&first, "ida", id).await.body, export(&second, "ida", same).await.body];
    for name in ["case.json", "report.html", "report.pdf", "manifest.json"] {
        assert_eq!(member(&one, name), member(&two, name), "{name}");
    }
    assert!(one == two, "the ZIPs differ");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_is_missing_is_said_in_report_and_manifest() {
    let folder = tempfile::tempdir().unwrap();
    let (site, id) = case_in(folder.path(), sqlite(folder.path()).await, None).await;
    let zip = export(&site, "ida", id).await.body;
    let manifest = checked(&zip).manifest.unwrap();
    let missing: Vec<_> = manifest.missing.iter().map(|missing| missing.name.as_str()).collect();
    let expected = [
        "clips/BJ-04.17.3.mp4",
        "clips/BJ-04.17.5.mp4",
        "stills/BJ-04.17.3.paid_a_push.1a.jpg",
        "stills/BJ-04.17.5.jpg",
        "tape/BJ-04.17.3.mcap",
        "tape/BJ-04.17.5.mcap",
    ];
    assert_eq!(missing, expected);
    let report = String::from_utf8(member(&zip, "report.html")).unwrap();
    for name in expected {
        assert!(report.contains(&format!("Missing: {name}")), "{name}");
    }
    assert!(report.contains("No picture: no recording of table BJ-04 was at hand."));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_report_has_what_a_report_must_have() {
    let folder = tempfile::tempdir().unwrap();
    let (site, id) = case_in(folder.path(), sqlite(folder.path()).await, Some(Arc::new(Wall))).await;
    let zip = export(&site, "ida", id).await.body;
    let report = String::from_utf8(member(&zip, "report.html")).unwrap();
    for said in [
        "Dispute 1: Paid a push",
        "Prepared by</dt><dd>ida, Surveillance officer",
        "Hēmi Tāwhiri",
        "A player says &lt;b&gt;he&lt;/b&gt; was not paid.",
        "nz-5.1(e): Equal totals or two naturals push",
        "the wager was paid",
        "NZD to player",
        "seen on video",
        PUSH_SAID,
        "ida sealed it",
        "data:image/jpeg;base64,",
        "Staff present",
        "Second auditor",
        "Disposition",
        "Savings",
    ] {
        assert!(report.contains(said), "{said}: {report}");
    }
    assert!(member(&zip, "report.pdf").starts_with(b"%PDF-"));
    let record: serde_json::Value = serde_json::from_slice(&member(&zip, "case.json")).unwrap();
    assert_eq!(record["flags"][0]["flag"]["check"], "paid_a_push");
    assert_eq!(record["rounds"][0]["round"]["id"]["table"], "BJ-04", "{}", record["rounds"][0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn exporting_seals_the_case_and_its_history_has_the_hash() {
    let folder = tempfile::tempdir().unwrap();
    let (site, id) = case_in(folder.path(), sqlite(folder.path()).await, Some(Arc::new(Wall))).await;
    let first = export(&site, "ida", id).await;
    let sha256 = first.headers["x-sha256"].to_str().unwrap().to_owned();
    let case = site.store.case(id).await.unwrap();
    assert_eq!(case.locked_by.as_deref(), Some("ida"));
    let last = site.store.log_before(i64::MAX, 1).await.unwrap().remove(0);
    assert_eq!((&*last.action, &*last.actor, &*last.subject), ("export", "ida", "case 1"));
    assert!(last.detail.contains(&sha256));
    let ida = site.store.user_named("ida").await.unwrap().unwrap();
    let page = Browser::of(&site, ida.id).await.get(&format!("/cases/{id}")).await.text();
    assert!(page.contains(&format!("ida exported it, SHA-256 {sha256}")), "{page}");
    assert!(page.contains(">Export as ZIP<"), "{page}");
    let added = format!("ida added “{PUSH_SAID}”");
    assert!(page.contains(&added) && page.contains(&format!("<li title=\"{PUSH}\">")), "{page}");

    // The tapes go; what was exported is in the locker and can be exported again, and all of it verifies.
    let mut later = site.clone();
    later.footage = Arc::new(review::footage::NoFootage);
    let second = export(&later, "ida", id).await.body;
    assert_eq!(checked(&second).manifest.unwrap().missing, []);
    assert_eq!(member(&second, STILL), member(&first.body, STILL));
    let report = String::from_utf8(member(&second, "report.html")).unwrap();
    assert!(report.contains(&format!("exported it, SHA-256 {sha256}")) && report.contains(&added), "{report}");
    let locker = Locker::open(&folder.path().join("evidence")).unwrap();
    let verified = verify(&site.store, Some(&locker), &[]).await.unwrap();
    assert_eq!((verified.faults.as_slice(), verified.files > 0), ([].as_slice(), true));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_auditor_takes_a_copy_and_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let (site, id) = case_in(folder.path(), sqlite(folder.path()).await, Some(Arc::new(Wall))).await;
    officer(&site.store, "audrey", Role::Auditor).await;
    let zip = export(&site, "audrey", id).await.body;
    assert_eq!(checked(&zip).manifest.unwrap().sealed, None);
    assert!(String::from_utf8(member(&zip, "report.html")).unwrap().contains("This case was not sealed"));
    assert_eq!(site.store.case(id).await.unwrap().locked_at, None);
    assert!(!folder.path().join("evidence").read_dir().unwrap().any(|_| true), "nothing was put away");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nobody_exports_what_they_may_not_see_or_without_a_key() {
    let folder = tempfile::tempdir().unwrap();
    let (mut site, id) = case_in(folder.path(), sqlite(folder.path()).await, None).await;
    officer_at(&site.store, "ben", Role::Investigator, Tables::Only(["BJ-05".to_owned()].into())).await;
    let refused = export(&site, "ben", id).await;
    assert_eq!(refused.status, StatusCode::CONFLICT, "{}", refused.text());
    assert!(refused.text().contains("tables your account does not include"));
    let ben = site.store.user_named("ben").await.unwrap().unwrap();
    let page = Browser::of(&site, ben.id).await.get(&format!("/cases/{id}")).await.text();
    assert!(page.contains("added a flag of a table your account does not include"), "{page}");
    site.setup = Arc::new(Setup::default());
    let refused = export(&site, "ida", id).await;
    assert_eq!(refused.status, StatusCode::CONFLICT, "{}", refused.text());
    assert_eq!(site.store.case(id).await.unwrap().locked_at, None, "what was not exported is not sealed");
    assert_eq!(export(&site, "ida", 999).await.status, StatusCode::CONFLICT);
}
