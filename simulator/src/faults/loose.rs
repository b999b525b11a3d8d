//! Cards that lie about: shown, dropped, boxed or drawn in error, and not dealt with as the book asks.

use table::{Act, Place};

use super::chips::{Outcome, on_table};
use super::consequences::on_hand_of;
use super::{Desk, Lived, Wrong, mistake};

pub(super) const FAULTS: &[Lived] = &[
    mistake(
        "exposed_card_thrown_away",
        "exposed_card_misused",
        "A card shown in error goes to the rack.",
        exposed_discarded,
    ),
    mistake(
        "exposed_card_passed_over",
        "exposed_card_misused",
        "A card shown in error is not the next to be dealt.",
        exposed_passed,
    ),
    mistake("refuser_drew", "exposed_card_misused", "A player refuses a shown card and draws another.", refuser_drew),
    mistake("boxed_card_played", "boxed_card_played", "A card found face up in the shoe is dealt.", boxed_played),
    mistake(
        "dropped_card_picked_up",
        "dropped_card_without_supervisor",
        "A card falls and nobody is called.",
        |desk| dropped(desk, "dropped_card_without_supervisor", |place| vec![Act::Accept(place)]),
    ),
    mistake(
        "dropped_card_forced",
        "dropped_card_no_choice",
        "A dropped card is dealt without asking the player.",
        |desk| dropped(desk, "dropped_card_no_choice", |_| vec![Act::Supervisor]),
    ),
    mistake("refused_card_played", "refused_card_played", "A dropped card that the player refused is dealt.", |desk| {
        dropped(desk, "refused_card_played", |place| vec![Act::Supervisor, Act::Refuse(place)])
    }),
    mistake("error_card_thrown_away", "error_card_burned", "A card drawn in error goes to the rack.", error_discarded),
    mistake(
        "burned_card_fetched_back",
        "error_card_burned",
        "A card thrown away in error is taken back into play.",
        fetched_back,
    ),
    mistake(
        "card_from_elsewhere",
        "not_from_the_shoe",
        "The card dealt is not the one that left the shoe.",
        from_elsewhere,
    ),
];

/// Where play goes on after the initial deal, once cards are due: a hit or stand.
fn any_turn(desk: &mut Desk<'_>) -> Option<usize> {
    let last = desk.dealers_cards().last().copied()?;
    let turns: Vec<usize> = desk.steps(|act| matches!(act, Act::Hit(_) | Act::Stand(_)));
    let turns: Vec<usize> = turns.into_iter().filter(|step| *step < last).collect();
    desk.dice.pick(&turns).copied()
}

fn exposed_discarded(desk: &mut Desk<'_>) -> Option<Wrong> {
    let turn = any_turn(desk)?;
    let card = desk.draw()?;
    desk.insert(turn, [Act::Exposed(card), Act::Discard(card)]);
    Some(on_table("exposed_card_misused", format!("{} was shown in error and thrown away", card.pretty())))
}

fn exposed_passed(desk: &mut Desk<'_>) -> Option<Wrong> {
    let (step, _, next) = desk.any_hit()?;
    let card = desk.draw().filter(|card| *card != next)?;
    desk.insert(step - 1, [Act::Exposed(card)]);
    Some(on_table("exposed_card_misused", format!("{} was shown in error and another card dealt", card.pretty())))
}

fn refuser_drew(desk: &mut Desk<'_>) -> Option<Wrong> {
    let (step, place, next) = desk.any_hit()?;
    let card = desk.draw().filter(|card| *card != next)?;
    if Outcome::of(&desk.round).is_split(place.box_no()?) {
        return None;
    }
    desk.insert(step - 1, [Act::Exposed(card), Act::Refuse(place)]);
    Some(on_hand_of(
        place,
        "exposed_card_misused.refuser_drew",
        format!("box {place} refused a shown card and drew another"),
    ))
}

fn boxed_played(desk: &mut Desk<'_>) -> Option<Wrong> {
    let (step, place, card) = desk.any_hit()?;
    desk.insert(step, [Act::Boxed(card)]);
    Some(on_hand_of(
        place,
        "boxed_card_played",
        format!("{} lay face up in the shoe and went to box {place}", card.pretty()),
    ))
}

fn dropped(desk: &mut Desk<'_>, tag: &'static str, then: fn(Place) -> Vec<Act>) -> Option<Wrong> {
    let (step, place, card) = desk.any_hit()?;
    desk.insert(step, [Act::Dropped(card)].into_iter().chain(then(place)));
    let says = format!("{} fell to the floor and went to box {place} all the same", card.pretty());
    Some(on_hand_of(place, tag, says))
}

fn error_discarded(desk: &mut Desk<'_>) -> Option<Wrong> {
    let turn = any_turn(desk)?;
    let card = desk.draw()?;
    desk.insert(turn, [Act::Drawn(card), Act::Discard(card)]);
    Some(on_table("error_card_burned", format!("{} was drawn in error and thrown away", card.pretty())))
}

fn fetched_back(desk: &mut Desk<'_>) -> Option<Wrong> {
    let (step, _, card) = desk.any_hit()?;
    desk.insert(step, [Act::Drawn(card), Act::Discard(card)]);
    Some(on_table("error_card_burned.retrieved", format!("{} was thrown away and fetched back", card.pretty())))
}

fn from_elsewhere(desk: &mut Desk<'_>) -> Option<Wrong> {
    let (step, place, card) = desk.any_hit()?;
    let drawn = desk.draw().filter(|drawn| *drawn != card)?;
    // Should the same face come later, nobody could tell that it was not this card.
    let comes_later = |act: &Act| matches!(act, Act::Card { card, .. } | Act::TurnUp(_, card) if *card == drawn);
    if desk.steps(comes_later).last().is_some_and(|later| *later > step) {
        return None;
    }
    desk.insert(step, [Act::Drawn(drawn)]);
    let says = format!("{} left the shoe and {} came to box {place}", drawn.pretty(), card.pretty());
    Some(on_hand_of(place, "not_from_the_shoe", says))
}
