//! `fairdeal calibrate`: what a camera sees where, proposed from a picture of the table.

mod fit;

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use ingest::camera::Image;
use opencv::core::{Mat, MatTraitConst};
use recognizer::track::{Glass, Plane};
use recognizer::vision::{self, Ink, VisionError};
use serde::Serialize;
use simulator::config::{grounds, markings, seen};
use simulator::video::geometry::Geometry;
use simulator::video::scene::Point;
use table::config::{Area, Camera, Lens, TableConfig};
use table::{BoxNo, Hand, Ident, Wager};

use crate::footage::Footage;
use crate::recognize::stills::save;
use crate::{Outcome, config};

/// Propose what a camera sees where, for the site's configuration
///
/// Takes a picture of the table, lays the layout of a blackjack table over it so
/// that the lines of both meet, and prints the lens and the areas of boxes,
/// dealer, shoe, rack, tray, insurance line and betting spots as they go into
/// site.toml. Look at the drawing before you believe them. If the lines do not
/// meet, name four points yourself: both ends of the dealer's edge, left first
/// as the players see it, then the middle of the last box's betting spot and
/// that of box 1; the lens is then the one that site.toml has for the camera.
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
    /// One JSON object an area, and before them one for the lens if there is any
    #[arg(long)]
    json: bool,
}

/// An area or the lens as scripts read it.
#[derive(Serialize)]
#[serde(untagged)]
enum Line {
    Area { place: String, polygon: Vec<[u16; 2]> },
    Lens { k1: f64, k2: f64, focal: f64 },
}

/// What was found out about a camera.
struct Found {
    areas: Vec<Area>,
    /// The outlines of the areas as the lens bends them.
    outlines: Vec<(String, Vec<[f32; 2]>)>,
    lens: Option<Lens>,
    /// How far the layout's lines are from the picture's, if they were compared.
    apart: Option<f32>,
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
    let found = match &args.points {
        Some(points) => by_points(&geometry, size, points, of_table(args, table))?,
        None => {
            let fit = fit::search(&picture, &geometry)?;
            let project = |at: Point| fit.camera.project([at.x, at.y, 0.0]);
            Found { apart: Some(fit.apart), ..found(&geometry, size, fit.lens, project) }
        }
    };
    if let Some(to) = &args.draw {
        save(&drawn(&picture, &found.outlines)?, to)?;
    }
    if let Some(apart) = found.apart.filter(|apart| *apart > MEETS) {
        bail!(
            "the layout could not be laid over the picture: its lines are {apart:.1} pixels apart on average. \
             See whether the configuration's `boxes` are as many as on the felt, take a picture of the empty table, \
             or name four points with --points"
        );
    }
    print(args, &found)?;
    Ok(Outcome::Clean)
}

fn print(args: &Args, found: &Found) -> anyhow::Result<()> {
    let mut out = anstream::stdout().lock();
    let area = |area: &Area| Line::Area {
        place: area.spot.to_string(),
        polygon: area.polygon.points().iter().map(|point| [point.x, point.y]).collect(),
    };
    let lens = found.lens.map(|lens| Line::Lens { k1: lens.k1(), k2: lens.k2(), focal: lens.focal() });
    let lines = lens.into_iter().chain(found.areas.iter().map(area));
    if args.json {
        return crate::json::lines(&mut out, lines);
    }
    match found.apart {
        Some(apart) => writeln!(out, "# The layout's lines lie {apart:.1} pixels from the picture's on average.")?,
        None => writeln!(out, "# By four points.")?,
    }
    for line in lines {
        match line {
            Line::Lens { k1, k2, focal } => {
                writeln!(out, "\n[table.camera.lens]\nk1 = {k1:?}\nk2 = {k2:?}\nfocal = {focal:?}")?;
            }
            Line::Area { place, polygon } => {
                let points: Vec<String> = polygon.iter().map(|[x, y]| format!("[{x}, {y}]")).collect();
                writeln!(out, "\n[[table.camera.area]]\nplace = \"{place}\"\npolygon = [{}]", points.join(", "))?;
            }
        }
    }
    Ok(())
}

/// The camera as the configuration has it so far.
fn of_table<'a>(args: &Args, table: &'a TableConfig) -> Option<&'a Camera> {
    table.cameras.iter().find(|camera| args.camera.as_ref().is_none_or(|name| camera.name == *name))
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
    let camera = of_table(args, table)
        .context("the table has no such camera in the configuration; give a picture with --frame")?;
    let folder = args.config.parent().unwrap_or(Path::new(""));
    let frame = Footage::live(&camera.source, folder).next()?;
    bgr(&frame.with_context(|| format!("camera {} shows nothing", camera.name))?.image)
}

fn bgr(image: &Image) -> anyhow::Result<Mat> {
    Ok(image.with_bgr(|bgr| Ok::<_, VisionError>(bgr.try_clone()?))?)
}

/// Every area that can be seen.
fn found(
    geometry: &Geometry,
    size: (usize, usize),
    lens: Option<Lens>,
    project: impl Fn(Point) -> Option<[f32; 2]> + Copy,
) -> Found {
    let grounds = grounds(geometry).into_iter().map(|(spot, corners)| (spot, corners.to_vec()));
    let (mut areas, mut outlines) = (Vec::new(), Vec::new());
    for (spot, corners) in grounds.chain(markings(geometry)) {
        if let Some(area) = seen(spot, &corners, size, project) {
            outlines.push((spot.to_string(), outline(&corners).into_iter().filter_map(project).collect()));
            areas.push(area);
        }
    }
    Found { areas, outlines, lens, apart: None }
}

/// Points all along an outline: through a lens its sides are not straight.
fn outline(corners: &[Point]) -> Vec<Point> {
    const PIECES: u8 = 8;
    let next = corners.iter().cycle().skip(1);
    let side = |(from, to): (&Point, &Point)| {
        let (from, to) = (*from, *to);
        (0..PIECES).map(move |piece| {
            let part = f32::from(piece) / f32::from(PIECES);
            Point { x: from.x + part * (to.x - from.x), y: from.y + part * (to.y - from.y) }
        })
    };
    corners.iter().zip(next).flat_map(side).collect()
}

/// The areas by the places of four points that any layout has.
fn by_points(
    geometry: &Geometry,
    size: (usize, usize),
    points: &[f32],
    camera: Option<&Camera>,
) -> anyhow::Result<Found> {
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
    let felt = [left, right, last, first].map(|at| [at.x, at.y]);
    let plane = Plane::through(pixels, felt, camera.and_then(Glass::of));
    let plane = plane.context("three of the four points lie on one line")?;
    let project = |at: Point| Some(plane.in_picture([at.x, at.y])).filter(|at| at.iter().all(|n| n.is_finite()));
    Ok(found(geometry, size, camera.and_then(|camera| camera.lens), project))
}

fn drawn(picture: &Mat, outlines: &[(String, Vec<[f32; 2]>)]) -> anyhow::Result<Mat> {
    let mut drawn = picture.try_clone()?;
    for (name, points) in outlines {
        vision::outline(&mut drawn, points, Ink::Layout)?;
        let count = points.len().max(1) as f32;
        let sum = points.iter().fold([0.0, 0.0], |sum, at| [sum[0] + at[0], sum[1] + at[1]]);
        vision::label(&mut drawn, name, [sum[0] / count - 8.0, sum[1] / count], Ink::Layout)?;
    }
    Ok(drawn)
}
