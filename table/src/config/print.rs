//! Writing a configuration back: the same text every time, and one that reads the same.

use serde::{Serialize, Serializer};
use toml::{Table, Value};

use super::{Area, Camera, Secrets, Site, TableConfig};
use crate::round::Limit;

impl Site {
    /// The site as a site file, defaults written out.
    pub fn to_toml(&self, secrets: Secrets) -> String {
        self.tree(secrets).to_string()
    }

    fn tree(&self, secrets: Secrets) -> Table {
        let mut top = Table::new();
        put(&mut top, "name", self.name.as_str());
        put(&mut top, "database", section([("url", self.database.written(secrets).into())]));
        let evidence = &self.evidence;
        let evidence = section([
            ("folder", evidence.folder.as_str().into()),
            ("keep_days", i64::from(evidence.keep_days).into()),
            ("keep_suspected_days", i64::from(evidence.keep_suspected_days).into()),
        ]);
        put(&mut top, "evidence", evidence);
        if let Some(bus) = &self.bus {
            put(&mut top, "bus", section([("url", bus.written(secrets).into())]));
        }
        put(&mut top, "review", section([("listen", self.review.to_string().into())]));
        put_list(&mut top, "table", &self.tables, |table| table.tree(secrets));
        top
    }
}

impl TableConfig {
    /// The table as a text that [`parse`](Self::parse) reads, defaults written out.
    pub fn to_toml(&self, secrets: Secrets) -> String {
        self.tree(secrets).to_string()
    }

    fn tree(&self, secrets: Secrets) -> Table {
        let mut top = Table::new();
        put(&mut top, "id", self.id.as_str());
        put(&mut top, "game", self.game.name.as_str());
        if let Some(house) = &self.house {
            put(&mut top, "house", house.as_str());
        }
        put(&mut top, "boxes", i64::from(self.boxes));
        if let Some(decks) = self.decks {
            put(&mut top, "decks", i64::from(decks));
        }
        if let Some(shuffler) = &self.shuffler {
            put(&mut top, "shuffler", shuffler.as_str());
        }
        put(&mut top, "currency", self.currency.to_string());
        if !self.side_bets.is_empty() {
            put(&mut top, "side_bets", self.side_bets.iter().map(|bet| bet.name()).collect::<Vec<_>>());
        }
        if !self.game.options.is_empty() {
            let options = self.game.options.iter().map(|(name, word)| (name.as_str(), word.as_str().into()));
            put(&mut top, "options", section(options));
        }
        put_list(&mut top, "limits", &self.limits, limit);
        put_list(&mut top, "camera", &self.cameras, |camera| self::camera(camera, secrets));
        if let Some(shoe) = &self.shoe {
            let shoe = section([
                ("name", shoe.name.as_str().into()),
                ("url", shoe.transport.to_string().into()),
                ("dialect", shoe.dialect.name().into()),
                ("read_only", shoe.read_only.into()),
            ]);
            put(&mut top, "shoe", shoe);
        }
        if let Some(chips) = &self.chips {
            let url = chips.transport.to_string();
            put(&mut top, "chips", section([("name", chips.name.as_str().into()), ("url", url.into())]));
        }
        top
    }
}

fn limit(limit: &Limit) -> Table {
    let mut top = Table::new();
    put(&mut top, "on", limit.on.name());
    put(&mut top, "min", limit.min.to_string());
    put(&mut top, "max", limit.max.to_string());
    if let Some(step) = limit.step {
        put(&mut top, "step", step.to_string());
    }
    top
}

fn camera(camera: &Camera, secrets: Secrets) -> Table {
    let mut top = Table::new();
    put(&mut top, "name", camera.name.as_str());
    put(&mut top, "url", camera.source.written(secrets));
    if let Some((width, height)) = camera.size {
        put(&mut top, "width", i64::from(width));
        put(&mut top, "height", i64::from(height));
    }
    if let Some(lens) = camera.lens {
        put(
            &mut top,
            "lens",
            section([("k1", lens.k1().into()), ("k2", lens.k2().into()), ("focal", lens.focal().into())]),
        );
    }
    put_list(&mut top, "area", &camera.areas, area);
    top
}

fn area(area: &Area) -> Table {
    let mut top = Table::new();
    put(&mut top, "place", area.spot.to_string());
    let points = area.polygon.points().iter();
    put(&mut top, "polygon", points.map(|point| vec![i64::from(point.x), point.y.into()]).collect::<Vec<_>>());
    top
}

fn put(top: &mut Table, key: &str, value: impl Into<Value>) {
    top.insert(key.to_owned(), value.into());
}

/// An empty list is left out, as people leave it out.
fn put_list<T>(top: &mut Table, key: &str, list: &[T], tree: impl Fn(&T) -> Table) {
    if !list.is_empty() {
        put(top, key, list.iter().map(tree).collect::<Vec<_>>());
    }
}

fn section<'a>(entries: impl IntoIterator<Item = (&'a str, Value)>) -> Table {
    entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

/// With passwords masked: what is serialized goes to screens and tapes.
impl Serialize for Site {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.tree(Secrets::Masked).serialize(to)
    }
}

/// With passwords masked: what is serialized goes to screens and tapes.
impl Serialize for TableConfig {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        self.tree(Secrets::Masked).serialize(to)
    }
}
