//! Wagers that should not stand where they stand, or not for that much, and are played all the same.
//!
//! Most of them are made of wagers that lose: whatever stands there, all of it is taken, so that the amount is the only
//! wrong.

use auditor::rules::OverMax;
use table::{Act, Bettor, BoxNo, Favours, Hand, Limit, Money, Place, SideBet, Wager, WagerKind};

use super::chips::{Outcome, Settled, any_settled, at, cited, move_before, on, on_table, placed};
use super::{Desk, Lived, Wrong, mistake};

pub(super) const FAULTS: &[Lived] = &[
    mistake("wager_below_minimum", "wager_below_minimum", "A main wager is less than the sign allows.", below_minimum),
    mistake("wager_above_maximum", "wager_above_maximum", "A main wager is more than the sign allows.", above_maximum),
    mistake("wager_off_step", "wager_off_step", "A main wager is no multiple of the table's step.", off_step),
    mistake("excess_settled", "excess_settled", "All of a wager over the maximum is taken.", excess_taken),
    mistake("side_wager_above_limit", "side_wager_off_limits", "A side bet is more than the sign allows.", side_above),
    mistake("side_wager_below_limit", "side_wager_off_limits", "A side bet is less than the sign allows.", side_below),
    mistake(
        "war_total_above_maximum",
        "war_total_above_maximum",
        "The main wager and War together are above the maximum.",
        war_total,
    ),
    mistake("too_many_bettors", "too_many_bettors", "More players bet on a box than may.", too_many_bettors),
    mistake(
        "side_bet_behind",
        "side_bet_behind",
        "A bettor behind makes a side bet only the player may make.",
        side_behind,
    ),
    mistake(
        "too_many_side_bets",
        "too_many_side_bets",
        "A box holds too many side bets of a kind.",
        too_many_side_bets,
    ),
    mistake(
        "side_bet_without_main",
        "side_bet_without_main",
        "A side bet stands on a box without a wager.",
        side_alone,
    ),
    mistake("tip_on_empty_box", "tip_without_main", "A side bet for the dealer stands on an empty box.", tip_alone),
    mistake(
        "side_bets_incompatible",
        "side_bets_incompatible",
        "Two side bets are played that exclude each other.",
        incompatible,
    ),
    mistake("no_ante_hand_settled", "no_ante_hand_settled", "A hand without its ante is played and settled.", no_ante),
    mistake("ante_late", "ante_late", "An ante is put down after the first card.", ante_late),
    mistake("ante_above_cap", "ante_above_cap", "An ante is more than the rules allow.", ante_above_cap),
];

/// What the sign says about a kind of wager.
fn sign<'d>(desk: &Desk<'d>, on: WagerKind) -> Option<&'d Limit> {
    desk.setup.limits.iter().find(|limit| limit.on == on)
}

/// A main wager that loses as it stands: nothing was added to it or depends on its amount.
fn is_lost_main(outcome: &Outcome, settled: &Settled) -> bool {
    let (wager, place) = (settled.wager, settled.wager.place());
    let whole = !outcome.is_split(wager.box_no) && !outcome.is_doubled(place) && !outcome.is_surrendered(place);
    let bare = !settled.capped && !outcome.is_insured(wager.box_no) && !outcome.has_ride(wager.box_no);
    wager.kind == WagerKind::Main && !wager.tip && settled.taken() == Some(settled.chips) && whole && bare
}

fn has_war(outcome: &Outcome, settled: &Settled) -> bool {
    outcome.has(settled.wager.of_kind(WagerKind::Side(SideBet::War)))
}

/// Places a wager for another amount.
fn place(desk: &mut Desk<'_>, wager: Wager, amount: Money) -> Option<()> {
    let step = placed(desk, wager).filter(|_| amount > Money::ZERO)?;
    desk.replace(step, [Act::Bet(wager, amount)]);
    Some(())
}

/// Lets a main wager that loses be for another amount.
fn main_of(desk: &mut Desk<'_>, tag: &'static str, amount: impl Fn(&Limit, Money) -> Option<Money>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let lost = any_settled(desk, &outcome, |on| is_lost_main(&outcome, on) && !has_war(&outcome, on))?;
    let amount = amount(sign(desk, WagerKind::Main)?, lost.chips)?;
    place(desk, lost.wager, amount)?;
    Some(at(lost.wager, cited(desk, &[tag])?, format!("{amount} was bet on box {}", lost.wager.box_no)))
}

