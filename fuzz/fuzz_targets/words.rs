//! Any text is a card, an amount, odds, a place, a wager, a time, a probability or a name, or an error; what is read
//! prints to a text that reads the same.
#![no_main]

use std::fmt::{Debug, Display};
use std::str::FromStr;

use libfuzzer_sys::fuzz_target;
use table::{Card, Chance, Ident, Money, Odds, Place, SideBet, Utc, Wager, Word};

fn reads_back<T: FromStr + Display + PartialEq + Debug>(text: &str) {
    if let Ok(value) = text.parse::<T>() {
        assert_eq!(value.to_string().parse().ok(), Some(value));
    }
}

fuzz_target!(|text: &str| {
    reads_back::<Card>(text);
    reads_back::<Money>(text);
    reads_back::<Odds>(text);
    reads_back::<Place>(text);
    reads_back::<Wager>(text);
    reads_back::<Utc>(text);
    reads_back::<Chance>(text);
    reads_back::<Ident>(text);
    reads_back::<Word>(text);
    reads_back::<SideBet>(text);
    if let (Ok(money), Ok(odds)) = (text.parse::<Money>(), "3:2".parse::<Odds>()) {
        if let Some(won) = money.at(odds) {
            assert!(won.over < won.per);
        }
    }
});
