//! Any text is rounds or one error on one of its lines. Rounds print and read back the same, also step by step.
#![no_main]

use libfuzzer_sys::fuzz_target;
use table::{Act, Layout};
use table::notation::{parse, print};

fuzz_target!(|text: &str| match parse(text) {
    Ok(rounds) => {
        let printed = print(&rounds);
        assert_eq!(parse(&printed).as_ref(), Ok(&rounds));
        for round in &rounds {
            Layout::after(round);
            for step in &round.steps {
                assert_eq!(step.act.to_string().parse::<Act>().as_ref(), Ok(&step.act));
            }
        }
    }
    Err(error) => {
        assert!((1..=text.lines().count().max(1)).contains(&error.line));
        assert!(error.column >= 1);
    }
});
