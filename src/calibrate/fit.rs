//! Laying the known layout over a picture: the camera from which the layout's lines come nearest to the picture's.

use opencv::core::{Mat, MatTraitConst, Scalar, Size as CvSize};
use opencv::imgproc;
use opencv::prelude::MatTraitConstManual;
use simulator::video::camera::{Camera, Size, View};
use simulator::video::geometry::{Geometry, Print};
use simulator::video::scene::Point;
use table::config::Lens;

/// The picture is searched at this width: lines stay, noise goes.
const WIDTH: f64 = 640.0;
/// A line further away than this, in pixels of the search, is none of ours.
const FAR: f32 = 14.0;
/// Tilts from which the search starts, in radians.
const TILTS: [f64; 5] = [0.0, 0.3, 0.6, 0.8, 1.0];

/// Lenses from which it starts: a good one and a wide one.
const BENDS: [f64; 2] = [-0.04, -0.2];
/// So many of the starts that come nearest are followed.
const FOLLOWED: usize = 6;

/// The best camera found.
pub(super) struct Fit {
    /// The camera, in pixels of the picture.
    pub(super) camera: Camera,
    /// Its lens.
    pub(super) lens: Option<Lens>,
    /// How far the layout's lines are from the picture's, on average and in pixels of the picture.
    pub(super) apart: f32,
}

/// Searches for the camera from which a layout was seen.
pub(super) fn search(picture: &Mat, geometry: &Geometry) -> anyhow::Result<Fit> {
    let shrunk = WIDTH / f64::from(picture.cols());
    let size = Size::new(WIDTH as usize, (f64::from(picture.rows()) * shrunk) as usize);
    let field = Field::of(picture, size)?;
    let lines = lines(geometry);
    let far = |view: &View| field.apart(&Camera::new(*view, size), &lines);
    let mut tried: Vec<(f32, View)> = starts(geometry, size).map(|view| (far(&view), view)).collect();
    tried.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut best: Option<(f32, View)> = None;
    for (_, start) in tried.into_iter().take(FOLLOWED) {
        let found = descend(start, &far);
        if best.is_none_or(|(apart, _)| found.0 < apart) {
            best = Some(found);
        }
    }
    let (apart, view) = best.unwrap_or((FAR, View::overhead()));
    let whole = Size::new(picture.cols() as usize, picture.rows() as usize);
    let apart = (f64::from(apart) / shrunk) as f32;
    Ok(Fit { camera: Camera::new(view, whole), lens: view.lens(whole), apart })
}

/// Cameras as they are hung: on either side of the table, more or less tilted, with a good or a wide lens, showing about all
/// of it.
fn starts(geometry: &Geometry, size: Size) -> impl Iterator<Item = View> {
    let edge = geometry.edge();
    [0.0, std::f64::consts::PI].into_iter().flat_map(move |azimuth| {
        let edge = edge.clone();
        TILTS.into_iter().flat_map(|tilt| BENDS.map(|k1| (tilt, k1))).flat_map(move |(tilt, k1)| {
            let whole = View { tilt, azimuth, k1, ..View::overhead() }.showing(&edge, size);
            [1.0, 0.8, 1.2].map(|times| View { distance: whole.distance * times, ..whole })
        })
    })
}

/// One thing of a view, changed by so much.
type Change = fn(&mut View, f64);

/// Changes one thing of the view after the other as long as that brings the lines nearer, in ever smaller steps.
fn descend(start: View, far: &impl Fn(&View) -> f32) -> (f32, View) {
    const THINGS: &[(Change, f64)] = &[
        (|view, by| view.target.x += by as f32, 60.0),
        (|view, by| view.target.y += by as f32, 60.0),
        (|view, by| view.distance *= 1.0 + by, 0.06),
        (|view, by| view.tilt = (view.tilt + by).clamp(0.0, 1.35), 0.08),
        (|view, by| view.azimuth += by, 0.06),
        (|view, by| view.roll += by, 0.04),
        (|view, by| view.field = (view.field * (1.0 + by)).clamp(0.2, 1.8), 0.06),
        (|view, by| view.k1 = (view.k1 + by).clamp(-0.4, 0.2), 0.02),
        // Distance and lens together keep the size and change the perspective.
        (
            |view, by| {
                view.distance *= 1.0 + by;
                view.field = (view.field / (1.0 + by)).clamp(0.2, 1.8);
            },
            0.1,
        ),
    ];
    let mut best = (far(&start), start);
    let mut step = 1.0;
    while step > 0.01 {
        let mut better = false;
        for (change, by) in THINGS {
            for way in [step, -step] {
                let mut view = best.1;
                change(&mut view, by * way);
                let apart = far(&view);
                if apart < best.0 {
                    best = (apart, view);
                    better = true;
                }
            }
        }
        if !better {
            step *= 0.5;
        }
    }
    best
}

/// Points along what is printed on the felt, and along its edge.
fn lines(geometry: &Geometry) -> Vec<Point> {
    let mut points = Vec::new();
    for print in geometry.layout(&[]) {
        match print {
            Print::Circle { at, radius } => points.extend((0..24_u8).map(|part| {
                let (sin, cos) = (std::f32::consts::TAU * f32::from(part) / 24.0).sin_cos();
                Point { x: at.x + radius * cos, y: at.y + radius * sin }
            })),
            Print::Line(line) => along(&line, &mut points),
            Print::Text(_) => {}
        }
    }
    let mut edge = geometry.edge();
    edge.extend(edge.first().copied());
    along(&edge, &mut points);
    points
}

