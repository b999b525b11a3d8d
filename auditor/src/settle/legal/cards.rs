//! Cards that can lie where the case says: read, in the shoe, and grown from the first two.

use table::{Card, Total};

use super::super::case::Action;
use super::{Breach, Lawful, Matter, ensure};
use crate::rules::Rules;

/// More than any hand can hold without going over.
const MOST_CARDS: usize = 26;

/// Every card is read, and dealer, box and hands have as many as the deal gives them.
pub(super) fn known(matter: Matter<'_>) -> Lawful {
    let case = matter.case;
    let lists = [("dealer_cards", &case.dealer_cards), ("initial_cards", &case.initial_cards)];
    let zapped = matter.around.zapped_cards.iter().chain(case.hands.iter().filter_map(|h| h.zapped_cards.as_ref()));
    let hands = case.hands.iter().map(|hand| ("hands", &hand.cards));
    for (name, cards) in lists.into_iter().chain(hands).chain(zapped.map(|cards| ("zapped_cards", cards))) {
        if let Some(card) = cards.iter().find(|card| !card.is_known()) {
            return Err(Breach::malformed(format!("{name}: {card} is not a card that can be settled on")));
        }
        if cards.len() > MOST_CARDS {
            return Err(Breach::of(&["card_without_request"], format!("{name}: {} cards are no hand", cards.len())));
        }
    }
    if case.hands.is_empty() {
        return Err(Breach::malformed("hands: a box has one hand at least"));
    }
    let (up, two) = (case.dealer_cards.len(), case.initial_cards.len());
    if up == 0 {
        return Err(Breach::malformed("dealer_cards: the dealer has an up card at least"));
    }
    ensure(!matter.rules.hole_card || up >= 2, &["dealer_card_early.hole_card"], || {
        "the dealer has no hole card".to_owned()
    })?;
    ensure(two == 2, &["box_skipped.second_pass"], || format!("a box is dealt two cards, not {two}"))
}

/// The shoe holds as many decks as the game is played with, and no card more often than they do.
pub(super) fn in_the_shoe(matter: Matter<'_>) -> Lawful {
    let Rules { decks, decks_min, decks_max, .. } = *matter.rules;
    ensure((decks_min..=decks_max).contains(&decks), &["wrong_deck_count"], || {
        format!("{decks} decks, the game is played with {decks_min} to {decks_max}")
    })?;
    let mut seen = [0usize; 52];
    let case = matter.case;
    let zapped = if matter.is_zapped() { &case.initial_cards[..] } else { &[] };
    let hands = case.hands.iter().flat_map(|hand| &hand.cards);
    for card in case.dealer_cards.iter().chain(hands).chain(zapped) {
        let Some(count) = card.index().and_then(|index| seen.get_mut(index)) else { continue };
        *count += 1;
        ensure(*count <= usize::from(decks), &["too_many_of_a_card"], || {
            format!("{card} is there {count} times, the shoe holds {decks}")
        })?;
    }
    Ok(())
}

/// The hands are what the first two cards can have become.
pub(super) fn from_the_first_two(matter: Matter<'_>) -> Lawful {
    if matter.is_zapped() {
        return zapped(matter);
    }
    let case = matter.case;
    let starts: Vec<Card> = case.hands.iter().filter_map(|hand| hand.cards.first().copied()).collect();
    let [first, second] = case.initial_cards[..] else { return Ok(()) };
    let grown = if matter.is_split() {
        starts.first() == Some(&first) && starts.get(1..).is_some_and(|rest| rest.contains(&second))
    } else {
        case.hands[0].cards.get(..2) == Some(&case.initial_cards[..])
    };
    if grown {
        return Ok(());
    }
    Err(Breach::malformed(format!("the box was dealt {first} {second}, which cannot have become {}", listed(matter))))
}

fn listed(matter: Matter<'_>) -> String {
    let hand = |cards: &[Card]| cards.iter().map(Card::to_string).collect::<Vec<_>>().join(" ");
    matter.case.hands.iter().map(|h| hand(&h.cards)).collect::<Vec<_>>().join(" and ")
}

/// The first two cards were exchanged as the game allows.
fn zapped(matter: Matter<'_>) -> Lawful {
    let (rules, case) = (matter.rules, matter.case);
    ensure(rules.zap.any(), &["zapped_wrong_total"], || "the game exchanges no cards".to_owned())?;
    let times: usize = case.hands.iter().map(|hand| hand.count(&[Action::Zap])).sum();
    let first = case.hands[0].actions.first() == Some(&Action::Zap);
    ensure(times == 1 && first, &["zapped_wrong_total.too_late"], || {
        "cards are exchanged once, before anything else".to_owned()
    })?;
    let total = Total::of(case.initial_cards.iter().copied());
    let may = total.is_some_and(|total| rules.zap.has(total.points) && (!total.soft || rules.zap_soft));
    ensure(may, &["zapped_wrong_total"], || {
        format!("{} may not be exchanged", total.map(|total| total.to_string()).unwrap_or_default())
    })?;
    let gone = case.hands.iter().find_map(|hand| hand.zapped_cards.as_ref()).or(matter.around.zapped_cards.as_ref());
    let mut gone = gone.cloned().unwrap_or_default();
    let mut dealt = case.initial_cards.clone();
    gone.sort_unstable();
    dealt.sort_unstable();
    ensure(gone == dealt, &["zap_wrong_cards.removed"], || {
        "the two first cards, and only they, are given away in an exchange".to_owned()
    })
}
