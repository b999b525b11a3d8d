//! Decks of our own design: index, pips, courts, stock and back of every maker we invented.

mod back;
mod designs;
mod face;
#[cfg(test)]
mod tests;

use auditor::model::random::Dice;
use table::{Card, Suit};
use tiny_skia::{Path, Pixmap};

use super::courts::Courts;
use super::letters::Style;
use super::pen::rounded;
use super::pips::Cut;
use super::sheet::{Rgb, Sheet, mix};

pub use back::{Back, Pattern};

/// Poker cards, in millimetres.
pub const POKER: (f32, f32) = (63.0, 88.0);
/// Bridge cards, in millimetres.
pub const BRIDGE: (f32, f32) = (57.0, 88.0);

/// A deck. Lengths are millimetres.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Design {
    /// Its name.
    pub name: &'static str,
    /// Width and height of a card.
    pub size: (f32, f32),
    /// Radius of the corners.
    pub corner: f32,
    /// The tint of the stock.
    pub stock: Rgb,
    /// A printed edge: its colour and its width.
    pub border: Option<(Rgb, f32)>,
    /// The inks of clubs, diamonds, hearts and spades.
    pub inks: [Rgb; 4],
    /// The index.
    pub index: Index,
    /// The cut of the pips.
    pub cut: Cut,
    /// Where the pips stand.
    pub field: Field,
    /// How jack, queen and king are drawn.
    pub courts: Courts,
    /// Half the width and half the height of the frame around them.
    pub frame: (f32, f32),
    /// How the aces are drawn.
    pub aces: Aces,
    /// The back.
    pub back: Back,
}

/// The index in the corners of a card.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Index {
    /// Its letters.
    pub letters: Style,
    /// Height of the letter.
    pub height: f32,
    /// Height of the pip below it.
    pub pip: f32,
    /// Its middle, from the left edge.
    pub inset: f32,
    /// Its top, from the upper edge.
    pub top: f32,
    /// Whether it stands in all four corners, or in two.
    pub four_corners: bool,
}

/// The pips of the number cards.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Field {
    /// From the middle of the card to the outer columns.
    pub across: f32,
    /// From the middle of the card to the first and last row.
    pub down: f32,
    /// Height of a pip.
    pub pip: f32,
}

/// How aces are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aces {
    /// One larger pip.
    Plain,
    /// One larger pip, and for spades the maker's showpiece.
    Ornate,
}

impl Design {
    /// The decks we invented.
    pub const ALL: &'static [Self] = designs::ALL;

    /// Width and height of a card in millimetres.
    pub const fn size_mm(&self) -> (f32, f32) {
        self.size
    }

    /// The face of a card, transparent outside its corners; none for a card that shows no face, without pixels, or
    /// wider than [`WIDEST`](super::WIDEST).
    pub fn face(&self, card: Card, width_px: u32) -> Option<Pixmap> {
        let (rank, suit) = (card.rank()?, card.suit()?);
        let mut sheet = Sheet::new(width_px, self.size)?;
        match self.border {
            None => sheet.fill(self.edge(0.0), self.stock),
            Some((colour, width)) => {
                sheet.fill(self.edge(0.0), colour);
                sheet.fill(self.edge(width), self.stock);
            }
        }
        face::draw(self, &mut sheet, rank, suit);
        Some(sheet.finish())
    }

    /// The back of the cards, transparent outside the corners; none without pixels, or wider than
    /// [`WIDEST`](super::WIDEST).
    pub fn back(&self, width_px: u32) -> Option<Pixmap> {
        let mut sheet = Sheet::new(width_px, self.size)?;
        sheet.fill(self.edge(0.0), self.stock);
        sheet.inside(self.edge(0.0), |sheet| self.back.draw(sheet, self.size, self.stock));
        Some(sheet.finish())
    }

    /// The ink of a suit.
    pub fn ink(&self, suit: Suit) -> Rgb {
        self.inks[suit as usize]
    }

    /// A deck nobody has seen yet: parts of the decks we know, mixed and varied. A recogniser that has met only a few
    /// makers reads only those.
    pub fn invented(dice: &mut Dice) -> Self {
        let mut any = || dice.pick(Self::ALL).copied().unwrap_or(designs::STANDARD);
        // Size, frame, field and the room for the index hang together; everything else may come from anywhere.
        let (layout, hand, cut, courts, print) = (any(), any(), any(), any(), any());
        let mut deck = Self {
            name: "invented",
            inks: print.inks,
            stock: print.stock,
            cut: cut.cut,
            courts: courts.courts,
            aces: courts.aces,
            back: print.back,
            ..layout
        };
        let alternate = dice.chance(0.5);
        let mut vary = |value: f32, by: f64| (f64::from(value) * dice.between(1.0 - by, 1.0 + by)) as f32;
        let style = hand.index.letters;
        let (weight, width, serif) = (vary(style.weight, 0.2), vary(style.width, 0.1), vary(style.serif, 0.3));
        deck.index.letters = Style { weight, width, serif, alternate, ..style };
        deck.index.height = vary(deck.index.height, 0.08);
        deck.index.pip = vary(deck.index.pip, 0.1);
        deck.field.pip = vary(deck.field.pip, 0.08);
        deck.cut = Cut {
            breadth: vary(deck.cut.breadth, 0.06),
            belly: vary(deck.cut.belly, 0.3),
            cleft: vary(deck.cut.cleft, 0.15),
            leaf: vary(deck.cut.leaf, 0.05),
            hollow: vary(deck.cut.hollow, 0.5),
            foot: vary(deck.cut.foot, 0.2),
        };
        deck.courts.weave = vary(deck.courts.weave, 0.4);
        deck.courts.head = vary(deck.courts.head, 0.1);
        deck.courts.robe = deck.courts.robe.map(|colour| mix(colour, any_colour(dice), 0.25));
        deck.stock = mix(deck.stock, [232, 222, 200], dice.between(0.0, 0.35) as f32);
        deck.back.ground = mix(deck.back.ground, any_colour(dice), 0.4);
        deck.back.pattern = dice.pick(&Pattern::ALL).copied().unwrap_or(deck.back.pattern);
        deck
    }

    /// The card's outline, drawn in by so much.
    fn edge(&self, inset: f32) -> Option<Path> {
        let (width, height) = self.size;
        rounded(inset, inset, width - inset, height - inset, (self.corner - inset * 0.6).max(0.5))
    }
}

fn any_colour(dice: &mut Dice) -> Rgb {
    std::array::from_fn(|_| dice.below(256) as u8)
}
