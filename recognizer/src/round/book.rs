//! The chips of a round: what stood where, made into what was done with it.
//!
//! The sensor says what stands now. A spot that empties while the tray gains as much was taken; one that empties
//! while the tray stays as it is was taken up by its bettor. The two halves of such a change may come apart where a hand
//! lay over the sensor or a line was lost, so a change of the tray waits for the chips it answers to.

mod tray;

use std::collections::BTreeMap;

use table::chips::Spot;
use table::round::Stake;
use table::{EventId, Hand, Money, SideBet, Wager, WagerKind};

/// How far apart a change of the tray and of a spot may be told, in microseconds.
const TOGETHER: i64 = 2_000_000;
/// A sensor tells all that stands at least so often, in microseconds: what a lost line told is known again by then.
const HEALED: i64 = 10_000_000;
/// Lost lines that are remembered.
const MOST_LOST: usize = 64;
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
    /// Whether a lammer went, which the tray has no part in.
    lammer: bool,
}

impl Did {
    /// The wager it was done with.
    pub(super) const fn wager(self) -> Wager {
        match self {
            Self::Bet(wager, _)
            | Self::Alter(wager, _)
            | Self::Double(wager, _)
            | Self::Split(wager, _)
            | Self::Pay(wager, _)
            | Self::Take(wager, _)
            | Self::TakenUp(wager)
            | Self::Parlay(wager, _)
            | Self::Ride(wager, _) => wager,
        }
    }
}

impl ChipAct {
    /// Whether a lost line may have told of it, or of what makes it look as it does.
    pub(super) fn is_near(&self, lost: &[i64]) -> bool {
        lost.iter().any(|lost| self.at.abs_diff(*lost) <= HEALED.unsigned_abs())
    }

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
    /// When the tray last lost or gained something.
    tray_changed: i64,
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
    /// Wagers that were paid as the tray says, and nobody saw it.
    unseen: Vec<Wager>,
    /// When it was noticed that lines were lost.
    lost: Vec<i64>,
    /// Winnings that went away, and wagers that grew, each with its time and sum and the wager they may have gone to: the two halves
    /// of winnings staked again may be told apart.
    halves: [Vec<(i64, Wager, i64)>; 2],
}

