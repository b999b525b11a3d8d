//! From a table's records to its events: whole shifts of the simulator, live and from the tape.
#![allow(clippy::panic, clippy::unwrap_used, reason = "a test stops where it stands")]

use std::collections::BTreeMap;

use auditor::model::random::Dice;
use auditor::rulebook::books;
use ingest::feed::{self, Feed, Settings};
use proptest::prelude::*;
use simulator::Trouble;
use simulator::feeds::{Feeds, Names};
use simulator::players;
use simulator::setup::Setup;
use simulator::shift::{Shift, Wishes};
use table::config::{Dialect, Secrets, TableConfig};
use table::event::{Health, Source};
use table::tape::{About, Config, ConfigFormat, Reader, Record, Writer};
use table::{Card, Chance, Event, EventId, Fact, Game, Money, SourceKind, Utc};

fn at(millis: i64) -> Utc {
    "2026-11-15T21:00:00Z".parse::<Utc>().unwrap().shifted(millis * 1000).unwrap()
}

/// What a simulated shift sent, and the cards that really left the shoe.
fn shift(seed: u64, noise: f64, jump: Option<(usize, i64)>) -> (Vec<(Utc, Record)>, Vec<Card>) {
    let game = Game { name: "nz-base".parse().unwrap(), options: BTreeMap::new() };
    let setup = Setup::new(books::all().unwrap(), "BJ-04".parse().unwrap(), game).unwrap();
    let wishes = Wishes {
        seed,
        rounds: 30,
        begins: at(0),
        mid_shoe: false,
        company: players::Wish::default(),
        dealers: vec!["D-01".parse().unwrap()],
        procedure: None,
        faults: Vec::new(),
        several: false,
    };
    let mut feeds = Feeds::new(Names::usual().unwrap(), Dialect::BeeTek, noise, &Dice::new(seed));
    let (mut records, mut drawn) = (Vec::new(), Vec::new());
    for (number, dealt) in Shift::open(&setup, wishes).enumerate() {
        let mut dealt = dealt.unwrap();
        if let Some((_, micros)) = jump.filter(|(round, _)| *round == number) {
            dealt.troubles.push(Trouble::ClockJump { step: 0, micros });
        }
        drawn.extend(dealt.drawn.iter().map(|draw| draw.card));
        records.extend(feeds.of(&dealt).records);
    }
    (records, drawn)
}

fn table() -> TableConfig {
    let text = "id = \"BJ-04\"\ngame = \"nz-base\"\ncurrency = \"NZD\"\n\
        [shoe]\nname = \"shoe\"\nurl = \"tcp://127.0.0.1:4001\"\ndialect = \"bee-tek\"\n\
        [chips]\nname = \"chips\"\nurl = \"tcp://127.0.0.1:4002\"\n";
    TableConfig::parse(text).unwrap()
}

fn replayed(records: &[(Utc, Record)]) -> (Vec<Event>, Feed) {
    let mut feed = Feed::of(&table(), Settings::default());
    let mut events = Vec::new();
    for (arrived, record) in records {
        feed.hear(*arrived, record, &mut events);
    }
    feed.end(&mut events);
    (events, feed)
}

fn drawn(events: &[Event]) -> Vec<Card> {
    let cards = events.iter().filter_map(|event| match &event.fact {
        Fact::Drew { card, .. } => Some(card.card),
        _ => None,
    });
    cards.collect()
}

#[test]
fn a_shift_without_noise_gives_every_card_every_chip_and_every_sighting_in_order_of_time() {
    let (records, dealt) = shift(1, 0.0, None);
    let (events, feed) = replayed(&records);
    assert_eq!(drawn(&events), dealt);
    assert!(events.iter().map(|event| event.id.0).eq(1..=events.len() as u64));
    assert!(events.windows(2).all(|pair| pair[0].at <= pair[1].at), "events follow one another");
    assert!(events.iter().all(|event| event.at <= event.arrived), "nothing happened after it was heard of");
    assert_eq!(feed.counts().late, 0);

    let sighted = records.iter().filter(|(_, record)| matches!(record, Record::Event(_))).count();
    assert_eq!(events.iter().filter(|event| event.source.kind == SourceKind::Camera).count(), sighted);
    let mut spots = BTreeMap::new();
    let mut paid = 0;
    for event in &events {
        if let Fact::Stands { wager, payout, amount, .. } = &event.fact {
            assert!(event.source_clock.is_some() && event.offset().is_some());
            paid += u32::from(*payout && *amount != Money::ZERO);
            spots.insert((*wager, *payout), *amount);
        }
    }
    assert!(paid > 20, "winnings are told: {paid}");
    assert!(spots.values().all(|amount| *amount == Money::ZERO), "after the last round the layout is empty");
}

