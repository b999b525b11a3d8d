//! A player asked for something the rules allow and did not get it.

use super::prelude::*;
use crate::hand::End;
use crate::rules::EvenMoney;

pub(super) static CHECK: Check = Check {
    name: "request_refused",
    kind: FlagKind::DealerError,
    finds: "A lawful request was passed over: a card asked for did not come, the stake of a double, split or insurance \
            was handed back, or a natural that asked for even money was settled as if it had not.",
    matters: "The rulebook gives the choice to the player; taking it away changes what the player can win.",
    tags: &[
        "request_refused.hit",
        "request_refused.double",
        "request_refused.double.back_bettor",
        "request_refused.double.free",
        "request_refused.split",
        "request_refused.split.back_bettor",
        "request_refused.split.free",
        "request_refused.on_split_hand",
        "request_refused.on_split_hand.double",
        "request_refused.insurance",
        "request_refused.insurance.offer_late",
        "request_refused.insurance.back_bettor",
        "request_refused.even_money",
        "request_refused.even_money.back_bettor",
    ],
    runs: &[Run::Act(&[ActKind::Settle], look), Run::Missettled(look_at_even_money), Run::Ends(look_at_hits)],
    templates: &[
        every("request_refused.hit", "3 $: TH 4C hit 5D stand; dealer: 9S 8D",
            "card 3 5D => ; stand 3 => ; pay 3 $ => take 3",
        ),
        every("request_refused.double", "3 $: 5H 3C hit TD stand; dealer: 9S 8D",
            "hit 3 => double 3 $ | return 3 double | hit 3",
        ),
        every("request_refused.double.back_bettor", "3 $ /2 $: 5H 3C double /2 stay TD; dealer: 9S 8D",
            "double 3 => double 3 | double 3/2 $ | return 3/2 double",
        ),
        every("request_refused.double.free", "3 $: 5H 4C hit TD stand; dealer: 9S 8D",
            "hit 3 => double 3 free | return 3 double | hit 3",
        ),
        every("request_refused.split", "3 $: KH KC stand; dealer: 9S 8D",
            "stand 3 => split 3 $ | return 3b | stand 3",
        ),
        every("request_refused.split.back_bettor", "3 $ /2 $: KH KC split /2 stay [8D stand] [9C stand]; dealer: 9S 8D",
            "split 3 => split 3 | split 3/2 $ | return 3b/2",
        ),
        every("request_refused.split.free", "3 $: 8H 8C stand; dealer: 9S 8D",
            "stand 3 => split 3 free | return 3b | stand 3",
        ),
        every("request_refused.on_split_hand", "3 $: KH KC split [4D hit 5D stand] [9C stand]; dealer: 9S 8D",
            "card 3 5D => ; stand 3 => ; pay 3 $ => take 3",
        ),
        every("request_refused.on_split_hand.double", "3 $: KH KC split [4D hit 5D stand] [9C stand]; dealer: 9S 8D",
            "hit 3 => double 3 $ | return 3 double | hit 3",
        ),
        every("request_refused.insurance", "3 $: TH 9C stand; dealer: AS 7D",
            "offer-insurance => offer-insurance | insure 3 $/2 | return 3 insurance",
        ),
        every("request_refused.insurance.offer_late", "3 $: TH 4C hit 5D stand; dealer: AS 7D",
            "offer-insurance => ; card 3 5D => card 3 5D | offer-insurance | insure 3 $/2 | return 3 insurance",
        ),
        every("request_refused.insurance.back_bettor", "3 $ /2 $: TH 9C stand; dealer: AS 7D",
            "offer-insurance => offer-insurance | insure 3/2 $/2 | return 3/2 insurance",
        ),
        every("request_refused.even_money", "3 $: AH KC; dealer: AS 7D",
            "offer-insurance => offer-insurance | even-money 3",
        ),
        every("request_refused.even_money.back_bettor", "3 $ /2 $: AH KC; dealer: AS 7D",
            "offer-insurance => offer-insurance | even-money 3/2",
        ),
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let Act::Return(wager) = act else { return };
    let Some(standing) = table.wagers.get(*wager) else { return };
    if table.void || table.repaired || wager.tip || standing.fate.is_settled() || !table.is_live(wager.place()) {
        return;
    }
    let asked = match wager.kind {
        WagerKind::Double => double(table, standing),
        WagerKind::Split => split(table, standing),
        WagerKind::Insurance => insurance(table, standing),
        _ => None,
    };
    if let Some(tags) = asked {
        report.raise(Finding::at(
            wager.place(),
            tags,
            format!("{} of {} is accepted", name(*wager), standing.stake),
            "it was refused and handed back",
        ));
    }
}

type Named = Option<&'static [&'static str]>;

