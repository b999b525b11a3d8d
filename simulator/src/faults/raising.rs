//! Doubles, splits and surrenders that the rules do not allow.

use auditor::rules::{Dealer22, PlayerCards, Surrender, Totals};
use table::round::Stake;
use table::{Act, Bettor, Card, Face, Hand, Layout, Place, Rank, Total, Turn, Wager, WagerKind};

use super::chips::{Due, Outcome, any_settled, at, cited, decides, is_ace_and_ten, last_card};
use super::{Desk, Lived, Wrong, mistake};

pub(super) const FAULTS: &[Lived] = &[
    mistake("doubled_on_an_ace", "doubled_on_an_ace", "A hand with an ace is doubled.", doubled_on_an_ace),
    mistake(
        "doubled_on_three_cards",
        "doubled_on_wrong_cards",
        "A hand of three cards or more is doubled.",
        doubled_on_three,
    ),
    mistake("doubled_a_natural", "doubled_a_natural", "A natural is doubled.", doubled_a_natural),
    mistake("aces_resplit", "aces_resplit", "Split aces are split again.", aces_resplit),
    mistake("too_many_hands", "too_many_hands", "A box is split into too many hands.", too_many_hands),
    mistake(
        "split_ace_extra_card",
        "split_ace_extra_card",
        "A split ace is given a further card.",
        split_ace_extra_card,
    ),
    mistake(
        "surrender_where_none",
        "surrender_not_allowed",
        "A hand is given up in a game without surrender.",
        surrendered,
    ),
    mistake(
        "free_double_wrong_total",
        "free_double_wrong_total",
        "A double that costs chips is given free.",
        free_double,
    ),
    mistake(
        "free_double_charged",
        "free_double_wrong_total",
        "A double that is free is paid for in chips.",
        charged_double,
    ),
    mistake("card_after_double", "card_after_double", "A doubled hand is given a second card.", card_after_double),
    mistake(
        "double_card_not_sideways",
        "double_card_not_sideways",
        "The card of a double lies upright.",
        upright_double,
    ),
    mistake("split_ace_not_sideways", "split_ace_not_sideways", "The card of a split ace lies upright.", upright_ace),
    mistake(
        "back_bettor_doubled_alone",
        "back_bettor_raised_alone",
        "A bettor behind doubles and the player does not.",
        doubled_alone,
    ),
];

/// A step of the seated player's with the hand as it was before.
struct Before {
    act: Act,
    wager: Wager,
    cards: Vec<Card>,
    hands: usize,
}

/// The seated players' raises and surrenders.
fn raises(desk: &Desk<'_>) -> Vec<Before> {
    let mut layout = Layout::default();
    let mut raises = Vec::new();
    for act in desk.round.steps.iter().map(|step| &step.act) {
        if let Act::Double(wager, _) | Act::Split(wager, _) | Act::Surrender(wager) = act
            && wager.bettor == Bettor::SEATED
            && !wager.tip
        {
            let on_box = |place: &&Place| place.box_no() == Some(wager.box_no);
            let hands = layout.hands.keys().filter(on_box).count();
            let cards = layout.hands.get(&wager.place()).map(|hand| hand.cards.iter().map(|laid| laid.card).collect());
            raises.push(Before { act: act.clone(), wager: *wager, cards: cards.unwrap_or_default(), hands });
        }
        layout.apply(act);
    }
    raises
}

/// The only raise of a kind that the rules forbid, in a round dealt by rules that allow it.
fn only(desk: &Desk<'_>, is_it: impl Fn(&Before) -> bool) -> Option<Before> {
    let mut wrong = raises(desk).into_iter().filter(|before| is_it(before));
    wrong.next().filter(|_| wrong.next().is_none())
}

/// What was done, with which cards.
fn told(before: &Before, what: &str) -> String {
    let cards: Vec<String> = before.cards.iter().map(Card::to_string).collect();
    format!("hand {} of {} was {what}", before.wager.place(), cards.join(" "))
}

fn has_ace(cards: &[Card]) -> bool {
    cards.iter().any(|card| card.rank() == Some(Rank::Ace))
}

fn doubled_on_an_ace(desk: &mut Desk<'_>) -> Option<Wrong> {
    (!desk.rules().double_aces).then_some(())?;
    desk.dealt_by(|rules| rules.double_aces = true)?;
    let wrong = only(desk, |before| matches!(before.act, Act::Double(..)) && has_ace(&before.cards))?;
    Some(at(wrong.wager, cited(desk, &["doubled_on_an_ace"])?, told(&wrong, "doubled")))
}

