//! Even money was paid to somebody who was not entitled to it.

use table::Odds;

use super::prelude::*;
use crate::rules::EvenMoney;

pub(super) static CHECK: Check = Check {
    name: "even_money_not_allowed",
    kind: FlagKind::DealerError,
    finds: "A player was paid even money although the hand, the up card, the odds of the table or the moment did not \
            allow it.",
    matters: "Even money settles a hand before its result is known; outside its rule it is a payment without a result.",
    tags: &[
        "even_money_not_allowed",
        "even_money_not_allowed.hand",
        "even_money_not_allowed.upcard",
        "even_money_not_allowed.odds",
        "even_money_not_allowed.after_peek",
    ],
    runs: &[Run::Act(&[ActKind::Settle], look)],
    templates: &[
        some("even_money_not_allowed", waits_at_3to2, V_TEN, "pay 3 15 => ; card dealer 8D => even-money 3 | pay 3 $ | card dealer 8D"),
        with(
            "even_money_not_allowed",
            |rules| waits(rules) && rules.bj_pays != THREE_TO_TWO,
            "",
            V_TEN,
            "pay 3 12 => ; card dealer 8D => even-money 3 | pay 3 $ | card dealer 8D",
        ),
        with(
            "even_money_not_allowed",
            |rules| rules.hole_card && rules.bj_pays == THREE_TO_TWO,
            "",
            V_TEN,
            "pay 3 6 => ; peek => even-money 3 | pay 3 $ | peek",
        ),
        with(
            "even_money_not_allowed",
            |rules| rules.hole_card && rules.bj_pays != THREE_TO_TWO,
            "",
            V_TEN,
            "pay 3 5 => ; peek => even-money 3 | pay 3 $ | peek",
        ),
        with("even_money_not_allowed", |rules| rules.bj_always_wins, "", "3 $: AH KC; 5 $: TH 9C stand; dealer: AS 7D", AT_ONCE),
        every("even_money_not_allowed.hand", "3 $: TH 9C stand; dealer: AS 7D",
            "pay 3 $ => ; offer-insurance => offer-insurance | even-money 3 | pay 3 $",
        ),
        some("even_money_not_allowed.upcard", waits_at_3to2, V_TEN,
            "pay 3 15 => ; card dealer 8D => even-money 3 | pay 3 $ | card dealer 8D",
        ),
        with("even_money_not_allowed.upcard", |rules| rules.bj_always_wins, "", "3 $: AH KC; 5 $: TH 9C stand; dealer: KS 8D", AT_ONCE),
        with(
            "even_money_not_allowed.odds",
            waits,
            "bj_pays=6:5",
            "3 $: AH KC; dealer: AS 7D",
            "pay 3 12 => ; offer-insurance => offer-insurance | even-money 3 | pay 3 $",
        ),
        with(
            "even_money_not_allowed.odds",
            |rules| rules.bj_always_wins,
            "bj_pays=6:5",
            "3 $: AH KC; 5 $: TH 9C stand; dealer: AS 7D",
            "pay 3 12 => even-money 3 | pay 3 $",
        ),
    ],
};

const V_TEN: &str = "3 $: AH KC; dealer: KS 8D";
const AT_ONCE: &str = "pay 3 15 => even-money 3 | pay 3 $";
const THREE_TO_TWO: Odds = match Odds::new(3, 2) {
    Some(odds) => odds,
    None => Odds::EVEN,
};

fn waits(rules: &Rules) -> bool {
    !rules.hole_card && !rules.bj_always_wins
}

fn waits_at_3to2(rules: &Rules) -> bool {
    waits(rules) && rules.bj_pays == THREE_TO_TWO
}

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Pay(wager, amount) = act else { return };
    let Some(standing) = table.wagers.get(*wager).filter(|standing| standing.even_money.is_some()) else { return };
    // Only what was paid on the request is a grant; a request that was passed over is not.
    let granted = *amount == standing.stake && table.drawn == 0 && !standing.fate.is_settled();
    let Some((tags, expected)) = unlawful(table, standing).filter(|_| granted) else { return };
    report.raise(Finding::at(wager.place(), tags, expected, format!("{} was paid {amount} on request", name(*wager))));
}

/// Why a request was not one the rules grant.
fn unlawful(table: &Table<'_>, standing: &Standing) -> Option<(&'static [&'static str], &'static str)> {
    let rules = table.rules;
    let natural = table.hand(standing.wager.place()).is_some_and(|hand| crate::hand::is_ace_and_ten(&hand.play.cards));
    if !natural {
        return Some((&["even_money_not_allowed.hand", "even_money_not_allowed"], "only a natural is paid even money"));
    }
    if !table.dealer_hand().shows_ace() {
        return Some((
            &["even_money_not_allowed.upcard", "even_money_not_allowed"],
            "even money is paid only against an ace",
        ));
    }
    if rules.even_money != EvenMoney::Ace && rules.bj_pays != THREE_TO_TWO {
        return Some((
            &["even_money_not_allowed.odds", "even_money_not_allowed"],
            "even money is paid only where naturals pay 3:2",
        ));
    }
    if rules.even_money == EvenMoney::Never {
        return Some((&["even_money_not_allowed"], "a natural is paid its odds at once"));
    }
    let after: (&[&str], _) = (
        &["even_money_not_allowed.after_peek", "even_money_not_allowed"],
        "even money is asked for before the dealer looks at the hole card",
    );
    standing.asked_after_peek.then_some(after)
}
