//! The chip feed: what the chip sensor of a table sends, one JSON object to a line, and how a reader follows it.
//!
//! Lines say what stands on a spot now, never what was added or taken away, so a lost line costs one look and not the
//! count. `docs/ref/chip-feed.md` is the same for those who build the sensor.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::event::Health;
use crate::money::{Money, NotMoney};
use crate::text::serde_as_text;
use crate::wager::Wager;

/// The longest line that is read, in bytes: all spots of nine boxes fit several times.
pub const LONGEST: usize = 64 * 1024;

/// A place where chips stand: a wager's own, or beside it where it is paid. Written as the wager, then `payout` for the
/// place beside it: `3 double`, `3 double payout`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Spot {
    /// The wager.
    pub wager: Wager,
    /// Whether it is the place beside the wager, where winnings are put.
    pub payout: bool,
}

impl Spot {
    const EXPECTED: &'static str = "a spot such as 3, 3b double or 3/2 super_sevens payout";

    /// Where the wager itself stands.
    pub const fn of(wager: Wager) -> Self {
        Self { wager, payout: false }
    }

    /// Where its winnings are put.
    pub const fn beside(wager: Wager) -> Self {
        Self { wager, payout: true }
    }
}

impl fmt::Display for Spot {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.wager, if self.payout { " payout" } else { "" })
    }
}

/// Text that names no spot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected {}", Spot::EXPECTED)]
pub struct NotASpot;

impl FromStr for Spot {
    type Err = NotASpot;

    fn from_str(text: &str) -> Result<Self, NotASpot> {
        let (wager, payout) = text.strip_suffix(" payout").map_or((text, false), |wager| (wager, true));
        Ok(Self { wager: wager.parse().map_err(|_| NotASpot)?, payout })
    }
}

serde_as_text!(Spot);

/// What stands on one spot.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pile {
    /// Which spot.
    pub spot: Spot,
    /// What its chips are worth together.
    #[serde(with = "decimal")]
    pub amount: Money,
    /// Whether a free-bet lammer stands there. It is worth nothing and not counted in the amount.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub lammer: bool,
    /// The identities of the chips, from sensors that can tell them apart.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub chips: Vec<String>,
}

/// One line of the feed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Line {
    /// Counts lines from 1 since the sensor started.
    pub seq: u64,
    /// The sensor's own clock, in microseconds of its own counting.
    pub at: i64,
    /// Whether every spot that is not named is empty.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub full: bool,
    /// What stands where now.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spots: Vec<Pile>,
    /// What is in the dealer's tray now.
    #[serde(default, with = "decimal_if_any", skip_serializing_if = "Option::is_none")]
    pub tray: Option<Money>,
    /// How the sensor is, where it can tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub health: Option<Health>,
}

/// Bytes that are no line of the feed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("chip feed, line {line}, column {column}: {why}, in {excerpt:?}")]
pub struct NotALine {
    /// Which line, as its reader counts.
    pub line: u64,
    /// The byte of it, from 1; 0 if the line as a whole is wrong.
    pub column: usize,
    /// What is wrong.
    pub why: String,
    /// How it begins.
    pub excerpt: String,
}

impl Line {
    /// Reads one line; `number` is its place in the reader's count and is only told again in an error. Fields that are
    /// not known are passed over.
    pub fn parse(number: u64, bytes: &[u8]) -> Result<Self, NotALine> {
        let wrong = |column: usize, why: String| {
            let start = bytes.get(..bytes.len().min(60)).unwrap_or_default();
            NotALine { line: number, column, why, excerpt: String::from_utf8_lossy(start).into_owned() }
        };
        if bytes.len() > LONGEST {
            return Err(wrong(0, format!("{} bytes long, at most {LONGEST} are read", bytes.len())));
        }
        let line: Self = serde_json::from_slice(bytes).map_err(|error| {
            let told = error.to_string();
            let why = told.rsplit_once(" at line ").map_or(told.as_str(), |(why, _)| why);
            wrong(error.column(), why.to_owned())
        })?;
        let mut named = BTreeSet::new();
        match line.spots.iter().find(|pile| !named.insert(pile.spot)) {
            Some(twice) => Err(wrong(0, format!("the spot {} is named twice", twice.spot))),
            None => Ok(line),
        }
    }

