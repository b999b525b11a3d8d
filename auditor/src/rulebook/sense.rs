//! Contradictions: parameters that are each right and cannot all be meant.

use table::SideBet;

use super::side::SideOffer;
use crate::rules::{BackSplit, EvenMoney, NaturalTiming, Rules, Surrender};

/// Parameters that cannot stand together, and why.
pub(super) struct Contradiction {
    pub(super) between: &'static [&'static str],
    pub(super) message: String,
}

type Test = fn(&Rules) -> Option<String>;

/// Every contradiction we know: the parameters it is between, and the test.
const TESTS: &[(&[&str], Test)] = &[
    (&["decks_min", "decks_max"], |r| {
        (r.decks_min > r.decks_max).then(|| format!("decks_min {} is above decks_max {}", r.decks_min, r.decks_max))
    }),
    (&["bj_pays", "bj_pays_allowed"], |r| {
        let odds = &r.bj_pays_allowed.0;
        (!odds.is_empty() && !odds.contains(&r.bj_pays))
            .then(|| format!("bj_pays {} is not among bj_pays_allowed", r.bj_pays))
    }),
    (&["even_money", "bj_pays_allowed"], |r| {
        let three_to_two = r.bj_pays_allowed.0.iter().any(|odds| (odds.pays(), odds.per()) == (3, 2));
        (r.even_money == EvenMoney::AceIfThreeToTwo && !r.bj_pays_allowed.0.is_empty() && !three_to_two)
            .then(|| "even_money ace_if_3to2 where no natural can pay 3:2".to_owned())
    }),
    (&["bj_timing", "hole_card"], |r| {
        (r.bj_timing == NaturalTiming::AfterPeek && !r.hole_card)
            .then(|| "bj_timing after_peek without a hole card to peek at".to_owned())
    }),
    (&["surrender", "hole_card"], |r| match (r.surrender, r.hole_card) {
        (Surrender::Provisional, true) => Some("surrender provisional with a hole card, which settles it".to_owned()),
        (Surrender::Late, false) => Some("surrender late without a hole card to be late for".to_owned()),
        _ => None,
    }),
    (&["bust_waits", "hole_card"], |r| {
        (r.bust_waits && r.hole_card).then(|| "bust_waits with a hole card: there is nothing to wait for".to_owned())
    }),
    (&["double_cards"], |r| {
        r.double_cards.filter(|cards| *cards < 2).map(|cards| format!("double_cards {cards}: a hand has two at least"))
    }),
    (&["double_total_max"], |r| {
        (r.double_total_max > 21).then(|| format!("double_total_max {} is a bust", r.double_total_max))
    }),
    (&["free_double", "double_total_max"], |r| {
        let above = (0..32).find(|total| r.free_double.has(*total) && *total > u16::from(r.double_total_max));
        above.map(|total| format!("free_double {total} is above double_total_max {}", r.double_total_max))
    }),
    (&["free_double_after_split", "free_double", "das"], |r| {
        (r.free_double_after_split && r.free_double.any() && !r.das)
            .then(|| "free_double_after_split without das".to_owned())
    }),
    (&["split_max_hands"], |r| {
        r.split_max_hands
            .filter(|hands| *hands < 2)
            .map(|hands| format!("split_max_hands {hands}: a split makes two hands"))
    }),
    (&["resplit_aces", "split_max_hands"], |r| {
        (r.resplit_aces && r.split_max_hands == Some(2))
            .then(|| "resplit_aces with split_max_hands 2: no hand is left to split into".to_owned())
    }),
    (&["free_resplit", "free_split"], |r| {
        (r.free_resplit && !r.free_split).then(|| "free_resplit without free_split".to_owned())
    }),
    (&["forced_hit_below"], |r| {
        (r.forced_hit_below > 21).then(|| format!("forced_hit_below {} forces a bust", r.forced_hit_below))
    }),
    (&["max_cards"], |r| {
        r.max_cards.filter(|cards| *cards < 3).map(|cards| format!("max_cards {cards}: nobody could draw"))
    }),
    (&["five_card_wins", "max_cards"], |r| {
        (r.five_card_wins && r.max_cards != Some(5)).then(|| "five_card_wins without max_cards 5".to_owned())
    }),
    (&["zap_soft", "zap"], |r| (r.zap_soft && !r.zap.any()).then(|| "zap_soft without zap".to_owned())),
    (&["ante_posted", "ante"], |r| (r.ante_posted.is_some() && !r.ante).then(|| "ante_posted without ante".to_owned())),
    (&["ante_waive_at", "ante"], |r| {
        (r.ante_waive_at.is_some() && !r.ante).then(|| "ante_waive_at without ante".to_owned())
    }),
    (&["bet_min", "bet_max"], |r| match (r.bet_min, r.bet_max) {
        (Some(min), Some(max)) if min > max => Some(format!("bet_min {min} is above bet_max {max}")),
        _ => None,
    }),
    (&["bet_min", "table_min_max"], |r| match (r.bet_min, r.table_min_max) {
        (Some(min), Some(max)) if min > max => Some(format!("bet_min {min} is above table_min_max {max}")),
        _ => None,
    }),
    (&["boxes_max"], |r| {
        (!(1..=9).contains(&r.boxes_max)).then(|| format!("boxes_max {}: a table has 1 to 9 boxes", r.boxes_max))
    }),
    (&["war_boxes_max", "boxes_max"], |r| {
        r.war_boxes_max
            .filter(|boxes| *boxes > r.boxes_max)
            .map(|boxes| format!("war_boxes_max {boxes} is above boxes_max {}", r.boxes_max))
    }),
    (&["bettors_per_box"], |r| {
        (!(1..=9).contains(&r.bettors_per_box))
            .then(|| format!("bettors_per_box {}: a box takes 1 to 9 bettors", r.bettors_per_box))
    }),
    (&["back_split", "bettors_per_box"], |r| {
        (r.back_split == BackSplit::None && r.bettors_per_box > 1)
            .then(|| format!("back_split none with {} bettors to a box", r.bettors_per_box))
    }),
    (&["cut_card_back_max"], |r| {
        r.cut_card_back_max
            .filter(|part| *part > 100)
            .map(|part| format!("cut_card_back_max {part}: there are 100 hundredths in a stack"))
    }),
];

