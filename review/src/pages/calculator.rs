//! The dispute calculator: a round as somebody tells it, what every wager of it should come to, and what an audit says.

use askama::Template;
use auditor::Rulebook;
use auditor::check::{Entry, Law, Session};
use axum::extract::{Query, State};
use axum::response::Response;
use serde::Deserialize;
use table::{Card, Flag, Layout, Money, Round, Suit, notation};

use super::frame::{Frame, page};
use super::words;
use crate::accounts::Officer;
use crate::draw;
use crate::server::{Failure, Site};

/// The longest round anybody types.
const LONGEST: usize = 20_000;
/// What the page shows before anybody has typed anything.
const EXAMPLE: &str = "bet 3 25\ncard 3 TH\ncard dealer 7S\ncard 3 7C\nstand 3\ncard dealer TD\npay 3 25\nend\n";

/// What was typed. All of it stands in the address, so that a settlement can be sent to a colleague.
#[derive(Debug, Default, Deserialize)]
pub(crate) struct Typed {
    game: Option<String>,
    #[serde(default)]
    options: String,
    round: Option<String>,
}

/// One wager's row.
pub(crate) struct Row {
    pub(crate) wager: String,
    pub(crate) stake: String,
    pub(crate) expected: String,
    pub(crate) observed: String,
    pub(crate) difference: String,
    pub(crate) wrong: bool,
    pub(crate) clauses: Vec<String>,
}

impl Row {
    pub(crate) fn new(entry: &Entry, currency: &str) -> Self {
        let free = if entry.free { " lammer" } else { "" };
        Self {
            wager: words::wager(entry.wager),
            stake: format!("{}{free}", words::amount(entry.stake, currency)),
            expected: entry.expected.clone(),
            observed: entry.observed.clone().unwrap_or_else(|| "not told".to_owned()),
            difference: words::difference(entry.gain, currency),
            wrong: entry.gain != Money::ZERO,
            clauses: entry.clauses.iter().map(|clause| clause.id.to_string()).collect(),
        }
    }
}

/// A round as told, settled by its rules and audited.
#[derive(Debug)]
pub(crate) struct Settlement {
    pub(crate) round: Round,
    pub(crate) entries: Vec<Entry>,
    /// What all wagers together are due; `None` if the cards do not tell.
    pub(crate) net: Option<Money>,
    pub(crate) flags: Vec<Flag>,
}

/// The same as the page shows it.
struct Settled {
    felt: String,
    rows: Vec<Row>,
    total: String,
    flags: Vec<Flag>,
}

impl Settled {
    fn new(settlement: Settlement, currency: &str) -> Self {
        let Settlement { round, entries, net, flags } = settlement;
        let total = net.map_or_else(
            || "not to be known from these cards".to_owned(),
            |net| match net.minor() {
                0 => "even".to_owned(),
                minor if minor > 0 => format!("players win {}", words::amount(net, currency)),
                _ => format!("players lose {}", words::amount(Money::ZERO.minus(net).unwrap_or(net), currency)),
            },
        );
        let rows = entries.iter().map(|entry| Row::new(entry, currency)).collect();
        Self { felt: draw::felt(&round, round.steps.len(), draw::boxes_of(&round)), rows, total, flags }
    }
}

#[derive(Template)]
#[template(path = "calculator.html")]
struct Calculator {
    frame: Frame,
    games: Vec<(String, Vec<(String, String)>)>,
    game: String,
    options: String,
    round: String,
    result: Result<Settled, String>,
    cards: Vec<(char, Vec<(String, String)>)>,
}

impl Calculator {
    fn is(&self, name: &str) -> bool {
        self.game == name
    }

    fn mark(&self, flag: &Flag) -> String {
        draw::severity(flag.severity, flag.kind)
    }

    fn finding(&self, flag: &Flag) -> String {
        words::finding(&flag.check)
    }
}

pub(crate) async fn show(
    State(site): State<Site>,
    officer: Officer,
    Query(typed): Query<Typed>,
) -> Result<Response, Failure> {
    let games: Vec<_> = site.books.iter().map(|book| (book.title.to_string(), games_of(book))).collect();
    let game = typed.game.unwrap_or_else(|| "nz-base".to_owned());
    let round = typed.round.unwrap_or_else(|| EXAMPLE.to_owned());
    let frame = Frame::new(&site, &officer, "/calculator", "Calculator");
    let result = settle(&site.books, &game, &typed.options, &round);
    let result = result.map(|settlement| Settled::new(settlement, frame.currency()));
    page(&Calculator { frame, games, game, options: typed.options, round, result, cards: keys() })
}

