//! Events written as a story: one line for each thing that devices tell of.

use std::collections::BTreeMap;
use std::num::NonZeroU8;

use recognizer::round::{Playing, Rebuilder, Rebuilt, Settings};
use table::chips::Spot;
use table::event::{Drawn, Health, Source};
use table::{
    Card, CardAt, Chance, Event, EventId, Face, Fact, Game, Grammar, Money, Place, Reading, SourceKind, Turn, Utc,
};

/// A round in which the camera doubts what it sees, so that it may miss a card in the next.
pub(crate) const DOUBTFUL: &str = "chips 3=10
    draw TH
    see 3.1 TH 0.5
    draw 7S
    see dealer.1 7S 0.5
    draw 9C
    see 3.2 9C 0.5
    draw KD
    see dealer.2 KD 0.5
    chips 3=0
    clear 3
    clear dealer
    standby
    wait 20";

/// As a table is followed while it is played.
pub(crate) const AHEAD: Settings = Settings { width: 24, grammar: true, ahead: true };

/// A game without a hole card.
pub(crate) fn playing(grammar: Grammar) -> Playing {
    let game = Game { name: "nz-base".parse().unwrap(), options: BTreeMap::new() };
    Playing { table: "BJ-04".parse().unwrap(), game, limits: Vec::new(), grammar, shuffler: false }
}

/// The rounds of a story in a plain game.
pub(crate) fn rounds(story: &str) -> Vec<Rebuilt> {
    rounds_of(story, Grammar::default())
}

/// The rounds of a story.
pub(crate) fn rounds_of(story: &str, grammar: Grammar) -> Vec<Rebuilt> {
    told(&events(story), grammar, Settings::default())
}

/// The rounds of events in a plain game.
pub(crate) fn rounds_of_events(events: &[Event]) -> Vec<Rebuilt> {
    told(events, Grammar::default(), Settings::default())
}

/// The rounds of events in a plain game, told ahead of their end as well.
pub(crate) fn rounds_ahead(events: &[Event]) -> Vec<Rebuilt> {
    told(events, Grammar::default(), AHEAD)
}

fn told(events: &[Event], grammar: Grammar, settings: Settings) -> Vec<Rebuilt> {
    let mut rebuilder = Rebuilder::new(playing(grammar), settings);
    let mut rounds: Vec<Rebuilt> = events.iter().flat_map(|event| rebuilder.push(event)).collect();
    rounds.extend(rebuilder.finish());
    rounds
}

/// The steps of a round, without their marks.
pub(crate) fn steps(rebuilt: &Rebuilt) -> Vec<String> {
    rebuilt.round.steps.iter().map(|step| step.act.to_string()).collect()
}

/// The events of a story. Each line happens a second after the one before:
///
/// | line | what is told |
/// |---|---|
/// | `deal 3 TH` | the shoe draws it, half a second later the camera sees it there, in the next position |
/// | `draw TH` / `burn` / `cut` / `start` / `standby` / `gap 2` | the shoe alone |
/// | `see 3.2 TH 0.9 [down] [sideways]` | the camera alone, sure by so much; `1` for certain |
/// | `leave 3.2` / `clear 3` | a card, or every card of a hand, leaves |
/// | `chips 3=25 3.payout=10 tray=990` | what stands where at one moment; `*` behind an amount is a lammer |
/// | `line lost` | the chip sensor's reader noticed that one is missing, or that the sensor started again |
/// | `camera lost` | its health |
/// | `wait 10` | nothing for so many seconds |
pub(crate) fn events(story: &str) -> Vec<Event> {
    let mut teller = Teller::default();
    for line in story.lines().map(str::trim).filter(|line| !line.is_empty()) {
        teller.line(line);
    }
    teller.events.sort_by_key(|event| event.at);
    teller.events
}

#[derive(Default)]
struct Teller {
    now: i64,
    events: Vec<Event>,
    lies: BTreeMap<Place, u8>,
}

