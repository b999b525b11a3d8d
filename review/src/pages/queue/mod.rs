//! The queue: filters, the list, and the selected flag with all that is needed to decide it.

mod asked;
mod decide;
mod item;
mod preview;

use askama::Template;
use axum::Form;
use axum::extract::{Path, RawQuery, State};
use axum::response::{IntoResponse, Redirect, Response};
use serde::Deserialize;
use table::FlagKind;

use asked::{Asked, BUILT_IN, DECIDED, STATES, Typed};
pub(crate) use decide::{decide, decide_many, note};
use item::Item;
pub(crate) use preview::preview;
use preview::{HandView, Shown};
pub(crate) use preview::{drawing, told};

use super::flag::{FlagView, Stands};
use super::frame::{Frame, page};
use crate::accounts::Officer;
use crate::server::{Failure, Site};
use crate::store::queue::{Filter, Queued, State as Standing, Tally};

/// Flags on a page.
const LIMIT: usize = 60;

/// A filter as the left pane shows it.
struct Entry {
    name: String,
    query: String,
    count: String,
    current: bool,
    /// The number under which the officer may forget it.
    own: Option<i64>,
}

#[derive(Template)]
#[template(path = "queue.html")]
struct Queue {
    frame: Frame,
    built_in: Vec<Entry>,
    saved: Vec<Entry>,
    heading: String,
    total: String,
    filter: Typed,
    query: String,
    states: &'static [(&'static str, &'static str)],
    kinds: Vec<&'static str>,
    narrowed: bool,
    leaves: &'static str,
    opened: bool,
    items: Vec<Item>,
    next: Option<String>,
    // The preview.
    flag: Option<FlagView>,
    still: Option<String>,
    overlay: String,
    felt: String,
    hands: Vec<HandView>,
    history: Vec<String>,
    back: String,
}

pub(crate) async fn show(
    State(site): State<Site>,
    officer: Officer,
    RawQuery(address): RawQuery,
) -> Result<Response, Failure> {
    let frame = Frame::new(&site, &officer, "/", "Queue");
    let zone = site.setup.zone;
    let asked = Asked::read(&address.unwrap_or_default(), zone)?;
    let wanted = asked.query.read().map_err(|error| Failure::Bad(error.to_string()))?;
    let filter = wanted.filter;
    let found = site.store.list(&officer, &filter, wanted.after, LIMIT).await?;
    let query = asked.address();
    let entry = |name: &str, filter_query: &str, count: String, own: Option<i64>| Entry {
        name: name.to_owned(),
        query: filter_query.to_owned(),
        count,
        current: filter_query == query,
        own,
    };
    let tally = site.store.tally(&officer).await?;
    let mut built_in = Vec::new();
    for (name, filter_query) in BUILT_IN {
        let count = if *name == DECIDED { String::new() } else { count(&site, &officer, &tally, filter_query).await? };
        built_in.push(entry(name, &Asked::read(filter_query, zone)?.address(), count, None));
    }
    let mut saved = Vec::new();
    for kept in site.store.saved_filters(&officer).await? {
        // A filter kept by an older version may ask for what is no more.
        let count = count(&site, &officer, &tally, &kept.query).await.unwrap_or_default();
        // Everybody's are the manager's to forget.
        let own = (kept.user_id.is_some() || frame.may_manage()).then_some(kept.id);
        saved.push(entry(&kept.name, &Asked::read(&kept.query, zone)?.address(), count, own));
    }
    let here = built_in.iter().chain(&saved).find(|entry| entry.current);
    let (heading, narrowed) = here.map_or(("Filtered".to_owned(), true), |entry| (entry.name.clone(), false));
    let total = match here {
        Some(entry) => entry.count.clone(),
        None => counted(&site, &officer, &filter).await?,
    };
    let chosen = match asked.flag.as_ref().or(found.flags.first().map(|first| &first.flag)) {
        None => None,
        Some(id) => Some(site.store.flag(&officer, id).await?),
    };
    if let Some(chosen) = &chosen {
        site.store.mark_seen(&officer, chosen, frame.now).await?;
    }
    let now = chosen.as_ref().map_or("", |chosen| &chosen.flag);
    let items = found.flags.into_iter().map(|listed| Item::new(&frame, listed, now)).collect();
    let shown = match &chosen {
        Some(queued) => preview::shown(&site, &officer, &frame, queued).await?,
        None => Shown::default(),
    };
    let next = found.next.map(|next| format!("{query}{}after={next}", if query.is_empty() { "" } else { "&" }));
    let back = format!("/?{query}");
    page(&Queue {
        built_in,
        saved,
        heading,
        total,
        leaves: if filter.states == [Standing::New] { "yes" } else { "no" },
        opened: asked.flag.is_some(),
        filter: Typed::new(&asked.query, zone),
        query,
        states: STATES,
        kinds: FlagKind::ALL.iter().map(|kind| kind.name()).collect(),
        narrowed,
        items,
        next,
        flag: shown.flag,
        still: shown.still,
        overlay: shown.overlay,
        felt: shown.felt,
        hands: shown.hands,
        history: shown.history,
        back,
        frame,
    })
}

async fn count(site: &Site, officer: &Officer, tally: &Tally, query: &str) -> Result<String, Failure> {
    let asked = Asked::read(query, site.setup.zone)?.query.read().map_err(|error| Failure::Bad(error.to_string()))?;
    match tally.count(&asked.filter) {
        Some(count) => Ok(count.to_string()),
        None => counted(site, officer, &asked.filter).await,
    }
}

/// How many flags answer a filter whose number is not kept. Beyond some thousand nobody asks how many more.
async fn counted(site: &Site, officer: &Officer, filter: &Filter) -> Result<String, Failure> {
    const MOST: i64 = 5000;
    let count = site.store.count_up_to(officer, filter, MOST + 1).await?;
    Ok(if count > MOST { format!("over {MOST}") } else { count.to_string() })
}

/// A flag of the store, in words.
pub(crate) fn view(frame: &Frame, queued: &Queued) -> Result<FlagView, Failure> {
    let stands =
        Stands { state: &queued.state, assignee: queued.assignee.as_deref(), dealer: queued.dealer.as_deref() };
    Ok(FlagView::new(frame, &queued.parsed()?, &stands))
}

/// A filter to keep.
#[derive(Deserialize)]
pub(crate) struct Keep {
    name: String,
    query: String,
}

pub(crate) async fn keep(
    State(site): State<Site>,
    officer: Officer,
    Form(Keep { name, query }): Form<Keep>,
) -> Result<Response, Failure> {
    let query = Asked::read(&query, site.setup.zone)?.address();
    site.store.save_filter(&officer, &name, &query, false, site.now()).await?;
    Ok(Redirect::to(&format!("/?{query}")).into_response())
}

pub(crate) async fn forget(
    State(site): State<Site>,
    officer: Officer,
    Path(id): Path<i64>,
) -> Result<Response, Failure> {
    site.store.forget_filter(&officer, id, site.now()).await?;
    Ok(Redirect::to("/").into_response())
}
