//! Tapes whose cards are known: what the watcher told against what the simulator's own observer, who errs in nothing, told.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};
use ingest::camera::Frame;
use opencv::core::{Mat, MatTraitConst};
use recognizer::track::{Layout, Watcher};
use recognizer::vision::{Eyes, Quad, VisionError};
use table::tape::{Reader, Record};
use table::{Card, CardAt, EventId, Face, Fact, Ident, SourceKind};

use super::Row;
use super::page::{self, Page};
use super::tally::Tally;
use crate::bench::work;
use crate::footage::Footage;
use crate::sight::{Filmed, plain};

/// How far two tellings of the same event may be apart, in microseconds.
const APART: i64 = 3_000_000;

/// A card that came to rest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Settled {
    at: i64,
    spot: CardAt,
    card: Card,
}

/// What a pass over a tape cost, in processor time.
pub(crate) struct Cost {
    /// Frames.
    pub(crate) frames: u64,
    /// Decoding alone.
    pub(crate) decoding: Duration,
    /// Watching alone.
    pub(crate) watching: Duration,
    /// Times the networks were asked.
    pub(crate) looks: u64,
}

/// A row for each camera that filmed.
pub(super) fn judge(path: &Path, eyes: &mut Eyes, errors: &mut Page) -> anyhow::Result<Vec<Row>> {
    let filmed = Filmed::on(opened(path)?)?;
    if filmed.cameras().next().is_none() {
        bail!("{} has no video", path.display());
    }
    let settled = settled(path)?;
    let rows = filmed.cameras().map(|(camera, time)| {
        // What comes to rest in the last second may not have settled on film.
        let last = time.end().micros() - 1_000_000;
        let shown = settled.iter().filter(|card| (time.start().micros()..=last).contains(&card.at));
        of_camera(path, camera, &shown.copied().collect::<Vec<_>>(), eyes, errors)
    });
    rows.collect()
}

fn of_camera(
    path: &Path,
    camera: &Ident,
    truth: &[Settled],
    eyes: &mut Eyes,
    errors: &mut Page,
) -> anyhow::Result<Row> {
    let mut told = Vec::new();
    let mut pictures = Vec::new();
    let cost = watch(path, Some(camera), eyes, |frame, quad, settled| {
        told.push(settled);
        let picture = frame.image.with_bgr(|bgr| Ok::<Mat, VisionError>(bgr.try_clone()?))?;
        pictures.push(page::cut_out(&picture, quad, Some(quad))?);
        Ok(())
    })?;
    let mut taken = vec![false; told.len()];
    let (mut tally, mut position, mut turn) = (Tally::default(), 0_u32, 0_u32);
    for card in truth {
        tally.cards += 1;
        let near = |of: &Settled| of.spot.place == card.spot.place && of.spot.face == card.spot.face;
        let better =
            |of: &Settled| (of.card != card.card, of.spot.position != card.spot.position, (of.at - card.at).abs());
        let found = (0..told.len())
            .filter(|which| !taken[*which] && near(&told[*which]) && (told[*which].at - card.at).abs() <= APART)
            .min_by_key(|which| better(&told[*which]));
        let Some(which) = found else { continue };
        taken[which] = true;
        tally.found += 1;
        let is = told[which];
        tally.rank_right += u32::from(is.card.rank() == card.card.rank());
        tally.suit_right += u32::from(is.card.suit() == card.card.suit());
        tally.right += u32::from(is.card == card.card);
        tally.wrong += u32::from(is.card != card.card);
        position += u32::from(is.spot.position == card.spot.position);
        turn += u32::from(is.spot.turn == card.spot.turn);
        if is.card != card.card {
            errors.told(path, &pictures[which], &format!("{} told as {}", card.card, is.card))?;
        }
    }
    for (which, _) in taken.iter().enumerate().filter(|(_, taken)| !**taken) {
        let is = told[which];
        errors.told(
            path,
            &pictures[which],
            &format!("told {} at {} card {}", is.card, is.spot.place, is.spot.position),
        )?;
    }
    let frames = cost.frames.max(1) as f64;
    let ms = |took: Duration| took.as_secs_f64() * 1e3 / frames;
    tally.false_cards = Some(taken.iter().filter(|taken| !**taken).count() as u32);
    tally.ms = Some(ms(cost.watching));
    let part = |count: u32| 100.0 * f64::from(count) / f64::from(tally.found.max(1));
    tally.note = Some(format!(
        "position {:.1} %, turn {:.1} %, {} looks in {} frames, decoding {:.1} ms",
        part(position),
        part(turn),
        cost.looks,
        cost.frames,
        ms(cost.decoding)
    ));
    Ok(Row { set: path.display().to_string(), group: format!("at rest before {camera}"), tally })
}

/// Follows the cards before a camera of a tape, the first if none is named, and hands every one that comes to rest at a
/// place to `told` with the frame that shows it.
pub(crate) fn watch(
    path: &Path,
    camera: Option<&Ident>,
    eyes: &mut Eyes,
    mut told: impl FnMut(&Frame, &Quad, Settled) -> anyhow::Result<()>,
) -> anyhow::Result<Cost> {
    let mut footage = Footage::open(path, camera)?;
    let mut cost = Cost { frames: 0, decoding: Duration::ZERO, watching: Duration::ZERO, looks: 0 };
    let mut watcher: Option<Watcher> = None;
    loop {
        let begun = work::of_this_thread()?;
        let Some(frame) = footage.next().with_context(|| path.display().to_string())? else { break };
        cost.decoding += work::of_this_thread()?.saturating_sub(begun);
        cost.frames += 1;
        let watcher = watcher.get_or_insert_with(|| {
            let cameras = footage.table.as_ref().map(|table| table.cameras.as_slice()).unwrap_or_default();
            let camera = cameras.iter().find(|camera| footage.camera.as_ref() == Some(&camera.name));
            Watcher::new(camera.map(Layout::of).unwrap_or_default())
        });
        let begun = work::of_this_thread()?;
        let sightings = watcher.see(eyes, &frame)?;
        cost.watching += work::of_this_thread()?.saturating_sub(begun);
        cost.looks = watcher.looks();
        for sighting in sightings {
            let name = footage.camera.clone().map_or_else(|| "camera".parse(), Ok)?;
            let Some(event) = sighting.event(EventId(1), &name, None) else { continue };
            if let Fact::Settled { at, card } = event.fact {
                told(&frame, &sighting.quad, Settled { at: event.at.micros(), spot: at, card: card.card })?;
            }
        }
    }
    Ok(cost)
}

/// The cards that came to rest on a tape.
fn settled(path: &Path) -> anyhow::Result<Vec<Settled>> {
    let mut settled = Vec::new();
    for moment in plain(opened(path)?) {
        let (_, Some(Record::Event(event))) = moment? else { continue };
        if event.source.kind == SourceKind::Camera
            && let Fact::Settled { at, card } = event.fact
        {
            let card = if at.face == Face::Down { Card::HIDDEN } else { card.card };
            settled.push(Settled { at: event.at.micros(), spot: at, card });
        }
    }
    Ok(settled)
}

fn opened(path: &Path) -> anyhow::Result<Reader<BufReader<File>>> {
    let naming = || path.display().to_string();
    let file = File::open(path).with_context(naming)?;
    Reader::open(BufReader::new(file)).with_context(naming)
}
