//! Suspect shuffles: whether a shoe is a fair shuffle of what went in, and whether all cards are there.
//!
//! [`judge`] compares the order in which cards went into a shuffle with the order in which they came out. It measures
//! whatever may have survived, ranks the shoe among shuffles known to be proper, and gives one p that
//! is uniform for fair shuffles, an e-value that may be multiplied along a dealer or a machine, and a verdict.
//! `docs/design/shuffle.md` has the reasons.

mod battery;
mod calibrate;
mod chain;
mod composition;
mod continuous;
mod figures;
mod flow;
mod follow;
mod gauge;
mod inventory;
mod ledger;
mod moves;
mod null;
pub(crate) mod passage;
pub mod picture;
mod power;
mod procedure;
mod returns;
mod riffles;
pub mod rising;
mod slugs;

use serde_json::{Value, json};
use table::Card;
use table::text::named;

pub use composition::Composition;
pub use continuous::Continuous;
pub use figures::{rounded, short};
pub use flow::Flow;
pub use follow::{Dealt, Follower};
pub use gauge::{Gauges, Sight};
pub use inventory::{Inventory, Missing};
pub use ledger::Ledger;
pub use moves::Move;
pub use null::Null;
pub use passage::{Found, Passage, proper};
pub use power::{Faulty, Power, power};
pub use procedure::{Procedure, ProcedureError, Stage, acts, mix};
pub use returns::Stretch;
pub use riffles::Riffles;
pub use slugs::Slug;

use crate::model::random::Dice;
use battery::{Battery, Kernels, TESTS};
use chain::UNREAD;
use null::Draws;

/// Cards in a deck.
pub const DECK: usize = 52;
/// The most decks that are shuffled together.
pub const MOST_DECKS: u8 = 12;
/// So many cards more than the decks hold are a finding; with more of them the number of decks must be wrong.
const MOST_EXTRA: usize = 4;
/// With fewer cards read in either order there is nothing to compare.
const LEAST_READ: usize = 26;
/// Hundredths of the pack that must have been read, in and out, for "nothing found" to mean anything.
const ENOUGH: usize = 60;
/// The shoes of a pit in a year, about: a dozen tables that shuffle once an hour.
pub const PIT_YEAR: f64 = 100_000.0;

/// The two orders of a shuffle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Orders {
    /// What the shoe is called. The dice that are rolled to judge it are seeded by it.
    pub id: String,
    /// Decks in the shoe.
    pub decks: u8,
    /// The cards in the order they went into the shuffle.
    pub before: Vec<Card>,
    /// The cards in the order they came out. Cards that did not come out yet are left away; those not read are unread.
    pub after: Vec<Card>,
}

/// Orders that cannot be judged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OrderError {
    /// No decks, or more than any shoe holds.
    #[error("decks is {decks}, expected 1 to {MOST_DECKS}")]
    Decks {
        /// As given.
        decks: u8,
    },
    /// No card at all.
    #[error("{order} has no cards")]
    Empty {
        /// `before` or `after`.
        order: &'static str,
    },
    /// More cards than could be there.
    #[error("{order} has {cards} cards, and {decks} decks hold {}", usize::from(*decks) * DECK)]
    TooMany {
        /// `before` or `after`.
        order: &'static str,
        /// How many.
        cards: usize,
        /// Decks in the shoe.
        decks: u8,
    },
}

named! {
    /// What is made of a shoe.
    pub enum Verdict, "ok, suspect or inconclusive" {
        /// As a proper shuffle would have left it.
        Ok = "ok",
        /// A proper shuffle would hardly have left it so, or the cards are not those of the decks.
        Suspect = "suspect",
        /// Too little was seen to say either.
        Inconclusive = "inconclusive",
    }
}

/// What one test said.
#[derive(Clone, Debug, PartialEq)]
pub struct Tested {
    /// Its name.
    pub name: &'static str,
    /// What it looks for.
    pub finds: &'static str,
    /// What it measured; of several measures the greatest.
    pub statistic: f64,
    /// How often a proper shuffle would show as much.
    pub p: f64,
}

impl Tested {
    /// What "nothing found" is worth: what the test finds of shuffles that are not proper.
    pub fn power_note(&self, decks: u8, seen: usize) -> String {
        power::note(self.name, self.finds, decks, seen)
    }
}

/// What was found about a shoe.
#[derive(Clone, Debug, PartialEq)]
pub struct Report {
    /// What the shoe is called.
    pub id: String,
    /// Every test.
    pub tests: Vec<Tested>,
    /// How often a proper shuffle would look as improper in any way that was looked for.
    pub p: f64,
    /// An e-value: its mean under proper shuffles is at most one, whatever came before.
    pub e: f64,
    /// What is made of it.
    pub verdict: Verdict,
    /// Why, where it is not `ok`.
    pub reason: Option<String>,
    /// The effective number of riffles.
    pub riffles: Riffles,
    /// The cards against those of the decks.
    pub composition: Composition,
    /// Runs that came through together and that chance does not explain.
    pub slugs: Vec<Slug>,
    /// Hundredths of the pack that were read, in and out: the smaller of the two.
    pub seen: usize,
}

