//! A round as its page shows it: the steps in time, the ledger, and where each flag points.

use auditor::Rulebook;
use auditor::check::{Entry, Law};
use table::{Act, Card, Flag, Place, Round, Utc};

use crate::draw::StepMark;
use crate::pages::calculator::Row;

/// The instant of a step, if it has one.
pub(crate) fn instant(round: &Round, step: usize) -> Option<Utc> {
    let after = round.steps.get(step.checked_sub(1)?)?.after?;
    round.at.shifted(i64::try_from(after).ok()?)
}

/// The step a flag points at, counted from one: the one at its time that concerns its box; else where its box was settled;
/// else whatever happened at its time.
pub(crate) fn step_of(round: &Round, flag: &Flag) -> Option<usize> {
    let at_box = |act: &Act| act.place().and_then(Place::box_no) == flag.box_no;
    let at_hand = |act: &Act| match (act.place(), flag.box_no) {
        (Some(Place::Box(box_no, hand)), Some(wanted)) => box_no == wanted && flag.hand.is_none_or(|h| h == hand),
        (Some(Place::Dealer), None) => true,
        _ => false,
    };
    let numbered = || (1..).zip(&round.steps);
    let then: Vec<_> = numbered().filter(|(step, _)| instant(round, *step) == Some(flag.at)).collect();
    let nearest =
        then.iter().find(|(_, step)| at_hand(&step.act)).or_else(|| then.iter().find(|(_, s)| at_box(&s.act)));
    let settled = || {
        let settles = |act: &Act| matches!(act, Act::Pay(..) | Act::Take(..) | Act::Push(_) | Act::Return(_));
        // Side bets may be settled long before the hand.
        numbered().filter(|(_, step)| flag.box_no.is_some() && settles(&step.act) && at_hand(&step.act)).last()
    };
    // What is judged at the end of a round is shown where the wager was settled.
    let shows = nearest.map(|(step, _)| *step).or_else(|| settled().map(|(step, _)| step));
    shows.or_else(|| then.first().map(|(step, _)| *step))
}

/// The instant whose picture shows what a flag is about: that of its step, or the last at which the cards of its hand still lay
/// there if they were gone by then.
pub(crate) fn picture_of(round: &Round, flag: &Flag) -> Option<Utc> {
    /// From the hand that reaches for cards to the cards being gone, in microseconds.
    const REACH: i64 = 1_500_000;
    let step = step_of(round, flag)?;
    let at = instant(round, step)?;
    let mine = |place: Place| match place {
        Place::Box(box_no, hand) => flag.box_no == Some(box_no) && flag.hand.is_none_or(|h| h == hand),
        Place::Dealer => flag.box_no.is_none(),
    };
    let gone = (1..=step).zip(&round.steps).find_map(|(step, taken)| match taken.act {
        Act::Collect(place) if mine(place) => instant(round, step),
        _ => None,
    });
    Some(gone.and_then(|gone| gone.shifted(-REACH)).map_or(at, |before| before.min(at)))
}

/// The instant at which all cards of a round lay on the table: that of the last to come.
pub(crate) fn last_card(round: &Round) -> Option<Utc> {
    let comes = |act: &Act| matches!(act, Act::Card { .. } | Act::TurnUp(..));
    let last = round.steps.iter().rposition(|step| comes(&step.act))?;
    instant(round, last + 1)
}

/// The card a step shows, if it shows one that can be misread.
pub(crate) const fn card_of(act: &Act) -> Option<Card> {
    match act {
        Act::Card { card, .. }
        | Act::TurnUp(_, card)
        | Act::Burn(card)
        | Act::Drawn(card)
        | Act::Exposed(card)
        | Act::Discard(card) => Some(*card),
        _ => None,
    }
}

/// The round with one card read otherwise; `None` if that step shows no card.
pub(crate) fn corrected(round: &Round, step: usize, becomes: Card) -> Option<Round> {
    let mut round = round.clone();
    let act = &mut round.steps.get_mut(step.checked_sub(1)?)?.act;
    reread(act, becomes).then_some(round)
}

/// Reads the card of a step otherwise; whether it shows one.
pub(crate) const fn reread(act: &mut Act, becomes: Card) -> bool {
    match act {
        Act::Card { card, .. }
        | Act::TurnUp(_, card)
        | Act::Burn(card)
        | Act::Drawn(card)
        | Act::Exposed(card)
        | Act::Discard(card) => *card = becomes,
        _ => return false,
    }
    true
}

