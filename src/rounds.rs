//! Reading rounds from whatever file they are in, one after the other.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use anyhow::{Context, bail};
use auditor::Rulebook;
use recognizer::round::Rebuilt;
use table::tape::{Reader, Record};
use table::{Round, notation};

use crate::rebuild::{self, Origin};

/// Rounds as they are read; an error names the file and the place in it.
pub(crate) type Rounds = Box<dyn Iterator<Item = anyhow::Result<Round>>>;

/// Every round of a file, told by its ending: `.round` notation, `.jsonl` JSON Lines, `.mcap` tape.
pub(crate) fn read(file: &Path) -> anyhow::Result<Rounds> {
    let naming = file.display().to_string();
    tracing::info!(file = naming, "reading rounds");
    match file.extension().and_then(|ending| ending.to_str()).unwrap_or_default() {
        "round" => {
            let text = fs::read_to_string(file).with_context(|| naming.clone())?;
            Ok(Box::new(notation::parse(&text).context(naming)?.into_iter().map(Ok)))
        }
        "jsonl" => {
            let lines = BufReader::new(File::open(file).with_context(|| naming.clone())?).lines();
            Ok(Box::new(lines.enumerate().filter_map(move |(index, line)| {
                json_line(line).map(|round| round.with_context(|| format!("{naming} line {}", index + 1)))
            })))
        }
        "mcap" => {
            let file = BufReader::new(File::open(file).with_context(|| naming.clone())?);
            let rounds = on_tape(Reader::open(file).with_context(|| naming.clone())?);
            Ok(Box::new(rounds.map(move |round| round.with_context(|| naming.clone()))))
        }
        _ => bail!("{naming}: expected a file ending in .round, .jsonl or .mcap"),
    }
}

/// The same, with the rounds of a tape from where they are wanted from. A round that somebody wrote down has no other
/// reading.
pub(crate) fn from(
    file: &Path,
    books: &[Rulebook],
    args: &rebuild::Rebuilding,
) -> anyhow::Result<Box<dyn Iterator<Item = anyhow::Result<Rebuilt>>>> {
    let tape = file.extension().is_some_and(|ending| ending == "mcap");
    if !tape || args.rounds == Origin::Recorded {
        return Ok(Box::new(read(file)?.map(|round| round.map(Rebuilt::from))));
    }
    let naming = file.display().to_string();
    tracing::info!(file = naming, "rebuilding rounds");
    let open = || Ok(Reader::open(BufReader::new(File::open(file)?))?);
    let rounds = rebuild::on_tape(open, books, args).with_context(|| naming.clone())?;
    Ok(Box::new(rounds.map(move |round| round.with_context(|| naming.clone()))))
}

/// The rounds recorded on a tape.
pub(crate) fn on_tape<R: Read>(tape: Reader<R>) -> impl Iterator<Item = anyhow::Result<Round>> {
    tape.filter_map(|message| match message.map(|message| Record::decode(&message)) {
        Ok(Ok(Record::Round(round))) => Some(Ok(*round)),
        Ok(Ok(_)) => None,
        Ok(Err(error)) => Some(Err(error.into())),
        Err(error) => Some(Err(error.into())),
    })
}

fn json_line(line: io::Result<String>) -> Option<anyhow::Result<Round>> {
    match line {
        Ok(line) if line.trim().is_empty() => None,
        Ok(line) => Some(serde_json::from_str(&line).map_err(Into::into)),
        Err(error) => Some(Err(error.into())),
    }
}
