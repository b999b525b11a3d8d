//! Given a simulated shift in whose fourth round a device fails, then the round is told as far as it can be and marked, nobody
//! is accused of it, and all other rounds are told as they were played.
#![allow(clippy::panic, clippy::unwrap_used, reason = "a test stops where it stands")]

use std::collections::BTreeMap;

use auditor::check::{Law, Reading, Session};
use auditor::model::random::Dice;
use auditor::rulebook::books;
use ingest::feed::{self, Feed};
use recognizer::round::exact::{self, Pairs};
use recognizer::round::{Playing, Rebuilder, Rebuilt, Settings};
use simulator::feeds::shoe::{Says, angel_eye};
use simulator::feeds::{Feeds, Names};
use simulator::setup::Setup;
use simulator::shift::{Shift, Wishes};
use simulator::{Dealt, Trouble, players};
use table::chips::Line;
use table::config::{Dialect, TableConfig};
use table::event::{Health, Source};
use table::tape::Record;
use table::{Act, Chance, Event, EventId, Fact, FlagKind, Game, Place, Round, SourceKind, Utc};

/// The round in which something fails, counted from nought.
const FAILS: usize = 3;

/// What the devices of a shift sent, the rounds that were played, and when the dealer got his first card in the one that fails.
struct Night {
    records: Vec<(Utc, Record)>,
    played: Vec<Round>,
    fails: Utc,
}

fn game() -> Game {
    Game { name: "nz-base".parse().unwrap(), options: BTreeMap::new() }
}

fn step_of_dealer(dealt: &Dealt) -> usize {
    let first = |act: &Act| matches!(act, Act::Card { to: Place::Dealer, .. });
    dealt.round.steps.iter().position(|step| first(&step.act)).unwrap()
}

/// Ten lawful rounds, with a trouble of the simulator's own at the dealer's first card of the fourth.
fn night(seed: u64, trouble: impl Fn(usize) -> Option<Trouble>) -> Night {
    let setup = Setup::new(books::all().unwrap(), "BJ-04".parse().unwrap(), game()).unwrap();
    let wishes = Wishes {
        seed,
        rounds: 10,
        begins: "2026-11-15T21:00:00Z".parse().unwrap(),
        mid_shoe: false,
        company: players::Wish::default(),
        dealers: vec!["D-01".parse().unwrap()],
        procedure: None,
        faults: Vec::new(),
        several: false,
    };
    let mut feeds = Feeds::new(Names::usual().unwrap(), Dialect::AngelEye, 0.0, &Dice::new(seed));
    let mut night = Night { records: Vec::new(), played: Vec::new(), fails: Utc::EPOCH };
    for (number, dealt) in Shift::open(&setup, wishes).enumerate() {
        let mut dealt = dealt.unwrap();
        if number == FAILS {
            let step = step_of_dealer(&dealt);
            night.fails = dealt.round.at.shifted(dealt.round.steps[step].after.unwrap() as i64).unwrap();
            dealt.troubles.extend(trouble(step));
        }
        night.records.extend(feeds.of(&dealt).records);
        night.played.push(dealt.round);
    }
    night
}

fn rebuilt(records: &[(Utc, Record)], law: &Law) -> Vec<Rebuilt> {
    let text = "id = \"BJ-04\"\ngame = \"nz-base\"\ncurrency = \"NZD\"\n\
        [shoe]\nname = \"shoe\"\nurl = \"tcp://127.0.0.1:4001\"\ndialect = \"angel-eye\"\n";
    let table = TableConfig::parse(text).unwrap();
    let (grammar, limits) = (law.rules.grammar(), Vec::new());
    let playing = Playing { table: table.id.clone(), game: game(), limits, grammar, shuffler: false };
    let mut rebuilder = Rebuilder::new(playing, Settings::default());
    let mut feed = Feed::of(&table, feed::Settings::default());
    let (mut events, mut rounds) = (Vec::new(), Vec::new());
    for (arrived, record) in records {
        feed.hear(*arrived, record, &mut events);
        rounds.extend(events.drain(..).flat_map(|event| rebuilder.push(&event)));
    }
    feed.end(&mut events);
    rounds.extend(events.drain(..).flat_map(|event| rebuilder.push(&event)));
    rounds.extend(rebuilder.finish());
    rounds
}

