//! `fairdeal audit`: rounds in, flags out.

pub(crate) mod ledger;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;
use auditor::Rulebook;
use auditor::check::{Law, Reading, Session};
use recognizer::round::Rebuilt;
use table::{Act, Card, Favours, Flag, FlagKind, Game, Grammar, Ident, Money, Place, Round, Severity, Utc};

use crate::columns::{FAINT, STRONG};
use crate::equipment::{self, Begun};
use crate::rebuild::{self, Origin};
use crate::{Outcome, books, database, json, rounds};
use ledger::Ledger;

/// Audit rounds against the rules of their game
///
/// A tape's devices are judged too: a camera that froze or a shoe that was lost is a
/// flag of kind equipment.
///
/// Examples:
///   fairdeal audit dispute.round
///   fairdeal audit night.mcap --json --fail-on major
///   fairdeal audit night.mcap --db sqlite:night.db
///   fairdeal audit night.mcap --rounds feeds
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Rounds in notation (.round), as JSON Lines (.jsonl), or tapes (.mcap)
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// One JSON object for every flag
    #[arg(long)]
    json: bool,
    /// With --json, also one object for every round: what could be checked and what could not
    #[arg(long, requires = "json")]
    coverage: bool,
    /// Exit with 1 if a flag is at least this severe
    #[arg(long, value_enum, default_value_t = FailOn::Never)]
    fail_on: FailOn,
    /// Also write rounds and flags to this database: sqlite:FILE or postgres://USER@HOST/NAME
    #[arg(long, value_name = "URL")]
    db: Option<String>,
    /// The site whose tables these are
    #[arg(long, value_name = "NAME", default_value = database::SITE, requires = "db")]
    site: String,
    #[command(flatten)]
    rounds: rebuild::Rebuilding,
    #[command(flatten)]
    books: books::Source,
}

/// The severity from which on a flag makes the command fail.
#[derive(Clone, Copy, clap::ValueEnum)]
enum FailOn {
    Never,
    Info,
    Minor,
    Major,
    Critical,
}

impl FailOn {
    const fn least(self) -> Option<Severity> {
        match self {
            Self::Never => None,
            Self::Info => Some(Severity::Info),
            Self::Minor => Some(Severity::Minor),
            Self::Major => Some(Severity::Major),
            Self::Critical => Some(Severity::Critical),
        }
    }
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let mut audit = Audit::new(args.books.read()?);
    let mut ledger = args.db.as_deref().map(|url| Ledger::open(url, &args.site)).transpose()?;
    let mut out = anstream::stdout().lock();
    for file in &args.files {
        let is_tape = file.extension().is_some_and(|ending| ending == "mcap");
        // A device's failure belongs to the round it began in. Rounds that stand on the tape are known before they are
        // audited and can be written as they come; those rebuilt from its feeds wait for the end.
        let known = is_tape && args.rounds.rounds == Origin::Recorded;
        let mut failed = if known { equipment::flags(file, begun(file)?)? } else { Vec::new() };
        let mut held = Vec::new();
        for rebuilt in rounds::from(file, audit.books(), &args.rounds)? {
            let rebuilt = rebuilt?;
            let audited = audit.rebuilt(&rebuilt).with_context(|| file.display().to_string())?;
            if args.json {
                json::lines(&mut out, &audited.flags)?;
                if args.coverage {
                    json::lines(&mut out, [audited.coverage_json(&rebuilt.round)])?;
                }
            } else {
                write_flags(&mut out, audit.books(), &audited.flags)?;
            }
            match &mut ledger {
                _ if is_tape && !known => held.push((rebuilt.round, audited)),
                Some(ledger) => ledger.add_with(rebuilt.round, audited, &failed)?,
                None => {}
            }
        }
        if is_tape && !known {
            failed = equipment::flags(file, held.iter().map(|(round, _)| (round.at, round.id.clone())).collect())?;
        }
        audit.tally.count_flags(&failed);
        if args.json {
            json::lines(&mut out, &failed)?;
        } else {
            write_flags(&mut out, audit.books(), &failed)?;
        }
        for (round, audited) in held {
            if let Some(ledger) = &mut ledger {
                ledger.add_with(round, audited, &failed)?;
            }
        }
    }
    if !args.json {
        audit.tally.write(&mut out)?;
    }
    if let Some(ledger) = ledger {
        let written = ledger.close()?;
        if !args.json {
            written.write(&mut out)?;
        }
    }
    let fails = args.fail_on.least().is_some_and(|least| audit.tally.worst.is_some_and(|worst| worst >= least));
    Ok(if fails { Outcome::Found } else { Outcome::Clean })
}

