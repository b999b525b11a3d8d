//! A player put a hand to cards or chips that were not the player's to touch.

use table::round::Touched;

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "touched",
    kind: FlagKind::Irregularity,
    finds: "Somebody other than the dealer touched cards, or a wager between the first card and its settlement.",
    matters: "Cards and wagers stay as they are only if nobody but the dealer handles them.",
    tags: &[
        "touched.cards",
        "touched.cards.tucked",
        "touched.cards.split",
        "touched.wager",
        "touched.wager.tucking",
        "touched.settled_wager",
    ],
    runs: &[Run::Act(&[ActKind::Other], look)],
    templates: &[
        with(
            "touched.cards",
            EVERY_GAME,
            "player_cards=up players_touch_cards=false",
            PLAN,
            "stand 3 => touch 3 cards | stand 3",
        ),
        every("touched.cards.tucked", PLAN, "tuck 3 => tuck 3 | touch 3 cards"),
        every("touched.cards.split", "3 $: KH KC split [8D stand] [9C stand]; dealer: 9S 8D",
            "stand 3b => touch 3 cards | stand 3b",
        ),
        every("touched.wager", PLAN, "stand 3 => touch 3 wager | stand 3"),
        every("touched.wager.tucking", PLAN, "tuck 3 => touch 3 wager | tuck 3"),
        every("touched.settled_wager", "3 $ /2 $: TH 9C stand; dealer: 9S 8D",
            "pay 3 $ => pay 3 $ | touch 3 wager",
        ),
    ],
};

const PLAN: &str = "3 $: TH 9C stand; dealer: 9S 8D";

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Touch(box_no, what) = act else { return };
    let tags = match what {
        Touched::Cards => cards(table, *box_no),
        Touched::Wager => wager(table, *box_no),
    };
    let Some((tags, expected)) = tags else { return };
    report.raise(Finding::on_box(*box_no, tags, expected, format!("a player touched the {what} of box {box_no}")));
}

type Told = (&'static [&'static str], &'static str);

fn cards(table: &Table<'_>, box_no: table::BoxNo) -> Option<Told> {
    let hands = &table.box_at(box_no).hands;
    if !table.rules.players_touch_cards {
        return Some((&["touched.cards"], "only the dealer touches the cards"));
    }
    if hands.len() > 1 {
        return Some((&["touched.cards.split"], "nobody but the dealer touches cards after a split"));
    }
    let tucked = hands.iter().any(|hand| hand.tucked);
    tucked.then_some((&["touched.cards.tucked"], "tucked cards are not touched again"))
}

fn wager(table: &Table<'_>, box_no: table::BoxNo) -> Option<Told> {
    let stakes = || table.wagers.on_box(box_no).filter(|on| is_hand_stake(on.wager) && !on.withdrawn);
    let open = stakes().any(|on| !on.fate.is_settled());
    // Whoever was paid even money may take the chips at once.
    let collected = stakes().any(|on| on.even_money.is_some() && on.fate.is_settled());
    if table.deal == Deal::Betting || !open || collected {
        return None;
    }
    if stakes().any(|on| on.fate.is_settled()) {
        return Some((&["touched.settled_wager"], "a winner is taken up once the whole box is paid"));
    }
    let tucking = table.rules.players_touch_cards && table.box_at(box_no).hands.iter().any(|hand| hand.stood);
    let tags: &[&str] = if tucking { &["touched.wager.tucking", "touched.wager"] } else { &["touched.wager"] };
    Some((tags, "nobody touches a wager until it is settled"))
}
