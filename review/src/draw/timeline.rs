//! The steps of a round on a line: a mark for each card, chip and call, and where a flag points.

use table::round::Act;
use table::{Round, Step};

use super::{Esc, Num, Svg};

/// One step as the timeline shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StepMark {
    /// Its number, counted from one.
    pub step: usize,
    /// What was done, in round notation.
    pub what: String,
    /// The name of the mark's class: `card`, `chip` or `call`.
    pub sort: &'static str,
    /// Whether a flag points at it.
    pub flagged: bool,
    /// Microseconds since the round began.
    pub after: Option<u64>,
}

impl StepMark {
    /// The marks of a round; `flagged` holds the steps that flags point at, counted from one.
    pub fn all(round: &Round, flagged: &[usize]) -> Vec<Self> {
        let mark = |(at, step): (usize, &Step)| Self {
            step: at + 1,
            what: step.act.to_string(),
            sort: sort(&step.act),
            flagged: flagged.contains(&(at + 1)),
            after: step.after,
        };
        round.steps.iter().enumerate().map(mark).collect()
    }
}

const fn sort(act: &Act) -> &'static str {
    match act {
        Act::Card { .. } | Act::Burn(_) | Act::TurnUp(..) | Act::Move { .. } | Act::Drawn(_) | Act::Discard(_) => {
            "card"
        }
        Act::Bet(..)
        | Act::Alter(..)
        | Act::Double(..)
        | Act::Split(..)
        | Act::Pay(..)
        | Act::Take(..)
        | Act::Push(_)
        | Act::Return(_)
        | Act::Parlay(..)
        | Act::Ride(..) => "chip",
        _ => "call",
    }
}

const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 44.0;
const EDGE: f64 = 12.0;

/// Draws the line with `now` (counted from one) marked; each mark links to its step.
///
/// Marks stand at equal distances: steps that follow each other within a tenth of a second could not be told apart on a
/// line of time, and officers step, they do not measure.
pub fn timeline(marks: &[StepMark], now: usize) -> String {
    let mut svg = Svg::of_parts("timeline", (WIDTH, HEIGHT), "The steps of the round");
    let middle = HEIGHT / 2.0;
    svg.put(format_args!("<path class=\"rail\" d=\"M{} {m}H{}\"/>", Num(EDGE), Num(WIDTH - EDGE), m = Num(middle)));
    let gap = (WIDTH - 2.0 * EDGE) / (marks.len().saturating_sub(1).max(1)) as f64;
    let radius = (gap / 2.6).clamp(2.0, 7.0);
    for mark in marks {
        let x = EDGE + (mark.step.saturating_sub(1)) as f64 * gap;
        let class = format!(
            "mark is-{}{}{}",
            mark.sort,
            if mark.flagged { " flagged" } else { "" },
            if mark.step == now { " now" } else { "" }
        );
        svg.put(format_args!(
            "<a href=\"?step={n}\" class=\"{class}\" data-step=\"{n}\"><title>{n}: {}{}</title>\
             <rect class=\"touch\" x=\"{}\" y=\"0\" width=\"{}\" height=\"{}\"/>",
            Esc(&mark.what),
            seconds(mark.after),
            Num(x - gap / 2.0),
            Num(gap),
            Num(HEIGHT),
            n = mark.step,
        ));
        let r = radius;
        match mark.sort {
            "card" => svg.put(format_args!(
                "<rect class=\"shape\" x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"1\"/>",
                Num(x - r * 0.7),
                Num(middle - r),
                Num(r * 1.4),
                Num(r * 2.0)
            )),
            "chip" => svg.put(format_args!(
                "<circle class=\"shape\" cx=\"{}\" cy=\"{}\" r=\"{}\"/>",
                Num(x),
                Num(middle),
                Num(r * 0.9)
            )),
            _ => svg.put(format_args!(
                "<path class=\"shape\" d=\"M{} {}v{}\"/>",
                Num(x),
                Num(middle - r * 0.8),
                Num(r * 1.6)
            )),
        }
        if mark.flagged {
            svg.put(format_args!("<path class=\"pin\" d=\"M{} 1l5 8h-10z\"/>", Num(x)));
        }
        svg.put(format_args!("</a>"));
    }
    svg.finish()
}

fn seconds(after: Option<u64>) -> String {
    after.map(|micros| format!(" at {}.{} s", micros / 1_000_000, micros / 100_000 % 10)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_has_a_mark_with_its_own_link() {
        let round = &table::notation::parse("game nz-base\nbet 1 5\ncard 1 7H @1.25\nstand 1\nend").unwrap()[0];
        let marks = StepMark::all(round, &[2]);
        let sorts: Vec<_> = marks.iter().map(|mark| (mark.sort, mark.flagged)).collect();
        assert_eq!(sorts, [("chip", false), ("card", true), ("call", false), ("call", false)]);
        let svg = timeline(&marks, 3);
        assert!((1..=4).all(|n| svg.contains(&format!("?step={n}\""))), "{svg}");
        assert_eq!((svg.matches(" now\"").count(), svg.matches("class=\"pin\"").count()), (1, 1));
        assert!(svg.contains("at 1.2 s"), "{svg}");
        assert!(timeline(&[], 0).ends_with("</svg>"));
    }
}
