//! Clocks that are off, drift, jump and go through slow networks, of our own making and of the simulator's.
#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

use auditor::model::random::Dice;
use auditor::rulebook::books;
use ingest::clock::{Alignment, Clock, Limits, NotAligned, Placed, Sight, align};
use simulator::feeds::{Feeds, Names};
use simulator::setup::Setup;
use simulator::shift::{Shift, Wishes};
use simulator::{Trouble, players};
use table::config::Dialect;
use table::tape::Record;
use table::{Card, Event, Fact, Game, Utc};

const SECOND: i64 = 1_000_000;
const START: i64 = 1_700_000_000_000_000;

fn utc(micros: i64) -> Utc {
    Utc::from_micros(micros).unwrap()
}

/// A source that tells something ten times a second, over a network that takes 20 ms and now and then much longer.
struct Told {
    dice: Dice,
    now: i64,
    /// What its clock shows at `now`, and how much it gains.
    shows: f64,
    drift: f64,
    arrived: i64,
}

impl Told {
    fn new(drift: f64) -> Self {
        Self { dice: Dice::new(1), now: START, shows: 5e6, drift, arrived: 0 }
    }

    /// The next thing: when it was, what the clock showed, and when it came.
    fn next(&mut self) -> (i64, i64, Utc) {
        self.now += SECOND / 10;
        self.shows += 1e5 * (1.0 + self.drift / 1e6);
        let delay = 20_000.0 + self.dice.unit().powi(8) * 150_000.0;
        self.arrived = self.arrived.max(self.now + delay as i64);
        (self.now, self.shows as i64, utc(self.arrived))
    }
}

fn errors(told: &mut Told, clock: &mut Clock, count: usize) -> Vec<i64> {
    let mut error = || {
        let (truly, shows, arrived) = told.next();
        clock.observe(shows, arrived).at.micros() - truly
    };
    (0..count).map(|_| error()).collect()
}

#[test]
fn an_offset_and_a_drift_are_measured_through_a_slow_network() {
    for drift in [-100.0, 0.0, 35.0] {
        let (mut told, mut clock) = (Told::new(drift), Clock::default());
        errors(&mut told, &mut clock, 6_000);
        let settled = errors(&mut told, &mut clock, 3_000);
        let worst = settled.iter().map(|error| (error - 20_000).abs()).max().unwrap();
        assert!(worst < 5_000, "the shortest way takes 20 ms; beyond that off by {worst} at {drift} ppm");
        let measured = clock.measured();
        assert!((measured.drift - drift).abs() < 5.0, "{measured:?} for {drift}");
        assert_eq!((measured.jumps, measured.looks), (0, 9_000));
    }
}

#[test]
fn a_clock_set_forward_is_told_at_once_and_one_set_back_too() {
    let (mut told, mut clock) = (Told::new(10.0), Clock::default());
    errors(&mut told, &mut clock, 1_000);
    for by in [3 * SECOND, -3 * SECOND] {
        told.shows += by as f64;
        let (_, shows, arrived) = told.next();
        let jumped = clock.observe(shows, arrived).jumped.unwrap();
        assert!((jumped - by).abs() < 200_000, "{jumped} for {by}");
        let after = errors(&mut told, &mut clock, 500);
        assert!(after.iter().skip(200).all(|error| (15_000..180_000).contains(error)), "{after:?}");
    }
    assert_eq!(clock.measured().jumps, 2);
}

#[test]
fn a_clock_set_back_by_less_than_the_time_between_two_pictures_is_told_within_seconds() {
    // A picture every second, so that half a second back does not make the clock run backwards.
    let mut clock = Clock::default();
    let show = |clock: &mut Clock, second: i64, back: i64| {
        clock.observe(second * SECOND - back, utc(START + second * SECOND + 20_000))
    };
    for second in 0..60 {
        assert_eq!(show(&mut clock, second, 0).jumped, None);
    }
    let told: Vec<Option<i64>> = (60..70).map(|second| show(&mut clock, second, SECOND / 2).jumped).collect();
    let when = told.iter().position(Option::is_some).unwrap();
    assert_eq!(told[when], Some(-SECOND / 2));
    assert!(when <= 3, "{told:?}");
    assert_eq!(clock.measured().jumps, 1);
}

