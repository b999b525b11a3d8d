//! What a part of a camera's picture shows: calibration drawn as polygons.

use std::fmt;
use std::str::FromStr;

use crate::place::BoxNo;
use crate::text::UnknownName;

/// A part of the layout that a camera can see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Spot {
    /// The cards and chips of a box.
    Box(BoxNo),
    /// The dealer's cards.
    Dealer,
    /// The mouth of the shoe.
    Shoe,
    /// The discard rack.
    Rack,
    /// The dealer's chip tray.
    Tray,
    /// The line where insurance is staked.
    Insurance,
    /// The betting spot of a box.
    Bet(BoxNo),
}

impl Spot {
    /// The names of the spots that are not boxes.
    pub const NAMED: &'static [(&'static str, Self)] = &[
        ("dealer", Self::Dealer),
        ("shoe", Self::Shoe),
        ("rack", Self::Rack),
        ("tray", Self::Tray),
        ("insurance", Self::Insurance),
    ];
    pub(super) const EXPECTED: &'static str = "a box from \"1\" to \"9\", its betting spot from \"bet-1\" to \"bet-9\", \"dealer\", \"shoe\", \"rack\", \"tray\" or \"insurance\"";

    /// The box it belongs to.
    pub const fn box_no(self) -> Option<BoxNo> {
        match self {
            Self::Box(box_no) | Self::Bet(box_no) => Some(box_no),
            _ => None,
        }
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Box(box_no) => write!(f, "{box_no}"),
            Self::Dealer => f.write_str("dealer"),
            Self::Shoe => f.write_str("shoe"),
            Self::Rack => f.write_str("rack"),
            Self::Tray => f.write_str("tray"),
            Self::Insurance => f.write_str("insurance"),
            Self::Bet(box_no) => write!(f, "bet-{box_no}"),
        }
    }
}

impl FromStr for Spot {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        if let Some((_, spot)) = Self::NAMED.iter().find(|(name, _)| *name == text) {
            return Ok(*spot);
        }
        match text.as_bytes() {
            [digit @ b'1'..=b'9'] => BoxNo::new(digit - b'0').map(Self::Box),
            [b'b', b'e', b't', b'-', digit @ b'1'..=b'9'] => BoxNo::new(digit - b'0').map(Self::Bet),
            _ => None,
        }
        .ok_or(UnknownName { expected: Self::EXPECTED })
    }
}

/// A point of a picture in pixels, from its top left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    /// To the right.
    pub x: u16,
    /// Down.
    pub y: u16,
}

/// An outline that encloses something: at least three different points whose sides do not cross.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Polygon(Vec<Point>);

/// Points that enclose nothing, or nothing clear.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAPolygon {
    /// One or two points.
    #[error("a polygon has at least 3 points, found {0}")]
    TooFew(usize),
    /// More than anybody draws by hand.
    #[error("a polygon has at most {most} points, found {0}", most = Polygon::MOST)]
    TooMany(usize),
    /// The outline comes back to where it was.
    #[error("the point [{}, {}] is in the polygon twice", .0.x, .0.y)]
    Twice(Point),
    /// All points lie on one line.
    #[error("the polygon encloses nothing: its points lie on one line")]
    Flat,
    /// An hourglass.
    #[error("the sides of the polygon cross: give its points in the order in which the outline runs")]
    Crossed,
}

impl Polygon {
    /// The most points of an outline.
    pub const MOST: usize = 64;

    /// An outline through these points and back to the first.
    pub fn new(points: Vec<Point>) -> Result<Self, NotAPolygon> {
        let count = points.len();
        if count < 3 {
            return Err(NotAPolygon::TooFew(count));
        }
        if count > Self::MOST {
            return Err(NotAPolygon::TooMany(count));
        }
        let mut sorted = points.clone();
        sorted.sort();
        if let Some(pair) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(NotAPolygon::Twice(pair[0]));
        }
        if points.iter().all(|point| side_of(points[0], points[1], *point) == 0) {
            return Err(NotAPolygon::Flat);
        }
        let side = |index: usize| (points[index], points[(index + 1) % count]);
        let crossed = (0..count).any(|a| (a + 1..count).any(|b| cross(side(a), side(b))));
        if crossed { Err(NotAPolygon::Crossed) } else { Ok(Self(points)) }
    }

    /// The points in the order of the outline.
    pub fn points(&self) -> &[Point] {
        &self.0
    }
}

/// Above, on or below the line from `a` to `b`: 1, 0 or -1.
fn side_of(a: Point, b: Point, point: Point) -> i64 {
    let [ax, ay, bx, by, px, py] = [a.x, a.y, b.x, b.y, point.x, point.y].map(i64::from);
    ((bx - ax) * (py - ay) - (by - ay) * (px - ax)).signum()
}

/// Whether two sides pass through each other; meeting at an end is no crossing.
fn cross((a, b): (Point, Point), (c, d): (Point, Point)) -> bool {
    side_of(a, b, c) * side_of(a, b, d) < 0 && side_of(c, d, a) * side_of(c, d, b) < 0
}

/// A spot and where a camera sees it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Area {
    /// What is seen.
    pub spot: Spot,
    /// Where, in pixels of the camera's picture.
    pub polygon: Polygon,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(points: &[(u16, u16)]) -> Result<Polygon, NotAPolygon> {
        Polygon::new(points.iter().map(|&(x, y)| Point { x, y }).collect())
    }

    #[test]
    fn an_outline_encloses_something_clear() {
        assert!(outline(&[(0, 0), (9, 0), (9, 9), (0, 9)]).is_ok());
        assert!(outline(&[(0, 0), (u16::MAX, 0), (3, 3), (0, u16::MAX)]).is_ok());
        assert_eq!(outline(&[(0, 0), (9, 0)]), Err(NotAPolygon::TooFew(2)));
        assert_eq!(outline(&[(0, 0), (5, 5), (9, 9)]), Err(NotAPolygon::Flat));
        assert_eq!(outline(&[(0, 0), (9, 9), (9, 0), (0, 9)]), Err(NotAPolygon::Crossed));
        assert_eq!(outline(&[(0, 0), (9, 0), (0, 0), (0, 9)]), Err(NotAPolygon::Twice(Point { x: 0, y: 0 })));
        assert_eq!(outline(&vec![(1, 1); 65]), Err(NotAPolygon::TooMany(65)));
    }

    #[test]
    fn every_spot_prints_and_parses_back() {
        let boxes = BoxNo::all().flat_map(|box_no| [Spot::Box(box_no), Spot::Bet(box_no)]);
        let spots = boxes.chain(Spot::NAMED.iter().map(|(_, spot)| *spot));
        for spot in spots {
            assert_eq!(spot.to_string().parse(), Ok(spot));
        }
    }
}
