//! Where things belong on a blackjack table, in millimetres: the felt's edge, the boxes on their arc, the spots for chips
//! and the way cards are laid before each box.

use std::f32::consts::{FRAC_PI_2, PI};

use table::{Bettor, BoxNo, Place, SideBet, Turn, Wager, WagerKind};

use super::scene::{Point, Pose};

/// Width and height of a card.
pub const CARD: (f32, f32) = (63.0, 88.0);
/// Across a chip.
pub const CHIP: f32 = 39.0;
/// Half the width of the felt, which is the length of the dealer's edge.
pub const HALF_WIDTH: f32 = 1000.0;
/// From the dealer's edge to the middle of the players' edge.
pub const DEPTH: f32 = 1050.0;
/// How far the sides run straight before the players' edge bends.
const STRAIGHT: f32 = 150.0;
/// The half axes of the arc on which the boxes lie.
const BOX_ARC: (f32, f32) = (840.0, 740.0);
/// Where the outermost boxes lie on that arc at the most.
const FIRST_ANGLE: f32 = 0.21;
/// The most that neighbouring boxes are apart.
const WIDEST: f32 = 400.0;
/// Every box looks at this point before the dealer.
const FOCUS: Point = Point { x: 0.0, y: 100.0 };
/// From the betting spot to a box's first card.
const TO_CARDS: f32 = 196.0;
/// From the betting spot to the insurance line.
const TO_INSURANCE: f32 = 400.0;
/// Radius of the circle round the betting spot.
pub const BOX_RADIUS: f32 = 58.0;
/// Between chips that stand side by side.
const BESIDE: f32 = 43.0;
/// The place of the dealer's first card, and the steps to the next ones: full ones, then shorter ones.
const DEALER: (Point, f32, f32) = (Point { x: -90.0, y: 205.0 }, 58.0, 28.0);
/// How many of the dealer's cards lie at full steps.
const DEALER_FULL: usize = 4;

/// A piece of the table's furniture: how it lies, its width and its depth.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Footprint {
    /// Its middle and turn.
    pub pose: Pose,
    /// Across.
    pub width: f32,
    /// From its edge at the dealer to the other.
    pub depth: f32,
}

/// Something printed on the felt.
#[derive(Clone, Debug, PartialEq)]
pub enum Print {
    /// The outline of a spot for chips.
    Circle {
        /// Its middle.
        at: Point,
        /// Its radius.
        radius: f32,
    },
    /// A line through these points.
    Line(Vec<Point>),
    /// A line of text.
    Text(TextLine),
}

/// Text on the felt, to be read from the players' side.
#[derive(Clone, Debug, PartialEq)]
pub struct TextLine {
    /// What it says.
    pub text: String,
    /// The middle of the line.
    pub at: Point,
    /// Height of a capital letter.
    pub size: f32,
    /// Radius of the circle on which the letters stand; its middle is on the dealer's side.
    pub radius: f32,
}

/// The layout of one table.
#[derive(Clone, Debug, PartialEq)]
pub struct Geometry {
    boxes: u8,
    sides: Vec<SideBet>,
}

/// A box as its player sees it: its betting spot, and the turn of a card that lies straight before it.
#[derive(Clone, Copy)]
struct Frame {
    spot: Point,
    turn: f32,
}

impl Frame {
    /// The point so far to the right of the betting spot, and so far towards the dealer.
    fn point(self, right: f32, inward: f32) -> Point {
        offset(self.spot, self.turn, right, inward)
    }
}

/// The point so far to the right of another and so far towards the top, as a thing with this turn has them.
pub fn offset(from: Point, turn: f32, right: f32, up: f32) -> Point {
    let (sin, cos) = turn.sin_cos();
    Point { x: from.x + right * cos + up * sin, y: from.y + right * sin - up * cos }
}

impl Geometry {
    /// A table with so many boxes, from one to nine; another number becomes the nearest of these.
    pub fn new(boxes: u8) -> Self {
        Self { boxes: boxes.clamp(1, BoxNo::MOST), sides: SideBet::ALL.to_vec() }
    }

