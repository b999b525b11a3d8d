//! A wager was without a result when the round ended.

use super::prelude::*;
use super::sides;

pub(super) static CHECK: Check = Check {
    name: "wager_left",
    kind: FlagKind::WrongPayout,
    finds: "The round ended with a wager on the layout that had won or lost and was neither paid nor taken.",
    matters: "Chips without a result lead to a dispute in the next round; the amount shown is what was owed.",
    tags: &["wager_left", "wager_left.kings_bounty.tip", "wager_left.war.tip"],
    runs: &[Run::Missettled(look)],
    templates: &[
        every("wager_left", "3 $: TH 7C stand; 5 $: TD 8C stand; dealer: 9S 9D", "take 3 =>"),
        every("wager_left", "3 $: TH 7C hit 9D; 5 $: TD 8C stand; dealer: 9S 8D", "take 3 =>"),
        some(
            "wager_left.kings_bounty.tip",
            |rules| rules.side(SideBet::KingsBounty).is_some(),
            "3 $ kings_bounty $ tip kings_bounty 2: TH 7C stand; dealer: 9S 9D",
            "take 3 tip kings_bounty =>",
        ),
        with(
            "wager_left.war.tip",
            |rules| rules.decks >= 6,
            "war=on",
            "3 $ war $ tip war 2: 5H 7C hit 6D stand; dealer: 9S 9D",
            "take 3 tip war =>",
        ),
    ],
};

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    let left = matches!(judgement.wrong, Wrong::WinLeft | Wrong::LossLeft) && !judgement.standing.fate.is_settled();
    if !left || is_elsewhere(table, judgement, report) {
        return;
    }
    let wager = judgement.wager();
    let tags: &[&str] = match wager.kind {
        WagerKind::Side(SideBet::KingsBounty) if wager.tip => &["wager_left.kings_bounty.tip", "wager_left"],
        WagerKind::Side(SideBet::War) if wager.tip => &["wager_left.war.tip", "wager_left"],
        _ => &["wager_left"],
    };
    report.raise(settlement(judgement, tags));
}

/// Whether another check finds this wager left.
fn is_elsewhere(table: &Table<'_>, judgement: &Judgement<'_>, report: &Report<'_>) -> bool {
    let wins = judgement.wrong == Wrong::WinLeft;
    match judgement.wager().kind {
        WagerKind::Main | WagerKind::Split | WagerKind::Double => match point(judgement) {
            Some(Point::EvenMoney) => true,
            _ => is_free(judgement) && wins,
        },
        WagerKind::Insurance => wins || table.dealer.cards.len() > 2,
        WagerKind::Ante => true,
        WagerKind::Side(bet) => {
            let wager = judgement.wager();
            let untimely = (report.times_are_seen() || !wins)
                && sides::is_late(table, judgement.standing, bet)
                && sides::has_its_time(report, bet, judgement.tier, wins);
            let war = bet == SideBet::War && !wager.tip && report.cites("war_paid_late");
            untimely || war
        }
    }
}
