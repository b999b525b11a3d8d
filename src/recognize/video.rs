//! Cards through a video.

use std::fs;
use std::io::{IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::{Context, bail};
use indicatif::{ProgressBar, ProgressStyle};
use ingest::camera::Frame;
use opencv::core::{Mat, MatTraitConst, Size};
use opencv::prelude::{VideoWriterTrait, VideoWriterTraitConst};
use opencv::videoio::VideoWriter;
use recognizer::track::{Did, Followed, Layout, Sighting, Watcher};
use recognizer::vision::{self, Eyes, Ink, VisionError};
use serde::Serialize;
use table::config::TableConfig;
use table::{CardAt, Chance, Event, EventId, Ident, Utc};

use super::Args;
use super::stills::{rounded, save};
use crate::footage::Footage;
use crate::{Outcome, json};

/// What a card did, as scripts read it.
#[derive(Serialize)]
struct Line {
    at: Utc,
    track: u64,
    did: &'static str,
    card: Option<String>,
    confidence: Chance,
    face: &'static str,
    quad: [[f64; 2]; 4],
    place: Option<CardAt>,
    /// The event that a live table would have sent.
    event: Option<Event>,
}

pub(super) fn run(args: &Args, video: &Path, mut eyes: Eyes) -> anyhow::Result<Outcome> {
    let mut footage = Footage::open(video, args.camera.as_ref())?;
    let chosen = args.config.as_deref().map(|config| table_of(config, args.table.as_ref())).transpose()?;
    let table = chosen.or(footage.table.take());
    let Some(mut frame) = footage.next().with_context(|| video.display().to_string())? else {
        bail!("{} shows nothing: no camera recorded a picture", video.display());
    };
    let camera = footage.camera.clone();
    let layout = layout(table.as_ref(), camera.as_ref(), &frame)?;
    let name = camera.or_else(|| table.as_ref()?.cameras.first().map(|of| of.name.clone()));
    let name = name.map_or_else(|| "camera".parse(), Ok)?;
    let mut film = args.draw.as_deref().map(Film::begin).transpose()?;
    let mut watcher = Watcher::new(layout);
    let (begun, bar) = (Instant::now(), spinner());
    let (mut events, mut frames) = (0, 0_u64);
    let mut out = anstream::stdout().lock();
    loop {
        let sightings = watcher.see(&mut eyes, &frame)?;
        for sighting in &sightings {
            let event = sighting.event(EventId(events + 1), &name, frame.source_clock);
            events += u64::from(event.is_some());
            if args.json {
                json::lines(&mut out, [line(sighting, event)])?;
            } else {
                writeln!(out, "{}", in_words(sighting))?;
            }
        }
        if let Some(film) = &mut film {
            film.add(&frame, watcher.followed())?;
        }
        frames += 1;
        bar.set_position(frames);
        match footage.next().with_context(|| video.display().to_string())? {
            Some(next) => frame = next,
            None => break,
        }
    }
    bar.finish_and_clear();
    if !args.json {
        let each = begun.elapsed().as_secs_f64() * 1e3 / frames as f64;
        writeln!(out, "{frames} frames, {} looks, {each:.1} ms a frame with decoding", watcher.looks())?;
    }
    Ok(Outcome::Clean)
}

/// The table that a site file describes.
fn table_of(config: &Path, wanted: Option<&Ident>) -> anyhow::Result<TableConfig> {
    let site = crate::config::load(config)?;
    let ids: Vec<String> = site.tables.iter().map(|table| table.id.to_string()).collect();
    let found = site.tables.into_iter().find(|table| wanted.is_none_or(|id| table.id == *id));
    found.with_context(|| format!("{} has no such table; it has {}", config.display(), ids.join(", ")))
}

/// What the table's configuration tells of the camera that took a frame.
fn layout(table: Option<&TableConfig>, camera: Option<&Ident>, frame: &Frame) -> anyhow::Result<Layout> {
    let Some(table) = table else { return Ok(Layout::default()) };
    let of = table.cameras.iter().find(|of| camera.is_none_or(|name| of.name == *name));
    let Some(of) = of else {
        tracing::warn!("the table's configuration knows no such camera: cards are told without their places");
        return Ok(Layout::default());
    };
    let size = (frame.image.width(), frame.image.height());
    if let Some((width, height)) = of.size.map(|(width, height)| (u32::from(width), u32::from(height)))
        && (width, height) != size
    {
        bail!("the camera is configured for {width}x{height} pixels, the video has {}x{}", size.0, size.1);
    }
    let layout = Layout::of(of);
    if layout.is_empty() {
        tracing::warn!("camera {} is not calibrated: cards are told without their places", of.name);
    }
    Ok(layout)
}

fn spinner() -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new_spinner();
    match ProgressStyle::with_template("{spinner} {pos} frames {per_sec}") {
        Ok(style) => bar.with_style(style),
        Err(_) => bar,
    }
}

