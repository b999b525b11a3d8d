//! Cards that go the wrong way: in the initial deal, out of the shoe, and back to the rack.

use auditor::rules::PlayerCards;
use table::{Act, BoxNo, Card, Face, Place, Turn, WagerKind};

use super::chips::{Outcome, cited, decides, final_place, move_before, on_table};
use super::consequences::{face_up, first_hand, given, on_hand_of, settles};
use super::{Desk, Lived, Wrong, mistake};

pub(super) const FAULTS: &[Lived] = &[
    mistake(
        "first_cards_swapped",
        "dealt_out_of_order",
        "Two boxes get their first cards in the wrong order.",
        |desk| swapped(desk, 0, "dealt_out_of_order.first_pass"),
    ),
    mistake(
        "second_cards_swapped",
        "dealt_out_of_order",
        "Two boxes get their second cards in the wrong order.",
        |desk| swapped(desk, 1, "dealt_out_of_order.second_pass"),
    ),
    mistake(
        "up_card_early",
        "dealt_out_of_order",
        "The dealer takes the up card before the last box has a card.",
        up_card_early,
    ),
    mistake("empty_box_dealt", "empty_box_dealt", "A card goes to a box on which nobody bet.", empty_box_dealt),
    mistake("box_left_out", "box_skipped", "A box with a wager gets no cards.", box_left_out),
    mistake(
        "second_card_early",
        "dealer_card_early",
        "The dealer takes a second card in the initial deal.",
        second_card_early,
    ),
    mistake(
        "hole_card_early",
        "dealer_card_early",
        "The hole card comes before the last box's second card.",
        hole_card_early,
    ),
    mistake("first_card_face_wrong", "player_card_face_wrong", "A box's first card lies the wrong way up.", |desk| {
        face_wrong(desk, 0, "player_card_face_wrong.first")
    }),
    mistake("second_card_face_wrong", "player_card_face_wrong", "A box's second card lies the wrong way up.", |desk| {
        face_wrong(desk, 1, "player_card_face_wrong.second")
    }),
    mistake(
        "drawn_card_face_down",
        "player_card_face_wrong",
        "A card a player asked for is dealt face down.",
        hit_face_down,
    ),
    mistake("up_card_face_down", "dealer_card_face_wrong", "The dealer's first card lies face down.", up_card_down),
    mistake("hole_card_face_up", "dealer_card_face_wrong", "The hole card is dealt face up.", hole_card_up),
    mistake(
        "dealers_card_face_down",
        "dealer_card_face_wrong",
        "A later card of the dealer's lies face down.",
        later_card_down,
    ),
    mistake("bust_not_shown", "cards_not_revealed", "A hand over 21 is cleared without being turned up.", |desk| {
        not_shown(desk, "cards_not_revealed.bust")
    }),
    mistake("split_not_shown", "cards_not_revealed", "A hand is split without being turned up.", |desk| {
        not_shown(desk, "cards_not_revealed.split")
    }),
    mistake(
        "cards_collected_out_of_order",
        "cards_collected_out_of_order",
        "The hands are not taken up one after another round the table.",
        collected_out_of_order,
    ),
    mistake(
        "natural_cleared_early",
        "natural_cards_cleared_early",
        "The cards of a waiting natural are cleared.",
        natural_cleared,
    ),
    mistake(
        "bust_double_taken_early",
        "bust_taken_early",
        "A raised hand that bust is taken before the dealer's second card.",
        bust_taken,
    ),
    mistake(
        "call_forgotten",
        "no_more_bets_not_called",
        "The cards are dealt without the call of no more bets.",
        call_forgotten,
    ),
    mistake("misdeal_not_repaired", "error_not_repaired", "A misdeal is noticed and left as it is.", misdeal_left),
];

/// The steps of one pass of the initial deal: 0 for the first cards, 1 for the second.
fn pass(desk: &Desk<'_>, which: usize) -> Vec<usize> {
    let boxes = desk.boxes().len();
    let cards = desk.initial_cards();
    let players = cards.into_iter().filter(|step| desk.act(*step).and_then(given) != Some(Place::Dealer));
    players.skip(which * boxes).take(boxes).collect()
}

/// The dealer's up card.
fn up_card(desk: &Desk<'_>) -> Option<(usize, Card)> {
    let step = desk.dealers_cards().first().copied()?;
    match desk.act(step)? {
        Act::Card { card, .. } => Some((step, *card)),
        _ => None,
    }
}

