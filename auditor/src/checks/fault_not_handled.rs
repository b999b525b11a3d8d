//! A machine failed in the middle of a round and play went on.

use super::prelude::*;
use crate::hand::End;

pub(super) static CHECK: Check = Check {
    name: "fault_not_handled",
    kind: FlagKind::Irregularity,
    finds: "A shuffling machine failed during a round, and the round was settled as if nothing had happened, or not \
            finished by hand as the rules ask.",
    matters: "After a fault nobody can say that the cards came in the order in which they should have.",
    tags: &[
        "fault_not_handled.cards_unshuffled",
        "fault_not_handled.no_cut",
        "fault_not_handled.round_abandoned",
        "fault_not_handled.machine_kept",
        "fault_not_handled",
    ],
    runs: &[Run::Ends(look), Run::Act(&[ActKind::FirstCard], look_at_next_round)],
    templates: &[
        Template {
            tag: "fault_not_handled",
            fits: EVERY_GAME,
            options: "csm=true",
            plan: "3 $: TH 9C stand; dealer: 9S 8D",
            spoil: "stand 3 => fault shuffler | stand 3",
        },
        Template {
            tag: "fault_not_handled.cards_unshuffled",
            fits: EVERY_GAME,
            options: "csm=true",
            plan: "3 $: TH 9C stand; dealer: 9S 8D",
            spoil: "stand 3 => fault shuffler | stand 3",
        },
        Template {
            tag: "fault_not_handled.no_cut",
            fits: EVERY_GAME,
            options: "csm=true",
            plan: "3 $: TH 9C stand; dealer: 9S 8D",
            spoil: "stand 3 => fault shuffler | shuffle | stand 3",
        },
        Template {
            tag: "fault_not_handled.round_abandoned",
            fits: EVERY_GAME,
            options: "csm=true",
            plan: "3 $: TH 9C stand; dealer: 9S 8D",
            spoil: "stand 3 => fault shuffler | void round; card dealer 8D => ; pay 3 $ => return 3",
        },
        Template {
            tag: "fault_not_handled.machine_kept",
            fits: EVERY_GAME,
            options: "csm=true",
            plan: concat!(one_round!(), "\n---\n", another_round!()),
            spoil: "stand 3 => fault shuffler | shuffle | offer-cut 5 | cut 5 | stand 3",
        },
    ],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    let Some(fault) = table.fault else { return };
    let voided = table.void || table.hands().any(|(_, hand)| hand.play.end == End::Void);
    if !report.cites("fault_not_handled.cards_unshuffled") {
        if !voided && fault.cards > 0 {
            report.raise(Finding::on_table(
                &["fault_not_handled"],
                "after a fault of the shuffler the round or the hands it touches are void",
                "the round was played out",
            ));
        }
        return;
    }
    let (tag, expected, observed) = match fault {
        _ if table.void => (
            "fault_not_handled.round_abandoned",
            "the round is finished by hand",
            "the round was declared void",
        ),
        fault if fault.cards > 0 && !fault.shuffled => (
            "fault_not_handled.cards_unshuffled",
            "the cards left in the machine are shuffled by hand",
            "the cards left in the machine were dealt unshuffled",
        ),
        fault if fault.cards > 0 && !fault.cut => (
            "fault_not_handled.no_cut",
            "the cards shuffled by hand are offered for the cut",
            "the cards shuffled by hand were dealt without a cut",
        ),
        _ => return,
    };
    report.raise(Finding::on_table(&[tag, "fault_not_handled"], expected, observed));
}

fn look_at_next_round(table: &Table<'_>, _: &Act, report: &mut Report<'_>) {
    if table.shoe.machine_failed {
        report.raise(Finding::on_table(
            &["fault_not_handled.machine_kept"],
            "a machine that failed is replaced, and the cards with it, before the next round",
            "the next round was dealt from the machine that failed",
        ));
    }
}
