//! Textures: small pictures of flat things, read between their pixels.

use tiny_skia::Pixmap;

use super::canvas::{Colour, Sprite};
use super::shapes::{Pixel, Polygon, Slant};

/// A picture of a flat thing, transparent around it.
#[derive(Clone, Debug)]
pub(super) struct Texture(Pixmap);

impl Texture {
    /// From a drawn picture.
    pub(super) const fn new(drawn: Pixmap) -> Self {
        Self(drawn)
    }

    fn texel(&self, x: i32, y: i32) -> [u8; 4] {
        let (Ok(x), Ok(y)) = (u32::try_from(x), u32::try_from(y)) else { return [0; 4] };
        if x >= self.0.width() {
            return [0; 4];
        }
        let start = 4 * (y as usize * self.0.width() as usize + x as usize);
        self.0.data().get(start..).and_then(|data| data.first_chunk()).copied().unwrap_or_default()
    }

    /// The colour at a place given from 0 to 1 both ways, weighed by its alpha; nothing outside.
    pub(super) fn at(&self, [u, v]: [f32; 2]) -> [f32; 4] {
        let (x, y) = (u * self.0.width() as f32 - 0.5, v * self.0.height() as f32 - 0.5);
        if !(x > -1.0 && y > -1.0 && x < self.0.width() as f32 && y < self.0.height() as f32) {
            return [0.0; 4];
        }
        let (left, top) = (x.floor(), y.floor());
        let (right_part, low_part) = (x - left, y - top);
        let (left, top) = (left as i32, top as i32);
        let corners = [
            (self.texel(left, top), (1.0 - right_part) * (1.0 - low_part)),
            (self.texel(left + 1, top), right_part * (1.0 - low_part)),
            (self.texel(left, top + 1), (1.0 - right_part) * low_part),
            (self.texel(left + 1, top + 1), right_part * low_part),
        ];
        let mut sum = [0.0; 4];
        for (texel, part) in corners {
            for channel in 0..4 {
                sum[channel] += part * f32::from(texel[channel]);
            }
        }
        sum
    }

    /// Paints it between four corners, given clockwise from its own top left, under so much light.
    pub(super) fn paint(&self, sprite: &mut Sprite, quad: [Pixel; 4], light: f32) {
        let Some(slant) = Slant::new(quad) else { return };
        let side = |a: usize, b: usize| (quad[a][0] - quad[b][0]).hypot(quad[a][1] - quad[b][1]).max(1.0);
        let across = self.0.width() as f32 / side(0, 1).min(side(3, 2));
        let down = self.0.height() as f32 / side(0, 3).min(side(1, 2));
        let steps = (across.max(down).ceil() as usize).clamp(2, 5);
        let step = 1.0 / steps as f32;
        sprite.paint(Polygon::new(&quad).bounds(1.0), |[x, y]| {
            let mut sum = [0.0; 4];
            for index in 0..steps * steps {
                let place = |index: usize| (index as f32 + 0.5) * step - 0.5;
                let sample = self.at(slant.at([x + place(index % steps), y + place(index / steps)]));
                for channel in 0..4 {
                    sum[channel] += sample[channel];
                }
            }
            straight(sum.map(|channel| channel * step * step), light)
        });
    }
}

/// A colour weighed by its alpha as colour and cover.
pub(super) fn straight([red, green, blue, alpha]: [f32; 4], light: f32) -> (Colour, f32) {
    if alpha < 0.5 {
        return ([0.0; 3], 0.0);
    }
    ([red, green, blue].map(|channel| light * channel * 255.0 / alpha), alpha / 255.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_between_two_pixels_is_a_mixture() {
        let mut drawn = Pixmap::new(2, 1).unwrap();
        drawn.data_mut().copy_from_slice(&[200, 0, 0, 255, 0, 100, 0, 255]);
        let texture = Texture::new(drawn);
        let seen = |u: f32| texture.at([u, 0.5]).map(|channel| channel.round() as u8);
        assert_eq!(seen(0.25), [200, 0, 0, 255]);
        assert_eq!(seen(0.5), [100, 50, 0, 255]);
        assert_eq!(seen(-3.0), [0; 4]);
        assert_eq!(seen(f32::NAN), [0; 4]);
    }
}
