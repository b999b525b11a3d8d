//! A round that is over, told with its doubts.

use std::collections::BTreeSet;

use table::round::Unseen;
use table::{Act, BoxNo, Card, Chance, EventId, Place, Round, RoundId, Step, Utc};

use super::beam::Beam;
use super::book::ChipAct;
use super::faces::{Faces, chance};
use super::guess::Guess;
use super::narrate::{Aside, Evidence, Told, narrate};
use super::{Heard, Playing};

/// Readings less likely than this are not worth looking at.
const WORTH: f64 = 0.002;
/// The most other readings that are given.
const MOST_OTHERS: usize = 12;

/// From this doubt of the camera on, lines of the chip feed get lost too.
const NOISY: f64 = 0.001;
/// How likely it then is that chips seen late were there before.
const LINE_LOST: f64 = 0.3;

/// How likely a card that nobody saw went elsewhere than the rules would have it.
const ELSEWHERE: f64 = 0.2;
/// No player thinks for so long in the middle of a round, in microseconds.
const STANDS_STILL: u64 = 25_000_000;
/// How likely it then is that somebody put something right.
const PUT_RIGHT: f64 = 0.5;

/// A round as it was rebuilt.
#[derive(Clone, Debug, PartialEq)]
pub struct Rebuilt {
    /// The likeliest reading. Each step says how sure it is.
    pub round: Round,
    /// Other readings that are not out of the question, the likeliest first.
    pub others: Vec<Other>,
    /// Whether a source was lost or contradicted itself while the round was played.
    pub troubled: bool,
    /// Whether the round is over. One that is not was told ahead of its end, and will be told again.
    pub over: bool,
    /// When it was known: nothing that happened later is in it.
    pub known: Utc,
    /// When its last chip was paid, taken or taken up.
    pub settled: Option<Utc>,
}

impl From<Round> for Rebuilt {
    /// A round that somebody wrote down: it is over, and has no other reading.
    fn from(round: Round) -> Self {
        Self { known: round.at, round, others: Vec::new(), troubled: false, over: true, settled: None }
    }
}

/// Another reading of a round.
#[derive(Clone, Debug, PartialEq)]
pub struct Other {
    /// How likely it is.
    pub chance: Chance,
    /// What is different, in a few words.
    pub says: String,
    /// The round.
    pub round: Round,
}

/// Everything there is of a round that is over.
pub(super) struct Closed {
    pub(super) id: RoundId,
    pub(super) began: i64,
    pub(super) over: i64,
    /// When this was known.
    pub(super) known: i64,
    pub(super) acts: Vec<ChipAct>,
    pub(super) asides: Vec<(i64, EventId, Aside)>,
    pub(super) heard: Heard,
    pub(super) chips_heard: bool,
    /// How doubtful the camera's readings have been lately.
    pub(super) doubt: f64,
}

/// Tells a round.
pub(super) fn tell(playing: &Playing, closed: &Closed, beam: Beam) -> Rebuilt {
    let known = Utc::from_micros(closed.known).unwrap_or(Utc::EPOCH);
    let settled = closed.acts.iter().filter(|act| act.settles()).map(|act| act.at).max().and_then(Utc::from_micros);
    let (beam, guesses) = beam.close();
    let evidence = Evidence {
        beam: &beam,
        chips: &closed.acts,
        asides: &closed.asides,
        grammar: &playing.grammar,
        shuffler: playing.shuffler,
        chips_heard: closed.chips_heard,
        over: closed.over,
    };
    let worth: Vec<(f64, &Guess)> =
        guesses.iter().filter(|(weight, _)| *weight > WORTH).map(|(weight, guess)| (*weight, guess)).collect();
    let told: Vec<(f64, Vec<Told>)> =
        worth.iter().map(|(weight, guess)| (*weight, narrate(guess, &evidence))).collect();
    let Some((best_weight, best)) = told.first() else {
        let round = round(playing, closed, &[], |_| 1.0);
        return Rebuilt { round, others: Vec::new(), troubled: true, over: true, known, settled };
    };
    let all: f64 = told.iter().map(|(weight, _)| weight).sum();
    let agreed = |step: &Told| -> f64 {
        let agree = told.iter().filter(|(_, other)| other.iter().any(|there| there.act == step.act));
        agree.map(|(weight, _)| weight).sum::<f64>() / all
    };
    let likeliest = round(playing, closed, best, |step| step.face * agreed(step));
    let mut others: Vec<Other> = Vec::new();
    for (weight, other) in told.iter().skip(1) {
        let says = differs(best, other);
        if let Some(says) = says {
            let round = round(playing, closed, other, |step| step.face);
            others.push(Other { chance: chance(*weight), says, round });
        }
    }
    if let Some((_, guess)) = worth.first() {
        others.extend(other_faces(&beam, guess, best, *best_weight, &likeliest));
        if closed.heard.camera {
            others.extend(placed_blindly(&beam, guess, closed.doubt, &likeliest));
        }
    }
    others.extend(earlier_bets(&likeliest, closed.doubt));
    others.extend(put_right(&likeliest));
    others.sort_by_key(|other| std::cmp::Reverse(other.chance));
    others.truncate(MOST_OTHERS);
    Rebuilt { round: likeliest, others, troubled: closed.heard.trouble, over: true, known, settled }
}

