//! A case exported from the command line, with the pictures, video and tape of a real recording.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on should stop where it stands")]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};

use review::Store;
use review::accounts::{Entrance, Looks, Officer, Role, Tables};
use review::store::cases::{CaseKind, Fields, Member};
use review::store::users::NewUser;
use serde_json::Value;
use table::Utc;

/// The first letters of a flag of the bundled tape, of a round that the camera saw.
const FLAG: &str = "BJ-04.1.3.";

fn fairdeal(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fairdeal")).args(args).output().unwrap()
}

fn text(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

/// A database with the rounds of the bundled tape, and a case with one of their flags.
async fn case(folder: &Path) -> (String, String) {
    let db = format!("sqlite:{}", folder.join("night.db").display());
    let audited = fairdeal(&["demo", "--exit", "--db", &db]);
    assert_eq!(audited.status.code(), Some(0), "{}", text(&audited));
    let store = Store::open(&db).await.unwrap();
    let now: Utc = "2026-11-16T00:00:00Z".parse().unwrap();
    let mut tx = store.begin().await.unwrap();
    let user = NewUser {
        name: "ida",
        full_name: "Ida Moss",
        title: "Investigator",
        role: Role::Investigator,
        password: None,
        tables: Tables::All,
    };
    let id = tx.add_user(&user, now, "test").await.unwrap();
    tx.commit().await.unwrap();
    let ida = Officer {
        id,
        name: "ida".to_owned(),
        full_name: "Ida Moss".to_owned(),
        title: String::new(),
        role: Role::Investigator,
        tables: Tables::All,
        looks: Looks::default(),
        by: Entrance::Session { csrf: String::new() },
    };
    let all = review::store::queue::Filter::default();
    let flags = store.queue(&ida, &all, None, 100).await.unwrap().flags;
    let flag = flags.iter().map(|flag| flag.flag.clone()).find(|flag| flag.starts_with(FLAG)).unwrap();
    let fields = Fields { title: "Paid wrongly".to_owned(), incident_at: now.micros(), ..Fields::default() };
    let case = store.open_case(&ida, "Demonstration", CaseKind::Incident, &fields, now).await.unwrap();
    store.add_to_case(&ida, case, Member::Flag, &flag, now).await.unwrap();
    store.close().await;
    (db, flag)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_case_leaves_with_its_recordings_and_proves_itself() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let (db, flag) = case(folder.path()).await;
    let (zip, evidence) = (at("case.zip"), at("evidence"));
    let args =
        ["export", "1", "--db", &db, "--tapes", "fixtures/demo", "--evidence", &evidence, "--by", "ida", "--json"];
    let done = fairdeal(&[&args[..], &["--out", &zip]].concat());
    assert_eq!(done.status.code(), Some(0), "{}", text(&done));
    let done: Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!(done["manifest"]["missing"], serde_json::json!([]), "{done}");
    assert_eq!(fairdeal(&[&args[..], &["--out", &zip]].concat()).status.code(), Some(2), "nothing is overwritten");

    // The video plays, the picture is one, and the tape is a tape with the round on it.
    assert!(Command::new("unzip").args(["-q", &zip, "-d", &at("open")]).status().unwrap().success());
    let round = flag.split('.').take(3).collect::<Vec<_>>().join(".");
    let only =
        |under: &str| fs::read_dir(folder.path().join("open").join(under)).unwrap().next().unwrap().unwrap().path();
    let probe = ["-v", "error", "-count_frames", "-show_entries", "stream=codec_name,nb_read_frames", "-of", "csv=p=0"];
    let played = Command::new("ffprobe").args(probe).arg(only("clips")).output().unwrap();
    let played = String::from_utf8(played.stdout).unwrap();
    let (codec, frames) = played.trim().split_once(',').unwrap();
    assert_eq!(codec, "h264");
    assert!(frames.parse::<u32>().unwrap() > 10, "{played}");
    assert!(fs::read(only("stills")).unwrap().starts_with(&[0xff, 0xd8]));
    let tape = at(&format!("open/tape/{round}.mcap"));
    let audited = fairdeal(&["audit", &tape, "--json"]);
    let found: Vec<Value> =
        audited.stdout.split(|byte| *byte == b'\n').filter_map(|line| serde_json::from_slice(line).ok()).collect();
    assert!(
        found.iter().any(|found| found["id"] == *flag),
        "audited again, the tape gives the same flag: {}",
        text(&audited)
    );

    // Verified from outside: alone, with the site's key, and against the site's log.
    let key = fairdeal(&["export", "--key", "--db", &db]);
    let pem = at("site.pem");
    fs::write(&pem, text(&key).lines().filter(|line| !line.starts_with("SHA-256")).collect::<Vec<_>>().join("\n"))
        .unwrap();
    assert_eq!(fs::metadata(at("night.db.key")).unwrap().permissions().mode() & 0o777, 0o600);
    for further in [&["--json"][..], &["--key", &pem], &["--db", &db]] {
        let verified = fairdeal(&[&["verify", &zip], further].concat());
        assert_eq!(verified.status.code(), Some(0), "{}", text(&verified));
    }
    let verified = fairdeal(&["verify", "--db", &db, "--evidence", &evidence]);
    assert_eq!(verified.status.code(), Some(0), "{}", text(&verified));

    // A byte at the very end, where no file is: the log knows only the true file.
    let mut bytes = fs::read(&zip).unwrap();
    bytes.push(0);
    fs::write(at("longer.zip"), &bytes).unwrap();
    let verified = fairdeal(&["verify", &at("longer.zip"), "--db", &db]);
    assert_eq!(verified.status.code(), Some(1), "{}", text(&verified));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn without_an_officer_it_is_a_copy_and_without_tapes_it_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let (db, flag) = case(folder.path()).await;
    let zip = folder.path().join("case.zip").display().to_string();
    let done = fairdeal(&["export", "1", "--db", &db, "--out", &zip]);
    assert_eq!(done.status.code(), Some(0), "{}", text(&done));
    let said = text(&done);
    assert!(said.contains(&format!("missing: stills/{flag}.jpg: no recording of table BJ-04 was at hand")), "{said}");
    assert!(said.contains("the case is not sealed and may still change"), "{said}");
    let verified = text(&fairdeal(&["verify", &zip]));
    assert!(verified.contains("all is as it was signed") && verified.contains("was missing then: tape/"), "{verified}");
    assert!(verified.contains("compare it with what the site tells you"), "{verified}");

    let wrong = fairdeal(&["export", "7", "--db", &db]);
    assert_eq!((wrong.status.code(), text(&wrong).trim()), (Some(2), "fairdeal: there is no case 7"));
    let server = fairdeal(&["export", "1", "--db", "postgres://fairdeal@nowhere.invalid/fairdeal"]);
    assert!(text(&server).contains("name the file of the site's key with --signing-key"), "{}", text(&server));
    let nobody = fairdeal(&["export", "1", "--db", &db, "--by", "eve"]);
    assert!(text(&nobody).contains("there is no account eve"), "{}", text(&nobody));
    assert_eq!(fairdeal(&["verify"]).status.code(), Some(2));
}