/// When each round that stands on a tape began.
fn begun(file: &Path) -> anyhow::Result<Begun> {
    rounds::read(file)?.map(|round| round.map(|round| (round.at, round.id))).collect()
}

/// What is found of a dealer who did not draw, and no longer if he draws after all. That a round was broken off is not among it:
/// with every stake back in its bettor's hand there is nothing left to draw for.
const A_CARD_UNDOES: [&str; 2] = ["dealer_stood_short", "dealer_stopped_short_of_effect"];

/// Audits rounds of any tables and games, each table's in order.
pub(crate) struct Audit<'b> {
    books: Cow<'b, [Rulebook]>,
    laws: BTreeMap<String, Law>,
    sessions: BTreeMap<Ident, Session>,
    pub(crate) tally: Tally,
}

/// What came of one round.
pub(crate) struct Audited {
    pub(crate) flags: Vec<Flag>,
    pub(crate) coverage: auditor::check::Coverage,
}

impl Audited {
    fn coverage_json(&self, round: &Round) -> serde_json::Value {
        serde_json::json!({
            "table": round.id.table, "shoe": round.id.shoe, "round": round.id.round,
            "coverage": { "seen": self.coverage.seen_names(), "not_seen": self.coverage.missing_names() },
        })
    }
}

impl<'b> Audit<'b> {
    pub(crate) fn new(books: Cow<'b, [Rulebook]>) -> Self {
        Self { books, laws: BTreeMap::new(), sessions: BTreeMap::new(), tally: Tally::default() }
    }

    pub(crate) fn books(&self) -> &[Rulebook] {
        &self.books
    }

    /// Audits the next round of its table.
    pub(crate) fn round(&mut self, round: &Round) -> anyhow::Result<Audited> {
        self.weigh(round, &[], true)
    }

    /// Audits the next round of its table with the other readings of it: what a misreading would explain is a doubt.
    /// One that is told ahead of its end leaves no trace: it will be audited once more, and counts only then. Of a dealer
    /// who may still draw it is not said yet that he did not.
    pub(crate) fn rebuilt(&mut self, rebuilt: &Rebuilt) -> anyhow::Result<Audited> {
        let others = rebuilt.others.iter();
        let others: Vec<_> = others.map(|o| Reading { chance: o.chance, says: &o.says, round: &o.round }).collect();
        self.weigh(&rebuilt.round, &others, rebuilt.over)
    }

