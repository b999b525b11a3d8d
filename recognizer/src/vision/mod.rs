//! Cards in a picture: which, where, face up or down, and how sure.
//!
//! Two networks, told of in `models/README.md`. The finder says of every part of a picture whether it shows a card and
//! where that card's middle is; the reader takes one card, straightened, and reads it. [`Eyes`] are both.

mod draw;
mod finder;
mod heap;
mod model;
mod open;
mod quad;
mod reader;
mod search;
mod shows;
mod sift;
mod votes;

use opencv::core::{Mat, MatTraitConst, Rect};
use table::chance::Spread;
use table::{Card, Chance, Rank, Reading, Suit};

pub use draw::{Ink, label, outline};
pub use model::{Models, time_of};
pub use open::{OpenError, decode, open};
pub use quad::{Pixel, Quad};

use crate::runtime::{Places, RuntimeError, environment};
use finder::Finder;
use reader::{Answer, Reader, Sizes};
use sift::Read;
pub(crate) use sift::softmax;
use votes::Candidate;

/// Why nothing could be seen.
#[derive(Debug, thiserror::Error)]
pub enum VisionError {
    /// ONNX Runtime is not to be had.
    #[error(transparent)]
    Runtime(#[from] RuntimeError),
    /// A network is not what it should be.
    #[error("{file} is not a card model this program can use: {why}")]
    Model {
        /// Which file.
        file: String,
        /// What is wrong with it.
        why: String,
    },
    /// OpenCV could not do its part.
    #[error("the picture could not be looked at: {}", .0.message)]
    OpenCv(#[from] opencv::Error),
    /// The pixels could not be had.
    #[error(transparent)]
    Image(#[from] ingest::camera::ImageError),
}

/// A card that was seen.
#[derive(Clone, Debug, PartialEq)]
pub struct Seen {
    /// Its outline, clockwise from its own top left; the whole card's, also where part of it is hidden.
    pub quad: Quad,
    /// How likely it has each rank, ace to king.
    pub ranks: [f32; 13],
    /// How likely it is of clubs, diamonds, hearts or spades.
    pub suits: [f32; 4],
    /// How likely it lies face up, face down, or is no card at all.
    pub state: [f32; 3],
    /// The part of it that shows, as far as the finder can tell.
    pub visible: f32,
}

/// Below this part a card counts as partly hidden.
const WHOLE: f32 = 0.8;

impl Seen {
    /// Whether it lies face up.
    pub fn is_up(&self) -> bool {
        self.state[0] >= self.state[1]
    }

    /// The likeliest face; none if it lies face down.
    pub fn card(&self) -> Option<Card> {
        let (rank, suit) = (best(&self.ranks), best(&self.suits));
        self.is_up().then(|| Card::new(Rank::ALL[rank], Suit::ALL[suit]))
    }

    /// How likely the likeliest rank is, and the likeliest suit.
    pub fn chances(&self) -> (f32, f32) {
        (self.ranks[best(&self.ranks)], self.suits[best(&self.suits)])
    }

    /// How likely it is a card, lying as it is said to.
    pub fn is_card(&self) -> f32 {
        self.state[0].max(self.state[1])
    }

    /// How likely all that is said of it is right.
    pub fn confidence(&self) -> f32 {
        let (rank, suit) = self.chances();
        if self.is_up() { self.state[0] * rank * suit } else { self.state[1] }
    }

    /// Whether something lies on it.
    pub fn partly_hidden(&self) -> bool {
        self.visible < WHOLE
    }

    /// Whether it is this card, still lying there; hidden stands for any card face down.
    fn is_again(&self, quad: &Quad, card: Card) -> bool {
        const SAME: f32 = 0.8;
        self.card().unwrap_or(Card::HIDDEN) == card && self.confidence() >= SAME && self.quad.overlap(quad) >= SAME
    }

    /// What events say of it.
    pub fn reading(&self) -> Reading {
        if !self.is_up() {
            return Reading::certain(Card::HIDDEN);
        }
        Reading::from_spread(Spread { ranks: millionths(&self.ranks), suits: millionths(&self.suits) })
    }
}

/// Probabilities as whole millionths that add up to one.
pub(crate) fn millionths<const N: usize>(of: &[f32; N]) -> [Chance; N] {
    let mut parts = of.map(|part| (f64::from(part.clamp(0.0, 1.0)) * 1e6).floor() as u32);
    let sum: u32 = parts.iter().sum();
    // Rounding leaves a little, which belongs to the likeliest; more than all there is cannot be left.
    let likeliest = best(of);
    parts[likeliest] = (i64::from(parts[likeliest]) + 1_000_000 - i64::from(sum)).clamp(0, 1_000_000) as u32;
    parts.map(|part| Chance::from_millionths(part.min(1_000_000)).unwrap_or(Chance::CERTAIN))
}

pub(crate) fn best(of: &[f32]) -> usize {
    of.iter().enumerate().fold(0, |best, (at, chance)| if *chance > of[best] { at } else { best })
}

/// The outlines that were left after each step of a search, for finding out where a card was lost.
#[derive(Clone, Debug, Default)]
pub struct Steps {
    /// What the finder found.
    pub found: Vec<Quad>,
    /// What of it was worth reading.
    pub gated: Vec<Quad>,
    /// What of that could be read.
    pub read: Vec<Quad>,
}

/// Both networks, ready to look.
pub struct Eyes {
    finder: Finder,
    reader: Reader,
    /// Crops read so far.
    crops: u64,
}

impl Eyes {
    /// Loads the networks.
    pub fn open(models: &Models, runtime: &Places) -> Result<Self, VisionError> {
        let environment = environment(runtime)?;
        let (finder, reader) = (Finder::load(models, &environment)?, Reader::load(models, &environment)?);
        Ok(Self { finder, reader, crops: 0 })
    }

    /// What the networks' files say of their training.
    pub fn trained(&self) -> String {
        self.finder.trained()
    }

    /// How many cut-out cards the reader has looked at.
    pub const fn crops(&self) -> u64 {
        self.crops
    }

    /// The cards of any picture, in blue, green and red, of whatever size they are.
    pub fn search(&mut self, picture: &Mat) -> Result<Vec<Seen>, VisionError> {
        Ok(self.search_by_steps(picture)?.0)
    }

    /// The same, and what was there at each step before it was sifted.
    pub fn search_by_steps(&mut self, picture: &Mat) -> Result<(Vec<Seen>, Steps), VisionError> {
        let candidates = search::candidates(&mut self.finder, picture)?;
        let found = candidates.iter().map(|candidate| candidate.quad).collect();
        let candidates = sift::gated(candidates);
        let gated = candidates.iter().map(|candidate| candidate.quad).collect();
        let legible = self.read(picture, candidates, &[])?;
        let read = legible.iter().map(|read| read.seen.quad).collect();
        Ok((sift::cards(legible), Steps { found, gated, read }))
    }

    /// The cards in a part of a picture in which cards are so many pixels wide. Of cards that are known to lie there one
    /// reading will do, if it says what is known.
    pub fn look(
        &mut self,
        picture: &Mat,
        part: Rect,
        card_width: f32,
        known: &[(Quad, Card)],
    ) -> Result<Vec<Seen>, VisionError> {
        let all = Rect::new(0, 0, picture.cols(), picture.rows());
        let part = part & all;
        if part.width < 8 || part.height < 8 {
            return Ok(Vec::new());
        }
        let candidates = self.finder.find(picture, part, search::scale_for(card_width))?;
        Ok(sift::cards(self.read(picture, sift::gated(candidates), known)?))
    }

    /// Reads what the finder found: once to see whether it is a card and where its corners are, and what is left once
    /// more both ways round. What can be read comes back, as yet unsifted.
    fn read(
        &mut self,
        picture: &Mat,
        candidates: Vec<Candidate>,
        known: &[(Quad, Card)],
    ) -> Result<Vec<Read>, VisionError> {
        let mut sizes = Sizes::of(picture);
        let quads: Vec<Quad> = candidates.iter().map(|candidate| candidate.quad).collect();
        let first = self.reader.read(&mut sizes, &quads)?;
        let mut kept: Vec<(Candidate, Answer)> = candidates
            .into_iter()
            .zip(first)
            .filter(|(candidate, answer)| sift::promising(candidate, answer))
            .collect();
        for (candidate, answer) in &mut kept {
            candidate.quad = shows::moved(candidate.quad, answer.quad, &candidate.shown);
        }
        let mut read = Vec::new();
        let mut open = Vec::new();
        for (candidate, answer) in sift::apart(kept) {
            let once = sift::read(candidate.clone(), &[answer]);
            if known.iter().any(|(quad, card)| once.seen.is_again(quad, *card)) {
                read.push(once);
            } else {
                open.push(candidate);
            }
        }
        let again: Vec<Quad> = open.iter().flat_map(|candidate| [candidate.quad, candidate.quad.half_turn()]).collect();
        let second = self.reader.read(&mut sizes, &again)?;
        self.crops += (quads.len() + again.len()) as u64;
        read.extend(open.into_iter().zip(second.chunks_exact(2)).map(|(candidate, both)| sift::read(candidate, both)));
        Ok(sift::legible(read))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn millionths_add_up_whatever_the_numbers() {
        for parts in [[0.25_f32; 4], [1.0, 0.0, 0.0, 0.0], [0.7, 0.1, 0.1, 0.099_999_9], [2.0, f32::NAN, 0.0, -1.0]] {
            let sum: u32 = millionths(&parts).iter().map(|part| part.millionths()).sum();
            assert_eq!(sum, 1_000_000, "{parts:?}");
        }
    }
}
