//! What a camera's picture shows where: which box a card lies at, how far across, and which way round, all judged in the
//! table's plane and not in the picture's.

use opencv::core::Rect;
use table::config::{Area, Camera, Spot};
use table::{BoxNo, Turn};

use super::plane::{Glass, Millimetres, Plane};
use crate::vision::{Pixel, Quad};

/// Width and depth of a box's part of the felt as `fairdeal calibrate` draws it, and of the dealer's, in millimetres.
pub const BOX: (f32, f32) = (160.0, 347.0);
/// The same for the dealer's cards.
pub const DEALER: (f32, f32) = (410.0, 150.0);
/// A card's width.
const CARD: f32 = 63.0;
/// A card is 1.4 times as long as it is wide: what is less than so many times as long was not framed well enough to tell its length.
const SQUARE: f32 = 1.25;
/// Split hands lie beside the box's own part: so far beyond its sides cards still belong to it.
const BESIDE: f32 = 60.0;
/// And so far towards the dealer.
const BEFORE: f32 = 120.0;
/// Nearer to the player than this part of the box lie chips, not cards.
const CARDS_END: f32 = 0.75;

/// Whose card, and how it lies there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Lie {
    /// The box; none is the dealer.
    pub(super) box_no: Option<BoxNo>,
    /// Millimetres from the left edge of the box's part of the felt, as its player sees it.
    pub(super) across: f32,
    /// Upright or across the hand.
    pub(super) turn: Turn,
}

/// One box's part of the felt, or the dealer's.
#[derive(Clone, Debug)]
struct Ground {
    box_no: Option<BoxNo>,
    size: (f32, f32),
    plane: Plane,
}

/// The parts of a table that hold cards.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    grounds: Vec<Ground>,
}

impl Ground {
    /// Where cards may lie that belong here, as a rectangle of the picture with room for their edges.
    fn bounds(&self) -> Rect {
        let ((width, depth), beyond) = (self.size, 1.2 * CARD);
        let (beside, before, end) = match self.box_no {
            None => (beyond, beyond, depth + beyond),
            Some(_) => (BESIDE + beyond, BEFORE + beyond, CARDS_END * depth + beyond),
        };
        let corners = [[-beside, -before], [width + beside, -before], [width + beside, end], [-beside, end]];
        let [left, top, right, bottom] = Quad(corners.map(|corner| self.plane.in_picture(corner))).bounds();
        let pixel = |along: f32| along.clamp(-1e5, 1e5) as i32;
        Rect::new(pixel(left), pixel(top), pixel(right) - pixel(left), pixel(bottom) - pixel(top))
    }
}

impl Layout {
    /// The layout that a camera's calibration tells of. Areas of four corners count, given as `calibrate` gives them: from
    /// the corner at the dealer's side that is left for the player, clockwise as the player sees it.
    pub fn of(camera: &Camera) -> Self {
        let glass = Glass::of(camera);
        Self { grounds: camera.areas.iter().filter_map(|area| ground(area, glass)).collect() }
    }

    /// Whether there is anything on it.
    pub fn is_empty(&self) -> bool {
        self.grounds.is_empty()
    }

    /// What of a part of the picture can hold cards that matter: without a layout, all of it.
    pub(super) fn with_cards(&self, part: Rect) -> Vec<Rect> {
        if self.is_empty() {
            return vec![part];
        }
        let held =
            self.grounds.iter().map(|ground| part & ground.bounds()).filter(|part| part.width > 0 && part.height > 0);
        held.collect()
    }

    /// Whose part of the felt a card with this outline lies on. Hands that were split reach before the box beside theirs: what is
    /// known to be of a box is of that box for as long as it lies near it.
    fn ground_of(&self, quad: &Quad, home: Option<BoxNo>) -> Option<&Ground> {
        let on = |ground: &&Ground| {
            let [across, down] = ground.plane.on_felt(quad.middle());
            let (width, depth) = ground.size;
            match ground.box_no {
                None => (0.0..=width).contains(&across) && (0.0..=depth).contains(&down),
                Some(_) => {
                    (-BESIDE..=width + BESIDE).contains(&across) && (-BEFORE..=CARDS_END * depth).contains(&down)
                }
            }
        };
        let beside = |ground: &Ground| {
            let [across, _] = ground.plane.on_felt(quad.middle());
            // The dealer's part is taken before any box that it may touch.
            if ground.box_no.is_none() { -1.0 } else { (across - ground.size.0 / 2.0).abs() }
        };
        let at_home = self.grounds.iter().filter(on).find(|ground| home.is_some() && ground.box_no == home);
        at_home.or_else(|| self.grounds.iter().filter(on).min_by(|a, b| beside(a).total_cmp(&beside(b))))
    }

