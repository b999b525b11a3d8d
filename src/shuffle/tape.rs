//! The shoes of tapes, and the evidence along dealers, shuffling machines and tables.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufReader, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use auditor::check::Law;
use auditor::shuffle::{
    DECK, Dealt, Flow, Follower, Inventory, Ledger, Null, Report, Stretch, Terms, Verdict, judge, proper, rounded,
    short,
};
use serde_json::{Value, json};
use table::Ident;
use table::tape::Reader;

use super::Args;
use super::pictures::Pictures;
use crate::columns::{FAINT, STRONG};
use crate::{Outcome, json, rebuild, rounds};

/// What is judged together: the shoes of a dealer, a shuffling machine or a table.
#[derive(Default)]
struct Series {
    ledger: Ledger,
    values: Vec<f64>,
}

/// The cards of one table over its shoes.
struct Cards {
    /// Which cards these are.
    number: u32,
    decks: u8,
    /// The part of the pack that each shoe showed, added up.
    seen: f64,
    /// Where the table's shuffle takes the cards, by hand and by machine.
    flows: BTreeMap<bool, Flow>,
    inventory: Inventory,
}

struct Judging<'a> {
    args: &'a Args,
    pictures: &'a mut Pictures,
    /// The machine that stands at each table.
    shufflers: BTreeMap<Ident, Ident>,
    cards: BTreeMap<Ident, Cards>,
    series: BTreeMap<String, Series>,
    shoes: usize,
    outcome: Outcome,
}

/// Judges every shoe of these tapes, each table's in order.
pub(super) fn judge_tapes(
    args: &Args,
    tapes: &[&PathBuf],
    pictures: &mut Pictures,
    out: &mut impl Write,
) -> anyhow::Result<Outcome> {
    let books = args.books.read()?;
    let mut laws: BTreeMap<String, Law> = BTreeMap::new();
    let mut tables: BTreeMap<Ident, (Follower, String)> = BTreeMap::new();
    let mut judging = Judging {
        args,
        pictures,
        shufflers: BTreeMap::new(),
        cards: BTreeMap::new(),
        series: BTreeMap::new(),
        shoes: 0,
        outcome: Outcome::Clean,
    };
    let bar = if std::io::stderr().is_terminal() {
        indicatif::ProgressBar::new_spinner().with_message("shoes judged")
    } else {
        indicatif::ProgressBar::hidden()
    };
    for tape in tapes {
        let shuffler = shuffler_on(tape)?;
        for round in rounds::read(tape)? {
            let round = round?;
            let game = serde_json::to_string(&round.game)?;
            if !laws.contains_key(&game) {
                let law = Law::of(&books, &round.game).with_context(|| tape.display().to_string())?;
                laws.insert(game.clone(), law);
            }
            let law = &laws[&game];
            let (follower, _) = tables.entry(round.id.table.clone()).or_insert_with(|| (Follower::default(), game));
            let over = follower.follow(&law.rules, &round);
            if let Some(stretch) = follower.stretch(&round) {
                judging.judge_stretch(&round.id.table, &stretch, out)?;
                bar.inc(1);
            }
            if let Some(over) = over.filter(|_| !law.rules.csm) {
                judging.judge(law, &over, out)?;
                bar.inc(1);
            }
            // What was over with this round came from the machine before it.
            match &shuffler {
                Some(shuffler) => judging.shufflers.insert(round.id.table, shuffler.clone()),
                None => judging.shufflers.remove(&round.id.table),
            };
        }
    }
    for (follower, game) in tables.values() {
        let last = laws.get(game).filter(|law| !law.rules.csm).and_then(|law| Some((law, follower.over(&law.rules)?)));
        if let Some((law, over)) = last {
            judging.judge(law, &over, out)?;
        }
    }
    bar.finish_and_clear();
    judging.sum_up(out)?;
    Ok(judging.outcome)
}