const fn word(did: Did) -> &'static str {
    match did {
        Did::Settled => "settled",
        Did::Left => "left",
    }
}

fn line(sighting: &Sighting, event: Option<Event>) -> Line {
    let up = sighting.face == table::Face::Up;
    Line {
        at: sighting.at,
        track: sighting.track,
        did: word(sighting.did),
        card: up.then(|| sighting.card.card.to_string()),
        confidence: sighting.card.chance,
        face: if up { "up" } else { "down" },
        quad: sighting.quad.0.map(|corner| corner.map(|along| rounded(along, 1))),
        place: sighting.place,
        event,
    }
}

fn in_words(sighting: &Sighting) -> String {
    let card = match sighting.face {
        table::Face::Up => sighting.card.card.to_string(),
        table::Face::Down => "face down".to_owned(),
    };
    let place = match sighting.place {
        Some(at) => format!("{} card {}{}", at.place, at.position, turned(at)),
        None => "beside the boxes".to_owned(),
    };
    let sure = 100.0 * sighting.card.chance.as_f64();
    format!("{} {} {card} {place} {sure:.1} %", sighting.at, word(sighting.did))
}

fn turned(at: CardAt) -> &'static str {
    if at.turn == table::Turn::Sideways { ", sideways" } else { "" }
}

/// A film of what was seen, or a folder with its pictures.
enum Film {
    /// Opened with the first frame, whose size it takes.
    File(PathBuf, Option<VideoWriter>),
    Folder(PathBuf),
}

impl Film {
    fn begin(to: &Path) -> anyhow::Result<Self> {
        if to.extension().is_some_and(|ending| ending == "mp4") {
            return Ok(Self::File(to.to_owned(), None));
        }
        fs::create_dir_all(to).with_context(|| format!("cannot make the folder {}", to.display()))?;
        Ok(Self::Folder(to.to_owned()))
    }

    fn add(&mut self, frame: &Frame, cards: impl Iterator<Item = Followed>) -> anyhow::Result<()> {
        let mut picture = frame.image.with_bgr(|bgr| Ok::<Mat, VisionError>(bgr.try_clone()?))?;
        for card in cards {
            draw(&mut picture, &card)?;
        }
        match self {
            Self::Folder(folder) => save(&picture, &folder.join(format!("{:06}.jpg", frame.number))),
            Self::File(path, writer) => {
                let writer = match writer {
                    Some(writer) => writer,
                    none => none.insert(mp4(path, picture.size()?)?),
                };
                Ok(writer.write(&picture)?)
            }
        }
    }
}

fn mp4(path: &Path, size: Size) -> anyhow::Result<VideoWriter> {
    let code = VideoWriter::fourcc('a', 'v', 'c', '1')?;
    let writer = VideoWriter::new(path, code, 25.0, size, true)?;
    if !writer.is_opened()? {
        bail!("cannot write the film {}", path.display());
    }
    Ok(writer)
}

fn draw(picture: &mut Mat, card: &Followed) -> anyhow::Result<()> {
    let ink = match card.card.is_known() {
        false => Ink::Back,
        true if card.confidence >= 0.9 => Ink::Sure,
        true => Ink::Doubtful,
    };
    vision::outline(picture, &card.quad.0, ink)?;
    let name = if card.card.is_known() { card.card.to_string() } else { "down".to_owned() };
    let place = card.place.map(|at| format!(" {}.{}{}", at.place, at.position, turned(at))).unwrap_or_default();
    let [left, top, ..] = card.quad.bounds();
    Ok(vision::label(picture, &format!("{name}{place}"), [left, top - 4.0], ink)?)
}
