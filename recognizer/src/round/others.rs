//! Readings of a round that are always among the others, because no source could tell them apart from what was told.

use std::collections::{BTreeMap, BTreeSet};

use table::round::{Mix, Unseen};
use table::{Act, BoxNo, Card, Face, Grammar, Hand, Place, Rank, Round, Step, Total, Wager, WagerKind};

use super::beam::Beam;
use super::book::ChipAct;
use super::faces::{Faces, chance};
use super::guess::{Guess, Happening, Laid};
use super::narrate::{SEEN_AT_ONCE, TOGETHER, Told};
use super::rebuilt::{Other, WORTH};

/// From this doubt of the camera on, it misses cards too.
const NOISY: f64 = 0.001;
/// How likely it is that a lost line of the chip feed explains what was told of chips just before and after it.
const LINE_LOST: f64 = 0.3;
/// How likely it is that a camera that errs has misread one of the cards counted before.
const MISCOUNTED: f64 = 0.02;
/// How likely a card that nobody saw went elsewhere than the rules would have it.
const ELSEWHERE: f64 = 0.2;
/// No player thinks for so long in the middle of a round, in microseconds.
const STANDS_STILL: u64 = 25_000_000;
/// How long a hand may take that stood in that time, in microseconds.
const TO_STAND: u64 = 5_000_000;
/// How likely it then is that somebody put something right.
const PUT_RIGHT: f64 = 0.5;
/// How likely it is that a natural which was paid while the dealer showed an ace, or paid no more than its stake, asked for even
/// money.
const EVEN_MONEY: f64 = 0.5;

/// A card that the shoe gave and no camera saw lies where the rules would have it, and may lie elsewhere. A camera that errs at
/// times also misses cards that the rules have no place for, and mistakes hands for each other when a box is split again and
/// all of them are moved. Nothing is certain then at those boxes, or at any if the card may lie anywhere.
pub(super) fn placed_blindly(beam: &Beam, guess: &Guess, doubt: f64, round: &Round) -> Vec<Other> {
    let named = |faces: &Faces| {
        let card = faces.posterior(&beam.prior).first().map_or(Card::HIDDEN, |(card, _)| *card);
        format!("no camera saw where the {} went", card.pretty())
    };
    let other = |says: String, round: Round| Other { chance: chance(ELSEWHERE), says, round };
    let without = |place: Option<Place>| match place.and_then(Place::box_no) {
        Some(box_no) => without_hands(round, box_no),
        None => without_cards(round),
    };
    let mut others = Vec::new();
    // How a card lay that was seen only long after it was drawn nobody saw either.
    let late = |laid: &Laid| {
        let first = laid.sights.first().and_then(|sight| beam.sights.get(*sight));
        // One that lay about for a time was laid when it was seen, and drawn long before.
        let drawn = laid.draw.and_then(|draw| beam.drawn(draw)).map_or(laid.at, |draw| draw.at.min(laid.at));
        // A hole card is nobody's concern until it is turned up.
        let hole = first.is_some() && beam.is_hole_card((laid.place, laid.position));
        !hole && first.is_none_or(|sight| sight.at.saturating_sub(drawn) > SEEN_AT_ONCE)
    };
    for laid in guess.laid.iter().filter(|laid| late(laid)) {
        // One that came face down lies under or on another back, which a camera takes for one card: whose it is shows only by the
        // order in which cards came, so that all of them hang together.
        let place = Some(laid.place).filter(|_| laid.came == Face::Up);
        others.push(other(named(&beam.faces(laid)), without(place)));
    }
    if doubt < NOISY {
        return others;
    }
    for draw in guess.loose.iter().filter_map(|draw| beam.drawn(*draw)) {
        // If it went to anybody, then to the one who got the card before it: before a later one its place would show as left free.
        // In the initial deal all who come after may have another's card.
        let before = guess.laid.iter().filter(|laid| laid.at <= draw.at).max_by_key(|laid| laid.at);
        let played = |laid: &Laid| laid.at <= draw.at && (laid.position > 2 || !is_first_hand(laid.place));
        let in_deal = !guess.laid.iter().filter(|laid| laid.place != Place::Dealer).any(played);
        others.push(other(named(&draw.faces), without(before.map(|laid| laid.place).filter(|_| !in_deal))));
    }
    // Cards that lie face down are told apart only by the order in which they came. One that is turned up and is its neighbour's
    // shows that a card was seen by nobody.
    if guess.laid.iter().any(|laid| is_turned_other(beam, laid)) {
        let says = "cards that lay face down may be mistaken for each other".to_owned();
        others.push(other(says, without_cards(round)));
    }
    for box_no in beam.boxes() {
        // What the shoe lost count of may have been the card that a box lacked when play began.
        if dealt(guess, *box_no) < 2 || guess.gap > 0 && dealt_at_first(guess, *box_no) < 2 {
            let says = format!("a card of box {box_no} may have been seen by nobody");
            others.push(other(says, without_hands(round, *box_no)));
        }
    }
    for box_no in left_apart(guess) {
        let says = format!("a card seen on box {box_no} may lie on the box beside it");
        let beside = [box_no.number().saturating_sub(1), box_no.number().saturating_add(1)];
        let with_beside = beside
            .into_iter()
            .filter_map(BoxNo::new)
            .fold(without_hands(round, box_no), |rest, beside| without_hands(&rest, beside));
        others.push(other(says, with_beside));
    }
    let splits = round.steps.iter().filter_map(|step| match step.act {
        Act::Split(wager, _) => Some(wager.box_no),
        _ => None,
    });
    let mut split = BTreeSet::new();
    let again: BTreeSet<BoxNo> = splits.filter(|box_no| !split.insert(*box_no)).collect();
    for box_no in again {
        let says = format!("hands of box {box_no}, which was split again, may be mistaken for each other");
        others.push(other(says, without_hands(round, box_no)));
    }
    others
}

