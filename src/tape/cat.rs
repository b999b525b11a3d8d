//! `fairdeal tape cat`: the messages of a tape, one after the other.

use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::PathBuf;

use anyhow::Context;
use data_encoding::HEXLOWER;
use indicatif::ProgressBar;
use serde_json::{Value, json};
use table::tape::{Message, Reader, Record};

use crate::Outcome;

/// Print the messages of a tape in the order they were recorded
///
/// Rounds come in round notation, events, flags and labels as JSON lines, raw bytes in hexadecimal.
///
/// Examples: fairdeal tape cat night.mcap --channel /rounds > night.round
///           fairdeal tape cat night.mcap --channel '/shoe/*' --json
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The tape
    file: PathBuf,
    /// Only channels with this name; * stands for anything
    #[arg(long, value_name = "NAME")]
    channel: Option<String>,
    /// A JSON object for every message
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let naming = || args.file.display().to_string();
    // A bar among the messages would make both unreadable.
    let bar = if io::stdout().is_terminal() { ProgressBar::hidden() } else { ProgressBar::new(0) };
    let tape = Reader::open(super::open_under(&args.file, bar)?).with_context(naming)?;
    let mut out = BufWriter::new(io::stdout().lock());
    for message in tape {
        // What was read before the damage is printed before the damage is told.
        let message = match message {
            Ok(message) => message,
            Err(error) => {
                out.flush()?;
                return Err(error).with_context(naming);
            }
        };
        if args.channel.as_deref().is_none_or(|pattern| matches(pattern, &message.channel.topic)) {
            let text = if args.json { json_line(&message) } else { text(&message) };
            out.write_all(text.with_context(naming)?.as_bytes())?;
        }
    }
    out.flush()?;
    Ok(Outcome::Clean)
}

/// The message as somebody would like to read it.
fn text(message: &Message) -> anyhow::Result<String> {
    Ok(match Record::decode(message)? {
        Record::Round(round) => table::notation::print(std::slice::from_ref(&*round)) + "\n",
        Record::Event(_) | Record::Flag(_) | Record::Truth(_) | Record::Expected(_) => {
            String::from_utf8_lossy(&message.data).into_owned() + "\n"
        }
        Record::Picture { picture, .. } => {
            let at = message.at();
            format!("{at} {} {} {} bytes\n", message.channel.topic, picture.format, picture.data.len())
        }
        Record::ShoeBytes { .. } | Record::ChipLine { .. } | Record::Unknown(_) => {
            format!("{} {} {}\n", message.at(), message.channel.topic, HEXLOWER.encode(&message.data))
        }
    })
}

/// The message as a JSON object on one line.
fn json_line(message: &Message) -> anyhow::Result<String> {
    let mut line = json!({"at": message.at(), "topic": message.channel.topic, "sequence": message.sequence});
    let (key, value) = match Record::decode(message)? {
        Record::ShoeBytes { .. } | Record::ChipLine { .. } | Record::Unknown(_) => {
            ("hex", Value::String(HEXLOWER.encode(&message.data)))
        }
        _ => ("message", serde_json::from_slice(&message.data)?),
    };
    if let Value::Object(fields) = &mut line {
        fields.insert(key.into(), value);
    }
    Ok(line.to_string() + "\n")
}

/// Whether a topic fits a pattern in which `*` stands for any text.
fn matches(pattern: &str, topic: &str) -> bool {
    let mut parts = pattern.split('*');
    let Some(mut rest) = parts.next().and_then(|first| topic.strip_prefix(first)) else { return false };
    let mut parts: Vec<_> = parts.collect();
    let Some(last) = parts.pop() else { return rest.is_empty() };
    for part in parts {
        match rest.find(part) {
            Some(at) => rest = &rest[at + part.len()..],
            None => return false,
        }
    }
    rest.ends_with(last)
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn a_star_stands_for_any_text_and_a_plain_name_for_itself() {
        for (pattern, topic, fits) in [
            ("/events", "/events", true),
            ("/events", "/events2", false),
            ("/shoe/*", "/shoe/east/raw", true),
            ("*/raw", "/shoe/east/raw", true),
            ("/*/east/*", "/shoe/east/raw", true),
            ("/*/west/*", "/shoe/east/raw", false),
            ("*", "", true),
            ("", "/events", false),
            ("ab*b", "ab", false),
        ] {
            assert_eq!(matches(pattern, topic), fits, "{pattern} {topic}");
        }
    }
}
