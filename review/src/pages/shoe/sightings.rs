//! How often each card of a shoe was seen, and how surely. A camera misreads a card now and then; only what is certain
//! proves that there is a card too many.

use auditor::rules::Rules;
use auditor::shuffle::{Composition, Dealt, Follower};
use table::{Act, Card, Round, Step};

use crate::pages::round::{scene, several};

/// From this chance on, in millionths, a card counts as read with certainty, as a shoe reads it.
const CERTAIN: u32 = 999_000;

fn is_certain(step: &Step) -> bool {
    step.chance.is_none_or(|chance| chance.millionths() >= CERTAIN)
}

/// Sightings of each card.
pub(crate) struct Sightings([Seen; 52]);

#[derive(Clone, Copy, Default)]
struct Seen {
    times: u32,
    certain: u32,
}

/// A card that was seen more often than it should be there.
#[derive(Debug, PartialEq, Eq, serde::Serialize)]
pub(crate) struct Surplus {
    pub(crate) told: String,
    /// Whether sightings that are certain are too many by themselves.
    pub(crate) proven: bool,
}

impl Sightings {
    /// What left the shoe in these rounds.
    pub(crate) fn of(rounds: &[Round]) -> Self {
        let mut seen = [Seen::default(); 52];
        for round in rounds {
            let mut hidden = 0_u32;
            for step in &round.steps {
                let card = match &step.act {
                    Act::Card { card, .. } | Act::Drawn(card) | Act::Burn(card) => {
                        hidden += u32::from(*card == Card::HIDDEN);
                        *card
                    }
                    // A hole card turned up is the card that was dealt face down.
                    Act::TurnUp(_, card) if hidden > 0 => {
                        hidden -= 1;
                        *card
                    }
                    _ => continue,
                };
                if let Some(seen) = card.index().and_then(|index| seen.get_mut(index)) {
                    seen.times += 1;
                    seen.certain += u32::from(is_certain(step));
                }
            }
        }
        Self(seen)
    }

    /// How often each card was seen.
    pub(crate) fn counts(&self) -> [u32; 52] {
        self.0.map(|seen| seen.times)
    }

    /// The cards that were seen too often, proven or not.
    pub(crate) fn surplus(&self, decks: u32) -> Vec<Surplus> {
        let over =
            (0..52).filter_map(Card::from_index).zip(&self.0).filter(|(_, seen)| decks > 0 && seen.times > decks);
        over.map(|(card, seen)| {
            let told = format!("{} was seen {} times, of {decks} there should be", card.pretty(), seen.times);
            let unsure = seen.times - seen.certain;
            let proven = seen.certain > decks;
            let told = match (proven, unsure) {
                (true, 0) => format!("{told}."),
                (true, _) => format!("{told}; {} of these sightings are certain.", seen.certain),
                (false, _) => format!("{told}. {unsure} of these sightings were unsure: a card may have been misread."),
            };
            Surplus { told, proven }
        })
        .collect()
    }
}

/// The orders before and after the shuffle between two shoes. Where a card came too often, sightings of it that prove
/// nothing are taken for cards that were not read, as many as it takes; their cards are given too.
pub(in crate::pages) fn orders(rules: &Rules, before: &[Round], rounds: &[Round]) -> Option<(Dealt, Vec<Card>)> {
    let mut all: Vec<Round> = before.iter().chain(rounds).cloned().collect();
    let mut doubted = Vec::new();
    loop {
        let mut follower = Follower::default();
        for round in &all {
            follower.follow(rules, round);
        }
        let dealt = follower.over(rules)?;
        let extra = |order: &[Card]| Composition::of(rules.decks, &[], order).extra;
        let [went_in, came_out] = [extra(&dealt.orders.before), extra(&dealt.orders.after)];
        let (earlier, later) = all.split_at_mut(before.len());
        let forgotten = went_in.into_iter().find(|card| forget_one(earlier, *card));
        let Some(card) = forgotten.or_else(|| came_out.into_iter().find(|card| forget_one(later, *card))) else {
            return Some((dealt, doubted));
        };
        doubted.push(card);
    }
}

