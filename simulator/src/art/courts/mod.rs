//! Jack, queen and king: double-ended figures in a frame, busy and coloured as court cards are.
//!
//! A figure is drawn in its own half of the frame: `y` from -85 at the top of the frame to 0 in the middle of the card,
//! where it meets its other self, `x` from about -50 to 50; a narrow frame cuts off its sleeves.

mod figure;
mod head;
mod outlines;

use table::{Colour, Rank, Suit};
use tiny_skia::{Path, Transform};

use super::cloth::{Cloth, drape};
use super::pen::{block, line, polygon};
use super::pips::Cut;
use super::sheet::{Rgb, Sheet, mix};

/// How a deck draws its courts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Courts {
    /// The two colours of the robe; two suits wear them the other way round.
    pub robe: [Rgb; 2],
    /// Crowns, hair and trimmings.
    pub gold: Rgb,
    /// Outlines and dark parts.
    pub dark: Rgb,
    /// Faces and hands.
    pub skin: Rgb,
    /// Behind the figure; none leaves the stock.
    pub ground: Option<Rgb>,
    /// Width of outlines; the frame is 170 high.
    pub outline: f32,
    /// How coarse the patterns of the clothes are, in the same measure.
    pub weave: f32,
    /// How the two ends meet: the height by which the dividing line falls from left to right.
    pub divide: f32,
    /// Size of head and crown; 1 is ordinary.
    pub head: f32,
    /// Whether a second line runs inside the frame.
    pub double_frame: bool,
}

impl Courts {
    /// Red, yellow and blue with dark outlines, parted level: the old printers' way.
    pub const CLASSIC: Self = Self {
        robe: [[200, 32, 40], [42, 64, 150]],
        gold: [242, 192, 46],
        dark: [24, 24, 40],
        skin: [250, 232, 214],
        ground: None,
        outline: 1.3,
        weave: 9.0,
        divide: 0.0,
        head: 1.0,
        double_frame: false,
    };
    /// Large plain figures in few colours, made to be seen from afar.
    pub const PLAIN: Self = Self {
        robe: [[214, 44, 44], [30, 30, 36]],
        gold: [246, 206, 92],
        dark: [20, 20, 20],
        skin: [255, 240, 222],
        ground: None,
        outline: 0.9,
        weave: 15.0,
        divide: 26.0,
        head: 1.12,
        double_frame: true,
    };
    /// Dense patterns on a tinted ground, parted by a sash.
    pub const ORNATE: Self = Self {
        robe: [[166, 30, 54], [24, 92, 84]],
        gold: [214, 164, 60],
        dark: [40, 26, 22],
        skin: [244, 220, 196],
        ground: Some([244, 234, 206]),
        outline: 1.1,
        weave: 6.0,
        divide: -30.0,
        head: 0.92,
        double_frame: true,
    };

    /// All of them.
    pub const ALL: [Self; 3] = [Self::CLASSIC, Self::PLAIN, Self::ORNATE];
}

/// What a suit's courts wear and carry.
struct Livery {
    cloth: Cloth,
    sleeve: Cloth,
    /// Which robe colour comes first.
    swapped: bool,
    /// Which way the figure looks.
    mirrored: bool,
}

fn livery(suit: Suit) -> Livery {
    let (cloth, sleeve, swapped, mirrored) = match suit {
        Suit::Clubs => (Cloth::Dots, Cloth::Bands, true, true),
        Suit::Diamonds => (Cloth::Lozenges, Cloth::Stripes, false, true),
        Suit::Hearts => (Cloth::Chevrons, Cloth::Lattice, false, false),
        Suit::Spades => (Cloth::Lattice, Cloth::Chevrons, true, false),
    };
    Livery { cloth, sleeve, swapped, mirrored }
}

/// A court card's frame on the card: middle and half extents in millimetres.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Frame {
    /// The middle of the card.
    pub(crate) middle: (f32, f32),
    /// Half its width and half its height.
    pub(crate) half: (f32, f32),
}

/// What the printer needs beside the courts' own style.
#[derive(Clone, Copy)]
pub(crate) struct Print<'a> {
    /// The cut of the deck's pips.
    pub(crate) cut: &'a Cut,
    /// The ink of the suit.
    pub(crate) ink: Rgb,
    /// The tint of the stock.
    pub(crate) stock: Rgb,
}

impl Courts {
    /// Draws a court into its frame; ranks without a court leave the sheet as it is.
    pub(crate) fn draw(&self, sheet: &mut Sheet, frame: Frame, rank: Rank, suit: Suit, print: Print) {
        if !matches!(rank, Rank::Jack | Rank::Queen | Rank::King) {
            return;
        }
        let ((x, y), (across, down)) = (frame.middle, frame.half);
        let scale = down / 85.0;
        let wide = across / scale;
        let window = block(-wide, -85.0, wide, 85.0);
        sheet.within(Transform::from_translate(x, y).pre_scale(scale, scale), |sheet| {
            if let Some(ground) = self.ground {
                sheet.fill(window.clone(), ground);
            }
            sheet.inside(window.clone(), |sheet| {
                sheet.both_ways((0.0, 0.0), |sheet| {
                    sheet.inside(self.upper_half(), |sheet| self.half(sheet, wide, rank, suit, print));
                });
                self.part(sheet);
            });
            sheet.line(window, 0.9, mix(self.dark, print.ink, 0.5));
            if self.double_frame {
                sheet.line(block(-wide + 2.4, -82.6, wide - 2.4, 82.6), 0.5, self.gold);
            }
        });
    }

    fn upper_half(&self) -> Option<Path> {
        let fall = self.divide / 2.0;
        polygon(&[(-50.0, -85.0), (50.0, -85.0), (50.0, fall), (-50.0, -fall)])
    }

    /// The line where the two ends meet; wide enough for a sash where it slopes.
    fn part(&self, sheet: &mut Sheet) {
        let fall = self.divide / 2.0;
        let across = line((-50.0, -fall), (50.0, fall));
        if self.divide.abs() > 1.0 {
            sheet.line(across.clone(), 7.0, self.dark);
            sheet.line(across.clone(), 5.4, self.gold);
            sheet.line(across, 1.6, self.robe[0]);
        } else {
            sheet.line(across, self.outline, self.dark);
        }
    }

    fn half(&self, sheet: &mut Sheet, wide: f32, rank: Rank, suit: Suit, print: Print) {
        let livery = livery(suit);
        let facing = if livery.mirrored { -1.0 } else { 1.0 };
        sheet.within(Transform::from_scale(facing, 1.0), |sheet| {
            let robe = if livery.swapped { [self.robe[1], self.robe[0]] } else { self.robe };
            let mut figure = figure::Figure { courts: self, sheet, rank, suit, robe };
            figure.draw(livery.cloth, livery.sleeve);
        });
        // The corner the attribute leaves free, with a halo where a narrow frame leaves none.
        let corner = Transform::from_translate(-facing * (wide - 11.0), -72.0);
        let pip = print.cut.pip(suit, (wide * 0.42).min(18.0));
        sheet.within(corner, |sheet| {
            sheet.line(pip.clone(), 2.4, self.ground.unwrap_or(print.stock));
            sheet.fill(pip, print.ink);
        });
        let trim = if suit.colour() == Colour::Red { self.robe[0] } else { self.dark };
        drape(sheet, block(-50.0, -85.0, 50.0, -83.0), Cloth::Stripes, 4.0, [self.gold, trim]);
    }
}