/// Which half of winnings staked again it is.
const WINNINGS: usize = 0;
const RAISE: usize = 1;

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
                self.tray_changed = at;
            }
        }
    }

    /// Lines of the sensor were lost before this.
    pub(super) fn line_lost(&mut self, at: i64) {
        if self.lost.len() < MOST_LOST {
            self.lost.push(at);
        }
    }

    /// When lines were found to be lost that may have told of this round.
    pub(super) fn lines_lost(&self) -> Vec<i64> {
        self.lost.clone()
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

    /// When the tray last lost or gained something.
    pub(super) const fn tray_changed(&self) -> i64 {
        self.tray_changed
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

    /// Wagers of the round that was closed last which the tray alone says were paid.
    pub(super) fn paid_by_tray(&mut self) -> Vec<Wager> {
        std::mem::take(&mut self.unseen)
    }

    /// The boxes with a main stake, first to last.
    pub(super) fn wagered(&self) -> Vec<table::BoxNo> {
        let mains = self.piles.keys().filter(|spot| !spot.payout && spot.wager.kind == WagerKind::Main);
        let mut boxes: Vec<_> = mains.map(|spot| spot.wager.box_no).collect();
        boxes.dedup();
        boxes
    }

    /// The round, which was over at that time, is closed: everything that was done in it. What still stands are the first bets of
    /// the next, and what was put down since all cards and chips were gone is the next one's as it is.
    pub(super) fn close(&mut self, at: i64, over: i64) -> Vec<ChipAct> {
        self.settle_batch();
        self.match_tray(i64::MAX);
        self.explain_rest();
        let gone = self.cleared.map_or(i64::MAX, |cleared| cleared.max(over));
        let (acts, anew) = std::mem::take(&mut self.acts).into_iter().partition(|act: &ChipAct| act.at <= gone);
        self.acts = anew;
        self.gained.clear();
        self.staked.clear();
        self.ridden.clear();
        self.halves = Default::default();
        (self.heard, self.cleared) = (false, None);
        self.lost.retain(|lost| at.saturating_sub(*lost) < HEALED);
        for (spot, pile) in self.piles.iter().filter(|(spot, _)| !spot.payout) {
            self.staked.insert(spot.wager, pile.amount);
            if self.acts.iter().any(|act| act.did.wager() == spot.wager) {
                continue;
            }
            let did = Did::Bet(spot.wager, pile.amount);
            self.acts.push(ChipAct { at, did, events: Vec::new(), open: 0, lammer: false });
        }
        acts
    }

    fn pile(&self, spot: Spot) -> Pile {
        self.piles.get(&spot).copied().unwrap_or_default()
    }

    fn act(&mut self, id: EventId, did: Did, open: i64) {
        self.acts.push(ChipAct { at: self.batch_at, did, events: vec![id], open, lammer: false });
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
        // What comes to light later is put where it happened.
        self.acts.sort_by_key(|act| act.at);
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
        let to = match wager.kind {
            WagerKind::Side(SideBet::War) => Wager { hand: Hand::A, kind: WagerKind::Main, ..wager },
            WagerKind::Side(_) => wager,
            _ => return,
        };
        if grown(to).is_some_and(|grown| grown > 0) {
            // Winnings pushed to their own stake are told with it.
            if to != wager {
                self.act(id, Did::Parlay(to, Money::from_minor(-more)), 0);
            }
        } else if let Some(raised) = self.other_half(RAISE, to, -more) {
            // What was told as a raise were the winnings.
            let amount_of = |did: &Did| match did {
                Did::Alter(of, amount) if *of == to => Some(*amount),
                _ => None,
            };
            let raise = self.acts.iter().position(|act| act.at == raised && amount_of(&act.did).is_some());
            if let Some((act, amount)) = raise.and_then(|act| Some((act, amount_of(&self.acts[act].did)?))) {
                self.acts[act].did = self.staked_again(to, Money::from_minor(-more), amount);
                self.acts[act].events.push(id);
            }
            self.staked.entry(to).and_modify(|stake| *stake = Money::from_minor(stake.minor().saturating_add(more)));
        } else {
            self.halves[WINNINGS].push((self.batch_at, to, -more));
        }
    }

    /// Winnings that were staked on a wager, which holds `amount` since: those of War go to the main wager, others ride on their own.
    fn staked_again(&mut self, to: Wager, winnings: Money, amount: Money) -> Did {
        if to.kind == WagerKind::Main {
            return Did::Parlay(to, winnings);
        }
        self.ridden.insert(to, amount);
        Did::Ride(to, amount)
    }

    /// When the other half of winnings staked again was told, if that is not long ago.
    fn other_half(&mut self, half: usize, to: Wager, amount: i64) -> Option<i64> {
        let now = self.batch_at;
        let fits = |(at, of, sum): &(i64, Wager, i64)| {
            *of == to && *sum == amount && now.abs_diff(*at) <= TOGETHER.unsigned_abs()
        };
        let found = self.halves[half].iter().position(fits)?;
        Some(self.halves[half].swap_remove(found).0)
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
            // A won stake that goes while its winnings lie there, or after they went to the main wager, may have been kept.
            let won = self.is_paid(wager) && self.pile(beside).is_empty() && !self.is_parlayed(wager);
            let open = if swept || won { 0 } else { before.amount.minor() };
            self.act(id, Did::TakenUp(wager), open);
            self.acts.iter_mut().rev().take(1).for_each(|act| act.lammer = before.lammer);
        } else if now.amount < before.amount {
            let less = before.amount.minor().saturating_sub(now.amount.minor());
            self.act(id, Did::Alter(wager, now.amount), less);
        } else {
            let war = Spot::beside(wager.of_kind(WagerKind::Side(SideBet::War)));
            let more = now.amount.minor().saturating_sub(before.amount.minor());
            if told(war).is_some_and(|then| then.amount < self.pile(war).amount) {
                return;
            }
            if self.other_half(WINNINGS, wager, more).is_some() {
                let again = self.staked_again(wager, Money::from_minor(more), now.amount);
                self.act(id, again, 0);
                return;
            }
            self.halves[RAISE].push((self.batch_at, wager, more));
            self.staked.insert(wager, now.amount);
            self.act(id, Did::Alter(wager, now.amount), 0);
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

    /// Whether a wager was paid. Winnings that ride are staked again.
    fn is_paid(&self, wager: Wager) -> bool {
        let paid = self.acts.iter().any(|act| matches!(act.did, Did::Pay(of, _) if of == wager));
        paid && !self.ridden.contains_key(&wager)
    }

    /// Whether the winnings of a War wager went to the main one.
    fn is_parlayed(&self, wager: Wager) -> bool {
        let main = Wager { hand: Hand::A, kind: WagerKind::Main, ..wager };
        let to_main = |act: &ChipAct| matches!(act.did, Did::Parlay(to, _) if to == main);
        wager.kind == WagerKind::Side(SideBet::War) && self.acts.iter().any(to_main)
    }

    fn rides_with(&self, wager: Wager) -> i64 {
        let with = |other: &Wager| (other.box_no, other.bettor, other.tip) == (wager.box_no, wager.bettor, wager.tip);
        self.ridden.iter().filter(|(other, _)| with(other)).map(|(_, amount)| amount.minor()).sum()
    }
}

#[cfg(test)]
mod tests;
