//! Writes a file so that it appears whole or not at all.

use std::io::BufWriter;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use tempfile::NamedTempFile;

/// Where a new tape goes.
#[derive(clap::Args)]
pub(super) struct Target {
    /// The tape to write
    #[arg(long, value_name = "OUT")]
    out: PathBuf,
    /// Overwrite OUT if it exists
    #[arg(long)]
    force: bool,
}

/// A file under a passing name beside the one it will be.
pub(super) type Draft = BufWriter<NamedTempFile>;

impl Target {
    pub(super) fn path(&self) -> &Path {
        &self.out
    }

    /// Begins the file, unless it would overwrite one.
    pub(super) fn begin(&self) -> anyhow::Result<Draft> {
        if !self.force && self.out.exists() {
            bail!("{} exists; --force overwrites it", self.out.display());
        }
        let folder = match self.out.parent() {
            Some(folder) if folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        let mut builder = tempfile::Builder::new();
        builder.prefix(".fairdeal-").suffix(".part");
        #[cfg(unix)]
        builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
        let file = builder.tempfile_in(folder).with_context(|| format!("cannot write to {}", folder.display()))?;
        Ok(BufWriter::new(file))
    }

    /// Gives the file its name.
    pub(super) fn keep(&self, draft: Draft) -> anyhow::Result<()> {
        let naming = || format!("cannot write {}", self.out.display());
        let file = draft.into_inner().map_err(|error| error.into_error()).with_context(naming)?;
        file.as_file().sync_all().with_context(naming)?;
        let kept = if self.force { file.persist(&self.out) } else { file.persist_noclobber(&self.out) };
        kept.map_err(|error| error.error).with_context(naming)?;
        Ok(())
    }
}
