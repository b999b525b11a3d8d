//! A step as an officer would say it: whose, then what. The notation is for typing; nobody should have to learn it to read.

use table::round::{Cutter, Mix, Stake, Touched};
use table::{Act, Card, Face, Place, Turn};

use crate::pages::words;

/// A step in words.
pub(crate) fn told(act: &Act) -> String {
    let whose = match act {
        Act::Bet(wager, _)
        | Act::Alter(wager, _)
        | Act::EvenMoney(wager)
        | Act::Double(wager, _)
        | Act::Split(wager, _)
        | Act::Surrender(wager)
        | Act::Parlay(wager, _)
        | Act::Ride(wager, _)
        | Act::Prize(wager, _)
        | Act::Pay(wager, _)
        | Act::Take(wager, _)
        | Act::Push(wager)
        | Act::Return(wager) => Some(words::wager(*wager)),
        Act::OfferCut(box_no)
        | Act::Cut { by: Cutter::Box(box_no), .. }
        | Act::Marker(box_no, _)
        | Act::Absent(box_no)
        | Act::Touch(box_no, _) => Some(words::place(Some(*box_no), None)),
        _ => act.place().map(hand),
    };
    let what = what(act);
    match whose {
        Some(whose) => format!("{whose}: {what}"),
        None => what,
    }
}

/// Whose hand.
fn hand(place: Place) -> String {
    match place {
        Place::Dealer => "dealer".to_owned(),
        Place::Box(box_no, hand) => words::place(Some(box_no), Some(hand)),
    }
}

/// What was done, after whose it was.
fn what(act: &Act) -> String {
    match act {
        Act::Cards { prepared, decks } => {
            format!("cards brought, {}, {prepared}", super::several(usize::from(*decks), "deck"))
        }
        Act::Inspect(person) => format!("cards looked through, {person}"),
        Act::Shuffle(mix) => mixed(*mix).to_owned(),
        Act::OfferCut(_) => "is offered the cut".to_owned(),
        Act::Cut { by, depth } => {
            let depth = depth.map(|depth| format!(", {depth} cards from the front")).unwrap_or_default();
            match by {
                Cutter::Box(_) => format!("cuts{depth}"),
                Cutter::Staff => format!("staff cut{depth}"),
            }
        }
        Act::CutCardIn(depth) => format!("cutting card put in, {depth} cards from the back"),
        Act::CutCardOut => "cutting card comes out".to_owned(),
        Act::Burn(card) => format!("{} burned", face(*card)),
        Act::FinalRounds => "last rounds announced".to_owned(),
        Act::Marker(_, amount) => format!("marker, at most {amount}"),
        Act::Meter(amount) => format!("meter shows {amount}"),
        Act::Bet(_, amount) => format!("bets {amount}"),
        Act::Alter(_, amount) => format!("wager changed to {amount}"),
        Act::NoMoreBets => "no more bets".to_owned(),
        Act::Card { card, face: lies, turn, .. } => dealt(*card, *lies, *turn),
        Act::TurnUp(_, card) => format!("turned up, {}", face(*card)),
        Act::TurnSideways(_) => "cards turned sideways".to_owned(),
        Act::Tuck(_) => "tucks the cards".to_owned(),
        Act::OfferInsurance => "insurance offered".to_owned(),
        Act::EvenMoney(_) => "takes even money".to_owned(),
        Act::Peek => "dealer looks at the hole card".to_owned(),
        Act::Hit(_) => "hits".to_owned(),
        Act::Stand(_) => "stands".to_owned(),
        Act::Double(_, stake) => staked("doubles", *stake),
        Act::Split(_, stake) => staked("splits", *stake),
        Act::Surrender(_) => "surrenders".to_owned(),
        Act::Zap(_) => "exchanges both cards".to_owned(),
        Act::Parlay(_, amount) => format!("adds winnings of {amount}"),
        Act::Ride(_, amount) => format!("lets {amount} ride"),
        Act::Absent(_) => "player away".to_owned(),
        Act::Refuse(_) => "refuses the card".to_owned(),
        Act::Accept(_) => "accepts the card".to_owned(),
        Act::Drawn(card) => format!("{} drawn", face(*card)),
        Act::Exposed(card) => format!("{} shown before its time", face(*card)),
        Act::Dropped(card) => format!("{} fallen to the floor", face(*card)),
        Act::Boxed(card) => format!("{} face up in the shoe", face(*card)),
        Act::Damaged(card) => format!("{} damaged", face(*card)),
        Act::Replaced(card) => format!("{} replaced by a fresh one", face(*card)),
        Act::Discard(card) => format!("{} put in the rack", face(*card)),
        Act::Move { card, from, .. } => format!("{} moved here from {}", face(*card), hand(*from)),
        Act::Reconstruct(_) => "put back to what it should be".to_owned(),
        Act::Void(_) => "declared void".to_owned(),
        Act::VoidRound => "round declared void".to_owned(),
        Act::Touch(_, Touched::Cards) => "cards touched".to_owned(),
        Act::Touch(_, Touched::Wager) => "wager touched".to_owned(),
        Act::Fault(device) => format!("{device} failed"),
        Act::Supervisor => "supervisor called".to_owned(),
        Act::Prize(_, amount) => format!("prize of {amount} a unit"),
        Act::Pay(_, amount) => format!("paid {amount}"),
        Act::Take(_, None) => "taken".to_owned(),
        Act::Take(_, Some(amount)) => format!("{amount} taken"),
        Act::Push(_) => "pushed".to_owned(),
        Act::Return(_) => "handed back".to_owned(),
        Act::Collect(_) => "cards collected".to_owned(),
        Act::DealerChange(name) => format!("{name} takes over as dealer"),
        Act::Note(remark) => format!("remark: {}", remark.as_str()),
        Act::End => "round over".to_owned(),
    }
}

