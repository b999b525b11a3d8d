//! How things are said on the pages: findings, money, times and chances, the same everywhere.

use chrono::{DateTime, Datelike, TimeZone};
use chrono_tz::Tz;
use table::{AtStake, Bettor, BoxNo, Chance, Favours, Hand, Money, Utc, Wager, WagerKind};

/// A check's name as a sentence begins: `paid_a_push` is "Paid a push".
pub(crate) fn finding(check: &str) -> String {
    let mut words = String::with_capacity(check.len() + 1);
    for letter in check.chars() {
        if letter.is_ascii_digit() && words.ends_with(char::is_alphabetic) {
            words.push(' ');
        }
        words.push(if letter == '_' { ' ' } else { letter });
    }
    capital(&words)
}

/// What an error says, as a sentence.
pub(crate) fn sentence(said: &str) -> String {
    format!("{}.", capital(said))
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

/// A round's or a flag's name for people: `BJ-04.17.212.paid_a_push.3a` is "Paid a push, box 3, BJ-04 shoe 17 round 212".
pub(crate) fn called(name: &str) -> String {
    let parts: Vec<&str> = name.split('.').collect();
    let [table, shoe, round, found @ ..] = &parts[..] else { return name.to_owned() };
    let place = format!("{table} shoe {shoe} round {round}");
    match found {
        [] => place,
        [check] => format!("{}, {place}", finding(check)),
        // A box that was not split has the hand a, which nobody says.
        [check, hand] => format!("{}, box {}, {place}", finding(check), hand.trim_end_matches('a')),
        _ => name.to_owned(),
    }
}

/// An amount with its currency.
pub(crate) fn amount(money: Money, currency: &str) -> String {
    format!("{} {currency}", grouped(money))
}

/// An amount with thin gaps between thousands.
fn grouped(money: Money) -> String {
    let text = money.to_string();
    let (sign, digits) = text.strip_prefix('-').map_or(("", &*text), |digits| ("−", digits));
    let (whole, cents) = digits.split_once('.').unwrap_or((digits, "00"));
    let mut out = String::from(sign);
    for (at, digit) in whole.chars().enumerate() {
        if at > 0 && (whole.len() - at) % 3 == 0 {
            out.push('\u{202f}');
        }
        out.push(digit);
    }
    out.push('.');
    out.push_str(cents);
    out
}

/// Money that went the wrong way, with its sign as the player sees it and the side that gained.
pub(crate) fn stake(money: AtStake, currency: &str) -> String {
    match money.favours {
        Favours::Player => format!("+{} to player", amount(money.amount, currency)),
        Favours::House => format!("−{} to house", amount(money.amount, currency)),
        Favours::None => "no money moved".to_owned(),
    }
}

/// What the player has too much or too little by a wager; a dash if neither.
pub(crate) fn difference(gain: Money, currency: &str) -> String {
    let gained = if gain.is_negative() { Money::ZERO.minus(gain).unwrap_or(gain) } else { gain };
    match gain.minor() {
        0 => "–".to_owned(),
        minor if minor > 0 => stake(AtStake { amount: gained, favours: Favours::Player }, currency),
        _ => stake(AtStake { amount: gained, favours: Favours::House }, currency),
    }
}

/// A box and hand: "box 3", "box 3b", or "table" for what concerns all of it.
pub(crate) fn place(box_no: Option<BoxNo>, hand: Option<Hand>) -> String {
    match (box_no, hand) {
        (Some(box_no), Some(hand)) if hand.index() > 0 => format!("box {box_no}{hand}"),
        (Some(box_no), _) => format!("box {box_no}"),
        _ => "table".to_owned(),
    }
}

/// Whose wager, and on what: "box 3b", "box 3, bettor 2 behind, super sevens".
pub(crate) fn wager(wager: Wager) -> String {
    let mut words = place(Some(wager.box_no), Some(wager.hand));
    if wager.bettor != Bettor::SEATED {
        words.push_str(&format!(", bettor {} behind", wager.bettor.number()));
    }
    if wager.tip {
        words.push_str(", for the dealer");
    }
    if wager.kind != WagerKind::stake(wager.hand) {
        words.push_str(&format!(", {}", wager.kind.name().replace('_', " ")));
    }
    words
}

/// A chance in percent, never rounded up to certainty.
pub(crate) fn percent(chance: Chance) -> String {
    let tenths = chance.millionths() / 1000;
    match (tenths / 10, tenths % 10) {
        (100, _) => "certain".to_owned(),
        (whole, 0) => format!("{whole} %"),
        (whole, tenth) => format!("{whole}.{tenth} %"),
    }
}

/// A time as the pages show it: in the site's zone, with UTC for who hovers over it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct When {
    /// The time of day.
    pub(crate) clock: String,
    /// The day.
    pub(crate) day: String,
    /// How long ago.
    pub(crate) age: String,
    /// In UTC, to the microsecond.
    pub(crate) utc: String,
}

