//! The few shapes of which every thing on the table is painted, in pixels.

use super::canvas::{Extent, Rect};

/// A place in the picture.
pub(super) type Pixel = [f32; 2];

fn less(a: Pixel, b: Pixel) -> Pixel {
    [a[0] - b[0], a[1] - b[1]]
}

fn dot(a: Pixel, b: Pixel) -> f32 {
    a[0] * b[0] + a[1] * b[1]
}

/// From one value to another with a gentle start and end.
pub(super) fn ease(from: f32, to: f32, at: f32) -> f32 {
    let t = ((at - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// The map from the picture to a flat thing seen at a slant: its own corners are 0 and 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slant([f32; 9]);

impl Slant {
    /// From the four corners clockwise from the thing's own top left; none if they make no area.
    pub(super) fn new(quad: [Pixel; 4]) -> Option<Self> {
        let [a, b, c, d] = quad.map(|corner| [f64::from(corner[0]), f64::from(corner[1])]);
        let along = [b[0] - c[0], b[1] - c[1]];
        let up = [d[0] - c[0], d[1] - c[1]];
        let rest = [a[0] - b[0] + c[0] - d[0], a[1] - b[1] + c[1] - d[1]];
        let area = along[0] * up[1] - up[0] * along[1];
        if area.abs() < 0.5 {
            return None;
        }
        let g = (rest[0] * up[1] - up[0] * rest[1]) / area;
        let h = (along[0] * rest[1] - rest[0] * along[1]) / area;
        // The map from the unit square to the picture, by rows.
        let m = [
            [b[0] - a[0] + g * b[0], d[0] - a[0] + h * d[0], a[0]],
            [b[1] - a[1] + g * b[1], d[1] - a[1] + h * d[1], a[1]],
            [g, h, 1.0],
        ];
        let minor = |r: [usize; 2], c: [usize; 2]| m[r[0]][c[0]] * m[r[1]][c[1]] - m[r[0]][c[1]] * m[r[1]][c[0]];
        let back = [
            minor([1, 2], [1, 2]),
            -minor([0, 2], [1, 2]),
            minor([0, 1], [1, 2]),
            -minor([1, 2], [0, 2]),
            minor([0, 2], [0, 2]),
            -minor([0, 1], [0, 2]),
            minor([1, 2], [0, 1]),
            -minor([0, 2], [0, 1]),
            minor([0, 1], [0, 1]),
        ];
        let largest = back.iter().fold(0.0_f64, |most, value| most.max(value.abs()));
        (largest > 0.0 && largest.is_finite()).then(|| Self(back.map(|value| (value / largest) as f32)))
    }

    /// Where on the thing this place of the picture is.
    #[inline]
    pub(super) fn at(&self, [x, y]: Pixel) -> Pixel {
        let m = &self.0;
        let w = m[6] * x + m[7] * y + m[8];
        [(m[0] * x + m[1] * y + m[2]) / w, (m[3] * x + m[4] * y + m[5]) / w]
    }
}

/// A corner-to-corner shape without dents.
#[derive(Clone, Debug)]
pub(super) struct Polygon {
    corners: Vec<Pixel>,
    /// For each edge its outward normal and how far out it lies.
    edges: Vec<(Pixel, f32)>,
}

impl Polygon {
    /// From its corners, either way round.
    pub(super) fn new(corners: &[Pixel]) -> Self {
        let next = |i: usize| corners[(i + 1) % corners.len()];
        let twice: f32 = (0..corners.len()).map(|i| corners[i][0] * next(i)[1] - next(i)[0] * corners[i][1]).sum();
        let edges = (0..corners.len())
            .filter_map(|i| {
                let along = less(next(i), corners[i]);
                let length = dot(along, along).sqrt();
                let normal = [along[1] * twice.signum() / length, -along[0] * twice.signum() / length];
                (length > 1e-3).then(|| (normal, dot(normal, corners[i])))
            })
            .collect();
        Self { corners: corners.to_vec(), edges }
    }

    /// How far outside a place is, in pixels; negative inside.
    #[inline]
    pub(super) fn distance(&self, at: Pixel) -> f32 {
        self.edges.iter().fold(f32::MIN, |most, (normal, out)| most.max(dot(*normal, at) - out))
    }

    /// How much of the pixel is inside.
    #[inline]
    pub(super) fn cover(&self, at: Pixel) -> f32 {
        (0.5 - self.distance(at)).clamp(0.0, 1.0)
    }

    /// What holds it, and so much around it.
    pub(super) fn bounds(&self, more: f32) -> Rect {
        Rect::around(&self.corners, more + 1.0)
    }
}

/// A round bar with two ends of different thickness: arms and fingers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bar {
    /// Where it begins.
    pub(super) from: Pixel,
    /// Where it ends.
    pub(super) to: Pixel,
    /// Half its thickness at either end.
    pub(super) radius: [f32; 2],
}

/// A place on or beside a bar.
#[derive(Clone, Copy, Debug)]
pub(super) struct OnBar {
    /// How far outside, in pixels; negative inside.
    pub(super) distance: f32,
    /// How far along, from 0 to 1.
    pub(super) along: f32,
    /// How far across, from -1 to 1.
    pub(super) across: f32,
}

impl Bar {
    /// Where a place is on the bar.
    #[inline]
    pub(super) fn at(&self, at: Pixel) -> OnBar {
        let axis = less(self.to, self.from);
        let offset = less(at, self.from);
        let length = dot(axis, axis).max(1e-6);
        let along = (dot(offset, axis) / length).clamp(0.0, 1.0);
        let radius = (self.radius[0] + (self.radius[1] - self.radius[0]) * along).max(0.1);
        let off = [offset[0] - along * axis[0], offset[1] - along * axis[1]];
        let away = dot(off, off).sqrt();
        let side = (axis[0] * offset[1] - axis[1] * offset[0]) / (length.sqrt() * radius);
        OnBar { distance: away - radius, along, across: side.clamp(-1.0, 1.0) }
    }

    /// What holds it, and so much around it.
    pub(super) fn bounds(&self, more: f32) -> Stripe {
        let reach = self.radius[0].max(self.radius[1]) + more + 1.0;
        Stripe { from: self.from, to: self.to, reach, rect: Rect::around(&[self.from, self.to], reach) }
    }
}

/// Where a bar may be. A slanting arm fills little of the rectangle around it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stripe {
    from: Pixel,
    to: Pixel,
    reach: f32,
    rect: Rect,
}

impl Extent for Stripe {
    fn rect(&self) -> Rect {
        self.rect
    }

    fn span(&self, y: i32) -> (i32, i32) {
        let axis = less(self.to, self.from);
        if axis[1].abs() < 1.0 {
            return (self.rect.x0, self.rect.x1);
        }
        let level = y as f32 + 0.5 - self.from[1];
        let end = |reach: f32| self.from[0] + axis[0] * ((level + reach) / axis[1]).clamp(0.0, 1.0);
        let (one, other) = (end(-self.reach), end(self.reach));
        Rect::around(&[[one, 0.0], [other, 0.0]], self.reach).columns()
    }
}

/// A standing cylinder: a stack of chips, a glass.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cylinder {
    top: Pixel,
    down: Pixel,
    inverse: [f32; 4],
    reach: f32,
}

