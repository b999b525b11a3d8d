//! Settlement: what every wager on a box should win, lose or keep, and on which point of the rules it turns.

mod answer;
pub mod case;
mod docket;
mod legal;
mod net;
pub mod side;
mod turns;

use arrayvec::ArrayVec;
use table::{Money, Odds, Total, Winnings};

pub use answer::{Settlement, settle};
pub use docket::{Answer, Docket};
pub use legal::Breach;
pub use net::Net;
pub use turns::Turns;

use answer::{facts_of, scale_of};

use crate::hand::{DealerHand, End, PlayerHand};
use crate::rules::{Dealer22, NaturalMode, OverMax, Rounding, Rules, SurrenderLoss};

/// The chips on one hand of one bettor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stakes {
    /// The hand's own stake in chips.
    pub base: Money,
    /// The additional stake of a double in chips.
    pub double: Money,
    /// The worth of the lammer that stands for the hand's stake.
    pub free_base: Money,
    /// The worth of the lammer that stands for a double.
    pub free_double: Money,
    /// War winnings parlayed onto the stake.
    pub cap: Money,
}

/// What a hand comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Paid 1:1.
    Win,
    /// Paid as a natural.
    Natural,
    /// Stands off.
    Push,
    /// Lost.
    Lose,
    /// Half of it is lost.
    LoseHalf,
    /// Handed back as if never made.
    Void,
}

/// The point on which a verdict turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Point {
    /// The hand was void.
    Void,
    /// The hand was given up.
    Surrender,
    /// The hand was given up, but the dealer had a natural.
    SurrenderToNatural,
    /// A natural took even money.
    EvenMoney,
    /// A natural against no natural.
    Natural,
    /// A natural that wins although the dealer has one too.
    NaturalAlwaysWins,
    /// Natural against natural.
    NaturalTie,
    /// The hand went over 21.
    Bust,
    /// A 21 that wins whatever the dealer has.
    TwentyOne,
    /// Five cards under 21.
    FiveCards,
    /// The dealer's natural.
    DealerNatural,
    /// The dealer's 22.
    Dealer22,
    /// The dealer went over 21.
    DealerBust,
    /// The hand is higher.
    Higher,
    /// The hand is lower.
    Lower,
    /// Both count the same.
    Tie,
}

impl Point {
    /// The tags under which a rulebook cites the clauses on this point, the nearest first.
    pub const fn tags(self) -> &'static [&'static str] {
        match self {
            Self::Void => &["void_hand_settled", "void_not_refunded"],
            Self::Surrender => &["surrender_settled_wrong.half", "surrender_not_allowed.before_peek"],
            Self::SurrenderToNatural => &["surrender_settled_wrong.dealer_natural"],
            Self::EvenMoney => &["even_money_paid_wrong", "even_money_not_allowed.odds"],
            Self::Natural => &["natural_paid_wrong", "win_not_paid.natural"],
            Self::NaturalAlwaysWins => &["win_not_paid.natural_v_natural"],
            Self::NaturalTie => &["paid_a_push.natural", "took_a_push.natural", "natural_paid_early"],
            Self::Bust => &["loser_paid.bust", "loser_not_taken.bust", "bust_not_taken"],
            Self::TwentyOne => &["win_not_paid.twenty_one", "winner_left_waiting.twenty_one"],
            Self::FiveCards => &["win_not_paid.five_cards", "winner_left_waiting.five_cards"],
            Self::DealerNatural => &["loser_paid.dealer_natural", "loser_not_taken.dealer_natural"],
            Self::Dealer22 => &["paid_a_push.twenty_two", "took_a_push.twenty_two"],
            Self::DealerBust => &["win_not_paid.dealer_bust", "win_paid_wrong"],
            Self::Higher => &["win_not_paid.higher", "win_paid_wrong"],
            Self::Lower => &["loser_paid.lower", "loser_not_taken.lower"],
            Self::Tie => &["paid_a_push", "took_a_push"],
        }
    }
}

/// What a hand comes to and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ruling {
    /// What it comes to.
    pub verdict: Verdict,
    /// On what it turns.
    pub point: Point,
}

