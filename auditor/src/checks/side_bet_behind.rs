//! A bettor behind made a side bet that only the player of the box may make.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "side_bet_behind",
    kind: FlagKind::Irregularity,
    finds: "Somebody betting behind placed a side bet that is open to the player of the box alone.",
    matters: "The house bounds what one hand can win at long odds; bets from behind multiply it.",
    tags: &["side_bet_behind", "side_bet_behind.kings_bounty", "side_bet_behind.war", "side_bet_behind.push22"],
    runs: &[Run::Dealt(look)],
    templates: &[
        with("side_bet_behind", |rules| rules.decks >= 6, "kings_bounty=on", PLAN, BEHIND),
        with("side_bet_behind.kings_bounty", |rules| rules.decks >= 6, "kings_bounty=on", PLAN, BEHIND),
        with(
            "side_bet_behind.war",
            |rules| rules.decks >= 6,
            "war=on",
            PLAN,
            "bet 3 $ => bet 3 $ | bet 3/2 war $; card dealer 9S => card dealer 9S | take 3/2 war",
        ),
        every("side_bet_behind.push22", PLAN,
            "bet 3 $ => bet 3 $ | bet 3/2 push22 $; pay 3 $ => pay 3 $ | take 3/2 push22",
        ),
    ],
};

const PLAN: &str = "3 $: 8H KC stand; dealer: 9S 8D";
const BEHIND: &str = "bet 3 $ => bet 3 $ | bet 3/2 kings_bounty $; pay 3 $ => pay 3 $ | take 3/2 kings_bounty";

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    let behind = |standing: &&Standing| standing.wager.bettor != Bettor::SEATED && !standing.fate.returned;
    for standing in table.wagers.sides().filter(behind) {
        let Some(bet) = side_bet(standing.wager) else { continue };
        if table.rules.side(bet).is_none_or(|terms| terms.behind) {
            continue;
        }
        let tags = [side_tag(&CHECK, bet), "side_bet_behind"];
        let finding = Finding::at(
            standing.wager.place(),
            &tags,
            "only the player of the box makes this side bet",
            format!("{} of {} stood behind", name(standing.wager), standing.stake),
        );
        report.raise(finding.shown_by(standing.at));
    }
}
