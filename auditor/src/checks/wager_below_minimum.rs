//! A wager under the table minimum was let stand, or turned away where the rulebook settles it once.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "wager_below_minimum",
    kind: FlagKind::Irregularity,
    finds: "A main wager was less than the table minimum when the deal began. Where the rulebook settles the first such \
            wager with a warning, it was handed back instead.",
    matters: "The sign holds for everybody at the table.",
    tags: &[
        "wager_below_minimum",
        "wager_below_minimum.box",
        "wager_below_minimum.back_bettor",
        "wager_below_minimum.refused",
    ],
    runs: &[Run::Dealt(look), Run::Act(&[ActKind::Settle], look_at_return)],
    templates: &[
        with(
            "wager_below_minimum",
            |rules| !settles_once(rules) && rules.bet_min.is_none(),
            "",
            "3 $: TH 9C stand; dealer: 9S 8D",
            "bet 3 $ => bet 3 2; pay 3 $ => pay 3 2",
        ),
        with(
            "wager_below_minimum",
            |rules| rules.bet_min.is_some(),
            "",
            "3 $: TH 9C stand; dealer: 9S 8D",
            "bet 3 $ => bet 3 0.50; pay 3 $ => pay 3 0.50",
        ),
        every("wager_below_minimum.box", "3 $: TH 9C stand; 5 $: TD 8C stand; dealer: 9S 8D",
            "bet 5 $ => bet 5 2; pay 5 $ => pay 5 2",
        ),
        every("wager_below_minimum.back_bettor", "3 $ /2 $: TH 9C stand; dealer: 9S 8D",
            "bet 3/2 $ => bet 3/2 2; pay 3/2 $ => pay 3/2 2",
        ),
        every("wager_below_minimum.refused", "3 $: TH 9C stand; dealer: 9S 8D",
            "bet 3 $ => bet 3 2; pay 3 $ => return 3",
        ),
    ],
};

/// Books that settle what is off the limits do so under the minimum once, with a warning.
fn settles_once(rules: &Rules) -> bool {
    rules.over_max == crate::rules::OverMax::SettleToMax
}

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    let Some(least) = table.table_min().filter(|_| !settles_once(table.rules)) else { return };
    // A stake that shrank once cards were out is another wrong.
    let short = |standing: &&Standing| standing.stake < least && standing.placed < least && !standing.fate.returned;
    for standing in mains(table).filter(short) {
        let wager = standing.wager;
        let shared = mains(table).any(|other| {
            other.wager.box_no == wager.box_no && other.wager.bettor != Bettor::SEATED
        });
        let tags: &[&str] = match shared {
            true if wager.bettor != Bettor::SEATED => &["wager_below_minimum.back_bettor", "wager_below_minimum"],
            true => &["wager_below_minimum.box", "wager_below_minimum", "wager_below_minimum.back_bettor"],
            false => &["wager_below_minimum.box", "wager_below_minimum"],
        };
        let finding = Finding::at(
            wager.place(),
            tags,
            format!("a main wager is at least {least}"),
            format!("{} was {}", name(wager), standing.stake),
        );
        report.raise(finding.shown_by(standing.at));
    }
}

fn look_at_return(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Return(wager) = act else { return };
    let Some(standing) = table.wagers.get(*wager).filter(|_| settles_once(table.rules)) else { return };
    let under = table.table_min().is_some_and(|least| standing.stake < least);
    let main = wager.kind == WagerKind::Main && !wager.tip;
    let put_right = table.repaired || table.void || standing.late;
    if !under || !main || put_right || table.was_under_minimum(wager.box_no) {
        return;
    }
    report.raise(Finding::at(
        wager.place(),
        &["wager_below_minimum.refused"],
        "the first wager under the minimum is settled, with a warning",
        format!("{} of {} was handed back", name(*wager), standing.stake),
    ));
}
