//! Given what the devices told of a round in which something went wrong, then what they can show of it.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    dead_code,
    reason = "tests may, and not every one needs all of the script"
)]

#[path = "round/script.rs"]
mod script;

use recognizer::round::Rebuilt;
use script::{rounds, rounds_of, steps};
use table::Grammar;

/// Boxes 3 and 5 with ten each, and their first two cards.
const DEALT: &str = "chips tray=1000
    chips 3=10
    chips 5=10
    deal 3 TH
    deal 5 8C
    deal dealer 7S
    deal 3 6C
    deal 5 3D";

/// Box 5 is paid, and all goes to the rack.
const SETTLED: &str = "chips 5.payout=10 tray=990
    chips 5=0 5.payout=0
    clear 5
    clear 3
    clear dealer
    standby
    wait 2";

fn only(story: &str) -> Rebuilt {
    let mut rounds = rounds(story);
    assert_eq!(rounds.len(), 1, "{rounds:#?}");
    rounds.remove(0)
}

fn told(story: &str) -> String {
    steps(&only(story)).join(", ")
}

fn others(rebuilt: &Rebuilt) -> String {
    rebuilt.others.iter().map(|other| other.says.clone()).collect::<Vec<_>>().join("; ")
}

#[test]
fn a_stake_that_goes_back_before_the_dealer_draws_is_a_void_hand() {
    let told = told(&format!("{DEALT}\n chips 3=0\n wait 3\n deal dealer TD\n{SETTLED}"));
    assert!(told.contains("void 3, return 3, stand 5, card dealer TD"), "{told}");
    assert!(!told.contains("push 3") && !told.contains("stand 3"), "{told}");
}

#[test]
fn a_natural_that_gets_its_stake_back_at_once_was_called_a_stand_off() {
    let told = told(&format!("{}\n chips 3=0\n wait 3\n deal dealer TD\n{SETTLED}", DEALT.replace("3 6C", "3 AC")));
    assert!(told.contains("push 3") && !told.contains("void"), "{told}");
}

#[test]
fn a_raise_that_is_handed_back_leaves_the_hand_in_play() {
    let told = told(&format!(
        "{DEALT}\n chips 5.double=10\n chips 5.double=0\n deal 5 5H\n deal dealer TD\n chips 3=0 tray=1010\n{}",
        SETTLED.replace("990", "1000")
    ));
    assert!(told.contains("double 5, return 5 double, hit 5, card 5 5H"), "{told}");
}

#[test]
fn whoever_bets_behind_and_puts_down_the_only_chips_split_alone() {
    let told = told(
        "chips 3=10 3/2=10
        deal 3 8H
        deal dealer 6C
        deal 3 8D
        chips 3b/2=10
        leave 3.2
        see 3b.1 8D 1
        deal 3 TC
        deal 3b 9S
        deal dealer TD
        deal dealer 9H
        chips 3=0 3/2=0 3b/2=0
        clear 3
        clear 3b
        clear dealer",
    );
    assert!(told.contains("card 3 8D, split 3/2, card 3 TC, stand 3, card 3b 9S, stand 3b"), "{told}");
    assert!(!told.contains("split 3,"), "{told}");
}

#[test]
fn cards_that_stay_together_were_not_split_whatever_was_put_down() {
    let pair = DEALT.replace("3 6C", "3 TC");
    let told = told(&format!(
        "{pair}\n chips 3b=10\n chips 3b=0\n deal 5 5H\n deal dealer TD\n chips 3=0 tray=1010\n{}",
        SETTLED.replace("990", "1000")
    ));
    assert!(told.contains("split 3, return 3b, stand 3, hit 5"), "{told}");
    assert!(!told.contains("collect 3b"), "{told}");
}

#[test]
fn a_card_that_lies_sideways_without_chips_is_a_double_for_nothing() {
    let told = told(&format!(
        "{DEALT}\n deal 5 5H sideways\n deal dealer TD\n chips 3=0 tray=1010\n{}",
        SETTLED.replace("990", "1000")
    ));
    assert!(told.contains("stand 3, double 5 0.00, card 5 5H sideways, card dealer TD"), "{told}");
}

#[test]
fn chips_of_a_double_that_are_told_late_belong_before_its_card() {
    let told = told(&format!(
        "{DEALT}\n deal 5 5H sideways\n chips 5.double=10\n deal dealer TD\n chips 3=0 5.double=0 tray=1020\n{}",
        SETTLED.replace("990", "1010")
    ));
    assert!(told.contains("stand 3, double 5, card 5 5H sideways"), "{told}");
    assert_eq!(told.matches("double 5,").count(), 1, "{told}");
}

