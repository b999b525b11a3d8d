//! `fairdeal doctor`: what this machine has of what Fairdeal uses, and what to do about the rest.

mod devices;
mod machine;
mod probes;
mod site;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::bail;
use serde::Serialize;

use crate::{Outcome, config};
use devices::Trial;
pub(crate) use machine::Machine;

/// Report what is installed, reachable and missing, and what to do about it
///
/// Each line is marked ok, missing or note. Missing is what a command needs and
/// cannot do without; a note is worth knowing and stops nothing. Exits with 2 if
/// anything is missing.
///
/// With --config every camera of the site is opened and watched, and every shoe and
/// chip sensor listened to; draw cards meanwhile. Nothing is written to any of them.
/// Opening a serial port can reset some shoes: use --no-devices while tables play.
///
/// Example: fairdeal doctor
/// Example: fairdeal doctor --config site.toml
/// Example: fairdeal doctor --config site.toml --no-devices
/// Example: fairdeal doctor --json | jq 'select(.mark != "ok")'
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Print one JSON object a line
    #[arg(long)]
    json: bool,
    /// Also look for what a site names, files, servers and rules, and try its devices
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Look for the site's devices without opening them: for tables in play
    #[arg(long, requires = "config")]
    no_devices: bool,
    /// How long to watch or listen to each device
    #[arg(long, default_value_t = 5, requires = "config", value_parser = clap::value_parser!(u64).range(1..=600))]
    seconds: u64,
}

/// How a thing stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum Mark {
    /// There, and as it should be.
    Ok,
    /// Needed, and not there.
    Missing,
    /// Worth knowing; nothing fails for it.
    Note,
}

impl Mark {
    const fn word(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Missing => "missing",
            Self::Note => "note",
        }
    }
}

/// What one look at the machine found.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
struct Finding {
    /// What was looked at.
    name: String,
    mark: Mark,
    finding: String,
    /// What to do about it, unless there is nothing to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    remedy: Option<String>,
}

impl Finding {
    fn ok(name: impl Into<String>, finding: impl Into<String>) -> Self {
        Self { name: name.into(), mark: Mark::Ok, finding: finding.into(), remedy: None }
    }

    fn missing(name: impl Into<String>, finding: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { name: name.into(), mark: Mark::Missing, finding: finding.into(), remedy: Some(remedy.into()) }
    }

    fn note(name: impl Into<String>, finding: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { name: name.into(), mark: Mark::Note, finding: finding.into(), remedy: Some(remedy.into()) }
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let mut findings = probes::all(&Machine::this());
    if let Some(file) = &args.config {
        let (site, folder) = (config::load(file)?, file.parent().unwrap_or(Path::new(".")));
        findings.extend(site::all(&site, folder));
        findings.extend(if args.no_devices {
            site::devices(&site, folder)
        } else {
            devices::all(&site, Trial { folder, seconds: args.seconds })
        });
    }
    let mut out = io::stdout().lock();
    for finding in &findings {
        if args.json {
            writeln!(out, "{}", serde_json::to_string(finding)?)?;
        } else {
            write_for_people(&mut out, finding)?;
        }
    }
    let missing: Vec<&str> = findings.iter().filter(|f| f.mark == Mark::Missing).map(|f| f.name.as_str()).collect();
    if !missing.is_empty() {
        bail!("needed and missing: {}", missing.join(", "));
    }
    Ok(Outcome::Clean)
}

/// The finding on one line and what to do below it, so that neither is cut short on a narrow terminal.
fn write_for_people(out: &mut impl Write, finding: &Finding) -> io::Result<()> {
    writeln!(out, "{:<8} {:<15} {}", finding.mark.word(), finding.name, finding.finding)?;
    match &finding.remedy {
        Some(remedy) => writeln!(out, "{:<8} {:<15} to do: {remedy}", "", ""),
        None => Ok(()),
    }
}
