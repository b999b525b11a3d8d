//! The side bets of a game as a rulebook writes them: scales, limits, and what may not stand beside what.

use std::str::FromStr;

use table::{Money, Odds, SideBet};
use toml::de::DeTable;

use super::diagnostic::Faults;
use super::source::{Item, items};
use crate::sidebet::{Pay, Scale, SideRules, Tier};

/// A side bet the game knows, offered or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideOffer {
    /// Which.
    pub bet: SideBet,
    /// On which terms.
    pub rules: SideRules,
    /// Whether it is offered unless the house says otherwise.
    pub offered: bool,
}

impl SideOffer {
    pub(super) fn blank(bet: SideBet) -> Self {
        let rules = SideRules {
            scales: Vec::new(),
            scale: 1,
            excludes: Vec::new(),
            per_box: None,
            own_main: false,
            behind: false,
            tips: false,
            stake: None,
            decks_min: None,
            cap: None,
            cap_joint: false,
        };
        Self { bet, rules, offered: true }
    }

    /// Sets what a table says; what it does not say stays as it was.
    pub(super) fn read(&mut self, table: &DeTable<'_>, faults: &mut Faults<'_>) {
        for item in items(table) {
            self.read_item(&item, faults);
        }
    }

    fn read_item(&mut self, item: &Item<'_>, faults: &mut Faults<'_>) {
        let rules = &mut self.rules;
        match item.key {
            "scales" => {
                if let Some(scales) = read_scales(self.bet, item, faults) {
                    rules.scales = scales;
                }
            }
            "scale" => put(&mut rules.scale, item.parsed(faults, "the number of a scale, counted from one")),
            "excludes" => put(&mut rules.excludes, read_bets(item, faults)),
            "per_box" => put(&mut rules.per_box, item.parsed(faults, "a number from 0 to 255").map(Some)),
            "own_main" => put(&mut rules.own_main, item.flag(faults)),
            "behind" => put(&mut rules.behind, item.flag(faults)),
            "tips" => put(&mut rules.tips, item.flag(faults)),
            "stake" => put(&mut rules.stake, amount(item, faults).map(Some)),
            "decks_min" => put(&mut rules.decks_min, item.parsed(faults, "a number from 0 to 255").map(Some)),
            "cap" => put(&mut rules.cap, amount(item, faults).map(Some)),
            "cap_joint" => put(&mut rules.cap_joint, item.flag(faults)),
            "offered" => put(&mut self.offered, item.flag(faults)),
            other => faults.unknown(item.at, "side bets have no {}", other, KEYS.iter().copied()),
        }
    }
}

impl SideOffer {
    /// The terms as name and value, for people.
    pub fn terms(&self) -> Vec<(String, String)> {
        let rules = &self.rules;
        let amount = |amount: Option<Money>| amount.map_or_else(|| "none".to_owned(), |amount| amount.to_string());
        let number = |number: Option<u8>| number.map_or_else(|| "none".to_owned(), |number| number.to_string());
        let excludes: Vec<_> = rules.excludes.iter().map(|bet| bet.name()).collect();
        let mut terms = vec![
            ("offered".to_owned(), self.offered.to_string()),
            ("scale".to_owned(), rules.scale.to_string()),
            ("excludes".to_owned(), if excludes.is_empty() { "none".to_owned() } else { excludes.join(", ") }),
            ("per_box".to_owned(), number(rules.per_box)),
            ("own_main".to_owned(), rules.own_main.to_string()),
            ("behind".to_owned(), rules.behind.to_string()),
            ("tips".to_owned(), rules.tips.to_string()),
            ("stake".to_owned(), amount(rules.stake)),
            ("decks_min".to_owned(), number(rules.decks_min)),
            ("cap".to_owned(), amount(rules.cap)),
            ("cap_joint".to_owned(), rules.cap_joint.to_string()),
        ];
        for (index, scale) in rules.scales.iter().enumerate() {
            let pays: Vec<_> = scale.iter().map(|(tier, pay)| format!("{tier} {pay}")).collect();
            terms.push((format!("scales.{}", index + 1), pays.join(", ")));
        }
        terms
    }
}

const KEYS: &[&str] = &[
    "scales",
    "scale",
    "excludes",
    "per_box",
    "own_main",
    "behind",
    "tips",
    "stake",
    "decks_min",
    "cap",
    "cap_joint",
    "offered",
];

fn put<T>(place: &mut T, value: Option<T>) {
    if let Some(value) = value {
        *place = value;
    }
}

fn amount(item: &Item<'_>, faults: &mut Faults<'_>) -> Option<Money> {
    let amount: Money = item.parsed(faults, "an amount such as 12.50")?;
    if amount <= Money::ZERO {
        faults.add(item.value_at, format!("{}: expected more than nothing, found {amount}", item.key));
        return None;
    }
    Some(amount)
}

