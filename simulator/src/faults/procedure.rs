//! The shoe made ready the wrong way: shuffle, cut, cutting card and burn.

use auditor::rules::Burn;
use table::round::{Cutter, Preparation};
use table::{Act, BoxNo, Card, Place};

use super::chips::{cited, on_table};
use super::consequences::given;
use super::{Desk, Lived, Wrong, mistake};

pub(super) const FAULTS: &[Lived] = &[
    mistake("cut_forgotten", "cut_missing", "The cards are dealt without a cut.", cut_forgotten),
    mistake("cut_by_wrong_player", "cut_missing", "A player cuts who was not asked to.", cut_by_wrong_player),
    mistake("cut_too_near_front", "cut_too_near_end", "The cut is a few cards from the front.", cut_near_front),
    mistake("cut_too_near_back", "cut_too_near_end", "The cut is a few cards from the back.", cut_near_back),
    mistake("cut_card_too_deep", "cut_card_misplaced", "The cutting card goes in far from the back.", cut_card_deep),
    mistake(
        "cut_card_too_shallow",
        "cut_card_misplaced",
        "The cutting card goes in at the very back.",
        cut_card_shallow,
    ),
    mistake(
        "shuffle_forgotten",
        "shuffle_missing",
        "A new shoe is cut and dealt without a shuffle.",
        shuffle_forgotten,
    ),
    mistake(
        "face_shown_loading",
        "shuffle_missing",
        "A face is shown on the way into the shoe and nobody shuffles again.",
        shown,
    ),
    mistake(
        "discards_not_shuffled",
        "shuffle_missing",
        "Discards are put into the shoe unshuffled to finish a round.",
        discards,
    ),
    mistake("burn_forgotten", "burn_missing", "No card is burned from a new shoe.", burn_forgotten),
    mistake("burned_twice", "burned_too_many", "Two cards are burned from a new shoe.", burned_twice),
    mistake("burned_between_rounds", "burned_too_many", "A card is burned in the middle of a shoe.", burned_between),
    mistake("too_many_decks", "wrong_deck_count", "The game is played with a deck too many.", too_many_decks),
    mistake(
        "shuffled_in_final_rounds",
        "shuffled_in_final_rounds",
        "The cards are shuffled in the last three rounds.",
        in_final_rounds,
    ),
];

/// The first step of some kind.
fn step_of(desk: &Desk<'_>, is_it: impl Fn(&Act) -> bool) -> Option<usize> {
    desk.steps(is_it).first().copied()
}

fn cut_forgotten(desk: &mut Desk<'_>) -> Option<Wrong> {
    let cut = step_of(desk, |act| matches!(act, Act::Cut { .. }))?;
    desk.replace(cut, []);
    let offered = step_of(desk, |act| matches!(act, Act::OfferCut(_)))?;
    desk.replace(offered, []);
    Some(on_table("cut_missing", "the shuffled cards were dealt without a cut".into()))
}

fn cut_by_wrong_player(desk: &mut Desk<'_>) -> Option<Wrong> {
    let cut = step_of(desk, |act| matches!(act, Act::Cut { .. }))?;
    let Some(Act::Cut { by: Cutter::Box(asked), depth }) = desk.act(cut).cloned() else { return None };
    let others: Vec<BoxNo> = desk.boxes().into_iter().filter(|no| *no != asked).collect();
    let by = desk.dice.pick(&others).copied()?;
    desk.replace(cut, [Act::Cut { by: Cutter::Box(by), depth }]);
    Some(on_table("cut_missing.wrong_player", format!("the cut was offered to box {asked} and box {by} made it")))
}

/// Cards in the shoe.
fn size(desk: &Desk<'_>) -> u16 {
    52 * u16::from(desk.rules().decks)
}

fn cut_at(desk: &mut Desk<'_>, place: impl Fn(u16) -> u16) -> Option<Wrong> {
    let cut = step_of(desk, |act| matches!(act, Act::Cut { .. }))?;
    let Some(Act::Cut { by, depth: Some(_) }) = desk.act(cut).cloned() else { return None };
    let few = 2 + desk.dice.below(20) as u16;
    let depth = place(few);
    desk.replace(cut, [Act::Cut { by, depth: Some(depth) }]);
    Some(on_table("cut_too_near_end", format!("the cut was made {few} cards from an end")))
}

fn cut_near_front(desk: &mut Desk<'_>) -> Option<Wrong> {
    cut_at(desk, |few| few)
}

fn cut_near_back(desk: &mut Desk<'_>) -> Option<Wrong> {
    let size = size(desk);
    cut_at(desk, |few| size.saturating_sub(few))
}

fn cut_card_at(desk: &mut Desk<'_>, behind: u16, how: &'static str) -> Option<Wrong> {
    let put_in = step_of(desk, |act| matches!(act, Act::CutCardIn(_)))?;
    desk.replace(put_in, [Act::CutCardIn(behind)]);
    let tag = cited(desk, &[how, "cut_card_misplaced"])?;
    Some(on_table(tag, format!("{behind} cards lay behind the cutting card")))
}