    /// The line as it is sent, without its end.
    pub fn to_json(&self) -> Result<Vec<u8>, serde_json::Error> {
        serde_json::to_vec(self)
    }
}

/// How a line stands to those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follows {
    /// It is the next.
    Next,
    /// It was heard already and changes nothing.
    Again,
    /// So many lines before it were lost. What they said is made good by the next full line.
    After(u64),
    /// The sensor has started again: what was known before is forgotten.
    Anew,
}

/// What a reader knows of the layout from the lines so far.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Felt {
    /// What stands on every spot that is not empty.
    pub piles: BTreeMap<Spot, Pile>,
    /// What is in the tray, once that was said.
    pub tray: Option<Money>,
    last: Option<u64>,
}

impl Felt {
    /// Follows a line.
    pub fn hear(&mut self, line: &Line) -> Follows {
        let follows = match self.last {
            Some(last) if line.seq == last => return Follows::Again,
            Some(last) if line.seq < last => Follows::Anew,
            Some(last) if line.seq - last > 1 => Follows::After(line.seq - last - 1),
            _ => Follows::Next,
        };
        self.last = Some(line.seq);
        if line.full || follows == Follows::Anew {
            self.piles.clear();
        }
        for pile in &line.spots {
            if pile.amount == Money::ZERO && !pile.lammer {
                self.piles.remove(&pile.spot);
            } else {
                self.piles.insert(pile.spot, pile.clone());
            }
        }
        self.tray = line.tray.or(self.tray.filter(|_| follows != Follows::Anew));
        follows
    }
}

/// Money as the feed writes it: a decimal string of nothing or more.
struct Decimal(Money);

impl Decimal {
    const EXPECTED: &'static str = "an amount in quotes such as \"25.00\"";
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for Decimal {
    type Err = NotMoney;

    fn from_str(text: &str) -> Result<Self, NotMoney> {
        text.parse()
            .and_then(|money: Money| if money.is_negative() { Err(NotMoney::Malformed) } else { Ok(Self(money)) })
    }
}

serde_as_text!(Decimal);

mod decimal {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{Decimal, Money};

    pub(super) fn serialize<S: Serializer>(money: &Money, to: S) -> Result<S::Ok, S::Error> {
        Decimal(*money).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Money, D::Error> {
        Decimal::deserialize(from).map(|decimal| decimal.0)
    }
}

mod decimal_if_any {
    use serde::{Deserialize, Deserializer, Serialize, Serializer};

    use super::{Decimal, Money};

