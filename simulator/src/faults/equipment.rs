//! What the equipment gets wrong while the people at the table get everything right.

use auditor::model::random::Dice;
use table::{Card, Round, Suit};

use super::{Troubled, Way};
use crate::truth::Kind;
use crate::{Draw, Trouble};

/// Makes trouble in a round, if it has what it takes, and tells of it.
pub(crate) type MakesTrouble = fn(&Round, &[Draw], &mut Dice) -> Option<(Trouble, String)>;

/// No check looks at the equipment by now.
pub(super) const FAULTS: &[Troubled] = &[
    Troubled { name: "shoe_misread", what: "The shoe reads a card as another of its rank.", way: misread },
    Troubled { name: "shoe_unread", what: "The shoe cannot read a card.", way: unread },
    Troubled { name: "shoe_repeated", what: "The shoe sends a telegram more often than it should.", way: repeated },
    Troubled { name: "shoe_lost", what: "A telegram of the shoe is lost, repeats and all.", way: lost },
    Troubled { name: "camera_gap", what: "The camera sees nothing for some seconds.", way: gap },
    Troubled { name: "clock_jump", what: "The camera's clock jumps.", way: jump },
];

impl Troubled {
    /// The fault for the registry.
    pub(super) fn fault(&self) -> super::Fault {
        super::Fault {
            name: self.name,
            kind: Kind::Equipment,
            what: self.what,
            check: None,
            ways: vec![Way::Trouble(self.way)],
        }
    }
}

fn misread(_: &Round, draws: &[Draw], dice: &mut Dice) -> Option<(Trouble, String)> {
    let draw = dice.below(draws.len());
    let card = draws.get(draw)?.card;
    let others: Vec<Suit> = Suit::ALL.iter().copied().filter(|suit| Some(*suit) != card.suit()).collect();
    let says = Card::new(card.rank()?, *dice.pick(&others)?);
    Some((Trouble::ShoeMisread { draw, says }, format!("the shoe read {card} as {says}")))
}

fn unread(_: &Round, draws: &[Draw], dice: &mut Dice) -> Option<(Trouble, String)> {
    let draw = dice.below(draws.len());
    let card = draws.get(draw)?.card;
    Some((Trouble::ShoeUnread { draw }, format!("the shoe could not read {card}")))
}

fn repeated(_: &Round, draws: &[Draw], dice: &mut Dice) -> Option<(Trouble, String)> {
    let draw = dice.below(draws.len());
    let card = draws.get(draw)?.card;
    Some((Trouble::ShoeRepeated { draw }, format!("the shoe sent {card} too often")))
}

fn lost(_: &Round, draws: &[Draw], dice: &mut Dice) -> Option<(Trouble, String)> {
    let draw = dice.below(draws.len());
    let card = draws.get(draw)?.card;
    Some((Trouble::ShoeLost { draw }, format!("the telegram of {card} was lost")))
}

fn gap(round: &Round, _: &[Draw], dice: &mut Dice) -> Option<(Trouble, String)> {
    let step = dice.below(round.steps.len());
    let seconds = 3 + dice.below(10) as u64;
    round.steps.get(step)?;
    let says = format!("the camera saw nothing for {seconds} s");
    Some((Trouble::CameraGap { step, micros: seconds * 1_000_000 }, says))
}

fn jump(round: &Round, _: &[Draw], dice: &mut Dice) -> Option<(Trouble, String)> {
    let step = dice.below(round.steps.len());
    round.steps.get(step)?;
    let seconds = 2 + dice.below(60) as i64;
    let by = if dice.once_in(2) { seconds } else { -seconds };
    Some((Trouble::ClockJump { step, micros: by * 1_000_000 }, format!("the camera's clock jumped by {by} s")))
}
