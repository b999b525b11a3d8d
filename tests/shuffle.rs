//! `fairdeal shuffle` through the command line: fair shoes, crooked ones, cards too many and too few, and what is no shoe.
#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

use std::io::Write;
use std::process::{Command, Output, Stdio};

use auditor::model::random::Dice;
use auditor::shuffle::Procedure;
use serde_json::{Value, json};
use table::Card;

fn fairdeal(args: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fairdeal"));
    let piped = command.args(args).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = piped.spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn answers(done: &Output) -> Vec<Value> {
    let lines = String::from_utf8(done.stdout.clone()).unwrap();
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Six decks as play may have left them, and the same after a shuffle.
fn shuffled(by: &str, seed: u64) -> (Vec<Card>, Vec<Card>) {
    let mut dice = Dice::new(seed);
    let pack: Vec<Card> = (0..6).flat_map(|_| Card::faces()).collect();
    let before = "machine".parse::<Procedure>().unwrap().shuffle(pack, &mut dice);
    let after = by.parse::<Procedure>().unwrap().shuffle(before.clone(), &mut dice);
    (before, after)
}

fn line(id: &str, before: &[Card], after: &[Card]) -> String {
    json!({ "id": id, "decks": 6, "before": before, "after": after }).to_string() + "\n"
}

#[test]
fn a_fair_shoe_is_ok_and_one_with_three_riffles_is_not() {
    let (before, after) = shuffled("machine", 1);
    let (lazy_before, lazy_after) = shuffled("riffles:3", 2);
    let lines = line("fair", &before, &after) + &line("lazy", &lazy_before, &lazy_after);
    let done = fairdeal(&["shuffle"], &lines);
    assert!(done.status.success());
    let [fair, lazy] = answers(&done).try_into().unwrap();
    assert_eq!((&fair["id"], &fair["verdict"]), (&json!("fair"), &json!("ok")));
    assert!(fair["p"].as_f64().unwrap() > 0.001 && fair["e"].as_f64().unwrap() < 50.0);
    assert_eq!(fair["composition"], json!({ "extra": [], "missing": [] }));
    assert!(fair["tests"].as_array().unwrap().iter().all(|test| !test["power_note"].as_str().unwrap().is_empty()));
    assert_eq!(lazy["verdict"], "suspect");
    assert!(lazy["p"].as_f64().unwrap() < 1e-5 && lazy["e"].as_f64().unwrap() > 100.0);
    // So few riffles are told apart from many, but hardly from each other.
    let most = lazy["riffles_interval"][1].as_f64().unwrap();
    assert!((2.5..6.0).contains(&most), "{lazy}");
    assert_eq!(fairdeal(&["shuffle", "--fail-on", "suspect"], &lines).status.code(), Some(1));
    assert_eq!(fairdeal(&["shuffle"], &lines).stdout, done.stdout, "the same orders, the same answer");
}

#[test]
fn what_the_house_asks_for_is_not_held_against_the_dealer() {
    let (before, after) = shuffled("half-decks", 4);
    let lines = line("two passes", &before, &after);
    let perfect = answers(&fairdeal(&["shuffle"], &lines)).remove(0);
    assert_eq!(perfect["verdict"], "suspect");
    let house = answers(&fairdeal(&["shuffle", "--procedure", "half-decks"], &lines)).remove(0);
    assert_eq!(house["verdict"], "ok", "{house}");
}

#[test]
fn a_slug_is_told_with_its_places_and_drawn() {
    let (before, mut after) = shuffled("machine", 6);
    let kept = before[40..60].to_vec();
    after.retain({
        let mut left = kept.clone();
        move |card| left.iter().position(|there| there == card).map(|at| left.remove(at)).is_none()
    });
    after.splice(100..100, kept);
    let folder = tempfile::tempdir().unwrap();
    let svg = folder.path().join("pictures");
    let done = fairdeal(&["shuffle", "--svg", svg.to_str().unwrap()], &line("../a slug", &before, &after));
    let told = answers(&done).remove(0);
    assert_eq!(told["verdict"], "suspect");
    assert_eq!(told["slugs"][0], json!({ "from": 40, "to": 100, "length": 20 }));
    let mut names: Vec<String> =
        std::fs::read_dir(&svg).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["_a_slug-distances.svg", "_a_slug.svg"]);
    assert!(std::fs::read_to_string(svg.join("_a_slug.svg")).unwrap().contains("20 cards from place 41"));
}

#[test]
fn shoes_of_one_name_and_of_none_all_get_their_pictures() {
    let (before, after) = shuffled("machine", 6);
    let folder = tempfile::tempdir().unwrap();
    let lines: String = ["a", "a", "a-2", "", &*"x".repeat(400)].iter().map(|id| line(id, &before, &after)).collect();
    let done = fairdeal(&["shuffle", "--svg", folder.path().to_str().unwrap()], &lines);
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let names = std::fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.filter(|name| !name.contains("distances") && !name.starts_with("xx")).collect();
    names.sort();
    assert_eq!(names, ["a-2-2.svg", "a-2.svg", "a.svg", "shoe.svg"]);
}

#[test]
fn a_few_cards_tell_no_number_of_riffles() {
    let (before, after) = shuffled("machine", 7);
    let told = answers(&fairdeal(&["shuffle"], &line("few", &before[..20], &after[..20]))).remove(0);
    assert_eq!((&told["verdict"], &told["riffles_estimate"]), (&json!("inconclusive"), &Value::Null), "{told}");
    assert_eq!(told["riffles_interval"], json!([1.0, null]));
}

#[test]
fn a_card_more_or_less_is_named() {
    let (before, after) = shuffled("machine", 8);
    let mut more = after.clone();
    more.insert(30, "7H".parse().unwrap());
    let done = fairdeal(&["shuffle"], &(line("more", &before, &more) + &line("less", &before, &after[1..])));
    let [more, less] = answers(&done).try_into().unwrap();
    assert_eq!((&more["verdict"], &more["composition"]["extra"]), (&json!("suspect"), &json!(["7H"])));
    assert_eq!((&less["verdict"], &less["composition"]["missing"]), (&json!("suspect"), &json!([after[0]])));
}

#[test]
fn half_a_shoe_clears_nobody() {
    let (before, after) = shuffled("machine", 9);
    let told = answers(&fairdeal(&["shuffle"], &line("half", &before, &after[..150]))).remove(0);
    assert_eq!(told["verdict"], "inconclusive");
    assert!(told["reason"].as_str().unwrap().contains("48 %"), "{}", told["reason"]);
}

#[test]
fn what_is_no_shoe_is_answered_with_what_is_wrong_and_the_rest_goes_on() {
    let (before, after) = shuffled("machine", 10);
    let too_many = [&after[..], &after[..90]].concat();
    let bad = [
        (r#"{"id":"a","decks":6,"before":["7X"],"after":["7H"]}"#.to_owned() + "\n", "expected a card such as 7H"),
        (line("b", &[], &after), "before has no cards"),
        (line("c", &before, &too_many), "after has 402 cards, and 6 decks hold 312"),
        (r#"{"id":"d","decks":0,"before":["7H"],"after":["7H"]}"#.to_owned() + "\n", "decks is 0"),
        (
            r#"{"id":"e","decks":1000,"before":["7H"],"after":["7H"]}"#.to_owned() + "\n",
            "decks is 1000, expected 1 to 12",
        ),
        (r#"{"id":"f","decks":6.5,"before":["7H"],"after":["7H"]}"#.to_owned() + "\n", "decks is 6.5"),
        (r#"{"id":"g","decks":NaN,"before":["7H"],"after":["7H"]}"#.to_owned() + "\n", "expected value"),
        (r#"{"id":null,"decks":6,"before":["7H"],"after":["7H"]}"#.to_owned() + "\n", "id is null"),
        (r#"{"id":"h","decks":6,"before":"7H","after":["7H"]}"#.to_owned() + "\n", "expected a sequence"),
        ("[1]\n".to_owned(), "expected"),
        ("[".repeat(5_000) + "\n", "recursion limit"),
        (format!("{{\"id\":\"{}\"}}\n", "x".repeat(2_000_000)), "longer than 1048576 bytes"),
        ("{\"id\":\"i\"}\n".to_owned(), "missing field"),
        ("no JSON\n".to_owned(), "expected"),
    ];
    let lines: String = bad.iter().map(|(line, _)| line.as_str()).chain([&*line("good", &before, &after)]).collect();
    let done = fairdeal(&["shuffle"], &lines);
    assert_eq!(done.status.code(), Some(2));
    let answers = answers(&done);
    for ((_, wrong), answer) in bad.iter().zip(&answers) {
        let error = answer["error"].as_str().unwrap();
        assert!(error.contains(wrong), "{error}");
    }
    assert_eq!(answers.last().unwrap()["verdict"], "ok");
    let said = String::from_utf8(done.stderr).unwrap();
    assert!(said.starts_with("fairdeal: standard input line 1: ") && said.lines().count() == 1, "{said}");
}

#[test]
fn a_tape_has_its_shoes_judged() {
    let folder = tempfile::tempdir().unwrap();
    let tape = folder.path().join("lazy.mcap");
    let tape = tape.to_str().unwrap();
    let wish =
        ["simulate", "--game", "nz-base", "--rounds", "60", "--seed", "2", "--shuffle", "riffles:2", "--out", tape];
    assert!(fairdeal(&wish, "").status.success());
    let done = fairdeal(&["shuffle", "--json", tape], "");
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let answers = answers(&done);
    let suspect = answers.iter().filter(|answer| answer["verdict"] == "suspect").count();
    assert!(suspect >= 1, "{answers:?}");
    let series = answers.iter().find(|answer| answer["series"] == "table BJ-04").unwrap();
    assert!(series["power_note"].as_str().unwrap().contains("proper ones would have shown"), "{series}");
    let flags = fairdeal(&["audit", "--json", tape], "");
    assert!(String::from_utf8(flags.stdout).unwrap().contains("shuffle_left_order"));
}

#[test]
fn a_shuffling_machine_is_followed_from_table_to_table() {
    let folder = tempfile::tempdir().unwrap();
    let tapes: Vec<String> = ["BJ-04", "BJ-05"]
        .iter()
        .map(|table| {
            let tape = folder.path().join(format!("{table}.mcap")).to_str().unwrap().to_owned();
            let table = ["simulate", "--game", "nz-base", "--rounds", "60", "--seed", "3", "--table", table];
            let machine = ["--shuffle", "machine", "--shuffler", "SH-11", "--out", &*tape];
            let done = fairdeal(&[&table[..], &machine].concat(), "");
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
            tape
        })
        .collect();
    let answers = answers(&fairdeal(&["shuffle", "--json", &*tapes[0], &*tapes[1]], ""));
    let shoes = |series: &str| answers.iter().find(|answer| answer["series"] == series).unwrap()["shoes"].clone();
    let of_tables = ["table BJ-04", "table BJ-05"].map(|table| shoes(table).as_u64().unwrap());
    assert!(of_tables.iter().all(|shoes| *shoes > 0), "{of_tables:?}");
    assert_eq!(shoes("shuffler SH-11"), json!(of_tables.iter().sum::<u64>()));
}

#[test]
fn a_continuous_shuffler_is_judged_by_what_it_gives_back() {
    let folder = tempfile::tempdir().unwrap();
    let judged = |shuffle: &str| {
        let tape = folder.path().join(format!("{shuffle}.mcap"));
        let tape = tape.to_str().unwrap();
        let wish = [
            "simulate",
            "--game",
            "nz-base",
            "--option",
            "csm=true",
            "--rounds",
            "150",
            "--seed",
            "4",
            "--shuffle",
            shuffle,
        ];
        let done = fairdeal(&[&wish[..], &["--out", tape]].concat(), "");
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        let verdicts = answers(&fairdeal(&["shuffle", "--json", tape], ""));
        verdicts.into_iter().filter_map(|answer| Some(answer["verdict"].as_str()?.to_owned())).collect::<Vec<_>>()
    };
    let (proper, stuck) = (judged("csm"), judged("csm-stuck"));
    assert!(!proper.is_empty() && proper.iter().all(|verdict| verdict == "ok"), "{proper:?}");
    assert!(stuck.iter().any(|verdict| verdict == "suspect"), "{stuck:?}");
}

#[test]
fn what_could_be_found_is_told() {
    let done = fairdeal(&["shuffle", "power", "--decks", "1", "--shoes", "40", "--json"], "");
    assert!(done.status.success());
    let answers = answers(&done);
    let of = |fault: &str| answers.iter().find(|answer| answer["fault"] == fault).unwrap()["at_one_percent"].as_f64();
    assert!(of("riffles:2").unwrap() > 0.95 && of("riffles:8").unwrap() < 0.3);
    assert_eq!(of("card added"), Some(1.0), "a pack that is seen whole shows its cards");
    assert!(answers.iter().any(|answer| answer["fault"] == "card missing"));
}