fn below_minimum(desk: &mut Desk<'_>) -> Option<Wrong> {
    (desk.rules().over_max == OverMax::Refused).then_some(())?;
    main_of(desk, "wager_below_minimum", |sign, _| sign.min.minus(sign.step?))
}

fn above_maximum(desk: &mut Desk<'_>) -> Option<Wrong> {
    (desk.rules().over_max == OverMax::Refused).then_some(())?;
    main_of(desk, "wager_above_maximum", |sign, _| sign.max.plus(sign.step?))
}

fn off_step(desk: &mut Desk<'_>) -> Option<Wrong> {
    main_of(desk, "wager_off_step", |sign, stake| {
        let off = stake.plus(Money::from_minor(sign.step?.minor() / 2))?;
        (off <= sign.max).then_some(off)
    })
}

fn excess_taken(desk: &mut Desk<'_>) -> Option<Wrong> {
    (desk.rules().over_max == OverMax::SettleToMax).then_some(())?;
    let step = sign(desk, WagerKind::Main)?.step?;
    let wrong = main_of(desk, "excess_settled", |sign, _| sign.max.plus(sign.step?))?;
    Some(Wrong { money: Some(table::AtStake { amount: step, favours: Favours::House }), ..wrong })
}

/// Side bets by name, for the tags that end in it.
const OFF_LIMITS: &[(SideBet, &str)] = &[
    (SideBet::PerfectPair, "side_wager_off_limits.perfect_pair"),
    (SideBet::AnyPair, "side_wager_off_limits.any_pair"),
    (SideBet::LuckyMatch, "side_wager_off_limits.lucky_match"),
    (SideBet::SuperSevens, "side_wager_off_limits.super_sevens"),
    (SideBet::Madness21, "side_wager_off_limits.madness21"),
    (SideBet::HouseMoney, "side_wager_off_limits.house_money"),
    (SideBet::LetItRide, "side_wager_off_limits.let_it_ride"),
    (SideBet::Push22, "side_wager_off_limits.push22"),
    (SideBet::KingsBounty, "side_wager_off_limits.kings_bounty"),
    (SideBet::War, "side_wager_off_limits.war"),
];

