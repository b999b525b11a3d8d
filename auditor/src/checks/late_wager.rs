//! A wager was placed after the first card of the round.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "late_wager",
    kind: FlagKind::Irregularity,
    finds: "Chips were put down as a new wager after the first card of the round had left the shoe.",
    matters: "Whoever bets after seeing a card bets with knowledge the others did not have: past-posting.",
    tags: &[
        "late_wager",
        "late_wager.side",
        "late_wager.perfect_pair",
        "late_wager.any_pair",
        "late_wager.lucky_match",
        "late_wager.super_sevens",
        "late_wager.madness21",
        "late_wager.house_money",
        "late_wager.let_it_ride",
        "late_wager.push22",
        "late_wager.kings_bounty",
        "late_wager.war",
        "late_wager.blazing7",
        "late_wager.match_dealer",
        "late_wager.over13",
        "late_wager.under13",
    ],
    runs: &[Run::Act(&[ActKind::Bet], look)],
    templates: &[
        Template {
            tag: "late_wager",
            fits: EVERY_GAME,
            options: "",
            plan: "3 $: TH 9C stand; 5 $: TD 8C stand; dealer: 9S 8D",
            spoil: "bet 5 $ => ; card 3 TH => card 3 TH | bet 5 $",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Bet(wager, amount) = act else { return };
    if table.deal == Deal::Betting {
        return;
    }
    let own;
    let tags: &[&str] = match wager.kind {
        WagerKind::Side(bet) => {
            own = tag_of(bet);
            &[own, "late_wager.side"]
        }
        WagerKind::Ante => return,
        _ => &["late_wager"],
    };
    report.raise(Finding::at(
        wager.place(),
        tags,
        "wagers are down before the first card",
        format!("{} of {amount} was placed after it", name(*wager)),
    ));
}

fn tag_of(bet: SideBet) -> &'static str {
    CHECK.tags.iter().copied().find(|tag| tag.strip_prefix("late_wager.") == Some(bet.name())).unwrap_or("late_wager.side")
}
