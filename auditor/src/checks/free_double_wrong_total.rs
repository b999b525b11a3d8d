//! A free double was given where there is none, or charged where it is free.

use table::round::Stake;

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "free_double_wrong_total",
    kind: FlagKind::DealerError,
    finds: "A lammer was put down for a double on a total that is not doubled for free, or chips were put down for a \
            double that is free.",
    matters: "A free bet given wrongly costs the house; one withheld costs the player.",
    tags: &["free_double_wrong_total", "free_double_wrong_total.charged", "free_double_wrong_total.after_split"],
    runs: &[Run::Act(&[ActKind::Double], look)],
    templates: &[
        Template {
            tag: "free_double_wrong_total",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: 7H 5C double 8D; dealer: 9S 8H",
            spoil: "double 3 => double 3 free",
        },
        Template {
            tag: "free_double_wrong_total.after_split",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: 8H 8C split [5C double 7D] [9D stand]; dealer: 9S 8D",
            spoil: "double 3 => double 3 free",
        },
        Template {
            tag: "free_double_wrong_total.charged",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: 5H 4C double TD; dealer: 9S 8H",
            spoil: "double 3 free => double 3",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Double(wager, stake) = act else { return };
    let Some(hand) = table.hand(wager.place()) else { return };
    let rules = table.rules;
    let Some(total) = hand.play.total().filter(|_| rules.free_double.any() && hand.play.cards.len() == 2) else {
        return;
    };
    let free = rules.free_double.has(total.points)
        && !(rules.free_double_hard && total.soft)
        && (rules.free_double_after_split || !hand.play.split);
    let ace_banned = !rules.double_aces && total.soft;
    let (tags, expected): (&[&str], _) = match (stake, free) {
        (Stake::Free, false) if ace_banned => return,
        (Stake::Free, false) if hand.play.split => (
            &["free_double_wrong_total.after_split", "free_double_wrong_total"],
            format!("a double on {total} is paid for in chips"),
        ),
        (Stake::Free, false) => (&["free_double_wrong_total"], format!("a double on {total} is paid for in chips")),
        (Stake::Full | Stake::Chips(_), true) => {
            (&["free_double_wrong_total.charged"], format!("a double on {total} is free"))
        }
        _ => return,
    };
    let put = if *stake == Stake::Free { "a lammer was" } else { "chips were" };
    let observed = format!("{put} put down for a double on {total}");
    report.raise(Finding::at(wager.place(), tags, expected, observed));
}
