//! The table from above, as a camera over the players sees it: the dealer at the top, box 1 at the dealer's left.

use table::layout::{LaidCard, LaidHand};
use table::{Act, BoxNo, Face, Hand, Layout, Place, Round, Wager, WagerKind};

use super::card::{self, FAN, SPLIT_FAN};
use super::chips;
use super::{Num, Svg};

const SIZE: (f64, f64) = (1000.0, 560.0);
/// The middle of the ellipse on which the betting spots lie, and its half axes.
const ARC: (f64, f64) = (500.0, 76.0);
const AXES: (f64, f64) = (412.0, 376.0);
/// How far from the dealer's line the outermost boxes lie, in radians.
const FIRST_ANGLE: f64 = 0.36;
const DEALER: (f64, f64) = (500.0, 42.0);
const SHOE: (f64, f64) = (740.0, 18.0);
const RACK: (f64, f64) = (200.0, 18.0);
/// Boxes farther to either side than this, as a cosine, have the table's edge beside them and not below.
const OUTER: f64 = 0.6;
/// From a betting spot up to the foot of its cards.
const TO_CARDS: f64 = 30.0;

/// How many boxes a table is drawn with: five, seven or nine.
pub fn boxes_of(round: &Round) -> u8 {
    let highest = Layout::after(round).boxes().last().map_or(0, |box_no| box_no.number());
    match highest {
        0..=5 => 5,
        6 | 7 => 7,
        _ => BoxNo::MOST,
    }
}

/// The layout after the first `steps` steps of a round, with what the last of them did made to stand out.
pub fn felt(round: &Round, steps: usize, boxes: u8) -> String {
    let mut layout = Layout::default();
    let done = &round.steps[..steps.min(round.steps.len())];
    for step in done {
        layout.apply(&step.act);
    }
    let last = done.last().map(|step| &step.act);
    let label = format!("The table after step {} of {}", done.len(), round.steps.len());
    let mut svg = Svg::new("felt", SIZE, &label);
    furniture(&mut svg, &layout);
    let shown = Shown { layout: &layout, focus: focus(last, &layout), boxes: boxes.max(1) };
    for number in 1..=shown.boxes {
        if let Some(box_no) = BoxNo::new(number) {
            shown.draw_box(&mut svg, box_no);
        }
    }
    shown.draw_dealer(&mut svg);
    shown.arrow(&mut svg, last);
    svg.finish()
}

fn furniture(svg: &mut Svg, layout: &Layout) {
    svg.put(format_args!(
        "<path class=\"cloth\" d=\"M16 8H984V120C984 400 760 552 500 552S16 400 16 120Z\"/>\
         <path class=\"line\" d=\"M180 130C240 270 360 320 500 320S760 270 820 130\"/>"
    ));
    svg.group("shoe", SHOE, |svg| {
        svg.put(format_args!(
            "<path class=\"box\" d=\"M0 12 12 0H64V44L52 58H0Z\"/><path class=\"mouth\" d=\"M0 24V52\"/>"
        ));
        svg.text("name", (32.0, 34.0), &"shoe");
    });
    svg.group("rack", RACK, |svg| {
        svg.put(format_args!("<rect class=\"box\" width=\"60\" height=\"58\" rx=\"4\"/>"));
        svg.text("name", (30.0, 34.0), &"rack");
        if !layout.burned.is_empty() {
            svg.text("name", (30.0, 50.0), &format!("{} burned", layout.burned.len()));
        }
    });
}

/// What the last step was about.
#[derive(Clone, Copy, PartialEq)]
enum Focus {
    Nothing,
    Card(Place, usize),
    Hand(Place),
    Chips(Wager),
}