/// Whether the up card leaves nothing to wait for: no insurance, no natural.
fn shows_low(desk: &Desk<'_>) -> bool {
    up_card(desk).and_then(|(_, card)| card.rank()).is_some_and(|rank| !matches!(rank.points(), 1 | 10))
}

fn swapped(desk: &mut Desk<'_>, which: usize, how: &'static str) -> Option<Wrong> {
    let steps = pass(desk, which);
    let neighbours: Vec<_> = steps.windows(2).filter(|two| two[0] + 1 == two[1]).map(|two| two[0]).collect();
    let step = desk.dice.pick(&neighbours).copied()?;
    let late = desk.act(step).and_then(given)?;
    desk.round.steps.swap(step, step + 1);
    let tag = cited(desk, &[how, "dealt_out_of_order"])?;
    Some(on_table(tag, format!("box {late} got a card after the next box")))
}

fn up_card_early(desk: &mut Desk<'_>) -> Option<Wrong> {
    let (up, _) = up_card(desk)?;
    let last = pass(desk, 0).last().copied().filter(|last| last + 1 == up)?;
    desk.round.steps.swap(last, up);
    let tag = cited(desk, &["dealt_out_of_order.dealer_card", "dealt_out_of_order"])?;
    Some(on_table(tag, "the dealer took the up card before the last box had a card".into()))
}

fn empty_box_dealt(desk: &mut Desk<'_>) -> Option<Wrong> {
    let boxes = desk.boxes();
    let empty: Vec<BoxNo> = BoxNo::all().filter(|no| no.number() <= desk.setup.boxes && !boxes.contains(no)).collect();
    let empty = desk.dice.pick(&empty).copied()?;
    let first = pass(desk, 0);
    let after = |step: &&usize| desk.act(**step).and_then(given).is_some_and(|place| place > first_hand(empty));
    let at = first.iter().find(after).copied().or(first.last().map(|last| last + 1))?;
    let card = desk.draw()?;
    let face = if desk.rules().player_cards == PlayerCards::Up { Face::Up } else { Face::Down };
    desk.insert(at, [Act::Card { to: first_hand(empty), card, face, turn: Turn::Upright }]);
    let collected = desk.steps(|act| *act == Act::Collect(Place::Dealer)).first().copied()?;
    let begins = desk.settlement_begins().filter(|_| desk.dealers_cards().len() > 1)?;
    let lower = |act: &Act| matches!(act, Act::Collect(Place::Box(no, _)) if *no < empty);
    let cleared = desk.steps(lower).into_iter().find(|step| *step >= begins).unwrap_or(collected);
    desk.insert(cleared, [Act::Collect(first_hand(empty))]);
    Some(on_hand_of(first_hand(empty), "empty_box_dealt", format!("box {empty} got a card and nobody had bet on it")))
}

fn box_left_out(desk: &mut Desk<'_>) -> Option<Wrong> {
    let of = |act: &Act| {
        let place = decides(act).or_else(|| given(act));
        let shown =
            if let Act::Collect(place) | Act::TurnUp(place, _) | Act::Tuck(place) = act { Some(*place) } else { None };
        place.or(shown).and_then(Place::box_no).or_else(|| settles(act).map(|wager| wager.box_no))
    };
    let beside = |no: BoxNo| {
        !desk.steps(|act| matches!(act, Act::Bet(on, _) if on.box_no == no && on.kind != WagerKind::Main)).is_empty()
    };
    let boxes: Vec<BoxNo> = desk.boxes().into_iter().filter(|no| !beside(*no)).collect();
    if desk.boxes().len() < 2 {
        return None;
    }
    let no = desk.dice.pick(&boxes).copied()?;
    let wagers: Vec<_> = Outcome::of(&desk.round).wagers().map(|(wager, _)| wager).collect();
    for step in desk.steps(|act| of(act) == Some(no)).into_iter().rev() {
        desk.replace(step, []);
    }
    // Only if others still wait for the dealer has he reason to draw.
    let settled = final_place(desk, no).filter(|_| desk.is_contested())?;
    let own = wagers.into_iter().filter(|wager| wager.box_no == no && wager.kind == WagerKind::Main);
    desk.insert(settled, own.map(Act::Return));
    let tag = cited(desk, &["box_skipped.first_pass", "box_skipped"])?;
    Some(on_hand_of(first_hand(no), tag, format!("box {no} got no cards")))
}

fn second_card_early(desk: &mut Desk<'_>) -> Option<Wrong> {
    let second = desk.dealers_cards().get(1).copied().filter(|_| !desk.rules().hole_card && shows_low(desk))?;
    let last = pass(desk, 1).last().copied()?;
    move_before(desk, &[second], last);
    Some(on_table("dealer_card_early", "the dealer took a second card before the last box had one".into()))
}

