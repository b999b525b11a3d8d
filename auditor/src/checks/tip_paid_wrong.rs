//! A winning bet for the dealer was paid the wrong amount, or before the player's.

use super::prelude::*;
use crate::settle::Due;
use crate::sidebet::Pay;

pub(super) static CHECK: Check = Check {
    name: "tip_paid_wrong",
    kind: FlagKind::WrongPayout,
    finds: "A winning wager for the dealer was not paid what it won, or was paid before the player's own wager.",
    matters: "Tips are paid like the player's bets and after them, so that everybody sees which is which.",
    tags: &[
        "tip_paid_wrong.kings_bounty",
        "tip_paid_wrong.war",
        "tip_paid_wrong.capped",
        "tip_paid_wrong.order",
        "tip_paid_wrong.kings_bounty.order",
        "tip_paid_wrong.war.order",
    ],
    runs: &[Run::Ends(look_at_order), Run::SideBet(look)],
    templates: &[
        with(
            "tip_paid_wrong.kings_bounty",
            |rules| rules.decks >= 6,
            "kings_bounty=on",
            "3 $ kings_bounty $ tip kings_bounty 1: KH TC stand; dealer: 9S 8D",
            "pay 3 tip kings_bounty 4 => pay 3 tip kings_bounty 1",
        ),
        with(
            "tip_paid_wrong.war",
            |rules| rules.decks >= 6,
            "war=on",
            "3 $ war $ tip war 1: KH 8C stand; dealer: 9S 8D",
            "pay 3 tip war 1 => pay 3 tip war 0.50",
        ),
        with(
            "tip_paid_wrong.capped",
            |rules| rules.decks >= 6,
            "kings_bounty=on",
            "3 $ kings_bounty $ tip kings_bounty 1: KS KS stand; 4 $ kings_bounty $: KS KS stand; \
             5 $ kings_bounty $: KS KS stand; dealer: AS TD",
            "pay 3 tip kings_bounty 1 => pay 3 tip kings_bounty 1000",
        ),
        every("tip_paid_wrong.order", "3 $ tip 1: TH 9C stand; dealer: 9S 8D",
            "pay 3 $ => ; pay 3 tip 1 => pay 3 tip 1 | pay 3 $",
        ),
        with(
            "tip_paid_wrong.kings_bounty.order",
            |rules| rules.decks >= 6,
            "kings_bounty=on",
            "3 $ kings_bounty $ tip kings_bounty 1: KH TC stand; dealer: 9S 8D",
            "pay 3 kings_bounty 4$ => ; pay 3 tip kings_bounty 4 => pay 3 tip kings_bounty 4 | pay 3 kings_bounty 4$",
        ),
        with(
            "tip_paid_wrong.war.order",
            |rules| rules.decks >= 6,
            "war=on",
            "3 $ war $ tip war 1: KH 8C stand; dealer: 9S 8D",
            "pay 3 war $ => ; pay 3 tip war 1 => pay 3 tip war 1 | pay 3 war $",
        ),
    ],
};

fn look_at_order(table: &Table<'_>, report: &mut Report<'_>) {
    for tip in table.wagers.tips().filter(|tip| tip.fate.paid.is_some()) {
        // A wager that is never settled at all is a mistake of its own.
        let own = table.wagers.get(Wager { tip: false, ..tip.wager });
        let first = tip.fate.at.filter(|paid| own.and_then(|own| own.fate.at).is_some_and(|settled| settled > *paid));
        let Some(paid_at) = first else { continue };
        let tags = [match side_bet(tip.wager) {
            Some(SideBet::KingsBounty) => "tip_paid_wrong.kings_bounty.order",
            Some(SideBet::War) => "tip_paid_wrong.war.order",
            _ => "tip_paid_wrong.order",
        }];
        let finding = Finding::at(
            tip.wager.place(),
            &tags,
            "the player's wager is paid first",
            format!("{} was paid before the player's wager", name(tip.wager)),
        );
        report.raise_at(paid_at, finding);
    }
}

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    let wager = judgement.wager();
    let Some(bet) = side_bet(wager).filter(|_| wager.tip) else { return };
    if !matches!(judgement.wrong, Wrong::WinPaidWrong | Wrong::WinLeft | Wrong::WinPushed | Wrong::WinTaken) {
        return;
    }
    let tags = [if is_full_odds_under_cap(table, judgement, bet) { "tip_paid_wrong.capped" } else { side_tag(&CHECK, bet) }];
    report.raise(settlement(judgement, &tags));
}

/// Whether the odds of the scale were paid although the cap leaves a bet for the dealer even money.
fn is_full_odds_under_cap(table: &Table<'_>, judgement: &Judgement<'_>, bet: SideBet) -> bool {
    let standing = judgement.standing;
    let full = || {
        let terms = table.rules.side(bet).filter(|terms| terms.cap.is_some())?;
        match terms.pay(terms.scale, judgement.tier?)? {
            Pay::Odds(odds) => standing.stake.at(odds),
            _ => None,
        }
    };
    let even = matches!(judgement.due, Some(Due::Pay(due)) if due.whole == standing.stake);
    even && full().is_some_and(|full| full.whole != standing.stake && standing.fate.paid == Some(full.whole))
}
