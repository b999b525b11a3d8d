//! Marks put on the paper.

use std::sync::Arc;

use krilla::color::rgb;
use krilla::geom::{PathBuilder, Point, Rect, Size, Transform};
use krilla::image::Image;
use krilla::paint::Fill;
use krilla::surface::Surface;
use krilla_svg::{SurfaceExt, SvgSettings};
use usvg::{Options, Tree, fontdb};

use super::super::html::DRAWING_STYLE;
use super::face::Faces;
use super::layout::{Ink, Mark};
use crate::draw::SPRITE;

/// What drawings need beside themselves.
pub(super) struct Drawings {
    options: Options<'static>,
}

impl Drawings {
    pub(super) fn new() -> Self {
        let mut faces = fontdb::Database::new();
        faces.load_font_data(dejavu::sans::regular().to_vec());
        faces.load_font_data(dejavu::sans::bold().to_vec());
        let mut options = Options { font_family: "DejaVu Sans".to_owned(), ..Options::default() };
        options.fontdb = Arc::new(faces);
        options.style_sheet = Some(DRAWING_STYLE.to_owned());
        Self { options }
    }

    /// A drawing of ours as a document of its own: with its name space and the symbols it points at.
    fn tree(&self, svg: &str) -> Result<Tree, String> {
        let symbols = SPRITE.split_once("<defs>").and_then(|(_, rest)| rest.split_once("</defs>"));
        let (symbols, _) = symbols.unwrap_or_default();
        let (head, rest) = svg.split_once('>').ok_or("a drawing that is none")?;
        let head = head.replacen("<svg", "<svg xmlns=\"http://www.w3.org/2000/svg\"", 1);
        let whole = format!("{head}><defs>{symbols}</defs>{rest}");
        Tree::from_str(&whole, &self.options).map_err(|error| error.to_string())
    }
}

fn colour(ink: Ink) -> rgb::Color {
    match ink {
        Ink::Black => rgb::Color::new(0x1b, 0x1b, 0x1a),
        Ink::Soft => rgb::Color::new(0x4d, 0x4c, 0x49),
        Ink::Line => rgb::Color::new(0xd5, 0xd3, 0xcd),
        Ink::Alarm => rgb::Color::new(0xc0, 0x4e, 0x00),
    }
}

fn inked(surface: &mut Surface<'_>, ink: Ink) {
    surface.set_stroke(None);
    surface.set_fill(Some(Fill { paint: colour(ink).into(), ..Fill::default() }));
}

/// The width and height of a picture, in pixels; none if it is not one.
pub(super) fn size_of(jpeg: &[u8]) -> Option<(f32, f32)> {
    let (width, height) = Image::from_jpeg(jpeg.to_vec().into(), false).ok()?.size();
    (width > 0 && height > 0).then_some((width as f32, height as f32))
}

/// Puts one mark on the paper.
pub(super) fn mark(
    surface: &mut Surface<'_>,
    faces: &Faces,
    drawings: &Drawings,
    mark: &Mark<'_>,
) -> Result<(), String> {
    match mark {
        Mark::Text { x, y, style, size, ink, text } => {
            let face = faces.of(*style);
            inked(surface, *ink);
            surface.draw_glyphs(Point::from_xy(*x, *y), &face.glyphs(text), face.font.clone(), text, *size, false);
        }
        Mark::Bar { x, y, width, height, ink } => {
            let mut path = PathBuilder::new();
            path.push_rect(Rect::from_xywh(*x, *y, *width, *height).ok_or("a bar without a size")?);
            inked(surface, *ink);
            if let Some(path) = path.finish() {
                surface.draw_path(&path);
            }
        }
        Mark::Still { x, y, width, height, jpeg } => {
            let image = Image::from_jpeg(jpeg.to_vec().into(), false)?;
            placed(surface, (*x, *y), |surface| {
                surface.draw_image(image, Size::from_wh(*width, *height).ok_or("a picture without a size")?);
                Ok(())
            })?;
        }
        Mark::Drawing { x, y, width, height, svg } => {
            let tree = drawings.tree(svg)?;
            placed(surface, (*x, *y), |surface| {
                let size = Size::from_wh(*width, *height).ok_or("a drawing without a size")?;
                surface.draw_svg(&tree, size, SvgSettings::default()).ok_or("a drawing that cannot be drawn")?;
                Ok(())
            })?;
        }
    }
    Ok(())
}

fn placed(
    surface: &mut Surface<'_>,
    (x, y): (f32, f32),
    draw: impl FnOnce(&mut Surface<'_>) -> Result<(), String>,
) -> Result<(), String> {
    surface.push_transform(&Transform::from_translate(x, y));
    let drawn = draw(surface);
    surface.pop();
    drawn
}
