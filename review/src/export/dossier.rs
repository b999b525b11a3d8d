//! Everything the database knows of a case, gathered once for the report and the record beside it.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use table::{Flag, Round, Utc};

use super::ExportError;
use super::pieces::is_piece;
use crate::accounts::Officer;
use crate::log::Entry;
use crate::store::cases::{Case, CaseMember};
use crate::store::decisions::Decided;
use crate::store::evidence::Linked;
use crate::store::ingest::round_name;
use crate::store::notes::{Note, Subject};
use crate::store::queue::{Listed, Queued};
use crate::store::rounds::{Correction, StoredRound};
use crate::store::{Store, StoreError, utc};

/// A case with all that belongs to it.
pub(super) struct Dossier {
    pub(super) case: Case,
    pub(super) members: Vec<CaseMember>,
    pub(super) findings: Vec<Finding>,
    pub(super) rounds: Vec<Played>,
    /// Files that officers added.
    pub(super) files: Vec<Linked>,
    /// Recordings that an earlier export put away.
    pub(super) kept: Vec<Linked>,
    pub(super) notes: Vec<Note>,
    pub(super) history: Vec<Entry>,
}

/// A flag of the case.
pub(super) struct Finding {
    pub(super) queued: Queued,
    pub(super) flag: Flag,
    pub(super) decisions: Vec<Decided>,
    pub(super) notes: Vec<Note>,
}

/// A round in question.
pub(super) struct Played {
    pub(super) stored: StoredRound,
    /// The round itself, unless retention let it go.
    pub(super) round: Option<Round>,
    pub(super) corrections: Vec<Correction>,
    pub(super) notes: Vec<Note>,
}

impl Dossier {
    pub(super) async fn gather(store: &Store, officer: &Officer, id: i64) -> Result<Self, ExportError> {
        let case = store.case(id).await?;
        let members = store.case_members(id).await?;
        // A report that silently lacks what its reader may not see would be worse than none.
        if !store.sees_whole_case(officer, id).await? {
            return Err(ExportError::OtherTables);
        }
        let mut dossier = Self {
            case,
            findings: Vec::new(),
            rounds: Vec::new(),
            files: Vec::new(),
            kept: Vec::new(),
            notes: store.notes(Subject::Case, &id.to_string()).await?,
            history: store.log_of(&format!("case {id}")).await?,
            members,
        };
        let mut names = BTreeSet::new();
        for member in &dossier.members {
            match &*member.kind {
                "flag" => {
                    let queued = store.flag(officer, &member.subject).await?;
                    names.insert(round_name(&queued.table_name, queued.shoe, queued.round));
                    dossier.findings.push(Finding {
                        flag: queued.parsed()?,
                        decisions: store.decisions(&queued.flag).await?,
                        notes: store.notes(Subject::Flag, &queued.flag).await?,
                        queued,
                    });
                }
                "round" => drop(names.insert(member.subject.clone())),
                _ => {
                    let file = store.evidence(&member.subject).await?;
                    dossier.files.push(Linked { file, what: "added to the case".to_owned() });
                }
            }
        }
        for name in &names {
            let stored = store.round(officer, name).await?;
            dossier.rounds.push(Played {
                round: stored.parsed()?,
                corrections: store.corrections(&stored).await?,
                notes: store.notes(Subject::Round, name).await?,
                stored,
            });
        }
        dossier.findings.sort_by(|a, b| (a.flag.at, &a.queued.flag).cmp(&(b.flag.at, &b.queued.flag)));
        dossier.rounds.sort_by_key(|played| (played.stored.at, played.stored.shoe, played.stored.round));
        dossier.gather_files(store, id, &names).await?;
        Ok(dossier)
    }

    async fn gather_files(&mut self, store: &Store, id: i64, rounds: &BTreeSet<String>) -> Result<(), StoreError> {
        let flags = self.findings.iter().map(|finding| (Subject::Flag, finding.queued.flag.clone()));
        let rounds = rounds.iter().map(|name| (Subject::Round, name.clone()));
        let subjects: Vec<_> = flags.chain(rounds).collect();
        for linked in store.evidence_of(Subject::Case, &id.to_string()).await? {
            if !is_piece(&linked.what) {
                self.files.push(linked);
                continue;
            }
            // Two findings of the same instant share a picture, which is kept once under both names.
            let names = linked.what.split(' ').map(str::to_owned);
            self.kept.extend(names.map(|what| Linked { what, file: linked.file.clone() }));
        }
        for (kind, subject) in subjects {
            self.files.extend(store.evidence_of(kind, &subject).await?);
        }
        let mut seen = BTreeSet::new();
        self.files.retain(|linked| seen.insert(linked.file.digest.clone()));
        Ok(())
    }

    /// The case as a program reads it. What an audit wrote stands in it exactly as it was hashed.
    pub(super) fn json(&self) -> Value {
        let document = |text: &str| serde_json::from_str::<Value>(text).unwrap_or(Value::Null);
        let findings = self.findings.iter().map(|finding| {
            let Queued { listed: Listed { flag, state, assignee, dealer, .. }, document: text } = &finding.queued;
            json!({ "id": flag, "state": state, "assignee": assignee, "dealer": dealer, "flag": document(text),
                    "decisions": finding.decisions.iter().map(decision).collect::<Vec<_>>(),
                    "notes": finding.notes.iter().map(note).collect::<Vec<_>>() })
        });
        let rounds = self.rounds.iter().map(|played| {
            let StoredRound { entry, digest, document: text, coverage, .. } = &played.stored;
            let corrections = played.corrections.iter().map(|correction| {
                json!({ "step": correction.step, "was": correction.was, "becomes": correction.becomes,
                        "reason": correction.reason, "at": utc(correction.at), "by": correction.user })
            });
            json!({ "name": played.stored.name(), "entry": entry, "sha256": digest, "coverage": document(coverage),
                    "round": text.as_deref().map(document), "corrections": corrections.collect::<Vec<_>>(),
                    "notes": played.notes.iter().map(note).collect::<Vec<_>>() })
        });
        let history = self.history.iter().map(|entry| {
            json!({ "seq": entry.seq, "at": utc(entry.at), "by": entry.actor, "action": entry.action,
                    "detail": document(&entry.detail), "hash": entry.hash })
        });
        json!({
            "case": self.case, "members": self.members, "flags": findings.collect::<Vec<_>>(),
            "rounds": rounds.collect::<Vec<_>>(), "evidence": self.files,
            "notes": self.notes.iter().map(note).collect::<Vec<_>>(), "history": history.collect::<Vec<_>>(),
        })
    }
}

fn decision(decided: &Decided) -> Value {
    let at: Utc = utc(decided.at);
    json!({ "id": decided.id, "at": at, "by": decided.user, "action": decided.action, "state": decided.state,
            "assignee": decided.assignee, "reason": decided.reason, "undoes": decided.undoes })
}

fn note(note: &Note) -> Value {
    json!({ "id": note.id, "at": utc(note.at), "by": note.user, "text": note.text })
}
