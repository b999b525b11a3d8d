//! The dealer's hand: drawn as the game says, and as far as this box needs it.

use table::{SideBet, Total};

use super::super::{Point, on_hand};
use super::{Breach, Lawful, Matter, ensure};
use crate::dealer::must_draw;
use crate::hand::{DealerHand, End, PlayerHand};

/// The dealer drew on no standing total, and went on while a wager depended on it.
pub(super) fn played(matter: Matter<'_>, hands: &[PlayerHand]) -> Lawful {
    let (rules, cards) = (matter.rules, &matter.case.dealer_cards);
    let total = |count: usize| Total::of(cards.iter().take(count).copied());
    for count in 2..cards.len() {
        let Some(held) = total(count).filter(|held| !must_draw(rules, *held)) else { continue };
        let tag = match (held.points, held.soft) {
            (17, true) => "dealer_overdrew.soft17",
            (17, false) => "dealer_overdrew.hard17",
            _ => "dealer_overdrew",
        };
        return Err(Breach::of(&[tag], format!("the dealer drew on {held}")));
    }
    peeked(matter, hands)?;
    let second = needs_second_card(matter, hands);
    ensure(cards.len() >= 2 || !second, &["dealer_stood_short.hard", "dealer_stopped_short_of_effect"], || {
        "the dealer's second card is missing, and a wager depends on it".to_owned()
    })?;
    let Some(held) = total(cards.len()).filter(|held| cards.len() < 2 || must_draw(rules, *held)) else {
        return Ok(());
    };
    if matter.case.side_bets.iter().any(|side| side.bet == SideBet::Push22) && !is_void(hands) {
        let tags = &["dealer_stopped_short_of_effect.push22", "dealer_stood_short"];
        return Err(Breach::of(tags, format!("the dealer stopped on {held} with a Push 22 wager standing")));
    }
    let live = matter.around.other_live_hands || hands.iter().any(|hand| is_live(matter, hand));
    let tags: &[&str] = match (held.points, held.soft) {
        (17, true) => &["dealer_stood_short.soft17"],
        _ => &["dealer_stood_short.hard", "dealer_stopped_short_of_effect"],
    };
    ensure(!live, tags, || format!("the dealer stopped on {held} with a hand to play against"))
}

fn is_void(hands: &[PlayerHand]) -> bool {
    hands.iter().all(|hand| hand.end == End::Void)
}

/// A hole card that makes a natural is seen before any player acts.
fn peeked(matter: Matter<'_>, hands: &[PlayerHand]) -> Lawful {
    let dealer = matter.dealer();
    let acted = hands.iter().any(|hand| hand.split || hand.doubled || hand.cards.len() > 2);
    let tag = if dealer.shows_ace() { "peek_missing.ace" } else { "peek_missing.ten" };
    ensure(!(matter.rules.hole_card && dealer.is_natural() && acted), &[tag, "loser_paid.dealer_natural"], || {
        "the dealer's natural ends the round before a player acts".to_owned()
    })
}

/// Whether the result of a hand is open until the dealer's hand is complete.
fn is_live(matter: Matter<'_>, hand: &PlayerHand) -> bool {
    let decided = hand.end != End::Played || hand.is_natural();
    // Against a hand of nothing a result that cannot be told is one the dealer's cards decide.
    let point = on_hand(matter.rules, hand, DealerHand { cards: &[] }).map(|ruling| ruling.point);
    !decided && !matches!(point, Some(Point::Bust | Point::TwentyOne | Point::FiveCards))
}

/// Whether a wager turns on the dealer having a natural.
fn needs_second_card(matter: Matter<'_>, hands: &[PlayerHand]) -> bool {
    let (rules, dealer) = (matter.rules, matter.dealer());
    if !dealer.shows_ace_or_ten() {
        return false;
    }
    let refunded = rules.even_money_refunds_insurance && hands.iter().any(|hand| hand.end == End::EvenMoney);
    let insured = matter.case.insurance.0 != table::Money::ZERO && !refunded && !is_void(hands);
    let waits = |hand: &PlayerHand| match hand.end {
        End::Void | End::EvenMoney => false,
        End::Surrendered => true,
        End::Played if hand.is_natural() => !rules.bj_always_wins,
        End::Played => {
            let bust = hand.total().is_some_and(Total::is_bust);
            bust && rules.obo && rules.busts_wait() && (hand.split || hand.doubled)
        }
    };
    insured || hands.iter().any(waits)
}
