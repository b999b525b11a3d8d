//! The registry: every check documented, every cited tag known, and, clause by clause and game by game, a round that is
//! clean and the same round spoiled so that the clause is cited. `CHECKS=name,name` looks at those checks alone.
#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

use std::collections::{BTreeMap, BTreeSet};

use auditor::check::{Check, Clause, Law, Session, Template};
use auditor::checks::{self, CHECKS, COUNTS};
use auditor::rulebook::{Auditable, Rulebook, books};
use table::notation::print;
use table::{Flag, Round, Severity};

fn all_books() -> &'static [Rulebook] {
    books::all().unwrap()
}

/// Checks that no few rounds can set off, and the test that deals the many.
const OVER_MANY_SHOES: [(&str, &str); 2] = [
    ("card_missing", "simulator/tests/cards_missing.rs"),
    ("shuffler_left_order", "simulator/tests/shuffler_found.rs"),
];

fn takes_many_shoes(check: &Check) -> bool {
    OVER_MANY_SHOES.iter().any(|(name, _)| *name == check.name)
}

fn wanted(check: &Check) -> bool {
    match std::env::var("CHECKS") {
        Ok(names) => names.split(',').any(|name| name == check.name),
        Err(_) => true,
    }
}

fn audit(law: &Law, rounds: &[Round]) -> Vec<Flag> {
    let mut session = Session::default();
    rounds.iter().flat_map(|round| session.audit(law, round).0).collect()
}

#[test]
fn every_check_is_named_documented_and_shown() {
    let names: Vec<_> = CHECKS.iter().map(|check| check.name).collect();
    let mut sorted = names.clone();
    sorted.sort_unstable();
    sorted.dedup();
    assert_eq!(names, sorted, "checks are listed once each, by name");
    for check in CHECKS {
        assert!(check.finds.ends_with('.') && check.matters.ends_with('.'), "{}: speak in sentences", check.name);
        assert!(!check.tags.is_empty() && !check.runs.is_empty(), "{}", check.name);
        assert_eq!(check.templates.is_empty(), takes_many_shoes(check), "{}: shows no round", check.name);
        for template in check.templates {
            assert!(
                check.tags.contains(&template.tag),
                "{}: template for the foreign tag {}",
                check.name,
                template.tag
            );
        }
    }
}

#[test]
fn what_takes_many_shoes_is_dealt_elsewhere() {
    for (name, test) in OVER_MANY_SHOES {
        let test = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(test);
        assert!(std::fs::read_to_string(&test).unwrap().contains(name), "{} does not speak of {name}", test.display());
    }
}

#[test]
fn every_tag_a_rulebook_cites_is_one_a_check_can_raise() {
    let tags = checks::tags();
    let unknown: Vec<_> = all_books()
        .iter()
        .flat_map(|book| book.unknown_tags(&tags).into_iter().map(move |fault| format!("{}.toml {fault}", book.id)))
        .collect();
    assert!(unknown.is_empty(), "{} citations nobody can use:\n{}", unknown.len(), unknown.join("\n"));
}

#[test]
fn every_clause_a_game_cites_names_the_checks_that_can_find_it_broken() {
    for book in all_books() {
        let cited_by = book.cited_by();
        for clause in book.clauses.iter() {
            let Some(citers) = cited_by.get(book.clauses.find(&clause.id).unwrap()) else { continue };
            assert!(!citers.checks.is_empty(), "{}: cited, and no check finds it broken", clause.id);
            let unreal: Vec<_> = citers.checks.iter().filter(|name| checks::find(name).is_none()).collect();
            assert!(unreal.is_empty(), "{}: no checks: {unreal:?}", clause.id);
        }
    }
}

/// The tags on counting that the templates of a check bring about, in the first game that cites the template's tag.
fn counts_raised(check: &Check) -> BTreeSet<&'static str> {
    let games = || all_books().iter().flat_map(|book| &book.games);
    let mut raised = BTreeSet::new();
    for template in check.templates {
        let options = template.options().unwrap();
        let dealt = games().find_map(|game| {
            game.cites.iter().find(|cite| *cite.tag == *template.tag)?;
            let rules = game.with_options(&options).unwrap().rules;
            (template.fits)(&rules).then(|| (template.spoiled(&game.name, &rules).unwrap(), rules))
        });
        let Some((spoiled, rules)) = dealt else { continue };
        let cites = COUNTS.iter().chain(check.tags).map(|tag| {
            let clause = Clause { id: (*tag).into(), severity: Severity::Major };
            (Box::from(*tag), vec![clause])
        });
        let law = Law::new(rules, cites.collect(), Vec::new());
        for flag in audit(&law, &spoiled) {
            raised.extend(COUNTS.iter().filter(|tag| flag.also.iter().any(|id| *id == **tag)));
        }
    }
    raised
}