fn double(table: &Table<'_>, standing: &Standing) -> Named {
    let wager = standing.wager;
    let hand = table.hand(wager.place())?;
    let full = table.wagers.stake_of(wager)?.stake;
    if hand.since_double > 0 || !may_double(table, wager.place()) || standing.stake != full {
        return None;
    }
    let points = hand.points()?;
    let free = hand.play.cards.len() == 2 && table.rules.free_double.has(points);
    match (standing.free, wager.bettor == Bettor::SEATED) {
        (true, _) => free.then_some(&["request_refused.double.free"]),
        (_, false) => {
            let joined = table.wagers.get(wager.by(Bettor::SEATED)).is_some_and(|own| !own.withdrawn);
            joined.then_some(&["request_refused.double.back_bettor", "request_refused.double"])
        }
        _ if hand.play.split => Some(&[
            "request_refused.on_split_hand.double",
            "request_refused.on_split_hand",
            "request_refused.double",
        ]),
        _ => Some(&["request_refused.double"]),
    }
}

fn split(table: &Table<'_>, standing: &Standing) -> Named {
    let wager = standing.wager;
    let state = table.box_at(wager.box_no);
    let at = state.order.iter().position(|letter| usize::from(*letter) == wager.hand.index())?;
    let parent = state.hands.get(usize::from(*state.order.get(at.checked_sub(1)?)?))?;
    let (first, second) = match (parent.play.cards.as_slice(), table.hand(wager.place())?.play.cards.as_slice()) {
        ([first], [second]) => (*first, *second),
        _ => return None,
    };
    let hands = state.hands.len().checked_sub(1)?;
    if !may_split(table, first, second, hands) {
        return None;
    }
    let tens = first.rank().is_some_and(|rank| rank.points() == 10);
    match (standing.free, wager.bettor == Bettor::SEATED) {
        (true, _) => (table.rules.free_split && !tens).then_some(&["request_refused.split.free"]),
        (_, false) => {
            let joined = table.wagers.get(wager.by(Bettor::SEATED)).is_some_and(|own| !own.withdrawn);
            joined.then_some(&["request_refused.split.back_bettor", "request_refused.split"])
        }
        _ if hands > 1 => Some(&["request_refused.on_split_hand", "request_refused.split"]),
        _ => Some(&["request_refused.split"]),
    }
}

fn insurance(table: &Table<'_>, standing: &Standing) -> Named {
    let wager = standing.wager;
    let hand = table.hand(wager.place())?;
    let main = table.wagers.main_of(wager)?;
    let most = insurance_most(table, wager)?;
    let natural = hand.play.is_natural() && !table.rules.insurance_on_bj;
    let off = table.rules.insurance_multiple.is_some_and(|step| !is_multiple(standing.stake, step));
    let right = main.even_money.is_some() || standing.too_late || standing.stake > most || natural || off;
    if right || !table.dealer_hand().shows_ace() || table.second_card_known() {
        return None;
    }
    Some(if table.drawn > 0 {
        &["request_refused.insurance.offer_late", "request_refused.insurance"]
    } else if wager.bettor != Bettor::SEATED {
        &["request_refused.insurance.back_bettor", "request_refused.insurance"]
    } else {
        &["request_refused.insurance"]
    })
}

fn look_at_even_money(table: &Table<'_>, judgement: &Judgement<'_>, report: &mut Report<'_>) {
    let wager = judgement.wager();
    let lawful = table.dealer_hand().shows_ace() && table.rules.even_money != EvenMoney::Never;
    if judgement.wrong != Wrong::AsIfNotAsked || !lawful || judgement.standing.asked_after_peek {
        return;
    }
    let tags: &[&str] = if wager.bettor == Bettor::SEATED {
        &["request_refused.even_money"]
    } else {
        &["request_refused.even_money.back_bettor", "request_refused.even_money"]
    };
    let finding = Finding::at(
        wager.place(),
        tags,
        format!("{} is paid even money on request", name(wager)),
        format!("{} was {} as if nobody had asked", name(wager), judgement.observed()),
    );
    report.raise(finding.worth(judgement.gain));
}

fn look_at_hits(table: &Table<'_>, report: &mut Report<'_>) {
    if table.void || table.repaired {
        return;
    }
    for (place, hand) in table.hands() {
        let Some(points) = hand.points() else { continue };
        let full = table.rules.max_cards.is_some_and(|most| hand.play.cards.len() >= usize::from(most));
        let held = hand.split_ace && !table.rules.hit_split_aces;
        let over = hand.stood || hand.play.doubled || hand.play.end != End::Played;
        if hand.owed == 0 || points >= 21 || full || held || over {
            continue;
        }
        let tags: &[&str] = if hand.play.split {
            &["request_refused.on_split_hand", "request_refused.hit"]
        } else {
            &["request_refused.hit"]
        };
        report.raise(Finding::at(
            place,
            tags,
            "a card that is asked for is dealt",
            format!("no card came and the hand was left at {points}"),
        ));
    }
}