#[test]
fn the_tape_tells_what_was_told_live() {
    let (records, _) = shift(2, 0.1, None);
    let mut about = About::new("BJ-04".parse().unwrap(), at(0), "test");
    about.config = Some(Config { format: ConfigFormat::Toml, text: table().to_toml(Secrets::Masked) });
    let mut tape = Writer::create(Vec::new(), &about).unwrap();
    for (arrived, record) in &records {
        tape.record(*arrived, record).unwrap();
    }
    let tape = tape.finish().unwrap();
    let told = feed::on_tape(Reader::open(tape.as_slice()).unwrap(), Settings::default()).unwrap();
    let told: Vec<Event> = told.map(Result::unwrap).collect();
    assert_eq!(told, replayed(&records).0);

    let half = &tape[..tape.len() / 2];
    let mut told = feed::on_tape(Reader::open(half).unwrap(), Settings::default()).unwrap();
    let end = told.by_ref().find_map(Result::err);
    assert!(end.is_some() && told.next().is_none(), "a tape that breaks off says so, once");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    /// A live table looks at the clock whenever it likes; its tape has only the records.
    #[test]
    fn however_often_time_passes_the_events_are_the_same(seed in 0u64..1000, looks in 1u64..9) {
        let (records, _) = shift(3, 0.1, None);
        let mut dice = Dice::new(seed);
        let mut feed = Feed::of(&table(), Settings::default());
        let mut events = Vec::new();
        let mut last = records[0].0;
        for (arrived, record) in &records {
            for _ in 0..dice.below(looks as usize) {
                let wait = (arrived.micros() - last.micros()).max(0) as u64;
                last = last.shifted((dice.roll() % (wait + 1)) as i64).unwrap();
                feed.pass(last, &mut events);
            }
            feed.hear(*arrived, record, &mut events);
            last = last.max(*arrived);
        }
        feed.end(&mut events);
        prop_assert_eq!(events, replayed(&records).0);
    }
}

#[test]
fn events_that_stand_on_the_tape_beside_their_bytes_are_not_told_twice() {
    let (records, _) = shift(4, 0.1, None);
    let (once, _) = replayed(&records);
    // A tape on which a later step has written all events.
    let sightings = |record: &Record| matches!(record, Record::Event(_));
    let mut twice: Vec<_> = records.iter().filter(|(_, record)| !sightings(record)).cloned().collect();
    twice.extend(once.iter().map(|event| (event.arrived, Record::Event(event.clone()))));
    twice.sort_by_key(|(arrived, _)| *arrived);
    let (again, _) = replayed(&twice);
    let facts = |events: &[Event]| {
        let mut facts: Vec<_> = events.iter().map(|event| (event.at, format!("{:?}", event.fact))).collect();
        facts.sort();
        facts
    };
    assert_eq!(facts(&again), facts(&once));
}

fn line_is(name: &str, kind: SourceKind, state: Health, at: Utc) -> Record {
    let source = Source { kind, name: name.parse().unwrap() };
    let fact = Fact::Health { state };
    Record::Event(Event { id: EventId(9), source, at, arrived: at, source_clock: None, chance: Chance::CERTAIN, fact })
}

#[test]
fn a_line_that_breaks_within_a_telegram_is_told_and_nothing_is_made_of_the_halves() {
    let bytes = |text: &str| Record::ShoeBytes { shoe: "shoe".parse().unwrap(), bytes: text.as_bytes().to_vec() };
    let records = [
        (at(0), bytes(" [Game]<Card:4S>  [Game]<Ca")),
        (at(100), line_is("shoe", SourceKind::Shoe, Health::Lost, at(100))),
        (at(900), line_is("shoe", SourceKind::Shoe, Health::Ok, at(900))),
        (at(1000), bytes("rd:9C>  [Game]<Card:10h> ")),
    ];
    let (events, feed) = replayed(&records);
    assert_eq!(drawn(&events), ["4S".parse().unwrap(), "TH".parse().unwrap()]);
    let states = events.iter().filter_map(|event| match event.fact {
        Fact::Health { state } => Some((state, event.at)),
        _ => None,
    });
    assert_eq!(states.collect::<Vec<_>>(), [(Health::Lost, at(100)), (Health::Ok, at(900))]);
    assert!(feed.shoes().all(|(_, stats)| stats.noise_bytes > 0));
}

#[test]
fn a_silent_chip_sensor_is_lost_at_the_moment_its_silence_is_too_long() {
    let bytes = Record::ShoeBytes { shoe: "shoe".parse().unwrap(), bytes: b" [Game]<Card:4S> ".to_vec() };
    let reached = line_is("chips", SourceKind::Chips, Health::Ok, at(0));
    let (events, _) = replayed(&[(at(0), reached), (at(90_000), bytes.clone())]);
    let lost: Vec<_> = events.iter().filter(|event| event.source.kind == SourceKind::Chips).collect();
    assert!(
        matches!(lost[..], [event] if event.at == at(25_000) && event.fact == Fact::Health { state: Health::Lost })
    );
    let (events, _) = replayed(&[(at(0), bytes.clone()), (at(90_000), bytes)]);
    assert!(events.iter().all(|event| event.source.kind == SourceKind::Shoe), "what was never there is not lost");
}