/// Rules on one hand. `None` if a card that matters is not known.
///
/// On a dealer's natural every hand that is not itself a natural loses; which of its stakes the house may take is for
/// [`on_box`] to say.
pub fn on_hand(rules: &Rules, hand: &PlayerHand, dealer: DealerHand<'_>) -> Option<Ruling> {
    let ruling = |verdict, point| Some(Ruling { verdict, point });
    match hand.end {
        End::Void => return ruling(Verdict::Void, Point::Void),
        End::Surrendered if dealer.is_natural() && rules.surrender_vs_dealer_bj == SurrenderLoss::FullLoss => {
            return ruling(Verdict::Lose, Point::SurrenderToNatural);
        }
        End::Surrendered => return ruling(Verdict::LoseHalf, Point::Surrender),
        End::EvenMoney => return ruling(Verdict::Win, Point::EvenMoney),
        End::Played => {}
    }
    if hand.is_natural() {
        return match (dealer.is_natural(), rules.bj_always_wins) {
            (false, _) => ruling(Verdict::Natural, Point::Natural),
            (true, true) => ruling(Verdict::Natural, Point::NaturalAlwaysWins),
            (true, false) if rules.nh_bj_mode == NaturalMode::Guaranteed => {
                ruling(Verdict::Win, Point::NaturalAlwaysWins)
            }
            (true, false) => ruling(Verdict::Push, Point::NaturalTie),
        };
    }
    let total = hand.total()?;
    if total.is_bust() {
        return ruling(Verdict::Lose, Point::Bust);
    }
    if rules.player21_wins && total.points == 21 {
        return ruling(Verdict::Win, Point::TwentyOne);
    }
    if rules.five_card_wins && hand.cards.len() >= 5 {
        return ruling(Verdict::Win, Point::FiveCards);
    }
    if dealer.is_natural() {
        return ruling(Verdict::Lose, Point::DealerNatural);
    }
    let dealers = dealer.total()?;
    if dealers.points == 22 && rules.dealer22 == Dealer22::Push {
        return ruling(Verdict::Push, Point::Dealer22);
    }
    if dealers.is_bust() {
        return ruling(Verdict::Win, Point::DealerBust);
    }
    match total.points.cmp(&dealers.points) {
        std::cmp::Ordering::Greater => ruling(Verdict::Win, Point::Higher),
        std::cmp::Ordering::Less => ruling(Verdict::Lose, Point::Lower),
        std::cmp::Ordering::Equal => ruling(Verdict::Push, Point::Tie),
    }
}

/// What a single stake is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// The stake stays the player's and so much is added.
    Pay(Winnings),
    /// So much of the stake goes to the house.
    Take(Winnings),
    /// The stake stays the player's.
    Push,
    /// The stake is handed back as void.
    Return,
}

impl Due {
    /// What the player wins or loses by it, in whole minor units; `None` if it overflows.
    pub fn net(self) -> Option<Money> {
        match self {
            Self::Pay(won) => Some(won.whole),
            Self::Take(lost) => Money::ZERO.minus(lost.whole),
            Self::Push | Self::Return => Some(Money::ZERO),
        }
    }
}

/// Whether a stake is a tip too small to be halved, which is kept for the dealer when its hand is given up.
pub fn is_kept_tip(rules: &Rules, tip: bool, stake: Money, point: Point) -> bool {
    const TOO_SMALL: Money = Money::from_minor(50);
    rules.tips && tip && stake <= TOO_SMALL && point == Point::Surrender
}

/// What each stake of one hand is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HandDue {
    /// Why.
    pub ruling: Ruling,
    /// The hand's own stake, parlayed winnings and lammer included.
    pub base: Due,
    /// The double, if there is one.
    pub double: Option<Due>,
    /// Whether stakes were spared because a dealer's natural takes only the original.
    pub spared: bool,
}

/// What each hand of one bettor on a box is due; six decks hold no more than 24 hands of one split.
pub type Dues = ArrayVec<HandDue, 24>;

/// Rules on all hands of one bettor on a box. `None` if a card that matters is not known or an amount overflows.
pub fn on_box(
    rules: &Rules,
    dealer: DealerHand<'_>,
    hands: &[(&PlayerHand, Stakes)],
    table_max: Option<Money>,
) -> Option<Dues> {
    let mut dues = Dues::new();
    for (index, (hand, stakes)) in hands.iter().enumerate() {
        let due = on_one(rules, dealer, (hand, *stakes), (index, hands.len()), table_max)?;
        dues.try_push(due).ok()?;
    }
    Some(dues)
}

