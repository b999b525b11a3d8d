//! Which flag answers which label of a round.

use table::{Flag, FlagKind, Money};

use crate::truth::Label;

type Fits = fn(&Label, &Flag) -> bool;

/// How well a flag can stand where a label says, best first.
///
/// The order gives the most answers there can be: a label that names a box takes a flag on the whole table before a label
/// that would take any, since that one may still find another.
const FITS: [Fits; 4] = [
    |label, flag| label.box_no.is_some() && label.box_no == flag.box_no && label.hand == flag.hand,
    |label, flag| label.box_no.is_some() && label.box_no == flag.box_no,
    |label, flag| label.box_no.is_some() && flag.box_no.is_none(),
    |label, _| label.box_no.is_none(),
];

/// Faults that devices can see only as another, by their checks.
const SEEN_AS: [(&str, &str); 13] = [
    // That a supervisor came and left the error as it was is heard by nobody: the error itself is seen.
    ("error_not_repaired", "dealt_out_of_order"),
    // A player who doubles without chips is seen only by whoever doubles behind with some.
    ("double_stake_wrong", "back_bettor_raised_alone"),
    // The same of a split.
    ("split_stake_wrong", "back_bettor_raised_alone"),
    // A double without chips is a card that was asked for, and that one comes face up.
    ("double_stake_wrong", "player_card_face_wrong"),
    // A shoe that was made ready in no time shows as a card burned in the middle of the one before.
    ("shuffle_missing", "burned_too_many"),
    ("shuffle_wrong", "burned_too_many"),
    // Without a burn card it shows as cards that come again before they could have been shuffled.
    ("shuffle_missing", "too_many_of_a_card"),
    // A hand is given up by word. Settled otherwise than by half, it shows as what it would have been without that.
    ("surrender_settled_wrong", "took_a_push"),
    ("surrender_settled_wrong", "loser_not_taken"),
    ("surrender_settled_wrong", "win_not_paid"),
    // So is a hand void, or a stake refused after the deal.
    ("void_not_refunded", "loser_not_taken"),
    ("wager_below_minimum", "win_not_paid"),
    // A War wager that was only left to its bettor stands there when second cards come, like one that was not settled yet.
    ("side_bet_winner_taken", "war_paid_late"),
];

/// How a label and a flag that answers it must agree.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum By {
    /// The flag is the check's that the label names.
    Check,
    /// It tells of the same sum on the same box, whatever it calls it.
    Money,
    /// It tells of a wrong payment on the box where the label says that money went wrong, and of no sum: what was due nobody saw.
    Payment,
    /// It tells of all that devices can see of it.
    Trace,
}

impl By {
    fn agree(self, label: &Label, flag: &Flag) -> bool {
        match self {
            Self::Check => label.check.as_ref() == Some(&flag.check),
            Self::Money => {
                let worth = label.money.filter(|money| money.amount != Money::ZERO);
                worth == Some(flag.money) && label.box_no.is_some() && label.box_no == flag.box_no
            }
            Self::Trace => label.check.as_deref().is_some_and(|check| SEEN_AS.contains(&(check, flag.check.as_str()))),
            Self::Payment => {
                let worth = label.money.is_some_and(|money| money.amount != Money::ZERO);
                let unsaid = flag.kind == FlagKind::WrongPayout && flag.money.amount == Money::ZERO;
                worth && unsaid && label.box_no.is_some() && label.box_no == flag.box_no
            }
        }
    }
}

/// For every label the flag that answers it. A flag answers one label at most, a doubt only what no plain flag does, and
/// what agrees in a better way comes first.
pub(super) fn answers(labels: &[&Label], flags: &[Flag], ways: &[By]) -> Vec<Option<usize>> {
    let mut answers = vec![None; labels.len()];
    let mut taken = vec![false; flags.len()];
    let plain = ways.iter().map(|by| (*by, false));
    for (by, doubtful) in plain.chain(ways.iter().map(|by| (*by, true))) {
        for fits in FITS {
            for (label, answer) in labels.iter().zip(&mut answers).filter(|(_, answer)| answer.is_none()) {
                let found = flags.iter().zip(&taken).position(|(flag, taken)| {
                    !taken && (flag.kind == FlagKind::Doubt) == doubtful && by.agree(label, flag) && fits(label, flag)
                });
                if let Some(found) = found {
                    taken[found] = true;
                    *answer = Some(found);
                }
            }
        }
    }
    answers
}
