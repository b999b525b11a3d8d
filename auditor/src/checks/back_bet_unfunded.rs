//! A bettor behind played two hands for one stake.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "back_bet_unfunded",
    kind: FlagKind::WrongPayout,
    finds: "A bettor behind was settled on a further hand of a split without having put a stake on it.",
    matters: "Whoever wants both hands puts up a second stake; otherwise one of the two results costs nothing.",
    tags: &["back_bet_unfunded"],
    runs: &[Run::Ends(look)],
    templates: &[every("back_bet_unfunded", "3 $ /2 $: KH KC split [8D stand] [9C stand]; dealer: 9S 8D",
        "split 3/2 =>",
    )],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    for (wager, step) in &table.strays {
        let on_first = table.wagers.main_of(*wager).is_some_and(|main| main.fate.is_settled());
        if wager.kind != WagerKind::Split || wager.bettor == Bettor::SEATED || wager.tip || !on_first {
            continue;
        }
        let finding = Finding::at(
            wager.place(),
            &["back_bet_unfunded"],
            "a bettor behind is settled only on hands with a stake of theirs",
            format!("bettor {} was settled on hand {} without a stake on it", wager.bettor.number(), wager.hand),
        );
        report.raise(finding.shown_by(*step));
    }
}
