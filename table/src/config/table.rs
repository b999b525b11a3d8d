//! Reading one table of a site file.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use super::address::Transport;
use super::area::{Area, Point, Polygon, Spot};
use super::lens::Lens;
use super::schema::{AREA, CAMERA, CHIPS, GAMES, LENS, LIMITS, SHOE};
use super::section::{Key, Section, Value};
use super::{Camera, Chips, Currency, Dialect, Shoe, SitePath, TableConfig};
use crate::ident::{Ident, Word};
use crate::place::BoxNo;
use crate::round::{Game, Limit};
use crate::wager::{SideBet, WagerKind};

/// The boxes of a layout that does not say.
const USUAL_BOXES: u8 = 7;
/// The most decks that go into a shoe or shuffling machine.
const MOST_DECKS: i64 = 12;
/// The most pixels of a picture's side.
const MOST_PIXELS: i64 = 16_384;

/// What the tables of a floor share, and must not share.
#[derive(Default)]
pub(super) struct Floor {
    /// The currency of tables that name none.
    currency: Option<Currency>,
    ids: BTreeSet<Ident>,
    /// Who listens to each port.
    ports: BTreeMap<String, String>,
    /// The table being read, if it has a name.
    reading: Option<Ident>,
}

impl Floor {
    pub(super) fn of(currency: Option<Currency>) -> Self {
        Self { currency, ..Self::default() }
    }

    /// Notes that a device of the table being read listens to a port.
    fn listen(&mut self, at: Value<'_>, device: &Ident, transport: &Transport) {
        let Some(port) = transport.port() else { return };
        let listener = match &self.reading {
            Some(table) => format!("`{device}` of table `{table}`"),
            None => format!("`{device}`"),
        };
        match self.ports.entry(port) {
            Entry::Occupied(other) => at.fault(format_args!("{} listens to this port already", other.get())),
            Entry::Vacant(port) => {
                port.insert(listener);
            }
        }
    }
}

/// Reads a table.
pub(super) fn read(section: &Section<'_>, floor: &mut Floor) -> Option<TableConfig> {
    let id = section.required("id").and_then(|value| {
        let id = value.parse::<Ident>(Ident::EXPECTED)?;
        only_once(&mut floor.ids, value, &id, "table");
        Some(id)
    });
    floor.reading = id.clone();
    let name = section.required("game").and_then(|value| value.name::<Ident>("game", GAMES));
    let options = options(section);
    let house = section.optional("house").and_then(|value| value.address(str::parse::<SitePath>));
    let most_boxes = i64::from(BoxNo::MOST);
    let boxes = section.optional("boxes").and_then(|value| value.number(1..=most_boxes)).unwrap_or(USUAL_BOXES);
    let decks = section.optional("decks").and_then(|value| value.number(1..=MOST_DECKS));
    let shuffler = section.optional("shuffler").and_then(|value| value.parse(Ident::EXPECTED));
    let currency = match (section.optional("currency"), floor.currency) {
        (Some(value), _) => value.parse(Currency::EXPECTED),
        (None, Some(currency)) => Some(currency),
        (None, None) => section.required("currency").and(None),
    };
    let side_bets = side_bets(section);
    let limits = limits(section, &side_bets);
    let cameras = cameras(section, boxes);
    let shoe = section.optional("shoe").and_then(|value| shoe(&value.section(&SHOE)?, floor));
    let chips = section.optional("chips").and_then(|value| chips(&value.section(&CHIPS)?, floor));
    let game = Game { name: name?, options };
    let currency = currency?;
    Some(TableConfig {
        id: id?,
        game,
        house,
        boxes,
        decks,
        shuffler,
        currency,
        limits,
        side_bets,
        cameras,
        shoe,
        chips,
    })
}

/// Notes a fault if this name was used before for the same kind of thing.
fn only_once<T: Ord + Clone + std::fmt::Display>(seen: &mut BTreeSet<T>, at: Value<'_>, name: &T, kind: &str) {
    if !seen.insert(name.clone()) {
        at.fault(format_args!("there is already a {kind} `{name}`"));
    }
}

