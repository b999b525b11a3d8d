//! The cards of a round as things: which left the shoe with which step, and in which order they came to the rack.

use std::collections::{BTreeMap, VecDeque};

use table::{Act, Card, Face, Hand, Place, Round};

use crate::Draw;

/// The cards that left the shoe. A hidden card is known by its later turning; if it is never turned, by `hidden`, which
/// gives the faces of such cards in order.
pub(crate) fn drawn(round: &Round, mut hidden: impl FnMut() -> Option<Card>) -> Vec<Draw> {
    let mut draws = Vec::new();
    let mut loose: Vec<Card> = Vec::new();
    let mut dealt = None;
    let mut in_play = false;
    for (step, act) in round.steps.iter().map(|step| &step.act).enumerate() {
        in_play |= matches!(act, Act::Bet(..) | Act::Card { .. });
        let card = match act {
            Act::Drawn(card) | Act::Dropped(card) | Act::Boxed(card) => {
                dealt = matches!(act, Act::Drawn(_)).then_some(*card);
                loose.push(*card);
                *card
            }
            // Before the bets a card is shown on its way into the shoe, not out of it.
            Act::Exposed(card) if in_play => {
                loose.push(*card);
                *card
            }
            Act::Card { card, .. } | Act::Burn(card) | Act::Discard(card) => {
                // Another card than the one dealt came from a sleeve and never left the shoe.
                let switched = dealt.take().is_some_and(|dealt| dealt != *card) && matches!(act, Act::Card { .. });
                if let Some(lies) = loose.iter().position(|lies| lies == card) {
                    loose.remove(lies);
                    continue;
                }
                // A card that lies about while another is dealt in its place was passed over.
                loose.clear();
                if switched {
                    continue;
                }
                match act {
                    Act::Discard(_) => continue,
                    Act::Card { to, face, .. } if !card.is_known() => turned(round, step, *to, *face).unwrap_or(*card),
                    _ => *card,
                }
            }
            _ => continue,
        };
        let card = if card.is_known() { Some(card) } else { hidden() };
        draws.extend(card.map(|card| Draw { step, card }));
    }
    draws
}

/// The faces of those cards of a round that were never shown, in order, if these are all that were taken for it.
pub(crate) fn unseen(round: &Round, taken: impl Iterator<Item = Card>) -> Vec<Card> {
    let mut shown: Vec<Card> = drawn(round, || None).iter().map(|draw| draw.card).collect();
    let hidden = |card: &Card| match shown.iter().position(|seen| seen == card) {
        Some(at) => {
            shown.swap_remove(at);
            false
        }
        None => true,
    };
    taken.filter(hidden).collect()
}

/// The face of a card put down unseen, if it is turned up later: cards are turned in the order they lie.
fn turned(round: &Round, step: usize, place: Place, face: Face) -> Option<Card> {
    let lies_down =
        |act: &Act| matches!(act, Act::Card { to, card, face: Face::Down, .. } if *to == place && !card.is_known());
    let before = round.steps.iter().take(step).filter(|step| lies_down(&step.act)).count();
    let mut turns = round.steps.iter().filter_map(|step| match step.act {
        Act::TurnUp(at, card) if at == place => Some(card),
        _ => None,
    });
    (face == Face::Down).then(|| turns.nth(before)).flatten()
}

/// The cards of a round in the order they come to the rack: burned and discarded ones at once, hands as collected.
/// Every card that was drawn is in it once, also one whose collection nobody did.
pub(crate) fn racked(round: &Round, draws: &[Draw]) -> Vec<Card> {
    let mut faces: VecDeque<Draw> = draws.iter().copied().collect();
    let mut hands: BTreeMap<Place, Vec<Card>> = BTreeMap::new();
    let mut rack = Vec::with_capacity(draws.len());
    for (step, act) in round.steps.iter().map(|step| &step.act).enumerate() {
        let came = faces.front().filter(|draw| draw.step == step).map(|draw| draw.card);
        if came.is_some() {
            faces.pop_front();
        }
        match act {
            Act::Card { to, card, .. } => hands.entry(*to).or_default().push(came.unwrap_or(*card)),
            Act::Burn(card) => rack.push(came.unwrap_or(*card)),
            Act::Discard(card) => rack.push(*card),
            Act::Zap(place) | Act::Collect(place) => rack.append(&mut hands.remove(place).unwrap_or_default()),
            Act::Split(wager, _) => split(&mut hands, wager.place()),
            Act::Move { card, from, to } => {
                let cards = hands.entry(*from).or_default();
                if let Some(at) = cards.iter().rposition(|lies| lies == card) {
                    let card = cards.remove(at);
                    hands.entry(*to).or_default().push(card);
                }
            }
            _ => {}
        }
    }
    rack.extend(hands.into_values().flatten());
    conserve(rack, draws)
}

