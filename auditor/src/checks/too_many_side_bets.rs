//! A box held more side bets of one kind than it may.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "too_many_side_bets",
    kind: FlagKind::Irregularity,
    finds: "More wagers of one side bet stood on a box than the rulebook allows.",
    matters: "Each of them wins on the same two cards: the limit bounds what one deal can cost.",
    tags: &["too_many_side_bets.perfect_pair", "too_many_side_bets.any_pair", "too_many_side_bets.lucky_match"],
    runs: &[Run::Dealt(look)],
    templates: &[
        every("too_many_side_bets.perfect_pair", "3 $ perfect_pair $ /2 perfect_pair $ /3 perfect_pair $: KH 8C stand; dealer: 9S 8D",
            "bet 3/3 perfect_pair $ => bet 3/3 perfect_pair $ | bet 3/4 perfect_pair $; \
             take 3/3 perfect_pair => take 3/3 perfect_pair | take 3/4 perfect_pair",
        ),
        every("too_many_side_bets.any_pair", "3 $ any_pair $ /2 any_pair $ /3 any_pair $: KH 8C stand; dealer: 9S 8D",
            "bet 3/3 any_pair $ => bet 3/3 any_pair $ | bet 3/4 any_pair $; \
             take 3/3 any_pair => take 3/3 any_pair | take 3/4 any_pair",
        ),
        every("too_many_side_bets.lucky_match", "3 $ lucky_match $ /2 lucky_match $ /3 lucky_match $: KH 8C stand; dealer: 9S 8D",
            "bet 3/3 lucky_match $ => bet 3/3 lucky_match $ | bet 3/4 lucky_match $; \
             take 3/3 lucky_match => take 3/3 lucky_match | take 3/4 lucky_match",
        ),
    ],
};

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    for standing in table.wagers.sides().filter(|standing| !standing.wager.tip && !standing.fate.returned) {
        let Some(bet) = side_bet(standing.wager) else { continue };
        let Some(most) = table.rules.side(bet).and_then(|terms| terms.per_box) else { continue };
        let box_no = standing.wager.box_no;
        let same = |other: &&Standing| {
            other.wager.kind == standing.wager.kind && !other.wager.tip && !other.fate.returned
        };
        // The last one placed is looked at, so that each box is told once.
        let (count, last) = table.wagers.on_box(box_no).filter(same).fold((0, None), |(n, _), on| (n + 1, Some(on.at)));
        if count > usize::from(most) && last == Some(standing.at) {
            let tags = [side_tag(&CHECK, bet)];
            let finding = Finding::on_box(
                box_no,
                &tags,
                format!("a box holds at most {most} {} wagers", spoken(bet)),
                format!("the box held {count}"),
            );
            report.raise(finding.shown_by(standing.at));
        }
    }
}
