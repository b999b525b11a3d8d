//! Reading rounds from whatever file they are in.

use std::fs;
use std::path::Path;

use anyhow::{Context, bail};
use table::{Round, notation};

/// Every round of a file, told by its ending: `.round` notation, `.jsonl` JSON Lines.
pub(crate) fn read(file: &Path) -> anyhow::Result<Vec<Round>> {
    let ending = file.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
    let text = || fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()));
    match ending {
        "round" => notation::parse(&text()?).with_context(|| file.display().to_string()),
        "jsonl" => text()?
            .lines()
            .enumerate()
            .filter(|(_, line)| !line.trim().is_empty())
            .map(|(index, line)| {
                serde_json::from_str(line).with_context(|| format!("{} line {}", file.display(), index + 1))
            })
            .collect(),
        _ => bail!("{}: expected a file ending in .round, .jsonl or .mcap", file.display()),
    }
}
