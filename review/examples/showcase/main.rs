//! The officers' pages with made-up rounds, for looking at them: prints a link that logs in once.
//!
//! ```sh
//! cargo run -p review --example showcase -- 127.0.0.1:8080
//! ```
#![allow(clippy::expect_used, clippy::print_stdout, reason = "an example may stop where it stands")]

mod rounds;

use std::net::SocketAddr;
use std::sync::Arc;

use auditor::rulebook::books;
use review::accounts::{Role, Tables, secret};
use review::footage::NoFootage;
use review::server::Setup;
use review::store::site::Health;
use review::store::users::NewUser;
use review::{Site, Store};

#[tokio::main(flavor = "current_thread")]
async fn main() {
    let address: SocketAddr =
        std::env::args().nth(1).unwrap_or_else(|| "127.0.0.1:8080".to_owned()).parse().expect("an address and a port");
    let folder = tempfile::tempdir().expect("a folder to work in");
    let url = format!("sqlite:{}", folder.path().join("showcase.db").display());
    let store = Store::open(&url).await.expect("a database");
    let setup = Setup { site: "Harbour".to_owned(), zone: chrono_tz::Pacific::Auckland, ..Setup::default() };
    let books = books::all().expect("the books that ship are sound");
    let site = Site::new(store, Arc::from(books), Arc::new(NoFootage), setup);
    let now = site.now();
    site.store.write("Harbour", &rounds::audited(now, usize::MAX), now).await.expect("the rounds are written");
    for (source, state, detail) in [("overhead", "ok", ""), ("shoe", "ok", ""), ("chips", "lost", "no line for 40 s")] {
        let health = Health {
            at: now.micros() - 40_000_000,
            table_name: "BJ-01".to_owned(),
            source: source.to_owned(),
            state: state.to_owned(),
            detail: detail.to_owned(),
        };
        site.store.add_health(&health).await.expect("health is written");
    }
    let link = secret::fresh().expect("the machine has randomness");
    let mut tx = site.store.begin().await.expect("a transaction");
    let user = NewUser {
        name: "moana",
        full_name: "Moana Reid",
        title: "Surveillance officer",
        role: Role::Admin,
        password: None,
        tables: Tables::All,
    };
    tx.add_user(&user, now, "showcase").await.expect("an account");
    let until = now.shifted(3_600_000_000).expect("within the years we know");
    tx.add_login_link("moana", &secret::hashed(&link), until, now, "showcase").await.expect("a link");
    tx.commit().await.expect("written");
    let listener = tokio::net::TcpListener::bind(address).await.expect("a free port");
    println!("http://{}/login/once/{link}", listener.local_addr().expect("an address"));
    let service = review::router(site).into_make_service_with_connect_info::<SocketAddr>();
    axum::serve(listener, service).await.expect("served");
}
