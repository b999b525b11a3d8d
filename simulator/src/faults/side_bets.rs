//! Side bets judged, paid and taken the wrong way.

use auditor::Pay;
use auditor::rules::BlazingPays;
use table::{Act, Favours, Hand, Money, Place, SideBet, Wager, WagerKind};

use super::chips::{Outcome, Settled, any_settled, at, cited, final_place, last_card, move_before, on, play_begins};
use super::{Desk, Lived, Wrong, mistake};

/// One fault for each side bet of each kind of wrong, under the tag by which the books cite it, and further ones.
macro_rules! faults {
    (
        each: { $($check:literal $what:literal by $how:ident: $($bet:ident $name:literal),+;)+ }
        further: { $($fault:expr,)+ }
    ) => {
        &[
            $($(mistake(concat!($check, ".", $name), $check, $what, |desk| {
                $how(desk, SideBet::$bet, concat!($check, ".", $name))
            }),)+)+
            $($fault,)+
        ]
    };
}

pub(super) const FAULTS: &[Lived] = faults! {
    each: {
        "side_bet_winner_taken" "A side bet that won is taken." by winner_taken:
            PerfectPair "perfect_pair", AnyPair "any_pair", LuckyMatch "lucky_match", SuperSevens "super_sevens",
            Madness21 "madness21", HouseMoney "house_money", LetItRide "let_it_ride", Push22 "push22",
            KingsBounty "kings_bounty", War "war", Blazing7 "blazing7", MatchDealer "match_dealer", Over13 "over13",
            Under13 "under13";
        "side_bet_loser_paid" "A side bet that lost is paid." by loser_paid:
            PerfectPair "perfect_pair", AnyPair "any_pair", LuckyMatch "lucky_match", SuperSevens "super_sevens",
            Madness21 "madness21", HouseMoney "house_money", LetItRide "let_it_ride", Push22 "push22",
            KingsBounty "kings_bounty", War "war", Blazing7 "blazing7", MatchDealer "match_dealer", Over13 "over13",
            Under13 "under13";
        "side_bet_paid_wrong" "A side bet that won is paid another price of its scale, or a chip off." by paid_wrong:
            PerfectPair "perfect_pair", AnyPair "any_pair", LuckyMatch "lucky_match", SuperSevens "super_sevens",
            Madness21 "madness21", HouseMoney "house_money", LetItRide "let_it_ride", Push22 "push22",
            KingsBounty "kings_bounty", War "war", Blazing7 "blazing7", MatchDealer "match_dealer", Over13 "over13",
            Under13 "under13";
        "pay_scale_mixed" "A side bet that won is paid by a scale that is not displayed." by other_scale:
            PerfectPair "perfect_pair", AnyPair "any_pair", Push22 "push22";
        "side_bet_two_tiers_paid" "A side bet that won is paid for two results at once." by two_tiers:
            PerfectPair "perfect_pair", LuckyMatch "lucky_match", HouseMoney "house_money",
            LetItRide "let_it_ride", Push22 "push22", KingsBounty "kings_bounty";
        "side_bet_judged_by_main" "A side bet that won is taken because the hand lost." by taken_with_main:
            PerfectPair "perfect_pair", AnyPair "any_pair", LuckyMatch "lucky_match", SuperSevens "super_sevens",
            HouseMoney "house_money", LetItRide "let_it_ride", KingsBounty "kings_bounty";
        "side_bet_paid_late" "A side bet that won is paid only at the end of the round." by paid_late:
            PerfectPair "perfect_pair", AnyPair "any_pair", SuperSevens "super_sevens", Madness21 "madness21",
            HouseMoney "house_money", LetItRide "let_it_ride", KingsBounty "kings_bounty", Blazing7 "blazing7";
        "side_bet_taken_late" "A side bet that lost is taken only at the end of the round." by taken_late:
            PerfectPair "perfect_pair", AnyPair "any_pair", SuperSevens "super_sevens", Madness21 "madness21";
    }
    further: {
        mistake(
            "side_bet_winner_pushed",
            "side_bet_winner_taken",
            "A side bet that won is only left to the player.",
            winner_pushed,
        ),
        mistake(
            "push22_taken_early",
            "side_bet_paid_early",
            "Push 22 is taken before the dealer has drawn.",
            push22_early,
        ),
        mistake(
            "side_bet_paid_without_chips",
            "settled_without_wager",
            "A side bet is paid on a box where none was made.",
            paid_without_chips,
        ),
    }
};