#[test]
fn the_last_box_can_be_left_out_of_the_deal_like_any_other() {
    let told = told(
        "chips tray=1000
        chips 3=10
        chips 5=10
        deal 3 TH
        deal dealer 7S
        deal 3 9C
        deal dealer TD
        chips 3.payout=10 tray=990
        chips 3=0 3.payout=0
        chips 5=0
        clear 3
        clear dealer
        standby
        wait 2",
    );
    assert!(told.contains("card 3 TH, card dealer 7S, card 3 9C, stand 3, card dealer TD"), "{told}");
    assert!(!told.contains("card 5") && told.contains("push 5"), "{told}");
}

#[test]
fn what_is_taken_after_the_last_card_is_gone_is_still_of_the_round() {
    let late = "chips 5.payout=10 tray=1000\n chips 5=0 5.payout=0\n clear 5\n clear 3\n clear dealer\n chips 3=0 tray=1010\n wait 9";
    let told = told(&format!("{DEALT}\n deal dealer TD\n{late}"));
    assert!(told.ends_with("collect dealer, take 3, end"), "{told}");
}

#[test]
fn bets_that_are_taken_back_before_the_deal_are_no_round_and_end_none() {
    let story = format!(
        "chips tray=1000\n chips 7=50\n chips 7=0\n wait 7\n{DEALT}\n deal dealer TD\n chips 3=0 tray=1010\n{}",
        SETTLED.replace("990", "1000")
    );
    let told = told(&story);
    assert!(told.contains("card 3 TH, card 5 8C, card dealer 7S, card 3 6C"), "{told}");
    assert!(rounds("chips tray=1000\n chips 7=50\n chips 7=0\n wait 30").is_empty());
}

#[test]
fn a_dealer_card_that_lies_face_down_and_is_never_turned_is_known_to_the_shoe() {
    let told = told(&format!("{DEALT}\n deal dealer TD down\n{SETTLED}"));
    assert!(told.contains("card dealer TD down"), "{told}");
}

#[test]
fn a_pause_after_which_play_does_not_go_on_put_nothing_right() {
    let back = "chips 5=0\n chips 3=0\n clear 5\n clear 3\n clear dealer\n standby\n wait 2";
    let void = only(&format!("{DEALT}\n wait 40\n{back}"));
    assert_eq!(others(&void), "", "{:?}", steps(&void));
    let goes_on = only(&format!("{DEALT}\n wait 60\n deal dealer TD\n{SETTLED}"));
    assert!(others(&goes_on).contains("may have been put right"), "{:?}", steps(&goes_on));
}

#[test]
fn a_natural_paid_its_stake_after_an_ace_may_have_asked_for_even_money() {
    let story = "chips tray=1000
        chips 3=10
        deal 3 AH
        deal dealer AS
        deal 3 KC
        deal dealer 7D
        chips 3.payout=10 tray=990
        chips 3=0 3.payout=0
        clear 3
        clear dealer
        standby
        wait 2";
    let says = |even_money| others(&rounds_of(story, Grammar { even_money, ..Grammar::default() })[0]);
    assert_eq!(says(true), "box 3 may have asked for even money");
    assert_eq!(says(false), "");
}

#[test]
fn what_only_the_tray_says_was_paid_is_not_certain_at_that_box() {
    let unseen =
        "chips 5=0\n chips tray=990\n clear 5\n chips 3=0 tray=1000\n clear 3\n clear dealer\n standby\n wait 2";
    let round = only(&format!("{DEALT}\n deal dealer TD\n{unseen}"));
    assert!(steps(&round).contains(&"pay 5 10.00".to_owned()), "{:?}", steps(&round));
    assert!(others(&round).contains("nobody saw what box 5 was paid"), "{}", others(&round));
}

/// Two boxes that nobody plays to the end: all stakes go back.
const ALL_BACK: &str = "chips 5=0\n chips 3=0\n clear 5\n clear 3\n clear dealer\n standby\n wait 2";

#[test]
fn a_bet_taken_back_before_the_deal_does_not_make_the_round_void_already() {
    let told = told(&format!("chips tray=1000\n chips 7=50\n chips 7=0\n wait 2\n{DEALT}\n{ALL_BACK}"));
    assert!(told.starts_with("bet 7 50.00, return 7, bet 3"), "{told}");
    assert!(told.contains("card 5 3D, void round, return 5, return 3"), "{told}");
}

