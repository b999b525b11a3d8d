//! The deal began without the call of no more bets.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "no_more_bets_not_called",
    kind: FlagKind::DealerError,
    finds: "A round was dealt without the call that closes the betting, at a table where the calls are heard.",
    matters: "The call separates a wager in time from a late one.",
    tags: &["no_more_bets_not_called"],
    runs: &[Run::Ends(look)],
    templates: &[every("no_more_bets_not_called", "3 $: TH 9C stand; dealer: 9S 8D --- 3 $: TD 8C stand; dealer: 9D 8S",
        "no-more-bets => ; no-more-bets => ; card 3 TH => no-more-bets | card 3 TH",
    )],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    // A table that was never heard is not blamed for silence.
    if table.no_more_bets || !table.shoe.calls_heard || table.deal == Deal::Betting {
        return;
    }
    report.raise(Finding::on_table(
        CHECK.tags,
        "no more bets is called before the first card",
        "the cards were dealt without the call",
    ));
}
