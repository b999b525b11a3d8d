//! The game is played with a wrong number of decks.

use table::round::Mix;

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "wrong_deck_count",
    kind: FlagKind::Irregularity,
    finds: "The table runs with fewer or more decks than the rulebook allows for the game or for a side bet on it, or \
            with another number than was fixed beforehand.",
    matters: "What every bet is worth depends on the number of decks.",
    tags: &[
        "wrong_deck_count.super_sevens",
        "wrong_deck_count.kings_bounty",
        "wrong_deck_count.war",
        "wrong_deck_count.machine",
        "wrong_deck_count.changed",
        "wrong_deck_count",
    ],
    runs: &[Run::Act(&[ActKind::FirstCard], look)],
    templates: &[
        Template {
            tag: "wrong_deck_count",
            fits: |rules| rules.decks == 6,
            options: "",
            plan: concat!("shoe: cards checked 6 shuffle offer-cut 3 cut 3 104 cut-card-in 52 burn XX; ", one_round!()),
            spoil: "cards checked 6 => cards checked 9",
        },
        Template {
            tag: "wrong_deck_count",
            fits: |rules| rules.decks == 2,
            options: "",
            plan: concat!("shoe: cards checked 2 shuffle cut 3 52; ", one_round!()),
            spoil: "cards checked 2 => cards checked 3",
        },
        Template {
            tag: "wrong_deck_count",
            fits: |rules| rules.decks == 1,
            options: "",
            plan: concat!("shoe: cards checked 1 shuffle cut 3; ", one_round!()),
            spoil: "cards checked 1 => cards checked 2",
        },
        Template {
            tag: "wrong_deck_count.machine",
            fits: EVERY_GAME,
            options: "csm=true",
            plan: concat!(
                "shoe: cards checked 6 shuffle wash shuffle stack shuffle riffle shuffle machine; ",
                one_round!(),
            ),
            spoil: "cards checked 6 => cards checked 9",
        },
        Template {
            tag: "wrong_deck_count.changed",
            fits: EVERY_GAME,
            options: "",
            plan: concat!("shoe: cards checked 6 shuffle offer-cut 3 cut 3 104 cut-card-in 52 burn XX; ", one_round!()),
            spoil: "cards checked 6 => cards checked 8",
        },
        Template {
            tag: "wrong_deck_count.super_sevens",
            fits: EVERY_GAME,
            options: "",
            plan: "shoe: cards checked 6 shuffle offer-cut 3 cut 3 104 cut-card-in 52 burn XX; 3 $ super_sevens $: \
                   TH 9C stand; dealer: 9S 8D",
            spoil: "cards checked 6 => cards checked 4",
        },
        Template {
            tag: "wrong_deck_count.kings_bounty",
            fits: |rules| rules.decks == 6,
            options: "",
            plan: "shoe: cards checked 6 shuffle; 3 $ kings_bounty $: TH 9C stand; dealer: 9S 8D",
            spoil: "cards checked 6 => cards checked 4",
        },
        Template {
            tag: "wrong_deck_count.war",
            fits: |rules| rules.decks == 6,
            options: "war=on",
            plan: "shoe: cards checked 6 shuffle; 3 $ war $: TH 9C stand; dealer: 9S 8D",
            spoil: "cards checked 6 => cards checked 4",
        },
        Template {
            tag: "wrong_deck_count.kings_bounty",
            fits: |rules| rules.decks == 2,
            options: "kings_bounty=on",
            plan: "3 $: TH 9C stand; dealer: 9S 8D",
            spoil: "bet 3 $ => bet 3 $ | bet 3 kings_bounty $; stand 3 => take 3 kings_bounty | stand 3",
        },
        Template {
            tag: "wrong_deck_count.war",
            fits: |rules| rules.decks == 2,
            options: "war=on",
            plan: "3 $: TH 9C stand; dealer: JS 8D",
            spoil: "bet 3 $ => bet 3 $ | bet 3 war $; card 3 9C down => take 3 war | card 3 9C down",
        },
    ],
};

/// Side bets that need so many decks, and their tags.
const SIDE_BETS: [(SideBet, &str); 3] = [
    (SideBet::SuperSevens, "wrong_deck_count.super_sevens"),
    (SideBet::KingsBounty, "wrong_deck_count.kings_bounty"),
    (SideBet::War, "wrong_deck_count.war"),
];

fn look(table: &Table<'_>, _: &Act, report: &mut Report<'_>) {
    let (rules, shoe) = (table.rules, &table.shoe);
    let decks = shoe.supply.map_or(rules.decks, |supply| supply.decks);
    for (bet, tag) in SIDE_BETS {
        let least = rules.side(bet).and_then(|terms| terms.decks_min).unwrap_or(0);
        let bet_on = || table.wagers.has_kind(WagerKind::Side(bet));
        if decks < least && bet_on() {
            report.raise(Finding::on_table(
                &[tag],
                format!("{} is played with {least} decks or more", spoken(bet)),
                format!("{} was bet on with {}", spoken(bet), several(decks, "deck")),
            ));
        }
    }
    let lawful = (rules.decks_min..=rules.decks_max).contains(&decks);
    let news = shoe.supply.is_some() || (shoe.decks.is_none() && shoe.rounds == 0);
    if !lawful && news {
        let machine = rules.csm || shoe.was_mixed_by(Mix::Machine);
        let tags: &[&str] =
            if machine { &["wrong_deck_count.machine", "wrong_deck_count"] } else { &["wrong_deck_count"] };
        let range = match (rules.decks_min, rules.decks_max) {
            (min, max) if min == max => format!("the game is played with {}", several(min, "deck")),
            (min, max) => format!("the game is played with {min} to {max} decks"),
        };
        report.raise(Finding::on_table(tags, range, format!("the game was played with {}", several(decks, "deck"))));
    } else if lawful {
        let settled = if shoe.supply.is_some() { Some(rules.decks) } else { shoe.decks };
        if let Some(settled) = settled.filter(|settled| *settled != decks) {
            report.raise(Finding::on_table(
                &["wrong_deck_count.changed"],
                format!("the game goes on with {}", several(settled, "deck")),
                format!("the game was played with {}", several(decks, "deck")),
            ));
        }
    }
}
