//! How well rounds are rebuilt from simulated feeds: how many are exact, and where the others differ.
//!
//! `cargo run -p recognizer --example rebuild -- GAME [rounds=N] [noise=P] [seed=S] [faults=NAME:RATE] [without=SOURCE]
//! [width=N] [grammar=off] [show=N]`; GAME may be `all`.

use std::collections::BTreeMap;
use std::error::Error;

use auditor::check::Session;
use auditor::model::random::Dice;
use auditor::rulebook::books;
use ingest::feed::Feed;
use recognizer::round::{Playing, Rebuilder, Rebuilt, Settings, exact};
use simulator::feeds::{Feeds, Names};
use simulator::players;
use simulator::setup::Setup;
use simulator::shift::{Shift, Wish, Wishes};
use simulator::{Dealt, faults};
use table::config::Dialect;
use table::{Game, SourceKind, Utc};

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let game = words.next().unwrap_or("all".into());
    let options: BTreeMap<String, String> =
        words.filter_map(|word| word.split_once('=').map(|(key, value)| (key.to_owned(), value.to_owned()))).collect();
    let books = books::all()?;
    let games = books.iter().flat_map(|book| &book.games).map(|game| game.name.to_string());
    for name in games.filter(|name| game == "all" || *name == game) {
        one(&name, &options)?;
    }
    Ok(())
}

fn option<T: std::str::FromStr>(options: &BTreeMap<String, String>, key: &str, usual: T) -> T {
    options.get(key).and_then(|value| value.parse().ok()).unwrap_or(usual)
}

fn one(name: &str, options: &BTreeMap<String, String>) -> Result<(), Box<dyn Error>> {
    let game = Game { name: name.parse()?, options: BTreeMap::new() };
    let setup = Setup::new(books::all()?, "BJ-04".parse()?, game)?;
    let noise: f64 = option(options, "noise", 0.0);
    let seed: u64 = option(options, "seed", 1);
    let without = options.get("without").map(String::as_str).unwrap_or_default();
    let without: Vec<SourceKind> = without.split(',').filter_map(|source| source.parse().ok()).collect();
    let mut wished = Vec::new();
    for wish in options.get("faults").map(String::as_str).unwrap_or_default().split(',').filter(|wish| !wish.is_empty())
    {
        let (fault, rate) = wish.split_once(':').unwrap_or((wish, "0.2"));
        let all = faults::all().iter();
        let chosen: Vec<_> = match fault {
            "all" => all.filter(|fault| fault.check.is_some()).collect(),
            "handled" => all.filter(|fault| fault.kind == simulator::truth::Kind::Handled).collect(),
            fault => faults::named(fault)?,
        };
        wished.push(Wish { faults: chosen, rate: rate.parse()? });
    }
    let wishes = Wishes {
        seed,
        rounds: option(options, "rounds", 50),
        begins: Utc::from_micros(1_767_643_200_000_000).unwrap_or(Utc::EPOCH),
        mid_shoe: false,
        company: players::Wish { boxes: setup.boxes, ..players::Wish::default() },
        dealers: vec!["D-01".parse()?],
        procedure: None,
        faults: wished,
        several: false,
    };
    let playing = Playing {
        table: setup.table.clone(),
        game: setup.game.clone(),
        limits: setup.limits.clone(),
        grammar: setup.law.rules.grammar(),
        shuffler: setup.shuffler.is_some(),
    };
    let settings = Settings {
        width: option(options, "width", Settings::default().width),
        grammar: options.get("grammar").is_none_or(|word| word != "off"),
        ..Settings::default()
    };
    let mut rebuilder = Rebuilder::new(playing, settings);
    let mut feeds = Feeds::new(Names::usual()?, Dialect::AngelEye, noise, &Dice::new(seed));
    let mut feed = Feed::default();
    feed.shoe("shoe".parse()?, Dialect::AngelEye);
    let (mut truth, mut rebuilt, mut events) = (Vec::new(), Vec::new(), Vec::new());
    for dealt in Shift::open(&setup, wishes) {
        let dealt = dealt?;
        for (at, record) in feeds.of(&dealt).records {
            feed.hear(at, &record, &mut events);
        }
        truth.push(dealt);
        for event in events.drain(..).filter(|event| !without.contains(&event.source.kind)) {
            rebuilt.extend(rebuilder.push(&event));
        }
    }
    feed.end(&mut events);
    for event in events.iter().filter(|event| !without.contains(&event.source.kind)) {
        rebuilt.extend(rebuilder.push(event));
    }
    rebuilt.extend(rebuilder.finish());
    report(name, &setup, &truth, &rebuilt, option(options, "show", 0));
    Ok(())
}

fn report(name: &str, setup: &Setup, truth: &[Dealt], rebuilt: &[Rebuilt], show: usize) {
    let mut matched = exact::Pairs::default();
    for dealt in truth {
        matched.played(&dealt.round);
    }
    let (mut same, mut shown, mut numbered) = (0, 0, 0);
    let mut session = Session::default();
    let mut flags: BTreeMap<String, usize> = BTreeMap::new();
    let mut wrong: BTreeMap<String, usize> = BTreeMap::new();
    let mut faulty = 0;
    for (number, found) in rebuilt.iter().enumerate() {
        let (raised, _) = session.audit(&setup.law, &found.round);
        let Some(played) = matched.of(&found.round) else {
            println!("{name}: rebuilt round {number} matches none that was played");
            continue;
        };
        let dealt = truth.iter().find(|dealt| dealt.round.id == played.id);
        let labels = dealt.map_or(0, |dealt| dealt.labels.iter().filter(|label| label.check.is_some()).count());
        faulty += labels;
        if labels == 0 {
            for flag in &raised {
                *flags.entry(flag.check.clone()).or_default() += 1;
                if shown < show {
                    shown += 1;
                    let handled: Vec<_> =
                        dealt.iter().flat_map(|dealt| &dealt.labels).map(|label| &label.fault).collect();
                    let id = &played.id;
                    println!(
                        "--- false {} in {} {}: {} / {} {handled:?}",
                        flag.check, id.shoe, id.round, flag.observed, flag.expected
                    );
                    println!("{}", found.round);
                }
            }
        }
        numbered += usize::from(played.id == found.round.id);
        match exact::difference(&played, &found.round) {
            None => same += 1,
            Some(difference) => {
                let kind = difference.to_string();
                let kind = kind.split_whitespace().take(4).collect::<Vec<_>>().join(" ");
                *wrong.entry(kind).or_default() += 1;
                if shown < show {
                    shown += 1;
                    println!("=== {} shoe {} round {}: {difference}", name, played.id.shoe, played.id.round);
                }
            }
        }
    }
    println!(
        "{name}: {} played, {} rebuilt, {same} exact, {numbered} numbered alike, {faulty} faults; false flags {flags:?}",
        truth.len(),
        rebuilt.len()
    );
    for (kind, count) in wrong {
        println!("    {count} {kind}");
    }
}
