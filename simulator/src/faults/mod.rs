//! Faults by name: what goes wrong at a table, and how it is made to.
//!
//! A fault is *lived* where it fits the round that happens to be played: the [`Desk`] holds the lawful round, and the
//! fault's function changes it the way a dealer or player would have. It is *staged* where the situation is rare: the
//! cards and decisions that a check's template asks for are dealt, and what the template spoils goes wrong. Nobody asks
//! the auditor whether it worked: a label says what was done, not what was found.

mod beside;
mod chips;
mod collusion;
mod consequences;
mod dealing;
mod desk;
mod equipment;
mod frauds;
mod handled;
mod instead;
mod insurance;
mod loose;
mod naturals;
mod order;
mod paying;
mod playing;
mod procedure;
mod raising;
mod side_bets;
mod staged;
mod stakes;
mod staying;
mod wagers;

use std::collections::BTreeSet;
use std::sync::LazyLock;

use auditor::check::Template;
use auditor::checks::CHECKS;
use auditor::rulebook::books;
use table::{AtStake, BoxNo, Hand};

pub use desk::{Desk, Redeal};

use crate::shuffle::ShuffleFault;
use crate::truth::Kind;

/// One kind of wrong that can be injected.
pub struct Fault {
    /// Its name on the command line.
    pub name: &'static str,
    /// What sort of wrong.
    pub kind: Kind,
    /// What happens, in a sentence.
    pub what: &'static str,
    /// The check that should find it; none where none can by now, or where nothing is to be found.
    pub check: Option<&'static str>,
    /// The ways to bring it about, the likelier first.
    pub ways: Vec<Way>,
}

