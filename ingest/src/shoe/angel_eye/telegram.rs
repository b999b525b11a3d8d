//! One Angel Eye telegram: how it is framed, and what its bits mean.

use table::event::Drawn;
use table::{Card, Rank, Suit};

use super::Said;

const STX: u8 = 0x02;
const ETX: u8 = 0x03;
pub(super) const ENQ: u8 = 0x05;
pub(super) const ACK: u8 = 0x06;
pub(super) const NAK: u8 = 0x15;

/// `ENQ`, sequence, code, `ETX` and the two digits of the checksum.
const FRAME: usize = 6;
/// The longest payload.
const PAYLOAD: usize = 6;
/// The longest command of a host that is looked for, and so the most bytes anybody has to remember. The known ones have
/// ten.
pub(super) const COMMAND_LONGEST: usize = 24;

/// The codes and the length of their payload.
const CODES: &[(u8, usize)] = &[
    (b'S', 0),
    (b'P', 0),
    (b'D', 2),
    (b'd', 2),
    (b'R', 2),
    (b'C', 0),
    (b'G', 1),
    (b'E', 1),
    (b'e', 1),
    (b'L', 1),
    (b'M', 6),
];

fn payload_length(code: u8) -> Option<usize> {
    CODES.iter().find(|(known, _)| *known == code).map(|(_, length)| *length)
}

/// A telegram whose checksum held.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Telegram {
    pub(super) seq: u8,
    code: u8,
    payload: Vec<u8>,
}

/// What the last bytes of a line are.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Tail {
    /// Nothing whole ends here.
    Open,
    /// Something ends here that would be a telegram, but for its checksum.
    BadChecksum,
    /// A telegram that began at this byte of the tail.
    Telegram { start: usize, telegram: Telegram },
    /// A command of a host that began at this byte of the tail.
    Command { start: usize, says: String },
}

/// What ends with the last byte of a tail. Known codes go before unknown ones: of the latter not even the length is
/// known, so stray bytes before a telegram might make one with it.
pub(super) fn at_end(tail: &[u8]) -> Tail {
    let [.., ETX, _, _] = tail else { return Tail::Open };
    let mut bad = false;
    let mut unknown = None;
    for length in (0..=PAYLOAD).rev() {
        let Some(start) = tail.len().checked_sub(FRAME + length) else { continue };
        let Some([ENQ, seq, code, payload @ .., ETX, high, low]) = tail.get(start..) else { continue };
        let covered = payload.iter().fold(seq ^ code ^ ETX, |check, byte| check ^ byte);
        let holds = digits(covered) == [*high, *low];
        let telegram = || Telegram { seq: *seq, code: *code, payload: payload.to_vec() };
        match payload_length(*code) {
            Some(known) if known == length && holds => return Tail::Telegram { start, telegram: telegram() },
            Some(known) => bad |= known == length,
            None if holds && code.is_ascii_graphic() => {
                unknown.get_or_insert_with(|| Tail::Telegram { start, telegram: telegram() });
            }
            None => {}
        }
    }
    let closed = if bad { Tail::BadChecksum } else { Tail::Open };
    unknown.or_else(|| command(tail)).unwrap_or(closed)
}

/// A host's command that ends with the tail. Its checksum covers `STX` too.
fn command(tail: &[u8]) -> Option<Tail> {
    let start = tail.iter().rposition(|byte| *byte == STX)?;
    let [STX, says @ .., ETX, high, low] = tail.get(start..)? else { return None };
    let covered = says.iter().fold(STX ^ ETX, |check, byte| check ^ byte);
    let plain = says.len() >= 2 && says.iter().all(u8::is_ascii_graphic);
    let whole = plain && digits(covered) == [*high, *low];
    whole.then(|| Tail::Command { start, says: says.escape_ascii().to_string() })
}

/// A checksum as it is written.
fn digits(check: u8) -> [u8; 2] {
    let digit = |value: u8| if value < 10 { b'0' + value } else { b'A' + value - 10 };
    [digit(check >> 4), digit(check & 0x0F)]
}

impl Telegram {
    /// Start of communication.
    pub(super) const fn is_start(&self) -> bool {
        self.code == b'S'
    }

