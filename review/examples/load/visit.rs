//! What an officer waits for: the real server on a socket, a real session, whole pages to their last byte.

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;

use auditor::rulebook::books;
use rand::Rng;
use rand::rngs::SmallRng;
use reqwest::redirect::Policy;
use reqwest::{Client, StatusCode, header};
use review::accounts::secret;
use review::footage::NoFootage;
use review::notify::Notifier;
use review::server::{Clock, SESSION_COOKIE, Setup, WallClock, choose_cryptography, serve};
use review::store::decisions::{Action, Decision};
use review::{Site, Store};
use table::Utc;

use crate::watch::{Spent, Watch, tell};
use crate::{ASKED, NAME, Outcome, year};

/// What officers ask the queue for, as its address says it; each is also turned three pages deep.
const FILTERS: &[&str] = &[
    "",
    "order=time",
    "order=money",
    "severity=critical",
    "kind=wrong-payout",
    "table=BJ-07",
    "dealer=D-042",
    "check=paid_a_push&state=all&doubts=with",
    "from=2025-03-01&until=2025-03-31",
    "least=25",
    "assignee=nobody",
    "unread=true",
    "doubts=only",
    "state=confirmed,dismissed,escalated&doubts=with&order=time",
];
const DEEP: usize = 3;

/// Opens pages as a browser would and says how long each took, from asking to the last byte.
pub(crate) async fn visit(store: &Store, rounds: u32, rng: &mut SmallRng) -> Outcome<()> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let site = Site::new(store.clone(), Arc::from(books::all()?), Arc::new(NoFootage), Setup::default());
    let notifier = Notifier::new(None)?;
    let server = tokio::spawn(serve(site, listener, None, notifier, std::future::pending()));
    let officer = Visitor::enter(store, address).await?;

    let mut first = Vec::new();
    let mut deeper = Vec::new();
    for filter in FILTERS.iter().cycle().take(ASKED) {
        let (spent, page) = officer.open(&format!("/?{filter}")).await?;
        first.push((spent, *filter));
        let mut next = next_page(&page);
        for _ in 0..DEEP {
            let Some(path) = next else { break };
            let (spent, page) = officer.open(&path).await?;
            deeper.push(spent);
            next = next_page(&page);
        }
    }
    let of =
        |filter: &str| first.iter().filter(|(_, asked)| *asked == filter).map(|(spent, _)| *spent).collect::<Vec<_>>();
    for filter in FILTERS {
        tell(&format!("page, queue ?{filter}"), &of(filter));
    }
    tell("page, queue", &first.iter().map(|(spent, _)| *spent).collect::<Vec<_>>());
    tell("page, queue turned to its next pages", &deeper);
    tell("page, queue after a change", &after_changes(store, &officer, rng, rounds).await?);
    for (what, flagged) in [("page, round without flags", false), ("page, round with flags", true)] {
        let mut times = Vec::new();
        while times.len() < ASKED {
            let number = rng.random_range(0..rounds);
            if year::is_flagged(number) == flagged {
                times.push(officer.open(&format!("/rounds/{}", year::name(number))).await?.0);
            }
        }
        tell(what, &times);
    }
    server.abort();
    Ok(())
}

/// Opens the queue each time after a flag was decided and undone, when nothing that was counted before holds any more.
async fn after_changes(store: &Store, visitor: &Visitor, rng: &mut SmallRng, rounds: u32) -> Outcome<Vec<Spent>> {
    let officer = crate::officer(store).await?;
    let mut spent = Vec::new();
    while spent.len() < ASKED {
        let number = rng.random_range(0..rounds);
        if !year::is_flagged(number) {
            continue;
        }
        let stored = store.round(&officer, &year::name(number)).await?;
        let flags = store.flags_of_round(&officer, &stored.table_name, stored.shoe, stored.round).await?;
        let Some(flag) = flags.first() else { continue };
        let decision = Decision { action: Action::Escalate, reason: "", assignee: None };
        let made = store.decide(&officer, &[&flag.flag], &decision, WallClock.now()).await?;
        spent.push(visitor.open("/").await?.0);
        if let Some(made) = made.first() {
            store.undo(&officer, *made, WallClock.now()).await?;
        }
    }
    Ok(spent)
}

/// The address of the next page, as the page links to it.
fn next_page(page: &str) -> Option<String> {
    let link = page.split("href=\"").skip(1).filter_map(|rest| rest.split('"').next());
    link.map(|link| link.replace("&#38;", "&").replace("&amp;", "&")).find(|link| link.contains("after="))
}

/// Somebody logged in.
struct Visitor {
    client: Client,
    at: SocketAddr,
    cookie: String,
}

impl Visitor {
    /// Logs in by a link that works once.
    async fn enter(store: &Store, at: SocketAddr) -> Outcome<Self> {
        let now = WallClock.now();
        let soon = Utc::from_micros(now.micros() + 60_000_000).unwrap_or(now);
        let link = secret::fresh()?;
        let mut tx = store.begin().await?;
        tx.add_login_link(NAME, &secret::hashed(&link), soon, now, NAME).await?;
        tx.commit().await?;
        choose_cryptography();
        let client = Client::builder().redirect(Policy::none()).build()?;
        let answer = client.get(format!("http://{at}/login/once/{link}")).send().await?;
        let set = answer.headers().get(header::SET_COOKIE).ok_or("the link logs nobody in")?.to_str()?;
        let cookie = set.split(';').next().filter(|cookie| cookie.starts_with(SESSION_COOKIE));
        let cookie = cookie.ok_or("the link gives no session")?.to_owned();
        Ok(Self { client, at, cookie })
    }

    async fn open(&self, path: &str) -> Outcome<(Spent, String)> {
        let request = self.client.get(format!("http://{}{path}", self.at)).header(header::COOKIE, &self.cookie);
        let watch = Watch::start();
        let answer = request.send().await?;
        let status = answer.status();
        let page = answer.text().await?;
        let took = watch.stop();
        if status != StatusCode::OK {
            return Err(format!("{path}: {status}").into());
        }
        Ok((took, page))
    }
}