/// Boxes at which something happened that no source saw: a payment that the tray alone tells of, and, where cameras err, cards
/// that lay face down and were turned up all the same.
pub(super) fn seen_by_nobody(round: &Round, paid_by_tray: &[Wager], doubt: f64) -> Vec<Other> {
    let other =
        |box_no: BoxNo, says: String| Other { chance: chance(ELSEWHERE), says, round: without_box(round, box_no) };
    let paid: BTreeSet<BoxNo> = paid_by_tray.iter().map(|wager| wager.box_no).collect();
    let mut others: Vec<Other> =
        paid.iter().map(|box_no| other(*box_no, format!("nobody saw what box {box_no} was paid"))).collect();
    let mut down: BTreeMap<BoxNo, usize> = BTreeMap::new();
    for step in &round.steps {
        match step.act {
            Act::Card { to: Place::Box(box_no, _), face: Face::Down, .. } => *down.entry(box_no).or_default() += 1,
            Act::TurnUp(Place::Box(box_no, _), _) => {
                let down = down.entry(box_no).or_default();
                *down = down.saturating_sub(1);
            }
            _ => {}
        }
    }
    for (box_no, _) in down.iter().filter(|(_, down)| **down > 0 && doubt >= NOISY) {
        others.push(other(*box_no, format!("cards of box {box_no} may have been turned up unseen")));
    }
    others
}

/// Boxes whose cards did not go to the rack together. The hands of a box go one after the other, the cards of a hand at once, unless
/// others come in their stead or they part: one that goes with a neighbour's was that neighbour's.
fn left_apart(guess: &Guess) -> BTreeSet<BoxNo> {
    let split = |place: Place| {
        let apart = |laid: &Laid| laid.place.box_no() == place.box_no() && !is_first_hand(laid.place);
        guess.laid.iter().any(apart)
    };
    let played = |place: Place| {
        let of_hand = guess.laid.iter().filter(|laid| laid.place == place || split(place));
        of_hand.map(|laid| laid.at).max()
    };
    let mut gone: BTreeMap<Place, (i64, i64)> = BTreeMap::new();
    for (at, _, happening) in &guess.log {
        let Happening::Gone(piece) = happening else { continue };
        let Some(laid) = guess.laid.get(*piece).filter(|laid| played(laid.place) < Some(*at)) else { continue };
        let (first, last) = gone.entry(laid.place).or_insert((*at, *at));
        (*first, *last) = ((*first).min(*at), (*last).max(*at));
    }
    let apart = gone.into_iter().filter(|(_, (first, last))| last.saturating_sub(*first) > TOGETHER);
    apart.filter_map(|(place, _)| place.box_no()).collect()
}

