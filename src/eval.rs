//! `fairdeal eval`: how well cards are recognised, on pictures and tapes whose truth is known.

mod page;
mod sets;
mod tally;
pub(crate) mod tapes;

use std::fs;
use std::io::IsTerminal;
use std::path::PathBuf;
use std::time::Instant;

use anyhow::Context;
use indicatif::ProgressBar;
use recognizer::vision::Eyes;
use serde::Serialize;

use crate::Outcome;
use crate::doctor::Machine;
use page::Page;
use sets::Picture;
use tally::Tally;

/// Measure how well cards are recognised
///
/// On fresh simulated stills, on sets of labelled photographs (folders with a
/// labels.json), and on simulated tapes with video. Prints how many cards were
/// found and read right by their width, by how much of them shows and by slant,
/// how far confidence may be believed, and what a frame costs; writes a page with
/// a picture of every error.
///
/// Examples: fairdeal eval --stills 200 --out target/eval
///           fairdeal eval --stills 0 --real ../shared/cards-real
///           fairdeal eval --stills 0 --tape night.mcap
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// How many stills to simulate
    #[arg(long, default_value_t = 100, value_name = "N")]
    stills: u32,
    /// The stills' seed
    #[arg(long, default_value_t = 20_261_116)]
    seed: u64,
    /// A folder of sets of labelled photographs; those meant for training are left out
    #[arg(long, value_name = "DIR")]
    real: Option<PathBuf>,
    /// Shrink photographs until their cards are about so many pixels wide
    #[arg(long, value_name = "PIXELS")]
    shrink: Option<f32>,
    /// A simulated tape with video
    #[arg(long, value_name = "FILE")]
    tape: Vec<PathBuf>,
    /// Another model (ONNX) to time in the same run, such as a YOLOv8n: it gets pictures of 640 by 640
    #[arg(long, value_name = "FILE")]
    beside: Option<PathBuf>,
    /// Use finder.onnx and reader.onnx from this folder instead of those built in
    #[arg(long, value_name = "DIR")]
    models: Option<PathBuf>,
    /// Where the page of errors goes
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// One JSON object a line of the table
    #[arg(long)]
    json: bool,
}

/// A line of the table.
#[derive(Serialize)]
pub(crate) struct Row {
    set: String,
    group: String,
    #[serde(flatten)]
    tally: Tally,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let mut eyes = crate::recognize::eyes(args.models.as_deref())?;
    let mut page = Page::default();
    let mut rows = Vec::new();
    let mut sets = Vec::new();
    if args.stills > 0 {
        sets.push(sets::simulated(args.stills, args.seed));
    }
    match &args.real {
        Some(folder) if folder.is_dir() => sets.extend(sets::photographs(folder, args.shrink)?),
        Some(folder) => eprintln!("fairdeal: {} is not here: photographs are left out", folder.display()),
        None => {}
    }
    for set in sets {
        rows.extend(judge(set, &mut eyes, &mut page)?);
    }
    for tape in &args.tape {
        rows.extend(tapes::judge(tape, &mut eyes, &mut page)?);
    }
    let mut out = anstream::stdout().lock();
    if args.json {
        crate::json::lines(&mut out, &rows)?;
    } else {
        tally::table(&mut out, &rows)?;
    }
    if let Some(model) = &args.beside {
        let ms = recognizer::vision::time_of(model, &Machine::this().runtime(), [1, 3, 640, 640], 20)?;
        eprintln!("{}: {ms:.1} ms a picture of 640 by 640, one thread", model.display());
    }
    if let Some(folder) = &args.out {
        fs::create_dir_all(folder).with_context(|| format!("cannot make the folder {}", folder.display()))?;
        let file = folder.join("errors.html");
        fs::write(&file, page.html(&rows)).with_context(|| file.display().to_string())?;
        eprintln!("{} errors in {}", page.len(), file.display());
    }
    Ok(Outcome::Clean)
}

/// Looks at every picture of a set.
fn judge(set: sets::Set, eyes: &mut Eyes, page: &mut Page) -> anyhow::Result<Vec<Row>> {
    let sets::Set { name, count, pictures } = set;
    let bar = if std::io::stderr().is_terminal() { ProgressBar::new(count as u64) } else { ProgressBar::hidden() };
    let mut groups = tally::Groups::new(name.clone());
    for picture in pictures {
        let picture: Picture = picture?;
        let begun = Instant::now();
        let (seen, steps) = eyes.search_by_steps(&picture.image).with_context(|| picture.name.clone())?;
        groups.time(begun.elapsed());
        let verdict = tally::compare(&picture.cards, &seen, &steps);
        groups.add(&picture.cards, &seen, &verdict);
        page.errors(&name, &picture, &seen, &verdict)?;
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(groups.rows())
}
