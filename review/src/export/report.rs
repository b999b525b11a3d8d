//! What a case's report says, before anybody decides how it looks: the page and the PDF are made from the same blocks.

use std::collections::BTreeMap;

use table::{Favours, Money, Utc, notation};

use super::dossier::{Dossier, Finding, Played};
use super::pack::Part;
use super::pieces::{Missing, still_of};
use crate::draw;
use crate::pages::{
    FlagView, Frame, as_corrected, case_told, correction_told, decision_told, ledger, step_of, view, words,
};
use crate::server::Failure;
use crate::store::cases::Case;
use crate::store::notes::Note;
use crate::store::utc;

/// A report.
#[derive(Debug)]
pub(super) struct Report {
    pub(super) title: String,
    pub(super) subtitle: String,
    pub(super) blocks: Vec<Block>,
}

/// A part of a report.
#[derive(Debug)]
pub(super) enum Block {
    Heading(String),
    Subheading(String),
    Text(String),
    /// Something the reader must know before relying on the rest.
    Notice(String),
    Facts(Vec<(String, String)>),
    List(Vec<String>),
    Table {
        head: &'static [&'static str],
        rows: Vec<Vec<String>>,
    },
    /// Lines that are read as they stand.
    Lines(String),
    Still {
        jpeg: Vec<u8>,
        caption: String,
    },
    Drawing {
        svg: String,
        caption: String,
    },
}

/// What stands in the export beside the report.
pub(super) struct Enclosed<'a> {
    /// The recordings with what they show.
    pub(super) recordings: &'a [(Part, String)],
    /// The stills themselves, by name.
    pub(super) stills: &'a BTreeMap<String, Vec<u8>>,
    pub(super) missing: &'a [Missing],
}

/// Writes the report of a case.
pub(super) fn write(frame: &Frame, dossier: &Dossier, enclosed: &Enclosed<'_>) -> Result<Report, Failure> {
    let case = &dossier.case;
    let kind = words::finding(&case.kind);
    let mut blocks = Vec::new();
    if case.locked_at.is_none() {
        blocks.push(Block::Notice(
            "This case was not sealed when this report was written: its fields and evidence may still change."
                .to_owned(),
        ));
    }
    blocks.push(Block::Facts(heading_facts(frame, case)));
    blocks.push(Block::Heading("Report".to_owned()));
    blocks.push(Block::Facts(told_facts(frame, dossier)));
    blocks.push(Block::Heading("Findings".to_owned()));
    if dossier.findings.is_empty() {
        blocks.push(Block::Text("No flag belongs to this case.".to_owned()));
    }
    for finding in &dossier.findings {
        write_finding(frame, dossier, finding, enclosed, &mut blocks)?;
    }
    if !dossier.rounds.is_empty() {
        blocks.push(Block::Heading("Rounds".to_owned()));
    }
    for played in &dossier.rounds {
        write_round(frame, dossier, played, enclosed, &mut blocks);
    }
    blocks.push(Block::Heading("Recordings and files".to_owned()));
    write_recordings(enclosed, &mut blocks);
    blocks.push(Block::Heading("Notes".to_owned()));
    blocks.push(notes(frame, &dossier.notes));
    blocks.push(Block::Heading("History".to_owned()));
    blocks.push(Block::List(dossier.history.iter().map(|entry| case_told(frame, entry).said).collect()));
    blocks.push(Block::Text(format!(
        "Written by {} from the site's record. Times are in {}; those that end in Z are UTC. manifest.json holds the hash of \
         every file beside this one, and VERIFY.txt says how anybody can check them and the site's signature.",
        super::SOFTWARE,
        frame.site.setup.zone.name()
    )));
    let title = format!("{kind} {}: {}", case.number, case.fields.title);
    Ok(Report { title, subtitle: format!("{} report of {}", kind, case.site), blocks })
}

/// A time as a report has it: the site's and UTC.
fn time(frame: &Frame, at: Utc) -> String {
    let when = frame.when(at);
    format!("{} {} ({})", when.day, when.clock, when.utc)
}

fn fact(label: &str, value: impl Into<String>) -> (String, String) {
    let value = Some(value.into()).filter(|value| !value.trim().is_empty());
    (label.to_owned(), value.unwrap_or_else(|| "–".to_owned()))
}

