//! What goes wrong with cards and is put right as the rulebook asks raises nothing; nor does a shoe dealt lawfully from
//! shuffle to shuffle, nor what was not seen.
#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

use auditor::check::{Law, Session, posted_limits};
use auditor::model::random::{self, Dice, Habits, Shoe};
use auditor::rulebook::books;
use table::notation::{parse, print};
use table::{Act, BoxNo, Game, Ident, Place, Round, RoundId, Step};

fn law_of(game: &Game) -> Law {
    Law::of(books::all().unwrap(), game).unwrap()
}

/// What the rounds of a text are flagged for, each with its game's law.
fn flagged(text: &str) -> Vec<String> {
    let mut session = Session::default();
    let rounds = parse(text).unwrap();
    let flags = rounds.iter().flat_map(|round| session.audit(&law_of(&round.game), round).0);
    flags.map(|flag| format!("{}: {flag}", flag.check)).collect()
}

/// A round with two boxes in which `deal` is what happens between the bets and the settlement.
fn round(game: &str, deal: &str) -> String {
    let deal = deal.replace("; ", "\n");
    format!("round T 1 1\ngame {game}\nbet 3 10\nbet 5 10\nno-more-bets\n{deal}\n")
}

const PAID: &str = "pay 5 10; collect 5; pay 3 10; collect 3; collect dealer; end";

#[test]
fn a_boxed_card_that_goes_to_the_rack_is_nobodys_fault() {
    let deal = "card 3 TH; card 5 TD; card dealer 9S; card 3 9C; card 5 8C; boxed 4H; discard 4H; stand 3; stand 5; \
                card dealer 8D";
    for game in ["nz-base", "act"] {
        assert_eq!(flagged(&round(game, &format!("{deal}; {PAID}"))), [""; 0], "{game}");
    }
}

#[test]
fn a_card_drawn_in_error_and_used_next_is_put_right() {
    let deal = "card 3 TH; card 5 TD; card dealer 9S; card 3 9C; card 5 8C; stand 3; drawn 8D; stand 5; card dealer 8D";
    for game in ["nz-base", "act"] {
        assert_eq!(flagged(&round(game, &format!("{deal}; {PAID}"))), [""; 0], "{game}");
    }
}

#[test]
fn a_shown_card_that_all_refuse_becomes_the_dealers() {
    let deal = "card 3 TH; card 5 TD; card dealer 9S; card 3 9C; card 5 8C; exposed 8D; refuse 3; stand 3; refuse 5; \
                stand 5; card dealer 8D";
    assert_eq!(flagged(&round("nz-base", &format!("{deal}; {PAID}"))), [""; 0]);
}

#[test]
fn a_misdeal_that_is_rebuilt_is_handled_and_one_that_is_not_is_flagged_once() {
    let astray = "card 5 TH; card 3 TD; card dealer 9S; card 3 9C; card 5 8C";
    let rebuilt =
        format!("{astray}; supervisor; reconstruct 3; reconstruct 5; stand 3; stand 5; card dealer 8D; {PAID}");
    let left = format!("{astray}; stand 3; stand 5; card dealer 8D; {PAID}");
    let noticed = format!("{astray}; supervisor; stand 3; stand 5; card dealer 8D; {PAID}");
    for game in ["nz-base", "act"] {
        assert_eq!(flagged(&round(game, &rebuilt)), [""; 0], "{game}");
        let checks = |deal: &str| -> Vec<String> {
            flagged(&round(game, deal)).iter().map(|flag| flag.split(':').next().unwrap().to_owned()).collect()
        };
        assert_eq!(checks(&left), ["dealt_out_of_order"], "{game}");
        assert_eq!(checks(&noticed), ["error_not_repaired"], "{game}");
    }
}

#[test]
fn a_dropped_card_with_manager_and_choice_is_handled_either_way() {
    let deal = |choice: &str| {
        format!(
            "card 3 TH; card 5 TD; card dealer 9S; card 3 4C; card 5 8C; card dealer XX down; hit 3; dropped 5D; \
             supervisor; {choice}; stand 3; stand 5; turn dealer 8D; pay 3 10; collect 3; pay 5 10; collect 5; \
             collect dealer; end"
        )
    };
    for choice in ["accept 3; card 3 5D", "refuse 3; discard 5D; card 3 5H"] {
        let text = round("nh-6d", &deal(choice)).replace(" 10\n", " 4\n");
        assert_eq!(flagged(&text), [""; 0], "{choice}");
    }
}

