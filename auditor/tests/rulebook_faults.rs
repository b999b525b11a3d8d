//! Rulebooks that must not load, and what their author is told: every fault, at its line and column.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it stands")]

use auditor::rulebook::{Clauses, Diagnostic, Reasons, Rulebook};
use proptest::prelude::*;

const BOOK: &str = include_str!("small/book.toml");

fn load(text: &str) -> Result<Rulebook, Vec<Diagnostic>> {
    let reasons = Reasons::parse("code\treason\ndeaf\tFairdeal hears nothing\n").unwrap();
    Rulebook::load(text, Clauses::parse(include_str!("small/clauses.tsv"), &reasons).unwrap())
}

/// The faults of a text that stands alone.
fn faults(text: &str) -> Vec<String> {
    load(text).map(|_| ()).unwrap_err().iter().map(Diagnostic::to_string).collect()
}

/// The faults of the good book with some lines changed, told by the line's own text instead of its number.
#[track_caller]
fn edited(edits: &[(&str, &str)]) -> Vec<String> {
    let mut text = BOOK.to_owned();
    for (from, to) in edits {
        assert!(text.contains(from), "{from:?} is in the book");
        text = text.replacen(from, to, 1);
    }
    let lines: Vec<_> = text.lines().collect();
    let told = |fault: &Diagnostic| format!("{}|{}: {}", lines[fault.line - 1], fault.column, fault.message);
    load(&text).map(|_| ()).unwrap_err().iter().map(told).collect()
}

#[test]
fn what_is_not_toml_is_told_where_it_breaks() {
    assert_eq!(faults("[book\nid = 3"), ["1:6: unclosed table, expected `]`"]);
    assert_eq!(faults("[book]\nid = \"a\"\nid = \"b\"\n[book]\n"), ["3:1: duplicate key", "4:2: duplicate key"]);
}

#[test]
fn the_frame_of_a_book() {
    assert_eq!(faults(""), ["1:1: expected a table [book]"]);
    assert_eq!(
        faults("[bok]\n[book]\nid = \"a b\"\ntitle = 7\n"),
        [
            "1:2: a rulebook has no bok (did you mean book?)",
            "3:6: id: expected a name of 1 to 32 letters, digits, - or _, found \"a b\"",
            "4:9: title: expected a text, found 7",
        ]
    );
    assert_eq!(faults("game = 3\n[book]\nid = \"a\"\ntitle = \"A\"\n"), ["1:8: game: expected a table, found 3"]);
    assert_eq!(
        faults("[book]\nid = \"a\"\ntitle = \"A\"\n[game.\"ä\"]\n[game]\nb = true\n"),
        ["4:7: \"ä\" cannot name a game: expected letters, digits, - or _", "6:5: b: expected a table, found true",]
    );
}

#[test]
fn a_parameter_left_unsaid_is_missed() {
    let told = edited(&[("h17 = false\n", ""), ("das = true\n", "")]);
    assert_eq!(told, ["[game.small-base]|7: small-base does not set h17, das"]);
}