fn heading_facts(frame: &Frame, case: &Case) -> Vec<(String, String)> {
    let maybe = |at: Option<i64>| at.map(|at| time(frame, utc(at))).unwrap_or_default();
    let sealed = case.locked_at.map(|at| {
        let who = case.locked_by.as_deref().unwrap_or("nobody known");
        format!("{}, by {who}", time(frame, utc(at)))
    });
    let prepared = match &*case.opened_by_title {
        "" => case.opened_by.clone(),
        title => format!("{}, {title}", case.opened_by),
    };
    vec![
        fact("Number", format!("{} ({} in the database)", case.number, case.id)),
        fact("Site", &*case.site),
        fact("Kind", &*case.kind),
        fact("State", &*case.state),
        fact("Happened", time(frame, utc(case.fields.incident_at))),
        fact("Until", maybe(case.fields.incident_until)),
        fact("Reported", time(frame, utc(case.opened_at))),
        fact("Prepared by", prepared),
        fact("Assigned to", case.assignee.clone().unwrap_or_default()),
        fact("Second auditor", case.fields.second_auditor.clone().unwrap_or_default()),
        fact("Closed", maybe(case.closed_at)),
        fact("Sealed", sealed.unwrap_or_else(|| "not sealed".to_owned())),
    ]
}

/// The fields of an incident report, in the order they are read.
fn told_facts(frame: &Frame, dossier: &Dossier) -> Vec<(String, String)> {
    let fields = &dossier.case.fields;
    let money = |minor: i64| words::amount(Money::from_minor(minor), frame.currency());
    let gained = |side: Favours| {
        let flags = dossier.findings.iter().filter(|finding| finding.flag.money.favours == side);
        money(flags.map(|finding| finding.flag.money.amount.minor()).fold(0, i64::saturating_add))
    };
    vec![
        fact("Place", &*fields.place),
        fact("Asked for by", &*fields.requester),
        fact("Nature of the matter", &*fields.nature),
        fact("Persons concerned", &*fields.persons),
        fact("Witnesses", &*fields.witnesses),
        fact("Staff present", &*fields.staff),
        fact("Recordings", &*fields.recordings),
        fact("Action taken", &*fields.action),
        fact("Disposition", &*fields.disposition),
        fact("Remarks", &*fields.remarks),
        fact("Savings", money(fields.savings)),
        fact("Losses", money(fields.losses)),
        fact("Too much to players, by the findings", gained(Favours::Player)),
        fact("Too much to the house, by the findings", gained(Favours::House)),
    ]
}

fn write_finding(
    frame: &Frame,
    dossier: &Dossier,
    finding: &Finding,
    enclosed: &Enclosed<'_>,
    blocks: &mut Vec<Block>,
) -> Result<(), Failure> {
    let shown: FlagView = view(frame, &finding.queued)?;
    blocks.push(Block::Subheading(format!(
        "{}: {}, {} shoe {} round {}",
        shown.what, shown.place, shown.table, shown.shoe, shown.round
    )));
    let clauses: Vec<_> = shown.also.iter().map(String::as_str).collect();
    let mut facts = vec![
        fact("Flag", &*finding.queued.flag),
        fact("When", time(frame, finding.flag.at)),
        fact("Severity", shown.severity_word),
        fact("Kind", finding.flag.kind.name()),
        fact("Dealer", finding.queued.dealer.clone().unwrap_or_default()),
        fact("Expected", &*shown.expected),
        fact("Seen", &*shown.observed),
        fact("Money", &*shown.money),
        fact("Clause", format!("{}: {}", shown.clause, shown.clause_text)),
    ];
    if !clauses.is_empty() {
        facts.push(fact("Also", clauses.join(", ")));
    }
    facts.push(fact("Why it matters", shown.matters));
    facts.push(fact("How sure", &*shown.confidence));
    if let Some(other) = &shown.other_reading {
        facts.push(fact("Or else", other.as_str()));
    }
    facts.push(fact("State", &*finding.queued.state));
    blocks.push(Block::Facts(facts));
    pictures(&still_of(&finding.queued.flag), enclosed, blocks);
    let played = dossier.rounds.iter().find(|played| played.stored.id == finding.queued.round_id);
    if let Some(round) = played.and_then(|played| played.round.as_ref()) {
        let step = step_of(round, &finding.flag).unwrap_or(round.steps.len());
        blocks.push(Block::Drawing {
            svg: draw::felt(round, step, draw::boxes_of(round)),
            caption: format!("The table from above after step {step} of {}, drawn from the record", round.steps.len()),
        });
    }
    blocks.push(Block::List(match &*finding.decisions {
        [] => vec!["Nothing decided yet.".to_owned()],
        decisions => decisions.iter().map(|decided| decision_told(frame, decided)).collect(),
    }));
    if !finding.notes.is_empty() {
        blocks.push(notes(frame, &finding.notes));
    }
    Ok(())
}