/// A way to bring a fault about.
#[derive(Clone, Copy)]
pub enum Way {
    /// In the round as it was played, if it fits.
    Lived(fn(&mut Desk<'_>) -> Option<Wrong>),
    /// By dealing what a template asks for.
    Staged(&'static Template),
    /// By equipment that fails.
    Trouble(equipment::MakesTrouble),
    /// In the shuffle before the round.
    Shuffle(ShuffleFault),
}

/// What a lived fault did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// The tag under which the game's rulebook cites what it breaks; empty for what breaks nothing.
    pub tag: &'static str,
    /// On which box.
    pub box_no: Option<BoxNo>,
    /// On which hand of it.
    pub hand: Option<Hand>,
    /// What it moved, and in whose favour.
    pub money: Option<AtStake>,
    /// What happened, in a sentence without a full stop.
    pub says: String,
}

/// A fault that is lived, as its file declares it.
pub(crate) struct Lived {
    /// Its name on the command line.
    pub(crate) name: &'static str,
    /// What sort of wrong.
    pub(crate) kind: Kind,
    /// What happens, in a sentence.
    pub(crate) what: &'static str,
    /// The check that should find it.
    pub(crate) check: Option<&'static str>,
    /// Changes a round in which it fits, and says what it did.
    pub(crate) spoil: fn(&mut Desk<'_>) -> Option<Wrong>,
}

/// A fault of the equipment, as its file declares it.
pub(crate) struct Troubled {
    /// Its name on the command line.
    pub(crate) name: &'static str,
    /// What happens, in a sentence.
    pub(crate) what: &'static str,
    /// Makes it happen.
    pub(crate) way: equipment::MakesTrouble,
}

/// A mistake of the dealer's that is lived.
pub(crate) const fn mistake(
    name: &'static str,
    check: &'static str,
    what: &'static str,
    spoil: fn(&mut Desk<'_>) -> Option<Wrong>,
) -> Lived {
    Lived { name, kind: Kind::Dealer, what, check: Some(check), spoil }
}

/// A player's fraud that is lived.
pub(crate) const fn fraud(
    name: &'static str,
    check: &'static str,
    what: &'static str,
    spoil: fn(&mut Desk<'_>) -> Option<Wrong>,
) -> Lived {
    Lived { name, kind: Kind::Player, what, check: Some(check), spoil }
}

/// An irregularity that is lived and put right as the rules ask.
pub(crate) const fn handled(
    name: &'static str,
    what: &'static str,
    happen: fn(&mut Desk<'_>) -> Option<Wrong>,
) -> Lived {
    Lived { name, kind: Kind::Handled, what, check: None, spoil: happen }
}

/// The faults that are lived, by the file that declares them.
const LIVED: &[&[Lived]] = &[
    beside::FAULTS,
    collusion::FAULTS,
    dealing::FAULTS,
    frauds::FAULTS,
    handled::FAULTS,
    insurance::FAULTS,
    loose::FAULTS,
    naturals::FAULTS,
    order::FAULTS,
    paying::FAULTS,
    playing::FAULTS,
    procedure::FAULTS,
    raising::FAULTS,
    side_bets::FAULTS,
    stakes::FAULTS,
    staying::FAULTS,
    wagers::FAULTS,
];

/// Tags of wrongs that a player commits, not the dealer.
const BY_PLAYERS: &[&str] = &["false_natural", "late_wager", "touched", "wager_altered"];

/// Every fault by name.
static REGISTRY: LazyLock<Vec<Fault>> = LazyLock::new(|| {
    let lived = LIVED.iter().copied().flatten().map(|lived| Fault {
        name: lived.name,
        kind: lived.kind,
        what: lived.what,
        check: lived.check,
        ways: vec![Way::Lived(lived.spoil)],
    });
    let mut faults: Vec<Fault> = lived.chain(equipment::FAULTS.iter().map(Troubled::fault)).collect();
    for (name, template) in staged::STAGED {
        let of = faults.iter_mut().filter(|fault| fault.name == *name);
        of.for_each(|fault| fault.ways.push(Way::Staged(template)));
    }
    faults.extend(ShuffleFault::ALL.iter().map(|fault| Fault {
        name: fault.name(),
        kind: Kind::Shuffle,
        what: fault.describe(),
        check: fault.finder(),
        ways: vec![Way::Shuffle(*fault)],
    }));
    let cited: BTreeSet<&str> = books::all().map_or_else(
        |_| BTreeSet::new(),
        |books| books.iter().flat_map(|book| &book.games).flat_map(|game| &game.cites).map(|cite| &*cite.tag).collect(),
    );
    for check in CHECKS {
        // What no game cites breaks no rule anywhere.
        for template in check.templates.iter().filter(|template| cited.contains(template.tag)) {
            let way = Way::Staged(template);
            match faults.iter_mut().find(|fault| fault.name == template.tag && fault.check == Some(check.name)) {
                Some(fault) => fault.ways.push(way),
                None => faults.push(Fault {
                    name: template.tag,
                    kind: if BY_PLAYERS.contains(&check.name) { Kind::Player } else { Kind::Dealer },
                    what: check.finds,
                    check: Some(check.name),
                    ways: vec![way],
                }),
            }
        }
    }
    faults.sort_by_key(|fault| fault.name);
    faults
});

/// Every fault, by name.
pub fn all() -> &'static [Fault] {
    &REGISTRY
}

/// A name that is neither a fault nor a check.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there is no fault {name}{}", nearest.as_ref().map(|near| format!(", did you mean {near}?")).unwrap_or_default())]
pub struct UnknownFault {
    /// As asked for.
    pub name: String,
    /// A fault, check or kind with a name much like it.
    pub nearest: Option<&'static str>,
}

/// The faults of this name, or all that a check of this name should find.
pub fn named(name: &str) -> Result<Vec<&'static Fault>, UnknownFault> {
    if let Some(fault) = all().iter().find(|fault| fault.name == name) {
        return Ok(vec![fault]);
    }
    let found: Vec<_> = all().iter().filter(|fault| fault.check == Some(name)).collect();
    if found.is_empty() {
        let kinds = Kind::ALL.iter().map(|kind| kind.name());
        let names = all().iter().flat_map(|fault| std::iter::once(fault.name).chain(fault.check)).chain(kinds);
        let nearest = table::text::nearest(name, names);
        return Err(UnknownFault { name: name.to_owned(), nearest });
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_check_has_a_fault_that_it_should_find() {
        // A shuffler that stands still is no fault of a round: `--shuffle csm-stuck` plays whole shifts with it.
        let by_machine = ["shuffler_left_order"];
        let checked: BTreeSet<_> = all().iter().filter_map(|fault| fault.check).chain(by_machine).collect();
        for check in CHECKS {
            assert!(checked.contains(check.name), "{}: no fault for it", check.name);
        }
    }

    #[test]
    fn every_fault_names_a_check_that_exists_and_has_a_name_of_its_own() {
        let mut names = BTreeSet::new();
        for fault in all() {
            assert!(names.insert(fault.name), "{}: twice", fault.name);
            assert!(fault.what.ends_with('.'), "{}: speak in sentences", fault.name);
            let known = fault.check.is_none_or(|check| auditor::checks::find(check).is_some());
            assert!(known, "{}: no check {:?}", fault.name, fault.check);
        }
    }

    #[test]
    fn what_is_too_rare_to_wait_for_is_staged_and_belongs_to_a_fault() {
        for (name, template) in staged::STAGED {
            let fault = all().iter().find(|fault| fault.name == *name).unwrap();
            assert!(
                fault.ways.iter().any(|way| matches!(way, Way::Staged(of) if std::ptr::eq(*of, template))),
                "{name}"
            );
            assert!(matches!(fault.ways.first(), Some(Way::Lived(_))), "{name}: what can be lived is not staged");
        }
    }

    #[test]
    fn an_unknown_fault_is_answered_with_the_nearest() {
        let error = named("paid_a_posh").err().unwrap();
        assert_eq!(error.to_string(), "there is no fault paid_a_posh, did you mean paid_a_push?");
        assert_eq!(named("shufle").err().unwrap().nearest, Some("shuffle"));
    }
}