/// What of a cylinder is seen at a place.
#[derive(Clone, Copy, Debug)]
pub(super) enum OnCylinder {
    /// Its top, with the place on it from -1 to 1 both ways.
    Top([f32; 2]),
    /// Its side: the place on the rim, and how far down from 0 to 1.
    Side([f32; 2], f32),
    /// Nothing of it.
    Beside,
}

impl Cylinder {
    /// From the middle of its top, the middle of its base, and where the ends of two radii at right angles come to lie.
    pub(super) fn new(top: Pixel, base: Pixel, x_end: Pixel, y_end: Pixel) -> Option<Self> {
        let (x, y) = (less(x_end, top), less(y_end, top));
        let area = x[0] * y[1] - y[0] * x[1];
        let reach = dot(x, x).sqrt().max(dot(y, y).sqrt()) * 1.1;
        (area.abs() > 0.05).then(|| Self {
            top,
            down: less(base, top),
            inverse: [y[1] / area, -y[0] / area, -x[1] / area, x[0] / area],
            reach,
        })
    }

    fn own(&self, offset: Pixel) -> [f32; 2] {
        let m = &self.inverse;
        [m[0] * offset[0] + m[1] * offset[1], m[2] * offset[0] + m[3] * offset[1]]
    }

    /// What is seen of it at a place. A point of the side is on the rim of one of the discs the cylinder is made of: the
    /// highest whose rim passes there.
    #[inline]
    pub(super) fn at(&self, at: Pixel) -> OnCylinder {
        let here = self.own(less(at, self.top));
        let inside = dot(here, here) - 1.0;
        if inside <= 0.0 {
            return OnCylinder::Top(here);
        }
        let sink = self.own(self.down);
        let (a, b) = (dot(sink, sink), dot(here, sink));
        let root = b * b - a * inside;
        if a < 1e-9 || root < 0.0 || b < 0.0 {
            return OnCylinder::Beside;
        }
        let depth = (b - root.sqrt()) / a;
        if depth > 1.0 {
            return OnCylinder::Beside;
        }
        OnCylinder::Side([here[0] - depth * sink[0], here[1] - depth * sink[1]], depth)
    }

    /// What holds it, and so much around it.
    pub(super) fn bounds(&self, more: f32) -> Rect {
        let base = [self.top[0] + self.down[0], self.top[1] + self.down[1]];
        Rect::around(&[self.top, base], self.reach + more + 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slant_finds_the_corners_and_the_middle() {
        let quad = [[10.0, 12.0], [50.0, 9.0], [61.0, 80.0], [3.0, 77.0]];
        let slant = Slant::new(quad).unwrap();
        for (corner, own) in quad.into_iter().zip([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]]) {
            let at = slant.at(corner);
            assert!((at[0] - own[0]).abs() < 1e-3 && (at[1] - own[1]).abs() < 1e-3, "{at:?} is not {own:?}");
        }
        assert!(Slant::new([[0.0, 0.0]; 4]).is_none());
    }

    #[test]
    fn a_polygon_knows_inside_from_outside_either_way_round() {
        let mut corners = vec![[0.0, 0.0], [10.0, 0.0], [10.0, 10.0], [0.0, 10.0]];
        for _ in 0..2 {
            let square = Polygon::new(&corners);
            assert!((square.distance([5.0, 2.0]) + 2.0).abs() < 1e-4);
            assert!((square.distance([13.0, 5.0]) - 3.0).abs() < 1e-4);
            corners.reverse();
        }
    }

    #[test]
    fn a_tall_stack_shows_its_side_towards_the_base() {
        let stack = Cylinder::new([50.0, 50.0], [50.0, 80.0], [60.0, 50.0], [50.0, 56.0]).unwrap();
        assert!(matches!(stack.at([50.0, 52.0]), OnCylinder::Top(_)));
        assert!(matches!(stack.at([50.0, 70.0]), OnCylinder::Side(_, depth) if (depth - 14.0 / 30.0).abs() < 1e-3));
        assert!(matches!(stack.at([50.0, 40.0]), OnCylinder::Beside));
        assert!(matches!(stack.at([50.0, 90.0]), OnCylinder::Beside));
    }
}
