//! Something was paid or taken where no chips stood.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "settled_without_wager",
    kind: FlagKind::WrongPayout,
    finds: "A payment was made or chips were collected for a wager that was never placed in its box on the layout.",
    matters: "Only chips in the box are a wager; paying a bet called out or remembered invites disputes and worse.",
    tags: &["settled_without_wager", "settled_without_wager.super_sevens", "settled_without_wager.perfect_pair"],
    runs: &[Run::Act(&[ActKind::Settle], look)],
    templates: &[
        every("settled_without_wager", "3 $: TH 9C stand; dealer: 9S 8D", "pay 3 $ => pay 3 $ | pay 3/2 $"),
        every(
            "settled_without_wager.super_sevens",
            "3 $: 7H 9C stand; dealer: 9S 8D",
            "stand 3 => pay 3 super_sevens 3$ | stand 3",
        ),
        every(
            "settled_without_wager.perfect_pair",
            "3 $: 9H 9C stand; dealer: 9S 8D",
            "stand 3 => pay 3 perfect_pair 6$ | stand 3",
        ),
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let (wager, gain) = match act {
        Act::Pay(wager, amount) => (wager, *amount),
        Act::Take(wager, amount) => {
            (wager, amount.and_then(|amount| Money::ZERO.minus(amount)).unwrap_or_default())
        }
        _ => return,
    };
    if !table.seen.wagers || table.wagers.is_full() || table.wagers.get(*wager).is_some() {
        return;
    }
    let tags: &[&str] = match wager.kind {
        WagerKind::Side(SideBet::SuperSevens) => &["settled_without_wager.super_sevens", "settled_without_wager"],
        WagerKind::Side(SideBet::PerfectPair) => &["settled_without_wager.perfect_pair", "settled_without_wager"],
        _ => &["settled_without_wager"],
    };
    let finding = Finding::at(
        wager.place(),
        tags,
        "only chips on the layout are settled",
        format!("{} was settled and had not been placed", name(*wager)),
    );
    report.raise(finding.worth(gain));
}
