//! A shift at a table: rounds one after another from shuffled shoes, by people, with faults where they are wished for.

mod cards;
mod lawful;
mod pack;
mod staging;
mod wrong;

use std::collections::VecDeque;

use auditor::check::TemplateError;
use auditor::model::PlanError;
use auditor::model::random::Dice;
use table::{Act, BoxNo, Card, Ident, Round, RoundId, Step, Utc};

use crate::faults::Fault;
use crate::players::{self, Company, Roster};
use crate::setup::Setup;
use crate::shuffle::{self, Procedure, ShuffleFault};
use crate::timing::Pace;
use crate::truth::{Label, Shuffled};
use crate::{Dealt, Trouble};
use pack::Pack;
use wrong::Tried;

/// Faults wished for: each round one of them, if it fits, with this probability.
#[derive(Clone)]
pub struct Wish {
    /// Which.
    pub faults: Vec<&'static Fault>,
    /// How often.
    pub rate: f64,
}

/// What kind of shift to play.
#[derive(Clone)]
pub struct Wishes {
    /// The seed: the same again gives the same shift.
    pub seed: u64,
    /// How many rounds to play.
    pub rounds: u32,
    /// When the first round begins.
    pub begins: Utc,
    /// Whether watching begins in the middle of a shoe, rather than with new cards.
    pub mid_shoe: bool,
    /// Who comes to the table.
    pub company: players::Wish,
    /// Who deals, in turn.
    pub dealers: Vec<Ident>,
    /// How the cards are shuffled; as the book asks if nothing is said.
    pub procedure: Option<Procedure>,
    /// What goes wrong.
    pub faults: Vec<Wish>,
    /// Whether a round may have more than one fault.
    pub several: bool,
}

/// Why a shift cannot go on.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ShiftError {
    /// A round cannot be dealt.
    #[error("shoe {shoe} round {round} cannot be dealt: {source}")]
    Round {
        /// Of which shoe.
        shoe: u32,
        /// Which round.
        round: u32,
        /// Why.
        source: PlanError,
    },
    /// A fault cannot be staged.
    #[error("{fault} cannot be staged: {source}")]
    Stage {
        /// Which fault.
        fault: &'static str,
        /// Why.
        source: TemplateError,
    },
}

/// With fewer cards than this nobody begins a round.
const FEWEST_CARDS: usize = 20;

/// Luck for each purpose, so that one more fault does not change how the cards fall.
struct Luck {
    cards: Dice,
    people: Dice,
    faults: Dice,
}

/// A table being played: gives its rounds one by one.
pub struct Shift<'a> {
    setup: &'a Setup,
    procedure: Procedure,
    company: Company,
    roster: Roster,
    pace: Pace,
    wishes: Vec<Wish>,
    several: bool,
    luck: Luck,
    pack: Pack,
    /// What was seen of making the shoe ready, until its first round.
    prelude: Vec<Act>,
    /// Who cuts the next shoe.
    cutter: BoxNo,
    /// Who cuts new cards that replace the others: the first box that played.
    first_box: BoxNo,
    shoe: u32,
    /// The last round dealt from this shoe.
    round: u32,
    /// When the last round began.
    before: Utc,
    /// When it ended.
    clock: Utc,
    /// Whether the cards are to be shuffled before the next round, cutting card or not.
    reshuffle: bool,
    /// Whether other cards are to come to the table with that shuffle.
    new_cards: bool,
    /// Whether a card was taken out of the pack or slipped into it and nobody has noticed, so that it stays.
    tampered: bool,
    /// What is to be done to the next shuffle.
    crooked: Option<(&'static Fault, ShuffleFault)>,
    /// The label of the shuffle that made this shoe, until its first round.
    shuffle_label: Option<Label>,
    /// A shuffle whose shoe is over, for the truth of the next round.
    over: Option<Shuffled>,
    /// The dealer and the box he is generous to.
    friends: Option<(Ident, BoxNo)>,
    /// Whether the last round was dealt for a fault.
    staged: bool,
    /// Rounds still to be dealt.
    remaining: usize,
    queue: VecDeque<Dealt>,
}

/// A round about to be written down.
struct Play {
    round: Round,
    /// The faces of the cards in it that nobody saw, in order.
    unseen: Vec<Card>,
    labels: Vec<Label>,
    makes_trouble: Vec<(&'static Fault, Trouble, String)>,
}

impl<'a> Shift<'a> {
    /// Opens the table with new cards.
    pub fn open(setup: &'a Setup, wishes: Wishes) -> Self {
        let dice = Dice::new(wishes.seed);
        let mut luck = Luck { cards: dice.fork("cards"), people: dice.fork("people"), faults: dice.fork("faults") };
        let rules = &setup.law.rules;
        let procedure = wishes.procedure.unwrap_or_else(|| Procedure::usual(rules));
        let boxes: Vec<BoxNo> = BoxNo::all().take(usize::from(setup.boxes)).collect();
        let cutter = luck.people.pick(&boxes).copied().unwrap_or(BoxNo::FIRST);
        let friend = luck.people.pick(&boxes).copied();
        let friends = luck.people.pick(&wishes.dealers).cloned().zip(friend);
        let ready = shuffle::open(rules, &procedure, cutter, &mut luck.cards);
        let mut shift = Self {
            setup,
            company: Company::new(setup, wishes.company, &mut luck.people),
            roster: Roster::new(&wishes.dealers, wishes.begins, &dice),
            pace: Pace::new(&dice),
            wishes: wishes.faults,
            several: wishes.several,
            prelude: ready.acts.clone(),
            pack: Pack::of(ready, rules.csm, &mut luck.cards),
            procedure,
            cutter,
            first_box: cutter,
            shoe: 1,
            round: 0,
            before: wishes.begins,
            clock: wishes.begins,
            reshuffle: false,
            new_cards: false,
            tampered: false,
            crooked: None,
            shuffle_label: None,
            over: None,
            friends,
            staged: false,
            remaining: wishes.rounds as usize,
            queue: VecDeque::new(),
            luck,
        };
        if shift.procedure.is_stuck() {
            shift.pack.stop_machine();
        }
        if wishes.mid_shoe {
            shift.prelude.clear();
            shift.pack.play_to_the_middle(&mut shift.luck.cards);
        }
        shift
    }