impl Judging<'_> {
    fn judge(&mut self, law: &Law, shoe: &Dealt, out: &mut impl Write) -> anyhow::Result<()> {
        let null = match &self.args.procedure {
            Some(procedure) => Null::Procedure(procedure.clone()),
            None => proper(&law.rules, shoe.machine),
        };
        let report = match judge(&shoe.orders, &Terms { null, rate: 1.0 / self.args.alarm_every }) {
            Ok(report) => report,
            Err(error) if self.args.json => {
                let (id, error) = (&shoe.orders.id, error.to_string());
                let told = json!({ "id": id, "table": shoe.table, "shoe": shoe.shoe, "error": error });
                return json::lines(out, [told]);
            }
            Err(error) => {
                writeln!(out, "{STRONG}{} shoe {}{STRONG:#}  cannot be judged: {error}", shoe.table, shoe.shoe)?;
                return Ok(());
            }
        };
        self.shoes += 1;
        self.count(law, shoe, report.seen);
        if self.args.fail_on.fails(report.verdict) {
            self.outcome = Outcome::Found;
        }
        self.pictures.shoe(&shoe.orders, &report)?;
        if let Some(dealer) = &shoe.dealer {
            self.enter(format!("dealer {dealer}"), &report);
        }
        self.enter_table(&shoe.table, shoe.machine, &report);
        if self.args.json {
            return json::lines(out, [shoe_json(shoe, &report)]);
        }
        Ok(write_shoe(out, shoe, &report)?)
    }

    /// Enters a report for its table, and for the machine there if that made the shuffle.
    fn enter_table(&mut self, table: &Ident, by_machine: bool, report: &Report) {
        if let Some(shuffler) = self.shufflers.get(table).filter(|_| by_machine) {
            self.enter(format!("shuffler {shuffler}"), report);
        }
        self.enter(format!("table {table}"), report);
    }

    fn enter(&mut self, name: String, report: &Report) {
        let series = self.series.entry(name).or_default();
        series.ledger.enter(report.e);
        series.values.push(report.p);
    }

    /// Judges a continuous shuffler by the rounds of an hour or so.
    fn judge_stretch(&mut self, table: &Ident, stretch: &Stretch, out: &mut impl Write) -> anyhow::Result<()> {
        let report = stretch.judge(&Terms { rate: 1.0 / self.args.alarm_every, ..Terms::default() });
        self.shoes += 1;
        if self.args.fail_on.fails(report.verdict) {
            self.outcome = Outcome::Found;
        }
        self.enter_table(table, true, &report);
        if self.args.json {
            return json::lines(out, [report.to_json(stretch.decks)]);
        }
        let (p, e) = (short(report.p), short(report.e));
        let (id, verdict, cards) = (&report.id, report.verdict, stretch.cards());
        writeln!(out, "{STRONG}{id}{STRONG:#}  {verdict}  p {p}, e {e}, {cards} cards from a continuous shuffler")?;
        if let Some(reason) = &report.reason {
            writeln!(out, "  {reason}")?;
        }
        Ok(write_power(out, &report, stretch.decks)?)
    }

    /// Counts the cards of a shoe with those of the table's other shoes.
    fn count(&mut self, law: &Law, shoe: &Dealt, seen: usize) {
        let cards = self.cards.entry(shoe.table.clone()).or_insert_with(|| Cards {
            number: shoe.cards,
            decks: shoe.orders.decks,
            seen: 0.0,
            flows: BTreeMap::new(),
            inventory: Inventory::default(),
        });
        if std::mem::replace(&mut cards.number, shoe.cards) != shoe.cards {
            cards.inventory.exchanged();
            cards.seen = 0.0;
        }
        let size = usize::from(shoe.orders.decks) * DECK;
        let flow = cards.flows.entry(shoe.machine).or_insert_with(|| Flow::of(&proper(&law.rules, shoe.machine), size));
        cards.inventory.enter(flow, &shoe.orders);
        cards.seen += seen as f64 / 100.0;
    }

    /// Whether a card is missing from the cards that each table has now.
    fn sum_up_cards(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        let bar = self.args.alarm_every;
        for (table, cards) in &self.cards {
            let (shoes, evidence) = (cards.inventory.shoes(), cards.inventory.evidence());
            let missing = cards.inventory.likeliest().filter(|_| evidence >= bar);
            if missing.is_some() && self.args.fail_on != super::FailOn::Never {
                self.outcome = Outcome::Found;
            }
            let needs = Inventory::needs(cards.decks, cards.seen / f64::from(shoes.max(1)));
            if self.args.json {
                let card = missing.map(|missing| missing.card);
                let told = json!({
                    "cards": format!("table {table}"), "shoes": shoes, "evidence": rounded(evidence), "missing": card,
                    "needs": needs,
                });
                json::lines(out, [told])?;
                continue;
            }
            let verdict = match missing {
                Some(missing) => {
                    format!("{} is missing: at most {} came in {} shoes", missing.card, missing.most, missing.shoes)
                }
                None => format!("no card is missing as far as can be told{}", too_few(shoes, needs)),
            };
            let (evidence, bar) = (short(evidence), short(bar));
            writeln!(out, "cards of table {table}: {shoes} shoes, evidence {evidence} of {bar}, {verdict}")?;
        }
        Ok(())
    }

    /// The evidence along every dealer, shuffling machine and table.
    fn sum_up(&mut self, out: &mut impl Write) -> anyhow::Result<()> {
        let bar = self.args.alarm_every;
        for (name, series) in &self.series {
            let ledger = &series.ledger;
            let drifts = ledger.is_beyond(bar);
            if drifts && self.args.fail_on != super::FailOn::Never {
                self.outcome = Outcome::Found;
            }
            self.pictures.series(name, &series.values, 1.0 / bar)?;
            if self.args.json {
                let told = json!({
                    "series": name, "shoes": ledger.shoes, "evidence": rounded(ledger.evidence), "drifting": drifts,
                    "power_note": ledger.power_note(bar),
                });
                json::lines(out, [told])?;
                continue;
            }
            let verdict = match drifts {
                true => "drifting".to_owned(),
                false => format!("nothing found; {}", ledger.power_note(bar)),
            };
            let (evidence, bar) = (short(ledger.evidence), short(bar));
            writeln!(out, "{name}: {} shoes, evidence {evidence} of {bar}, {verdict}", ledger.shoes)?;
        }
        self.sum_up_cards(out)?;
        if self.shoes == 0 && !self.args.json {
            writeln!(out, "no shuffle whose cards were seen both before and after")?;
        }
        Ok(())
    }
}