    fn weigh(&mut self, round: &Round, others: &[Reading<'_>], over: bool) -> anyhow::Result<Audited> {
        let key = game_line(&round.game);
        if !self.laws.contains_key(&key) {
            let law = Law::of(&self.books, &round.game)
                .with_context(|| format!("{} shoe {} round {}", round.id.table, round.id.shoe, round.id.round))?;
            self.laws.insert(key.clone(), law);
        }
        let law = &self.laws[&key];
        let session = self.sessions.entry(round.id.table.clone()).or_default();
        if !over {
            let (mut flags, coverage) = session.fork().weigh(law, round, others);
            let finished = dealer_is_finished(round, &law.rules.grammar());
            flags.retain(|flag| finished || !A_CARD_UNDOES.contains(&flag.check.as_str()));
            return Ok(Audited { flags, coverage });
        }
        let (flags, coverage) = session.weigh(law, round, others);
        self.tally.count(&flags, &coverage);
        Ok(Audited { flags, coverage })
    }
}

/// Whether the dealer's hand is played as far as can be told: it counts enough, he has shown more than his first card, or his cards
/// are gone. With no chip left on the layout he draws on only to a hand that he had not begun.
fn dealer_is_finished(round: &Round, grammar: &Grammar) -> bool {
    let shown = round.steps.iter().filter_map(|step| match step.act {
        Act::Card { to: Place::Dealer, card, .. } if card != Card::HIDDEN => Some(card),
        Act::TurnUp(Place::Dealer, card) => Some(card),
        _ => None,
    });
    let shown: Vec<Card> = shown.collect();
    let gone = round.steps.iter().any(|step| step.act == Act::Collect(Place::Dealer));
    gone || shown.len() > 1 || !grammar.dealer_draws(&shown)
}

fn game_line(game: &Game) -> String {
    let options = game.options.iter().map(|(name, value)| format!(" {name}={value}"));
    std::iter::once(game.name.to_string()).chain(options).collect()
}

fn write_flags(out: &mut impl Write, books: &[Rulebook], flags: &[Flag]) -> io::Result<()> {
    flags.iter().try_for_each(|flag| write_flag(out, books, flag))
}

/// A flag for people: where, how bad, which clause, how much, then what was seen and what the rules ask for.
pub(crate) fn write_flag(out: &mut impl Write, books: &[Rulebook], flag: &Flag) -> io::Result<()> {
    let at = match (flag.box_no, flag.hand) {
        (Some(box_no), Some(hand)) if hand.index() > 0 => format!(" box {box_no}{hand}"),
        (Some(box_no), _) => format!(" box {box_no}"),
        _ => String::new(),
    };
    let id = &flag.round;
    write!(out, "{STRONG}{} shoe {} round {}{at}{STRONG:#}", id.table, id.shoe, id.round)?;
    if flag.at != Utc::EPOCH {
        write!(out, "  {}", flag.at)?;
    }
    writeln!(out)?;
    write!(out, "  {}, {}, {}", flag.severity, flag.kind, flag.clause)?;
    let money = flag.money;
    match money.favours {
        Favours::Player => writeln!(out, ", {} too much for the player", money.amount)?,
        Favours::House => writeln!(out, ", {} too little for the player", money.amount)?,
        Favours::None => writeln!(out)?,
    }
    writeln!(out, "  seen      {}", flag.observed)?;
    writeln!(out, "  asked     {}", flag.expected)?;
    let clause = books.iter().find_map(|book| book.clauses.get(book.clauses.find(&flag.clause)?));
    if let Some(clause) = clause {
        writeln!(out, "  {FAINT}clause    {}{FAINT:#}", clause.summary)?;
    }
    writeln!(out, "  {FAINT}more      fairdeal explain {}{FAINT:#}\n", flag.check)
}

/// The sum of an audit.
#[derive(Default)]
pub(crate) struct Tally {
    rounds: u64,
    flagged: u64,
    by_severity: BTreeMap<Severity, u64>,
    doubts: u64,
    to_players: Money,
    to_house: Money,
    unseen: BTreeMap<&'static str, u64>,
    worst: Option<Severity>,
}

impl Tally {
    fn count(&mut self, flags: &[Flag], coverage: &auditor::check::Coverage) {
        self.rounds += 1;
        self.flagged += u64::from(!flags.is_empty());
        self.count_flags(flags);
        for name in coverage.missing_names() {
            *self.unseen.entry(name).or_default() += 1;
        }
    }

    /// Counts flags that are of no round's making.
    pub(crate) fn count_flags(&mut self, flags: &[Flag]) {
        for flag in flags {
            if flag.kind == FlagKind::Doubt {
                self.doubts += 1;
                continue;
            }
            *self.by_severity.entry(flag.severity).or_default() += 1;
            self.worst = self.worst.max(Some(flag.severity));
            let sum = match flag.money.favours {
                Favours::Player => &mut self.to_players,
                Favours::House => &mut self.to_house,
                Favours::None => continue,
            };
            *sum = sum.plus(flag.money.amount).unwrap_or(*sum);
        }
    }

    /// The sum in a few lines.
    pub(crate) fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let flags: u64 = self.by_severity.values().sum();
        let counts: Vec<_> = self.by_severity.iter().rev().map(|(severity, n)| format!("{n} {severity}")).collect();
        let counts = if counts.is_empty() { String::new() } else { format!(" ({})", counts.join(", ")) };
        let [rounds, flags, doubts] =
            [(self.rounds, "round"), (flags, "flag"), (self.doubts, "doubt")].map(|(count, what)| several(count, what));
        writeln!(out, "{rounds}, {} with flags; {flags}{counts}, {doubts}", self.flagged)?;
        if self.to_players != Money::ZERO || self.to_house != Money::ZERO {
            writeln!(out, "{} too much for players, {} too little", self.to_players, self.to_house)?;
        }
        for (what, rounds) in &self.unseen {
            let rounds = several(*rounds, "round");
            writeln!(out, "not checked in {rounds}: what needs {what}, of which nothing was seen")?;
        }
        Ok(())
    }
}

/// `1 round`, `2 rounds`.
pub(crate) fn several(count: u64, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}