#[test]
fn a_machine_that_fails_is_followed_by_a_void_round_in_one_book_and_by_a_shuffle_in_another() {
    let dealt = "card 3 TH; card 5 TD; card dealer 9S; card 3 9C; card 5 8C; fault shuffler";
    let void =
        format!("{dealt}; supervisor; void round; return 3; return 5; collect 5; collect 3; collect dealer; end");
    assert_eq!(flagged(&round("nz-base csm=true", &void)), [""; 0]);
    let shuffled = format!("{dealt}; shuffle; offer-cut 5; cut 5; stand 3; stand 5; card dealer 8D; {PAID}");
    assert_eq!(flagged(&round("act csm=true", &shuffled)), [""; 0]);
}

#[test]
fn discards_shuffled_and_cut_may_finish_a_round() {
    let deal = "card 3 TH; card 5 TD; card dealer 9S; card 3 9C; card 5 8C; stand 3; stand 5; shuffle; offer-cut 3; \
                cut 3 30; card dealer 8D";
    for game in ["nz-base", "act"] {
        assert_eq!(flagged(&round(game, &format!("{deal}; {PAID}"))), [""; 0], "{game}");
    }
}

#[test]
fn nothing_is_said_about_cards_nobody_read_and_wagers_nobody_saw() {
    let text =
        "round T 1 1\ngame nz-base\ncard 5 ??\ncard 3 ??\ncard dealer ??\ncard 5 ??\ncard 3 ??\ncard dealer ??\n";
    assert_eq!(flagged(text), [""; 0]);
}

#[test]
fn a_damaged_card_that_stays_in_play_is_told_of_once() {
    let deal = "card 3 TH; card 5 TD; card dealer 9S; card 3 9C; card 5 8C; stand 3; stand 5; card dealer 8D";
    let found_damaged = round("nz-base", &format!("{deal}; damaged TH; {PAID}"));
    let next = |number: u32| round("nz-base", &format!("{deal}; {PAID}")).replace("T 1 1", &format!("T 1 {number}"));
    let found = flagged(&format!("{found_damaged}{}{}", next(2), next(3)));
    assert!(matches!(found.as_slice(), [one] if one.starts_with("damaged_card_kept")), "{found:?}");
}

/// Rounds of a table, each after a shuffle by these moves.
fn after_shuffles(game: &str, shuffles: &[&str]) -> String {
    let played = "bet 3 10\nno-more-bets\ncard 3 TH\ncard dealer 9S\ncard 3 9C\nstand 3\ncard dealer 8D\npay 3 10\n\
                  collect 3\ncollect dealer\nend\n";
    let shuffle = |moves: &&str| moves.split(' ').map(|mix| format!("shuffle {mix}\n")).collect::<String>();
    let round = |(number, moves): (usize, &&str)| {
        let cut = "offer-cut 3\ncut 3 104\ncut-card-in 52\nburn XX\n";
        format!("round T {} 1\ngame {game}\n{}{cut}{played}\n", number + 1, shuffle(moves))
    };
    shuffles.iter().enumerate().map(round).collect()
}

#[test]
fn one_shuffle_out_of_line_is_flagged_and_not_the_honest_one_after_it() {
    let usual = "riffle strip riffle";
    let found = flagged(&after_shuffles("act", &[usual, usual, "riffle riffle", usual, usual]));
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].starts_with("shuffle_wrong:"), "{found:?}");
}

#[test]
fn a_table_that_shuffles_another_way_from_now_on_is_flagged_once() {
    let found =
        flagged(&after_shuffles("act", &["riffle strip", "riffle strip", "riffle box", "riffle box", "riffle box"]));
    assert_eq!(found.len(), 1, "{found:?}");
}

