//! The registry from the command line: what scripts read, what officers read, what a wrong question gets.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it stands")]

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::process::{Command, Output};

use serde_json::{Value, json};

fn fairdeal(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_fairdeal")).args(args).output().unwrap()
}

/// What a command that must work prints.
#[track_caller]
fn said(args: &[&str]) -> String {
    let output = fairdeal(args);
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// What a command that must refuse says, having printed nothing.
#[track_caller]
fn refused(args: &[&str]) -> String {
    let output = fairdeal(args);
    assert_eq!(output.status.code(), Some(2), "{args:?}");
    assert!(output.stdout.is_empty(), "{args:?}");
    String::from_utf8(output.stderr).unwrap()
}

fn lines(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// A file of a test, by its name and text.
fn written(name: &str, text: &str) -> PathBuf {
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&file, text).unwrap();
    file
}

#[test]
fn every_clause_is_listed_for_scripts_with_every_field_of_the_contract() {
    let clauses = lines(&said(&["rules", "--json"]));
    assert_eq!(clauses.len(), 1326);
    for clause in &clauses {
        let fields: Vec<_> = clause.as_object().unwrap().keys().map(String::as_str).collect();
        assert_eq!(
            fields,
            ["auditable", "book", "checks", "id", "needs", "section", "severity", "summary", "why_not"],
            "{clause}"
        );
    }
    let clause = clauses.iter().find(|clause| clause["id"] == "nz-13.3").unwrap();
    assert_eq!(
        *clause,
        json!({
            "id": "nz-13.3", "book": "nz", "section": "Drawing",
            "summary": "Dealer draws to 17, stands on every 17",
            "auditable": "yes", "why_not": "", "needs": ["cards"],
            "checks": ["dealer_overdrew", "dealer_stood_short"], "severity": "critical",
        })
    );
}

#[test]
fn a_book_or_a_game_narrows_the_list() {
    let act = lines(&said(&["rules", "--book", "act", "--json"]));
    assert_eq!(act.len(), 191);
    assert!(act.iter().all(|clause| clause["book"] == "act"));

    let cited = |game: &str, id: &str| {
        lines(&said(&["rules", "--game", game, "--json"])).iter().any(|clause| clause["id"] == id)
    };
    assert!(cited("nz-styleA", "nz-17.2") && !cited("nz-base", "nz-17.2"));
}

#[test]
fn what_officers_read_fits_a_hundred_columns() {
    let games = ["nz-base", "act", "nh-54", "bclc-zappit"];
    let mut texts = vec![said(&["rules"]), said(&["rules", "diff", "nz-base", "bclc-freebet"])];
    texts.extend(games.map(|game| said(&["explain", game])));
    for line in texts.iter().flat_map(|text| text.lines()) {
        assert!(line.chars().count() <= 100 && line.trim_end() == line, "{line:?}");
    }
}

#[test]
fn two_games_are_shown_side_by_side() {
    let text = said(&["rules", "diff", "nz-base", "nz-styleA"]);
    let row = |name: &str| -> Vec<String> {
        let line = text.lines().find(|line| line.split_whitespace().next() == Some(name)).unwrap();
        line.split_whitespace().map(str::to_owned).collect()
    };
    assert_eq!(row("h17"), ["h17", "false", "true"]);
    assert_eq!(row("dealer_stood_short.soft17"), ["dealer_stood_short.soft17", "-", "nz-17.2"]);
    assert!(!text.contains("split_max_hands"), "what is the same is not shown");

    let json = lines(&said(&["rules", "diff", "nz-base", "nz-styleA", "--json"]));
    assert!(json.contains(&json!({ "part": "parameter", "name": "h17", "left": "false", "right": "true" })));
    let json = lines(&said(&["rules", "diff", "nz-base", "act", "--json"]));
    let any_pair: Vec<_> = json.iter().filter(|row| row["name"].as_str().unwrap().starts_with("any_pair.")).collect();
    assert_eq!(
        any_pair[1..],
        [
            &json!({ "part": "side-bet", "name": "any_pair.scales.1", "left": "pair 11:1", "right": null }),
            &json!({ "part": "side-bet", "name": "any_pair.scales.2", "left": "pair 10:1", "right": null }),
        ]
    );
    assert_eq!(said(&["rules", "diff", "act", "act"]), "act and act do not differ\n");
}

#[test]
fn a_clause_a_game_and_a_check_are_explained() {
    let clause = said(&["explain", "nz-9.2(a)"]);
    for part in ["Dealer announces insurance aloud", "partly", "microphone", "insurance_not_offered", "nz-bjplus"] {
        assert!(clause.contains(part), "{part} in {clause}");
    }
    let game = said(&["explain", "nz-freebet"]);
    for part in ["Whether the dealer draws on soft 17.", "Left to the house.", "Side bet push22", "same_suit_22 50:1"] {
        assert!(game.contains(part), "{part} in {game}");
    }
    let check = said(&["explain", "dealer_overdrew"]);
    assert!(check.contains("nz-13.3") && check.contains("act-12[1]"), "{check}");
}

#[test]
fn the_violating_round_that_is_shown_is_flagged_when_it_is_audited() {
    for check in ["wager_above_maximum", "paid_a_push", "dealer_stood_short"] {
        let text = said(&["explain", check]);
        let (_, shown) = text.split_once("Violating\n").unwrap();
        let (round, _) = shown.split_once("Cited in").unwrap();
        let file = written(&format!("{check}.round"), round);
        let flags = lines(&said(&["audit", "--json", file.to_str().unwrap()]));
        assert_eq!(flags.iter().map(|flag| flag["check"].as_str().unwrap()).collect::<Vec<_>>(), [check], "{round}");
    }
}

#[test]
fn what_does_not_exist_is_refused_in_one_sentence() {
    assert_eq!(refused(&["explain", "qqq"]), "fairdeal: there is no clause, game or check qqq; see fairdeal rules\n");
    assert_eq!(refused(&["rules", "--book", "uk"]), "fairdeal: there is no book uk; there are nz, act, nh, bclc\n");
    assert_eq!(refused(&["rules", "--book", "nz", "--game", "act"]), "fairdeal: act is a game of the book act\n");
    assert!(
        refused(&["rules", "diff", "nz-base", "nz-bass"])
            .starts_with("fairdeal: there is no game nz-bass (did you mean nz-base?); there are nz-base,")
    );
}

#[test]
fn a_misspelt_id_is_guessed() {
    for (id, meant) in [
        ("nz13.3", "nz-13.3"),
        ("NZ-13.3", "nz-13.3"),
        ("bclc-zapit", "bclc-zappit"),
        ("dealer_stod_short", "dealer_stood_short"),
    ] {
        let told = refused(&["explain", id]);
        assert!(told.contains(&format!("{id} (did you mean {meant}?)")), "{told}");
    }
    assert_eq!(
        refused(&["rules", "--book", "bcl"]),
        "fairdeal: there is no book bcl (did you mean bclc?); there are nz, act, nh, bclc\n"
    );
}

#[test]
fn the_checks_of_a_clause_are_checks_that_can_be_explained() {
    let clauses = lines(&said(&["rules", "--json"]));
    let named = clauses.iter().flat_map(|clause| clause["checks"].as_array().unwrap());
    let named: BTreeSet<_> = named.map(|name| name.as_str().unwrap()).collect();
    let real: BTreeSet<_> = auditor::checks::CHECKS.iter().map(|check| check.name).collect();
    assert_eq!(named, real);

    let counted = said(&["explain", "nz-4.1(c)"]);
    assert!(counted.contains("paid_a_push") && counted.contains("natural_taken"), "{counted}");
    let tag = said(&["explain", "count.pip"]);
    assert!(tag.contains("paid_a_push") && !tag.contains("natural_taken") && tag.contains("act-2.5(b)"), "{tag}");
    let aspect = said(&["explain", "dealer_extra_card_counted"]);
    assert!(aspect.contains("dealer took a further card") && aspect.contains("act-14.3"), "{aspect}");
}

#[test]
fn a_house_file_shows_in_the_registry() {
    let file = written(
        "harbour.toml",
        "[house]\nfor = \"bclc-basic\"\nname = \"harbour\"\nburn = \"per_shoe\"\n\
         [house.cite]\nburn_missing = [\"house-1\"]\n\
         [clause.house-1]\nsummary = \"The first card of a shoe is burned\"\nneeds = [\"shoe\"]\n",
    );
    let file = file.to_str().unwrap();
    assert!(said(&["explain", "house-1", "--house", file]).contains("burn_missing"));
    let diff = said(&["rules", "diff", "bclc-basic", "harbour", "--house", file]);
    let words: Vec<_> = diff.split_whitespace().collect();
    assert!(words.windows(3).any(|row| row == ["burn", "unstated", "per_shoe"]), "{diff}");
}

#[test]
fn every_fault_of_a_house_file_is_told_with_file_line_and_column() {
    let file = written("wrong.toml", "[house]\nfor = \"bclc-basic\"\nh17 = false\nbrun = \"never\"\n");
    let told = refused(&["rules", "--house", file.to_str().unwrap()]);
    assert_eq!(
        told.replace(file.to_str().unwrap(), "wrong.toml"),
        "fairdeal: wrong.toml:3:1: h17 is not left to the house: bclc-basic has true\n\
         wrong.toml:4:1: there is no parameter brun (did you mean burn?)\n"
    );
    let file = written("unused.toml", "[house]\nfor = \"nz-base\"\n[house.cite]\nburn_mising = [\"nz-8.1\"]\n");
    let told = refused(&["audit", "--house", file.to_str().unwrap(), "any.round"]);
    assert_eq!(
        told.replace(file.to_str().unwrap(), "unused.toml"),
        "fairdeal: unused.toml:4:1: no check names burn_mising (did you mean burn_missing?)\n"
    );
    assert!(
        refused(&["rules", "--house", "no-such-file.toml"]).starts_with("fairdeal: cannot read no-such-file.toml: ")
    );
}
