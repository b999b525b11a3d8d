//! A hand with an ace was doubled where that is not allowed.

use table::Rank;

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "doubled_on_an_ace",
    kind: FlagKind::DealerError,
    finds: "A stake was doubled on two cards, one of them an ace, in a game that does not allow it.",
    matters: "A further stake went onto a hand on which the rules allow none.",
    tags: &["doubled_on_an_ace"],
    runs: &[Run::Act(&[ActKind::Double], look)],
    templates: &[
        Template {
            tag: "doubled_on_an_ace",
            fits: |rules| !rules.double_aces,
            options: "",
            plan: "3 $: AH 7C hit 2D stand; dealer: 9S 8D",
            spoil: "hit 3 => double 3; card 3 2D => card 3 2D sideways; stand 3 => ; \
                    pay 3 $ => pay 3 $ | pay 3 double $",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Double(wager, _) = act else { return };
    let Some(hand) = table.hand(wager.place()) else { return };
    let ace = hand.play.cards.iter().any(|card| card.rank() == Some(Rank::Ace));
    // The others on the box double the same hand: it is judged when the first of them does.
    if table.rules.double_aces || !ace || hand.play.cards.len() != 2 || hand.play.is_natural() || hand.play.doubled {
        return;
    }
    report.raise(Finding::at(
        wager.place(),
        &["doubled_on_an_ace"],
        "a hand with an ace is not doubled",
        format!("{} was doubled", shown(&hand.play.cards)),
    ));
}
