//! Patterns that fill a figure: the clothes of the courts and the backs of the cards.

use tiny_skia::{Path, PathBuilder, Rect};

use super::pen::chain;
use super::sheet::{Rgb, Sheet};

/// A pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cloth {
    /// Upright stripes.
    Stripes,
    /// Level bands.
    Bands,
    /// Diamonds on their tips.
    Lozenges,
    /// Dots, every second row shifted.
    Dots,
    /// Rows of angles.
    Chevrons,
    /// Diagonal lines both ways.
    Lattice,
    /// Short diagonals in turn, as in a basket.
    Weave,
    /// Rings with a dot in each, every second row shifted.
    Scales,
}

/// Fills a figure with a ground colour and a pattern on it, repeated every `step` outwards from its middle.
pub(crate) fn drape(sheet: &mut Sheet, figure: Option<Path>, cloth: Cloth, step: f32, [ground, ink]: [Rgb; 2]) {
    let Some(bounds) = figure.as_ref().map(Path::bounds) else { return };
    sheet.fill(figure.clone(), ground);
    // One path for all stitches: painting them one by one costs the sheet a pass each.
    let mut stitches = PathBuilder::new();
    sew(&mut stitches, cloth, bounds, step.max(0.5));
    sheet.inside(figure, |sheet| match cloth {
        Cloth::Lattice => sheet.line(stitches.finish(), step * 0.2, ink),
        Cloth::Weave | Cloth::Scales => sheet.line(stitches.finish(), step * 0.1, ink),
        _ => sheet.fill(stitches.finish(), ink),
    });
}

fn sew(path: &mut PathBuilder, cloth: Cloth, bounds: Rect, step: f32) {
    let (x, y) = ((bounds.left() + bounds.right()) / 2.0, (bounds.top() + bounds.bottom()) / 2.0);
    let count = |half: f32| (half / step).ceil() as i32 + 1;
    let (across, down) = (count(bounds.width() / 2.0), count(bounds.height() / 2.0));
    match cloth {
        Cloth::Stripes => {
            for column in -across..=across {
                let left = x + (column as f32 - 0.25) * step;
                chain(path, &corners(left, bounds.top(), left + step * 0.5, bounds.bottom()), true);
            }
        }
        Cloth::Bands => {
            for row in -down..=down {
                let top = y + (row as f32 - 0.25) * step;
                chain(path, &corners(bounds.left(), top, bounds.right(), top + step * 0.5), true);
            }
        }
        Cloth::Lattice => {
            let far = bounds.width() + bounds.height();
            for number in -(across + down)..=across + down {
                let at = x + number as f32 * step;
                chain(path, &[(at - far, y - far), (at + far, y + far)], false);
                chain(path, &[(at + far, y - far), (at - far, y + far)], false);
            }
        }
        Cloth::Lozenges | Cloth::Dots | Cloth::Chevrons | Cloth::Weave | Cloth::Scales => {
            let shifted = if matches!(cloth, Cloth::Dots | Cloth::Scales) { 0.5 } else { 0.0 };
            for row in -down..=down {
                for column in -across..=across {
                    let shift = row.rem_euclid(2) as f32 * shifted;
                    let middle = (x + (column as f32 + shift) * step, y + row as f32 * step);
                    stitch(path, cloth, middle, step, (row + column).rem_euclid(2) == 0);
                }
            }
        }
    }
}

fn stitch(path: &mut PathBuilder, cloth: Cloth, (x, y): (f32, f32), step: f32, even: bool) {
    let half = step / 2.0;
    match cloth {
        Cloth::Lozenges => {
            chain(path, &[(x, y - half), (x + half * 0.8, y), (x, y + half), (x - half * 0.8, y)], true);
        }
        Cloth::Dots => path.push_circle(x, y, step * 0.27),
        Cloth::Scales => {
            path.push_circle(x, y, step * 0.48);
            path.push_circle(x, y, step * 0.1);
        }
        Cloth::Chevrons => {
            let [a, b, c] = [(x - half, y + half * 0.5), (x, y - half * 0.5), (x + half, y + half * 0.5)];
            let below = |(x, y): (f32, f32)| (x, y + half * 0.75);
            chain(path, &[a, b, c, below(c), below(b), below(a)], true);
        }
        _ => {
            let (reach, slope) = (half * 0.8, if even { half * 0.8 } else { -half * 0.8 });
            for shift in [-0.3 * step, 0.0, 0.3 * step] {
                chain(path, &[(x - reach, y - slope + shift), (x + reach, y + slope + shift)], false);
            }
        }
    }
}

fn corners(left: f32, top: f32, right: f32, bottom: f32) -> [(f32, f32); 4] {
    [(left, top), (right, top), (right, bottom), (left, bottom)]
}