fn doubled_on_three(desk: &mut Desk<'_>) -> Option<Wrong> {
    let most = usize::from(desk.rules().double_cards?);
    desk.dealt_by(|rules| rules.double_cards = None)?;
    let wrong = only(desk, |before| matches!(before.act, Act::Double(..)) && before.cards.len() > most)?;
    Some(at(wrong.wager, cited(desk, &["doubled_on_wrong_cards"])?, told(&wrong, "doubled")))
}

fn doubled_a_natural(desk: &mut Desk<'_>) -> Option<Wrong> {
    (!desk.rules().double_bj).then_some(())?;
    desk.dealt_by(|rules| rules.double_bj = true)?;
    let natural = |before: &Before| before.hands == 1 && is_ace_and_ten(&before.cards);
    let wrong = only(desk, |before| matches!(before.act, Act::Double(..)) && natural(before))?;
    let (outcome, box_no) = (Outcome::of(&desk.round), wrong.wager.box_no);
    // Somebody behind who was paid even money has no part in the hand any more.
    (!outcome.is_zapped(box_no) && !outcome.has_even_money(box_no)).then_some(())?;
    Some(at(wrong.wager, cited(desk, &["doubled_a_natural"])?, told(&wrong, "doubled")))
}

fn aces_resplit(desk: &mut Desk<'_>) -> Option<Wrong> {
    (!desk.rules().resplit_aces).then_some(())?;
    desk.dealt_by(|rules| rules.resplit_aces = true)?;
    let again = |before: &Before| before.hands > 1 && has_ace(&before.cards);
    let wrong = only(desk, |before| matches!(before.act, Act::Split(..)) && again(before))?;
    Some(at(wrong.wager, cited(desk, &["aces_resplit"])?, told(&wrong, "split again")))
}

fn too_many_hands(desk: &mut Desk<'_>) -> Option<Wrong> {
    let most = usize::from(desk.rules().split_max_hands?);
    desk.dealt_by(|rules| rules.split_max_hands = None)?;
    let wrong = only(desk, |before| matches!(before.act, Act::Split(..)) && before.hands >= most)?;
    Some(at(wrong.wager, cited(desk, &["too_many_hands"])?, told(&wrong, "split once too often")))
}

fn split_ace_extra_card(desk: &mut Desk<'_>) -> Option<Wrong> {
    (!desk.rules().hit_split_aces).then_some(())?;
    desk.dealt_by(|rules| rules.hit_split_aces = true)?;
    let outcome = Outcome::of(&desk.round);
    let mut extra = outcome.places().filter(|place| {
        let cards = outcome.cards(*place);
        let ace = cards.first().is_some_and(|card| card.rank() == Some(Rank::Ace));
        ace && place.box_no().is_some_and(|box_no| outcome.is_split(box_no)) && cards.len() > 2
    });
    let Place::Box(box_no, hand) = extra.next()? else { return None };
    let place = Place::Box(box_no, hand);
    (extra.next().is_none() && !outcome.is_doubled(place)).then_some(())?;
    let says = format!("the split ace of hand {place} was given a further card");
    Some(at(Wager::on(box_no, hand), cited(desk, &["split_ace_extra_card"])?, says))
}

fn surrendered(desk: &mut Desk<'_>) -> Option<Wrong> {
    (desk.rules().surrender == Surrender::None).then_some(())?;
    desk.dealt_by(|rules| rules.surrender = if rules.hole_card { Surrender::Late } else { Surrender::Provisional })?;
    let wrong = only(desk, |before| matches!(before.act, Act::Surrender(_)))?;
    // Against an ace or ten the hand would lie there until the second card, which no other game knows how to clear.
    let up = Outcome::of(&desk.round).cards(Place::Dealer).first()?.rank()?;
    (2..=9).contains(&up.points()).then_some(())?;
    Some(at(wrong.wager, cited(desk, &["surrender_not_allowed.none"])?, told(&wrong, "given up")))
}

/// Whether a double on these cards is free by the rules.
fn is_free_total(desk: &Desk<'_>, before: &Before) -> bool {
    let rules = desk.rules();
    let Some(total) = Total::of(before.cards.iter().copied()) else { return false };
    before.cards.len() == 2
        && rules.free_double.has(total.points)
        && !(rules.free_double_hard && total.soft)
        && (rules.free_double_after_split || before.hands == 1)
}