    /// The same table with spots for these side bets only, the first at the card's left.
    #[must_use]
    pub fn offering(self, sides: &[SideBet]) -> Self {
        Self { sides: sides.to_vec(), ..self }
    }

    /// How many boxes there are.
    pub fn boxes(&self) -> u8 {
        self.boxes
    }

    /// The side bets it has spots for.
    pub fn sides(&self) -> &[SideBet] {
        &self.sides
    }

    /// The shoe, at the dealer's left.
    pub fn shoe(&self) -> Footprint {
        Footprint { pose: Pose { at: Point { x: 880.0, y: 110.0 }, turn: 0.4, lift: 0.0 }, width: 110.0, depth: 180.0 }
    }

    /// The shoe's mouth, where cards come out.
    pub fn mouth(&self) -> Point {
        let shoe = self.shoe();
        offset(shoe.pose.at, shoe.pose.turn, 0.0, -0.45 * shoe.depth)
    }

    /// The discard rack, at the dealer's right.
    pub fn rack(&self) -> Footprint {
        Footprint { pose: Pose { at: Point { x: -880.0, y: 90.0 }, turn: 0.0, lift: 0.0 }, width: 80.0, depth: 105.0 }
    }

    /// The chip tray before the dealer.
    pub fn tray(&self) -> Footprint {
        Footprint { pose: Pose { at: Point { x: 0.0, y: 75.0 }, turn: 0.0, lift: 0.0 }, width: 560.0, depth: 130.0 }
    }

    /// Where the cutting card lies once it is out.
    pub fn aside(&self) -> Pose {
        Pose { at: Point { x: 690.0, y: 60.0 }, turn: FRAC_PI_2, lift: 0.0 }
    }

    /// Where cards are shuffled.
    pub fn shuffling(&self) -> Point {
        Point { x: 0.0, y: 330.0 }
    }

    /// The felt's edge as a closed line, clockwise from the dealer's right.
    pub fn edge(&self) -> Vec<Point> {
        const PIECES: u8 = 48;
        let bend = (0..=PIECES).map(|piece| {
            let (sin, cos) = (PI * f32::from(piece) / f32::from(PIECES)).sin_cos();
            Point { x: HALF_WIDTH * cos, y: STRAIGHT + (DEPTH - STRAIGHT) * sin }
        });
        [Point { x: -HALF_WIDTH, y: 0.0 }, Point { x: HALF_WIDTH, y: 0.0 }].into_iter().chain(bend).collect()
    }

    /// Whether a point is on the felt.
    pub fn on_felt(&self, at: Point) -> bool {
        let across = at.x / HALF_WIDTH;
        let beyond = (at.y - STRAIGHT).max(0.0) / (DEPTH - STRAIGHT);
        at.y >= 0.0 && across * across + beyond * beyond <= 1.0
    }

    /// The betting spot of a wager. Chips of different wagers stand on different spots as far as there is room.
    pub fn betting_spot(&self, wager: &Wager) -> Point {
        let (right, inward) = self.chips_at(wager);
        self.frame(wager.box_no).point(right, inward)
    }

    /// Where a wager is paid: beside its stake.
    pub fn payout_spot(&self, wager: &Wager) -> Point {
        let (right, inward) = self.chips_at(wager);
        self.frame(wager.box_no).point(right - 12.0, inward + BESIDE)
    }

    /// Where a box's player comes from with the hand: beyond the edge.
    pub fn player(&self, box_no: BoxNo, bettor: Bettor) -> Point {
        let aside = if bettor == Bettor::SEATED { 0.0 } else { 50.0 * (f32::from(bettor.number()) - 1.0) };
        self.frame(box_no).point(-aside, -320.0)
    }

    /// A place between a box and the next, near the players' edge, where a glass stands.
    pub fn beside(&self, box_no: BoxNo) -> Point {
        self.frame(box_no).point(-0.46 * self.spacing().min(260.0), -70.0)
    }

    /// Where a marker of the house is put: at the other side of the box.
    pub fn marker(&self, box_no: BoxNo) -> Point {
        self.frame(box_no).point(BOX_RADIUS + 24.0, -40.0)
    }

