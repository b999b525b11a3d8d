//! The terms of side bets: what they pay on what, who may make them, and what they may not stand beside.

use table::{Money, Odds, SideBet, named};

named! {
    /// What a side bet is paid on, by the name used in rulebooks.
    pub enum Tier, "a tier of a side bet such as perfect or three_sevens" {
        /// Two cards of one rank and suit.
        Perfect = "perfect",
        /// Two cards of one rank and colour, suits different.
        Coloured = "coloured",
        /// Two cards of one rank, one red and one black.
        Mixed = "mixed",
        /// Two cards of one rank.
        Pair = "pair",
        /// Three cards of one rank and suit.
        Triple = "triple",
        /// The first card alone is a seven.
        OneSeven = "one_seven",
        /// Two sevens of different suits.
        TwoSevens = "two_sevens",
        /// Two sevens of one suit.
        TwoSuitedSevens = "two_suited_sevens",
        /// Three sevens.
        ThreeSevens = "three_sevens",
        /// Three sevens of one suit.
        ThreeSuitedSevens = "three_suited_sevens",
        /// Three sevens of one colour.
        ThreeColouredSevens = "three_coloured_sevens",
        /// A natural.
        Natural = "natural",
        /// Ace and king of one suit.
        AceKingSuited = "ace_king_suited",
        /// Two cards in sequence, of one suit.
        SuitedSequence = "suited_sequence",
        /// Two cards in sequence.
        Sequence = "sequence",
        /// Two cards of one suit.
        Suited = "suited",
        /// A dealer's 22 all of one suit.
        SameSuit22 = "same_suit_22",
        /// A dealer's 22 all of one colour.
        SameColour22 = "same_colour_22",
        /// Any other dealer's 22.
        Other22 = "other_22",
        /// Two kings of spades against a dealer's natural.
        SpadeKingsDealerNatural = "spade_kings_dealer_natural",
        /// Two kings of spades.
        SpadeKings = "spade_kings",
        /// Two kings of one suit.
        SuitedKings = "suited_kings",
        /// Two tens, jacks or queens of one rank and suit.
        SuitedTens = "suited_tens",
        /// Twenty of one suit.
        Suited20 = "suited_20",
        /// Two kings.
        Kings = "kings",
        /// Twenty.
        Unsuited20 = "unsuited_20",
        /// The plain win of a bet with one price.
        Win = "win",
        /// One card matches, suits different.
        OneUnsuitedMatch = "one_unsuited_match",
        /// One card matches in suit too.
        OneSuitedMatch = "one_suited_match",
        /// Both match, neither in suit.
        TwoUnsuitedMatches = "two_unsuited_matches",
        /// Both match, one of them in suit.
        SuitedAndUnsuitedMatch = "suited_and_unsuited_match",
        /// Both match in suit.
        TwoSuitedMatches = "two_suited_matches",
        /// Three aces of one suit.
        ThreeSuitedAces = "three_suited_aces",
    }
}

/// The prizes of the Madness 21 button for every unit staked, and how many of the 3,750 equally likely entries each
/// has (nz-15A.6).
pub const MADNESS_PRIZES: [(u16, u16); 23] = [
    (1000, 1),
    (100, 10),
    (50, 25),
    (40, 50),
    (35, 60),
    (30, 70),
    (25, 105),
    (24, 108),
    (23, 110),
    (22, 112),
    (21, 115),
    (20, 134),
    (15, 150),
    (14, 175),
    (13, 200),
    (12, 250),
    (11, 350),
    (10, 400),
    (9, 225),
    (8, 260),
    (7, 270),
    (6, 280),
    (5, 290),
];

/// What a tier pays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pay {
    /// Odds on the stake.
    Odds(Odds),
    /// A fixed award for a stake of one unit.
    Award(Money),
    /// So many hundredths of the progressive meter.
    Meter(u8),
    /// The prize the button shows.
    Prize,
}

/// One pay scale: what each tier pays, best first.
pub type Scale = Vec<(Tier, Pay)>;

/// The terms of one side bet in one game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SideRules {
    /// The scales the rulebook prints; the house displays one.
    pub scales: Vec<Scale>,
    /// Which of them the house displays, counted from one.
    pub scale: usize,
    /// Side bets that may not be offered at the same table.
    pub excludes: Vec<SideBet>,
    /// Most such wagers on a box.
    pub per_box: Option<u8>,
    /// Whether the bettor needs a main wager of his own on the box, not just anybody's.
    pub own_main: bool,
    /// Whether bettors behind may make it.
    pub behind: bool,
    /// Whether it may be played for the dealer.
    pub tips: bool,
    /// The only stake allowed, if the rulebook fixes one.
    pub stake: Option<Money>,
    /// Fewest decks it may be played with.
    pub decks_min: Option<u8>,
    /// The most all players together may be paid for it in a round.
    pub cap: Option<Money>,
    /// Whether the cap counts all side bets of the round together.
    pub cap_joint: bool,
}

impl SideRules {
    /// What a tier pays on a scale counted from one; `None` if the tier loses or there is no such scale.
    pub fn pay(&self, scale: usize, tier: Tier) -> Option<Pay> {
        let scale = self.scales.get(scale.checked_sub(1)?)?;
        scale.iter().find(|(on, _)| *on == tier).map(|(_, pay)| *pay)
    }
}
