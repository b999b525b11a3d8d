//! Printing rounds in round notation, so that [`parse`](super::parse) gives back the same.

use std::fmt::{self, Write};

use crate::event::EventId;
use crate::place::{Face, Turn};
use crate::round::{Act, Cutter, Mix, Round, Stake, Step};
use crate::time::Utc;
use crate::wager::WagerKind;

/// The rounds as text, an empty line between them.
pub fn print<'r>(rounds: impl IntoIterator<Item = &'r Round>) -> String {
    let mut text = String::new();
    for round in rounds {
        if !text.is_empty() {
            text.push('\n');
        }
        // Writing to a string cannot fail.
        let _ = write!(text, "{round}");
    }
    text
}

impl fmt::Display for Round {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "round {} {} {}", self.id.table, self.id.shoe, self.id.round)?;
        if self.at != Utc::EPOCH {
            write!(f, " {}", self.at)?;
        }
        write!(f, "\ngame {}", self.game.name)?;
        for (name, value) in &self.game.options {
            write!(f, " {name}={value}")?;
        }
        f.write_char('\n')?;
        if let Some(dealer) = &self.dealer {
            writeln!(f, "dealer {dealer}")?;
        }
        for limit in &self.limits {
            write!(f, "limits {} {} {}", limit.on, limit.min, limit.max)?;
            if let Some(step) = limit.step {
                write!(f, " step {step}")?;
            }
            f.write_char('\n')?;
        }
        if !self.unseen.is_empty() {
            f.write_str("unseen")?;
            self.unseen.iter().try_for_each(|unseen| write!(f, " {unseen}"))?;
            f.write_char('\n')?;
        }
        for step in &self.steps {
            writeln!(f, "{step}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.act)?;
        if let Some(micros) = self.after {
            let seconds = format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000);
            write!(f, " @{}", seconds.trim_end_matches('0').trim_end_matches('.'))?;
        }
        if let Some(chance) = self.chance {
            write!(f, " ~{chance}")?;
        }
        for (i, event) in self.events.iter().enumerate() {
            f.write_str(if i == 0 { " ^" } else { "," })?;
            write!(f, "{}", event.0)?;
        }
        Ok(())
    }
}

/// Seconds with at most six decimals, as microseconds.
pub(super) fn micros(text: &str) -> Option<u64> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    if !is_number(whole) || !is_number(fraction) || fraction.len() > 6 {
        return None;
    }
    let micros: u64 = format!("{fraction:0<6}").parse().ok()?;
    whole.parse::<u64>().ok()?.checked_mul(1_000_000)?.checked_add(micros)
}

/// Event numbers with commas between them.
pub(super) fn event_ids(text: &str) -> Option<Box<[EventId]>> {
    text.split(',')
        .map(|id| {
            id.bytes().all(|b| b.is_ascii_digit()).then_some(())?;
            id.parse().ok().map(EventId)
        })
        .collect()
}

impl fmt::Display for Stake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Full => Ok(()),
            Self::Chips(amount) => write!(f, " {amount}"),
            Self::Free => f.write_str(" free"),
        }
    }
}

