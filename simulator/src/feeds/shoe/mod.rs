//! The smart shoe: what it says when a card leaves it, and what the line makes of that.

pub mod angel_eye;
pub mod bee_tek;
mod line;

use auditor::model::random::Dice;
use table::config::Dialect;
use table::event::Drawn;
use table::round::Device;
use table::{Act, Card};

use super::{millis, weighted};
use crate::{Dealt, Trouble};
use line::Line;

/// Something a shoe has to say.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    /// Start of communication.
    Start,
    /// Stand-by between rounds.
    StandBy,
    /// The cutting card was drawn.
    CutCard,
    /// A card was drawn.
    Card {
        /// What it read; [`Card::UNREAD`] if nothing.
        card: Card,
        /// Whether it was burned.
        drawn: Drawn,
        /// The how manieth burned, or of the round, from 1.
        index: usize,
    },
    /// A drawn card, told again.
    Again {
        /// What it read.
        card: Card,
        /// Whether it was burned.
        drawn: Drawn,
        /// The how manieth.
        index: usize,
    },
}

/// What may happen to a telegram on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mishap {
    /// A bit of its first send is flipped.
    Flipped,
    /// Stray bytes come before it.
    Stray,
    /// One of its sends loses a byte.
    Damaged,
    /// Nothing of it arrives.
    Lost,
    /// Half of it arrives, then nothing.
    Half,
    /// The card was not read.
    Unread,
    /// The card was read as another.
    Misread,
    /// The cable is out for a few seconds.
    Unplugged,
}

/// How often each happens, if any does: a wrong card is rarer than no card, and most of it is the line.
const MISHAPS: &[(Mishap, usize)] = &[
    (Mishap::Flipped, 4),
    (Mishap::Stray, 4),
    (Mishap::Damaged, 4),
    (Mishap::Lost, 2),
    (Mishap::Half, 2),
    (Mishap::Unread, 3),
    (Mishap::Misread, 1),
    (Mishap::Unplugged, 1),
];

/// A card passes the shoe's eye this long before it lies on the table, in milliseconds.
const LEAD: (f64, f64) = (300.0, 700.0);
/// Between two sends of a telegram, in microseconds.
const PAUSE: i64 = 8_000;
/// How long a shoe takes to start again, in microseconds.
const RESTART: i64 = 1_500_000;

/// The part of all mishaps in which the shoe tells a wrong card.
pub(super) fn misread_part() -> f64 {
    let all: usize = MISHAPS.iter().map(|(_, weight)| weight).sum();
    let wrong =
        MISHAPS.iter().filter(|(mishap, _)| *mishap == Mishap::Misread).map(|(_, weight)| weight).sum::<usize>();
    wrong as f64 / all as f64
}

/// What came of a round on the shoe's line.
#[derive(Clone, Debug, Default)]
pub(super) struct Heard {
    /// The reads, in order, with their times in microseconds.
    pub(super) reads: Vec<(i64, Vec<u8>)>,
    /// For each draw, the card that a good listener has from it.
    pub(super) read: Vec<Option<Card>>,
}

/// A smart shoe and its line.
#[derive(Clone, Debug)]
pub(super) struct Shoe {
    dialect: Dialect,
    noise: f64,
    dice: Dice,
    line: Line,
    seq: u8,
    started: bool,
    /// Until when the cable is out.
    unplugged: Option<i64>,
}

/// Something to be said at a time.
struct Cue {
    at: i64,
    says: Says,
    draw: Option<usize>,
}

impl Shoe {
    pub(super) fn new(dialect: Dialect, noise: f64, dice: Dice) -> Self {
        let baud = match dialect {
            Dialect::AngelEye => angel_eye::BAUD,
            Dialect::BeeTek => bee_tek::BAUD,
        };
        Self { dialect, noise, dice, line: Line::new(baud), seq: b'0', started: false, unplugged: None }
    }

    /// What comes over the line during a round whose steps have these times.
    pub(super) fn of(&mut self, dealt: &Dealt, times: &[i64]) -> Heard {
        let mut heard = Heard { read: vec![None; dealt.drawn.len()], ..Heard::default() };
        for cue in self.cues(dealt, times) {
            self.tell(&cue, &dealt.troubles, &mut heard);
        }
        heard
    }

