//! Wagers on hands paid, taken and left the wrong way.

use auditor::rules::Dealer22;
use table::{Act, Bettor, Favours, Money, Odds, Place, Wager, WagerKind};

use super::chips::{Due, Outcome, Settled, any_settled, cited, on};
use super::{Desk, Lived, Wrong};
use crate::truth::Kind;

/// A dealer's mistake on the chips.
const fn mistake(
    name: &'static str,
    check: &'static str,
    what: &'static str,
    spoil: fn(&mut Desk<'_>) -> Option<Wrong>,
) -> Lived {
    Lived { name, kind: Kind::Dealer, what, check: Some(check), spoil }
}

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
    mistake("blackjack_paid_even", "natural_paid_wrong", "A natural is paid 1:1.", |desk| natural_at(desk, 1, 1)),
    mistake("blackjack_paid_6_to_5", "natural_paid_wrong", "A natural is paid 6:5.", |desk| natural_at(desk, 6, 5)),
    mistake("blackjack_paid_5_to_4", "natural_paid_wrong", "A natural is paid 5:4.", |desk| natural_at(desk, 5, 4)),
    mistake("blackjack_paid_3_to_2", "natural_paid_wrong", "A natural is paid 3:2.", |desk| natural_at(desk, 3, 2)),
    mistake("blackjack_paid_2_to_1", "natural_paid_wrong", "A natural is paid 2:1.", |desk| natural_at(desk, 2, 1)),
    mistake("natural_taken", "natural_taken", "A winning natural is taken.", natural_taken),
    mistake("natural_pushed", "win_not_paid", "A winning natural is left as a stand-off.", natural_pushed),
    mistake(
        "natural_pushed_on_22",
        "dealer22_exempt_pushed",
        "The dealer's 22 does not touch a natural, and one is pushed with the others.",
        natural_pushed_on_22,
    ),
    mistake("even_money_at_full_odds", "even_money_paid_wrong", "Even money is paid as a natural.", even_money_at_odds),
    mistake(
        "even_money_withheld",
        "even_money_paid_wrong",
        "Even money is asked for and the stake only pushed.",
        even_money_withheld,
    ),
    mistake("surrender_took_all", "surrender_settled_wrong", "A hand that was given up loses all.", surrender_took_all),
    mistake(
        "surrender_took_nothing",
        "surrender_settled_wrong",
        "A hand that was given up loses nothing.",
        surrender_took_nothing,
    ),
    mistake(
        "surrender_pushed_on_22",
        "dealer22_exempt_pushed",
        "The dealer's 22 does not touch a hand that was given up, and one is pushed with the others.",
        surrender_pushed_on_22,
    ),
    mistake(
        "surrender_halved_on_natural",
        "surrender_settled_wrong",
        "A dealer's natural takes all of a hand that was given up, and only half is taken.",
        surrender_halved_on_natural,
    ),
    mistake(
        "extra_stake_taken",
        "extra_stake_taken",
        "A dealer's natural takes a double or split stake that the rules spare.",
        extra_stake_taken,
    ),
    mistake(
        "extra_stake_spared",
        "extra_stake_spared",
        "A dealer's natural spares a double or split stake that the rules take.",
        extra_stake_spared,
    ),
    mistake("lammer_unpaid", "lammer_unpaid", "A free bet wins and is taken away unpaid.", lammer_unpaid),
    mistake("lammer_paid_short", "lammer_unpaid", "A free bet wins and is paid a chip too little.", lammer_paid_short),
    mistake("lammer_charged", "lammer_charged", "The player is charged for a free bet.", lammer_charged),
    mistake("back_bettor_overlooked", "wager_left", "A bettor behind wins and is not paid.", back_bettor_overlooked),
    mistake("back_bettor_taken", "win_not_paid", "A bettor behind wins and is taken.", back_bettor_taken),
    mistake(
        "back_bettor_on_other_hand",
        "back_bet_on_wrong_hand",
        "A bettor behind who stayed on the first hand is settled by the second.",
        back_bettor_on_other_hand,
    ),
    mistake("tip_overlooked", "wager_left", "A bet for the dealer wins and is not paid.", tip_overlooked),
    mistake("tip_taken", "win_not_paid", "A bet for the dealer wins and is taken.", tip_taken),
    mistake("tip_paid_first", "tip_paid_wrong", "A bet for the dealer is paid before the player's.", tip_paid_first),
    mistake("paid_without_wager", "settled_without_wager", "Somebody without a wager is paid.", paid_without_wager),
    mistake("ante_not_taken", "ante_not_taken", "An ante is never taken.", ante_not_taken),
    mistake("ante_returned", "ante_returned", "An ante is handed back.", ante_returned),
    mistake("ante_paid", "ante_returned", "A winner's ante is paid with the hand.", ante_paid),
];

