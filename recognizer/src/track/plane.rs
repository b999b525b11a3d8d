//! The table's plane: from pixels of a camera to millimetres of the felt and back, by the places of four points.

use crate::vision::Pixel;

/// A place on the felt in millimetres.
pub type Millimetres = [f32; 2];

/// How a flat thing looks to a camera: a projective map, as a matrix in rows, and the way back.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Plane {
    to_felt: [f64; 9],
    to_picture: [f64; 9],
}

impl Plane {
    /// The plane in which these four places of a picture are these four places of the felt; none if three of either lie on
    /// one line.
    pub fn through(picture: [Pixel; 4], felt: [Millimetres; 4]) -> Option<Self> {
        Some(Self { to_felt: solve(picture, felt)?, to_picture: solve(felt, picture)? })
    }

    /// Where on the felt a pixel lies.
    pub fn on_felt(&self, at: Pixel) -> Millimetres {
        apply(&self.to_felt, at)
    }

    /// Where in the picture a place of the felt is seen.
    pub fn in_picture(&self, at: Millimetres) -> Pixel {
        apply(&self.to_picture, at)
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
        let plane = Plane::through(picture, felt).unwrap();
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
        assert_eq!(Plane::through(line, felt), None);
        assert_eq!(Plane::through([[f32::NAN; 2]; 4], felt), None);
    }
}