/// A side bet of the player's that loses, one of those named.
fn lost_side(
    desk: &mut Desk<'_>,
    outcome: &Outcome,
    among: &[(SideBet, &'static str)],
) -> Option<(Settled, SideBet, &'static str)> {
    let of = |on: &Settled| among.iter().find(|(bet, _)| on.wager.kind == WagerKind::Side(*bet));
    let lost = any_settled(desk, outcome, |on| {
        of(on).is_some() && !on.wager.tip && on.wager.bettor == Bettor::SEATED && on.before == 0 && on.due.is_taken()
    })?;
    of(&lost).map(|(bet, tag)| (lost, *bet, *tag))
}

fn side_of(desk: &mut Desk<'_>, amount: impl Fn(&Limit) -> Option<Money>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let (lost, _, tag) = lost_side(desk, &outcome, OFF_LIMITS)?;
    let tag = cited(desk, &[tag])?;
    let amount = amount(sign(desk, lost.wager.kind)?)?;
    place(desk, lost.wager, amount)?;
    Some(at(lost.wager, tag, format!("{amount} was bet as {}", lost.wager)))
}

fn side_above(desk: &mut Desk<'_>) -> Option<Wrong> {
    side_of(desk, |sign| sign.max.plus(Money::from_minor(100)))
}

fn side_below(desk: &mut Desk<'_>) -> Option<Wrong> {
    side_of(desk, |sign| Some(Money::from_minor(sign.min.minor() / 2)))
}

fn war_total(desk: &mut Desk<'_>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let most = sign(desk, WagerKind::Main)?.max;
    let lost = any_settled(desk, &outcome, |on| is_lost_main(&outcome, on) && has_war(&outcome, on))?;
    place(desk, lost.wager, most)?;
    let says = format!("{most} and War were bet on box {}", lost.wager.box_no);
    Some(at(lost.wager, cited(desk, &["war_total_above_maximum"])?, says))
}

/// Adds wagers that lose with another, each placed and taken right after it.
fn beside(desk: &mut Desk<'_>, like: &Settled, added: &[Wager]) -> Option<()> {
    let step = placed(desk, like.wager)?;
    desk.insert(like.step + 1, added.iter().map(|wager| Act::Take(*wager, None)));
    desk.insert(step + 1, added.iter().map(|wager| Act::Bet(*wager, like.chips)));
    Some(())
}

/// The seated player's wager that loses, with nothing else on the hand.
fn lost_seat(desk: &mut Desk<'_>, outcome: &Outcome) -> Option<Settled> {
    let ante = desk.rules().ante;
    any_settled(desk, outcome, |on| is_lost_main(outcome, on) && on.wager.bettor == Bettor::SEATED && !ante)
}

fn too_many_bettors(desk: &mut Desk<'_>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let most = desk.rules().bettors_per_box;
    (most > 1).then_some(())?;
    let lost = lost_seat(desk, &outcome)?;
    let behind = (2..=most + 1).filter_map(Bettor::new).map(|bettor| lost.wager.by(bettor));
    let added: Vec<Wager> = behind.filter(|wager| !outcome.has(*wager)).collect();
    beside(desk, &lost, &added)?;
    let says = format!("{} players bet on box {}", most + 1, lost.wager.box_no);
    Some(at(lost.wager, cited(desk, &["too_many_bettors"])?, says))
}

fn side_behind(desk: &mut Desk<'_>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let among = &[
        (SideBet::KingsBounty, "side_bet_behind.kings_bounty"),
        (SideBet::War, "side_bet_behind.war"),
        (SideBet::Push22, "side_bet_behind.push22"),
    ];
    let (lost, bet, tag) = lost_side(desk, &outcome, among)?;
    let behind = lost.wager.by(Bettor::new(2)?);
    let plays = outcome.has(behind.of_kind(WagerKind::Main));
    (plays && desk.rules().side(bet).is_some_and(|terms| !terms.behind)).then_some(())?;
    beside(desk, &lost, &[behind])?;
    Some(at(behind, cited(desk, &[tag, "side_bet_behind"])?, format!("{behind} was bet from behind")))
}

fn too_many_side_bets(desk: &mut Desk<'_>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let among = &[
        (SideBet::PerfectPair, "too_many_side_bets.perfect_pair"),
        (SideBet::AnyPair, "too_many_side_bets.any_pair"),
        (SideBet::LuckyMatch, "too_many_side_bets.lucky_match"),
    ];
    let (lost, bet, tag) = lost_side(desk, &outcome, among)?;
    let terms = desk.rules().side(bet).filter(|terms| terms.behind && !terms.own_main)?;
    let behind = (2..=terms.per_box? + 1).filter_map(Bettor::new).map(|bettor| lost.wager.by(bettor));
    let added: Vec<Wager> = behind.filter(|wager| !outcome.has(*wager)).collect();
    beside(desk, &lost, &added)?;
    let says = format!("box {} held {} bets on {}", lost.wager.box_no, terms.per_box? + 1, bet.name());
    Some(at(lost.wager, cited(desk, &[tag, "too_many_side_bets"])?, says))
}

/// A box that nobody plays.
fn empty_box(desk: &Desk<'_>, outcome: &Outcome) -> Option<BoxNo> {
    let boxes = BoxNo::all().filter(|box_no| box_no.number() <= desk.setup.boxes);
    boxes.into_iter().find(|box_no| outcome.wagers().all(|(wager, _)| wager.box_no != *box_no))
}

/// Puts a bet on a box that nobody plays; it is taken when all is over.
fn alone(desk: &mut Desk<'_>, wager: Wager, stake: Money, tag: &'static str) -> Option<Wrong> {
    let closed = desk.steps(|act| matches!(act, Act::NoMoreBets)).first().copied()?;
    let end = desk.steps(|act| matches!(act, Act::End)).first().copied()?;
    desk.insert(end, [Act::Take(wager, None)]);
    desk.insert(closed, [Act::Bet(wager, stake)]);
    let says = format!("{stake} stood as {wager} without a main wager");
    Some(on(wager, cited(desk, &[tag])?, stake, Favours::House, says))
}