    /// A drawn card that is told again.
    pub(super) const fn is_again(&self) -> bool {
        self.code == b'R'
    }

    /// Whether this is another send of the same telegram. A card told again under its old number is one too.
    pub(super) fn repeats(&self, other: &Self) -> bool {
        let code = if self.is_again() { b'D' } else { self.code };
        (self.seq, &self.payload) == (other.seq, &other.payload) && (code == other.code || self.code == other.code)
    }

    /// Code and payload, for a reader.
    pub(super) fn text(&self) -> String {
        format!("{}{}", self.code.escape_ascii(), self.payload.escape_ascii())
    }

    /// What it says, and the shoe's own count of a card; `None` if its code is not known.
    pub(super) fn means(&self) -> Option<(Said, Option<u8>)> {
        // Bit 7 of a packed byte is not documented.
        let said = match (self.code, self.payload.as_slice()) {
            (b'S', []) => Said::Start,
            (b'P', []) => Said::Standby,
            (b'C', []) => Said::Cut,
            (b'D' | b'R', [target, card]) => return Some((drew(drawn(*target), *card), Some(target & 0x0F))),
            (b'd', [_, card]) => drew(Drawn::OutsideGame, *card),
            (b'G', [code]) => Said::Result { code: code & 0x7F },
            (b'E', [code]) => Said::Error { code: code & 0x3F, mode: code & 0x40 != 0 },
            (b'e', [code]) => Said::ErrorCleared { code: code & 0x7F },
            (b'L', [state]) => Said::Lock { locked: state & 1 != 0 },
            (b'M', [address @ .., a, b, c, d]) => {
                Said::Preset { address: escaped(address), value: escaped(&[*a, *b, *c, *d]) }
            }
            _ => return None,
        };
        Some((said, None))
    }
}

fn escaped(text: &[u8]) -> String {
    text.escape_ascii().to_string()
}

/// What the shoe takes a card for. The first card of a shoe and the one that tells how many are burned belong to
/// burning; whose card one of a round is the shoe knows in baccarat only.
const fn drawn(target: u8) -> Drawn {
    match target >> 4 & 7 {
        2 | 4 | 5 => Drawn::Burn,
        _ => Drawn::Game,
    }
}

/// A drawn card. Numbers that stand for no suit or rank leave it unread: drawn it was.
fn drew(drawn: Drawn, card: u8) -> Said {
    let suit = match card >> 4 & 7 {
        1 => Some(Suit::Diamonds),
        2 => Some(Suit::Clubs),
        3 => Some(Suit::Spades),
        4 => Some(Suit::Hearts),
        _ => None,
    };
    match (Rank::from_number(card & 0x0F), suit) {
        (Some(rank), Some(suit)) => Said::Card { card: Card::new(rank, suit), drawn },
        _ => Said::Unread { drawn },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn telegram(bytes: &[u8]) -> Option<Telegram> {
        match at_end(bytes) {
            Tail::Telegram { telegram, .. } => Some(telegram),
            _ => None,
        }
    }

    #[test]
    fn the_four_of_hearts_as_third_burn_card_is_read_as_the_field_knows_it() {
        let told = telegram(b"\x05\x31\x44\x23\x44\x0311").unwrap();
        let card = Said::Card { card: "4H".parse().unwrap(), drawn: Drawn::Burn };
        assert_eq!((told.seq, told.means()), (b'1', Some((card, Some(3)))));
    }

    #[test]
    fn the_known_command_to_lock_is_recognised() {
        let lock = b"\x02OPLK02\x031B";
        assert_eq!(at_end(lock), Tail::Command { start: 0, says: "OPLK02".into() });
        assert_eq!(at_end(b"\x02OPLK02\x031A"), Tail::Open);
    }

    #[test]
    fn a_checksum_in_small_letters_is_a_wrong_one() {
        let big = b"\x055L\x01\x037B";
        assert!(telegram(big).is_some());
        assert_eq!(at_end(&big.map(|byte| byte.to_ascii_lowercase())), Tail::Open, "the code is another too");
        assert_eq!(at_end(b"\x055L\x01\x037b"), Tail::BadChecksum);
    }
}
