//! The table before anything lies on it: carpet, armrest, felt and its print, painted once for each camera.

use auditor::model::random::Dice;
use tiny_skia::{FillRule, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, Transform};

use super::camera::Camera;
use super::canvas::{Canvas, Colour, lit};
use super::geometry::{Geometry, Print, TextLine};
use super::scene::Point;
use super::texture::Texture;
use crate::art::Design;
use crate::art::letters::{Letters, Style};

/// What is painted from above before the camera looks at it, in millimetres: left, top, width, height.
const SHEET: [f32; 4] = [-1250.0, -200.0, 2500.0, 1500.0];
/// How far the armrest reaches beyond the felt.
const REST: f32 = 105.0;
/// Felts that houses like: blue, green, red, grey.
const FELTS: [Colour; 6] = [
    [22.0, 92.0, 66.0],
    [28.0, 104.0, 54.0],
    [30.0, 66.0, 122.0],
    [118.0, 30.0, 42.0],
    [26.0, 88.0, 104.0],
    [70.0, 72.0, 84.0],
];
const CARPETS: [Colour; 4] = [[74.0, 38.0, 34.0], [48.0, 44.0, 60.0], [66.0, 54.0, 38.0], [40.0, 52.0, 50.0]];
const INKS: [Colour; 3] = [[226.0, 206.0, 120.0], [232.0, 232.0, 226.0], [206.0, 176.0, 96.0]];
const LEATHERS: [Colour; 3] = [[58.0, 38.0, 28.0], [34.0, 32.0, 34.0], [92.0, 60.0, 40.0]];

/// How a table looks.
#[derive(Clone, Debug)]
pub struct Look {
    /// Where everything belongs.
    pub geometry: Geometry,
    /// What is printed on the felt.
    pub lines: Vec<String>,
    /// The cards in play.
    pub design: Design,
    /// The cloth.
    pub felt: Colour,
    /// The print on it.
    pub ink: Colour,
    /// The armrest.
    pub leather: Colour,
    /// The floor.
    pub carpet: Colour,
    /// In which letters the felt is printed.
    pub letters: Style,
}

impl Look {
    /// An ordinary table with green felt.
    pub fn new(geometry: Geometry, lines: Vec<String>, design: Design) -> Self {
        Self {
            geometry,
            lines,
            design,
            felt: FELTS[0],
            ink: INKS[0],
            leather: LEATHERS[0],
            carpet: CARPETS[0],
            letters: Style::SLAB,
        }
    }

    /// The same table in another house's colours.
    #[must_use]
    pub fn redecorated(self, dice: &mut Dice) -> Self {
        let mut any = |colours: &[Colour]| {
            let light = dice.between(0.8, 1.2) as f32;
            lit(dice.pick(colours).copied().unwrap_or(FELTS[0]), light)
        };
        let (felt, ink, leather, carpet) = (any(&FELTS), any(&INKS), any(&LEATHERS), any(&CARPETS));
        Self { felt, ink, leather, carpet, letters: dice.pick(&Style::ALL).copied().unwrap_or(Style::SLAB), ..self }
    }
}

/// The empty table as a camera sees it.
pub fn plate(camera: &Camera, look: &Look) -> Canvas {
    let size = camera.size();
    let mut canvas = Canvas::new(size);
    let middle = SHEET[0] + 0.5 * SHEET[2];
    let scale = (1.25 * camera.scale([middle, 520.0, 0.0])).clamp(0.2, 1.6);
    let sheet = printed(look, scale).map(Texture::new);
    let row = |y: usize| -> Vec<Option<Point>> {
        (0..=size.width()).map(|x| camera.unproject([x as f32, y as f32])).collect()
    };
    let mut above = row(0);
    for y in 0..size.height() {
        let below = row(y + 1);
        let corners = above.windows(2).zip(below.windows(2));
        for (pixel, (above, below)) in canvas.row_mut(y).iter_mut().zip(corners) {
            let [red, green, blue] = match [above[0], above[1], below[1], below[0]] {
                [Some(a), Some(b), Some(c), Some(d)] => table_seen(look, sheet.as_ref(), [a, b, c, d]),
                // Above the horizon is the dark of the room.
                _ => [18.0, 17.0, 20.0],
            }
            .map(|channel| channel.clamp(0.0, 255.0) as u8);
            *pixel = [red, green, blue, 255];
        }
        above = below;
    }
    canvas
}

/// The mean colour of what lies between the four corners of a pixel.
fn table_seen(look: &Look, sheet: Option<&Texture>, corners: [Point; 4]) -> Colour {
    const PLACES: [[f32; 2]; 4] = [[0.25, 0.25], [0.75, 0.25], [0.25, 0.75], [0.75, 0.75]];
    let [a, b, c, d] = corners;
    let mut sum = [0.0; 3];
    for [u, v] in PLACES {
        let between =
            |a: f32, b: f32, c: f32, d: f32| (1.0 - v) * ((1.0 - u) * a + u * b) + v * ((1.0 - u) * d + u * c);
        let at = Point { x: between(a.x, b.x, c.x, d.x), y: between(a.y, b.y, c.y, d.y) };
        let painted =
            sheet.map_or([0.0; 4], |sheet| sheet.at([(at.x - SHEET[0]) / SHEET[2], (at.y - SHEET[1]) / SHEET[3]]));
        let floor = carpet(look.carpet, at);
        for channel in 0..3 {
            sum[channel] += 0.25 * (painted[channel] + floor[channel] * (1.0 - painted[3] / 255.0));
        }
    }
    let at = corners[0];
    lit(sum, 1.0 + 0.06 * (smooth(at, 160.0) - 0.5) + 0.05 * (smooth(at, 2.0) - 0.5) + 0.04 * (smooth(at, 7.0) - 0.5))
}

