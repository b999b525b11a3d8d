//! The configuration of a simulated table, as a site would write it: devices, sign, and what the camera sees where.

use table::config::{Area, Camera, Chips, Currency, Dialect, NotAnAddress, Polygon, Shoe, Spot, TableConfig};
use table::{BoxNo, Hand, Ident, Place, SideBet, Turn, Wager};

use crate::feeds::Names;
use crate::film::{self, Shot};
use crate::setup::Setup;
use crate::video::camera::View;
use crate::video::geometry::{BOX_RADIUS, Footprint, Geometry, offset};
use crate::video::scene::{Point, Pose};

/// Half the width of a box's part of the felt, in millimetres.
const HALF_BOX: f32 = 80.0;
/// How far a part of the felt reaches beyond the middle of its outermost card or chip.
const BEYOND: f32 = 75.0;
/// Half the depth of the felt that counts as the line of insurance.
const INSURANCE: f32 = 45.0;
/// Cards of the dealer's hand that have a part of the felt to themselves.
const DEALERS_CARDS: u8 = 6;

/// What a book's country pays with.
const CURRENCIES: &[(&str, &str)] = &[("nz", "NZD"), ("act", "AUD"), ("nh", "USD"), ("bclc", "CAD")];

/// The table's configuration, with what the camera sees where if it is filmed.
pub fn table(setup: &Setup, names: &Names, dialect: Dialect, shot: Option<&Shot>) -> Result<TableConfig, NotAnAddress> {
    let game = setup.game.name.as_str();
    let currency = CURRENCIES.iter().find(|(book, _)| game.starts_with(book)).map_or("XXX", |(_, code)| *code);
    let currency = currency.parse().unwrap_or(Currency::NONE);
    let rules = &setup.law.rules;
    let filmed = shot.into_iter().flat_map(|shot| shot.views.iter().map(move |view| (shot, view)));
    let cameras = names.cameras().zip(filmed).map(|(name, (shot, view))| camera(setup, name, shot, view));
    Ok(TableConfig {
        id: setup.table.clone(),
        game: setup.game.clone(),
        house: None,
        boxes: setup.boxes,
        decks: Some(rules.decks),
        shuffler: setup.shuffler.clone(),
        currency,
        limits: setup.limits.clone(),
        side_bets: SideBet::ALL.iter().copied().filter(|bet| rules.side(*bet).is_some()).collect(),
        cameras: cameras.collect::<Result<_, _>>()?,
        shoe: Some(Shoe {
            name: names.shoe.clone(),
            transport: format!("file:{}.bin", names.shoe).parse()?,
            dialect,
            read_only: true,
        }),
        chips: Some(Chips { name: names.chips.clone(), transport: format!("file:{}.jsonl", names.chips).parse()? }),
    })
}

/// A camera with its lens, and the parts of the felt as it sees them.
fn camera(setup: &Setup, name: &Ident, shot: &Shot, view: &View) -> Result<Camera, NotAnAddress> {
    Ok(Camera {
        name: name.clone(),
        source: format!("file:{name}.mp4").parse()?,
        size: u16::try_from(shot.size.width()).ok().zip(u16::try_from(shot.size.height()).ok()),
        lens: view.lens(shot.size),
        areas: areas(setup, shot, view),
    })
}

fn areas(setup: &Setup, shot: &Shot, view: &View) -> Vec<Area> {
    let geometry = film::geometry(setup);
    let camera = film::eye(shot, view, &geometry);
    let size = (shot.size.width(), shot.size.height());
    let project = |at: Point| camera.project([at.x, at.y, 0.0]);
    grounds(&geometry).into_iter().filter_map(|(spot, corners)| seen(spot, &corners, size, project)).collect()
}

