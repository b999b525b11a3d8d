//! Hands played the wrong way: the dealer's own, and the turns of the players.

use auditor::dealer::must_draw;
use auditor::rules::{DealerSkip, Hit21, PlayerCards};
use table::{Act, BoxNo, Place, Rank, Total};

use super::chips::{Outcome, cited, decides, move_before, on_table};
use super::consequences::{face_up, first_hand, given, moved, on_hand_of, settles};
use super::{Desk, Lived, Wrong, mistake};

pub(super) const FAULTS: &[Lived] = &[
    mistake("hit_hard_17", "dealer_overdrew", "The dealer draws to a hard 17.", |desk| overdrew(desk, 17..=17)),
    mistake(
        "dealer_misadded_low",
        "dealer_overdrew",
        "The dealer counts a standing hand too low and draws to it.",
        |desk| overdrew(desk, 18..=20),
    ),
    mistake("hit_soft_17", "dealer_overdrew", "The dealer draws to a soft 17 that stands.", hit_soft_17),
    mistake("stood_on_soft_17", "dealer_stood_short", "The dealer stands on a soft 17 that draws.", stood_on_soft_17),
    mistake("stood_on_16", "dealer_stood_short", "The dealer stands on 16.", stood_on_16),
    mistake(
        "dealer_misadded_high",
        "dealer_stood_short",
        "The dealer counts a hand too high and stands.",
        stood_on_stiff,
    ),
    mistake(
        "dealer_drew_for_nothing",
        "dealer_drew_for_nothing",
        "The dealer draws although no wager depends on it.",
        drew_for_nothing,
    ),
    mistake("dealer_drew_early", "dealer_drew_early", "The dealer draws before the last player is done.", drew_early),
    mistake("peek_forgotten", "peek_missing", "The dealer does not look under an ace or ten.", peek_forgotten),
    mistake(
        "asked_after_dealer_natural",
        "played_on_after_dealer_natural",
        "The dealer has looked at a natural and still asks a player to decide.",
        asked_after_natural,
    ),
    mistake("hit_on_21", "hit_on_21", "A hand of 21 is dealt a further card.", hit_on_21),
    mistake("hit_not_dealt", "hit_not_dealt", "A player asks for a card and gets none.", hit_not_dealt),
    mistake("card_without_request", "card_without_request", "A player gets a card without asking.", card_unasked),
    mistake("card_after_stand", "card_without_request", "A player who stands gets a card.", card_after_stand),
    mistake("player_passed_over", "passed_without_stand", "A player is passed over without being asked.", passed_over),
    mistake("boxes_swapped_in_play", "acted_out_of_turn", "A box is played before the one on its right.", out_of_turn),
    mistake("stood_short", "stood_short", "A hand that must draw is left as it is.", stood_short),
    mistake("sixth_card", "too_many_cards", "A hand with all the cards the game gives is dealt another.", sixth_card),
    mistake("round_cut_short", "round_cut_short", "The cutting card comes and the round is broken off.", cut_short),
];

/// What the dealer holds when the last card is down.
fn dealers_total(desk: &Desk<'_>) -> Option<(usize, Total)> {
    let begins = desk.settlement_begins()?;
    Some((begins, desk.total_before(begins, Place::Dealer)?))
}

fn overdrew(desk: &mut Desk<'_>, on: std::ops::RangeInclusive<u16>) -> Option<Wrong> {
    let (at, total) = dealers_total(desk)?;
    let held = desk.before(at).hands.get(&Place::Dealer)?.cards.len();
    if held < 2 || total.soft || !on.contains(&total.points) || !desk.is_contested() {
        return None;
    }
    let card = desk.draw()?;
    desk.insert(at, [face_up(Place::Dealer, card)]);
    let money = desk.settle_anew(at)?.at_stake();
    let tag = cited(desk, &["dealer_overdrew.hard17", "dealer_overdrew"])?;
    let says = format!("the dealer drew {} to {total}", card.pretty());
    Some(Wrong { money, ..on_table(tag, says) })
}

