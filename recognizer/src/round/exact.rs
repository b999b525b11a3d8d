//! When a rebuilt round is exact.
//!
//! A round is exact if every card lies in the same place in the same order, up or down, upright or sideways; if hands were
//! doubled, split and exchanged alike, in the same order between the cards; if every wager is staked, raised, paid, taken or
//! handed back as it was, in the same order once cards are dealt; and if every hand goes to the rack in the same order.
//!
//! Not compared is what no source can show ([`Unseen`](table::Unseen)): calls, how cards were made ready, who was called, and
//! signals. Those are compared by what came of them:
//!
//! - a hit is a card that comes and a stand one that does not: the cards tell both, and nothing tells of a hit that was
//!   refused or of a hand that was passed over;
//! - a surrender is half a stake that is taken, even money a stake that is paid as much at that time; one that came to nothing
//!   else than a hand that stood was heard by nobody;
//! - a wager that is neither paid nor taken goes back to its bettor. Whether a stand-off was called, when, or whether the wager
//!   was forgotten, its chips do not say; only that they went back before the dealer's last card;
//! - a double without chips is a hit, and no chips move when a wager is taken that was never made. A lammer goes the same way
//!   whether its hand lost or stood off, and a card that lies face up cannot be turned up.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use table::round::Stake;
use table::{Act, BoxNo, Card, Face, Hand, Money, Place, Round, Step, Wager, WagerKind};

/// Where a rebuilt round first differs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What was compared.
    pub of: &'static str,
    /// What was played; nothing if the rebuilt round has a step more.
    pub played: Option<Act>,
    /// What was rebuilt; nothing if a step is missing.
    pub rebuilt: Option<Act>,
    /// How many steps of the kind agree before it.
    pub after: usize,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.of)?;
        match (&self.played, &self.rebuilt) {
            (Some(played), Some(rebuilt)) => write!(f, "{rebuilt} instead of {played}")?,
            (Some(played), None) => write!(f, "lacks {played}")?,
            (None, Some(rebuilt)) => write!(f, "has {rebuilt} besides")?,
            (None, None) => {}
        }
        write!(f, ", after {} that agree", self.after)
    }
}

/// Whether a step is of one kind.
type Kind = fn(&Act) -> bool;

