//! Faults brought about in a shift, and the labels that tell of them.

use table::round::Cutter;
use table::{Act, RoundId, Step};

use super::lawful::Lawful;
use super::staging::{self, Staged};
use super::{Play, Shift, ShiftError, cards};
use crate::Draw;
use crate::faults::{Desk, Fault, Way, Wrong};
use crate::shuffle::ShuffleFault;
use crate::truth::{self, Kind, Label, Until};

/// What came of trying a fault.
pub(super) enum Tried {
    DoesNotFit,
    Done,
    Staged(Box<Staged>),
}

/// How many faults of a long list are tried before a round stays as it is.
const TRIES: usize = 40;

impl Shift<'_> {
    /// The faults to try in the next round, each group for one fault and the one to try first in front.
    pub(super) fn wished(&mut self) -> Vec<Vec<&'static Fault>> {
        let mut groups: Vec<Vec<&'static Fault>> = Vec::new();
        for wish in &self.wishes {
            if !self.luck.faults.chance(wish.rate) || (!groups.is_empty() && !self.several) {
                continue;
            }
            let mut order = wish.faults.clone();
            for last in (1..order.len()).rev() {
                order.swap(last, self.luck.faults.below(last + 1));
            }
            order.truncate(TRIES);
            groups.push(order);
        }
        groups
    }

    /// Brings a fault about, if it fits.
    pub(super) fn try_fault(
        &mut self,
        fault: &'static Fault,
        lawful: &Lawful,
        play: &mut Play,
    ) -> Result<Tried, ShiftError> {
        for way in &fault.ways {
            match way {
                Way::Lived(spoil) => {
                    if self.live(fault, *spoil, lawful, play).is_some() {
                        return Ok(Tried::Done);
                    }
                }
                // A round dealt for one fault cannot also be the round in which another happened, and the one after it
                // is for the people at the table.
                Way::Staged(template) if play.labels.is_empty() && !self.staged => {
                    let swap = self.luck.faults.once_in(2);
                    let staged = staging::stage(self.setup, template, swap)
                        .map_err(|source| ShiftError::Stage { fault: fault.name, source })?;
                    // New cards in the middle of a shift are a replacement, which is another matter.
                    let opens = |staged: &Staged| staged.rounds.first().is_some_and(|round| brings_cards(&round.steps));
                    let opening = self.shoe == 1 && self.round == 0;
                    let fits = |staged: &Staged| staged.rounds.len() <= self.remaining && (opening || !opens(staged));
                    if let Some(staged) = staged.filter(fits) {
                        return Ok(Tried::Staged(Box::new(staged)));
                    }
                }
                Way::Staged(_) => {}
                Way::Trouble(make) => {
                    let draws = cards::drawn(&play.round, || None);
                    if let Some((trouble, says)) = make(&play.round, &draws, &mut self.luck.faults) {
                        play.makes_trouble.push((fault, trouble, says));
                        return Ok(Tried::Done);
                    }
                }
                Way::Shuffle(how) => {
                    self.crooked.get_or_insert((fault, *how));
                    return Ok(Tried::Done);
                }
            }
        }
        Ok(Tried::DoesNotFit)
    }

    /// Changes the round the way the fault does.
    fn live(
        &mut self,
        fault: &'static Fault,
        spoil: fn(&mut Desk<'_>) -> Option<Wrong>,
        lawful: &Lawful,
        play: &mut Play,
    ) -> Option<()> {
        let mut dice = self.luck.faults.clone();
        let dealer = self.roster.at(self.clock).map(|dealer| dealer.name.clone());
        let friend = self.friends.as_ref().filter(|(name, _)| Some(name) == dealer.as_ref()).map(|(_, friend)| *friend);
        let redeal = |rules: &auditor::Rules| {
            let sat = self.sit(&lawful.opening, &lawful.people, rules).ok()?;
            Some(sat.round)
        };
        let mut desk = Desk::new(self.setup, play.round.clone(), lawful.left.clone(), &redeal, &mut dice);
        desk.friend = friend;
        let wrong = spoil(&mut desk)?;
        let round = desk.round;
        if !wrong.tag.is_empty() && self.setup.law.cited(wrong.tag).is_empty() {
            return None;
        }
        // Only a cheat brings cards that are not in the shoe.
        let brought = !self.pack.holds(&cards::drawn(&round, || None));
        if fault.kind != Kind::Player && brought {
            return None;
        }
        self.luck.faults = dice;
        play.labels.push(self.label(fault, truth::Way::Lived, &round.id, wrong));
        if brought {
            play.labels.push(self.card_too_many(fault, "a card came to the table that was not in the shoe".into()));
        }
        play.round = round;
        Some(())
    }

    /// Deals the rounds of a staged fault.
    pub(super) fn play_staged(&mut self, fault: &'static Fault, staged: Staged) {
        let Staged { rounds, first, wrong } = staged;
        self.staged = true;
        let mut ids = Vec::new();
        let mut plays = 0;
        let from_this_shoe = rounds.iter().take_while(|round| !makes_shoe(&round.steps));
        let needs: Vec<Draw> = from_this_shoe.flat_map(|round| cards::drawn(round, || None)).collect();
        if !self.pack.holds(&needs) {
            self.shuffle();
        }
        for (index, mut round) in rounds.into_iter().enumerate() {
            if makes_shoe(&round.steps) {
                if index != first || !["shuffle", "mixed"].iter().any(|about| wrong.tag.contains(about)) {
                    self.shuffle_our_way(&mut round.steps);
                }
                // What the template does to the cards is all that is seen of this shuffle.
                if self.round > 0 {
                    self.shuffle();
                }
                self.prelude.clear();
                if !wrong.tag.starts_with("cut_missing") {
                    self.let_cut(&mut round.steps);
                }
            }
            round.id = self.next_id();
            round.steps.splice(0..0, self.prelude.drain(..).map(Step::from));
            ids.push(round.id.clone());
            self.reshuffle |= unsettles(&round.steps);
            // A machine that failed does not stay at the table, nor do its cards.
            self.new_cards |= round.steps.iter().any(|step| matches!(step.act, Act::Fault(_)));
            let (unseen, _) = self.pack.stock();
            self.finish(Play { round, unseen, labels: Vec::new(), makes_trouble: Vec::new() });
            plays += 1;
        }
        let Some(from) = ids.get(first.min(ids.len().saturating_sub(1))) else { return };
        let mut label = self.label(fault, truth::Way::Staged, from, wrong);
        label.until = ids.last().filter(|last| *last != from).map(|last| Until { shoe: last.shoe, round: last.round });
        let played = self.queue.len().saturating_sub(plays) + first;
        if let Some(dealt) = self.queue.get_mut(played) {
            dealt.labels.push(label);
        }
    }

    /// Offers the cut to the box whose turn it is at this table.
    fn let_cut(&self, steps: &mut [Step]) {
        let turn = if brings_cards(steps) && self.shoe > 1 { self.first_box } else { self.cutter };
        for step in steps {
            match &mut step.act {
                Act::OfferCut(box_no) | Act::Cut { by: Cutter::Box(box_no), .. } => *box_no = turn,
                _ => {}
            }
        }
    }

    /// Puts the moves this table is used to in the place of a template's.
    fn shuffle_our_way(&self, steps: &mut Vec<Step>) {
        let Some(at) = steps.iter().position(|step| matches!(step.act, Act::Shuffle(_))) else { return };
        steps.retain(|step| !matches!(step.act, Act::Shuffle(_)));
        let usual = if brings_cards(steps) { &self.procedure.for_new_cards() } else { &self.procedure };
        steps.splice(at..at, usual.acts(&self.setup.law.rules).into_iter().map(Step::from));
    }

    fn label(&self, fault: &'static Fault, way: truth::Way, round: &RoundId, wrong: Wrong) -> Label {
        let clause = self.setup.law.cited(wrong.tag).first().map(|clause| clause.id.to_string());
        Label {
            round: round.clone(),
            until: None,
            fault: fault.name.to_owned(),
            way,
            kind: fault.kind,
            check: fault.check.map(str::to_owned),
            sure: true,
            clause,
            box_no: wrong.box_no,
            hand: wrong.hand,
            money: wrong.money,
            says: wrong.says,
        }
    }

    /// The label of a card too many, which shows if and when all its fellows have come out of this shoe.
    fn card_too_many(&self, fault: &'static Fault, says: String) -> Label {
        Label {
            check: Some("too_many_of_a_card".into()),
            sure: false,
            until: Some(Until { shoe: self.shoe, round: u32::MAX }),
            ..unsettled(fault, &self.next_id(), says)
        }
    }

    /// The label of a crooked shuffle, on the first round of its shoe. What only the cards tell shows while the shoe is
    /// dealt, or when the next is shuffled, and may stay behind the cutting card.
    pub(super) fn shuffle_label(&self, fault: &'static Fault, how: ShuffleFault, says: String) -> Label {
        let mut label = unsettled(fault, &self.next_id(), says);
        label.check = how.check(&self.setup.law, &self.procedure).map(str::to_owned);
        let by_order = |label: Label| {
            let check = Some("shuffle_left_order".to_owned()).filter(|check| !self.setup.law.cited(check).is_empty());
            Label { check, sure: false, until: Some(Until { shoe: self.shoe + 1, round: 1 }), ..label }
        };
        match how {
            // The pack stays as it is until other cards come.
            ShuffleFault::CardAdded => Label { until: UNTIL_EXCHANGED, ..self.card_too_many(fault, label.says) },
            ShuffleFault::CardMissing => Label { sure: false, until: UNTIL_EXCHANGED, ..label },
            // Where nobody holds the table to its moves, what they left undone may still show in the cards.
            ShuffleFault::OneRiffleShort if label.check.is_none() => by_order(label),
            ShuffleFault::OneRiffleShort => label,
            ShuffleFault::SlugKeptOnTop | ShuffleFault::SlugKept | ShuffleFault::ColdDeck => by_order(label),
        }
    }
}

