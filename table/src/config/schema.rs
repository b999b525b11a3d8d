//! Every section of a site file and the keys it knows. The example and the reference are tested against this.

/// One section: how it is headed and what it may hold.
#[derive(Debug)]
pub struct Keys {
    /// The header as written, such as `[[table.camera]]`; empty for the top of the file.
    pub header: &'static str,
    /// The keys, in the order in which we print them.
    pub names: &'static [&'static str],
}

/// The top of the file.
pub(super) const SITE: Keys =
    Keys { header: "", names: &["name", "currency", "database", "evidence", "bus", "review", "table"] };
/// Where rounds and flags are kept.
pub(super) const DATABASE: Keys = Keys { header: "[database]", names: &["url"] };
/// Where pictures are kept, and how long.
pub(super) const EVIDENCE: Keys = Keys { header: "[evidence]", names: &["folder", "keep_days", "keep_suspected_days"] };
/// How the machines of a large site talk.
pub(super) const BUS: Keys = Keys { header: "[bus]", names: &["url"] };
/// The officers' pages.
pub(super) const REVIEW: Keys = Keys { header: "[review]", names: &["listen"] };
/// One table.
pub(super) const TABLE: Keys = Keys {
    header: "[[table]]",
    names: &[
        "id",
        "game",
        "house",
        "boxes",
        "decks",
        "shuffler",
        "currency",
        "side_bets",
        "options",
        "limits",
        "camera",
        "shoe",
        "chips",
    ],
};
/// The sign at the table, one kind of wager each.
pub(super) const LIMITS: Keys = Keys { header: "[[table.limits]]", names: &["on", "min", "max", "step"] };
/// One camera.
pub(super) const CAMERA: Keys =
    Keys { header: "[[table.camera]]", names: &["name", "url", "width", "height", "lens", "area"] };
/// How a camera's lens bends its picture.
pub(super) const LENS: Keys = Keys { header: "[table.camera.lens]", names: &["k1", "k2", "focal"] };
/// What a part of a camera's picture shows.
pub(super) const AREA: Keys = Keys { header: "[[table.camera.area]]", names: &["place", "polygon"] };
/// The smart shoe.
pub(super) const SHOE: Keys = Keys { header: "[table.shoe]", names: &["name", "url", "dialect", "read_only"] };
/// The chip sensor.
pub(super) const CHIPS: Keys = Keys { header: "[table.chips]", names: &["name", "url"] };

/// All sections in the order of a site file. `[table.options]` is missing: its keys are the rulebook's.
pub const SCHEMA: &[Keys] = &[SITE, DATABASE, EVIDENCE, BUS, REVIEW, TABLE, LIMITS, CAMERA, LENS, AREA, SHOE, CHIPS];

/// The games there are rulebooks for.
pub const GAMES: &[&str] = &[
    "nz-base",
    "nz-styleA",
    "nz-anteup",
    "nz-bjplus",
    "nz-freebet",
    "act",
    "nh-6d",
    "nh-54",
    "bclc-basic",
    "bclc-6to5",
    "bclc-dd",
    "bclc-freebet",
    "bclc-zappit",
];
