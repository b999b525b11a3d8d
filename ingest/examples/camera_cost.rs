//! What a camera's thread costs beside decoding alone: `cargo run --release -p ingest --example camera_cost -- FILM`.
//!
//! Processor time of all threads, not time that passed: the machine may have other things to do.

use std::error::Error;
use std::time::Duration;

use ffmpeg_next as ffmpeg;
use ingest::camera::{self, Mode, Setup};

/// Processor time this process has had so far. Linux counts it in hundredths of a second, after the name in brackets.
fn worked() -> Duration {
    let line = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after = line.rsplit_once(')').map_or("", |(_, after)| after);
    let ticks: u64 = after.split_whitespace().skip(11).take(2).filter_map(|ticks| ticks.parse::<u64>().ok()).sum();
    Duration::from_millis(10 * ticks)
}

/// Frames decoded by FFmpeg and nothing else, and how long it took.
fn decode(film: &str) -> Result<(u64, Duration), ffmpeg::Error> {
    let mut input = ffmpeg::format::input(film)?;
    let stream = input.streams().best(ffmpeg::media::Type::Video).ok_or(ffmpeg::Error::StreamNotFound)?;
    let index = stream.index();
    let mut context = ffmpeg::codec::Context::from_parameters(stream.parameters())?;
    context.set_threading(ffmpeg::codec::threading::Config::count(1));
    let mut decoder = context.decoder().video()?;
    let begun = worked();
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
    Ok((frames, worked().saturating_sub(begun)))
}

/// The same through a camera.
fn play(film: &str, watched: bool) -> Result<(u64, Duration), Box<dyn Error>> {
    let source = format!("file:{film}").parse()?;
    let begun = worked();
    let camera = camera::open(&source, Setup { watched, ..Mode::Replay.into() });
    let mut frames = 0;
    while camera.frame(Duration::from_secs(60)).is_ok() {
        frames += 1;
    }
    Ok((frames, worked().saturating_sub(begun)))
}

fn main() -> Result<(), Box<dyn Error>> {
    let film = std::env::args().nth(1).ok_or("which film? give the name of a video file")?;
    let best = |runs: &mut dyn FnMut() -> Result<(u64, Duration), Box<dyn Error>>| {
        let mut best = runs()?;
        for _ in 0..4 {
            best = best.min_by_time(runs()?);
        }
        Ok::<_, Box<dyn Error>>(best)
    };
    let alone = best(&mut || Ok(decode(&film)?))?;
    for (name, watched) in [("through a camera", false), ("and watched over", true)] {
        let camera = best(&mut || play(&film, watched))?;
        let more = 100.0 * (camera.1.as_secs_f64() / alone.1.as_secs_f64() - 1.0);
        println!("{name}: {} of {} frames, {:.1?}, {more:+.1} % on {:.1?}", camera.0, alone.0, camera.1, alone.1);
    }
    Ok(())
}

/// The faster of two runs: what else the machine does only ever adds.
trait Faster {
    fn min_by_time(self, other: Self) -> Self;
}

impl Faster for (u64, Duration) {
    fn min_by_time(self, other: Self) -> Self {
        if other.1 < self.1 { other } else { self }
    }
}