/// A settlement that goes another way: what is done instead, what that moves and for whom.
struct Instead {
    acts: Vec<Act>,
    moved: Money,
    favours: Favours,
}

/// Settles one of the wagers that fit in another way.
fn otherwise(
    desk: &mut Desk<'_>,
    fits: impl Fn(&Outcome, &Settled) -> bool,
    tags: impl Fn(&Outcome, &Settled) -> Vec<&'static str>,
    how: impl Fn(&Settled) -> Option<Instead>,
) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let settled =
        any_settled(desk, &outcome, |settled| outcome.is_tied_to_hand(settled.wager) && fits(&outcome, settled))?;
    let tag = cited(desk, &tags(&outcome, &settled))?;
    let Instead { acts, moved, favours } = how(&settled)?;
    let says = told(&settled, &acts);
    desk.replace(settled.step, acts);
    Some(on(settled.wager, tag, moved, favours, says))
}

/// What was done instead of what was due, in a sentence.
fn told(settled: &Settled, acts: &[Act]) -> String {
    let due = match settled.due {
        Due::Paid(won) => format!("be paid {won}"),
        Due::Taken(lost) => format!("lose {lost}"),
        Due::Pushed => "stand off".to_owned(),
        Due::Returned => "be handed back".to_owned(),
    };
    let done = match acts {
        [] => "was left".to_owned(),
        [Act::Pay(_, paid)] => format!("was paid {paid}"),
        [Act::Take(_, Some(part))] => format!("lost {part}"),
        [Act::Take(..)] => "was taken".to_owned(),
        [Act::Push(_)] => "was pushed".to_owned(),
        [Act::Return(_)] => "was handed back".to_owned(),
        _ => "was paid twice".to_owned(),
    };
    format!("wager {} of {} should {due} and {done}", settled.wager, settled.chips)
}

fn take_all(settled: &Settled) -> Option<Instead> {
    let lost = settled.chips.plus(settled.paid().unwrap_or_default())?;
    Some(Instead { acts: vec![settled.take()], moved: lost, favours: Favours::House })
}

fn pay_even(settled: &Settled) -> Option<Instead> {
    let won = settled.chips.plus(settled.taken().unwrap_or_default())?;
    Some(Instead { acts: vec![Act::Pay(settled.wager, settled.chips)], moved: won, favours: Favours::Player })
}

fn push(settled: &Settled) -> Option<Instead> {
    Some(kept(settled, vec![Act::Push(settled.wager)]))
}

fn overlook(settled: &Settled) -> Option<Instead> {
    Some(kept(settled, Vec::new()))
}

/// The stake stays where it is: a winner misses the win, a loser keeps the stake.
fn kept(settled: &Settled, acts: Vec<Act>) -> Instead {
    let (moved, favours) = match settled.due {
        Due::Paid(won) => (won, Favours::House),
        Due::Taken(lost) => (lost, Favours::Player),
        Due::Pushed | Due::Returned => (Money::ZERO, Favours::None),
    };
    Instead { acts, moved, favours }
}

