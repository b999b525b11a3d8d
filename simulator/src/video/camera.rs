//! The camera: a pinhole with a lens that bends straight lines a little, hung above the table.

use auditor::model::random::Dice;
use table::config::{Bend, Lens};

use super::scene::Point;

/// The width of a playing card, by which the zoom is given.
const CARD_MM: f64 = 63.0;

/// How far from the edge of the picture the table stays when the camera is to show all of it.
const MARGIN: f64 = 0.02;

/// What must not come closer to the lens than this, in millimetres, to be drawn at all.
const NEAREST: f64 = 50.0;

/// The size of a picture in pixels, even both ways as video wants it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    width: usize,
    height: usize,
}

impl Size {
    /// 1280 by 720.
    pub const HD: Self = Self { width: 1280, height: 720 };
    /// 1920 by 1080.
    pub const FULL_HD: Self = Self { width: 1920, height: 1080 };
    /// 2560 by 1440.
    pub const QUAD_HD: Self = Self { width: 2560, height: 1440 };
    /// 3840 by 2160.
    pub const UHD: Self = Self { width: 3840, height: 2160 };

    /// A size of one's own: made even, and kept between 16 and 8192.
    pub fn new(width: usize, height: usize) -> Self {
        let even = |length: usize| length.clamp(16, 8192) & !1;
        Self { width: even(width), height: even(height) }
    }

    /// Pixels across.
    pub const fn width(self) -> usize {
        self.width
    }

    /// Pixels down.
    pub const fn height(self) -> usize {
        self.height
    }
}

/// From where a camera looks, and through what lens.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// The point of the felt in the middle of the picture.
    pub target: Point,
    /// Between the line of sight and the plumb line, in radians.
    pub tilt: f64,
    /// Where around the target the camera hangs: 0 on the players' side, growing towards the dealer's left.
    pub azimuth: f64,
    /// The camera's own turn about its line of sight.
    pub roll: f64,
    /// The angle that the width of the picture takes in.
    pub field: f64,
    /// The lens: how much a straight line is bent, with the square of the distance from the middle.
    pub k1: f64,
    /// The same with the fourth power.
    pub k2: f64,
    /// From the lens to the target, in millimetres.
    pub distance: f64,
}

impl View {
    /// Straight down from the ceiling.
    pub fn overhead() -> Self {
        Self {
            target: Point { x: 0.0, y: 520.0 },
            tilt: 0.0,
            azimuth: 0.0,
            roll: 0.0,
            field: 0.9,
            k1: -0.04,
            k2: 0.004,
            distance: 2400.0,
        }
    }

    /// From behind the players, tilted by so many radians; useful between 0.6 and 1.05 (35° to 60°).
    pub fn oblique(tilt: f64) -> Self {
        Self { tilt: tilt.clamp(0.0, 1.4), ..Self::overhead() }
    }

    /// Any view from which cards can still be told apart, for training pictures: up to 75° of tilt.
    pub fn random(dice: &mut Dice, size: Size) -> Self {
        let tilt = if dice.chance(0.3) { dice.between(0.0, 0.15) } else { dice.between(0.15, 1.31) };
        let view = Self {
            target: Point { x: dice.between(-600.0, 600.0) as f32, y: dice.between(250.0, 800.0) as f32 },
            tilt,
            azimuth: dice.between(-std::f64::consts::PI, std::f64::consts::PI),
            roll: 0.06 * dice.normal(),
            field: dice.between(0.45, 1.3),
            k1: dice.between(-0.12, 0.04),
            k2: dice.between(0.0, 0.02),
            distance: 0.0,
        };
        let share = dice.between(0.03, 0.11);
        view.with_card(share * size.width as f64, size)
    }

    /// The same view, so near that a card at the target is so many pixels wide. The picture may not hold the whole
    /// table then.
    pub fn with_card(self, card_px: f64, size: Size) -> Self {
        let focal = focal(self.field, size);
        Self { distance: (focal * CARD_MM / card_px.max(1.0)).clamp(4.0 * NEAREST, 40_000.0), ..self }
    }

