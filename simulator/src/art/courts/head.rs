//! The head of a court: what tells a king from a queen and a queen from a jack.

use table::Rank;

use super::super::pen::{circle, ellipse, line, outline, polygon};
use super::super::sheet::{Rgb, mix};
use super::figure::Figure;
use super::outlines as cut;

const LIPS: Rgb = [196, 40, 44];

impl Figure<'_> {
    pub(super) fn head(&mut self) {
        self.hair();
        self.face();
        self.headgear();
    }

    fn hair(&mut self) {
        let gold = self.courts.gold;
        match self.rank {
            Rank::King => self.both_sides(|figure| {
                for &(x, y) in cut::CURLS {
                    figure.inked(circle(x, y, 4.4), gold);
                }
            }),
            Rank::Queen => {
                self.inked(outline(cut::VEIL), self.robe[1]);
                self.inked(outline(cut::LOCKS), mix(gold, self.courts.dark, 0.25));
            }
            _ => self.inked(outline(cut::BOB), gold),
        }
    }

    fn face(&mut self) {
        let (skin, dark, pen) = (self.courts.skin, self.courts.dark, self.courts.outline);
        let bearded = self.rank == Rank::King;
        if bearded {
            self.inked(outline(cut::BEARD), mix(self.courts.gold, dark, 0.15));
        }
        self.inked(ellipse(0.0, -56.0, 10.0, if bearded { 11.0 } else { 13.5 }), skin);
        self.both_sides(|figure| {
            figure.sheet.line(line((2.2, -60.5), (6.6, -61.0)), pen, dark);
            figure.sheet.fill(ellipse(4.2, -58.0, 1.7, 1.2), dark);
        });
        self.sheet.line(outline(cut::NOSE), pen * 0.8, dark);
        if bearded {
            self.sheet.fill(outline(cut::MOUSTACHE), dark);
        } else {
            self.sheet.line(outline(cut::MOUTH), pen * 1.3, LIPS);
        }
    }

    fn headgear(&mut self) {
        let gold = self.courts.gold;
        let [first, second] = self.robe;
        match self.rank {
            Rank::King => {
                self.inked(outline(cut::CAP), first);
                self.inked(polygon(cut::CROWN), gold);
                for &(x, y) in cut::JEWELS {
                    self.inked(circle(x, y, 1.8), second);
                }
            }
            Rank::Queen => {
                self.inked(polygon(cut::CORONET), gold);
                for &(x, y) in cut::PEARLS {
                    self.inked(circle(x, y, 1.6), first);
                }
            }
            _ => {
                self.inked(outline(cut::FEATHER), second);
                self.inked(outline(cut::HAT), first);
                self.inked(polygon(cut::HATBAND), gold);
            }
        }
    }
}