fn pictures(stem: &str, enclosed: &Enclosed<'_>, blocks: &mut Vec<Block>) {
    let of_stem = |name: &str| name.strip_prefix(stem).is_some_and(|rest| rest.starts_with('.'));
    for (part, what) in enclosed.recordings.iter().filter(|(part, _)| of_stem(&part.name)) {
        if let Some(jpeg) = enclosed.stills.get(&part.name) {
            blocks.push(Block::Still { jpeg: jpeg.clone(), caption: format!("{what} ({})", part.name) });
        }
    }
    for missing in enclosed.missing.iter().filter(|missing| of_stem(&missing.name)) {
        blocks.push(Block::Notice(format!("No picture: {}.", missing.why)));
    }
}

fn write_round(frame: &Frame, dossier: &Dossier, played: &Played, enclosed: &Enclosed<'_>, blocks: &mut Vec<Block>) {
    let stored = &played.stored;
    blocks.push(Block::Subheading(format!("{} shoe {} round {}", stored.table_name, stored.shoe, stored.round)));
    blocks.push(Block::Facts(vec![
        fact("Game", &*stored.game),
        fact("Dealer", stored.dealer.clone().unwrap_or_default()),
        fact("Began", time(frame, utc(stored.at))),
        fact("Ended", time(frame, utc(stored.ended_at))),
        fact("Reading", format!("{} of this round", stored.entry)),
        fact("SHA-256 of the record", &*stored.digest),
    ]));
    if !dossier.findings.iter().any(|finding| finding.queued.round_id == stored.id) {
        pictures(&still_of(&stored.name()), enclosed, blocks);
    }
    match &played.round {
        None => blocks.push(Block::Notice("Retention has let this round go; its hash is what is left.".to_owned())),
        Some(round) => {
            let read = as_corrected(round, &played.corrections);
            blocks.push(Block::Drawing {
                svg: draw::felt(&read, read.steps.len(), draw::boxes_of(&read)),
                caption: "The table from above at the end of the round, drawn from the record".to_owned(),
            });
            match ledger(&frame.site.books, &read, frame.currency()) {
                Ok(rows) => blocks.push(Block::Table {
                    head: &["Wager", "Stake", "Due", "Seen", "Difference", "Clause"],
                    rows: rows
                        .into_iter()
                        .map(|row| {
                            vec![
                                row.wager,
                                row.stake,
                                row.expected,
                                row.observed,
                                row.difference,
                                row.clauses.join(" "),
                            ]
                        })
                        .collect(),
                }),
                Err(why) => blocks.push(Block::Notice(format!("The wagers could not be settled: {why}."))),
            }
            blocks.push(Block::Lines(notation::print(std::slice::from_ref(&read))));
        }
    }
    if !played.corrections.is_empty() {
        blocks.push(Block::List(played.corrections.iter().map(|card| correction_told(frame, card)).collect()));
    }
    if !played.notes.is_empty() {
        blocks.push(notes(frame, &played.notes));
    }
}

fn write_recordings(enclosed: &Enclosed<'_>, blocks: &mut Vec<Block>) {
    if enclosed.recordings.is_empty() {
        blocks.push(Block::Text("No recording and no file belongs to this export.".to_owned()));
    } else {
        let row = |(part, what): &(Part, String)| {
            vec![part.name.clone(), what.clone(), part.size.to_string(), part.sha256.clone()]
        };
        let rows = enclosed.recordings.iter().map(row).collect();
        blocks.push(Block::Table { head: &["File", "Shows", "Bytes", "SHA-256"], rows });
    }
    for Missing { name, why } in enclosed.missing {
        blocks.push(Block::Notice(format!("Missing: {name}: {why}.")));
    }
}

fn notes(frame: &Frame, notes: &[Note]) -> Block {
    if notes.is_empty() {
        return Block::Text("None.".to_owned());
    }
    let line = |note: &Note| {
        let when = frame.when(utc(note.at));
        format!("{} {} {}: {}", when.day, when.clock, note.user, note.text)
    };
    Block::List(notes.iter().map(line).collect())
}