fn hit_soft_17(desk: &mut Desk<'_>) -> Option<Wrong> {
    let lawful = desk.round.clone();
    if desk.rules().dealer_hits_soft_17() {
        return None;
    }
    desk.dealt_by(|rules| rules.h17 = true)?;
    let money = moved(&lawful, &desk.round).at_stake();
    let tag = cited(desk, &["dealer_overdrew.soft17", "dealer_overdrew"])?;
    Some(Wrong { money, ..on_table(tag, "the dealer drew to soft 17".into()) })
}

fn stood_on_soft_17(desk: &mut Desk<'_>) -> Option<Wrong> {
    if !desk.rules().dealer_hits_soft_17() {
        return None;
    }
    desk.dealt_by(|rules| (rules.h17, rules.style_a) = (false, false))?;
    let tag = cited(desk, &["dealer_stood_short.soft17", "dealer_stood_short"])?;
    desk.is_contested().then(|| on_table(tag, "the dealer stood on soft 17".into()))
}

fn stood_on_16(desk: &mut Desk<'_>) -> Option<Wrong> {
    desk.dealt_by(|rules| rules.dealer_draws_on_16 = false)?;
    let tag = cited(desk, &["dealer_stood_short.hard", "dealer_stood_short"])?;
    desk.is_contested().then(|| on_table(tag, "the dealer stood on 16".into()))
}

fn stood_on_stiff(desk: &mut Desk<'_>) -> Option<Wrong> {
    let cards = desk.dealers_cards();
    let short = cards.iter().skip(2).copied().find(|step| {
        let total = desk.total_before(*step, Place::Dealer);
        total.is_some_and(|total| (12..=15).contains(&total.points) && !total.soft)
    })?;
    let total = desk.total_before(short, Place::Dealer)?;
    if !desk.is_contested() {
        return None;
    }
    for step in cards.into_iter().rev().filter(|step| *step >= short) {
        desk.replace(step, []);
    }
    desk.settle_anew(short)?;
    let tag = cited(desk, &["dealer_stood_short.hard", "dealer_stood_short"])?;
    Some(on_table(tag, format!("the dealer stood on {total}")))
}

fn drew_for_nothing(desk: &mut Desk<'_>) -> Option<Wrong> {
    let cleared = desk.steps(|act| *act == Act::Collect(Place::Dealer)).first().copied()?;
    let hand = desk.before(cleared).hands.get(&Place::Dealer)?.clone();
    let stands = hand.cards.len() > 1 && !must_draw(desk.rules(), hand.total()?);
    if desk.rules().dealer_skip == DealerSkip::Unstated || stands {
        return None;
    }
    let card = desk.draw()?;
    desk.insert(cleared, [face_up(Place::Dealer, card)]);
    Some(on_table("dealer_drew_for_nothing", format!("the dealer took {} with nothing depending on it", card.pretty())))
}

/// The last decision of the round, if it is one to hit or stand on a hand that is still open.
fn last_decision(desk: &Desk<'_>) -> Option<(usize, Place)> {
    let last = desk.steps(|act| decides(act).is_some()).last().copied()?;
    match desk.act(last)? {
        Act::Stand(place) | Act::Hit(place) => Some((last, *place)),
        _ => None,
    }
}

/// Whether a hand is one of split aces: it may be full, and then nothing was left to decide.
fn is_split_ace(outcome: &Outcome, place: Place) -> bool {
    let ace = outcome.cards(place).first().is_some_and(|card| card.rank() == Some(Rank::Ace));
    ace && place.box_no().is_some_and(|box_no| outcome.is_split(box_no))
}

/// Whether more decisions were made than one, so that it shows if one is missing.
fn decisions_show(desk: &Desk<'_>) -> bool {
    desk.steps(|act| decides(act).is_some()).len() > 1
}

fn drew_early(desk: &mut Desk<'_>) -> Option<Wrong> {
    let (last, place) = last_decision(desk)?;
    let next = desk.dealers_cards().into_iter().find(|step| *step > last)?;
    let next = if desk.rules().hole_card { vec![next, next + 1] } else { vec![next] };
    let drawn = next.last().and_then(|step| desk.act(*step)).and_then(given);
    let outcome = Outcome::of(&desk.round);
    // A hand that busts is cleared, and that would come out of order too.
    let ends = outcome.is_bust(place) || is_split_ace(&outcome, place);
    if drawn != Some(Place::Dealer) || outcome.dealer_has_natural() || ends {
        return None;
    }
    move_before(desk, &next, last);
    let says = format!("the dealer drew while box {place} was still to be played");
    Some(on_table("dealer_drew_early", says))
}

