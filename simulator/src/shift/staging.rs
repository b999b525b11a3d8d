//! Staged faults: a check's template dealt at our table with our cards.

use auditor::check::{Template, TemplateError};
use table::{Act, AtStake, BoxNo, Card, Favours, Layout, Money, Round, Suit};

use crate::face;
use crate::faults::Wrong;
use crate::setup::Setup;

/// Rounds in which a fault was staged.
pub(crate) struct Staged {
    /// The rounds, the first of which may make the shoe ready.
    pub(crate) rounds: Vec<Round>,
    /// The first of them that is not as it should be.
    pub(crate) first: usize,
    /// What went wrong in them.
    pub(crate) wrong: Wrong,
}

/// Deals a template and spoils it. `None` where it does not fit the table: another game, another option.
pub(crate) fn stage(
    setup: &Setup,
    template: &'static Template,
    swap_reds: bool,
) -> Result<Option<Staged>, TemplateError> {
    let options = template.options()?;
    let set = options.iter().all(|(name, value)| setup.game.options.get(name) == Some(value));
    let rules = &setup.law.rules;
    if !set || !(template.fits)(rules) || setup.law.cited(template.tag).is_empty() {
        return Ok(None);
    }
    // A house option of the table's own may leave no room for the plan: fewer boxes, another order of dealing.
    let dealt = template.clean(&setup.game.name, rules).and_then(|clean| {
        let spoiled = template.spoiled(&setup.game.name, rules)?;
        Ok((clean, spoiled))
    });
    let (clean, mut rounds) = match dealt {
        Err(_) if setup.game.options.len() > options.len() => return Ok(None),
        dealt => dealt?,
    };
    let cuts = |act: &Act| matches!(act, Act::OfferCut(_) | Act::Cut { .. } | Act::CutCardIn(_) | Act::CutCardOut);
    let has_cuts = rounds.iter().any(|round| round.steps.iter().any(|step| cuts(&step.act)));
    // A continuous shuffler is not cut, except where that is what the template is about.
    if rules.csm && has_cuts && !template.options.contains("csm") {
        return Ok(None);
    }
    // A table laid out with fewer boxes than the game allows has nobody on the others.
    let acts = rounds.iter().flat_map(|round| &round.steps).map(|step| &step.act);
    let farthest = acts.filter_map(box_of).map(BoxNo::number).max().unwrap_or_default();
    if farthest > setup.boxes && setup.boxes < rules.boxes_max {
        return Ok(None);
    }
    let wrong = wrong(template.tag, &clean, &rounds);
    let first = clean.iter().zip(&rounds).position(|(was, is)| was.steps != is.steps).unwrap_or(0);
    for round in &mut rounds {
        round.game = setup.game.clone();
        if swap_reds {
            round.steps.iter_mut().for_each(|step| swap_red_suits(&mut step.act));
        }
    }
    Ok(Some(Staged { rounds, first, wrong }))
}

/// What the label says, from the difference between the rounds as they should have been and as they were.
fn wrong(tag: &'static str, clean: &[Round], spoiled: &[Round]) -> Wrong {
    let mut touched: Vec<&Act> = Vec::new();
    for (was, is) in clean.iter().zip(spoiled) {
        touched.extend(changed(was, is));
    }
    let mut boxes: Vec<BoxNo> = touched.iter().filter_map(|act| box_of(act)).collect();
    boxes.sort_unstable();
    boxes.dedup();
    // Steps that only changed places are as much another box's as this one's.
    let moved_only = clean.iter().zip(spoiled).all(|(was, is)| sorted(was) == sorted(is));
    let box_no = if let ([only], false) = (&boxes[..], moved_only) { Some(*only) } else { None };
    Wrong { tag, box_no, hand: None, money: moved(clean, spoiled), says: format!("staged: {tag}") }
}

fn sorted(round: &Round) -> Vec<String> {
    let mut steps: Vec<String> = round.steps.iter().map(|step| step.act.to_string()).collect();
    steps.sort_unstable();
    steps
}

/// The steps of either round between what they have in common at the beginning and at the end.
fn changed<'a>(was: &'a Round, is: &'a Round) -> impl Iterator<Item = &'a Act> {
    let (was, is) = (&was.steps, &is.steps);
    let head = was.iter().zip(is).take_while(|(was, is)| was == is).count();
    let most = was.len().min(is.len()) - head;
    let tail = was.iter().rev().zip(is.iter().rev()).take(most).take_while(|(was, is)| was == is).count();
    let middle = |of: &'a [table::Step]| of[head..of.len() - tail].iter().map(|step| &step.act);
    middle(was).chain(middle(is))
}

fn box_of(act: &Act) -> Option<BoxNo> {
    match act {
        Act::Pay(wager, _)
        | Act::Take(wager, _)
        | Act::Push(wager)
        | Act::Return(wager)
        | Act::Bet(wager, _)
        | Act::Alter(wager, _)
        | Act::Double(wager, _)
        | Act::Split(wager, _)
        | Act::Surrender(wager)
        | Act::EvenMoney(wager)
        | Act::Parlay(wager, _)
        | Act::Ride(wager, _)
        | Act::Prize(wager, _) => Some(wager.box_no),
        Act::Card { to, .. } | Act::TurnUp(to, _) | Act::Hit(to) | Act::Stand(to) | Act::Collect(to) => to.box_no(),
        Act::Touch(box_no, _) => Some(*box_no),
        _ => None,
    }
}

/// What went to the players that should not have, or the other way round; nothing where the wagers differ, because then
/// the two rounds cannot be compared.
fn moved(clean: &[Round], spoiled: &[Round]) -> Option<AtStake> {
    let wagers = |rounds: &[Round]| -> Vec<Act> {
        let placed = |act: &Act| matches!(act, Act::Bet(..) | Act::Alter(..) | Act::Double(..) | Act::Split(..));
        let acts = rounds.iter().flat_map(|round| round.steps.iter().map(|step| step.act.clone()));
        acts.filter(|act| placed(act)).collect()
    };
    if wagers(clean) != wagers(spoiled) {
        return None;
    }
    let gain = players_net(spoiled)?.minus(players_net(clean)?)?;
    match gain.minor() {
        0 => None,
        over if over > 0 => Some(AtStake { amount: gain, favours: Favours::Player }),
        short => Some(AtStake { amount: Money::from_minor(-short), favours: Favours::House }),
    }
}

/// What the players won, less what they lost.
fn players_net(rounds: &[Round]) -> Option<Money> {
    let mut net = Money::ZERO;
    for chips in rounds.iter().flat_map(|round| Layout::after(round).wagers.into_values()) {
        net = net.plus(chips.paid.unwrap_or_default())?.minus(chips.taken.unwrap_or_default())?;
    }
    Some(net)
}

/// Hearts for diamonds and the other way round: to every rule and pay scale the same round, to the eye another.
fn swap_red_suits(act: &mut Act) {
    if let Some(card) = face(act) {
        *card = swapped(*card);
    }
}

fn swapped(card: Card) -> Card {
    let suit = match card.suit() {
        Some(Suit::Hearts) => Suit::Diamonds,
        Some(Suit::Diamonds) => Suit::Hearts,
        _ => return card,
    };
    card.rank().map_or(card, |rank| Card::new(rank, suit))
}
