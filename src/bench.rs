//! `fairdeal bench`: the figures we hold ourselves to, measured here and now beside what they are compared with.

mod camera;
mod database;
mod lines;
pub(crate) mod work;

use std::fs;
use std::hint::black_box;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::bail;
use auditor::check::{Law, Session, posted_limits};
use auditor::model::random::{self, Habits};
use auditor::shuffle::{Orders, Procedure, Terms, judge};
use serde::Serialize;
use table::layout::Layout;
use table::{Card, Game, Ident, Place, Round, RoundId};

use crate::doctor::Machine;
use crate::eval::tapes::watch;
use crate::{Outcome, books, json};
use camera::Film;

/// Measure the figures Fairdeal is judged by
///
/// Each is measured for some seconds on one core. Use a release build: cargo run --release -- bench
/// What listening and cameras cost is processor time, whatever else the machine does.
///
/// Example: fairdeal bench --json
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// One JSON object a figure
    #[arg(long)]
    json: bool,
    /// Seconds for each figure
    #[arg(long, default_value_t = 3)]
    seconds: u64,
    /// Go so many times over the plain rounds and measure nothing else, for counting instructions (make instructions)
    #[arg(long)]
    passes: Option<u32>,
    /// Another model (ONNX) to time beside the recogniser, such as a YOLOv8n at 640 by 640 pixels
    #[arg(long, value_name = "FILE")]
    beside: Option<PathBuf>,
}

/// One figure beside what it is compared with.
#[derive(Serialize)]
struct Figure {
    name: &'static str,
    value: f64,
    unit: &'static str,
    reference: f64,
    reference_name: &'static str,
    ratio: f64,
}

impl Figure {
    fn new(
        name: &'static str,
        value: f64,
        unit: &'static str,
        (reference, reference_name): (f64, &'static str),
    ) -> Self {
        Self { name, value, unit, reference, reference_name, ratio: value / reference }
    }
}

/// Rounds of one game, made once and audited again and again.
const ROUNDS_PER_GAME: u64 = 200;
/// Milliseconds of a YOLOv8n at 640 pixels on one thread, as the goals give it.
const RECORDED_YOLO: f64 = 80.7;
/// A casino's year: a hundred tables.
const CASINO_YEAR: f64 = 43.8e6;

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let pace = match args.passes {
        Some(passes) => Pace::Passes(passes),
        None => Pace::Clock(Duration::from_secs(args.seconds.max(1))),
    };
    let plain = audit(pace, Habits { sides: false, behind: false, tips: false, ..Habits::default() })?;
    let per_pass = Figure::new("player_hands_per_pass", plain.hands, "hands", (plain.rounds, "rounds per pass"));
    // Whoever counts instructions divides by these hands, so no other rounds may be audited beside them.
    if args.passes.is_some() {
        return print(args.json, &[per_pass]);
    }
    let full = audit(pace, Habits::default())?;
    let seconds = Duration::from_secs(args.seconds.max(1));
    let (written, bare) = database::measure(&lawful_rounds(Habits::default())?, seconds)?;
    let lines = lines::load(seconds)?;
    let folder = tempfile::tempdir()?;
    let film = folder.path().join("film.mcap");
    camera::film_a_round(&film)?;
    let [noisy, as_filmed] = [camera::overhead(&film, Film::Noisy)?, camera::overhead(&film, Film::AsFilmed)?];
    let simulator = (1.95e6, "fastest open simulator found, auditing nothing");
    let mut figures = vec![
        Figure::new("audit_hands_per_second_per_core", plain.per_second(), "hands/s", simulator),
        Figure::new("audit_hands_per_second_with_side_bets", full.per_second(), "hands/s", simulator),
        Figure::new("casino_year_on_two_cores", plain.casino_year(), "min", (5.0, "what must be reached")),
        Figure::new("casino_year_with_side_bets", full.casino_year(), "min", (5.0, "what must be reached")),
        Figure::new("round_written_to_sqlite", written, "µs", (bare, "µs for bare inserts of the same bytes")),
        Figure::new("listening_to_64_lines_of_a_core", 100.0 * lines, "%", (5.0, "what must be reached")),
        Figure::new("camera_above_decoding_4_mbit", 100.0 * noisy, "%", (10.0, "what must be reached")),
        Figure::new("camera_above_decoding", 100.0 * as_filmed, "%", (10.0, "what must be reached")),
        shuffle_figure("shuffle_report_per_six_deck_shoe", shuffle_report(pace, None)),
        shuffle_figure("shuffle_report_of_five_riffles", shuffle_report(pace, "riffles:5".parse().ok())),
        per_pass,
    ];
    match recognizing(&film, args.beside.as_deref()) {
        Ok(more) => figures.extend(more),
        Err(why) => eprintln!("fairdeal: what the recogniser costs was not measured: {why:#}"),
    }
    print(args.json, &figures)
}