    /// How far apart on the felt the middles of two cards lie, in millimetres; none if the first lies at no box.
    pub(super) fn apart(&self, one: &Quad, other: &Quad) -> Option<f32> {
        let plane = &self.ground_of(one, None)?.plane;
        let ([x, y], [to_x, to_y]) = (plane.on_felt(one.middle()), plane.on_felt(other.middle()));
        Some((x - to_x).hypot(y - to_y))
    }

    /// How a card with this outline lies, if it is known to be of a box; none for one that lies at no box.
    pub(super) fn lie(&self, quad: &Quad, home: Option<BoxNo>) -> Option<Lie> {
        let ground = self.ground_of(quad, home)?;
        Some(Lie {
            box_no: ground.box_no,
            across: ground.plane.on_felt(quad.middle())[0],
            turn: turn(&ground.plane, quad),
        })
    }

    /// The same for a back. Which way round it lies its print does not say, and seen at a slant it may look wider than it is long: what is
    /// longer on the felt is its length. One that is neither lies upright, as nearly all do.
    pub(super) fn lie_of_back(&self, quad: &Quad, home: Option<BoxNo>) -> Option<Lie> {
        let plane = &self.ground_of(quad, home)?.plane;
        let [a, b, c, d] = quad.0;
        let (wide, long) = Quad(quad.0.map(|corner| plane.on_felt(corner))).size();
        let lie = self.lie(&if wide > long { Quad([b, c, d, a]) } else { *quad }, home)?;
        let square = wide.max(long) < SQUARE * wide.min(long);
        Some(if square { Lie { turn: Turn::Upright, ..lie } } else { lie })
    }

    /// How wide a card is that lies near a place in the picture, in pixels.
    pub fn card_width(&self, near: Pixel) -> Option<f32> {
        let away = |ground: &Ground| {
            let [x, y] = ground.plane.in_picture([ground.size.0 / 2.0, ground.size.1 / 3.0]);
            (x - near[0]).hypot(y - near[1])
        };
        let ground = self.grounds.iter().min_by(|a, b| away(a).total_cmp(&away(b)))?;
        let [x, y] = [ground.size.0 / 2.0, ground.size.1 / 3.0];
        let span = |a: Millimetres, b: Millimetres| {
            let ([ax, ay], [bx, by]) = (ground.plane.in_picture(a), ground.plane.in_picture(b));
            (ax - bx).hypot(ay - by)
        };
        let (across, along) = (span([x, y], [x + CARD, y]), span([x, y], [x, y + CARD]));
        Some((across * along).sqrt()).filter(|width| width.is_finite())
    }
}

fn ground(area: &Area, glass: Option<Glass>) -> Option<Ground> {
    let (box_no, size) = match area.spot {
        Spot::Box(box_no) => (Some(box_no), BOX),
        Spot::Dealer => (None, DEALER),
        _ => return None,
    };
    let corners: [Pixel; 4] = area
        .polygon
        .points()
        .iter()
        .map(|point| [f32::from(point.x), f32::from(point.y)])
        .collect::<Vec<_>>()
        .try_into()
        .ok()?;
    let (width, depth) = size;
    let plane = Plane::through(corners, [[0.0, 0.0], [width, 0.0], [width, depth], [0.0, depth]], glass)?;
    Some(Ground { box_no, size, plane })
}

/// Which way round a card lies for the player of its box.
fn turn(plane: &Plane, quad: &Quad) -> Turn {
    let [a, b, c, d] = quad.0.map(|corner| plane.on_felt(corner));
    let along = [(a[0] + b[0] - c[0] - d[0]).abs(), (a[1] + b[1] - c[1] - d[1]).abs()];
    if along[0] > along[1] { Turn::Sideways } else { Turn::Upright }
}

#[cfg(test)]
mod tests {
    use table::config::{Point, Polygon};

    use super::*;

    /// A camera that sees a millimetre as half a pixel, box 3 turned by a quarter.
    fn camera() -> Camera {
        let area = |spot, points: [(u16, u16); 4]| Area {
            spot,
            polygon: Polygon::new(points.map(|(x, y)| Point { x, y }).to_vec()).unwrap(),
        };
        Camera {
            name: "overhead".parse().unwrap(),
            source: "file:x.mp4".parse().unwrap(),
            size: None,
            lens: None,
            areas: vec![
                area(Spot::Box(BoxNo::new(2).unwrap()), [(400, 400), (480, 400), (480, 574), (400, 574)]),
                // Its player sits at the picture's right, so the dealer's side is to the left.
                area(Spot::Box(BoxNo::new(3).unwrap()), [(600, 480), (600, 400), (774, 400), (774, 480)]),
                area(Spot::Dealer, [(300, 100), (505, 100), (505, 175), (300, 175)]),
                area(Spot::Rack, [(0, 0), (50, 0), (50, 50), (0, 50)]),
            ],
        }
    }

