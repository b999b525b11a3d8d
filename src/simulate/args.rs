//! What `fairdeal simulate` understands.

use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Context, bail};
use clap::builder::RangedU64ValueParser;
use simulator::art::Design;
use simulator::faults::{self, Fault};
use simulator::film::{Covered, Shot};
use simulator::players::{self, Temper};
use simulator::shift::Wish;
use simulator::shuffle::Procedure;
use simulator::truth::Kind;
use simulator::video::camera::{Size, View};
use table::config::Dialect;
use table::text::nearest;
use table::{Game, Ident, Utc, Word};

/// Any fault that a check should find.
const ALL: &str = "all";
/// How often a fault happens when nothing is said.
const USUAL_RATE: f64 = 0.1;

/// Make a labelled tape of play that never happened
///
/// Plays a shift of any game from a seed, lets things go wrong as asked, and records what shoe, chip sensor and camera
/// would have sent. The tape's truth channel says what really happened: `fairdeal score` holds an audit against it.
///
/// Examples:
///   fairdeal simulate --game nz-base --rounds 200 --seed 7 --fault all=0.2 --out shift.mcap
///   fairdeal simulate --game act --rounds 500 --fault paid_a_push=0.05 --fault hit_hard_17 --noise 0.02 --out noisy.mcap
///   fairdeal simulate --game bclc-basic --rounds 3 --video --view oblique --out film.mcap
///   fairdeal simulate --stills 500 --seed 1 --out stills
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The game, such as nz-base
    #[arg(long, required_unless_present_any = ["stills", "list_faults"])]
    game: Option<Ident>,
    /// A house option of the game; may be given more than once
    #[arg(long = "option", value_name = "NAME=VALUE", value_parser = parse_option)]
    options: Vec<(Ident, Word)>,
    /// How many rounds to play
    #[arg(long, default_value_t = 100, value_name = "N")]
    pub(super) rounds: u32,
    /// The same seed gives the same tape
    #[arg(long, default_value_t = 1)]
    pub(super) seed: u64,
    /// A fault, and how often it happens; a check's name for any of its faults, `all` for any that has a check, or a kind:
    /// dealer, player, equipment, collusion, shuffle, handled
    #[arg(long = "fault", value_name = "NAME[=RATE]", value_parser = str::parse::<Asked>)]
    faults: Vec<Asked>,
    /// Let a round have more than one fault
    #[arg(long)]
    pub(super) several: bool,
    /// The chance that a telegram, a chip line or a sighting suffers something
    #[arg(long, default_value_t = 0.0, value_parser = probability, value_name = "P")]
    pub(super) noise: f64,
    /// What the shoe speaks: angel-eye or bee-tek
    #[arg(long, default_value_t = Dialect::AngelEye)]
    pub(super) dialect: Dialect,
    /// Boxes in play when everybody is there
    #[arg(long, value_parser = RangedU64ValueParser::<u8>::new().range(1..=9))]
    pub(super) boxes: Option<u8>,
    /// Who plays, in turn: basic, counter, beginner or drunk
    #[arg(long, value_delimiter = ',', value_name = "TEMPERS")]
    players: Vec<String>,
    /// No side bets
    #[arg(long)]
    no_side_bets: bool,
    /// Nobody bets behind another
    #[arg(long)]
    no_back_bets: bool,
    /// No chips for the dealer
    #[arg(long)]
    no_tips: bool,
    /// How the cards are shuffled, such as riffles:7, half-decks, wash+riffles:2+box, shelf:10, machine or csm
    #[arg(long, value_name = "PROCEDURE")]
    pub(super) shuffle: Option<Procedure>,
    /// The shuffling machine that stands at the table, by its name
    #[arg(long, value_name = "NAME")]
    pub(super) shuffler: Option<Ident>,
    /// The table's name
    #[arg(long, default_value = "BJ-04")]
    pub(super) table: Ident,
    /// The dealers' names, in turn
    #[arg(long, value_delimiter = ',', default_value = "D-01,D-02,D-03,D-04", value_name = "NAMES")]
    pub(super) dealers: Vec<Ident>,
    /// When the table opens
    #[arg(long, default_value = "2026-01-05T20:00:00Z", value_name = "TIME")]
    pub(super) begins: Utc,
    /// Begin in the middle of a shoe, not with new cards
    #[arg(long)]
    pub(super) mid_shoe: bool,
    /// Film the table
    #[arg(long)]
    video: bool,
    /// Film only so many seconds of play, to the end of the round
    #[arg(long, value_name = "SECONDS", requires = "video")]
    video_seconds: Option<u64>,
    /// The size of the picture: 720p, 1080p, 1440p or 2160p
    #[arg(long, default_value = "1080p")]
    pub(super) size: PictureSize,
    /// Pictures a second
    #[arg(long, default_value_t = 15, value_parser = RangedU64ValueParser::<u32>::new().range(1..=60))]
    fps: u32,
    /// Where the camera hangs; given more than once, there is a camera each
    #[arg(long = "view", value_enum, default_values_t = [Pose::Overhead])]
    views: Vec<Pose>,
    /// How much the lens bends straight lines: -0.04 is a good one, -0.25 a wide one [default: -0.04]
    #[arg(long, value_name = "K1", requires = "video", allow_negative_numbers = true, value_parser = bend)]
    lens: Option<f64>,
    /// Hold something before the last camera from this second of the film on, for so many seconds
    #[arg(long, value_name = "FROM+SECONDS", requires = "video", value_parser = cover)]
    cover: Option<Covered>,
    /// How wide a card is in the middle of the picture; otherwise the whole table is in it
    #[arg(long, value_name = "PIXELS", value_parser = RangedU64ValueParser::<u16>::new().range(20..=1000))]
    card_px: Option<u16>,
    /// The cards' design; by seed if nothing is said
    #[arg(long)]
    deck: Option<String>,
    /// A perfect picture: no noise, no glare, no blur
    #[arg(long)]
    clear: bool,
    /// How much the video encoder may lose: 18 is nothing one could see, 35 a lot
    #[arg(long, default_value_t = 25, value_parser = RangedU64ValueParser::<u8>::new().range(1..=51))]
    crf: u8,
    /// Seconds from one frame of the video that stands alone to the next: more make a smaller tape [default: 1.5]
    #[arg(long, value_name = "SECONDS", requires = "video", value_parser = RangedU64ValueParser::<u32>::new().range(1..=600))]
    key_seconds: Option<u32>,
    /// Instead of a tape, make so many labelled pictures for training
    #[arg(long, value_name = "N", conflicts_with_all = ["game", "faults", "video"])]
    pub(super) stills: Option<u32>,
    /// List the faults there are
    #[arg(long, exclusive = true)]
    pub(super) list_faults: bool,
    /// The tape to write, or the folder for stills
    #[arg(long, value_name = "FILE")]
    pub(super) out: Option<PathBuf>,
    /// Overwrite the tape if it exists
    #[arg(long)]
    pub(super) force: bool,
}

