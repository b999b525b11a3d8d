//! `fairdeal decode`: what a shoe said, from the raw bytes of its line.

use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use ingest::shoe::{self, Decoder, Heard, Stats};
use serde::Serialize;
use table::Ident;
use table::config::Dialect;
use table::tape::{Reader, Record};

use crate::{Outcome, json};

/// Decode the raw bytes of a shoe's line
///
/// Prints a line of JSON for everything the shoe said, with the byte at which its telegram
/// began, and at the end a line of statistics. Missing telegrams are lines too: event gap,
/// with at_most. Bytes may come from a capture, from standard input as they are received,
/// or from a tape. If they make no sense, standard error says what is likely wrong.
///
/// Examples: fairdeal decode --dialect angel-eye capture.bin
///           fairdeal decode --dialect bee-tek night.mcap --shoe east | grep '"burn"'
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// A capture, or a tape (.mcap); standard input if absent or -
    file: Option<PathBuf>,
    /// What the shoe speaks: angel-eye or bee-tek
    #[arg(long)]
    dialect: Dialect,
    /// Which shoe, if a tape has several
    #[arg(long, value_name = "NAME")]
    shoe: Option<Ident>,
}

/// As much as is read at once.
const READ: usize = 64 << 10;
/// As many of the first bytes as are kept to tell what is wrong.
const SAMPLE: usize = 4 << 10;

#[derive(Serialize)]
struct Summary {
    stats: Stats,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let mut printer = Printer {
        dialect: args.dialect,
        decoder: shoe::dialect(args.dialect),
        heard: Vec::new(),
        sample: Vec::new(),
        out: BufWriter::new(io::stdout().lock()),
    };
    match args.file.as_deref().filter(|file| *file != Path::new("-")) {
        Some(file) if file.extension().is_some_and(|ending| ending == "mcap") => {
            tape(file, args.shoe.as_ref(), &mut printer)?;
        }
        _ if args.shoe.is_some() => bail!("--shoe chooses among the shoes of a tape; a capture has one"),
        Some(file) => {
            let bytes = File::open(file).with_context(|| format!("cannot read {}", file.display()))?;
            capture(bytes, &file.display().to_string(), &mut printer)?;
        }
        None => capture(io::stdin().lock(), "standard input", &mut printer)?,
    }
    printer.finish()?;
    Ok(Outcome::Clean)
}

fn capture(mut bytes: impl Read, name: &str, printer: &mut Printer<impl Write>) -> anyhow::Result<()> {
    let mut room = vec![0; READ];
    loop {
        match bytes.read(&mut room) {
            Ok(0) => return Ok(()),
            Ok(length) => printer.push(room.get(..length).unwrap_or_default())?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => {
                let at = printer.decoder.stats().bytes;
                return Err(error).with_context(|| format!("cannot read {name} from byte {at} on"));
            }
        }
    }
}

/// The bytes of one shoe on a tape.
fn tape(file: &Path, wanted: Option<&Ident>, printer: &mut Printer<impl Write>) -> anyhow::Result<()> {
    let naming = || file.display().to_string();
    let tape = File::open(file).with_context(|| format!("cannot read {}", naming()))?;
    let mut chosen = wanted.cloned();
    let mut any = false;
    for message in Reader::open(BufReader::new(tape)).with_context(naming)? {
        let Record::ShoeBytes { shoe, bytes } = Record::decode(&message.with_context(naming)?).with_context(naming)?
        else {
            continue;
        };
        let chosen = chosen.get_or_insert_with(|| shoe.clone());
        if *chosen == shoe {
            any = true;
            printer.push(&bytes)?;
        } else if wanted.is_none() {
            bail!("{}: there are several shoes on this tape; choose with --shoe {chosen} or --shoe {shoe}", naming());
        }
    }
    match wanted {
        _ if any => Ok(()),
        Some(shoe) => bail!("{}: there are no bytes of a shoe {shoe} on this tape", naming()),
        None => bail!("{}: there are no bytes of a shoe on this tape", naming()),
    }
}

/// Prints what is heard as it is heard.
struct Printer<W: Write> {
    dialect: Dialect,
    decoder: Box<dyn Decoder>,
    heard: Vec<Heard>,
    sample: Vec<u8>,
    out: W,
}

impl<W: Write> Printer<W> {
    fn push(&mut self, bytes: &[u8]) -> anyhow::Result<()> {
        let room = SAMPLE.saturating_sub(self.sample.len()).min(bytes.len());
        self.sample.extend(bytes.iter().take(room));
        self.decoder.push(bytes, &mut self.heard);
        self.print()
    }

    fn print(&mut self) -> anyhow::Result<()> {
        json::lines(&mut self.out, self.heard.drain(..))?;
        self.out.flush()?;
        Ok(())
    }

    fn finish(mut self) -> anyhow::Result<()> {
        self.decoder.line_ended(&mut self.heard);
        self.print()?;
        let stats = self.decoder.stats();
        json::lines(&mut self.out, [Summary { stats }])?;
        self.out.flush()?;
        if let Some(wrong) = shoe::diagnose(self.dialect, &stats, &self.sample) {
            tracing::warn!("{wrong}");
        }
        Ok(())
    }
}
