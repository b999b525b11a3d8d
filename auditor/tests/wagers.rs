//! Wagers, antes, tips, insurance and requests: what is put right by the book raises nothing, and the same round left
//! as it was does.
#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

use auditor::check::{Law, Session};
use auditor::rulebook::books;
use table::notation::parse;

/// The checks that a table's rounds set off, in order.
fn raised(text: &str) -> Vec<String> {
    let rounds = parse(text).unwrap();
    let law = Law::of(books::all().unwrap(), &rounds[0].game).unwrap();
    let mut session = Session::default();
    rounds.iter().flat_map(|round| session.audit(&law, round).0).map(|flag| flag.check).collect()
}

fn raises(text: &str, check: &str) -> bool {
    raised(text).iter().any(|raised| raised == check)
}

/// A round in which box 3 insures against an ace; `asked` is what happens between the offer and the player's turn.
fn against_an_ace(asked: &str) -> String {
    format!(
        "game nz-base\nlimits main 5 500\nbet 3 10\nno-more-bets\ncard 3 TH\ncard dealer AS\ncard 3 9C\n\
         {asked}\nstand 3\ncard dealer 7D\npay 3 10\ncollect 3\ncollect dealer\nend\n"
    )
}

#[test]
fn insurance_that_is_too_large_and_handed_back_is_nobodys_mistake() {
    let refused = against_an_ace("offer-insurance\ninsure 3 8\nreturn 3 insurance");
    assert!(!raises(&refused, "insurance_too_large"));
    assert!(!raises(&refused, "request_refused"));
    let put_right = against_an_ace("offer-insurance\ninsure 3 8\nalter 3 insurance 5");
    assert!(!raises(&put_right, "insurance_too_large"));
    assert!(!raises(&put_right, "wager_altered"));
    assert!(raises(&against_an_ace("offer-insurance\ninsure 3 8"), "insurance_too_large"));
    assert!(raises(&against_an_ace("offer-insurance\ninsure 3 5\nreturn 3 insurance"), "request_refused"));
}

#[test]
fn a_forgotten_offer_of_insurance_can_be_made_good_until_the_second_card() {
    let late = |asked: &str| {
        format!(
            "game nz-base\nlimits main 5 500\nbet 3 10\nno-more-bets\ncard 3 TH\ncard dealer AS\ncard 3 4C\n\
             {asked}\ncard dealer 7D\nend\n"
        )
    };
    let cured = late("hit 3\ncard 3 5D\noffer-insurance\ninsure 3 5\nstand 3");
    assert!(!raises(&cured, "insurance_not_offered"));
    assert!(!raises(&cured, "insurance_too_late"));
    assert!(raises(&late("hit 3\ncard 3 5D\nstand 3"), "insurance_not_offered"));
    assert!(raises(&late("offer-insurance\nhit 3\ncard 3 5D\ninsure 3 5\nstand 3"), "insurance_too_late"));
}

#[test]
fn a_table_that_is_never_heard_is_not_blamed_for_silence() {
    let silent =
        "game nz-base\nbet 3 10\ncard 3 TH\ncard dealer AS\ncard 3 9C\nstand 3\ncard dealer 7D\npay 3 10\nend\n";
    assert_eq!(raised(silent).len(), 0, "{:?}", raised(silent));
    let heard_before = format!("{}\nround BJ 1 2\n{silent}", against_an_ace("offer-insurance"));
    assert!(raises(&heard_before, "no_more_bets_not_called"));
    assert!(raises(&heard_before, "insurance_not_offered"));
}

#[test]
fn each_bettor_on_a_natural_asks_for_even_money_for_himself() {
    let natural = |settled: &str| {
        format!(
            "game nz-base\nlimits main 5 500\nbet 3 10\nbet 3/2 20\nno-more-bets\ncard 3 AH\ncard dealer AS\n\
             card 3 KC\noffer-insurance\neven-money 3/2\npay 3/2 20\ncard dealer 7D\n{settled}\ncollect 3\n\
             collect dealer\nend\n"
        )
    };
    assert!(raised(&natural("pay 3 15")).is_empty(), "{:?}", raised(&natural("pay 3 15")));
}

