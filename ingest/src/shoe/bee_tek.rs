//! Bee-Tek tokens: `[mode]<words>` or `<words>`, with a blank before and after.
//!
//! Tokens have neither number nor checksum. So nothing tells a token sent twice from two cards with one face, and both
//! count; and of a token that came damaged no more is said than that a card may be missing.
//!
//! An unread card passes as `[Game]<Game>` or as alarm E3, and a shoe may send both for it. One of each, with no other
//! card between, is therefore one card, and the E3 of such a pair an alarm; two of a kind are two cards.

use table::Card;
use table::event::Drawn;

use super::{Decoder, Heard, Said, Stats};

/// The longest token that is waited for; what goes on longer is none. The known ones have about forty bytes.
const LONGEST: usize = 120;

/// Modes in which cards are drawn.
const MODES: &[(&str, Drawn)] =
    &[("Game", Drawn::Game), ("GameAlarm", Drawn::Game), ("Manual Burn Cards", Drawn::Burn)];

/// Reads Bee-Tek tokens.
#[derive(Default)]
pub struct BeeTek {
    /// The token being read, without line ends; empty between tokens.
    token: Vec<u8>,
    /// Where on the line it began.
    begun: u64,
    /// Its bytes so far, line ends included.
    length: usize,
    /// Half of what an unread card may send, if it was the last card.
    unread: Option<(Sign, Drawn)>,
    stats: Stats,
}

/// How the shoe tells of an unread card.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    Passed,
    Alarm,
}

/// What a token's words say, before its mode is looked at.
enum Words<'a> {
    Card(Option<Card>),
    Passed,
    NotRead(&'a str),
    Alarm(&'a str),
    Warning(u16),
    Other,
}

impl Decoder for BeeTek {
    fn push(&mut self, bytes: &[u8], heard: &mut Vec<Heard>) {
        for byte in bytes {
            self.take(*byte, heard);
            self.stats.bytes += 1;
        }
    }

    fn line_ended(&mut self, heard: &mut Vec<Heard>) {
        self.abandon(heard);
    }

    fn stats(&self) -> Stats {
        self.stats
    }
}

impl BeeTek {
    fn take(&mut self, byte: u8, heard: &mut Vec<Heard>) {
        let in_words = self.token.contains(&b'<');
        let after_mode = !in_words && self.token.ends_with(b"]");
        match byte {
            b'<' if after_mode => self.keep(byte, heard),
            b'[' | b'<' => {
                self.abandon(heard);
                self.begun = self.stats.bytes;
                self.keep(byte, heard);
            }
            b'>' if in_words => self.hear(heard),
            // A token may be broken over lines, and lines may end anywhere between tokens.
            b'\r' | b'\n' if !self.token.is_empty() => self.pass_over(heard),
            b' ' | b'\t' | b'\r' | b'\n' if self.token.is_empty() => {}
            b' '..=b'~' if !self.token.is_empty() && !after_mode && byte != b'>' => self.keep(byte, heard),
            b' ' => self.abandon(heard),
            _ => {
                self.abandon(heard);
                self.stats.noise_bytes += 1;
            }
        }
    }

    fn keep(&mut self, byte: u8, heard: &mut Vec<Heard>) {
        self.token.push(byte);
        self.pass_over(heard);
    }

    fn pass_over(&mut self, heard: &mut Vec<Heard>) {
        self.length += 1;
        if self.length > LONGEST {
            self.abandon(heard);
        }
    }

    /// Gives up the token begun. If it had got as far as a mode of cards, it may have been one.
    fn abandon(&mut self, heard: &mut Vec<Heard>) {
        self.stats.noise_bytes += self.length as u64;
        let token = std::mem::take(&mut self.token);
        self.length = 0;
        if let Some((mode, _)) = text(&token).strip_prefix('[').and_then(|token| token.split_once(']'))
            && drawn_in(mode).is_some()
        {
            self.miss(heard);
        }
    }

    fn miss(&mut self, heard: &mut Vec<Heard>) {
        self.stats.gaps += 1;
        self.unread = None;
        heard.push(Heard { offset: self.begun, seq: None, said: Said::Gap { at_most: 1 }, index: None });
    }

    /// A whole token, its last bracket just read.
    fn hear(&mut self, heard: &mut Vec<Heard>) {
        let offset = self.begun;
        let token = std::mem::take(&mut self.token);
        self.length = 0;
        self.stats.frames += 1;
        let token = text(&token);
        let (mode, words) = token.split_once('<').unwrap_or(("", token));
        let drawn = drawn_in(mode.trim_start_matches('[').trim_end_matches(']'));
        let said = match (understood(words), drawn) {
            (Words::Warning(code), _) => Said::Warning { code },
            (Words::Alarm(says), _) => Said::Alarm { says: says.to_owned() },
            (Words::NotRead(says), Some(drawn)) if self.is_told(Sign::Alarm, drawn) => {
                Said::Alarm { says: says.to_owned() }
            }
            (Words::Passed, Some(drawn)) if self.is_told(Sign::Passed, drawn) => {
                self.stats.duplicates += 1;
                return;
            }
            (Words::NotRead(_) | Words::Passed, Some(drawn)) => Said::Unread { drawn },
            (Words::Card(Some(card)), Some(drawn)) => {
                self.unread = None;
                Said::Card { card, drawn }
            }
            // A card it was, though we cannot read which.
            (Words::Card(None), Some(drawn)) => {
                self.unread = None;
                self.stats.unknown += 1;
                Said::Unread { drawn }
            }
            (other, _) => {
                self.stats.unknown += 1;
                if !matches!(other, Words::Other) || names_a_card(words) {
                    self.miss(heard);
                }
                let says = format!("{token}>");
                heard.push(Heard { offset, seq: None, said: Said::Unknown { says }, index: None });
                return;
            }
        };
        self.stats.events += 1;
        heard.push(Heard { offset, seq: None, said, index: None });
    }

    /// Whether this is the second sign of an unread card that the first has told; if it is not, it is remembered as the
    /// first.
    fn is_told(&mut self, sign: Sign, drawn: Drawn) -> bool {
        let told = self.unread.take().is_some_and(|(before, mode)| before != sign && mode == drawn);
        if !told {
            self.unread = Some((sign, drawn));
        }
        told
    }
}

/// Tokens are kept only as long as they are plain ASCII.
fn text(token: &[u8]) -> &str {
    std::str::from_utf8(token).unwrap_or_default()
}

fn drawn_in(mode: &str) -> Option<Drawn> {
    MODES.iter().find(|(name, _)| name.eq_ignore_ascii_case(mode)).map(|(_, drawn)| *drawn)
}

fn understood(words: &str) -> Words<'_> {
    if let Some(card) = after("Card:", words) {
        return Words::Card(card.trim().parse().ok().filter(|card: &Card| card.is_known()));
    }
    if words.eq_ignore_ascii_case("Game") {
        return Words::Passed;
    }
    if let Some(alarm) = after("Alarm:", words) {
        let not_read = after("E3", alarm).is_some_and(|rest| !rest.starts_with(|next: char| next.is_alphanumeric()));
        return if not_read { Words::NotRead(alarm) } else { Words::Alarm(alarm) };
    }
    let code = after("W0x", words).and_then(|code| u16::from_str_radix(code, 16).ok());
    code.map_or(Words::Other, Words::Warning)
}

