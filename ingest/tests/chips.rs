//! The chip sensor's reader, told line by line and against whole shifts of the simulator.
#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

use std::collections::BTreeMap;

use auditor::model::random::Dice;
use auditor::rulebook::books;
use ingest::chips::{Sensor, Settings, Told, Trouble, What};
use simulator::feeds::{Feeds, Names};
use simulator::players;
use simulator::setup::Setup;
use simulator::shift::{Shift, Wishes};
use table::chips::{Felt, LONGEST, Line, Spot};
use table::config::Dialect;
use table::event::{Fact, Health, Source, SourceKind};
use table::tape::Record;
use table::{Event, EventId, Game, Money, Utc};

/// Milliseconds after the table opened.
fn at(millis: i64) -> Utc {
    "2026-11-15T21:00:00Z".parse::<Utc>().unwrap().shifted(millis * 1000).unwrap()
}

/// A sensor, and what it has told in a few words.
struct Watch {
    sensor: Sensor,
    told: Vec<Told>,
}

impl Watch {
    fn new() -> Self {
        Self { sensor: Sensor::new(Settings::default()), told: Vec::new() }
    }

    /// A line sent at a time and 40 milliseconds on its way.
    fn line(&mut self, seq: u64, millis: i64, rest: &str) -> &mut Self {
        let line = format!("{{\"seq\":{seq},\"at\":{}{rest}}}\n", millis * 1000);
        self.sensor.push(at(millis + 40), line.as_bytes(), &mut self.told);
        self
    }

    fn spot(&mut self, seq: u64, millis: i64, spot: &str, amount: &str) -> &mut Self {
        self.line(seq, millis, &format!(",\"spots\":[{{\"spot\":\"{spot}\",\"amount\":\"{amount}\"}}]"))
    }

    fn tick(&mut self, millis: i64) -> &mut Self {
        self.sensor.tick(at(millis), &mut self.told);
        self
    }

    /// What changed, each as `when what`, with the time in milliseconds.
    fn changes(&self) -> Vec<String> {
        let changes = self.told.iter().filter_map(|told| match told {
            Told::Change(change) => Some(change),
            Told::Trouble(_) => None,
        });
        let words = changes.map(|change| {
            let when = (change.at.micros() - at(0).micros()) / 1000;
            match &change.what {
                What::Stands(pile) => {
                    format!("{when} {}: {}{}", pile.spot, pile.amount, if pile.lammer { " lammer" } else { "" })
                }
                What::Tray(total) => format!("{when} tray: {total}"),
                What::Health(health) => format!("{when} {}", health.name()),
            }
        });
        words.collect()
    }

    fn troubles(&self) -> Vec<Trouble> {
        let troubles = self.told.iter().filter_map(|told| match told {
            Told::Trouble(trouble) => Some(trouble.clone()),
            Told::Change(_) => None,
        });
        troubles.collect()
    }
}

#[test]
fn chips_that_stay_are_told_with_the_time_they_were_put_down() {
    let mut watch = Watch::new();
    watch.line(1, 0, ",\"full\":true,\"tray\":\"500.00\"").spot(2, 1000, "3", "25.00").spot(3, 1100, "5", "10.00");
    assert_eq!(watch.changes(), ["40 tray: 500.00"], "box 3 has not stood long enough");
    watch.tick(1440);
    assert_eq!(watch.changes()[1..], ["1040 3: 25.00"]);
    assert_eq!(watch.sensor.next_tick(), Some(at(1540)), "box 5 is due");
    watch.tick(1540);
    assert_eq!(watch.changes()[2..], ["1140 5: 10.00"]);
}

#[test]
fn a_hand_over_the_sensor_is_no_bet() {
    let mut watch = Watch::new();
    watch.line(1, 0, ",\"full\":true").spot(2, 1000, "3", "25.00").tick(1500);
    watch.spot(3, 2000, "3", "6.25").spot(4, 2150, "3", "0.00").spot(5, 2299, "3", "25.00");
    watch.spot(6, 3000, "4", "100.00").spot(7, 3290, "4", "0.00").tick(9000);
    assert_eq!(watch.changes(), ["1040 3: 25.00"]);
    assert_eq!(watch.sensor.counts().flickers, 3);
}