fn hole_card_early(desk: &mut Desk<'_>) -> Option<Wrong> {
    let hole = desk.dealers_cards().get(1).copied().filter(|_| desk.rules().hole_card)?;
    let last = pass(desk, 1).last().copied()?;
    move_before(desk, &[hole], last);
    Some(on_table("dealer_card_early.hole_card", "the hole card came before the last box had a second card".into()))
}

fn face_wrong(desk: &mut Desk<'_>, which: usize, how: &'static str) -> Option<Wrong> {
    let steps = pass(desk, which);
    let step = desk.dice.pick(&steps).copied()?;
    let Some(Act::Card { to, card, face, turn }) = desk.act(step).cloned() else { return None };
    let face = match (desk.rules().player_cards, face) {
        (PlayerCards::Either, _) => return None,
        (_, Face::Up) => Face::Down,
        (_, Face::Down) => Face::Up,
    };
    desk.replace(step, [Act::Card { to, card, face, turn }]);
    if face == Face::Up {
        // What lies open need not be turned.
        let turned = desk.steps(|act| *act == Act::TurnUp(to, card)).first().copied()?;
        desk.replace(turned, []);
    }
    let tag = cited(desk, &[how, "player_card_face_wrong"])?;
    Some(on_hand_of(to, tag, format!("box {to} was dealt {} face {face}", card.pretty())))
}

fn hit_face_down(desk: &mut Desk<'_>) -> Option<Wrong> {
    let (step, to, card) = desk.any_hit()?;
    // A hand over 21 is turned up to be cleared; that it was not would be another wrong.
    if Outcome::of(&desk.round).is_bust(to) {
        return None;
    }
    desk.replace(step, [Act::Card { to, card, face: Face::Down, turn: Turn::Upright }]);
    let tag = cited(desk, &["player_card_face_wrong.hit", "player_card_face_wrong"])?;
    Some(on_hand_of(to, tag, format!("box {to} asked for a card and got it face down")))
}

fn up_card_down(desk: &mut Desk<'_>) -> Option<Wrong> {
    let (step, card) = up_card(desk).filter(|_| shows_low(desk) && !desk.rules().hole_card)?;
    desk.replace(step, [Act::Card { to: Place::Dealer, card, face: Face::Down, turn: Turn::Upright }]);
    let tag = cited(desk, &["dealer_card_face_wrong.up", "dealer_card_face_wrong"])?;
    Some(on_table(tag, "the dealer's first card lay face down".into()))
}

fn hole_card_up(desk: &mut Desk<'_>) -> Option<Wrong> {
    let cards = desk.dealers_cards();
    let (hole, turned) = (*cards.get(1)?, *cards.get(2)?);
    let Some(Act::TurnUp(Place::Dealer, card)) = desk.act(turned).cloned() else { return None };
    let given_up = !desk.steps(|act| matches!(act, Act::Surrender(_))).is_empty();
    if !shows_low(desk) || given_up {
        return None;
    }
    desk.replace(turned, []);
    desk.replace(hole, [face_up(Place::Dealer, card)]);
    let tag = cited(desk, &["dealer_card_face_wrong.hole", "dealer_card_face_wrong"])?;
    Some(on_table(tag, format!("the hole card, {}, was dealt face up", card.pretty())))
}

fn later_card_down(desk: &mut Desk<'_>) -> Option<Wrong> {
    let later: Vec<usize> = desk.dealers_cards().into_iter().skip(1).collect();
    let step = desk.dice.pick(&later).copied().filter(|_| !desk.rules().hole_card)?;
    let Some(Act::Card { to, card, turn, .. }) = desk.act(step).cloned() else { return None };
    desk.replace(step, [Act::Card { to, card, face: Face::Down, turn }]);
    let tag = cited(desk, &["dealer_card_face_wrong.later", "dealer_card_face_wrong"])?;
    Some(on_table(tag, format!("the dealer's {} lay face down", card.pretty())))
}

fn not_shown(desk: &mut Desk<'_>, tag: &'static str) -> Option<Wrong> {
    let split = tag == "cards_not_revealed.split";
    let outcome = Outcome::of(&desk.round);
    let mut places: Vec<Place> = desk.boxes().into_iter().map(first_hand).collect();
    places.retain(|place| {
        let raised =
            place.box_no().is_some_and(|no| outcome.is_split(no) || !desk.is_plain(no)) || outcome.is_doubled(*place);
        if split { place.box_no().is_some_and(|no| outcome.is_split(no)) } else { outcome.is_bust(*place) && !raised }
    });
    let place = desk.dice.pick(&places).copied()?;
    let turned = desk.steps(|act| matches!(act, Act::TurnUp(on, _) if *on == place));
    let turned: Vec<usize> = turned.into_iter().take(2).collect();
    for step in turned.iter().rev() {
        desk.replace(*step, []);
    }
    let done = if split { "split" } else { "cleared" };
    (turned.len() == 2).then(|| on_hand_of(place, tag, format!("box {place} was {done} without being turned up")))
}