/// A point every thirty millimetres.
fn along(line: &[Point], points: &mut Vec<Point>) {
    for pair in line.windows(2) {
        let long = (pair[1].x - pair[0].x).hypot(pair[1].y - pair[0].y);
        let parts = (long / 30.0).ceil().max(1.0);
        points.extend((0..parts as u16).map(|part| {
            let part = f32::from(part) / parts;
            Point { x: pair[0].x + part * (pair[1].x - pair[0].x), y: pair[0].y + part * (pair[1].y - pair[0].y) }
        }));
    }
}

/// How far every pixel is from the nearest line of the picture.
struct Field {
    width: usize,
    height: usize,
    away: Vec<f32>,
}

impl Field {
    fn of(picture: &Mat, size: Size) -> Result<Self, opencv::Error> {
        let (width, height) = (size.width(), size.height());
        let (mut small, mut grey) = (Mat::default(), Mat::default());
        imgproc::resize(picture, &mut small, CvSize::new(width as i32, height as i32), 0.0, 0.0, imgproc::INTER_AREA)?;
        imgproc::cvt_color_def(&small, &mut grey, imgproc::COLOR_BGR2GRAY)?;
        let (mut edges, mut apart) = (Mat::default(), Mat::default());
        imgproc::canny(&grey, &mut edges, 40.0, 110.0, 3, false)?;
        let mut background = Mat::default();
        imgproc::threshold(&edges, &mut background, 127.0, 255.0, imgproc::THRESH_BINARY_INV)?;
        if opencv::core::count_non_zero(&edges)? == 0 {
            // A picture without lines is far from everything.
            apart = Mat::new_rows_cols_with_default(
                height as i32,
                width as i32,
                opencv::core::CV_32F,
                Scalar::all(f64::from(FAR)),
            )?;
        } else {
            imgproc::distance_transform(&background, &mut apart, imgproc::DIST_L2, 3, opencv::core::CV_32F)?;
        }
        Ok(Self { width, height, away: apart.data_typed::<f32>()?.to_vec() })
    }

    /// How far points of the felt are from the picture's lines, on average; a point outside the picture is far.
    fn apart(&self, camera: &Camera, points: &[Point]) -> f32 {
        let far = |at: &Point| {
            let [x, y] = camera.project([at.x, at.y, 0.0])?;
            let (x, y) = (x.round(), y.round());
            let inside = x >= 0.0 && y >= 0.0 && x < self.width as f32 && y < self.height as f32;
            inside.then(|| self.away.get(y as usize * self.width + x as usize).copied()).flatten()
        };
        let sum: f32 = points.iter().map(|at| far(at).unwrap_or(FAR).min(FAR)).sum();
        sum / points.len().max(1) as f32
    }
}

#[cfg(test)]
mod tests {
    use opencv::core::Vector;
    use opencv::imgcodecs;
    use simulator::art::Design;
    use simulator::video::effects::Conditions;
    use simulator::video::eye::Eye;
    use simulator::video::felt::Look;
    use simulator::video::scene::Scene;
    use simulator::video::stills;

    use super::*;

    /// An empty table as a camera sees it.
    fn photograph(view: View, geometry: &Geometry) -> (Mat, Camera) {
        let size = Size::HD;
        let camera = Camera::new(view.showing(&geometry.edge(), size), size);
        let dice = auditor::model::random::Dice::new(4);
        let look = Look::new(
            geometry.clone(),
            vec!["BLACKJACK PAYS 3 TO 2".to_owned()],
            Design::invented(&mut dice.fork("deck")),
        );
        let mut eye = Eye::new(camera.clone(), &look, Conditions::clear(), &dice);
        let (frame, _) = eye.see(&Scene { at: table::Utc::EPOCH, things: Vec::new() });
        let jpeg = stills::jpeg(frame, 92).unwrap();
        (imgcodecs::imdecode(&Vector::from_slice(&jpeg), imgcodecs::IMREAD_COLOR).unwrap(), camera)
    }

    #[test]
    fn an_empty_table_tells_from_where_it_was_seen() {
        let geometry = Geometry::new(7).offering(&[]);
        let bent = View { k1: -0.22, ..View::overhead() };
        for view in [View::overhead(), View { tilt: 0.7, azimuth: 0.1, ..View::overhead() }, bent] {
            let (picture, truth) = photograph(view, &geometry);
            let fit = search(&picture, &geometry).unwrap();
            for (_, corners) in simulator::config::grounds(&geometry) {
                for corner in corners {
                    let (Some(a), Some(b)) =
                        (truth.project([corner.x, corner.y, 0.0]), fit.camera.project([corner.x, corner.y, 0.0]))
                    else {
                        continue;
                    };
                    let apart = (a[0] - b[0]).hypot(a[1] - b[1]);
                    assert!(apart < 8.0, "{view:?}: {apart} pixels off, lines {} apart", fit.apart);
                }
            }
        }
    }

    #[test]
    fn a_picture_of_nothing_fits_nothing() {
        let grey = Mat::new_rows_cols_with_default(360, 640, opencv::core::CV_8UC3, Scalar::all(90.0)).unwrap();
        assert!(search(&grey, &Geometry::new(7)).unwrap().apart > 10.0);
    }
}