/// Where two rounds first differ in what sources can show; `None` if the rebuilt one is exact.
pub fn difference(played: &Round, rebuilt: &Round) -> Option<Difference> {
    let kinds: [(&'static str, Kind); 4] = [
        ("play", is_play),
        ("chips", is_chips),
        ("handed back", |act| matches!(act, Act::Return(_) | Act::Alter(_, Money::ZERO))),
        ("rack", |act| matches!(act, Act::Collect(_))),
    ];
    kinds.iter().find_map(|(of, is)| {
        let (one, mut other) = (visible(played, is), visible(rebuilt, is));
        // Cards that nobody brought to the rack in turn are swept away when all is over.
        let swept = |act: &Act| matches!(act, Act::Collect(_)) && !one.contains(act);
        let last = other.iter().rposition(|act| !swept(act)).map_or(0, |last| last + 1);
        other.truncate(last);
        let after = one.iter().zip(&other).take_while(|(one, other)| one == other).count();
        let (played, rebuilt) = (one.get(after).cloned(), other.get(after).cloned());
        (played.is_some() || rebuilt.is_some()).then_some(Difference { of, played, rebuilt, after })
    })
}

const fn is_play(act: &Act) -> bool {
    matches!(
        act,
        Act::Card { .. }
            | Act::TurnUp(..)
            | Act::TurnSideways(_)
            | Act::Double(..)
            | Act::Split(..)
            | Act::Zap(_)
            | Act::Move { .. }
            | Act::Burn(_)
            | Act::CutCardOut
    )
}

const fn is_chips(act: &Act) -> bool {
    matches!(act, Act::Bet(..) | Act::Alter(..) | Act::Parlay(..) | Act::Ride(..) | Act::Pay(..) | Act::Take(..))
        && !matches!(act, Act::Alter(_, Money::ZERO))
}

/// The steps of a kind, each written in one way only.
fn visible(round: &Round, is: impl Fn(&Act) -> bool) -> Vec<Act> {
    let mut felt = Felt::default();
    let mut steps = Vec::new();
    // What follows the end is the next round's to tell.
    let acts: Vec<&Act> = round.steps.iter().map(|step| &step.act).take_while(|act| **act != Act::End).collect();
    let dealer_done = acts.iter().rposition(|act| matches!(act, Act::Card { to: Place::Dealer, .. }));
    for (number, act) in acts.into_iter().enumerate() {
        let shown = felt.shows(act, dealer_done.is_some_and(|done| number < done));
        // Cards that are turned sideways to be exchanged are on their way already.
        let exchanged = matches!(act, Act::TurnSideways(place) if steps.last() == Some(&Act::Zap(*place)));
        if is(act) && shown && !exchanged {
            let gives_up = |wager: &&Wager| matches!(act, Act::Take(of, Some(_)) if of == *wager);
            steps.extend(felt.given_up.iter().find(gives_up).map(|wager| Act::Surrender(*wager)));
            steps.push(felt.plain(act));
        }
        felt.follow(act);
    }
    // In which order bets were placed before the deal is nobody's concern; when chips were handed back only their bettor says,
    // who takes them up.
    let early = steps.iter().take_while(|act| matches!(act, Act::Bet(..) | Act::Return(_))).count();
    steps[..early]
        .sort_by_key(|act| if let Act::Bet(wager, _) | Act::Return(wager) = act { Some(*wager) } else { None });
    steps
}

/// What lies on the layout as far as it bears on what can be seen.
#[derive(Default)]
struct Felt {
    stakes: BTreeMap<Wager, Money>,
    /// Winnings and stake that ride together.
    ridden: BTreeMap<Wager, Money>,
    /// Wagers for which a lammer stands.
    lammers: BTreeSet<Wager>,
    /// How many hands each box has.
    hands: BTreeMap<BoxNo, u8>,
    /// How many cards of a hand lie face down.
    down: BTreeMap<Place, usize>,
    given_up: BTreeSet<Wager>,
}

impl Felt {
    /// Whether a source shows a step; `early` says that the dealer has cards to come.
    fn shows(&self, act: &Act, early: bool) -> bool {
        match act {
            Act::Double(_, Stake::Chips(amount)) => *amount != Money::ZERO,
            Act::Take(wager, None) if self.lammers.contains(wager) => false,
            Act::Take(wager, _) => is_on_hand(*wager) || self.stakes.contains_key(wager),
            Act::Alter(_, Money::ZERO) | Act::Return(_) => early,
            Act::TurnUp(place, _) => self.down.get(place).is_some_and(|down| *down > 0),
            _ => true,
        }
    }

    fn follow(&mut self, act: &Act) {
        match act {
            Act::Bet(wager, amount) | Act::Alter(wager, amount) => drop(self.stakes.insert(*wager, *amount)),
            Act::Parlay(wager, amount) => {
                let main = self.stakes.entry(*wager).or_default();
                *main = main.plus(*amount).unwrap_or(*main);
            }
            Act::Ride(wager, amount) => drop(self.ridden.insert(*wager, *amount)),
            Act::Surrender(wager) => drop(self.given_up.insert(*wager)),
            Act::Double(wager, Stake::Free) => drop(self.lammers.insert(wager.of_kind(WagerKind::Double))),
            Act::Split(wager, stake) => {
                let hands = self.hands.entry(wager.box_no).or_insert(1);
                let opened = Hand::new(*hands).unwrap_or(wager.hand);
                if wager.bettor == table::Bettor::SEATED && !wager.tip {
                    *hands = hands.saturating_add(1);
                }
                if *stake == Stake::Free {
                    self.lammers.insert(Wager { hand: opened, kind: WagerKind::stake(opened), ..*wager });
                }
            }
            Act::Card { to, face: Face::Down, .. } => *self.down.entry(*to).or_default() += 1,
            Act::TurnUp(place, _) => {
                let down = self.down.entry(*place).or_default();
                *down = down.saturating_sub(1);
            }
            _ => {}
        }
    }

    /// A stake written as an amount is the full stake if it is as much; whose burn card it was nobody saw.
    fn plain(&self, act: &Act) -> Act {
        let full = |wager: &Wager, stake: &Stake| {
            let own = self.stakes.get(&Wager { hand: Hand::A, kind: WagerKind::Main, ..*wager });
            let with =
                |other: &Wager| (other.box_no, other.bettor, other.tip) == (wager.box_no, wager.bettor, wager.tip);
            let rides = self.ridden.iter().filter(|(other, _)| with(other)).map(|(_, amount)| amount.minor());
            let all = own.map(|own| rides.fold(own.minor(), i64::saturating_add));
            match stake {
                Stake::Chips(amount) if own == Some(amount) || all == Some(amount.minor()) => Stake::Full,
                stake => *stake,
            }
        };
        match act {
            Act::Double(wager, stake) => Act::Double(*wager, full(wager, stake)),
            Act::Split(wager, stake) => Act::Split(*wager, full(wager, stake)),
            Act::Burn(_) => Act::Burn(Card::HIDDEN),
            Act::Take(wager, amount @ Some(_))
                if self.stakes.get(wager) == amount.as_ref() || self.ridden.get(wager) == amount.as_ref() =>
            {
                Act::Take(*wager, None)
            }
            Act::Alter(wager, Money::ZERO) => Act::Return(*wager),
            act => act.clone(),
        }
    }
}

const fn is_on_hand(wager: Wager) -> bool {
    matches!(wager.kind, WagerKind::Main | WagerKind::Split | WagerKind::Double)
}

/// Rounds that were played, to be found again by when they were.
#[derive(Clone, Debug, Default)]
pub struct Pairs {
    played: Vec<Round>,
    next: usize,
    /// What was done after the end of the last round.
    between: Vec<Act>,
}

impl Pairs {
    /// Takes in a round that was played, in order.
    pub fn played(&mut self, round: &Round) {
        let mut round = round.clone();
        let before = std::mem::take(&mut self.between).into_iter().map(Step::from);
        let after = round.steps.iter().skip_while(|step| step.act != Act::End).skip(1);
        self.between = after.map(|step| step.act.clone()).collect();
        // Cards that were made ready once more since were burned once more.
        if !round.steps.iter().any(|step| matches!(step.act, Act::Burn(_))) {
            round.steps.splice(..0, before);
        }
        self.played.push(round);
    }

    /// Whether no round was played.
    pub const fn is_empty(&self) -> bool {
        self.played.is_empty()
    }

    /// The round that was being played in the middle of this rebuilt one. Each is found once.
    pub fn of(&mut self, rebuilt: &Round) -> Option<Round> {
        let (from, to) = times(rebuilt);
        let middle = from.saturating_add(to) / 2;
        let found = self.played[self.next..].iter().position(|round| {
            let (from, to) = times(round);
            round.at.micros().min(from) <= middle && middle <= to
        })?;
        self.next += found + 1;
        self.played.get(self.next - 1).cloned()
    }
}

/// When the first and the last card of a round came, or its first and last step.
fn times(round: &Round) -> (i64, i64) {
    let at = |after: u64| round.at.micros().saturating_add(i64::try_from(after).unwrap_or(i64::MAX));
    let cards = round.steps.iter().filter(|step| matches!(step.act, Act::Card { .. } | Act::Drawn(_)));
    let cards: Vec<i64> = cards.filter_map(|step| step.after).map(at).collect();
    let all: Vec<i64> = round.steps.iter().filter_map(|step| step.after).map(at).collect();
    let of = if cards.is_empty() { &all } else { &cards };
    let begin = of.iter().min().copied().unwrap_or(round.at.micros());
    (begin, all.iter().max().copied().unwrap_or(begin))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use table::{Game, RoundId, Utc};

    use super::*;

    fn round(acts: &str) -> Round {
        let steps = acts.split(", ").map(|act| Step::from(act.parse::<Act>().unwrap())).collect();
        let id = RoundId { table: "BJ-04".parse().unwrap(), shoe: 1, round: 1 };
        let game = Game { name: "nz-base".parse().unwrap(), options: BTreeMap::new() };
        Round { id, at: Utc::EPOCH, dealer: None, game, limits: Vec::new(), unseen: Vec::new(), steps }
    }

    fn same(played: &str, rebuilt: &str) -> bool {
        difference(&round(played), &round(rebuilt)).is_none()
    }

    const DEAL: &str = "bet 3 10.00, card 3 TH, card dealer 7S, card 3 6C";

    #[test]
    fn what_nobody_hears_or_sees_is_not_compared() {
        for (played, rebuilt) in [
            ("stand 3, card dealer TD, take 3, end", "card dealer TD, take 3, end"),
            ("card 3 2D, card dealer TD, take 3, end", "hit 3, card 3 2D, stand 3, card dealer TD, take 3, end"),
            ("card dealer TD, push 3, collect 3, end", "card dealer TD, collect 3, end"),
            ("card dealer TD, return 3, collect 3, end", "card dealer TD, collect 3, push 3, end"),
            ("double 3 0.00, card 3 2D, card dealer TD, take 3, end", "card 3 2D, card dealer TD, take 3, end"),
            ("card dealer TD, take 3, take 3 insurance, end", "card dealer TD, take 3, end"),
            ("surrender 3, card dealer TD, take 3, end", "stand 3, card dealer TD, take 3, end"),
            ("card dealer TD, take 3, turn 3 TH, end", "card dealer TD, take 3, end"),
        ] {
            assert!(same(&format!("{DEAL}, {played}"), &format!("{DEAL}, {rebuilt}")), "{played}");
        }
    }

    #[test]
    fn what_cards_and_chips_show_is_compared() {
        for (played, rebuilt) in [
            ("card dealer TD, take 3, end", "card dealer JD, take 3, end"),
            ("card dealer TD, take 3, end", "card dealer TD, pay 3 10.00, end"),
            ("card dealer TD, take 3, end", "card dealer TD, push 3, end"),
            ("double 3, card 3 2D, card dealer TD, take 3, end", "hit 3, card 3 2D, card dealer TD, take 3, end"),
            ("return 3, card dealer TD, collect 3, end", "card dealer TD, push 3, collect 3, end"),
            ("surrender 3, card dealer TD, take 3 5.00, end", "stand 3, card dealer TD, take 3 5.00, end"),
            ("card dealer TD, take 3, collect 3, collect dealer, end", "card dealer TD, take 3, collect dealer, end"),
        ] {
            assert!(!same(&format!("{DEAL}, {played}"), &format!("{DEAL}, {rebuilt}")), "{played}");
        }
    }

    #[test]
    fn a_stake_that_rides_counts_to_the_full_one() {
        let rides = "bet 3 10.00, bet 3 let_it_ride 2.00, card 3 TH, pay 3 let_it_ride 2.00, ride 3 let_it_ride 4.00";
        assert!(same(
            &format!("{rides}, double 3 14.00, take 3 let_it_ride 4.00"),
            &format!("{rides}, double 3, take 3 let_it_ride")
        ));
        assert!(!same(&format!("{rides}, double 3 13.00"), &format!("{rides}, double 3")));
    }
}
