//! The cutting card lay too deep or not deep enough.

use super::prelude::*;
use crate::replay::Shoe;

pub(super) static CHECK: Check = Check {
    name: "cut_card_misplaced",
    kind: FlagKind::Irregularity,
    finds: "The cutting card was put further from the back of the stack, or nearer to it, than the rules allow, or it \
            came out where it could not lawfully have been put.",
    matters: "How far a shoe is dealt decides how much its last rounds tell players who count.",
    tags: &["cut_card_misplaced.too_deep", "cut_card_misplaced.too_shallow", "cut_card_misplaced"],
    runs: &[Run::Act(&[ActKind::Shoe], look)],
    templates: &[
        Template {
            tag: "cut_card_misplaced.too_deep",
            fits: EVERY_GAME,
            options: "",
            plan: concat!(ready!(), one_round!()),
            spoil: "cut-card-in 52 => cut-card-in 200",
        },
        Template {
            tag: "cut_card_misplaced.too_shallow",
            fits: EVERY_GAME,
            options: "",
            plan: concat!(ready!(), one_round!()),
            spoil: "cut-card-in 52 => cut-card-in 9",
        },
        Template {
            tag: "cut_card_misplaced",
            fits: EVERY_GAME,
            options: "",
            plan: concat!(ready!(), one_round!()),
            spoil: "cut-card-in 52 => cut-card-in 200",
        },
        Template {
            tag: "cut_card_misplaced.too_deep",
            fits: dealt_face_up,
            options: "",
            plan: concat!("shoe: shuffle offer-cut 3 cut 3 cut-card-in 52 burn XX; ", one_round!()),
            spoil: "cut-card-in 52 => ; card 3 9C => cut-card | card 3 9C",
        },
    ],
};

/// Cards that may have left the shoe unseen before the cutting card comes.
const UNSEEN: u16 = 5;

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let (rules, shoe) = (table.rules, &table.shoe);
    let size = Shoe::size(rules);
    let (behind, doubt) = match act {
        Act::CutCardIn(cards) if table.deal == Deal::Betting || table.cleared => (*cards, 0),
        Act::CutCardOut if shoe.watched_from_start && shoe.cut_card_in.is_none() => {
            let left_there = shoe.cut.flatten().is_some_and(|depth| shoe.count.abs_diff(depth) <= 1);
            if left_there {
                return;
            }
            (size.saturating_sub(shoe.count), UNSEEN)
        }
        _ => return,
    };
    if rules.csm {
        return;
    }
    let slack = 26 * u16::from(rules.cut_card_slack);
    let most = rules.cut_card_back_max.map(|part| u32::from(size) * u32::from(part) / 100);
    let most = most.map_or(u16::MAX, |most| u16::try_from(most).unwrap_or(u16::MAX).saturating_add(slack));
    let least = rules.cut_card_back_min.map_or(0, |decks| (52 * u16::from(decks)).saturating_sub(slack));
    let (tag, expected) = if behind > most.saturating_add(doubt) {
        ("cut_card_misplaced.too_deep", format!("at most {most} cards lie behind the cutting card"))
    } else if behind.saturating_add(doubt) < least {
        ("cut_card_misplaced.too_shallow", format!("at least {least} cards lie behind the cutting card"))
    } else {
        return;
    };
    report.raise(Finding::on_table(&[tag, "cut_card_misplaced"], expected, format!("{behind} cards lay behind the cutting card")));
}