/// Whether a card that lay face down was turned up and seen to be the one that left the shoe just before or after it.
fn is_turned_other(beam: &Beam, laid: &Laid) -> bool {
    let Some(draw) = laid.draw else { return false };
    let drawn = |draw: usize| beam.drawn(draw).and_then(|draw| draw.card);
    let beside = [draw.checked_sub(1), draw.checked_add(1)].map(|beside| beside.and_then(drawn));
    let mut sights = laid.sights.iter().filter_map(|sight| beam.sights.get(*sight));
    let down = sights.next().is_some_and(|first| first.spot.face == Face::Down);
    let is_other = |seen: Card| drawn(draw) != Some(seen) && beside.contains(&Some(seen));
    down && sights.any(|sight| sight.card.card.is_known() && is_other(sight.card.card))
}

/// Whether cards of the initial deal go there.
fn is_first_hand(place: Place) -> bool {
    matches!(place, Place::Box(_, Hand::A))
}

/// What was counted in the rounds before hangs on readings of a camera that is known to err, or on a round of which nobody knows
/// when its cards came. Had the cards been shuffled just now, none of it would count.
pub(super) fn counted_wrongly(round: &Round, doubt: f64, miscounted: bool) -> Option<Other> {
    let first = round.steps.iter().position(|step| matches!(step.act, Act::Card { .. }));
    let first = first.filter(|_| doubt >= NOISY || miscounted)?;
    let after = round.steps.get(first)?.after;
    let mut steps = round.steps.clone();
    let shuffle = Step { act: Act::Shuffle(Mix::Whole), after, chance: None, events: Vec::new().into() };
    steps.insert(first, shuffle);
    let says = "a card of the rounds before may have been misread".to_owned();
    Some(Other { chance: chance(MISCOUNTED), says, round: Round { steps, ..round.clone() } })
}

/// Where a camera's clock jumped, cards came and went at other times than it says: in another order, and some may be told twice,
/// as the card that left the shoe and as the one that was seen.
pub(super) fn at_another_time(round: &Round, jumped: bool) -> Option<Other> {
    let says = "the camera's clock jumped, so its cards may have come at other times".to_owned();
    jumped.then(|| Other { chance: chance(ELSEWHERE), says, round: without_cards(round) })
}

/// How many cards a box got in all its hands.
fn dealt(guess: &Guess, box_no: BoxNo) -> usize {
    guess.laid.iter().filter(|laid| laid.place.box_no() == Some(box_no)).count()
}

/// How many cards of the initial deal a box got.
fn dealt_at_first(guess: &Guess, box_no: BoxNo) -> usize {
    let played = |laid: &&Laid| laid.place != Place::Dealer && (laid.position > 2 || !is_first_hand(laid.place));
    let began = guess.laid.iter().filter(played).map(|laid| laid.at).min().unwrap_or(i64::MAX);
    guess.laid.iter().filter(|laid| laid.place == Place::Box(box_no, Hand::A) && laid.at < began).count()
}

/// The round if nothing were known of its cards.
fn without_cards(round: &Round) -> Round {
    let mut round = round.clone();
    let names_card = |act: &Act| matches!(act, Act::Card { .. } | Act::TurnUp(..) | Act::Drawn(_) | Act::Discard(_));
    round.steps.retain(|step| !names_card(&step.act));
    if !round.unseen.contains(&Unseen::Cards) {
        round.unseen.push(Unseen::Cards);
    }
    round
}

/// The round if nobody had played on a box.
fn without_box(round: &Round, box_no: BoxNo) -> Round {
    let mut round = round.clone();
    round.steps.retain(|step| step.act.place().and_then(Place::box_no) != Some(box_no));
    round
}

