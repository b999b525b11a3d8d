//! Dealing every card there is, one place at a time, until the engine says that a side bet is decided.

use std::collections::BTreeMap;

use auditor::hand::DealerHand;
use auditor::settle::side::{Facts, Judged, judge};
use auditor::{Rules, Tier};
use num_bigint::BigInt;
use num_rational::BigRational;
use table::{Card, Money, Rank, SideBet};

/// Whether the box takes a third card.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Third {
    Always,
    Never,
    /// Unless the dealer's hole card has ended the round before.
    UnlessDealerNatural,
}

/// The chance of each tier, and of losing.
#[derive(Default)]
pub(crate) struct Odds {
    pub(crate) tiers: BTreeMap<Tier, BigRational>,
    pub(crate) lost: BigRational,
}

/// The cards on the table in the order they were dealt to each place.
#[derive(Clone, Default)]
struct Dealt {
    player: Vec<Card>,
    dealer: Vec<Card>,
}

/// Everything that stays the same while cards are dealt, and what has been decided so far.
struct Deal<'r> {
    rules: &'r Rules,
    bet: SideBet,
    stake: Money,
    third: Third,
    /// Faces that can make a difference, and how many cards each stands for.
    shoe: Vec<(Card, u64)>,
    /// For each outcome the ways it came up, by the number of cards it took.
    ways: BTreeMap<Option<Tier>, Vec<u128>>,
}

impl Odds {
    /// The odds of a side bet from a fresh shoe.
    pub(crate) fn of(rules: &Rules, bet: SideBet, decks: u64, stake: Money, third: Third) -> Self {
        let shoe = match third {
            Third::UnlessDealerNatural => sevens_and_naturals(decks),
            _ => Card::faces().map(|card| (card, decks)).collect(),
        };
        let mut deal = Deal { rules, bet, stake, third, shoe, ways: BTreeMap::new() };
        deal.go_on(&Dealt::default(), 1, 0);
        let mut odds = Self::default();
        for (outcome, ways) in deal.ways {
            let chance: BigRational =
                ways.iter().enumerate().map(|(cards, ways)| chance(*ways, 52 * decks, cards)).sum();
            match outcome {
                Some(tier) => drop(odds.tiers.insert(tier, chance)),
                None => odds.lost = chance,
            }
        }
        odds
    }

    /// The chance of winning on any tier.
    pub(crate) fn won(&self) -> BigRational {
        self.tiers.values().sum()
    }
}

/// So many ways of drawing so many cards in order, as a chance.
pub(crate) fn chance(ways: u128, shoe: u64, cards: usize) -> BigRational {
    let all: BigInt = (0..cards as u64).map(|drawn| BigInt::from(shoe - drawn)).product();
    BigRational::new(BigInt::from(ways), all)
}

/// A shoe in which only what can matter to sevens and naturals is told apart.
fn sevens_and_naturals(decks: u64) -> Vec<(Card, u64)> {
    let mut shoe: Vec<(Card, u64)> = Vec::new();
    for card in Card::faces() {
        let kind = |card: Card| match card.rank() {
            Some(Rank::Seven) => (7, card.suit()),
            Some(Rank::Ace) => (1, None),
            Some(rank) if rank.points() == 10 => (10, None),
            _ => (0, None),
        };
        match shoe.iter_mut().find(|(face, _)| kind(*face) == kind(card)) {
            Some((_, count)) => *count += decks,
            None => shoe.push((card, decks)),
        }
    }
    shoe
}

impl Deal<'_> {
    fn go_on(&mut self, dealt: &Dealt, ways: u128, cards: usize) {
        let outcome = match self.judged(dealt) {
            Judged::Win(tier) => Some(tier),
            Judged::Lose => None,
            Judged::Open => return self.draw(dealt, ways, cards),
        };
        let by_cards = self.ways.entry(outcome).or_default();
        by_cards.resize(by_cards.len().max(cards + 1), 0);
        by_cards[cards] += ways;
    }

    fn draw(&mut self, dealt: &Dealt, ways: u128, cards: usize) {
        for index in 0..self.shoe.len() {
            let (card, left) = self.shoe[index];
            if left == 0 {
                continue;
            }
            self.shoe[index].1 -= 1;
            let mut next = dealt.clone();
            if self.to_dealer(dealt) {
                next.dealer.push(card)
            } else {
                next.player.push(card)
            }
            self.go_on(&next, ways * u128::from(left), cards + 1);
            self.shoe[index].1 += 1;
        }
    }

    /// Whether the next card is the dealer's: cards are exchangeable, so the box's first two may come first.
    fn to_dealer(&self, dealt: &Dealt) -> bool {
        let wants = match self.bet {
            SideBet::War if dealt.player.len() == 1 => 1,
            SideBet::KingsBounty => 2,
            SideBet::MatchDealer | SideBet::Blazing7 => 1,
            SideBet::SuperSevens if self.third == Third::UnlessDealerNatural => 2,
            _ => 0,
        };
        let first = if self.bet == SideBet::War { 1 } else { 2 };
        dealt.player.len() >= first && dealt.dealer.len() < wants
    }

    fn judged(&self, dealt: &Dealt) -> Judged {
        let dealer = DealerHand { cards: &dealt.dealer };
        let facts = Facts {
            initial: &dealt.player[..dealt.player.len().min(2)],
            third: dealt.player.get(2).copied(),
            split: false,
            complete: match self.third {
                Third::Always => false,
                Third::Never => true,
                Third::UnlessDealerNatural => dealer.is_natural(),
            },
            dealer,
            dealer_complete: false,
            stake: self.stake,
        };
        judge(self.rules, self.bet, &facts)
    }
}
