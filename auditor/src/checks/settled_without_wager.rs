//! Chips were paid or taken for a wager that was not in its place.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "settled_without_wager",
    kind: FlagKind::WrongPayout,
    finds: "Something was paid, taken or pushed as a wager although no chips for it stood in the box.",
    matters: "Only chips in the place marked for them are a wager; what was only said or laid down as cash is none.",
    tags: &["settled_without_wager", "settled_without_wager.super_sevens", "settled_without_wager.perfect_pair"],
    runs: &[Run::Act(&[ActKind::Settle], look)],
    templates: &[
        some(
            "settled_without_wager",
            |rules| rules.bettors_per_box > 1,
            "3 $ /2 $: TH 9C stand; dealer: 9S 8D",
            "bet 3/2 $ =>",
        ),
        some(
            "settled_without_wager",
            |rules| rules.bettors_per_box == 1,
            "3 $: TH 9C insure $/2 stand; dealer: AS 8D",
            "insure 3 $/2 =>",
        ),
        every("settled_without_wager.super_sevens", "3 $ super_sevens $: 7H TC stand; dealer: 9S 7D 5C",
            "bet 3 super_sevens $ =>",
        ),
        every("settled_without_wager.perfect_pair", "3 $ perfect_pair $: TH TC stand; dealer: 9S 8D",
            "bet 3 perfect_pair $ =>",
        ),
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let (wager, gain) = match act {
        Act::Pay(wager, amount) => (wager, *amount),
        Act::Take(wager, _) | Act::Push(wager) => (wager, Money::ZERO),
        _ => return,
    };
    if table.wagers.get(*wager).is_some() || !table.seen.wagers || wager.kind == WagerKind::Ante {
        return;
    }
    let left = table.shoe.tips.iter().any(|(tip, _)| tip == wager);
    // Whoever bets behind may choose a hand opened by a split, or be settled on it unfunded, which is told elsewhere.
    let behind = wager.bettor != Bettor::SEATED && !wager.tip;
    let followed = behind && wager.kind == WagerKind::Split && table.wagers.main_of(*wager).is_some();
    // A box dealt to without any wager is one mistake, told where the cards went wrong.
    let dealt_empty = !table.wagers.boxes().has(wager.box_no) && !table.box_at(wager.box_no).hands.is_empty();
    if left || followed || dealt_empty {
        return;
    }
    let own = side_bet(*wager).map_or(CHECK.name, |bet| side_tag(&CHECK, bet));
    let tags = [own, CHECK.name];
    let finding = Finding::at(
        wager.place(),
        &tags,
        "only chips in the box are a wager",
        format!("{} was settled and no chips had stood there", name(*wager)),
    );
    report.raise(finding.worth(gain));
}