    /// What there is to say, in order.
    fn cues(&mut self, dealt: &Dealt, times: &[i64]) -> Vec<Cue> {
        let mut cues = Vec::new();
        let (mut next, mut burned, mut in_play) = (0, 0, 0);
        let mut last = i64::MIN;
        let last_step = dealt.round.steps.len().saturating_sub(1);
        for (step, (of_round, at)) in dealt.round.steps.iter().zip(times).enumerate() {
            if !self.started {
                self.started = true;
                cues.push(Cue { at: at.saturating_sub(RESTART), says: Says::Start, draw: None });
            }
            let mut leaves = |shoe: &mut Self| {
                let lead = millis(&mut shoe.dice, LEAD.0, LEAD.1);
                last = last.max(at.saturating_sub(lead));
                last
            };
            while let Some(draw) = dealt.drawn.get(next).filter(|draw| draw.step.min(last_step) <= step) {
                let burn = matches!(of_round.act, Act::Burn(_));
                let count = if burn { &mut burned } else { &mut in_play };
                *count += 1;
                let drawn = if burn { Drawn::Burn } else { Drawn::Game };
                let says = Says::Card { card: draw.card, drawn, index: *count };
                cues.push(Cue { at: leaves(self), says, draw: Some(next) });
                next += 1;
            }
            let (at, says) = match of_round.act {
                Act::CutCardOut => (leaves(self), Says::CutCard),
                Act::End => (*at, Says::StandBy),
                Act::Fault(Device::Shoe) => (at.saturating_add(RESTART), Says::Start),
                _ => continue,
            };
            cues.push(Cue { at, says, draw: None });
        }
        cues
    }

    /// Tells one thing, with whatever happens to it.
    fn tell(&mut self, cue: &Cue, troubles: &[Trouble], heard: &mut Heard) {
        let chance = if self.dice.chance(self.noise) { weighted(&mut self.dice, MISHAPS) } else { None };
        let asked: Vec<_> = troubles.iter().filter(|of| cue.draw.is_some() && draw_of(of) == cue.draw).collect();
        // What is asked for happens exactly: chance adds nothing to it, and the cable is in.
        let mut mishap = chance.filter(|_| asked.is_empty());
        if let Some(until) = self.unplugged.as_mut().filter(|_| !asked.is_empty()) {
            *until = self.line.start(cue.at).min(*until);
        }
        let mut repeated = false;
        let mut says = cue.says;
        for trouble in asked {
            match trouble {
                Trouble::ShoeMisread { says: other, .. } => says = read_as(says, *other),
                Trouble::ShoeUnread { .. } => says = read_as(says, Card::UNREAD),
                Trouble::ShoeLost { .. } => mishap = Some(Mishap::Lost),
                Trouble::ShoeRepeated { .. } => repeated = true,
                Trouble::CameraGap { .. } | Trouble::ClockJump { .. } => {}
            }
        }
        match mishap {
            Some(Mishap::Unread) => says = read_as(says, Card::UNREAD),
            Some(Mishap::Misread) => says = self.misread(says),
            Some(Mishap::Unplugged) => {
                let start = self.line.start(cue.at);
                self.unplugged = Some(start.saturating_add(millis(&mut self.dice, 2000.0, 6000.0)));
            }
            _ => {}
        }
        let arrived = self.transmit(cue.at, says, mishap, repeated, heard);
        if let (Some(read), Says::Card { card, .. }) = (cue.draw.and_then(|draw| heard.read.get_mut(draw)), says) {
            *read = Some(card).filter(|card| arrived && card.is_known());
        }
    }

    fn misread(&mut self, says: Says) -> Says {
        let Says::Card { card, .. } = says else { return says };
        let others: Vec<Card> = Card::faces().filter(|other| *other != card).collect();
        self.dice.pick(&others).map_or(says, |other| read_as(says, *other))
    }

