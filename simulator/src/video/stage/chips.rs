//! What happens to chips: staked, raised, paid, swept, taken home.

use table::{Act, BoxNo, Hand, Money, SideBet, Step, Wager, WagerKind};

use super::super::scene::{Point, Pose};
use super::arms::{Actor, Manner};
use super::felt::{CARRY, Felt, When};
use super::track::{Item, Lie, Micros};

/// The chips of a table in minor units, the dearest first.
const CHIPS: [i64; 6] = [50_000, 10_000, 2_500, 500, 100, 50];
/// More than this many chips are not stacked: a plaque carries the rest.
const HIGHEST: usize = 60;
/// How long a winner waits before he takes his chips, at the least and at the most.
const WAITS: (f64, f64) = (800_000.0, 1_700_000.0);
/// How high chips are carried.
const CARRIED: f32 = 45.0;

/// What stands on one wager.
#[derive(Clone, Debug, Default)]
pub(super) struct Stakes {
    /// The stake, chips or a lammer.
    staked: Vec<u32>,
    /// What the dealer put beside it.
    paid: Vec<u32>,
}

impl Stakes {
    fn all(self) -> Vec<u32> {
        self.staked.into_iter().chain(self.paid).collect()
    }
}

/// Chips that somebody is about to take home.
#[derive(Clone, Copy, Debug)]
pub(super) struct Errand {
    /// When they were settled.
    since: Micros,
    /// When they should be off the table.
    due: Micros,
    wager: Wager,
}

/// The fewest chips that make an amount, the lowest first. What no chip is small enough for becomes one of its own value, so
/// that a stack is always worth the amount; less than nothing is no chip.
pub fn stack(amount: Money) -> Vec<Money> {
    let mut left = amount.minor().max(0);
    let mut stack = Vec::new();
    for chip in CHIPS {
        while left >= chip && stack.len() < HIGHEST {
            stack.push(Money::from_minor(chip));
            left -= chip;
        }
    }
    if left > 0 {
        stack.push(Money::from_minor(left));
    }
    stack
}

/// The wager that a step settles or lets ride.
fn settles(act: &Act) -> Option<Wager> {
    match act {
        Act::Pay(wager, _) | Act::Take(wager, _) | Act::Ride(wager, _) | Act::Push(wager) | Act::Return(wager) => {
            Some(*wager)
        }
        Act::Parlay(main, _) => Some(won_at_war(*main)),
        _ => None,
    }
}

fn won_at_war(main: Wager) -> Wager {
    Wager { hand: Hand::A, ..main.of_kind(WagerKind::Side(SideBet::War)) }
}

impl Felt {
    /// Chips are put on a wager; chips that stand there already are changed to the amount.
    pub(super) fn stake(&mut self, wager: Wager, amount: Money, when: When) {
        self.hurry_home(wager, when);
        if self.stakes.get(&wager).is_some_and(|stakes| !stakes.staked.is_empty()) {
            return self.restack(wager, amount, Actor::bettor(wager), when);
        }
        let spot = self.spot(&wager);
        let who = Actor::bettor(wager);
        let home = who.home(&self.geometry);
        let id = self.bring_chips(who, amount, (home, spot), when);
        self.stakes.entry(wager).or_default().staked.push(id);
    }

    /// A free bet: the dealer puts a lammer where the chips would stand.
    fn lammer(&mut self, wager: Wager, when: When) {
        let spot = self.spot(&wager);
        let id = self.bring_lammer(spot, when);
        self.stakes.entry(wager).or_default().staked.push(id);
    }

    /// A marker beside a box.
    pub(super) fn marker(&mut self, box_no: BoxNo, when: When) {
        let id = self.bring_lammer(self.geometry.marker(box_no), when);
        self.markers.push(id);
    }

    fn bring_lammer(&mut self, spot: Point, when: When) -> u32 {
        let tray = self.tray();
        let moving = self.carry(Actor::Dealer, when.lasting(CARRY), (tray, spot));
        let id = self.add(Item::Lammer, Lie::plain(tray), moving.0);
        self.go(id, moving, Lie::plain(spot), CARRIED);
        id
    }

    /// A further stake as the layout has it after the step: chips of the bettor, or a lammer of the house.
    pub(super) fn raise(&mut self, further: Wager, when: When) {
        let Some(chips) = self.layout.wagers.get(&further).copied() else { return };
        if chips.free {
            self.lammer(further, when);
        } else {
            self.stake(further, chips.stake, when);
        }
    }

    /// War winnings go on top of the main wager.
    pub(super) fn parlay(&mut self, main: Wager, amount: Money, later: &[Step], when: When) {
        let war = won_at_war(main);
        let won = self.stakes.get_mut(&war).map(|stakes| std::mem::take(&mut stakes.paid)).unwrap_or_default();
        let spot = self.geometry.betting_spot(&main);
        let take = won.first().and_then(|id| self.lies(*id)).map_or(spot, |lie| lie.pose.at);
        let moving = self.carry(Actor::bettor(main), when.lasting(CARRY), (take, spot));
        self.away(&won, moving, Pose { at: spot, ..Pose::default() });
        let stood = self.worth(&main);
        self.replace_stake(main, stood.plus(amount).unwrap_or(stood), when.at);
        self.won(war, later, when.at);
    }