#[test]
fn a_card_nobody_asked_for_is_found_in_a_round_without_a_single_decision() {
    let heard = round(
        "bclc-basic",
        &format!(
            "card 3 TH; card 5 TD; card dealer 9S; card 3 9C; card 5 8C; stand 3; stand 5; card dealer 8D; {PAID}"
        ),
    );
    let silent = "round T 1 2\ngame bclc-basic\nbet 3 10\nno-more-bets\ncard 3 JH\ncard dealer KD\ncard 3 4S\n\
                  card 3 JS\ntake 3\ncollect 3\ncollect dealer\nend\n";
    let found = flagged(&format!("{heard}{silent}"));
    assert!(matches!(found.as_slice(), [one] if one.starts_with("card_without_request")), "{found:?}");
    assert_eq!(flagged(silent), [""; 0], "where no decision was ever seen, none is missed");
}

#[test]
fn a_look_that_was_left_out_is_not_held_against_a_player_who_gives_up() {
    let deal = "card 3 TH; card 5 TD; card dealer KS; card 3 9C; card 5 6C; card dealer XX down; stand 3; surrender 5; \
                take 5 2; collect 5; turn dealer 8D; pay 3 4; collect 3; collect dealer; end";
    let found = flagged(&round("nh-6d", deal).replace(" 10\n", " 4\n"));
    assert!(matches!(found.as_slice(), [one] if one.starts_with("peek_missing")), "{found:?}");
}

#[test]
fn a_card_on_an_empty_box_does_not_make_the_dealer_draw_for_it() {
    let deal = "card 1 QD; card 3 TH; card 5 TD; card dealer 9S; card 3 6C; card 5 6D; hit 3; card 3 9C; take 3; collect 3; \
                hit 5; card 5 9D; take 5; collect 5; collect 1; collect dealer; end";
    let found = flagged(&round("nz-base", deal));
    assert!(matches!(found.as_slice(), [one] if one.starts_with("empty_box_dealt")), "{found:?}");
}

#[test]
fn a_bet_taken_back_before_the_deal_asks_for_no_cards() {
    let deal = "card 3 TH; card 5 TD; card dealer 9S; card 3 9C; card 5 8C; stand 3; stand 5; card dealer 8D";
    let text = round("nz-base", &format!("{deal}; {PAID}"));
    let taken_back = text.replace("no-more-bets", "bet 4 10\nreturn 4\nno-more-bets");
    assert_eq!(flagged(&taken_back), [""; 0]);
    let left_out =
        text.replace("no-more-bets", "bet 4 10\nno-more-bets").replace("collect dealer", "return 4\ncollect dealer");
    assert!(flagged(&left_out).iter().any(|flag| flag.starts_with("box_skipped")));
}

#[test]
fn a_first_card_moved_to_the_box_it_was_meant_for_is_that_boxs_first_card() {
    let deal = "card 5 5H; move 5H 5 3; card 5 TD; card dealer 9S; card 3 6C; card 5 8C; double 3; card 3 TC sideways; \
                stand 5; card dealer 8D; pay 5 10; collect 5; pay 3 10; pay 3 double 10; collect 3; collect dealer; end";
    assert_eq!(flagged(&round("nz-base", deal)), [""; 0]);
}

#[test]
fn a_stake_that_shrinks_during_the_deal_is_one_wrong_and_not_a_bet_under_the_minimum_too() {
    let deal = "card 3 TH; card 5 TD; card dealer 9S; alter 3 2; card 3 6C; card 5 8C; stand 3; stand 5; card dealer 8D; \
                pay 5 10; collect 5; take 3; collect 3; collect dealer; end";
    let text = round("nz-base", deal).replace("bet 3", "limits main 5 500\nbet 3");
    let found = flagged(&text);
    assert!(matches!(found.as_slice(), [one] if one.starts_with("wager_altered")), "{found:?}");
}

/// The cards that leave the shoe with a step.
fn draws(act: &Act) -> usize {
    usize::from(matches!(act, Act::Card { .. } | Act::Burn(_)))
}

/// Puts the cutting card where it comes out, if it does, and says with whose card.
fn cut_card_comes(round: &mut Round, dealt: &mut usize, at: usize) -> Option<Place> {
    let before = *dealt;
    *dealt += round.steps.iter().map(|step| draws(&step.act)).sum::<usize>();
    if before > at || *dealt <= at {
        return None;
    }
    let mut count = before;
    let opens = round.steps.iter().position(|step| matches!(step.act, Act::Card { .. }))?;
    // As the first card of a round it would end the shoe there and then; let it lie one card deeper.
    let step = round.steps.iter().enumerate().position(|(index, step)| {
        count += draws(&step.act);
        count > at && index > opens && matches!(step.act, Act::Card { .. })
    })?;
    let Act::Card { to, .. } = round.steps[step].act else { return None };
    round.steps.insert(step, Step::from(Act::CutCardOut));
    Some(to)
}

