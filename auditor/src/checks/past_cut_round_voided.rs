//! A round dealt past the cutting card was declared void.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "past_cut_round_voided",
    kind: FlagKind::Irregularity,
    finds: "A round dealt past the point at which a shuffle was due was declared void, where the rules let it stand.",
    matters: "Voiding it takes from the players what they won, or gives back what they lost.",
    tags: &["past_cut_round_voided"],
    runs: &[Run::Act(&[ActKind::Repair], look)],
    templates: &[
        Template {
            tag: "past_cut_round_voided",
            fits: EVERY_GAME,
            options: "",
            plan: concat!(one_round!(), "\n---\n1 $: 7C TH stand; dealer: TC 8H"),
            spoil: "card dealer 8D => cut-card | card dealer 8D; stand 1 => supervisor | void round; card dealer 8H \
                    => ; take 1 => return 1",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let past = table.shoe.cut_card_out.is_some() && table.shoe.rounds_since_cut_card > 0;
    if matches!(act, Act::VoidRound) && past && !table.rules.csm && !has_other_cause(table) {
        report.raise(Finding::on_table(
            &["past_cut_round_voided"],
            "a round dealt past the cutting card stands",
            "the round was declared void",
        ));
    }
}
