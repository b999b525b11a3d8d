//! `fairdeal config`: what a site file says, or everything that is wrong with it.

use std::fmt::Write as _;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use auditor::check::Law;
use serde_json::json;
use table::Limit;
use table::config::{Camera, Fault, Site, TableConfig};

use crate::{Outcome, books};

/// Look at a site's configuration
#[derive(clap::Args)]
pub(crate) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(clap::Subcommand)]
enum Command {
    Check(Check),
}

/// Say what a site file describes, or all that is wrong with it
///
/// Example: fairdeal config check site.toml
///
/// Faults are told as FILE:LINE:COLUMN. Passwords are shown as ***. Nothing is connected to.
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
struct Check {
    /// Site files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print JSON Lines: the site, or one object for each fault
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    match &args.command {
        Command::Check(check) => check.run(),
    }
}

impl Check {
    fn run(&self) -> anyhow::Result<Outcome> {
        let mut wrong = Vec::new();
        for file in &self.files {
            let told = match read(file) {
                Ok(text) => self.tell(file, &text)?,
                Err(error) => {
                    wrong.push(format!("{error:#}"));
                    continue;
                }
            };
            match told {
                0 => {}
                1 => wrong.push(format!("{} has 1 fault", file.display())),
                faults => wrong.push(format!("{} has {faults} faults", file.display())),
            }
        }
        if !wrong.is_empty() {
            bail!("{}", wrong.join("; "));
        }
        Ok(Outcome::Clean)
    }

    /// Prints what a file says, or its faults, and counts them.
    fn tell(&self, file: &Path, text: &str) -> anyhow::Result<usize> {
        let name = file.display().to_string();
        let parsed = Site::parse(text);
        if let Ok(site) = &parsed
            && let wrong @ [_, ..] = lawless(site)?.as_slice()
        {
            return Ok(self.tell_lawless(&name, wrong)?);
        }
        let faults = match parsed {
            Ok(site) if self.json => {
                say(&format!("{}\n", json!({ "file": name, "site": site })))?;
                return Ok(0);
            }
            Ok(site) => {
                say(&summary(&name, &site))?;
                return Ok(0);
            }
            Err(faults) => faults,
        };
        for Fault { line, column, message } in faults.all() {
            if self.json {
                say(&format!("{}\n", json!({ "file": name, "line": line, "column": column, "error": message })))?;
            } else {
                eprintln!("{name}:{line}:{column}: {message}");
            }
        }
        Ok(faults.all().len())
    }

    /// Prints what keeps tables from being audited, and counts it.
    fn tell_lawless(&self, name: &str, wrong: &[String]) -> io::Result<usize> {
        for wrong in wrong {
            if self.json {
                say(&format!("{}\n", json!({ "file": name, "error": wrong })))?;
            } else {
                eprintln!("{name}: {wrong}");
            }
        }
        Ok(wrong.len())
    }
}

/// The tables whose options are none of their game's, and why. House files are left to the doctor: they are looked up.
fn lawless(site: &Site) -> anyhow::Result<Vec<String>> {
    let books = books::shipped()?;
    let wrong = |table: &TableConfig| Some(format!("table {}: {}", table.id, Law::of(books, &table.game).err()?));
    Ok(site.tables.iter().filter_map(wrong).collect())
}

/// A site file that has no faults; with faults, all of them in one error.
pub(crate) fn load(file: &Path) -> anyhow::Result<Site> {
    let text = read(file)?;
    Site::parse(&text).map_err(|faults| {
        let told = faults
            .all()
            .iter()
            .map(|fault| format!("{}:{}:{}: {}", file.display(), fault.line, fault.column, fault.message));
        anyhow::anyhow!("{}", told.collect::<Vec<_>>().join("\n"))
    })
}

fn say(text: &str) -> io::Result<()> {
    io::stdout().lock().write_all(text.as_bytes())
}

fn read(file: &Path) -> anyhow::Result<String> {
    let bytes = std::fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    String::from_utf8(bytes).map_err(|wrong| {
        let offset = wrong.utf8_error().valid_up_to();
        anyhow::anyhow!("{} is not UTF-8 text from byte {offset} on", file.display())
    })
}

/// The site in words, a line for each thing it has.
fn summary(file: &str, site: &Site) -> String {
    let evidence = &site.evidence;
    let mut text = format!("{file}: {}\n", site.name.as_str());
    item(&mut text, 2, "database", site.database.to_string());
    let (days, suspected) = (evidence.keep_days, evidence.keep_suspected_days);
    item(&mut text, 2, "evidence", format!("{}, kept {days} days, of suspected crime {suspected}", evidence.folder));
    item(&mut text, 2, "bus", site.bus.as_ref().map_or_else(|| "none, one process".into(), ToString::to_string));
    item(&mut text, 2, "review", format!("http://{}/", site.review));
    for table in &site.tables {
        describe(&mut text, table);
    }
    text
}

fn describe(text: &mut String, table: &TableConfig) {
    let boxes = if table.boxes == 1 { "1 box".into() } else { format!("{} boxes", table.boxes) };
    let decks = match table.decks {
        None => "decks by rulebook".into(),
        Some(1) => "1 deck".into(),
        Some(decks) => format!("{decks} decks"),
    };
    item(text, 2, "table", format!("{}: {}, {boxes}, {decks}, {}", table.id, table.game.name, table.currency));
    if let Some(house) = &table.house {
        item(text, 4, "house file", house.to_string());
    }
    if let Some(shuffler) = &table.shuffler {
        item(text, 4, "shuffler", shuffler.to_string());
    }
    if !table.game.options.is_empty() {
        item(text, 4, "options", joined(table.game.options.iter().map(|(name, value)| format!("{name}={value}"))));
    }
    for limit in &table.limits {
        item(text, 4, "limits", limit_in_words(limit));
    }
    if !table.side_bets.is_empty() {
        item(text, 4, "side bets", joined(table.side_bets.iter().map(ToString::to_string)));
    }
    for camera in &table.cameras {
        item(text, 4, "camera", camera_in_words(camera));
    }
    match &table.shoe {
        Some(shoe) => {
            let manner = if shoe.read_only { "read only" } else { "may be written to" };
            item(text, 4, "shoe", format!("{}: {}, {}, {manner}", shoe.name, shoe.transport, shoe.dialect));
        }
        None => item(text, 4, "shoe", "none, cards are read by the cameras alone".into()),
    }
    match &table.chips {
        Some(chips) => item(text, 4, "chips", format!("{}: {}", chips.name, chips.transport)),
        None => item(text, 4, "chips", "none, money is not checked".into()),
    }
}

fn limit_in_words(limit: &Limit) -> String {
    let step = limit.step.map(|step| format!(" in steps of {step}")).unwrap_or_default();
    format!("{} {} to {}{step}", limit.on, limit.min, limit.max)
}

fn camera_in_words(camera: &Camera) -> String {
    let size = camera.size.map(|(width, height)| format!(", {width}x{height}")).unwrap_or_default();
    let areas = if camera.areas.is_empty() {
        "not calibrated".into()
    } else {
        format!("sees {}", joined(camera.areas.iter().map(|area| area.spot.to_string())))
    };
    format!("{}: {}{size}, {areas}", camera.name, camera.source)
}

fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

fn item(text: &mut String, indent: usize, what: &str, value: String) {
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{:indent$}{what:<11}{value}", "");
}