fn side_alone(desk: &mut Desk<'_>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let among = &[
        (SideBet::PerfectPair, "side_bet_without_main.perfect_pair"),
        (SideBet::AnyPair, "side_bet_without_main.any_pair"),
        (SideBet::LuckyMatch, "side_bet_without_main.lucky_match"),
        (SideBet::SuperSevens, "side_bet_without_main.super_sevens"),
        (SideBet::HouseMoney, "side_bet_without_main.house_money"),
        (SideBet::LetItRide, "side_bet_without_main.let_it_ride"),
        (SideBet::KingsBounty, "side_bet_without_main.kings_bounty"),
    ];
    let (lost, _, tag) = lost_side(desk, &outcome, among)?;
    let box_no = empty_box(desk, &outcome)?;
    alone(desk, Wager { box_no, ..lost.wager }, lost.chips, tag)
}

fn tip_alone(desk: &mut Desk<'_>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let (lost, _, tag) = lost_side(desk, &outcome, &[(SideBet::KingsBounty, "tip_without_main.kings_bounty")])?;
    let box_no = empty_box(desk, &outcome)?;
    let wager = Wager { box_no, ..lost.wager }.for_dealer();
    alone(desk, wager, lost.chips, tag).map(|wrong| Wrong { money: None, ..wrong })
}

fn incompatible(desk: &mut Desk<'_>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let pairs = &[
        (SideBet::PerfectPair, "side_bets_incompatible.perfect_pair"),
        (SideBet::AnyPair, "side_bets_incompatible.any_pair"),
    ];
    let (lost, bet, tag) = lost_side(desk, &outcome, pairs)?;
    let other = if bet == SideBet::PerfectPair { SideBet::AnyPair } else { SideBet::PerfectPair };
    desk.rules().side(other).filter(|terms| terms.excludes.contains(&bet))?;
    // Without a pair both lose.
    let added = lost.wager.of_kind(WagerKind::Side(other));
    beside(desk, &lost, &[added])?;
    let says = format!("{} and {} were played at one table", bet.name(), other.name());
    Some(on_table(cited(desk, &[tag])?, says))
}

fn any_ante(desk: &mut Desk<'_>) -> Option<Settled> {
    let outcome = Outcome::of(&desk.round);
    any_settled(desk, &outcome, |on| on.wager.kind == WagerKind::Ante)
}

fn no_ante(desk: &mut Desk<'_>) -> Option<Wrong> {
    let ante = any_ante(desk)?;
    let bet = placed(desk, ante.wager)?;
    desk.replace(ante.step, []);
    desk.replace(bet, []);
    let says = format!("box {} was played without the ante of {}", ante.wager.box_no, ante.chips);
    Some(at(ante.wager.of_kind(WagerKind::Main), cited(desk, &["no_ante_hand_settled"])?, says))
}

fn ante_late(desk: &mut Desk<'_>) -> Option<Wrong> {
    let ante = any_ante(desk)?;
    let bet = placed(desk, ante.wager)?;
    let first = desk.steps(|act| matches!(act, Act::Card { to: Place::Box(_, Hand::A), .. })).first().copied()?;
    move_before(desk, &[bet], first + 1);
    let says = format!("the ante on box {} came after the first card", ante.wager.box_no);
    Some(at(ante.wager, cited(desk, &["ante_late"])?, says))
}

fn ante_above_cap(desk: &mut Desk<'_>) -> Option<Wrong> {
    let ante = any_ante(desk)?;
    let cap = sign(desk, WagerKind::Main)?.min.at(desk.rules().ante_max)?.whole;
    let amount = cap.plus(Money::from_minor(50))?;
    place(desk, ante.wager, amount)?;
    let says = format!("an ante of {amount} was charged on box {}", ante.wager.box_no);
    Some(on(ante.wager, cited(desk, &["ante_above_cap"])?, Money::from_minor(50), Favours::House, says))
}
