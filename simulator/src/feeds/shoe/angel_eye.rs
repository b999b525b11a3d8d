//! Angel Eye telegrams: `ENQ seq code payload ETX BCC`.
//!
//! The sequence byte counts telegrams with the ten digits, `0` to `9` and around again, as the one telegram suggests
//! that is known byte for byte. So it never looks like a control byte. Start of communication begins again with `0`.

use table::event::Drawn;
use table::{Card, Suit};

use super::Says;

/// Bits in a second; a byte takes ten of them with start and stop.
pub const BAUD: i64 = 4800;
/// How often a telegram is sent.
pub const SENDS: usize = 3;
const ENQ: u8 = 0x05;
const ETX: u8 = 0x03;

/// The sequence byte that follows another.
pub const fn next(seq: u8) -> u8 {
    if seq >= b'0' && seq < b'9' { seq + 1 } else { b'0' }
}

/// One telegram.
pub fn telegram(seq: u8, says: &Says) -> Vec<u8> {
    let mut bytes = vec![ENQ, seq];
    match *says {
        Says::Start => bytes.push(b'S'),
        Says::StandBy => bytes.push(b'P'),
        Says::CutCard => bytes.push(b'C'),
        Says::Card { card, drawn, index } => bytes.extend([b'D', target(drawn, index), card_byte(card)]),
        Says::Again { card, drawn, index } => bytes.extend([b'R', target(drawn, index), card_byte(card)]),
    }
    bytes.push(ETX);
    let check = bytes.iter().skip(1).fold(0, |check, byte| check ^ byte);
    bytes.extend(format!("{check:02X}").bytes());
    bytes
}

/// Whose card the shoe thinks it is. It knows baccarat only: in blackjack every card is the player's, and the index
/// counts them.
const fn target(drawn: Drawn, index: usize) -> u8 {
    let whose = match drawn {
        Drawn::Burn => 2,
        Drawn::Game | Drawn::OutsideGame => 0,
    };
    whose << 4 | (index as u8 & 0x0F)
}

const fn card_byte(card: Card) -> u8 {
    match (card.rank(), card.suit()) {
        (Some(rank), Some(suit)) => {
            let suit = match suit {
                Suit::Diamonds => 1,
                Suit::Clubs => 2,
                Suit::Spades => 3,
                Suit::Hearts => 4,
            };
            suit << 4 | rank as u8
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_four_of_hearts_as_third_burn_card_is_as_seen_in_the_field() {
        let says = Says::Card { card: "4H".parse().unwrap(), drawn: Drawn::Burn, index: 3 };
        assert_eq!(telegram(b'1', &says), b"\x05\x31\x44\x23\x44\x0311");
    }

    #[test]
    fn telegrams_without_payload_and_unread_cards() {
        assert_eq!(telegram(b'0', &Says::Start), b"\x050S\x0360");
        let unread = Says::Card { card: Card::UNREAD, drawn: Drawn::Game, index: 3 };
        assert_eq!(telegram(b'2', &unread), b"\x052D\x03\x00\x0376");
    }

    #[test]
    fn ten_telegrams_come_round_to_the_first() {
        let count: Vec<u8> = std::iter::successors(Some(b'0'), |seq| Some(next(*seq))).take(11).collect();
        assert_eq!(count, b"01234567890");
    }
}
