//! What a camera's thread costs beside decoding alone, with the watch over the picture's health.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, bail};
use ffmpeg_next as ffmpeg;
use ingest::camera::{self, Mode};
use table::tape::{Reader, Record};

use super::work;

/// So many pictures of the film are played.
const PICTURES: usize = 400;
/// Each way is measured so often, in turn; what else the machine does only ever adds, so the least counts.
const TURNS: usize = 3;

/// What is played.
#[derive(Clone, Copy)]
pub(super) enum Film {
    /// A round as [`film_a_round`] films it.
    AsFilmed,
    /// The same with more of a sensor's noise, at four million bits a second.
    Noisy,
}

impl Film {
    /// How `ffmpeg` packs it.
    const fn packing(self) -> &'static [&'static str] {
        match self {
            Self::AsFilmed => &["-c", "copy"],
            Self::Noisy => &[
                "-vf",
                "noise=alls=6:allf=t",
                "-c:v",
                "libx264",
                "-preset",
                "veryfast",
                "-b:v",
                "4M",
                "-maxrate",
                "4M",
                "-bufsize",
                "8M",
            ],
        }
    }
}

/// Films a round as a camera over the table sends it: 25 pictures a second, good quality, all that real pictures suffer.
pub(super) fn film_a_round(to: &Path) -> anyhow::Result<()> {
    let made = Command::new(std::env::current_exe()?)
        .args(["simulate", "--game", "nz-base", "--rounds", "1", "--seed", "11", "--mid-shoe"])
        .args(["--video", "--fps", "25", "--crf", "23", "--out"])
        .arg(to)
        .stdout(Stdio::null())
        .status()?;
    if !made.success() {
        bail!("a round could not be filmed");
    }
    Ok(())
}

/// How much more a camera costs than decoding its pictures and nothing else: 0.1 is a tenth more.
pub(super) fn overhead(tape: &Path, film: Film) -> anyhow::Result<f64> {
    let folder = tempfile::tempdir()?;
    let film = made(tape, film, folder.path())?;
    ffmpeg::init()?;
    let (mut alone, mut watched) = (Duration::MAX, Duration::MAX);
    for _ in 0..TURNS {
        alone = alone.min(worked(|| decode(&film))?);
        watched = watched.min(worked(|| play(&film))?);
    }
    Ok(watched.as_secs_f64() / alone.as_secs_f64() - 1.0)
}

/// The first pictures of a tape in a file of their own.
fn made(tape: &Path, film: Film, folder: &Path) -> anyhow::Result<String> {
    let (stream, file) = (folder.join("table.h264"), folder.join("table.mp4"));
    let mut bytes = Vec::new();
    let mut pictures = 0;
    for message in Reader::open(fs::read(tape)?.as_slice())? {
        if let Record::Picture { picture, .. } = Record::decode(&message?)? {
            bytes.extend(picture.data);
            pictures += 1;
            if pictures == PICTURES {
                break;
            }
        }
    }
    fs::write(&stream, bytes)?;
    let made = Command::new("ffmpeg")
        .args(["-v", "error", "-r", "25", "-f", "h264", "-i"])
        .arg(&stream)
        .args(film.packing())
        .arg(&file)
        .status()
        .context("ffmpeg, which packs the film, cannot be started")?;
    if !made.success() {
        bail!("ffmpeg could not pack the film");
    }
    Ok(file.display().to_string())
}

/// The processor time that playing all pictures takes.
fn worked(play: impl FnOnce() -> anyhow::Result<usize>) -> anyhow::Result<Duration> {
    let before = work::of_this_process()?;
    let frames = play()?;
    let worked = work::of_this_process()?.saturating_sub(before);
    if frames != PICTURES {
        bail!("{frames} of {PICTURES} pictures were played");
    }
    Ok(worked)
}

/// Frames decoded by FFmpeg and nothing else.
fn decode(film: &str) -> anyhow::Result<usize> {
    let mut input = ffmpeg::format::input(film)?;
    let stream = input.streams().best(ffmpeg::media::Type::Video).context("no video in the film")?;
    let index = stream.index();
    let mut context = ffmpeg::codec::Context::from_parameters(stream.parameters())?;
    context.set_threading(ffmpeg::codec::threading::Config::count(1));
    let mut decoder = context.decoder().video()?;
    let mut frames = 0;
    let mut frame = ffmpeg::frame::Video::empty();
    for (_, packet) in input.packets().filter(|(stream, _)| stream.index() == index) {
        decoder.send_packet(&packet)?;
        while decoder.receive_frame(&mut frame).is_ok() {
            frames += 1;
        }
    }
    decoder.send_eof()?;
    while decoder.receive_frame(&mut frame).is_ok() {
        frames += 1;
    }
    Ok(frames)
}

/// The same through a camera that is watched over.
fn play(film: &str) -> anyhow::Result<usize> {
    let source = format!("file:{film}").parse()?;
    let camera = camera::open(&source, Mode::Replay);
    let mut frames = 0;
    while camera.frame(Duration::from_secs(60)).is_ok() {
        frames += 1;
    }
    Ok(frames)
}