    #[test]
    fn a_card_lies_at_its_box_and_which_way_round_its_player_says() {
        let layout = Layout::of(&camera());
        let tall = |x, y| Quad::around([x, y], [0.0, -22.0], [15.75, 0.0]);
        let wide = |x, y| Quad::around([x, y], [-22.0, 0.0], [0.0, 15.75]);
        let two = layout.lie(&tall(440.0, 440.0), None).unwrap();
        assert_eq!((two.box_no, two.turn), (BoxNo::new(2), Turn::Upright));
        assert!((two.across - 80.0).abs() < 1.0);
        assert_eq!(layout.lie(&wide(440.0, 440.0), None).unwrap().turn, Turn::Sideways);
        // The same card before the quarter-turned box lies the other way.
        assert_eq!(layout.lie(&wide(640.0, 440.0), None).unwrap().turn, Turn::Upright);
        assert_eq!(layout.lie(&tall(640.0, 440.0), None).unwrap().turn, Turn::Sideways);
        assert_eq!(layout.lie(&tall(350.0, 140.0), None).unwrap().box_no, None);
        assert_eq!(layout.lie(&tall(20.0, 20.0), None), None);
        assert_eq!(layout.lie(&tall(440.0, 560.0), None), None, "where the chips stand");
    }

    #[test]
    fn what_is_known_to_be_of_a_box_is_of_it_for_as_long_as_it_lies_near() {
        let mut camera = camera();
        let beside = [(320, 400), (400, 400), (400, 574), (320, 574)].map(|(x, y)| Point { x, y });
        camera.areas[1] =
            Area { spot: Spot::Box(BoxNo::new(3).unwrap()), polygon: Polygon::new(beside.to_vec()).unwrap() };
        let layout = Layout::of(&camera);
        let (two, three) = (BoxNo::new(2), BoxNo::new(3));
        let at = |x, home| layout.lie(&Quad::around([x, 440.0], [0.0, -22.0], [15.75, 0.0]), home).unwrap().box_no;
        assert_eq!((at(410.0, None), at(410.0, three), at(410.0, two)), (two, three, two));
        assert_eq!(at(440.0, three), two, "before the other box it is of that");
    }

    #[test]
    fn a_back_is_as_long_as_it_is_on_the_felt() {
        let layout = Layout::of(&camera());
        let tall = Quad::around([440.0, 440.0], [0.0, -22.0], [15.75, 0.0]);
        let Quad([a, b, c, d]) = tall;
        for taken in [tall, Quad([b, c, d, a])] {
            assert_eq!(layout.lie_of_back(&taken, None).unwrap().turn, Turn::Upright, "{taken:?}");
        }
        let wide = Quad::around([440.0, 440.0], [22.0, 0.0], [0.0, -15.75]);
        assert_eq!(layout.lie_of_back(&wide, None).unwrap().turn, Turn::Sideways);
    }

    #[test]
    fn the_size_of_a_card_follows_from_the_size_of_its_box() {
        let layout = Layout::of(&camera());
        assert!((layout.card_width([440.0, 440.0]).unwrap() - 31.5).abs() < 0.5);
        assert_eq!(Layout::default().card_width([0.0, 0.0]), None);
    }

    #[test]
    fn a_lens_is_seen_through() {
        let straight = camera();
        let lens = table::config::Lens::new(-0.2, 0.0, 0.9, (1000, 600)).ok();
        let bent = Camera { size: Some((1000, 600)), lens, ..straight.clone() };
        let card = Quad::around([700.0, 440.0], [0.0, -22.0], [15.75, 0.0]);
        let [plain, through] = [&straight, &bent].map(|camera| Layout::of(camera).lie(&card, None).unwrap());
        assert_eq!(plain.box_no, through.box_no);
        assert!((plain.across - through.across).abs() > 0.3, "{} {}", plain.across, through.across);
        // The corners are where the areas have them, through any lens.
        let glass = Glass::of(&bent);
        for area in &bent.areas[..3] {
            let ground = ground(area, glass).unwrap();
            let corner = area.polygon.points()[2];
            let [across, down] = ground.plane.on_felt([f32::from(corner.x), f32::from(corner.y)]);
            assert!((across - ground.size.0).hypot(down - ground.size.1) < 0.1, "{across} {down}");
            let [x, y] = ground.plane.in_picture([across, down]);
            assert!((x - f32::from(corner.x)).hypot(y - f32::from(corner.y)) < 0.1, "{x} {y}");
        }
    }

    #[test]
    fn only_where_cards_can_lie_is_looked_at() {
        let layout = Layout::of(&camera());
        assert_eq!(layout.with_cards(Rect::new(0, 0, 60, 60)), [], "the rack");
        let part = Rect::new(420, 420, 60, 60);
        assert_eq!(layout.with_cards(part).first(), Some(&part));
        assert_eq!(Layout::default().with_cards(part), [part]);
    }
}
