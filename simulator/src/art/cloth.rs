//! Patterns that fill a figure: the clothes of the courts and the backs of the cards.

use tiny_skia::Path;

use super::pen::{block, circle, line, polygon};
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
}

/// Fills a figure with a ground colour and a pattern on it, repeated every `step` outwards from `(x, y)`.
pub(crate) fn drape(sheet: &mut Sheet, figure: Option<Path>, cloth: Cloth, step: f32, [ground, ink]: [Rgb; 2]) {
    let Some(bounds) = figure.as_ref().map(Path::bounds) else { return };
    sheet.fill(figure.clone(), ground);
    let (x, y) = ((bounds.left() + bounds.right()) / 2.0, (bounds.top() + bounds.bottom()) / 2.0);
    let reach = |half: f32| (half / step.max(0.1)).ceil() as i32 + 1;
    let (across, down) = (reach(bounds.width() / 2.0), reach(bounds.height() / 2.0));
    sheet.inside(figure, |sheet| match cloth {
        Cloth::Stripes => {
            for column in -across..=across {
                let left = x + (column as f32 - 0.25) * step;
                sheet.fill(block(left, bounds.top(), left + step * 0.5, bounds.bottom()), ink);
            }
        }
        Cloth::Bands => {
            for row in -down..=down {
                let top = y + (row as f32 - 0.25) * step;
                sheet.fill(block(bounds.left(), top, bounds.right(), top + step * 0.5), ink);
            }
        }
        Cloth::Lattice => {
            let reach = across + down;
            for number in -reach..=reach {
                let (at, far) = (x + number as f32 * step, bounds.width() + bounds.height());
                sheet.line(line((at - far, y - far), (at + far, y + far)), step * 0.2, ink);
                sheet.line(line((at + far, y - far), (at - far, y + far)), step * 0.2, ink);
            }
        }
        Cloth::Lozenges | Cloth::Dots | Cloth::Chevrons | Cloth::Weave => {
            for row in -down..=down {
                for column in -across..=across {
                    let odd = row.rem_euclid(2) as f32;
                    let shift = if cloth == Cloth::Dots { odd * 0.5 } else { 0.0 };
                    let middle = (x + (column as f32 + shift) * step, y + row as f32 * step);
                    stitch(sheet, cloth, middle, step, (row + column).rem_euclid(2) == 0, ink);
                }
            }
        }
    });
}

fn stitch(sheet: &mut Sheet, cloth: Cloth, (x, y): (f32, f32), step: f32, even: bool, ink: Rgb) {
    let half = step / 2.0;
    match cloth {
        Cloth::Lozenges => {
            sheet.fill(polygon(&[(x, y - half), (x + half * 0.8, y), (x, y + half), (x - half * 0.8, y)]), ink);
        }
        Cloth::Dots => sheet.fill(circle(x, y, step * 0.27), ink),
        Cloth::Chevrons => {
            let angle = [(x - half, y + half * 0.5), (x, y - half * 0.5), (x + half, y + half * 0.5)];
            let below = angle.map(|(x, y)| (x, y + half * 0.75));
            sheet.fill(polygon(&[angle[0], angle[1], angle[2], below[2], below[1], below[0]]), ink);
        }
        _ => {
            let slope = if even { half } else { -half };
            for shift in [-0.6, 0.0, 0.6] {
                let (from, to) = (
                    (x - half * 0.8, y - slope * 0.8 + shift * half),
                    (x + half * 0.8, y + slope * 0.8 + shift * half),
                );
                sheet.line(line(from, to), step * 0.1, ink);
            }
        }
    }
}