/// The shuffling machine of a tape's table, if its configuration is on it and names one.
fn shuffler_on(tape: &Path) -> anyhow::Result<Option<Ident>> {
    let opened = Reader::open(BufReader::new(File::open(tape).with_context(|| tape.display().to_string())?));
    let opened = opened.with_context(|| tape.display().to_string())?;
    Ok(rebuild::table_on(&opened).ok().and_then(|table| table.shuffler))
}

/// How many shoes it would take, where there were fewer.
fn too_few(shoes: u32, needs: Option<u32>) -> String {
    match needs {
        Some(needs) if shoes < needs => format!("; it takes about {needs} shoes"),
        Some(needs) => format!("; about {needs} shoes would have shown it"),
        None => "; too little of the shoe is seen".to_owned(),
    }
}

fn shoe_json(shoe: &Dealt, report: &Report) -> Value {
    let mut json = report.to_json(shoe.orders.decks);
    if let Some(object) = json.as_object_mut() {
        object.insert("table".to_owned(), json!(shoe.table));
        object.insert("shoe".to_owned(), json!(shoe.shoe));
        object.insert("dealer".to_owned(), json!(shoe.dealer));
    }
    json
}

/// A shoe in a line or two.
fn write_shoe(out: &mut impl Write, shoe: &Dealt, report: &Report) -> std::io::Result<()> {
    writeln!(
        out,
        "{STRONG}{} shoe {}{STRONG:#}  {}  p {}, e {}, {} % seen, worth {}",
        shoe.table,
        shoe.shoe,
        report.verdict,
        short(report.p),
        short(report.e),
        report.seen,
        report.riffles
    )?;
    if let Some(reason) = &report.reason {
        writeln!(out, "  {reason}")?;
    }
    for slug in &report.slugs {
        let (from, to) = (slug.from + 1, slug.to + 1);
        writeln!(out, "  {} cards from place {from} on came out together at place {to}", slug.length)?;
    }
    write_power(out, report, shoe.orders.decks)
}

/// What "nothing found" is worth, beside it.
fn write_power(out: &mut impl Write, report: &Report, decks: u8) -> std::io::Result<()> {
    if report.verdict != Verdict::Ok {
        return Ok(());
    }
    let note = report.tests.first().map(|test| test.power_note(decks, report.seen));
    writeln!(out, "  {FAINT}{}{FAINT:#}", note.unwrap_or_default())
}
