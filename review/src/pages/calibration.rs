//! Calibration: where the boxes lie in a camera's picture, dragged by hand or typed.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use askama::Template;
use axum::Form;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Redirect, Response};
use serde::{Deserialize, Serialize};
use table::config::{Camera, Polygon, Spot};
use table::{BoxNo, Ident};
use utoipa::ToSchema;

use super::footage;
use super::frame::{Frame, page};
use crate::accounts::Officer;
use crate::server::{Failure, Site};
use crate::store::ingest::round_name;

/// The outlines of a camera's picture as they are stored.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Outlines {
    /// The picture's width in pixels
    width: u16,
    /// Its height
    height: u16,
    /// Corners `[x, y]` by spot (a box's number, dealer, shoe, rack or tray), each in the order in which the outline runs
    #[schema(value_type = BTreeMap<String, Vec<Vec<u16>>>)]
    areas: BTreeMap<String, Vec<(u16, u16)>>,
}

impl Outlines {
    /// As they are typed: a spot to a line, then its corners.
    fn typed(&self) -> String {
        let mut text = String::new();
        for (spot, corners) in &self.areas {
            let corners: Vec<_> = corners.iter().map(|(x, y)| format!("{x},{y}")).collect();
            let _ = writeln!(text, "{spot} {}", corners.join(" "));
        }
        text
    }

    /// Reads what was typed; says what is wrong with which line.
    fn read(text: &str, width: u16, height: u16) -> Result<Self, String> {
        let mut outlines = Self { width, height, areas: BTreeMap::new() };
        for (number, line) in (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty()) {
            let wrong = |why: &dyn std::fmt::Display| format!("Line {number}: {why}");
            let mut words = line.split_whitespace();
            let spot = words.next().unwrap_or_default();
            let corners: Vec<(u16, u16)> = words
                .map(|word| {
                    let (x, y) = word.split_once(',')?;
                    Some((x.parse().ok()?, y.parse().ok()?))
                })
                .collect::<Option<_>>()
                .ok_or_else(|| wrong(&"expected corners such as 120,340"))?;
            outlines.add(spot, corners).map_err(|why| wrong(&why))?;
        }
        Ok(outlines)
    }

    /// Adds the outline of a spot, unless something is wrong with it.
    fn add(&mut self, spot: &str, corners: Vec<(u16, u16)>) -> Result<(), String> {
        let Self { width, height, areas } = self;
        let spot: Spot = spot.parse().map_err(|error| format!("{error}"))?;
        if corners.iter().any(|(x, y)| x >= width || y >= height) {
            return Err(format!("a corner lies outside the picture of {width} × {height}"));
        }
        let points = corners.iter().map(|(x, y)| table::config::Point { x: *x, y: *y }).collect();
        Polygon::new(points).map_err(|error| error.to_string())?;
        match areas.insert(spot.to_string(), corners) {
            Some(_) => Err(format!("{spot} is there already")),
            None => Ok(()),
        }
    }

    /// As a camera was set up; `None` if nobody said what it sees, or how large its picture is.
    fn of(camera: &Camera) -> Option<Self> {
        let (width, height) = camera.size?;
        let mut outlines = Self { width, height, areas: BTreeMap::new() };
        for area in &camera.areas {
            let corners = area.polygon.points().iter().map(|point| (point.x, point.y)).collect();
            outlines.add(&area.spot.to_string(), corners).ok()?;
        }
        (!outlines.areas.is_empty()).then_some(outlines)
    }

    /// The same if all of it makes sense, with every spot by the name we know it by.
    pub(crate) fn checked(self) -> Result<Self, String> {
        let mut checked = Self { areas: BTreeMap::new(), ..self };
        for (spot, corners) in self.areas {
            checked.add(&spot, corners).map_err(|why| format!("{spot}: {why}"))?;
        }
        Ok(checked)
    }
}

