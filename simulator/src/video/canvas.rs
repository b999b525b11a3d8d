//! What pictures are made of: rectangles of pixels, the canvas, and sprites that are laid on it.
//!
//! Every thing of a scene becomes a sprite once and is laid on the canvas in whole numbers, so that a corner painted anew
//! looks to the bit like the same corner of a picture painted from the start.

use super::camera::Size;

/// A rectangle of pixels, right and lower edge excluded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Rect {
    /// Left edge.
    pub x0: i32,
    /// Upper edge.
    pub y0: i32,
    /// Right edge.
    pub x1: i32,
    /// Lower edge.
    pub y1: i32,
}

impl Rect {
    /// The whole of a picture.
    pub fn all(size: Size) -> Self {
        Self { x0: 0, y0: 0, x1: size.width() as i32, y1: size.height() as i32 }
    }

    /// What holds all these points and so much around them; far outside counts as just outside.
    pub fn around(points: &[[f32; 2]], more: f32) -> Self {
        const FAR: f32 = 100_000.0;
        let mut low = [FAR; 2];
        let mut high = [-FAR; 2];
        for point in points {
            for axis in 0..2 {
                low[axis] = low[axis].min(point[axis] - more);
                high[axis] = high[axis].max(point[axis] + more);
            }
        }
        let whole = |length: f32| length.clamp(-FAR, FAR) as i32;
        Self {
            x0: whole(low[0].floor()),
            y0: whole(low[1].floor()),
            x1: whole(high[0].ceil()),
            y1: whole(high[1].ceil()),
        }
    }

    /// Whether there is nothing in it.
    pub const fn is_empty(self) -> bool {
        self.x0 >= self.x1 || self.y0 >= self.y1
    }

    /// What is in both.
    pub fn cut(self, other: Self) -> Self {
        Self {
            x0: self.x0.max(other.x0),
            y0: self.y0.max(other.y0),
            x1: self.x1.min(other.x1),
            y1: self.y1.min(other.y1),
        }
    }

    /// The smallest that holds both.
    pub fn join(self, other: Self) -> Self {
        match (self.is_empty(), other.is_empty()) {
            (true, _) => other,
            (_, true) => self,
            _ => Self {
                x0: self.x0.min(other.x0),
                y0: self.y0.min(other.y0),
                x1: self.x1.max(other.x1),
                y1: self.y1.max(other.y1),
            },
        }
    }

    /// Whether they share a pixel.
    pub fn meets(self, other: Self) -> bool {
        !self.cut(other).is_empty()
    }

    /// So much wider on all sides.
    pub const fn grown(self, by: i32) -> Self {
        Self { x0: self.x0 - by, y0: self.y0 - by, x1: self.x1 + by, y1: self.y1 + by }
    }

    /// Its left and right edge.
    pub const fn columns(self) -> (i32, i32) {
        (self.x0, self.x1)
    }

    /// Pixels across.
    pub fn width(self) -> usize {
        usize::try_from(self.x1 - self.x0).unwrap_or(0)
    }

    /// Pixels down.
    pub fn height(self) -> usize {
        usize::try_from(self.y1 - self.y0).unwrap_or(0)
    }
}

/// Rectangles that share no pixel with each other and hold all of these.
pub fn apart(rects: impl IntoIterator<Item = Rect>) -> Vec<Rect> {
    let mut apart: Vec<Rect> = Vec::new();
    for mut rect in rects {
        if rect.is_empty() {
            continue;
        }
        while let Some(met) = apart.iter().position(|other| other.meets(rect)) {
            rect = rect.join(apart.swap_remove(met));
        }
        apart.push(rect);
    }
    apart
}

/// A picture in red, green, blue and a byte to spare.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Canvas {
    size: Size,
    pixels: Vec<[u8; 4]>,
}

impl Canvas {
    /// A black picture.
    pub fn new(size: Size) -> Self {
        Self { size, pixels: vec![[0, 0, 0, 255]; size.width() * size.height()] }
    }

    /// Its size.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// A row of it; empty outside.
    pub fn row(&self, y: usize) -> &[[u8; 4]] {
        let width = self.size.width();
        self.pixels.get(y * width..(y + 1) * width).unwrap_or_default()
    }

    /// A row of it, to be painted; empty outside.
    pub fn row_mut(&mut self, y: usize) -> &mut [[u8; 4]] {
        let width = self.size.width();
        self.pixels.get_mut(y * width..(y + 1) * width).unwrap_or_default()
    }

    /// Takes a part of another picture of the same size.
    pub fn restore(&mut self, from: &Self, part: Rect) {
        let part = part.cut(Rect::all(self.size)).cut(Rect::all(from.size));
        if part.is_empty() {
            return;
        }
        for y in part.y0..part.y1 {
            let span = part.x0 as usize..part.x1 as usize;
            self.row_mut(y as usize)[span.clone()].copy_from_slice(&from.row(y as usize)[span]);
        }
    }

    /// Lays a sprite on the picture, inside a part of it only.
    pub fn lay(&mut self, sprite: &Sprite, part: Rect) {
        let part = part.cut(sprite.rect).cut(Rect::all(self.size));
        if part.is_empty() {
            return;
        }
        for y in part.y0..part.y1 {
            let top = &sprite.row(y)[(part.x0 - sprite.rect.x0) as usize..];
            let below = &mut self.row_mut(y as usize)[part.x0 as usize..part.x1 as usize];
            for (below, top) in below.iter_mut().zip(top) {
                blend(below, *top);
            }
        }
    }
}