/// Why the number of decks is outside the rulebook's range, if it is. Apart from the others because a table that
/// runs with the wrong number is a finding about the table, not a fault of its configuration.
pub(super) fn decks(rules: &Rules) -> Option<Contradiction> {
    let Rules { decks, decks_min, decks_max, .. } = *rules;
    (decks_min <= decks_max && !(decks_min..=decks_max).contains(&decks)).then(|| Contradiction {
        between: &["decks", "decks_min", "decks_max"],
        message: format!("decks {decks} is outside {decks_min} to {decks_max}"),
    })
}

/// Every contradiction among the parameters but the number of decks.
pub(super) fn contradictions(rules: &Rules) -> Vec<Contradiction> {
    let broken = |(between, test): &(&'static [&'static str], Test)| {
        test(rules).map(|message| Contradiction { between, message })
    };
    TESTS.iter().filter_map(broken).collect()
}

/// What is wrong with the terms of the side bets, each with the bet it is about.
pub(super) fn side_faults(sides: &[SideOffer], rules: &Rules) -> Vec<(SideBet, String)> {
    let mut found = Vec::new();
    for SideOffer { bet, rules: terms, offered } in sides {
        if terms.scales.is_empty() {
            found.push((*bet, format!("{bet} has no scales")));
        } else if !(1..=terms.scales.len()).contains(&terms.scale) {
            found.push((*bet, format!("{bet} has {} scales, not a scale {}", terms.scales.len(), terms.scale)));
        }
        for other in &terms.excludes {
            let mutual = sides.iter().find(|side| side.bet == *other).is_none_or(|o| o.rules.excludes.contains(bet));
            if other == bet {
                found.push((*bet, format!("{bet} excludes itself")));
            } else if !mutual {
                found.push((*bet, format!("{bet} excludes {other}, but {other} does not exclude {bet}")));
            }
        }
        if let Some(decks) = terms.decks_min.filter(|decks| *offered && *decks > rules.decks_max) {
            found.push((*bet, format!("{bet} needs {decks} decks, the game has at most {}", rules.decks_max)));
        }
        if terms.cap_joint && terms.cap.is_none() {
            found.push((*bet, format!("{bet} has cap_joint without cap")));
        }
        if matches!(bet, SideBet::Over13 | SideBet::Under13) && ![1, 11].contains(&rules.overunder_ace) {
            found.push((*bet, format!("{bet} needs overunder_ace 1 or 11, not {}", rules.overunder_ace)));
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_contradiction_is_between_parameters_that_exist() {
        for (between, _) in TESTS {
            assert!(!between.is_empty());
            for key in *between {
                assert!(Rules::PARAMETERS.iter().any(|(known, _)| known == key), "{key}");
            }
        }
    }
}