#[test]
fn unknown_names_are_told_with_the_nearest() {
    for (from, to, told) in [
        ("h17 = false", "h17s = false\nh17 = false", "h17s = false|1: there is no parameter h17s (did you mean h17?)"),
        (
            "\"burn\"]",
            "\"brun\"]",
            "open = [\"decks\", \"bj_pays\", \"brun\"]|29: there is no parameter brun (did you mean burn?)",
        ),
        ("\"burn\"]", "\"decks\"]", "open = [\"decks\", \"bj_pays\", \"decks\"]|29: decks stands here twice"),
        (
            "split_by = \"N6\"",
            "splt_by = \"N6\"",
            "splt_by = \"N6\"|1: there is no parameter splt_by (did you mean split_by?)",
        ),
        (
            "split_by = \"N6\"",
            "split_by = 6.5",
            "split_by = 6.5|12: split_by: expected the id of an ambiguity such as N6, found 6.5",
        ),
        (
            "[\"small-2\", \"small-1\"]",
            "[\"small-2\", \"samll-1\"]",
            "\"dealer_stood_short.hard\" = [\"small-2\", \"samll-1\"]|41: there is no clause samll-1 (did you mean small-1?)",
        ),
        (
            "[\"small-2\", \"small-1\"]",
            "[\"small-2\", \"small-2\"]",
            "\"dealer_stood_short.hard\" = [\"small-2\", \"small-2\"]|41: small-2 stands here twice",
        ),
        (
            "\"dealer_stood_short.hard\"",
            "\"Dealer stood\"",
            "\"Dealer stood\" = [\"small-2\", \"small-1\"]|1: \"Dealer stood\" is no tag: expected a check's name, or name.aspect",
        ),
        (
            "extends = \"small-base\"",
            "extends = \"small-bass\"",
            "extends = \"small-bass\"|11: there is no game small-bass (did you mean small-base?)",
        ),
        ("\nper_box = 3", "\nper_bx = 3", "per_bx = 3|1: side bets have no per_bx (did you mean per_box?)"),
        (
            "{ pair = \"11:1\" }",
            "{ par = \"11:1\" }",
            "scales = [{ par = \"11:1\" }]|13: any_pair has no tier par (did you mean pair?)",
        ),
        (
            "{ pair = \"11:1\" }",
            "{ perfect = \"11:1\" }",
            "scales = [{ perfect = \"11:1\" }]|13: any_pair has no tier perfect",
        ),
        (
            "[\"any_pair\"]",
            "[\"any_pair\", \"wor\"]",
            "excludes = [\"any_pair\", \"wor\"]|25: there is no side bet wor (did you mean war?)",
        ),
        (
            "[game.small-soft.side.perfect_pair]\nscale = 2",
            "[game.small-soft.side.perfct]",
            "[game.small-soft.side.perfct]|23: there is no side bet perfct (did you mean perfect_pair?)",
        ),
    ] {
        assert_eq!(edited(&[(from, to)]), [told]);
    }
}

#[test]
fn wrong_values_are_told_with_what_is_right() {
    for (from, to, told) in [
        ("h17 = false", "h17 = \"maybe\"", "h17 = \"maybe\"|7: h17: expected true or false, found \"maybe\""),
        ("decks = 6", "decks = 256", "decks = 256|9: decks: expected a number from 0 to 255, found 256"),
        ("decks = 6", "decks = 6.0", "decks = 6.0|9: decks: expected true, false, a whole number or a text, found 6.0"),
        (
            "decks = 6",
            "decks = []",
            "decks = []|9: decks: expected true, false, a whole number or a text, found a list",
        ),
        (
            "bj_pays = \"3:2\"",
            "bj_pays = 1.5",
            "bj_pays = 1.5|11: bj_pays: expected true, false, a whole number or a text, found 1.5",
        ),
        (
            "free_double = \"none\"",
            "free_double = \"9-99\"",
            "free_double = \"9-99\"|15: free_double: expected totals such as 9,10,11 or 15-18, or none, found \"9-99\"",
        ),
        (
            "{ pair = \"11:1\" }",
            "{ pair = \"eleven\" }",
            "scales = [{ pair = \"eleven\" }]|20: pair: expected odds such as 30:1, award 200.00, meter 100 or prize, found \"eleven\"",
        ),
        ("[{ pair = \"11:1\" }]", "[]", "scales = []|10: scales: expected at least one scale"),
        ("[{ pair = \"11:1\" }]", "[{}]", "scales = [{}]|11: a scale pays at least one tier"),
        ("\nper_box = 3", "\nper_box = -1", "per_box = -1|11: per_box: expected a number from 0 to 255, found -1"),
        ("\nper_box = 3", "\nstake = \"0.00\"", "stake = \"0.00\"|9: stake: expected more than nothing, found 0.00"),
        ("behind = true", "behind = 1", "behind = 1|10: behind: expected true or false, found 1"),
        (
            "dealer_overdrew = [\"small-2\"]",
            "dealer_overdrew = \"small-2\"",
            "dealer_overdrew = \"small-2\"|19: dealer_overdrew: expected a list, found \"small-2\"",
        ),
        ("title = \"Blackjack\"", "title = \" \"", "title = \" \"|9: title: expected a text, found \" \""),
    ] {
        let found = edited(&[(from, to)]);
        assert!(found.contains(&told.to_owned()), "{found:#?} lacks {told}");
    }
}