/// A settlement of a player's side bet that stands or falls by itself: nothing of it rides or goes on another wager.
fn is_of(outcome: &Outcome, settled: &Settled, bet: SideBet) -> bool {
    let wager = settled.wager;
    let first = settled.before == usize::from(bet == SideBet::Blazing7);
    let goes_on = outcome.rides(wager) || (bet == SideBet::War && outcome.is_parlayed(wager));
    wager.kind == WagerKind::Side(bet) && !wager.tip && first && !goes_on
}

/// Whether no bet for the dealer stands beside it, which would then be out of its turn.
fn is_alone(outcome: &Outcome, settled: &Settled) -> bool {
    !outcome.has(settled.wager.for_dealer())
}

/// A side bet that won and was paid from the tray.
fn is_won(desk: &Desk<'_>, outcome: &Outcome, settled: &Settled, bet: SideBet) -> bool {
    let verified = settled.step > 0 && matches!(desk.act(settled.step - 1), Some(Act::Supervisor));
    is_of(outcome, settled, bet) && settled.due.is_paid() && !verified
}

fn is_lost(outcome: &Outcome, settled: &Settled, bet: SideBet) -> bool {
    is_of(outcome, settled, bet) && settled.due.is_taken()
}

/// Whether the bettor's main wager was taken, and a side bet after it could seem to have gone the same way.
fn main_went_first(outcome: &Outcome, settled: &Settled) -> bool {
    let main = outcome.settlement(settled.wager.of_kind(WagerKind::Main));
    let in_tray = settled.wager.kind == WagerKind::Side(SideBet::Blazing7);
    main.is_some_and(|main| (in_tray || main.step < settled.step) && !main.due.is_paid())
}

/// Whether a split leaves room to think that another card counts: of sevens, or of two cards that are the same.
fn is_split_pair(outcome: &Outcome, settled: &Settled, bet: SideBet) -> bool {
    let box_no = settled.wager.box_no;
    let first = |hand: u8| Some(outcome.cards(Place::Box(box_no, Hand::new(hand)?)).first().copied());
    match bet {
        SideBet::SuperSevens => outcome.is_split(box_no),
        SideBet::LuckyMatch => outcome.is_split(box_no) && first(0) == first(1),
        _ => false,
    }
}

fn any_won(desk: &mut Desk<'_>, outcome: &Outcome, bet: SideBet) -> Option<Settled> {
    let won: Vec<Settled> = outcome
        .settled
        .iter()
        .filter(|on| {
            is_won(desk, outcome, on, bet) && !main_went_first(outcome, on) && !is_split_pair(outcome, on, bet)
        })
        .copied()
        .collect();
    desk.dice.pick(&won).copied()
}

/// The button's display is part of the prize: without a win nobody presses it, and the stake goes with the prize.
fn around(desk: &Desk<'_>, settled: &Settled) -> (Option<usize>, Option<usize>) {
    let same = |step: Option<usize>, is_it: fn(&Act, Wager) -> bool| {
        step.filter(|step| desk.act(*step).is_some_and(|act| is_it(act, settled.wager)))
    };
    let shown = same(settled.step.checked_sub(1), |act, of| matches!(act, Act::Prize(wager, _) if *wager == of));
    let stake = same(Some(settled.step + 1), |act, of| matches!(act, Act::Take(wager, _) if *wager == of));
    (shown, stake)
}

fn winner_taken(desk: &mut Desk<'_>, bet: SideBet, tag: &'static str) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    (bet != SideBet::Madness21 || !outcome.dealer_has_natural()).then_some(())?;
    let won = any_won(desk, &outcome, bet)?;
    let paid = won.paid()?;
    let says = format!("{} of {} had won {paid} and was taken", won.wager, won.chips);
    let (shown, stake) = around(desk, &won);
    let tag = cited(desk, &[tag])?;
    let lost = match bet {
        // The stake is in the tray since before the deal.
        SideBet::Blazing7 => paid,
        _ => paid.plus(won.chips)?,
    };
    let taken = (bet != SideBet::Blazing7 && stake.is_none()).then(|| won.take());
    desk.replace(won.step, taken);
    match shown {
        Some(shown) => {
            desk.replace(shown, []);
            Some(at(won.wager, tag, says))
        }
        None => Some(on(won.wager, tag, lost, Favours::House, says)),
    }
}

