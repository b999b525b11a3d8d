//! `fairdeal tape info`: what is on a tape, and whether all of it can be trusted.

use std::io::{self, Write};
use std::path::PathBuf;

use anyhow::Context;
use serde::Serialize;
use table::Utc;
use table::tape::{About, Message, Reader, TapeError};

use crate::Outcome;

/// What is on a tape, and whether all of it can be trusted
///
/// Reads the whole tape and checks every checksum and hash.
///
/// Example: fairdeal tape info night.mcap
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The tape
    file: PathBuf,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let naming = || args.file.display().to_string();
    let tape = Reader::open(super::open(&args.file)?).with_context(naming)?;
    let (info, ending) = read_whole(naming(), tape);
    let text = if args.json { serde_json::to_string(&info)? + "\n" } else { info.text() };
    io::stdout().write_all(text.as_bytes())?;
    match ending {
        Some(error) => Err(error).with_context(naming),
        None => Ok(Outcome::Clean),
    }
}

/// Reads a tape to its end; its progress bar is gone with it, before anything is printed.
pub(super) fn read_whole<R: io::Read>(name: String, mut tape: Reader<R>) -> (Info, Option<TapeError>) {
    let mut span: Option<(Utc, Utc)> = None;
    let mut ending = None;
    for message in tape.by_ref() {
        match message {
            Ok(message) => span = Some(widened(span, &message)),
            Err(error) => ending = Some(error),
        }
    }
    (Info::new(name, &tape, span, ending.as_ref()), ending)
}

fn widened(span: Option<(Utc, Utc)>, message: &Message) -> (Utc, Utc) {
    let at = message.at();
    span.map_or((at, at), |(first, last)| (first.min(at), last.max(at)))
}

/// What is known of a tape.
#[derive(Serialize)]
pub(super) struct Info {
    file: String,
    table: String,
    created: Utc,
    product: String,
    origin: Option<String>,
    format: &'static str,
    finished: bool,
    verified: bool,
    first: Option<Utc>,
    last: Option<Utc>,
    seconds: f64,
    rounds: u64,
    flags: u64,
    config: Option<&'static str>,
    channels: Vec<ChannelInfo>,
    damage: Option<String>,
    offset: Option<u64>,
}

#[derive(Serialize)]
struct ChannelInfo {
    topic: String,
    messages: u64,
    bytes: u64,
    sha256: String,
}

impl Info {
    fn new<R: io::Read>(file: String, tape: &Reader<R>, span: Option<(Utc, Utc)>, ending: Option<&TapeError>) -> Self {
        let About { table, created, product, origin, config } = tape.about().clone();
        let count = |topic| tape.tallies().get(topic).map_or(0, |tally| tally.messages);
        let micros = span.map_or(0, |(first, last)| last.micros() - first.micros());
        Self {
            file,
            table: table.to_string(),
            created,
            product,
            origin,
            format: table::tape::FORMAT,
            finished: !matches!(ending, Some(TapeError::Unfinished { .. })),
            verified: ending.is_none() && tape.verified(),
            first: span.map(|(first, _)| first),
            last: span.map(|(_, last)| last),
            seconds: micros as f64 / 1e6,
            rounds: count("/rounds"),
            flags: count("/flags"),
            config: config.map(|config| config.format.name()),
            channels: channels(tape),
            damage: ending.map(ToString::to_string),
            offset: ending.and_then(TapeError::offset),
        }
    }

    pub(super) fn text(&self) -> String {
        let mut lines =
            vec![format!("table     {}", self.table), format!("created   {} by {}", self.created, self.product)];
        lines.extend(self.origin.iter().map(|origin| format!("origin    {origin}")));
        lines.push(match (self.first, self.last) {
            (Some(first), Some(last)) => format!("recorded  {first} to {last} ({:.1} s)", self.seconds),
            _ => "recorded  nothing".into(),
        });
        lines.push(format!("content   {} rounds, {} flags", self.rounds, self.flags));
        lines.push(format!("config    {}", self.config.unwrap_or("none")));
        let state = match (self.finished, self.verified) {
            (true, true) => "finished, all hashes hold",
            (true, false) => "damaged: this is what could be read before the damage",
            (false, _) => "unfinished: this is what could be read",
        };
        lines.push(format!("state     {state}"));
        let width = self.channels.iter().map(|channel| channel.topic.len()).max().unwrap_or(0);
        for ChannelInfo { topic, messages, bytes, .. } in &self.channels {
            lines.push(format!("  {topic:width$}  {messages:>9} messages  {bytes:>12} bytes"));
        }
        lines.join("\n") + "\n"
    }
}

fn channels<R: io::Read>(tape: &Reader<R>) -> Vec<ChannelInfo> {
    tape.tallies()
        .iter()
        .map(|(topic, tally)| ChannelInfo {
            topic: topic.clone(),
            messages: tally.messages,
            bytes: tally.bytes,
            sha256: tally.sha256(),
        })
        .collect()
}
