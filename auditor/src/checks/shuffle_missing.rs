//! Cards were dealt that should have been shuffled first.

use table::round::Preparation;

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "shuffle_missing",
    kind: FlagKind::Irregularity,
    finds: "A round was dealt although a shuffle was due: before the first round, for a new shoe, after the cutting \
            card had come, after a face was shown on the way into the shoe, or of the discards used to finish a \
            round.",
    matters: "Cards whose order may be known are no game of chance; whoever followed them bets with an edge.",
    tags: &[
        "shuffle_missing.start",
        "shuffle_missing.new_shoe",
        "shuffle_missing.cut_card_first",
        "shuffle_missing.after_cut_card",
        "shuffle_missing.again",
        "shuffle_missing.exposed",
        "shuffle_missing.discards",
        "shuffle_missing",
    ],
    runs: &[
        Run::Act(&[ActKind::FirstCard], look),
        Run::Act(&[ActKind::Shoe], look_at_discards),
        Run::Ends(look_past_cut_card),
    ],
    templates: &[
        Template {
            tag: "shuffle_missing.start",
            fits: |rules| rules.decks == 6,
            options: "",
            plan: concat!("shoe: cards checked 6 shuffle offer-cut 3 cut 3 104 cut-card-in 52 burn XX; ", one_round!()),
            spoil: "shuffle =>",
        },
        Template {
            tag: "shuffle_missing.start",
            fits: |rules| rules.decks == 1,
            options: "",
            plan: concat!("shoe: cards checked 1 shuffle; ", one_round!()),
            spoil: "shuffle =>",
        },
        Template {
            tag: "shuffle_missing.new_shoe",
            fits: EVERY_GAME,
            options: "",
            plan: concat!(one_round!(), "\n---\n", ready!(), another_round!()),
            spoil: "shuffle =>",
        },
        Template {
            tag: "shuffle_missing.cut_card_first",
            fits: dealt_face_up,
            options: "",
            plan: concat!(one_round!(), "\n---\n", ready!(), another_round!()),
            spoil: "shuffle => cut-card; offer-cut 3 => ; cut 3 104 => ; cut-card-in 52 => ; burn XX =>",
        },
        Template {
            tag: "shuffle_missing.after_cut_card",
            fits: dealt_face_up,
            options: "",
            plan: concat!(one_round!(), "\n---\n", ready!(), another_round!()),
            spoil: "card 3 9C => cut-card | card 3 9C; shuffle => ; offer-cut 3 => ; cut 3 104 => ; cut-card-in 52 \
                    => ; burn XX =>",
        },
        Template {
            tag: "shuffle_missing",
            fits: dealt_face_up,
            options: "",
            plan: concat!(one_round!(), "\n---\n", ready!(), another_round!()),
            spoil: "card 3 9C => cut-card | card 3 9C; shuffle => ; offer-cut 3 => ; cut 3 104 => ; cut-card-in 52 \
                    => ; burn XX =>",
        },
        Template {
            tag: "shuffle_missing.again",
            fits: dealt_face_up,
            options: "",
            plan: concat!(
                one_round!(),
                "\n---\n",
                another_round!(),
                "\n---\n",
                ready!(),
                "1 $: 7C TH stand; dealer: TC 8C",
            ),
            spoil: "card 3 9C => cut-card | card 3 9C; stand 3 => stand 3; card 3 TC => card 3 TC | supervisor; \
                    shuffle => ; offer-cut 3 => ; cut 3 104 => ; cut-card-in 52 => ; burn XX =>",
        },
        Template {
            tag: "shuffle_missing.exposed",
            fits: EVERY_GAME,
            options: "",
            plan: concat!(ready!(), one_round!()),
            spoil: "cut 3 104 => exposed 4D | cut 3 104",
        },
        Template {
            tag: "shuffle_missing.discards",
            fits: EVERY_GAME,
            options: "",
            plan: one_round!(),
            spoil: "card dealer 8D => cut 3 52 | card dealer 8D",
        },
    ],
};

fn look(table: &Table<'_>, _: &Act, report: &mut Report<'_>) {
    let shoe = &table.shoe;
    if table.rules.csm {
        return;
    }
    if shoe.shown_loading {
        report.raise(Finding::on_table(
            &["shuffle_missing.exposed", "shuffle_missing"],
            "the cards are shuffled again when a face was shown on the way into the shoe",
            "the cards were dealt as they lay",
        ));
    }
    if shoe.mixed != 0 {
        return;
    }
    let (tags, expected): (&[&str], _) = match shoe.supply {
        Some(supply) if matches!(supply.prepared, Preparation::Preshuffled | Preparation::Sealed) => return,
        Some(supply) if !supply.replacement => {
            (&["shuffle_missing.start", "shuffle_missing"], "the cards are shuffled before the start of play")
        }
        None if !shoe.loaded => return,
        _ => (&["shuffle_missing.new_shoe", "shuffle_missing"], "the cards are shuffled for a new shoe"),
    };
    report.raise(Finding::on_table(tags, expected, "the round was dealt without a shuffle"));
}

/// Discards that are loaded to finish a round.
fn look_at_discards(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let loads = matches!(act, Act::Cut { .. } | Act::CutCardIn(_));
    let in_round = table.deal != Deal::Betting && !table.cleared;
    if loads && in_round && table.shoe.mixed == 0 && !table.shoe.loaded && !table.rules.csm {
        report.raise(Finding::on_table(
            &["shuffle_missing.discards", "shuffle_missing"],
            "discards are shuffled before they finish a round",
            "the discards were put into the shoe unshuffled",
        ));
    }
}

/// Rounds dealt past the cutting card. The first of them stands if it was noticed, and the shuffle follows it.
fn look_past_cut_card(table: &Table<'_>, report: &mut Report<'_>) {
    let shoe = &table.shoe;
    let announced = shoe.final_rounds && shoe.rounds_since_final <= 3 && report.cites("shuffled_in_final_rounds");
    if table.rules.csm || shoe.cut_card_out.is_none() || announced {
        return;
    }
    let noticed = table.supervisor_at.is_some_and(|called| called > table.opened_at);
    let (tags, expected): (&[&str], _) = match (shoe.rounds_since_cut_card, shoe.cut_card_came) {
        (0, _) => return,
        (1, _) if noticed => return,
        (1, Some(Came::First)) => (
            &["shuffle_missing.cut_card_first", "shuffle_missing"],
            "the cards are shuffled when the cutting card comes first",
        ),
        (1, _) => (
            &["shuffle_missing.after_cut_card", "shuffle_missing"],
            "the cards are shuffled after the round in which the cutting card came",
        ),
        _ => (
            &["shuffle_missing.again", "shuffle_missing"],
            "a missed shuffle is made up after one round",
        ),
    };
    let past = shoe.rounds_since_cut_card;
    let observed = format!("round {past} since the cutting card came was dealt without a shuffle");
    report.raise(Finding::on_table(tags, expected, observed).shown_by(table.opened_at));
}
