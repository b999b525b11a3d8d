//! What is bet: on the hands, beside them, behind them and for the dealer.

use auditor::Rules;
use auditor::model::Opening;
use auditor::model::random::Dice;
use auditor::sidebet::MADNESS_PRIZES;
use table::{Bettor, BoxNo, Hand, Limit, Money, SideBet, Wager, WagerKind};

use super::Company;
use super::guest::{Backer, Guest};
use super::sign::Sign;
use crate::setup::Setup;

/// Cards a box may need.
const CARDS_PER_BOX: usize = 6;
/// Cards the dealer may need.
const CARDS_FOR_DEALER: usize = 12;
/// Most bettors on a box, however many the rulebook would let crowd there.
const BETTORS_MOST: u8 = 3;
/// What is played for the dealer.
const TIP: Money = Money::from_minor(100);

/// Lets people come and go behind the boxes.
pub(super) fn gather_behind(guests: &mut [Guest], rules: &Rules, sign: &Sign, dice: &mut Dice) {
    let room = usize::from(rules.bettors_per_box.clamp(1, BETTORS_MOST)) - 1;
    for (_, behind) in guests.iter_mut().flat_map(|guest| &mut guest.boxes) {
        behind.iter_mut().for_each(|backer| backer.leaves_in = backer.leaves_in.saturating_sub(1));
        behind.retain(|backer| backer.leaves_in > 0);
        if behind.len() < room && dice.once_in(25) {
            let stake = sign.stake(sign.least.minor() as f64 * dice.between(1.0, 3.0));
            behind.push(Backer { stake, leaves_in: 3 + dice.below(20) as u32 });
        }
    }
}

/// Every wager before the first card.
pub(super) fn opening(company: &Company, setup: &Setup, cards_left: usize, dice: &mut Dice) -> Opening {
    let rules = &setup.law.rules;
    let sign = Sign::main(rules, &setup.limits);
    let count = company.true_count(setup);
    let room = (cards_left.saturating_sub(CARDS_FOR_DEALER) / CARDS_PER_BOX).max(1);
    let here = company.guests.iter().filter(|guest| guest.away == 0);
    let boxes = here.flat_map(|guest| guest.boxes.iter().map(move |(box_no, behind)| (guest, *box_no, behind)));
    let mut placing = Placing { company, rules, limits: &setup.limits, dice, opening: Opening::default() };
    for (guest, box_no, behind) in boxes.take(room) {
        let main = Wager::on(box_no, Hand::A);
        let stake = guest.stake(&sign, count, placing.dice);
        placing.bettor(main, stake, guest.sides, guest.tips);
        for (backer, number) in behind.iter().zip(2..) {
            let Some(bettor) = Bettor::new(number) else { break };
            placing.bettor(main.by(bettor), backer.stake, guest.sides, guest.tips);
        }
        let prize = placing.prize();
        placing.opening.prizes.insert(box_no, prize);
    }
    let mut opening = placing.opening;
    opening.meter = Some(company.meter);
    opening
}

/// Wagers being placed.
struct Placing<'a> {
    company: &'a Company,
    rules: &'a Rules,
    limits: &'a [Limit],
    dice: &'a mut Dice,
    opening: Opening,
}

impl Placing<'_> {
    /// One bettor's chips on a box.
    fn bettor(&mut self, main: Wager, stake: Money, sides: f64, tips: f64) {
        self.opening.bets.push((main, stake));
        for bet in &self.company.offered {
            if self.dice.chance(sides) {
                self.side(main, stake, *bet, tips);
            }
        }
        if self.company.wish.tips && self.rules.tips && self.dice.chance(tips) {
            self.opening.bets.push((main.for_dealer(), TIP));
        }
    }

    fn side(&mut self, main: Wager, stake: Money, bet: SideBet, tips: f64) {
        let Some(terms) = self.rules.side(bet) else { return };
        let seated = main.bettor == Bettor::SEATED;
        let wager = main.of_kind(WagerKind::Side(bet));
        let room = terms.per_box.is_none_or(|most| self.standing(wager, main.box_no) < usize::from(most));
        if !room || !(seated || (terms.behind && self.rules.back_side_bets)) {
            return;
        }
        let sign = Sign::side(self.limits, bet);
        let wanted = sign.stake(sign.least.minor() as f64 * self.dice.between(1.0, 5.0));
        let amount = terms.stake.unwrap_or(wanted);
        if bet == SideBet::War && !self.may_go_to_war(main.box_no, stake, amount) {
            return;
        }
        self.opening.bets.push((wager, amount));
        let room = terms.per_box.is_none_or(|most| self.standing(wager, main.box_no) < usize::from(most));
        let tipped = self.company.wish.tips && self.rules.tips && terms.tips && seated && room;
        if tipped && self.dice.chance(tips) {
            self.opening.bets.push((wager.for_dealer(), TIP));
        }
    }

    /// How many wagers of a kind stand on a box.
    fn standing(&self, wager: Wager, box_no: BoxNo) -> usize {
        self.opening.bets.iter().filter(|(other, _)| other.kind == wager.kind && other.box_no == box_no).count()
    }

    /// War winnings may go on the main wager, so both together keep to the maximum; and not every box may play it.
    fn may_go_to_war(&self, box_no: BoxNo, stake: Money, amount: Money) -> bool {
        let mut at_war: Vec<BoxNo> =
            self.opening.bets.iter().filter(|(other, _)| is_war(other)).map(|(other, _)| other.box_no).collect();
        at_war.push(box_no);
        at_war.sort_unstable();
        at_war.dedup();
        let few = self.rules.war_boxes_max.is_none_or(|most| at_war.len() <= usize::from(most));
        let most = Sign::main(self.rules, self.limits).most;
        few && stake.plus(amount).is_some_and(|both| both <= most)
    }

    /// What the jackpot button gives, as often as its table of prizes says.
    fn prize(&mut self) -> Money {
        let entries: usize = MADNESS_PRIZES.iter().map(|(_, entries)| usize::from(*entries)).sum();
        let mut entry = self.dice.below(entries);
        let mut units = 0;
        for (prize, entries) in MADNESS_PRIZES {
            units = prize;
            let Some(rest) = entry.checked_sub(usize::from(entries)) else { break };
            entry = rest;
        }
        Money::from_minor(i64::from(units) * 100)
    }
}

fn is_war(wager: &Wager) -> bool {
    wager.kind == WagerKind::Side(SideBet::War)
}
