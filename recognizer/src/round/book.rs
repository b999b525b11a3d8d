//! The chips of a round: what stood where, made into what was done with it.
//!
//! The sensor says what stands now. A spot that empties while the tray gains as much was taken; one that empties
//! while the tray stays as it is was taken up by its bettor. The two halves of such a change may come apart where a hand
//! lay over the sensor or a line was lost, so a change of the tray waits for the chips it answers to.

use std::collections::BTreeMap;

use table::chips::Spot;
use table::round::Stake;
use table::{EventId, Hand, Money, SideBet, Wager, WagerKind};

/// How far apart a change of the tray and of a spot may be told, in microseconds.
const TOGETHER: i64 = 2_000_000;
/// The most open changes that are tried in combination.
const MOST_OPEN: usize = 10;

/// What was done with chips.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Did {
    Bet(Wager, Money),
    Alter(Wager, Money),
    Double(Wager, Stake),
    /// A stake on a hand that a split opened.
    Split(Wager, Stake),
    Pay(Wager, Money),
    /// Taken by the dealer, whole or this much.
    Take(Wager, Option<Money>),
    /// Taken up by its bettor.
    TakenUp(Wager),
    Parlay(Wager, Money),
    Ride(Wager, Money),
}

/// What was done with chips, and when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ChipAct {
    pub(super) at: i64,
    pub(super) did: Did,
    pub(super) events: Vec<EventId>,
    /// What the tray must gain by it if the dealer did it; nothing once that is settled.
    open: i64,
}

