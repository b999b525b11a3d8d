//! A shift on tape: what the devices sent, what an observer made of it, and on the truth channel what really happened.

use std::collections::BTreeMap;
use std::io::Write;

use auditor::model::random::Dice;
use table::config::{Dialect, NotAnAddress, Secrets};
use table::ident::NotAnIdent;
use table::tape::{About, Config, ConfigFormat, Picture, Record, TapeError, Writer};
use table::{Ident, Utc};

use crate::Dealt;
use crate::feeds::{self, Feeds, Names};
use crate::film::{Film, Footage, Shot};
use crate::setup::Setup;
use crate::truth::{Made, Shuffled, Truth};
use crate::video::encode::EncodeError;
use crate::{config, truth};

/// What is recorded, and how well.
#[derive(Clone, Debug)]
pub struct Equipment {
    /// What the shoe speaks.
    pub dialect: Dialect,
    /// The noise of the feeds, from 0 to 1.
    pub noise: f64,
    /// How the table is filmed, if it is.
    pub shot: Option<Shot>,
}

/// Why a shift cannot be recorded.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The tape.
    #[error(transparent)]
    Tape(#[from] TapeError),
    /// The video.
    #[error(transparent)]
    Video(#[from] EncodeError),
    /// A label.
    #[error("a label cannot be written: {0}")]
    Label(#[from] serde_json::Error),
    /// A device's name.
    #[error(transparent)]
    Name(#[from] NotAnIdent),
    /// A device's address.
    #[error(transparent)]
    Address(#[from] NotAnAddress),
}

/// A tape being made.
pub struct Recording<W: Write> {
    tape: Writer<W>,
    feeds: Feeds,
    film: Option<Film>,
    /// What waits for pictures that were taken before it.
    waiting: BTreeMap<(Utc, u64), Record>,
    /// How many records there were.
    records: u64,
    /// When the last record came.
    last: Utc,
}

impl<W: Write> Recording<W> {
    /// Begins a tape of a table that opens at this time.
    pub fn begin(
        to: W,
        setup: &Setup,
        equipment: &Equipment,
        made: Made,
        opens: Utc,
        product: &str,
    ) -> Result<Self, RecordError> {
        let names = Names::filmed_by(equipment.shot.as_ref().map_or(1, |shot| shot.views.len()))?;
        let dice = Dice::new(made.seed);
        let config = config::table(setup, &names, equipment.dialect, equipment.shot.as_ref())?;
        let mut about = About::new(setup.table.clone(), opens, product);
        about.config = Some(Config { format: ConfigFormat::Toml, text: config.to_toml(Secrets::Masked) });
        let film = equipment.shot.as_ref().map(|shot| Film::begin(setup, names.cameras(), shot, &dice));
        let mut recording = Self {
            tape: Writer::create(to, &about)?,
            film: film.transpose()?,
            feeds: Feeds::new(names, equipment.dialect, equipment.noise, &dice),
            waiting: BTreeMap::new(),
            records: 0,
            last: opens,
        };
        recording.truth(opens, &Truth::Tape(made))?;
        Ok(recording)
    }

    /// Records a round.
    pub fn round(&mut self, dealt: &Dealt) -> Result<(), RecordError> {
        let round = &dealt.round;
        if let Some(shuffled) = &dealt.shuffled {
            self.truth(round.at, &Truth::Shuffle(shuffled.clone()))?;
        }
        let watched = self.feeds.of(dealt);
        let seen = feeds::observe(dealt, &watched.seen);
        let after = round.steps.iter().filter_map(|step| step.after).max().and_then(|after| i64::try_from(after).ok());
        let over = after.and_then(|after| round.at.shifted(after)).unwrap_or(round.at).max(self.last);
        for (at, record) in watched.records {
            self.wait(at, record);
        }
        self.wait(over, Record::Round(Box::new(seen)));
        let drawn = dealt.drawn.iter().map(|draw| draw.card).collect();
        self.truth(over, &Truth::Round { round: Box::new(round.clone()), drawn })?;
        for label in &dealt.labels {
            self.truth(over, &Truth::Fault(label.clone()))?;
        }
        let Some(film) = &mut self.film else { return self.write_until(None) };
        let Footage { pictures, truths } = match film.round(dealt) {
            Ok(footage) => footage,
            Err(error) => {
                // Without pictures there is nothing to wait for; the other feeds shall not be lost with them.
                self.write_until(None)?;
                return Err(error.into());
            }
        };
        let developed = film.developed();
        for frame in truths {
            self.truth(frame.at, &Truth::Frame(frame))?;
        }
        self.pictures(pictures);
        if let Some(film) = self.film.take_if(|film| film.is_over()) {
            let pictures = film.finish()?;
            self.pictures(pictures);
            return self.write_until(None);
        }
        // Frames still in the encoder come before anything later than what has left it.
        self.write_until(Some(developed.unwrap_or(Utc::EPOCH)))
    }

    /// Ends the tape with the shuffle of the shoe in use.
    pub fn finish(mut self, shuffled: Shuffled) -> Result<W, RecordError> {
        if let Some(film) = self.film.take() {
            let pictures = film.finish()?;
            self.pictures(pictures);
        }
        self.write_until(None)?;
        self.truth(self.last, &Truth::Shuffle(shuffled))?;
        self.write_until(None)?;
        Ok(self.tape.finish()?)
    }

    fn pictures(&mut self, pictures: Vec<(Ident, Picture)>) {
        for (camera, picture) in pictures {
            self.wait(picture.at, Record::Picture { camera, picture });
        }
    }

    fn truth(&mut self, at: Utc, truth: &truth::Truth) -> Result<(), RecordError> {
        let label = truth.to_json()?;
        self.wait(at, Record::Truth(label));
        Ok(())
    }

    fn wait(&mut self, at: Utc, record: Record) {
        self.waiting.insert((at, self.records), record);
        self.records += 1;
    }

    /// Writes what came up to a time, or everything, in order.
    fn write_until(&mut self, last: Option<Utc>) -> Result<(), RecordError> {
        while let Some(first) = self.waiting.first_entry() {
            let (at, _) = *first.key();
            if last.is_some_and(|last| at > last) {
                break;
            }
            self.tape.record(at, &first.remove())?;
            self.last = self.last.max(at);
        }
        Ok(())
    }
}
