//! Looking for cards of unknown size: the same picture at several scales, each for the cards that suit it.

use opencv::core::{Mat, MatTraitConst, Rect};

use super::VisionError;
use super::finder::Finder;
use super::votes::Candidate;

/// How wide a card is best, in pixels of the finder's input.
const BEST: f32 = 80.0;
/// How much larger each look is than the one before.
const STEP: f32 = std::f32::consts::SQRT_2;
/// How wide cards may be at a scale for it to be theirs: more than from one scale to the next, so that most have two looks.
const WIDTHS: (f32, f32) = (42.0, 130.0);
/// How much a size may differ from the best, as a natural logarithm, before what was found counts for less: of a card that is too
/// large for a scale the finder frames fragments.
const FITS: f32 = 0.35;
/// A picture is never looked at more than this much larger than it is.
const LARGEST: f32 = 2.0;
/// The longest side of the smallest look: a card held before the lens, as long as the picture, is about of its best size there.
const SMALLEST: f32 = 128.0;
/// The most pixels of one look.
const MOST: f32 = 12e6;

/// At which scale cards of this width are found best.
pub(super) fn scale_for(card_width: f32) -> f32 {
    (BEST / card_width.max(1.0)).clamp(0.05, LARGEST)
}

/// The scales at which a picture of this size is looked at.
fn scales(width: f32, height: f32) -> Vec<f32> {
    let side = width.max(height);
    let mut scales = Vec::new();
    let mut scale = (SMALLEST / side).min(LARGEST);
    while scale < LARGEST && scale * scale * width * height <= MOST {
        scales.push(scale);
        scale *= STEP;
    }
    if scales.is_empty() { vec![scale] } else { scales }
}

/// How well a card of this width at a scale suits it.
fn fit(width: f32) -> f32 {
    let off = (width / BEST).ln() / FITS;
    (-0.5 * off * off).exp()
}

/// Where cards may be in a whole picture.
pub(super) fn candidates(finder: &mut Finder, picture: &Mat) -> Result<Vec<Candidate>, VisionError> {
    let all = Rect::new(0, 0, picture.cols(), picture.rows());
    let mut found: Vec<Candidate> = Vec::new();
    for scale in scales(all.width as f32, all.height as f32) {
        for mut candidate in finder.find(picture, all, scale)? {
            let width = scale * candidate.quad.card_width();
            if (WIDTHS.0..WIDTHS.1).contains(&width) {
                candidate.fit = fit(width);
                found.push(candidate);
            }
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_size_of_card_has_its_scale() {
        for side in [300.0, 640.0, 1280.0, 1920.0, 3840.0_f32] {
            let scales = scales(side, side * 0.6);
            for part in [0.025, 0.04, 0.07, 0.1, 0.2, 0.3, 0.4, 0.6, 0.7] {
                let card = part * side;
                // Below so many pixels nobody could read it.
                if card >= 30.0 {
                    let fits = |scale: &f32| (WIDTHS.0..WIDTHS.1).contains(&(card * scale));
                    assert!(scales.iter().any(fits), "a card of {card} px in a picture of {side}: {scales:?}");
                }
            }
        }
        assert_eq!(scales(1.0, 1.0).len(), 1);
    }

    #[test]
    fn a_card_suits_the_scale_at_which_it_is_nearest_to_the_best_width() {
        for wide in [60.0, 75.0, 90.0, 105.0] {
            assert!(fit(wide) > fit(2.0 * wide) && fit(wide) > fit(0.5 * wide), "{wide}");
        }
        assert!((fit(BEST) - 1.0).abs() < 1e-6);
    }
}