/// What follows these letters, whatever their case.
fn after<'a>(letters: &str, words: &'a str) -> Option<&'a str> {
    let (first, rest) = words.split_at_checked(letters.len())?;
    first.eq_ignore_ascii_case(letters).then_some(rest)
}

/// Whether words that are none of the known ones may be left of a card's.
fn names_a_card(words: &str) -> bool {
    let ends_in_one = |letters| {
        let name = words.len().checked_sub(letters).and_then(|at| words.get(at..));
        name.is_some_and(|name| name.parse().is_ok_and(Card::is_known))
    };
    after("Card", words).is_some() || ends_in_one(2) || ends_in_one(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(line: &str) -> (Vec<String>, Stats) {
        let (mut decoder, mut heard) = (BeeTek::default(), Vec::new());
        decoder.push(line.as_bytes(), &mut heard);
        decoder.line_ended(&mut heard);
        let told = heard.into_iter().map(|heard| {
            let said = match heard.said {
                Said::Card { card, drawn } => format!("{card} {drawn}"),
                Said::Unread { drawn } => format!("?? {drawn}"),
                other => format!("{other:?}"),
            };
            format!("{} {said}", heard.offset)
        });
        (told.collect(), decoder.stats())
    }

    #[test]
    fn an_alarm_and_a_passing_card_are_one_card_and_two_of_a_kind_are_two() {
        let (passed, alarm) = ("[Game]<Game> ", "[Game]<Alarm:E3 Card Not Read> ");
        let unread = |line: &[&str]| told(&line.concat()).0.iter().filter(|said| said.ends_with("?? game")).count();
        assert_eq!(unread(&[passed]), 1);
        assert_eq!(unread(&[alarm]), 1);
        assert_eq!(unread(&[passed, alarm]), 1);
        assert_eq!(unread(&[alarm, passed]), 1);
        assert_eq!(unread(&[passed, "<W0x01> ", alarm]), 1, "a warning is no card");
        assert_eq!(unread(&[passed, passed]), 2);
        assert_eq!(unread(&[alarm, alarm]), 2);
        assert_eq!(unread(&[passed, alarm, passed]), 2);
        assert_eq!(unread(&[passed, "[Game]<Card:4S> ", alarm]), 2, "another card came between");
        assert_eq!(unread(&["[Manual Burn Cards]<Game> ", alarm]), 1, "one burned, one in play");
    }

    #[test]
    fn what_is_left_of_a_card_says_that_one_is_missing() {
        for line in [
            "[Game]<Card:4",
            "[Game]<Ca[",
            "<Card:4S>",
            "[Gme]<Card:4S>",
            "[Game]<Crd:4S>",
            "[Game]Card:4S>",
            "[Gae]<Game>",
        ] {
            let (told, stats) = told(&format!(" {line} [Game]<Card:9H> "));
            assert_eq!(stats.gaps, 1, "{line}: {told:?}");
            assert_eq!(told.last().unwrap(), &format!("{} 9H game", line.len() + 2));
        }
        assert_eq!(told("[Game]<Card:0H>").0, ["0 ?? game"], "a card it was");
    }

    #[test]
    fn what_never_was_a_card_says_no_such_thing() {
        for line in ["<hello>", "[Stand By]<Ready>", "[Game]<Shoe Open>", "<W0xFFFFF>", "[", "<", ">>>", "][", "[Ga"] {
            let (told, stats) = told(&format!(" {line} [Game]<Card:9H> "));
            assert_eq!((stats.gaps, stats.events), (0, 1), "{line}: {told:?}");
        }
    }

    #[test]
    fn a_token_without_end_is_given_up() {
        let (told, stats) = told(&format!("[Game]<Card:{} [Game]<Card:9H>", "4".repeat(10_000)));
        assert_eq!(told.len(), 2, "{told:?}");
        assert_eq!((stats.gaps, stats.events, stats.noise_bytes), (1, 1, 10_012));
    }
}