/// Rules on one hand's stakes: the hand at `index` of the `of` hands its bettor has on the box.
pub fn on_one(
    rules: &Rules,
    dealer: DealerHand<'_>,
    (hand, stakes): (&PlayerHand, Stakes),
    (index, of): (usize, usize),
    table_max: Option<Money>,
) -> Option<HandDue> {
    let ruling = on_hand(rules, hand, dealer)?;
    let spared = (of > 1 || hand.doubled) && spares(rules, &ruling, dealer);
    // The first hand carries the original stake; if that is gone already, nothing else is taken for it.
    let base_spared = spared && index > 0;
    let over = table_max.filter(|_| rules.over_max == OverMax::SettleToMax);
    let base = due(rules, stakes.base, stakes.free_base, stakes.cap, ruling, over)?;
    let has_double = stakes.double != Money::ZERO || stakes.free_double != Money::ZERO;
    let double = match has_double {
        true if spared => Some(Due::Push),
        true => Some(due(rules, stakes.double, stakes.free_double, Money::ZERO, ruling, over)?),
        false => None,
    };
    Some(HandDue {
        ruling,
        base: if base_spared { Due::Push } else { base },
        double,
        spared: spared && (base_spared || has_double),
    })
}

/// Whether a dealer's natural takes only the original stake of a raised box, so that its others are spared.
fn spares(rules: &Rules, ruling: &Ruling, dealer: DealerHand<'_>) -> bool {
    let reached = ruling.point == Point::DealerNatural || (ruling.point == Point::Bust && rules.busts_wait());
    rules.obo && dealer.is_natural() && reached
}

/// What one stake is due by a ruling; a lammer wins like chips and costs nothing.
fn due(rules: &Rules, chips: Money, lammer: Money, cap: Money, ruling: Ruling, most: Option<Money>) -> Option<Due> {
    let settled = most.map_or(chips, |most| chips.min(most));
    let real = settled.plus(cap)?;
    let whole = |amount: Money| amount.at(Odds::EVEN);
    Some(match ruling.verdict {
        Verdict::Void => Due::Return,
        Verdict::Push => Due::Push,
        Verdict::Win => Due::Pay(whole(real.plus(lammer)?)?),
        Verdict::Natural => {
            let on = if rules.cap_counts_for_blackjack { real } else { settled };
            let odds = match rules.bj_pays_only_on {
                Some(only) if only != settled => Odds::EVEN,
                _ => rules.bj_pays,
            };
            let mut won = on.at(odds)?;
            if !rules.cap_counts_for_blackjack {
                won.whole = won.whole.plus(cap)?;
            }
            Due::Pay(round(rules, won))
        }
        Verdict::Lose => Due::Take(whole(real)?),
        Verdict::LoseHalf => Due::Take(round(rules, real.at(Odds::new(1, 2)?)?)),
    })
}

/// Odd amounts as the house pays them.
fn round(rules: &Rules, won: Winnings) -> Winnings {
    match rules.rounding {
        Rounding::None => won,
        Rounding::Down50c => {
            let minor = won.whole.minor();
            Winnings { whole: Money::from_minor(minor - minor.rem_euclid(50)), over: 0, per: 1 }
        }
    }
}

/// What insurance is due, beside the hand's own end: `None` if the dealer's second card is not known.
pub fn on_insurance(rules: &Rules, dealer: DealerHand<'_>, stake: Money, hand: &PlayerHand) -> Option<Due> {
    if hand.end == End::Void || (hand.end == End::EvenMoney && rules.even_money_refunds_insurance) {
        return Some(Due::Return);
    }
    if !rules.insurance_survives_bust && hand.total().is_some_and(Total::is_bust) {
        return Some(Due::Take(stake.at(Odds::EVEN)?));
    }
    if dealer.cards.get(1)?.is_known() && dealer.cards.first()?.is_known() {
        let won = dealer.shows_ace() && crate::hand::is_ace_and_ten(&dealer.cards[..2]);
        Some(if won { Due::Pay(stake.at(rules.insurance_pays)?) } else { Due::Take(stake.at(Odds::EVEN)?) })
    } else {
        None
    }
}
