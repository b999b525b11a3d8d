//! The dealer's desk: a lawful round and what a fault needs to spoil it.

use std::collections::VecDeque;

use auditor::Rules;
use auditor::model::random::Dice;
use table::{Act, BoxNo, Card, Layout, Round, Step};

use crate::setup::Setup;

/// Deals the same round again by other rules: the same players, the same cards, the same luck.
pub type Redeal<'a> = &'a dyn Fn(&Rules) -> Option<Round>;

/// A round that may go wrong.
pub struct Desk<'a> {
    /// The table.
    pub setup: &'a Setup,
    /// The round, lawful until it is spoiled. It is handed on only if the fault says what it did.
    pub round: Round,
    /// The box that this dealer favours, if he is that sort.
    pub friend: Option<BoxNo>,
    /// Luck.
    pub dice: &'a mut Dice,
    /// What is left in the shoe after the lawful round, the next card first.
    stock: VecDeque<Card>,
    redeal: Redeal<'a>,
}

impl<'a> Desk<'a> {
    /// A desk with a lawful round on it.
    pub fn new(setup: &'a Setup, round: Round, stock: VecDeque<Card>, redeal: Redeal<'a>, dice: &'a mut Dice) -> Self {
        Self { setup, round, friend: None, dice, stock, redeal }
    }

    /// The rules of the game.
    pub fn rules(&self) -> &'a Rules {
        &self.setup.law.rules
    }

    /// What was done at a step.
    pub fn act(&self, step: usize) -> Option<&Act> {
        self.round.steps.get(step).map(|step| &step.act)
    }

    /// The steps that are of some kind.
    pub fn steps(&self, is_it: impl Fn(&Act) -> bool) -> Vec<usize> {
        let steps = self.round.steps.iter().enumerate();
        steps.filter(|(_, step)| is_it(&step.act)).map(|(index, _)| index).collect()
    }

    /// One of the steps of some kind, each as likely as the other.
    pub fn any(&mut self, is_it: impl Fn(&Act) -> bool) -> Option<usize> {
        let steps = self.steps(is_it);
        self.dice.pick(&steps).copied()
    }

    /// The table as it is before a step.
    pub fn before(&self, step: usize) -> Layout {
        let mut layout = Layout::default();
        self.round.steps.iter().take(step).for_each(|step| layout.apply(&step.act));
        layout
    }

    /// Puts other steps in the place of one; none leaves it out.
    pub fn replace(&mut self, step: usize, acts: impl IntoIterator<Item = Act>) {
        if step < self.round.steps.len() {
            self.round.steps.splice(step..=step, acts.into_iter().map(Step::from));
        }
    }

    /// Puts further steps before one.
    pub fn insert(&mut self, step: usize, acts: impl IntoIterator<Item = Act>) {
        let step = step.min(self.round.steps.len());
        self.round.steps.splice(step..step, acts.into_iter().map(Step::from));
    }

    /// The next card of the shoe.
    pub fn draw(&mut self) -> Option<Card> {
        self.stock.pop_front()
    }

    /// Deals the round again as a dealer would who has the rules wrong. `None` if that makes no difference.
    pub fn dealt_by(&mut self, wrong: impl FnOnce(&mut Rules)) -> Option<()> {
        let mut rules = self.rules().clone();
        wrong(&mut rules);
        let round = (self.redeal)(&rules).filter(|round| round.steps != self.round.steps)?;
        self.round.steps = round.steps;
        Some(())
    }
}
