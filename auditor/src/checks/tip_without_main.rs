//! Somebody who was not in the round bet for the dealer.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "tip_without_main",
    kind: FlagKind::Irregularity,
    finds: "A side bet was placed for the dealer on a box where its bettor had no main wager.",
    matters: "A tip is placed by a player who is in the game.",
    tags: &["tip_without_main.kings_bounty", "tip_without_main.war"],
    runs: &[Run::Dealt(look)],
    templates: &[
        with(
            "tip_without_main.kings_bounty",
            |rules| rules.decks >= 6,
            "kings_bounty=on",
            "3 $: 8H KC stand; dealer: 9S 8D",
            "bet 3 $ => bet 3 $ | bet 5 tip kings_bounty 1; end => take 5 tip kings_bounty | end",
        ),
        with(
            "tip_without_main.war",
            |rules| rules.decks >= 6,
            "war=on",
            "3 $: 8H KC stand; dealer: 9S 8D",
            "bet 3 $ => bet 3 $ | bet 5 tip war 1; card dealer 9S => card dealer 9S | take 5 tip war",
        ),
    ],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    for standing in table.wagers.tips().filter(|standing| !standing.fate.returned) {
        let wager = standing.wager;
        let Some(bet) = side_bet(wager) else { continue };
        if table.wagers.main_of(Wager { tip: false, ..wager }).is_some() {
            continue;
        }
        let tags = [side_tag(&CHECK, bet)];
        let finding = Finding::at(
            wager.place(),
            &tags,
            "whoever bets for the dealer has a main wager on the box",
            format!("{} stood as {} without a main wager of its bettor", standing.stake, name(wager)),
        );
        report.raise(finding.shown_by(standing.at));
    }
}