#[test]
fn a_network_that_stands_still_is_no_jump_and_what_it_held_up_keeps_its_time() {
    let (mut told, mut clock) = (Told::new(10.0), Clock::default());
    errors(&mut told, &mut clock, 1_000);
    told.arrived = told.now + 5 * SECOND;
    let late = errors(&mut told, &mut clock, 45);
    assert!(late.iter().all(|error| (15_000..30_000).contains(error)), "{late:?}");
    assert_eq!(clock.measured().jumps, 0);
}

#[test]
fn the_order_of_a_source_is_kept_whatever_its_clock_shows_and_holding_is_told() {
    let (mut dice, mut clock) = (Dice::new(3), Clock::default());
    let (mut last, mut held) = (utc(START), 0);
    for number in 0..2_000 {
        let arrived = utc(START + number * SECOND / 5);
        let wrong = match dice.below(50) {
            0 => dice.below(40_000_000) as i64 - 20_000_000,
            1..5 => -(dice.below(390_000) as i64),
            _ => 0,
        };
        let shows = number * SECOND / 5 + wrong;
        let placed = clock.observe(shows, arrived);
        assert!(placed.at >= last && placed.at <= arrived, "{placed:?}");
        held += i64::from(placed.held > 0);
        last = placed.at;
    }
    assert!(held > 0, "nothing was held, so this shows nothing");
}

#[test]
fn no_clock_however_mad_breaks_anything() {
    let mut dice = Dice::new(9);
    let mut clock = Clock::default();
    for _ in 0..5_000 {
        let shows = [i64::MIN, i64::MAX, 0, dice.roll() as i64, (dice.roll() >> 20) as i64][dice.below(5)];
        let arrived = Utc::from_micros((dice.roll() >> dice.below(30)) as i64).unwrap_or(Utc::EPOCH);
        let _: Placed = clock.observe(shows, arrived);
    }
}

/// What a shoe and a camera of the simulator said during a shift.
struct Seen {
    draws: Vec<Sight>,
    camera: Vec<Event>,
}

impl Seen {
    /// What the camera saw settle, by its own clock.
    fn settles(&self) -> Vec<Sight> {
        let settles = self.camera.iter().filter_map(|event| match &event.fact {
            Fact::Settled { card, .. } => Some(Sight { at: utc(event.source_clock?), card: card.card }),
            _ => None,
        });
        settles.collect()
    }

    /// How far the camera's clock is ahead of the time at which things happened, in the middle of all events.
    fn ahead(&self) -> i64 {
        let mut ahead: Vec<i64> =
            self.camera.iter().filter_map(|event| Some(event.source_clock? - event.at.micros())).collect();
        ahead.sort_unstable();
        ahead[ahead.len() / 2]
    }
}