    /// Of a side bet and its winnings so much stays; the rest goes home.
    pub(super) fn ride(&mut self, wager: Wager, amount: Money, when: When) {
        let Some(stakes) = self.stakes.remove(&wager) else {
            return self.stake(wager, amount, when);
        };
        let ids = stakes.all();
        let all = self.sum(&ids);
        let spot = self.geometry.betting_spot(&wager);
        let who = Actor::bettor(wager);
        let home = who.home(&self.geometry);
        let (grab, until) = self.carry(who, when.lasting(CARRY), (spot, home));
        ids.iter().for_each(|id| self.end(*id, grab));
        self.replace_stake(wager, amount, grab);
        let rest = all.minus(amount).unwrap_or(Money::ZERO);
        if rest > Money::ZERO {
            let id = self.add(Item::Chips(stack(rest)), Lie::plain(spot), grab);
            self.away(&[id], (grab, until), Pose { at: home, ..Pose::default() });
        }
    }

    /// The dealer brings winnings from the tray and puts them beside the stake.
    pub(super) fn pay(&mut self, wager: Wager, amount: Money, later: &[Step], when: When) {
        let beside = self.geometry.payout_spot(&wager);
        let already = self.stakes.get(&wager).map_or(0, |stakes| stakes.paid.len()) as f32;
        let spot = Point { x: beside.x - 40.0 * already, y: beside.y };
        let id = self.bring_chips(Actor::Dealer, amount, (self.tray(), spot), when);
        self.stakes.entry(wager).or_default().paid.push(id);
        self.exchange_lammers(wager, when.at);
        self.won(wager, later, when.at);
    }

    /// The dealer takes a stake, whole or so much of it.
    pub(super) fn take(&mut self, wager: Wager, amount: Option<Money>, later: &[Step], when: When) {
        let staked = self.stakes.get_mut(&wager).map(|stakes| std::mem::take(&mut stakes.staked)).unwrap_or_default();
        let spot = staked.first().and_then(|id| self.lies(*id)).map(|lie| lie.pose.at);
        let spot = spot.unwrap_or_else(|| self.geometry.betting_spot(&wager));
        let tray = self.tray();
        let stood = self.sum(&staked);
        let (grab, until) = self.carry(Actor::Dealer, when.lasting(CARRY), (spot, tray));
        let home = Pose { at: tray, ..Pose::default() };
        match amount.filter(|amount| *amount < stood) {
            None => self.away(&staked, (grab, until), home),
            Some(amount) => {
                staked.iter().for_each(|id| self.end(*id, grab));
                let taken = self.add(Item::Chips(stack(amount)), Lie::plain(spot), grab);
                self.away(&[taken], (grab, until), home);
                let rest = stood.minus(amount).unwrap_or(Money::ZERO);
                self.replace_stake(wager, rest, grab);
            }
        }
        self.won(wager, later, when.at);
    }

    /// A wager stands off or is handed back: the dealer points at it and its owner takes it.
    pub(super) fn hand_back(&mut self, wager: Wager, later: &[Step], when: When) {
        let spot = self.geometry.betting_spot(&wager);
        self.gesture(Actor::Dealer, spot, Manner::Taps, when);
        self.exchange_lammers(wager, when.at);
        self.won(wager, later, when.at);
    }

    /// Owners take home what is settled and due by now.
    pub(super) fn run_errands(&mut self, now: Micros, floor: Micros) {
        while let Some(first) = self.errands.iter().filter(|errand| errand.due <= now).min_by_key(|errand| errand.due) {
            let who = Actor::owner(first.wager);
            let from = first.due.saturating_sub(CARRY * 2 / 3).max(first.since).max(floor);
            let until = first.due.max(from);
            let due = |errand: &Errand| Actor::owner(errand.wager) == who && errand.since <= from;
            let taken: Vec<Wager> = self.errands.iter().filter(|e| due(e)).map(|errand| errand.wager).collect();
            self.errands.retain(|errand| !taken.contains(&errand.wager));
            self.go_home(who, &taken, (from, until));
        }
    }

    /// Chips that were won and still stand where new ones are to go are taken first.
    fn hurry_home(&mut self, wager: Wager, when: When) {
        if self.errands.iter().any(|errand| errand.wager == wager) {
            self.errands.retain(|errand| errand.wager != wager);
            let (from, until) = when.lasting(CARRY);
            self.go_home(Actor::owner(wager), &[wager], (from, from + (until - from) / 2));
        }
    }