#[test]
fn a_state_of_just_the_settling_time_is_told_however_late_the_lines_come() {
    let mut watch = Watch::new();
    watch.line(1, 0, ",\"full\":true");
    // A connection that was held up delivers all at once: only the sensor's clock still tells what lasted.
    let lines = [(2, 1000, "25.00"), (3, 1300, "50.00"), (4, 1599, "75.00"), (5, 1899, "0.00")];
    for (seq, millis, amount) in lines {
        let line = format!(
            "{{\"seq\":{seq},\"at\":{},\"spots\":[{{\"spot\":\"3\",\"amount\":\"{amount}\"}}]}}\n",
            millis * 1000
        );
        watch.sensor.push(at(8000), line.as_bytes(), &mut watch.told);
    }
    assert_eq!(watch.changes(), ["1040 3: 25.00", "1639 3: 75.00"]);
    watch.tick(8400);
    assert_eq!(watch.changes()[2..], ["1939 3: 0.00"]);
}

#[test]
fn a_lost_line_is_told_and_healed_by_the_next_full_one() {
    let mut watch = Watch::new();
    watch.line(1, 0, ",\"full\":true").spot(2, 1000, "3", "25.00").tick(1500);
    // Line 3 said that box 3 was taken, line 4 that box 5 bets.
    watch.line(5, 10_000, ",\"full\":true,\"spots\":[{\"spot\":\"5\",\"amount\":\"10.00\"}]").tick(11_000);
    assert_eq!(watch.changes(), ["1040 3: 25.00", "10040 3: 0.00", "10040 5: 10.00"]);
    assert_eq!(watch.troubles(), [Trouble::Lost { line: 3, lost: 2 }]);
    assert_eq!(watch.sensor.counts().lost, 2);
}

#[test]
fn what_only_a_full_line_tells_happened_before_the_line_that_showed_the_loss() {
    let mut watch = Watch::new();
    watch.line(1, 0, ",\"full\":true").spot(2, 1000, "3", "25.00").tick(1500);
    // Line 3 said that box 3 was taken.
    watch.spot(4, 4000, "5", "10.00").tick(4500);
    watch.line(5, 10_000, ",\"full\":true,\"spots\":[{\"spot\":\"5\",\"amount\":\"10.00\"}]").tick(11_000);
    assert_eq!(watch.changes(), ["1040 3: 25.00", "4040 5: 10.00", "4039 3: 0.00"]);
    watch.line(6, 20_000, ",\"full\":true").tick(21_000);
    assert_eq!(watch.changes()[3..], ["20040 5: 0.00"], "nothing is missing any more");
}

#[test]
fn a_garbage_line_is_counted_with_its_number_and_the_rest_goes_on() {
    let mut watch = Watch::new();
    watch.line(1, 0, ",\"full\":true");
    watch.sensor.push(at(100), b"\x00\xff{\"se\r\n\r\n", &mut watch.told);
    let long = [b"{\"seq\":".as_slice(), &vec![b'1'; LONGEST], b"}\n"].concat();
    watch.sensor.push(at(200), &long, &mut watch.told);
    watch.spot(2, 1000, "3", "25.00").tick(2000);

    assert_eq!(watch.changes(), ["1040 3: 25.00"]);
    let troubles: Vec<String> = watch.troubles().iter().map(Trouble::to_string).collect();
    assert!(troubles[0].starts_with("chip feed, line 2, column 1: "), "{troubles:?}");
    assert!(troubles[1].starts_with("chip feed, line 4, column 0: 65544 bytes long"), "{troubles:?}");
    let counts = watch.sensor.counts();
    assert_eq!((counts.lines, counts.unreadable, counts.too_long, counts.lost), (2, 2, 1, 0));
}

#[test]
fn repeats_change_nothing_and_a_restart_is_told() {
    let mut watch = Watch::new();
    watch.line(7, 50_000, ",\"full\":true,\"spots\":[{\"spot\":\"3\",\"amount\":\"25.00\"}]").tick(50_500);
    watch.spot(8, 51_000, "4", "5.00").spot(8, 51_000, "4", "5.00").tick(52_000);
    // The sensor's clock begins again with it, sixty seconds later by ours.
    watch.sensor.push(at(110_040), b"{\"seq\":1,\"at\":0,\"full\":true}\n", &mut watch.told);
    watch.tick(111_000);

    assert_eq!(watch.troubles(), [Trouble::Repeated { line: 3 }, Trouble::Restarted { line: 4 }]);
    assert_eq!(
        watch.changes(),
        ["50040 3: 25.00", "51040 4: 5.00", "110040 3: 0.00", "110040 4: 0.00"],
        "what the restarted sensor does not see is not there"
    );
}

