//! A sheet to draw on, measured in millimetres however many pixels the picture has.

use tiny_skia::{Color, FillRule, LineCap, LineJoin, Mask, Paint, Path, Pixmap, Stroke, Transform};

/// Red, green and blue.
pub type Rgb = [u8; 3];

/// The widest picture that is drawn, in pixels: more shows nothing new and could fill the memory.
pub const WIDEST: u32 = 4096;

/// A picture in the making.
pub(crate) struct Sheet {
    picture: Pixmap,
    place: Transform,
    clip: Option<Mask>,
}

impl Sheet {
    /// A transparent sheet of this size in millimetres; none without pixels, or beyond [`WIDEST`].
    pub(crate) fn new(width_px: u32, (width, height): (f32, f32)) -> Option<Self> {
        if width_px == 0 || width_px > WIDEST {
            return None;
        }
        let height_px = ((width_px as f32 * height / width).round() as u32).max(1);
        if height_px > 2 * WIDEST {
            return None;
        }
        let picture = Pixmap::new(width_px, height_px)?;
        let place = Transform::from_scale(width_px as f32 / width, height_px as f32 / height);
        Some(Self { picture, place, clip: None })
    }

    /// The picture.
    pub(crate) fn finish(self) -> Pixmap {
        self.picture
    }

    /// Fills a figure; a figure without any area leaves no trace.
    pub(crate) fn fill(&mut self, figure: Option<Path>, colour: Rgb) {
        if let Some(figure) = figure {
            self.picture.fill_path(&figure, &ink(colour), FillRule::Winding, self.place, self.clip.as_ref());
        }
    }

    /// Draws the outline of a figure.
    pub(crate) fn line(&mut self, figure: Option<Path>, width: f32, colour: Rgb) {
        let stroke = Stroke { width, line_cap: LineCap::Round, line_join: LineJoin::Round, ..Stroke::default() };
        if let Some(figure) = figure {
            self.picture.stroke_path(&figure, &ink(colour), &stroke, self.place, self.clip.as_ref());
        }
    }

    /// Fills a figure and draws its outline.
    pub(crate) fn inked(&mut self, figure: Option<Path>, colour: Rgb, width: f32, outline: Rgb) {
        self.fill(figure.clone(), colour);
        self.line(figure, width, outline);
    }

    /// Draws with the sheet moved, turned or scaled.
    pub(crate) fn within(&mut self, place: Transform, draw: impl FnOnce(&mut Self)) {
        let before = self.place;
        self.place = before.pre_concat(place);
        draw(self);
        self.place = before;
    }

    /// Draws the same once upright and once turned by half a turn about a point.
    pub(crate) fn both_ways(&mut self, (x, y): (f32, f32), draw: impl Fn(&mut Self)) {
        draw(self);
        self.within(Transform::from_rotate_at(180.0, x, y), draw);
    }

    /// Draws only inside a figure; nothing if the figure has no area.
    pub(crate) fn inside(&mut self, figure: Option<Path>, draw: impl FnOnce(&mut Self)) {
        let Some(figure) = figure else { return };
        let mask = match &self.clip {
            Some(clip) => {
                let mut mask = clip.clone();
                mask.intersect_path(&figure, FillRule::Winding, true, self.place);
                mask
            }
            None => {
                let Some(mut mask) = Mask::new(self.picture.width(), self.picture.height()) else { return };
                mask.fill_path(&figure, FillRule::Winding, true, self.place);
                mask
            }
        };
        let before = self.clip.replace(mask);
        draw(self);
        self.clip = before;
    }
}

fn ink([red, green, blue]: Rgb) -> Paint<'static> {
    let mut paint = Paint::default();
    paint.set_color(Color::from_rgba8(red, green, blue, 255));
    paint
}

/// A colour between two: `part` of the second, from 0 to 1.
pub(crate) fn mix(first: Rgb, second: Rgb, part: f32) -> Rgb {
    std::array::from_fn(|i| {
        let (a, b) = (f32::from(first[i]), f32::from(second[i]));
        (a + (b - a) * part).round().clamp(0.0, 255.0) as u8
    })
}