fn round(playing: &Playing, closed: &Closed, told: &[Told], sure: impl Fn(&Told) -> f64) -> Round {
    let began = told.first().map_or(closed.began, |first| first.at.min(closed.began));
    let mut last = 0;
    let steps = told.iter().map(|step| {
        last = u64::try_from(step.at.saturating_sub(began)).unwrap_or(0).max(last);
        let mut events = step.events.clone();
        events.sort_unstable();
        events.dedup();
        Step { act: step.act.clone(), after: Some(last), chance: Some(chance(sure(step))), events: events.into() }
    });
    let steps = steps.collect();
    let mut unseen = Vec::new();
    let blind = [
        (Unseen::Cards, !closed.heard.camera),
        (Unseen::Shoe, !closed.heard.shoe),
        (Unseen::Wagers, !closed.chips_heard),
        (Unseen::Payouts, !closed.chips_heard),
    ];
    unseen.extend(blind.iter().filter(|(_, blind)| *blind).map(|(unseen, _)| *unseen));
    unseen.extend([Unseen::Signals, Unseen::Calls, Unseen::Procedure]);
    let (game, limits) = (playing.game.clone(), playing.limits.clone());
    let at = Utc::from_micros(began).unwrap_or(Utc::EPOCH);
    Round { id: closed.id.clone(), at, dealer: None, game, limits, unseen, steps }
}

/// A card that the shoe gave and no camera saw lies where the rules would have it, and may lie elsewhere. A camera that errs at
/// times also misses cards that the rules have no place for, and mistakes hands for each other when a box is split again and
/// all of them are moved. Nothing is certain then at those boxes, or at any if the card may lie anywhere.
fn placed_blindly(beam: &Beam, guess: &Guess, doubt: f64, round: &Round) -> Vec<Other> {
    let named = |faces: &Faces| {
        let card = faces.posterior(&beam.prior).first().map_or(Card::HIDDEN, |(card, _)| *card);
        format!("no camera saw where the {} went", card.pretty())
    };
    let other = |says: String, round: Round| Other { chance: chance(ELSEWHERE), says, round };
    let without = |place: Option<Place>| match place.and_then(Place::box_no) {
        Some(box_no) => without_box(round, box_no),
        None => without_cards(round),
    };
    let mut others = Vec::new();
    for laid in guess.laid.iter().filter(|laid| laid.sights.is_empty()) {
        others.push(other(named(&beam.faces(laid)), without(Some(laid.place))));
    }
    if doubt < NOISY {
        return others;
    }
    for draw in guess.loose.iter().filter_map(|draw| beam.drawn(*draw)) {
        // If it went to anybody, then to the one who got the card before it.
        let before = guess.laid.iter().filter(|laid| laid.at <= draw.at).max_by_key(|laid| laid.at);
        others.push(other(named(&draw.faces), without(before.map(|laid| laid.place))));
    }
    for box_no in beam.boxes() {
        if dealt(guess, *box_no) < 2 {
            let says = format!("a card of box {box_no} may have been seen by nobody");
            others.push(other(says, without_box(round, *box_no)));
        }
    }
    let splits = round.steps.iter().filter_map(|step| match step.act {
        Act::Split(wager, _) => Some(wager.box_no),
        _ => None,
    });
    let mut split = BTreeSet::new();
    let again: BTreeSet<BoxNo> = splits.filter(|box_no| !split.insert(*box_no)).collect();
    for box_no in again {
        let says = format!("hands of box {box_no}, which was split again, may be mistaken for each other");
        others.push(other(says, without_box(round, box_no)));
    }
    others
}

/// How many cards a box got in all its hands.
fn dealt(guess: &Guess, box_no: BoxNo) -> usize {
    guess.laid.iter().filter(|laid| laid.place.box_no() == Some(box_no)).count()
}

/// The round if nothing were known of its cards.
fn without_cards(round: &Round) -> Round {
    let mut round = round.clone();
    if !round.unseen.contains(&Unseen::Cards) {
        round.unseen.push(Unseen::Cards);
    }
    round
}

