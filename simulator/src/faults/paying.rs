//! Stakes on hands paid, taken and left the wrong way.

use table::{Act, Favours, Money, Place, WagerKind};

use super::chips::{Due, Outcome, Settled, any_settled, cited, is_ace_and_ten, on};
use super::instead::{
    CHIP, Instead, is_loser, is_pushing_22, is_winner, otherwise, overlook, pay, pay_even, push, take_all, winning,
};
use super::{Desk, Lived, Wrong, mistake};

pub(super) const FAULTS: &[Lived] = &[
    mistake("paid_a_push", "paid_a_push", "A hand that stood off is paid as if it had won.", paid_a_push),
    mistake("took_a_push", "took_a_push", "A hand that stood off is taken as if it had lost.", took_a_push),
    mistake(
        "pushing_22_paid",
        "paid_a_push",
        "The dealer's 22 makes the hands stand off, and one is paid as if the dealer had bust.",
        pushing_22_paid,
    ),
    mistake(
        "pushing_22_taken",
        "took_a_push",
        "The dealer's 22 makes the hands stand off, and one is taken.",
        pushing_22_taken,
    ),
    mistake("loser_paid", "loser_paid", "A hand that lost is paid.", loser_paid),
    mistake("bust_hand_paid", "loser_paid", "A hand over 21 is paid.", bust_hand_paid),
    mistake("loser_pushed", "loser_not_taken", "A hand that lost is left to the player as a stand-off.", loser_pushed),
    mistake("loser_overlooked", "wager_left", "A lost stake is never taken.", loser_overlooked),
    mistake("winner_pushed", "win_not_paid", "A hand that won is left as a stand-off.", winner_pushed),
    mistake("winner_taken", "win_not_paid", "A hand that won is taken.", winner_taken),
    mistake("winner_overlooked", "wager_left", "A hand that won is never paid.", winner_overlooked),
    mistake(
        "double_overlooked",
        "wager_left",
        "A doubled hand won and only its first stake is paid.",
        double_overlooked,
    ),
    mistake("split_hand_overlooked", "wager_left", "A hand of a split won and is never paid.", split_hand_overlooked),
    mistake("winner_paid_short", "win_paid_wrong", "A hand that won is paid a chip too little.", winner_paid_short),
    mistake("winner_paid_over", "win_paid_wrong", "A hand that won is paid a chip too much.", winner_paid_over),
    mistake(
        "double_paid_twice_its_worth",
        "win_paid_wrong",
        "A double that won is paid twice its stake.",
        double_paid_over,
    ),
    mistake("winner_settled_twice", "settled_twice", "A hand that won is paid a second time.", settled_twice),
    mistake("hand_misadded_low", "win_not_paid", "A winning hand is counted ten too low and taken.", misadded_low),
    mistake("hand_misadded_high", "loser_paid", "A losing hand is counted ten too high and paid.", misadded_high),
    mistake(
        "hand_misadded_bust",
        "win_not_paid",
        "A winning hand is counted ten too high and taken as a bust.",
        misadded_bust,
    ),
];

/// Stands on a hand, pushed by a tie and not because a dealer's natural spares it.
fn is_stand_off(outcome: &Outcome, settled: &Settled) -> bool {
    let spared = outcome.dealer_has_natural() && !outcome.is_natural(settled.wager.place());
    settled.is_on_hand() && settled.due == Due::Pushed && !spared
}

fn paid_a_push(desk: &mut Desk<'_>) -> Option<Wrong> {
    let not_22 = !is_pushing_22(desk, &Outcome::of(&desk.round));
    otherwise(
        desk,
        |outcome, on| not_22 && is_stand_off(outcome, on),
        push_tags("paid_a_push.natural", "paid_a_push"),
        pay_even,
    )
}

fn took_a_push(desk: &mut Desk<'_>) -> Option<Wrong> {
    let not_22 = !is_pushing_22(desk, &Outcome::of(&desk.round));
    let fits = |outcome: &Outcome, on: &Settled| not_22 && is_stand_off(outcome, on) && !on.free;
    otherwise(desk, fits, push_tags("took_a_push.natural", "took_a_push"), take_all)
}

