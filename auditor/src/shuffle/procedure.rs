//! Shuffles as they are written and as they are done: the procedures of the books and of the machines.
//!
//! The simulator shuffles its packs this way, and the test of a shoe asks how such a shuffle, done properly, would have
//! looked. What survives of the old order in the hands of a dealer survives here too.

use std::fmt;
use std::ops::RangeInclusive;
use std::str::FromStr;

use table::Act;
use table::text::{named, nearest};

use super::DECK;
use super::moves::Move;
use crate::model::random::Dice;
use crate::rules::Rules;

named! {
    /// A word of a procedure.
    pub enum Stage, "riffles:K, half-decks, riffle-riffle-box-riffle, riffle-riffle-box, wash, stack, strip, box, \
                     shelf:K, machine, csm or csm-stuck" {
        /// So many riffles of the whole pack.
        Riffles = "riffles",
        /// Half-deck packets from two halves, riffled through in two passes.
        HalfDecks = "half-decks",
        /// Riffle, riffle, box, riffle, twice.
        RiffleRiffleBoxRiffle = "riffle-riffle-box-riffle",
        /// Riffle, riffle, box.
        RiffleRiffleBox = "riffle-riffle-box",
        /// Spread and stirred.
        Wash = "wash",
        /// Squared into one stack.
        Stack = "stack",
        /// Small packets pulled off in turn.
        Strip = "strip",
        /// Large packets put in another order.
        Box = "box",
        /// A machine with so many shelves.
        Shelf = "shelf",
        /// A machine that makes every order equally likely.
        Machine = "machine",
        /// A continuous shuffler.
        Csm = "csm",
        /// A continuous shuffler whose wheel stands still, so that it hardly shuffles.
        CsmStuck = "csm-stuck",
    }
}

impl Stage {
    /// The numbers it may be written with, if it needs one.
    const fn counts(self) -> Option<RangeInclusive<u8>> {
        match self {
            Self::Riffles => Some(1..=30),
            Self::Shelf => Some(2..=60),
            _ => None,
        }
    }

    /// The moves it is made of, written with this number.
    fn moves(self, count: u8) -> Vec<Move> {
        use Move::{Box, Continuous, FirstPass, Riffle, SecondPass, Shelves, Stack, Strip, Uniform, Wash};
        match self {
            Self::Riffles => vec![Riffle; usize::from(count)],
            Self::HalfDecks => vec![FirstPass, SecondPass],
            Self::RiffleRiffleBoxRiffle => [Riffle, Riffle, Box, Riffle].repeat(2),
            Self::RiffleRiffleBox => vec![Riffle, Riffle, Box],
            Self::Wash => vec![Wash],
            Self::Stack => vec![Stack],
            Self::Strip => vec![Strip],
            Self::Box => vec![Box],
            Self::Shelf => vec![Shelves(count)],
            Self::Machine => vec![Uniform],
            Self::Csm | Self::CsmStuck => vec![Continuous],
        }
    }
}

/// How a pack is shuffled, as it is written on the command line: `wash+riffles:2+box`.
///
/// ```
/// use auditor::model::random::Dice;
/// use auditor::shuffle::Procedure;
///
/// let procedure: Procedure = "wash+riffles:2+box".parse()?;
/// let shuffled = procedure.shuffle((1..=52).collect(), &mut Dice::new(7));
/// assert_eq!(shuffled.iter().sum::<u32>(), 52 * 53 / 2);
/// # Ok::<(), auditor::shuffle::ProcedureError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Procedure {
    /// The stages in order, each with its number; 0 for those that have none.
    stages: Vec<(Stage, u8)>,
}

impl Procedure {
    /// The shuffle that a game's book asks for.
    pub fn usual(rules: &Rules) -> Self {
        // Of the books only the one with a hole card prints its shuffle; the others ask for wash, stack and riffle at an
        // opening and leave the rest to the house.
        let stages: &[Stage] = match rules.decks {
            _ if rules.csm => &[Stage::Csm],
            0..=1 => &[Stage::RiffleRiffleBoxRiffle],
            _ if rules.hole_card => &[Stage::HalfDecks],
            _ => &[Stage::Wash, Stage::Stack, Stage::RiffleRiffleBox],
        };
        Self { stages: stages.iter().map(|stage| (*stage, 0)).collect() }
    }