/// The round if nobody had played on a box.
fn without_box(round: &Round, box_no: BoxNo) -> Round {
    let mut round = round.clone();
    round.steps.retain(|step| step.act.place().and_then(Place::box_no) != Some(box_no));
    round
}

/// Where sources are known to err, chips seen after the first card may have stood there before it: a line was lost, and the
/// next full one told of them.
fn earlier_bets(round: &Round, doubt: f64) -> Option<Other> {
    let first = round.steps.iter().position(|step| matches!(step.act, Act::Card { .. }))?;
    let insurance = |wager: &table::Wager| wager.kind == table::WagerKind::Insurance;
    let late = |step: &Step| matches!(&step.act, Act::Bet(wager, _) if !insurance(wager));
    let (bets, rest): (Vec<Step>, Vec<Step>) = round.steps.get(first..)?.iter().cloned().partition(late);
    if bets.is_empty() || doubt < NOISY {
        return None;
    }
    let steps = round.steps.iter().take(first).cloned().chain(bets).chain(rest).collect();
    let says = "the chips may have stood there before the deal".to_owned();
    Some(Other { chance: chance(LINE_LOST), says, round: Round { steps, ..round.clone() } })
}

/// Where play stood still for long, a supervisor may have come and put the cards right by word, which no source shows.
fn put_right(round: &Round) -> Option<Other> {
    let dealt = round.steps.iter().position(|step| matches!(step.act, Act::Card { .. }))?;
    let waited = |steps: &[Step]| match steps {
        [one, other] => other.after?.checked_sub(one.after?).filter(|waited| *waited >= STANDS_STILL),
        _ => None,
    };
    let over = |step: &Step| matches!(step.act, Act::Collect(_) | Act::End);
    let play = round.steps.iter().position(over).unwrap_or(round.steps.len());
    let (pause, waited) = (dealt..play).find_map(|at| Some((at + 1, waited(round.steps.get(at..at + 2)?)?)))?;
    let first = round.steps.iter().find_map(|step| match step.act {
        Act::Card { to: to @ table::Place::Box(..), .. } => Some(to),
        _ => None,
    })?;
    let mut steps = round.steps.clone();
    let after = steps.get(pause.checked_sub(1)?)?.after;
    let word = |act| Step { act, after, chance: None, events: Vec::new().into() };
    steps.splice(pause..pause, [word(Act::Supervisor), word(Act::Reconstruct(first))]);
    let says =
        format!("play stood still for {} seconds, in which the cards may have been put right", waited / 1_000_000);
    Some(Other { chance: chance(PUT_RIGHT), says, round: Round { steps, ..round.clone() } })
}

/// The first step that another reading does not share, in words.
fn differs(best: &[Told], other: &[Told]) -> Option<String> {
    let lacks = |steps: &[Told], act: &Act| !steps.iter().any(|step| step.act == *act);
    let ours = best.iter().find(|step| lacks(other, &step.act));
    let theirs = other.iter().find(|step| lacks(best, &step.act));
    match (ours, theirs) {
        (Some(ours), Some(theirs)) => Some(format!("`{}` may have been `{}`", ours.act, theirs.act)),
        (Some(ours), None) => Some(format!("`{}` may not have happened", ours.act)),
        (None, Some(theirs)) => Some(format!("`{}` may have gone unseen", theirs.act)),
        (None, None) => None,
    }
}

/// The same round with one card read otherwise.
fn other_faces(beam: &Beam, guess: &Guess, best: &[Told], weight: f64, round: &Round) -> Vec<Other> {
    let mut others = Vec::new();
    for (piece, laid) in guess.laid.iter().enumerate() {
        let faces = beam.faces(laid).posterior(&beam.prior);
        let Some((first, _)) = faces.first() else { continue };
        for (card, likely) in faces.iter().skip(1).take(3).filter(|(_, likely)| likely * weight > WORTH) {
            let mut changed = round.clone();
            let mut any = false;
            for (step, told) in changed.steps.iter_mut().zip(best) {
                if told.piece == Some(piece) {
                    any |= reread(&mut step.act, *first, *card);
                }
            }
            if any {
                let says = format!("the {} may be the {}", first.pretty(), card.pretty());
                others.push(Other { chance: chance(likely * weight), says, round: changed });
            }
        }
    }
    others
}

fn reread(act: &mut Act, from: Card, to: Card) -> bool {
    let named = match act {
        Act::Card { card, .. } | Act::TurnUp(_, card) | Act::Move { card, .. } | Act::Discard(card) => card,
        _ => return false,
    };
    let same = *named == from;
    if same {
        *named = to;
    }
    same
}