/// A fault as asked for.
#[derive(Clone, Debug)]
struct Asked {
    name: String,
    rate: f64,
}

impl FromStr for Asked {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (name, rate) = match text.split_once('=') {
            Some((name, rate)) => (name, probability(rate)?),
            None => (text, USUAL_RATE),
        };
        Ok(Self { name: name.to_owned(), rate })
    }
}

/// A picture's size by its usual name.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PictureSize(Size);

const SIZES: &[(&str, Size)] =
    &[("720p", Size::HD), ("1080p", Size::FULL_HD), ("1440p", Size::QUAD_HD), ("2160p", Size::UHD), ("4k", Size::UHD)];

impl PictureSize {
    pub(super) const fn size(self) -> Size {
        self.0
    }
}

impl FromStr for PictureSize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = SIZES.iter().find(|(name, _)| name.eq_ignore_ascii_case(text));
        found.map(|(_, size)| Self(*size)).ok_or_else(|| "expected 720p, 1080p, 1440p or 2160p".to_owned())
    }
}

/// Where a camera hangs.
#[derive(Clone, Copy, clap::ValueEnum)]
enum Pose {
    /// Straight above the table
    Overhead,
    /// Behind the players, tilted by 45 degrees
    Oblique,
}

/// The tilt of an oblique camera, in radians.
const OBLIQUE: f64 = std::f64::consts::FRAC_PI_4;

impl Args {
    /// The game with its options.
    pub(super) fn game(&self) -> anyhow::Result<Game> {
        let name = self.game.clone().context("--game says what is played")?;
        Ok(Game { name, options: self.options.iter().cloned().collect() })
    }

