//! Events: timestamped facts, each from one source, never edited. Everything later is computed from them.

use serde::{Deserialize, Serialize};

use crate::chance::{Chance, Reading};
use crate::ident::Ident;
use crate::money::Money;
use crate::place::CardAt;
use crate::text::named;
use crate::time::Utc;
use crate::wager::Wager;

/// The number of an event on its tape, counted from one in order of arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EventId(pub u64);

named! {
    /// What kind of device saw it.
    pub enum SourceKind, "camera, shoe, chips or person" {
        /// A table camera, through the recogniser.
        Camera = "camera",
        /// A smart shoe.
        Shoe = "shoe",
        /// A chip sensor.
        Chips = "chips",
        /// Somebody typed it.
        Person = "person",
    }
}

/// The device an event came from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Camera, shoe, chips or person.
    pub kind: SourceKind,
    /// Its name in the site's configuration.
    pub name: Ident,
}

/// One fact from one source.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// Its number on the tape.
    pub id: EventId,
    /// Who saw it.
    pub source: Source,
    /// When it happened, as well as we know: the source's clock corrected by the measured offset.
    pub at: Utc,
    /// When it reached us.
    pub arrived: Utc,
    /// What the source's own clock said, in microseconds of its own counting.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source_clock: Option<i64>,
    /// How sure the source is that it happened at all; a card's own doubt is in its [`Reading`].
    pub chance: Chance,
    /// What happened.
    pub fact: Fact,
}

impl Event {
    /// What was added to the source's clock to know when it happened, in microseconds; `None` for a source without one.
    pub fn offset(&self) -> Option<i64> {
        self.source_clock.map(|clock| self.at.micros().saturating_sub(clock))
    }
}

named! {
    /// What the shoe took a drawn card for.
    pub enum Drawn, "game, burn or outside-game" {
        /// A card of a round.
        Game = "game",
        /// A burn card.
        Burn = "burn",
        /// Drawn while locked, in error or in settings.
        OutsideGame = "outside-game",
    }
}

named! {
    /// A device's state of health.
    pub enum Health, "ok, lost, frozen, dark, moved, blurred, locked, unlocked, error, preset-changed or clock-jump" {
        /// Working again.
        Ok = "ok",
        /// Nothing comes from it.
        Lost = "lost",
        /// The picture does not change.
        Frozen = "frozen",
        /// The picture is black.
        Dark = "dark",
        /// The camera looks elsewhere.
        Moved = "moved",
        /// Out of focus.
        Blurred = "blurred",
        /// The shoe is locked.
        Locked = "locked",
        /// The shoe is unlocked.
        Unlocked = "unlocked",
        /// It reports an error of its own.
        Error = "error",
        /// Somebody changed the shoe's settings.
        PresetChanged = "preset-changed",
        /// Its clock jumped.
        ClockJump = "clock-jump",
    }
}

/// What happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Fact {
    /// The shoe saw a card leave it.
    Drew {
        /// What it read.
        card: Reading,
        /// What it took the card for.
        drawn: Drawn,
    },
    /// The cutting card left the shoe.
    CutCard,
    /// The shoe started up or was reset.
    ShoeStart,
    /// The shoe stands by between rounds.
    StandBy,
    /// Messages are missing: at most so many cards were not seen. A chip sensor's lines tell of none.
    Gap {
        /// The most there can have been.
        at_most: u32,
    },
    /// A camera saw a card come to rest.
    Settled {
        /// Where.
        at: CardAt,
        /// What it read.
        card: Reading,
    },
    /// A camera saw a card leave its place.
    Left {
        /// From where.
        at: CardAt,
    },
    /// A spot on the layout now holds so much.
    Stands {
        /// Which wager's spot.
        wager: Wager,
        /// Whether it is the place beside the wager, where winnings are put.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        payout: bool,
        /// What stands there.
        amount: Money,
        /// Whether a free-bet lammer stands there. It is worth nothing and not counted in the amount.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        lammer: bool,
        /// The identities of the chips, from sensors that can tell them apart.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        chips: Vec<String>,
    },
    /// The dealer's tray now holds so much.
    Tray {
        /// What is in it.
        total: Money,
    },
    /// The device's own state.
    Health {
        /// How it is.
        state: Health,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chips_told_before_events_had_a_word_for_winnings_still_read() {
        let old = r#"{"what":"stands","wager":"3 double","amount":2500}"#;
        let fact: Fact = serde_json::from_str(old).unwrap();
        let wager = "3 double".parse().unwrap();
        let amount = Money::from_minor(2500);
        assert_eq!(fact, Fact::Stands { wager, payout: false, amount, lammer: false, chips: Vec::new() });
        assert_eq!(serde_json::to_string(&fact).unwrap(), old);
    }
}