    pub(super) fn serialize<S: Serializer>(money: &Option<Money>, to: S) -> Result<S::Ok, S::Error> {
        money.map(Decimal).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Money>, D::Error> {
        Option::<Decimal>::deserialize(from).map(|decimal| decimal.map(|decimal| decimal.0))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const LINE: &str = concat!(
        r#"{"seq":17,"at":81250000,"spots":[{"spot":"3","amount":"25.00"},"#,
        r#"{"spot":"3b/2 tip double payout","amount":"0.00","lammer":true,"chips":["E0:1F"]}],"#,
        r#""tray":"19975.00","health":"ok"}"#
    );

    fn pile(spot: &str, units: i64) -> Pile {
        let amount = Money::from_minor(units * 100);
        Pile { spot: spot.parse().unwrap(), amount, lammer: false, chips: Vec::new() }
    }

    fn line(seq: u64, full: bool, spots: Vec<Pile>) -> Line {
        Line { seq, at: 0, full, spots, tray: None, health: None }
    }

    #[test]
    fn a_line_is_read_and_written_without_loss() {
        let read = Line::parse(1, LINE.as_bytes()).unwrap();
        assert_eq!(read.spots[0], pile("3", 25));
        assert!(read.spots[1].spot.payout && read.spots[1].spot.wager.tip);
        assert_eq!(read.tray, Some(Money::from_minor(1_997_500)));
        assert_eq!(String::from_utf8(read.to_json().unwrap()).unwrap(), LINE);
    }

    #[test]
    fn the_example_for_sensor_builders_is_a_round_that_adds_up() {
        let text = include_str!("../../docs/ref/chip-feed.md");
        let mut felt = Felt::default();
        let mut most = 0;
        for (line, number) in text.lines().filter_map(|line| line.strip_prefix("    {")).zip(1..) {
            let line = Line::parse(number, format!("{{{line}").as_bytes()).unwrap();
            assert_eq!((line.seq, felt.hear(&line)), (number, Follows::Next));
            most = most.max(felt.piles.len());
        }
        assert_eq!((most, felt.piles.len(), felt.tray), (5, 0, Some(Money::from_minor(49_996_000))));
    }

    #[test]
    fn fields_of_a_later_sensor_are_passed_over() {
        let read = Line::parse(1, br#"{"seq":1,"at":0,"full":true,"lid":"open","spots":[]}"#).unwrap();
        assert_eq!(read, line(1, true, Vec::new()));
    }

    #[test]
    fn an_error_names_line_column_and_what_was_expected() {
        let told = |text: &str| Line::parse(9, text.as_bytes()).unwrap_err().to_string();
        assert_eq!(
            told("{\"seq\":1,"),
            "chip feed, line 9, column 9: EOF while parsing a value, in \"{\\\"seq\\\":1,\""
        );
        let spot = |spot: &str, amount: &str| {
            told(&format!("{{\"seq\":1,\"at\":0,\"spots\":[{{\"spot\":{spot},\"amount\":{amount}}}]}}"))
        };
        assert!(spot("\"13\"", "\"5.00\"").contains("expected a spot such as 3"));
        assert!(spot("\"payout\"", "\"5.00\"").contains("expected a spot such as 3"));
        assert!(spot("\"3\"", "\"-5.00\"").contains("expected an amount such as 25"));
        assert!(spot("\"3\"", "5").contains("expected an amount in quotes"));
        let twice =
            "{\"seq\":1,\"at\":0,\"spots\":[{\"spot\":\"3\",\"amount\":\"1\"},{\"spot\":\"3a\",\"amount\":\"2\"}]}";
        assert!(told(twice).contains("the spot 3 is named twice"), "{}", told(twice));
        assert!(told(&" ".repeat(LONGEST + 1)).contains("at most 65536 are read"));
    }

    #[test]
    fn a_reader_tells_repeats_losses_and_restarts_apart() {
        let mut felt = Felt::default();
        assert_eq!(felt.hear(&line(4, true, vec![pile("1", 5), pile("2", 10)])), Follows::Next);
        assert_eq!(felt.hear(&line(5, false, vec![pile("1", 0)])), Follows::Next);
        assert_eq!(felt.hear(&line(5, false, vec![pile("1", 5)])), Follows::Again);
        assert_eq!(felt.piles.len(), 1);
        assert_eq!(felt.hear(&line(8, true, vec![pile("3", 5)])), Follows::After(2));
        assert_eq!(felt.piles.keys().map(Spot::to_string).collect::<Vec<_>>(), ["3"]);
        assert_eq!(felt.hear(&line(1, true, Vec::new())), Follows::Anew);
        assert!(felt.piles.is_empty());
    }

    proptest! {
        #[test]
        fn any_bytes_are_a_line_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..80)) {
            let _ = Line::parse(1, &bytes);
        }

        #[test]
        fn a_spoilt_line_is_a_line_or_an_error_that_names_it(at in 0..LINE.len(), byte: u8) {
            let mut bytes = LINE.as_bytes().to_vec();
            bytes[at] = byte;
            match Line::parse(41, &bytes) {
                Ok(line) => prop_assert_eq!(Line::parse(41, &line.to_json().unwrap()), Ok(line)),
                Err(error) => prop_assert!(error.to_string().starts_with("chip feed, line 41, column ")),
            }
        }
    }
}
