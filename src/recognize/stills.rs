//! Cards in single pictures.

use std::fs;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, bail};
use indicatif::ProgressBar;
use opencv::core::{Mat, MatTraitConst, Vector};
use opencv::imgcodecs;
use recognizer::vision::{self, Eyes, Ink, Seen};
use serde::Serialize;

use super::Args;
use crate::{Outcome, json};

/// A picture's cards as scripts read them.
#[derive(Serialize)]
struct Line<'l> {
    image: &'l str,
    w: i32,
    h: i32,
    ms: f64,
    cards: Vec<CardLine>,
}

/// One card as scripts read it.
#[derive(Serialize)]
pub(super) struct CardLine {
    card: Option<String>,
    confidence: f64,
    rank_p: Option<f64>,
    suit_p: Option<f64>,
    quad: [[f64; 2]; 4],
    face: &'static str,
    partly_hidden: bool,
}

impl CardLine {
    pub(super) fn of(seen: &Seen) -> Self {
        let up = seen.is_up();
        let (rank, suit) = seen.chances();
        Self {
            card: seen.card().map(|card| card.to_string()),
            confidence: rounded(seen.confidence(), 4),
            rank_p: up.then(|| rounded(rank, 4)),
            suit_p: up.then(|| rounded(suit, 4)),
            quad: seen.quad.0.map(|corner| corner.map(|along| rounded(along, 1))),
            face: if up { "up" } else { "down" },
            partly_hidden: seen.partly_hidden(),
        }
    }
}

pub(super) fn rounded(number: f32, decimals: i32) -> f64 {
    let tens = 10_f64.powi(decimals);
    (f64::from(number) * tens).round() / tens
}

pub(super) fn run(args: &Args, mut eyes: Eyes) -> anyhow::Result<Outcome> {
    let bar = if std::io::stderr().is_terminal() && args.images.len() > 1 {
        ProgressBar::new(args.images.len() as u64)
    } else {
        ProgressBar::hidden()
    };
    let mut wrong = 0;
    for image in &args.images {
        // One bad picture among a thousand must not cost the rest.
        if let Err(error) = one(args, image, &mut eyes) {
            if error.chain().any(|cause| cause.is::<std::io::Error>() && is_closed(cause)) {
                return Err(error);
            }
            bar.suspend(|| eprintln!("fairdeal: {error:#}"));
            wrong += 1;
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    match wrong {
        0 => Ok(Outcome::Clean),
        1 if args.images.len() == 1 => bail!("the picture could not be looked at"),
        _ => bail!("{wrong} of {} pictures could not be looked at", args.images.len()),
    }
}

fn is_closed(cause: &(dyn std::error::Error + 'static)) -> bool {
    cause.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}

fn one(args: &Args, path: &Path, eyes: &mut Eyes) -> anyhow::Result<()> {
    let picture = vision::open(path)?;
    let begun = Instant::now();
    let seen = eyes.search(&picture).with_context(|| path.display().to_string())?;
    let ms = begun.elapsed().as_secs_f64() * 1e3;
    let mut out = anstream::stdout().lock();
    if args.json {
        let cards = seen.iter().map(CardLine::of).collect();
        let image = path.to_string_lossy();
        let line = Line { image: &image, w: picture.cols(), h: picture.rows(), ms: (ms * 10.0).round() / 10.0, cards };
        json::lines(&mut out, [line])?;
    } else {
        writeln!(out, "{}: {}", path.display(), in_words(&seen))?;
    }
    if let Some(to) = &args.draw {
        let several = args.images.len() > 1 || to.is_dir();
        save(&drawn(&picture, &seen)?, &target(to, path, several)?)?;
    }
    Ok(())
}

fn in_words(seen: &[Seen]) -> String {
    if seen.is_empty() {
        return "no card".to_owned();
    }
    let word = |seen: &Seen| match seen.card() {
        Some(card) => format!("{card} {:.0} %", 100.0 * seen.confidence()),
        None => format!("face down {:.0} %", 100.0 * seen.confidence()),
    };
    seen.iter().map(word).collect::<Vec<_>>().join(", ")
}

/// Where the drawing of a picture goes.
fn target(to: &Path, of: &Path, folder: bool) -> anyhow::Result<PathBuf> {
    if !folder {
        return Ok(to.to_owned());
    }
    fs::create_dir_all(to).with_context(|| format!("cannot make the folder {}", to.display()))?;
    let name = of.file_stem().unwrap_or(of.as_os_str());
    Ok(to.join(name).with_extension("jpg"))
}

/// The picture with every card's outline and name.
pub(super) fn drawn(picture: &Mat, seen: &[Seen]) -> anyhow::Result<Mat> {
    let mut drawn = picture.try_clone()?;
    for card in seen {
        let ink = match card.card() {
            None => Ink::Back,
            Some(_) if card.confidence() >= 0.9 => Ink::Sure,
            Some(_) => Ink::Doubtful,
        };
        vision::outline(&mut drawn, &card.quad.0, ink)?;
        let name = card.card().map_or_else(|| "down".to_owned(), |card| card.to_string());
        let [x, y] = card.quad.0[0];
        vision::label(&mut drawn, &format!("{name} {:.0}", 100.0 * card.confidence()), [x, y - 4.0], ink)?;
    }
    Ok(drawn)
}

/// Writes a picture, in the form its name asks for.
pub(crate) fn save(picture: &Mat, path: &Path) -> anyhow::Result<()> {
    let written = imgcodecs::imwrite(path, picture, &Vector::new()).unwrap_or(false);
    if !written {
        bail!("cannot write {}: name a .jpg or .png in a folder that exists", path.display());
    }
    Ok(())
}