/// The parts of a table's felt, each with its corners clockwise from the dealer's side, left first, as players see it.
pub fn grounds(geometry: &Geometry) -> Vec<(Spot, [Point; 4])> {
    let boxes = BoxNo::all().take(usize::from(geometry.boxes()));
    let things = [
        (Spot::Dealer, dealers(geometry)),
        (Spot::Shoe, footprint(geometry.shoe())),
        (Spot::Rack, footprint(geometry.rack())),
        (Spot::Tray, footprint(geometry.tray())),
    ];
    boxes.map(|box_no| (Spot::Box(box_no), of_box(geometry, box_no))).chain(things).collect()
}

/// What of the print on the felt has a meaning for chips: the betting spots, and the line of insurance with some felt to
/// both sides.
pub fn markings(geometry: &Geometry) -> Vec<(Spot, Vec<Point>)> {
    const AROUND: u8 = 12;
    let mut marks = Vec::new();
    for box_no in BoxNo::all().take(usize::from(geometry.boxes())) {
        let at = geometry.betting_spot(&Wager::on(box_no, Hand::A));
        let corner = |part: u8| {
            let turn = std::f32::consts::TAU * f32::from(part) / f32::from(AROUND);
            offset(at, turn, 0.0, BOX_RADIUS)
        };
        marks.push((Spot::Bet(box_no), (0..AROUND).map(corner).collect()));
    }
    let line = geometry.insurance_line();
    let ends = line.iter().step_by(2).copied();
    let shifted = |by: f32| ends.clone().map(move |at| Point { x: at.x, y: at.y + by });
    marks.push((Spot::Insurance, shifted(-INSURANCE).chain(shifted(INSURANCE).rev()).collect()));
    marks
}

/// A part of the felt in a picture of this size. One that reaches beyond the picture ends at its edge; one that is outside
/// altogether is none.
pub fn seen(
    spot: Spot,
    corners: &[Point],
    (width, height): (usize, usize),
    project: impl Fn(Point) -> Option<[f32; 2]>,
) -> Option<Area> {
    let points = corners.iter().map(|corner| project(*corner)).collect::<Option<Vec<_>>>()?;
    let within = |along: f32, most: usize| along.clamp(0.0, most as f32 - 1.0).round() as u16;
    let points = points.into_iter().map(|[x, y]| table::config::Point { x: within(x, width), y: within(y, height) });
    Some(Area { spot, polygon: Polygon::new(points.collect()).ok()? })
}

/// From beyond a box's first card to beyond its bet.
fn of_box(geometry: &Geometry, box_no: BoxNo) -> [Point; 4] {
    let card = geometry.card_pose(Place::Box(box_no, Hand::A), 1, Turn::Upright, 1);
    let bet = geometry.betting_spot(&Wager::on(box_no, Hand::A));
    let long = (bet.x - card.at.x).hypot(bet.y - card.at.y);
    let corner = |right, up| offset(card.at, card.turn, right, up);
    [
        corner(-HALF_BOX, BEYOND),
        corner(HALF_BOX, BEYOND),
        corner(HALF_BOX, -long - BEYOND),
        corner(-HALF_BOX, -long - BEYOND),
    ]
}

/// Around the dealer's cards.
fn dealers(geometry: &Geometry) -> [Point; 4] {
    let lie = (1..=DEALERS_CARDS).map(|position| geometry.card_pose(Place::Dealer, position, Turn::Upright, 1).at);
    let lie: Vec<Point> = lie.collect();
    let least = |of: fn(&Point) -> f32| lie.iter().map(of).fold(f32::INFINITY, f32::min) - BEYOND;
    let most = |of: fn(&Point) -> f32| lie.iter().map(of).fold(f32::NEG_INFINITY, f32::max) + BEYOND;
    let (left, right, top, bottom) = (least(|at| at.x), most(|at| at.x), least(|at| at.y), most(|at| at.y));
    [(left, top), (right, top), (right, bottom), (left, bottom)].map(|(x, y)| Point { x, y })
}

fn footprint(of: Footprint) -> [Point; 4] {
    let Pose { at, turn, .. } = of.pose;
    let (right, up) = (of.width / 2.0, of.depth / 2.0);
    [(-right, up), (right, up), (right, -up), (-right, -up)].map(|(right, up)| offset(at, turn, right, up))
}
