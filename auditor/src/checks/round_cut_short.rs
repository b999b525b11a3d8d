//! A round was broken off instead of finished.

use super::prelude::*;
use crate::replay::Shoe;

const NINE_BOXES: &str = "shoe: shuffle offer-cut 3 cut 3 104 cut-card-in 26 burn XX; 1 $: TC 9C stand; 2 $: TD 9D \
                          stand; 3 $: TH 9H stand; 4 $: TS 9S stand; 5 $: JC 9C stand; 6 $: JD 9D stand; 7 $: JH 9H \
                          stand; 8 $: JS 9S stand; 9 $: QC 9C stand; dealer: 9D 8D";

pub(super) static CHECK: Check = Check {
    name: "round_cut_short",
    kind: FlagKind::Irregularity,
    finds: "A round was declared void because the cutting card came or the shoe ran out, where the rules have it \
            dealt to its end.",
    matters: "Breaking off a round takes away from the players whatever they held.",
    tags: &["round_cut_short", "round_cut_short.cards_ran_out"],
    runs: &[Run::Act(&[ActKind::Repair], look)],
    templates: &[
        Template {
            tag: "round_cut_short",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH 9C stand; dealer: 9S 8D",
            spoil: "stand 3 => cut-card | void round; card dealer 8D => ; pay 3 $ => return 3",
        },
        Template {
            tag: "round_cut_short.cards_ran_out",
            fits: EVERY_GAME,
            options: "",
            plan: NINE_BOXES,
            spoil: "card 2 TD => cut-card | card 2 TD; card dealer 8D => void round; pay 1 $ => return 1; pay 2 $ => \
                    return 2; pay 3 $ => return 3; pay 4 $ => return 4; pay 5 $ => return 5; pay 6 $ => return 6; \
                    pay 7 $ => return 7; pay 8 $ => return 8; pay 9 $ => return 9",
        },
    ],
};

/// With fewer cards than this the shoe cannot be counted on to finish a round.
const FEW: u16 = 10;

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let shoe = &table.shoe;
    let in_round = table.deal != Deal::Betting && !table.cleared;
    if !matches!(act, Act::VoidRound) || !in_round || has_other_cause(table) {
        return;
    }
    if let Some(left) = cards_left(table).filter(|left| *left < FEW) {
        report.raise(Finding::on_table(
            &["round_cut_short.cards_ran_out", "round_cut_short"],
            "when the shoe runs out the discards are shuffled and the round is finished",
            format!("the round was declared void with {left} cards left"),
        ));
    } else if shoe.cut_card_out.is_some() && shoe.rounds_since_cut_card == 0 {
        report.raise(Finding::on_table(
            &["round_cut_short"],
            "a round in which the cutting card comes is dealt to its end",
            "the round was declared void",
        ));
    }
}

/// How many cards the shoe still holds, counted from the front or behind the cutting card.
fn cards_left(table: &Table<'_>) -> Option<u16> {
    let shoe = &table.shoe;
    if table.rules.csm || !shoe.watched_from_start {
        return None;
    }
    let from_front = Shoe::size(table.rules).saturating_sub(shoe.count);
    let since = shoe.cut_card_out.map(|out| shoe.count.saturating_sub(out));
    let behind = since.zip(shoe.cut_card_in).map(|(since, behind)| behind.saturating_sub(since));
    Some(behind.map_or(from_front, |behind| behind.min(from_front)))
}
