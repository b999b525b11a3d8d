//! A winning hand was not paid.

use super::prelude::*;
use crate::rules::Dealer22;

pub(super) static CHECK: Check = Check {
    name: "win_not_paid",
    kind: FlagKind::WrongPayout,
    finds: "A hand that beat the dealer's was pushed, handed back or taken instead of being paid.",
    matters: "The player is owed the win, and the stake too if it was taken.",
    tags: &[
        "win_not_paid.dealer_bust",
        "win_not_paid.twenty_three",
        "win_not_paid.higher",
        "win_not_paid.natural",
        "win_not_paid.natural_v_natural",
        "win_not_paid.five_cards",
        "win_not_paid.twenty_one",
        "win_not_paid",
    ],
    runs: &[Run::Missettled(look)],
    templates: &[
        every("win_not_paid", "3 $: TH 9C stand; dealer: 9S 8D", "pay 3 $ => take 3"),
        every("win_not_paid.higher", "3 $: TH 9C stand; dealer: 9S 8D", "pay 3 $ => push 3"),
        every("win_not_paid.dealer_bust", "3 $: TH 9C stand; dealer: 9S 5D TC", "pay 3 $ => push 3"),
        every("win_not_paid.twenty_three", "3 $: TH 9C stand; dealer: 9S 4D TC", "pay 3 $ => push 3"),
        some("win_not_paid.natural", PAYS_3_TO_2, "3 $: AH KC; dealer: TS 8D", "pay 3 3$/2 => push 3"),
        some("win_not_paid.natural", PAYS_6_TO_5, "3 $: AH KC; dealer: TS 8D", "pay 3 6$/5 => push 3"),
        some("win_not_paid.natural", PAYS_5_TO_4, "3 $: AH KC; dealer: TS 8D", "pay 3 5$/4 => push 3"),
        every("win_not_paid.natural_v_natural", "3 $: AH KC; 5 $: TD 8C stand; dealer: TS AD", "pay 3 3$/2 => push 3"),
        every("win_not_paid.five_cards", "3 $: 2H 3C hit 2D 4C 5H; dealer: 9S TD", "pay 3 $ => push 3"),
        every("win_not_paid.twenty_one", "3 $: 5H 6C hit TD; dealer: 9S TD", "pay 3 $ => push 3"),
    ],
};

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    let natural = matches!(point(judgement), Some(Point::Natural | Point::NaturalAlwaysWins));
    let refused = match judgement.wrong {
        Wrong::WinPushed => !(natural && dealer_made_a_pushing_22(table)),
        Wrong::WinTaken => !natural,
        _ => false,
    };
    if !refused || !is_hand_stake(judgement.wager()) || is_free(judgement) {
        return;
    }
    let tags: &[&str] = match point(judgement) {
        Some(Point::EvenMoney) => return,
        Some(Point::Natural) => &["win_not_paid.natural", "win_not_paid"],
        Some(Point::NaturalAlwaysWins) => &["win_not_paid.natural_v_natural", "win_not_paid.natural", "win_not_paid"],
        Some(Point::TwentyOne) => &["win_not_paid.twenty_one", "win_not_paid"],
        Some(Point::FiveCards) => &["win_not_paid.five_cards", "win_not_paid"],
        Some(Point::DealerBust) if table.rules.dealer22 == Dealer22::Push => {
            &["win_not_paid.twenty_three", "win_not_paid.dealer_bust", "win_not_paid"]
        }
        Some(Point::DealerBust) => &["win_not_paid.dealer_bust", "win_not_paid"],
        _ => &["win_not_paid.higher", "win_not_paid"],
    };
    let tags = counted(tags, cards_of(table, judgement.wager()));
    report.raise(settlement(judgement, &tags));
}
