//! What leaves and enters by the wire: pages over TLS, and the letter about a severe flag.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on should stop where it stands")]

mod support;

use std::net::TcpListener;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use reqwest::redirect::Policy;
use reqwest::{Certificate, Client, StatusCode};
use review::accounts::{Role, secret};
use review::notify::Notifier;
use review::server::{ServeError, Setup, Tls, choose_cryptography, serve};
use review::store::site::Channel;
use review::{Site, Store};
use support::{at, evening, officer, site};
use table::Severity;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};
use tokio::sync::oneshot;

async fn sqlite(folder: &Path) -> Store {
    Store::open(&format!("sqlite:{}", folder.join("test.db").display())).await.unwrap()
}

/// A certificate for this machine that nobody but its holder has signed, and its key.
fn certificate(folder: &Path) -> Tls {
    let tls = Tls { cert: folder.join("cert.pem"), key: folder.join("key.pem") };
    let made = Command::new("openssl")
        .args(["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2"])
        .args(["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"])
        .args(["-addext", "basicConstraints=critical,CA:FALSE"])
        .arg("-keyout")
        .arg(&tls.key)
        .arg("-out")
        .arg(&tls.cert)
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    tls
}

/// A site that speaks TLS itself.
fn over_tls(store: Store) -> Site {
    let (mut site, _) = site(store);
    site.setup = Arc::new(Setup { secure: true, ..Setup::default() });
    site
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn pages_come_over_tls_and_browsers_are_told_to_stay_there() {
    let folder = tempfile::tempdir().unwrap();
    let tls = certificate(folder.path());
    let site = over_tls(sqlite(folder.path()).await);
    officer(&site.store, "ana", Role::Officer).await;
    let mut tx = site.store.begin().await.unwrap();
    tx.add_login_link("ana", &secret::hashed("once"), at(60), at(0), "test").await.unwrap();
    tx.commit().await.unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let (stop, stopped) = oneshot::channel::<()>();
    let notifier = Notifier::new(None).unwrap();
    let served = tokio::spawn(serve(site, listener, Some(tls.clone()), notifier, async { drop(stopped.await) }));
    choose_cryptography();
    let trusted = Certificate::from_pem(&std::fs::read(&tls.cert).unwrap()).unwrap();
    let client = Client::builder().tls_certs_only([trusted]).redirect(Policy::none()).build().unwrap();
    let there = format!("https://localhost:{port}");

    let page = client.get(format!("{there}/login")).send().await.unwrap();

    assert_eq!(page.status(), StatusCode::OK);
    assert_eq!(page.headers()["strict-transport-security"], "max-age=31536000");
    assert!(page.text().await.unwrap().contains("<form"));
    let entered = client.get(format!("{there}/login/once/once")).send().await.unwrap();
    let cookie = entered.headers()["set-cookie"].to_str().unwrap();
    assert!(cookie.contains("; Secure") && cookie.contains("; HttpOnly"), "{cookie}");
    let strange = Client::builder().tls_certs_only([]).build().unwrap();
    assert!(strange.get(format!("{there}/login")).send().await.is_err(), "nobody vouches for the certificate");
    assert!(client.get(format!("http://localhost:{port}/login")).send().await.is_err(), "nothing is said in the clear");
    stop.send(()).unwrap();
    served.await.unwrap().unwrap();
}

#[tokio::test]
async fn without_its_certificate_the_server_says_so() {
    let folder = tempfile::tempdir().unwrap();
    let tls = Tls { cert: folder.path().join("none.pem"), key: folder.path().join("none.key") };
    let site = over_tls(sqlite(folder.path()).await);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let served = serve(site, listener, Some(tls), Notifier::new(None).unwrap(), std::future::pending()).await;
    assert!(matches!(served, Err(ServeError::Tls { .. })), "{served:?}");
}

/// Takes one letter as a mail server does, and gives all that was said to it.
async fn one_letter(listener: tokio::net::TcpListener) -> String {
    let (mut caller, _) = listener.accept().await.unwrap();
    let (said, mut answers) = caller.split();
    let mut lines = BufReader::new(said).lines();
    let mut heard = String::new();
    let mut in_letter = false;
    answers.write_all(b"220 sink\r\n").await.unwrap();
    while let Some(line) = lines.next_line().await.unwrap() {
        heard.push_str(&line);
        heard.push('\n');
        let answer = match &*line {
            "." if in_letter => {
                in_letter = false;
                "250 taken\r\n"
            }
            _ if in_letter => continue,
            "DATA" => {
                in_letter = true;
                "354 go on\r\n"
            }
            "QUIT" => break,
            _ => "250 sink\r\n",
        };
        answers.write_all(answer.as_bytes()).await.unwrap();
        if line == "." {
            break;
        }
    }
    heard
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_severe_flag_is_written_about_once_and_a_minor_one_is_not() {
    let folder = tempfile::tempdir().unwrap();
    let store = sqlite(folder.path()).await;
    let mia = officer(&store, "mia", Role::Manager).await;
    let mut audited = evening("BJ-04");
    for flag in audited.iter_mut().flat_map(|audited| &mut audited.flags) {
        let push = flag.check == "paid_a_push";
        flag.severity = if push { Severity::Critical } else { Severity::Minor };
    }
    store.subscribe(&mia, Channel::Email, "pit@example.org", "", Severity::Critical, at(0)).await.unwrap();
    store.write("site", &audited, at(0)).await.unwrap();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("smtp://{}", listener.local_addr().unwrap());
    let sink = tokio::spawn(one_letter(listener));
    let notifier = Notifier::new(Some((&url, "fairdeal@example.org"))).unwrap();

    let arrived = notifier.deliver(&store, at(1)).await.unwrap();

    let letter = sink.await.unwrap();
    assert_eq!(arrived, 1, "{letter}");
    for said in ["MAIL FROM:<fairdeal@example.org>", "RCPT TO:<pit@example.org>", "Subject: critical at BJ-04"] {
        assert!(letter.contains(said), "{said} in {letter}");
    }
    assert!(letter.contains("BJ-04.17.3.paid_a_push.1a") && letter.contains("25.00"), "{letter}");
    assert_eq!(notifier.deliver(&store, at(2)).await.unwrap(), 0, "nothing is told twice");
}

#[tokio::test]
async fn a_letter_that_nobody_takes_is_tried_again() {
    let folder = tempfile::tempdir().unwrap();
    let store = sqlite(folder.path()).await;
    let mia = officer(&store, "mia", Role::Manager).await;
    store.subscribe(&mia, Channel::Email, "pit@example.org", "", Severity::Info, at(0)).await.unwrap();
    store.write("site", &evening("BJ-04"), at(0)).await.unwrap();
    // A port that was free a moment ago: nobody listens there.
    let gone = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let notifier = Notifier::new(Some((&format!("smtp://{gone}"), "fairdeal@example.org"))).unwrap();
    assert_eq!(notifier.deliver(&store, at(1)).await.unwrap(), 0);
    assert!(store.due(at(30), 10).await.unwrap().is_empty(), "not at once");
    let due = store.due(at(31), 10).await.unwrap();
    assert!(!due.is_empty() && due.iter().all(|due| due.attempts == 1), "{due:?}");
}