impl Report {
    /// As programs read it (docs/ref/shuffle.md).
    pub fn to_json(&self, decks: u8) -> Value {
        let test = |test: &Tested| {
            let note = test.power_note(decks, self.seen);
            json!({ "name": test.name, "statistic": rounded(test.statistic), "p": rounded(test.p), "power_note": note })
        };
        let mut json = json!({
            "id": self.id,
            "tests": self.tests.iter().map(test).collect::<Vec<_>>(),
            "p": rounded(self.p),
            "e": rounded(self.e),
            "verdict": self.verdict.name(),
            "riffles_estimate": self.riffles.estimate,
            "riffles_interval": [self.riffles.least, self.riffles.most],
            "composition": self.composition,
            "slugs": self.slugs,
            "seen": self.seen as f64 / 100.0,
        });
        if let (Some(reason), Some(object)) = (&self.reason, json.as_object_mut()) {
            object.insert("reason".to_owned(), reason.as_str().into());
        }
        json
    }
}

/// How a shoe is to be judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Terms {
    /// The shuffle it is compared with.
    pub null: Null,
    /// How often a proper shuffle may be called suspect.
    pub rate: f64,
}

impl Default for Terms {
    fn default() -> Self {
        Self { null: Null::Uniform, rate: 1.0 / PIT_YEAR }
    }
}

/// Judges a shuffle by the orders before and after it.
pub fn judge(orders: &Orders, terms: &Terms) -> Result<Report, OrderError> {
    let (before, after) = faces(orders)?;
    let decks = usize::from(orders.decks);
    let unread = before.iter().chain(&after).any(|face| *face >= UNREAD);
    let mut dice = Dice::new(0).fork(&orders.id);
    let kernels = Kernels::new(before.len(), unread);
    let mut battery = Battery::new(decks, &before, &kernels);
    let measured = battery.measure(&after);
    let mut draws = Draws::new(&terms.null, decks, &before, &after);
    let rank = calibrate::rank(&measured, &mut battery, &mut draws, &mut dice);
    let riffles = Riffles::estimate(decks, &before, &after, kernels.mended, &mut draws, &mut dice);
    let composition = Composition::of(orders.decks, &orders.before, &orders.after);
    let slugs = slugs::Runs::of(&before).slugs(&after, decks);
    let seen = seen(decks, &before).min(seen(decks, &after));
    let (verdict, reason) = verdict(rank.p, terms, &composition, seen);
    let mut values = measured.iter();
    let statistics = TESTS.iter().map(|test| values.by_ref().take(test.measures).copied().fold(f64::MIN, f64::max));
    let tested = TESTS.iter().zip(statistics).zip(rank.tests);
    let applies = |name: &str| decks == 1 || name != "rising sequences";
    Ok(Report {
        id: orders.id.clone(),
        tests: tested
            .filter(|((test, _), _)| applies(test.name))
            .map(|((test, statistic), p)| Tested { name: test.name, finds: test.finds, statistic, p })
            .collect(),
        p: rank.p,
        e: e_value(rank.p),
        verdict,
        reason,
        riffles,
        composition,
        slugs,
        seen,
    })
}

/// Both orders as numbers, with unread cards in the places of those that did not come.
fn faces(orders: &Orders) -> Result<(Vec<u8>, Vec<u8>), OrderError> {
    let decks = orders.decks;
    if decks == 0 || decks > MOST_DECKS {
        return Err(OrderError::Decks { decks });
    }
    let whole = usize::from(decks) * DECK;
    let longest = orders.before.len().max(orders.after.len());
    let size = longest.max(whole);
    let read = |order: &'static str, cards: &[Card]| {
        if cards.is_empty() {
            return Err(OrderError::Empty { order });
        }
        if cards.len() > whole + MOST_EXTRA {
            return Err(OrderError::TooMany { order, cards: cards.len(), decks });
        }
        let mut faces: Vec<u8> = cards.iter().map(|card| card.index().map_or(UNREAD, |index| index as u8)).collect();
        faces.resize(size, UNREAD);
        Ok(faces)
    };
    Ok((read("before", &orders.before)?, read("after", &orders.after)?))
}

fn seen(decks: usize, order: &[u8]) -> usize {
    order.iter().filter(|face| **face < UNREAD).count() * 100 / (decks * DECK)
}

fn verdict(p: f64, terms: &Terms, composition: &Composition, seen: usize) -> (Verdict, Option<String>) {
    let list = |cards: &[Card]| cards.iter().map(Card::to_string).collect::<Vec<_>>().join(" ");
    if !composition.extra.is_empty() {
        return (Verdict::Suspect, Some(format!("more cards than the decks hold: {}", list(&composition.extra))));
    }
    if !composition.missing.is_empty() {
        return (Verdict::Suspect, Some(format!("cards are missing: {}", list(&composition.missing))));
    }
    if p <= terms.rate {
        return (Verdict::Suspect, Some("a proper shuffle would hardly have left this order".to_owned()));
    }
    if seen < ENOUGH {
        let reason = format!("only {seen} % of the pack was read both in and out, {ENOUGH} % are needed to clear it");
        return (Verdict::Inconclusive, Some(reason));
    }
    (Verdict::Ok, None)
}

/// An e-value from a p: the mean of κ·p^(κ−1) over κ from 0 to 1, which comes to one for a uniform p.
///
/// ```
/// use auditor::shuffle::e_value;
/// assert!(e_value(0.5) < 1.0 && e_value(0.001) > 20.0);
/// ```
pub fn e_value(p: f64) -> f64 {
    let p = p.clamp(f64::MIN_POSITIVE, 1.0);
    let log = p.ln();
    if log > -1e-4 {
        return 0.5;
    }
    (1.0 - p + p * log) / (p * log * log)
}