impl When {
    pub(crate) fn new(at: Utc, zone: Tz, now: Utc) -> Self {
        let local = local(at, zone);
        Self {
            clock: local.format("%H:%M:%S").to_string(),
            day: local.format("%a %-d %b %Y").to_string(),
            age: age(now.micros().saturating_sub(at.micros())),
            utc: at.to_string(),
        }
    }
}

fn local(at: Utc, zone: Tz) -> DateTime<Tz> {
    zone.from_utc_datetime(&DateTime::from_timestamp_micros(at.micros()).unwrap_or_default().naive_utc())
}

/// The Monday of the week a time lies in, as `3 Nov`.
pub(crate) fn week(at: Utc, zone: Tz) -> String {
    let day = local(at, zone).date_naive();
    let monday = day - chrono::Days::new(u64::from(day.weekday().num_days_from_monday()));
    monday.format("%-d %b").to_string()
}

fn age(micros: i64) -> String {
    let seconds = micros / 1_000_000;
    match seconds {
        ..0 => "ahead of our clock".to_owned(),
        0..60 => format!("{seconds} s"),
        60..3600 => format!("{} min", seconds / 60),
        3600..172_800 => format!("{} h", seconds / 3600),
        _ => format!("{} d", seconds / 86_400),
    }
}

/// A length of time, in microseconds, with two digits or three.
pub(crate) fn length(micros: i64) -> String {
    let ms = micros.max(0).saturating_add(500) / 1000;
    match ms {
        0..1000 => format!("{ms} ms"),
        1000..9950 => format!("{}.{} s", (ms + 50) / 1000, (ms + 50) / 100 % 10),
        9950..120_000 => format!("{} s", (ms + 500) / 1000),
        _ => format!("{} min", ms / 60_000),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_read_as_sentences() {
        assert_eq!(finding("paid_a_push"), "Paid a push");
        assert_eq!(finding("dealer22_exempt_pushed"), "Dealer 22 exempt pushed");
        assert_eq!(finding(""), "");
    }

    #[test]
    fn names_for_machines_are_told_in_words() {
        assert_eq!(called("BJ-04.17.212"), "BJ-04 shoe 17 round 212");
        assert_eq!(called("BJ-04.17.212.no_burn"), "No burn, BJ-04 shoe 17 round 212");
        assert_eq!(called("BJ-04.17.212.paid_a_push.3a"), "Paid a push, box 3, BJ-04 shoe 17 round 212");
        assert_eq!(called("BJ-04.17.212.paid_a_push.3b"), "Paid a push, box 3b, BJ-04 shoe 17 round 212");
        for unknown in ["", "9f86d081", "a.b.c.d.e.f"] {
            assert_eq!(called(unknown), unknown);
        }
    }

    #[test]
    fn lengths_of_time_have_their_unit() {
        let told = [-1, 38_499, 999_600, 1_949_000, 9_960_000, 119_000_000, 200_000_000].map(length);
        assert_eq!(told, ["0 ms", "38 ms", "1.0 s", "1.9 s", "10 s", "119 s", "3 min"]);
    }

    #[test]
    fn money_has_its_currency_its_sign_and_its_side() {
        let at_stake = |minor, favours| AtStake { amount: Money::from_minor(minor), favours };
        assert_eq!(stake(at_stake(2_500, Favours::Player), "NZD"), "+25.00 NZD to player");
        assert_eq!(stake(at_stake(123_456_789, Favours::House), "NZD"), "−1\u{202f}234\u{202f}567.89 NZD to house");
        assert_eq!(stake(at_stake(0, Favours::None), "NZD"), "no money moved");
        assert_eq!(difference(Money::from_minor(-50), "NZD"), "−0.50 NZD to house");
    }

    #[test]
    fn nearly_certain_is_not_certain() {
        let told = [1_000_000, 999_999, 998_000, 980_000].map(|m| percent(Chance::from_millionths(m).unwrap()));
        assert_eq!(told, ["certain", "99.9 %", "99.8 %", "98 %"]);
    }

    #[test]
    fn times_are_in_the_sites_zone() {
        let at: Utc = "2026-11-15T21:04:05.123456Z".parse().unwrap();
        let now: Utc = "2026-11-15T21:09:05Z".parse().unwrap();
        let when = When::new(at, chrono_tz::Pacific::Auckland, now);
        assert_eq!((&*when.clock, &*when.day, &*when.age), ("10:04:05", "Mon 16 Nov 2026", "4 min"));
        assert_eq!(When::new(now, chrono_tz::UTC, at).age, "ahead of our clock");
        assert_eq!(week(at, chrono_tz::Pacific::Auckland), "16 Nov");
    }
}
