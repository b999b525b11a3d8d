//! Equipment: a camera that froze or a shoe that fell silent is a finding of its own, for while it lasts nobody can say
//! what happened at the table.
//!
//! No regulator's book speaks of our devices, so these flags cite clauses of the site's own (`site-camera` and the like).
//! One round has one flag for each kind of failure, however many devices failed and however often: the flag's id names
//! round and check, and a failure that goes on is the same finding, told again with more to say.

mod faults;

use std::collections::BTreeMap;

use table::event::{Event, Fact, Health, Source, SourceKind};
use table::flag::{AtStake, Evidence, EvidenceKind, Favours};
use table::{Chance, Flag, FlagKind, Ident, Money, RoundId, Utc};

pub use faults::{Fault, all, find};

/// More failures of one kind in one round are counted, not listed.
const LISTED: usize = 4;

/// Follows the devices of one table.
#[derive(Clone, Debug)]
pub struct Equipment {
    /// The round in which things happen now.
    round: RoundId,
    /// What was flagged, by the flag's id.
    found: BTreeMap<String, Found>,
    /// For each device what is wrong with it, and the flag that says so.
    open: BTreeMap<(SourceKind, Ident), Vec<(&'static str, String)>>,
}

/// Failures of one kind in one round.
#[derive(Clone, Debug)]
struct Found {
    fault: &'static Fault,
    round: RoundId,
    failures: Vec<Failure>,
}

/// One failure of one device.
#[derive(Clone, Debug)]
struct Failure {
    source: Source,
    event: u64,
    from: Utc,
    /// When it was over, if it is.
    to: Option<Utc>,
    /// What is told of this one beside its name.
    detail: String,
}

impl Equipment {
    /// The devices of a table before its first round, which is told as shoe 0, round 0.
    pub fn new(table: Ident) -> Self {
        Self { round: RoundId { table, shoe: 0, round: 0 }, found: BTreeMap::new(), open: BTreeMap::new() }
    }

    /// A round began: what fails from here on fails in it.
    pub fn round(&mut self, round: RoundId) {
        self.round = round;
    }

    /// Takes the next event of the table; a flag that is new, or that has more to say than before.
    pub fn hear(&mut self, event: &Event) -> Option<Flag> {
        match &event.fact {
            Fact::Health { state: Health::Ok } => self.well(event),
            Fact::Health { state } => {
                let fault = faults::of(event.source.kind, *state)?;
                self.failed(fault, event, String::new(), fault.lasts)
            }
            // A line that a chip sensor lost is made good by its next full one.
            Fact::Gap { at_most } if event.source.kind != SourceKind::Chips => {
                self.failed(&faults::GAP, event, format!(", at most {at_most} cards"), false)
            }
            _ => None,
        }
    }

    /// All flags as they stand, by their ids.
    pub fn flags(&self) -> impl Iterator<Item = Flag> {
        self.found.values().map(Found::flag)
    }

    fn failed(&mut self, fault: &'static Fault, event: &Event, detail: String, lasts: bool) -> Option<Flag> {
        let device = (event.source.kind, event.source.name.clone());
        let open = self.open.entry(device).or_default();
        if open.iter().any(|(check, _)| *check == fault.check) {
            return None;
        }
        let found = Found { fault, round: self.round.clone(), failures: Vec::new() };
        let id = found.flag().id();
        let found = self.found.entry(id.clone()).or_insert(found);
        let (source, from) = (event.source.clone(), event.at);
        let to = (!lasts).then_some(from);
        found.failures.push(Failure { source, event: event.id.0, from, to, detail });
        if lasts {
            open.push((fault.check, id));
        }
        Some(found.flag())
    }

    /// A device is well again: whatever was wrong with it is over. Of several flags the last is told again; all are in
    /// [`flags`](Self::flags).
    fn well(&mut self, event: &Event) -> Option<Flag> {
        let over = self.open.remove(&(event.source.kind, event.source.name.clone()))?;
        let mut told = None;
        for (_, id) in over {
            let Some(found) = self.found.get_mut(&id) else { continue };
            let failures = found.failures.iter_mut();
            for failure in failures.filter(|failure| failure.source == event.source && failure.to.is_none()) {
                failure.to = Some(event.at);
            }
            told = Some(found.flag());
        }
        told
    }
}

impl Found {
    fn flag(&self) -> Flag {
        let Self { fault, round, failures } = self;
        let mut observed: Vec<String> = failures.iter().take(LISTED).map(|failure| failure.words(fault)).collect();
        if let Some(more) = failures.len().checked_sub(LISTED).filter(|more| *more > 0) {
            observed.push(format!("{more} more in this round"));
        }
        Flag {
            round: round.clone(),
            at: failures.first().map_or(Utc::EPOCH, |failure| failure.from),
            check: fault.check.into(),
            clause: fault.clause.into(),
            also: Vec::new(),
            severity: fault.severity,
            kind: FlagKind::Equipment,
            box_no: None,
            hand: None,
            expected: fault.asked.into(),
            observed: observed.join("; "),
            money: AtStake { amount: Money::ZERO, favours: Favours::None },
            confidence: Chance::CERTAIN,
            evidence: failures.iter().take(LISTED).map(Failure::evidence).collect(),
        }
    }
}

impl Failure {
    fn words(&self, fault: &Fault) -> String {
        let Self { source, from, to, detail, .. } = self;
        let (kind, name) = (source.kind, &source.name);
        let when = match to {
            None => format!(" from {} on", time_of_day(*from)),
            Some(to) if fault.lasts => {
                let tenths = to.micros().saturating_sub(from.micros()).max(0) / 100_000;
                format!(" at {} for {}.{} s", time_of_day(*from), tenths / 10, tenths % 10)
            }
            Some(_) => format!(" at {}", time_of_day(*from)),
        };
        format!("{kind} {name}: {}{detail}{when}", fault.seen)
    }

