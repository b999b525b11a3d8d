//! The pen: outlines as tables of a few moves, so that a letter or a crown is data rather than code.

use tiny_skia::{Path, PathBuilder, Rect};

/// How far a handle of a quarter circle reaches, as a part of the radius.
pub(crate) const CIRCLE: f32 = 0.552_3;

/// One move of the pen.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Pen {
    /// Lift, and set down here.
    M(f32, f32),
    /// A straight line.
    L(f32, f32),
    /// A quarter turn that leaves level and arrives upright.
    H(f32, f32),
    /// A quarter turn that leaves upright and arrives level.
    V(f32, f32),
    /// A curve with its two handles.
    C(f32, f32, f32, f32, f32, f32),
    /// Back to where the pen was set down.
    Z,
}

/// Adds some moves to a path, each point put where `place` says; `round` is [`CIRCLE`] for round quarters and up to 1
/// for square ones.
pub(crate) fn trace(path: &mut PathBuilder, moves: &[Pen], round: f32, place: impl Fn(f32, f32) -> (f32, f32)) {
    let mut from = (0.0, 0.0);
    for step in moves {
        let (to, handles) = match *step {
            Pen::M(x, y) => {
                from = (x, y);
                let (x, y) = place(x, y);
                path.move_to(x, y);
                continue;
            }
            Pen::Z => {
                path.close();
                continue;
            }
            Pen::L(x, y) => ((x, y), None),
            Pen::H(x, y) => {
                let first = (from.0 + (x - from.0) * round, from.1);
                ((x, y), Some((first, (x, y + (from.1 - y) * round))))
            }
            Pen::V(x, y) => {
                let first = (from.0, from.1 + (y - from.1) * round);
                ((x, y), Some((first, (x + (from.0 - x) * round, y))))
            }
            Pen::C(ax, ay, bx, by, x, y) => ((x, y), Some(((ax, ay), (bx, by)))),
        };
        let (x, y) = place(to.0, to.1);
        match handles {
            None => path.line_to(x, y),
            Some((a, b)) => {
                let ((ax, ay), (bx, by)) = (place(a.0, a.1), place(b.0, b.1));
                path.cubic_to(ax, ay, bx, by, x, y);
            }
        }
        from = to;
    }
}

/// The closed or open figure of some moves.
pub(crate) fn outline(moves: &[Pen]) -> Option<Path> {
    let mut path = PathBuilder::new();
    trace(&mut path, moves, CIRCLE, |x, y| (x, y));
    path.finish()
}

/// Adds straight lines from point to point, and back to the first if `closed`.
pub(crate) fn chain(path: &mut PathBuilder, points: &[(f32, f32)], closed: bool) {
    for (number, &(x, y)) in points.iter().enumerate() {
        if number == 0 {
            path.move_to(x, y);
        } else {
            path.line_to(x, y);
        }
    }
    if closed {
        path.close();
    }
}

/// A polygon.
pub(crate) fn polygon(corners: &[(f32, f32)]) -> Option<Path> {
    let mut path = PathBuilder::new();
    chain(&mut path, corners, true);
    path.finish()
}

/// A straight line.
pub(crate) fn line(from: (f32, f32), to: (f32, f32)) -> Option<Path> {
    let mut path = PathBuilder::new();
    chain(&mut path, &[from, to], false);
    path.finish()
}

/// A circle.
pub(crate) fn circle(x: f32, y: f32, radius: f32) -> Option<Path> {
    PathBuilder::from_circle(x, y, radius)
}

/// An ellipse.
pub(crate) fn ellipse(x: f32, y: f32, across: f32, down: f32) -> Option<Path> {
    PathBuilder::from_oval(Rect::from_ltrb(x - across, y - down, x + across, y + down)?)
}

/// A rectangle by its edges.
pub(crate) fn block(left: f32, top: f32, right: f32, bottom: f32) -> Option<Path> {
    Some(PathBuilder::from_rect(Rect::from_ltrb(left, top, right, bottom)?))
}

/// A rectangle with round corners.
pub(crate) fn rounded(left: f32, top: f32, right: f32, bottom: f32, radius: f32) -> Option<Path> {
    use Pen::{H, L, M, V, Z};
    let r = radius.min((right - left) / 2.0).min((bottom - top) / 2.0);
    outline(&[
        M(left + r, top),
        L(right - r, top),
        H(right, top + r),
        L(right, bottom - r),
        V(right - r, bottom),
        L(left + r, bottom),
        H(left, bottom - r),
        L(left, top + r),
        V(left + r, top),
        Z,
    ])
}