fn winner_pushed(desk: &mut Desk<'_>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let special = |bet: SideBet| matches!(bet, SideBet::Blazing7 | SideBet::Madness21);
    let fits = |on: &Settled| match on.wager.kind {
        WagerKind::Side(bet) => {
            !special(bet) && is_of(&outcome, on, bet) && on.due.is_paid() && !main_went_first(&outcome, on)
        }
        _ => false,
    };
    let won = any_settled(desk, &outcome, fits)?;
    let WagerKind::Side(bet) = won.wager.kind else { return None };
    let tag = cited(desk, &[TAKEN.iter().find(|(of, _)| *of == bet)?.1])?;
    desk.replace(won.step, [Act::Push(won.wager)]);
    let says = format!("{} of {} had won and was only left to the player", won.wager, won.chips);
    Some(on(won.wager, tag, won.paid()?, Favours::House, says))
}

/// The tags of winners that were not paid.
const TAKEN: &[(SideBet, &str)] = &[
    (SideBet::PerfectPair, "side_bet_winner_taken.perfect_pair"),
    (SideBet::AnyPair, "side_bet_winner_taken.any_pair"),
    (SideBet::LuckyMatch, "side_bet_winner_taken.lucky_match"),
    (SideBet::SuperSevens, "side_bet_winner_taken.super_sevens"),
    (SideBet::HouseMoney, "side_bet_winner_taken.house_money"),
    (SideBet::LetItRide, "side_bet_winner_taken.let_it_ride"),
    (SideBet::Push22, "side_bet_winner_taken.push22"),
    (SideBet::KingsBounty, "side_bet_winner_taken.kings_bounty"),
    (SideBet::War, "side_bet_winner_taken.war"),
    (SideBet::MatchDealer, "side_bet_winner_taken.match_dealer"),
    (SideBet::Over13, "side_bet_winner_taken.over13"),
    (SideBet::Under13, "side_bet_winner_taken.under13"),
];

/// What every result on a scale pays for a stake, best first; prizes and shares of the meter are left out.
fn prices(desk: &Desk<'_>, bet: SideBet, scale: usize, stake: Money) -> Vec<Money> {
    let Some(terms) = desk.rules().side(bet) else { return Vec::new() };
    let tiers = scale.checked_sub(1).and_then(|scale| terms.scales.get(scale)).map_or(&[][..], Vec::as_slice);
    let price = |pay: &Pay| match pay {
        Pay::Odds(odds) => stake.at(*odds).map(|won| won.whole),
        Pay::Award(award) if desk.rules().blazing_pays == BlazingPays::ToOne => award.plus(stake),
        Pay::Award(award) => Some(*award),
        Pay::Meter(_) | Pay::Prize => None,
    };
    tiers.iter().filter_map(|(_, pay)| price(pay)).collect()
}

/// What the displayed scale pays.
fn displayed(desk: &Desk<'_>, bet: SideBet, stake: Money) -> Vec<Money> {
    let scale = desk.rules().side(bet).map_or(1, |terms| terms.scale);
    prices(desk, bet, scale, stake)
}

/// What a price on the displayed scale becomes on the others.
fn elsewhere(desk: &Desk<'_>, bet: SideBet, stake: Money, paid: Money) -> Vec<Money> {
    let Some(terms) = desk.rules().side(bet) else { return Vec::new() };
    let shown = prices(desk, bet, terms.scale, stake);
    let mut others = Vec::new();
    for scale in (1..=terms.scales.len()).filter(|scale| *scale != terms.scale) {
        let there = prices(desk, bet, scale, stake);
        others.extend(shown.iter().zip(there).filter(|(here, _)| **here == paid).map(|(_, there)| there));
    }
    others
}

