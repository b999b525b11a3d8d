//! What the dealer's tray says of who took chips and who was paid.

use table::{EventId, Money};

use super::{Book, ChipAct, Did, MOST_OPEN, TOGETHER};

impl Book {
    /// Finds for every change of the tray the chips it answers to, among those told within `reach` of it.
    pub(super) fn match_tray(&mut self, reach: i64) {
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
    pub(super) fn explain_rest(&mut self) {
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
        let unpaid = |act: &ChipAct| {
            let taken_up = matches!(act.did, Did::TakenUp(wager) if !self.is_paid(wager));
            act.at <= at.saturating_add(TOGETHER) && act.open > 0 && taken_up
        };
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
