//! Cards were gathered up out of order.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "cards_collected_out_of_order",
    kind: FlagKind::Irregularity,
    finds: "At the end of a round the hands were not taken up one after another round the table.",
    matters: "Cards that lie in the rack in the order of the hands can be laid out again if the round is disputed.",
    tags: &["cards_collected_out_of_order"],
    runs: &[Run::Act(&[ActKind::Collect], look)],
    templates: &[
        Template {
            tag: "cards_collected_out_of_order",
            fits: EVERY_GAME,
            options: "",
            plan: "1 $: TC 9H stand; 3 $: TH 9C stand; 5 $: TD 8C stand; dealer: 9S 8D",
            spoil: "collect 5 => ; collect 1 => collect 1 | collect 5",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let (Act::Collect(Place::Box(box_no, _)), Some((last, Some(up)))) = (act, table.last_collected) else { return };
    let Place::Box(last, _) = last else { return };
    let final_collection = table.dealer.at_players_done.is_some() && !table.repaired;
    if final_collection && *box_no != last && (*box_no > last) != up {
        report.raise(Finding::on_table(
            &["cards_collected_out_of_order"],
            "the hands are taken up in order round the table",
            format!("box {box_no} was taken up after box {last}"),
        ));
    }
}
