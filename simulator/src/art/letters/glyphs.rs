//! The skeletons of our letters: where the middle of the pen goes, in a box of one by one.

use super::super::pen::Pen::{self, C, H, L, M, V, Z};

/// A part of a letter.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Part {
    /// The pen moves along here.
    Stroke(&'static [Pen]),
    /// A straight stem between two points, cut flat above and below.
    Stem(f32, f32, f32, f32),
    /// A level bar from one `x` to another, at a height.
    Bar(f32, f32, f32),
    /// Where a serif stands, if the style has them.
    Serif(f32, f32),
    /// A full stop.
    Dot(f32, f32),
}

use Part::{Bar, Dot, Serif, Stem, Stroke};

/// A letter: its width in parts of its height, and what it is made of.
pub(crate) struct Glyph {
    /// The letter.
    pub(crate) letter: char,
    /// Its width in parts of its height.
    pub(crate) width: f32,
    /// What it is made of.
    pub(crate) parts: &'static [Part],
}

const fn glyph(letter: char, width: f32, parts: &'static [Part]) -> Glyph {
    Glyph { letter, width, parts }
}

/// The glyph of a letter, in its other form if asked for one and it has one; small letters are printed as capitals.
pub(crate) fn of(letter: char, alternate: bool) -> Option<&'static Glyph> {
    let letter = letter.to_ascii_uppercase();
    let others: &[Glyph] = if alternate { ALTERNATES } else { &[] };
    others.iter().chain(GLYPHS).find(|glyph| glyph.letter == letter)
}

const RING: &[Pen] = &[M(0.5, 0.0), H(1.0, 0.5), V(0.5, 1.0), H(0.0, 0.5), V(0.5, 0.0), Z];
const BOWL: &[Pen] = &[M(0.0, 0.0), L(0.5, 0.0), H(1.0, 0.27), V(0.5, 0.54), L(0.0, 0.54)];
const LEFT: Part = Stem(0.0, 0.0, 0.0, 1.0);
const RIGHT: Part = Stem(1.0, 0.0, 1.0, 1.0);
const MIDDLE: Part = Stem(0.5, 0.0, 0.5, 1.0);

