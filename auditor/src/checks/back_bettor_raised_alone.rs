//! A bettor behind doubled or split although the player did not.

use super::prelude::*;

pub(super) static CHECK: Check = Check {
    name: "back_bettor_raised_alone",
    kind: FlagKind::DealerError,
    finds: "A bettor behind was let put up a further stake for a double or a split that the player of the box declined.",
    matters: "The player decides for the box; a stake added alone is a bet on cards already seen.",
    tags: &["back_bettor_raised_alone", "back_bettor_raised_alone.double", "back_bettor_raised_alone.split"],
    runs: &[Run::Ends(look)],
    templates: &[
        every("back_bettor_raised_alone", HIT, DOUBLED_ALONE),
        every("back_bettor_raised_alone.double", HIT, DOUBLED_ALONE),
        every("back_bettor_raised_alone.split", "3 $ /2 $: KH KC split [8D stand] [9C stand]; dealer: 9S 8D",
            "split 3 => ; pay 3b $ =>",
        ),
    ],
};

const HIT: &str = "3 $ /2 $: 5H 3C hit TD stand; dealer: 9S 8D";
const DOUBLED_ALONE: &str =
    "card 3 TD => double 3/2 $ | card 3 TD; pay 3/2 $ => pay 3/2 $ | pay 3/2 double $";

fn look(table: &Table<'_>, report: &mut Report<'_>) {
    let behind = |standing: &&Standing| standing.wager.bettor != Bettor::SEATED && !standing.withdrawn;
    for standing in table.wagers.iter().filter(behind) {
        let wager = standing.wager;
        let tag = match wager.kind {
            WagerKind::Double => "back_bettor_raised_alone.double",
            WagerKind::Split => "back_bettor_raised_alone.split",
            _ => continue,
        };
        let own = wager.by(Bettor::SEATED);
        let joined = table.wagers.get(Wager { tip: false, ..own }).is_some_and(|own| !own.withdrawn);
        // On a box where nobody sits, the bettor nearest the dealer decides.
        if joined || !table.wagers.has_seated(wager.box_no) {
            continue;
        }
        let tags = [tag, "back_bettor_raised_alone"];
        let finding = Finding::at(
            wager.place(),
            &tags,
            "a bettor behind adds a stake only when the player does",
            format!("{} of {} was placed and the player added none", name(wager), standing.stake),
        );
        report.raise(finding.shown_by(standing.at));
    }
}