fn free_double(desk: &mut Desk<'_>) -> Option<Wrong> {
    desk.rules().free_double.any().then_some(())?;
    let every: Totals = "3-20".parse().ok()?;
    desk.dealt_by(|rules| rules.free_double = every)?;
    let free = |before: &Before| matches!(before.act, Act::Double(_, Stake::Free));
    let wrong = only(desk, |before| free(before) && !is_free_total(desk, before))?;
    let tags = ["free_double_wrong_total.after_split", "free_double_wrong_total"];
    let tags = if wrong.hands > 1 { &tags[..] } else { &tags[1..] };
    Some(at(wrong.wager, cited(desk, tags)?, told(&wrong, "doubled free")))
}

fn charged_double(desk: &mut Desk<'_>) -> Option<Wrong> {
    desk.rules().free_double.any().then_some(())?;
    desk.dealt_by(|rules| rules.free_double = Totals::NONE)?;
    let paid = |before: &Before| matches!(before.act, Act::Double(_, Stake::Full | Stake::Chips(_)));
    let wrong = only(desk, |before| paid(before) && is_free_total(desk, before))?;
    Some(at(wrong.wager, cited(desk, &["free_double_wrong_total.charged"])?, told(&wrong, "doubled for chips")))
}

/// What a hand that is neither bust nor decided by anything but its total comes to.
fn by_totals(desk: &Desk<'_>, points: u16, dealer: u16) -> std::cmp::Ordering {
    match dealer {
        22 if desk.rules().dealer22 == Dealer22::Push => std::cmp::Ordering::Equal,
        22.. => std::cmp::Ordering::Greater,
        _ => points.cmp(&dealer),
    }
}

/// Hands that need no closer look: below 21 and with fewer cards than any rule counts.
fn is_ordinary(cards: &[Card]) -> bool {
    let points = Total::of(cards.iter().copied()).map(|total| total.points);
    cards.len() < 5 && points.is_some_and(|points| points < 21)
}

fn card_after_double(desk: &mut Desk<'_>) -> Option<Wrong> {
    (desk.rules().player_cards == PlayerCards::Up).then_some(())?;
    let outcome = Outcome::of(&desk.round);
    let dealer = outcome.points(Place::Dealer).filter(|points| *points >= 17)?;
    let last = last_card(desk)?;
    let doubled = any_settled(desk, &outcome, |on| {
        let place = on.wager.place();
        let open = on.step > last && is_ordinary(&outcome.cards(place)) && !outcome.is_split(on.wager.box_no);
        on.wager.kind == WagerKind::Double && on.is_on_hand() && open && !outcome.dealer_has_natural()
    })?;
    let place = doubled.wager.place();
    let mut cards = outcome.cards(place);
    let before = by_totals(desk, outcome.points(place)?, dealer);
    let card = desk.draw()?;
    cards.push(card);
    let points = Total::of(cards.iter().copied())?.points;
    (is_ordinary(&cards) && by_totals(desk, points, dealer) == before).then_some(())?;
    let own = desk.steps(|act| matches!(act, Act::Card { to, .. } if *to == place)).last().copied()?;
    desk.insert(own + 1, [Act::Card { to: place, card, face: Face::Up, turn: Turn::Upright }]);
    Some(at(
        doubled.wager,
        cited(desk, &["card_after_double"])?,
        format!("the doubled hand {place} was given a second card"),
    ))
}

/// Lays a sideways card upright.
fn upright(desk: &mut Desk<'_>, tag: &'static str, fits: impl Fn(&Outcome, Place) -> bool) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let step = desk.any(|act| matches!(act, Act::Card { to, turn: Turn::Sideways, .. } if fits(&outcome, *to)))?;
    let Some(Act::Card { to, card, face, .. }) = desk.act(step).cloned() else { return None };
    let Place::Box(box_no, hand) = to else { return None };
    desk.replace(step, [Act::Card { to, card, face, turn: Turn::Upright }]);
    Some(at(Wager::on(box_no, hand), cited(desk, &[tag])?, format!("the last card of hand {to} lay upright")))
}

fn upright_double(desk: &mut Desk<'_>) -> Option<Wrong> {
    upright(desk, "double_card_not_sideways", Outcome::is_doubled)
}

fn upright_ace(desk: &mut Desk<'_>) -> Option<Wrong> {
    upright(desk, "split_ace_not_sideways", |outcome, place| {
        !outcome.is_doubled(place) && outcome.cards(place).len() == 2
    })
}