fn seen(seed: u64, rounds: u32, noise: f64, jump: Option<(usize, i64)>) -> Seen {
    let game = Game { name: "nz-base".parse().unwrap(), options: Default::default() };
    let setup = Setup::new(books::all().unwrap(), "BJ-04".parse().unwrap(), game).unwrap();
    let wishes = Wishes {
        seed,
        rounds,
        begins: utc(START),
        mid_shoe: false,
        company: players::Wish::default(),
        dealers: vec!["D-01".parse().unwrap()],
        procedure: None,
        faults: Vec::new(),
        several: false,
    };
    let mut feeds = Feeds::new(Names::usual().unwrap(), Dialect::BeeTek, noise, &Dice::new(seed));
    let (mut seen, mut text) = (Seen { draws: Vec::new(), camera: Vec::new() }, String::new());
    for (number, dealt) in Shift::open(&setup, wishes).enumerate() {
        let mut dealt = dealt.unwrap();
        if let Some((_, micros)) = jump.filter(|(round, _)| *round == number) {
            dealt.troubles.push(Trouble::ClockJump { step: 0, micros });
        }
        for (at, record) in feeds.of(&dealt).records {
            match record {
                Record::Event(event) => seen.camera.push(event),
                Record::ShoeBytes { bytes, .. } => {
                    text.push_str(&String::from_utf8_lossy(&bytes));
                    while let Some((before, rest)) = text.split_once('>') {
                        let card = before.rsplit_once("Card:").map(|(_, card)| card.to_uppercase().replace("10", "T"));
                        if let Some(card) = card.and_then(|card| card.parse::<Card>().ok()) {
                            seen.draws.push(Sight { at, card });
                        }
                        text = rest.to_owned();
                    }
                }
                _ => {}
            }
        }
    }
    assert!(seen.draws.len() > 50 && seen.camera.len() > 50);
    seen
}

/// The dealer's hand takes between 0.3 and 0.7 seconds from shoe to table.
const HAND: i64 = 500_000;

fn off(seen: &Seen, alignment: &Alignment) -> i64 {
    (alignment.lag - seen.ahead() - HAND).abs()
}

#[test]
fn shoe_and_camera_are_aligned_by_the_cards_both_saw() {
    for (seed, noise) in [(1, 0.0), (2, 0.05), (3, 0.1), (4, 0.2)] {
        let seen = seen(seed, 40, noise, None);
        let alignment = align(&seen.draws, &seen.settles(), &Limits::default()).unwrap();
        assert!(off(&seen, &alignment) < 100_000, "off by {} at noise {noise}", off(&seen, &alignment));
        assert!(alignment.within < 100_000 && alignment.pairs > 50, "{alignment:?}");
        assert!(alignment.drift.abs() < 100.0, "{alignment:?}");
    }
}

#[test]
fn a_jump_within_the_stretch_is_told_apart_from_an_alignment() {
    let jump = 5 * SECOND;
    let seen = seen(5, 40, 0.0, Some((20, jump)));
    let Err(NotAligned::Torn { first, second }) = align(&seen.draws, &seen.settles(), &Limits::default()) else {
        panic!("two lags must not be taken for one")
    };
    assert!(((first - second).abs() - jump).abs() <= 300_000, "{first} and {second}");
}

#[test]
fn strangers_are_not_aligned() {
    let (one, other) = (seen(6, 40, 0.0, None), seen(7, 40, 0.0, None));
    let aligned = align(&one.draws, &other.settles(), &Limits::default());
    assert!(aligned.is_err(), "{aligned:?}");
    assert!(align(&[], &one.settles(), &Limits::default()).is_err());
    let unread: Vec<Sight> = one.draws.iter().map(|sight| Sight { card: Card::UNREAD, ..*sight }).collect();
    assert!(align(&unread, &one.settles(), &Limits::default()).is_err());
}

#[test]
fn the_simulators_camera_clock_is_followed_and_its_jumps_are_counted() {
    for (seed, jump) in [(1, None), (2, Some(2 * SECOND)), (3, Some(-3 * SECOND))] {
        let seen = seen(seed, 40, 0.0, jump.map(|jump| (20, jump)));
        let mut clock = Clock::default();
        let mut jumps = Vec::new();
        for event in seen.camera.iter().filter(|event| event.source_clock.is_some()) {
            jumps.extend(clock.observe(event.source_clock.unwrap(), event.arrived).jumped);
        }
        let by: Vec<i64> = jumps.iter().map(|jump| (jump + jump.signum() * SECOND / 2) / SECOND * SECOND).collect();
        assert_eq!(by, jump.into_iter().collect::<Vec<_>>(), "seed {seed}: {jumps:?}");
    }
}
