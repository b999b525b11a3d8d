//! The score as one page that needs nothing but a browser: totals, checks, and whatever went wrong with its picture.

use std::fmt::{self, Write};

use anyhow::Context;
use data_encoding::BASE64;
use indicatif::ProgressBar;
use ingest::footage::Footage;
use simulator::score::{FalseFlag, Missed, Score};
use table::{Round, notation};

use super::picture::{self, Shot};
use super::problems::{self, Problem, Versions};
use super::{Scored, text};

const STYLE: &str = include_str!("style.css");
/// So many problems are shown in full; a page with more of them would not be read, and hardly load.
const SHOWN: usize = 100;

/// Text with nothing in it that a browser could take for a tag.
struct Plain<T>(T);

impl<T: fmt::Display> fmt::Display for Plain<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for letter in self.0.to_string().chars() {
            match letter {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\'' => f.write_str("&#39;")?,
                other => f.write_char(other)?,
            }
        }
        Ok(())
    }
}

/// The whole page.
pub(super) fn page(tapes: &[Scored], total: &Score) -> anyhow::Result<String> {
    let mut page = String::new();
    write!(
        page,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>Fairdeal score</title>\n<style>\n{STYLE}</style>\n</head>\n<body>\n<h1>Score</h1>\n"
    )?;
    totals(&mut page, tapes, total)?;
    checks(&mut page, total)?;
    let all: usize = tapes.iter().map(|tape| problems::of(&tape.score).count()).sum();
    if all > 0 {
        writeln!(page, "<h2>Missed faults and false flags</h2>")?;
    }
    let bar = ProgressBar::new(all.min(SHOWN) as u64);
    let mut room = SHOWN;
    for tape in tapes {
        room -= tape_problems(&mut page, tape, room, &bar)?;
    }
    bar.finish_and_clear();
    if all > SHOWN {
        writeln!(page, "<p class=\"faint\">{} more are not shown; --json names them all.</p>", all - SHOWN)?;
    }
    page.push_str("</body>\n</html>\n");
    Ok(page)
}

fn totals(page: &mut String, tapes: &[Scored], total: &Score) -> fmt::Result {
    let names: Vec<_> = tapes.iter().map(|tape| tape.file.display().to_string()).collect();
    writeln!(page, "<p class=\"faint\">{}</p>\n<ul>", Plain(names.join(", ")))?;
    for line in text::totals(total).iter().filter(|line| !line.is_empty()) {
        writeln!(page, "<li>{}</li>", Plain(line))?;
    }
    writeln!(page, "</ul>")
}

fn checks(page: &mut String, total: &Score) -> fmt::Result {
    if total.by_check.is_empty() {
        return Ok(());
    }
    let head = ["check", "injected", "found", "doubted", "missed", "false"].map(|name| format!("<th>{name}</th>"));
    writeln!(page, "<h2>By check</h2>\n<table>\n<tr>{}</tr>", head.concat())?;
    for (name, check) in &total.by_check {
        let class = if check.missed + check.doubted + check.false_flags > 0 { " class=\"wrong\"" } else { "" };
        let counts = [check.injected, check.found, check.doubted, check.missed, check.false_flags];
        let cells = counts.map(|count| format!("<td>{count}</td>"));
        writeln!(page, "<tr{class}><td>{}</td>{}</tr>", Plain(name), cells.concat())?;
    }
    writeln!(page, "</table>")
}

/// The problems of a tape, as many as there is room for; says how many those were.
fn tape_problems(page: &mut String, tape: &Scored, room: usize, bar: &ProgressBar) -> anyhow::Result<usize> {
    let shown: Vec<_> = problems::of(&tape.score).take(room).collect();
    if shown.is_empty() {
        return Ok(0);
    }
    let naming = || tape.file.display().to_string();
    let mut footage = Footage::from(problems::open(&tape.file).with_context(naming)?);
    let rounds = problems::rounds(footage.tape(), &shown).with_context(naming)?;
    for problem in &shown {
        let nothing = Versions::default();
        let versions = rounds.get(problem.round()).unwrap_or(&nothing);
        let shot = match problem.moment(versions) {
            Some(moment) => picture::nearest(&mut footage, moment).with_context(naming)?,
            None => Shot::Nothing("nobody knows when it was"),
        };
        article(page, *problem, versions, &shot)?;
        bar.inc(1);
    }
    Ok(shown.len())
}

