//! The table to be played: its game, its law and its sign.

use auditor::check::{Law, NoLaw, posted_limits};
use auditor::rulebook::Rulebook;
use table::{Game, Ident, Limit};

/// A table ready to be opened.
pub struct Setup {
    /// Its name.
    pub table: Ident,
    /// The game with the house's options.
    pub game: Game,
    /// The game's rules and citations.
    pub law: Law,
    /// What the sign says.
    pub limits: Vec<Limit>,
    /// Boxes on the layout.
    pub boxes: u8,
    /// The shuffling machine that stands there.
    pub shuffler: Option<Ident>,
}

impl Setup {
    /// A table of this game as the books know it, with an ordinary sign.
    pub fn new(books: &[Rulebook], table: Ident, game: Game) -> Result<Self, NoLaw> {
        let law = Law::of(books, &game)?;
        let limits = posted_limits(&law.rules);
        let boxes = law.rules.boxes_max.clamp(1, table::BoxNo::MOST);
        Ok(Self { table, game, law, limits, boxes, shuffler: None })
    }
}
