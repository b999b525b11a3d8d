//! `fairdeal shoe watch`: everything that comes, as it comes, and what is wrong in words.

use std::io::{self, Write};
use std::time::Duration;

use anyhow::bail;
use data_encoding::HEXLOWER;
use indicatif::{ProgressBar, ProgressStyle};
use ingest::shoe::Heard;
use ingest::transport::{Counts, Line, State, Told, now};
use table::Utc;
use table::config::{Dialect, Transport};
use tokio::time::{MissedTickBehavior, interval};

use super::judge::{Judge, Rarer, Verdict};
use crate::Outcome;

/// Watch a shoe's line: raw bytes, what they say, and what is wrong
///
/// Prints what happens to the line, its bytes in hexadecimal, and what the shoe
/// said as fairdeal decode writes it. On a terminal the counters stand below.
/// Ctrl-C ends it with the counters. A lost line is tried again without end.
///
/// Example: fairdeal shoe watch serial:///dev/ttyUSB0?baud=4800
/// Example: fairdeal shoe watch tcp://10.0.4.21:4001 --dialect bee-tek
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The line: serial:///dev/ttyUSB0?baud=4800, tcp://host:4001 or file:capture.bin
    url: String,
    /// What the shoe speaks: angel-eye or bee-tek. Left out: either is listened for
    #[arg(long)]
    dialect: Option<Dialect>,
    /// After how many seconds to say that something is wrong
    #[arg(long, value_name = "SECONDS", default_value_t = 5, value_parser = clap::value_parser!(u64).range(1..=3600))]
    patience: u64,
    /// Leave out the raw bytes
    #[arg(long)]
    no_bytes: bool,
}

/// How often the line of counters is drawn.
const REDRAW: Duration = Duration::from_millis(200);
/// As many bytes stand on a line.
const A_LINE: usize = 16;

pub(super) async fn run(args: &Args) -> anyhow::Result<Outcome> {
    let transport = super::address(&args.url, args.dialect.map(Dialect::usual_baud))?;
    let farewell = super::farewell()?;
    let mut line = Line::open(&transport, super::settings());
    let counters = line.counters();
    let mut watch = Watch::new(args, &transport);
    let mut look = interval(Duration::from_secs(args.patience));
    look.reset();
    look.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut redraw = interval(REDRAW);
    loop {
        tokio::select! {
            told = line.next() => match told {
                Some(told) => watch.told(told)?,
                None => break,
            },
            _ = look.tick() => watch.look()?,
            _ = redraw.tick() => watch.bar.set_message(watch.counters(&counters.now(), now())),
            () = farewell.notified() => break,
        }
    }
    watch.end(&counters.now())
}

/// What the engineer sees.
struct Watch {
    judge: Judge,
    bytes: bool,
    is_file: bool,
    /// Draws the counters; nothing where there is no terminal.
    bar: ProgressBar,
    /// How the line is.
    state: State,
    /// What could not be read, of a file.
    unreadable: Option<String>,
}

impl Watch {
    fn new(args: &Args, transport: &Transport) -> Self {
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template("{wide_msg}") {
            bar.set_style(style);
        }
        Self {
            judge: Judge::new(args.dialect),
            bytes: !args.no_bytes,
            is_file: matches!(transport, Transport::File(_)),
            bar,
            state: State::Connecting,
            unreadable: None,
        }
    }

    /// Prints a line above the counters.
    fn say(&self, at: Utc, what: &str, words: &str) -> io::Result<()> {
        self.bar.suspend(|| writeln!(io::stdout().lock(), "{} {what:<9} {words}", time_of_day(at)))
    }

    fn told(&mut self, told: Told) -> anyhow::Result<()> {
        match told {
            Told::Read(read) => self.read(read.at, &read.bytes),
            Told::State { at, state } => self.state(at, state),
        }
    }

    fn read(&mut self, at: Utc, bytes: &[u8]) -> anyhow::Result<()> {
        if self.bytes {
            let mut offset = self.judge.bytes();
            for part in bytes.chunks(A_LINE) {
                let pairs: Vec<String> = part.iter().map(|byte| HEXLOWER.encode(&[*byte])).collect();
                self.say(at, "bytes", &format!("{offset:>8}  {}", pairs.join(" ")))?;
                offset += part.len() as u64;
            }
        }
        let heard = self.judge.hear(bytes);
        self.events(at, &heard)
    }

    fn events(&self, at: Utc, heard: &[Heard]) -> anyhow::Result<()> {
        heard.iter().try_for_each(|heard| Ok(self.say(at, "event", &serde_json::to_string(heard)?)?))
    }

    fn state(&mut self, at: Utc, state: State) -> anyhow::Result<()> {
        let (what, words) = match &state {
            State::Lost(fault) => ("lost", fault.to_string()),
            other => ("line", other.to_string()),
        };
        self.say(at, what, &words)?;
        if let (State::Lost(fault), true) = (&state, self.is_file) {
            self.unreadable = Some(fault.to_string());
        }
        if matches!(state, State::Lost(_) | State::Ended) {
            let heard = self.judge.ended();
            self.events(at, &heard)?;
            if state == State::Ended {
                // Of a line that ends by itself the last stretch is judged too.
                self.look()?;
            }
            self.judge.disconnected();
        }
        if state == State::Connected {
            self.judge.connected();
        }
        self.state = state;
        Ok(())
    }

    /// Says what is wrong when that has changed.
    fn look(&mut self) -> anyhow::Result<()> {
        match self.judge.look() {
            Some(Verdict::Silent(words) | Verdict::Wrong(words)) => self.say(now(), "wrong", &words)?,
            Some(Verdict::Well) => self.say(now(), "well", "telegrams come again")?,
            None => {}
        }
        Ok(())
    }

    /// The counters on one line.
    fn counters(&self, line: &Counts, now: Utc) -> String {
        let last = line.last_seen.map_or_else(
            || "no byte yet".into(),
            |seen| format!("last byte {:.1} s ago", (now.micros() - seen.micros()).max(0) as f64 / 1e6),
        );
        format!("{} · {} · {last}", self.state, self.judge.counters(line, Rarer::Happened))
    }

    /// The last word: the counters, and for a line that ended by itself what was wrong with it.
    fn end(self, line: &Counts) -> anyhow::Result<Outcome> {
        self.bar.finish_and_clear();
        let last = line.last_seen.map_or_else(|| "never".into(), time_of_day);
        self.say(now(), "counters", &format!("{} · last byte {last}", self.judge.counters(line, Rarer::All)))?;
        match self.unreadable {
            Some(fault) => bail!(fault),
            None => Ok(Outcome::Clean),
        }
    }
}

/// The part of a time that matters to somebody who looks on.
fn time_of_day(at: Utc) -> String {
    let text = at.to_string();
    text.get(11..23).unwrap_or(&text).to_owned()
}