impl ChipAct {
    /// Whether something was settled by it.
    pub(super) const fn settles(&self) -> bool {
        matches!(self.did, Did::Pay(..) | Did::Take(..) | Did::TakenUp(_))
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Pile {
    amount: Money,
    lammer: bool,
}

impl Pile {
    const fn is_empty(self) -> bool {
        self.amount.minor() == 0 && !self.lammer
    }
}

/// The chips of one table.
#[derive(Clone, Debug, Default)]
pub(super) struct Book {
    piles: BTreeMap<Spot, Pile>,
    tray: Option<Money>,
    /// Changes told for one moment.
    batch: Vec<(EventId, Spot, Pile)>,
    batch_at: i64,
    /// What the tray gained and nothing explains yet, with the time.
    gained: Vec<(i64, i64, EventId)>,
    staked: BTreeMap<Wager, Money>,
    ridden: BTreeMap<Wager, Money>,
    acts: Vec<ChipAct>,
    /// Whether a sensor has spoken since the round began.
    heard: bool,
    /// When the last chip of the round went and none stood any more.
    cleared: Option<i64>,
}

impl Book {
    /// A spot now holds this.
    pub(super) fn stands(&mut self, at: i64, id: EventId, spot: Spot, amount: Money, lammer: bool) {
        self.heard = true;
        self.turn_to(at);
        self.batch.push((id, spot, Pile { amount, lammer }));
    }

    /// The tray now holds this.
    pub(super) fn tray(&mut self, at: i64, id: EventId, total: Money) {
        self.heard = true;
        self.turn_to(at);
        if let Some(before) = self.tray.replace(total) {
            let gained = total.minor().saturating_sub(before.minor());
            if gained != 0 {
                self.gained.push((at, gained, id));
            }
        }
    }

    /// Time has come so far: what was told for a moment before it is complete.
    pub(super) fn turn_to(&mut self, at: i64) {
        if at == self.batch_at {
            return;
        }
        self.settle_batch();
        self.batch_at = at;
    }

    /// Whether chips stand anywhere.
    pub(super) fn is_empty(&self) -> bool {
        self.piles.is_empty()
    }

    /// When the last chip of the round went, if none of it stands any more. What a bettor left where he was paid, his winnings
    /// gone, is his next bet.
    pub(super) fn settled(&self) -> Option<i64> {
        let paid = |wager: Wager| self.acts.iter().any(|act| matches!(act.did, Did::Pay(of, _) if of == wager));
        let left =
            |spot: &Spot| !spot.payout && !self.piles.contains_key(&Spot::beside(spot.wager)) && paid(spot.wager);
        self.acts.last().filter(|act| act.settles() && self.piles.keys().all(left)).map(|act| act.at)
    }

    /// When all chips were gone, if main stakes have been put down since: they are the next round's.
    pub(super) fn bet_anew(&self) -> Option<i64> {
        let cleared = self.cleared?;
        let main = |act: &ChipAct| matches!(act.did, Did::Bet(wager, _) if wager.kind == WagerKind::Main);
        self.acts.iter().any(|act| act.at > cleared && main(act)).then_some(cleared)
    }

    /// Whether the sensor said anything since the round began.
    pub(super) const fn was_heard(&self) -> bool {
        self.heard
    }

    /// What was done so far in this round.
    pub(super) fn acts(&self) -> &[ChipAct] {
        &self.acts
    }

    /// The boxes with a main stake, first to last.
    pub(super) fn wagered(&self) -> Vec<table::BoxNo> {
        let mains = self.piles.keys().filter(|spot| !spot.payout && spot.wager.kind == WagerKind::Main);
        let mut boxes: Vec<_> = mains.map(|spot| spot.wager.box_no).collect();
        boxes.dedup();
        boxes
    }

    /// The round is over: everything that was done in it. What still stands are the first bets of the next.
    pub(super) fn close(&mut self, at: i64) -> Vec<ChipAct> {
        self.settle_batch();
        self.match_tray(i64::MAX);
        self.explain_rest();
        let acts = std::mem::take(&mut self.acts);
        self.gained.clear();
        self.staked.clear();
        self.ridden.clear();
        (self.heard, self.cleared) = (false, None);
        for (spot, pile) in self.piles.iter().filter(|(spot, _)| !spot.payout) {
            self.staked.insert(spot.wager, pile.amount);
            let did = Did::Bet(spot.wager, pile.amount);
            self.acts.push(ChipAct { at, did, events: Vec::new(), open: 0 });
        }
        acts
    }

    fn pile(&self, spot: Spot) -> Pile {
        self.piles.get(&spot).copied().unwrap_or_default()
    }

    fn act(&mut self, id: EventId, did: Did, open: i64) {
        self.acts.push(ChipAct { at: self.batch_at, did, events: vec![id], open });
    }

    fn settle_batch(&mut self) {
        let batch = std::mem::take(&mut self.batch);
        for (id, spot, now) in &batch {
            let before = self.pile(*spot);
            match spot.payout {
                _ if before == *now => {}
                true => self.beside(*id, spot.wager, before, *now, &batch),
                false => self.own(*id, spot.wager, before, *now, &batch),
            }
        }
        for (_, spot, now) in batch {
            if now.is_empty() {
                self.piles.remove(&spot);
            } else {
                self.piles.insert(spot, now);
            }
        }
        self.match_tray(TOGETHER);
        if self.piles.is_empty() {
            self.cleared = self.acts.last().filter(|act| act.settles()).map(|act| act.at);
        }
    }

    /// Winnings were put beside a wager, or went away.
    fn beside(&mut self, id: EventId, wager: Wager, before: Pile, now: Pile, batch: &[(EventId, Spot, Pile)]) {
        let more = now.amount.minor().saturating_sub(before.amount.minor());
        if more > 0 {
            self.act(id, Did::Pay(wager, Money::from_minor(more)), -more);
            return;
        }
        let grown = |other: Wager| {
            let (_, _, then) = batch.iter().find(|(_, spot, _)| *spot == Spot::of(other))?;
            Some(then.amount.minor().saturating_sub(self.pile(Spot::of(other)).amount.minor()))
        };
        let main = Wager { hand: Hand::A, kind: WagerKind::Main, ..wager };
        if wager.kind == WagerKind::Side(SideBet::War) && grown(main).is_some_and(|grown| grown > 0) {
            self.act(id, Did::Parlay(main, Money::from_minor(-more)), 0);
        }
    }

    /// A wager's own spot changed.
    fn own(&mut self, id: EventId, wager: Wager, before: Pile, now: Pile, batch: &[(EventId, Spot, Pile)]) {
        let told = |other: Spot| batch.iter().find(|(_, spot, _)| *spot == other).map(|(_, _, pile)| *pile);
        let beside = Spot::beside(wager);
        let swept = !self.pile(beside).is_empty() && told(beside).is_some_and(Pile::is_empty);
        if before.is_empty() {
            self.placed(id, wager, now);
        } else if swept && !now.is_empty() {
            // Winnings and stake were pushed together: they ride.
            self.ridden.insert(wager, now.amount);
            self.act(id, Did::Ride(wager, now.amount), 0);
        } else if now.is_empty() {
            let paid = self.acts.iter().any(|act| matches!(act.did, Did::Pay(paid, _) if paid == wager));
            // Winnings that ride are staked again.
            let won = paid && !self.ridden.contains_key(&wager);
            let open = if swept || won { 0 } else { before.amount.minor() };
            self.act(id, Did::TakenUp(wager), open);
        } else if now.amount < before.amount {
            let less = before.amount.minor().saturating_sub(now.amount.minor());
            self.act(id, Did::Alter(wager, now.amount), less);
        } else {
            let war = Spot::beside(wager.of_kind(WagerKind::Side(SideBet::War)));
            if told(war).is_none_or(|then| then.amount >= self.pile(war).amount) {
                self.staked.insert(wager, now.amount);
                self.act(id, Did::Alter(wager, now.amount), 0);
            }
        }
    }

    fn placed(&mut self, id: EventId, wager: Wager, now: Pile) {
        let base = Wager { hand: if wager.kind == WagerKind::Double { wager.hand } else { Hand::A }, ..wager };
        let base = base.of_kind(WagerKind::stake(base.hand));
        let own = self.staked.get(&base).copied().unwrap_or_default();
        let rides = if base.hand == Hand::A { self.rides_with(wager) } else { 0 };
        let full = own.minor().saturating_add(rides);
        let stake = match now {
            Pile { lammer: true, .. } => Stake::Free,
            Pile { amount, .. } if amount.minor() == full => Stake::Full,
            Pile { amount, .. } => Stake::Chips(amount),
        };
        self.staked.insert(wager, if now.lammer { own } else { now.amount });
        let did = match wager.kind {
            WagerKind::Double => Did::Double(wager, stake),
            WagerKind::Split => Did::Split(wager, stake),
            _ => Did::Bet(wager, now.amount),
        };
        self.act(id, did, 0);
    }

    fn rides_with(&self, wager: Wager) -> i64 {
        let with = |other: &Wager| (other.box_no, other.bettor, other.tip) == (wager.box_no, wager.bettor, wager.tip);
        self.ridden.iter().filter(|(other, _)| with(other)).map(|(_, amount)| amount.minor()).sum()
    }

    /// Finds for every change of the tray the chips it answers to, among those told within `reach` of it.
    fn match_tray(&mut self, reach: i64) {
        let mut gained = std::mem::take(&mut self.gained);
        gained.retain(|(at, gain, id)| {
            let mut near: Vec<usize> = (0..self.acts.len())
                .filter(|act| self.acts[*act].open != 0 && self.acts[*act].at.abs_diff(*at) <= reach.unsigned_abs())
                .collect();
            near.sort_by_key(|act| (self.acts[*act].at.abs_diff(*at), *act));
            near.truncate(MOST_OPEN);
            let Some(chosen) = adds_up(&near, |act| self.acts[act].open, *gain) else { return true };
            for act in chosen {
                self.answered(act, *id);
            }
            false
        });
        self.gained = gained;
    }

    /// The tray shows that the dealer did it.
    fn answered(&mut self, act: usize, id: EventId) {
        let act = &mut self.acts[act];
        act.did = match act.did {
            Did::TakenUp(wager) => Did::Take(wager, None),
            Did::Alter(wager, _) => Did::Take(wager, Some(Money::from_minor(act.open))),
            did => did,
        };
        act.events.push(id);
        act.open = 0;
    }

    /// What the tray lost and nobody was seen to be paid went to the last wager that was taken up without winnings.
    fn explain_rest(&mut self) {
        for (at, gain, id) in std::mem::take(&mut self.gained) {
            let unpaid = |act: &&ChipAct| act.at <= at.saturating_add(TOGETHER) && act.open > 0;
            let up = self.acts.iter().rev().filter(unpaid).find_map(|act| match act.did {
                Did::TakenUp(wager) => Some((act.at, wager)),
                _ => None,
            });
            if let (true, Some((at, wager))) = (gain < 0, up) {
                if let Some(act) = self.acts.iter_mut().find(|act| act.did == Did::TakenUp(wager) && act.at == at) {
                    act.open = 0;
                }
                let did = Did::Pay(wager, Money::from_minor(-gain));
                self.acts.push(ChipAct { at: at - 1, did, events: vec![id], open: 0 });
            }
        }
        self.acts.sort_by_key(|act| act.at);
    }
}

/// The fewest of these, the first ones first, that add up to a sum.
fn adds_up(candidates: &[usize], worth: impl Fn(usize) -> i64, sum: i64) -> Option<Vec<usize>> {
    let mut best: Option<(u32, u32)> = None;
    for set in 1u32..1 << candidates.len() {
        let chosen = candidates.iter().enumerate().filter(|(bit, _)| set & (1 << bit) != 0);
        if chosen.map(|(_, act)| worth(*act)).sum::<i64>() == sum {
            let rank = (set.count_ones(), set);
            best = Some(best.map_or(rank, |best| best.min(rank)));
        }
    }
    let (_, set) = best?;
    Some(candidates.iter().enumerate().filter(|(bit, _)| set & (1 << bit) != 0).map(|(_, act)| *act).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spot(text: &str) -> Spot {
        text.parse().unwrap()
    }

    struct Felt(Book, i64);

    impl Felt {
        fn new() -> Self {
            let mut book = Book::default();
            book.tray(0, EventId(0), Money::from_minor(100_000));
            Self(book, 0)
        }

        /// Spots as `3=25.00`, and `tray=…`, told for one moment.
        fn tell(mut self, line: &str) -> Self {
            self.1 += 3_000_000;
            for word in line.split(", ") {
                let (what, amount) = word.split_once('=').unwrap();
                let (lammer, amount) = amount.strip_suffix('*').map_or((false, amount), |amount| (true, amount));
                let amount: Money = amount.parse().unwrap();
                match what {
                    "tray" => self.0.tray(self.1, EventId(1), amount),
                    what => self.0.stands(self.1, EventId(1), spot(what), amount, lammer),
                }
            }
            self
        }

        fn acts(mut self) -> Vec<String> {
            self.0.close(self.1 + 1).iter().map(|act| format!("{:?}", act.did)).collect()
        }
    }

    fn has(acts: &[String], words: &[&str]) -> bool {
        words.len() == acts.len() && acts.iter().zip(words).all(|(act, word)| act.starts_with(word))
    }

    #[test]
    fn what_the_tray_gains_was_taken_and_what_it_does_not_was_taken_up() {
        let felt = Felt::new().tell("3=25, 4=10").tell("3=0, tray=1025").tell("4=0");
        let acts = felt.acts();
        assert!(has(&acts, &["Bet", "Bet", "Take", "TakenUp"]), "{acts:?}");
    }

    #[test]
    fn winnings_are_paid_and_go_with_their_stake() {
        let acts = Felt::new().tell("3=25").tell("3 payout=25, tray=975").tell("3=0, 3 payout=0").acts();
        assert!(has(&acts, &["Bet", "Pay", "TakenUp"]), "{acts:?}");
    }

    #[test]
    fn a_line_that_heals_several_losses_is_told_apart_by_the_tray() {
        let felt = Felt::new().tell("3=25, 4=10, 5=40").tell("3=0, 4=0, 5=0, tray=1050");
        let acts = felt.acts();
        assert!(has(&acts, &["Bet", "Bet", "Bet", "TakenUp", "Take", "Take"]), "{acts:?}");
    }

    #[test]
    fn a_payment_nobody_saw_is_told_by_the_tray() {
        let acts = Felt::new().tell("3=25").tell("3=0").tell("tray=975").acts();
        assert!(has(&acts, &["Bet", "Pay", "TakenUp"]), "{acts:?}");
    }

    #[test]
    fn a_double_for_less_a_free_split_and_a_parlay_are_known_by_their_chips() {
        let felt = Felt::new().tell("3=25, 3 war=5").tell("3 war payout=5, tray=995").tell("3 war payout=0, 3=30");
        let acts = felt.tell("3 double=10").tell("3b=0*").acts();
        assert!(has(&acts, &["Bet", "Bet", "Pay", "Parlay", "Double", "Split"]), "{acts:?}");
        assert!(acts[4].contains("Chips") && acts[5].contains("Free"), "{acts:?}");
    }

    #[test]
    fn what_still_stands_is_bet_in_the_next_round() {
        let mut felt = Felt::new().tell("3=25");
        assert_eq!(felt.0.close(9_000_000).len(), 1);
        assert!(matches!(felt.0.acts(), [ChipAct { did: Did::Bet(..), at: 9_000_000, .. }]));
    }
}
