//! One end of a court: the robe, the hand and what it holds.

use table::{Rank, Suit};
use tiny_skia::{Path, Transform};

use super::super::cloth::{Cloth, drape};
use super::super::pen::Pen::{C, L, M, Z};
use super::super::pen::{block, circle, ellipse, line, outline, polygon};
use super::super::sheet::{Rgb, Sheet, mix};
use super::Courts;
use super::outlines as cut;

pub(super) struct Figure<'a> {
    pub(super) courts: &'a Courts,
    pub(super) sheet: &'a mut Sheet,
    pub(super) rank: Rank,
    pub(super) suit: Suit,
    pub(super) robe: [Rgb; 2],
}

/// Where the head sits; it is scaled about this point.
const HEAD: (f32, f32) = (0.0, -55.0);
const LINEN: Rgb = [252, 250, 244];
const STEEL: Rgb = [206, 214, 226];
const LEAVES: Rgb = [40, 116, 66];

impl Figure<'_> {
    pub(super) fn draw(&mut self, cloth: Cloth, sleeve: Cloth) {
        let held_behind = matches!((self.rank, self.suit), (Rank::King, Suit::Hearts) | (Rank::Jack, Suit::Spades));
        if held_behind {
            self.attribute();
        }
        self.clothes(cloth, sleeve);
        let size = self.courts.head;
        let about = Transform::from_translate(HEAD.0, HEAD.1).pre_scale(size, size).pre_translate(-HEAD.0, -HEAD.1);
        self.placed(about, |figure| figure.head());
        if !held_behind {
            self.attribute();
        }
        self.hand();
    }

    /// Draws with the sheet moved, turned or scaled.
    fn placed(&mut self, place: Transform, draw: impl FnOnce(&mut Figure<'_>)) {
        let Self { courts, rank, suit, robe, .. } = *self;
        self.sheet.within(place, |sheet| draw(&mut Figure { courts, sheet, rank, suit, robe }));
    }

    /// Draws the same on the left and on the right.
    pub(super) fn both_sides(&mut self, draw: impl Fn(&mut Figure<'_>)) {
        for side in [-1.0, 1.0] {
            self.placed(Transform::from_scale(side, 1.0), &draw);
        }
    }

    pub(super) fn inked(&mut self, figure: Option<Path>, colour: Rgb) {
        self.sheet.inked(figure, colour, self.courts.outline, self.courts.dark);
    }

    fn draped(&mut self, figure: Option<Path>, cloth: Cloth, colours: [Rgb; 2]) {
        drape(self.sheet, figure.clone(), cloth, self.courts.weave, colours);
        self.sheet.line(figure, self.courts.outline, self.courts.dark);
    }

    fn clothes(&mut self, cloth: Cloth, sleeve: Cloth) {
        let [first, second] = self.robe;
        let (gold, dark) = (self.courts.gold, self.courts.dark);
        let shoulders = if self.rank == Rank::Queen { 34.0 } else { 41.0 };
        let robe = outline(&[
            M(-9.0, -40.0),
            C(-24.0, -38.0, -shoulders, -36.0, -shoulders, -22.0),
            L(-48.0, 20.0),
            L(48.0, 20.0),
            L(shoulders, -22.0),
            C(shoulders, -36.0, 24.0, -38.0, 9.0, -40.0),
            Z,
        ]);
        self.draped(robe, sleeve, [first, mix(first, gold, 0.75)]);
        self.both_sides(|figure| {
            figure.inked(polygon(cut::CAPE), second);
            figure.draped(polygon(cut::BRAID), Cloth::Bands, [gold, dark]);
        });
        self.draped(polygon(cut::PANEL), cloth, [gold, if self.rank == Rank::Jack { second } else { first }]);
        self.collar();
    }

    fn collar(&mut self) {
        let [first, _] = self.robe;
        match self.rank {
            Rank::King => self.draped(outline(cut::ERMINE), Cloth::Dots, [LINEN, self.courts.dark]),
            Rank::Queen => {
                for &(x, y) in cut::RUFF {
                    self.inked(circle(x, y, 4.2), LINEN);
                }
                self.inked(circle(0.0, -27.0, 3.6), first);
            }
            _ => self.inked(polygon(cut::YOKE), first),
        }
    }

    /// What is carried tells suits apart as well.
    fn attribute(&mut self) {
        match (self.rank, self.suit) {
            (Rank::King, Suit::Diamonds) => {
                self.inked(block(31.0, -76.0, 34.0, 0.0), self.courts.gold);
                self.inked(outline(cut::AXE), STEEL);
            }
            (Rank::King, suit) => self.sword(if suit == Suit::Hearts { -16.0 } else { 6.0 }),
            (Rank::Queen, suit) => self.flower(if suit == Suit::Spades { 4 } else { 5 }),
            (_, Suit::Clubs | Suit::Diamonds) => {
                self.inked(block(31.0, -70.0, 34.5, 0.0), self.robe[1]);
                self.inked(polygon(cut::SPEAR), STEEL);
                self.inked(block(26.0, -60.0, 40.0, -57.0), self.courts.gold);
            }
            _ => self.placed(Transform::from_translate(32.0, 0.0), |figure| {
                figure.sheet.line(line((0.0, 0.0), (0.0, -58.0)), 2.6, figure.courts.dark);
                figure.both_sides(|figure| figure.inked(outline(cut::LEAF), LEAVES));
            }),
        }
    }

    fn sword(&mut self, lean: f32) {
        self.placed(Transform::from_rotate_at(lean, 33.0, -26.0), |figure| {
            figure.inked(polygon(cut::SWORD), STEEL);
            figure.sheet.line(line((33.0, -30.0), (33.0, -74.0)), 0.8, figure.courts.dark);
            figure.inked(block(24.0, -29.0, 42.0, -25.0), figure.courts.gold);
        });
    }

    fn flower(&mut self, petals: u8) {
        self.sheet.line(outline(cut::STALK), 2.2, LEAVES);
        for petal in 0..petals {
            let turn = Transform::from_rotate_at(360.0 * f32::from(petal) / f32::from(petals), 33.0, -56.0);
            self.placed(turn, |figure| figure.inked(ellipse(33.0, -62.0, 3.8, 5.2), figure.robe[0]));
        }
        self.inked(circle(33.0, -56.0, 3.4), self.courts.gold);
    }

    fn hand(&mut self) {
        self.inked(polygon(cut::CUFF), self.robe[1]);
        self.inked(ellipse(32.0, -25.0, 6.0, 5.0), self.courts.skin);
        for x in [29.5, 32.5] {
            self.sheet.line(line((x, -28.0), (x + 0.5, -24.0)), 0.8, self.courts.dark);
        }
    }
}
