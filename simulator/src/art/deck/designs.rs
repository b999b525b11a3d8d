//! The table of designs.

use super::super::courts::Courts;
use super::super::letters::Style;
use super::super::pips::Cut;
use super::super::sheet::Rgb;
use super::{Aces, BRIDGE, Back, Design, Field, Index, POKER, Pattern};

const BLACK: Rgb = [22, 22, 26];
const WHITE: Rgb = [253, 253, 251];

pub(super) const STANDARD: Design = Design {
    name: "standard",
    size: POKER,
    corner: 3.5,
    stock: WHITE,
    border: None,
    inks: [BLACK, [206, 24, 36], [206, 24, 36], BLACK],
    index: Index { letters: Style::SLAB, height: 9.5, pip: 7.0, inset: 6.0, top: 4.0, four_corners: false },
    cut: Cut::CLASSIC,
    field: Field { across: 12.0, down: 29.0, pip: 12.5 },
    courts: Courts::CLASSIC,
    frame: (20.5, 37.0),
    aces: Aces::Plain,
    back: Back { pattern: Pattern::Diamonds, ground: [178, 24, 38], ink: [248, 240, 236], margin: 4.0 },
};

pub(super) const ALL: &[Design] = &[
    STANDARD,
    Design {
        name: "jumbo",
        stock: [250, 251, 253],
        inks: [[12, 12, 14], [220, 20, 30], [220, 20, 30], [12, 12, 14]],
        index: Index { letters: Style::JUMBO, height: 17.0, pip: 11.5, inset: 8.2, top: 4.0, four_corners: false },
        cut: Cut::ROUND,
        field: Field { across: 8.5, down: 28.0, pip: 10.5 },
        courts: Courts::PLAIN,
        frame: (15.6, 37.5),
        back: Back { pattern: Pattern::Weave, ground: [26, 54, 132], ink: [226, 234, 248], margin: 3.5 },
        ..STANDARD
    },
    Design {
        name: "four-colour",
        inks: [[16, 122, 62], [24, 76, 186], [208, 22, 34], [18, 18, 22]],
        index: Index { letters: Style::SANS, height: 12.5, pip: 8.5, inset: 7.2, top: 4.0, four_corners: false },
        cut: Cut::BROAD,
        field: Field { across: 11.0, down: 28.5, pip: 11.0 },
        courts: Courts::ORNATE,
        frame: (18.0, 36.5),
        back: Back { pattern: Pattern::Stripes, ground: [20, 20, 24], ink: [222, 180, 84], margin: 0.0 },
        ..STANDARD
    },
    Design {
        name: "casino",
        stock: [251, 252, 248],
        inks: [[20, 22, 32], [190, 18, 34], [190, 18, 34], [20, 22, 32]],
        index: Index { letters: Style::SLAB, height: 10.5, pip: 7.5, inset: 6.6, top: 4.0, four_corners: true },
        field: Field { across: 11.0, down: 27.0, pip: 11.5 },
        cut: Cut::SLENDER,
        frame: (18.5, 36.0),
        aces: Aces::Ornate,
        back: Back { pattern: Pattern::Medallion, ground: [12, 88, 60], ink: [240, 236, 220], margin: 3.0 },
        ..STANDARD
    },
    Design {
        name: "narrow",
        size: BRIDGE,
        corner: 3.0,
        inks: [[34, 34, 44], [214, 44, 40], [214, 44, 40], [34, 34, 44]],
        index: Index { letters: Style::LIGHT, height: 11.0, pip: 6.5, inset: 5.2, top: 4.0, four_corners: false },
        cut: Cut::SHARP,
        field: Field { across: 10.5, down: 29.0, pip: 12.0 },
        courts: Courts::ORNATE,
        frame: (17.5, 36.5),
        back: Back { pattern: Pattern::Logo, ground: [92, 24, 72], ink: [236, 214, 168], margin: 0.0 },
        ..STANDARD
    },
    Design {
        name: "ivory",
        corner: 4.0,
        stock: [240, 230, 206],
        border: Some(([40, 34, 40], 1.8)),
        inks: [[38, 30, 32], [168, 30, 32], [168, 30, 32], [38, 30, 32]],
        index: Index { letters: Style::BOOK, height: 10.0, pip: 7.0, inset: 7.6, top: 5.4, four_corners: false },
        field: Field { across: 11.0, down: 27.0, pip: 12.0 },
        courts: Courts::ORNATE,
        frame: (18.0, 35.5),
        aces: Aces::Ornate,
        back: Back { pattern: Pattern::Scales, ground: [60, 44, 40], ink: [224, 204, 160], margin: 2.5 },
        ..STANDARD
    },
    Design {
        name: "club-room",
        size: BRIDGE,
        corner: 3.2,
        stock: [247, 246, 240],
        inks: [[26, 28, 52], [212, 52, 30], [200, 26, 50], [26, 28, 52]],
        index: Index { letters: Style::LEANING, height: 10.5, pip: 7.0, inset: 6.0, top: 4.2, four_corners: true },
        cut: Cut::ROUND,
        field: Field { across: 9.5, down: 26.5, pip: 11.0 },
        frame: (16.0, 35.5),
        back: Back { pattern: Pattern::Diamonds, ground: [28, 40, 92], ink: [206, 196, 160], margin: 3.5 },
        ..STANDARD
    },
    Design {
        name: "pitch",
        stock: [246, 249, 252],
        inks: [[10, 10, 10], [226, 40, 44], [226, 40, 44], [10, 10, 10]],
        index: Index { letters: Style::BLOCK, height: 14.0, pip: 10.5, inset: 8.0, top: 4.0, four_corners: false },
        cut: Cut::SLENDER,
        field: Field { across: 9.5, down: 27.5, pip: 11.5 },
        courts: Courts::PLAIN,
        frame: (17.0, 36.5),
        aces: Aces::Ornate,
        back: Back { pattern: Pattern::Logo, ground: [196, 92, 20], ink: [252, 240, 220], margin: 3.0 },
        ..STANDARD
    },
];