fn focus(act: Option<&Act>, layout: &Layout) -> Focus {
    let last_card = |place: Place| {
        let count = layout.hands.get(&place).map_or(0, |hand| hand.cards.len());
        count.checked_sub(1).map_or(Focus::Hand(place), |at| Focus::Card(place, at))
    };
    match act {
        Some(Act::Card { to, .. } | Act::Move { to, .. }) => last_card(*to),
        Some(Act::TurnUp(place, card)) => {
            let cards = layout.hands.get(place).map(|hand| hand.cards.as_slice()).unwrap_or_default();
            let at = cards.iter().rposition(|laid| laid.card == *card);
            at.map_or(Focus::Hand(*place), |at| Focus::Card(*place, at))
        }
        Some(
            Act::TurnSideways(place)
            | Act::Tuck(place)
            | Act::Hit(place)
            | Act::Stand(place)
            | Act::Zap(place)
            | Act::Refuse(place)
            | Act::Accept(place)
            | Act::Reconstruct(place)
            | Act::Void(place)
            | Act::Collect(place),
        ) => Focus::Hand(*place),
        Some(Act::Double(wager, _)) => Focus::Chips(wager.of_kind(WagerKind::Double)),
        Some(Act::Split(wager, _) | Act::Surrender(wager) | Act::EvenMoney(wager)) => Focus::Hand(wager.place()),
        Some(
            Act::Bet(wager, _)
            | Act::Alter(wager, _)
            | Act::Pay(wager, _)
            | Act::Take(wager, _)
            | Act::Push(wager)
            | Act::Return(wager)
            | Act::Parlay(wager, _)
            | Act::Ride(wager, _)
            | Act::Prize(wager, _),
        ) => Focus::Chips(*wager),
        Some(Act::Peek) => Focus::Hand(Place::Dealer),
        _ => Focus::Nothing,
    }
}

struct Shown<'l> {
    layout: &'l Layout,
    focus: Focus,
    boxes: u8,
}