/// Opens the next hand of the box with the second card.
fn split(hands: &mut BTreeMap<Place, Vec<Card>>, place: Place) {
    let Place::Box(box_no, _) = place else { return };
    let Some(second) = hands.get_mut(&place).filter(|cards| cards.len() > 1).and_then(Vec::pop) else { return };
    let next =
        (1..26).filter_map(Hand::new).map(|hand| Place::Box(box_no, hand)).find(|next| !hands.contains_key(next));
    hands.entry(next.unwrap_or(place)).or_default().push(second);
}

/// What was drawn and nothing else: a card that came from elsewhere is taken out, one that was lost is put on top.
fn conserve(rack: Vec<Card>, draws: &[Draw]) -> Vec<Card> {
    let mut due: Vec<Card> = draws.iter().map(|draw| draw.card).collect();
    let mut kept: Vec<Card> = rack
        .into_iter()
        .filter(|card| due.iter().position(|drawn| drawn == card).map(|at| due.remove(at)).is_some())
        .collect();
    kept.append(&mut due);
    kept
}

/// Whether these are so many whole decks.
pub(crate) fn is_whole(cards: &[Card], decks: u8) -> bool {
    let mut counts: BTreeMap<Card, u8> = BTreeMap::new();
    for card in cards {
        let count = counts.entry(*card).or_default();
        *count = count.saturating_add(1);
    }
    counts.values().all(|count| *count == decks) && counts.len() == Card::faces().count()
}

/// Takes cards out of the stock as they were drawn, each from as near the front as it lies. `None`, and the stock as it
/// was, if one of them is not there.
pub(crate) fn take(stock: &mut VecDeque<Card>, draws: &[Draw]) -> Option<()> {
    let mut left = stock.clone();
    for draw in draws {
        let at = left.iter().position(|card| *card == draw.card)?;
        left.remove(at);
    }
    *stock = left;
    Some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round(steps: &str) -> Round {
        table::notation::parse(&format!("game nz-base\n{}", steps.replace("; ", "\n"))).unwrap().remove(0)
    }

    fn faces(cards: &[Card]) -> String {
        cards.iter().map(Card::to_string).collect::<Vec<_>>().join(" ")
    }

    fn drawn_faces(round: &Round) -> String {
        let mut unseen = "2C 3C".split(' ').map(|card| card.parse().unwrap());
        faces(&drawn(round, || unseen.next()).iter().map(|draw| draw.card).collect::<Vec<_>>())
    }

    #[test]
    fn a_hidden_card_is_the_one_turned_later_or_the_one_only_the_shoe_knows() {
        let turned = round("burn XX; card dealer AS; card dealer XX down; turn dealer 9D");
        assert_eq!(drawn_faces(&turned), "2C AS 9D");
        let never = round("burn XX; card dealer AS; card dealer XX down; collect dealer");
        assert_eq!(drawn_faces(&never), "2C AS 3C");
    }

    #[test]
    fn a_card_that_lay_about_left_the_shoe_once() {
        assert_eq!(drawn_faces(&round("card 3 TH; drawn 8D; stand 3; card dealer 8D")), "TH 8D");
        assert_eq!(drawn_faces(&round("card 3 TH; boxed 4H; discard 4H; card dealer 8D")), "TH 4H 8D");
        assert_eq!(drawn_faces(&round("card 3 TH; exposed 8D; card 3 8D")), "TH 8D");
        assert_eq!(drawn_faces(&round("card 3 TH; dropped 8D; card 3 9D")), "TH 8D 9D");
    }

    #[test]
    fn a_card_from_a_sleeve_never_left_the_shoe() {
        assert_eq!(drawn_faces(&round("card 3 TH; drawn 8D; card 3 9D; card dealer 9D")), "TH 8D 9D");
    }

    #[test]
    fn the_rack_holds_the_hands_in_the_order_they_were_collected() {
        let played = round(
            "burn 5S; card 3 8H; card 5 TH; card 3 8C; card 5 9H; split 3; card 3 2D; card 3b KS; card dealer 9S; \
             collect 5; collect 3b; collect 3; collect dealer",
        );
        let draws = drawn(&played, || None);
        assert_eq!(faces(&racked(&played, &draws)), "5S TH 9H 8C KS 8H 2D 9S");
    }

    #[test]
    fn no_card_is_lost_between_shoe_and_rack() {
        let cut_short = round("card 3 8H; card 5 TH; dropped 9H; collect 5");
        let draws = drawn(&cut_short, || None);
        assert_eq!(faces(&racked(&cut_short, &draws)), "TH 8H 9H");
    }

    #[test]
    fn cards_that_are_not_in_the_stock_cannot_be_taken_from_it() {
        let mut stock: VecDeque<Card> = ["2C", "3C", "4C"].iter().map(|card| card.parse().unwrap()).collect();
        let draw = |card: &str| Draw { step: 0, card: card.parse().unwrap() };
        assert_eq!(take(&mut stock, &[draw("4C"), draw("9H")]), None);
        assert_eq!(take(&mut stock, &[draw("4C"), draw("2C")]), Some(()));
        assert_eq!(stock.len(), 1);
    }
}
