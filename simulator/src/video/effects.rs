//! Light, lens and sensor: from the clean picture to what a surveillance camera delivers, in planes of brightness and
//! colour as video wants them.
//!
//! Light, glare and focus depend on the place only and are worked out anew where the picture changed. Exposure, white
//! balance and noise change with every frame and go over all of it, in sixteen-bit steps a processor takes eight at a time.

use auditor::model::random::Dice;

use super::blur::Blur;
use super::camera::{Camera, Size};
use super::canvas::{Canvas, Rect};
use super::frame::Frame;

/// Noise values to draw rows from; each row of each frame begins somewhere else.
const NOISE: usize = 1 << 16;

/// A lamp's reflection.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Glare {
    /// Its middle in parts of the picture's width and height.
    pub at: [f32; 2],
    /// How far it reaches, in parts of the width.
    pub reach: f32,
    /// How bright it is, from 0 to 1.
    pub strength: f32,
}

/// The conditions under which a camera works.
#[derive(Clone, Debug, PartialEq)]
pub struct Conditions {
    /// How bright the picture is; 1 is right.
    pub exposure: f32,
    /// By how much the exposure wanders.
    pub drift: f32,
    /// Warm light above 0, cold below; 0.1 is a lot.
    pub warmth: f32,
    /// How much darker the corners of the picture are.
    pub vignette: f32,
    /// Reflections.
    pub glares: Vec<Glare>,
    /// How far out of focus, as a deviation in pixels from 0 to 2.
    pub defocus: f32,
    /// Noise of the sensor as a deviation in steps of brightness, in the dark.
    pub noise: f32,
}

impl Conditions {
    /// A camera that alters nothing.
    pub fn clear() -> Self {
        Self { exposure: 1.0, drift: 0.0, warmth: 0.0, vignette: 0.0, glares: Vec::new(), defocus: 0.0, noise: 0.0 }
    }

    /// A good camera in an ordinary room.
    pub fn ordinary(dice: &mut Dice) -> Self {
        Self {
            exposure: dice.between(0.94, 1.04) as f32,
            drift: 0.01,
            warmth: dice.between(-0.02, 0.05) as f32,
            vignette: 0.22,
            glares: glares(dice, 2, 0.35),
            defocus: dice.between(0.3, 0.6) as f32,
            noise: dice.between(1.2, 2.2) as f32,
        }
    }

    /// Anything between a new camera and a bad one.
    pub fn random(dice: &mut Dice) -> Self {
        Self {
            exposure: dice.between(0.68, 1.2) as f32,
            drift: dice.between(0.0, 0.03) as f32,
            warmth: dice.between(-0.09, 0.12) as f32,
            vignette: dice.between(0.0, 0.45) as f32,
            glares: glares(dice, 4, 0.85),
            defocus: if dice.chance(0.3) { 0.0 } else { dice.between(0.2, 1.6) as f32 },
            noise: dice.between(0.5, 6.0) as f32,
        }
    }
}

fn glares(dice: &mut Dice, most: usize, strongest: f64) -> Vec<Glare> {
    let spots = dice.below(most + 1);
    (0..spots)
        .map(|_| Glare {
            at: [dice.unit() as f32, dice.unit() as f32],
            reach: dice.between(0.03, 0.14) as f32,
            strength: dice.between(0.1, strongest) as f32,
        })
        .collect()
}

/// What a camera makes of clean pictures.
pub struct Effects {
    conditions: Conditions,
    dice: Dice,
    frames: u64,
    /// Light at each pixel, 128 is all of it, and what glare adds.
    light: Vec<[u8; 2]>,
    /// Gain of red and blue for the white balance, 256 is even.
    balance: [u32; 2],
    blur: [Blur; 2],
    sharp: Frame,
    soft: Frame,
    out: Frame,
    noise: Vec<i16>,
}

