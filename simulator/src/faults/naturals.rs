//! Naturals, even money, surrender and the dealer's natural settled the wrong way.

use table::{Act, Favours, Money, Odds, WagerKind};

use super::chips::{Due, Outcome, Settled};
use super::instead::{Instead, is_loser, is_pushing_22, otherwise, pay, push, take_all};
use super::{Desk, Lived, Wrong, mistake};

pub(super) const FAULTS: &[Lived] = &[
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
];

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
