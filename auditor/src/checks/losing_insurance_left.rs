//! Lost insurance was left on the layout.

use super::prelude::*;
use crate::rules::Surrender;

pub(super) static CHECK: Check = Check {
    name: "losing_insurance_left",
    kind: FlagKind::DealerError,
    finds: "The dealer's second card made no natural, and insurance still lay on the line when play went on.",
    matters: "A lost wager left on the layout can be paid by mistake or taken back.",
    tags: &["losing_insurance_left"],
    runs: &[Run::Ends(look)],
    templates: &[
        Template {
            tag: "losing_insurance_left",
            fits: |rules| !rules.hole_card,
            options: "",
            plan: "3 $: TH 9C insure $/2 stand; dealer: AS 2D 8C",
            spoil: "take 3 insurance => ; card dealer 8C => card dealer 8C | take 3 insurance",
        },
        Template {
            tag: "losing_insurance_left",
            fits: |rules| rules.hole_card,
            options: "",
            plan: "3 $: TH 9C insure $/2 stand; dealer: AS 8D",
            spoil: "take 3 insurance => ; stand 3 => stand 3 | take 3 insurance",
        },
        Template {
            tag: "losing_insurance_left",
            fits: |rules| rules.surrender == Surrender::Late,
            options: "",
            plan: "3 $: TH 6C insure $/2 surrender; dealer: AS 8D",
            spoil: "take 3 insurance => ; surrender 3 => surrender 3 | take 3 insurance",
        },
    ],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    let Some(first) = table.dealer.cards.get(..2).filter(|cards| cards.iter().all(|card| card.is_known())) else {
        return;
    };
    let went_on = if table.rules.hole_card { table.play_began_at } else { table.dealer.dealt_at.get(2).copied() };
    let lost = table.dealer_hand().shows_ace() && !crate::hand::is_ace_and_ten(first);
    let Some(went_on) = went_on.filter(|_| lost && !table.repaired) else { return };
    for standing in table.wagers.of_kind(WagerKind::Insurance) {
        let left = standing.fate.at.map_or(table.seen.payouts, |at| at > went_on);
        let before = standing.at < went_on;
        if !left || !before || standing.fate.paid.is_some() || standing.fate.returned {
            continue;
        }
        let finding = Finding::at(
            standing.wager.place(),
            &["losing_insurance_left"],
            "lost insurance is taken before play goes on",
            format!("{} of {} was still down", name(standing.wager), standing.stake),
        );
        let gain = if standing.fate.is_settled() { Money::ZERO } else { standing.stake };
        report.raise_at(went_on, finding.worth(gain));
    }
}
