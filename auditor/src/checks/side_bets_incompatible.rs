//! Two side bets were played that may not be offered at one table.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "side_bets_incompatible",
    kind: FlagKind::Irregularity,
    finds: "Wagers stood at one table on two side bets that the rulebook keeps apart.",
    matters: "The combination was never approved: its odds, layout and procedures are not those of the rulebook.",
    tags: &[
        "side_bets_incompatible.perfect_pair",
        "side_bets_incompatible.any_pair",
        "side_bets_incompatible.house_money",
        "side_bets_incompatible.let_it_ride",
        "side_bets_incompatible.lucky_match.perfect_pair",
        "side_bets_incompatible.lucky_match.any_pair",
    ],
    runs: &[Run::Dealt(look)],
    templates: &[
        every("side_bets_incompatible.perfect_pair", PERFECT_PAIR, WITH_ANY_PAIR),
        every("side_bets_incompatible.any_pair", PERFECT_PAIR, WITH_ANY_PAIR),
        every("side_bets_incompatible.lucky_match.perfect_pair", PERFECT_PAIR, WITH_LUCKY_MATCH),
        every("side_bets_incompatible.lucky_match.any_pair", "3 $ any_pair $: KH 8C stand; dealer: 9S 8D",
            "bet 3 any_pair $ => bet 3 any_pair $ | bet 3 lucky_match $; \
             take 3 any_pair => take 3 any_pair | take 3 lucky_match",
        ),
        every("side_bets_incompatible.house_money", "3 $ house_money $: KH 8C stand; dealer: 9S 8D",
            "bet 3 house_money $ => bet 3 house_money $ | bet 3 super_sevens $; \
             take 3 house_money => take 3 house_money | take 3 super_sevens",
        ),
        every("side_bets_incompatible.let_it_ride", "3 $ let_it_ride $: KH 8C stand; dealer: 9S 8D",
            "bet 3 let_it_ride $ => bet 3 let_it_ride $ | bet 3 lucky_match $; \
             take 3 let_it_ride => take 3 let_it_ride | take 3 lucky_match",
        ),
    ],
};

const PERFECT_PAIR: &str = "3 $ perfect_pair $: KH 8C stand; dealer: 9S 8D";
const WITH_ANY_PAIR: &str = "bet 3 perfect_pair $ => bet 3 perfect_pair $ | bet 3 any_pair $; \
                             take 3 perfect_pair => take 3 perfect_pair | take 3 any_pair";
const WITH_LUCKY_MATCH: &str = "bet 3 perfect_pair $ => bet 3 perfect_pair $ | bet 3 lucky_match $; \
                                take 3 perfect_pair => take 3 perfect_pair | take 3 lucky_match";

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    let mut played = 0_u32;
    for standing in table.wagers.sides().filter(|standing| !standing.fate.returned) {
        let Some(bet) = side_bet(standing.wager) else { continue };
        if played & (1 << bet as u32) != 0 {
            continue;
        }
        for other in SideBet::ALL.iter().copied().filter(|other| played & (1 << *other as u32) != 0) {
            if table.rules.side(bet).is_some_and(|terms| terms.excludes.contains(&other)) {
                raise(bet, other, standing, report);
            }
        }
        played |= 1 << bet as u32;
    }
}

fn raise(bet: SideBet, other: SideBet, standing: &Standing, report: &mut Report<'_>) {
    let mut tags: Tags<'_> = Tags::new();
    for (one, two) in [(bet, other), (other, bet)] {
        let both = |tag: &&str| tag.strip_suffix(two.name()).is_some_and(|rest| rest.ends_with(&format!(".{}.", one.name())));
        tags.extend(CHECK.tags.iter().copied().filter(both));
    }
    tags.extend([bet, other].map(|bet| side_tag(&CHECK, bet)).into_iter().filter(|tag| *tag != CHECK.name));
    let finding = Finding::on_table(
        &tags,
        format!("{} and {} are not offered at one table", spoken(other), spoken(bet)),
        format!("both were played; {} of {} stood beside the other", name(standing.wager), standing.stake),
    );
    report.raise(finding.shown_by(standing.at));
}
