//! What a tape says of itself before its first message.

use std::collections::BTreeMap;

use crate::ident::Ident;
use crate::text::named;
use crate::time::Utc;

named! {
    /// How a table's configuration is written.
    pub enum ConfigFormat, "toml or json" {
        /// TOML.
        Toml = "toml",
        /// JSON.
        Json = "json",
    }
}

/// The table's configuration at the time of recording, as its author wrote it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Config {
    /// How it is written.
    pub format: ConfigFormat,
    /// The text.
    pub text: String,
}

/// What a tape says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct About {
    /// The table recorded.
    pub table: Ident,
    /// When the recording began.
    pub created: Utc,
    /// What recorded it, with its version.
    pub product: String,
    /// For a part or a rescue of another tape: of which, in a few words.
    pub origin: Option<String>,
    /// The table's configuration.
    pub config: Option<Config>,
}

impl About {
    /// An original recording without configuration.
    pub fn new(table: Ident, created: Utc, product: &str) -> Self {
        Self { table, created, product: product.into(), origin: None, config: None }
    }

    /// The entries of the `fairdeal` metadata.
    pub(super) fn identity(&self) -> BTreeMap<String, String> {
        let mut map = BTreeMap::from([
            ("format".to_owned(), super::FORMAT.to_owned()),
            ("product".to_owned(), self.product.clone()),
            ("table".to_owned(), self.table.to_string()),
            ("created".to_owned(), self.created.to_string()),
        ]);
        if let Some(origin) = &self.origin {
            map.insert("origin".into(), origin.clone());
        }
        map
    }

    /// What the `fairdeal` metadata says.
    pub(super) fn from_identity(map: &BTreeMap<String, String>) -> Option<Self> {
        Some(Self {
            table: map.get("table")?.parse().ok()?,
            created: map.get("created")?.parse().ok()?,
            product: map.get("product")?.clone(),
            origin: map.get("origin").cloned(),
            config: None,
        })
    }
}

impl Config {
    /// The entries of the `table-config` metadata: a tape without configuration says so.
    pub(super) fn to_metadata(config: Option<&Self>) -> BTreeMap<String, String> {
        let (format, text) = config.map_or(("none", ""), |config| (config.format.name(), config.text.as_str()));
        BTreeMap::from([("format".to_owned(), format.to_owned()), ("text".to_owned(), text.to_owned())])
    }

    /// What the `table-config` metadata says; `None` if it makes no sense.
    pub(super) fn from_metadata(map: &BTreeMap<String, String>) -> Option<Option<Self>> {
        match map.get("format")?.as_str() {
            "none" => Some(None),
            format => Some(Some(Self { format: format.parse().ok()?, text: map.get("text")?.clone() })),
        }
    }
}