#[test]
fn a_book_may_not_contradict_itself() {
    for (from, to, told) in [
        ("decks = 6", "decks = 3", "decks_max = 8|1: decks 3 is outside 4 to 8"),
        ("decks_min = 4", "decks_min = 9", "decks_max = 8|1: decks_min 9 is above decks_max 8"),
        (
            "bj_pays = \"3:2\"",
            "bj_pays = \"1:1\"",
            "bj_pays_allowed = \"3:2,6:5\"|1: bj_pays 1:1 is not among bj_pays_allowed",
        ),
        (
            "bj_timing = \"wait_for_ace_or_ten\"",
            "bj_timing = \"after_peek\"",
            "bj_timing = \"after_peek\"|1: bj_timing after_peek without a hole card to peek at",
        ),
        (
            "surrender = \"none\"",
            "surrender = \"late\"",
            "surrender = \"late\"|1: surrender late without a hole card to be late for",
        ),
        ("double_cards = 2", "double_cards = 1", "double_cards = 1|1: double_cards 1: a hand has two at least"),
        ("double_total_max = 20", "double_total_max = 22", "double_total_max = 22|1: double_total_max 22 is a bust"),
        (
            "free_double = \"none\"",
            "free_double = \"9,21\"",
            "free_double = \"9,21\"|1: free_double 21 is above double_total_max 20",
        ),
        (
            "split_max_hands = 3",
            "split_max_hands = 1",
            "split_max_hands = 1|1: split_max_hands 1: a split makes two hands",
        ),
        ("free_resplit = false", "free_resplit = true", "free_resplit = true|1: free_resplit without free_split"),
        (
            "forced_hit_below = 12",
            "forced_hit_below = 30",
            "forced_hit_below = 30|1: forced_hit_below 30 forces a bust",
        ),
        ("max_cards = \"none\"", "max_cards = 2", "max_cards = 2|1: max_cards 2: nobody could draw"),
        (
            "five_card_wins = false",
            "five_card_wins = true",
            "five_card_wins = true|1: five_card_wins without max_cards 5",
        ),
        ("zap_soft = false", "zap_soft = true", "zap_soft = true|1: zap_soft without zap"),
        ("ante_posted = \"none\"", "ante_posted = \"1.00\"", "ante_posted = \"1.00\"|1: ante_posted without ante"),
        ("ante_waive_at = \"none\"", "ante_waive_at = 100", "ante_waive_at = 100|1: ante_waive_at without ante"),
        ("boxes_max = 7", "boxes_max = 10", "boxes_max = 10|1: boxes_max 10: a table has 1 to 9 boxes"),
        ("war_boxes_max = \"none\"", "war_boxes_max = 8", "war_boxes_max = 8|1: war_boxes_max 8 is above boxes_max 7"),
        (
            "bettors_per_box = 3",
            "bettors_per_box = 0",
            "bettors_per_box = 0|1: bettors_per_box 0: a box takes 1 to 9 bettors",
        ),
        (
            "back_split = \"either\"",
            "back_split = \"none\"",
            "back_split = \"none\"|1: back_split none with 3 bettors to a box",
        ),
        (
            "cut_card_back_max = 50",
            "cut_card_back_max = 101",
            "cut_card_back_max = 101|1: cut_card_back_max 101: there are 100 hundredths in a stack",
        ),
        (
            "excludes = [\"perfect_pair\"]",
            "excludes = []",
            "[game.small-base.side.perfect_pair]|23: perfect_pair excludes any_pair, but any_pair does not exclude perfect_pair",
        ),
        (
            "excludes = [\"perfect_pair\"]",
            "excludes = [\"perfect_pair\", \"any_pair\"]",
            "[game.small-base.side.any_pair]|23: any_pair excludes itself",
        ),
        ("scale = 2", "scale = 3", "[game.small-soft.side.perfect_pair]|23: perfect_pair has 2 scales, not a scale 3"),
        ("scale = 2", "scale = 0", "[game.small-soft.side.perfect_pair]|23: perfect_pair has 2 scales, not a scale 0"),
        (
            "\nper_box = 3",
            "\ndecks_min = 9",
            "[game.small-base.side.perfect_pair]|23: perfect_pair needs 9 decks, the game has at most 8",
        ),
        (
            "\nper_box = 3",
            "\ncap_joint = true",
            "[game.small-base.side.perfect_pair]|23: perfect_pair has cap_joint without cap",
        ),
        (
            "scale = 2",
            "scale = 2\n[game.small-soft.side.over13]\nscales = [{ win = \"1:1\" }]",
            "[game.small-soft.side.over13]|23: over13 needs overunder_ace 1 or 11, not 0",
        ),
    ] {
        assert_eq!(edited(&[(from, to)]), [told]);
    }
}