    /// How a card lies: whose hand, which of its cards counting from one, which way round, and how many hands are on that
    /// box. Each card of a hand lies on the one before so that the index of every card can be read.
    pub fn card_pose(&self, place: Place, position: u8, turn: Turn, hands: u8) -> Pose {
        let along = usize::from(position.max(1)) - 1;
        let across = if turn == Turn::Sideways { FRAC_PI_2 } else { 0.0 };
        match place {
            Place::Dealer => {
                let (first, full, short) = DEALER;
                let x =
                    first.x + full * along.min(DEALER_FULL) as f32 + short * along.saturating_sub(DEALER_FULL) as f32;
                let wider = if turn == Turn::Sideways { (CARD.1 - CARD.0) / 2.0 } else { 0.0 };
                Pose { at: Point { x: x + wider, ..first }, turn: across, lift: 0.0 }
            }
            Place::Box(box_no, hand) => {
                let frame = self.frame(box_no);
                let hands = usize::from(hands.max(1)).max(hand.index() + 1);
                let (right, inward) = match hands {
                    1 => whole_hand(along, turn),
                    _ => split_hand(along, turn, self.column(hand.index(), hands)),
                };
                Pose { at: frame.point(right, TO_CARDS + inward), turn: frame.turn + across, lift: 0.0 }
            }
        }
    }

    /// Where a card lies that belongs to no hand: before the shoe, each a little further on.
    pub fn loose(&self, number: usize) -> Point {
        Point { x: 600.0 - 70.0 * (number % 4) as f32, y: 100.0 + 30.0 * (number % 2) as f32 }
    }

    /// What is printed on the felt: a circle for each spot, the insurance line, and the given lines of text, the first
    /// nearest to the dealer.
    pub fn layout(&self, lines: &[&str]) -> Vec<Print> {
        let mut prints = Vec::new();
        for box_no in BoxNo::all().take(usize::from(self.boxes)) {
            let main = Wager::on(box_no, table::Hand::A);
            prints.push(Print::Circle { at: self.betting_spot(&main), radius: BOX_RADIUS });
            // Circles for more side bets than there is room for would tell nobody anything.
            let sides = self.sides.iter().filter(|_| self.sides.len() <= SIDE_SPOTS);
            prints.extend(sides.map(|side| Print::Circle {
                at: self.betting_spot(&main.of_kind(WagerKind::Side(*side))),
                radius: CHIP / 2.0 + 1.0,
            }));
        }
        prints.push(Print::Line(self.insurance_line()));
        prints.extend(lines.iter().enumerate().map(|(number, text)| {
            let size = if number == 0 { 34.0 } else { 24.0 };
            let at = Point { x: 0.0, y: 330.0 + 58.0 * number as f32 };
            Print::Text(TextLine { text: (*text).to_owned(), at, size, radius: 900.0 + at.y })
        }));
        prints
    }

    /// The line of insurance, from the dealer's left to the right.
    pub fn insurance_line(&self) -> Vec<Point> {
        const PIECES: u8 = 40;
        let angle = |piece| FIRST_ANGLE + (PI - 2.0 * FIRST_ANGLE) * f32::from(piece) / f32::from(PIECES);
        (0..=PIECES).map(|piece| frame_at(angle(piece)).point(0.0, TO_INSURANCE)).collect()
    }

    /// How far a hand of a split box is to the right of the box's middle.
    fn column(&self, hand: usize, hands: usize) -> f32 {
        // Towards the dealer the boxes come closer together.
        let room = self.spacing() * 0.74;
        let width = (room / hands as f32).min(CARD.0 + 18.0);
        (hand as f32 - (hands as f32 - 1.0) / 2.0) * width
    }

    /// Along the arc from box to box.
    fn spacing(&self) -> f32 {
        let arc = (PI - 2.0 * FIRST_ANGLE) * (BOX_ARC.0 + BOX_ARC.1) / 2.0;
        (arc / (f32::from(self.boxes) - 1.0).max(1.0)).min(WIDEST)
    }