fn loser_paid(desk: &mut Desk<'_>, bet: SideBet, tag: &'static str) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    if bet == SideBet::Blazing7 {
        return progressive_loser_paid(desk, &outcome, tag);
    }
    let lost = any_settled(desk, &outcome, |on| is_lost(&outcome, on, bet))?;
    let least = match bet {
        SideBet::Madness21 => lost.chips.at(table::Odds::new(LEAST_PRIZE, 1)?)?.whole,
        _ => displayed(desk, bet, lost.chips).last().copied()?,
    };
    desk.replace(lost.step, [Act::Pay(lost.wager, least)]);
    let says = format!("{} of {} had lost and was paid {least}", lost.wager, lost.chips);
    Some(on(lost.wager, cited(desk, &[tag])?, least.plus(lost.chips)?, Favours::Player, says))
}

/// What the button gives most often for every unit.
const LEAST_PRIZE: u32 = 5;

/// A progressive stake is in the tray before the deal: one that lost is paid when the winners are.
fn progressive_loser_paid(desk: &mut Desk<'_>, outcome: &Outcome, tag: &'static str) -> Option<Wrong> {
    let kind = WagerKind::Side(SideBet::Blazing7);
    let won = |wager: Wager| outcome.settled.iter().any(|on| on.wager == wager && on.due.is_paid());
    let lost = any_settled(desk, outcome, |on| on.wager.kind == kind && !won(on.wager))?;
    let least = displayed(desk, SideBet::Blazing7, lost.chips).last().copied()?;
    let begins = play_begins(desk)?;
    desk.insert(begins, [Act::Pay(lost.wager, least)]);
    let says = format!("{} had lost and was paid {least}", lost.wager);
    Some(on(lost.wager, cited(desk, &[tag])?, least, Favours::Player, says))
}

/// Pays a winner another amount.
pub(super) fn paid_instead(desk: &mut Desk<'_>, won: &Settled, amount: Money, tag: &'static str) -> Option<Wrong> {
    let paid = won.paid()?;
    let says = format!("{} of {} had won {paid} and was paid {amount}", won.wager, won.chips);
    let (moved, favours) = match amount > paid {
        true => (amount.minus(paid)?, Favours::Player),
        false => (paid.minus(amount)?, Favours::House),
    };
    desk.replace(won.step, [Act::Pay(won.wager, amount)]);
    Some(on(won.wager, cited(desk, &[tag])?, moved, favours, says))
}

fn paid_wrong(desk: &mut Desk<'_>, bet: SideBet, tag: &'static str) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let won = any_won(desk, &outcome, bet)?;
    let paid = won.paid()?;
    let shown = displayed(desk, bet, won.chips);
    let both: Vec<Money> = shown.iter().filter_map(|other| paid.plus(*other)).collect();
    let mistaken = elsewhere(desk, bet, won.chips, paid);
    let is_plain = |amount: &Money| *amount != paid && !mistaken.contains(amount) && !both.contains(amount);
    let chip = Money::from_minor(50);
    let off = [paid.minus(chip), paid.plus(chip)].into_iter().flatten();
    let amounts: Vec<Money> =
        shown.into_iter().filter(|_| bet != SideBet::Blazing7).chain(off).filter(is_plain).collect();
    // Half a unit off is never a prize of the button.
    let amounts = if bet == SideBet::Madness21 { off_prizes(&won) } else { amounts };
    let amount = desk.dice.pick(&amounts).copied()?;
    paid_instead(desk, &won, amount, tag)
}

/// Payments that are no prize for every unit staked.
fn off_prizes(won: &Settled) -> Vec<Money> {
    let halves = [-50, 50].map(Money::from_minor);
    halves.iter().filter_map(|half| won.paid()?.plus(*half)).collect()
}

fn other_scale(desk: &mut Desk<'_>, bet: SideBet, tag: &'static str) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let won = any_won(desk, &outcome, bet)?;
    let paid = won.paid()?;
    let amounts: Vec<Money> =
        elsewhere(desk, bet, won.chips, paid).into_iter().filter(|amount| *amount != paid).collect();
    let amount = desk.dice.pick(&amounts).copied()?;
    paid_instead(desk, &won, amount, tag)
}

fn two_tiers(desk: &mut Desk<'_>, bet: SideBet, tag: &'static str) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let won = any_won(desk, &outcome, bet)?;
    let paid = won.paid()?;
    let mistaken = elsewhere(desk, bet, won.chips, paid);
    // A lower result that the cards made too.
    let lower: Vec<Money> = displayed(desk, bet, won.chips)
        .into_iter()
        .filter(|other| *other < paid)
        .filter_map(|other| paid.plus(other))
        .filter(|both| !mistaken.contains(both))
        .collect();
    let amount = desk.dice.pick(&lower).copied()?;
    paid_instead(desk, &won, amount, tag)
}

