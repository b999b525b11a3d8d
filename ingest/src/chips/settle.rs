//! What stands long enough to be meant: a chip in the hand is not a bet.

use std::collections::BTreeMap;

use table::chips::{Pile, Spot};
use table::{Money, Utc};

use super::What;

/// When something was said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Moment {
    /// When it happened, as well as we know.
    pub(super) at: Utc,
    /// When it reached us.
    pub(super) arrived: Utc,
    /// What the sensor's clock said.
    pub(super) clock: i64,
}

/// Something of which the sensor tells how much there is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Subject {
    Spot(Spot),
    Tray,
}

#[derive(Clone, Debug, Default)]
struct Holds {
    /// What was told last; `None` for a tray of which nothing was told, and for a spot that is empty.
    told: Option<What>,
    /// What it seems to hold since when.
    seems: Option<(What, Moment)>,
}

/// Keeps back what has not stood long enough.
#[derive(Clone, Debug, Default)]
pub(super) struct Settling {
    holds: BTreeMap<Subject, Holds>,
    /// States that did not last.
    pub(super) flickers: u64,
}

impl Settling {
    /// A line tells what stands on a spot.
    pub(super) fn pile(&mut self, pile: &Pile, moment: Moment) {
        let empty = pile.amount == Money::ZERO && !pile.lammer;
        let what = What::Stands(pile.clone());
        self.seems(Subject::Spot(pile.spot), what, empty, moment);
    }

    /// A line tells what is in the tray.
    pub(super) fn tray(&mut self, total: Money, moment: Moment) {
        self.seems(Subject::Tray, What::Tray(total), false, moment);
    }

    /// A full line has told all spots on which something stands: every other is empty.
    pub(super) fn empty_but(&mut self, named: impl Fn(Spot) -> bool, moment: Moment) {
        let spots = self.holds.keys().filter_map(|subject| match subject {
            Subject::Spot(spot) if !named(*spot) => Some(*spot),
            _ => None,
        });
        for spot in spots.collect::<Vec<_>>() {
            self.pile(&Pile { spot, amount: Money::ZERO, lammer: false, chips: Vec::new() }, moment);
        }
    }

    fn seems(&mut self, subject: Subject, what: What, empty: bool, moment: Moment) {
        let holds = self.holds.entry(subject).or_default();
        if holds.seems.as_ref().is_some_and(|(seems, _)| *seems == what) {
            return;
        }
        self.flickers += u64::from(holds.seems.is_some());
        let told = holds.told.as_ref().map_or(empty, |told| *told == what);
        holds.seems = (!told).then_some((what, moment));
        if holds.told.is_none() && holds.seems.is_none() {
            self.holds.remove(&subject);
        }
    }

    /// Lets go what has stood long enough, oldest first.
    pub(super) fn release(&mut self, lasted: impl Fn(&Moment) -> bool) -> Vec<(What, Moment)> {
        let mut released = Vec::new();
        self.holds.retain(|_, holds| {
            if let Some((what, since)) = holds.seems.take_if(|(_, since)| lasted(since)) {
                holds.told = (!what.is_empty_spot()).then(|| what.clone());
                released.push((what, since));
            }
            holds.told.is_some() || holds.seems.is_some()
        });
        released.sort_by_key(|(_, since)| (since.arrived, since.clock));
        released
    }

    /// Forgets what has not stood long enough; what was told stays told.
    pub(super) fn forget(&mut self) {
        self.holds.retain(|_, holds| {
            self.flickers += u64::from(holds.seems.take().is_some());
            holds.told.is_some()
        });
    }

    /// When the oldest of what is kept back came.
    pub(super) fn oldest(&self) -> Option<Utc> {
        self.holds.values().filter_map(|holds| holds.seems.as_ref().map(|(_, since)| since.arrived)).min()
    }

    /// When the earliest of what is kept back happened.
    pub(super) fn earliest(&self) -> Option<Utc> {
        self.holds.values().filter_map(|holds| holds.seems.as_ref().map(|(_, since)| since.at)).min()
    }
}