fn peek_forgotten(desk: &mut Desk<'_>) -> Option<Wrong> {
    let peek = desk.steps(|act| *act == Act::Peek).first().copied()?;
    let up = desk.before(peek).hands.get(&Place::Dealer)?.cards.first()?.card;
    let tag = if up.rank() == Some(Rank::Ace) { "peek_missing.ace" } else { "peek_missing.ten" };
    let given_up =
        desk.first_decision().and_then(|step| desk.act(step)).is_some_and(|act| matches!(act, Act::Surrender(_)));
    if given_up || Outcome::of(&desk.round).dealer_has_natural() {
        return None;
    }
    desk.replace(peek, []);
    Some(on_table(tag, format!("play went on under {} without a look at the hole card", up.pretty())))
}

fn asked_after_natural(desk: &mut Desk<'_>) -> Option<Wrong> {
    let peek = desk.steps(|act| *act == Act::Peek).first().copied()?;
    let outcome = Outcome::of(&desk.round);
    let open = desk.boxes().into_iter().map(first_hand).find(|place| !outcome.is_natural(*place))?;
    if !outcome.dealer_has_natural() || desk.before(peek).hands.get(&open)?.total()?.points >= 21 {
        return None;
    }
    desk.insert(peek + 1, [Act::Stand(open)]);
    let says = format!("box {open} was asked to decide though the dealer had looked at a natural");
    Some(on_hand_of(open, "played_on_after_dealer_natural", says))
}

/// Steps of some kind in the play of hands with their cards up, neither doubled nor exchanged.
fn open_hands(desk: &Desk<'_>, of: impl Fn(&Act) -> Option<Place>) -> Vec<(usize, Place)> {
    let outcome = Outcome::of(&desk.round);
    let steps = desk.round.steps.iter().enumerate();
    let hands = steps.filter_map(|(step, at)| of(&at.act).map(|place| (step, place)));
    hands
        .filter(|(_, place)| {
            let exchanged = place.box_no().is_none_or(|box_no| outcome.is_zapped(box_no));
            !exchanged && !outcome.is_doubled(*place) && desk.rules().player_cards == PlayerCards::Up
        })
        .collect()
}

/// The same on boxes where no wager beside the hand could turn on its cards.
fn plain_hands(desk: &Desk<'_>, of: impl Fn(&Act) -> Option<Place>) -> Vec<(usize, Place)> {
    let mut hands = open_hands(desk, of);
    hands.retain(|(_, place)| place.box_no().is_some_and(|box_no| desk.is_plain(box_no)));
    hands
}

fn hit_on_21(desk: &mut Desk<'_>) -> Option<Wrong> {
    let rules = desk.rules();
    let made = |desk: &Desk<'_>, step: usize, place| {
        let total = desk.total_before(step + 1, place)?;
        let forbidden = match rules.hit_21 {
            Hit21::Allowed => false,
            Hit21::SoftOnly => !total.soft,
            Hit21::Forbidden => true,
        };
        (total.points == 21 && forbidden && !rules.player21_wins).then_some(total)
    };
    let (from, outcome) = (desk.first_decision()?, Outcome::of(&desk.round));
    let hands = plain_hands(desk, |act| given(act).filter(|place| *place != Place::Dealer));
    let made_21: Vec<_> = hands
        .into_iter()
        .filter(|(step, _)| *step > from)
        .filter_map(|(step, place)| Some((step, place, made(desk, step, place)?)))
        .filter(|(_, place, _)| place.box_no().is_some_and(|box_no| !outcome.is_split(box_no)))
        .collect();
    let (step, place, total) = desk.dice.pick(&made_21).copied()?;
    let card = desk.draw()?;
    desk.insert(step + 1, [Act::Hit(place), face_up(place, card)]);
    let after = desk.total_before(step + 3, place)?;
    if after.is_bust() {
        desk.bust_at(step + 3, place);
        // With nobody left the dealer would not have drawn.
        if !desk.is_contested() {
            return None;
        }
    } else {
        desk.insert(step + 3, [Act::Stand(place)]);
        desk.settle_anew(step + 3)?;
    }
    let how = if total.soft { "hit_on_21.soft" } else { "hit_on_21.hard" };
    let tag = cited(desk, &[how, "hit_on_21"])?;
    Some(on_hand_of(place, tag, format!("box {place} was dealt {} to {total}", card.pretty())))
}