fn taken_with_main(desk: &mut Desk<'_>, bet: SideBet, tag: &'static str) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let lost_main =
        |on: &Settled| outcome.settlement(on.wager.of_kind(WagerKind::Main)).filter(|main| main.due.is_taken());
    let won = any_settled(desk, &outcome, |on| {
        let after = lost_main(on).is_some_and(|main| main.step > on.step);
        is_of(&outcome, on, bet)
            && on.due.is_paid()
            && after
            && !is_split_pair(&outcome, on, bet)
            && is_alone(&outcome, on)
    })?;
    let main = lost_main(&won)?;
    desk.insert(main.step + 1, [won.take()]);
    desk.replace(won.step, []);
    let says = format!("{} of {} had won and was taken when the hand lost", won.wager, won.chips);
    Some(on(won.wager, cited(desk, &[tag])?, won.paid()?.plus(won.chips)?, Favours::House, says))
}

/// Moves a settlement, with the button's display and the stake, to the box's turn in the final settlement.
fn to_the_end(desk: &mut Desk<'_>, settled: &Settled) -> Option<()> {
    let begins = play_begins(desk).filter(|begins| settled.step < *begins)?;
    let end = final_place(desk, settled.wager.box_no)?;
    // Play goes on meanwhile.
    (last_card(desk)? > begins).then_some(())?;
    let (shown, stake) = around(desk, settled);
    let steps: Vec<usize> = shown.into_iter().chain([settled.step]).chain(stake).collect();
    move_before(desk, &steps, end);
    Some(())
}

fn paid_late(desk: &mut Desk<'_>, bet: SideBet, tag: &'static str) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let fits = |on: &&Settled| is_won(desk, &outcome, on, bet) && is_alone(&outcome, on);
    let won: Vec<Settled> = outcome.settled.iter().filter(fits).copied().collect();
    let won = desk.dice.pick(&won).copied()?;
    to_the_end(desk, &won)?;
    let says = format!("{} of {} had won and was paid at the end of the round", won.wager, won.chips);
    Some(at(won.wager, cited(desk, &[tag])?, says))
}

fn taken_late(desk: &mut Desk<'_>, bet: SideBet, tag: &'static str) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let lost = any_settled(desk, &outcome, |on| is_lost(&outcome, on, bet))?;
    to_the_end(desk, &lost)?;
    let says = format!("{} of {} had lost and was taken at the end of the round", lost.wager, lost.chips);
    Some(at(lost.wager, cited(desk, &[tag])?, says))
}

fn push22_early(desk: &mut Desk<'_>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let begins = play_begins(desk)?;
    let lost = any_settled(desk, &outcome, |on| is_lost(&outcome, on, SideBet::Push22) && on.step > begins)?;
    outcome.needs_dealer_beside(lost.wager, last_card(desk)?).then_some(())?;
    move_before(desk, &[lost.step], begins);
    let says = format!("{} was taken before the dealer had drawn", lost.wager);
    Some(at(lost.wager, cited(desk, &["side_bet_paid_early.push22"])?, says))
}

fn paid_without_chips(desk: &mut Desk<'_>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let offered = |on: &Settled| match on.wager.kind {
        WagerKind::Side(bet @ (SideBet::SuperSevens | SideBet::PerfectPair)) => Some(bet),
        _ => None,
    };
    let lost = any_settled(desk, &outcome, |on| offered(on).is_some_and(|bet| is_lost(&outcome, on, bet)))?;
    let mains: Vec<Wager> =
        outcome.wagers().map(|(wager, _)| wager).filter(|wager| wager.kind == WagerKind::Main && !wager.tip).collect();
    let without = mains.into_iter().map(|main| main.of_kind(lost.wager.kind)).find(|side| !outcome.has(*side))?;
    let paid = displayed(desk, offered(&lost)?, lost.chips).last().copied()?;
    desk.insert(lost.step + 1, [Act::Pay(without, paid)]);
    let says = format!("{without} was paid {paid} and nobody had made that bet");
    Some(on(
        without,
        cited(desk, &["settled_without_wager.super_sevens", "settled_without_wager"])?,
        paid,
        Favours::Player,
        says,
    ))
}
