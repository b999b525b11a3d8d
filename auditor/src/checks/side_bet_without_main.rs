//! A side bet was played without the main wager it belongs to.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "side_bet_without_main",
    kind: FlagKind::Irregularity,
    finds: "A side bet stood in the round although its bettor had no main wager on that box; for pair bets, although \
            nobody had.",
    matters: "Side bets are offered beside the game, not instead of it; on its own such a bet is void.",
    tags: &[
        "side_bet_without_main.perfect_pair",
        "side_bet_without_main.any_pair",
        "side_bet_without_main.lucky_match",
        "side_bet_without_main.super_sevens",
        "side_bet_without_main.madness21",
        "side_bet_without_main.house_money",
        "side_bet_without_main.let_it_ride",
        "side_bet_without_main.push22",
        "side_bet_without_main.kings_bounty",
        "side_bet_without_main.war",
        "side_bet_without_main.blazing7",
    ],
    runs: &[Run::Ends(look)],
    templates: &[
        every("side_bet_without_main.perfect_pair", PLAN,
            "bet 3 $ => bet 3 $ | bet 5 perfect_pair $; end => take 5 perfect_pair | end",
        ),
        every("side_bet_without_main.any_pair", PLAN,
            "bet 3 $ => bet 3 $ | bet 5 any_pair $; end => take 5 any_pair | end",
        ),
        every("side_bet_without_main.lucky_match", PLAN,
            "bet 3 $ => bet 3 $ | bet 5 lucky_match $; end => take 5 lucky_match | end",
        ),
        every("side_bet_without_main.super_sevens", PLAN,
            "bet 3 $ => bet 3 $ | bet 5 super_sevens $; end => take 5 super_sevens | end",
        ),
        every("side_bet_without_main.madness21", PLAN,
            "bet 3 $ => bet 3 $ | bet 5 madness21 $; end => take 5 madness21 | end",
        ),
        every("side_bet_without_main.house_money", PLAN,
            "bet 3 $ => bet 3 $ | bet 5 house_money $; end => take 5 house_money | end",
        ),
        every("side_bet_without_main.let_it_ride", PLAN,
            "bet 3 $ => bet 3 $ | bet 5 let_it_ride $; end => take 5 let_it_ride | end",
        ),
        every("side_bet_without_main.push22", PLAN,
            "bet 3 $ => bet 3 $ | bet 5 push22 $; end => take 5 push22 | end",
        ),
        with(
            "side_bet_without_main.kings_bounty",
            |rules| rules.decks >= 6,
            "kings_bounty=on",
            PLAN,
            "bet 3 $ => bet 3 $ | bet 5 kings_bounty $; end => take 5 kings_bounty | end",
        ),
        with(
            "side_bet_without_main.war",
            |rules| rules.decks >= 6,
            "war=on",
            PLAN,
            "bet 3 $ => bet 3 $ | bet 5 war $; end => take 5 war | end",
        ),
        with(
            "side_bet_without_main.blazing7",
            EVERY_GAME,
            "blazing7=on",
            PLAN,
            "bet 3 $ => bet 3 $ | bet 5 blazing7 1; end => take 5 blazing7 | end",
        ),
    ],
};

const PLAN: &str = "3 $: KH 8C stand; dealer: 9S 8D";

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    // A bet handed back was treated as void, as it should be; one for the dealer has a check of its own.
    for standing in table.wagers.sides().filter(|standing| !standing.fate.returned && !standing.wager.tip) {
        let wager = standing.wager;
        let Some(bet) = side_bet(wager) else { continue };
        let Some(terms) = table.rules.side(bet) else { continue };
        let covered = if terms.own_main { table.wagers.main_of(wager).is_some() } else { table.wagers.has_main(wager.box_no) };
        let barred = wager.bettor != Bettor::SEATED && !terms.behind;
        if covered || barred || table.void {
            continue;
        }
        let whose = if terms.own_main { "its bettor's main wager" } else { "a main wager" };
        let tags = [side_tag(&CHECK, bet)];
        let finding = Finding::at(
            wager.place(),
            &tags,
            format!("{} stands beside {whose} on the box", name(wager)),
            format!("{} of {} stood alone", name(wager), standing.stake),
        );
        report.raise(finding.shown_by(standing.at).worth(standing.fate.net().unwrap_or_default()));
    }
}
