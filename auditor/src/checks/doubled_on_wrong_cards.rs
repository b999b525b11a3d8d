//! A hand was doubled that has too many cards or counts too much.

use super::prelude::*;
use crate::rules::PlayerCards;

pub(super) static CHECK: Check = Check {
    name: "doubled_on_wrong_cards",
    kind: FlagKind::DealerError,
    finds: "A stake was doubled on more cards than the game allows, on a total too high for it, or on a hand already \
            lost.",
    matters: "The player chose the further stake knowing more than the rules allow for.",
    tags: &["doubled_on_wrong_cards", "doubled_on_wrong_cards.twenty_one"],
    runs: &[Run::Act(&[ActKind::Double], look)],
    templates: &[
        Template {
            tag: "doubled_on_wrong_cards",
            fits: |rules| rules.double_cards.is_some() && !rules.double_sideways,
            options: "",
            plan: "3 $: 5H 6C hit 2D stand; dealer: 9S 8D",
            spoil: "stand 3 => double 3 | card 3 7C; take 3 => pay 3 $ | pay 3 double $",
        },
        Template {
            tag: "doubled_on_wrong_cards",
            fits: |rules| {
                rules.double_cards.is_some() && rules.double_sideways && rules.player_cards == PlayerCards::Up
            },
            options: "",
            plan: "3 $: 5H 6C hit 2D stand; dealer: 9S 8D",
            spoil: "stand 3 => double 3 | card 3 7C sideways; take 3 => pay 3 $ | pay 3 double $",
        },
        Template {
            tag: "doubled_on_wrong_cards",
            fits: |rules| rules.double_sideways && rules.player_cards != PlayerCards::Up,
            options: "",
            plan: "3 $: 5H 6C hit 2D stand; dealer: 9S 8D",
            spoil: "stand 3 => turn 3 5H | turn 3 6C | double 3 | card 3 7C sideways; tuck 3 => ; turn 3 5H => ; \
                    turn 3 6C => ; take 3 => pay 3 $ | pay 3 double $",
        },
        Template {
            tag: "doubled_on_wrong_cards",
            fits: |rules| rules.double_cards.is_none(),
            options: "",
            plan: "3 $: TH 6C hit 9D; 5 $: TD 8C stand; dealer: 9S 8D",
            spoil: "card 3 9D => card 3 9D | double 3 | card 3 2D; take 3 => take 3 | take 3 double",
        },
        Template {
            tag: "doubled_on_wrong_cards.twenty_one",
            fits: |rules| rules.double_total_max < 21 && rules.double_aces,
            options: "",
            plan: "3 $: TH TC split [AD] [8C stand]; dealer: 9S 8D",
            spoil: "card 3b 8C => double 3 | card 3 9D | card 3b 8C; pay 3 $ => pay 3 $ | pay 3 double $",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Double(wager, _) = act else { return };
    let Some(hand) = table.hand(wager.place()) else { return };
    let rules = table.rules;
    let cards = hand.play.cards.len();
    // The others on the box double the same hand: it is judged when the first of them does.
    if hand.play.doubled || hand.play.is_natural() || cards == 0 {
        return;
    }
    let total = hand.play.total();
    let (tags, expected): (&[&str], String) = match rules.double_cards {
        Some(most) if cards > usize::from(most) => {
            (&["doubled_on_wrong_cards"], format!("a hand is doubled on its first {most} cards"))
        }
        _ if cards < 2 => (&["doubled_on_wrong_cards"], "a hand is doubled on two cards".to_owned()),
        _ => {
            let most = u16::from(rules.double_total_max);
            let ace_banned = !rules.double_aces && total.is_some_and(|total| total.soft);
            if ace_banned || total.is_none_or(|total| total.points <= most) {
                return;
            }
            let at_21 = total.is_some_and(|total| total.points == 21);
            let named = at_21 && report.cites("doubled_on_wrong_cards.twenty_one");
            (tag_list(named), format!("no hand above {most} is doubled"))
        }
    };
    let counts = total.map_or_else(|| "cards not all known".to_owned(), |total| total.to_string());
    let observed = format!("a hand of {cards} cards that counts {counts} was doubled");
    report.raise(Finding::at(wager.place(), tags, expected, observed));
}

const fn tag_list(twenty_one: bool) -> &'static [&'static str] {
    if twenty_one { &["doubled_on_wrong_cards.twenty_one"] } else { &["doubled_on_wrong_cards"] }
}
