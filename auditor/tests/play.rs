//! How hands are played and when they are settled: what is lawful in one game and not in another, what is put right by
//! the book, and what cannot be known.
#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

use auditor::check::{Law, Session};
use auditor::rulebook::books;
use table::notation::parse;

/// The checks that find something in a round of a game.
fn found(game: &str, steps: &str) -> Vec<String> {
    let text = format!("round T1 1 1\ngame {game}\n{}\n", steps.replace("; ", "\n"));
    let rounds = parse(&text).unwrap();
    let law = Law::of(books::all().unwrap(), &rounds[0].game).unwrap();
    let (flags, _) = Session::default().audit(&law, &rounds[0]);
    flags.into_iter().map(|flag| flag.check).collect()
}

/// Two boxes and the initial deal: box 3 has 19, box 5 has 16, the dealer shows a nine.
const DEAL: &str = "bet 3 10; bet 5 10; no-more-bets; card 3 TH; card 5 TD; card dealer 9S; card 3 9C; card 5 6C";

#[test]
fn a_card_too_many_for_the_dealer_that_goes_to_the_rack_is_no_error() {
    let rest = "stand 3; stand 5; card dealer 8D; card dealer 4C; discard 4C; take 5; pay 3 10; end";
    for game in ["nz-base", "act"] {
        assert!(found(game, &format!("{DEAL}; {rest}")).is_empty(), "{game}");
    }
    let counted = rest.replace("discard 4C; take 5; pay 3 10", "take 5; take 3");
    assert_eq!(found("nz-base", &format!("{DEAL}; {counted}")), ["dealer_overdrew"]);
}

#[test]
fn a_card_drawn_for_the_dealer_too_early_may_become_the_players_next_card() {
    let mended = "stand 3; card dealer 3D; move 3D dealer 5; stand 5; card dealer 8D; pay 5 10; pay 3 10; end";
    assert!(found("nz-base", &format!("{DEAL}; {mended}")).is_empty());
    let left = "stand 3; card dealer 8D; hit 5; card 5 3D; stand 5; pay 5 10; pay 3 10; end";
    assert_eq!(found("nz-base", &format!("{DEAL}; {left}")), ["dealer_drew_early"]);
}

#[test]
fn a_card_to_21_is_no_error_once_the_hand_is_reconstructed() {
    let hit = "stand 3; hit 5; card 5 5D; card 5 2C";
    let rest = "card dealer 8D; pay 5 10; pay 3 10; end";
    assert_eq!(found("nz-base", &format!("{DEAL}; {hit}; {rest}"))[..1], ["hit_on_21"]);
    let mended = rest.replace("pay 3 10", "push 3");
    assert!(found("nz-base", &format!("{DEAL}; {hit}; move 2C 5 dealer; reconstruct 5; {mended}")).is_empty());
}

#[test]
fn a_soft_21_may_be_hit_in_one_book_and_not_in_another() {
    let deal = "bet 3 10; no-more-bets; card 3 AH; card dealer 9S; card 3 5C";
    let rest = "hit 3; card 3 5D; hit 3; card 3 9D; stand 3; card dealer 8D; pay 3 10; end";
    assert_eq!(found("nz-base", &format!("{deal}; {rest}")), ["hit_on_21"]);
    assert!(found("bclc-basic", &format!("{deal}; {rest}")).is_empty());
}

#[test]
fn a_natural_may_be_paid_on_the_dealers_second_card_in_one_book_and_waits_for_the_last_in_another() {
    let deal = "bet 3 10; bet 5 10; no-more-bets; card 3 AH; card 5 TH; card dealer TS; card 3 KC; card 5 9C";
    let rest = "stand 5; card dealer 2D; pay 3 15; collect 3; card dealer 5C; pay 5 10; end";
    assert!(found("bclc-basic", &format!("{deal}; {rest}")).is_empty());
    assert_eq!(found("nz-base", &format!("{deal}; {rest}")), ["natural_paid_early"]);
}

#[test]
fn a_natural_may_wait_for_its_turn_in_one_book_and_not_for_any_card_in_another() {
    let deal = "bet 3 10; bet 5 10; no-more-bets; card 3 TH; card 5 AH; card dealer 9S; card 3 6C; card 5 KC";
    let rest = "hit 3; card 3 3D; stand 3; pay 5 15; collect 5; card dealer 8D; pay 3 10; end";
    assert!(found("bclc-basic", &format!("{deal}; {rest}")).is_empty());
    assert_eq!(found("act", &format!("{deal}; {rest}")), ["natural_paid_late"]);
}

#[test]
fn a_double_that_gets_no_card_is_found_at_the_end() {
    let rest = "stand 3; double 5; card dealer 8D; take 5; take 5 double; pay 3 10; end";
    assert_eq!(found("act", &format!("{DEAL}; {rest}")), ["card_after_double"]);
}

#[test]
fn an_absent_players_hand_is_drawn_to_twelve_without_a_word() {
    let deal = "bet 3 10; bet 5 10; no-more-bets; card 3 5H; card 5 TD; card dealer 9S; card 3 4C; card 5 6C";
    let rest = "absent 3; card 3 6D; stand 5; card dealer 8D; take 5; take 3; end";
    assert!(found("act", &format!("{deal}; {rest}")).is_empty());
}

#[test]
fn who_played_first_is_told_once_however_often_the_other_box_acts() {
    let rest = "stand 5; hit 3; card 3 AC; stand 3; card dealer 8D; take 5; pay 3 10; end";
    assert_eq!(found("nz-base", &format!("{DEAL}; {rest}")), ["acted_out_of_turn"]);
}

#[test]
fn what_was_not_seen_is_not_held_against_anybody() {
    let no_decisions = "card 5 3D; card dealer 8D; pay 5 10; pay 3 10; end";
    assert!(found("bclc-basic", &format!("{DEAL}; {no_decisions}")).is_empty(), "no decision was seen");
    let unread = "stand 3; hit 5; card 5 ??; card 5 2D; card dealer 8D; pay 3 10; take 5; end";
    assert!(found("nz-base", &format!("{DEAL}; {unread}")).is_empty(), "the card could be any");
    let cut_off = "stand 3; hit 5; card 5 2D";
    for game in ["nz-base", "act", "bclc-basic"] {
        assert!(found(game, &format!("{DEAL}; {cut_off}")).is_empty(), "{game}: the tape ends in mid-round");
    }
    let no_chips = "card 3 TH; card dealer 9S; card 3 9C; card dealer 2D; card dealer 8D; end";
    for game in ["nz-base", "bclc-basic"] {
        assert!(found(game, no_chips).is_empty(), "{game}: nobody saw who plays for what");
    }
    let no_payouts = "stand 3; hit 5; card 5 9D; card dealer 8D; end";
    assert!(found("nz-base", &format!("{DEAL}; {no_payouts}")).is_empty(), "no chip was seen to move");
}