impl Teller {
    fn line(&mut self, line: &str) {
        self.now += 1_000_000;
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["deal", place, card, ref how @ ..] => {
                self.draw(card, Drawn::Game);
                self.now += 500_000;
                let place: Place = place.parse().unwrap();
                let position = self.lies.get(&place).copied().unwrap_or(0) + 1;
                self.see(place, position, card, 1.0, how);
            }
            ["draw", card] => self.draw(card, Drawn::Game),
            ["burn"] => self.draw("5C", Drawn::Burn),
            ["cut"] => self.tell(SourceKind::Shoe, Fact::CutCard),
            ["start"] => self.tell(SourceKind::Shoe, Fact::ShoeStart),
            ["standby"] => self.tell(SourceKind::Shoe, Fact::StandBy),
            ["gap", most] => self.tell(SourceKind::Shoe, Fact::Gap { at_most: most.parse().unwrap() }),
            ["see", spot, card, sure, ref how @ ..] => {
                let (place, position) = spot.split_once('.').unwrap();
                self.see(place.parse().unwrap(), position.parse().unwrap(), card, sure.parse().unwrap(), how);
            }
            ["leave", spot] => {
                let (place, position) = spot.split_once('.').unwrap();
                self.leave(place.parse().unwrap(), position.parse().unwrap());
            }
            ["clear", place] => {
                let place: Place = place.parse().unwrap();
                for position in 1..=self.lies.remove(&place).unwrap_or(0) {
                    self.leave(place, position);
                }
            }
            ["chips", ref spots @ ..] => spots.iter().for_each(|spot| self.chips(spot)),
            ["line", "lost"] => self.tell(SourceKind::Chips, Fact::Gap { at_most: 0 }),
            ["camera", state] => {
                let state: Health = state.parse().unwrap();
                self.tell(SourceKind::Camera, Fact::Health { state });
            }
            ["wait", seconds] => self.now += seconds.parse::<i64>().unwrap() * 1_000_000,
            _ => panic!("no such line: {line}"),
        }
    }

    fn tell(&mut self, kind: SourceKind, fact: Fact) {
        let at = Utc::from_micros(1_767_643_200_000_000 + self.now).unwrap();
        let id = EventId(self.events.len() as u64 + 1);
        let source = Source { kind, name: kind.name().parse().unwrap() };
        self.events.push(Event { id, source, at, arrived: at, source_clock: None, chance: Chance::CERTAIN, fact });
    }

    fn draw(&mut self, card: &str, drawn: Drawn) {
        let card = Reading::certain(card.parse().unwrap());
        self.tell(SourceKind::Shoe, Fact::Drew { card, drawn });
    }

    fn see(&mut self, place: Place, position: u8, card: &str, sure: f64, how: &[&str]) {
        let face = if how.contains(&"down") { Face::Down } else { Face::Up };
        let turn = if how.contains(&"sideways") { Turn::Sideways } else { Turn::Upright };
        let card: Card = if face == Face::Down { Card::HIDDEN } else { card.parse().unwrap() };
        let at = CardAt { place, position: NonZeroU8::new(position).unwrap(), face, turn };
        let card = Reading { card, chance: Chance::from_f64(sure).unwrap(), spread: None };
        let lies = self.lies.entry(place).or_default();
        *lies = position.max(*lies);
        self.tell(SourceKind::Camera, Fact::Settled { at, card });
    }

    fn leave(&mut self, place: Place, position: u8) {
        let position = NonZeroU8::new(position).unwrap();
        let at = CardAt { place, position, face: Face::Up, turn: Turn::Upright };
        self.tell(SourceKind::Camera, Fact::Left { at });
    }

    fn chips(&mut self, spot: &str) {
        let (spot, amount) = spot.split_once('=').unwrap();
        let lammer = amount.ends_with('*');
        let amount: Money = amount.trim_end_matches('*').parse().unwrap();
        if spot == "tray" {
            self.tell(SourceKind::Chips, Fact::Tray { total: amount });
            return;
        }
        let Spot { wager, payout } = spot.replace('.', " ").parse().unwrap();
        let fact = Fact::Stands { wager, payout, amount, lammer, chips: Vec::new() };
        self.tell(SourceKind::Chips, fact);
    }
}
