//! From the text of a rulebook to its games: one layer of settings upon another, every fault noted where it stands.

use std::collections::{BTreeMap, BTreeSet};

use table::{Ident, SideBet};
use toml::de::DeTable;

use super::clause::Clauses;
use super::diagnostic::Faults;
use super::game::{Game, Reading, offer, parameters};
use super::side::{SideOffer, names};
use super::source::{Item, items};
use super::tag::Cite;
use super::{extends, sense};
use crate::rules::{Rules, SetError};

/// A game while its layers are being put on.
#[derive(Clone)]
pub(super) struct Draft {
    pub(super) title: Option<Box<str>>,
    rules: Rules,
    sides: BTreeMap<SideBet, SideOffer>,
    open: Vec<&'static str>,
    readings: BTreeMap<&'static str, Box<str>>,
    cites: BTreeMap<Box<str>, Cite>,
    set: BTreeSet<&'static str>,
    /// What is set to a value that could not be read, and so cannot contradict anything.
    unread: BTreeSet<&'static str>,
    /// What has been said about the layers below, so that it is not said again of every game above.
    told: BTreeSet<String>,
    /// What the uppermost layer itself set, and where: faults are told there.
    own: BTreeMap<&'static str, usize>,
    own_sides: BTreeMap<SideBet, usize>,
    /// Whether every layer below could be read, so that what is missing is really missing.
    pub(super) sound: bool,
}

/// What a layer is written for: a game of the book, or a house upon a game, which may not change the law.
#[derive(Clone, Copy)]
pub(super) enum Layer<'g> {
    Game,
    House(&'g Game),
}

impl Layer<'_> {
    /// The keys beside the parameters.
    const fn keys(self) -> &'static [&'static str] {
        match self {
            Self::Game => &["title", "extends", "open", "readings", "side", "cite"],
            Self::House(_) => &["for", "name", "title", "side", "cite"],
        }
    }
}

impl Draft {
    pub(super) fn blank() -> Self {
        Self {
            title: None,
            rules: Rules::blank(),
            sides: BTreeMap::new(),
            open: Vec::new(),
            readings: BTreeMap::new(),
            cites: BTreeMap::new(),
            set: BTreeSet::new(),
            unread: BTreeSet::new(),
            told: BTreeSet::new(),
            own: BTreeMap::new(),
            own_sides: BTreeMap::new(),
            sound: true,
        }
    }

    /// A finished game as the layer below a house's.
    pub(super) fn upon(game: &Game) -> Self {
        Self {
            title: Some(game.title.clone()),
            rules: game.rules.clone(),
            sides: game.sides.iter().map(|side| (side.bet, side.clone())).collect(),
            open: game.open.clone(),
            readings: game.readings.iter().map(|r| (r.parameter, r.ambiguity.clone())).collect(),
            cites: game.cites.iter().map(|cite| (cite.tag.clone(), cite.clone())).collect(),
            set: parameters().collect(),
            ..Self::blank()
        }
    }

    /// Puts a table's settings on top.
    pub(super) fn lay(&mut self, table: &DeTable<'_>, layer: Layer<'_>, clauses: &Clauses, faults: &mut Faults<'_>) {
        self.own.clear();
        self.own_sides.clear();
        for item in items(table) {
            match (item.key, layer) {
                ("title", _) => self.title = item.text(faults).map(Box::from).or(self.title.take()),
                ("side", _) => self.lay_sides(&item, faults),
                ("cite", _) => self.lay_cites(&item, clauses, faults),
                ("open", Layer::Game) => self.lay_open(&item, faults),
                ("readings", Layer::Game) => self.lay_readings(&item, faults),
                (key, layer) if layer.keys().contains(&key) => {}
                (_, layer) => self.lay_parameter(&item, layer, faults),
            }
        }
    }

    fn lay_parameter(&mut self, item: &Item<'_>, layer: Layer<'_>, faults: &mut Faults<'_>) {
        let Some(key) = parameters().find(|key| *key == item.key) else {
            let known = parameters().chain(layer.keys().iter().copied());
            return faults.unknown(item.at, "there is no parameter {}", item.key, known);
        };
        self.set.insert(key);
        self.own.insert(key, item.at);
        let before = self.rules.get(key);
        let outcome = match item.word() {
            Some(text) => self.rules.set(key, &text),
            None => Err(SetError::Value { expected: "true, false, a whole number or a text" }),
        };
        if let Err(error) = outcome {
            self.unread.insert(key);
            return faults.add(item.value_at, format!("{key}: {error}, found {}", item.told()));
        }
        self.unread.remove(key);
        if let Layer::House(game) = layer
            && !game.is_open(key)
            && self.rules.get(key) != before
        {
            let fixed = before.unwrap_or_default();
            faults.add(item.at, format!("{key} is not left to the house: {} has {fixed}", game.name));
        }
    }

    fn lay_sides(&mut self, item: &Item<'_>, faults: &mut Faults<'_>) {
        for item in item.table(faults).map(items).unwrap_or_default() {
            let Ok(bet) = item.key.parse::<SideBet>() else {
                faults.unknown(item.at, "there is no side bet {}", item.key, names());
                continue;
            };
            self.own_sides.insert(bet, item.at);
            let side = self.sides.entry(bet).or_insert_with(|| SideOffer::blank(bet));
            if let Some(table) = item.table(faults) {
                side.read(table, faults);
            }
        }
    }

