//! How likely it is that something goes otherwise than it should, as natural logarithms.

use table::Face;

use super::Sight;

/// How sure one can be that a back is a card of its own.
const ONE_BACK: f64 = 0.985;
/// A card that seems turned up and reads so unlike the one that lay there may be another.
pub(super) const ANOTHER: f64 = -5.0;
/// How much of the doubt about a face is doubt whether there is a card: what edges and folds make up reads like nothing in particular.
const UNREADABLE: f64 = 0.1;

/// A sighting of a card that lies there already.
pub(super) const AGAIN: f64 = -4.0;
/// The same where several cameras look on.
pub(super) const BY_ANOTHER: f64 = -0.1;
/// A card that came from a hand rather than from the shoe.
pub(super) const MOVED: f64 = -1.2;
/// A card of which the shoe said nothing.
pub(super) const UNTOLD: f64 = -6.2;
/// The same where the shoe says that it lost something.
pub(super) const IN_GAP: f64 = -0.7;
/// A card seen before one that was drawn earlier.
pub(super) const OVERTAKEN: f64 = -3.0;
/// A card that lay about for a time.
pub(super) const LOOSE: f64 = -7.0;
/// A loose card that comes to a hand after all.
pub(super) const TAKEN_UP: f64 = -0.7;
/// A sighting in the wrong position or on the box beside.
pub(super) const MISPLACED: f64 = -5.5;
/// A card that the game does not give to this hand now.
pub(super) const NOT_DUE: f64 = -4.0;
/// The same in the initial deal, where everybody knows who is next.
pub(super) const OUT_OF_TURN: f64 = -7.0;
/// A card to a box on which no chips were seen.
pub(super) const UNKNOWN_BOX: f64 = -3.0;
/// A telegram that comes after its card was seen.
pub(super) const LATE_DRAW: f64 = -4.0;
/// A card that seems to lie there when no camera has any card in sight.
pub(super) const OUT_OF_SIGHT: f64 = -4.0;
/// A card that goes to the rack with the hand beside its own, and not with its own.
pub(super) const LEFT_APART: f64 = -7.5;

/// What left a spot where a card lay and nothing was seen was the one of them that it is likely to have been by so much.
pub(super) fn was_so(likely: f64) -> f64 {
    likely.max(UNREADABLE).ln()
}

/// A sighting of nothing: less likely the surer the camera is of a card there, and of which it is. It may see one back twice, however
/// sure it is of each.
pub(super) fn made_up(sight: &Sight) -> f64 {
    let face = if sight.card.card.is_known() { sight.card.chance.as_f64() } else { 1.0 };
    let chance = if sight.spot.face == Face::Down { sight.chance.min(ONE_BACK) } else { sight.chance };
    (1.0 - chance * (1.0 - UNREADABLE * (1.0 - face)) + 1e-5).ln()
}
