//! More was paid on a side bet in a round than the house may pay.

use super::prelude::*;
use super::sides::{BC_SHOE, Fault, fault, tags};

pub(super) static CHECK: Check = Check {
    name: "side_cap_exceeded",
    kind: FlagKind::WrongPayout,
    finds: "All payments of a round on a side bet together came to more than the most the rulebook lets the house pay.",
    matters: "The limit bounds what one round can cost; above it the winners share.",
    tags: &["side_cap_exceeded.kings_bounty", "side_cap_exceeded.push22", "side_cap_exceeded"],
    runs: &[Run::SideBet(look)],
    templates: &[
        some("side_cap_exceeded", |rules| rules.zap.any(), "3 $ kings_bounty 30: KS KS stand; dealer: AC KD", "pay 3 kings_bounty 25000 => pay 3 kings_bounty 30000"),
        some("side_cap_exceeded.kings_bounty", BC_SHOE, "3 $ kings_bounty 30: KS KS stand; dealer: AC KD", "pay 3 kings_bounty 25000 => pay 3 kings_bounty 30000"),
        every("side_cap_exceeded.push22", "3 $ push22 500: TH 9C stand; 5 $ push22 500: TD 8C stand; dealer: 6S TS 6S", "pay 3 push22 12500 => pay 3 push22 25000"),
    ],
};

/// What all players together were paid on the side bets that share a cap with `bet`.
pub(super) fn paid_in_all(table: &Table<'_>, bet: SideBet) -> Option<Money> {
    let joint = table.rules.side(bet)?.cap_joint;
    let mut all = Money::ZERO;
    for standing in table.wagers.sides().filter(|standing| !standing.wager.tip) {
        let WagerKind::Side(other) = standing.wager.kind else { continue };
        let shares = other == bet || (joint && table.rules.side(other).is_some_and(|terms| terms.cap_joint));
        if let (true, Some(paid)) = (shares, standing.fate.paid) {
            all = all.plus(paid)?;
        }
    }
    Some(all)
}

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    let Some((bet, Fault::Cap)) = fault(table, judgement, report) else { return };
    let Some(cap) = table.rules.side(bet).and_then(|terms| terms.cap) else { return };
    let Some(all) = paid_in_all(table, bet).filter(|all| *all > cap) else { return };
    let [own, _] = tags(CHECK.name, bet, None);
    let tags = [own.as_str(), CHECK.name];
    let finding = Finding::on_table(
        &tags,
        format!("no more than {cap} is paid in a round"),
        format!("{all} was paid in all"),
    );
    report.raise(finding.worth(judgement.gain));
}
