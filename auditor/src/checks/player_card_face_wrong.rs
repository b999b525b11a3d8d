//! A player's card lay the wrong way up.

use table::{Face, Hand};

use super::prelude::*;

const ONE_BOX: &str = "3 $: TH 9C stand; dealer: 9S 8D";
const ONE_HIT: &str = "3 $: TH 4C hit 5D stand; dealer: 9S 8D";

pub(super) static CHECK: Check = Check {
    name: "player_card_face_wrong",
    kind: FlagKind::DealerError,
    finds: "A player's first, second or drawn card was dealt face down where the game deals face up, or face up where \
            it deals face down.",
    matters: "Who may see a card is part of the game: a hidden card cannot be verified, a shown one tells the other \
              players too much.",
    tags: &[
        "player_card_face_wrong.first.war",
        "player_card_face_wrong.first",
        "player_card_face_wrong.second",
        "player_card_face_wrong.hit",
        "player_card_face_wrong",
    ],
    runs: &[Run::Act(&[ActKind::Card], look)],
    templates: &[
        Template {
            tag: "player_card_face_wrong.first",
            fits: dealt_face_up,
            options: "",
            plan: ONE_BOX,
            spoil: "card 3 TH => card 3 TH down",
        },
        Template {
            tag: "player_card_face_wrong.first",
            fits: dealt_face_down,
            options: "",
            plan: ONE_BOX,
            spoil: "card 3 TH down => card 3 TH; turn 3 TH =>",
        },
        Template {
            tag: "player_card_face_wrong.first.war",
            fits: dealt_face_up,
            options: "war=on",
            plan: "3 $ war $: TH 9C stand; dealer: 9S 8D",
            spoil: "card 3 TH => card 3 TH down",
        },
        Template {
            tag: "player_card_face_wrong",
            fits: dealt_face_up,
            options: "",
            plan: ONE_BOX,
            spoil: "card 3 TH => card 3 TH down",
        },
        Template {
            tag: "player_card_face_wrong.second",
            fits: dealt_face_up,
            options: "",
            plan: ONE_BOX,
            spoil: "card 3 9C => card 3 9C down",
        },
        Template {
            tag: "player_card_face_wrong.second",
            fits: dealt_face_down,
            options: "",
            plan: ONE_BOX,
            spoil: "card 3 9C down => card 3 9C; turn 3 9C =>",
        },
        Template {
            tag: "player_card_face_wrong.hit",
            fits: EVERY_GAME,
            options: "",
            plan: ONE_HIT,
            spoil: "card 3 5D => card 3 5D down",
        },
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Card { to: to @ Place::Box(box_no, letter), face, .. } = act else { return };
    let hand = table.hand(*to);
    let held = hand.map_or(0, |hand| hand.play.cards.len());
    let initial = table.deal != Deal::Done && *letter == Hand::A && held < 2;
    let due = match table.rules.player_cards {
        _ if !initial => Face::Up,
        PlayerCards::Up => Face::Up,
        PlayerCards::Down => Face::Down,
        PlayerCards::Either => return,
    };
    // How the card of a double lies is a rule of its own.
    if *face == due || hand.is_some_and(|hand| hand.play.doubled) {
        return;
    }
    let war = table.wagers.of_kind(WagerKind::Side(SideBet::War)).any(|standing| standing.wager.box_no == *box_no);
    let tags: &[&str] = match held {
        0 if war => {
            &["player_card_face_wrong.first.war", "player_card_face_wrong.first", "player_card_face_wrong"]
        }
        0 => &["player_card_face_wrong.first", "player_card_face_wrong"],
        _ if initial => &["player_card_face_wrong.second", "player_card_face_wrong"],
        _ => &["player_card_face_wrong.hit", "player_card_face_wrong"],
    };
    report.raise(Finding::at(
        *to,
        tags,
        format!("the card is dealt face {due}"),
        format!("the card was dealt face {face}"),
    ));
}
