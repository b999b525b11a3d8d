//! The site's configuration: which tables there are, what is played on them, and where their devices are reached.
//!
//! ```
//! use table::config::Site;
//! let site = Site::parse(r#"
//!     name = "Harbour Casino"
//!     currency = "NZD"
//!     [[table]]
//!     id = "BJ-04"
//!     game = "nz-base"
//!     [table.shoe]
//!     name = "shoe"
//!     url = "tcp://10.0.4.20:4001"
//!     dialect = "angel-eye"
//! "#)?;
//! assert_eq!(site.tables[0].boxes, 7);
//!
//! let wrong = Site::parse("nam = 'Harbour Casino'\n").unwrap_err();
//! assert_eq!(wrong.all()[0].to_string(), "line 1, column 1: missing key `table` at the top of the file");
//! assert_eq!(wrong.all()[1].to_string(), "line 1, column 1: unknown key `nam`, did you mean `name`?");
//! # Ok::<(), table::config::Faults>(())
//! ```
//!
//! A text is read whole: all its faults are reported, each at its line and column. What is read prints back as a
//! text that reads the same; passwords are masked unless asked for. `docs/ref/configuration.md` is the reference.

mod address;
mod area;
mod lens;
mod print;
mod report;
mod schema;
mod secret;
mod section;
mod site;
mod table;

use std::fmt;
use std::net::SocketAddr;
use std::str::FromStr;

use toml::de::DeTable;

pub use self::address::{CameraSource, Database, NotAnAddress, SitePath, Transport};
pub use self::area::{Area, NotAPolygon, Point, Polygon, Spot};
pub use self::lens::{Bend, Lens, NotALens};
use self::report::Report;
pub use self::report::{Fault, Faults};
pub use self::schema::{GAMES, Keys, SCHEMA};
pub use self::secret::{NetUrl, Secrets};
use self::section::Section;
use crate::ident::{Ident, Remark};
use crate::round::{Game, Limit};
use crate::text::{UnknownName, named, serde_as_text};
use crate::wager::SideBet;

/// A whole site.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// What the site is called in reports.
    pub name: Remark,
    /// Where rounds and flags are kept.
    pub database: Database,
    /// Where pictures are kept, and how long.
    pub evidence: EvidenceStore,
    /// The message bus between machines; without one, everything runs in one process.
    pub bus: Option<NetUrl>,
    /// Where the officers' pages are served.
    pub review: SocketAddr,
    /// The tables; at least one, no two with one id.
    pub tables: Vec<TableConfig>,
}

/// Where evidence is kept, and for how long. What an officer holds is kept until released, whatever this says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EvidenceStore {
    /// The folder.
    pub folder: SitePath,
    /// Days that every recording is kept.
    pub keep_days: u16,
    /// Days that recordings of a suspected crime are kept; not fewer than the others.
    pub keep_suspected_days: u16,
}

/// One table: what is played and what watches it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TableConfig {
    /// Its name, in flags and on tapes.
    pub id: Ident,
    /// What is played, with the house's options.
    pub game: Game,
    /// A house file that adds to the rulebook.
    pub house: Option<SitePath>,
    /// How many boxes the layout has.
    pub boxes: u8,
    /// How many decks are in play, if not as the rulebook says.
    pub decks: Option<u8>,
    /// The shuffling machine that stands there.
    pub shuffler: Option<Ident>,
    /// What the chips are worth.
    pub currency: Currency,
    /// The sign at the table.
    pub limits: Vec<Limit>,
    /// The side bets offered.
    pub side_bets: Vec<SideBet>,
    /// The cameras; no two with one name.
    pub cameras: Vec<Camera>,
    /// The smart shoe.
    pub shoe: Option<Shoe>,
    /// The chip sensor.
    pub chips: Option<Chips>,
}

/// One camera over a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Camera {
    /// Its name in events.
    pub name: Ident,
    /// Where its pictures come from.
    pub source: CameraSource,
    /// Width and height in pixels, if they are to be insisted on.
    pub size: Option<(u16, u16)>,
    /// How its lens bends the picture; none if it is as good as straight.
    pub lens: Option<Lens>,
    /// What parts of the picture show; empty until the camera is calibrated.
    pub areas: Vec<Area>,
}

/// The smart shoe of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shoe {
    /// Its name in events.
    pub name: Ident,
    /// How its bytes come in.
    pub transport: Transport,
    /// What they mean.
    pub dialect: Dialect,
    /// Whether we only listen. A shoe is wired to the casino's own system too.
    pub read_only: bool,
}

/// The chip sensor of a table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Chips {
    /// Its name in events.
    pub name: Ident,
    /// How its bytes come in.
    pub transport: Transport,
}

named! {
    /// What a smart shoe speaks.
    pub enum Dialect, "angel-eye or bee-tek" {
        /// Angel Eye telegrams.
        AngelEye = "angel-eye",
        /// Bee-Tek tokens.
        BeeTek = "bee-tek",
    }
}

impl Dialect {
    /// The speed such shoes leave the factory with, in bits a second.
    pub const fn usual_baud(self) -> u32 {
        match self {
            Self::AngelEye => 4800,
            Self::BeeTek => 9600,
        }
    }
}

/// A currency's code, such as `NZD`: three capital letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Currency([u8; 3]);

impl Currency {
    pub(crate) const EXPECTED: &'static str = "a currency code of three capital letters such as \"NZD\"";
    /// The code that the standard reserves for no currency at all.
    pub const NONE: Self = Self(*b"XXX");
}

impl FromStr for Currency {
    type Err = UnknownName;

    fn from_str(text: &str) -> Result<Self, UnknownName> {
        match *text.as_bytes() {
            [a @ b'A'..=b'Z', b @ b'A'..=b'Z', c @ b'A'..=b'Z'] => Ok(Self([a, b, c])),
            _ => Err(UnknownName { expected: Self::EXPECTED }),
        }
    }
}

impl fmt::Display for Currency {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0.map(char::from).iter().collect::<String>())
    }
}

serde_as_text!(Currency);

impl Site {
    /// Reads a site file, or says everything that is wrong with it.
    pub fn parse(text: &str) -> Result<Self, Faults> {
        read(text, &schema::SITE, site::read)
    }
}

impl TableConfig {
    /// Reads one table: a text with the keys of a `[[table]]` at its top, as [`to_toml`](Self::to_toml) writes it.
    pub fn parse(text: &str) -> Result<Self, Faults> {
        read(text, &schema::TABLE, |section| table::read(section, &mut table::Floor::default()))
    }
}

/// Reads a text by the reader of its top section.
fn read<T>(text: &str, keys: &'static Keys, reader: impl FnOnce(&Section<'_>) -> Option<T>) -> Result<T, Faults> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let report = Report::on(text);
    let value = match DeTable::parse(text) {
        Ok(top) => reader(&Section::top(&report, keys, top.get_ref())),
        Err(wrong) => {
            let at = wrong.span().map_or(0, |span| span.start);
            report.fault(at, format!("not TOML: {}", wrong.message()));
            None
        }
    };
    report.judge(value)
}