/// Where a label reaches that holds as long as the cards do; nobody knows beforehand how long that is.
const UNTIL_EXCHANGED: Option<Until> = Some(Until { shoe: u32::MAX, round: u32::MAX });

/// The label of trouble with the equipment.
pub(super) fn trouble_label(fault: &'static Fault, round: &RoundId, says: String) -> Label {
    unsettled(fault, round, says)
}

/// A label of something that no wager shows.
fn unsettled(fault: &'static Fault, round: &RoundId, says: String) -> Label {
    Label {
        round: round.clone(),
        until: None,
        fault: fault.name.to_owned(),
        way: truth::Way::Lived,
        kind: fault.kind,
        check: None,
        sure: true,
        clause: None,
        box_no: None,
        hand: None,
        money: None,
        says,
    }
}

/// Whether a round begins with cards that come to the table.
fn brings_cards(steps: &[Step]) -> bool {
    steps.iter().any(|step| matches!(step.act, Act::Cards { .. }))
}

/// Whether the cards are made ready for a shoe before the bets of a round.
fn makes_shoe(steps: &[Step]) -> bool {
    let before_bets = steps.iter().map(|step| &step.act).take_while(|act| !matches!(act, Act::Bet(..)));
    let mut made = before_bets.filter(|act| {
        matches!(act, Act::Cards { .. } | Act::Shuffle(_) | Act::OfferCut(_) | Act::Cut { .. } | Act::CutCardIn(_))
    });
    made.next().is_some()
}

/// Whether a round leaves the shoe in a state that only a shuffle ends.
fn unsettles(steps: &[Step]) -> bool {
    steps.iter().any(|step| {
        matches!(
            step.act,
            Act::CutCardOut | Act::Shuffle(_) | Act::Fault(_) | Act::Damaged(_) | Act::FinalRounds | Act::Burn(_)
        )
    })
}