/// The outlines of boxes and dealer over a picture of a table, the boxes that flags are about standing out; nothing if none
/// were drawn.
pub(crate) async fn overlay(site: &Site, table: &Ident, hot: &[BoxNo]) -> Result<String, Failure> {
    let Some(camera) = footage::cameras(site, table).await?.into_iter().next() else { return Ok(String::new()) };
    let Some((outlines, _)) = known(site, table, &camera).await? else { return Ok(String::new()) };
    let mut svg =
        format!("<svg class=\"overlay\" viewBox=\"0 0 {} {}\" aria-hidden=\"true\">", outlines.width, outlines.height);
    // Where no cards are dealt to, lines would only hide the picture.
    let dealt = |spot: &str| matches!(spot.parse(), Ok(Spot::Box(_) | Spot::Dealer));
    for (spot, corners) in outlines.areas.iter().filter(|(spot, _)| dealt(spot)) {
        let is_hot = hot.iter().any(|box_no| box_no.to_string() == *spot);
        let points: Vec<_> = corners.iter().map(|(x, y)| format!("{x},{y}")).collect();
        let class = if is_hot { " class=\"hot\"" } else { "" };
        let _ = write!(svg, "<polygon{class} points=\"{}\"/>", points.join(" "));
        if let Some((x, y)) = corners.first() {
            // A spot's name is a digit or a word of ours.
            let size = outlines.height / 28;
            let _ = write!(svg, "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\">{}</text>", crate::draw::Esc(spot));
        }
    }
    svg.push_str("</svg>");
    Ok(svg)
}

/// The outlines of a camera and whether somebody drew them here; else they are those it was recorded with.
async fn known(site: &Site, table: &Ident, camera: &str) -> Result<Option<(Outlines, bool)>, Failure> {
    let kept = site.store.calibration(table.as_str(), camera).await?;
    if let Some(outlines) = kept.and_then(|kept| serde_json::from_str(&kept.document).ok()) {
        return Ok(Some((outlines, true)));
    }
    let recorded = footage::set_up(site, table, camera).await?;
    Ok(recorded.as_ref().and_then(Outlines::of).map(|outlines| (outlines, false)))
}

/// A table's cameras, which of them is meant, and its outlines: as drawn, or to begin with.
pub(crate) struct Drawn {
    pub(crate) cameras: Vec<String>,
    pub(crate) camera: String,
    pub(crate) outlines: Outlines,
    /// Whether somebody drew them.
    pub(crate) by_hand: bool,
}

/// The outlines of a camera, or of the table's first if there is none of that name.
pub(crate) async fn drawn(site: &Site, officer: &Officer, table: &Ident, camera: &str) -> Result<Drawn, Failure> {
    may_see(officer, table)?;
    let cameras = footage::cameras(site, table).await?;
    let camera = cameras.iter().find(|name| *name == camera).or(cameras.first()).cloned().unwrap_or_default();
    let known = known(site, table, &camera).await?;
    let (outlines, by_hand) = known.unwrap_or_else(|| (usual(1280, 720), false));
    Ok(Drawn { cameras, camera, outlines, by_hand })
}

/// Keeps outlines of a camera, from wherever they come.
pub(crate) async fn keep(
    site: &Site,
    officer: &Officer,
    table: &Ident,
    camera: &str,
    outlines: &Outlines,
) -> Result<(), Failure> {
    let there = drawn(site, officer, table, camera).await?;
    if there.camera != camera {
        return Err(Failure::Missing(format!("camera {camera} at {table}")));
    }
    let document = serde_json::to_string(outlines).map_err(Failure::broken)?;
    Ok(site.store.calibrate(officer, table.as_str(), camera, &document, site.now()).await?)
}

#[derive(Template)]
#[template(path = "calibration.html")]
struct Calibration {
    frame: Frame,
    table: String,
    cameras: Vec<String>,
    camera: String,
    still: Option<String>,
    width: u16,
    height: u16,
    areas: String,
    error: Option<String>,
}

/// Which camera.
#[derive(Deserialize)]
pub(crate) struct Which {
    #[serde(default)]
    camera: String,
}

pub(crate) async fn show(
    State(site): State<Site>,
    officer: Officer,
    Path(table): Path<Ident>,
    Query(Which { camera }): Query<Which>,
) -> Result<Response, Failure> {
    let there = drawn(&site, &officer, &table, &camera).await?;
    let areas = there.outlines.typed();
    render(&site, &officer, table.as_str(), there, areas, None).await
}

fn may_see(officer: &Officer, table: &Ident) -> Result<(), Failure> {
    let seen = officer.tables.include(table.as_str());
    if seen { Ok(()) } else { Err(Failure::Missing(format!("table {table}"))) }
}