#[test]
fn the_checks_said_to_cite_the_clauses_on_counting_are_those_that_do() {
    for check in CHECKS.iter().filter(|check| wanted(check)) {
        let said: BTreeSet<_> =
            COUNTS.into_iter().filter(|tag| checks::raising(tag).any(|raising| raising.name == check.name)).collect();
        let raised = counts_raised(check);
        assert!(raised.is_subset(&said), "{}: raises {raised:?}, but is said to raise {said:?}", check.name);
        assert_eq!(raised.is_empty(), said.is_empty(), "{}: is said to raise {said:?}", check.name);
    }
}

/// One template in one game: what is wrong with it, and the clauses its spoiled round was flagged with.
fn try_template(game: &auditor::Game, check: &Check, template: &Template) -> Result<BTreeSet<String>, String> {
    let options = template.options().map_err(|error| error.to_string())?;
    let named = table::Game { name: game.name.clone(), options };
    let law = Law::of(all_books(), &named).map_err(|error| error.to_string())?;
    if !(template.fits)(&law.rules) {
        return Ok(BTreeSet::new());
    }
    let clean = template.clean(&game.name, &law.rules).map_err(|error| format!("cannot be dealt: {error}"))?;
    let flags = audit(&law, &clean);
    if !flags.is_empty() {
        let said: Vec<_> = flags.iter().map(|flag| format!("{}: {flag}", flag.check)).collect();
        return Err(format!("the clean round is flagged: {}\n{}", said.join("; "), print(&clean)));
    }
    let spoiled = template.spoiled(&game.name, &law.rules).map_err(|error| format!("cannot be spoiled: {error}"))?;
    let flags = audit(&law, &spoiled);
    let cited = |flag: &Flag| -> BTreeSet<String> {
        std::iter::once(flag.clause.clone()).chain(flag.also.iter().cloned()).collect()
    };
    let due: BTreeSet<String> = law.cited(template.tag).iter().map(|clause| clause.id.to_string()).collect();
    let raised = flags.iter().find(|flag| flag.check == check.name && due.is_subset(&cited(flag)));
    let said: Vec<_> = flags.iter().map(|flag| format!("{} {:?}: {flag}", flag.check, cited(flag))).collect();
    if raised.is_none() {
        return Err(format!("is not flagged citing {due:?}, but: {}\n{}", said.join("; "), print(&spoiled)));
    }
    if flags.len() > 1 {
        return Err(format!("one mistake, {} flags: {}\n{}", flags.len(), said.join("; "), print(&spoiled)));
    }
    Ok(flags.iter().flat_map(cited).collect())
}

#[test]
fn every_clause_that_can_be_audited_is_cited_by_a_round_that_breaks_it_in_every_game_that_cites_it() {
    let mut wrong = Vec::new();
    let mut shown: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for book in all_books() {
        for game in &book.games {
            for check in CHECKS.iter().filter(|check| wanted(check)) {
                for tag in check.tags {
                    if !game.cites.iter().any(|cite| *cite.tag == **tag) {
                        continue;
                    }
                    let mut tried = false;
                    for template in check.templates.iter().filter(|template| template.tag == *tag) {
                        match try_template(game, check, template) {
                            Ok(cited) => {
                                tried |= !cited.is_empty();
                                shown.entry(book.id.as_str()).or_default().extend(cited);
                            }
                            Err(fault) => {
                                tried = true;
                                wrong.push(format!("{} {tag} {fault}", game.name));
                            }
                        }
                    }
                    if !tried && !takes_many_shoes(check) {
                        wrong.push(format!(
                            "{} cites {tag}, for which {} has no template that fits",
                            game.name, check.name
                        ));
                    }
                }
            }
        }
    }
    let whole = std::env::var("CHECKS").is_err();
    let mut missing = Vec::new();
    for book in all_books().iter().filter(|_| whole) {
        let shown = shown.entry(book.id.as_str()).or_default();
        let due = book.clauses.iter().filter(|clause| clause.auditable == Auditable::Yes);
        missing.extend(due.filter(|clause| !shown.contains(&*clause.id)).map(|clause| clause.id.to_string()));
    }
    assert!(
        wrong.is_empty() && missing.is_empty(),
        "{} faults:\n{}\n{} clauses nobody breaks: {}",
        wrong.len(),
        wrong.join("\n"),
        missing.len(),
        missing.join(" ")
    );
}
