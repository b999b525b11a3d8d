//! `fairdeal calibrate`: what a camera sees where, proposed from a picture of the table.

mod fit;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use ingest::camera::Image;
use opencv::core::{Mat, MatTraitConst};
use recognizer::track::Plane;
use recognizer::vision::{self, Ink, VisionError};
use serde::Serialize;
use simulator::config::{grounds, markings, seen};
use simulator::video::geometry::Geometry;
use simulator::video::scene::Point;
use table::config::{Area, TableConfig};
use table::{BoxNo, Hand, Ident, Wager};

use crate::footage::Footage;
use crate::recognize::stills::save;
use crate::{Outcome, config};

/// Propose what a camera sees where, for the site's configuration
///
/// Takes a picture of the table, lays the layout of a blackjack table over it so
/// that the lines of both meet, and prints the areas of boxes, dealer, shoe,
/// rack, tray, insurance line and betting spots as they go into site.toml. Look
/// at the drawing before you believe them. If the lines do not meet, name four
/// points yourself: both ends of the dealer's edge, left first as the players
/// see it, then the middle of the last box's betting spot and that of box 1.
///
/// Examples: fairdeal calibrate --config site.toml --table BJ-04 --draw seen.jpg
///           fairdeal calibrate --config site.toml --table BJ-04 --frame empty.jpg
///           fairdeal calibrate --config site.toml --table BJ-04 --frame t.jpg \
///                --points 210,80,1710,80,310,560,1610,560
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The site's configuration
    #[arg(long, value_name = "FILE")]
    config: PathBuf,
    /// Which of its tables
    #[arg(long, value_name = "ID")]
    table: Ident,
    /// Which of the table's cameras, if not the first
    #[arg(long, value_name = "NAME")]
    camera: Option<Ident>,
    /// A picture of the table, best an empty one, or a film or tape whose first picture is taken; otherwise the camera's own
    #[arg(long, value_name = "FILE")]
    frame: Option<PathBuf>,
    /// Draw the areas over the picture
    #[arg(long, value_name = "OUT")]
    draw: Option<PathBuf>,
    /// Four points in pixels instead of a search: X,Y,X,Y,X,Y,X,Y
    #[arg(long, value_delimiter = ',', num_args = 8, value_name = "PIXELS")]
    points: Option<Vec<f32>>,
    /// One JSON object an area
    #[arg(long)]
    json: bool,
}

/// An area as scripts read it.
#[derive(Serialize)]
struct Line {
    place: String,
    polygon: Vec<[u16; 2]>,
}

/// Lines of the layout that lie further than this from lines of the picture, on average and in pixels, do not meet them.
const MEETS: f32 = 3.5;

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let site = config::load(&args.config)?;
    let table = site.tables.iter().find(|table| table.id == args.table);
    let table = table.with_context(|| format!("{} has no table {}", args.config.display(), args.table))?;
    let picture = picture(args, table)?;
    let geometry = Geometry::new(table.boxes).offering(&table.side_bets);
    let size = (picture.cols() as usize, picture.rows() as usize);
    let (areas, apart) = match &args.points {
        Some(points) => (by_points(&geometry, size, points)?, None),
        None => {
            let fit = fit::search(&picture, &geometry)?;
            let areas = areas(&geometry, size, |at| fit.camera.project([at.x, at.y, 0.0]));
            (areas, Some(fit.apart))
        }
    };
    if let Some(to) = &args.draw {
        save(&drawn(&picture, &areas)?, to)?;
    }
    if let Some(apart) = apart.filter(|apart| *apart > MEETS) {
        bail!(
            "the layout could not be laid over the picture: its lines are {apart:.1} pixels apart on average. \
             See whether the configuration's `boxes` are as many as on the felt, take a picture of the empty table, \
             or name four points with --points"
        );
    }
    print(args, &areas, apart)?;
    Ok(Outcome::Clean)
}

