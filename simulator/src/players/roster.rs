//! Who deals: dealers by name, each with a speed, who relieve one another.

use auditor::model::random::Dice;
use table::{Act, Ident, Utc};

/// A dealer.
#[derive(Clone, Debug, PartialEq)]
pub struct Dealer {
    /// By what name.
    pub name: Ident,
    /// How long a movement takes compared with most dealers: less than 1 is quick.
    pub slowness: f64,
}

/// Shortest and longest time at a table before another takes over, in minutes.
const TURN_MINUTES: (f64, f64) = (20.0, 60.0);
const MINUTE: f64 = 60e6;
/// The quickest and the slowest of dealers.
const SLOWNESS: (f64, f64) = (0.85, 1.2);

/// The dealers of one table, in turn.
#[derive(Clone, Debug)]
pub struct Roster {
    dealers: Vec<Dealer>,
    /// When each turn begins and whose it is.
    turns: Vec<(Utc, usize)>,
    dice: Dice,
}

impl Roster {
    /// A table opened at some time by the first of the dealers named.
    pub fn new(names: &[Ident], opens: Utc, dice: &Dice) -> Self {
        let mut dice = dice.fork("roster");
        let dealer = |name: &Ident| Dealer { name: name.clone(), slowness: dice.between(SLOWNESS.0, SLOWNESS.1) };
        let dealers = names.iter().map(dealer).collect();
        Self { dealers, turns: vec![(opens, 0)], dice }
    }

    /// Who deals at a time; nobody if no dealer was named.
    pub fn at(&mut self, time: Utc) -> Option<&Dealer> {
        let turn = self.turn(time);
        self.dealers.get(turn.1)
    }

    /// The step with which a round begins if another dealer has taken over since the round before began.
    pub fn change(&mut self, last: Utc, begins: Utc) -> Option<Act> {
        let before = self.turn(last);
        let after = self.turn(begins);
        let new = self.dealers.get(after.1)?;
        (before.1 != after.1).then(|| Act::DealerChange(new.name.clone()))
    }

    /// The turn into which a time falls.
    fn turn(&mut self, time: Utc) -> (Utc, usize) {
        let mut last = self.turns.last().copied().unwrap_or((time, 0));
        while last.0 <= time {
            let length = self.dice.between(TURN_MINUTES.0, TURN_MINUTES.1) * MINUTE;
            let Some(next) = last.0.shifted(length as i64) else { break };
            last = (next, (last.1 + 1) % self.dealers.len().max(1));
            self.turns.push(last);
        }
        let begun = self.turns.partition_point(|(begins, _)| *begins <= time);
        self.turns.get(begun.saturating_sub(1)).copied().unwrap_or(last)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn after(minutes: i64) -> Utc {
        Utc::EPOCH.shifted(minutes * 60_000_000).unwrap()
    }

    fn roster(names: &[&str]) -> Roster {
        let names: Vec<Ident> = names.iter().map(|name| name.parse().unwrap()).collect();
        Roster::new(&names, Utc::EPOCH, &Dice::new(7))
    }

    #[test]
    fn a_dealer_is_relieved_after_twenty_to_sixty_minutes_and_the_change_is_told_once() {
        let mut roster = roster(&["Mia", "Tomas", "Aroha"]);
        let changes: Vec<i64> =
            (0..600).filter(|minute| roster.change(after(*minute), after(minute + 1)).is_some()).collect();
        assert!(changes.len() >= 9, "{changes:?}");
        assert!(changes.windows(2).all(|pair| (19..=61).contains(&(pair[1] - pair[0]))), "{changes:?}");
        assert_eq!(roster.at(after(0)).unwrap().name.as_str(), "Mia");
        assert_eq!(roster.at(after(changes[0] + 1)).unwrap().name.as_str(), "Tomas");
    }

    #[test]
    fn one_dealer_alone_is_never_relieved_and_none_at_all_breaks_nothing() {
        let mut alone = roster(&["Mia"]);
        assert_eq!(alone.change(after(0), after(600)), None);
        assert_eq!(alone.at(after(300)).unwrap().name.as_str(), "Mia");
        let mut none = roster(&[]);
        assert_eq!(none.at(after(5)), None);
        assert_eq!(none.change(after(0), after(600)), None);
    }
}