impl Shown<'_> {
    /// Where on its arc a box lies: 0 at our right, π at our left.
    fn angle(&self, box_no: BoxNo) -> f64 {
        let share = match self.boxes {
            1 => 0.5,
            boxes => f64::from(box_no.number() - 1) / f64::from(boxes - 1),
        };
        FIRST_ANGLE + (std::f64::consts::PI - 2.0 * FIRST_ANGLE) * share
    }

    /// The betting spot of a box.
    fn spot(&self, box_no: BoxNo) -> (f64, f64) {
        let angle = self.angle(box_no);
        (ARC.0 + AXES.0 * angle.cos(), ARC.1 + AXES.1 * angle.sin())
    }

    fn scale(&self, hands: usize) -> f64 {
        match (self.boxes > 7, hands) {
            (false, 0 | 1) => 1.0,
            (true, 0 | 1) => 0.85,
            (_, 2) => 0.72,
            _ => 0.6,
        }
    }

    fn hands_of(&self, box_no: BoxNo) -> Vec<(Hand, &LaidHand)> {
        let of = |(place, hand)| match place {
            &Place::Box(no, letter) if no == box_no => Some((letter, hand)),
            _ => None,
        };
        self.layout.hands.iter().filter_map(of).collect()
    }

    fn draw_box(&self, svg: &mut Svg, box_no: BoxNo) {
        let (x, y) = self.spot(box_no);
        let hands = self.hands_of(box_no);
        let focused = hands.iter().any(|(hand, _)| self.focus == Focus::Hand(Place::Box(box_no, *hand)));
        svg.group(if focused { "place focus" } else { "place" }, (x, y), |svg| {
            svg.put(format_args!("<circle class=\"ring\" r=\"25\"/>"));
            // Beside the ring where further wagers stand below it, and on the side where no amount is written.
            let beside = self.angle(box_no).cos().abs() < OUTER;
            let aside = if self.is_left(box_no) { -36.0 } else { 36.0 };
            svg.text("no", if beside { (aside, 5.0) } else { (0.0, 46.0) }, &box_no);
            self.draw_chips(svg, box_no);
        });
        for (index, (hand, laid)) in hands.iter().enumerate() {
            self.draw_hand(
                svg,
                (Place::Box(box_no, *hand), laid),
                self.hand_at((x, y), index, hands.len()),
                hands.len(),
            );
        }
    }

    /// Where a hand's first card lies: one above the spot, two side by side, more in rows of two.
    fn hand_at(&self, (x, y): (f64, f64), index: usize, of: usize) -> (f64, f64) {
        let scale = self.scale(of);
        let height = card::SIZE.1 * scale;
        if of <= 1 {
            return (x, y - TO_CARDS - height);
        }
        let (column, row) = ((index % 2) as f64, (index / 2) as f64);
        (x + (column - 0.5) * 78.0, y - TO_CARDS - height - row * (height + 6.0))
    }

    fn draw_hand(&self, svg: &mut Svg, (place, hand): (Place, &LaidHand), (x, y): (f64, f64), of: usize) {
        let scale = self.scale(of);
        let fan = if of > 1 { SPLIT_FAN } else { FAN };
        let width = card::SIZE.0 + fan * (hand.cards.len().saturating_sub(1)) as f64;
        let class = if hand.void { "hand void" } else { "hand" };
        svg.put(format_args!(
            "<g class=\"{class}\" transform=\"translate({} {}) scale({scale:.2})\">",
            Num(x - width * scale / 2.0),
            Num(y)
        ));
        for (at, laid) in hand.cards.iter().enumerate() {
            let focused = self.focus == Focus::Card(place, at);
            svg.group(if focused { "laid focus" } else { "laid" }, (at as f64 * fan, 0.0), |svg| {
                card::draw(svg, *laid)
            });
        }
        if let Some(total) = hand.total().filter(|_| hand.cards.len() > 1 && all_up(&hand.cards)) {
            // Towards the middle of the table, where no neighbour's chips stand, and clear of a card that lies sideways.
            let turned = |laid: Option<&LaidCard>| if laid.is_some_and(card::is_sideways) { card::JUT } else { 0.0 };
            let (class, x) = match self.is_right(place) {
                true => ("total before", -6.0 - turned(hand.cards.first())),
                false => ("total", width + 6.0 + turned(hand.cards.last())),
            };
            svg.text(class, (x, 18.0), &total);
        }
        svg.put(format_args!("</g>"));
    }

    /// Whether a hand lies well to our right.
    fn is_right(&self, place: Place) -> bool {
        place.box_no().is_some_and(|box_no| self.angle(box_no).cos() > OUTER / 2.0)
    }

    /// Whether a box lies to our left: its further wagers do too, so its amounts stand at the right of its spot.
    fn is_left(&self, box_no: BoxNo) -> bool {
        self.angle(box_no).cos() < -0.05
    }

    fn draw_chips(&self, svg: &mut Svg, box_no: BoxNo) {
        let wagers = self.layout.wagers.iter().filter(|(wager, _)| wager.box_no == box_no);
        let wagers: Vec<_> = wagers.filter(|(_, chips)| chips.stake.minor() != 0 || chips.paid.is_some()).collect();
        let left = self.is_left(box_no);
        for (number, (wager, held)) in wagers.iter().enumerate() {
            let main = number == 0;
            let (x, y) = if main { (0.0, 4.0) } else { self.beside(box_no, number - 1, wagers.len() - 1) };
            let fate = chips::fate(held);
            let gone = fate.as_ref().is_some_and(|(_, class)| *class == "taken");
            let focused = self.focus == Focus::Chips(**wager);
            let class = format!("wager{}{}", if focused { " focus" } else { "" }, if gone { " gone" } else { "" });
            svg.group(&class, (x, y), |svg| {
                svg.put(format_args!("<title>{}: {}</title>", super::Esc(&wager.to_string()), held.stake));
                chips::draw(svg, held.stake, if held.free { "lammer" } else { "" });
                let (aside, x) = match (main, left) {
                    (true, false) => (" before", -32.0),
                    (true, true) => (" after", 32.0),
                    (false, _) => (" small", 0.0),
                };
                svg.text(&format!("amount{aside}"), (x, if main { 6.0 } else { 18.0 }), &chips::short(held.stake));
                if let Some((word, class)) = fate {
                    let y = if main { 22.0 } else { 30.0 };
                    svg.text(&format!("fate {class}{aside}"), (x, y), &word);
                }
            });
        }
    }

    /// Where further wagers stand, from the spot: in rows of four on the player's side of it, away from everybody's cards.
    fn beside(&self, box_no: BoxNo, number: usize, of: usize) -> (f64, f64) {
        const ROW: usize = 4;
        let (sin, cos) = self.angle(box_no).sin_cos();
        let row = number / ROW;
        let in_row = (of - row * ROW).min(ROW);
        let across = ((number % ROW) as f64 - (in_row as f64 - 1.0) / 2.0) * if self.boxes > 7 { 24.0 } else { 28.0 };
        let out = 46.0 + 36.0 * row as f64;
        (out * cos + across * sin, out * sin - across * cos)
    }

    fn draw_dealer(&self, svg: &mut Svg) {
        let focused = self.focus == Focus::Hand(Place::Dealer);
        svg.group(if focused { "place focus" } else { "place" }, DEALER, |svg| {
            svg.text("no", (0.0, -14.0), &"dealer");
        });
        if let Some(hand) = self.layout.hands.get(&Place::Dealer) {
            self.draw_hand(svg, (Place::Dealer, hand), DEALER, 1);
        }
    }

    /// A thin arrow from the shoe to the card it gave.
    fn arrow(&self, svg: &mut Svg, last: Option<&Act>) {
        let (Some(Act::Card { .. }), Focus::Card(place, at)) = (last, self.focus) else { return };
        let (x, y) = self.card_at(place, at);
        let from = (SHOE.0, SHOE.1 + 40.0);
        let bend = ((from.0 + x) / 2.0, (from.1.min(y) + 10.0).max(30.0));
        svg.put(format_args!(
            "<path class=\"arrow\" d=\"M{} {}Q{} {} {} {}\"/><circle class=\"tip\" cx=\"{}\" cy=\"{}\" r=\"4\"/>",
            Num(from.0),
            Num(from.1),
            Num(bend.0),
            Num(bend.1),
            Num(x),
            Num(y),
            Num(x),
            Num(y)
        ));
    }

    /// The upper edge of a card.
    fn card_at(&self, place: Place, at: usize) -> (f64, f64) {
        let count = self.layout.hands.get(&place).map_or(0, |hand| hand.cards.len());
        let (origin, of) = match place {
            Place::Dealer => (DEALER, 1),
            Place::Box(box_no, hand) => {
                let hands = self.hands_of(box_no);
                let index = hands.iter().position(|(letter, _)| *letter == hand).unwrap_or(0);
                (self.hand_at(self.spot(box_no), index, hands.len()), hands.len())
            }
        };
        let scale = self.scale(of);
        let fan = if of > 1 { SPLIT_FAN } else { FAN };
        let width = card::SIZE.0 + fan * count.saturating_sub(1) as f64;
        (origin.0 - width * scale / 2.0 + (at as f64 * fan + card::SIZE.0 / 2.0) * scale, origin.1)
    }
}

