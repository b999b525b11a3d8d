//! The cut was made and not carried out.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "cut_not_completed",
    kind: FlagKind::Irregularity,
    finds: "The cutting card came out where the player had put it: the cards in front of it were never taken to the \
            back.",
    matters: "A cut that is not carried out leaves the cards in the order in which the dealer shuffled them.",
    tags: &["cut_not_completed"],
    runs: &[Run::Act(&[ActKind::Shoe], look)],
    templates: &[
        Template {
            tag: "cut_not_completed",
            fits: EVERY_GAME,
            options: "decks=4",
            plan: "shoe: shuffle offer-cut 3 cut 3 52 cut-card-in 52 burn XX; 1 $: TC 9C stand; 2 $: TC 9D stand; 3 \
                   $: TC 9H stand; 4 $: TC 9S stand; 5 $: TD 9C stand; 6 $: TD 9D stand; 7 $: TD 9H stand; 8 $: TH \
                   9S stand; 9 $: TH 9C stand; dealer: 9D 8D\n---\n1 $: QS JC stand; 2 $: QC JD stand; 3 $: QC JH \
                   stand; 4 $: QC JS stand; 5 $: QD JC stand; 6 $: QD JD stand; 7 $: QD JH stand; 8 $: QH JS stand; \
                   9 $: QH KC stand; dealer: KD 8H\n---\n1 $: KC 7C stand; 2 $: KC 7D stand; 3 $: KC 7H stand; 4 $: \
                   KD 7S stand; 5 $: KD 8C stand; dealer: KH 8S",
            spoil: "cut-card-in 52 => ; card 5 8C => cut-card | card 5 8C",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let shoe = &table.shoe;
    if !matches!(act, Act::CutCardOut) || table.rules.csm || !shoe.watched_from_start {
        return;
    }
    let (Some(Some(depth)), None) = (shoe.cut, shoe.cut_card_in) else { return };
    if shoe.count.abs_diff(depth) <= 1 {
        report.raise(Finding::on_table(
            &["cut_not_completed"],
            "the cards in front of the cutting card go to the back of the stack",
            format!("the cutting card came out after {} cards, where the cut had put it", shoe.count),
        ));
    }
}
