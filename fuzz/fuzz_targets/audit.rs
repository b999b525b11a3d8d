//! Any rounds are audited under the law of their game, or the game is refused; the same rounds give the same flags
//! again, and every flag names its round and something to say.
#![no_main]

use auditor::check::{Law, Session};
use auditor::rulebook::books;
use libfuzzer_sys::fuzz_target;
use table::{Flag, Round};
use table::notation::parse;

fn audit(rounds: &[Round]) -> Vec<Result<Vec<Flag>, String>> {
    let books = books::all().unwrap();
    let mut session = Session::default();
    let audited = rounds.iter().map(|round| match Law::of(books, &round.game) {
        Ok(law) => Ok(session.audit(&law, round).0),
        Err(refused) => Err(refused.to_string()),
    });
    audited.collect()
}

fuzz_target!(|text: &str| {
    let Ok(rounds) = parse(text) else { return };
    let told = audit(&rounds);
    assert_eq!(told, audit(&rounds));
    for (round, told) in rounds.iter().zip(&told) {
        for flag in told.iter().flatten() {
            assert_eq!(flag.round, round.id);
            assert!(!flag.clause.is_empty() && !flag.expected.is_empty() && !flag.observed.is_empty());
        }
    }
});
