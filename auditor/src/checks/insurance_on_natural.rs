//! A natural was insured in a game that pays it whatever the dealer has.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "insurance_on_natural",
    kind: FlagKind::Irregularity,
    finds: "An insurance wager was accepted from a player who had a natural.",
    matters: "Where a natural always wins there is nothing to insure: the wager is a bet on the dealer's card alone.",
    tags: &["insurance_on_natural"],
    runs: &[Run::Ends(look)],
    templates: &[every("insurance_on_natural", "3 $: AH KC; 5 $: TH 9C stand; dealer: AS 7D",
        "offer-insurance => offer-insurance | insure 3 $/2; card dealer 7D => card dealer 7D | take 3 insurance",
    )],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    if table.rules.insurance_on_bj {
        return;
    }
    let natural = |insurance: &&Standing| {
        table.hand(insurance.wager.place()).is_some_and(|hand| hand.play.is_natural())
    };
    for insurance in insurances(table).filter(natural) {
        let finding = Finding::at(
            insurance.wager.place(),
            CHECK.tags,
            "a natural is not insured",
            format!("{} of {} was accepted on a natural", name(insurance.wager), insurance.stake),
        );
        report.raise(finding.shown_by(insurance.at).worth(insurance.fate.net().unwrap_or_default()));
    }
}
