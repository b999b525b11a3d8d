//! A surrendered hand lost something else than the rules take.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "surrender_settled_wrong",
    kind: FlagKind::WrongPayout,
    finds: "A hand that was given up lost more or less than half its stake, or than all of it where the dealer's natural \
            takes all.",
    matters: "Giving up is a bargain over half the stake; any other amount breaks it.",
    tags: &[
        "surrender_settled_wrong.half",
        "surrender_settled_wrong.dealer_natural",
        "surrender_settled_wrong.dealer22",
        "surrender_settled_wrong.split",
        "surrender_settled_wrong.double",
        "surrender_settled_wrong.tip",
        "surrender_settled_wrong.tip.fifty_cents",
    ],
    runs: &[Run::Missettled(look)],
    templates: &[
        every("surrender_settled_wrong.half", "3 $: TH 6C surrender; 5 $: TD 8C stand; dealer: 9S 8D", "take 3 $/2 => take 3"),
        every(
            "surrender_settled_wrong.dealer_natural",
            "3 $: TH 6C surrender; 5 $: TD 8C stand; dealer: AS KD",
            "take 3 => take 3 $/2",
        ),
        every(
            "surrender_settled_wrong.dealer22",
            "3 $: TH 6C surrender; 5 $: TD 8C stand; dealer: 9S 6D 7C",
            "take 3 $/2 => take 3",
        ),
        with(
            "surrender_settled_wrong.split",
            EVERY_GAME,
            "surrender_mode=liberal",
            "3 $: 8H 8C split [TD stand] [9C stand]; dealer: 9S TC",
            "stand 3b => surrender 3b; take 3b => take 3b $/4",
        ),
        with(
            "surrender_settled_wrong.double",
            EVERY_GAME,
            "surrender_mode=liberal",
            "3 $: 5H 4C double 7D; dealer: 9S TD",
            "card 3 7D => card 3 7D | surrender 3; take 3 => take 3",
        ),
        every(
            "surrender_settled_wrong.tip",
            "3 $ tip 2: TH 6C surrender; 5 $: TD 8C stand; dealer: 9S 8D",
            "take 3 tip 1 => take 3 tip",
        ),
        every(
            "surrender_settled_wrong.tip.fifty_cents",
            "3 $ tip 0.50: TH 6C surrender; 5 $: TD 8C stand; dealer: 9S 8D",
            "push 3 tip => take 3 tip 0.25",
        ),
    ],
};

fn look(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    let to_natural = match point(judgement) {
        Some(Point::Surrender) => false,
        Some(Point::SurrenderToNatural) => true,
        _ => return,
    };
    let fate = &judgement.standing.fate;
    let pushed = fate.pushed || fate.returned;
    let wrong = match judgement.wrong {
        Wrong::LossPaid | Wrong::LossTakenWrong | Wrong::PushTaken | Wrong::PushPaid => true,
        // Pushed on the dealer's 22 it is a wrong with a clause of its own.
        Wrong::LossLeft => pushed && !dealer_made_a_pushing_22(table),
        _ => false,
    };
    let wager = judgement.wager();
    let Some(hand) = table.hand(wager.place()) else { return };
    if !wrong || !is_hand_stake(wager) {
        return;
    }
    let tags: &[&str] = match () {
        () if wager.tip && judgement.due == Some(Due::Push) => {
            &["surrender_settled_wrong.tip.fifty_cents", "surrender_settled_wrong.tip"]
        }
        () if wager.tip => &["surrender_settled_wrong.tip", "surrender_settled_wrong.half"],
        () if to_natural => &["surrender_settled_wrong.dealer_natural"],
        () if dealer_made_a_pushing_22(table) => &["surrender_settled_wrong.dealer22", "surrender_settled_wrong.half"],
        () if hand.play.doubled => &["surrender_settled_wrong.double", "surrender_settled_wrong.half"],
        () if hand.play.split => &["surrender_settled_wrong.split", "surrender_settled_wrong.half"],
        () => &["surrender_settled_wrong.half"],
    };
    report.raise(settlement(judgement, tags));
}