#[test]
fn what_a_lost_line_may_have_told_is_in_doubt_at_the_boxes_it_may_have_told_of() {
    let paid = SETTLED.replace("clear 5", "line lost\n clear 5").replace("wait 2", "wait 20");
    let round = only(&format!("{DEALT}\n wait 15\n deal dealer TD\n wait 15\n{paid}"));
    let others = others(&round);
    assert!(others.contains("a line of the chip sensor was lost that may have told of box 5"), "{others}");
    assert!(!others.contains("told of box 3"), "{others}");
    assert!(round.troubled);
}

#[test]
fn a_line_lost_long_before_a_round_says_nothing_of_it() {
    let story =
        format!("chips tray=1000\n line lost\n wait 30\n{DEALT}\n deal dealer TD\n chips 3=0 tray=1010\n{SETTLED}");
    let round = rounds(&format!("{story}\n wait 30\n{story}")).remove(1);
    assert!(!others(&round).contains("line"), "{}", others(&round));
}

#[test]
fn chips_put_down_after_the_first_card_may_have_stood_there_only_where_a_line_was_lost() {
    let late = |lost: &str| {
        let dealt = DEALT.replace("deal 5 8C", &format!("deal 5 8C\n chips 5.super_sevens=5\n {lost}"));
        others(&only(&format!(
            "{dealt}\n deal dealer TD\n chips 5.super_sevens=0 tray=1005\n{}",
            SETTLED.replace("990", "995")
        )))
    };
    assert!(!late("wait 0").contains("before the deal"), "{}", late("wait 0"));
    assert!(late("line lost").contains("the chips may have stood there before the deal"), "{}", late("line lost"));
}

#[test]
fn a_stand_off_without_another_sign_was_called_before_its_chips_were_taken_up() {
    let told = told(
        "chips tray=1000
        chips 3=10
        chips 5=10
        deal 5 TH
        deal dealer 7S
        deal 5 9C
        deal dealer TD
        wait 3
        chips 5.payout=10 tray=990
        chips 3=0
        chips 5=0 5.payout=0
        clear 5
        clear dealer
        standby
        wait 2",
    );
    assert!(told.contains("card dealer TD, push 3, pay 5 10.00"), "{told}");
}

#[test]
fn what_a_camera_counted_that_errs_may_be_miscounted() {
    let says = |sure: &str| {
        let dealt = DEALT.replace("deal 3 6C", &format!("draw 6C\n see 3.2 6C {sure}"));
        others(&only(&format!("{dealt}\n deal dealer TD\n chips 3=0 tray=1010\n{}", SETTLED.replace("990", "1000"))))
    };
    assert!(says("0.9").contains("a card of the rounds before may have been misread"), "{}", says("0.9"));
    assert!(!says("1").contains("misread"), "{}", says("1"));
}

#[test]
fn cards_of_a_hand_that_do_not_leave_together_may_be_a_neighbours() {
    let says = |sure: &str| {
        let dealt = DEALT.replace("deal 3 6C", &format!("draw 6C\n see 3.2 6C {sure}"));
        let settled = SETTLED.replace("990", "1000").replace("clear 5", "leave 5.1\n wait 2\n leave 5.2");
        others(&only(&format!("{dealt}\n deal dealer TD\n chips 3=0 tray=1010\n{settled}")))
    };
    assert!(says("0.9").contains("a card seen on box 5 may lie on the box beside it"), "{}", says("0.9"));
    assert!(!says("1").contains("beside"), "{}", says("1"));
}

#[test]
fn a_card_seen_late_says_nothing_against_the_insurance_of_its_box() {
    let late = DEALT.replace("deal 3 TH", "draw TH");
    let round = only(&format!("{late}\n wait 2\n see 3.1 TH 1\n chips 3.insurance=5\n{SETTLED}"));
    let elsewhere = round.others.iter().find(|other| other.says.contains("where the 10♥ went")).unwrap();
    let left: Vec<String> = elsewhere.round.steps.iter().map(|step| step.act.to_string()).collect();
    assert!(left.iter().any(|act| act.starts_with("insure 3") || act.starts_with("bet 3 insurance")), "{left:?}");
    assert!(!left.iter().any(|act| act.starts_with("card 3") || act == "bet 3 10.00"), "{left:?}");
}
