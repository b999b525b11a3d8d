//! `fairdeal tape hold` and `release`: tapes that no retention deletes.

use std::io::{self, Write};
use std::path::PathBuf;

use ingest::retention;

use crate::Outcome;

/// Put tapes on hold: nothing deletes them until they are released
///
/// A file NAME.hold beside the tape says so. The tape itself is not touched.
///
/// Example: fairdeal tape hold tapes/BJ-04-20260105T200000Z.mcap
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Hold {
    /// Tapes
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Release tapes from hold
///
/// Example: fairdeal tape release tapes/BJ-04-20260105T200000Z.mcap
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Release {
    /// Tapes
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

impl Hold {
    pub(super) fn run(&self) -> anyhow::Result<Outcome> {
        for file in &self.files {
            retention::hold(file)?;
            writeln!(io::stdout(), "{}: on hold", file.display())?;
        }
        Ok(Outcome::Clean)
    }
}

impl Release {
    pub(super) fn run(&self) -> anyhow::Result<Outcome> {
        for file in &self.files {
            let was = if retention::release(file)? { "released" } else { "was not on hold" };
            writeln!(io::stdout(), "{}: {was}", file.display())?;
        }
        Ok(Outcome::Clean)
    }
}
