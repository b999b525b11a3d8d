//! A small rulebook is read, extended, chosen from and laid over by a house.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it stands")]

use std::collections::BTreeMap;

use auditor::rulebook::{Clauses, Diagnostic, OptionError, Reasons, Rulebook, Tags};
use auditor::{Pay, Tier};
use table::SideBet;

const BOOK: &str = include_str!("small/book.toml");

fn clauses() -> Clauses {
    let reasons = Reasons::parse("code\treason\ndeaf\tFairdeal hears nothing\n").unwrap();
    Clauses::parse(include_str!("small/clauses.tsv"), &reasons).unwrap()
}

fn book() -> Rulebook {
    Rulebook::load(BOOK, clauses()).unwrap()
}

fn told(faults: Vec<Diagnostic>) -> Vec<String> {
    faults.iter().map(Diagnostic::to_string).collect()
}

#[test]
fn a_game_that_extends_another_says_only_what_differs() {
    let book = book();
    let [base, soft] = &book.games[..] else { panic!("two games") };
    assert_eq!((base.rules.h17, soft.rules.h17), (false, true));
    assert_eq!((base.rules.split_max_hands, soft.rules.split_max_hands), (Some(3), None));
    assert_eq!(base.rules.forced_hit_below, soft.rules.forced_hit_below);
    assert_eq!(soft.open, base.open);
    assert_eq!(soft.reading("split_by").map(|reading| &*reading.ambiguity), Some("N6"));

    let scale = |game: &auditor::Game| game.rules.side(SideBet::PerfectPair).map(|side| side.scale);
    assert_eq!((scale(base), scale(soft)), (Some(1), Some(2)));
}

#[test]
fn a_scale_keeps_its_order_best_tier_first() {
    let book = book();
    let side = book.games[0].rules.side(SideBet::PerfectPair).unwrap();
    let tiers: Vec<_> = side.scales[0].iter().map(|(tier, _)| *tier).collect();
    assert_eq!(tiers, [Tier::Perfect, Tier::Coloured, Tier::Mixed]);
    assert_eq!(side.pay(2, Tier::Coloured), Some(Pay::Odds("12:1".parse().unwrap())));
}

#[test]
fn a_side_bet_that_is_not_offered_waits_for_a_house_to_offer_it() {
    let book = book();
    let base = &book.games[0];
    assert!(base.rules.side(SideBet::AnyPair).is_none());
    let chosen = base.with_options(&options(&[("any_pair", "on"), ("perfect_pair_scale", "2")])).unwrap();
    assert!(chosen.rules.side(SideBet::AnyPair).is_some());
    assert_eq!(chosen.rules.side(SideBet::PerfectPair).map(|side| side.scale), Some(2));
    let chosen = base.with_options(&options(&[("perfect_pair", "off")])).unwrap();
    assert!(chosen.rules.side(SideBet::PerfectPair).is_none());
}

#[test]
fn citations_are_found_by_tag_and_a_child_replaces_or_removes_them() {
    let book = book();
    let tags = Tags::new(["dealer_overdrew", "dealer_stood_short.hard", "dealer_stood_short.soft17", "paid_a_push"]);
    let cited = |game: usize, tag: &str| -> Vec<&str> {
        let citations = book.games[game].citations(&tags);
        let numbers = citations.of(tags.get(tag).unwrap()).to_vec();
        numbers.into_iter().map(|number| &*book.clauses.get(number).unwrap().id).collect()
    };
    assert_eq!(cited(0, "dealer_stood_short.hard"), ["small-2", "small-1"]);
    assert_eq!(cited(1, "dealer_stood_short.hard"), ["small-2", "small-1"]);
    assert_eq!(cited(0, "dealer_stood_short.soft17"), [""; 0]);
    assert_eq!(cited(1, "dealer_stood_short.soft17"), ["small-4"]);
    assert_eq!(cited(0, "dealer_overdrew"), ["small-2"]);
    assert_eq!(cited(1, "dealer_overdrew"), [""; 0]);
    assert_eq!(cited(1, "paid_a_push"), ["small-4", "small-3"]);
}

#[test]
fn tags_are_judged_once_the_checks_are_known() {
    let tags =
        Tags::new(["dealer_overdrew", "dealer_stood_short.hard", "dealer_stood_short.soft17", "paid_a_push.natural"]);
    let line = BOOK.lines().position(|line| line.starts_with("paid_a_push")).unwrap() + 1;
    let again = BOOK.lines().count();
    assert_eq!(
        told(book().unknown_tags(&tags)),
        [
            format!("{line}:1: no check names paid_a_push (did you mean paid_a_push.natural?)"),
            format!("{again}:1: no check names paid_a_push (did you mean paid_a_push.natural?)")
        ]
    );
}

fn options(pairs: &[(&str, &str)]) -> BTreeMap<table::Ident, table::Word> {
    pairs.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect()
}

#[test]
fn a_house_chooses_what_is_open_and_a_reading_is_remembered() {
    let book = book();
    let chosen = book.games[0].with_options(&options(&[("bj_pays", "6:5"), ("decks", "8"), ("h17", "false")])).unwrap();
    assert_eq!((chosen.rules.bj_pays.to_string().as_str(), chosen.rules.decks), ("6:5", 8));
    assert!(chosen.other_readings.is_empty());

    let chosen = book.games[0].with_options(&options(&[("split_by", "rank")])).unwrap();
    let read: Vec<_> = chosen.other_readings.iter().map(|reading| (reading.parameter, &*reading.ambiguity)).collect();
    assert_eq!(read, [("split_by", "N6")]);
    let chosen = book.games[0].with_options(&options(&[("split_by", "point_value")])).unwrap();
    assert!(chosen.other_readings.is_empty());
}