fn options(section: &Section<'_>) -> BTreeMap<Ident, Word> {
    let entries = section.optional("options").map(|value| value.entries("[table.options]")).unwrap_or_default();
    let read = |(key, value): (Key<'_>, Value<'_>)| {
        let (key, word) = (key.parse(Ident::EXPECTED), value.word(Word::EXPECTED));
        Some((key?, word?))
    };
    entries.into_iter().filter_map(read).collect()
}

fn side_bets(section: &Section<'_>) -> Vec<SideBet> {
    let names: Vec<_> = SideBet::ALL.iter().map(|bet| bet.name()).collect();
    let list = section.optional("side_bets").and_then(|value| value.list("a list of side bets"));
    let mut seen = BTreeSet::new();
    let read = |value: Value<'_>| {
        let bet: SideBet = value.name("side bet", &names)?;
        only_once(&mut seen, value, &bet, "side bet");
        Some(bet)
    };
    list.unwrap_or_default().into_iter().filter_map(read).collect()
}

fn limits(section: &Section<'_>, side_bets: &[SideBet]) -> Vec<Limit> {
    let mut seen = BTreeSet::new();
    section.sections("limits", &LIMITS).iter().filter_map(|section| limit(section, side_bets, &mut seen)).collect()
}

fn limit(section: &Section<'_>, side_bets: &[SideBet], seen: &mut BTreeSet<WagerKind>) -> Option<Limit> {
    let kinds = ["main", "split", "double", "insurance", "ante"];
    let names: Vec<_> = kinds.into_iter().chain(SideBet::ALL.iter().map(|bet| bet.name())).collect();
    let on_value = section.required("on");
    let on = on_value.and_then(|value| value.name::<WagerKind>("wager", &names));
    if let (Some(value), Some(on)) = (on_value, on) {
        if !seen.insert(on) {
            value.fault(format_args!("there are already limits on `{on}`"));
        }
        if matches!(on, WagerKind::Side(bet) if !side_bets.contains(&bet)) {
            value.fault(format_args!("limits on `{on}`, which is not among the table's `side_bets`"));
        }
    }
    let min = section.required("min").and_then(Value::money);
    let max_value = section.required("max");
    let max = max_value.and_then(Value::money);
    let step_value = section.optional("step");
    let step = step_value.and_then(Value::money);
    let (min, max, at) = (min?, max?, max_value?);
    if max.minor() == 0 {
        at.fault("`max` is zero: no wager could be made");
    } else if min > max {
        at.fault(format_args!("`max` = {max} is below `min` = {min}"));
    } else if let (Some(at), Some(step)) = (step_value, step) {
        if step.minor() == 0 {
            at.fault("`step` is zero: leave it out if any amount may be staked");
        } else if max.minor() / step.minor() * step.minor() < min.minor().max(1) {
            at.fault(format_args!("no multiple of `step` = {step} lies between `min` = {min} and `max` = {max}"));
        }
    }
    Some(Limit { on: on?, min, max, step })
}

fn cameras(section: &Section<'_>, boxes: u8) -> Vec<Camera> {
    let mut seen = BTreeSet::new();
    section.sections("camera", &CAMERA).iter().filter_map(|section| camera(section, boxes, &mut seen)).collect()
}

fn camera(section: &Section<'_>, boxes: u8, seen: &mut BTreeSet<Ident>) -> Option<Camera> {
    let name = section.required("name").and_then(|value| {
        let name = value.parse::<Ident>(Ident::EXPECTED)?;
        only_once(seen, value, &name, "camera");
        Some(name)
    });
    let source = section.required("url").and_then(|value| value.address(str::parse));
    let side = |key| section.optional(key).and_then(|value| value.number(1..=MOST_PIXELS));
    let size = match (section.optional("width"), section.optional("height")) {
        (None, None) => None,
        (Some(_), Some(_)) => side("width").zip(side("height")),
        (Some(_), None) => section.required("height").and(None),
        (None, Some(_)) => section.required("width").and(None),
    };
    let lens = section.optional("lens").and_then(|value| lens(value, size));
    let mut spots = BTreeSet::new();
    let areas = section.sections("area", &AREA);
    let areas = areas.iter().filter_map(|section| area(section, boxes, size, &mut spots)).collect();
    Some(Camera { name: name?, source: source?, size, lens, areas })
}