    /// Its lens as a site's configuration describes it, for pictures of this size.
    pub fn lens(&self, size: Size) -> Option<Lens> {
        let sides = u16::try_from(size.width).ok().zip(u16::try_from(size.height).ok())?;
        Lens::new(self.k1, self.k2, focal(self.field, size) / size.width as f64, sides).ok()
    }

    /// The same view, from as near as shows all these points of the felt.
    pub fn showing(self, points: &[Point], size: Size) -> Self {
        let (mut near, mut far) = (200.0, 40_000.0);
        for _ in 0..40 {
            let middle = 0.5 * (near + far);
            let camera = Camera::new(Self { distance: middle, ..self }, size);
            if points.iter().all(|&point| camera.holds(point)) { far = middle } else { near = middle }
        }
        Self { distance: far, ..self }
    }
}

/// Pixels from the lens to the picture.
fn focal(field: f64, size: Size) -> f64 {
    0.5 * size.width as f64 / (0.5 * field.clamp(0.05, 2.6)).tan()
}

/// A camera in its place.
#[derive(Clone, Debug)]
pub struct Camera {
    size: Size,
    eye: [f64; 3],
    right: [f64; 3],
    down: [f64; 3],
    ahead: [f64; 3],
    focal: f64,
    bend: Bend,
}

impl Camera {
    /// A camera with this view, taking pictures of this size.
    pub fn new(view: View, size: Size) -> Self {
        let (sin_t, cos_t) = view.tilt.sin_cos();
        let (sin_a, cos_a) = view.azimuth.sin_cos();
        let (sin_r, cos_r) = view.roll.sin_cos();
        let away = [sin_a * sin_t, cos_a * sin_t, cos_t];
        let level = [cos_a, -sin_a, 0.0];
        let below = [sin_a * cos_t, cos_a * cos_t, -sin_t];
        let target = [f64::from(view.target.x), f64::from(view.target.y), 0.0];
        Self {
            size,
            eye: each(|i| target[i] + view.distance * away[i]),
            right: each(|i| cos_r * level[i] + sin_r * below[i]),
            down: each(|i| cos_r * below[i] - sin_r * level[i]),
            ahead: each(|i| -away[i]),
            focal: focal(view.field, size),
            bend: Bend::new(view.k1, view.k2),
        }
    }

    /// The size of its pictures.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// Where the lens is.
    pub const fn eye(&self) -> [f64; 3] {
        self.eye
    }

    /// Where a point in space comes to lie in the picture, in pixels from the top left corner; none for what is behind
    /// the camera or so far aside that no lens bends it in.
    pub fn project(&self, point: [f32; 3]) -> Option<[f32; 2]> {
        let from_eye = each(|i| f64::from(point[i]) - self.eye[i]);
        let depth = dot(from_eye, self.ahead);
        if !depth.is_finite() || depth < NEAREST {
            return None;
        }
        let (x, y) = (dot(from_eye, self.right) / depth, dot(from_eye, self.down) / depth);
        let bent = self.focal * self.bend.times(x * x + y * y)?;
        let (middle_x, middle_y) = self.middle();
        Some([(middle_x + bent * x) as f32, (middle_y + bent * y) as f32])
    }

    /// Which point of the felt's plane a place in the picture shows; none above the horizon.
    pub fn unproject(&self, pixel: [f32; 2]) -> Option<Point> {
        let (middle_x, middle_y) = self.middle();
        let bent = [(f64::from(pixel[0]) - middle_x) / self.focal, (f64::from(pixel[1]) - middle_y) / self.focal];
        let [x, y] = self.bend.straightened(bent);
        let ray: [f64; 3] = each(|i| self.ahead[i] + x * self.right[i] + y * self.down[i]);
        if ray[2] > -1e-3 {
            return None;
        }
        let along = -self.eye[2] / ray[2];
        Some(Point { x: (self.eye[0] + along * ray[0]) as f32, y: (self.eye[1] + along * ray[1]) as f32 })
    }

