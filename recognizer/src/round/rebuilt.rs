//! A round that is over, told with its doubts.

use table::round::Unseen;
use table::{Act, Chance, EventId, Round, RoundId, Step, Utc, Wager};

use super::beam::Beam;
use super::book::ChipAct;
use super::faces::chance;
use super::guess::Guess;
use super::narrate::{Aside, Evidence, Told, narrate};
use super::{Heard, Playing, others};

/// Readings less likely than this are not worth looking at.
pub(super) const WORTH: f64 = 0.002;
/// The most other readings that are given.
const MOST_OTHERS: usize = 12;

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
    /// When lines of the chip sensor were found to be lost.
    pub(super) lost: Vec<i64>,
    /// Wagers that the tray alone says were paid.
    pub(super) paid_by_tray: Vec<Wager>,
    pub(super) asides: Vec<(i64, EventId, Aside)>,
    pub(super) heard: Heard,
    pub(super) chips_heard: bool,
    /// How doubtful the camera's readings have been lately.
    pub(super) doubt: f64,
    /// Whether cards of the rounds before may have been counted twice or not at all.
    pub(super) miscounted: bool,
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
        lines_lost: !closed.lost.is_empty(),
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
        others.extend(others::faces(&beam, guess, best, *best_weight, &likeliest));
        if closed.heard.camera {
            others.extend(others::placed_blindly(&beam, guess, closed.doubt, &likeliest));
        }
    }
    others.extend(others::seen_by_nobody(&likeliest, &closed.paid_by_tray, closed.doubt));
    others.extend(others::earlier_bets(&likeliest, !closed.lost.is_empty()));
    others.extend(others::lines_lost(&likeliest, &closed.acts, &closed.lost));
    others.extend(others::counted_wrongly(&likeliest, closed.doubt, closed.miscounted));
    others.extend(others::at_another_time(&likeliest, closed.heard.jumped));
    others.extend(others::put_right(&likeliest));
    others.extend(others::asked_for_even_money(&likeliest, &playing.grammar));
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
