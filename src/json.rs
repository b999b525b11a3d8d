//! Results as JSON Lines, the same for every command.

use std::io::Write;

use serde::Serialize;

/// Writes each result on a line of its own.
pub(crate) fn lines<T: Serialize>(out: &mut impl Write, results: impl IntoIterator<Item = T>) -> anyhow::Result<()> {
    for result in results {
        serde_json::to_writer(&mut *out, &result).map_err(std::io::Error::from)?;
        writeln!(out)?;
    }
    Ok(())
}
