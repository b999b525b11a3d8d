//! What went wrong and was put right as the book asks: nobody is to be blamed for it.

use auditor::rules::PlayerCards;
use table::round::{Cutter, Device, Mix, Person, Preparation};
use table::{Act, BoxNo, Card, Hand, Money, Place, Wager, WagerKind};

use super::chips::{Outcome, decides, last_card};
use super::consequences::{face_up, first_hand, given, put_right, settles};
use super::{Desk, Lived, Wrong, handled};

pub(super) const FAULTS: &[Lived] = &[
    handled("boxed_card_put_away", "A card found face up in the shoe goes to the rack.", boxed),
    handled("error_card_used_next", "A card drawn in error is used as the next card.", used_next),
    handled("exposed_card_used_next", "A card shown in error is used as the next card.", exposed_used),
    handled(
        "exposed_card_refused_by_all",
        "A card shown in error is refused by all and becomes the dealer's.",
        refused_by_all,
    ),
    handled(
        "dealers_extra_card_put_away",
        "The dealer draws one card too many, and it goes to the rack.",
        extra_put_away,
    ),
    handled(
        "misdeal_rebuilt",
        "Two first cards are swapped, a supervisor is called and the hands are rebuilt.",
        rebuilt,
    ),
    handled("misdeal_voided", "Two first cards are swapped, a supervisor is called and the round is void.", voided),
    handled("card_moved_back", "A card goes to the wrong box and is moved to the right one at once.", moved_back),
    handled("dropped_card_kept", "A card falls, a supervisor is called and the player keeps it.", dropped_kept),
    handled(
        "dropped_card_refused",
        "A card falls, a supervisor is called and the player takes the next.",
        dropped_refused,
    ),
    handled("shuffler_failed_round_void", "The shuffling machine fails and the round is void.", machine_void),
    handled(
        "shuffler_failed_hand_shuffle",
        "The shuffling machine fails and the round is finished by hand.",
        machine_by_hand,
    ),
    handled("discards_finish_round", "The shoe runs out and the shuffled discards finish the round.", discards),
    handled("absent_player", "The player of a box is away, and the hand is drawn to the least total.", absent),
    handled("damaged_card_replaced", "A damaged card is replaced when the round is over.", damaged),
    handled("bet_taken_back_in_time", "A wager is handed back before the first card.", bet_returned),
    handled("bet_changed_in_time", "A player changes the stake before the first card.", bet_changed),
    handled(
        "cutting_card_mid_round",
        "The cutting card comes in the middle of a round, which is dealt to its end.",
        cutting_card,
    ),
    handled("cut_declined", "A player declines the cut and the next one makes it.", cut_declined),
    handled("supervisor_looks_on", "A supervisor is called and finds nothing to put right.", looked_on),
    handled("dealer_relieved", "Another dealer takes over in the middle of a round.", relieved),
];

/// Whether the game's book speaks of a wrong, so that it also says what puts it right.
fn speaks_of(desk: &Desk<'_>, tag: &str) -> bool {
    !desk.setup.law.cited(tag).is_empty()
}

/// A step that gives a card after the initial deal, to whom, and which.
fn drawn_cards(desk: &Desk<'_>) -> Vec<(usize, Place, Card)> {
    let from = desk.initial_cards().last().copied().unwrap_or_default();
    let steps = desk.round.steps.iter().enumerate().skip(from + 1);
    steps
        .filter_map(|(at, step)| match &step.act {
            Act::Card { to, card, .. } => Some((at, *to, *card)),
            _ => None,
        })
        .collect()
}

fn boxed(desk: &mut Desk<'_>) -> Option<Wrong> {
    let cards = drawn_cards(desk);
    let (at, ..) = desk.dice.pick(&cards).copied().filter(|_| speaks_of(desk, "boxed_card_played"))?;
    let card = desk.draw()?;
    desk.insert(at, [Act::Boxed(card), Act::Discard(card)]);
    Some(put_right(format!("{} lay face up in the shoe and went to the rack", card.pretty())))
}

/// A stand that a card of the dealer's follows, and that card.
fn stand_before_card(desk: &mut Desk<'_>) -> Option<(usize, Card)> {
    let before: Vec<(usize, Card)> = drawn_cards(desk)
        .into_iter()
        .filter(|(at, to, _)| matches!(desk.act(at - 1), Some(Act::Stand(_))) && *to == Place::Dealer)
        .map(|(at, _, card)| (at - 1, card))
        .collect();
    desk.dice.pick(&before).copied()
}

