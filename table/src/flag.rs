//! Flags: findings, with the clause, the money and the evidence.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::chance::Chance;
use crate::ident::Ident;
use crate::money::Money;
use crate::place::{BoxNo, Hand};
use crate::round::RoundId;
use crate::text::named;
use crate::time::Utc;

named! {
    /// How much a finding matters, least first.
    pub enum Severity, "info, minor, major or critical" {
        /// Worth knowing.
        Info = "info",
        /// A slip of procedure.
        Minor = "minor",
        /// A broken rule that can move money.
        Major = "major",
        /// Money moved wrongly, or the game was not fair.
        Critical = "critical",
    }
}

named! {
    /// What sort of finding it is.
    pub enum FlagKind, "dealer-error, wrong-payout, irregularity, suspect-shuffle, equipment or doubt" {
        /// The dealer broke procedure.
        DealerError = "dealer-error",
        /// A wager was paid, taken or left wrongly.
        WrongPayout = "wrong-payout",
        /// Something out of order happened, by whomever.
        Irregularity = "irregularity",
        /// The order or number of the cards is not what a fair shuffle gives.
        SuspectShuffle = "suspect-shuffle",
        /// A camera, shoe or sensor failed.
        Equipment = "equipment",
        /// Better explained by our own eyes than by the dealer. Never called an error.
        Doubt = "doubt",
    }
}

named! {
    /// Who gained by a mistake.
    pub enum Favours, "player, house or none" {
        /// The player has money of the house's.
        Player = "player",
        /// The house has money of the player's.
        House = "house",
        /// Nobody gained.
        None = "none",
    }
}

named! {
    /// What sort of record a piece of evidence is.
    pub enum EvidenceKind, "frame, shoe or chips" {
        /// A picture.
        Frame = "frame",
        /// The shoe's log.
        Shoe = "shoe",
        /// The chip sensor's log.
        Chips = "chips",
    }
}

/// Money that went, or may have gone, the wrong way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AtStake {
    /// How much.
    pub amount: Money,
    /// To whom.
    pub favours: Favours,
}

/// A record that shows what was seen.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Evidence {
    /// Picture, shoe log or chip log.
    pub kind: EvidenceKind,
    /// Where it is kept.
    #[serde(rename = "ref")]
    pub reference: String,
    /// When it was taken.
    pub at: Utc,
}

/// A finding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flag {
    /// Where and which round.
    pub round: RoundId,
    /// When it happened.
    pub at: Utc,
    /// The check that found it, by the name of the wrong it finds.
    pub check: String,
    /// The clause that was broken.
    pub clause: String,
    /// Other clauses the point rests on.
    pub also: Vec<String>,
    /// How much it matters.
    pub severity: Severity,
    /// What sort of finding it is.
    pub kind: FlagKind,
    /// The box, unless it concerns the whole table.
    pub box_no: Option<BoxNo>,
    /// The hand, where it concerns one.
    pub hand: Option<Hand>,
    /// What the rules ask for, in one sentence of fact.
    pub expected: String,
    /// What was seen.
    pub observed: String,
    /// The money.
    pub money: AtStake,
    /// How sure we are.
    pub confidence: Chance,
    /// The records that show it.
    pub evidence: Vec<Evidence>,
}

impl Flag {
    /// The flag's name: the same finding in the same round always has the same one.
    ///
    /// It is readable on purpose (`BJ-04.17.212.paid_a_push.3a`): officers quote it over the telephone.
    pub fn id(&self) -> String {
        let mut id = format!("{}.{}.{}.{}", self.round.table, self.round.shoe, self.round.round, self.check);
        if let Some(box_no) = self.box_no {
            id.push_str(&format!(".{box_no}"));
            if let Some(hand) = self.hand {
                id.push(hand.letter());
            }
        }
        id
    }
}

impl fmt::Display for Flag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {}, {}", self.severity, self.clause, self.observed, self.expected)
    }
}

/// The flag as it is written in JSON: flat, with its id.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct FlagJson {
    id: String,
    table: Ident,
    shoe: u32,
    round: u32,
    at: Utc,
    check: String,
    clause: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    also: Vec<String>,
    severity: Severity,
    kind: FlagKind,
    #[serde(rename = "box", default, skip_serializing_if = "Option::is_none")]
    box_no: Option<BoxNo>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    hand: Option<Hand>,
    expected: String,
    observed: String,
    money: AtStake,
    confidence: Chance,
    evidence: Vec<Evidence>,
}

impl Serialize for Flag {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let flag = self.clone();
        FlagJson {
            id: self.id(),
            table: flag.round.table,
            shoe: flag.round.shoe,
            round: flag.round.round,
            at: flag.at,
            check: flag.check,
            clause: flag.clause,
            also: flag.also,
            severity: flag.severity,
            kind: flag.kind,
            box_no: flag.box_no,
            hand: flag.hand,
            expected: flag.expected,
            observed: flag.observed,
            money: flag.money,
            confidence: flag.confidence,
            evidence: flag.evidence,
        }
        .serialize(to)
    }
}

impl<'de> Deserialize<'de> for Flag {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let json = FlagJson::deserialize(from)?;
        let flag = Self {
            round: RoundId { table: json.table, shoe: json.shoe, round: json.round },
            at: json.at,
            check: json.check,
            clause: json.clause,
            also: json.also,
            severity: json.severity,
            kind: json.kind,
            box_no: json.box_no,
            hand: json.hand,
            expected: json.expected,
            observed: json.observed,
            money: json.money,
            confidence: json.confidence,
            evidence: json.evidence,
        };
        let id = flag.id();
        if id != json.id {
            return Err(serde::de::Error::custom(format!("flag id {:?} should be {id:?}", json.id)));
        }
        Ok(flag)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn flag() -> Flag {
        Flag {
            round: RoundId { table: "BJ-04".parse().unwrap(), shoe: 17, round: 212 },
            at: "2026-11-15T21:04:05.123456Z".parse().unwrap(),
            check: "dealer_stood_short".into(),
            clause: "nz-13.3".into(),
            also: vec!["nz-4.1".into()],
            severity: Severity::Major,
            kind: FlagKind::DealerError,
            box_no: BoxNo::new(3),
            hand: Some(Hand::A),
            expected: "dealer draws to 17".into(),
            observed: "dealer stood on 16".into(),
            money: AtStake { amount: Money::from_minor(2500), favours: Favours::Player },
            confidence: Chance::from_millionths(998_000).unwrap(),
            evidence: vec![],
        }
    }

    #[test]
    fn a_flag_is_written_as_the_contract_says() {
        let json = serde_json::to_value(flag()).unwrap();
        assert_eq!(json["id"], "BJ-04.17.212.dealer_stood_short.3a");
        assert_eq!(json["box"], 3);
        assert_eq!(json["money"]["amount"], 2500);
        assert_eq!(json["money"]["favours"], "player");
        assert_eq!(json["confidence"], 0.998);
        assert_eq!(serde_json::from_value::<Flag>(json).unwrap(), flag());
    }

    #[test]
    fn a_flag_whose_id_was_tampered_with_is_refused() {
        let mut json = serde_json::to_value(flag()).unwrap();
        json["id"] = "BJ-05.17.212.dealer_stood_short.3a".into();
        assert!(serde_json::from_value::<Flag>(json).is_err());
    }
}