/// The lens of a camera whose pictures have this size: without it nobody knows where their middle is.
fn lens(value: Value<'_>, size: Option<(u16, u16)>) -> Option<Lens> {
    let section = value.section(&LENS)?;
    let bend = |value: Value<'_>| value.millionths(Lens::BENDS);
    let k1 = section.required("k1").and_then(bend);
    let k2 = section.optional("k2").map_or(Some(0), bend);
    let focal = section.required("focal").and_then(|value| value.millionths(Lens::FOCALS));
    let Some(size) = size else {
        value.fault("a lens needs `width` and `height` of its camera");
        return None;
    };
    Lens::from_millionths(k1?, k2?, focal?, size).map_err(|wrong| value.fault(wrong)).ok()
}

fn area(section: &Section<'_>, boxes: u8, size: Option<(u16, u16)>, seen: &mut BTreeSet<Spot>) -> Option<Area> {
    let spot = section.required("place").and_then(|value| {
        let spot = value.parse::<Spot>(Spot::EXPECTED)?;
        if let Some(box_no) = spot.box_no().filter(|box_no| box_no.number() > boxes) {
            value.fault(format_args!("box {box_no} is not on this table, which has {boxes} boxes"));
        }
        only_once(seen, value, &spot, "polygon of");
        Some(spot)
    });
    let polygon = section.required("polygon").and_then(|value| {
        let list = value.list("a list of points such as [[0, 0], [40, 0], [40, 30]]")?;
        let points: Option<Vec<_>> = list.into_iter().map(|value| point(value, size)).collect();
        Polygon::new(points?).map_err(|wrong| value.fault(wrong)).ok()
    });
    Some(Area { spot: spot?, polygon: polygon? })
}

fn point(value: Value<'_>, size: Option<(u16, u16)>) -> Option<Point> {
    const WHAT: &str = "points such as [40, 30]";
    let [x, y] = value.list(WHAT)?[..] else {
        value.fault("a point is two whole numbers such as [40, 30]");
        return None;
    };
    let point = Point { x: x.number(0..=MOST_PIXELS)?, y: y.number(0..=MOST_PIXELS)? };
    match size {
        Some((width, height)) if point.x > width || point.y > height => {
            value.fault(format_args!("[{}, {}] lies outside the picture of {width} x {height}", point.x, point.y));
            None
        }
        _ => Some(point),
    }
}

fn shoe(section: &Section<'_>, floor: &mut Floor) -> Option<Shoe> {
    let name = section.required("name").and_then(|value| value.parse::<Ident>(Ident::EXPECTED));
    let names: Vec<_> = Dialect::ALL.iter().map(|dialect| dialect.name()).collect();
    let dialect_value = section.required("dialect");
    let dialect = dialect_value.and_then(|value| value.name::<Dialect>("dialect", &names));
    // A misspelt dialect must not be reported a second time as a missing speed.
    let usual = dialect.unwrap_or(Dialect::AngelEye).usual_baud();
    let url = section.required("url");
    let transport = url.and_then(|value| value.address(|text| Transport::read(text, Some(usual))));
    let read_only = section.optional("read_only").and_then(Value::yes_or_no).unwrap_or(true);
    let (name, transport) = (name?, transport?);
    floor.listen(url?, &name, &transport);
    Some(Shoe { name, transport, dialect: dialect?, read_only })
}

fn chips(section: &Section<'_>, floor: &mut Floor) -> Option<Chips> {
    let name = section.required("name").and_then(|value| value.parse::<Ident>(Ident::EXPECTED));
    let url = section.required("url");
    let transport = url.and_then(|value| value.address(|text| Transport::read(text, None)));
    let (name, transport) = (name?, transport?);
    floor.listen(url?, &name, &transport);
    Some(Chips { name, transport })
}