/// A card by its face, if anybody saw it.
fn face(card: Card) -> String {
    if card.is_known() { card.pretty() } else { "a card".to_owned() }
}

fn dealt(card: Card, lies: Face, turn: Turn) -> String {
    let mut said = face(card);
    if lies == Face::Down {
        said.push_str(" face down");
    }
    if turn == Turn::Sideways {
        said.push_str(", sideways");
    }
    said
}

fn staked(does: &str, stake: Stake) -> String {
    match stake {
        Stake::Full => does.to_owned(),
        Stake::Chips(amount) => format!("{does} for {amount}"),
        Stake::Free => format!("{does} on a free bet"),
    }
}

/// How the cards were mixed.
const fn mixed(mix: Mix) -> &'static str {
    match mix {
        Mix::Whole => "cards shuffled",
        Mix::Wash => "cards washed",
        Mix::Stack => "cards squared into a stack",
        Mix::Riffle => "cards riffled",
        Mix::Strip => "cards stripped",
        Mix::Box => "packets put in another order",
        Mix::Machine => "cards put through the machine",
    }
}

#[cfg(test)]
mod tests {
    use table::notation::FORMS;

    use super::super::scene;
    use super::*;

    fn said(line: &str) -> String {
        told(&line.parse().unwrap())
    }

    #[test]
    fn whose_it_is_comes_first() {
        assert_eq!(said("bet 1 19"), "box 1: bets 19.00");
        assert_eq!(said("card 3b TH"), "box 3b: 10♥");
        assert_eq!(said("card dealer XX down"), "dealer: a card face down");
        assert_eq!(said("card 5 4C sideways"), "box 5: 4♣, sideways");
        assert_eq!(said("pay 3/2 super_sevens 15"), "box 3, bettor 2 behind, super sevens: paid 15.00");
        assert_eq!(said("push 5"), "box 5: pushed");
        assert_eq!(said("double 3 10"), "box 3: doubles for 10.00");
        assert_eq!(said("cut staff 104"), "staff cut, 104 cards from the front");
        assert_eq!(said("end"), "round over");
    }

    #[test]
    fn no_step_is_told_in_notation() {
        for form in FORMS {
            let said = said(form.example);
            assert_ne!(said, scene::pretty(form.example));
            assert!(!said.contains('_') && !said.contains("XX"), "{said}");
        }
    }
}
