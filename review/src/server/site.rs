//! What the handlers share.

use std::path::PathBuf;
use std::sync::Arc;

use auditor::Rulebook;
use table::Utc;
use tokio::sync::broadcast;

use crate::footage::Footage;
use crate::pages::shuffles::Shuffles;
use crate::store::Store;

/// Tells the time. Tests bring their own.
pub trait Clock: Send + Sync {
    /// Now.
    fn now(&self) -> Utc;
}

/// The machine's clock.
#[derive(Clone, Copy, Debug, Default)]
pub struct WallClock;

impl Clock for WallClock {
    fn now(&self) -> Utc {
        Utc::from_micros(chrono::Utc::now().timestamp_micros()).unwrap_or(Utc::EPOCH)
    }
}

/// What is chosen when the server starts.
#[derive(Clone, Debug)]
pub struct Setup {
    /// The site's name.
    pub site: String,
    /// The zone officers read times in.
    pub zone: chrono_tz::Tz,
    /// ISO 4217 code of the money.
    pub currency: String,
    /// The folder of evidence files.
    pub evidence: Option<PathBuf>,
    /// The file of the key that exports are signed with; made on first use.
    pub signing_key: Option<PathBuf>,
    /// Cookies only over TLS: we speak it ourselves, or a proxy in front does.
    pub secure: bool,
    /// Believe the proxy about the caller's address.
    pub behind_proxy: bool,
    /// Hours until a session ends, and minutes of rest after which it does.
    pub session_hours: u32,
    /// See `session_hours`.
    pub idle_minutes: u32,
}

impl Default for Setup {
    fn default() -> Self {
        Self {
            site: "site".to_owned(),
            zone: chrono_tz::Tz::UTC,
            currency: "NZD".to_owned(),
            evidence: None,
            signing_key: None,
            secure: false,
            behind_proxy: false,
            session_hours: 12,
            idle_minutes: 60,
        }
    }
}

/// Something the screens should know at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Live {
    /// A flag is new, or stands elsewhere now.
    Flag {
        /// Its id.
        flag: String,
        /// Its table, by which screens are told apart.
        table: String,
        /// Its state.
        state: String,
    },
}

/// The site: database, rulebooks, pictures, clock. Cheap to clone.
#[derive(Clone)]
pub struct Site {
    /// The database.
    pub store: Store,
    /// The rulebooks.
    pub books: Arc<[Rulebook]>,
    /// The pictures.
    pub footage: Arc<dyn Footage>,
    /// The time.
    pub clock: Arc<dyn Clock>,
    /// What was chosen at the start.
    pub setup: Arc<Setup>,
    /// To the screens.
    pub live: broadcast::Sender<Live>,
    /// Shuffles that were judged.
    pub(crate) shuffles: Arc<Shuffles>,
}

impl Site {
    /// A site over a database.
    pub fn new(store: Store, books: Arc<[Rulebook]>, footage: Arc<dyn Footage>, setup: Setup) -> Self {
        // A screen that falls this far behind is told to load its page again.
        let (live, _) = broadcast::channel(1024);
        Self {
            store,
            books,
            footage,
            clock: Arc::new(WallClock),
            setup: Arc::new(setup),
            live,
            shuffles: Arc::default(),
        }
    }

    /// The same site by another clock.
    pub fn with_clock(self, clock: Arc<dyn Clock>) -> Self {
        Self { clock, ..self }
    }

    /// Now.
    pub fn now(&self) -> Utc {
        self.clock.now()
    }
}
