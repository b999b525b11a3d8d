//! Logs go to stderr; stdout is for results.

use std::io::{self, IsTerminal};

use tracing_subscriber::EnvFilter;

/// How much is logged and in what form.
#[derive(clap::Args)]
pub(crate) struct Args {
    /// Log more: -v for information, -vv for debugging, -vvv for everything. RUST_LOG overrides it
    #[arg(short, long, action = clap::ArgAction::Count, global = true)]
    verbose: u8,
    /// The form of log lines
    #[arg(long, value_enum, default_value_t = Format::Text, global = true)]
    log_format: Format,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Format {
    /// For people
    Text,
    /// One JSON object a line
    Json,
}

/// Starts logging for the rest of the process.
pub(crate) fn start(args: &Args) {
    // On a slow disk the database tells of statements by their whole text, which helps nobody who did not ask.
    let level = ["warn,sqlx::query=error", "info", "debug", "trace"][usize::from(args.verbose.min(3))];
    let filter = EnvFilter::try_from_default_env().unwrap_or_else(|_| EnvFilter::new(level));
    let logs = tracing_subscriber::fmt().with_env_filter(filter).with_writer(io::stderr);
    match args.log_format {
        Format::Text => logs.with_ansi(io::stderr().is_terminal()).init(),
        Format::Json => logs.json().init(),
    }
}
