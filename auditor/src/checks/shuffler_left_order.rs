//! A continuous shuffler gave the cards back in order.

use super::prelude::*;
use super::shuffle_left_order::chance;
use crate::shuffle::Found;

pub(super) static CHECK: Check = Check {
    name: "shuffler_left_order",
    kind: FlagKind::SuspectShuffle,
    finds: "Over three packs' worth of rounds a continuous shuffler gave cards that were put back together out together \
            again, far more often than a machine that mixes.",
    matters: "Whoever remembers the last rounds knows what is to come. The machine may have failed, or somebody may have \
              seen to it that it does; from outside it looks as it always does.",
    tags: &["shuffler_left_order"],
    runs: &[Run::Ends(look)],
    // It takes some fifty rounds to show: the simulator's tests deal them.
    templates: &[],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    let Some(Found::Returned(found)) = &table.shuffle_found else { return };
    let pairs = found.tests.first().map_or(0.0, |test| test.statistic);
    report.raise(Finding::on_table(
        &["shuffler_left_order"],
        "a continuous shuffler parts the cards that go back together".to_owned(),
        format!(
            "{} of cards came out again as they had been put back; a machine that mixes gives so many {}",
            several(pairs as usize, "pair"),
            chance(found.p, "stretches of play like this")
        ),
    ));
}
