//! Insurance and even money gone wrong.

use table::{Act, Favours, Hand, Money, Place, Rank, Wager, WagerKind};

use super::chips::{
    Due, Outcome, Settled, any_settled, at, cited, decides, is_on_hand, move_before, on, on_table, placed, play_begins,
};
use super::{Desk, Lived, Wrong, mistake};

pub(super) const FAULTS: &[Lived] = &[
    mistake(
        "insurance_not_offered",
        "insurance_not_offered",
        "The dealer shows an ace and offers no insurance.",
        not_offered,
    ),
    mistake("insurance_for_too_much", "insurance_too_large", "More is insured than the rules allow.", for_too_much),
    mistake(
        "insurance_for_the_whole_stake",
        "insurance_too_large",
        "As much is insured as stands on the hand.",
        for_all,
    ),
    mistake("insurance_on_natural", "insurance_on_natural", "A natural is insured that always wins.", on_natural),
    mistake("insurance_without_ace", "insurance_without_ace", "Insurance is accepted without an ace.", without_ace),
    mistake("insurance_paid_even", "insurance_paid_wrong", "Winning insurance is paid 1:1.", paid_even),
    mistake("insurance_paid_3_to_1", "insurance_paid_wrong", "Winning insurance is paid 3:1.", paid_over),
    mistake("winning_insurance_taken", "insurance_won_but_unpaid", "Winning insurance is taken.", winner_taken),
    mistake("winning_insurance_pushed", "insurance_won_but_unpaid", "Winning insurance is only left.", winner_pushed),
    mistake(
        "winning_insurance_overlooked",
        "insurance_won_but_unpaid",
        "Winning insurance is forgotten.",
        winner_overlooked,
    ),
    mistake("losing_insurance_paid", "insurance_lost_but_paid", "Insurance that lost is paid.", loser_paid),
    mistake(
        "losing_insurance_pushed",
        "insurance_lost_but_paid",
        "Insurance that lost is left to the player.",
        loser_pushed,
    ),
    mistake(
        "losing_insurance_left",
        "losing_insurance_left",
        "Lost insurance stays down while play goes on.",
        loser_left,
    ),
    mistake("insurance_too_late", "insurance_too_late", "Insurance is accepted after play has gone on.", too_late),
    mistake(
        "insurance_taken_left_to_right",
        "settled_out_of_order",
        "Lost insurance is taken from the dealer's left to the right.",
        taken_left_to_right,
    ),
    mistake(
        "insurance_kept_after_even_money",
        "insurance_settled_after_even_money",
        "A natural takes even money, and its insurance is taken too.",
        kept_after_even_money,
    ),
];

fn is_insurance(settled: &Settled) -> bool {
    settled.wager.kind == WagerKind::Insurance
}

fn not_offered(desk: &mut Desk<'_>) -> Option<Wrong> {
    let offer = desk.steps(|act| matches!(act, Act::OfferInsurance)).first().copied()?;
    let taken = |act: &Act| match act {
        Act::Bet(wager, _) => wager.kind == WagerKind::Insurance,
        act => matches!(act, Act::EvenMoney(_)),
    };
    desk.steps(taken).is_empty().then_some(())?;
    desk.replace(offer, []);
    Some(on_table("insurance_not_offered", "the dealer showed an ace and offered no insurance".to_owned()))
}

/// Insurance that lost is placed for another amount: whatever it is, all of it is taken.
fn placed_for(
    desk: &mut Desk<'_>,
    tag: &'static str,
    amount: impl Fn(&Desk<'_>, Money) -> Option<Money>,
) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let lost = any_settled(desk, &outcome, |on| {
        is_insurance(on)
            && on.due == Due::Taken(on.chips)
            && !outcome.is_parlayed(on.wager)
            && !outcome.has_ride(on.wager.box_no)
    })?;
    let main = outcome.stake(lost.wager.of_kind(WagerKind::Main))?;
    let step = placed(desk, lost.wager)?;
    let amount = amount(desk, main)?;
    desk.replace(step, [Act::Bet(lost.wager, amount)]);
    let says = format!("{amount} was insured on a wager of {main}");
    Some(at(lost.wager, cited(desk, &[tag])?, says))
}

fn for_too_much(desk: &mut Desk<'_>) -> Option<Wrong> {
    placed_for(desk, "insurance_too_large", |desk, main| {
        main.at(desk.rules().insurance_max)?.whole.plus(Money::from_minor(100))
    })
}

fn for_all(desk: &mut Desk<'_>) -> Option<Wrong> {
    placed_for(desk, "insurance_too_large", |desk, main| {
        main.at(desk.rules().insurance_max).filter(|most| most.whole < main).map(|_| main)
    })
}

