//! The shoes of a table, one after another, from its rounds.

use table::{Ident, Round};

use super::{Orders, Passage, Stretch};
use crate::replay::{Room, Shoe, Table};
use crate::rules::Rules;

/// A shoe that is over, with the orders of its shuffle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dealt {
    /// Which table.
    pub table: Ident,
    /// Which shoe.
    pub shoe: u32,
    /// Who dealt its first round, and so shuffled it.
    pub dealer: Option<Ident>,
    /// Whether a machine made the shuffle.
    pub machine: bool,
    /// Which cards it was dealt from: another number where others may have come to the table since.
    pub cards: u32,
    /// Its orders.
    pub orders: Orders,
}

/// Follows the rounds of a table in order.
#[derive(Default)]
pub struct Follower {
    shoe: Option<Box<Shoe>>,
    room: Option<Room>,
    passage: Passage,
    now: Option<(Ident, u32, Option<Ident>)>,
    /// The first of the rounds at a continuous shuffler that were not judged yet.
    stretch_began: String,
}

impl Follower {
    /// The next round; the shoe before it, if this one begins another and both orders of that were seen.
    pub fn follow(&mut self, rules: &Rules, round: &Round) -> Option<Dealt> {
        let number = round.id.shoe;
        let other = self.now.as_ref().is_some_and(|(table, shoe, _)| *table != round.id.table || *shoe != number);
        let over = if other { self.over(rules) } else { None };
        if other && !super::passage::is_shuffled(round) {
            self.passage.forget();
        }
        if other || self.now.is_none() {
            self.now = Some((round.id.table.clone(), number, round.dealer.clone()));
        }
        let shoe = self.shoe.take().unwrap_or_default();
        let mut table = Table::new(rules, &round.limits, shoe, self.room.take().unwrap_or_default());
        for (step, act) in round.steps.iter().map(|step| &step.act).enumerate() {
            table.step = step;
            self.passage.follow(&table, act, None);
            table.follow(act);
        }
        self.passage.round_ends(&table, None);
        let (shoe, room) = table.leave();
        self.shoe = Some(shoe);
        self.room = Some(room);
        over
    }

    /// The last rounds at a continuous shuffler up to this one, once there are enough of them to judge it by.
    pub fn stretch(&mut self, last: &Round) -> Option<Stretch> {
        let (rounds, stretch) = self.passage.take_stretch();
        if rounds == 1 {
            let (table, shoe, round) = (&last.id.table, last.id.shoe, last.id.round);
            self.stretch_began = format!("{table}.{shoe}.{round}");
        }
        stretch.map(|stretch| Stretch { id: self.stretch_began.clone(), ..stretch })
    }

    /// The shoe in use, as far as it was dealt.
    pub fn over(&self, rules: &Rules) -> Option<Dealt> {
        let (table, shoe, dealer) = self.now.clone()?;
        let orders = self.passage.orders(format!("{table}.{shoe}"), rules.decks)?;
        Some(Dealt { table, shoe, dealer, machine: self.passage.by_machine(), cards: self.passage.cards(), orders })
    }
}