    /// The round is over: everybody takes what still stands there.
    pub(super) fn clear_chips(&mut self, when: When) {
        self.errands.clear();
        let mut left: Vec<(Actor, Wager)> = self.stakes.keys().map(|wager| (Actor::owner(*wager), *wager)).collect();
        left.sort_unstable();
        for of_one in left.chunk_by(|a, b| a.0 == b.0) {
            let Some((who, _)) = of_one.first() else { continue };
            let wagers: Vec<Wager> = of_one.iter().map(|(_, wager)| *wager).collect();
            self.go_home(*who, &wagers, when.lasting(CARRY));
        }
        let markers = std::mem::take(&mut self.markers);
        markers.iter().for_each(|id| self.end(*id, when.at));
    }

    fn go_home(&mut self, who: Actor, wagers: &[Wager], window: (Micros, Micros)) {
        let ids: Vec<u32> = wagers.iter().filter_map(|wager| self.stakes.remove(wager)).flat_map(Stakes::all).collect();
        let Some(spot) = ids.first().and_then(|id| self.lies(*id)).map(|lie| lie.pose.at) else { return };
        let home = if who == Actor::DealersOther { self.tray() } else { who.home(&self.geometry) };
        let moving = self.carry(who, window, (spot, home));
        self.away(&ids, moving, Pose { at: home, ..Pose::default() });
    }

    /// Notes that a wager's chips can go home, unless something is still to come of them. A stake and its double go
    /// together.
    fn won(&mut self, wager: Wager, later: &[Step], since: Micros) {
        let together = match wager.kind {
            WagerKind::Main | WagerKind::Split | WagerKind::Double => {
                vec![wager.of_kind(WagerKind::stake(wager.hand)), wager.of_kind(WagerKind::Double)]
            }
            _ => vec![wager],
        };
        if later.iter().filter_map(|step| settles(&step.act)).any(|other| together.contains(&other)) {
            return;
        }
        let due = since.saturating_add(self.dice.between(WAITS.0, WAITS.1) as Micros);
        for wager in together.into_iter().filter(|wager| self.stakes.contains_key(wager)) {
            self.errands.push(Errand { since, due, wager });
        }
    }

    /// A lammer has done its work: it goes under the dealer's hand.
    fn exchange_lammers(&mut self, wager: Wager, at: Micros) {
        let staked = self.stakes.get(&wager).map(|stakes| stakes.staked.clone()).unwrap_or_default();
        for id in staked {
            if self.tracks.get(&id).is_some_and(|track| track.worth() == Money::ZERO) {
                self.end(id, at);
            }
        }
    }

    /// Chips come from somewhere and stand on a spot at the step's time.
    fn bring_chips(&mut self, who: Actor, amount: Money, (from, spot): (Point, Point), when: When) -> u32 {
        let moving = self.carry(who, when.lasting(CARRY), (from, spot));
        let order = self.on_top();
        let id = self.add(Item::Chips(stack(amount)), Lie { order, ..Lie::plain(from) }, moving.0);
        self.go(id, moving, Lie { order, ..Lie::plain(spot) }, CARRIED);
        id
    }

    /// A hand changes a stake to another amount.
    fn restack(&mut self, wager: Wager, amount: Money, who: Actor, when: When) {
        let spot = self.geometry.betting_spot(&wager);
        self.carry(who, when.lasting(CARRY), (spot, spot));
        self.replace_stake(wager, amount, when.at);
    }

    /// From an instant on, a stake is of another amount.
    fn replace_stake(&mut self, wager: Wager, amount: Money, at: Micros) {
        let old = self.stakes.get_mut(&wager).map(|stakes| std::mem::take(&mut stakes.staked)).unwrap_or_default();
        let spot = old.first().and_then(|id| self.lies(*id)).map(|lie| lie.pose.at);
        let spot = spot.unwrap_or_else(|| self.geometry.betting_spot(&wager));
        old.iter().for_each(|id| self.end(*id, at));
        let order = self.on_top();
        let id = self.add(Item::Chips(stack(amount)), Lie { order, ..Lie::plain(spot) }, at);
        self.stakes.entry(wager).or_default().staked.push(id);
    }

    fn end(&mut self, id: u32, at: Micros) {
        if let Some(track) = self.tracks.get_mut(&id) {
            track.end(at);
        }
    }

    fn worth(&self, wager: &Wager) -> Money {
        self.stakes.get(wager).map_or(Money::ZERO, |stakes| self.sum(&stakes.staked))
    }

    fn sum(&self, ids: &[u32]) -> Money {
        let worth = ids.iter().filter_map(|id| self.tracks.get(id)).map(|track| track.worth());
        worth.fold(Money::ZERO, |sum, worth| sum.plus(worth).unwrap_or(sum))
    }

    /// Where a hand puts the chips of a wager.
    fn spot(&mut self, wager: &Wager) -> Point {
        let askew = self.askew().at;
        let spot = self.geometry.betting_spot(wager);
        Point { x: spot.x + 1.5 * askew.x, y: spot.y + 1.5 * askew.y }
    }

    fn tray(&self) -> Point {
        self.geometry.tray().pose.at
    }
}
