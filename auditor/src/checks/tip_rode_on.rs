//! A bet for the dealer that had won was played again.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "tip_rode_on",
    kind: FlagKind::DealerError,
    finds: "A wager for the dealer that had won in the last round was left on the layout and settled again.",
    matters: "A winning wager for the dealer goes to the tips with its winnings.",
    tags: &["tip_rode_on", "tip_rode_on.kings_bounty", "tip_rode_on.war"],
    runs: &[Run::Act(&[ActKind::Settle], look)],
    templates: &[
        every("tip_rode_on", "3 $ tip 1: TH 9C stand; dealer: 9S 8D --- 3 $ tip 2: TD 8C stand; dealer: 9D 8S",
            "bet 3 tip 2 =>",
        ),
        with(
            "tip_rode_on.kings_bounty",
            |rules| rules.decks >= 6,
            "kings_bounty=on",
            "3 $ kings_bounty $ tip kings_bounty 1: KH TC stand; dealer: 9S 8D --- \
             3 $ kings_bounty $ tip kings_bounty 2: KD 8C stand; dealer: 9D 8S",
            "bet 3 tip kings_bounty 2 =>",
        ),
        with(
            "tip_rode_on.war",
            |rules| rules.decks >= 6,
            "war=on",
            "3 $ war $ tip war 1: KH 8C stand; dealer: 9S 8D --- 3 $ war $ tip war 2: 8D KD stand; dealer: 9D 8S",
            "bet 3 tip war 2 =>",
        ),
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let (Act::Pay(wager, _) | Act::Take(wager, _) | Act::Push(wager)) = act else { return };
    let left = table.shoe.tips.iter().any(|(tip, may_stay)| tip == wager && !may_stay);
    if !left || table.wagers.get(*wager).is_some() {
        return;
    }
    let tags = [side_bet(*wager).map_or("tip_rode_on", |bet| side_tag(&CHECK, bet))];
    report.raise(Finding::at(
        wager.place(),
        &tags,
        "a winning bet for the dealer goes to the tips",
        format!("{} was left from the last round and settled again", name(*wager)),
    ));
}