/// Outlines to begin with: seven boxes in their arc and the dealer.
fn usual(width: u16, height: u16) -> Outlines {
    let at = |share: f64, whole: u16| (share.clamp(0.0, 0.99) * f64::from(whole)) as u16;
    let square = |x: f64, y: f64| {
        let corner = |dx: f64, dy: f64| (at(x + dx, width), at(y + dy, height));
        vec![corner(-0.05, -0.1), corner(0.05, -0.1), corner(0.05, 0.1), corner(-0.05, 0.1)]
    };
    let angle = |number: u32| 0.4 + (std::f64::consts::PI - 0.8) * f64::from(number) / 6.0;
    let boxes = (0..7).map(|n| ((n + 1).to_string(), square(0.5 + 0.42 * angle(n).cos(), 0.2 + 0.6 * angle(n).sin())));
    Outlines { width, height, areas: boxes.chain([("dealer".to_owned(), square(0.5, 0.15))]).collect() }
}

async fn render(
    site: &Site,
    officer: &Officer,
    table: &str,
    Drawn { cameras, camera, outlines: Outlines { width, height, .. }, .. }: Drawn,
    areas: String,
    error: Option<String>,
) -> Result<Response, Failure> {
    let frame = Frame::new(site, officer, "/health", format!("Calibration {table}"));
    let still = match (site.store.last_round(table).await?, camera.is_empty()) {
        (Some((shoe, round, at)), false) => {
            Some(format!("/rounds/{}/still?at={at}&camera={camera}", round_name(table, shoe, round)))
        }
        _ => None,
    };
    page(&Calibration { frame, table: table.to_owned(), cameras, camera, still, width, height, areas, error })
}

/// Outlines as the form sends them.
#[derive(Deserialize)]
pub(crate) struct Sent {
    #[serde(default)]
    camera: String,
    width: u16,
    height: u16,
    areas: String,
}

pub(crate) async fn save(
    State(site): State<Site>,
    officer: Officer,
    Path(table): Path<Ident>,
    Form(Sent { camera, width, height, areas }): Form<Sent>,
) -> Result<Response, Failure> {
    match Outlines::read(&areas, width, height) {
        Err(error) => {
            let there = drawn(&site, &officer, &table, &camera).await?;
            render(&site, &officer, table.as_str(), there, areas, Some(error)).await
        }
        Ok(outlines) => {
            keep(&site, &officer, &table, &camera, &outlines).await?;
            let query = url::form_urlencoded::Serializer::new(String::new()).append_pair("camera", &camera).finish();
            Ok(Redirect::to(&format!("/calibration/{table}?{query}")).into_response())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn outlines_are_typed_and_read_back() {
        let outlines = usual(1280, 720);
        assert_eq!(outlines.areas.len(), 8);
        assert_eq!(Outlines::read(&outlines.typed(), 1280, 720), Ok(outlines));
    }

    #[test]
    fn a_camera_that_was_set_up_brings_its_outlines() {
        let text = "id = \"BJ-04\"\ngame = \"nz-base\"\ncurrency = \"NZD\"\n[[camera]]\nname = \"east\"\nurl = \"file:east.mp4\"\n\
                    width = 1920\nheight = 1080\n[[camera.area]]\nplace = \"5\"\n\
                    polygon = [[463, 347], [540, 473], [268, 643]]\n";
        let camera = table::config::TableConfig::parse(text).unwrap().cameras.remove(0);
        let outlines = Outlines::of(&camera).unwrap();
        assert_eq!((outlines.width, outlines.height), (1920, 1080));
        assert_eq!(outlines.typed(), "5 463,347 540,473 268,643\n");
        assert_eq!(Outlines::of(&Camera { size: None, ..camera.clone() }), None, "corners in pixels of what?");
        assert_eq!(Outlines::of(&Camera { areas: Vec::new(), ..camera }), None);
    }

    #[test]
    fn what_is_no_outline_is_told_with_its_line() {
        let told = |text| Outlines::read(text, 100, 100).unwrap_err();
        assert!(told("1 1,1 9,9\n").starts_with("Line 1: a polygon has at least 3 points"));
        assert!(told("\nbox 1,1 9,9 1,9").starts_with("Line 2: expected"));
        assert!(told("1 1,1 9,9 1,200").contains("outside the picture"));
        assert!(told("1 1,1 9,9 x").contains("corners such as"));
        assert!(told("1 1,1 9,9 1,9\n1 1,1 9,9 1,9").contains("already"));
    }
}
