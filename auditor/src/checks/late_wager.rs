//! A wager was placed after the first card of the round.

use super::prelude::*;
use crate::rules::PlayerCards;

pub(super) static CHECK: Check = Check {
    name: "late_wager",
    kind: FlagKind::Irregularity,
    finds: "Chips were put down as a new wager after the first card of the round had left the shoe.",
    matters: "A wager placed after a card was seen is placed with knowledge the other players did not have.",
    tags: &[
        "late_wager",
        "late_wager.side",
        "late_wager.perfect_pair",
        "late_wager.any_pair",
        "late_wager.lucky_match",
        "late_wager.super_sevens",
        "late_wager.madness21",
        "late_wager.house_money",
        "late_wager.let_it_ride",
        "late_wager.push22",
        "late_wager.kings_bounty",
        "late_wager.war",
        "late_wager.blazing7",
        "late_wager.match_dealer",
        "late_wager.over13",
        "late_wager.under13",
    ],
    runs: &[Run::Act(&[ActKind::Bet], look)],
    templates: &[
        with(
            "late_wager",
            |rules| rules.player_cards == PlayerCards::Up,
            "",
            "3 $: TH 9C stand; 5 $: TD 8C stand; dealer: 9S 8D",
            "bet 5 $ => ; card 3 TH => card 3 TH | bet 5 $",
        ),
        with(
            "late_wager",
            |rules| rules.player_cards != PlayerCards::Up,
            "",
            "3 $: TH 9C stand; 5 $: TD 8C stand; dealer: 9S 8D",
            "bet 5 $ => ; card 3 TH down => card 3 TH down | bet 5 $",
        ),
        with(
            "late_wager.side",
            |rules| rules.hole_card,
            "",
            "3 $ perfect_pair $: KH 8C stand; dealer: 9S 8D",
            "bet 3 perfect_pair $ => ; card dealer 9S => card dealer 9S | bet 3 perfect_pair $",
        ),
        with(
            "late_wager.side",
            |rules| !rules.hole_card,
            "",
            "3 $ kings_bounty $: KH 8C stand; dealer: 9S 8D",
            "bet 3 kings_bounty $ => ; card dealer 9S => card dealer 9S | bet 3 kings_bounty $",
        ),
        with("late_wager.blazing7", EVERY_GAME, "blazing7=on", BLAZING, LATE_BLAZING),
        every("late_wager.perfect_pair", "3 $ perfect_pair $: KH 8C stand; dealer: 9S 8D",
            "bet 3 perfect_pair $ => ; card dealer 9S => card dealer 9S | bet 3 perfect_pair $",
        ),
        every("late_wager.any_pair", "3 $ any_pair $: KH 8C stand; dealer: 9S 8D",
            "bet 3 any_pair $ => ; card dealer 9S => card dealer 9S | bet 3 any_pair $",
        ),
        every("late_wager.lucky_match", "3 $ lucky_match $: KH 8C stand; dealer: 9S 8D",
            "bet 3 lucky_match $ => ; card dealer 9S => card dealer 9S | bet 3 lucky_match $",
        ),
        every("late_wager.super_sevens", "3 $ super_sevens $: KH 8C stand; dealer: 9S 8D",
            "bet 3 super_sevens $ => ; card dealer 9S => card dealer 9S | bet 3 super_sevens $",
        ),
        every("late_wager.madness21", "3 $ madness21 $: KH 8C stand; dealer: 9S 8D",
            "bet 3 madness21 $ => ; card dealer 9S => card dealer 9S | bet 3 madness21 $",
        ),
        every("late_wager.house_money", "3 $ house_money $: KH 8C stand; dealer: 9S 8D",
            "bet 3 house_money $ => ; card dealer 9S => card dealer 9S | bet 3 house_money $",
        ),
        every("late_wager.let_it_ride", "3 $ let_it_ride $: KH 8C stand; dealer: 9S 8D",
            "bet 3 let_it_ride $ => ; card dealer 9S => card dealer 9S | bet 3 let_it_ride $",
        ),
        every("late_wager.push22", "3 $ push22 $: KH 8C stand; dealer: 9S 8D",
            "bet 3 push22 $ => ; card dealer 9S => card dealer 9S | bet 3 push22 $",
        ),
        with(
            "late_wager.war",
            |rules| rules.decks >= 6,
            "war=on",
            "3 $ war $: KH 8C stand; dealer: 9S 8D",
            "bet 3 war $ => ; card dealer 9S => card dealer 9S | bet 3 war $",
        ),
    ],
};

const BLAZING: &str = "3 $ blazing7 1: KH 8C stand; dealer: 9S 8D";
const LATE_BLAZING: &str = "bet 3 blazing7 1 => ; take 3 blazing7 => ; \
                            card dealer 9S => card dealer 9S | bet 3 blazing7 1 | take 3 blazing7";

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Bet(wager, amount) = act else { return };
    // Chips added to a wager that stands are a raise, and an ante has a check of its own.
    let added = table.wagers.get(*wager).is_some_and(|standing| !standing.withdrawn);
    if table.deal == Deal::Betting || added {
        return;
    }
    let own;
    let tags: &[&str] = match wager.kind {
        WagerKind::Side(bet) => {
            own = [side_tag(&CHECK, bet), "late_wager.side"];
            // Where a book speaks of wagers in general, it means side bets too.
            if own.iter().any(|tag| report.cites(tag)) { &own } else { &["late_wager"] }
        }
        WagerKind::Ante => return,
        _ => &["late_wager"],
    };
    report.raise(Finding::at(
        wager.place(),
        tags,
        "wagers are down before the first card",
        format!("{} of {amount} was placed after the first card", name(*wager)),
    ));
}
