//! Bee-Tek tokens: words between brackets with a blank before and after.
//!
//! They carry no number and no checksum and are sent once. There is none for the cutting card, stand-by or start.

use auditor::model::random::Dice;
use table::Rank;
use table::event::Drawn;

use super::Says;

/// Bits in a second; a byte takes ten of them with start and stop.
pub const BAUD: i64 = 9600;

/// One token, if there is one for it. How a ten and the letters of a card are written depends on the dice.
pub fn token(says: &Says, dice: &mut Dice) -> Option<Vec<u8>> {
    let (card, drawn) = match *says {
        Says::Card { card, drawn, .. } | Says::Again { card, drawn, .. } => (card, drawn),
        Says::Start | Says::StandBy | Says::CutCard => return None,
    };
    let mode = if drawn == Drawn::Burn { "Manual Burn Cards" } else { "Game" };
    let said = match (card.rank(), card.suit()) {
        (Some(Rank::Ten), Some(suit)) if dice.once_in(2) => format!("Card:10{}", suit.letter()),
        (Some(_), Some(_)) => format!("Card:{card}"),
        _ if drawn == Drawn::Game && dice.once_in(3) => "Alarm:E3 Card Not Read".to_owned(),
        _ => "Game".to_owned(),
    };
    let said = match said.strip_prefix("Card:") {
        Some(card) if dice.once_in(2) => format!("Card:{}", card.to_ascii_lowercase()),
        _ => said,
    };
    Some(format!(" [{mode}]<{said}> ").into_bytes())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn tokens(card: &str, drawn: Drawn) -> BTreeSet<String> {
        let mut dice = Dice::new(1);
        let says = Says::Card { card: card.parse().unwrap(), drawn, index: 1 };
        (0..40).filter_map(|_| String::from_utf8(token(&says, &mut dice)?).ok()).collect()
    }

    fn words<const N: usize>(words: [&str; N]) -> BTreeSet<String> {
        words.into_iter().map(str::to_owned).collect()
    }

    #[test]
    fn cards_are_written_in_every_way_the_field_has_seen() {
        assert_eq!(tokens("4S", Drawn::Game), words([" [Game]<Card:4S> ", " [Game]<Card:4s> "]));
        let ten = ["TH", "10H", "th", "10h"].map(|card| format!(" [Manual Burn Cards]<Card:{card}> "));
        assert_eq!(tokens("TH", Drawn::Burn), ten.into_iter().collect());
    }

    #[test]
    fn an_unread_card_passes_as_itself_or_as_an_alarm() {
        assert_eq!(tokens("??", Drawn::Game), words([" [Game]<Game> ", " [Game]<Alarm:E3 Card Not Read> "]));
        assert_eq!(tokens("??", Drawn::Burn), words([" [Manual Burn Cards]<Game> "]));
    }

    #[test]
    fn what_the_shoe_has_no_word_for_is_not_said() {
        let mut dice = Dice::new(1);
        assert!([Says::Start, Says::StandBy, Says::CutCard].iter().all(|says| token(says, &mut dice).is_none()));
    }
}
