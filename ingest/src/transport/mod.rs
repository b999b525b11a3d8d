//! The lines that bytes come in on: a serial port, a device server, a file of bytes captured earlier. All are heard alike.
//!
//! A line is **read-only by construction**. What is opened is kept as something that can be read and nothing else, so
//! there is no call with which this room could write to a shoe. The direction to the far end is never shut down
//! either: a device server takes that for a client that has left.
//!
//! ```no_run
//! use ingest::transport::{Line, Settings, Told};
//! # async fn listen() -> Result<(), Box<dyn std::error::Error>> {
//! let shoe = "tcp://10.0.4.21:4001".parse()?;
//! let mut line = Line::open(&shoe, Settings::default());
//! while let Some(told) = line.next().await {
//!     match told {
//!         Told::Read(read) => println!("{} {} bytes", read.at, read.bytes.len()),
//!         Told::State { at, state } => println!("{at} {state}"),
//!     }
//! }
//! # Ok(())
//! # }
//! ```

mod connect;
mod counters;
mod fault;
mod listen;
mod patience;

use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use table::Utc;
use table::config::Transport;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

pub use counters::{Counters, Counts};
pub use fault::Fault;

/// What was read at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Read {
    /// When it reached us.
    pub at: Utc,
    /// The bytes, at least one.
    pub bytes: Vec<u8>,
}

/// How a line is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum State {
    /// We try to reach the far end.
    Connecting,
    /// The far end is there. It need not have said anything.
    Connected,
    /// The far end is gone, or could not be reached.
    Lost(Fault),
    /// We rest before we try again.
    Retrying {
        /// For so long at most; a port that is plugged in again ends it sooner.
        wait: Duration,
    },
    /// Nothing more will come: a file is at its end, or cannot be read.
    Ended,
}

impl fmt::Display for State {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Connecting => f.write_str("connecting"),
            Self::Connected => f.write_str("connected"),
            Self::Lost(fault) => write!(f, "lost: {fault}"),
            Self::Retrying { wait } if wait.is_zero() => f.write_str("trying again"),
            Self::Retrying { wait } => write!(f, "trying again in {:.1} s", wait.as_secs_f64()),
            Self::Ended => f.write_str("ended"),
        }
    }
}

/// What a line tells its listener, in the order in which it happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    /// Bytes came.
    Read(Read),
    /// The line changed.
    State {
        /// When.
        at: Utc,
        /// To what.
        state: State,
    },
}

/// How a line is listened to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// The folder from which the path of a file is meant: that of the site's configuration.
    pub folder: PathBuf,
    /// The first rest after an attempt that failed. Each further one is twice as long.
    pub wait_first: Duration,
    /// The longest rest.
    pub wait_most: Duration,
    /// How long a device server may take to answer.
    pub answer_within: Duration,
    /// How often we look whether a port that was pulled is back.
    pub look_every: Duration,
    /// How many messages may wait for the listener. When they are as many, reading waits too, and the operating system
    /// keeps what comes meanwhile; [`Counts::held_up`] says how often.
    pub queue: usize,
    /// Where the chance in the rests comes from: lines with different seeds do not all knock at the same moment when
    /// a switch comes back.
    pub seed: u64,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            folder: PathBuf::from("."),
            wait_first: Duration::from_millis(250),
            wait_most: Duration::from_secs(15),
            answer_within: Duration::from_secs(5),
            look_every: Duration::from_millis(200),
            queue: 256,
            seed: 0,
        }
    }
}

/// A line that is listened to until this is dropped.
#[derive(Debug)]
pub struct Line {
    told: mpsc::Receiver<Told>,
    counters: Arc<Counters>,
    task: JoinHandle<()>,
}

impl Line {
    /// Begins to listen. Must be called within a tokio runtime, on which the listening is a task of its own.
    ///
    /// This cannot fail: a far end that is not there is [told](State::Lost) and tried again.
    pub fn open(transport: &Transport, settings: Settings) -> Self {
        let (teller, told) = mpsc::channel(settings.queue.max(1));
        let counters = Arc::new(Counters::default());
        let listener = listen::Listener::new(transport.clone(), settings, teller, Arc::clone(&counters));
        Self { told, counters, task: tokio::spawn(listener.listen()) }
    }

    /// What the line tells next; `None` once it has [ended](State::Ended). Nothing is lost if the call is given up.
    pub async fn next(&mut self) -> Option<Told> {
        self.told.recv().await
    }

    /// Stops listening and waits until the port or connection is free for the next listener.
    pub async fn close(mut self) {
        self.task.abort();
        // The task ended or was stopped; either way its end of the line is closed.
        let _ = (&mut self.task).await;
    }

    /// What has passed, for a screen or for metrics. They go on counting when they are shared.
    pub fn counters(&self) -> Arc<Counters> {
        Arc::clone(&self.counters)
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// The time now, by this machine's clock.
pub fn now() -> Utc {
    // A clock before 1970 or after 9999 is no clock: the doctor looks at it, and every event would be wrong anyway.
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_micros()).ok().and_then(Utc::from_micros).unwrap_or(Utc::EPOCH)
}
