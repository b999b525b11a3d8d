//! A finished frame: a plane of brightness and two of colour at half the size, the form that video encoders take.

use super::camera::Size;

/// One picture in planar YUV 4:2:0 (BT.601, video range).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Frame {
    size: Size,
    bytes: Vec<u8>,
}

impl Frame {
    /// A grey frame.
    pub fn new(size: Size) -> Self {
        Self { size, bytes: vec![128; size.width() * size.height() * 3 / 2] }
    }

    /// What a camera shows that something is held before: next to nothing.
    pub fn dark(size: Size) -> Self {
        let mut frame = Self::new(size);
        frame.plane_mut(0).fill(22);
        frame
    }

    /// Its size.
    pub const fn size(&self) -> Size {
        self.size
    }

    /// All planes one after another: brightness, blue difference, red difference.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// One of the three planes; empty for another number.
    pub fn plane(&self, number: usize) -> &[u8] {
        let [start, end] = self.bounds(number);
        self.bytes.get(start..end).unwrap_or_default()
    }

    /// One of the three planes, to be written; empty for another number.
    pub fn plane_mut(&mut self, number: usize) -> &mut [u8] {
        let [start, end] = self.bounds(number);
        self.bytes.get_mut(start..end).unwrap_or_default()
    }

    /// All three planes, to be written.
    pub fn planes_mut(&mut self) -> [&mut [u8]; 3] {
        let pixels = self.size.width() * self.size.height();
        let (luma, colours) = self.bytes.split_at_mut(pixels);
        let (u, v) = colours.split_at_mut(pixels / 4);
        [luma, u, v]
    }

    fn bounds(&self, number: usize) -> [usize; 2] {
        let pixels = self.size.width() * self.size.height();
        match number {
            0 => [0, pixels],
            1 => [pixels, pixels + pixels / 4],
            2 => [pixels + pixels / 4, pixels + pixels / 2],
            _ => [0, 0],
        }
    }

    /// Red, green and blue of every pixel.
    pub fn to_rgb(&self) -> Vec<u8> {
        let (width, height) = (self.size.width(), self.size.height());
        let mut rgb = Vec::with_capacity(3 * width * height);
        for (y, row) in self.plane(0).chunks_exact(width).enumerate() {
            let start = y / 2 * (width / 2);
            let colours = self.plane(1)[start..].iter().zip(&self.plane(2)[start..]);
            for (lumas, (&u, &v)) in row.chunks_exact(2).zip(colours) {
                let (u, v) = (i32::from(u) - 128, i32::from(v) - 128);
                for &luma in lumas {
                    let luma = 298 * (i32::from(luma) - 16) + 128;
                    let channels = [luma + 409 * v, luma - 100 * u - 208 * v, luma + 516 * u];
                    rgb.extend(channels.map(|channel| (channel >> 8).clamp(0, 255) as u8));
                }
            }
        }
        rgb
    }
}