fn collected_out_of_order(desk: &mut Desk<'_>) -> Option<Wrong> {
    let begins = desk.settlement_begins().filter(|_| desk.dealers_cards().len() > 1)?;
    let collects: Vec<usize> =
        desk.steps(|act| matches!(act, Act::Collect(Place::Box(..)))).into_iter().filter(|at| *at >= begins).collect();
    let boxes: Vec<_> = collects.iter().filter_map(|at| desk.act(*at)).collect();
    let split = boxes.windows(2).any(|two| two[0] == two[1]) || boxes.iter().any(|act| !is_first(act));
    if collects.len() < 3 || split {
        return None;
    }
    let cleared = desk.steps(|act| *act == Act::Collect(Place::Dealer)).first().copied()?;
    move_before(desk, &collects[..1], cleared);
    Some(on_table("cards_collected_out_of_order", "the first hand to be taken up was taken up last".into()))
}

/// Whether a step clears the first hand of a box.
fn is_first(act: &Act) -> bool {
    matches!(act, Act::Collect(Place::Box(_, table::Hand::A)))
}

fn natural_cleared(desk: &mut Desk<'_>) -> Option<Wrong> {
    let (decision, outcome) = (desk.first_decision()?, Outcome::of(&desk.round));
    let waiting: Vec<(usize, Place)> = desk
        .boxes()
        .into_iter()
        .map(first_hand)
        .filter(|place| outcome.is_natural(*place))
        .filter_map(|place| Some((desk.steps(|act| *act == Act::Collect(place)).first().copied()?, place)))
        .filter(|(step, _)| *step > decision)
        .collect();
    let (step, place) = desk.dice.pick(&waiting).copied()?;
    move_before(desk, &[step], decision);
    Some(on_hand_of(
        place,
        "natural_cards_cleared_early",
        format!("the natural of box {place} was cleared before it was settled"),
    ))
}

fn bust_taken(desk: &mut Desk<'_>) -> Option<Wrong> {
    let second = desk.dealers_cards().get(1).copied()?;
    let outcome = Outcome::of(&desk.round);
    let late = |wager: table::Wager| {
        let steps = desk.steps(|act| settles(act) == Some(wager));
        outcome.is_bust(wager.place())
            && outcome.is_doubled(wager.place())
            && steps.first().is_some_and(|at| *at > second)
    };
    let doubled: Vec<_> = outcome.settled.iter().map(|settled| settled.wager).filter(|wager| late(*wager)).collect();
    let place = desk.dice.pick(&doubled).map(|wager| wager.place())?;
    let plain = place.box_no().is_some_and(|no| desk.is_plain(no) && !outcome.is_split(no));
    if !plain || outcome.dealer_has_natural() || !desk.is_contested() {
        return None;
    }
    let bust = desk.steps(|act| given(act) == Some(place)).last().copied()? + 1;
    let mut steps =
        desk.steps(|act| settles(act).is_some_and(|wager| wager.place() == place) || *act == Act::Collect(place));
    steps.retain(|step| *step > bust);
    move_before(desk, &steps, bust);
    Some(on_hand_of(place, "bust_taken_early.double", format!("the bust double of box {place} was taken at once")))
}

fn call_forgotten(desk: &mut Desk<'_>) -> Option<Wrong> {
    // Of the first round that anybody hears, silence proves nothing.
    let first = (desk.round.id.shoe, desk.round.id.round) == (1, 1);
    let call = desk.steps(|act| *act == Act::NoMoreBets).first().copied().filter(|_| !first)?;
    desk.replace(call, []);
    Some(on_table("no_more_bets_not_called", "the cards were dealt without the call".into()))
}

fn misdeal_left(desk: &mut Desk<'_>) -> Option<Wrong> {
    swapped(desk, 0, "dealt_out_of_order.first_pass")?;
    let dealt = desk.initial_cards().last()? + 1;
    desk.insert(dealt, [Act::Supervisor]);
    Some(on_table("error_not_repaired", "two first cards were swapped, a supervisor came and left them so".into()))
}