#[test]
fn a_restart_that_does_not_tell_everything_empties_nothing() {
    let mut watch = Watch::new();
    watch.line(7, 50_000, ",\"full\":true,\"spots\":[{\"spot\":\"3\",\"amount\":\"25.00\"}]").tick(50_500);
    watch.sensor.push(at(60_000), b"{\"seq\":1,\"at\":0,\"tray\":\"9.00\"}\n", &mut watch.told);
    watch.tick(61_000);
    assert_eq!(watch.changes(), ["50040 3: 25.00", "60000 tray: 9.00"]);
}

#[test]
fn a_silent_sensor_is_lost_and_its_next_line_makes_it_well() {
    let mut watch = Watch::new();
    watch.tick(0).tick(24_999);
    assert_eq!(watch.changes(), Vec::<String>::new());
    assert_eq!(watch.sensor.next_tick(), Some(at(25_000)));
    watch.tick(25_000).tick(50_000);
    assert_eq!(watch.sensor.next_tick(), None, "nothing is due until a line comes");
    watch.line(1, 60_000, ",\"full\":true");
    watch.sensor.gone(at(61_000), &mut watch.told);
    watch.line(2, 62_000, ",\"full\":true,\"health\":\"error\"").line(3, 63_000, "").line(
        4,
        64_000,
        ",\"health\":\"ok\"",
    );
    assert_eq!(watch.changes(), ["25000 lost", "60040 ok", "61000 lost", "62040 error", "64040 ok"]);
}

#[test]
fn a_clock_that_runs_backwards_is_told_and_reading_goes_on() {
    let mut watch = Watch::new();
    watch.line(1, 9_000_000, ",\"full\":true");
    watch.sensor.push(at(9_001_000), b"{\"seq\":2,\"at\":5,\"tray\":\"9.00\"}\n", &mut watch.told);
    watch.tick(9_002_000);
    assert_eq!(watch.changes(), ["9001000 clock-jump", "9001000 tray: 9.00"]);
}

#[test]
fn changes_become_events_with_both_times() {
    let mut watch = Watch::new();
    let spots = r#","full":true,"spots":[{"spot":"3","amount":"25.00"},{"spot":"3 payout","amount":"37.50"}]"#;
    watch.line(1, 1000, spots).tick(2000);
    let source = Source { kind: SourceKind::Chips, name: "chips-04".parse().unwrap() };
    let events = watch.told.iter().filter_map(|told| match told {
        Told::Change(change) => Some(change.clone().event(EventId(7), &source)),
        Told::Trouble(_) => None,
    });
    let [bet, winnings]: [Event; 2] = events.collect::<Vec<_>>().try_into().unwrap();
    let stands = |payout, cents| Fact::Stands {
        wager: "3".parse().unwrap(),
        payout,
        amount: Money::from_minor(cents),
        lammer: false,
        chips: Vec::new(),
    };
    assert_eq!((bet.id, bet.at, bet.arrived), (EventId(7), at(1040), at(1040)));
    assert_eq!((bet.source_clock, bet.offset()), (Some(1_000_000), Some(at(40).micros())));
    assert_eq!(bet.fact, stands(false, 2500));
    assert_eq!(winnings.fact, stands(true, 3750));
}

#[test]
fn any_bytes_are_lines_or_troubles() {
    let mut dice = Dice::new(4);
    let mut sensor = Sensor::new(Settings::default());
    let mut told = Vec::new();
    for millis in 0..2000 {
        let bytes: Vec<u8> = (0..dice.below(80)).map(|_| b"{}[]\",:0123seqatfullx\n"[dice.below(22)]).collect();
        sensor.push(at(millis), &bytes, &mut told);
        sensor.tick(at(millis), &mut told);
    }
    assert_eq!(sensor.counts().lines, 0);
    assert!(sensor.counts().unreadable > 1000);
}

