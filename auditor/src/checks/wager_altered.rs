//! A standing wager was changed after the first card.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "wager_altered",
    kind: FlagKind::Irregularity,
    finds: "A stake was made larger, smaller or taken back between the first card and its settlement.",
    matters: "A stake changed once cards are known is another bet; the amount shown is what the change was worth.",
    tags: &[
        "wager_altered",
        "wager_altered.raised",
        "wager_altered.lowered",
        "wager_altered.removed",
        "wager_altered.optional",
        "wager_altered.house_money",
        "wager_altered.let_it_ride",
        "wager_altered.push22",
        "wager_altered.kings_bounty",
        "wager_altered.war",
    ],
    runs: &[Run::Act(&[ActKind::Alter, ActKind::Bet, ActKind::Insure], look)],
    templates: &[
        every("wager_altered", "3 $/2: TH 9C stand; dealer: 9S 8D",
            "stand 3 => alter 3 $ | stand 3; pay 3 $/2 => pay 3 $",
        ),
        every("wager_altered", "3 $: TH 6C stand; dealer: 9S 8D",
            "stand 3 => alter 3 $/2 | stand 3",
        ),
        every("wager_altered", "3 $: TH 6C stand; dealer: 9S 8D",
            "stand 3 => alter 3 0 | stand 3; take 3 =>",
        ),
        every("wager_altered.optional", "3 $ perfect_pair $: KH 8C stand; dealer: 9S 8D",
            "card dealer 9S => card dealer 9S | alter 3 perfect_pair $/2",
        ),
        every("wager_altered.house_money", "3 $ house_money $: KH 8C stand; dealer: 9S 8D",
            "card dealer 9S => card dealer 9S | alter 3 house_money $/2",
        ),
        every("wager_altered.let_it_ride", "3 $ let_it_ride $: KH 8C stand; dealer: 9S 8D",
            "card dealer 9S => card dealer 9S | alter 3 let_it_ride $/2",
        ),
        every("wager_altered.push22", "3 $ push22 $: KH 8C stand; dealer: 9S 8D",
            "card dealer 9S => card dealer 9S | alter 3 push22 $/2",
        ),
        with(
            "wager_altered.kings_bounty",
            |rules| rules.decks >= 6,
            "kings_bounty=on",
            "3 $ kings_bounty $: KH 8C stand; dealer: 9S 8D",
            "card dealer 9S => card dealer 9S | alter 3 kings_bounty $/2",
        ),
        with(
            "wager_altered.war",
            |rules| rules.decks >= 6,
            "war=on",
            "3 $ war $: 8H KC stand; dealer: 9S 8D",
            "card dealer 9S => card dealer 9S | alter 3 war $/2",
        ),
    ],
};

fn look(table: &Table<'_>, act: &Act, report: &mut Report<'_>) {
    let (wager, amount, added) = match act {
        Act::Alter(wager, amount) => (wager, *amount, false),
        Act::Bet(wager, amount) => (wager, *amount, true),
        _ => return,
    };
    let Some(standing) = table.wagers.get(*wager).filter(|standing| !standing.withdrawn) else { return };
    let amount = if added { standing.stake.plus(amount).unwrap_or(amount) } else { amount };
    // Insurance may be put right until play goes on.
    let open = wager.kind == WagerKind::Insurance && table.drawn == 0 && !table.dealer.peeked;
    if table.deal == Deal::Betting || open || standing.fate.is_settled() || amount == standing.stake {
        return;
    }
    let tag = tag_of(*wager, standing.stake, amount, report);
    let tags = [tag, "wager_altered"];
    let finding = Finding::at(
        wager.place(),
        &tags,
        format!("{} stays {} until it is settled", name(*wager), standing.stake),
        format!("{} was changed from {} to {amount}", name(*wager), standing.stake),
    );
    let change = amount.minus(standing.stake).unwrap_or_default();
    let worth = if change.is_negative() { Money::ZERO.minus(change).unwrap_or_default() } else { change };
    report.raise(finding.worth(worth));
}

fn tag_of(wager: Wager, from: Money, to: Money, report: &Report<'_>) -> &'static str {
    let own = side_bet(wager).map(|bet| side_tag(&CHECK, bet)).filter(|own| *own != CHECK.name && report.cites(own));
    match wager.kind {
        _ if own.is_some() => own.unwrap_or(CHECK.name),
        WagerKind::Main if to > from => "wager_altered.raised",
        WagerKind::Main if to == Money::ZERO => "wager_altered.removed",
        WagerKind::Main => "wager_altered.lowered",
        _ => "wager_altered.optional",
    }
}
