//! A card is missing from the decks, as many shoes show.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "card_missing",
    kind: FlagKind::Irregularity,
    finds: "In shoe after shoe one and the same card came less often than the decks hold it. The cards behind the \
            cutting card are shuffled with the others and should be seen the next time; one that never is, is not \
            there.",
    matters: "A card taken out of the decks changes the odds of every bet, and may be in somebody's sleeve.",
    tags: &["card_missing"],
    runs: &[Run::Ends(look)],
    // It takes dozens of shoes to show: the simulator's tests deal them.
    templates: &[],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    let Some(missing) = &table.card_missing else { return };
    let decks = table.rules.decks;
    let card = missing.card.pretty();
    let came = match missing.most {
        0 => "never came".to_owned(),
        most => format!("came {} at most", several(most, "time")),
    };
    report.raise(Finding::on_table(
        &["card_missing"],
        format!("{card} is there {} in {}", several(decks, "time"), several(decks, "deck")),
        format!(
            "in the last {} {card} {came}; whole decks do that less than once in 100000 shoes, unless the card is not read",
            several(missing.shoes, "shoe")
        ),
    ));
}
