//! What the simulator knows and no auditor may: the labels on a tape's truth channel.

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use table::text::named;
use table::{AtStake, BoxNo, Card, CardAt, Game, Hand, Ident, Round, RoundId, Utc};

/// One message of the truth channel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum Truth {
    /// How the tape was made; its first label.
    Tape(Made),
    /// A round as it really was.
    Round {
        /// The true round.
        round: Box<Round>,
        /// The cards that left the shoe, in order.
        drawn: Vec<Card>,
    },
    /// Something that went wrong.
    Fault(Label),
    /// Cards that were shuffled.
    Shuffle(Shuffled),
    /// What is in a picture.
    Frame(Frame),
}

/// How a tape was made: the same again gives the same bytes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Made {
    /// The seed.
    pub seed: u64,
    /// The game with its options.
    pub game: Game,
    /// Rounds asked for.
    pub rounds: u32,
    /// The noise of the feeds: the chance that a card is read wrongly or not at all.
    pub noise: f64,
    /// The faults asked for, as on the command line.
    pub faults: Vec<String>,
}

named! {
    /// What sort of wrong a fault is.
    pub enum Kind, "dealer, player, equipment, collusion, shuffle or handled" {
        /// The dealer's mistake.
        Dealer = "dealer",
        /// A player's fraud.
        Player = "player",
        /// The equipment's.
        Equipment = "equipment",
        /// A pattern over a shift.
        Collusion = "collusion",
        /// The shuffle was not what it should be.
        Shuffle = "shuffle",
        /// An irregularity that was put right as the rules ask: no error.
        Handled = "handled",
    }
}

named! {
    /// How a fault came about.
    pub enum Way, "lived or staged" {
        /// In a round that happened to be played.
        Lived = "lived",
        /// In a round dealt for the purpose.
        Staged = "staged",
    }
}

/// A round of the label's table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Until {
    /// Of which shoe.
    pub shoe: u32,
    /// Which round.
    pub round: u32,
}

/// A fault that was injected.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Label {
    /// In which round.
    #[serde(flatten)]
    pub round: RoundId,
    /// The last round in which it may show, where that is a later one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Until>,
    /// Its name in the registry of faults.
    pub fault: String,
    /// How it came about.
    pub way: Way,
    /// What sort of wrong.
    pub kind: Kind,
    /// The check that should find it; none where no check can by now, or nothing is to be found.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub check: Option<String>,
    /// Whether what can be seen is enough to find it; where it is not, finding it is right and missing it no shame.
    #[serde(default = "yes", skip_serializing_if = "Clone::clone")]
    pub sure: bool,
    /// The clause it breaks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clause: Option<String>,
    /// On which box.
    #[serde(default, rename = "box", skip_serializing_if = "Option::is_none")]
    pub box_no: Option<BoxNo>,
    /// On which hand of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hand: Option<Hand>,
    /// What it moved, and in whose favour.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub money: Option<AtStake>,
    /// What happened, in a sentence without a full stop.
    pub says: String,
}

const fn yes() -> bool {
    true
}

/// One shuffle: what went in and what came out, in full.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shuffled {
    /// The shoe it made.
    pub shoe: u32,
    /// The procedure, as on the command line.
    pub how: String,
    /// The cards in the order they went into the shuffle.
    pub before: Vec<Card>,
    /// The cards in the order they will be dealt, after the cut.
    pub after: Vec<Card>,
}

/// What is in one picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    /// Which camera took it.
    pub camera: Ident,
    /// When.
    pub at: Utc,
    /// The cards on the layout, the lowest first.
    pub cards: Vec<CardSeen>,
}

/// A card in a picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CardSeen {
    /// Its face, also if it lies face down.
    pub card: Card,
    /// Where it lies; none for a card in a hand on its way, or lying about.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at: Option<CardAt>,
    /// Its corners in pixels, clockwise from the card's own top left.
    pub quad: [[f32; 2]; 4],
    /// The part of it that can be seen, from 0 to 1.
    pub visible: f32,
}

impl Truth {
    /// The label as a tape carries it.
    pub fn to_json(&self) -> Result<Map<String, Value>, serde_json::Error> {
        match serde_json::to_value(self)? {
            Value::Object(label) => Ok(label),
            other => Ok(Map::from_iter([("what".to_owned(), other)])),
        }
    }

    /// The label a tape carries.
    pub fn from_json(label: Map<String, Value>) -> Result<Self, serde_json::Error> {
        serde_json::from_value(Value::Object(label))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_survives_the_tape() {
        let round = RoundId { table: "BJ-04".parse().unwrap(), shoe: 2, round: 7 };
        let label = Truth::Fault(Label {
            round,
            until: None,
            fault: "paid_a_push".into(),
            way: Way::Lived,
            kind: Kind::Dealer,
            check: Some("paid_a_push".into()),
            sure: true,
            clause: None,
            box_no: BoxNo::new(3),
            hand: Some(Hand::A),
            money: None,
            says: "box 3 was paid for a push".into(),
        });
        let json = label.to_json().unwrap();
        assert_eq!(json["what"], "fault");
        assert_eq!(json["box"], 3);
        assert_eq!(Truth::from_json(json).unwrap(), label);
    }
}