fn doubled_alone(desk: &mut Desk<'_>) -> Option<Wrong> {
    let outcome = Outcome::of(&desk.round);
    let rules = desk.rules();
    let behind = any_settled(desk, &outcome, |on| {
        let (wager, cards) = (on.wager, outcome.cards(on.wager.place()));
        let first_two = Total::of(cards.iter().take(2).copied());
        let may = first_two.is_some_and(|total| total.points <= u16::from(rules.double_total_max))
            && (rules.double_aces || !has_ace(&cards));
        let hit_once = cards.len() == 3 && !outcome.is_split(wager.box_no) && !outcome.is_doubled(wager.place());
        let plain = !on.capped && !outcome.has_ride(wager.box_no) && !outcome.is_zapped(wager.box_no);
        on.is_on_hand() && wager.bettor != Bettor::SEATED && hit_once && may && plain && !outcome.dealer_has_natural()
    })?;
    let place = behind.wager.place();
    let hit = desk.steps(|act| matches!(act, Act::Hit(of) if *of == place)).first().copied()?;
    let double = behind.wager.of_kind(WagerKind::Double);
    let settled = match behind.due {
        Due::Paid(_) => Act::Pay(double, behind.chips),
        Due::Taken(_) => Act::Take(double, None),
        Due::Pushed | Due::Returned => Act::Push(double),
    };
    desk.insert(behind.step + 1, [settled]);
    desk.insert(hit + 1, [Act::Double(behind.wager, Stake::Full)]);
    let says =
        format!("bettor {} doubled behind box {} and the player only hit", double.bettor.number(), double.box_no);
    Some(at(behind.wager, cited(desk, &["back_bettor_raised_alone.double", "back_bettor_raised_alone"])?, says))
}

/// Whoever claims the pair, two unlike cards are split.
pub(super) fn split_unequal(desk: &mut Desk<'_>) -> Option<Wrong> {
    (desk.rules().player_cards == PlayerCards::Up).then_some(())?;
    let outcome = Outcome::of(&desk.round);
    let dealer = outcome.points(Place::Dealer).filter(|points| *points >= 17)?;
    let last = last_card(desk)?;
    let main = any_settled(desk, &outcome, |on| {
        let (wager, box_no) = (on.wager, on.wager.box_no);
        let alone = outcome.wagers().filter(|(other, _)| other.box_no == box_no).count() == 1;
        let points =
            outcome.cards(wager.place()).iter().filter_map(|card| card.rank()).map(Rank::points).collect::<Vec<_>>();
        let unlike = matches!(points[..], [first, second] if first != second && first > 1 && second > 1);
        let open = on.step > last && !outcome.is_doubled(wager.place()) && !outcome.is_zapped(box_no);
        on.is_on_hand() && alone && unlike && open && !outcome.dealer_has_natural()
    })?;
    let (place, box_no) = (main.wager.place(), main.wager.box_no);
    let second = Place::Box(box_no, Hand::new(1)?);
    let stand = desk.steps(|act| decides(act) == Some(place)).first().copied()?;
    matches!(desk.act(stand), Some(Act::Stand(_))).then_some(())?;
    let mut acts = vec![Act::Split(main.wager, Stake::Full)];
    let mut settled = Vec::new();
    for (to, own) in [place, second].into_iter().zip(outcome.cards(place)) {
        let card = desk.draw()?;
        let points = Total::of([own, card])?.points;
        (points >= u16::from(desk.rules().forced_hit_below.max(12)) && points < 21).then_some(())?;
        acts.extend([Act::Card { to, card, face: Face::Up, turn: Turn::Upright }, Act::Stand(to)]);
        let Place::Box(_, hand) = to else { return None };
        let wager = Wager::on(box_no, hand);
        settled.push(match by_totals(desk, points, dealer) {
            std::cmp::Ordering::Greater => Act::Pay(wager, main.chips),
            std::cmp::Ordering::Less => Act::Take(wager, None),
            std::cmp::Ordering::Equal => Act::Push(wager),
        });
    }
    let cleared = desk.steps(|act| matches!(act, Act::Collect(of) if *of == place)).first().copied()?;
    desk.insert(cleared + 1, [Act::Collect(second)]);
    desk.replace(main.step, settled);
    desk.replace(stand, acts);
    Some(at(main.wager, cited(desk, &["split_unequal_cards"])?, format!("two unlike cards of box {box_no} were split")))
}