fn used_next(desk: &mut Desk<'_>) -> Option<Wrong> {
    let (stand, card) = stand_before_card(desk).filter(|_| speaks_of(desk, "error_card_burned"))?;
    desk.insert(stand, [Act::Drawn(card)]);
    Some(put_right(format!("{} was drawn too early and used as the next card", card.pretty())))
}

fn exposed_used(desk: &mut Desk<'_>) -> Option<Wrong> {
    let (at, _, card) = desk.any_hit().filter(|_| speaks_of(desk, "exposed_card_misused"))?;
    desk.insert(at - 1, [Act::Exposed(card)]);
    Some(put_right(format!("{} was shown too early and used as the next card", card.pretty())))
}

fn refused_by_all(desk: &mut Desk<'_>) -> Option<Wrong> {
    let first = desk.first_decision().filter(|_| speaks_of(desk, "exposed_card_misused.refuser_drew"))?;
    let second = desk.dealers_cards().get(1).copied().filter(|second| *second > first)?;
    let only_stands = (first..second).all(|step| matches!(desk.act(step), Some(Act::Stand(_))));
    let Some(Act::Card { card, .. }) = desk.act(second).cloned() else { return None };
    if !only_stands {
        return None;
    }
    for step in (first..second).rev() {
        if let Some(Act::Stand(place)) = desk.act(step).cloned() {
            desk.insert(step, [Act::Refuse(place)]);
        }
    }
    desk.insert(first, [Act::Exposed(card)]);
    Some(put_right(format!("{} was shown, refused by all and became the dealer's second card", card.pretty())))
}

fn extra_put_away(desk: &mut Desk<'_>) -> Option<Wrong> {
    let begins = desk.settlement_begins().filter(|_| speaks_of(desk, "dealer_extra_card_counted"))?;
    let total = desk.total_before(begins, Place::Dealer)?;
    let held = desk.before(begins).hands.get(&Place::Dealer)?.cards.len();
    if held < 2 || auditor::dealer::must_draw(desk.rules(), total) {
        return None;
    }
    let card = desk.draw()?;
    desk.insert(begins, [face_up(Place::Dealer, card), Act::Discard(card)]);
    Some(put_right(format!("the dealer drew {} to {total} and put it away", card.pretty())))
}

/// Swaps the first cards of two neighbours and calls a supervisor when the deal is done: which boxes, and where.
fn noticed_misdeal(desk: &mut Desk<'_>) -> Option<([BoxNo; 2], usize)> {
    let cards = desk.initial_cards();
    let boxes = desk.boxes();
    let [one, other, ..] = boxes[..] else { return None };
    let (first, second) = (*cards.first()?, *cards.get(1)?);
    let dealt = cards.last()? + 1;
    if !speaks_of(desk, "error_not_repaired") || first + 1 != second {
        return None;
    }
    desk.round.steps.swap(first, second);
    desk.insert(dealt, [Act::Supervisor]);
    Some(([one, other], dealt + 1))
}

fn rebuilt(desk: &mut Desk<'_>) -> Option<Wrong> {
    let (boxes, at) = noticed_misdeal(desk)?;
    desk.insert(at, boxes.map(|no| Act::Reconstruct(first_hand(no))));
    Some(put_right(format!("the first cards of boxes {} and {} were swapped and put right", boxes[0], boxes[1])))
}

fn voided(desk: &mut Desk<'_>) -> Option<Wrong> {
    let (boxes, at) = noticed_misdeal(desk)?;
    // Chips that were settled during the deal cannot be handed back any more.
    if desk.steps(|act| settles(act).is_some()).first().is_none_or(|first| *first < at) {
        return None;
    }
    desk.break_off(at);
    desk.insert(at, [Act::VoidRound]);
    Some(put_right(format!("the first cards of boxes {} and {} were swapped and the round void", boxes[0], boxes[1])))
}

fn moved_back(desk: &mut Desk<'_>) -> Option<Wrong> {
    let cards = desk.initial_cards();
    let step = cards.first().copied().filter(|_| speaks_of(desk, "error_not_repaired"))?;
    let Some(Act::Card { to, card, face, turn }) = desk.act(step).cloned() else { return None };
    let other = desk.boxes().get(1).copied().map(first_hand)?;
    desk.replace(step, [Act::Card { to: other, card, face, turn }, Act::Move { card, from: other, to }]);
    Some(put_right(format!("box {other} got the first card of box {to}, and it was moved")))
}

