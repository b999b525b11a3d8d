//! How likely each of the 52 faces is for one card, given what the shoe said and the camera saw of it.

use table::{Card, Chance, Reading};

/// How often a shoe that names a card names the right one.
const SHOE_TRUST: f64 = 0.9995;
/// What a source leaves to faces it rules out: no source is infallible.
const FLOOR: f64 = 1e-8;
/// What is left of a face in the shoe is never quite nothing: a card too many is found, not explained away.
const LEAST_LEFT: f64 = 0.05;

/// The logarithm of how likely each face is, up to a constant.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Faces([f64; 52]);

impl Faces {
    /// Nothing is known.
    pub(super) const FLAT: Self = Self([0.0; 52]);

    /// What a shoe said; `None` for a card it could not read.
    pub(super) fn heard(card: Option<Card>) -> Self {
        let Some(index) = card.and_then(Card::index) else { return Self::FLAT };
        let mut faces = [((1.0 - SHOE_TRUST) / 51.0).ln(); 52];
        faces[index] = SHOE_TRUST.ln();
        Self(faces)
    }

    /// What a camera saw.
    pub(super) fn seen(reading: &Reading) -> Self {
        let Some(best) = reading.card.index() else { return Self::FLAT };
        let mut faces = [0.0; 52];
        match &reading.spread {
            Some(spread) => {
                for (face, slot) in Card::faces().zip(&mut faces) {
                    let rank = face.rank().and_then(|rank| spread.ranks.get(rank as usize - 1));
                    let suit = face.suit().and_then(|suit| spread.suits.get(suit as usize));
                    *slot = rank.zip(suit).map_or(0.0, |(rank, suit)| rank.as_f64() * suit.as_f64());
                }
            }
            None => {
                faces = [(1.0 - reading.chance.as_f64()) / 51.0; 52];
                faces[best] = reading.chance.as_f64();
            }
        }
        Self(faces.map(|face| face.max(FLOOR).ln()))
    }

    /// Both together, from sources that err apart from each other.
    pub(super) fn and(&self, other: &Self) -> Self {
        let mut both = self.0;
        both.iter_mut().zip(&other.0).for_each(|(one, other)| *one += other);
        Self(both)
    }

    /// The logarithm of how likely all of it is, whatever the face.
    pub(super) fn evidence(&self, prior: &Prior) -> f64 {
        let joint = self.joint(prior);
        let most = joint.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        most + joint.iter().map(|face| (face - most).exp()).sum::<f64>().ln()
    }

    /// The faces that are at all likely, the likeliest first.
    pub(super) fn posterior(&self, prior: &Prior) -> Vec<(Card, f64)> {
        let all = self.evidence(prior);
        let joint = self.joint(prior);
        let mut faces: Vec<(Card, f64)> =
            Card::faces().zip(joint).map(|(card, face)| (card, (face - all).exp())).collect();
        // Of equals the first face goes first, so that the same evidence gives the same answer.
        faces.sort_by(|one, other| other.1.total_cmp(&one.1).then(one.0.cmp(&other.0)));
        faces.retain(|(_, chance)| *chance > 1e-4);
        faces
    }

    fn joint(&self, prior: &Prior) -> [f64; 52] {
        let mut joint = self.0;
        joint.iter_mut().zip(&prior.0).for_each(|(face, prior)| *face += prior);
        joint
    }
}

/// The logarithm of how likely a face is before anything is known of the card: by what is left in the shoe.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Prior([f64; 52]);

impl Prior {
    /// So many decks of which these have been seen.
    pub(super) fn left(decks: u8, seen: &[u16; 52]) -> Self {
        let left = seen.map(|seen| (f64::from(decks.max(1)) - f64::from(seen)).max(LEAST_LEFT));
        let all: f64 = left.iter().sum();
        Self(left.map(|left| (left / all).ln()))
    }
}

/// A probability as it is stored.
pub(super) fn chance(p: f64) -> Chance {
    Chance::from_f64(p.clamp(0.0, 1.0)).unwrap_or(Chance::CERTAIN)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn card(text: &str) -> Card {
        text.parse().unwrap()
    }

    fn reading(text: &str, chance: f64) -> Reading {
        Reading { card: card(text), chance: Chance::from_f64(chance).unwrap(), spread: None }
    }

    #[test]
    fn what_is_left_in_the_shoe_decides_between_faces_that_look_alike() {
        let mut seen = [0; 52];
        seen[card("6H").index().unwrap()] = 6;
        let both = Faces::seen(&reading("6H", 0.5));
        let fresh = both.posterior(&Prior::left(6, &[0; 52]));
        let used = both.posterior(&Prior::left(6, &seen));
        assert_eq!(fresh[0].0, card("6H"));
        assert_ne!(used[0].0, card("6H"));
    }

    #[test]
    fn shoe_and_camera_that_agree_make_a_card_certain() {
        let both = Faces::heard(Some(card("8C"))).and(&Faces::seen(&reading("8C", 0.6)));
        let posterior = both.posterior(&Prior::left(6, &[0; 52]));
        assert!(posterior[0].0 == card("8C") && posterior[0].1 > 0.9999, "{posterior:?}");
    }

    #[test]
    fn a_camera_without_doubt_outweighs_the_shoe_and_one_with_doubt_does_not() {
        let prior = Prior::left(6, &[0; 52]);
        let shoe = Faces::heard(Some(card("7H")));
        assert_eq!(shoe.and(&Faces::seen(&Reading::certain(card("7D")))).posterior(&prior)[0].0, card("7D"));
        assert_eq!(shoe.and(&Faces::seen(&reading("7D", 0.9))).posterior(&prior)[0].0, card("7H"));
    }

    #[test]
    fn evidence_that_agrees_is_likelier_than_evidence_that_does_not() {
        let prior = Prior::left(6, &[0; 52]);
        let shoe = Faces::heard(Some(card("7H")));
        let agrees = shoe.and(&Faces::seen(&reading("7H", 0.9))).evidence(&prior);
        let differs = shoe.and(&Faces::seen(&reading("2C", 0.9))).evidence(&prior);
        assert!(agrees > differs + 5.0);
    }
}