/// Takes a sighting of a card for one of a card that was not read: the least sure, or else one of a card as it was put
/// away, which had been dealt before and may have been counted with its hand already.
fn forget_one(rounds: &mut [Round], card: Card) -> bool {
    let steps = rounds.iter_mut().flat_map(|round| &mut round.steps);
    let shown = steps.filter(|step| scene::card_of(&step.act) == Some(card));
    let unproven = shown.filter(|step| !is_certain(step) || matches!(step.act, Act::Discard(_)));
    match unproven.min_by_key(|step| (is_certain(step), step.chance)) {
        Some(step) => scene::reread(&mut step.act, Card::UNREAD),
        None => false,
    }
}

/// What became of sightings that were too many, in words.
pub(in crate::pages) fn doubts_told(doubted: &[Card]) -> Option<String> {
    let names: Vec<_> = doubted.iter().map(|card| card.pretty()).collect();
    (!doubted.is_empty()).then(|| {
        format!(
            "{} not counted, of cards that would be more than the decks hold: {}. A card misread, or counted twice when it \
             was put away, looks like this, so it proves nothing.",
            several(doubted.len(), "sighting"),
            names.join(" ")
        )
    })
}

#[cfg(test)]
mod tests {
    use auditor::check::Law;
    use auditor::rulebook::books;
    use table::{Chance, notation};

    use super::*;

    /// Seven tens of hearts from six decks, the last few seen by a camera that was not sure.
    fn seven(unsure: usize) -> Vec<Round> {
        let cards = "card 1 TH\n".repeat(7);
        let mut rounds = notation::parse(&format!("game nz-base\n{cards}")).unwrap();
        let doubt = Chance::from_millionths(930_000);
        rounds[0].steps.iter_mut().rev().take(unsure).for_each(|step| step.chance = doubt);
        rounds
    }

    #[test]
    fn a_card_too_many_is_proven_by_what_is_certain_and_by_nothing_else() {
        let certain = Sightings::of(&seven(0)).surplus(6);
        assert_eq!((certain.len(), certain[0].proven), (1, true));
        let unsure = Sightings::of(&seven(2)).surplus(6);
        assert!(!unsure[0].proven);
        assert!(unsure[0].told.contains("2 of these sightings were unsure"), "{}", unsure[0].told);
        assert!(Sightings::of(&seven(0)).surplus(7).is_empty());
        assert!(Sightings::of(&seven(0)).surplus(0).is_empty(), "a game we do not know has no number of decks");
    }

    /// Two shoes of a table, the second dealt after a shuffle.
    fn shoes(unsure: usize) -> [Vec<Round>; 2] {
        let [mut before, mut after] = [seven(0), seven(unsure)];
        before[0].steps.truncate(3);
        before[0].steps.push("collect 1".parse::<Act>().unwrap().into());
        before[0].id.shoe = 1;
        after[0].id.shoe = 2;
        after[0].steps.insert(0, "shuffle".parse::<Act>().unwrap().into());
        [before, after]
    }

    #[test]
    fn what_was_unsure_and_too_often_is_not_held_against_the_shuffle() {
        let round = &seven(0)[0];
        let law = Law::of(books::all().unwrap(), &round.game).unwrap();
        let [before, after] = shoes(0);
        let (dealt, doubted) = orders(&law.rules, &before, &after).unwrap();
        assert_eq!((dealt.orders.after.iter().filter(|card| card.is_known()).count(), doubted.len()), (7, 0));
        let [before, after] = shoes(2);
        let (dealt, doubted) = orders(&law.rules, &before, &after).unwrap();
        assert_eq!(doubted.iter().map(Card::to_string).collect::<Vec<_>>(), ["TH"], "as many as it takes");
        assert!(Composition::of(6, &dealt.orders.before, &dealt.orders.after).extra.is_empty());
        // Seen surely as it was put away, beside the hand it lay in.
        let [mut before, after] = shoes(2);
        let put_away = "discard TH".parse::<Act>().unwrap();
        before[0].steps.extend(std::iter::repeat_n(put_away.into(), 4));
        let (dealt, doubted) = orders(&law.rules, &before, &after).unwrap();
        assert_eq!(doubted.len(), 2, "one that came out unsure, and one that went in twice");
        assert!(Composition::of(6, &dealt.orders.before, &dealt.orders.after).extra.is_empty());
        assert!(doubts_told(&doubted).unwrap().contains("proves nothing"));
        assert_eq!(doubts_told(&[]), None);
    }
}
