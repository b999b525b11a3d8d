//! The table's plane: from pixels of a camera to millimetres of the felt and back, by the places of four points, through
//! a lens that may bend the picture.

use table::config::{Bend, Camera};

use crate::vision::Pixel;

/// A place on the felt in millimetres.
pub type Millimetres = [f32; 2];

/// A lens before a picture of known size.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Glass {
    bend: Bend,
    middle: [f64; 2],
    /// Pixels.
    focal: f64,
}

impl Glass {
    /// The lens that a camera's configuration tells of.
    pub fn of(camera: &Camera) -> Option<Self> {
        let (lens, size) = camera.lens.zip(camera.size)?;
        let (width, height) = (f64::from(size.0), f64::from(size.1));
        Some(Self { bend: lens.bend(), middle: [0.5 * width, 0.5 * height], focal: lens.focal() * width })
    }

    fn straightened(&self, at: Pixel) -> Pixel {
        self.through(at, |at| self.bend.straightened(at))
    }

    fn bent(&self, at: Pixel) -> Pixel {
        self.through(at, |at| self.bend.bent(at))
    }

    /// A place counted in focal lengths from the middle, changed, and back in pixels.
    fn through(&self, [x, y]: Pixel, change: impl Fn([f64; 2]) -> [f64; 2]) -> Pixel {
        let [middle_x, middle_y] = self.middle;
        let [x, y] = change([(f64::from(x) - middle_x) / self.focal, (f64::from(y) - middle_y) / self.focal]);
        [(middle_x + self.focal * x) as f32, (middle_y + self.focal * y) as f32]
    }
}

/// How a flat thing looks to a camera: a projective map, as a matrix in rows, and the way back; all of it behind the lens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    to_felt: [f64; 9],
    to_picture: [f64; 9],
    glass: Option<Glass>,
}

impl Plane {
    /// The plane in which these four places of a picture are these four places of the felt; none if three of either lie on
    /// one line.
    pub fn through(picture: [Pixel; 4], felt: [Millimetres; 4], glass: Option<Glass>) -> Option<Self> {
        let straight = glass.map_or(picture, |glass| picture.map(|at| glass.straightened(at)));
        Some(Self { to_felt: solve(straight, felt)?, to_picture: solve(felt, straight)?, glass })
    }

    /// Where on the felt a pixel lies.
    pub fn on_felt(&self, at: Pixel) -> Millimetres {
        apply(&self.to_felt, self.glass.map_or(at, |glass| glass.straightened(at)))
    }

    /// Where in the picture a place of the felt is seen.
    pub fn in_picture(&self, at: Millimetres) -> Pixel {
        let straight = apply(&self.to_picture, at);
        self.glass.map_or(straight, |glass| glass.bent(straight))
    }
}

fn apply(matrix: &[f64; 9], [x, y]: [f32; 2]) -> [f32; 2] {
    let (x, y) = (f64::from(x), f64::from(y));
    let along = |row: usize| matrix[row] * x + matrix[row + 1] * y + matrix[row + 2];
    let depth = along(6);
    [(along(0) / depth) as f32, (along(3) / depth) as f32]
}

/// The map that takes four points to four others: eight equations with eight unknowns.
fn solve(from: [[f32; 2]; 4], to: [[f32; 2]; 4]) -> Option<[f64; 9]> {
    let mut rows: Vec<[f64; 9]> = Vec::with_capacity(8);
    for (a, b) in from.iter().zip(&to) {
        let ([x, y], [u, v]) = (a.map(f64::from), b.map(f64::from));
        rows.push([x, y, 1.0, 0.0, 0.0, 0.0, -u * x, -u * y, u]);
        rows.push([0.0, 0.0, 0.0, x, y, 1.0, -v * x, -v * y, v]);
    }
    for column in 0..8 {
        let pivot = (column..8).max_by(|a, b| rows[*a][column].abs().total_cmp(&rows[*b][column].abs()))?;
        rows.swap(column, pivot);
        let lead = rows[column];
        if !lead[column].is_finite() || lead[column].abs() < 1e-9 {
            return None;
        }
        for (number, row) in rows.iter_mut().enumerate() {
            if number != column {
                let times = row[column] / lead[column];
                for at in column..9 {
                    row[at] -= times * lead[at];
                }
            }
        }
    }
    let mut matrix = [1.0; 9];
    for (at, row) in rows.iter().enumerate() {
        matrix[at] = row[8] / row[at];
    }
    Some(matrix)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_points_and_back() {
        let picture = [[310.0, 200.0], [900.0, 180.0], [1100.0, 700.0], [120.0, 640.0]];
        let felt = [[0.0, 0.0], [160.0, 0.0], [160.0, 347.0], [0.0, 347.0]];
        let plane = Plane::through(picture, felt, None).unwrap();
        for (pixel, place) in picture.iter().zip(&felt) {
            let found = plane.on_felt(*pixel);
            assert!((found[0] - place[0]).hypot(found[1] - place[1]) < 1e-2, "{found:?}");
        }
        let back = plane.in_picture(plane.on_felt([600.0, 400.0]));
        assert!((back[0] - 600.0).hypot(back[1] - 400.0) < 1e-2);
    }

    #[test]
    fn points_on_a_line_make_no_plane() {
        let line = [[0.0, 0.0], [1.0, 1.0], [2.0, 2.0], [3.0, 3.0]];
        let felt = [[0.0, 0.0], [160.0, 0.0], [160.0, 347.0], [0.0, 347.0]];
        assert_eq!(Plane::through(line, felt, None), None);
        assert_eq!(Plane::through([[f32::NAN; 2]; 4], felt, None), None);
    }
}
