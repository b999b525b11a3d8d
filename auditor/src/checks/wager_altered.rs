//! A standing wager was changed after the first card.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "wager_altered",
    kind: FlagKind::Irregularity,
    finds: "A stake was made larger, smaller or taken back between the first card and its settlement.",
    matters: "Capping a good hand and pinching a bad one are thefts; the amount shown is what the change was worth.",
    tags: &["wager_altered.raised", "wager_altered.lowered", "wager_altered.removed", "wager_altered.optional", "wager_altered"],
    runs: &[Run::Act(&[ActKind::Alter], look)],
    templates: &[
        Template {
            tag: "wager_altered.raised",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $/2: TH 9C stand; dealer: 9S 8D",
            spoil: "stand 3 => alter 3 $ | stand 3; pay 3 $/2 => pay 3 $",
        },
        Template {
            tag: "wager_altered.lowered",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH 6C stand; dealer: 9S 8D",
            spoil: "stand 3 => alter 3 $/2 | stand 3",
        },
        Template {
            tag: "wager_altered.removed",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH 6C stand; dealer: 9S 8D",
            spoil: "stand 3 => alter 3 0 | stand 3; take 3 =>",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Alter(wager, amount) = act else { return };
    let Some(standing) = table.wagers.get(*wager) else { return };
    if table.deal == Deal::Betting || standing.fate.is_settled() || *amount == standing.stake {
        return;
    }
    let how = if *amount > standing.stake {
        "wager_altered.raised"
    } else if *amount == Money::ZERO {
        "wager_altered.removed"
    } else {
        "wager_altered.lowered"
    };
    let optional = wager.kind != WagerKind::Main;
    let tags: &[&str] = if optional { &["wager_altered.optional", "wager_altered"] } else { &[how, "wager_altered"] };
    let finding = Finding::at(
        wager.place(),
        tags,
        format!("{} stays {} until it is settled", name(*wager), standing.stake),
        format!("{} was changed from {} to {amount}", name(*wager), standing.stake),
    );
    let change = amount.minus(standing.stake).unwrap_or_default();
    let worth = if change.is_negative() { Money::ZERO.minus(change).unwrap_or_default() } else { change };
    report.raise(finding.worth(worth));
}