fn cut_card_deep(desk: &mut Desk<'_>) -> Option<Wrong> {
    let behind = size(desk).saturating_sub(52);
    desk.rules().cut_card_back_max?;
    cut_card_at(desk, behind, "cut_card_misplaced.too_deep")
}

fn cut_card_shallow(desk: &mut Desk<'_>) -> Option<Wrong> {
    desk.rules().cut_card_back_min?;
    cut_card_at(desk, 4, "cut_card_misplaced.too_shallow")
}

fn shuffle_forgotten(desk: &mut Desk<'_>) -> Option<Wrong> {
    let shuffle = step_of(desk, |act| matches!(act, Act::Shuffle(_)))?;
    let loaded = step_of(desk, |act| matches!(act, Act::Cut { .. } | Act::CutCardIn(_)))?;
    if desk.round.id.shoe < 2 || desk.rules().csm || loaded < shuffle {
        return None;
    }
    desk.round.steps.retain(|step| !matches!(step.act, Act::Shuffle(_)));
    let tag = cited(desk, &["shuffle_missing.new_shoe", "shuffle_missing"])?;
    Some(on_table(tag, "a new shoe was dealt without a shuffle".into()))
}

fn shown(desk: &mut Desk<'_>) -> Option<Wrong> {
    let cut = step_of(desk, |act| matches!(act, Act::Cut { .. }))?;
    let first = desk.steps(|act| given(act).is_some()).first().copied()?;
    let Some(Act::Card { card, .. }) = desk.act(first).cloned() else { return None };
    desk.insert(cut, [Act::Exposed(card)]);
    Some(on_table("shuffle_missing.exposed", format!("{} was shown on the way into the shoe", card.pretty())))
}

fn discards(desk: &mut Desk<'_>) -> Option<Wrong> {
    let last =
        desk.dealers_cards().last().copied().filter(|last| desk.act(*last).and_then(given) == Some(Place::Dealer))?;
    let by = desk.boxes().first().copied()?;
    let prepared = step_of(desk, |act| matches!(act, Act::Shuffle(_))).is_some();
    if desk.rules().csm || prepared || desk.dealers_cards().len() < 2 {
        return None;
    }
    desk.insert(last, [Act::OfferCut(by), Act::Cut { by: Cutter::Box(by), depth: Some(30) }]);
    desk.make_ready(by);
    Some(on_table("shuffle_missing.discards", "the discards were cut and dealt without a shuffle".into()))
}

fn burn_forgotten(desk: &mut Desk<'_>) -> Option<Wrong> {
    let burn = step_of(desk, |act| matches!(act, Act::Burn(_)))?;
    if !matches!(desk.rules().burn, Burn::PerShoe | Burn::PerRound) {
        return None;
    }
    desk.replace(burn, []);
    Some(on_table("burn_missing", "no card was burned".into()))
}

fn burned_twice(desk: &mut Desk<'_>) -> Option<Wrong> {
    let burn = step_of(desk, |act| matches!(act, Act::Burn(_))).filter(|_| !desk.rules().csm)?;
    desk.draw()?;
    desk.insert(burn, [Act::Burn(Card::HIDDEN)]);
    Some(on_table("burned_too_many", "two cards were burned".into()))
}

fn burned_between(desk: &mut Desk<'_>) -> Option<Wrong> {
    let prepared = step_of(desk, |act| matches!(act, Act::Shuffle(_))).is_some();
    if prepared || desk.rules().csm || !matches!(desk.rules().burn, Burn::PerShoe | Burn::Optional | Burn::Never) {
        return None;
    }
    desk.draw()?;
    desk.insert(0, [Act::Burn(Card::HIDDEN)]);
    Some(on_table("burned_too_many", "a card was burned in the middle of the shoe".into()))
}

fn too_many_decks(desk: &mut Desk<'_>) -> Option<Wrong> {
    let shuffle = step_of(desk, |act| matches!(act, Act::Shuffle(_)))?;
    // New cards change who has the first cut, and who that is depends on an earlier round.
    if step_of(desk, |act| matches!(act, Act::OfferCut(_))).is_some() {
        return None;
    }
    let decks = desk.rules().decks_max.saturating_add(1);
    desk.insert(shuffle, [Act::Cards { prepared: Preparation::Checked, decks }]);
    Some(on_table("wrong_deck_count", format!("{decks} decks were brought to the table")))
}

fn in_final_rounds(desk: &mut Desk<'_>) -> Option<Wrong> {
    let by = desk.boxes().first().copied()?;
    if desk.rules().csm {
        return None;
    }
    // Announced once the shoe is ready: before new cards it would be of another shoe.
    let bets = desk.steps(|act| matches!(act, Act::Bet(..))).first().copied()?;
    desk.insert(bets, [Act::FinalRounds]);
    desk.insert(desk.round.steps.len(), [Act::CutCardOut]);
    desk.make_ready(by);
    Some(on_table(
        "shuffled_in_final_rounds",
        "the cards were shuffled after the last three rounds were announced".into(),
    ))
}
