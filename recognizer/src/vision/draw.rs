//! Drawing on pictures what was seen in them, for people to check.

use opencv::core::{Mat, Point, Scalar, Vector};
use opencv::imgproc;

use super::quad::Pixel;

/// What a line is drawn in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// A card read with confidence.
    Sure,
    /// A card read with doubt.
    Doubtful,
    /// A card that lies face down.
    Back,
    /// Part of the layout.
    Layout,
    /// Something wrong.
    Wrong,
}

impl Ink {
    fn colour(self) -> Scalar {
        let [blue, green, red] = match self {
            Self::Sure => [90.0, 230.0, 60.0],
            Self::Doubtful => [40.0, 190.0, 255.0],
            Self::Back => [255.0, 170.0, 60.0],
            Self::Layout => [255.0, 255.0, 120.0],
            Self::Wrong => [60.0, 60.0, 255.0],
        };
        Scalar::new(blue, green, red, 0.0)
    }
}

/// Draws a closed line through these places.
pub fn outline(on: &mut Mat, places: &[Pixel], ink: Ink) -> Result<(), opencv::Error> {
    let points: Vector<Point> = places.iter().map(|[x, y]| Point::new(x.round() as i32, y.round() as i32)).collect();
    imgproc::polylines(on, &points, true, ink.colour(), 2, imgproc::LINE_AA, 0)
}

/// Writes a line of text that begins at a place, on a dark edge so that it shows on anything.
pub fn label(on: &mut Mat, text: &str, [x, y]: Pixel, ink: Ink) -> Result<(), opencv::Error> {
    let at = Point::new(x.round() as i32, y.round() as i32);
    for (colour, thickness) in [(Scalar::all(0.0), 4), (ink.colour(), 1)] {
        imgproc::put_text(
            on,
            text,
            at,
            imgproc::FONT_HERSHEY_SIMPLEX,
            0.55,
            colour,
            thickness,
            imgproc::LINE_AA,
            false,
        )?;
    }
    Ok(())
}