/// All rounds are told, only the one that failed is marked or differs, and nothing is found in any of them but doubts.
fn is_survived(night: &Night) {
    let law = Law::of(books::all().unwrap(), &game()).unwrap();
    let rounds = rebuilt(&night.records, &law);
    assert_eq!(rounds.len(), night.played.len());
    let mut pairs = Pairs::default();
    night.played.iter().for_each(|round| pairs.played(round));
    let mut session = Session::default();
    for (number, rebuilt) in rounds.iter().enumerate() {
        let others: Vec<Reading<'_>> = rebuilt
            .others
            .iter()
            .map(|other| Reading { chance: other.chance, says: &other.says, round: &other.round })
            .collect();
        let (flags, _) = session.weigh(&law, &rebuilt.round, &others);
        let accused: Vec<_> = flags.iter().filter(|flag| flag.kind != FlagKind::Doubt).collect();
        assert!(accused.is_empty(), "round {number}: {accused:#?}");
        let played = pairs.of(&rebuilt.round).unwrap();
        let differs = exact::difference(&played, &rebuilt.round).map(|differs| differs.to_string());
        assert!(number == FAILS || differs.is_none(), "round {number}: {differs:?}");
    }
    assert!(rounds[FAILS].troubled, "the round says that a source failed");
}

fn health(kind: SourceKind, name: &str, state: Health, at: Utc) -> (Utc, Record) {
    let source = Source { kind, name: name.parse().unwrap() };
    let fact = Fact::Health { state };
    let event = Event { id: EventId(1), source, at, arrived: at, source_clock: None, chance: Chance::CERTAIN, fact };
    (at, Record::Event(event))
}

fn put(records: &mut Vec<(Utc, Record)>, record: (Utc, Record)) {
    let place = records.iter().position(|(at, _)| *at > record.0).unwrap_or(records.len());
    records.insert(place, record);
}

#[test]
fn a_camera_that_sees_nothing_for_ten_seconds_costs_its_round_at_most() {
    for seed in [1, 2, 3] {
        is_survived(&night(seed, |step| Some(Trouble::CameraGap { step, micros: 10_000_000 })));
    }
}

#[test]
fn a_shoe_that_is_gone_for_a_minute_leaves_the_cards_to_the_camera() {
    for seed in [1, 2, 3] {
        let mut night = night(seed, |_| None);
        let (from, to) = (night.fails, night.fails.shifted(60_000_000).unwrap());
        let gone = |at: Utc| from <= at && at < to;
        night.records.retain(|(at, record)| !(gone(*at) && matches!(record, Record::ShoeBytes { .. })));
        put(&mut night.records, health(SourceKind::Shoe, "shoe", Health::Lost, from));
        put(&mut night.records, health(SourceKind::Shoe, "shoe", Health::Ok, to));
        is_survived(&night);
    }
}

#[test]
fn a_shoe_that_is_reset_in_the_middle_of_a_round_goes_on_with_it() {
    for seed in [1, 2, 3] {
        let mut night = night(seed, |_| None);
        let bytes = angel_eye::telegram(b'0', &Says::Start);
        let at = night.fails.shifted(100_000).unwrap();
        put(&mut night.records, (at, Record::ShoeBytes { shoe: "shoe".parse().unwrap(), bytes }));
        put(&mut night.records, health(SourceKind::Shoe, "shoe", Health::Error, at));
        is_survived(&night);
    }
}

/// The sensor says nothing from a time on until its next full line, and counts from one again.
fn restarted(records: &mut Vec<(Utc, Record)>, from: Utc) {
    let (mut before, mut begun) = (0, false);
    records.retain_mut(|(at, record)| {
        let Record::ChipLine { line, .. } = record else { return true };
        if *at < from {
            return true;
        }
        let mut told = Line::parse(1, line).unwrap();
        begun |= told.full;
        before = if begun && before == 0 { told.seq - 1 } else { before };
        told.seq -= before.min(told.seq - 1);
        *line = told.to_json().unwrap();
        begun
    });
}

#[test]
fn a_chip_sensor_that_starts_again_in_the_middle_of_a_round_accuses_nobody() {
    for seed in [1, 2, 3] {
        let mut night = night(seed, |_| None);
        restarted(&mut night.records, night.fails);
        is_survived(&night);
    }
}

#[test]
fn a_camera_whose_clock_jumps_in_the_middle_of_a_round_accuses_nobody() {
    for seed in [1, 2, 3] {
        for seconds in [-40, -3, 3, 40] {
            is_survived(&night(seed, |step| Some(Trouble::ClockJump { step, micros: seconds * 1_000_000 })));
        }
    }
}