/// The tags of a stand-off that was settled.
fn push_tags(natural: &'static str, any: &'static str) -> impl Fn(&Outcome, &Settled) -> Vec<&'static str> {
    move |outcome, settled| {
        if outcome.is_natural(settled.wager.place()) { vec![natural, any] } else { vec![any] }
    }
}

fn pushing_22_paid(desk: &mut Desk<'_>) -> Option<Wrong> {
    is_pushing_22(desk, &Outcome::of(&desk.round)).then_some(())?;
    otherwise(desk, is_stand_off, |_, _| vec!["paid_a_push.twenty_two", "paid_a_push"], pay_even)
}

fn pushing_22_taken(desk: &mut Desk<'_>) -> Option<Wrong> {
    is_pushing_22(desk, &Outcome::of(&desk.round)).then_some(())?;
    let fits = |outcome: &Outcome, on: &Settled| is_stand_off(outcome, on) && !on.free;
    otherwise(desk, fits, |_, _| vec!["took_a_push.twenty_two", "took_a_push"], take_all)
}

fn loser_paid(desk: &mut Desk<'_>) -> Option<Wrong> {
    let fits = |outcome: &Outcome, on: &Settled| is_loser(outcome, on) && !outcome.is_bust(on.wager.place());
    otherwise(
        desk,
        fits,
        |outcome, _| losing(outcome, "loser_paid.lower", "loser_paid.dealer_natural", "loser_paid"),
        pay_even,
    )
}

/// Why a hand that did not bust lost, as a tag.
fn losing(outcome: &Outcome, lower: &'static str, natural: &'static str, any: &'static str) -> Vec<&'static str> {
    if outcome.dealer_has_natural() { vec![natural, any] } else { vec![lower, any] }
}

fn bust_hand_paid(desk: &mut Desk<'_>) -> Option<Wrong> {
    let fits = |outcome: &Outcome, on: &Settled| is_loser(outcome, on) && outcome.is_bust(on.wager.place());
    otherwise(desk, fits, |_, _| vec!["loser_paid.bust", "loser_paid"], pay_even)
}

fn loser_pushed(desk: &mut Desk<'_>) -> Option<Wrong> {
    let fits = |outcome: &Outcome, on: &Settled| {
        let further = on.wager.kind != WagerKind::Main && outcome.dealer_has_natural();
        is_loser(outcome, on) && !on.free && !further
    };
    let tags = |outcome: &Outcome, on: &Settled| match outcome.is_bust(on.wager.place()) {
        true => vec!["loser_not_taken.bust", "loser_not_taken"],
        false => losing(outcome, "loser_not_taken.lower", "loser_not_taken.dealer_natural", "loser_not_taken"),
    };
    otherwise(desk, fits, tags, push)
}

fn loser_overlooked(desk: &mut Desk<'_>) -> Option<Wrong> {
    let fits = |outcome: &Outcome, on: &Settled| is_loser(outcome, on) && !on.free;
    otherwise(desk, fits, |_, _| vec!["wager_left"], overlook)
}

fn winner_pushed(desk: &mut Desk<'_>) -> Option<Wrong> {
    otherwise(desk, is_winner, winning, push)
}

fn winner_taken(desk: &mut Desk<'_>) -> Option<Wrong> {
    otherwise(desk, is_winner, winning, take_all)
}

fn winner_overlooked(desk: &mut Desk<'_>) -> Option<Wrong> {
    let fits = |outcome: &Outcome, on: &Settled| {
        is_winner(outcome, on) && on.wager.kind == WagerKind::Main && !outcome.is_doubled(on.wager.place())
    };
    otherwise(desk, fits, |_, _| vec!["wager_left"], overlook)
}

fn double_overlooked(desk: &mut Desk<'_>) -> Option<Wrong> {
    let fits = |outcome: &Outcome, on: &Settled| is_winner(outcome, on) && on.wager.kind == WagerKind::Double;
    otherwise(desk, fits, |_, _| vec!["wager_left"], overlook)
}

fn split_hand_overlooked(desk: &mut Desk<'_>) -> Option<Wrong> {
    let fits = |outcome: &Outcome, on: &Settled| is_winner(outcome, on) && on.wager.kind == WagerKind::Split;
    otherwise(desk, fits, |_, _| vec!["wager_left"], overlook)
}

/// Won, and not with cards that might be meant to be paid as a natural.
fn is_plain_winner(outcome: &Outcome, settled: &Settled) -> bool {
    let place = settled.wager.place();
    let first_two: Vec<_> = outcome.cards(place).into_iter().take(2).collect();
    is_winner(outcome, settled) && outcome.points(place) != Some(21) && !is_ace_and_ten(&first_two)
}

fn paid_tags(_: &Outcome, settled: &Settled) -> Vec<&'static str> {
    match settled.wager.kind {
        WagerKind::Double => vec!["win_paid_wrong.double", "win_paid_wrong"],
        WagerKind::Split => vec!["win_paid_wrong.split", "win_paid_wrong"],
        _ => vec!["win_paid_wrong"],
    }
}