impl fmt::Display for Act {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Cards { prepared, decks } => write!(f, "cards {prepared} {decks}"),
            Self::Inspect(who) => write!(f, "inspect {who}"),
            Self::Shuffle(Mix::Whole) => f.write_str("shuffle"),
            Self::Shuffle(mix) => write!(f, "shuffle {mix}"),
            Self::OfferCut(box_no) => write!(f, "offer-cut {box_no}"),
            Self::Cut { by, depth } => {
                match by {
                    Cutter::Box(box_no) => write!(f, "cut {box_no}")?,
                    Cutter::Staff => f.write_str("cut staff")?,
                }
                match depth {
                    Some(depth) => write!(f, " {depth}"),
                    None => Ok(()),
                }
            }
            Self::CutCardIn(cards) => write!(f, "cut-card-in {cards}"),
            Self::CutCardOut => f.write_str("cut-card"),
            Self::Burn(card) => write!(f, "burn {card}"),
            Self::FinalRounds => f.write_str("final-rounds"),
            Self::Marker(box_no, amount) => write!(f, "marker {box_no} {amount}"),
            Self::Meter(amount) => write!(f, "meter {amount}"),
            Self::Bet(wager, amount) if wager.kind == WagerKind::Insurance => {
                write!(f, "insure {} {amount}", wager.of_kind(WagerKind::stake(wager.hand)))
            }
            Self::Bet(wager, amount) => write!(f, "bet {wager} {amount}"),
            Self::Alter(wager, amount) => write!(f, "alter {wager} {amount}"),
            Self::NoMoreBets => f.write_str("no-more-bets"),
            Self::Card { to, card, face, turn } => {
                write!(f, "card {to} {card}")?;
                if *face == Face::Down {
                    f.write_str(" down")?;
                }
                if *turn == Turn::Sideways {
                    f.write_str(" sideways")?;
                }
                Ok(())
            }
            Self::TurnUp(place, card) => write!(f, "turn {place} {card}"),
            Self::TurnSideways(place) => write!(f, "sideways {place}"),
            Self::Tuck(place) => write!(f, "tuck {place}"),
            Self::OfferInsurance => f.write_str("offer-insurance"),
            Self::EvenMoney(wager) => write!(f, "even-money {wager}"),
            Self::Peek => f.write_str("peek"),
            Self::Hit(place) => write!(f, "hit {place}"),
            Self::Stand(place) => write!(f, "stand {place}"),
            Self::Double(wager, stake) => write!(f, "double {wager}{stake}"),
            Self::Split(wager, stake) => write!(f, "split {wager}{stake}"),
            Self::Surrender(wager) => write!(f, "surrender {wager}"),
            Self::Zap(place) => write!(f, "zap {place}"),
            Self::Parlay(wager, amount) => write!(f, "parlay {wager} {amount}"),
            Self::Ride(wager, amount) => write!(f, "ride {wager} {amount}"),
            Self::Absent(box_no) => write!(f, "absent {box_no}"),
            Self::Refuse(place) => write!(f, "refuse {place}"),
            Self::Accept(place) => write!(f, "accept {place}"),
            Self::Drawn(card) => write!(f, "drawn {card}"),
            Self::Exposed(card) => write!(f, "exposed {card}"),
            Self::Dropped(card) => write!(f, "dropped {card}"),
            Self::Boxed(card) => write!(f, "boxed {card}"),
            Self::Damaged(card) => write!(f, "damaged {card}"),
            Self::Replaced(card) => write!(f, "replaced {card}"),
            Self::Discard(card) => write!(f, "discard {card}"),
            Self::Move { card, from, to } => write!(f, "move {card} {from} {to}"),
            Self::Reconstruct(place) => write!(f, "reconstruct {place}"),
            Self::Void(place) => write!(f, "void {place}"),
            Self::VoidRound => f.write_str("void round"),
            Self::Touch(box_no, what) => write!(f, "touch {box_no} {what}"),
            Self::Fault(device) => write!(f, "fault {device}"),
            Self::Supervisor => f.write_str("supervisor"),
            Self::Prize(wager, amount) => write!(f, "prize {wager} {amount}"),
            Self::Pay(wager, amount) => write!(f, "pay {wager} {amount}"),
            Self::Take(wager, None) => write!(f, "take {wager}"),
            Self::Take(wager, Some(amount)) => write!(f, "take {wager} {amount}"),
            Self::Push(wager) => write!(f, "push {wager}"),
            Self::Return(wager) => write!(f, "return {wager}"),
            Self::Collect(place) => write!(f, "collect {place}"),
            Self::DealerChange(dealer) => write!(f, "new-dealer {dealer}"),
            Self::Note(remark) => {
                let quoted = remark.as_str().replace('\\', "\\\\").replace('"', "\\\"");
                write!(f, "note \"{quoted}\"")
            }
            Self::End => f.write_str("end"),
        }
    }
}
