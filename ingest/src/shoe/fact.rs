//! From what a shoe said to facts that later stages reckon with.

use table::event::Health;
use table::{Card, Chance, Event, EventId, Fact, Ident, Reading, Source, SourceKind, Utc};

use super::{Heard, Said};

/// The fact in what a shoe said. What only the shoe's maker could make use of is none: its warnings, its reckoning of a
/// baccarat game, and words not known. Nor is a host's command: what came of it the shoe tells itself.
pub fn fact(said: &Said) -> Option<Fact> {
    let health = |state| Some(Fact::Health { state });
    match *said {
        Said::Card { card, drawn } => Some(Fact::Drew { card: Reading::certain(card), drawn }),
        Said::Unread { drawn } => Some(Fact::Drew { card: Reading::certain(Card::UNREAD), drawn }),
        Said::Cut => Some(Fact::CutCard),
        Said::Start => Some(Fact::ShoeStart),
        Said::Standby => Some(Fact::StandBy),
        Said::Gap { at_most } => Some(Fact::Gap { at_most }),
        Said::Lock { locked: true } => health(Health::Locked),
        Said::Lock { locked: false } => health(Health::Unlocked),
        Said::Error { .. } | Said::Alarm { .. } => health(Health::Error),
        Said::ErrorCleared { .. } => health(Health::Ok),
        Said::Preset { .. } => health(Health::PresetChanged),
        Said::Result { .. } | Said::Warning { .. } | Said::HostCommand { .. } | Said::Unknown { .. } => None,
    }
}

/// What a shoe said as an event, if there is a fact in it. Shoes have no clock: `at` is when it happened as well as the
/// listener can tell, `arrived` when its bytes were read.
pub fn event(id: EventId, shoe: &Ident, heard: &Heard, at: Utc, arrived: Utc) -> Option<Event> {
    let source = Source { kind: SourceKind::Shoe, name: shoe.clone() };
    let fact = fact(&heard.said)?;
    Some(Event { id, source, at, arrived, source_clock: None, chance: Chance::CERTAIN, fact })
}

#[cfg(test)]
mod tests {
    use table::event::Drawn;

    use super::*;

    #[test]
    fn an_unread_card_is_drawn_all_the_same() {
        let heard = Heard { offset: 8, seq: Some(b'1'), said: Said::Unread { drawn: Drawn::Burn }, index: Some(1) };
        let arrived = Utc::from_micros(5).unwrap();
        let event = event(EventId(3), &"east".parse().unwrap(), &heard, Utc::EPOCH, arrived).unwrap();
        assert_eq!(event.fact, Fact::Drew { card: Reading::certain(Card::UNREAD), drawn: Drawn::Burn });
        assert_eq!((event.id, event.at, event.arrived), (EventId(3), Utc::EPOCH, arrived));
        assert_eq!((event.source.kind, event.source.name.as_str()), (SourceKind::Shoe, "east"));
    }

    #[test]
    fn what_changes_the_shoe_is_told_and_what_means_nothing_here_is_not() {
        let preset = Said::Preset { address: "01".into(), value: "0002".into() };
        assert_eq!(fact(&preset), Some(Fact::Health { state: Health::PresetChanged }));
        assert_eq!(fact(&Said::Gap { at_most: 3 }), Some(Fact::Gap { at_most: 3 }));
        assert_eq!(fact(&Said::Result { code: 0x10 }), None);
    }
}