/// The step that shows the dealer's second card.
fn second_card(desk: &Desk<'_>) -> Option<usize> {
    let shown = desk.steps(|act| match act {
        Act::Card { to, .. } => *to == Place::Dealer && !desk.rules().hole_card,
        Act::TurnUp(place, _) => *place == Place::Dealer,
        _ => false,
    });
    shown.get(usize::from(!desk.rules().hole_card)).copied()
}

fn up_card(outcome: &Outcome) -> Option<Rank> {
    outcome.cards(Place::Dealer).first()?.rank()
}

fn on_natural(desk: &mut Desk<'_>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let offer = desk.steps(|act| matches!(act, Act::OfferInsurance)).first().copied()?;
    let insured = outcome.wagers().any(|(wager, _)| wager.kind == WagerKind::Insurance);
    (!desk.rules().insurance_on_bj && !insured).then_some(())?;
    let naturals: Vec<(Wager, Money)> = outcome
        .wagers()
        .filter(|(wager, _)| is_on_hand(wager) && outcome.is_natural(wager.place()))
        .filter(|(wager, _)| !outcome.took_even_money(*wager))
        .collect();
    let (main, stake) = desk.dice.pick(&naturals).copied()?;
    let second = second_card(desk)?;
    let wager = main.of_kind(WagerKind::Insurance);
    let half = Money::from_minor(stake.minor() / 200 * 100);
    (half > Money::ZERO).then_some(())?;
    let (settled, moved, favours) = if outcome.dealer_has_natural() {
        let won = half.at(desk.rules().insurance_pays)?.whole;
        (Act::Pay(wager, won), won, Favours::Player)
    } else {
        (Act::Take(wager, None), half, Favours::House)
    };
    desk.insert(second + 1, [settled]);
    desk.insert(offer + 1, [Act::Bet(wager, half)]);
    let says = format!("the natural on box {} was insured for {half}", main.box_no);
    Some(on(wager, cited(desk, &["insurance_on_natural"])?, moved, favours, says))
}

fn without_ace(desk: &mut Desk<'_>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    (up_card(&outcome)? != Rank::Ace).then_some(())?;
    let begins = play_begins(desk)?;
    let second = second_card(desk).filter(|second| *second >= begins)?;
    let open: Vec<(Wager, Money)> = outcome
        .wagers()
        .filter(|(wager, _)| wager.kind == WagerKind::Main && wager.hand == Hand::A && !wager.tip)
        .filter(|(wager, _)| outcome.settlement(*wager).is_some_and(|on| on.step > second))
        .collect();
    let (main, stake) = desk.dice.pick(&open).copied()?;
    let wager = main.of_kind(WagerKind::Insurance);
    let half = Money::from_minor(stake.minor() / 200 * 100);
    (half > Money::ZERO).then_some(())?;
    desk.insert(second + 1, [Act::Take(wager, None)]);
    desk.insert(begins, [Act::Bet(wager, half)]);
    let says = format!("{half} was insured on box {} and the dealer showed no ace", main.box_no);
    Some(on(wager, cited(desk, &["insurance_without_ace"])?, half, Favours::House, says))
}

/// Settles insurance in another way.
fn otherwise(
    desk: &mut Desk<'_>,
    tags: &[&'static str],
    fits: impl Fn(&Settled) -> bool,
    how: impl Fn(&Settled) -> Option<(Option<Act>, Money, Favours)>,
) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let insured = any_settled(desk, &outcome, |on| is_insurance(on) && fits(on))?;
    let (act, moved, favours) = how(&insured)?;
    (act.is_some() || outcome.settled.len() > 1).then_some(())?;
    let says = match &act {
        Some(Act::Pay(_, paid)) => format!("insurance of {} was paid {paid}", insured.chips),
        Some(Act::Take(..)) => format!("insurance of {} was taken", insured.chips),
        Some(_) => format!("insurance of {} was pushed", insured.chips),
        None => format!("insurance of {} was forgotten", insured.chips),
    };
    desk.replace(insured.step, act);
    Some(on(insured.wager, cited(desk, tags)?, moved, favours, says))
}

fn paid_even(desk: &mut Desk<'_>) -> Option<Wrong> {
    let tags = &["insurance_paid_wrong.odds", "insurance_paid_wrong"];
    otherwise(
        desk,
        tags,
        |on| on.paid().is_some_and(|won| won > on.chips),
        |on| Some((Some(Act::Pay(on.wager, on.chips)), on.paid()?.minus(on.chips)?, Favours::House)),
    )
}

fn paid_over(desk: &mut Desk<'_>) -> Option<Wrong> {
    let tags = &["insurance_paid_wrong.odds", "insurance_paid_wrong"];
    otherwise(
        desk,
        tags,
        |on| on.due.is_paid(),
        |on| Some((Some(Act::Pay(on.wager, on.paid()?.plus(on.chips)?)), on.chips, Favours::Player)),
    )
}