/// A carpet with a pattern of lozenges.
fn carpet(colour: Colour, at: Point) -> Colour {
    let (u, v) = ((at.x + at.y) / 170.0, (at.x - at.y) / 170.0);
    let line = (u.fract().abs() - 0.5).abs().min((v.fract().abs() - 0.5).abs());
    let knot = (u.fract().abs() - 0.5).hypot(v.fract().abs() - 0.5);
    let light = if line < 0.05 {
        1.35
    } else if knot > 0.6 {
        1.2
    } else {
        0.9
    };
    lit(colour, 0.7 * light)
}

/// A random surface between 0 and 1 with hills so many millimetres apart, the same wherever it is asked for.
fn smooth(at: Point, apart: f32) -> f32 {
    let (x, y) = (at.x / apart, at.y / apart);
    let (left, top) = (x.floor(), y.floor());
    let (u, v) = (x - left, y - top);
    let (left, top) = (left as i32, top as i32);
    let row = |y: i32| (1.0 - u) * scatter(left, y) + u * scatter(left.wrapping_add(1), y);
    (1.0 - v) * row(top) + v * row(top.wrapping_add(1))
}

fn scatter(x: i32, y: i32) -> f32 {
    let mut mixed = (x as u32).wrapping_mul(0x9E37_79B1) ^ (y as u32).wrapping_mul(0x85EB_CA77);
    mixed = (mixed ^ (mixed >> 15)).wrapping_mul(0x2C1B_3C6D);
    mixed = (mixed ^ (mixed >> 12)).wrapping_mul(0x297A_2D39);
    (mixed >> 8) as f32 / (1_u32 << 24) as f32
}

/// The table from above with this many pixels to a millimetre, transparent where the floor is.
fn printed(look: &Look, scale: f32) -> Option<Pixmap> {
    let mut sheet = Pixmap::new((SHEET[2] * scale) as u32, (SHEET[3] * scale) as u32)?;
    let place = Transform::from_row(scale, 0.0, 0.0, scale, -SHEET[0] * scale, -SHEET[1] * scale);
    let edge = look.geometry.edge();
    let rest = line(edge.iter().skip(1).chain(edge.first()), false);
    let felt = line(edge.iter(), true);
    for (reach, light, cover) in
        [(1.3, 0.0, 90), (1.0, 0.7, 255), (0.86, 1.15, 255), (0.62, 1.35, 255), (0.4, 1.1, 255)]
    {
        draw(&mut sheet, rest.as_ref(), 2.0 * REST * reach, paint(lit(look.leather, light), cover), place);
    }
    if let Some(felt) = &felt {
        sheet.fill_path(felt, &paint(look.felt, 255), FillRule::Winding, place, None);
    }
    draw(&mut sheet, rest.as_ref(), 16.0, paint(lit(look.felt, 0.62), 255), place);
    draw(&mut sheet, felt.as_ref(), 5.0, paint(lit(look.leather, 0.5), 255), place);
    let lines: Vec<&str> = look.lines.iter().map(String::as_str).collect();
    let ink = paint(look.ink, 215);
    for print in look.geometry.layout(&lines) {
        match print {
            Print::Circle { at, radius } => {
                draw(&mut sheet, PathBuilder::from_circle(at.x, at.y, radius).as_ref(), 3.5, ink.clone(), place);
            }
            Print::Line(points) => draw(&mut sheet, line(points.iter(), false).as_ref(), 3.0, ink.clone(), place),
            Print::Text(text) => {
                for letter in letters(look, &text) {
                    sheet.fill_path(&letter, &ink, FillRule::Winding, place, None);
                }
            }
        }
    }
    Some(sheet)
}

fn paint([red, green, blue]: Colour, cover: u8) -> Paint<'static> {
    let mut paint = Paint { anti_alias: true, ..Paint::default() };
    paint.set_color_rgba8(red as u8, green as u8, blue as u8, cover);
    paint
}

fn draw(sheet: &mut Pixmap, path: Option<&Path>, width: f32, paint: Paint<'_>, place: Transform) {
    if let Some(path) = path {
        let stroke = Stroke { width, line_join: LineJoin::Round, ..Stroke::default() };
        sheet.stroke_path(path, &paint, &stroke, place, None);
    }
}

fn line<'a>(points: impl Iterator<Item = &'a Point>, closed: bool) -> Option<Path> {
    let mut path = PathBuilder::new();
    for point in points {
        if path.is_empty() { path.move_to(point.x, point.y) } else { path.line_to(point.x, point.y) }
    }
    if closed {
        path.close();
    }
    path.finish()
}

/// The letters of a line, each on the line's circle with its head to the dealer.
fn letters(look: &Look, line: &TextLine) -> Vec<Path> {
    let letters = Letters::new(look.letters);
    let half = 0.5 * letters.width(&line.text, line.size);
    let radius = line.radius.max(line.size);
    let placed = line.text.char_indices().filter_map(|(start, letter)| {
        let upto = &line.text[..start + letter.len_utf8()];
        let letter = letter.to_string();
        let width = letters.width(&letter, line.size);
        let middle = letters.width(upto, line.size) - 0.5 * width - half;
        let (sin, cos) = (middle / radius).sin_cos();
        let at = Point { x: line.at.x + radius * sin, y: line.at.y - radius * (1.0 - cos) };
        let turn = Transform::from_row(cos, -sin, sin, cos, at.x, at.y);
        letters.path(&letter, line.size)?.transform(turn.pre_translate(-0.5 * width, -0.5 * line.size))
    });
    placed.collect()
}