/// What following the cards of a film costs, beside decoding it and beside a detector on every frame. Of the bundled
/// tape's film, which takes few pictures and is packed tightly, decoding costs little; a camera's costs more.
fn recognizing(film: &Path, beside: Option<&Path>) -> anyhow::Result<[Figure; 4]> {
    let mut eyes = crate::recognize::eyes(None)?;
    let folder = tempfile::tempdir()?;
    let bundled = folder.path().join("bundled.mcap");
    fs::write(&bundled, crate::demo::TAPE)?;
    let mut costs = [bundled.as_path(), film].into_iter().map(|tape| {
        let cost = watch(tape, None, &mut eyes, |_, _, _| Ok(()))?;
        let each = |took: Duration| took.as_secs_f64() * 1e3 / cost.frames.max(1) as f64;
        anyhow::Ok((each(cost.decoding), each(cost.watching)))
    });
    let mut next = || costs.next().unwrap_or_else(|| bail!("a film was not watched"));
    let (bundled, film) = (next()?, next()?);
    let detector = match beside {
        Some(model) => {
            let ms = recognizer::vision::time_of(model, &Machine::this().runtime(), [1, 3, 640, 640], 20)?;
            (ms, "the model given with --beside, measured now")
        }
        None => (RECORDED_YOLO, "YOLOv8n at 640 px, recorded elsewhere; --beside measures one here"),
    };
    let whole = |(decoding, watching): (f64, f64)| (decoding + watching, "ms", (decoding, "decoding alone"));
    let figure = |name, (value, unit, reference)| Figure::new(name, value, unit, reference);
    Ok([
        figure("camera_to_sightings_ms_per_frame", whole(film)),
        figure("recogniser_ms_per_frame", (film.1, "ms", detector)),
        figure("camera_to_sightings_ms_bundled_film", whole(bundled)),
        figure("recogniser_ms_per_frame_bundled_film", (bundled.1, "ms", detector)),
    ])
}

fn print(as_json: bool, figures: &[Figure]) -> anyhow::Result<Outcome> {
    let mut out = anstream::stdout().lock();
    if as_json {
        json::lines(&mut out, figures)?;
    } else {
        for figure in figures {
            writeln!(
                out,
                "{:<38} {:>12.2} {:<8} {:>5.2} × {} ({})",
                figure.name, figure.value, figure.unit, figure.ratio, figure.reference, figure.reference_name
            )?;
        }
    }
    Ok(Outcome::Clean)
}

/// How long to measure: by the clock, or so many passes.
#[derive(Clone, Copy)]
enum Pace {
    Clock(Duration),
    Passes(u32),
}

impl Pace {
    fn goes_on(self, start: Instant, passes: u32) -> bool {
        match self {
            Self::Clock(time) => start.elapsed() < time,
            Self::Passes(fixed) => passes < fixed,
        }
    }
}

/// How fast rounds were audited.
struct Speed {
    /// Player hands in a pass over the rounds.
    hands: f64,
    /// Rounds in a pass.
    rounds: f64,
    /// Seconds a pass takes.
    seconds: f64,
}

impl Speed {
    fn per_second(&self) -> f64 {
        self.hands / self.seconds
    }

    /// Minutes to audit a casino's year of such rounds on two cores.
    fn casino_year(&self) -> f64 {
        CASINO_YEAR * self.seconds / self.rounds / 2.0 / 60.0
    }
}

/// Audits lawful rounds of every game with every check on.
fn audit(pace: Pace, habits: Habits) -> anyhow::Result<Speed> {
    let tables = lawful_rounds(habits)?;
    let hands: u64 = tables.iter().flat_map(|(_, rounds)| rounds).map(player_hands).sum();
    let rounds: usize = tables.iter().map(|(_, rounds)| rounds.len()).sum();
    let start = Instant::now();
    let mut passes = 0u32;
    while pace.goes_on(start, passes) {
        for (law, rounds) in &tables {
            let mut session = Session::default();
            for round in rounds {
                black_box(session.audit(law, black_box(round)));
            }
        }
        passes += 1;
    }
    let seconds = start.elapsed().as_secs_f64() / f64::from(passes.max(1));
    Ok(Speed { hands: hands as f64, rounds: rounds as f64, seconds })
}

fn shuffle_figure(name: &'static str, milliseconds: f64) -> Figure {
    Figure::new(name, milliseconds, "ms", (100.0, "what must be reached"))
}

/// Milliseconds that the report on a six-deck shoe takes, a quarter of it unseen: a fair one, or one shuffled like this. A
/// shoe that is out of the ordinary is held against more proper shuffles.
fn shuffle_report(pace: Pace, procedure: Option<Procedure>) -> f64 {
    let mut dice = random::Dice::new(6);
    let start = Instant::now();
    let mut shoes = 0;
    while pace.goes_on(start, shoes) {
        let before = pack(&mut dice);
        let after = match &procedure {
            Some(procedure) => procedure.shuffle(before.clone(), &mut dice),
            None => pack(&mut dice),
        };
        let mut orders = Orders { id: shoes.to_string(), decks: 6, before, after };
        orders.before.truncate(234);
        orders.after.truncate(234);
        let _ = black_box(judge(&orders, &Terms::default()));
        shoes += 1;
    }
    start.elapsed().as_secs_f64() * 1e3 / f64::from(shoes.max(1))
}

/// Six decks in any order.
fn pack(dice: &mut random::Dice) -> Vec<Card> {
    let mut shoe = random::Shoe::shuffled(6, dice);
    std::iter::from_fn(|| shoe.draw()).collect()
}

/// Lawful rounds of every game.
fn lawful_rounds(habits: Habits) -> anyhow::Result<Vec<(Law, Vec<Round>)>> {
    let books = books::shipped()?;
    let names = books.iter().flat_map(|book| &book.games).map(|game| game.name.clone());
    names
        .map(|name| {
            let game = Game { name, options: Default::default() };
            let law = Law::of(books, &game)?;
            let limits = posted_limits(&law.rules);
            let rounds = (0..ROUNDS_PER_GAME).map(|seed| {
                let id = RoundId { table: Ident::unnamed_table(), shoe: u32::try_from(seed)?, round: 1 };
                Ok(random::fresh(&law.rules, &limits, habits, seed, id, game.clone())?)
            });
            let rounds = rounds.collect::<anyhow::Result<Vec<_>>>()?;
            Ok((law, rounds))
        })
        .collect()
}

fn player_hands(round: &Round) -> u64 {
    Layout::after(round).hands.keys().filter(|place| matches!(place, Place::Box(..))).count() as u64
}