    /// Puts a telegram on the line; whether a good listener gets it.
    fn transmit(&mut self, at: i64, says: Says, mishap: Option<Mishap>, repeated: bool, heard: &mut Heard) -> bool {
        if let Some(until) = self.unplugged {
            if self.line.start(at) < until {
                self.count(&says);
                return false;
            }
            self.unplugged = None;
            let start = self.encode(&Says::Start);
            self.sends(until, start, None, angel_eye::SENDS, heard);
        }
        let Some(bytes) = self.encode(&says) else { return true };
        let more = if repeated { 2 } else { 0 };
        match self.dialect {
            Dialect::AngelEye => {
                let arrived = self.sends(at, Some(bytes), mishap, angel_eye::SENDS + more, heard);
                if let (true, Says::Card { card, drawn, index }) = (repeated, says) {
                    let again = self.encode(&Says::Again { card, drawn, index });
                    self.sends(at, again, None, angel_eye::SENDS, heard);
                }
                arrived
            }
            Dialect::BeeTek => self.sends(at, Some(bytes), mishap, 1 + more, heard),
        }
    }

    /// Sends the same bytes so many times; whether one of them arrives whole.
    fn sends(
        &mut self,
        at: i64,
        bytes: Option<Vec<u8>>,
        mishap: Option<Mishap>,
        times: usize,
        heard: &mut Heard,
    ) -> bool {
        let Some(bytes) = bytes else { return true };
        let mut at = at;
        let mut put = |shoe: &mut Self, bytes: &[u8]| {
            shoe.line.send(at, bytes, &mut shoe.dice, &mut heard.reads);
            at = shoe.line.start(at).saturating_add(PAUSE);
        };
        if mishap == Some(Mishap::Stray) {
            let stray: Vec<u8> = (0..1 + self.dice.below(6)).map(|_| self.dice.below(256) as u8).collect();
            put(self, &stray);
        }
        let mut whole = 0;
        let damaged = self.dice.below(times);
        for send in 0..times {
            match mishap {
                Some(Mishap::Lost) => {}
                Some(Mishap::Half) if send > 0 => {}
                Some(Mishap::Half) => put(self, &bytes[..bytes.len() / 2]),
                Some(Mishap::Flipped) if send == 0 => {
                    let flipped = self.flipped(&bytes);
                    put(self, &flipped);
                }
                Some(Mishap::Damaged) if send == damaged => {
                    let mut short = bytes.clone();
                    short.remove(self.inside(&bytes));
                    put(self, &short);
                }
                _ => {
                    put(self, &bytes);
                    whole += 1;
                }
            }
        }
        whole > 0
    }

    /// The bytes with one bit wrong. A token without a checksum gets its wrong bit where no letter has one, so that
    /// noise on the line cannot turn one card into another unseen.
    fn flipped(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut flipped = bytes.to_vec();
        let bit = if self.dialect == Dialect::BeeTek { 7 } else { self.dice.below(8) };
        let at = self.inside(bytes);
        if let Some(byte) = flipped.get_mut(at) {
            *byte ^= 1 << bit;
        }
        flipped
    }

    /// Some byte of a telegram, but not the first or the last: the blanks around a token carry nothing, so harm to one
    /// would be none.
    fn inside(&mut self, bytes: &[u8]) -> usize {
        1 + self.dice.below(bytes.len().saturating_sub(2))
    }

    fn encode(&mut self, says: &Says) -> Option<Vec<u8>> {
        match self.dialect {
            Dialect::AngelEye => {
                let seq = self.count(says);
                Some(angel_eye::telegram(seq, says))
            }
            Dialect::BeeTek => bee_tek::token(says, &mut self.dice),
        }
    }

    /// The number of the next telegram. Those nobody hears count too.
    fn count(&mut self, says: &Says) -> u8 {
        if *says == Says::Start {
            self.seq = b'0';
        }
        let seq = self.seq;
        self.seq = angel_eye::next(seq);
        seq
    }
}

/// The draw that a shoe's trouble is about.
const fn draw_of(trouble: &Trouble) -> Option<usize> {
    match trouble {
        Trouble::ShoeMisread { draw, .. }
        | Trouble::ShoeUnread { draw }
        | Trouble::ShoeRepeated { draw }
        | Trouble::ShoeLost { draw } => Some(*draw),
        Trouble::CameraGap { .. } | Trouble::ClockJump { .. } => None,
    }
}

const fn read_as(says: Says, card: Card) -> Says {
    match says {
        Says::Card { drawn, index, .. } => Says::Card { card, drawn, index },
        other => other,
    }
}
