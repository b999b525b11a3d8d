//! Insurance was taken after play had gone on.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "insurance_too_late",
    kind: FlagKind::Irregularity,
    finds: "An insurance wager was accepted after a further card had been dealt, or after the hole card was looked at.",
    matters: "Every further card tells something about the dealer's second; after the look the dealer knows it.",
    tags: &["insurance_too_late"],
    runs: &[Run::Ends(look)],
    templates: &[
        with(
            "insurance_too_late",
            |rules| !rules.hole_card,
            "",
            "3 $: TH 4C insure $/2 hit 5D stand; dealer: AS 7D",
            "insure 3 $/2 => ; card 3 5D => card 3 5D | insure 3 $/2",
        ),
        with(
            "insurance_too_late",
            |rules| rules.hole_card,
            "",
            "3 $: TH 4C insure $/2 hit 5D stand; dealer: AS 7D",
            "insure 3 $/2 => ; take 3 insurance => ; peek => peek | insure 3 $/2 | take 3 insurance",
        ),
    ],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    // Without an ace it was never its time.
    for insurance in insurances(table).filter(|insurance| insurance.too_late && table.dealer_hand().shows_ace()) {
        let finding = Finding::at(
            insurance.wager.place(),
            CHECK.tags,
            "insurance is placed before play goes on",
            format!("{} of {} was placed after play had gone on", name(insurance.wager), insurance.stake),
        );
        report.raise(finding.shown_by(insurance.at).worth(insurance.fate.net().unwrap_or_default()));
    }
}