/// Pays another amount than the one due.
fn pay(settled: &Settled, amount: Money) -> Option<Instead> {
    let due = settled.paid().filter(|due| *due != amount && amount > Money::ZERO)?;
    let (moved, favours) = match amount > due {
        true => (amount.minus(due)?, Favours::Player),
        false => (due.minus(amount)?, Favours::House),
    };
    Some(Instead { acts: vec![Act::Pay(settled.wager, amount)], moved, favours })
}

/// Stands on a hand, pushed by a tie and not because a dealer's natural spares it.
fn is_stand_off(outcome: &Outcome, settled: &Settled) -> bool {
    let spared = outcome.dealer_has_natural() && !outcome.is_natural(settled.wager.place());
    settled.is_on_hand() && settled.due == Due::Pushed && !spared
}

fn is_pushing_22(desk: &Desk<'_>, outcome: &Outcome) -> bool {
    desk.rules().dealer22 == Dealer22::Push && outcome.points(Place::Dealer) == Some(22)
}

fn paid_a_push(desk: &mut Desk<'_>) -> Option<Wrong> {
    let not_22 = !is_pushing_22(desk, &Outcome::of(&desk.round));
    otherwise(desk, |outcome, on| not_22 && is_stand_off(outcome, on), push_tags("paid"), pay_even)
}

fn took_a_push(desk: &mut Desk<'_>) -> Option<Wrong> {
    let not_22 = !is_pushing_22(desk, &Outcome::of(&desk.round));
    let fits = |outcome: &Outcome, on: &Settled| not_22 && is_stand_off(outcome, on) && !on.free;
    otherwise(desk, fits, push_tags("took"), take_all)
}

