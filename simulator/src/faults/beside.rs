//! Chips that are not the player's own stake settled the wrong way: lammers, bettors behind, tips, antes.

use table::{Act, Bettor, Favours, Money, SideBet, Wager, WagerKind};

use super::chips::{Due, Outcome, Settled, any_settled, at, cited, move_before, on};
use super::instead::{CHIP, Instead, is_winner, kept, otherwise, overlook, pay, take_all, told, winning};
use super::side_bets::paid_instead;
use super::{Desk, Lived, Wrong, mistake};

pub(super) const FAULTS: &[Lived] = &[
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
    mistake("tip_on_side_bet_paid_short", "tip_paid_wrong", "A side bet for the dealer is paid half.", tip_paid_short),
    mistake(
        "side_tip_paid_first",
        "tip_paid_wrong",
        "A side bet for the dealer is paid before the player's.",
        side_tip_first,
    ),
];

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
        let raised = outcome.wagers().any(|(wager, _)| {
            let own = wager.box_no == on.wager.box_no && wager.bettor == on.wager.bettor && !wager.tip;
            own && matches!(wager.kind, WagerKind::Split | WagerKind::Double)
        });
        let stayed = on.wager.kind == WagerKind::Main && !raised;
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
    move_before(desk, &[tip.step], own.step);
    let says = format!("the tip on box {} was paid before the player's wager", tip.wager.box_no);
    Some(at(tip.wager, cited(desk, &["tip_paid_wrong.order"])?, says))
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

/// Side bets for the dealer and how the books cite what goes wrong with them.
const TIPS: &[(SideBet, &str, &str)] = &[
    (SideBet::KingsBounty, "tip_paid_wrong.kings_bounty", "tip_paid_wrong.kings_bounty.order"),
    (SideBet::War, "tip_paid_wrong.war", "tip_paid_wrong.war.order"),
];

fn won_tip(desk: &mut Desk<'_>, outcome: &Outcome) -> Option<(Settled, &'static str, &'static str)> {
    let of = |on: &Settled| TIPS.iter().find(|(bet, ..)| on.wager.kind == WagerKind::Side(*bet));
    let tip = any_settled(desk, outcome, |on| on.wager.tip && on.due.is_paid() && of(on).is_some())?;
    of(&tip).map(|(_, amount, order)| (tip, *amount, *order))
}

fn tip_paid_short(desk: &mut Desk<'_>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let (tip, tag, _) = won_tip(desk, &outcome)?;
    let half = Money::from_minor(tip.paid()?.minor() / 2);
    paid_instead(desk, &tip, half, tag)
}

fn side_tip_first(desk: &mut Desk<'_>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let (tip, _, tag) = won_tip(desk, &outcome)?;
    let own = Wager { tip: false, ..tip.wager };
    let own = outcome.settled.iter().find(|on| on.wager == own)?;
    move_before(desk, &[tip.step], own.step);
    Some(at(tip.wager, cited(desk, &[tag])?, format!("{} was paid before the player's own bet", tip.wager)))
}