/// Who cuts the next shoe: the box the cutting card came with, or the last box if it came with the dealer's.
fn cutter(came: Place, round: &Round) -> BoxNo {
    let boxes = round.steps.iter().filter_map(|step| match step.act {
        Act::Card { to, .. } => to.box_no(),
        _ => None,
    });
    came.box_no().or(boxes.max()).unwrap()
}

/// Rounds of several shoes, each shuffled when its cutting card has come.
fn shoes(law: &Law, game: &Game, seed: u64) -> Vec<Round> {
    let limits = posted_limits(&law.rules);
    let mut dice = Dice::new(seed);
    let mut rounds: Vec<Round> = Vec::new();
    let mut cuts = BoxNo::new(3).unwrap();
    for number in 1..=3 {
        let mut shoe = Shoe::shuffled(law.rules.decks, &mut dice);
        let mut prepared = Some(random::prepare(&law.rules, cuts, &mut dice, &mut shoe));
        let one_deck_from_the_back = (usize::from(law.rules.decks) - 1) * 52;
        let mut dealt = 0;
        loop {
            let id = RoundId { table: Ident::unnamed_table(), shoe: number, round: rounds.len() as u32 + 1 };
            let habits = Habits::default();
            let next = random::next(&law.rules, &limits, habits, (&mut dice, &mut shoe), id, game.clone());
            let Ok(mut round) = next else { break };
            round.steps.splice(0..0, prepared.take().into_iter().flatten().map(Step::from));
            let came = cut_card_comes(&mut round, &mut dealt, one_deck_from_the_back);
            cuts = came.map_or(cuts, |came| cutter(came, &round));
            rounds.push(round);
            if came.is_some() {
                break;
            }
        }
    }
    rounds
}

#[test]
fn shoes_dealt_lawfully_from_shuffle_to_shuffle_are_never_flagged() {
    let names = books::all().unwrap().iter().flat_map(|book| book.games.iter().map(|game| game.name.clone()));
    for name in names {
        let game = Game { name, options: Default::default() };
        let law = law_of(&game);
        if law.rules.cut_card_back_max.is_none() {
            continue;
        }
        for seed in 0..12 {
            let mut session = Session::default();
            for round in shoes(&law, &game, seed) {
                let (flags, _) = session.audit(&law, &round);
                let said: Vec<_> = flags.iter().map(|flag| format!("{}: {flag}", flag.check)).collect();
                assert!(said.is_empty(), "{} seed {seed}: {said:?}\n{}", game.name, print([&round]));
            }
        }
    }
}

/// Two rounds of one shoe with the ten of hearts six times in the first, and once in the second after a burn.
fn seven_tens(unseen: &str) -> String {
    let boxes = |step: &dyn Fn(u8) -> String| (1..=6).map(step).collect::<Vec<_>>().join("\n");
    let (bets, tens) = (boxes(&|number| format!("bet {number} 10")), boxes(&|number| format!("card {number} TH")));
    let nines =
        boxes(&|number| format!("card {number} {}", ["9C", "9D", "9H", "9S", "8C", "8D"][usize::from(number) - 1]));
    let head = |number: u8| format!("round T 1 {number}\ngame nz-base\n{unseen}");
    format!(
        "{}\n{bets}\n{tens}\ncard dealer 8H\n{nines}\ncard dealer 9C\nend\n{}\nburn XX\nbet 3 10\ncard 3 TH\n\
         card dealer 7S\ncard 3 9D\ncard dealer KD\nend\n",
        head(1),
        head(2)
    )
}

#[test]
fn after_a_burn_in_the_middle_of_a_shoe_that_nobody_saw_made_ready_cards_are_not_counted_on() {
    let counted = |unseen: &str| flagged(&seven_tens(unseen)).iter().any(|flag| flag.starts_with("too_many_of_a_card"));
    assert!(counted(""), "whoever saw everything knows that it is the same shoe");
    assert!(!counted("unseen signals calls procedure"));
}
