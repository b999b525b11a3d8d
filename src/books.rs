//! The rulebooks a command works with: those that ship, and a house's file laid over them.

use std::borrow::Cow;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow, bail};
use auditor::check::Law;
use auditor::checks;
use auditor::rulebook::{books, with_house};
use auditor::{Game, Rulebook};
use table::config::TableConfig;
use table::text::nearest;

/// Where the rulebooks come from.
#[derive(clap::Args)]
pub(crate) struct Source {
    /// A house file to lay over the game it is for
    #[arg(long, value_name = "FILE")]
    house: Option<PathBuf>,
}

/// The rulebooks that come with the program.
pub(crate) fn shipped() -> anyhow::Result<&'static [Rulebook]> {
    books::all().context("the rulebooks are damaged")
}

impl Source {
    pub(crate) fn read(&self) -> anyhow::Result<Cow<'static, [Rulebook]>> {
        let shipped = shipped()?;
        match &self.house {
            None => Ok(Cow::Borrowed(shipped)),
            Some(file) => lay(shipped, file).map(Cow::Owned),
        }
    }
}

/// The books with a house's file laid over the game it is for.
fn lay(shipped: &[Rulebook], file: &Path) -> anyhow::Result<Vec<Rulebook>> {
    tracing::info!(file = %file.display(), "reading the house file");
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let read = with_house(shipped, &text).and_then(|books| {
        // The shipped books cite only what checks can raise, so whatever turns up is the house's.
        let unknown: Vec<_> = books.iter().flat_map(|book| book.unknown_tags(&checks::tags())).collect();
        if unknown.is_empty() { Ok(books) } else { Err(unknown) }
    });
    read.map_err(|faults| {
        let told: Vec<_> = faults.iter().map(|fault| format!("{}:{fault}", file.display())).collect();
        anyhow!("{}", told.join("\n"))
    })
}

/// The rulebooks a table of a site is audited by, with its house file laid over them if it has one.
pub(crate) fn of_table(table: &TableConfig, folder: &Path) -> anyhow::Result<Cow<'static, [Rulebook]>> {
    let shipped = shipped()?;
    Ok(match &table.house {
        Some(house) => Cow::Owned(lay(shipped, &house.within(folder))?),
        None => Cow::Borrowed(shipped),
    })
}

/// The law a table of a site is audited by: its game with its options.
pub(crate) fn law_of(table: &TableConfig, folder: &Path) -> anyhow::Result<Law> {
    Ok(Law::of(&of_table(table, folder)?, &table.game)?)
}

/// ` (did you mean nz-13.3?)` if something there is is much like the word, else nothing.
pub(crate) fn guess(word: &str, names: &[&str]) -> String {
    let same = names.iter().copied().find(|name| name.eq_ignore_ascii_case(word));
    same.or_else(|| nearest(word, names.iter().copied()))
        .map(|near| format!(" (did you mean {near}?)"))
        .unwrap_or_default()
}

/// The game with a name, and its book.
pub(crate) fn find_game<'b>(books: &'b [Rulebook], name: &str) -> anyhow::Result<(&'b Rulebook, &'b Game)> {
    if let Some(found) = books.iter().find_map(|book| Some((book, book.game(name)?))) {
        return Ok(found);
    }
    let names: Vec<_> = books.iter().flat_map(|book| &book.games).map(|game| game.name.as_str()).collect();
    let guess = guess(name, &names);
    bail!("there is no game {name}{guess}; there are {}", names.join(", "))
}
