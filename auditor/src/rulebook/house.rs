//! A house's own file: its choices and its own clauses, laid over a game without touching the book.

use table::text::nearest;
use table::{Ident, Severity};

use super::clause::{Auditable, Clause, Clauses, Need};
use super::diagnostic::{Diagnostic, Faults};
use super::load::{Draft, Layer};
use super::source::{Item, document, items};
use super::{Game, Rulebook};

impl Rulebook {
    /// This book with a house file laid over one of its games. The house's game takes the place of the game it is
    /// for, or stands beside it if the file gives it a name of its own; games that extend it stay as they are.
    pub fn with_house(&self, text: &str) -> Result<Self, Vec<Diagnostic>> {
        let mut faults = Faults::of(text);
        let mut book = self.clone();
        if let Some(game) = read(text, &mut book, &mut faults) {
            match book.games.iter_mut().find(|other| other.name == game.name) {
                Some(place) => *place = game,
                None => book.games.push(game),
            }
        }
        let found = faults.into_sorted();
        if found.is_empty() { Ok(book) } else { Err(found) }
    }
}

/// The books with a house file laid over the game it is for, whichever book that is in.
pub fn with_house(books: &[Rulebook], text: &str) -> Result<Vec<Rulebook>, Vec<Diagnostic>> {
    let upon = upon(text);
    let game = nearest(&upon, books.iter().flat_map(|book| book.games.iter().map(|game| game.name.as_str())));
    let mut books = books.to_vec();
    // A file for no game at all is read against the first book, which tells what is wrong with it.
    let index = books.iter().position(|book| game.is_some_and(|name| book.game(name).is_some())).unwrap_or(0);
    if let Some(book) = books.get_mut(index) {
        *book = book.with_house(text)?;
    }
    Ok(books)
}

/// The game a house file says it is for, or nothing; faults are left to the reading that follows.
fn upon(text: &str) -> String {
    let mut faults = Faults::of(text);
    let named = document(text, &mut faults).and_then(|document| {
        let house = items(&document).into_iter().find(|item| item.key == "house")?.table(&mut faults)?;
        let item = items(house).into_iter().find(|item| item.key == "for")?;
        item.text(&mut faults).map(str::to_owned)
    });
    named.unwrap_or_default()
}

fn read<'t>(text: &'t str, book: &mut Rulebook, faults: &mut Faults<'t>) -> Option<Game> {
    let document = document(text, faults)?;
    let mut house = None;
    for item in items(&document) {
        match item.key {
            "house" => house = Some((item.at, item.table(faults)?)),
            "clause" => read_clauses(&item, &mut book.clauses, faults),
            other => faults.unknown(item.at, "a house file has no {}", other, ["house", "clause"]),
        }
    }
    let Some((at, table)) = house else {
        faults.add(0, "expected a table [house]");
        return None;
    };
    let items = items(table);
    let key = |key: &str| items.iter().find(|item| item.key == key);
    let Some(upon) = key("for") else {
        faults.add(at, "the house file does not say which game it is for");
        return None;
    };
    let name = upon.text(faults)?;
    let Some(game) = book.game(name) else {
        faults.unknown(upon.value_at, "there is no game {}", name, book.games.iter().map(|game| game.name.as_str()));
        return None;
    };
    let own_name = match key("name") {
        Some(item) => item.parsed::<Ident>(faults, "a name of 1 to 32 letters, digits, - or _")?,
        None => game.name.clone(),
    };
    let mut draft = Draft::upon(game);
    draft.lay(table, Layer::House(game), &book.clauses, faults);
    draft.judge(own_name.as_str(), at, faults);
    Some(draft.finish(own_name))
}

fn read_clauses(item: &Item<'_>, clauses: &mut Clauses, faults: &mut Faults<'_>) {
    for item in item.table(faults).map(items).unwrap_or_default() {
        if !item.key.starts_with("house-") {
            faults.add(item.at, format!("{:?}: a house's own clauses begin with house-", item.key));
            continue;
        }
        if let Some(clause) = read_clause(&item, faults)
            && let Err(message) = clauses.add(clause)
        {
            faults.add(item.at, message);
        }
    }
}

fn read_clause(item: &Item<'_>, faults: &mut Faults<'_>) -> Option<Clause> {
    const KEYS: [&str; 6] = ["summary", "section", "severity", "needs", "auditable", "why_not"];
    let mut clause = Clause {
        id: item.key.into(),
        section: "House rules".into(),
        summary: "".into(),
        auditable: Auditable::Yes,
        why_not: "".into(),
        needs: Vec::new(),
        severity: Severity::Minor,
    };
    for item in items(item.table(faults)?) {
        match item.key {
            "summary" => clause.summary = item.text(faults)?.into(),
            "section" => clause.section = item.text(faults)?.into(),
            "severity" => clause.severity = item.parsed(faults, Severity::EXPECTED)?,
            "auditable" => clause.auditable = item.parsed(faults, Auditable::EXPECTED)?,
            "why_not" => clause.why_not = item.text(faults)?.into(),
            "needs" => {
                for (at, word) in item.words(faults)? {
                    match word.parse::<Need>() {
                        Ok(need) => clause.needs.push(need),
                        Err(error) => faults.add(at, format!("needs: {error}, found {word:?}")),
                    }
                }
            }
            other => faults.unknown(item.at, "clauses have no {}", other, KEYS),
        }
    }
    if clause.summary.is_empty() {
        faults.add(item.at, format!("{} has no summary", item.key));
    }
    if clause.why_not.is_empty() != (clause.auditable == Auditable::Yes) {
        faults.add(item.at, format!("{} needs why_not exactly if it is not auditable", item.key));
    }
    Some(clause)
}