    fn evidence(&self) -> Evidence {
        let kind = match self.source.kind {
            SourceKind::Shoe => EvidenceKind::Shoe,
            SourceKind::Chips => EvidenceKind::Chips,
            SourceKind::Camera | SourceKind::Person => EvidenceKind::Frame,
        };
        Evidence { kind, reference: format!("event {}", self.event), at: self.from }
    }
}

/// Hours, minutes and seconds; the flag has the date.
fn time_of_day(at: Utc) -> String {
    let text = at.to_string();
    text.get(11..19).unwrap_or(&text).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(millis: i64) -> Utc {
        "2026-11-15T21:00:00Z".parse::<Utc>().unwrap().shifted(millis * 1000).unwrap()
    }

    fn event(id: u64, kind: SourceKind, name: &str, millis: i64, fact: Fact) -> Event {
        let source = Source { kind, name: name.parse().unwrap() };
        let (at, chance) = (at(millis), Chance::CERTAIN);
        Event { id: table::EventId(id), source, at, arrived: at, source_clock: None, chance, fact }
    }

    fn is(id: u64, kind: SourceKind, name: &str, millis: i64, state: Health) -> Event {
        event(id, kind, name, millis, Fact::Health { state })
    }

    fn round(shoe: u32, round: u32) -> RoundId {
        RoundId { table: "BJ-04".parse().unwrap(), shoe, round }
    }

    #[test]
    fn a_frozen_camera_is_flagged_at_once_and_again_when_it_is_over() {
        let mut equipment = Equipment::new("BJ-04".parse().unwrap());
        equipment.round(round(1, 7));
        let raised = equipment.hear(&is(3, SourceKind::Camera, "top", 4_000, Health::Frozen)).unwrap();
        assert_eq!(raised.id(), "BJ-04.1.7.camera_frozen");
        assert_eq!((raised.kind, raised.clause.as_str()), (FlagKind::Equipment, "site-camera"));
        assert_eq!(raised.observed, "camera top: the picture did not change from 21:00:04 on");
        assert_eq!(raised.evidence[0].reference, "event 3");

        assert_eq!(
            equipment.hear(&is(4, SourceKind::Camera, "top", 5_000, Health::Frozen)),
            None,
            "it is told already"
        );
        equipment.round(round(1, 8));
        let over = equipment.hear(&is(5, SourceKind::Camera, "top", 16_340, Health::Ok)).unwrap();
        assert_eq!(over.id(), raised.id(), "the same finding, with more to say");
        assert_eq!(over.observed, "camera top: the picture did not change at 21:00:04 for 12.3 s");
        assert_eq!(equipment.flags().collect::<Vec<_>>(), [over]);
    }

    #[test]
    fn several_failures_of_a_kind_in_a_round_are_one_flag() {
        let mut equipment = Equipment::new("BJ-04".parse().unwrap());
        for (number, name) in ["top", "left", "right", "far", "near", "tray"].into_iter().enumerate() {
            equipment.hear(&is(1, SourceKind::Camera, name, number as i64, Health::Dark));
        }
        equipment.hear(&event(2, SourceKind::Shoe, "east", 9, Fact::Gap { at_most: 3 }));
        equipment.hear(&event(3, SourceKind::Shoe, "east", 10, Fact::Gap { at_most: 1 }));
        let flags: Vec<Flag> = equipment.flags().collect();
        assert_eq!(
            flags.iter().map(Flag::id).collect::<Vec<_>>(),
            ["BJ-04.0.0.camera_dark", "BJ-04.0.0.shoe_missed_cards"]
        );
        assert!(flags[0].observed.ends_with("; 2 more in this round"), "{}", flags[0].observed);
        assert_eq!(flags[1].observed.matches("at most").count(), 2, "{}", flags[1].observed);
    }

    #[test]
    fn a_shoe_that_is_locked_and_unlocked_is_at_work() {
        let mut equipment = Equipment::new("BJ-04".parse().unwrap());
        for state in [Health::Locked, Health::Unlocked, Health::Ok] {
            assert_eq!(equipment.hear(&is(1, SourceKind::Shoe, "east", 0, state)), None);
        }
    }

    #[test]
    fn every_fault_can_be_found_by_its_name_and_cites_a_clause_of_the_site() {
        for fault in all() {
            assert_eq!(find(fault.check).unwrap().check, fault.check);
            assert!(fault.clause.starts_with("site-"), "{}", fault.clause);
            assert!(crate::checks::find(fault.check).is_none(), "{} is a check of rounds too", fault.check);
        }
    }
}