impl Effects {
    /// For pictures of this camera under these conditions.
    pub fn new(camera: &Camera, conditions: Conditions, dice: &Dice) -> Self {
        let size = camera.size();
        let mut grains = dice.fork("noise");
        let gain = |by: f32| (256.0 * by.clamp(0.2, 3.0)) as u32;
        Self {
            dice: dice.fork("frames"),
            frames: 0,
            light: light(size, &conditions),
            balance: [gain(1.0 + conditions.warmth), gain(1.0 - conditions.warmth)],
            blur: [Blur::new(conditions.defocus), Blur::new(0.5 * conditions.defocus)],
            sharp: Frame::new(size),
            soft: Frame::new(size),
            out: Frame::new(size),
            // Four steps of brightness in the 32nds that `expose` counts in.
            noise: (0..NOISE + size.width()).map(|_| (128.0 * grains.normal()) as i16).collect(),
            conditions,
        }
    }

    /// The next frame, from a picture that has changed in these parts only.
    pub fn develop(&mut self, canvas: &Canvas, changed: &[Rect]) -> &Frame {
        let all = Rect::all(self.out.size()).cut(Rect::all(canvas.size()));
        for &part in changed {
            let part = part.cut(all);
            if part.is_empty() {
                continue;
            }
            self.convert(canvas, even(part).cut(all));
            let reach = self.blur[0].radius().max(2 * self.blur[1].radius());
            self.focus(even(part.grown(reach)).cut(all));
        }
        self.expose();
        self.frames += 1;
        &self.out
    }

    /// Brightness and colour of a part of the picture under the light that falls there.
    fn convert(&mut self, canvas: &Canvas, part: Rect) {
        let width = self.sharp.size().width();
        let span = part.x0 as usize..part.x1 as usize;
        let half = part.x0 as usize / 2..part.x1 as usize / 2;
        let at = |y: usize| y * width + span.start..y * width + span.end;
        let [luma, u, v] = self.sharp.planes_mut();
        for y in (part.y0 as usize..part.y1 as usize).step_by(2) {
            let (above, below) = (&canvas.row(y)[span.clone()], &canvas.row(y + 1)[span.clone()]);
            let (upper, lower) = (at(y), at(y + 1));
            develop_row(&mut luma[upper.clone()], above, &self.light[upper.clone()], self.balance);
            develop_row(&mut luma[lower.clone()], below, &self.light[lower], self.balance);
            let row = y / 2 * (width / 2);
            let colours = u[row + half.start..row + half.end].iter_mut().zip(&mut v[row + half.start..row + half.end]);
            let quads = above.chunks_exact(2).zip(below.chunks_exact(2)).zip(self.light[upper].chunks_exact(2));
            for ((u, v), ((above, below), light)) in colours.zip(quads) {
                [*u, *v] = tint([above[0], above[1], below[0], below[1]], light[0], self.balance);
            }
        }
    }

    fn focus(&mut self, part: Rect) {
        let half = Rect { x0: part.x0 / 2, y0: part.y0 / 2, x1: part.x1 / 2, y1: part.y1 / 2 };
        let width = self.sharp.size().width();
        for (plane, width, part) in [(0, width, part), (1, width / 2, half), (2, width / 2, half)] {
            let blur = &self.blur[plane.min(1)];
            blur.apply(self.sharp.plane(plane), self.soft.plane_mut(plane), width, part);
        }
    }

    /// Exposure and noise for the whole frame. Values are kept in 32nds of a step of brightness, so that products of two
    /// 16-bit numbers of which only the upper half is wanted are all the work.
    fn expose(&mut self) {
        let time = self.frames as f32;
        let drift = self.conditions.drift.clamp(0.0, 0.5);
        let wander = 0.6 * (0.013 * time).sin() + 0.4 * (0.047 * time + 1.0).sin();
        let gain = (self.conditions.exposure * (1.0 + drift * wander)).clamp(0.1, 1.9);
        let gain = (gain * 16_384.0) as i16;
        let tint = (32.0 * 40.0 * drift * (0.021 * time).sin()) as i16;
        let strength = (self.conditions.noise.clamp(0.0, 12.0) * 1024.0) as i16;
        let width = self.out.size().width();
        for plane in 0..3 {
            let (width, strength) = if plane == 0 { (width, strength) } else { (width / 2, strength / 2) };
            let offset = [0, tint, -tint][plane];
            let rows = self.soft.plane(plane).chunks_exact(width);
            for (soft, out) in rows.zip(self.out.plane_mut(plane).chunks_exact_mut(width)) {
                let start = self.dice.below(NOISE);
                let noise = &self.noise[start..start + width];
                if plane == 0 {
                    brightness(out, soft, noise, gain, strength);
                } else {
                    colour(out, soft, noise, offset, strength);
                }
            }
        }
    }
}

