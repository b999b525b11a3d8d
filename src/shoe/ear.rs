//! One stretch of a line, listened to in one dialect.

use ingest::shoe::{self, Decoder, Diagnosis, Heard, Stats};
use table::config::Dialect;

/// As many of the latest bytes as tell what is wrong.
const SAMPLE: usize = 1024;

/// Listens for one dialect and judges what comes.
pub(super) struct Ear {
    pub(super) dialect: Dialect,
    decoder: Box<dyn Decoder>,
    /// What had passed when the stretch under judgement began.
    before: Stats,
    /// Its latest bytes.
    sample: Vec<u8>,
}

impl Ear {
    pub(super) fn new(dialect: Dialect) -> Self {
        Self { dialect, decoder: shoe::dialect(dialect), before: Stats::default(), sample: Vec::new() }
    }

    /// Takes the next bytes; what they say.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Vec<Heard> {
        let mut heard = Vec::new();
        self.decoder.push(bytes, &mut heard);
        self.sample.extend_from_slice(bytes);
        let old = self.sample.len().saturating_sub(SAMPLE);
        self.sample.drain(..old);
        heard
    }

    /// The line broke or ended here; what that says.
    pub(super) fn line_ended(&mut self) -> Vec<Heard> {
        let mut heard = Vec::new();
        self.decoder.line_ended(&mut heard);
        heard
    }

    pub(super) fn stats(&self) -> Stats {
        self.decoder.stats()
    }

    /// What has passed on the stretch under judgement.
    pub(super) fn passed(&self) -> Stats {
        self.stats().since(&self.before)
    }

    /// What is wrong with the stretch, if anything is.
    pub(super) fn diagnose(&self) -> Option<Diagnosis> {
        shoe::diagnose(self.dialect, &self.passed(), &self.sample)
    }

    /// The next stretch begins.
    pub(super) fn judge_from_here(&mut self) {
        self.before = self.stats();
        self.sample.clear();
    }
}

/// The one that understands most; with none that understands anything, the first.
pub(super) fn best(ears: &[Ear]) -> Option<&Ear> {
    ears.iter().rev().max_by_key(|ear| ear.stats().frames)
}
