//! Plans: what is bet, which cards come to whom and what is decided, in a few words.

use std::fmt;

use table::{Act, Bettor, BoxNo, Card, Money, SideBet, WagerKind};

/// A round in short. The dealing order, the procedure and the settlements are the dealer's business, not the plan's.
///
/// Items stand on lines of their own or between semicolons:
///
/// | item | meaning |
/// |---|---|
/// | `3 $: TH 9C stand` | box 3: the stake, the first two cards, then decisions and the cards they bring. `$` is the game's usual stake; `$/2`, `2$` and plain amounts will do anywhere |
/// | `3 $ war 5 tip 1 tip war 1 /2 20 /3 10: …` | side bets, chips for the dealer, bettors behind; what follows `/2` is theirs |
/// | `ante 2`, `ante none` | before the colon, where the ante is not the usual one |
/// | `hit 5D 2C`, `stand`, `surrender`, `zap AD 7C` | decisions; a hand that must stop needs no `stand`, nor does 21 |
/// | `double TD`, `double 5 TD`, `double free TD` | in full or on the free bet due, for less, on a free bet |
/// | `split [3D stand] [KS stand]` | each hand in brackets, its next card first; splits nest |
/// | `double /2 stay tip TD` | what others do: those behind follow unless they `stay` or name an amount, tips stay unless named |
/// | `insure 5`, `even-money`, `parlay`, `ride house_money 20`, `/2 insure 5` | asked for before the turn, written among the decisions |
/// | `dealer: 9S TH` | the dealer's cards, up card first |
/// | `shoe: shuffle cut 3 104 burn XX`, `after: cut-card` | steps before and after the round |
/// | `meter 5000`, `prize 3 24` | what the equipment shows |
///
/// ```
/// use auditor::model::Plan;
/// let plan: Plan = "3 $: 8H 8C split [3D double TD] [KS stand]; dealer: 9S TH".parse()?;
/// assert_eq!(plan.boxes.len(), 1);
/// # Ok::<(), auditor::model::PlanError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The boxes played, in any order.
    pub boxes: Vec<BoxPlan>,
    /// The dealer's cards, up card first. Cards for which nothing is at stake any more stay in the shoe.
    pub dealer: Vec<Card>,
    /// What happens to the cards before the round.
    pub shoe: Vec<Act>,
    /// What happens after the round.
    pub after: Vec<Act>,
    /// What the progressive meter shows before the round.
    pub meter: Option<Amount>,
    /// What the jackpot button gives on a box for every unit staked.
    pub prizes: Vec<(BoxNo, Amount)>,
}

/// What is planned for one box.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BoxPlan {
    /// Which box.
    pub box_no: BoxNo,
    /// What is bet on it.
    pub bets: Vec<BetPlan>,
    /// What is asked for before the box's turn.
    pub early: Vec<Early>,
    /// Cards and decisions of the hand dealt.
    pub hand: Vec<Item>,
}

/// A bet on a box.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BetPlan {
    /// Whose.
    pub by: Who,
    /// On what.
    pub on: WagerKind,
    /// How much; `None` for no such bet where the game would place one by itself.
    pub amount: Option<Amount>,
}

/// Whose chips: a bettor's own, or those he plays for the dealer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Who {
    /// The bettor.
    pub bettor: Bettor,
    /// Whether the chips are played for the dealer.
    pub tip: bool,
}

impl Who {
    /// The seated player.
    pub const SEATED: Self = Self { bettor: Bettor::SEATED, tip: false };
}

/// An amount in chips, or in terms of the game's usual stake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// So much.
    Chips(Money),
    /// `times` the usual stake, divided by `parts`.
    Usual {
        /// How many times.
        times: u32,
        /// Into how many parts.
        parts: u32,
    },
}

impl Amount {
    /// The amount where `usual` is staked; `None` if it overflows or is no whole number of minor units.
    pub fn chips(self, usual: Money) -> Option<Money> {
        match self {
            Self::Chips(amount) => Some(amount),
            Self::Usual { times, parts } => {
                usual.at(table::Odds::new(times, parts)?).filter(|amount| amount.is_exact()).map(|amount| amount.whole)
            }
        }
    }
}

/// What is asked for before a box's turn to decide comes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Early {
    /// Insurance.
    Insure(Bettor, Amount),
    /// Even money for a natural.
    EvenMoney(Bettor),
    /// War winnings go on the main wager.
    Parlay(Bettor),
    /// So much of a won side bet and its winnings rides on the hand.
    Ride(Bettor, SideBet, Amount),
}

/// The next thing on a hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Item {
    /// This card comes.
    Card(Card),
    /// A decision.
    Decision(Decision),
    /// A split, and how its two hands go on.
    Split(Raise, Vec<Item>, Vec<Item>),
}

impl fmt::Display for Early {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Insure(..) => "insure",
            Self::EvenMoney(_) => "even-money",
            Self::Parlay(_) => "parlay",
            Self::Ride(..) => "ride",
        })
    }
}

impl fmt::Display for Item {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Card(card) => write!(f, "{card}"),
            Self::Decision(decision) => f.write_str(decision.word()),
            Self::Split(..) => f.write_str("split"),
        }
    }
}

/// What a player can decide, splitting aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// Another card.
    Hit,
    /// No more cards.
    Stand,
    /// One more card for a further stake.
    Double(Raise),
    /// Half the stake back.
    Surrender,
    /// Two new cards for the two dealt.
    Zap,
}

impl Decision {
    /// The word for it in a plan.
    pub const fn word(&self) -> &'static str {
        match self {
            Self::Hit => "hit",
            Self::Stand => "stand",
            Self::Double(_) => "double",
            Self::Surrender => "surrender",
            Self::Zap => "zap",
        }
    }
}

/// Who puts up what for a double or a split.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Raise {
    /// The seated player's stake.
    pub own: Put,
    /// What the others do. Those not named do as the seated player does; chips for the dealer stay where they are.
    pub others: Vec<(Who, Put)>,
}

/// One bettor's part in a double or a split.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Put {
    /// A free bet where the game gives one, otherwise the full stake.
    #[default]
    Due,
    /// This much in chips.
    Chips(Amount),
    /// A free bet.
    Free,
    /// Nothing.
    Stay,
}
