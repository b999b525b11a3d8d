//! What is thought of a line while it is listened to: said when it changes, and never of a table that merely rests.

use ingest::shoe::{Diagnosis, Heard, Stats};
use ingest::transport::Counts;
use table::config::Dialect;

use super::ear::{Ear, best};

/// What a look at a line found, if that is news.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// Nothing ever came since it was connected.
    Silent(String),
    /// Something comes that is not right.
    Wrong(String),
    /// What was wrong is over.
    Well,
}

/// Listens to a line in one or all dialects and judges it from time to time.
pub(crate) struct Judge {
    ears: Vec<Ear>,
    connected: bool,
    /// Whether anything came since the line was connected.
    heard: bool,
    /// What was said to be wrong last.
    wrong: Option<String>,
}

/// Which of the rarer counters are told. A terminal is narrow, and an engineer looks for what should not be there.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rarer {
    Happened,
    All,
}

impl Judge {
    /// For one dialect, or for all of them.
    pub(crate) fn new(dialect: Option<Dialect>) -> Self {
        let ears = super::dialects(dialect).into_iter().map(Ear::new).collect();
        Self { ears, connected: false, heard: false, wrong: None }
    }

    /// Bytes came; what they say in any dialect.
    pub(crate) fn hear(&mut self, bytes: &[u8]) -> Vec<Heard> {
        self.heard = true;
        self.ears.iter_mut().flat_map(|ear| ear.push(bytes)).collect()
    }

    /// Bytes so far.
    pub(crate) fn bytes(&self) -> u64 {
        self.ears.first().map_or(0, |ear| ear.stats().bytes)
    }

    /// What has passed, in the dialect that fits best.
    pub(crate) fn stats(&self) -> Stats {
        best(&self.ears).map(Ear::stats).unwrap_or_default()
    }

    /// The far end is there: judgement begins anew.
    pub(crate) fn connected(&mut self) {
        self.ears.iter_mut().for_each(Ear::judge_from_here);
        self.connected = true;
        self.heard = false;
        self.wrong = None;
    }

    /// The far end is gone: there is nothing to judge until it is back.
    pub(crate) fn disconnected(&mut self) {
        self.connected = false;
    }

    /// The line broke or ended here; what that says.
    pub(crate) fn ended(&mut self) -> Vec<Heard> {
        self.ears.iter_mut().flat_map(Ear::line_ended).collect()
    }

    /// Judges the stretch since the last look.
    pub(crate) fn look(&mut self) -> Option<Verdict> {
        let ear = best(&self.ears).filter(|_| self.connected)?;
        let passed = ear.passed();
        // A table between rounds says nothing: only a connection on which nothing ever came is worth a word.
        if passed.bytes == 0 && self.heard {
            return None;
        }
        let diagnosis = ear.diagnose();
        let words = diagnosis.map(|wrong| wrong.to_string());
        // Too few bytes to judge by are judged together with the next.
        if passed.frames > 0 || (words.is_some() && passed.bytes > 0) {
            self.ears.iter_mut().for_each(Ear::judge_from_here);
        }
        let before = self.wrong.clone();
        if words.is_some() || passed.frames > 0 {
            self.wrong.clone_from(&words);
        }
        match words {
            Some(words) if before.as_ref() == Some(&words) => None,
            Some(words) if diagnosis == Some(Diagnosis::Silent) => Some(Verdict::Silent(words)),
            Some(words) => Some(Verdict::Wrong(words)),
            None => (before.is_some() && passed.frames > 0).then_some(Verdict::Well),
        }
    }

    /// The counters on one line, of the dialect that fits best.
    pub(crate) fn counters(&self, line: &Counts, told: Rarer) -> String {
        let Some(ear) = best(&self.ears) else { return String::new() };
        let stats = ear.stats();
        let dialect = if stats.frames > 0 { ear.dialect.name() } else { "no dialect" };
        let rarer = [
            ("bad checksums", stats.bad_checksum),
            ("duplicates", stats.duplicates),
            ("gaps", stats.gaps),
            ("noise", stats.noise_bytes),
            ("unknown", stats.unknown),
            ("host commands", stats.host_commands),
            ("reconnects", line.reconnects()),
        ];
        let rarer = rarer.into_iter().filter(|(_, count)| told == Rarer::All || *count > 0);
        let rarer: String = rarer.map(|(name, count)| format!(" · {name} {count}")).collect();
        format!("{dialect} · bytes {} · frames {} · events {}{rarer}", stats.bytes, stats.frames, stats.events)
    }
}
