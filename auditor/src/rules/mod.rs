//! The parameters of a game: everything in which one blackjack differs from another, and every reading of an
//! ambiguous clause. A rulebook sets them all; a house overrides those its regulator leaves open.

mod choice;
mod grammar;

use std::str::FromStr;

use table::{Money, Odds, SideBet};

pub use choice::*;

use crate::shuffle::{Procedure, Stage};
use crate::sidebet::SideRules;

/// Declares the parameters once: the field, its key in rulebooks and options, and its meaning.
macro_rules! parameters {
    ($($(#[doc = $doc:literal])+ $key:ident: $type:ty = $neutral:expr,)+) => {
        /// The rules of one game with the house's choices made.
        #[derive(Clone, Debug, PartialEq)]
        pub struct Rules {
            $($(#[doc = $doc])+ pub $key: $type,)+
            /// The side bets offered, by [`SideBet`] as index.
            pub sides: [Option<Box<SideRules>>; SideBet::ALL.len()],
        }

        impl Rules {
            /// Every parameter's key and meaning.
            pub const PARAMETERS: &'static [(&'static str, &'static str)] =
                &[$((stringify!($key), concat!($($doc,)+)),)+];

            /// Rules that say nothing yet: the start for a rulebook that sets every parameter.
            pub(crate) fn blank() -> Self {
                Self { $($key: $neutral,)+ sides: Default::default() }
            }

            /// Sets a parameter from its text.
            pub fn set(&mut self, key: &str, text: &str) -> Result<(), SetError> {
                match key {
                    $(stringify!($key) => {
                        self.$key = <$type as FromText>::from_text(text)
                            .ok_or(SetError::Value { expected: <$type as FromText>::EXPECTED })?;
                    })+
                    _ => return Err(SetError::Unknown),
                }
                Ok(())
            }

            /// A parameter as text, by its key.
            pub fn get(&self, key: &str) -> Option<String> {
                match key {
                    $(stringify!($key) => Some(FromText::to_text(&self.$key)),)+
                    _ => None,
                }
            }
        }
    };
}

/// Why a parameter could not be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SetError {
    /// There is no such parameter.
    #[error("there is no such parameter")]
    Unknown,
    /// The text is no value of it.
    #[error("expected {expected}")]
    Value {
        /// What would have been right.
        expected: &'static str,
    },
}

/// A parameter's value as it is written in rulebooks and options.
pub(crate) trait FromText: Sized {
    const EXPECTED: &'static str;
    fn from_text(text: &str) -> Option<Self>;
    fn to_text(&self) -> String;
}

macro_rules! from_text {
    ($($type:ty: $expected:expr),+ $(,)?) => {
        $(impl FromText for $type {
            const EXPECTED: &'static str = $expected;
            fn from_text(text: &str) -> Option<Self> {
                <$type as FromStr>::from_str(text).ok()
            }
            fn to_text(&self) -> String {
                self.to_string()
            }
        })+
    };
}

from_text! {
    bool: "true or false",
    u8: "a number from 0 to 255",
    Odds: "odds such as 3:2",
    Money: "an amount such as 12.50",
    PlayerCards: PlayerCards::EXPECTED,
    NaturalTiming: NaturalTiming::EXPECTED,
    NaturalMode: NaturalMode::EXPECTED,
    EvenMoney: EvenMoney::EXPECTED,
    Hit21: Hit21::EXPECTED,
    DoubleStake: DoubleStake::EXPECTED,
    SplitBy: SplitBy::EXPECTED,
    Surrender: Surrender::EXPECTED,
    SurrenderMode: SurrenderMode::EXPECTED,
    SurrenderLoss: SurrenderLoss::EXPECTED,
    OboBust: OboBust::EXPECTED,
    DealerSkip: DealerSkip::EXPECTED,
    Dealer22: Dealer22::EXPECTED,
    Burn: Burn::EXPECTED,
    BackSplit: BackSplit::EXPECTED,
    Rounding: Rounding::EXPECTED,
    OverMax: OverMax::EXPECTED,
    SsSplit: SsSplit::EXPECTED,
    MadnessFault: MadnessFault::EXPECTED,
    BlazingPays: BlazingPays::EXPECTED,
    MatchBy: MatchBy::EXPECTED,
    Procedure: Stage::EXPECTED,
}

/// `none` (or `null`) stands for no limit.
impl<T: FromText> FromText for Option<T> {
    const EXPECTED: &'static str = T::EXPECTED;

    fn from_text(text: &str) -> Option<Self> {
        match text {
            "none" | "null" => Some(None),
            text => T::from_text(text).map(Some),
        }
    }

    fn to_text(&self) -> String {
        self.as_ref().map_or_else(|| "none".to_owned(), T::to_text)
    }
}

impl FromText for Totals {
    const EXPECTED: &'static str = "totals such as 9,10,11 or 15-18, or none";

    fn from_text(text: &str) -> Option<Self> {
        text.parse().ok()
    }

    fn to_text(&self) -> String {
        self.to_string()
    }
}

parameters! {
    /// Decks in the shoe.
    decks: u8 = 0,
    /// Fewest decks the rulebook allows.
    decks_min: u8 = 0,
    /// Most decks the rulebook allows.
    decks_max: u8 = 0,
    /// Whether a continuous shuffler is in use, so that cut-card rules do not apply.
    csm: bool = false,
    /// Most boxes at the table.
    boxes_max: u8 = 0,
    /// Most boxes that may play War; none for no limit of its own.
    war_boxes_max: Option<u8> = None,
    /// How the players' first cards lie.
    player_cards: PlayerCards = PlayerCards::Up,
    /// Whether the dealer takes a hole card in the initial deal.
    hole_card: bool = false,
    /// Whether players may touch the cards.
    players_touch_cards: bool = false,

    /// What a natural pays.
    bj_pays: Odds = Odds::EVEN,
    /// The odds a house may choose from for a natural, separated by commas.
    bj_pays_allowed: OddsSet = OddsSet::default(),
    /// The only stake that earns `bj_pays`; other stakes win 1:1.
    bj_pays_only_on: Option<Money> = None,
    /// When a natural is settled.
    bj_timing: NaturalTiming = NaturalTiming::AtOnce,
    /// Whether a natural wins even against the dealer's.
    bj_always_wins: bool = false,
    /// Which of the contradicting New Hampshire clauses on naturals is followed.
    nh_bj_mode: NaturalMode = NaturalMode::Push,
    /// When a natural may ask for even money.
    even_money: EvenMoney = EvenMoney::Never,
    /// Whether even money voids the insurance of the same hand.
    even_money_refunds_insurance: bool = false,

    /// The most that may be insured, as a part of the main wager.
    insurance_max: Odds = Odds::EVEN,
    /// What insurance pays.
    insurance_pays: Odds = Odds::EVEN,
    /// Whether a natural may be insured.
    insurance_on_bj: bool = false,
    /// The multiple insurance must be of; none if the rulebook sets none.
    insurance_multiple: Option<Money> = None,
    /// Whether insurance runs on when its hand has bust.
    insurance_survives_bust: bool = false,

    /// Whether the dealer draws on soft 17.
    h17: bool = false,
    /// Whether the house has adopted Style A, which makes the dealer draw on soft 17.
    style_a: bool = false,
    /// Whether the dealer draws on 16.
    dealer_draws_on_16: bool = false,
    /// When the dealer leaves the hand unfinished.
    dealer_skip: DealerSkip = DealerSkip::Unstated,
    /// What a dealer's 22 does to the hands still in play.
    dealer22: Dealer22 = Dealer22::Bust,

    /// Hands below this must draw unless doubled; 0 for no such rule.
    forced_hit_below: u8 = 0,
    /// Whether a 21 may be hit.
    hit_21: Hit21 = Hit21::Forbidden,
    /// A hand with this many cards takes no more; none for no such rule.
    max_cards: Option<u8> = None,
    /// Whether five cards under 21 win at once.
    five_card_wins: bool = false,
    /// Whether a player's 21 always wins at once.
    player21_wins: bool = false,

    /// How many cards a hand may have to be doubled; none for any number.
    double_cards: Option<u8> = None,
    /// Whether a hand with an ace may be doubled.
    double_aces: bool = false,
    /// Whether a natural may be doubled, its ace counting one.
    double_bj: bool = false,
    /// The highest total that may be doubled.
    double_total_max: u8 = 0,
    /// How much may be staked on a double.
    double_stake: DoubleStake = DoubleStake::Equal,
    /// Whether split hands may be doubled.
    das: bool = false,
    /// Whether a doubled hand's card lies sideways.
    double_sideways: bool = false,
    /// Totals that are doubled on a free bet.
    free_double: Totals = Totals::NONE,
    /// Whether only hard totals are.
    free_double_hard: bool = false,
    /// Whether split hands are doubled free too.
    free_double_after_split: bool = false,

    /// Which cards may be split.
    split_by: SplitBy = SplitBy::PointValue,
    /// Most hands a box may be split into; none for no limit.
    split_max_hands: Option<u8> = None,
    /// Whether split aces may be split again.
    resplit_aces: bool = false,
    /// Whether split aces take more than one card.
    hit_split_aces: bool = false,
    /// Whether the card on a split ace lies sideways.
    split_ace_sideways: bool = false,
    /// Whether pairs up to nines and aces are split on a free bet.
    free_split: bool = false,
    /// Whether a further split is free too.
    free_resplit: bool = false,

    /// Whether and when a hand may be given up.
    surrender: Surrender = Surrender::None,
    /// How generously the surrender clauses are read.
    surrender_mode: SurrenderMode = SurrenderMode::Strict,
    /// What a surrendered hand loses to a dealer's natural.
    surrender_vs_dealer_bj: SurrenderLoss = SurrenderLoss::FullLoss,

    /// Whether a dealer's natural takes only the original stake of a doubled or split box.
    obo: bool = false,
    /// What becomes of a hand that bust before that natural.
    obo_bust: OboBust = OboBust::BustFinal,
    /// Whether busted doubles and splits wait for the dealer's second card against an ace or ten.
    bust_waits: bool = false,

    /// Hard totals that may be exchanged for two new cards.
    zap: Totals = Totals::NONE,
    /// Whether soft totals may be exchanged too.
    zap_soft: bool = false,
    /// Whether an exchanged ace and ten may be doubled.
    double_zapped_21: bool = false,

    /// Whether the game charges an ante.
    ante: bool = false,
    /// The most an ante may be, as a part of the table minimum.
    ante_max: Odds = Odds::EVEN,
    /// Main wagers from this on pay no ante.
    ante_waive_at: Option<Money> = None,
    /// The ante the sign shows; none if only the cap is known.
    ante_posted: Option<Money> = None,

    /// Most bettors on a box.
    bettors_per_box: u8 = 0,
    /// What a bettor behind may do when the box is split.
    back_split: BackSplit = BackSplit::Either,
    /// Whether bettors behind may make side bets.
    back_side_bets: bool = false,
    /// Whether tips may be played for the dealer.
    tips: bool = false,
    /// Most boxes a player may play; none where the house decides.
    hands_per_player: Option<u8> = None,

    /// The least main wager fixed by the rulebook; none where the house posts it.
    bet_min: Option<Money> = None,
    /// The most, likewise.
    bet_max: Option<Money> = None,
    /// The highest table minimum the rulebook allows.
    table_min_max: Option<Money> = None,
    /// What happens to a wager over the maximum.
    over_max: OverMax = OverMax::Refused,
    /// How odd amounts are paid.
    rounding: Rounding = Rounding::None,

    /// The burn card.
    burn: Burn = Burn::Unstated,
    /// Fewest cards, in decks, between the cut and either end; 0 where the rulebook sets none.
    cut_min_decks: u8 = 0,
    /// The most of the stack that may lie behind the cutting card, in hundredths; none where the rulebook sets none.
    cut_card_back_max: Option<u8> = None,
    /// The fewest decks behind the cutting card; none where the rulebook sets none.
    cut_card_back_min: Option<u8> = None,
    /// Half decks of tolerance on the place of the cutting card.
    cut_card_slack: u8 = 0,
    /// How the cards are shuffled, such as wash+riffles:2+box; none for the shuffle usual in the game.
    shuffle: Option<Procedure> = None,

    /// Whether a Madness 21 winner keeps the stake beside the prize.
    madness_stake_returned: bool = false,
    /// What a Madness 21 winner gets when the equipment fails.
    madness_fault: MadnessFault = MadnessFault::Flat,
    /// Which card decides Super Sevens after a split.
    ss_split: SsSplit = SsSplit::TwoCard,
    /// What an ace counts for Over/Under 13.
    overunder_ace: u8 = 0,
    /// By what Match the Dealer matches.
    match_by: MatchBy = MatchBy::Rank,
    /// Whether parlayed War winnings count for the insurance limit.
    war_cap_in_insurance: bool = false,
    /// Whether parlayed War winnings are paid as a natural.
    cap_counts_for_blackjack: bool = false,
    /// Whether the awards of Blazing 7s include the stake.
    blazing_pays: BlazingPays = BlazingPays::ForOne,
}

impl Rules {
    /// The terms of a side bet, if the game offers it.
    pub fn side(&self, bet: SideBet) -> Option<&SideRules> {
        self.sides[bet as usize].as_deref()
    }

    /// Whether a raised hand that bust waits for the dealer's second card, because a natural may give its stakes back.
    pub fn busts_wait(&self) -> bool {
        self.bust_waits || (self.obo && self.obo_bust == OboBust::Returned)
    }

    /// Whether the dealer draws on soft 17, by the game or because Style A is adopted.
    pub fn dealer_hits_soft_17(&self) -> bool {
        self.h17 || self.style_a
    }
}

impl FromText for OddsSet {
    const EXPECTED: &'static str = "odds separated by commas, such as 3:2,6:5";

    fn from_text(text: &str) -> Option<Self> {
        text.split(',').map(|odds| odds.parse().ok()).collect::<Option<Vec<_>>>().map(OddsSet)
    }

    fn to_text(&self) -> String {
        self.0.iter().map(Odds::to_string).collect::<Vec<_>>().join(",")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_prints_what_it_reads() {
        let blank = Rules::blank();
        let mut copy = Rules::blank();
        for (key, meaning) in Rules::PARAMETERS {
            assert!(!meaning.trim().is_empty());
            let text = blank.get(key).unwrap();
            if !text.is_empty() {
                copy.set(key, &text).unwrap_or_else(|error| panic!("{key} = {text:?}: {error}"));
            }
        }
        assert_eq!(copy, blank);
        assert_eq!(copy.set("h18", "true"), Err(SetError::Unknown));
        assert_eq!(copy.set("h17", "maybe"), Err(SetError::Value { expected: "true or false" }));
    }
}