#[test]
fn the_first_wager_under_the_minimum_is_settled_and_the_next_is_not() {
    let round = |bet: &str, settled: &str| {
        format!(
            "round BJ 1 1\ngame act\nlimits main 5 500\n{bet}\nno-more-bets\ncard 3 TH\ncard dealer 9S\ncard 3 9C\n\
             stand 3\ncard dealer 8D\n{settled}\ncollect 3\ncollect dealer\nend\n"
        )
    };
    let under = round("bet 3 2", "pay 3 2");
    assert!(!raises(&under, "wager_below_minimum"));
    assert!(raises(&round("bet 3 2", "return 3"), "wager_below_minimum"));
    assert!(raises(&format!("{under}{under}"), "under_minimum_again"));
    let handed_back = round("bet 3 2", "return 3");
    assert!(!raises(&format!("{under}{handed_back}"), "under_minimum_again"));
    let somebody_else = format!("{under}{}{under}", round("bet 3 10", "pay 3 10"));
    assert!(!raises(&somebody_else, "under_minimum_again"));
}

#[test]
fn a_tip_that_stood_off_may_stay_and_one_that_won_may_not() {
    let first = |up: &str, settled: &str| {
        format!(
            "round BJ 1 1\ngame bclc-basic\nlimits main 5 500\nbet 3 10\nbet 3 tip 1\nno-more-bets\ncard 3 TH\n\
             card dealer 9S\ncard 3 9C\nstand 3\ncard dealer {up}\n{settled}\nend\n"
        )
    };
    let second = "round BJ 1 2\ngame bclc-basic\nlimits main 5 500\nbet 3 10\nno-more-bets\ncard 3 TC\ncard dealer 9D\n\
                  card 3 9H\nstand 3\ncard dealer 8C\npay 3 10\npay 3 tip 1\nend\n";
    let stood_off = first("TD", "push 3\npush 3 tip");
    let won = first("8D", "pay 3 10\npay 3 tip 1");
    assert!(!raises(&format!("{stood_off}{second}"), "tip_rode_on"));
    assert!(raises(&format!("{won}{second}"), "tip_rode_on"));
}

#[test]
fn whoever_does_not_split_may_choose_a_hand_only_where_the_book_says_so() {
    let split = |game: &str| {
        format!(
            "game {game}\nlimits main 5 500\nbet 3 10\nbet 3/2 10\nno-more-bets\ncard 3 KH\ncard dealer 9S\ncard 3 KC\n\
             split 3\ncard 3 6D\nstand 3\ncard 3b 9C\nstand 3b\ncard dealer 8D\ntake 3\npay 3b 10\npay 3/2 10\n\
             collect 3\ncollect 3b\ncollect dealer\nend\n"
        )
    };
    assert!(!raises(&split("nz-base"), "back_bet_on_wrong_hand"));
    assert!(raised(&split("nz-base")).is_empty(), "{:?}", raised(&split("nz-base")));
    assert!(raises(&split("act"), "back_bet_on_wrong_hand"));
    assert!(raises(&split("bclc-basic"), "back_bet_on_wrong_hand"));
}

#[test]
fn a_hand_without_an_ante_is_put_right_by_voiding_it() {
    let round = |end: &str| {
        format!(
            "game nz-anteup\nlimits main 5 500\nbet 3 10\nbet 5 10\nbet 5 ante 0.50\nno-more-bets\ncard 3 TH\n\
             card 5 TD\ncard dealer 9S\ncard 3 9C\ncard 5 8C\ntake 5 ante\n{end}\n"
        )
    };
    let voided = round("void 3\nreturn 3\ncollect 3\nstand 5\ncard dealer 8D\npay 5 10\nend");
    assert!(!raises(&voided, "ante_missing") && !raises(&voided, "no_ante_hand_settled"));
    let settled = round("stand 3\nstand 5\ncard dealer 8D\npay 5 10\npay 3 10\nend");
    assert!(raises(&settled, "no_ante_hand_settled"));
    assert!(!raises(&settled, "ante_missing"));
}

