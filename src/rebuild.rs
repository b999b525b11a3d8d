//! Rounds rebuilt from what the devices of a table sent.

use std::collections::VecDeque;
use std::io::Read;

use anyhow::Context;
use auditor::Rulebook;
use auditor::check::Law;
use ingest::feed::{self, Feed};
use recognizer::round::{Playing, Rebuilder, Rebuilt, Settings};
use table::config::TableConfig;
use table::tape::{ConfigFormat, Reader};
use table::{Event, SourceKind, Utc};

use crate::sight::{self, Filmed, Moment, Reread};

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
    /// With --rounds feeds, read the cards in the tape's video anew; what the tape says its
    /// cameras saw counts only where there is no video
    #[arg(long)]
    pub(crate) read_video: bool,
    /// With --rounds feeds, how many readings of a round are kept side by side
    #[arg(long, value_name = "N", hide_short_help = true)]
    pub(crate) readings: Option<usize>,
    /// With --rounds feeds, do not weigh what usually follows in the game
    #[arg(long, hide_short_help = true)]
    pub(crate) no_grammar: bool,
    /// Whether rounds are told ahead of their end as well, as they are while a table is played.
    #[arg(skip)]
    pub(crate) ahead: bool,
}

impl Rebuilding {
    /// The settings asked for.
    pub(crate) fn settings(&self) -> Settings {
        let usual = Settings::default();
        Settings { width: self.readings.unwrap_or(usual.width).max(1), grammar: !self.no_grammar, ahead: self.ahead }
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
        shuffler: table.shuffler.is_some(),
    })
}

/// The configuration of a tape's table.
pub(crate) fn table_on<R: Read>(tape: &Reader<R>) -> anyhow::Result<TableConfig> {
    let config = tape.about().config.as_ref().filter(|config| config.format == ConfigFormat::Toml);
    let config =
        config.context("the tape has no configuration that says what is played, so its feeds tell no rounds")?;
    TableConfig::parse(&config.text).context("the table's configuration on the tape")
}

/// The rounds of a tape, made of what its devices sent and of nothing else on it. `open` opens it, more than once if its
/// video is to be read.
pub(crate) fn on_tape<R: Read + Send + 'static>(
    open: impl Fn() -> anyhow::Result<Reader<R>>,
    books: &[Rulebook],
    args: &Rebuilding,
) -> anyhow::Result<Rounds> {
    let tape = open()?;
    let table = table_on(&tape)?;
    let rebuilder = Rebuilder::new(playing(&table, books)?, args.settings());
    let feed = Feed::of(&table, feed::Settings::default());
    let moments: Moments = match args.read_video {
        true => Box::new(Reread::new(tape, Filmed::on(open()?)?, &table)?),
        false => Box::new(sight::plain(tape)),
    };
    let without = args.without.clone();
    Ok(Rounds {
        moments: Some(moments),
        feed,
        rebuilder,
        without,
        events: Vec::new(),
        ready: VecDeque::new(),
        broken: None,
    })
}

type Moments = Box<dyn Iterator<Item = anyhow::Result<Moment>>>;

/// Rounds as they are rebuilt, in the same steps as at a table that is played.
pub(crate) struct Rounds {
    moments: Option<Moments>,
    feed: Feed,
    rebuilder: Rebuilder,
    without: Vec<SourceKind>,
    events: Vec<Event>,
    ready: VecDeque<Rebuilt>,
    /// Why there is nothing after what is ready.
    broken: Option<anyhow::Error>,
}

impl Rounds {
    /// Takes what the feed has told by now.
    fn take(&mut self, until: Option<Utc>) {
        for event in self.events.drain(..).filter(|event| !self.without.contains(&event.source.kind)) {
            self.ready.extend(self.rebuilder.push(&event));
        }
        if let Some(until) = until {
            self.ready.extend(self.rebuilder.tick(until));
        }
    }
}

impl Iterator for Rounds {
    type Item = anyhow::Result<Rebuilt>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(rebuilt) = self.ready.pop_front() {
                return Some(Ok(rebuilt));
            }
            let Some(moments) = &mut self.moments else { return self.broken.take().map(Err) };
            match moments.next() {
                Some(Ok((at, record))) => {
                    self.feed.pass(at, &mut self.events);
                    self.take(self.feed.told_until());
                    if let Some(record) = record {
                        self.feed.hear(at, &record, &mut self.events);
                        self.take(self.feed.told_until());
                    }
                }
                ended => {
                    self.moments = None;
                    self.broken = ended.and_then(Result::err);
                    self.feed.end(&mut self.events);
                    self.take(None);
                    self.ready.extend(self.rebuilder.finish());
                }
            }
        }
    }
}