fn read_bets(item: &Item<'_>, faults: &mut Faults<'_>) -> Option<Vec<SideBet>> {
    let mut bets = Vec::new();
    for (at, word) in item.words(faults)? {
        match word.parse() {
            Ok(bet) if bets.contains(&bet) => faults.add(at, format!("{bet} stands here twice")),
            Ok(bet) => bets.push(bet),
            Err(_) => faults.unknown(at, "there is no side bet {}", word, names()),
        }
    }
    Some(bets)
}

/// The names of all side bets.
pub(super) fn names() -> impl Iterator<Item = &'static str> {
    SideBet::ALL.iter().map(|bet| bet.name())
}

fn read_scales(bet: SideBet, item: &Item<'_>, faults: &mut Faults<'_>) -> Option<Vec<Scale>> {
    let mut scales = Vec::new();
    for (at, table) in item.tables(faults)? {
        let mut scale = Scale::new();
        for item in items(table) {
            let tier = item.key.parse().ok().filter(|tier| tiers(bet).contains(tier));
            if tier.is_none() {
                let what = format!("{bet} has no tier {{}}");
                faults.unknown(item.at, &what, item.key, tiers(bet).iter().map(|tier| tier.name()));
            }
            let pay = item.parsed::<Pay>(faults, "odds such as 30:1, award 200.00, meter 100 or prize");
            if let (Some(tier), Some(pay)) = (tier, pay) {
                scale.push((tier, pay));
            }
        }
        if table.is_empty() {
            faults.add(at, "a scale pays at least one tier");
        }
        scales.push(scale);
    }
    if scales.is_empty() {
        faults.add(item.value_at, "scales: expected at least one scale");
    }
    Some(scales)
}

/// The tiers a side bet can be won on.
pub fn tiers(bet: SideBet) -> &'static [Tier] {
    use Tier as T;
    match bet {
        SideBet::PerfectPair => &[T::Perfect, T::Coloured, T::Mixed],
        SideBet::AnyPair => &[T::Pair],
        SideBet::LuckyMatch => &[T::Triple, T::Perfect, T::Coloured, T::Mixed],
        SideBet::SuperSevens => &[T::ThreeSuitedSevens, T::ThreeSevens, T::TwoSuitedSevens, T::TwoSevens, T::OneSeven],
        SideBet::Madness21 => &[T::Natural],
        SideBet::HouseMoney => &[T::AceKingSuited, T::SuitedSequence, T::Pair, T::Sequence],
        SideBet::LetItRide => &[T::SuitedSequence, T::Suited, T::Sequence],
        SideBet::Push22 => &[T::SameSuit22, T::SameColour22, T::Other22],
        SideBet::KingsBounty => &[
            T::SpadeKingsDealerNatural,
            T::SpadeKings,
            T::SuitedKings,
            T::SuitedTens,
            T::Suited20,
            T::Kings,
            T::Unsuited20,
        ],
        SideBet::Blazing7 => &[T::ThreeSuitedSevens, T::ThreeColouredSevens, T::ThreeSevens, T::TwoSevens, T::OneSeven],
        SideBet::MatchDealer => &[
            T::ThreeSuitedAces,
            T::TwoSuitedMatches,
            T::SuitedAndUnsuitedMatch,
            T::TwoUnsuitedMatches,
            T::OneSuitedMatch,
            T::OneUnsuitedMatch,
        ],
        SideBet::War | SideBet::Over13 | SideBet::Under13 => &[T::Win],
    }
}

/// Text that says nothing a tier could pay.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected odds such as 30:1, award 200.00, meter 100 or prize")]
pub struct NotAPay;

impl FromStr for Pay {
    type Err = NotAPay;

    fn from_str(text: &str) -> Result<Self, NotAPay> {
        let pay = match text.split_once(' ') {
            Some(("award", amount)) => amount.parse().ok().filter(|amount| *amount > Money::ZERO).map(Self::Award),
            Some(("meter", part)) => part.parse().ok().filter(|part| (1..=100).contains(part)).map(Self::Meter),
            None if text == "prize" => Some(Self::Prize),
            None => text.parse::<Odds>().ok().map(Self::Odds),
            Some(_) => None,
        };
        pay.ok_or(NotAPay)
    }
}

impl std::fmt::Display for Pay {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Odds(odds) => write!(f, "{odds}"),
            Self::Award(amount) => write!(f, "award {amount}"),
            Self::Meter(part) => write!(f, "meter {part}"),
            Self::Prize => f.write_str("prize"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pays_read_what_they_print() {
        for text in ["30:1", "award 200.00", "meter 100", "prize"] {
            assert_eq!(text.parse::<Pay>().unwrap().to_string(), text);
        }
        for text in ["", "30", "award", "award -5", "meter 0", "meter 101", "prize 3", "30:0"] {
            assert_eq!(text.parse::<Pay>(), Err(NotAPay), "{text:?}");
        }
    }
}
