//! Any text is a rulebook or a house file, or a list of faults, each at a line and column of the text and told on one
//! line. A house file that loads leaves every game but one as it was.
#![no_main]

use auditor::rulebook::{Diagnostic, Rulebook, books, with_house};
use libfuzzer_sys::fuzz_target;

fn within(text: &str, faults: &[Diagnostic]) {
    assert!(!faults.is_empty());
    let lines: Vec<&str> = text.split('\n').collect();
    for fault in faults {
        let line = lines.get(fault.line.wrapping_sub(1)).expect("the text has such a line");
        assert!((1..=line.chars().count() + 1).contains(&fault.column), "{fault} in {line:?}");
        assert!(!fault.message.is_empty() && !fault.message.contains('\n'));
    }
}

fuzz_target!(|text: &str| {
    let books = books::all().unwrap();
    if let Err(faults) = Rulebook::load(text, books[0].clauses.clone()) {
        within(text, &faults);
    }
    match with_house(books, text) {
        Err(faults) => within(text, &faults),
        Ok(housed) => {
            let games = |books: &[Rulebook]| books.iter().flat_map(|book| book.games.clone()).collect::<Vec<_>>();
            let before = games(books);
            let changed = games(&housed).iter().filter(|game| !before.contains(game)).count();
            assert!(changed <= 1, "a house file changed {changed} games");
        }
    }
});