#[test]
fn contradictions_that_take_two_changes() {
    let two = |edits: &[(&str, &str)]| edited(edits).join("; ");
    assert_eq!(
        two(&[("hole_card = false", "hole_card = true"), ("surrender = \"none\"", "surrender = \"provisional\"")]),
        "surrender = \"provisional\"|1: surrender provisional with a hole card, which settles it"
    );
    assert_eq!(
        two(&[("hole_card = false", "hole_card = true"), ("bust_waits = false", "bust_waits = true")]),
        "bust_waits = true|1: bust_waits with a hole card: there is nothing to wait for"
    );
    assert_eq!(
        two(&[("split_max_hands = 3", "split_max_hands = 2"), ("resplit_aces = false", "resplit_aces = true")]),
        "resplit_aces = true|1: resplit_aces with split_max_hands 2: no hand is left to split into"
    );
    assert_eq!(
        two(&[("bet_min = \"none\"", "bet_min = 5"), ("bet_max = \"none\"", "bet_max = 4")]),
        "bet_max = 4|1: bet_min 5.00 is above bet_max 4.00"
    );
    assert_eq!(
        two(&[("bet_min = \"none\"", "bet_min = 5"), ("table_min_max = \"none\"", "table_min_max = 4")]),
        "table_min_max = 4|1: bet_min 5.00 is above table_min_max 4.00"
    );
    assert_eq!(
        two(&[("bj_pays = \"3:2\"", "bj_pays = \"6:5\""), ("\"3:2,6:5\"", "\"6:5\"")]),
        "even_money = \"ace_if_3to2\"|1: even_money ace_if_3to2 where no natural can pay 3:2"
    );
    assert_eq!(
        two(&[
            ("das = true", "das = false"),
            ("free_double = \"none\"", "free_double = \"9\""),
            ("free_double_after_split = false", "free_double_after_split = true")
        ]),
        "free_double_after_split = true|1: free_double_after_split without das"
    );
}

#[test]
fn a_contradiction_with_a_game_below_is_told_where_it_arises_and_once() {
    assert_eq!(edited(&[("split_max_hands = \"none\"", "decks = 9")]), ["decks = 9|1: decks 9 is outside 4 to 8"]);
}

#[test]
fn games_that_extend_each_other_in_a_circle_are_told_at_the_first() {
    let text = "[book]\nid = \"a\"\ntitle = \"A\"\n\
        [game.one]\ntitle = \"1\"\nextends = \"two\"\n\
        [game.two]\ntitle = \"2\"\nextends = \"three\"\n\
        [game.three]\ntitle = \"3\"\nextends = \"two\"\n\
        [game.four]\ntitle = \"4\"\nextends = \"four\"\n";
    assert_eq!(faults(text), ["9:11: two extends itself: two, three, two", "15:11: four extends itself: four, four"]);
}

proptest! {
    #[test]
    fn any_text_is_a_book_or_faults_within_it(text in "(\\[|\\]|\"|=|\\.|\n|game|book|id|title|side|cite|[a-z0-9 ä]){0,60}") {
        for fault in load(&text).err().unwrap_or_default() {
            prop_assert!(fault.line >= 1 && fault.line <= text.matches('\n').count() + 1);
            prop_assert!(!fault.message.is_empty());
        }
    }

    #[test]
    fn a_good_book_with_a_line_lost_or_doubled_never_panics(line in 0usize..150, doubled: bool) {
        let mut lines: Vec<_> = BOOK.lines().collect();
        let line = line % lines.len();
        if doubled { lines.insert(line, lines[line]) } else { lines.remove(line); }
        let _ = load(&lines.join("\n"));
    }
}
