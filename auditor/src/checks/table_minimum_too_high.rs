//! The sign asks for a higher minimum than the game may have.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "table_minimum_too_high",
    kind: FlagKind::Irregularity,
    finds: "The posted table minimum is higher than the rulebook allows for this game.",
    matters: "The game pays naturals less and is meant for low limits only; at a higher minimum it may not be offered.",
    tags: &["table_minimum_too_high"],
    runs: &[Run::Begins(look)],
    templates: &[every("table_minimum_too_high", "3 $: TH 9C stand; dealer: 9S 8D",
        "limits => limits main 10 500",
    )],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    let least = table.limit(WagerKind::Main).map(|limit| limit.min);
    let (Some(least), Some(most)) = (least, table.rules.table_min_max) else { return };
    if least > most {
        report.raise(Finding::on_table(
            &["table_minimum_too_high"],
            format!("the table minimum is at most {most}"),
            format!("the sign says {least}"),
        ));
    }
}