#[test]
fn a_game_whose_text_is_plain_drops_the_ambiguity_of_the_game_below() {
    let text = format!("{BOOK}\n[game.small-soft.readings]\nsplit_by = \"\"\n");
    let book = Rulebook::load(&text, clauses()).unwrap();
    let rank = options(&[("split_by", "rank")]);
    assert!(book.games[0].with_options(&rank).is_ok());
    assert!(matches!(book.games[1].with_options(&rank), Err(OptionError::Fixed { .. })));
}

#[test]
fn a_parameter_left_open_is_a_choice_even_where_another_game_reads_it() {
    let text = BOOK.replacen("split_by = \"N6\"", "split_by = \"N6\"\nburn = \"N99\"", 1);
    let book = Rulebook::load(&text, clauses()).unwrap();
    let chosen = book.games[0].with_options(&options(&[("burn", "never")])).unwrap();
    assert!(chosen.other_readings.is_empty());
}

#[test]
fn options_that_cannot_be_are_refused_with_the_reason() {
    let book = book();
    let refused = |name: &str, value: &str| -> String {
        book.games[0].with_options(&options(&[(name, value)])).map(|_| ()).unwrap_err().to_string()
    };
    assert_eq!(refused("bj_pay", "3:2"), "there is no option bj_pay (did you mean bj_pays?)");
    assert_eq!(refused("qqqq", "1"), "there is no option qqqq");
    assert_eq!(refused("bj_pays", "3-2"), "option bj_pays: expected odds such as 3:2, found 3-2");
    assert_eq!(refused("bj_pays", "5:4"), "bj_pays 5:4 is not among bj_pays_allowed");
    assert_eq!(refused("h17", "true"), "h17 is not left to the house: small-base has false");
    assert_eq!(refused("war", "on"), "small-base knows no war");
    assert_eq!(refused("perfect_pair", "yes"), "option perfect_pair: expected on or off, found yes");
    assert_eq!(refused("perfect_pair_scale", "3"), "option perfect_pair_scale: expected a scale from 1 to 2, found 3");
    assert!(matches!(book.games[0].with_options(&options(&[("bj_pays", "5:4")])), Err(OptionError::Contradiction(_))));
}

#[test]
fn the_wrong_number_of_decks_is_a_finding_for_the_checks_not_a_refusal() {
    let chosen = book().games[0].with_options(&options(&[("decks", "3")])).unwrap();
    assert_eq!(chosen.rules.decks, 3);
}

const HOUSE: &str = r#"
[house]
for = "small-base"
title = "Blackjack at the Harbour"
burn = "per_shoe"

[house.side.any_pair]
offered = true

[house.cite]
burn_missing = ["house-burn"]

[clause."house-burn"]
summary = "The first card of every shoe is burned"
needs = ["shoe"]
"#;

#[test]
fn a_house_adds_its_own_rules_and_clauses_over_a_game() {
    let book = book().with_house(HOUSE).unwrap();
    let game = book.game("small-base").unwrap();
    assert_eq!(&*game.title, "Blackjack at the Harbour");
    assert_eq!(game.rules.get("burn").as_deref(), Some("per_shoe"));
    assert!(game.rules.side(SideBet::AnyPair).is_some());
    let tags = Tags::new(["burn_missing", "paid_a_push"]);
    let cited = |tag| game.citations(&tags).of(tags.get(tag).unwrap()).to_vec();
    assert_eq!(cited("burn_missing"), [book.clauses.find("house-burn").unwrap()]);
    assert_eq!(cited("paid_a_push"), [book.clauses.find("small-3").unwrap()]);
    assert_eq!(book.game("small-soft").unwrap().rules.get("burn").as_deref(), Some("optional"));
}

#[test]
fn a_house_with_a_name_of_its_own_stands_beside_the_game() {
    let book = book().with_house("[house]\nfor = \"small-soft\"\nname = \"harbour\"\nburn = \"never\"\n").unwrap();
    let names: Vec<_> = book.games.iter().map(|game| game.name.as_str()).collect();
    assert_eq!(names, ["small-base", "small-soft", "harbour"]);
    assert!(book.game("harbour").unwrap().rules.h17);
}

#[test]
fn a_bad_house_file_is_told_like_a_bad_book() {
    let refused = |text: &str| told(book().with_house(text).map(|_| ()).unwrap_err());
    assert_eq!(refused(""), ["1:1: expected a table [house]"]);
    assert_eq!(refused("[house]\n"), ["1:2: the house file does not say which game it is for"]);
    assert_eq!(
        refused("[house]\nfor = \"small-bass\"\n[hose]\n"),
        [
            "2:7: there is no game small-bass (did you mean small-base?)",
            "3:2: a house file has no hose (did you mean house?)"
        ]
    );
    assert_eq!(
        refused("[house]\nfor = \"small-base\"\nh17 = true\nburn = \"twice\"\nextends = \"small-soft\"\n"),
        [
            "3:1: h17 is not left to the house: small-base has false",
            "4:8: burn: expected optional, per_shoe, per_round, never or unstated, found \"twice\"",
            "5:1: there is no parameter extends"
        ]
    );
    assert_eq!(
        refused(
            "[house]\nfor = \"small-base\"\n[clause.mine]\n[clause.house-1]\nsumary = \"x\"\n[clause.house-2]\nsummary = \"x\"\nauditable = \"no\"\nneeds = [\"ears\"]\n"
        ),
        [
            "3:9: \"mine\": a house's own clauses begin with house-",
            "4:9: house-1 has no summary",
            "5:1: clauses have no sumary (did you mean summary?)",
            "6:9: house-2 needs why_not exactly if it is not auditable",
            "9:10: needs: expected cards, shoe, wagers, payouts, decisions, timing or video, found \"ears\""
        ]
    );
}