#[test]
fn a_double_or_split_that_is_handed_back_leaves_the_hand_as_it_was() {
    let round = |asked: &str| {
        format!(
            "game nz-base\nlimits main 5 500\nbet 3 10\nno-more-bets\ncard 3 8H\ncard dealer 9S\ncard 3 8C\n{asked}\n\
             hit 3\ncard 3 3D\nstand 3\ncard dealer 8D\npay 3 10\ncollect 3\ncollect dealer\nend\n"
        )
    };
    for asked in ["double 3 10\nreturn 3 double", "split 3 10\nreturn 3b"] {
        assert_eq!(raised(&round(asked)), ["request_refused"], "{asked}");
    }
    assert!(raised(&round("")).is_empty());
}

#[test]
fn a_side_bet_without_a_main_wager_is_void_and_handed_back() {
    let round = |settled: &str| {
        format!(
            "game act\nlimits main 5 500\nbet 3 10\nbet 5 super_sevens 5\nno-more-bets\ncard 3 TH\ncard dealer 9S\n\
             card 3 9C\nstand 3\ncard dealer 8D\npay 3 10\n{settled}\ncollect 3\ncollect dealer\nend\n"
        )
    };
    assert!(!raises(&round("return 5 super_sevens"), "side_bet_without_main"));
    assert!(raises(&round("take 5 super_sevens"), "side_bet_without_main"));
}

#[test]
fn a_player_who_is_never_paid_is_one_mistake_and_his_tip_is_not_out_of_order() {
    let winner = |settled: &str| {
        format!(
            "game bclc-basic\nlimits main 5 500\nbet 3 10\nbet 3 tip 1\nno-more-bets\ncard 3 TH\ncard dealer 9S\n\
             card 3 9C\nstand 3\ncard dealer 8D\n{settled}\ncollect 3\ncollect dealer\nend\n"
        )
    };
    assert_eq!(raised(&winner("pay 3 10\npay 3 tip 1")).len(), 0);
    assert_eq!(raised(&winner("pay 3 tip 1\npay 3 10")), ["tip_paid_wrong"]);
    assert_eq!(raised(&winner("pay 3 tip 1")), ["wager_left"]);
}

#[test]
fn insurance_that_no_ace_allows_keeps_no_cards_on_the_table() {
    let busts = |up: &str, insured: &str| {
        format!(
            "game bclc-basic\nlimits main 5 500\nbet 3 10\nbet 5 10\nno-more-bets\ncard 3 TH\ncard 5 TD\n\
             card dealer {up}\ncard 3 6C\ncard 5 9C\n{insured}\nhit 3\ncard 3 8D\ntake 3\ncollect 3\nstand 5\n\
             card dealer 8H\ntake 3 insurance\npush 5\ncollect 5\ncollect dealer\nend\n"
        )
    };
    let insured = busts("AS", "offer-insurance\ninsure 3 5");
    assert!(raises(&insured, "bust_cards_cleared_early"));
    let without_ace = busts("JS", "insure 3 5");
    assert!(raises(&without_ace, "insurance_without_ace"));
    assert!(!raises(&without_ace, "bust_cards_cleared_early"));
}

#[test]
fn a_natural_doubled_by_everybody_on_the_box_is_one_mistake() {
    let doubled = "game nz-base\nlimits main 5 500\nbet 3 10\nbet 3/2 10\nno-more-bets\ncard 3 AH\ncard dealer TS\n\
                   card 3 KC\ndouble 3\ndouble 3/2\ncard 3 9D sideways\ncard dealer 8D\npay 3 10\npay 3 double 10\n\
                   pay 3/2 10\npay 3/2 double 10\ncollect 3\ncollect dealer\nend\n";
    assert_eq!(raised(doubled), ["doubled_a_natural"]);
}
