//! More was insured than the rulebook allows.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "insurance_too_large",
    kind: FlagKind::Irregularity,
    finds: "An insurance wager was more than the allowed part of the player's main wager. Chips that ride on the hand \
            do not count towards it.",
    matters: "Beyond that part insurance is a bet of its own on the dealer's next card.",
    tags: &[
        "insurance_too_large",
        "insurance_too_large.ridden.house_money",
        "insurance_too_large.ridden.let_it_ride",
    ],
    runs: &[Run::Ends(look)],
    templates: &[
        every("insurance_too_large", "3 $: TH 9C insure $/2 stand; dealer: AS 7D",
            "insure 3 $/2 => insure 3 $",
        ),
        every("insurance_too_large.ridden.house_money", "3 $ house_money $: 8H 8C ride house_money 2$ insure $/2 stand; dealer: AS 7D",
            "insure 3 $/2 => insure 3 $",
        ),
        every("insurance_too_large.ridden.let_it_ride", "3 $ let_it_ride $: KH 8H ride let_it_ride 2$ insure $/2 stand; dealer: AS 9D",
            "insure 3 $/2 => insure 3 $",
        ),
    ],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    for insurance in insurances(table) {
        let wager = insurance.wager;
        let Some(most) = insurance_most(table, wager).filter(|most| insurance.stake > *most) else { continue };
        let tags = [ridden_tag(table, insurance), CHECK.name];
        let finding = Finding::at(
            wager.place(),
            &tags,
            format!("{} is at most {most}", name(wager)),
            format!("{} was {}", name(wager), insurance.stake),
        );
        report.raise(finding.shown_by(insurance.at));
    }
}

/// The tag for chips that ride, if they are what made the wager look allowed.
fn ridden_tag(table: &Table<'_>, insurance: &Standing) -> &'static str {
    let wager = insurance.wager;
    let main = table.wagers.main_of(wager).map(|main| main.stake).unwrap_or_default();
    let with_ridden = main.plus(table.wagers.ridden_with(wager)).and_then(|all| all.at(table.rules.insurance_max));
    if with_ridden.is_none_or(|most| insurance.stake > most.whole) {
        return CHECK.name;
    }
    let rides = |bet: SideBet| table.wagers.get(wager.of_kind(WagerKind::Side(bet))).is_some_and(|on| on.ridden.is_some());
    if rides(SideBet::HouseMoney) {
        "insurance_too_large.ridden.house_money"
    } else if rides(SideBet::LetItRide) {
        "insurance_too_large.ridden.let_it_ride"
    } else {
        CHECK.name
    }
}