    /// The shuffle of the shoe in use, with the order in which its cards came and would have come.
    pub fn shuffled(&self) -> Shuffled {
        self.pack.shuffled(self.shoe)
    }

    /// Deals the next round, or the rounds of a staged fault, into the queue.
    fn deal(&mut self) -> Result<(), ShiftError> {
        let groups = self.wished();
        if self.reshuffle || self.pack.is_over() || self.pack.left() < FEWEST_CARDS {
            self.shuffle();
        }
        let lawful = match self.lawful() {
            Err(PlanError::NoCard { .. }) => {
                self.shuffle();
                self.lawful()
            }
            other => other,
        };
        let lawful = lawful.map_err(|source| ShiftError::Round { shoe: self.shoe, round: self.round + 1, source })?;
        let mut play = Play {
            round: lawful.round.clone(),
            unseen: lawful.unseen.clone(),
            labels: Vec::new(),
            makes_trouble: Vec::new(),
        };
        for group in groups {
            for fault in group {
                match self.try_fault(fault, &lawful, &mut play)? {
                    Tried::DoesNotFit => {}
                    Tried::Done => break,
                    Tried::Staged(staged) => {
                        self.play_staged(fault, *staged);
                        return Ok(());
                    }
                }
            }
        }
        self.luck.people = lawful.people_after;
        self.staged = false;
        self.finish(play);
        Ok(())
    }

    /// Shuffles all cards for the next shoe.
    fn shuffle(&mut self) {
        let law = &self.setup.law;
        self.over = Some(self.pack.shuffled(self.shoe));
        self.shoe += 1;
        self.round = 0;
        self.reshuffle = false;
        let cards = self.pack.gather();
        let crooked = self.crooked.take().filter(|(_, how)| !(self.tampered && how.changes_cards()));
        let crooked = crooked.and_then(|(fault, how)| {
            let spoiled = how.apply(&law.rules, &self.procedure, self.cutter, cards.clone(), &mut self.luck.cards)?;
            self.shuffle_label = Some(self.shuffle_label(fault, how, spoiled.says));
            // An exchanged pack is whole again.
            self.tampered = how.changes_cards() || (self.tampered && how != ShuffleFault::ColdDeck);
            Some(spoiled.ready)
        });
        // A pack that is not whole any more does not stay at the table, unless that is somebody's secret.
        let whole = self.tampered || cards::is_whole(&cards, law.rules.decks);
        let whole = whole && !std::mem::take(&mut self.new_cards);
        self.tampered &= whole || crooked.is_some();
        let ready = match crooked {
            Some(ready) => ready,
            None if whole => shuffle::ready(&law.rules, &self.procedure, self.cutter, cards, &mut self.luck.cards),
            None => shuffle::open(&law.rules, &self.procedure, self.first_box, &mut self.luck.cards),
        };
        self.prelude.clone_from(&ready.acts);
        self.pack = Pack::of(ready, law.rules.csm, &mut self.luck.cards);
        if self.procedure.is_stuck() {
            self.pack.stop_machine();
        }
    }

    /// Writes a round down: its cards, its times, its labels.
    fn finish(&mut self, play: Play) {
        let Play { mut round, unseen, mut labels, makes_trouble } = play;
        if let Some(change) = self.roster.change(self.before, self.clock) {
            round.steps.insert(0, Step::from(change));
        }
        if let Some(dealer) = self.roster.at(self.clock) {
            round.dealer = Some(dealer.name.clone());
            self.pace.dealt_by(dealer.slowness);
        }
        self.pace.played_by(self.company.tempers());
        let (burned, stock) = self.pack.stock();
        // A fault may hide more cards than the players' script did: those come from the front of the shoe.
        let mut unseen = unseen.into_iter().chain(burned).chain(stock);
        let drawn = cards::drawn(&round, || unseen.next());
        self.cutter = lawful::next_cutter(&round, self.pack.is_over()).unwrap_or(self.cutter);
        self.pack.played(&round, &drawn, &mut self.luck.cards);
        self.first_box = lawful::dealt_to(&round).min().unwrap_or(self.first_box);
        self.before = self.clock;
        self.clock = self.pace.time(&mut round, self.clock);
        self.company.saw(&round);
        self.prelude.clear();
        self.round += 1;
        labels.extend(self.shuffle_label.take());
        let mut troubles = Vec::new();
        for (fault, trouble, says) in makes_trouble {
            labels.push(wrong::trouble_label(fault, &round.id, says));
            troubles.push(trouble);
        }
        self.remaining = self.remaining.saturating_sub(1);
        self.queue.push_back(Dealt { round, drawn, shuffled: self.over.take(), labels, troubles });
    }

    /// Which round comes next.
    fn next_id(&self) -> RoundId {
        RoundId { table: self.setup.table.clone(), shoe: self.shoe, round: self.round + 1 }
    }
}

impl Iterator for Shift<'_> {
    type Item = Result<Dealt, ShiftError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.queue.is_empty()
            && self.remaining > 0
            && let Err(error) = self.deal()
        {
            self.remaining = 0;
            return Some(Err(error));
        }
        self.queue.pop_front().map(Ok)
    }
}