/// Lays one pixel, its colours already weighed by its alpha, over another.
#[inline]
fn blend(below: &mut [u8; 4], top: [u8; 4]) {
    match top[3] {
        0 => {}
        255 => *below = top,
        alpha => {
            let left = 255 - u32::from(alpha);
            for channel in 0..4 {
                let through = (u32::from(below[channel]) * left + 127) / 255;
                below[channel] = (through + u32::from(top[channel])).min(255) as u8;
            }
        }
    }
}

/// A colour: red, green and blue from 0 to 255.
pub type Colour = [f32; 3];

/// A colour made lighter or darker.
pub fn lit(colour: Colour, by: f32) -> Colour {
    colour.map(|channel| channel * by)
}

/// What a shadow is made of: not quite black, for there is always some light.
const SHADE: Colour = [8.0, 8.0, 12.0];

/// Where in the picture something may be: a rectangle, or less of it in each row.
pub trait Extent {
    /// What holds all of it.
    fn rect(&self) -> Rect;

    /// Where a row of it begins and ends.
    fn span(&self, _y: i32) -> (i32, i32) {
        (self.rect().x0, self.rect().x1)
    }
}

impl Extent for Rect {
    fn rect(&self) -> Rect {
        *self
    }
}

/// A painted thing, cut to the picture, with its shadow.
#[derive(Clone, Debug)]
pub struct Sprite {
    rect: Rect,
    pixels: Vec<[u8; 4]>,
    solid: Vec<bool>,
}

impl Sprite {
    /// Nothing yet, in a picture of this size.
    pub fn new(rect: Rect, size: Size) -> Self {
        let rect = rect.cut(Rect::all(size));
        let rect = if rect.is_empty() { Rect::default() } else { rect };
        let pixels = rect.width() * rect.height();
        Self { rect, pixels: vec![[0; 4]; pixels], solid: vec![false; pixels] }
    }

    /// What it covers, shadow and all.
    pub const fn rect(&self) -> Rect {
        self.rect
    }

    /// Whether the thing itself, not its shadow, is at this pixel.
    pub fn covers(&self, x: i32, y: i32) -> bool {
        let inside = (self.rect.x0..self.rect.x1).contains(&x) && (self.rect.y0..self.rect.y1).contains(&y);
        inside && self.solid.get(self.index(x, y)).copied().unwrap_or(false)
    }

    /// Paints what a function says of the middle of each pixel: colour and how much of it, from 0 to 1.
    pub fn paint(&mut self, within: impl Extent, shade: impl Fn([f32; 2]) -> (Colour, f32)) {
        self.cover(&within, true, shade);
    }

    /// Throws a shadow: darkness from 0 to 1.
    pub fn shadow(&mut self, within: impl Extent, shade: impl Fn([f32; 2]) -> f32) {
        self.cover(&within, false, |pixel| (SHADE, shade(pixel)));
    }

    fn cover(&mut self, within: &impl Extent, solid: bool, shade: impl Fn([f32; 2]) -> (Colour, f32)) {
        let rows = within.rect().cut(self.rect);
        for y in rows.y0..rows.y1 {
            let (x0, x1) = within.span(y);
            let (x0, x1) = (x0.max(rows.x0), x1.min(rows.x1));
            if x0 >= x1 {
                continue;
            }
            let start = self.index(x0, y);
            let span = start..start + (x1 - x0) as usize;
            let (Some(pixels), Some(solids)) = (self.pixels.get_mut(span.clone()), self.solid.get_mut(span)) else {
                continue;
            };
            for (x, (pixel, is_solid)) in (x0..x1).zip(pixels.iter_mut().zip(solids)) {
                let (colour, cover) = shade([x as f32 + 0.5, y as f32 + 0.5]);
                let cover = cover.clamp(0.0, 1.0);
                if cover > 0.0 {
                    let [red, green, blue] = colour.map(|channel| (channel.clamp(0.0, 255.0) * cover + 0.5) as u8);
                    blend(pixel, [red, green, blue, (255.0 * cover + 0.5) as u8]);
                    *is_solid |= solid && cover >= 0.5;
                }
            }
        }
    }

    fn row(&self, y: i32) -> &[[u8; 4]] {
        let start = self.index(self.rect.x0, y);
        self.pixels.get(start..start + self.rect.width()).unwrap_or_default()
    }

    fn index(&self, x: i32, y: i32) -> usize {
        (y - self.rect.y0) as usize * self.rect.width() + (x - self.rect.x0) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_that_touch_become_one() {
        let rect = |x0, y0, x1, y1| Rect { x0, y0, x1, y1 };
        let parts = apart([rect(0, 0, 4, 4), rect(10, 0, 14, 4), rect(3, 3, 11, 5), rect(20, 20, 20, 30)]);
        assert_eq!(parts, [rect(0, 0, 14, 5)]);
    }

    #[test]
    fn a_half_seen_colour_is_half_of_both() {
        let size = Size::new(16, 16);
        let mut canvas = Canvas::new(size);
        let mut sprite = Sprite::new(Rect { x0: -5, y0: 2, x1: 8, y1: 90 }, size);
        sprite.paint(Rect::all(size), |[x, _]| ([200.0, 100.0, 0.0], if x < 4.0 { 1.0 } else { 0.5 }));
        canvas.lay(&sprite, Rect::all(size));
        assert_eq!(canvas.row(1)[0][..3], [0, 0, 0]);
        assert_eq!(canvas.row(5)[0][..3], [200, 100, 0]);
        assert_eq!(canvas.row(5)[5][..3], [100, 50, 0]);
        assert!(sprite.covers(0, 15) && !sprite.covers(9, 5) && !sprite.covers(-1, 5));
    }
}
