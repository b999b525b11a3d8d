//! A box with a wager was left out of the initial deal.

use super::prelude::*;

const TWO_BOXES: &str = "3 $: TH 9C stand; 5 $: TD 8C stand; dealer: 9S 8D";

pub(super) static CHECK: Check = Check {
    name: "box_skipped",
    kind: FlagKind::DealerError,
    finds: "A box with a wager did not get its card in one of the two passes of the initial deal, and the deal was \
            not put right.",
    matters: "The player is out of a game he has paid for, and every card behind the missing one belongs to somebody \
              else.",
    tags: &["box_skipped.first_pass.war", "box_skipped.first_pass", "box_skipped.second_pass", "box_skipped"],
    runs: &[Run::Ends(look)],
    templates: &[
        Template {
            tag: "box_skipped.first_pass",
            fits: dealt_face_up,
            options: "",
            plan: TWO_BOXES,
            spoil: "card 3 TH => ; card 3 9C => ; stand 3 => ; pay 3 $ => return 3; collect 3 =>",
        },
        Template {
            tag: "box_skipped.first_pass",
            fits: dealt_face_down,
            options: "",
            plan: TWO_BOXES,
            spoil: "card 3 TH down => ; card 3 9C down => ; stand 3 => ; pay 3 $ => return 3; collect 3 =>",
        },
        Template {
            tag: "box_skipped.first_pass.war",
            fits: dealt_face_up,
            options: "war=on",
            plan: "3 $: TH 9C stand; 5 $ war $: TD 8C stand; dealer: 9S 8D",
            spoil: "card 3 TH => ; card 3 9C => ; stand 3 => ; pay 3 $ => return 3; collect 3 =>",
        },
        Template {
            tag: "box_skipped.second_pass",
            fits: dealt_face_up,
            options: "",
            plan: TWO_BOXES,
            spoil: "card 3 9C => ; stand 3 => ; pay 3 $ => return 3",
        },
        Template {
            tag: "box_skipped.second_pass",
            fits: dealt_face_down,
            options: "",
            plan: TWO_BOXES,
            spoil: "card 3 9C down => ; stand 3 => ; pay 3 $ => return 3",
        },
        Template {
            tag: "box_skipped",
            fits: dealt_face_up,
            options: "",
            plan: TWO_BOXES,
            spoil: "card 3 9C => ; stand 3 => ; pay 3 $ => return 3",
        },
        Template {
            tag: "box_skipped",
            fits: dealt_face_down,
            options: "",
            plan: TWO_BOXES,
            spoil: "card 3 9C down => ; stand 3 => ; pay 3 $ => return 3",
        },
    ],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    let war = table.wagers.has_kind(WagerKind::Side(SideBet::War));
    for misdeal in misdeals(table, report) {
        let (tags, which): (&[&str], _) = match misdeal.astray {
            Astray::SkippedFirst if war => {
                (&["box_skipped.first_pass.war", "box_skipped.first_pass", "box_skipped"], "first")
            }
            Astray::SkippedFirst => (&["box_skipped.first_pass", "box_skipped"], "first"),
            Astray::SkippedSecond => (&["box_skipped.second_pass", "box_skipped"], "second"),
            _ => continue,
        };
        let finding = Finding::at(
            misdeal.due,
            tags,
            format!("every box with a wager gets a {which} card"),
            format!("{} got no {which} card", who(misdeal.due)),
        );
        report.raise(finding.shown_by(misdeal.step));
    }
}