fn all_up(cards: &[LaidCard]) -> bool {
    cards.iter().all(|laid| laid.face == Face::Up)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROUND: &str = "game nz-base\nbet 3 25\nbet 3 super_sevens 5\ncard 3 8H\ncard dealer 7S\ncard 3 8C\nsplit 3\n\
                         card 3 TD\ncard 3b 2C\ncard dealer TC\npay 3 25\ntake 3b\nend";

    fn round() -> Round {
        table::notation::parse(ROUND).unwrap().remove(0)
    }

    #[test]
    fn the_card_of_the_step_stands_out_and_has_an_arrow() {
        let drawn = felt(&round(), 3, 7);
        assert_eq!(drawn.matches("laid focus").count(), 1);
        assert_eq!(drawn.matches("class=\"arrow\"").count(), 1);
        assert_eq!(drawn, felt(&round(), 3, 7), "drawn twice, the same bytes");
    }

    #[test]
    fn chips_paid_and_taken_say_so() {
        let drawn = felt(&round(), usize::MAX, 7);
        assert!(drawn.contains("+25") && drawn.contains("taken"), "{drawn}");
    }

    #[test]
    fn a_total_keeps_clear_of_a_card_that_lies_sideways() {
        let total_at = |turn: &str| {
            let round = format!("game nz-base\nbet 4 25\ncard 4 8H\ncard 4 3C\ncard 4 5D{turn}");
            let drawn = felt(&table::notation::parse(&round).unwrap()[0], usize::MAX, 5);
            drawn.split("class=\"total\" x=\"").nth(1).unwrap().split('"').next().unwrap().to_owned()
        };
        assert_eq!((&*total_at(""), &*total_at(" sideways")), ("116", "126"));
    }

    #[test]
    fn every_step_of_a_round_can_be_drawn_on_every_table() {
        let round = round();
        for boxes in 0..=9 {
            for step in 0..=round.steps.len() {
                assert!(felt(&round, step, boxes).ends_with("</svg>"));
            }
        }
        assert_eq!(boxes_of(&round), 5);
    }

    #[test]
    fn box_one_lies_at_the_dealers_left_which_is_our_right() {
        let layout = Layout::default();
        let shown = Shown { layout: &layout, focus: Focus::Nothing, boxes: 7 };
        let at = |number| shown.spot(BoxNo::new(number).unwrap());
        assert!(at(1).0 > at(2).0 && at(2).0 > at(7).0);
        assert!(at(4).1 > at(1).1);
    }
}
