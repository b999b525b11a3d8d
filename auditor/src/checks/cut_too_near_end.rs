//! The cards were cut too near an end.

use super::prelude::*;
use crate::replay::Shoe;

pub(super) static CHECK: Check = Check {
    name: "cut_too_near_end",
    kind: FlagKind::Irregularity,
    finds: "The cutting card went in nearer to the front or the back of the stack than the rules allow.",
    matters: "A cut of a few cards changes next to nothing, and leaves the order as the dealer put it.",
    tags: &["cut_too_near_end"],
    runs: &[Run::Act(&[ActKind::Shoe], look)],
    templates: &[
        Template {
            tag: "cut_too_near_end",
            fits: EVERY_GAME,
            options: "",
            plan: concat!(ready!(), one_round!()),
            spoil: "cut 3 104 => cut 3 20",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Cut { depth: Some(depth), .. } = act else { return };
    let rules = table.rules;
    // Discards that finish a round are no whole shoe, and a machine is not cut.
    if table.deal != Deal::Betting && !table.cleared || rules.csm {
        return;
    }
    let least = 52 * u16::from(rules.cut_min_decks);
    let bound = if is_approximate(rules) { least / 2 } else { least };
    let behind = Shoe::size(rules).saturating_sub(*depth);
    if (*depth).min(behind) < bound {
        report.raise(Finding::on_table(
            &["cut_too_near_end"],
            format!("the cut is at least {least} cards from either end"),
            format!("the cut was {depth} cards from the front and {behind} from the back"),
        ));
    }
}

/// Whether the book gives places in the stack only about, as where least and most are the same.
fn is_approximate(rules: &Rules) -> bool {
    let (Some(most), Some(least)) = (rules.cut_card_back_max, rules.cut_card_back_min) else { return false };
    let most = u32::from(Shoe::size(rules)) * u32::from(most) / 100;
    most < 52 * u32::from(least) + 52
}