fn article(page: &mut String, problem: Problem<'_>, versions: &Versions, shot: &Shot) -> fmt::Result {
    match problem {
        Problem::Missed(missed) => missed_fault(page, missed)?,
        Problem::False(wrong) => false_flag(page, wrong)?,
    }
    writeln!(page, "<div class=\"sides\">")?;
    match (&versions.audited, &versions.played) {
        (Some(audited), Some(played)) if !same(audited, played) => {
            notated(page, "as rebuilt", audited)?;
            notated(page, "as played", played)?;
        }
        (Some(audited), _) => notated(page, "the round", audited)?,
        (None, Some(played)) => notated(page, "as played; it is not on the tape", played)?,
        (None, None) => {}
    }
    writeln!(page, "</div>")?;
    match shot {
        Shot::Jpeg(jpeg) => {
            let data = BASE64.encode(jpeg);
            writeln!(page, "<figure><img alt=\"the table\" src=\"data:image/jpeg;base64,{data}\"></figure>")?;
        }
        Shot::Nothing(why) => writeln!(page, "<p class=\"faint\">no picture: {}</p>", Plain(why))?,
    }
    writeln!(page, "</article>")
}

fn missed_fault(page: &mut String, Missed { label, taken_for }: &Missed) -> fmt::Result {
    writeln!(page, "<article>\n<h3>Missed: {}</h3>\n<dl>", Plain(text::place(label)))?;
    row(page, "happened", &label.says)?;
    row(page, "expected", &format!("a flag of {}", label.check.as_deref().unwrap_or(&label.fault)))?;
    label.clause.iter().try_for_each(|clause| row(page, "clause", clause))?;
    if !taken_for.is_empty() {
        row(page, "flagged as", &taken_for.join(", "))?;
    }
    writeln!(page, "</dl>")
}

fn false_flag(page: &mut String, FalseFlag { flag, handled, beside }: &FalseFlag) -> fmt::Result {
    writeln!(page, "<article class=\"made-up\">\n<h3>False flag: {}</h3>\n<dl>", Plain(flag.id()))?;
    row(page, "the flag says", &format!("{}; {}", flag.observed, flag.expected))?;
    row(page, "clause", &flag.clause)?;
    let expected = match (beside.is_empty(), handled) {
        (true, _) => "nothing: no fault is labelled in this round".to_owned(),
        (false, true) => format!("nothing of this: handled as the rules ask was {}", beside.join(", ")),
        (false, false) => format!("nothing of this: what went wrong was {}", beside.join(", ")),
    };
    row(page, "expected", &expected)?;
    writeln!(page, "</dl>")
}

fn row(page: &mut String, name: &str, text: &str) -> fmt::Result {
    writeln!(page, "<dt>{}</dt><dd>{}</dd>", Plain(name), Plain(text))
}

fn same(one: &Round, other: &Round) -> bool {
    one.steps.iter().map(|step| &step.act).eq(other.steps.iter().map(|step| &step.act))
}

fn notated(page: &mut String, title: &str, round: &Round) -> fmt::Result {
    let text = notation::print(std::slice::from_ref(round));
    writeln!(page, "<div><div class=\"faint\">{}</div><pre>{}</pre></div>", Plain(title), Plain(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_a_label_says_becomes_a_tag() {
        assert_eq!(Plain("<b a=\"x\">'&'").to_string(), "&lt;b a=&quot;x&quot;&gt;&#39;&amp;&#39;");
    }
}
