//! The model dealer: deals a round exactly as its rulebook asks and writes down every step a watched table would show.
//!
//! It is the dual of the audit. A [`Plan`] says what is bet, which cards come and what is decided; [`deal`] finds the
//! order of dealing, the offers, the settlements and their times in the [`Rules`]. No check may find fault with such a
//! round, and every violating round starts as one.
//!
//! Where a rulebook leaves the order open, the model dealer works from its right to its left: the last box first, in
//! each box the seated player, his tips, then those behind.

mod bets;
mod dealing;
mod error;
mod options;
mod plan;
pub mod raises;
pub mod random;
mod read;
mod script;
mod seat;
mod settling;
mod sides;
mod turns;

use table::{Game, Limit, Round, RoundId, Step, Utc};

use crate::rules::Rules;
use dealing::Dealing;
pub use error::PlanError;
pub use options::Options;
pub use plan::{Amount, BetPlan, BoxPlan, Decision, Early, Item, Plan, Put, Raise, Who};
use script::Planned;
pub use script::{Called, Opening, Script};

/// The stake of a player who has no reason to bet more or less: `$` in plans.
pub fn usual_stake(rules: &Rules) -> table::Money {
    bets::usual(rules)
}

/// Deals a plan as the rules ask.
pub fn deal(rules: &Rules, limits: &[Limit], plan: &Plan, id: RoundId, game: Game) -> Result<Round, PlanError> {
    let usual = bets::usual(rules);
    let opening = script::opening(plan, usual)?;
    let (acts, _) = Dealing::new(rules, limits, opening, Planned::new(plan, usual))?.run()?;
    Ok(round(limits, id, game, acts))
}

/// Deals a round as the rules ask, with cards and decisions from a script, which is handed back with it.
pub fn play<S: Script>(
    rules: &Rules,
    limits: &[Limit],
    opening: Opening,
    script: S,
    id: RoundId,
    game: Game,
) -> Result<(Round, S), PlanError> {
    let (acts, script) = Dealing::new(rules, limits, opening, script)?.run()?;
    Ok((round(limits, id, game, acts), script))
}

fn round(limits: &[Limit], id: RoundId, game: Game, acts: Vec<table::Act>) -> Round {
    let steps = acts.into_iter().map(Step::from).collect();
    Round { id, at: Utc::EPOCH, dealer: None, game, limits: limits.to_vec(), unseen: Vec::new(), steps }
}
