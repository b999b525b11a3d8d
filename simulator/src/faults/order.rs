//! Settlements that come too early, too late or out of turn.

use std::collections::BTreeSet;

use auditor::rules::NaturalTiming;
use table::{Act, BoxNo, Favours, Place, SideBet, WagerKind};

use super::chips::{
    Outcome, Settled, any_settled, at, cited, decides, final_place, last_card, move_before, on, on_table, play_begins,
    stands_on_hand,
};
use super::{Desk, Lived, Wrong, mistake};

pub(super) const FAULTS: &[Lived] = &[
    mistake(
        "natural_paid_early",
        "natural_paid_early",
        "A natural against an ace or ten is paid before the dealer's second card.",
        natural_paid_early,
    ),
    mistake(
        "natural_paid_late",
        "natural_paid_late",
        "A natural that nothing can beat is paid only at the end of the round.",
        natural_paid_late,
    ),
    mistake("bust_not_taken", "bust_not_taken", "A bust hand is taken only at the end of the round.", bust_not_taken),
    mistake(
        "settled_out_of_order",
        "settled_out_of_order",
        "The dealer jumps between boxes in the final settlement.",
        settled_out_of_order,
    ),
    mistake(
        "main_taken_with_war",
        "main_judged_by_side",
        "War is lost, and the main wager beside it is taken too.",
        main_taken_with_war,
    ),
];

/// The steps that turn up, settle and clear a hand.
fn clearing(desk: &Desk<'_>, place: Place) -> Vec<usize> {
    desk.steps(|act| match act {
        Act::Pay(wager, _) | Act::Take(wager, _) => wager.place() == place && wager.kind == WagerKind::Main,
        Act::TurnUp(of, _) | Act::Collect(of) => *of == place,
        _ => false,
    })
}

/// A natural that is paid, with nothing else on its box that is settled with it or after it.
fn lone_natural(desk: &mut Desk<'_>, outcome: &Outcome) -> Option<Settled> {
    any_settled(desk, outcome, |on| {
        let box_no = on.wager.box_no;
        let others = outcome.settled.iter().filter(|other| other.wager.box_no == box_no && other.wager != on.wager);
        let before =
            others.into_iter().all(|other| matches!(other.wager.kind, WagerKind::Side(_)) && other.step < on.step);
        let natural = on.is_on_hand() && outcome.is_natural(on.wager.place()) && on.due.is_paid();
        natural && before && !outcome.has_ride(box_no) && !outcome.took_even_money(on.wager)
    })
}

fn natural_paid_early(desk: &mut Desk<'_>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let begins = play_begins(desk)?;
    (desk.rules().bj_timing == NaturalTiming::WaitForAceOrTen).then_some(())?;
    let natural = lone_natural(desk, &outcome).filter(|natural| natural.step > begins)?;
    let others = outcome.settled.iter().filter(|other| other.wager.box_no == natural.wager.box_no);
    others.into_iter().all(|other| other.wager == natural.wager || other.step < begins).then_some(())?;
    // Without another hand to play for, the dealer would not even have drawn.
    outcome.needs_dealer_beside(natural.wager, last_card(desk)?).then_some(())?;
    let steps: Vec<usize> = clearing(desk, natural.wager.place()).into_iter().filter(|step| *step > begins).collect();
    move_before(desk, &steps, begins);
    let says = format!("the natural on box {} was paid before the dealer's second card", natural.wager.box_no);
    Some(at(natural.wager, "natural_paid_early", says))
}

