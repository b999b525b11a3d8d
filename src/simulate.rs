//! `fairdeal simulate`: a labelled tape of play that never happened.

mod args;
mod report;

use std::fs::{File, OpenOptions};
use std::io::{BufWriter, IsTerminal};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};
use simulator::players;
use simulator::recording::{Equipment, Recording};
use simulator::setup::Setup;
use simulator::shift::{Shift, Wishes};
use simulator::truth::Made;
use simulator::video::stills;

pub(crate) use args::Args;
use report::Report;

use crate::{Outcome, books};

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    if args.list_faults {
        report::list_faults(&mut anstream::stdout().lock())?;
        return Ok(Outcome::Clean);
    }
    let out = args.out.as_deref().context("--out says where the tape goes")?;
    match args.stills {
        Some(count) => make_stills(args, count, out),
        None => make_tape(args, out),
    }
}

fn make_stills(args: &Args, count: u32, out: &Path) -> anyhow::Result<Outcome> {
    let bar = progress(u64::from(count), "stills");
    let order = stills::Order { size: args.size.size(), ..stills::Order::new(count, args.seed) };
    let labels = stills::write(&order, out, || bar.inc(1))?;
    bar.finish_and_clear();
    let cards: usize = labels.images.iter().map(|image| image.boxes.len()).sum();
    anstream::println!("{count} pictures with {cards} cards in {}, labels in labels.json", out.display());
    Ok(Outcome::Clean)
}

fn make_tape(args: &Args, out: &Path) -> anyhow::Result<Outcome> {
    let books = books::shipped()?;
    let game = args.game()?;
    let mut setup = Setup::new(books, args.table.clone(), game.clone())?;
    setup.shuffler.clone_from(&args.shuffler);
    if let Some(boxes) = args.boxes {
        setup.boxes = boxes.min(setup.boxes);
    }
    let (wishes, asked) = args.wishes()?;
    let equipment = Equipment { dialect: args.dialect, noise: args.noise, shot: args.shot()? };
    let made = Made { seed: args.seed, game, rounds: args.rounds, noise: args.noise, faults: asked };
    let mut shift = Shift::open(
        &setup,
        Wishes {
            seed: args.seed,
            rounds: args.rounds,
            begins: args.begins,
            mid_shoe: args.mid_shoe,
            company: players::Wish { boxes: setup.boxes, ..args.company()? },
            dealers: args.dealers.clone(),
            procedure: args.shuffle.clone(),
            faults: wishes,
            several: args.several,
        },
    );
    let file = create(out, args.force)?;
    let naming = || out.display().to_string();
    let product = crate::tape::product();
    let mut recording = Recording::begin(file, &setup, &equipment, made, args.begins, &product).with_context(naming)?;
    let stopped = interruption()?;
    let bar = progress(u64::from(args.rounds), "rounds");
    let mut report = Report::default();
    for dealt in shift.by_ref() {
        let dealt = dealt?;
        recording.round(&dealt).with_context(naming)?;
        report.count(&dealt);
        bar.inc(1);
        if stopped.load(Ordering::Relaxed) {
            break;
        }
    }
    bar.finish_and_clear();
    let file = recording.finish(shift.shuffled()).with_context(naming)?;
    file.into_inner().map_err(std::io::IntoInnerError::into_error).with_context(naming)?.sync_all()?;
    report.write(&mut anstream::stdout().lock(), out, args)?;
    if stopped.load(Ordering::Relaxed) {
        bail!(
            "interrupted after {} of {} rounds; {} is whole up to there",
            report.rounds(),
            args.rounds,
            out.display()
        );
    }
    Ok(Outcome::Clean)
}

/// The tape, written under its own name: whatever stops us, what was played so far can be read.
fn create(out: &Path, force: bool) -> anyhow::Result<BufWriter<File>> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(!force).create(force).truncate(force);
    match options.open(out) {
        Err(error) if error.kind() == std::io::ErrorKind::AlreadyExists => {
            bail!("{} exists; --force overwrites it", out.display())
        }
        file => Ok(BufWriter::new(file.with_context(|| format!("cannot write {}", out.display()))?)),
    }
}

/// Set once somebody wants us to stop.
fn interruption() -> anyhow::Result<Arc<AtomicBool>> {
    let stopped = Arc::new(AtomicBool::new(false));
    let stop = Arc::clone(&stopped);
    ctrlc::set_handler(move || stop.store(true, Ordering::Relaxed)).context("cannot listen for interruption")?;
    Ok(stopped)
}

fn progress(length: u64, what: &'static str) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new(length).with_message(what);
    match ProgressStyle::with_template("{wide_bar} {pos}/{len} {msg} {eta}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}