    /// The same for cards that are new to the table: washed, stacked and riffled before anything else.
    #[must_use]
    pub fn for_new_cards(&self) -> Self {
        let moves = self.moves();
        let opening = [(Stage::Wash, 0), (Stage::Stack, 0), (Stage::Riffles, 1)];
        let lacks = |stage: Stage| match stage {
            Stage::Riffles => !moves.iter().any(|made| made.riffles()),
            _ => !self.stages.contains(&(stage, 0)),
        };
        let first = opening.into_iter().filter(|(stage, _)| lacks(*stage));
        Self { stages: first.chain(self.stages.iter().copied()).collect() }
    }

    /// A pack shuffled this way. The first card is the top one, before and after.
    pub fn shuffle<T>(&self, cards: Vec<T>, dice: &mut Dice) -> Vec<T> {
        mix(&self.moves(), cards, dice)
    }

    /// What is seen of the shuffle, step by step.
    pub fn acts(&self, rules: &Rules) -> Vec<Act> {
        acts(&self.moves(), rules)
    }

    /// Whether its continuous shuffler stands still once it is loaded.
    pub fn is_stuck(&self) -> bool {
        self.stages.iter().any(|(stage, _)| *stage == Stage::CsmStuck)
    }

    /// The moves it is made of, in order.
    pub fn moves(&self) -> Vec<Move> {
        self.stages.iter().flat_map(|(stage, count)| stage.moves(*count)).collect()
    }
}

/// A pack after these moves.
pub fn mix<T>(moves: &[Move], cards: Vec<T>, dice: &mut Dice) -> Vec<T> {
    moves.iter().fold(cards, |cards, made| made.make(cards, dice))
}

/// What is seen of these moves, step by step.
pub fn acts(moves: &[Move], rules: &Rules) -> Vec<Act> {
    let cards = usize::from(rules.decks) * DECK;
    let seen = moves.iter().map(|made| made.seen(cards));
    seen.flat_map(|(mix, times)| std::iter::repeat_n(Act::Shuffle(mix), times)).collect()
}

impl fmt::Display for Procedure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (stage, count)) in self.stages.iter().enumerate() {
            let plus = if index == 0 { "" } else { "+" };
            match stage.counts() {
                Some(_) => write!(f, "{plus}{stage}:{count}")?,
                None => write!(f, "{plus}{stage}")?,
            }
        }
        Ok(())
    }
}

impl FromStr for Procedure {
    type Err = ProcedureError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let stages: Result<_, _> = text.split('+').map(stage).collect();
        stages.map(|stages| Self { stages })
    }
}

/// One stage as it is written.
fn stage(text: &str) -> Result<(Stage, u8), ProcedureError> {
    let (word, count) = text.split_once(':').map_or((text, None), |(word, count)| (word, Some(count)));
    let stage: Stage = word.parse().map_err(|_| ProcedureError::Unknown {
        word: word.to_owned(),
        nearest: nearest(word, Stage::ALL.iter().map(|stage| stage.name())),
    })?;
    match (stage.counts(), count) {
        (None, None) => Ok((stage, 0)),
        (None, Some(_)) => Err(ProcedureError::NotCounted { stage }),
        (Some(allowed), count) => {
            let (least, most) = (*allowed.start(), *allowed.end());
            let count = count.and_then(|count| count.parse().ok()).filter(|count| allowed.contains(count));
            count.map(|count| (stage, count)).ok_or(ProcedureError::Count { stage, least, most })
        }
    }
}

/// Text that is no procedure.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProcedureError {
    /// A word that names no stage.
    #[error(
        "there is no shuffle {word:?}, {}",
        nearest.map_or_else(|| format!("expected {}", Stage::EXPECTED), |near| format!("did you mean {near}?"))
    )]
    Unknown {
        /// As written.
        word: String,
        /// A stage with a name much like it.
        nearest: Option<&'static str>,
    },
    /// A stage whose number is missing or out of range.
    #[error("the shuffle {stage} takes a number from {least} to {most}, as in {stage}:{least}")]
    Count {
        /// Which stage.
        stage: Stage,
        /// The least it may be.
        least: u8,
        /// The most it may be.
        most: u8,
    },
    /// A number on a stage that has none.
    #[error("the shuffle {stage} takes no number")]
    NotCounted {
        /// Which stage.
        stage: Stage,
    },
}
