//! The model dealer against the four documents: each story in `tests/model/*.md` gives a plan and the whole round that
//! must come of it.
//!
//! A story is a heading, a sentence with its clauses, a block `plan GAME OPTION=VALUE…` and a block `round`. After a
//! change that is meant, `FAIRDEAL_BLESS=1 cargo test -p auditor --test model` writes the rounds anew; read the
//! difference before you commit it.

use std::path::PathBuf;

use auditor::model::{Plan, deal};
use table::Round;
use table::notation::{parse, print};

use crate::{faults, find, id, limits};

fn dealt(head: &str, plan: &str) -> Result<Round, Box<dyn std::error::Error>> {
    let game = parse(&format!("game {head}"))?.remove(0).game;
    let (_, found) = find(game.name.as_str());
    let rules = found.with_options(&game.options)?.rules;
    let plan: Plan = plan.parse()?;
    Ok(deal(&rules, &limits(&rules), &plan, id(1), game)?)
}

/// The steps of a round, or why there is none.
fn told(head: &str, plan: &str) -> String {
    match dealt(head, plan) {
        Ok(round) => {
            let text = print([&round]);
            let back = parse(&text).unwrap();
            assert_eq!(faults(&round), "", "{text}");
            assert_eq!(back, [round], "{head}: {plan}");
            text.lines().filter(|line| !line.starts_with("round ") && !line.starts_with("limits ")).skip(1).fold(
                String::new(),
                |mut all, line| {
                    all.push_str(line);
                    all.push('\n');
                    all
                },
            )
        }
        Err(error) => format!("error: {error}\n"),
    }
}

fn stories(file: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/model").join(file);
    let text = std::fs::read_to_string(&path).unwrap();
    let mut blessed = String::new();
    let mut wrong = String::new();
    let mut rest = text.as_str();
    let mut count = 0;
    while let Some(at) = rest.find("```plan ") {
        let (before, block) = rest.split_at(at);
        let (head, body) = block["```plan ".len()..].split_once('\n').unwrap();
        let (plan, after) = body.split_once("```\n").unwrap();
        let after = after.trim_start_matches('\n').strip_prefix("```round\n").unwrap();
        let (expected, next) = after.split_once("```").unwrap();
        let round = told(head, plan);
        if round != expected {
            let title = before.lines().rfind(|line| line.starts_with('#')).unwrap_or_default();
            wrong.push_str(&format!("{file} {title}\n{head}\n{plan}--- expected\n{expected}--- dealt\n{round}\n"));
        }
        blessed.push_str(&format!("{before}```plan {head}\n{plan}```\n\n```round\n{round}```"));
        rest = next;
        count += 1;
    }
    blessed.push_str(rest);
    if std::env::var_os("FAIRDEAL_BLESS").is_some() {
        std::fs::write(path, blessed).unwrap();
    } else {
        assert!(wrong.is_empty(), "{wrong}");
    }
    assert!(count > 0, "{file} has no story");
}

#[test]
fn new_zealand() {
    stories("nz.md");
}

#[test]
fn australian_capital_territory() {
    stories("act.md");
}

#[test]
fn new_hampshire() {
    stories("nh.md");
}

#[test]
fn british_columbia() {
    stories("bclc.md");
}

/// The wager itself is a finding, so this is no story without fault.
#[test]
fn in_the_act_a_wager_over_the_maximum_is_settled_up_to_it() {
    let round = dealt("act", "3 600: TH 9C stand; 4 700: TH 7C stand; dealer: 8S TH").unwrap();
    let text = print([&round]);
    assert!(text.contains("\ntake 4 500.00\n") && text.contains("\npay 3 500.00\n"), "{text}");
}