    fn frame(&self, box_no: BoxNo) -> Frame {
        let step = self.spacing() / ((BOX_ARC.0 + BOX_ARC.1) / 2.0);
        let middle = (f32::from(self.boxes) - 1.0) / 2.0;
        // A box that this table has not got lies where the table's last one is: it is shown rather than lost.
        let number = f32::from(box_no.number().min(self.boxes) - 1);
        frame_at(FRAC_PI_2 + (number - middle) * step)
    }

    /// Where chips stand as seen from the box's own spot: to the right, and towards the dealer.
    fn chips_at(&self, wager: &Wager) -> (f32, f32) {
        let behind = f32::from(wager.bettor.number() - 1);
        let hand = wager.hand.index();
        let tip = if wager.tip { 22.0 } else { 0.0 };
        let (right, inward) = match wager.kind {
            WagerKind::Insurance => {
                let number = usize::from(wager.bettor.number() - 1);
                let row = (number / 5) as f32;
                (BESIDE * zigzag(number) + 14.0 * hand as f32, TO_INSURANCE + BESIDE * row)
            }
            WagerKind::Side(side) => {
                let (right, inward) = side_spot(self.sides.iter().position(|bet| *bet == side).unwrap_or(0));
                (right + 9.0 * behind, inward + 7.0 * behind)
            }
            WagerKind::Ante => (36.0, 46.0),
            WagerKind::Main | WagerKind::Split | WagerKind::Double if behind > 0.0 => {
                let along = f32::from((wager.bettor.number() - 2) % 4) - 1.5;
                let row = f32::from((wager.bettor.number() - 2) / 4);
                (along * 48.0 + 14.0 * hand as f32, -72.0 - 36.0 * row)
            }
            _ => (BESIDE * zigzag(hand), 0.0),
        };
        let doubled = if wager.kind == WagerKind::Double { -0.8 * BESIDE } else { 0.0 };
        (right - tip, inward + doubled + 1.9 * tip)
    }
}

/// Side bets that have a spot of their own before a box.
const SIDE_SPOTS: usize = 8;

/// The spot of a table's side bet with this number: two rows of four before the box.
fn side_spot(number: usize) -> (f32, f32) {
    let number = number % SIDE_SPOTS;
    (BESIDE * ((number % 4) as f32 - 1.5), 82.0 + BESIDE * (number / 4) as f32)
}

/// 0, 1, -1, 2, -2 and so on, but never further than stacks fit before a box.
fn zigzag(number: usize) -> f32 {
    let away = (number % 5).div_ceil(2) as f32;
    if number % 2 == 1 { away } else { -away }
}

/// The only hand of a box: every card further to the right and towards the dealer than the one before.
fn whole_hand(along: usize, turn: Turn) -> (f32, f32) {
    let (right, inward) = (14.0 * along as f32 - 22.0, 18.0 * along as f32);
    if turn == Turn::Sideways { (right + 14.0, inward + 6.0) } else { (right, inward) }
}

/// A hand among others has no room to the side: every card comes nearer to the player instead, below the index of the
/// one before.
fn split_hand(along: usize, turn: Turn, column: f32) -> (f32, f32) {
    let down = 24.0 * along.min(4) as f32 + 14.0 * along.saturating_sub(4) as f32;
    let lower = if turn == Turn::Sideways { 6.0 } else { 0.0 };
    (column, 90.0 - down - lower)
}

/// The frame of a betting spot at an angle on the arc; the dealer's left is 0.
fn frame_at(angle: f32) -> Frame {
    let (sin, cos) = angle.sin_cos();
    let spot = Point { x: BOX_ARC.0 * cos, y: STRAIGHT + BOX_ARC.1 * sin };
    let (x, y) = (FOCUS.x - spot.x, FOCUS.y - spot.y);
    Frame { spot, turn: x.atan2(-y) }
}

/// The corners of a card, clockwise from its own top left.
pub fn corners(pose: Pose) -> [Point; 4] {
    let (half, tall) = (CARD.0 / 2.0, CARD.1 / 2.0);
    [(-half, tall), (half, tall), (half, -tall), (-half, -tall)]
        .map(|(right, up)| offset(pose.at, pose.turn, right, up))
}

#[cfg(test)]
mod tests;
