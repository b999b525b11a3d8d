//! Rounds rebuilt from what the devices of a table sent.

use std::io::Read;

use anyhow::Context;
use auditor::Rulebook;
use auditor::check::Law;
use ingest::feed::{self, TapeEvents};
use recognizer::round::{Playing, Rebuilder, Rebuilt, Settings};
use table::SourceKind;
use table::config::TableConfig;
use table::tape::{ConfigFormat, Reader};

/// Where the rounds of a tape come from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum Origin {
    /// As they stand on the tape
    #[default]
    Recorded,
    /// Rebuilt from what the shoe, the cameras and the chip sensors sent
    Feeds,
}

/// How rounds are rebuilt, for those who want to see what each part is worth.
#[derive(Clone, Debug, Default, clap::Args)]
pub(crate) struct Rebuilding {
    /// Where the rounds of a tape come from
    #[arg(long, value_enum, default_value_t)]
    pub(crate) rounds: Origin,
    /// With --rounds feeds, as if this device had not been there: camera, shoe or chips
    #[arg(long, value_name = "DEVICE")]
    pub(crate) without: Vec<SourceKind>,
    /// With --rounds feeds, how many readings of a round are kept side by side
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub(crate) readings: Option<usize>,
    /// With --rounds feeds, do not weigh what usually follows in the game
    #[arg(long, hide_short_help = true)]
    pub(crate) no_grammar: bool,
}

impl Rebuilding {
    /// The settings asked for.
    pub(crate) fn settings(&self) -> Settings {
        let usual = Settings::default();
        Settings { width: self.readings.unwrap_or(usual.width).max(1), grammar: !self.no_grammar }
    }
}

/// What a table plays, as its configuration says and the books know it.
pub(crate) fn playing(table: &TableConfig, books: &[Rulebook]) -> anyhow::Result<Playing> {
    let law = Law::of(books, &table.game).with_context(|| format!("table {}", table.id))?;
    Ok(Playing {
        table: table.id.clone(),
        game: table.game.clone(),
        limits: table.limits.clone(),
        grammar: law.rules.grammar(),
    })
}

/// The rounds of a tape, made of what its devices sent and of nothing else on it.
pub(crate) fn on_tape<R: Read>(tape: Reader<R>, books: &[Rulebook], args: &Rebuilding) -> anyhow::Result<Rounds<R>> {
    let config = tape.about().config.as_ref().filter(|config| config.format == ConfigFormat::Toml);
    let config =
        config.context("the tape has no configuration that says what is played, so its feeds tell no rounds")?;
    let table = TableConfig::parse(&config.text).context("the table's configuration on the tape")?;
    let rebuilder = Rebuilder::new(playing(&table, books)?, args.settings());
    let events = feed::on_tape(tape, feed::Settings::default())?;
    Ok(Rounds { events: Some(events), rebuilder, without: args.without.clone(), ready: Vec::new().into_iter() })
}

/// Rounds as they are rebuilt.
pub(crate) struct Rounds<R> {
    events: Option<TapeEvents<R>>,
    rebuilder: Rebuilder,
    without: Vec<SourceKind>,
    ready: std::vec::IntoIter<Rebuilt>,
}

impl<R: Read> Iterator for Rounds<R> {
    type Item = anyhow::Result<Rebuilt>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(rebuilt) = self.ready.next() {
                return Some(Ok(rebuilt));
            }
            let done = match self.events.as_mut()?.next() {
                Some(Ok(event)) if self.without.contains(&event.source.kind) => continue,
                Some(Ok(event)) => self.rebuilder.push(&event),
                Some(Err(error)) => {
                    self.events = None;
                    return Some(Err(error.into()));
                }
                None => {
                    self.events = None;
                    self.rebuilder.finish()
                }
            };
            self.ready = done.into_iter();
            if self.events.is_none() {
                return self.ready.next().map(Ok);
            }
        }
    }
}
