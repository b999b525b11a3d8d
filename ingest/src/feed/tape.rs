//! The events of a tape, without holding the tape in memory.

use std::collections::VecDeque;
use std::io::Read;

use table::Event;
use table::config::{Faults, TableConfig};
use table::tape::{ConfigFormat, DecodeError, Reader, Record, TapeError};

use super::{Feed, Settings};

/// Why the events of a tape cannot be had, or end before the tape does.
#[derive(Debug, thiserror::Error)]
pub enum TapeEventsError {
    /// The tape.
    #[error(transparent)]
    Tape(#[from] TapeError),
    /// One of its records.
    #[error(transparent)]
    Record(#[from] DecodeError),
    /// The configuration on it.
    #[error("the table's configuration on the tape cannot be read: {0}")]
    Config(#[from] Faults),
}

/// The events of a tape as its devices told them.
pub struct TapeEvents<R> {
    tape: Option<Reader<R>>,
    feed: Feed,
    ready: VecDeque<Event>,
    /// Why there is nothing after what is ready.
    broken: Option<TapeEventsError>,
}

/// The events of a tape, by what its own configuration says of its devices. Whatever else is on the tape is passed over;
/// a tape without a configuration tells what it can.
pub fn on_tape<R: Read>(tape: Reader<R>, settings: Settings) -> Result<TapeEvents<R>, TapeEventsError> {
    let feed = match &tape.about().config {
        Some(config) if config.format == ConfigFormat::Toml => Feed::of(&TableConfig::parse(&config.text)?, settings),
        _ => Feed { settings, ..Feed::default() },
    };
    Ok(TapeEvents { tape: Some(tape), feed, ready: VecDeque::new(), broken: None })
}

impl<R> TapeEvents<R> {
    /// The feed, with its counts.
    pub const fn feed(&self) -> &Feed {
        &self.feed
    }
}

impl<R: Read> Iterator for TapeEvents<R> {
    type Item = Result<Event, TapeEventsError>;

    /// What was told before a tape breaks off comes before the error.
    fn next(&mut self) -> Option<Self::Item> {
        let mut events = Vec::new();
        while self.ready.is_empty() {
            let Some(tape) = &mut self.tape else { return self.broken.take().map(Err) };
            let read = tape.next().map(|message| {
                let message = message?;
                // Of a picture only the time is of interest here, and it would cost the most to unpack.
                let is_picture = message.channel.topic.starts_with("/camera/");
                Ok((message.at(), if is_picture { None } else { Some(Record::decode(&message)?) }))
            });
            match read {
                Some(Ok((at, Some(record)))) => self.feed.hear(at, &record, &mut events),
                Some(Ok((at, None))) => self.feed.pass(at, &mut events),
                ended => {
                    self.broken = ended.and_then(Result::err);
                    self.tape = None;
                    self.feed.end(&mut events);
                }
            }
            self.ready.extend(events.drain(..));
        }
        self.ready.pop_front().map(Ok)
    }
}
