//! One end of a court: robe, face, headgear and what the hand holds.

use table::{Rank, Suit};
use tiny_skia::{Path, Transform};

use super::super::cloth::{Cloth, drape};
use super::super::pen::Pen::{C, H, L, M, V, Z};
use super::super::pen::{block, circle, ellipse, line, outline, polygon};
use super::super::sheet::{Rgb, Sheet, mix};
use super::Courts;

pub(super) struct Figure<'a> {
    pub(super) courts: &'a Courts,
    pub(super) sheet: &'a mut Sheet,
    pub(super) rank: Rank,
    pub(super) suit: Suit,
    pub(super) robe: [Rgb; 2],
}

/// Where the head sits; it is scaled about this point.
const HEAD: (f32, f32) = (0.0, -55.0);

impl Figure<'_> {
    pub(super) fn draw(&mut self, cloth: Cloth, sleeve: Cloth) {
        let held_behind = matches!((self.rank, self.suit), (Rank::King, Suit::Hearts) | (Rank::Jack, Suit::Spades));
        if held_behind {
            self.attribute();
        }
        self.clothes(cloth, sleeve);
        let scale = self.courts.head;
        let about = Transform::from_translate(HEAD.0, HEAD.1).pre_scale(scale, scale).pre_translate(-HEAD.0, -HEAD.1);
        let Self { courts, rank, suit, robe, .. } = *self;
        self.sheet.within(about, |sheet| {
            let mut head = Figure { courts, sheet, rank, suit, robe };
            head.hair();
            head.face();
            head.headgear();
        });
        if !held_behind {
            self.attribute();
        }
        self.hand();
    }

    fn inked(&mut self, figure: Option<Path>, colour: Rgb) {
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
        for side in [-1.0, 1.0] {
            let cape = polygon(&[(side * 10.0, -40.0), (side * 25.0, -36.5), (side * 30.0, 20.0), (side * 13.0, 20.0)]);
            self.inked(cape, second);
            let braid =
                polygon(&[(side * 15.0, -39.0), (side * 19.0, -38.0), (side * 23.0, 20.0), (side * 18.0, 20.0)]);
            self.draped(braid, Cloth::Bands, [gold, dark]);
        }
        let panel = polygon(&[(-10.0, -40.0), (10.0, -40.0), (14.0, 20.0), (-14.0, 20.0)]);
        self.draped(panel, cloth, [gold, if self.rank == Rank::Jack { second } else { first }]);
        self.collar();
    }

    fn collar(&mut self) {
        let white = [252, 250, 244];
        match self.rank {
            Rank::King => {
                let ermine =
                    outline(&[M(-20.0, -40.0), H(0.0, -24.0), V(20.0, -40.0), L(9.0, -44.0), L(-9.0, -44.0), Z]);
                self.draped(ermine, Cloth::Dots, [white, self.courts.dark]);
            }
            Rank::Queen => {
                for x in [-14.0, -7.0, 0.0, 7.0, 14.0] {
                    self.inked(circle(x, -37.0 + x.abs() * -0.12, 4.2), white);
                }
                self.inked(circle(0.0, -27.0, 3.6), self.robe[0]);
            }
            _ => {
                let yoke = polygon(&[(-16.0, -41.0), (16.0, -41.0), (8.0, -29.0), (0.0, -33.0), (-8.0, -29.0)]);
                self.inked(yoke, self.robe[0]);
            }
        }
    }

    fn hair(&mut self) {
        let hair =
            if self.rank == Rank::Queen { mix(self.courts.gold, self.courts.dark, 0.25) } else { self.courts.gold };
        match self.rank {
            Rank::King => {
                for side in [-1.0, 1.0] {
                    for (x, y) in [(12.0, -60.0), (14.0, -54.0), (15.0, -48.0), (14.0, -42.0)] {
                        self.inked(circle(side * x, y, 4.4), hair);
                    }
                }
            }
            Rank::Queen => {
                let veil = outline(&[
                    M(0.0, -74.0),
                    H(19.0, -56.0),
                    L(23.0, -34.0),
                    L(-23.0, -34.0),
                    L(-19.0, -56.0),
                    V(0.0, -74.0),
                    Z,
                ]);
                self.inked(veil, self.robe[1]);
                let locks = outline(&[
                    M(0.0, -71.0),
                    H(14.0, -56.0),
                    L(15.0, -38.0),
                    L(-15.0, -38.0),
                    L(-14.0, -56.0),
                    V(0.0, -71.0),
                    Z,
                ]);
                self.inked(locks, hair);
            }
            _ => {
                let bob = outline(&[
                    M(0.0, -72.0),
                    H(15.0, -60.0),
                    L(17.0, -45.0),
                    H(11.0, -43.0),
                    L(-11.0, -43.0),
                    H(-17.0, -45.0),
                    L(-15.0, -60.0),
                    V(0.0, -72.0),
                    Z,
                ]);
                self.inked(bob, hair);
            }
        }
    }

    fn face(&mut self) {
        let (skin, dark, wide) = (self.courts.skin, self.courts.dark, self.courts.outline);
        if self.rank == Rank::King {
            let beard = outline(&[
                M(-11.0, -56.0),
                L(11.0, -56.0),
                C(12.0, -40.0, 5.0, -34.0, 0.0, -33.0),
                C(-5.0, -34.0, -12.0, -40.0, -11.0, -56.0),
                Z,
            ]);
            self.inked(beard, mix(self.courts.gold, dark, 0.15));
        }
        let chin = if self.rank == Rank::King { 11.0 } else { 13.5 };
        self.inked(ellipse(0.0, -56.0, 10.0, chin), skin);
        for side in [-1.0, 1.0] {
            self.sheet.line(line((side * 2.2, -60.5), (side * 6.6, -61.0)), wide, dark);
            self.sheet.fill(ellipse(side * 4.2, -58.0, 1.7, 1.2), dark);
        }
        self.sheet.line(outline(&[M(0.8, -58.0), L(2.0, -52.5), L(-0.6, -52.0)]), wide * 0.8, dark);
        if self.rank == Rank::King {
            let moustache = outline(&[
                M(0.0, -51.0),
                C(4.0, -52.0, 7.0, -49.0, 9.0, -51.0),
                C(7.0, -45.5, 3.0, -47.0, 0.0, -48.5),
                C(-3.0, -47.0, -7.0, -45.5, -9.0, -51.0),
                C(-7.0, -49.0, -4.0, -52.0, 0.0, -51.0),
                Z,
            ]);
            self.sheet.fill(moustache, dark);
        } else {
            self.sheet.line(
                outline(&[M(-2.4, -48.0), C(-1.0, -46.8, 1.0, -46.8, 2.4, -48.0)]),
                wide * 1.3,
                [196, 40, 44],
            );
        }
    }

    fn headgear(&mut self) {
        let gold = self.courts.gold;
        let [first, second] = self.robe;
        match self.rank {
            Rank::King => {
                let cap = outline(&[M(-14.0, -66.0), C(-16.0, -82.0, 16.0, -82.0, 14.0, -66.0), Z]);
                self.inked(cap, first);
                let crown = [
                    (-13.0, -64.0),
                    (-18.0, -79.0),
                    (-9.0, -72.0),
                    (0.0, -83.0),
                    (9.0, -72.0),
                    (18.0, -79.0),
                    (13.0, -64.0),
                ];
                self.inked(polygon(&crown), gold);
                for x in [-7.0, 0.0, 7.0] {
                    self.inked(circle(x, -68.0, 1.8), second);
                }
            }
            Rank::Queen => {
                let coronet = [
                    (-10.0, -68.0),
                    (-12.0, -76.0),
                    (-6.0, -72.5),
                    (-3.5, -79.0),
                    (0.0, -73.0),
                    (3.5, -79.0),
                    (6.0, -72.5),
                    (12.0, -76.0),
                    (10.0, -68.0),
                ];
                self.inked(polygon(&coronet), gold);
                for (x, y) in [(-12.0, -77.0), (-3.5, -80.0), (3.5, -80.0), (12.0, -77.0)] {
                    self.inked(circle(x, y, 1.6), first);
                }
            }
            _ => {
                let feather = outline(&[
                    M(8.0, -70.0),
                    C(16.0, -84.0, 28.0, -80.0, 25.0, -66.0),
                    C(22.0, -72.0, 16.0, -70.0, 8.0, -68.0),
                    Z,
                ]);
                self.inked(feather, second);
                let hat = outline(&[M(-17.0, -66.0), C(-18.0, -78.0, 12.0, -82.0, 16.0, -68.0), Z]);
                self.inked(hat, first);
                self.inked(polygon(&[(-19.0, -68.0), (18.0, -69.5), (18.0, -65.0), (-19.0, -63.5)]), gold);
            }
        }
    }

    /// What is carried tells suits apart as well: sword, axe, flower, sceptre, halberd, leaf.
    fn attribute(&mut self) {
        let (gold, dark) = (self.courts.gold, self.courts.dark);
        let steel = [206, 214, 226];
        let [first, second] = self.robe;
        match (self.rank, self.suit) {
            (Rank::King, Suit::Diamonds) => {
                self.inked(block(31.0, -76.0, 34.0, 0.0), gold);
                let blade = outline(&[
                    M(34.0, -74.0),
                    C(46.0, -80.0, 49.0, -62.0, 44.0, -52.0),
                    C(42.0, -58.0, 38.0, -60.0, 34.0, -60.0),
                    Z,
                ]);
                self.inked(blade, steel);
            }
            (Rank::King, _) => {
                let lean = if self.suit == Suit::Hearts { -16.0 } else { 6.0 };
                self.sheet.within(Transform::from_rotate_at(lean, 33.0, -26.0), |sheet| {
                    let blade = polygon(&[(30.0, -26.0), (30.0, -74.0), (33.0, -82.0), (36.0, -74.0), (36.0, -26.0)]);
                    sheet.inked(blade, steel, 1.0, dark);
                    sheet.line(line((33.0, -30.0), (33.0, -74.0)), 0.8, dark);
                    sheet.inked(block(24.0, -29.0, 42.0, -25.0), gold, 1.0, dark);
                });
            }
            (Rank::Queen, suit) => {
                self.sheet.line(
                    outline(&[M(31.0, -20.0), C(28.0, -34.0, 36.0, -40.0, 33.0, -52.0)]),
                    2.2,
                    [36, 110, 60],
                );
                let petals = if suit == Suit::Spades { 4 } else { 5 };
                for petal in 0..petals {
                    let turn = Transform::from_rotate_at(petal as f32 * 360.0 / petals as f32, 33.0, -56.0);
                    self.sheet.within(turn, |sheet| sheet.inked(ellipse(33.0, -62.0, 3.8, 5.2), first, 0.8, dark));
                }
                self.inked(circle(33.0, -56.0, 3.4), gold);
            }
            (_, Suit::Clubs | Suit::Diamonds) => {
                self.inked(block(31.0, -70.0, 34.5, 0.0), second);
                self.inked(polygon(&[(27.0, -66.0), (33.0, -82.0), (39.0, -66.0), (33.0, -60.0)]), steel);
                self.inked(block(26.0, -60.0, 40.0, -57.0), gold);
            }
            _ => {
                self.sheet.line(line((32.0, 0.0), (32.0, -58.0)), 2.6, dark);
                for side in [-1.0, 1.0] {
                    let leaf = outline(&[
                        M(32.0, -48.0),
                        C(32.0 + side * 3.0, -62.0, 32.0 + side * 15.0, -60.0, 32.0 + side * 8.0, -76.0),
                        C(32.0 + side * 3.0, -70.0, 32.0, -60.0, 32.0, -48.0),
                        Z,
                    ]);
                    self.inked(leaf, [44, 120, 70]);
                }
            }
        }
    }

    fn hand(&mut self) {
        let cuff = polygon(&[(22.0, -22.0), (40.0, -26.0), (44.0, -12.0), (26.0, -8.0)]);
        self.inked(cuff, self.robe[1]);
        self.inked(ellipse(32.0, -25.0, 6.0, 5.0), self.courts.skin);
        for x in [29.5, 32.5] {
            self.sheet.line(line((x, -28.0), (x + 0.5, -24.0)), 0.8, self.courts.dark);
        }
    }
}
