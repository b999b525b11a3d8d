//! Insurance was taken although the dealer showed no ace.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "insurance_without_ace",
    kind: FlagKind::Irregularity,
    finds: "An insurance wager was accepted with another up card than an ace.",
    matters: "Without an ace there is nothing to insure against: the wager can only lose, or is paid by mistake.",
    tags: &["insurance_without_ace"],
    runs: &[Run::Ends(look)],
    templates: &[every("insurance_without_ace", "3 $: TH 9C stand; dealer: 9S 8D",
        "stand 3 => insure 3 $/2 | stand 3; pay 3 $ => take 3 insurance | pay 3 $",
    )],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    let Some(up) = table.dealer_hand().up().filter(|up| up.is_known()) else { return };
    if table.dealer_hand().shows_ace() {
        return;
    }
    for insurance in insurances(table) {
        let finding = Finding::at(
            insurance.wager.place(),
            CHECK.tags,
            "insurance is accepted only against an ace",
            format!("{} of {} was accepted against {}", name(insurance.wager), insurance.stake, up.pretty()),
        );
        report.raise(finding.shown_by(insurance.at).worth(insurance.fate.net().unwrap_or_default()));
    }
}
