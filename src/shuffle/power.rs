//! `fairdeal shuffle power`: what could be found at all.

use std::io::Write;

use auditor::shuffle::{DECK, Faulty, Inventory, Null, Procedure, Sight, power};
use serde_json::json;

use crate::{Outcome, json};

/// Tell what could be found: how often each fault shows in a single shoe
///
/// "Nothing found" is worth no more than this. Faulty shuffles are dealt and held
/// against a thousand proper ones.
///
/// Example:
///   fairdeal shuffle power --decks 6 --seen 0.75 --unread 0.02
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// Decks in the shoe
    #[arg(long, default_value_t = 6, value_parser = clap::value_parser!(u8).range(1..=12))]
    decks: u8,
    /// The part of the pack that is dealt before the cutting card
    #[arg(long, default_value_t = 1.0, value_parser = part)]
    seen: f64,
    /// The part of those cards that is not read
    #[arg(long, default_value_t = 0.0, value_parser = part)]
    unread: f64,
    /// How the house shuffles; without it, every order is equally likely
    #[arg(long, value_name = "SHUFFLE")]
    procedure: Option<Procedure>,
    /// A faulty shuffle to try beside the usual ones, such as riffles:2
    #[arg(long = "fault", value_name = "SHUFFLE")]
    faults: Vec<Procedure>,
    /// Shoes to try of each
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u32).range(10..=100_000))]
    shoes: u32,
    /// One JSON object for every fault
    #[arg(long)]
    json: bool,
}

fn part(text: &str) -> Result<f64, String> {
    let part = text.parse().ok().filter(|part| (0.0..=1.0).contains(part));
    part.ok_or_else(|| "expected a part from 0 to 1".to_owned())
}

pub(super) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let null = args.procedure.clone().map_or(Null::Uniform, Null::Procedure);
    let sight = Sight { seen: args.seen, unread: args.unread };
    let mut faults = Faulty::usual();
    faults.extend(args.faults.iter().cloned().map(Faulty::Procedure));
    let bar = indicatif::ProgressBar::new(faults.len() as u64);
    let mut out = anstream::stdout().lock();
    if !args.json {
        writeln!(out, "{:28} {:>8} {:>24}", "fault", "at 1 %", "at one a pit and year")?;
    }
    for fault in faults {
        let tried = power(args.decks, sight, &null, &[fault], args.shoes as usize);
        bar.inc(1);
        for power in tried {
            let name = power.fault.to_string();
            if args.json {
                json::lines(
                    &mut out,
                    [json!({ "fault": name, "at_one_percent": power.at_one_percent, "suspect": power.suspect })],
                )?;
            } else {
                bar.suspend(|| writeln!(out, "{name:28} {:>8.2} {:>24.2}", power.at_one_percent, power.suspect))?;
            }
        }
    }
    bar.finish_and_clear();
    tell_cards(args, &mut out)?;
    Ok(Outcome::Clean)
}

/// What is found of a card slipped in, which one shoe proves, and of a card taken out, which takes many.
fn tell_cards(args: &Args, out: &mut impl Write) -> anyhow::Result<()> {
    let read = args.seen * (1.0 - args.unread);
    let proved = all_come(args.decks, read);
    let needs = Inventory::needs(args.decks, read);
    if args.json {
        let added = json!({ "fault": "card added", "at_one_percent": proved, "suspect": proved });
        return json::lines(out, [added, json!({ "fault": "card missing", "shoes": needs })]);
    }
    writeln!(out, "{:28} {proved:>8.2} {proved:>24.2}", "card added")?;
    let told = needs.map_or_else(|| "is never found".to_owned(), |needs| format!("is found over about {needs} shoes"));
    writeln!(out, "{:28} {told}", "card missing")?;
    Ok(())
}

/// How likely all copies of a face, one more than there are decks, are among the part of the pack that is read.
fn all_come(decks: u8, read: f64) -> f64 {
    let pack = f64::from(decks) * DECK as f64 + 1.0;
    let seen = (pack * read).floor();
    (0..=decks).map(f64::from).map(|copy| ((seen - copy) / (pack - copy)).max(0.0)).product()
}