/// The tags of a stand-off that was settled.
fn push_tags(how: &str) -> impl Fn(&Outcome, &Settled) -> Vec<&'static str> {
    let (natural, plain) =
        if how == "paid" { ("paid_a_push.natural", "paid_a_push") } else { ("took_a_push.natural", "took_a_push") };
    move |outcome, settled| {
        if outcome.is_natural(settled.wager.place()) { vec![natural, plain] } else { vec![plain] }
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

/// Stands on a hand that lost and was not given up.
fn is_loser(outcome: &Outcome, settled: &Settled) -> bool {
    settled.is_on_hand() && settled.due.is_taken() && !outcome.is_surrendered(settled.wager.place())
}

/// Stands on a hand that won as an ordinary hand does.
fn is_winner(outcome: &Outcome, settled: &Settled) -> bool {
    let natural = outcome.is_natural(settled.wager.place());
    settled.is_on_hand() && settled.due.is_paid() && !natural && !settled.free
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

/// Why an ordinary hand won, as a tag.
fn winning(outcome: &Outcome, _: &Settled) -> Vec<&'static str> {
    let why = if outcome.is_bust(Place::Dealer) { "win_not_paid.dealer_bust" } else { "win_not_paid.higher" };
    vec![why, "win_not_paid"]
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

/// The smallest chip in the tray.
const CHIP: Money = Money::from_minor(100);

/// Won, and not with a 21, which might be meant to be paid as a natural.
fn is_plain_winner(outcome: &Outcome, settled: &Settled) -> bool {
    is_winner(outcome, settled) && outcome.points(settled.wager.place()) != Some(21)
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

/// A natural that won and did not take even money.
fn is_winning_natural(outcome: &Outcome, settled: &Settled) -> bool {
    settled.is_on_hand()
        && settled.due.is_paid()
        && outcome.is_natural(settled.wager.place())
        && !outcome.took_even_money(settled.wager)
}

fn natural_at(desk: &mut Desk<'_>, pays: u32, per: u32) -> Option<Wrong> {
    let odds = Odds::new(pays, per)?;
    let fits = |outcome: &Outcome, on: &Settled| {
        let wrong = on.chips.at(odds).is_some_and(|won| won.is_exact() && Some(won.whole) != on.paid());
        is_winning_natural(outcome, on) && !on.capped && wrong
    };
    let tags = |_: &Outcome, _: &Settled| {
        vec![
            "natural_paid_wrong",
            "natural_paid_wrong.3to2",
            "natural_paid_wrong.6to5",
            "natural_paid_wrong.5to4",
            "natural_paid_wrong.1to1",
        ]
    };
    otherwise(desk, fits, tags, |on| pay(on, on.chips.at(odds)?.whole))
}

fn natural_taken(desk: &mut Desk<'_>) -> Option<Wrong> {
    otherwise(desk, is_winning_natural, |_, _| vec!["natural_taken"], take_all)
}

fn natural_pushed(desk: &mut Desk<'_>) -> Option<Wrong> {
    let not_22 = !is_pushing_22(desk, &Outcome::of(&desk.round));
    let fits = |outcome: &Outcome, on: &Settled| not_22 && is_winning_natural(outcome, on);
    otherwise(desk, fits, |_, _| vec!["win_not_paid.natural", "win_not_paid"], push)
}

fn natural_pushed_on_22(desk: &mut Desk<'_>) -> Option<Wrong> {
    is_pushing_22(desk, &Outcome::of(&desk.round)).then_some(())?;
    otherwise(desk, is_winning_natural, |_, _| vec!["dealer22_exempt_pushed.natural"], push)
}

fn even_money_at_odds(desk: &mut Desk<'_>) -> Option<Wrong> {
    let odds = desk.rules().bj_pays;
    let fits = |outcome: &Outcome, on: &Settled| {
        let exact = on.chips.at(odds).is_some_and(|won| won.is_exact());
        on.is_on_hand() && outcome.took_even_money(on.wager) && exact && !on.capped
    };
    otherwise(desk, fits, |_, _| vec!["even_money_paid_wrong"], |on| pay(on, on.chips.at(odds)?.whole))
}

fn even_money_withheld(desk: &mut Desk<'_>) -> Option<Wrong> {
    let fits = |outcome: &Outcome, on: &Settled| on.is_on_hand() && outcome.took_even_money(on.wager);
    otherwise(desk, fits, |_, _| vec!["even_money_paid_wrong"], push)
}

/// Given up, and half of it taken.
fn is_halved(outcome: &Outcome, settled: &Settled) -> bool {
    let half = settled.taken().is_some_and(|lost| lost < settled.chips);
    settled.is_on_hand() && half && outcome.is_surrendered(settled.wager.place())
}

fn surrender_took_all(desk: &mut Desk<'_>) -> Option<Wrong> {
    otherwise(
        desk,
        is_halved,
        |_, _| vec!["surrender_settled_wrong.half"],
        |on| {
            let more = on.chips.minus(on.taken()?)?;
            Some(Instead { acts: vec![on.take()], moved: more, favours: Favours::House })
        },
    )
}

fn surrender_took_nothing(desk: &mut Desk<'_>) -> Option<Wrong> {
    let not_22 = !is_pushing_22(desk, &Outcome::of(&desk.round));
    let fits = |outcome: &Outcome, on: &Settled| not_22 && is_halved(outcome, on);
    otherwise(desk, fits, |_, _| vec!["surrender_settled_wrong.half"], push)
}

fn surrender_pushed_on_22(desk: &mut Desk<'_>) -> Option<Wrong> {
    is_pushing_22(desk, &Outcome::of(&desk.round)).then_some(())?;
    otherwise(desk, is_halved, |_, _| vec!["dealer22_exempt_pushed.surrender"], push)
}

fn surrender_halved_on_natural(desk: &mut Desk<'_>) -> Option<Wrong> {
    let fits = |outcome: &Outcome, on: &Settled| {
        let all = on.taken() == Some(on.chips);
        on.is_on_hand() && all && outcome.is_surrendered(on.wager.place()) && outcome.dealer_has_natural()
    };
    otherwise(
        desk,
        fits,
        |_, _| vec!["surrender_settled_wrong.dealer_natural"],
        |on| {
            let half = Money::from_minor(on.chips.minor() / 2);
            let acts = vec![Act::Take(on.wager, Some(half))];
            Some(Instead { acts, moved: on.chips.minus(half)?, favours: Favours::Player })
        },
    )
}

/// A double or the stake of a split hand, in chips.
fn is_further(settled: &Settled) -> bool {
    settled.is_on_hand() && settled.wager.kind != WagerKind::Main && !settled.free
}

fn extra_stake_taken(desk: &mut Desk<'_>) -> Option<Wrong> {
    let fits =
        |outcome: &Outcome, on: &Settled| is_further(on) && on.due == Due::Pushed && outcome.dealer_has_natural();
    let tags = |_: &Outcome, on: &Settled| match on.wager.kind {
        WagerKind::Double => vec!["extra_stake_taken.double"],
        _ => vec!["extra_stake_taken.split"],
    };
    otherwise(desk, fits, tags, take_all)
}

fn extra_stake_spared(desk: &mut Desk<'_>) -> Option<Wrong> {
    let fits = |outcome: &Outcome, on: &Settled| {
        is_further(on) && is_loser(outcome, on) && outcome.dealer_has_natural() && !outcome.is_bust(on.wager.place())
    };
    otherwise(desk, fits, |_, _| vec!["extra_stake_spared"], push)
}

fn is_won_lammer(_: &Outcome, settled: &Settled) -> bool {
    settled.is_on_hand() && settled.free && settled.due.is_paid()
}

fn lammer_unpaid(desk: &mut Desk<'_>) -> Option<Wrong> {
    otherwise(desk, is_won_lammer, |_, _| vec!["lammer_unpaid"], |on| Some(kept(on, vec![Act::Take(on.wager, None)])))
}

fn lammer_paid_short(desk: &mut Desk<'_>) -> Option<Wrong> {
    otherwise(desk, is_won_lammer, |_, _| vec!["lammer_unpaid"], |on| pay(on, on.paid()?.minus(CHIP)?))
}

fn lammer_charged(desk: &mut Desk<'_>) -> Option<Wrong> {
    let fits = |_: &Outcome, on: &Settled| on.is_on_hand() && on.free && on.due.is_taken();
    otherwise(
        desk,
        fits,
        |_, _| vec!["lammer_charged"],
        |on| {
            let acts = vec![Act::Take(on.wager, Some(on.chips))];
            Some(Instead { acts, moved: on.chips, favours: Favours::House })
        },
    )
}

fn is_winner_behind(outcome: &Outcome, settled: &Settled) -> bool {
    is_winner(outcome, settled) && settled.wager.kind == WagerKind::Main && settled.wager.bettor != Bettor::SEATED
}

fn back_bettor_overlooked(desk: &mut Desk<'_>) -> Option<Wrong> {
    let fits = |outcome: &Outcome, on: &Settled| is_winner_behind(outcome, on) && !outcome.is_doubled(on.wager.place());
    otherwise(desk, fits, |_, _| vec!["wager_left"], overlook)
}

fn back_bettor_taken(desk: &mut Desk<'_>) -> Option<Wrong> {
    otherwise(desk, is_winner_behind, winning, take_all)
}

fn back_bettor_on_other_hand(desk: &mut Desk<'_>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let second = table::Hand::new(1)?;
    let by_second = |on: &Settled| {
        let other = Wager { hand: second, kind: WagerKind::Split, ..on.wager };
        let double = on.wager.of_kind(WagerKind::Double);
        let stayed = on.wager.kind == WagerKind::Main && !outcome.has(other) && !outcome.has(double);
        let seated = outcome.settlement(other.by(Bettor::SEATED))?;
        let natural = outcome.dealer_has_natural();
        (on.is_on_hand() && on.wager.bettor != Bettor::SEATED && stayed && !natural).then_some(seated.due)
    };
    let behind = any_settled(desk, &outcome, |on| {
        let differs = |due: Due| std::mem::discriminant(&due) != std::mem::discriminant(&on.due);
        by_second(on).is_some_and(differs) && !on.capped
    })?;
    let (act, seen) = match by_second(&behind)? {
        Due::Paid(_) => (Act::Pay(behind.wager, behind.chips), behind.chips.minor()),
        Due::Taken(_) => (behind.take(), -behind.chips.minor()),
        Due::Pushed | Due::Returned => (Act::Push(behind.wager), 0),
    };
    let due = behind.paid().or(behind.taken().and_then(|lost| Money::ZERO.minus(lost))).unwrap_or_default();
    let gain = Money::from_minor(seen).minus(due)?;
    let favours = if gain.is_negative() { Favours::House } else { Favours::Player };
    let says = told(&behind, std::slice::from_ref(&act));
    desk.replace(behind.step, [act]);
    Some(on(behind.wager, "back_bet_on_wrong_hand", Money::from_minor(gain.minor().abs()), favours, says))
}

/// Chips for the dealer on a hand that won as an ordinary hand does.
fn is_won_tip(outcome: &Outcome, settled: &Settled) -> bool {
    let (wager, place) = (settled.wager, settled.wager.place());
    wager.tip
        && wager.kind == WagerKind::Main
        && settled.due.is_paid()
        && !outcome.is_natural(place)
        && !outcome.is_doubled(place)
}

fn tip_overlooked(desk: &mut Desk<'_>) -> Option<Wrong> {
    otherwise(desk, is_won_tip, |_, _| vec!["wager_left"], overlook)
}

fn tip_taken(desk: &mut Desk<'_>) -> Option<Wrong> {
    otherwise(desk, is_won_tip, winning, take_all)
}

fn tip_paid_first(desk: &mut Desk<'_>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let tip = any_settled(desk, &outcome, |on| is_won_tip(&outcome, on))?;
    let own = outcome.settlement(Wager { tip: false, ..tip.wager })?;
    super::chips::move_before(desk, &[tip.step], own.step);
    let says = format!("the tip on box {} was paid before the player's wager", tip.wager.box_no);
    Some(super::chips::at(tip.wager, cited(desk, &["tip_paid_wrong.order"])?, says))
}

fn paid_without_wager(desk: &mut Desk<'_>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let most = desk.rules().bettors_per_box;
    let behind = |on: &Settled| {
        let wager = on.wager;
        (2..=most).filter_map(Bettor::new).map(move |other| wager.by(other))
    };
    let paid = any_settled(desk, &outcome, |on| {
        let seated = on.wager.bettor == Bettor::SEATED && on.wager.kind == WagerKind::Main;
        seated && is_winner(&outcome, on) && behind(on).any(|other| !outcome.has(other))
    })?;
    let nobody = behind(&paid).find(|other| !outcome.has(*other))?;
    desk.insert(paid.step + 1, [Act::Pay(nobody, paid.chips)]);
    let says = format!("{} was paid to bettor {}, who had no wager", paid.chips, nobody.bettor.number());
    Some(on(nobody, cited(desk, &["settled_without_wager"])?, paid.chips, Favours::Player, says))
}

fn is_ante(_: &Outcome, settled: &Settled) -> bool {
    settled.wager.kind == WagerKind::Ante
}

fn ante_not_taken(desk: &mut Desk<'_>) -> Option<Wrong> {
    otherwise(desk, is_ante, |_, _| vec!["ante_not_taken"], overlook)
}

fn ante_returned(desk: &mut Desk<'_>) -> Option<Wrong> {
    otherwise(desk, is_ante, |_, _| vec!["ante_returned"], |on| Some(kept(on, vec![Act::Return(on.wager)])))
}

fn ante_paid(desk: &mut Desk<'_>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let winner = any_settled(desk, &outcome, |on| is_winner(&outcome, on) && on.wager.kind == WagerKind::Main)?;
    let ante = winner.wager.of_kind(WagerKind::Ante);
    let stake = outcome.stake(ante)?;
    desk.insert(winner.step + 1, [Act::Pay(ante, stake)]);
    let says = format!("the ante of {stake} on box {} was paid with the hand", ante.box_no);
    Some(on(ante, cited(desk, &["ante_returned"])?, stake, Favours::Player, says))
}