fn winner_taken(desk: &mut Desk<'_>) -> Option<Wrong> {
    otherwise(
        desk,
        &["insurance_won_but_unpaid"],
        |on| on.due.is_paid(),
        |on| Some((Some(on.take()), on.paid()?.plus(on.chips)?, Favours::House)),
    )
}

fn winner_pushed(desk: &mut Desk<'_>) -> Option<Wrong> {
    otherwise(
        desk,
        &["insurance_won_but_unpaid"],
        |on| on.due.is_paid(),
        |on| Some((Some(Act::Push(on.wager)), on.paid()?, Favours::House)),
    )
}

fn winner_overlooked(desk: &mut Desk<'_>) -> Option<Wrong> {
    otherwise(desk, &["insurance_won_but_unpaid"], |on| on.due.is_paid(), |on| Some((None, on.paid()?, Favours::House)))
}

fn loser_paid(desk: &mut Desk<'_>) -> Option<Wrong> {
    let odds = desk.rules().insurance_pays;
    otherwise(
        desk,
        &["insurance_lost_but_paid"],
        |on| on.due.is_taken(),
        |on| {
            let won = on.chips.at(odds)?.whole;
            Some((Some(Act::Pay(on.wager, won)), won.plus(on.chips)?, Favours::Player))
        },
    )
}

fn loser_pushed(desk: &mut Desk<'_>) -> Option<Wrong> {
    otherwise(
        desk,
        &["insurance_lost_but_paid"],
        |on| on.due.is_taken(),
        |on| Some((Some(Act::Push(on.wager)), on.chips, Favours::Player)),
    )
}

/// The only insurance of the round, if it lost.
fn lone_loser(desk: &mut Desk<'_>) -> Option<Settled> {
    let outcome = Outcome::of(&desk.round);
    let insured = outcome.settled.iter().filter(|on| is_insurance(on)).count();
    any_settled(desk, &outcome, |on| is_insurance(on) && on.due.is_taken() && insured == 1)
}

fn loser_left(desk: &mut Desk<'_>) -> Option<Wrong> {
    let lost = lone_loser(desk)?;
    let later = desk.steps(|act| match act {
        Act::Card { to, .. } => desk.rules().hole_card || *to == Place::Dealer,
        act => desk.rules().hole_card && decides(act).is_some(),
    });
    let next = later.into_iter().find(|step| *step > lost.step)?;
    let next = if matches!(desk.act(next), Some(Act::Hit(_) | Act::Double(..) | Act::Split(..) | Act::Zap(_))) {
        return None;
    } else {
        next + 1
    };
    move_before(desk, &[lost.step], next);
    let says = format!("insurance of {} on box {} stayed down after it had lost", lost.chips, lost.wager.box_no);
    Some(at(lost.wager, cited(desk, &["losing_insurance_left"])?, says))
}

fn too_late(desk: &mut Desk<'_>) -> Option<Wrong> {
    let lost = lone_loser(desk)?;
    let bet = placed(desk, lost.wager)?;
    let later = match desk.rules().hole_card {
        true => desk.steps(|act| matches!(act, Act::Peek)),
        false => desk.steps(|act| matches!(act, Act::Card { to: Place::Box(..), .. })),
    };
    let after = later.into_iter().find(|step| *step > bet && *step < lost.step)?;
    move_before(desk, &[bet], after + 1);
    let says = format!("insurance of {} on box {} was accepted after play had gone on", lost.chips, lost.wager.box_no);
    Some(at(lost.wager, cited(desk, &["insurance_too_late"])?, says))
}

fn taken_left_to_right(desk: &mut Desk<'_>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let lost: Vec<&Settled> = outcome.settled.iter().filter(|on| is_insurance(on) && on.due.is_taken()).collect();
    let (first, last) = (lost.first()?, lost.last()?);
    (first.wager.box_no != last.wager.box_no).then_some(())?;
    let steps: Vec<usize> = lost.iter().filter(|on| on.wager.box_no == last.wager.box_no).map(|on| on.step).collect();
    move_before(desk, &steps, first.step);
    let says = format!("lost insurance was taken from box {} before box {}", last.wager.box_no, first.wager.box_no);
    Some(on_table(cited(desk, &["settled_out_of_order.insurance"])?, says))
}

fn kept_after_even_money(desk: &mut Desk<'_>) -> Option<Wrong> {
    otherwise(
        desk,
        &["insurance_settled_after_even_money"],
        |on| on.due == Due::Returned,
        |on| Some((Some(on.take()), on.chips, Favours::House)),
    )
}