const GLYPHS: &[Glyph] = &[
    glyph(' ', 0.34, &[]),
    glyph('0', 0.62, &[Stroke(RING)]),
    glyph('1', 0.4, &[Stem(0.72, 0.0, 0.72, 1.0), Stroke(&[M(0.72, 0.03), L(0.0, 0.24)]), Serif(0.72, 1.0)]),
    glyph(
        '2',
        0.6,
        &[Stroke(&[M(0.0, 0.27), V(0.5, 0.0), H(1.0, 0.28), C(1.0, 0.52, 0.25, 0.68, 0.0, 1.0), L(1.0, 1.0)])],
    ),
    glyph(
        '3',
        0.6,
        &[
            Stroke(&[M(0.0, 0.22), V(0.48, 0.0), H(0.95, 0.235), V(0.45, 0.47), L(0.32, 0.47)]),
            Stroke(&[M(0.45, 0.47), H(1.0, 0.73), V(0.48, 1.0), H(0.0, 0.78)]),
        ],
    ),
    glyph('4', 0.64, &[Stem(0.76, 0.0, 0.76, 1.0), Stem(0.72, 0.0, 0.04, 0.71), Bar(0.0, 1.0, 0.71), Serif(0.76, 1.0)]),
    glyph(
        '5',
        0.6,
        &[Stroke(&[
            M(0.92, 0.0),
            L(0.12, 0.0),
            L(0.06, 0.44),
            C(0.2, 0.36, 0.34, 0.34, 0.48, 0.34),
            H(1.0, 0.66),
            V(0.48, 1.0),
            H(0.0, 0.8),
        ])],
    ),
    glyph(
        '6',
        0.62,
        &[Stroke(&[
            M(0.92, 0.2),
            V(0.54, 0.0),
            H(0.0, 0.5),
            L(0.0, 0.69),
            V(0.5, 1.0),
            H(1.0, 0.69),
            V(0.5, 0.39),
            H(0.0, 0.69),
        ])],
    ),
    glyph('7', 0.58, &[Bar(0.0, 1.0, 0.0), Stem(1.0, 0.0, 0.3, 1.0)]),
    glyph(
        '8',
        0.62,
        &[
            Stroke(&[M(0.5, 0.0), H(0.93, 0.235), V(0.5, 0.47), H(0.07, 0.235), V(0.5, 0.0), Z]),
            Stroke(&[M(0.5, 0.47), H(1.0, 0.735), V(0.5, 1.0), H(0.0, 0.735), V(0.5, 0.47), Z]),
        ],
    ),
    glyph(
        '9',
        0.62,
        &[Stroke(&[
            M(0.08, 0.8),
            V(0.46, 1.0),
            H(1.0, 0.5),
            L(1.0, 0.31),
            V(0.5, 0.0),
            H(0.0, 0.31),
            V(0.5, 0.61),
            H(1.0, 0.31),
        ])],
    ),
    glyph(
        'A',
        0.74,
        &[Stem(0.5, 0.0, 0.0, 1.0), Stem(0.5, 0.0, 1.0, 1.0), Bar(0.2, 0.8, 0.68), Serif(0.0, 1.0), Serif(1.0, 1.0)],
    ),
    glyph(
        'B',
        0.64,
        &[
            LEFT,
            Stroke(&[M(0.0, 0.0), L(0.5, 0.0), H(0.92, 0.235), V(0.5, 0.47), L(0.0, 0.47)]),
            Stroke(&[M(0.5, 0.47), H(1.0, 0.735), V(0.5, 1.0), L(0.0, 1.0)]),
        ],
    ),
    glyph('C', 0.66, &[Stroke(&[M(1.0, 0.27), V(0.52, 0.0), H(0.0, 0.5), V(0.52, 1.0), H(1.0, 0.73)])]),
    glyph('D', 0.68, &[LEFT, Stroke(&[M(0.0, 0.0), L(0.4, 0.0), H(1.0, 0.5), V(0.4, 1.0), L(0.0, 1.0)])]),
    glyph('E', 0.56, &[LEFT, Bar(0.0, 1.0, 0.0), Bar(0.0, 0.85, 0.48), Bar(0.0, 1.0, 1.0)]),
    glyph('F', 0.54, &[LEFT, Bar(0.0, 1.0, 0.0), Bar(0.0, 0.85, 0.48), Serif(0.0, 1.0)]),
    glyph(
        'G',
        0.7,
        &[Stroke(&[M(0.96, 0.24), V(0.52, 0.0), H(0.0, 0.5), V(0.52, 1.0), H(1.0, 0.74), L(1.0, 0.55), L(0.58, 0.55)])],
    ),
    glyph(
        'H',
        0.68,
        &[LEFT, RIGHT, Bar(0.0, 1.0, 0.48), Serif(0.0, 0.0), Serif(0.0, 1.0), Serif(1.0, 0.0), Serif(1.0, 1.0)],
    ),
    glyph('I', 0.24, &[MIDDLE, Serif(0.5, 0.0), Serif(0.5, 1.0)]),
    glyph('J', 0.54, &[Stroke(&[M(1.0, 0.0), L(1.0, 0.66), V(0.5, 1.0), H(0.0, 0.7)]), Serif(1.0, 0.0)]),
    glyph(
        'K',
        0.68,
        &[
            LEFT,
            Stem(0.96, 0.0, 0.04, 0.62),
            Stem(0.36, 0.36, 1.0, 1.0),
            Serif(0.0, 0.0),
            Serif(0.0, 1.0),
            Serif(0.96, 0.0),
            Serif(1.0, 1.0),
        ],
    ),
    glyph('L', 0.54, &[LEFT, Bar(0.0, 1.0, 1.0), Serif(0.0, 0.0)]),
    glyph(
        'M',
        0.86,
        &[LEFT, RIGHT, Stem(0.0, 0.0, 0.5, 0.78), Stem(1.0, 0.0, 0.5, 0.78), Serif(0.0, 1.0), Serif(1.0, 1.0)],
    ),
    glyph('N', 0.7, &[LEFT, RIGHT, Stem(0.0, 0.0, 1.0, 1.0), Serif(0.0, 1.0), Serif(1.0, 0.0)]),
    glyph('O', 0.74, &[Stroke(RING)]),
    glyph('P', 0.62, &[LEFT, Stroke(BOWL), Serif(0.0, 1.0)]),
    glyph('Q', 0.74, &[Stroke(RING), Stroke(&[M(0.56, 0.7), L(1.0, 1.03)])]),
    glyph('R', 0.66, &[LEFT, Stroke(BOWL), Stem(0.48, 0.54, 1.0, 1.0), Serif(0.0, 1.0), Serif(1.0, 1.0)]),
    glyph(
        'S',
        0.6,
        &[Stroke(&[
            M(0.94, 0.22),
            V(0.5, 0.0),
            H(0.04, 0.25),
            C(0.04, 0.54, 1.0, 0.42, 1.0, 0.74),
            V(0.5, 1.0),
            H(0.0, 0.78),
        ])],
    ),
    glyph('T', 0.62, &[MIDDLE, Bar(0.0, 1.0, 0.0)]),
    glyph(
        'U',
        0.68,
        &[
            Stroke(&[M(0.0, 0.0), L(0.0, 0.62), V(0.5, 1.0), H(1.0, 0.62), L(1.0, 0.0)]),
            Serif(0.0, 0.0),
            Serif(1.0, 0.0),
        ],
    ),
    glyph('V', 0.7, &[Stem(0.0, 0.0, 0.5, 1.0), Stem(1.0, 0.0, 0.5, 1.0), Serif(0.0, 0.0), Serif(1.0, 0.0)]),
    glyph(
        'W',
        0.98,
        &[
            Stem(0.0, 0.0, 0.25, 1.0),
            Stem(0.5, 0.0, 0.25, 1.0),
            Stem(0.5, 0.0, 0.75, 1.0),
            Stem(1.0, 0.0, 0.75, 1.0),
            Serif(0.0, 0.0),
            Serif(1.0, 0.0),
        ],
    ),
    glyph(
        'X',
        0.68,
        &[
            Stem(0.0, 0.0, 1.0, 1.0),
            Stem(1.0, 0.0, 0.0, 1.0),
            Serif(0.0, 0.0),
            Serif(0.0, 1.0),
            Serif(1.0, 0.0),
            Serif(1.0, 1.0),
        ],
    ),
    glyph(
        'Y',
        0.68,
        &[
            Stem(0.0, 0.0, 0.5, 0.56),
            Stem(1.0, 0.0, 0.5, 0.56),
            Stem(0.5, 0.5, 0.5, 1.0),
            Serif(0.0, 0.0),
            Serif(1.0, 0.0),
            Serif(0.5, 1.0),
        ],
    ),
    glyph('Z', 0.62, &[Bar(0.0, 1.0, 0.0), Stem(0.94, 0.0, 0.06, 1.0), Bar(0.0, 1.0, 1.0)]),
    glyph(':', 0.2, &[Dot(0.5, 0.35), Dot(0.5, 0.95)]),
    glyph('/', 0.42, &[Stem(1.0, 0.0, 0.0, 1.0)]),
    glyph(
        '&',
        0.76,
        &[Stroke(&[
            M(1.0, 1.0),
            L(0.2, 0.34),
            C(0.06, 0.2, 0.14, 0.0, 0.42, 0.0),
            H(0.68, 0.2),
            C(0.68, 0.44, 0.0, 0.5, 0.0, 0.76),
            V(0.4, 1.0),
            C(0.7, 1.0, 0.9, 0.8, 0.96, 0.54),
        ])],
    ),
    glyph('\'', 0.18, &[Stem(0.5, 0.0, 0.5, 0.28)]),
    glyph('-', 0.4, &[Bar(0.0, 1.0, 0.56)]),
    glyph('.', 0.2, &[Dot(0.5, 0.95)]),
];

