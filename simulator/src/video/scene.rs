//! A scene: everything on and above the felt at one instant, in millimetres, before any camera looks at it.
//!
//! The plane is the felt. The origin is the middle of the dealer's edge; `x` grows towards the dealer's left hand (box 1),
//! `y` from the dealer towards the players. Seen from above with the dealer at the top of the picture that is the way
//! pictures are counted: right and down.

use table::{Card, CardAt, Money, Utc};

/// A point on the felt, in millimetres.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// Towards the dealer's left.
    pub x: f32,
    /// Towards the players.
    pub y: f32,
}

/// How a flat thing lies.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pose {
    /// Its middle.
    pub at: Point,
    /// Its turn in radians, clockwise as seen from above; at 0 its top edge is towards the dealer.
    pub turn: f32,
    /// Its height above the felt in millimetres: a card in the dealer's hand is not on the table yet.
    pub lift: f32,
}

/// Something that a camera may see.
#[derive(Clone, Debug, PartialEq)]
pub enum Thing {
    /// A playing card, 63 by 88 mm unless the deck says otherwise.
    Card {
        /// Its face.
        card: Card,
        /// Whether the face is up.
        up: bool,
        /// How it lies.
        pose: Pose,
        /// Its place once it is there.
        at: Option<CardAt>,
    },
    /// The cutting card: plain coloured plastic.
    CutCard(Pose),
    /// Chips one on another.
    Chips {
        /// The middle of the stack.
        at: Point,
        /// The value of each chip in minor units, the lowest first.
        stack: Vec<Money>,
        /// Height of the lowest chip above the felt: chips on their way are carried.
        lift: f32,
    },
    /// A free-bet lammer or another marker.
    Lammer(Point),
    /// A forearm with its hand.
    Arm {
        /// Where it comes from, outside the picture or at the edge of the table.
        elbow: Point,
        /// The finger tips.
        hand: Point,
        /// Height of the hand above the felt.
        lift: f32,
        /// Whose.
        whose: Whose,
        /// Whether a finger points rather than a hand holding something.
        points: bool,
    },
    /// The dealing shoe, so many cards in it.
    Shoe(usize),
    /// The discard rack, so many cards in it.
    Rack(usize),
    /// The dealer's chip tray.
    Tray,
    /// Something that is no part of the game: a receipt, a glass, a phone.
    Clutter {
        /// What kind; the renderer knows a few and takes the number modulo that.
        kind: u8,
        /// How it lies.
        pose: Pose,
    },
}

/// Whose arm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Whose {
    /// The dealer's: dark sleeve, white cuff.
    Dealer,
    /// A player's; the number picks sleeve and skin.
    Player(u8),
}

/// One instant.
#[derive(Clone, Debug, PartialEq)]
pub struct Scene {
    /// When.
    pub at: Utc,
    /// What there is, the lowest first.
    pub things: Vec<Thing>,
}