fn dropped_kept(desk: &mut Desk<'_>) -> Option<Wrong> {
    let (at, place, card) = desk.any_hit().filter(|_| speaks_of(desk, "dropped_card_no_choice"))?;
    desk.insert(at, [Act::Dropped(card), Act::Supervisor, Act::Accept(place)]);
    Some(put_right(format!("{} fell to the floor and box {place} kept it", card.pretty())))
}

fn dropped_refused(desk: &mut Desk<'_>) -> Option<Wrong> {
    let (at, place, _) = desk.any_hit().filter(|_| speaks_of(desk, "dropped_card_no_choice"))?;
    let card = desk.draw()?;
    desk.insert(at, [Act::Dropped(card), Act::Supervisor, Act::Refuse(place), Act::Discard(card)]);
    Some(put_right(format!("{} fell to the floor and box {place} took the next", card.pretty())))
}

fn machine_void(desk: &mut Desk<'_>) -> Option<Wrong> {
    let by_hand = speaks_of(desk, "fault_not_handled.cards_unshuffled");
    let dealt = desk.initial_cards().last()? + 1;
    let settled = desk.steps(|act| settles(act).is_some()).first().is_none_or(|first| *first < dealt);
    if !desk.rules().csm || by_hand || settled || !speaks_of(desk, "fault_not_handled") {
        return None;
    }
    desk.break_off(dealt);
    desk.insert(dealt, [Act::Fault(Device::Shuffler), Act::Supervisor, Act::VoidRound]);
    Some(put_right("the shuffling machine failed and the round was void".into()))
}

fn machine_by_hand(desk: &mut Desk<'_>) -> Option<Wrong> {
    let dealt = desk.initial_cards().last()? + 1;
    let by = desk.boxes().first().copied()?;
    if !desk.rules().csm || !speaks_of(desk, "fault_not_handled.cards_unshuffled") {
        return None;
    }
    let cut = Act::Cut { by: Cutter::Box(by), depth: None };
    desk.insert(dealt, [Act::Fault(Device::Shuffler), Act::Shuffle(Mix::Whole), Act::OfferCut(by), cut]);
    // Another machine comes before the next round, and other cards with it.
    let cards = Act::Cards { prepared: Preparation::Preshuffled, decks: desk.rules().decks };
    desk.insert(desk.round.steps.len(), [cards, Act::Shuffle(Mix::Machine)]);
    Some(put_right("the shuffling machine failed and the round was finished by hand".into()))
}

fn discards(desk: &mut Desk<'_>) -> Option<Wrong> {
    let last = last_card(desk).filter(|last| desk.act(*last).and_then(given) == Some(Place::Dealer))?;
    let by = desk.boxes().first().copied()?;
    let cut_card_out = !desk.steps(|act| *act == Act::CutCardOut).is_empty();
    if cut_card_out
        || desk.rules().csm
        || desk.dealers_cards().len() < 2
        || !speaks_of(desk, "shuffle_missing.discards")
    {
        return None;
    }
    let cut = Act::Cut { by: Cutter::Box(by), depth: Some(30) };
    desk.insert(last, [Act::Shuffle(Mix::Whole), Act::OfferCut(by), cut]);
    desk.make_ready(by);
    Some(put_right("the shoe ran out and the shuffled discards finished the round".into()))
}

fn absent(desk: &mut Desk<'_>) -> Option<Wrong> {
    let least = u16::from(desk.rules().forced_hit_below);
    if !speaks_of(desk, "stood_short.absent") || desk.rules().player_cards != PlayerCards::Up {
        return None;
    }
    let outcome = Outcome::of(&desk.round);
    let by_the_book = |no: &BoxNo| {
        let place = first_hand(*no);
        let asked = desk.steps(|act| decides(act).and_then(Place::box_no) == Some(*no));
        let fits = |step: &usize| {
            let below = desk.total_before(*step, place).is_some_and(|total| total.points < least);
            match desk.act(*step) {
                Some(Act::Hit(_)) => below,
                Some(Act::Stand(_)) => !below,
                _ => false,
            }
        };
        !asked.is_empty() && asked.iter().all(fits) && !outcome.is_bust(place) && !outcome.is_split(*no)
    };
    let boxes: Vec<BoxNo> = desk.boxes().into_iter().filter(by_the_book).collect();
    let no = desk.dice.pick(&boxes).copied()?;
    let asked = desk.steps(|act| decides(act).and_then(Place::box_no) == Some(no));
    for step in asked.iter().rev() {
        desk.replace(*step, []);
    }
    desk.insert(*asked.first()?, [Act::Absent(no)]);
    Some(put_right(format!("the player of box {no} was away and the hand was played by the book")))
}

