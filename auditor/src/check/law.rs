//! A game's law made ready for auditing: its rules, what it cites, and which checks look when.

use std::collections::BTreeMap;

use table::{Act, Chance, Flag, FlagKind, Ident, Round, Severity, WagerKind};

use super::dispute::depends;
use super::due::{Judgement, Wrong, judge_all};
use super::report::{Coverage, Report};
use super::{ActKind, Check, Run};
use crate::checks::CHECKS;
use crate::replay::{Deal, Room, Shoe, Table};
use crate::rulebook::{OptionError, Rulebook};
use crate::rules::Rules;
use crate::shuffle::{Gauges, Passage, passage};

/// A clause as it is cited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clause {
    /// Book and number, such as `nz-13.3`.
    pub id: Box<str>,
    /// How much breaking it matters.
    pub severity: Severity,
}

type OnTable = fn(&Table<'_>, &mut Report<'_>);
type OnAct = fn(&Table<'_>, &Act, &mut Report<'_>);
type OnWager = fn(&Table<'_>, &Judgement<'_>, &mut Report<'_>);

type ByKind = [Vec<(&'static Check, OnAct)>; ActKind::COUNT];

/// A game ready to be audited.
pub struct Law {
    /// Its rules with the house's options.
    pub rules: Rules,
    cites: BTreeMap<Box<str>, Vec<Clause>>,
    other_readings: Vec<&'static str>,
    begins: Vec<(&'static Check, OnTable)>,
    /// By the narrowest kind of the step.
    acts: ByKind,
    /// The same, once a card has lain about or was refused in the round.
    acts_after_loose: ByKind,
    dealt: Vec<(&'static Check, OnTable)>,
    missettled: Vec<(&'static Check, OnWager)>,
    side_bets: Vec<(&'static Check, OnWager)>,
    ends: Vec<(&'static Check, OnTable)>,
    /// Whether the orders of the cards are followed from shoe to shoe.
    follows_cards: bool,
    /// What its shuffles are held against.
    gauges: Gauges,
}

/// Why a round cannot be audited.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoLaw {
    /// No book has the game.
    #[error("there is no game {name}{}", nearest.as_ref().map(|near| format!(", did you mean {near}?")).unwrap_or_default())]
    UnknownGame {
        /// As asked for.
        name: Ident,
        /// A game with a name much like it.
        nearest: Option<String>,
    },
    /// The game cannot be played with these options.
    #[error(transparent)]
    Option(#[from] OptionError),
}

impl Law {
    /// The law of a game with a house's options, looked up in these books.
    pub fn of(books: &[Rulebook], game: &table::Game) -> Result<Self, NoLaw> {
        let found = books.iter().find_map(|book| Some((book, book.game(game.name.as_str())?)));
        let Some((book, found)) = found else {
            let names = books.iter().flat_map(|book| book.games.iter().map(|game| game.name.as_str()));
            let nearest = table::text::nearest(game.name.as_str(), names).map(str::to_owned);
            return Err(NoLaw::UnknownGame { name: game.name.clone(), nearest });
        };
        let chosen = found.with_options(&game.options)?;
        let mut cites = BTreeMap::new();
        for cite in &found.cites {
            let clauses = cite.clauses.iter().filter_map(|number| book.clauses.get(*number));
            let clauses = clauses.map(|clause| Clause { id: clause.id.clone(), severity: clause.severity });
            cites.insert(cite.tag.clone(), clauses.collect());
        }
        let other_readings = chosen.other_readings.iter().map(|reading| reading.parameter).collect();
        Ok(Self::new(chosen.rules, cites, other_readings))
    }

    /// The law of a game: its rules, the clauses it cites by tag, and the parameters the house reads otherwise
    /// than the reading of record. A check none of whose tags is cited does not look.
    pub fn new(rules: Rules, cites: BTreeMap<Box<str>, Vec<Clause>>, other_readings: Vec<&'static str>) -> Self {
        let mut law = Self {
            rules,
            cites,
            other_readings,
            begins: Vec::new(),
            acts: Default::default(),
            acts_after_loose: Default::default(),
            dealt: Vec::new(),
            missettled: Vec::new(),
            side_bets: Vec::new(),
            ends: Vec::new(),
            follows_cards: false,
            gauges: Gauges::default(),
        };
        let order = if law.rules.csm { "shuffler_left_order" } else { "shuffle_left_order" };
        law.follows_cards = !law.cited(order).is_empty();
        for check in CHECKS.iter().copied() {
            if check.tags.iter().any(|tag| !law.cited(tag).is_empty()) {
                law.enlist(check);
            }
        }
        law
    }

    fn enlist(&mut self, check: &'static Check) {
        for run in check.runs {
            match run {
                Run::Begins(look) => self.begins.push((check, *look)),
                Run::Act(kinds, look) => kinds.iter().for_each(|kind| self.enlist_for(*kind, check, *look)),
                Run::Dealt(look) => self.dealt.push((check, *look)),
                Run::Missettled(look) => self.missettled.push((check, *look)),
                Run::SideBet(look) => self.side_bets.push((check, *look)),
                Run::Ends(look) => self.ends.push((check, *look)),
            }
        }
    }

    fn enlist_for(&mut self, kind: ActKind, check: &'static Check, look: OnAct) {
        let narrowest = match kind {
            ActKind::Card | ActKind::CardAfterLoose => &[ActKind::Card, ActKind::FirstCard, ActKind::DrawnCard][..],
            _ => &[kind],
        };
        for narrow in narrowest {
            if kind != ActKind::CardAfterLoose {
                self.acts[*narrow as usize].push((check, look));
            }
            self.acts_after_loose[*narrow as usize].push((check, look));
        }
    }

    /// The clauses the game cites for a tag, the one to name first.
    pub fn cited(&self, tag: &str) -> &[Clause] {
        self.cites.get(tag).map_or(&[], Vec::as_slice)
    }

    /// Whether a finding hangs on a reading the house chose against the one of record.
    pub(super) fn is_disputed(&self, tags: &[&str]) -> bool {
        self.other_readings.iter().any(|parameter| depends(tags, parameter))
    }
}

/// One table's rounds in order: what the shoe has shown so far carries from round to round.
#[derive(Default)]
pub struct Session {
    /// What the last round left of the shoe; lent to the table like the room.
    shoe: Option<Box<Shoe>>,
    /// Lent to the table for the length of a round.
    room: Option<Room>,
    /// The number of the shoe the last round was dealt from.
    number: Option<u32>,
    /// The cards' way through rack and shuffle; lent to the audit likewise.
    passage: Passage,
}

impl Session {
    /// The cards' way through rack and shuffle so far.
    pub const fn passage(&self) -> &Passage {
        &self.passage
    }

    /// Audits the next round. The same rounds in the same order give the same flags.
    pub fn audit(&mut self, law: &Law, round: &Round) -> (Vec<Flag>, Coverage) {
        let mut shoe = self.shoe.take().unwrap_or_default();
        if self.number.replace(round.id.shoe).is_some_and(|number| number != round.id.shoe) {
            shoe.exchanged();
            if !passage::is_shuffled(round) {
                self.passage.forget();
            }
        }
        let mut audit = Audit {
            law,
            passage: &mut self.passage,
            table: Table::new(&law.rules, &round.limits, shoe, self.room.take().unwrap_or_default()),
            report: Report::new(law, round, CHECKS[0]),
        };
        audit.run(round);
        let Audit { mut table, report, .. } = audit;
        table.remember_wagers();
        let coverage = Coverage::of(&table, &round.unseen);
        let (shoe, room) = table.leave();
        self.shoe = Some(shoe);
        self.room = Some(room);
        (report.into_flags(), coverage)
    }
}

/// Another reading of a round that is not out of the question.
#[derive(Clone, Copy, Debug)]
pub struct Reading<'r> {
    /// How likely it is.
    pub chance: Chance,
    /// What is different in it, in a few words.
    pub says: &'r str,
    /// The round.
    pub round: &'r Round,
}

/// From this share on, in millionths, readings in which nothing is wrong make a flag a doubt. A dealer errs about once in some
/// hundred hands, so a misreading that likely explains as much.
const DOUBTFUL: u32 = 5_000;

impl Session {
    /// Audits the next round together with other readings of it. A flag that a likely misreading would explain becomes a
    /// doubt, and says which; any other says how sure it is.
    pub fn weigh(&mut self, law: &Law, round: &Round, others: &[Reading<'_>]) -> (Vec<Flag>, Coverage) {
        let before = self.fork();
        let (mut flags, coverage) = self.audit(law, round);
        if flags.is_empty() {
            return (flags, coverage);
        }
        let read: Vec<_> = others
            .iter()
            .map(|other| (other, before.fork().audit(law, other.round).0.iter().map(Flag::id).collect::<Vec<_>>()))
            .collect();
        for flag in &mut flags {
            let id = flag.id();
            let clears = |(_, ids): &&(&Reading<'_>, Vec<String>)| !ids.contains(&id);
            let cleared: u32 = read.iter().filter(clears).map(|(other, _)| other.chance.millionths()).sum();
            let sure = Chance::from_millionths(1_000_000_u32.saturating_sub(cleared)).unwrap_or(Chance::CERTAIN);
            flag.confidence = flag.confidence.min(sure);
            if let (true, Some((other, _))) = (cleared >= DOUBTFUL, read.iter().find(clears)) {
                flag.kind = FlagKind::Doubt;
                flag.observed = format!(
                    "{}; {} ({} %), and then nothing is wrong here",
                    flag.observed,
                    other.says,
                    percent(cleared)
                );
            }
        }
        (flags, coverage)
    }

    /// The same table at the same moment: what is audited there is not known here.
    pub fn fork(&self) -> Self {
        Self { shoe: self.shoe.clone(), room: None, number: self.number, passage: self.passage.clone() }
    }
}

/// Whole percent, at least one.
fn percent(millionths: u32) -> u32 {
    (millionths / 10_000).max(1)
}

struct Audit<'a> {
    law: &'a Law,
    passage: &'a mut Passage,
    table: Table<'a>,
    report: Report<'a>,
}

impl Audit<'_> {
    fn run(&mut self, round: &Round) {
        self.on_table(&self.law.begins);
        for (step, act) in round.steps.iter().map(|step| &step.act).enumerate() {
            self.table.step = step;
            self.report.step = step;
            let kind = ActKind::of(act, self.table.deal);
            let acts = if self.table.loosed.any { &self.law.acts_after_loose } else { &self.law.acts };
            for (check, look) in &acts[kind as usize] {
                self.report.check = check;
                look(&self.table, act, &mut self.report);
            }
            if self.law.follows_cards {
                self.passage.follow(&self.table, act, Some(&self.law.gauges));
            }
            let dealt = self.table.deal == Deal::Done;
            self.table.follow(act);
            if !dealt && self.table.deal == Deal::Done {
                self.on_table(&self.law.dealt);
            }
        }
        self.table.ended = true;
        self.report.release(self.table.mended_at);
        let (law, report) = (self.law, &mut self.report);
        let table = &self.table;
        judge_all(table, |judgement| {
            let missettled = if judgement.wrong == Wrong::No { &[][..] } else { &law.missettled };
            let is_side = matches!(judgement.wager().kind, WagerKind::Side(_));
            let side_bets = if is_side { law.side_bets.as_slice() } else { &[] };
            for (check, look) in missettled.iter().chain(side_bets) {
                report.check = check;
                look(table, judgement, report);
            }
        });
        if self.law.follows_cards {
            self.table.shuffle_found = self.passage.round_ends(&self.table, Some(&self.law.gauges));
            self.table.card_missing = self.passage.take_missing();
        }
        self.on_table(&self.law.ends);
    }

    fn on_table(&mut self, looks: &[(&'static Check, OnTable)]) {
        for (check, look) in looks {
            self.report.check = check;
            look(&self.table, &mut self.report);
        }
    }
}
