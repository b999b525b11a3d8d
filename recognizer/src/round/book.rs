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
        self.lost.retain(|lost| at.saturating_sub(*lost) < HEALED);
        for (spot, pile) in self.piles.iter().filter(|(spot, _)| !spot.payout) {
            self.staked.insert(spot.wager, pile.amount);
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
            self.acts.iter_mut().rev().take(1).for_each(|act| act.lammer = before.lammer);
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

    /// What the tray lost and nobody was seen to be paid went to the last wager that was taken up without winnings. What it gained
    /// with a lammer and no chips was asked of the bettor.
    fn explain_rest(&mut self) {
        for (at, gain, id) in std::mem::take(&mut self.gained) {
            let charged = |act: &&mut ChipAct| act.lammer && act.at == at;
            if let (true, Some(act)) = (gain > 0, self.acts.iter_mut().find(charged))
                && let Did::TakenUp(wager) = act.did
            {
                (act.did, act.lammer) = (Did::Take(wager, Some(Money::from_minor(gain))), false);
                act.events.push(id);
                continue;
            }
            // Payments that were seen and that the tray was told of together with others are part of what it lost.
            let seen = self.acts.iter().filter(|act| act.open < 0 && act.at.abs_diff(at) <= TOGETHER.unsigned_abs());
            let lost = gain.saturating_sub(seen.map(|act| act.open).sum());
            if lost < 0 {
                self.paid_unseen(at, -lost, id);
            }
        }
        self.acts.sort_by_key(|act| act.at);
    }

    /// Nobody saw who was paid: those whose stakes come to as much, or the last who took up chips without winnings.
    fn paid_unseen(&mut self, at: i64, lost: i64, id: EventId) {
        let unpaid =
            |act: &ChipAct| act.at <= at.saturating_add(TOGETHER) && act.open > 0 && matches!(act.did, Did::TakenUp(_));
        let mut up: Vec<usize> = (0..self.acts.len()).rev().filter(|act| unpaid(&self.acts[*act])).collect();
        up.truncate(MOST_OPEN);
        let even = adds_up(&up, |act| self.acts[act].open, lost);
        let paid = even.map(|paid| paid.into_iter().map(|act| (act, self.acts[act].open)).collect());
        let mut paid: Vec<(usize, i64)> =
            paid.unwrap_or_else(|| up.first().map(|act| (*act, lost)).into_iter().collect());
        paid.sort_unstable();
        for (act, amount) in paid {
            let Did::TakenUp(wager) = self.acts[act].did else { continue };
            self.acts[act].open = 0;
            let (at, did) = (self.acts[act].at - 1, Did::Pay(wager, Money::from_minor(amount)));
            self.acts.push(ChipAct { at, did, events: vec![id], open: 0, lammer: false });
            self.unseen.push(wager);
        }
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
mod tests;