fn games_of(book: &Rulebook) -> Vec<(String, String)> {
    book.games.iter().map(|game| (game.name.to_string(), game.title.to_string())).collect()
}

/// The cards to click, a suit to a row.
fn keys() -> Vec<(char, Vec<(String, String)>)> {
    let suits = [Suit::Spades, Suit::Hearts, Suit::Clubs, Suit::Diamonds];
    let row = |suit: Suit| {
        let cards = table::Rank::ALL.iter().map(|rank| Card::new(*rank, suit));
        (suit.letter().to_ascii_lowercase(), cards.map(|card| (card.to_string(), card.pretty())).collect())
    };
    suits.map(row).to_vec()
}

/// Settles the last round of what was typed; those before it are its history.
pub(crate) fn settle(books: &[Rulebook], game: &str, options: &str, text: &str) -> Result<Settlement, String> {
    let mut rounds = read(game, options, text)?;
    let round = rounds.pop().ok_or("There is no round in it.")?;
    let mut session = Session::default();
    for before in &rounds {
        let law = Law::of(books, &before.game).map_err(|error| error.to_string())?;
        session.audit(&law, before);
    }
    let law = Law::of(books, &round.game).map_err(|error| error.to_string())?;
    let entries = law.ledger(&round);
    let nets = entries.iter().map(|entry| entry.due.and_then(|due| due.net()));
    let net = nets.into_iter().try_fold(Money::ZERO, |sum, net| sum.plus(net?));
    let flags = session.audit(&law, &round).0;
    Ok(Settlement { round, entries, net, flags })
}

/// Reads what was typed. The game chosen is put before it unless the text names one of its own.
fn read(game: &str, options: &str, text: &str) -> Result<Vec<Round>, String> {
    if text.len() > LONGEST {
        return Err(format!("This is longer than {LONGEST} letters. A round takes a few hundred."));
    }
    let names_game = text.lines().any(|line| line.split_whitespace().next() == Some("game"));
    let head = if names_game { String::new() } else { format!("game {game} {options}\n") };
    let shift = usize::from(!names_game);
    let rounds = notation::parse(&format!("{head}{text}")).map_err(|mut error| {
        // Lines are counted as they stand in the box.
        if error.line <= shift {
            return format!("In the game's options: {error}");
        }
        error.line -= shift;
        let told = error.to_string();
        let mut letters = told.chars();
        letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
    })?;
    if rounds.iter().all(|round| Layout::after(round).wagers.is_empty()) {
        return Err("Nobody has bet yet: begin with a line such as bet 3 25.".to_owned());
    }
    Ok(rounds)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settled(text: &str) -> Result<Settled, String> {
        let settlement = settle(auditor::rulebook::books::all().unwrap(), "nz-base", "bj_pays=3:2", text);
        settlement.map(|settlement| Settled::new(settlement, "NZD"))
    }

    #[test]
    fn the_example_is_a_push_that_was_paid() {
        let settled = settled(EXAMPLE).unwrap();
        assert_eq!((&*settled.rows[0].expected, &*settled.rows[0].observed), ("push", "paid 25.00"));
        assert_eq!(settled.rows[0].difference, "+25.00 NZD to player");
        assert_eq!(settled.total, "even");
        assert_eq!(settled.flags.iter().map(|flag| &*flag.check).collect::<Vec<_>>(), ["paid_a_push"]);
    }

    #[test]
    fn what_cannot_be_read_is_told_with_the_line_in_the_box() {
        let told = |text: &str| settled(text).err().unwrap();
        assert!(told("bet 3 25\ncard 3 1H").starts_with("Line 2, column 8"), "{}", told("bet 3 25\ncard 3 1H"));
        assert!(told("end").starts_with("Nobody has bet yet"));
        assert!(told(&"#".repeat(LONGEST + 1)).contains("longer"));
        assert!(told("game nz-bose\nbet 3 25\n").contains("nz-base"), "{}", told("game nz-bose\nbet 3 25\n"));
        let options = settle(auditor::rulebook::books::all().unwrap(), "nz-base", "bj_pays", "bet 3 25");
        assert!(options.err().unwrap().starts_with("In the game's options"));
    }
}