/// The round if nobody knew which cards a box had. Insurance is against the dealer's card, whatever its bettor has himself.
fn without_hands(round: &Round, box_no: BoxNo) -> Round {
    let insures = |act: &Act| match act {
        Act::Bet(wager, _) | Act::Pay(wager, _) | Act::Take(wager, _) | Act::Push(wager) | Act::Return(wager) => {
            wager.kind == WagerKind::Insurance
        }
        _ => false,
    };
    let mut round = round.clone();
    round.steps.retain(|step| step.act.place().and_then(Place::box_no) != Some(box_no) || insures(&step.act));
    round
}

/// Where lines of the chip feed were lost, chips seen after the first card may have stood there before it: the next full line
/// told of them.
pub(super) fn earlier_bets(round: &Round, lines_lost: bool) -> Option<Other> {
    let first = round.steps.iter().position(|step| matches!(step.act, Act::Card { .. }))?;
    let insurance = |wager: &table::Wager| wager.kind == table::WagerKind::Insurance;
    let late = |step: &Step| matches!(&step.act, Act::Bet(wager, _) if !insurance(wager));
    let (bets, rest): (Vec<Step>, Vec<Step>) = round.steps.get(first..)?.iter().cloned().partition(late);
    if bets.is_empty() || !lines_lost {
        return None;
    }
    let steps = round.steps.iter().take(first).cloned().chain(bets).chain(rest).collect();
    let says = "the chips may have stood there before the deal".to_owned();
    Some(Other { chance: chance(LINE_LOST), says, round: Round { steps, ..round.clone() } })
}

/// Of a box whose chips were told of about when a line was lost, that line may have told what makes it look wrong.
pub(super) fn lines_lost(round: &Round, acts: &[ChipAct], lost: &[i64]) -> Vec<Other> {
    let near = acts.iter().filter(|act| act.is_near(lost));
    let boxes: BTreeSet<BoxNo> = near.map(|act| act.did.wager().box_no).collect();
    let other = |box_no: BoxNo| {
        let says = format!("a line of the chip sensor was lost that may have told of box {box_no}");
        Other { chance: chance(LINE_LOST), says, round: without_box(round, box_no) }
    };
    boxes.into_iter().map(other).collect()
}

/// Where play stood still for long and then went on, a supervisor may have come and put the cards right by word, which no source
/// shows. Hands that stood meanwhile took their time.
pub(super) fn put_right(round: &Round) -> Option<Other> {
    let dealt = round.steps.iter().position(|step| matches!(step.act, Act::Card { .. }))?;
    let waited = |steps: &[Step]| match steps {
        [one, other] => other.after?.checked_sub(one.after?),
        _ => None,
    };
    let over = |step: &Step| matches!(step.act, Act::Collect(_) | Act::End);
    let play = round.steps.iter().position(over).unwrap_or(round.steps.len());
    let goes_on = |at: usize| round.steps.iter().skip(at).any(|step| matches!(step.act, Act::Card { .. }));
    let stood = |at: usize| {
        let stands = round.steps.iter().skip(at).take_while(|step| matches!(step.act, Act::Stand(_))).count();
        u64::try_from(stands).unwrap_or(0).saturating_mul(TO_STAND)
    };
    let pauses = (dealt..play).filter_map(|at| Some((at + 1, waited(round.steps.get(at..at + 2)?)?)));
    let mut long = pauses.filter(|(at, waited)| *waited >= STANDS_STILL + stood(*at) && goes_on(*at));
    let (pause, waited) = long.next()?;
    let first = round.steps.iter().find_map(|step| match step.act {
        Act::Card { to: to @ table::Place::Box(..), .. } => Some(to),
        _ => None,
    })?;
    let mut steps = round.steps.clone();
    let after = steps.get(pause.checked_sub(1)?)?.after;
    let word = |act| Step { act, after, chance: None, events: Vec::new().into() };
    steps.splice(pause..pause, [word(Act::Supervisor), word(Act::Reconstruct(first))]);
    let says =
        format!("play stood still for {} seconds, in which the cards may have been put right", waited / 1_000_000);
    Some(Other { chance: chance(PUT_RIGHT), says, round: Round { steps, ..round.clone() } })
}

