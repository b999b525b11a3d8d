//! What an audit writes to the officers' database, some hundred rounds at a time.

use std::io::{self, Write};

use review::Store;
use review::store::ingest;
use table::{Flag, Round};
use tokio::runtime::Runtime;

use super::{Audited, several};
use crate::database;

/// Rounds in one transaction: a disk syncs as long for one as for hundreds.
const AT_ONCE: usize = 500;

/// The database behind an audit.
pub(crate) struct Ledger {
    runtime: Runtime,
    store: Store,
    site: String,
    waiting: Vec<ingest::Audited>,
    written: Written,
}

/// What an audit wrote.
#[derive(Default)]
pub(crate) struct Written {
    seen: u64,
    sum: ingest::Written,
}

impl Ledger {
    pub(crate) fn open(url: &str, site: &str) -> anyhow::Result<Self> {
        let runtime = database::runtime()?;
        let store = runtime.block_on(database::open(url))?;
        Ok(Self { runtime, store, site: site.to_owned(), waiting: Vec::new(), written: Written::default() })
    }

    /// Takes a round, and writes if enough have come together.
    pub(crate) fn add(&mut self, round: Round, audited: Audited) -> anyhow::Result<()> {
        let coverage = audited.coverage;
        self.waiting.push(ingest::Audited {
            round,
            flags: audited.flags,
            seen: coverage.seen_names(),
            not_seen: coverage.missing_names(),
        });
        if self.waiting.len() < AT_ONCE { Ok(()) } else { self.write() }
    }

    /// Takes a round with those of a tape's equipment flags that belong to it.
    pub(crate) fn add_with(&mut self, round: Round, mut audited: Audited, failed: &[Flag]) -> anyhow::Result<()> {
        audited.flags.extend(failed.iter().filter(|flag| flag.round == round.id).cloned());
        self.add(round, audited)
    }

    fn write(&mut self) -> anyhow::Result<()> {
        let wrote = self.runtime.block_on(self.store.write(&self.site, &self.waiting, database::now()))?;
        self.written.seen += self.waiting.len() as u64;
        self.waiting.clear();
        let sum = &mut self.written.sum;
        sum.rounds += wrote.rounds;
        sum.reread += wrote.reread;
        sum.flags += wrote.flags;
        sum.changed += wrote.changed;
        sum.withdrawn += wrote.withdrawn;
        Ok(())
    }

    /// Writes what is left.
    pub(crate) fn close(mut self) -> anyhow::Result<Written> {
        if !self.waiting.is_empty() {
            self.write()?;
        }
        self.runtime.block_on(self.store.close());
        Ok(self.written)
    }
}

impl Written {
    /// In a line.
    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let ingest::Written { rounds, reread, flags, changed, withdrawn } = &self.sum;
        let known = self.seen - rounds - reread;
        write!(out, "written: {}, {}", several(*rounds, "new round"), several(*flags, "new flag"))?;
        let rest = [
            (known, "round known already"),
            (*reread, "round read anew"),
            (*changed, "flag changed"),
            (*withdrawn, "flag withdrawn"),
        ];
        for (count, what) in rest.iter().filter(|(count, _)| *count > 0) {
            let (noun, how) = what.split_once(' ').unwrap_or((what, ""));
            write!(out, "; {} {how}", several(*count, noun))?;
        }
        writeln!(out)
    }
}
