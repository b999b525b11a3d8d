//! A losing side bet was taken after its time.

use super::prelude::*;
use super::sides::{fault, has_its_time, is_late, tags};

pub(super) static CHECK: Check = Check {
    name: "side_bet_taken_late",
    kind: FlagKind::DealerError,
    finds: "A side bet had lost, and play went on before it was taken, or it never was.",
    matters: "A lost stake left on the layout can be picked up again, or paid by mistake.",
    tags: &[
        "side_bet_taken_late.perfect_pair",
        "side_bet_taken_late.any_pair",
        "side_bet_taken_late.lucky_match",
        "side_bet_taken_late.super_sevens",
        "side_bet_taken_late.madness21",
        "side_bet_taken_late.push22",
    ],
    runs: &[Run::SideBet(look)],
    templates: &[
        every("side_bet_taken_late.perfect_pair", "3 $ perfect_pair $: TH 8C stand; dealer: 9S 8D", "take 3 perfect_pair => ; stand 3 => stand 3 | take 3 perfect_pair"),
        every("side_bet_taken_late.any_pair", "3 $ any_pair $: TH 8C stand; dealer: 9S 8D", "take 3 any_pair => ; stand 3 => stand 3 | take 3 any_pair"),
        every("side_bet_taken_late.lucky_match", "3 $ lucky_match $: TH 8C stand; dealer: 9S 8D", "take 3 lucky_match => ; stand 3 => stand 3 | take 3 lucky_match"),
        every("side_bet_taken_late.super_sevens", "3 $ super_sevens $: TH 8C stand; dealer: 9S 8D", "take 3 super_sevens => ; stand 3 => stand 3 | take 3 super_sevens"),
        every("side_bet_taken_late.madness21", "3 $ madness21 $: TH 8C stand; dealer: 9S 8D", "take 3 madness21 => ; stand 3 => stand 3 | take 3 madness21"),
        every("side_bet_taken_late.push22", "3 $ push22 $: TH 8C stand; dealer: 9S 8D", "take 3 push22 => ; collect dealer => collect dealer | take 3 push22"),
    ],
};

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    let WagerKind::Side(bet) = judgement.wager().kind else { return };
    let standing = judgement.standing;
    let lost = matches!(judgement.due, Some(Due::Take(_))) && matches!(judgement.wrong, Wrong::No | Wrong::LossLeft);
    let own_main = table.rules.side(bet).is_some_and(|terms| terms.own_main);
    let alone = own_main && table.wagers.main_of(standing.wager).is_none();
    if !lost || alone || !is_late(table, standing, bet) || fault(table, judgement, report).is_some() {
        return;
    }
    if !has_its_time(report, bet, None, false) {
        return;
    }
    let [own, _] = tags(CHECK.name, bet, None);
    let observed = match standing.fate.taken {
        Some(_) => format!("{} was taken when play had gone on", name(standing.wager)),
        None => format!("{} was never taken", name(standing.wager)),
    };
    let expected = format!("{} is taken as soon as it has lost", name(standing.wager));
    report.raise(Finding::at(standing.wager.place(), &[&own], expected, observed).worth(judgement.gain));
}