/// Even money is asked for by word. A natural that was paid before the dealer drew to an ace, or that was paid no more than its
/// stake after he did, may have asked for it.
pub(super) fn asked_for_even_money(round: &Round, grammar: &Grammar) -> Option<Other> {
    let dealer = |step: &Step| matches!(step.act, Act::Card { to: Place::Dealer, .. });
    let up = round.steps.iter().find(|step| dealer(step)).map(|step| &step.act);
    let ace = matches!(up, Some(Act::Card { card, .. }) if card.rank() == Some(Rank::Ace));
    if !ace || !grammar.even_money {
        return None;
    }
    let dealt = round.steps.iter().rposition(|step| matches!(step.act, Act::Card { to: Place::Box(..), .. }))?;
    let drew = round.steps.iter().skip(dealt).position(dealer).map_or(round.steps.len(), |drew| dealt + drew);
    let paid = |(at, step): (usize, &Step)| match step.act {
        Act::Pay(wager, amount) if wager.kind == WagerKind::Main && is_natural(round, wager) => {
            let stake = round.steps.iter().any(|step| step.act == Act::Bet(wager, amount));
            let said = round.steps.iter().any(|step| step.act == Act::EvenMoney(wager));
            ((at < drew || stake) && !said).then_some(wager)
        }
        _ => None,
    };
    let asked: Vec<Wager> = round.steps.iter().enumerate().filter_map(paid).collect();
    let hand = asked.first()?.place();
    // Naturals are dealt before anybody plays, and ask before that.
    let has = |step: &Step| matches!(step.act, Act::Card { to, .. } if to == hand);
    let at = round.steps.iter().rposition(has).max(round.steps.iter().position(dealer))? + 1;
    let after = round.steps.get(at - 1)?.after;
    let word = |act| Step { act, after, chance: None, events: Vec::new().into() };
    let mut steps = round.steps.clone();
    let mut words = vec![word(Act::OfferInsurance)];
    words.extend(asked.iter().map(|wager| word(Act::EvenMoney(*wager))));
    steps.splice(at..at, words);
    let says = format!("box {} may have asked for even money", asked.first()?.box_no);
    Some(Other { chance: chance(EVEN_MONEY), says, round: Round { steps, ..round.clone() } })
}

/// Whether the only two cards of a hand are a natural.
fn is_natural(round: &Round, wager: Wager) -> bool {
    let cards = round.steps.iter().filter_map(|step| match step.act {
        Act::Card { to, card, .. } if to == wager.place() && card.is_known() => Some(card),
        Act::TurnUp(of, card) if of == wager.place() => Some(card),
        _ => None,
    });
    let cards: Vec<Card> = cards.collect();
    // Cards that lay face down are told again when they are turned up.
    let hand = if cards.len() == 4 && cards[..2] == cards[2..] { &cards[..2] } else { &cards[..] };
    hand.len() == 2 && Total::of(hand.iter().copied()).is_some_and(|total| total.points == 21)
}

/// The same round with one card read otherwise.
pub(super) fn faces(beam: &Beam, guess: &Guess, best: &[Told], weight: f64, round: &Round) -> Vec<Other> {
    let mut others = Vec::new();
    for (piece, laid) in guess.laid.iter().enumerate() {
        let faces = beam.faces(laid).posterior(&beam.prior);
        let Some((first, _)) = faces.first() else { continue };
        for (card, likely) in faces.iter().skip(1).take(3).filter(|(_, likely)| likely * weight > WORTH) {
            let mut changed = round.clone();
            let mut any = false;
            for (step, told) in changed.steps.iter_mut().zip(best) {
                if told.piece == Some(piece) {
                    any |= reread(&mut step.act, *first, *card);
                }
            }
            if any {
                let says = format!("the {} may be the {}", first.pretty(), card.pretty());
                others.push(Other { chance: chance(likely * weight), says, round: changed });
            }
        }
    }
    others
}

fn reread(act: &mut Act, from: Card, to: Card) -> bool {
    let named = match act {
        Act::Card { card, .. } | Act::TurnUp(_, card) | Act::Move { card, .. } | Act::Discard(card) => card,
        _ => return false,
    };
    let same = *named == from;
    if same {
        *named = to;
    }
    same
}