/// The upper half of a product.
#[inline]
fn upper(a: i16, b: i16) -> i16 {
    ((i32::from(a) * i32::from(b)) >> 16) as i16
}

fn brightness(out: &mut [u8], soft: &[u8], noise: &[i16], gain: i16, strength: i16) {
    for ((out, &soft), &noise) in out.iter_mut().zip(soft).zip(noise) {
        let level = upper(i16::from(soft) << 7, gain);
        // The brightest places have half the noise of the darkest.
        let grain = upper(noise << 4, strength - upper(strength, i16::from(soft) << 7));
        *out = ((level + grain + 16) >> 5).clamp(0, 255) as u8;
    }
}

fn colour(out: &mut [u8], soft: &[u8], noise: &[i16], offset: i16, strength: i16) {
    for ((out, &soft), &noise) in out.iter_mut().zip(soft).zip(noise) {
        let level = i16::from(soft) << 5;
        *out = ((level + offset + upper(noise << 4, strength) + 16) >> 5).clamp(0, 255) as u8;
    }
}

/// Red, green and blue under this light and balance, in 128ths.
#[inline]
fn under(pixel: [u8; 4], light: u8, balance: [u32; 2]) -> [i32; 3] {
    let light = u32::from(light);
    let part = |channel: u8, gain: u32| (((u32::from(channel) * gain) >> 8) * light).min(255 << 7) as i32;
    [part(pixel[0], balance[0]), part(pixel[1], 256), part(pixel[2], balance[1])]
}

/// The brightness of a row. Glare shows more on what is bright already: cards shine, felt does not.
fn develop_row(out: &mut [u8], pixels: &[[u8; 4]], lights: &[[u8; 2]], balance: [u32; 2]) {
    for ((out, &pixel), &[light, glare]) in out.iter_mut().zip(pixels).zip(lights) {
        let [red, green, blue] = under(pixel, light, balance);
        let luma = 16 + ((66 * red + 129 * green + 25 * blue + (1 << 14)) >> 15);
        let shine = (i32::from(glare) * (64 + luma)) >> 8;
        *out = (luma + ((shine * (240 - luma)) >> 8)).clamp(16, 240) as u8;
    }
}

/// The two colour differences of four pixels, paler where there is glare.
#[inline]
fn tint(pixels: [[u8; 4]; 4], [light, glare]: [u8; 2], balance: [u32; 2]) -> [u8; 2] {
    let mut sum = [0; 3];
    for pixel in pixels {
        for (sum, channel) in sum.iter_mut().zip(under(pixel, light, balance)) {
            *sum += channel >> 2;
        }
    }
    let [red, green, blue] = sum;
    let pale = |difference: i32| {
        let difference = ((difference >> 7) * (256 - i32::from(glare) / 2)) >> 8;
        (128 + ((difference + 128) >> 8)).clamp(16, 240) as u8
    };
    [pale(-38 * red - 74 * green + 112 * blue), pale(112 * red - 94 * green - 18 * blue)]
}