fn print(args: &Args, areas: &[Area], apart: Option<f32>) -> anyhow::Result<()> {
    let mut out = anstream::stdout().lock();
    let line = |area: &Area| Line {
        place: area.spot.to_string(),
        polygon: area.polygon.points().iter().map(|point| [point.x, point.y]).collect(),
    };
    if args.json {
        return crate::json::lines(&mut out, areas.iter().map(line));
    }
    match apart {
        Some(apart) => writeln!(out, "# The layout's lines lie {apart:.1} pixels from the picture's on average.")?,
        None => writeln!(out, "# By four points.")?,
    }
    for line in areas.iter().map(line) {
        let points: Vec<String> = line.polygon.iter().map(|[x, y]| format!("[{x}, {y}]")).collect();
        writeln!(out, "\n[[table.camera.area]]\nplace = \"{}\"\npolygon = [{}]", line.place, points.join(", "))?;
    }
    Ok(())
}

/// The picture to go by: the one named, or the camera's first.
fn picture(args: &Args, table: &TableConfig) -> anyhow::Result<Mat> {
    let named = |path: &Path| -> anyhow::Result<Mat> {
        let is_film =
            path.extension().is_some_and(|ending| ["mcap", "mp4", "mkv", "avi", "mov"].iter().any(|of| ending == *of));
        if !is_film {
            return Ok(vision::open(path)?);
        }
        let frame = Footage::open(path, args.camera.as_ref())?.next()?;
        bgr(&frame.with_context(|| format!("{} shows nothing", path.display()))?.image)
    };
    if let Some(path) = &args.frame {
        return named(path);
    }
    let camera = table.cameras.iter().find(|camera| args.camera.as_ref().is_none_or(|name| camera.name == *name));
    let camera = camera.context("the table has no such camera in the configuration; give a picture with --frame")?;
    let folder = args.config.parent().unwrap_or(Path::new(""));
    let frame = Footage::live(&camera.source, folder).next()?;
    bgr(&frame.with_context(|| format!("camera {} shows nothing", camera.name))?.image)
}

fn bgr(image: &Image) -> anyhow::Result<Mat> {
    Ok(image.with_bgr(|bgr| Ok::<_, VisionError>(bgr.try_clone()?))?)
}

/// Every area that can be seen.
fn areas(geometry: &Geometry, size: (usize, usize), project: impl Fn(Point) -> Option<[f32; 2]> + Copy) -> Vec<Area> {
    let grounds = grounds(geometry).into_iter().filter_map(|(spot, corners)| seen(spot, &corners, size, project));
    let markings = markings(geometry).into_iter().filter_map(|(spot, corners)| seen(spot, &corners, size, project));
    grounds.chain(markings).collect()
}

/// The areas by the places of four points that any layout has.
fn by_points(geometry: &Geometry, size: (usize, usize), points: &[f32]) -> anyhow::Result<Vec<Area>> {
    let pixels: Vec<[f32; 2]> = points.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
    let pixels: [[f32; 2]; 4] = pixels.try_into().ok().context("--points takes four points: eight numbers")?;
    let edge = geometry.edge();
    let spot = |number: u8| BoxNo::new(number).map(|box_no| geometry.betting_spot(&Wager::on(box_no, Hand::A)));
    let (Some(left), Some(right), Some(last), Some(first)) =
        (edge.first().copied(), edge.get(1).copied(), spot(geometry.boxes()), spot(1))
    else {
        bail!("this layout has no boxes");
    };
    if geometry.boxes() < 2 {
        bail!("four points need a layout of at least two boxes");
    }
    let plane = Plane::through(pixels, [left, right, last, first].map(|at| [at.x, at.y]));
    let plane = plane.context("three of the four points lie on one line")?;
    Ok(areas(geometry, size, |at| Some(plane.in_picture([at.x, at.y])).filter(|at| at.iter().all(|n| n.is_finite()))))
}

fn drawn(picture: &Mat, areas: &[Area]) -> anyhow::Result<Mat> {
    let mut drawn = picture.try_clone()?;
    for area in areas {
        let points: Vec<[f32; 2]> =
            area.polygon.points().iter().map(|point| [f32::from(point.x), f32::from(point.y)]).collect();
        vision::outline(&mut drawn, &points, Ink::Layout)?;
        let count = points.len().max(1) as f32;
        let sum = points.iter().fold([0.0, 0.0], |sum, at| [sum[0] + at[0], sum[1] + at[1]]);
        vision::label(&mut drawn, &area.spot.to_string(), [sum[0] / count - 8.0, sum[1] / count], Ink::Layout)?;
    }
    Ok(drawn)
}
