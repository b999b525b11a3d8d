//! Templates made into rounds: dealt by the book in a game, then spoiled.

use std::collections::BTreeMap;

use table::{Act, Game, Ident, Limit, Money, Round, RoundId, SideBet, Step, WagerKind, Word};

use super::Template;
use crate::model::{self, Amount, Plan, PlanError};
use crate::rules::Rules;

/// Why a template gives no round in a game.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    /// The plan or an edit cannot be read.
    #[error("{0:?} cannot be read")]
    Unreadable(String),
    /// The plan cannot be dealt.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A line to be replaced is not in the clean round.
    #[error("the clean round has no line {0:?}")]
    NoSuchLine(String),
}

/// What the sign of an ordinary table says: limits for the main wager and for every side bet offered.
pub fn posted_limits(rules: &Rules) -> Vec<Limit> {
    let units = |units: i64| Money::from_minor(units * 100);
    let main = Limit {
        on: WagerKind::Main,
        min: rules.bet_min.unwrap_or(units(5)),
        max: rules.bet_max.unwrap_or(units(500)),
        step: Some(units(1)),
    };
    let sides = SideBet::ALL.iter().filter(|bet| rules.side(**bet).is_some());
    // Where the house caps what it pays in a round, the stakes let it come to that.
    let most =
        |bet: SideBet| if rules.side(bet).is_some_and(|terms| terms.cap.is_some()) { units(500) } else { units(50) };
    let sides = sides.map(|bet| Limit { on: WagerKind::Side(*bet), min: units(1), max: most(*bet), step: None });
    std::iter::once(main).chain(sides).collect()
}

impl Template {
    /// The house options the template sets.
    pub fn options(&self) -> Result<BTreeMap<Ident, Word>, TemplateError> {
        let unreadable = || TemplateError::Unreadable(self.options.to_owned());
        self.options
            .split_whitespace()
            .map(|option| {
                let (name, value) = option.split_once('=').ok_or_else(unreadable)?;
                Ok((name.parse().map_err(|_| unreadable())?, value.parse().map_err(|_| unreadable())?))
            })
            .collect()
    }

    /// The rounds as the rulebook asks. `rules` are the game's with the template's options.
    pub fn clean(&self, game: &Ident, rules: &Rules) -> Result<Vec<Round>, TemplateError> {
        let limits = posted_limits(rules);
        let game = Game { name: game.clone(), options: self.options()? };
        let mut rounds = Vec::new();
        for (number, plan) in (1..).zip(self.plan.split("---")) {
            let plan: Plan = plan.parse()?;
            let id = RoundId { table: Ident::unnamed_table(), shoe: 1, round: number };
            rounds.push(model::deal(rules, &limits, &plan, id, game.clone())?);
        }
        Ok(rounds)
    }

    /// The rounds with what goes wrong. Edits are found in the clean rounds, so that two of them can swap lines.
    pub fn spoiled(&self, game: &Ident, rules: &Rules) -> Result<Vec<Round>, TemplateError> {
        let mut rounds = self.clean(game, rules)?;
        let usual = model::usual_stake(rules);
        let mut edits: BTreeMap<(usize, usize), Vec<Step>> = BTreeMap::new();
        for edit in self.spoil.split(';').map(str::trim).filter(|edit| !edit.is_empty()) {
            let (line, others) = edit.split_once("=>").ok_or_else(|| TemplateError::Unreadable(edit.to_owned()))?;
            if line.trim() == "limits" {
                let sign = sign(others)?;
                rounds.iter_mut().for_each(|round| round.limits.clone_from(&sign));
                continue;
            }
            let line = read(line, usual)?;
            let others = others.split('|').map(str::trim).filter(|line| !line.is_empty());
            let others = others.map(|line| read(line, usual).map(Step::from)).collect::<Result<Vec<_>, _>>()?;
            let places = rounds.iter().enumerate().flat_map(|(number, round)| {
                round.steps.iter().enumerate().map(move |(at, step)| ((number, at), &step.act))
            });
            let found =
                places.filter(|(place, act)| **act == line && !edits.contains_key(place)).map(|(place, _)| place);
            let place = found.min().ok_or_else(|| TemplateError::NoSuchLine(line.to_string()))?;
            edits.insert(place, others);
        }
        for ((number, at), others) in edits.into_iter().rev() {
            rounds[number].steps.splice(at..=at, others);
        }
        Ok(rounds)
    }
}

/// What another sign says: `limits` lines as a round has them.
fn sign(lines: &str) -> Result<Vec<Limit>, TemplateError> {
    let lines: Vec<_> = lines.split('|').map(str::trim).collect();
    let text = format!("game sign\n{}", lines.join("\n"));
    let rounds = table::notation::parse(&text).map_err(|_| TemplateError::Unreadable(lines.join(" | ")))?;
    Ok(rounds.into_iter().flat_map(|round| round.limits).collect())
}

/// A line of an edit: `$` amounts stand for the usual stake.
fn read(line: &str, usual: Money) -> Result<Act, TemplateError> {
    let unreadable = || TemplateError::Unreadable(line.to_owned());
    let mut words = Vec::new();
    for word in line.split_whitespace() {
        if word.contains('$') {
            let amount: Amount = word.parse().map_err(|_| unreadable())?;
            words.push(amount.chips(usual).ok_or_else(unreadable)?.to_string());
        } else {
            words.push(word.to_owned());
        }
    }
    words.join(" ").parse().map_err(|_| unreadable())
}