#[test]
fn a_line_of_the_chip_feed_that_is_missing_is_told_and_one_that_comes_twice_is_not() {
    let line = |seq: u64, millis: i64| {
        let line = format!("{{\"seq\":{seq},\"at\":{},\"full\":true}}", millis * 1000).into_bytes();
        (at(millis), Record::ChipLine { sensor: "chips".parse().unwrap(), line })
    };
    let gaps = |records: &[(Utc, Record)]| {
        let gap = |event: &&Event| matches!(event.fact, Fact::Gap { .. }) && event.source.kind == SourceKind::Chips;
        replayed(records).0.iter().filter(gap).map(|event| event.at).collect::<Vec<_>>()
    };
    assert_eq!(gaps(&[line(1, 1000), line(2, 2000), line(2, 2100), line(3, 3000)]), []);
    assert_eq!(gaps(&[line(1, 1000), line(3, 3000), line(4, 4000)]), [at(3000)], "a line was lost");
    assert_eq!(gaps(&[line(7, 1000), line(1, 3000), line(2, 4000)]), [at(3000)], "the sensor started again");
}

#[test]
fn a_shoe_nobody_knows_is_counted_and_left_alone() {
    let bytes = Record::ShoeBytes { shoe: "west".parse().unwrap(), bytes: b" [Game]<Card:4S> ".to_vec() };
    let (events, feed) = replayed(&[(at(0), bytes)]);
    assert!(events.is_empty());
    assert_eq!(feed.counts().not_understood, 1);
}

#[test]
fn a_camera_whose_pictures_come_later_than_before_is_told_by_the_cards() {
    let (mut records, _) = shift(5, 0.0, None);
    // From the middle on the camera dates what it sees three seconds later, and says nothing of it.
    let middle = records[records.len() / 2].0;
    for (_, record) in &mut records {
        if let Record::Event(event) = record
            && event.at > middle
        {
            event.at = event.at.shifted(3_000_000).unwrap();
            event.arrived = event.arrived.shifted(3_000_000).unwrap();
        }
    }
    let (events, feed) = replayed(&records);
    let jumps: Vec<_> = events.iter().filter(|event| event.fact == Fact::Health { state: Health::ClockJump }).collect();
    assert_eq!(jumps.len(), 1, "{jumps:?}");
    assert!(jumps[0].at > middle && jumps[0].source.kind == SourceKind::Camera);
    let (_, pairing) = feed.pairings().next().unwrap();
    let lag = pairing.alignment().unwrap().lag;
    assert!((3_200_000..3_900_000).contains(&lag), "the dealer's hand and three seconds: {lag}");
    assert_eq!(pairing.jumps(), 1);

    let (steady, _) = shift(5, 0.05, None);
    let (events, feed) = replayed(&steady);
    assert!(events.iter().all(|event| event.fact != Fact::Health { state: Health::ClockJump }));
    assert!(feed.pairings().next().unwrap().1.alignment().is_some());
}

#[test]
fn our_own_clock_set_back_stops_nothing() {
    let bytes = |text: &str| Record::ShoeBytes { shoe: "shoe".parse().unwrap(), bytes: text.as_bytes().to_vec() };
    let records = [(at(7_200_000), bytes(" [Game]<Card:4S> ")), (at(0), bytes(" [Game]<Card:9C> "))];
    let (events, feed) = replayed(&records);
    let told: Vec<_> = events.iter().map(|event| event.at).collect();
    assert_eq!(told, [at(7_200_000), at(0)], "what came first stays first, whatever the clock says");
    assert_eq!(drawn(&events), ["4S".parse().unwrap(), "9C".parse().unwrap()]);
    assert_eq!((feed.counts().set_back, feed.counts().late), (1, 1));
}

#[test]
fn a_lost_line_of_the_chip_sensor_is_told_of_before_what_the_next_one_tells() {
    let line = |seq: u64, millis: i64, rest: &str| {
        let line = format!("{{\"seq\":{seq},\"at\":{}{rest}}}", millis * 1000).into_bytes();
        (at(millis + 40), Record::ChipLine { sensor: "chips".parse().unwrap(), line })
    };
    let (events, _) = replayed(&[
        line(1, 0, ",\"full\":true"),
        line(2, 1000, ",\"spots\":[{\"spot\":\"3\",\"amount\":\"25.00\"}]"),
        line(4, 3000, ",\"spots\":[{\"spot\":\"3\",\"amount\":\"0.00\"}]"),
        line(5, 9000, ",\"full\":true"),
    ]);
    let gap = events.iter().position(|event| matches!(event.fact, Fact::Gap { .. })).unwrap();
    let taken = |fact: &Fact| matches!(fact, Fact::Stands { amount, .. } if *amount == Money::ZERO);
    let taken = events.iter().position(|event| taken(&event.fact)).unwrap();
    assert!(gap < taken && events[gap].at <= events[taken].at, "{events:#?}");
}