fn damaged(desk: &mut Desk<'_>) -> Option<Wrong> {
    let first = desk.first_decision().filter(|_| speaks_of(desk, "damaged_card_kept"))?;
    let card = desk.before(first).hands.values().flat_map(|hand| &hand.cards).map(|laid| laid.card).next_back()?;
    let end = desk.round.steps.len();
    desk.insert(end, [Act::Replaced(card), Act::Inspect(Person::Dealer), Act::Inspect(Person::Supervisor)]);
    desk.insert(first, [Act::Damaged(card)]);
    Some(put_right(format!("{} was found damaged and replaced after the round", card.pretty())))
}

/// The call that closes the betting.
fn betting_closes(desk: &Desk<'_>) -> Option<usize> {
    desk.steps(|act| *act == Act::NoMoreBets).first().copied()
}

fn bet_returned(desk: &mut Desk<'_>) -> Option<Wrong> {
    let closes = betting_closes(desk)?;
    let taken = desk.boxes();
    let free: Vec<BoxNo> = BoxNo::all().filter(|no| no.number() <= desk.setup.boxes && !taken.contains(no)).collect();
    let wager = Wager::on(desk.dice.pick(&free).copied()?, Hand::A);
    let stake = desk.setup.limits.iter().find(|limit| limit.on == WagerKind::Main)?.min;
    desk.insert(closes, [Act::Bet(wager, stake), Act::Return(wager)]);
    Some(put_right(format!("box {} bet {stake} and took it back before the deal", wager.box_no)))
}

fn bet_changed(desk: &mut Desk<'_>) -> Option<Wrong> {
    let bet = desk.any(|act| matches!(act, Act::Bet(wager, _) if wager.kind == WagerKind::Main && !wager.tip))?;
    let Some(Act::Bet(wager, stake)) = desk.act(bet).cloned() else { return None };
    let limit = desk.setup.limits.iter().find(|limit| limit.on == WagerKind::Main)?;
    let other =
        limit.min.plus(limit.step.unwrap_or(Money::ZERO)).filter(|other| *other <= limit.max && *other != stake)?;
    desk.replace(bet, [Act::Bet(wager, other), Act::Alter(wager, stake)]);
    Some(put_right(format!("box {} changed its stake from {other} to {stake} before the deal", wager.box_no)))
}

fn cutting_card(desk: &mut Desk<'_>) -> Option<Wrong> {
    let cards = drawn_cards(desk);
    let still_in = desk.steps(|act| *act == Act::CutCardOut).is_empty();
    let in_shoe = still_in && desk.round.id.round > 1 && desk.rules().cut_card_back_max.is_some();
    let (at, to, _) = desk.dice.pick(&cards).copied().filter(|_| in_shoe && !desk.rules().csm)?;
    desk.insert(at, [Act::CutCardOut]);
    // The next cut is the box's with whose card it came, or the last box's if that was the dealer's.
    desk.make_ready(to.box_no().or(desk.boxes().last().copied())?);
    Some(put_right("the cutting card came and the round was dealt to its end".into()))
}

fn cut_declined(desk: &mut Desk<'_>) -> Option<Wrong> {
    let cut = desk.steps(|act| matches!(act, Act::Cut { .. })).first().copied()?;
    let Some(Act::Cut { by: Cutter::Box(asked), depth }) = desk.act(cut).cloned() else { return None };
    let next = desk.boxes().into_iter().find(|no| *no > asked)?;
    desk.replace(cut, [Act::OfferCut(next), Act::Cut { by: Cutter::Box(next), depth }]);
    Some(put_right(format!("box {asked} declined the cut and box {next} made it")))
}

fn looked_on(desk: &mut Desk<'_>) -> Option<Wrong> {
    let decision = desk.any(|act| decides(act).is_some())?;
    desk.insert(decision, [Act::Supervisor]);
    Some(put_right("a supervisor was called and found nothing to put right".into()))
}

fn relieved(desk: &mut Desk<'_>) -> Option<Wrong> {
    let decision = desk.any(|act| decides(act).is_some())?;
    let relief = "relief".parse().ok()?;
    desk.insert(decision, [Act::DealerChange(relief)]);
    Some(put_right("another dealer took over".into()))
}
