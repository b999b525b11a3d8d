//! The face of a card: indices, pips, courts and aces.

use table::{Rank, Suit};
use tiny_skia::Transform;

use super::super::courts::{Frame, Print};
use super::super::letters::Letters;
use super::super::pen::circle;
use super::super::sheet::{Rgb, Sheet, mix};
use super::{Aces, Design};

/// Where the pips of a number card stand: columns and rows from -1 to 1, those below the middle upside down.
const PIPS: [&[(f32, f32)]; 9] = [
    &[(0.0, -1.0), (0.0, 1.0)],
    &[(0.0, -1.0), (0.0, 0.0), (0.0, 1.0)],
    &[(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)],
    &[(-1.0, -1.0), (1.0, -1.0), (0.0, 0.0), (-1.0, 1.0), (1.0, 1.0)],
    &[(-1.0, -1.0), (1.0, -1.0), (-1.0, 0.0), (1.0, 0.0), (-1.0, 1.0), (1.0, 1.0)],
    &[(-1.0, -1.0), (1.0, -1.0), (0.0, -0.5), (-1.0, 0.0), (1.0, 0.0), (-1.0, 1.0), (1.0, 1.0)],
    &[(-1.0, -1.0), (1.0, -1.0), (0.0, -0.5), (-1.0, 0.0), (1.0, 0.0), (0.0, 0.5), (-1.0, 1.0), (1.0, 1.0)],
    &[
        (-1.0, -1.0),
        (1.0, -1.0),
        (-1.0, -THIRD),
        (1.0, -THIRD),
        (0.0, 0.0),
        (-1.0, THIRD),
        (1.0, THIRD),
        (-1.0, 1.0),
        (1.0, 1.0),
    ],
    &[
        (-1.0, -1.0),
        (1.0, -1.0),
        (0.0, -2.0 * THIRD),
        (-1.0, -THIRD),
        (1.0, -THIRD),
        (-1.0, THIRD),
        (1.0, THIRD),
        (0.0, 2.0 * THIRD),
        (-1.0, 1.0),
        (1.0, 1.0),
    ],
];

const THIRD: f32 = 1.0 / 3.0;

pub(super) fn draw(design: &Design, sheet: &mut Sheet, rank: Rank, suit: Suit) {
    let (width, height) = design.size;
    let middle = (width / 2.0, height / 2.0);
    match rank {
        Rank::Ace if design.aces == Aces::Ornate && suit == Suit::Spades => showpiece(design, sheet, middle),
        Rank::Ace => {
            let size = design.field.pip * if design.aces == Aces::Ornate { 2.4 } else { 1.7 };
            pip(design, sheet, suit, size, middle, design.ink(suit));
        }
        Rank::Jack | Rank::Queen | Rank::King => {
            let print = Print { cut: &design.cut, ink: design.ink(suit), stock: design.stock };
            design.courts.draw(sheet, Frame { middle, half: design.frame }, rank, suit, print);
        }
        number => pips(design, sheet, number, suit, middle),
    }
    sheet.both_ways(middle, |sheet| {
        index(design, sheet, rank, suit, design.index.inset);
        if design.index.four_corners {
            index(design, sheet, rank, suit, width - design.index.inset);
        }
    });
}

fn index(design: &Design, sheet: &mut Sheet, rank: Rank, suit: Suit, x: f32) {
    let index = &design.index;
    let ink = design.ink(suit);
    if let Some(letter) = Letters::new(index.letters).index(rank, index.height) {
        // A wide letter is squeezed rather than printed over the edge or into the frame of a court.
        let border = design.border.map_or(0.0, |(_, width)| width);
        let room = (index.inset - border - 1.0).min(design.size.0 / 2.0 - design.frame.0 - index.inset - 0.3);
        let squeeze = (room * 2.0 / letter.bounds().width().max(0.1)).clamp(0.5, 1.0);
        let place = Transform::from_translate(x, index.top).pre_scale(squeeze, 1.0);
        sheet.within(place, |sheet| sheet.fill(Some(letter), ink));
    }
    let below = index.top + index.height * 1.12 + index.pip / 2.0;
    pip(design, sheet, suit, index.pip, (x, below), ink);
}

fn pips(design: &Design, sheet: &mut Sheet, rank: Rank, suit: Suit, (x, y): (f32, f32)) {
    let places = PIPS.get((rank as usize).saturating_sub(Rank::Two as usize)).copied().unwrap_or_default();
    for &(column, row) in places {
        let at = (x + column * design.field.across, y + row * design.field.down);
        let turn = if row > 0.0 { 180.0 } else { 0.0 };
        sheet.within(Transform::from_rotate_at(turn, at.0, at.1), |sheet| {
            pip(design, sheet, suit, design.field.pip, at, design.ink(suit));
        });
    }
}

fn pip(design: &Design, sheet: &mut Sheet, suit: Suit, size: f32, (x, y): (f32, f32), ink: Rgb) {
    sheet.within(Transform::from_translate(x, y), |sheet| sheet.fill(design.cut.pip(suit, size), ink));
}

/// The maker's ace of spades: a spade within a spade with a rosette in it, in a ring of dots.
fn showpiece(design: &Design, sheet: &mut Sheet, middle: (f32, f32)) {
    let (ink, stock, gold) = (design.ink(Suit::Spades), design.stock, design.courts.gold);
    let size = design.size.0 * 0.68;
    let (x, y) = middle;
    for dot in 0..36 {
        let turn = Transform::from_rotate_at(dot as f32 * 10.0, x, y);
        let far = size * if dot % 2 == 0 { 0.62 } else { 0.57 };
        sheet.within(turn, |sheet| sheet.fill(circle(x, y - far, size * 0.014), mix(ink, stock, 0.3)));
    }
    pip(design, sheet, Suit::Spades, size, middle, ink);
    let heart_of_it = (x, y - size * 0.02);
    pip(design, sheet, Suit::Spades, size * 0.8, heart_of_it, stock);
    pip(design, sheet, Suit::Spades, size * 0.75, heart_of_it, ink);
    for petal in 0..12 {
        let turn = Transform::from_rotate_at(petal as f32 * 30.0, x, y + size * 0.04);
        sheet.within(turn, |sheet| {
            sheet.line(circle(x, y + size * 0.04 - size * 0.1, size * 0.06), size * 0.012, stock);
        });
    }
    pip(design, sheet, Suit::Spades, size * 0.17, (x, y + size * 0.04), gold);
}