    /// How many pixels a millimetre across the line of sight takes at this point.
    pub fn scale(&self, point: [f32; 3]) -> f32 {
        let from_eye = each(|i| f64::from(point[i]) - self.eye[i]);
        (self.focal / dot(from_eye, self.ahead).max(NEAREST)) as f32
    }

    /// Whether a point of the felt is in the picture, not too near its edge.
    fn holds(&self, point: Point) -> bool {
        let (width, height) = (self.size.width as f64, self.size.height as f64);
        self.project([point.x, point.y, 0.0]).is_some_and(|[x, y]| {
            let (x, y) = (f64::from(x) / width, f64::from(y) / height);
            (MARGIN..1.0 - MARGIN).contains(&x) && (MARGIN..1.0 - MARGIN).contains(&y)
        })
    }

    fn middle(&self) -> (f64, f64) {
        (0.5 * self.size.width as f64, 0.5 * self.size.height as f64)
    }
}

fn each(f: impl Fn(usize) -> f64) -> [f64; 3] {
    [f(0), f(1), f(2)]
}

fn dot(a: [f64; 3], b: [f64; 3]) -> f64 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}

#[cfg(test)]
mod tests {
    use super::*;

    const CORNERS: [Point; 4] = [
        Point { x: -1000.0, y: 0.0 },
        Point { x: 1000.0, y: 0.0 },
        Point { x: 1000.0, y: 1050.0 },
        Point { x: -1000.0, y: 1050.0 },
    ];

    #[test]
    fn what_the_lens_does_can_be_undone() {
        let mut dice = Dice::new(3);
        for _ in 0..50 {
            let camera = Camera::new(View::random(&mut dice, Size::HD), Size::HD);
            for pixel in [[640.0, 360.0], [200.0, 600.0], [1100.0, 500.0], [900.0, 300.0]] {
                let Some(felt) = camera.unproject(pixel) else { continue };
                let Some(back) = camera.project([felt.x, felt.y, 0.0]) else { continue };
                assert!((back[0] - pixel[0]).hypot(back[1] - pixel[1]) < 0.5, "{pixel:?} came back as {back:?}");
            }
        }
    }

    #[test]
    fn the_dealer_is_at_the_top_and_box_one_at_the_right() {
        for view in [View::overhead(), View::oblique(0.8)] {
            let camera = Camera::new(view.showing(&CORNERS, Size::FULL_HD), Size::FULL_HD);
            let dealer = camera.project([0.0, 0.0, 0.0]).unwrap();
            let players = camera.project([0.0, 1000.0, 0.0]).unwrap();
            let first_box = camera.project([800.0, 500.0, 0.0]).unwrap();
            assert!(dealer[1] < players[1] && dealer[0] < first_box[0]);
        }
    }

    #[test]
    fn a_camera_that_shows_the_whole_table_still_shows_cards() {
        let camera = Camera::new(View::overhead().showing(&CORNERS, Size::FULL_HD), Size::FULL_HD);
        assert!(CORNERS.iter().all(|&corner| camera.holds(corner)));
        assert!(camera.scale([0.0, 500.0, 0.0]) * 63.0 > 50.0);
    }

    #[test]
    fn the_zoom_is_the_width_of_a_card() {
        let camera = Camera::new(View::overhead().with_card(120.0, Size::FULL_HD), Size::FULL_HD);
        let left = camera.project([-31.5, 520.0, 0.0]).unwrap();
        let right = camera.project([31.5, 520.0, 0.0]).unwrap();
        assert!((right[0] - left[0] - 120.0).abs() < 0.5);
    }

    #[test]
    fn what_is_behind_the_camera_is_in_no_picture() {
        let camera = Camera::new(View::oblique(1.0), Size::HD);
        let eye = camera.eye();
        assert_eq!(camera.project([0.0, 520.0, eye[2] as f32 * 5.0]), None);
        assert_eq!(camera.project([f32::NAN, 0.0, 0.0]), None);
        assert_eq!(camera.project([0.0, eye[1] as f32 + 5000.0, eye[2] as f32]), None);
    }
}