/// What every wager of a round should have come to, in words.
pub(crate) fn ledger(books: &[Rulebook], round: &Round, currency: &str) -> Result<Vec<Row>, String> {
    Ok(entries(books, round)?.iter().map(|entry| Row::new(entry, currency)).collect())
}

/// What every wager of a round should have come to; says why if the game is not to be found.
pub(crate) fn entries(books: &[Rulebook], round: &Round) -> Result<Vec<Entry>, String> {
    let law = Law::of(books, &round.game).map_err(|error| error.to_string())?;
    let mut entries = law.ledger(round);
    // By box and hand, and of each as the wagers were placed: what belongs together is read together.
    entries.sort_by_key(|entry| (entry.wager.box_no, entry.wager.hand));
    Ok(entries)
}

/// The marks of the timeline.
pub(crate) fn marks(round: &Round, flags: &[Flag]) -> Vec<StepMark> {
    let flagged: Vec<_> = flags.iter().filter_map(|flag| step_of(round, flag)).collect();
    StepMark::all(round, &flagged)
}

/// A line with its cards as they are printed.
pub(crate) fn pretty(line: &str) -> String {
    line.split(' ')
        .map(|word| match word.parse::<Card>() {
            // `3c` is the third hand of box 3, `3C` the three of clubs.
            Ok(card) if card.is_known() && card.to_string() == word => card.pretty(),
            _ => word.to_owned(),
        })
        .collect::<Vec<_>>()
        .join(" ")
}

#[cfg(test)]
mod tests {
    use auditor::check::Session;
    use auditor::rulebook::books;

    use super::*;

    const ROUND: &str = "round BJ-04 17 212 2026-11-15T21:04:05Z\ngame nz-base\nbet 3 25 @1\ncard 3 TH @2\n\
                         card dealer 7S @3\ncard 3 7C @4\nstand 3 @5\ncard dealer TD @6\npay 3 25 @7\nend @8";

    fn flagged() -> (Round, Flag) {
        let round = table::notation::parse(ROUND).unwrap().remove(0);
        let law = Law::of(books::all().unwrap(), &round.game).unwrap();
        let flag = Session::default().audit(&law, &round).0.remove(0);
        (round, flag)
    }

    #[test]
    fn a_hand_of_a_split_is_not_taken_for_a_card() {
        assert_eq!(pretty("card 3c 3C"), "card 3c 3♣");
        assert_eq!(pretty("pay 5d 10.00"), "pay 5d 10.00");
        assert_eq!(pretty("card dealer TH down"), "card dealer 10♥ down");
    }

    #[test]
    fn all_cards_lie_there_when_the_last_has_come() {
        let (round, _) = flagged();
        assert_eq!(last_card(&round), instant(&round, 6));
    }

    #[test]
    fn a_flag_points_at_the_step_that_shows_it() {
        let (round, flag) = flagged();
        assert_eq!(step_of(&round, &flag), Some(7), "a push that was paid is shown where it was paid");
    }

    #[test]
    fn what_is_judged_at_the_end_is_shown_where_the_hand_was_settled_not_its_side_bet() {
        let side_bet = ROUND.replace("card 3 7C @4", "card 3 7C @4\ntake 3 any_pair @4").replace("pay 3 25", "push 3");
        let (_, flag) = flagged();
        let round = table::notation::parse(&side_bet).unwrap().remove(0);
        let flag = Flag { at: instant(&round, 9).unwrap(), ..flag };
        assert_eq!(step_of(&round, &flag), Some(8));
    }

    #[test]
    fn without_times_it_points_at_the_settlement() {
        let (mut round, mut flag) = flagged();
        round.steps.iter_mut().for_each(|step| step.after = None);
        flag.at = round.at;
        assert_eq!(step_of(&round, &flag), Some(7));
    }

    #[test]
    fn a_corrected_card_changes_what_is_due() {
        let (round, _) = flagged();
        let due = |round: &Round| ledger(books::all().unwrap(), round, "NZD").unwrap()[0].expected.clone();
        assert_eq!(due(&round), "push");
        let better = corrected(&round, 4, "9C".parse().unwrap()).unwrap();
        assert_eq!(due(&better), "pay 25.00");
        assert_eq!(corrected(&round, 1, "9C".parse().unwrap()), None, "a bet shows no card");
        assert_eq!(corrected(&round, 99, "9C".parse().unwrap()), None);
    }
}