/// A hit whose card is the hand's last before the player stands, and which did not bust it.
fn last_hits(desk: &Desk<'_>) -> Vec<(usize, Place)> {
    let mut hits = plain_hands(desk, |act| if let Act::Hit(place) = act { Some(*place) } else { None });
    hits.retain(|(step, place)| {
        let card = desk.act(step + 1).and_then(given);
        card == Some(*place) && desk.act(step + 2) == Some(&Act::Stand(*place))
    });
    hits
}

fn hit_not_dealt(desk: &mut Desk<'_>) -> Option<Wrong> {
    let hits = last_hits(desk);
    let (step, place) = desk.dice.pick(&hits).copied()?;
    if desk.total_before(step, place)?.points >= 21 {
        return None;
    }
    desk.replace(step + 1, []);
    desk.settle_anew(step)?;
    Some(on_hand_of(place, "hit_not_dealt", format!("box {place} asked for a card and got none")))
}

fn card_unasked(desk: &mut Desk<'_>) -> Option<Wrong> {
    let least = u16::from(desk.rules().forced_hit_below).max(1);
    let mut hits = open_hands(desk, |act| if let Act::Hit(place) = act { Some(*place) } else { None });
    hits.retain(|(step, place)| {
        let total = desk.total_before(*step, *place);
        total.is_some_and(|total| (least..21).contains(&total.points))
    });
    let (step, place) = desk.dice.pick(&hits).copied().filter(|_| decisions_show(desk))?;
    let split = Outcome::of(&desk.round).is_split(place.box_no()?);
    let tags: &[&str] =
        if split { &["card_without_request.split_hand", "card_without_request"] } else { &["card_without_request"] };
    desk.replace(step, []);
    Some(on_hand_of(place, cited(desk, tags)?, format!("box {place} got a card without asking")))
}

fn card_after_stand(desk: &mut Desk<'_>) -> Option<Wrong> {
    let mut stands = plain_hands(desk, |act| if let Act::Stand(place) = act { Some(*place) } else { None });
    let next = desk.draw()?;
    stands.retain(|(step, place)| {
        let layout = desk.before(*step);
        let Some(hand) = layout.hands.get(place) else { return false };
        let room = desk.rules().max_cards.is_none_or(|most| hand.cards.len() + 1 < usize::from(most));
        let before = hand.total().is_some_and(|total| total.points < 21);
        let with = Total::of(hand.cards.iter().map(|laid| laid.card).chain([next]));
        room && before && with.is_some_and(|total| total.points < 21)
    });
    let (step, place) = desk.dice.pick(&stands).copied()?;
    desk.insert(step + 1, [face_up(place, next)]);
    desk.settle_anew(step + 1)?;
    let tag = cited(desk, &["card_without_request.after_stand", "card_without_request"])?;
    Some(on_hand_of(place, tag, format!("box {place} stood and was dealt {}", next.pretty())))
}

fn passed_over(desk: &mut Desk<'_>) -> Option<Wrong> {
    let mut stands = open_hands(desk, |act| if let Act::Stand(place) = act { Some(*place) } else { None });
    let outcome = Outcome::of(&desk.round);
    stands.retain(|(step, place)| {
        let open = desk.total_before(*step, *place).is_some_and(|total| total.points < 21);
        open && !is_split_ace(&outcome, *place)
    });
    let (step, place) = desk.dice.pick(&stands).copied().filter(|_| decisions_show(desk))?;
    desk.replace(step, []);
    Some(on_hand_of(place, "passed_without_stand", format!("box {place} was passed over without being asked")))
}