    /// The faults wished for, and how they were asked for.
    pub(super) fn wishes(&self) -> anyhow::Result<(Vec<Wish>, Vec<String>)> {
        let mut wishes = Vec::new();
        let mut asked = Vec::new();
        for Asked { name, rate } in &self.faults {
            wishes.push(Wish { faults: select(name)?, rate: *rate });
            asked.push(format!("{name}={rate}"));
        }
        Ok((wishes, asked))
    }

    /// The faults that `all` leaves out, if it was asked for: those that no check can find by now.
    pub(super) fn left_out(&self) -> impl Iterator<Item = &'static str> {
        let all = self.faults.iter().any(|asked| asked.name == ALL);
        let without = |fault: &&Fault| fault.check.is_none() && fault.kind != Kind::Handled;
        faults::all().iter().filter(move |fault| all && without(fault)).map(|fault| fault.name)
    }

    /// Who comes to the table.
    pub(super) fn company(&self) -> anyhow::Result<players::Wish> {
        let usual = players::Wish::default();
        let tempers = self.players.iter().map(|word| Temper::named(word)).collect::<Result<Vec<_>, _>>()?;
        Ok(players::Wish {
            tempers: if tempers.is_empty() { usual.tempers } else { tempers },
            sides: !self.no_side_bets,
            behind: !self.no_back_bets,
            tips: !self.no_tips,
            ..usual
        })
    }

    /// How the table is filmed, if it is.
    pub(super) fn shot(&self) -> anyhow::Result<Option<Shot>> {
        if !self.video {
            return Ok(None);
        }
        let view = |pose: &Pose| {
            let view = match pose {
                Pose::Overhead => View::overhead(),
                Pose::Oblique => View::oblique(OBLIQUE),
            };
            self.lens.map_or(view, |k1| View { k1, ..view })
        };
        let card_px = self.card_px.map(f64::from);
        Ok(Some(Shot {
            size: self.size.size(),
            fps: self.fps,
            views: self.views.iter().map(view).collect(),
            card_px,
            design: self.design()?,
            clear: self.clear,
            crf: self.crf,
            key_seconds: self.key_seconds,
            seconds: self.video_seconds,
            covered: self.cover,
        }))
    }

    fn design(&self) -> anyhow::Result<Design> {
        let Some(name) = &self.deck else {
            let pick = usize::try_from(self.seed % Design::ALL.len() as u64).unwrap_or(0);
            return Design::ALL.get(pick).copied().context("there are no decks");
        };
        if let Some(design) = Design::ALL.iter().find(|design| design.name == *name) {
            return Ok(*design);
        }
        let names = || Design::ALL.iter().map(|design| design.name);
        match nearest(name, names()) {
            Some(near) => bail!("there is no deck {name}, did you mean {near}?"),
            None => bail!("there is no deck {name}: {}", names().collect::<Vec<_>>().join(", ")),
        }
    }
}

/// The faults that a name on the command line stands for.
fn select(name: &str) -> anyhow::Result<Vec<&'static Fault>> {
    if name == ALL {
        return Ok(faults::all().iter().filter(|fault| fault.check.is_some()).collect());
    }
    if let Ok(kind) = name.parse::<Kind>() {
        return Ok(faults::all().iter().filter(|fault| fault.kind == kind).collect());
    }
    Ok(faults::named(name)?)
}

fn parse_option(text: &str) -> Result<(Ident, Word), String> {
    let (name, value) = text.split_once('=').ok_or("expected NAME=VALUE")?;
    let name = name.parse().map_err(|error| format!("the name: {error}"))?;
    let value = value.parse().map_err(|error| format!("the value: {error}"))?;
    Ok((name, value))
}

/// A lens that shows the whole of the table without folding it.
fn bend(text: &str) -> Result<f64, String> {
    let expected = || "expected a number from -0.4 to 0.4".to_owned();
    text.parse().ok().filter(|k1| (-0.4..=0.4).contains(k1)).ok_or_else(expected)
}

fn cover(text: &str) -> Result<Covered, String> {
    let seconds = |text: &str| text.parse().map_err(|_| "expected whole seconds such as 40+10".to_owned());
    let (from, length) = text.split_once('+').ok_or("expected two numbers such as 40+10")?;
    Ok(Covered { from: seconds(from)?, seconds: seconds(length)? })
}

fn probability(text: &str) -> Result<f64, String> {
    let expected = || "expected a probability from 0 to 1".to_owned();
    text.parse().ok().filter(|rate| (0.0..=1.0).contains(rate)).ok_or_else(expected)
}
