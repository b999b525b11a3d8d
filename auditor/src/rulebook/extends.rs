//! Which game extends which, so that each is read after the game below it.

use std::collections::{BTreeMap, VecDeque};

use table::Ident;
use toml::de::DeTable;

use super::diagnostic::Faults;
use super::source::items;

/// A game before it is read: its name, and the game it extends.
pub(super) struct Header<'a> {
    pub(super) name: Ident,
    pub(super) at: usize,
    pub(super) table: &'a DeTable<'a>,
    extends: Option<(usize, &'a str)>,
}

impl<'a> Header<'a> {
    pub(super) fn read(name: Ident, at: usize, table: &'a DeTable<'a>, faults: &mut Faults<'_>) -> Self {
        let item = items(table).into_iter().find(|item| item.key == "extends");
        let extends = item.and_then(|item| Some((item.value_at, item.text(faults)?)));
        Self { name, at, table, extends }
    }
}

/// What a game stands on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Below {
    /// It extends no other.
    Nothing,
    /// The game with this index.
    Game(usize),
    /// A game that is not there or that stands on this one: the fault is noted.
    Broken,
}

/// An order in which every game comes after the one it extends.
pub(super) fn order(headers: &[Header<'_>], faults: &mut Faults<'_>) -> Vec<(usize, Below)> {
    let by_name: BTreeMap<&str, usize> =
        headers.iter().enumerate().map(|(index, header)| (header.name.as_str(), index)).collect();
    let mut below = vec![Below::Nothing; headers.len()];
    let mut above: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (index, header) in headers.iter().enumerate() {
        let Some((at, name)) = header.extends else { continue };
        below[index] = match by_name.get(name) {
            Some(parent) => {
                above.entry(*parent).or_default().push(index);
                Below::Game(*parent)
            }
            None => {
                faults.unknown(at, "there is no game {}", name, by_name.keys().copied());
                Below::Broken
            }
        };
    }
    note_circles(headers, &mut below, faults);
    let mut ready: VecDeque<usize> =
        (0..headers.len()).filter(|index| !matches!(below[*index], Below::Game(_))).collect();
    let mut order = Vec::with_capacity(headers.len());
    while let Some(index) = ready.pop_front() {
        order.push((index, below[index]));
        let waiting = above.remove(&index).unwrap_or_default();
        ready.extend(waiting.into_iter().filter(|child| matches!(below[*child], Below::Game(_))));
    }
    order
}

/// Breaks every circle of games at its first in the text, and notes it there.
fn note_circles(headers: &[Header<'_>], below: &mut [Below], faults: &mut Faults<'_>) {
    let mut walked = vec![usize::MAX; headers.len()];
    for start in 0..headers.len() {
        let mut path = Vec::new();
        let mut here = start;
        while walked[here] == usize::MAX {
            walked[here] = start;
            path.push(here);
            let Below::Game(parent) = below[here] else { break };
            here = parent;
        }
        let Some(first) = path.iter().position(|index| *index == here) else { continue };
        let closes = matches!(below[path[path.len() - 1]], Below::Game(parent) if parent == here);
        if !closes {
            continue;
        }
        let names: Vec<_> = path[first..].iter().map(|index| headers[*index].name.as_str()).collect();
        if let Some((at, _)) = headers[here].extends {
            faults.add(at, format!("{} extends itself: {}, {}", names[0], names.join(", "), names[0]));
        }
        below[here] = Below::Broken;
    }
}