/// The lines of a random shift, with the time each came in.
fn shift(game: &str, noise: f64, seed: u64) -> Vec<(Utc, Vec<u8>)> {
    let game = Game { name: game.parse().unwrap(), options: BTreeMap::new() };
    let setup = Setup::new(books::all().unwrap(), "BJ-04".parse().unwrap(), game).unwrap();
    let wishes = Wishes {
        seed,
        rounds: 12,
        begins: at(0),
        mid_shoe: false,
        company: players::Wish::default(),
        dealers: vec!["D-01".parse().unwrap()],
        procedure: None,
        faults: Vec::new(),
        several: false,
    };
    let mut feeds = Feeds::new(Names::usual().unwrap(), Dialect::AngelEye, noise, &Dice::new(seed));
    let records = Shift::open(&setup, wishes).flat_map(|dealt| feeds.of(&dealt.unwrap()).records);
    let lines = records.filter_map(|(at, record)| match record {
        Record::ChipLine { line, .. } => Some((at, [line.as_slice(), b"\n"].concat())),
        _ => None,
    });
    lines.collect()
}

/// What a reader of every change knows.
#[derive(Debug, Default, PartialEq)]
struct Known {
    spots: BTreeMap<Spot, (Money, bool)>,
    tray: Option<Money>,
}

impl Known {
    fn follow(&mut self, told: &mut Vec<Told>) {
        for told in told.drain(..) {
            match told {
                Told::Change(change) => match change.what {
                    What::Stands(pile) if pile.amount == Money::ZERO && !pile.lammer => {
                        assert!(self.spots.remove(&pile.spot).is_some(), "{} was empty already", pile.spot);
                    }
                    What::Stands(pile) => {
                        let before = self.spots.insert(pile.spot, (pile.amount, pile.lammer));
                        assert_ne!(before, Some((pile.amount, pile.lammer)), "{} did not change", pile.spot);
                    }
                    What::Tray(total) => self.tray = Some(total),
                    What::Health(health) => assert_eq!(health, Health::Ok),
                },
                Told::Trouble(_) => {}
            }
        }
    }

    fn of(felt: &Felt) -> Self {
        let spots = felt.piles.values().map(|pile| (pile.spot, (pile.amount, pile.lammer)));
        Self { spots: spots.collect(), tray: felt.tray }
    }
}

/// Reads a shift with ticks where they are due. After every pause that is long enough to settle, what the changes say
/// must be what stands there.
fn compare(lines: &[(Utc, Vec<u8>)], name: &str) -> (Sensor, usize) {
    let mut sensor = Sensor::new(Settings::default());
    let (mut known, mut felt) = (Known::default(), Felt::default());
    let (mut told, mut most) = (Vec::new(), 0);
    for (number, (arrived, line)) in lines.iter().enumerate() {
        sensor.push(*arrived, line, &mut told);
        felt.hear(&Line::parse(number as u64 + 1, line.trim_ascii_end()).unwrap());
        let next = lines.get(number + 1).map_or(arrived.shifted(1_000_000).unwrap(), |(next, _)| *next);
        while let Some(due) = sensor.next_tick().filter(|due| *due < next) {
            sensor.tick(due, &mut told);
        }
        known.follow(&mut told);
        if next.micros() - arrived.micros() > 400_000 {
            assert_eq!(known, Known::of(&felt), "{name}, line {}", number + 1);
            most = most.max(known.spots.len());
        }
    }
    (sensor, most)
}

#[test]
fn the_settled_states_of_random_shifts_are_the_truth() {
    for (game, seed) in [("nz-base", 1), ("nz-freebet", 2), ("act", 3), ("bclc-freebet", 4), ("nh-6d", 5)] {
        let (sensor, most) = compare(&shift(game, 0.0, seed), game);
        assert!(most > 2, "{game} never has three spots taken");
        let counts = sensor.counts();
        assert_eq!((counts.unreadable, counts.lost, counts.repeats, counts.restarts), (0, 0, 0, 0), "{game}");
        assert!(counts.changes > 50, "{game}: {counts:?}");
    }
}

#[test]
fn what_a_noisy_feed_settles_to_is_what_its_lines_say() {
    let (mut lost, mut repeats, mut flickers) = (0, 0, 0);
    for (game, seed) in [("nz-base", 1), ("nz-freebet", 2), ("act", 3)] {
        let (sensor, _) = compare(&shift(game, 0.1, seed), game);
        let counts = sensor.counts();
        (lost, repeats, flickers) = (lost + counts.lost, repeats + counts.repeats, flickers + counts.flickers);
    }
    assert!(lost > 5 && repeats > 5 && flickers > 5, "{lost} {repeats} {flickers}");
}