const ALTERNATES: &[Glyph] = &[
    glyph('1', 0.46, &[Stem(0.5, 0.0, 0.5, 1.0), Stroke(&[M(0.5, 0.03), L(0.02, 0.22)]), Bar(0.0, 1.0, 1.0)]),
    glyph(
        '2',
        0.6,
        &[Stroke(&[
            M(0.0, 0.26),
            V(0.5, 0.0),
            H(0.98, 0.27),
            C(0.98, 0.42, 0.9, 0.5, 0.74, 0.58),
            L(0.02, 1.0),
            L(1.0, 1.0),
        ])],
    ),
    glyph('3', 0.6, &[Stroke(&[M(0.05, 0.0), L(0.95, 0.0), L(0.42, 0.4), H(1.0, 0.7), V(0.48, 1.0), H(0.0, 0.8)])]),
    glyph('4', 0.62, &[Stem(0.2, 0.0, 0.02, 0.69), Bar(0.0, 1.0, 0.69), Stem(0.72, 0.28, 0.72, 1.0), Serif(0.72, 1.0)]),
    glyph(
        '6',
        0.62,
        &[Stroke(&[
            M(0.76, 0.0),
            C(0.4, 0.2, 0.0, 0.42, 0.0, 0.69),
            V(0.5, 1.0),
            H(1.0, 0.69),
            V(0.52, 0.4),
            C(0.3, 0.4, 0.12, 0.5, 0.04, 0.6),
        ])],
    ),
    glyph('7', 0.58, &[Stroke(&[M(0.0, 0.0), L(1.0, 0.0), C(0.62, 0.34, 0.36, 0.6, 0.34, 1.0)])]),
    glyph(
        '9',
        0.62,
        &[Stroke(&[
            M(0.24, 1.0),
            C(0.6, 0.8, 1.0, 0.58, 1.0, 0.31),
            V(0.5, 0.0),
            H(0.0, 0.31),
            V(0.48, 0.6),
            C(0.7, 0.6, 0.88, 0.5, 0.96, 0.4),
        ])],
    ),
    glyph(
        'A',
        0.74,
        &[
            Stem(0.36, 0.0, 0.0, 1.0),
            Stem(0.64, 0.0, 1.0, 1.0),
            Bar(0.34, 0.66, 0.0),
            Bar(0.14, 0.86, 0.64),
            Serif(0.0, 1.0),
            Serif(1.0, 1.0),
        ],
    ),
    glyph('J', 0.58, &[Bar(0.34, 1.0, 0.0), Stroke(&[M(0.8, 0.0), L(0.8, 0.66), V(0.4, 1.0), H(0.0, 0.7)])]),
    glyph(
        'K',
        0.68,
        &[
            LEFT,
            Stem(0.96, 0.0, 0.06, 0.52),
            Stem(0.06, 0.44, 1.0, 1.0),
            Serif(0.0, 0.0),
            Serif(0.0, 1.0),
            Serif(0.96, 0.0),
            Serif(1.0, 1.0),
        ],
    ),
    glyph('Q', 0.74, &[Stroke(RING), Stroke(&[M(0.36, 0.8), C(0.52, 0.68, 0.7, 0.98, 1.0, 1.02)])]),
];
