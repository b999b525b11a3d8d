//! A side bet on a void hand was settled.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "void_side_bet_settled",
    kind: FlagKind::WrongPayout,
    finds: "A hand or its main wager was void, and a side bet that falls with it was paid or taken.",
    matters: "A side bet goes back with the hand it was made on, won or lost.",
    tags: &[
        "void_side_bet_settled.super_sevens.hand",
        "void_side_bet_settled.super_sevens.wager",
        "void_side_bet_settled.super_sevens",
        "void_side_bet_settled",
    ],
    runs: &[Run::Missettled(look)],
    templates: &[
        some(
            "void_side_bet_settled",
            |rules| rules.side(SideBet::PerfectPair).is_some(),
            "3 $ perfect_pair $: TH 7C stand; 5 $: TD 8C stand; dealer: 9S 8D",
            "stand 3 => void 3 | return 3; push 3 =>",
        ),
        every("void_side_bet_settled.super_sevens", SEVEN, "stand 3 => void 3 | return 3; push 3 =>"),
        every("void_side_bet_settled.super_sevens.hand", SEVEN, "stand 3 => void 3 | return 3; push 3 =>"),
        every(
            "void_side_bet_settled.super_sevens.wager",
            SEVEN,
            "push 3 => return 3",
        ),
    ],
};

const SEVEN: &str = "3 $ super_sevens $: 7H TC stand; 5 $: TD 8C stand; dealer: 9S 8D";

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    let WagerKind::Side(bet) = judgement.wager().kind else { return };
    if judgement.wrong != Wrong::VoidSettled {
        return;
    }
    let hand = table.hand(judgement.wager().place()).is_some_and(|hand| hand.play.end == crate::hand::End::Void);
    let tags: &[&str] = match bet {
        SideBet::SuperSevens if hand => {
            &["void_side_bet_settled.super_sevens.hand", "void_side_bet_settled.super_sevens", "void_side_bet_settled"]
        }
        SideBet::SuperSevens => {
            &["void_side_bet_settled.super_sevens.wager", "void_side_bet_settled.super_sevens", "void_side_bet_settled"]
        }
        _ => &["void_side_bet_settled"],
    };
    report.raise(settlement(judgement, tags));
}