fn natural_paid_late(desk: &mut Desk<'_>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let begins = play_begins(desk)?;
    let natural = lone_natural(desk, &outcome).filter(|natural| natural.step < begins)?;
    let box_no = natural.wager.box_no;
    // Somebody after it plays, so that play goes on past it; whoever gives up at once does not play.
    let passed = |act: &Act| {
        let other = decides(act).filter(|_| !matches!(act, Act::Surrender(_))).and_then(Place::box_no);
        other.is_some_and(|other| other > box_no)
    };
    desk.steps(passed).first()?;
    let waits = desk.rules().bj_timing == NaturalTiming::AfterPeek;
    let steps = clearing(desk, natural.wager.place());
    let end = final_place(desk, box_no).filter(|_| !waits)?;
    move_before(desk, &steps, end);
    let says = format!("the natural on box {box_no} was paid at the end of the round");
    Some(at(natural.wager, cited(desk, &["natural_paid_late", "natural_paid_late.further_card"])?, says))
}

fn bust_not_taken(desk: &mut Desk<'_>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let last = last_card(desk)?;
    let bust = any_settled(desk, &outcome, |on| {
        let place = on.wager.place();
        let split = outcome.is_split(on.wager.box_no) || outcome.has_ride(on.wager.box_no);
        let at_once = on.step < last && on.taken().is_some_and(|lost| lost == on.chips);
        on.is_on_hand() && outcome.is_bust(place) && at_once && !split
    })?;
    let (place, box_no) = (bust.wager.place(), bust.wager.box_no);
    let steps = desk.steps(|act| match act {
        Act::Take(wager, _) => wager.place() == place && matches!(wager.kind, WagerKind::Main | WagerKind::Double),
        Act::Collect(of) => *of == place,
        _ => false,
    });
    let passed = |act: &Act| match act {
        Act::Card { to, .. } => *to != place,
        Act::Surrender(_) => false,
        act => decides(act).is_some_and(|of| of != place),
    };
    desk.steps(passed).into_iter().find(|step| *step > bust.step)?;
    let end = final_place(desk, box_no)?;
    move_before(desk, &steps, end);
    let says = format!("the bust hand on box {box_no} was taken at the end of the round");
    Some(at(bust.wager, cited(desk, &["bust_not_taken"])?, says))
}

fn settled_out_of_order(desk: &mut Desk<'_>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let last = last_card(desk)?;
    let finals: Vec<&Settled> =
        outcome.settled.iter().filter(|on| on.step > last && stands_on_hand(&on.wager)).collect();
    let boxes: BTreeSet<BoxNo> = finals.iter().map(|on| on.wager.box_no).collect();
    let [first, second, _, ..] = boxes.iter().rev().copied().collect::<Vec<_>>()[..] else { return None };
    let begins = finals.iter().find(|on| on.wager.box_no == first)?.step;
    let steps = desk.steps(|act| match act {
        Act::Pay(wager, _) | Act::Take(wager, _) | Act::Push(wager) => wager.box_no == second && stands_on_hand(wager),
        Act::TurnUp(Place::Box(box_no, _), _) => *box_no == second,
        _ => false,
    });
    let steps: Vec<usize> = steps.into_iter().filter(|step| *step > last).collect();
    move_before(desk, &steps, begins);
    Some(on_table(cited(desk, &["settled_out_of_order"])?, format!("box {second} was settled before box {first}")))
}

fn main_taken_with_war(desk: &mut Desk<'_>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let war = any_settled(desk, &outcome, |war| {
        let main = war.wager.of_kind(WagerKind::Main);
        let place = main.place();
        let settled = outcome.settlement(main).is_some();
        let played = !outcome.is_split(main.box_no) && !outcome.is_doubled(place) && !outcome.is_surrendered(place);
        let lost = war.wager.kind == WagerKind::Side(SideBet::War) && war.due.is_taken() && !war.wager.tip;
        lost && settled && played && !outcome.is_natural(place) && !outcome.is_insured(main.box_no)
    })?;
    let main = outcome.settlement(war.wager.of_kind(WagerKind::Main))?;
    desk.replace(main.step, []);
    desk.insert(war.step + 1, [main.take()]);
    let says = format!("the main wager of {} on box {} was taken with War", main.chips, main.wager.box_no);
    Some(on(main.wager, cited(desk, &["main_judged_by_side.war"])?, main.chips, Favours::House, says))
}
