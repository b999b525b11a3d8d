//! The shuffle before a shoe, judged and drawn: what went in came from the shoe before.

use auditor::check::Law;
use auditor::rulebook::Rulebook;
use auditor::shuffle::{Dealt, Report, Terms, Verdict, judge, picture, proper, short};
use table::{Card, Round};

use super::round::{scene, several};
use super::shoe::sightings;

/// A shoe that proper shuffles leave so seldom is not told to be nothing.
const ODD: f64 = 0.01;

/// What the shoe page says and shows of a shuffle.
pub(super) struct Shuffle {
    /// Whether it is suspect.
    pub(super) suspect: bool,
    pub(super) said: String,
    /// What was too unsure to count.
    pub(super) doubted: Option<String>,
    pub(super) facts: Vec<(&'static str, String)>,
    pub(super) slugs: Vec<String>,
    pub(super) tests: Vec<Tested>,
    /// Where the cards came out by where they went in, and how far former neighbours lie apart.
    pub(super) scatter: String,
    pub(super) distances: String,
}

/// One test of the battery.
pub(super) struct Tested {
    pub(super) name: &'static str,
    pub(super) p: String,
    /// What "nothing found" by it is worth.
    pub(super) note: String,
}

/// A shuffle as it was judged.
pub(crate) struct Judged {
    pub(crate) dealt: Dealt,
    pub(crate) report: Report,
    /// Sightings that were unsure, of cards that came too often, and so were not counted.
    pub(crate) doubted: Vec<Card>,
}

/// Judges the shuffle between two shoes by their rounds; why not, where that cannot be done.
pub(super) fn report(books: &[Rulebook], before: &[Round], rounds: &[Round]) -> Result<Judged, String> {
    const UNSEEN: &str = "The order of the cards before this shuffle was not seen, so the shuffle cannot be judged.";
    let first = rounds.first().ok_or(UNSEEN)?;
    let law = Law::of(books, &first.game).map_err(|error| error.to_string())?;
    if law.rules.csm {
        return Err("A continuous shuffler takes the cards back as they are played: it has no order before and after \
                    by which to judge it."
            .to_owned());
    }
    if before.is_empty() {
        return Err(UNSEEN.to_owned());
    }
    let (dealt, doubted) = sightings::orders(&law.rules, before, rounds).ok_or(UNSEEN)?;
    let terms = Terms { null: proper(&law.rules, dealt.machine), ..Terms::default() };
    let report = judge(&dealt.orders, &terms).map_err(|error| format!("The shuffle cannot be judged: {error}."))?;
    Ok(Judged { dealt, report, doubted })
}

impl Shuffle {
    /// A shuffle as the shoe page shows it.
    pub(super) fn of(judged: &Judged) -> Self {
        let Judged { dealt, report, doubted } = judged;
        let orders = &dealt.orders;
        let tests = report.tests.iter().map(|test| Tested {
            name: test.name,
            p: short(test.p),
            note: test.power_note(orders.decks, report.seen),
        });
        let slugs = report.slugs.iter().map(|slug| {
            format!(
                "{} came through together: from place {} on when they went in, from place {} on when they came out.",
                several(slug.length, "card"),
                slug.from + 1,
                slug.to + 1
            )
        });
        Self {
            suspect: report.verdict == Verdict::Suspect,
            said: said(report, orders.decks),
            doubted: sightings::doubts_told(doubted),
            facts: facts(dealt, report),
            slugs: slugs.collect(),
            tests: tests.collect(),
            scatter: picture::scatter(&orders.before, &orders.after, &report.slugs),
            distances: picture::distances(&orders.before, &orders.after),
        }
    }
}

fn said(report: &Report, decks: u8) -> String {
    let reason = scene::pretty(report.reason.as_deref().unwrap_or_default());
    match report.verdict {
        Verdict::Suspect => format!("Suspect: {reason}."),
        Verdict::Inconclusive => format!("Inconclusive: {reason}."),
        Verdict::Ok if report.p <= ODD => {
            let times = short((1.0 / report.p).round());
            format!(
                "Odd, but not suspect by itself: one proper shuffle in {times} looks like this. Look along the shuffles of the dealer and the table."
            )
        }
        Verdict::Ok => {
            let power = report.tests.first().map(|test| test.power_note(decks, report.seen)).unwrap_or_default();
            format!("Nothing found: a proper shuffle may well have left this order. What would have shown: {power}.")
        }
    }
}

fn facts(dealt: &Dealt, report: &Report) -> Vec<(&'static str, String)> {
    vec![
        ("shuffled", if dealt.machine { "by machine" } else { "by hand" }.to_owned()),
        ("as good as", report.riffles.to_string()),
        ("seen", format!("{} % of the pack, before and after", report.seen)),
        ("p", format!("{}: how often a proper shuffle looks as odd as this", rough(report.p))),
        ("e", format!("{}: evidence, multiplied along a dealer's or a machine's shoes", rough(report.e))),
    ]
}

/// A number of which only the size counts, with two digits.
pub(super) fn rough(value: f64) -> String {
    let unit = 10_f64.powf(value.abs().log10().floor() - 1.0);
    short(if unit.is_normal() { (value / unit).round() * unit } else { value })
}