fn winner_paid_short(desk: &mut Desk<'_>) -> Option<Wrong> {
    otherwise(desk, is_plain_winner, paid_tags, |on| pay(on, on.paid()?.minus(CHIP)?))
}

fn winner_paid_over(desk: &mut Desk<'_>) -> Option<Wrong> {
    otherwise(desk, is_plain_winner, paid_tags, |on| pay(on, on.paid()?.plus(CHIP)?))
}

fn double_paid_over(desk: &mut Desk<'_>) -> Option<Wrong> {
    let fits = |outcome: &Outcome, on: &Settled| is_plain_winner(outcome, on) && on.wager.kind == WagerKind::Double;
    otherwise(desk, fits, paid_tags, |on| pay(on, on.paid()?.plus(on.paid()?)?))
}

fn settled_twice(desk: &mut Desk<'_>) -> Option<Wrong> {
    otherwise(
        desk,
        is_winner,
        |_, _| vec!["settled_twice"],
        |on| {
            let again = Act::Pay(on.wager, on.paid()?);
            Some(Instead { acts: vec![again.clone(), again], moved: on.paid()?, favours: Favours::Player })
        },
    )
}

/// Settles everybody on one hand by a total that somebody misread.
fn misread(
    desk: &mut Desk<'_>,
    fits: impl Fn(u16, u16) -> bool,
    tags: &[&'static str],
    how: fn(&Settled) -> Option<Instead>,
) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let dealer = outcome.points(Place::Dealer).filter(|points| *points >= 17)?;
    let read = any_settled(desk, &outcome, |on| {
        let (place, box_no) = (on.wager.place(), on.wager.box_no);
        let ordinary = !outcome.is_split(box_no) && !outcome.is_zapped(box_no) && !outcome.has_ride(box_no);
        let decided_by_total = !outcome.is_natural(place) && !outcome.is_surrendered(place);
        let misread = outcome.points(place).is_some_and(|points| fits(points, dealer));
        on.is_on_hand() && ordinary && decided_by_total && misread && !outcome.dealer_has_natural()
    })?;
    let tag = cited(desk, tags)?;
    let place = read.wager.place();
    let stakes = outcome.settled.iter().filter(|on| {
        on.wager.place() == place && matches!(on.wager.kind, WagerKind::Main | WagerKind::Double) && !on.free
    });
    let mut moved = (Money::ZERO, Favours::None);
    for settled in stakes {
        let instead = how(settled)?;
        moved = (moved.0.plus(instead.moved)?, instead.favours);
        desk.replace(settled.step, instead.acts);
    }
    (moved.0 > Money::ZERO).then_some(())?;
    let says = format!("hand {place} counted {} and was misread by ten against {dealer}", outcome.points(place)?);
    Some(on(read.wager, tag, moved.0, moved.1, says))
}

fn misadded_low(desk: &mut Desk<'_>) -> Option<Wrong> {
    let fits = |points: u16, dealer: u16| points < 21 && points > dealer && dealer <= 21;
    misread(desk, fits, &["win_not_paid.higher", "win_not_paid"], take_all)
}

fn misadded_high(desk: &mut Desk<'_>) -> Option<Wrong> {
    let fits = |points: u16, dealer: u16| points < dealer && dealer <= 21 && points + 10 > dealer && points + 10 <= 21;
    misread(desk, fits, &["loser_paid.lower", "loser_paid"], pay_even)
}

fn misadded_bust(desk: &mut Desk<'_>) -> Option<Wrong> {
    let fits = |points: u16, dealer: u16| (12..21).contains(&points) && dealer > 22;
    misread(desk, fits, &["win_not_paid.dealer_bust", "win_not_paid"], take_all)
}