/// The turn of each box: its number, its first step and the one after its last. Only turns of hits and stands count.
fn turns(desk: &Desk<'_>) -> Vec<(BoxNo, usize, usize)> {
    let Some(begins) = desk.first_decision() else { return Vec::new() };
    let mut turns: Vec<(BoxNo, usize, usize)> = Vec::new();
    for (step, at) in desk.round.steps.iter().enumerate().skip(begins) {
        let place = decides(&at.act).or_else(|| given(&at.act)).or_else(|| settles(&at.act).map(|wager| wager.place()));
        let collected = if let Act::Collect(place) = &at.act { Some(*place) } else { None };
        let Some(box_no) = place.or(collected).and_then(Place::box_no) else { break };
        match turns.last_mut() {
            Some((of, _, ends)) if *of == box_no => *ends = step + 1,
            _ => turns.push((box_no, step, step + 1)),
        }
    }
    turns
}

fn out_of_turn(desk: &mut Desk<'_>) -> Option<Wrong> {
    let turns = turns(desk);
    let simple = |(box_no, from, to): &(BoxNo, usize, usize)| {
        let plays = (*from..*to).filter_map(|step| desk.act(step));
        let mut plays = plays.filter(|act| !matches!(act, Act::Hit(_) | Act::Stand(_) | Act::Card { .. }));
        desk.is_plain(*box_no) && plays.next().is_none()
    };
    let neighbours: Vec<_> =
        turns.windows(2).filter(|two| two.iter().all(simple)).map(|two| (two[0], two[1])).collect();
    let ((before, from, _), (early, start, end)) = desk.dice.pick(&neighbours).copied()?;
    let first = turns.first().is_some_and(|(box_no, ..)| *box_no == before);
    move_before(desk, &(start..end).collect::<Vec<_>>(), from);
    let how = if first { "acted_out_of_turn.first_seat" } else { "acted_out_of_turn" };
    let tag = cited(desk, &[how, "acted_out_of_turn"])?;
    Some(on_hand_of(first_hand(early), tag, format!("box {early} was played before box {before}")))
}

fn stood_short(desk: &mut Desk<'_>) -> Option<Wrong> {
    let least = u16::from(desk.rules().forced_hit_below);
    let mut hits = last_hits(desk);
    hits.retain(|(step, place)| desk.total_before(*step, *place).is_some_and(|total| total.points < least));
    let (step, place) = desk.dice.pick(&hits).copied()?;
    let total = desk.total_before(step, place)?;
    desk.replace(step + 1, []);
    desk.replace(step, []);
    desk.settle_anew(step)?;
    Some(on_hand_of(place, "stood_short", format!("box {place} was left at {total}")))
}

fn sixth_card(desk: &mut Desk<'_>) -> Option<Wrong> {
    let most = usize::from(desk.rules().max_cards?);
    let next = desk.draw()?;
    let mut full = open_hands(desk, |act| given(act).filter(|place| *place != Place::Dealer));
    full.retain(|(step, place)| {
        let layout = desk.before(step + 1);
        let cards = layout.hands.get(place).map(|hand| &hand.cards).filter(|cards| cards.len() == most);
        let with = cards.and_then(|cards| Total::of(cards.iter().map(|laid| laid.card).chain([next])));
        with.is_some_and(|total| !total.is_bust())
    });
    let (step, place) = desk.dice.pick(&full).copied()?;
    desk.insert(step + 1, [Act::Hit(place), face_up(place, next)]);
    Some(on_hand_of(place, "too_many_cards", format!("box {place} was given card {}", most + 1)))
}

fn cut_short(desk: &mut Desk<'_>) -> Option<Wrong> {
    let (dealt, cutter) = (desk.initial_cards().last()? + 1, desk.boxes().first().copied()?);
    // Chips that were settled during the deal cannot be handed back any more.
    let settled = desk.steps(|act| settles(act).is_some()).first().is_none_or(|first| *first < dealt);
    if desk.rules().csm || settled {
        return None;
    }
    desk.break_off(dealt);
    desk.insert(dealt, [Act::CutCardOut, Act::VoidRound]);
    desk.make_ready(cutter);
    Some(on_table("round_cut_short", "the cutting card came and the round was broken off".into()))
}