/// Light and glare at each pixel.
fn light(size: Size, conditions: &Conditions) -> Vec<[u8; 2]> {
    let (width, height) = (size.width() as f32, size.height() as f32);
    let place = |index: usize| {
        let (x, y) = ((index % size.width()) as f32 + 0.5, (index / size.width()) as f32 + 0.5);
        let (right, down) = (x / width - 0.5, (y - 0.5 * height) / width);
        let square = 3.0 * (right * right + down * down);
        let light = 128.0 * (1.0 - conditions.vignette * square).clamp(0.0, 1.9);
        let glare: f32 = conditions
            .glares
            .iter()
            .map(|glare| {
                let (right, down) = (x - glare.at[0] * width, y - glare.at[1] * height);
                let square = (right * right + 2.2 * down * down) / (glare.reach * width).max(1.0).powi(2);
                if square < 6.0 { 255.0 * glare.strength * (-square).exp() } else { 0.0 }
            })
            .sum();
        [light as u8, glare.clamp(0.0, 255.0) as u8]
    };
    (0..size.width() * size.height()).map(place).collect()
}

/// The same part, or a little more, with even corners.
fn even(part: Rect) -> Rect {
    Rect { x0: part.x0 & !1, y0: part.y0 & !1, x1: (part.x1 + 1) & !1, y1: (part.y1 + 1) & !1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::video::camera::View;

    fn camera() -> Camera {
        Camera::new(View::overhead(), Size::new(64, 48))
    }

    fn striped() -> Canvas {
        let mut canvas = Canvas::new(Size::new(64, 48));
        for y in 0..48 {
            for (x, pixel) in canvas.row_mut(y).iter_mut().enumerate() {
                *pixel = if (x / 4 + y / 6) % 2 == 0 { [200, 40, 30, 255] } else { [30, 90, 60, 255] };
            }
        }
        canvas
    }

    #[test]
    fn a_clear_camera_alters_no_colour() {
        let mut canvas = Canvas::new(Size::new(64, 48));
        for y in 0..48 {
            canvas.row_mut(y).fill([180, 60, 90, 255]);
        }
        let mut effects = Effects::new(&camera(), Conditions::clear(), &Dice::new(1));
        let frame = effects.develop(&canvas, &[Rect::all(canvas.size())]);
        let rgb = frame.to_rgb();
        assert!(
            rgb.chunks_exact(3).all(|pixel| {
                pixel
                    .iter()
                    .zip([180, 60, 90])
                    .all(|(&seen, true_value): (&u8, i32)| (i32::from(seen) - true_value).abs() <= 3)
            }),
            "{:?}",
            &rgb[..3]
        );
    }

    #[test]
    fn a_part_developed_anew_is_as_if_all_had_been() {
        let mut dice = Dice::new(9);
        for _ in 0..6 {
            let conditions = Conditions::random(&mut dice);
            let mut piecewise = Effects::new(&camera(), conditions.clone(), &Dice::new(5));
            let mut whole = Effects::new(&camera(), conditions, &Dice::new(5));
            let all = Rect::all(Size::new(64, 48));
            let mut canvas = striped();
            piecewise.develop(&canvas, &[all]);
            whole.develop(&canvas, &[all]);
            for y in 11..18 {
                canvas.row_mut(y)[33..40].fill([255, 255, 250, 255]);
            }
            let part = Rect { x0: 33, y0: 11, x1: 40, y1: 18 };
            assert_eq!(piecewise.develop(&canvas, &[part]), whole.develop(&canvas, &[all]));
        }
    }

    #[test]
    fn noise_is_there_and_stronger_in_the_dark() {
        let spread = |level: u8| {
            let mut canvas = Canvas::new(Size::new(64, 48));
            for y in 0..48 {
                canvas.row_mut(y).fill([level, level, level, 255]);
            }
            let conditions = Conditions { noise: 6.0, ..Conditions::clear() };
            let mut effects = Effects::new(&camera(), conditions, &Dice::new(2));
            let frame = effects.develop(&canvas, &[Rect::all(canvas.size())]);
            let values: Vec<f32> = frame.plane(0).iter().map(|&value| f32::from(value)).collect();
            let mean = values.iter().sum::<f32>() / values.len() as f32;
            (values.iter().map(|value| (value - mean).powi(2)).sum::<f32>() / values.len() as f32).sqrt()
        };
        let (dark, bright) = (spread(40), spread(220));
        assert!((4.5..6.5).contains(&dark) && bright < 0.75 * dark, "{dark} in the dark, {bright} in the light");
    }
}