    fn lay_open(&mut self, item: &Item<'_>, faults: &mut Faults<'_>) {
        self.open.clear();
        for (at, word) in item.words(faults).unwrap_or_default() {
            match parameters().find(|key| *key == word) {
                Some(key) if self.open.contains(&key) => faults.add(at, format!("{key} stands here twice")),
                Some(key) => self.open.push(key),
                None => faults.unknown(at, "there is no parameter {}", word, parameters()),
            }
        }
    }

    fn lay_readings(&mut self, item: &Item<'_>, faults: &mut Faults<'_>) {
        for item in item.table(faults).map(items).unwrap_or_default() {
            let Some(key) = parameters().find(|key| *key == item.key) else {
                faults.unknown(item.at, "there is no parameter {}", item.key, parameters());
                continue;
            };
            if item.word().as_deref() == Some("") {
                self.readings.remove(key);
            } else if let Some(ambiguity) = item.parsed::<Ident>(faults, "the id of an ambiguity such as N6") {
                self.readings.insert(key, ambiguity.as_str().into());
            }
        }
    }

    fn lay_cites(&mut self, item: &Item<'_>, clauses: &Clauses, faults: &mut Faults<'_>) {
        for item in item.table(faults).map(items).unwrap_or_default() {
            let plain = |part: &str| {
                !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
            };
            if !item.key.split('.').all(plain) {
                let message = format!("{:?} is no tag: expected a check's name, or name.aspect", item.key);
                faults.add(item.at, message);
                continue;
            }
            let mut cited = Vec::new();
            for (at, id) in item.words(faults).unwrap_or_default() {
                match clauses.find(id) {
                    Some(number) if cited.contains(&number) => faults.add(at, format!("{id} stands here twice")),
                    Some(number) => cited.push(number),
                    None => faults.unknown(at, "there is no clause {}", id, clauses.ids()),
                }
            }
            if cited.is_empty() {
                self.cites.remove(item.key);
            } else {
                let (line, column) = faults.position(item.at);
                let tag: Box<str> = item.key.into();
                self.cites.insert(tag.clone(), Cite { tag, clauses: cited, line, column });
            }
        }
    }

    /// Looks at the game as a whole: what is missing, and what contradicts what.
    pub(super) fn judge(&mut self, name: &str, at: usize, faults: &mut Faults<'_>) {
        let mut missing: Vec<_> = parameters().filter(|key| !self.set.contains(key)).collect();
        missing.retain(|key| self.sound && self.told.insert((*key).to_owned()));
        if !missing.is_empty() {
            faults.add(at, format!("{name} does not set {}", missing.join(", ")));
        }
        for found in sense::contradictions(&self.rules).into_iter().chain(sense::decks(&self.rules)) {
            let known = found.between.iter().all(|key| self.set.contains(key) && !self.unread.contains(key));
            let own = found.between.iter().filter_map(|key| self.own.get(key)).max();
            if let (Some(at), true) = (own, known && self.told.insert(found.message.clone())) {
                faults.add(*at, found.message);
            }
        }
        let sides: Vec<_> = self.sides.values().cloned().collect();
        for (bet, message) in sense::side_faults(&sides, &self.rules) {
            // Terms of a game below can be spoilt by a parameter of this one: then there is no better place to tell.
            if self.sound && self.told.insert(message.clone()) {
                faults.add(*self.own_sides.get(&bet).unwrap_or(&at), message);
            }
        }
    }

    /// The game, once judged.
    pub(super) fn finish(mut self, name: Ident) -> Game {
        let sides: Vec<_> = self.sides.into_values().collect();
        offer(&mut self.rules, &sides);
        let readings = self.readings.into_iter().map(|(parameter, ambiguity)| Reading { parameter, ambiguity });
        Game {
            title: self.title.unwrap_or_else(|| name.as_str().into()),
            name,
            rules: self.rules,
            sides,
            open: self.open,
            readings: readings.collect(),
            cites: self.cites.into_values().collect(),
        }
    }
}

/// Reads every game of a book, each after the game it extends, and gives them in the order of the text.
pub(super) fn games(table: &DeTable<'_>, clauses: &Clauses, faults: &mut Faults<'_>) -> Vec<Game> {
    let mut headers = Vec::new();
    for item in items(table) {
        let name = item.key.parse::<Ident>();
        if name.is_err() {
            faults.add(item.at, format!("{:?} cannot name a game: expected letters, digits, - or _", item.key));
        }
        if let (Some(table), Ok(name)) = (item.table(faults), name) {
            headers.push(extends::Header::read(name, item.at, table, faults));
        }
    }
    let mut drafts: Vec<Option<Draft>> = vec![None; headers.len()];
    for (index, below) in extends::order(&headers, faults) {
        let parent = match below {
            extends::Below::Nothing => None,
            extends::Below::Game(parent) => drafts.get(parent).cloned().flatten(),
            extends::Below::Broken => Some(Draft { sound: false, ..Draft::blank() }),
        };
        let mut draft = Draft { title: None, ..parent.unwrap_or_else(Draft::blank) };
        draft.lay(headers[index].table, Layer::Game, clauses, faults);
        if draft.title.is_none() {
            faults.add(headers[index].at, format!("{} has no title", headers[index].name));
        }
        draft.judge(headers[index].name.as_str(), headers[index].at, faults);
        drafts[index] = Some(draft);
    }
    let finished = headers.into_iter().zip(drafts);
    finished.filter_map(|(header, draft)| Some(draft?.finish(header.name))).collect()
}
