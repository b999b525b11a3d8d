//! More boxes were played than the table may have.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "too_many_boxes",
    kind: FlagKind::Irregularity,
    finds: "More boxes had a wager than the table is approved for, or more played War than may.",
    matters: "The table is approved for that many and no more; the dealer has that many hands to watch.",
    tags: &["too_many_boxes", "too_many_boxes.war"],
    runs: &[Run::Dealt(look)],
    templates: &[
        with(
            "too_many_boxes",
            |rules| rules.ante,
            "boxes_max=3",
            "1 $: TH 9C stand; 2 $: TC 9D stand; 3 $: TD 8C stand; dealer: 9S 8D",
            "bet 3 $ => bet 3 $ | bet 4 $ | bet 4 ante 0.50; take 3 ante => take 4 ante | take 3 ante; \
             card 3 TD => card 3 TD | card 4 KD; card 3 8C => card 3 8C | card 4 8H; \
             stand 3 => stand 3 | stand 4; pay 3 $ => pay 4 $ | collect 4 | pay 3 $",
        ),
        with(
            "too_many_boxes",
            |rules| !rules.ante,
            "boxes_max=3",
            "1 $: TH 9C stand; 2 $: TC 9D stand; 3 $: TD 8C stand; dealer: 9S 8D",
            "bet 3 $ => bet 3 $ | bet 4 $; card 3 TD => card 3 TD | card 4 KD; card 3 8C => card 3 8C | card 4 8H; \
             stand 3 => stand 3 | stand 4; pay 3 $ => pay 4 $ | collect 4 | pay 3 $",
        ),
        with(
            "too_many_boxes.war",
            |rules| rules.decks >= 6 && rules.war_boxes_max == Some(7),
            "war=on",
            "1 $ war $: 8H KC stand; 2 $ war $: 8D KD stand; 3 $ war $: 8C KS stand; 4 $ war $: 8S KH stand; \
             5 $ war $: 7H KC stand; 6 $ war $: 7D KD stand; 7 $ war $: 7C KS stand; 8 $: 7S KH stand; dealer: 9S 8D",
            "bet 8 $ => bet 8 $ | bet 8 war $; take 7 war => take 8 war | take 7 war",
        ),
    ],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    let most = table.rules.boxes_max;
    let played = table.wagered_boxes().len();
    if played > usize::from(most) {
        report.raise(Finding::on_table(
            &["too_many_boxes"],
            format!("the table has {most} boxes"),
            format!("{played} boxes were played"),
        ));
    }
    let Some(most) = table.rules.war_boxes_max else { return };
    let at_war = |box_no: &table::BoxNo| {
        let on_war = |standing: &Standing| standing.wager.kind == WagerKind::Side(SideBet::War);
        table.wagers.on_box(*box_no).any(|standing| on_war(standing) && !standing.fate.returned)
    };
    let played = table.wagered_boxes().iter().filter(at_war).count();
    if played > usize::from(most) {
        report.raise(Finding::on_table(
            &["too_many_boxes.war", "too_many_boxes"],
            format!("at most {most} boxes play War"),
            format!("{played} boxes played War"),
        ));
    }
}
