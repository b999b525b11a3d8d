//! The recordings of a case: a still of each finding, a clip and a tape of each round, and files that officers added.
//!
//! What cannot be had is named with the reason, never left out in silence. What an earlier export put away in the locker
//! is taken from there, so that a case can be exported again when the tapes are long gone.

use table::{Ident, RoundId, Utc};

use super::dossier::{Dossier, Played};
use crate::Footage;
use crate::evidence::Locker;
use crate::pages::{last_card, picture_of};
use crate::store::evidence::Linked;
use crate::store::utc;

const STILLS: &str = "stills/";
const CLIPS: &str = "clips/";
const TAPES: &str = "tape/";

/// How long before a round's first and after its last step a recording of it goes, in microseconds: enough to see the
/// wagers placed and the chips paid.
const BEFORE: i64 = 3_000_000;
const AFTER: i64 = 5_000_000;

/// A file that an export should hold.
pub(super) struct Wanted {
    /// Its name in the export.
    pub(super) name: String,
    /// What it shows, in words.
    pub(super) what: String,
    pub(super) media_type: String,
    pub(super) taken_at: Option<Utc>,
    source: Source,
}

enum Source {
    Still { table: Ident, camera: String, at: Utc },
    Clip { table: Ident, camera: String, from: Utc, until: Utc },
    Tape { round: RoundId, from: Utc, until: Utc },
    Locker { digest: String, gone: bool },
}

/// A file that an export should hold and does not.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Missing {
    /// The name it would have.
    pub name: String,
    /// Why it is not there.
    pub why: String,
}

/// Whether a file of the locker is one that an export put there.
pub(super) fn is_piece(what: &str) -> bool {
    [STILLS, CLIPS, TAPES].iter().any(|folder| what.starts_with(folder))
}

/// A name that is a name on every system.
pub(super) fn plain(name: &str) -> String {
    let keep = |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '.' | '-' | '_');
    name.chars().map(|letter| if keep(letter) { letter } else { '_' }).collect()
}

/// The picture of a finding, by the name of its still without camera and ending.
pub(super) fn still_of(subject: &str) -> String {
    format!("{STILLS}{}", plain(subject))
}

/// What to ask for, and what need not be asked for because nothing was recorded.
pub(super) fn plan(dossier: &Dossier, footage: &dyn Footage) -> (Vec<Wanted>, Vec<Missing>) {
    let mut plan = Plan { kept: &dossier.kept, footage, wanted: Vec::new(), missing: Vec::new() };
    for finding in &dossier.findings {
        // What is judged at the end of a round is seen before the cards are gone.
        let round = dossier.rounds.iter().find(|played| played.stored.id == finding.queued.round_id);
        let round = round.and_then(|played| played.round.as_ref());
        let at = round.and_then(|round| picture_of(round, &finding.flag)).unwrap_or(finding.flag.at);
        plan.stills(&finding.queued.flag, &finding.flag.round.table, at);
    }
    for played in &dossier.rounds {
        plan.recordings(played, dossier);
    }
    for linked in &dossier.files {
        let ending = match &*linked.file.media_type {
            "image/jpeg" => ".jpg",
            "image/png" => ".png",
            "video/mp4" => ".mp4",
            "application/pdf" => ".pdf",
            _ => "",
        };
        plan.take_from_locker(linked, format!("evidence/{}{ending}", linked.file.digest), linked.what.clone());
    }
    (plan.wanted, plan.missing)
}

struct Plan<'d> {
    kept: &'d [Linked],
    footage: &'d dyn Footage,
    wanted: Vec<Wanted>,
    missing: Vec<Missing>,
}

/// What every camera of a table should show.
struct Shot<'a> {
    /// The name of its file without camera and ending.
    stem: String,
    ending: &'static str,
    media_type: &'static str,
    table: &'a Ident,
    at: Utc,
}

impl Plan<'_> {
    fn stills(&mut self, subject: &str, table: &Ident, at: Utc) {
        let what = |camera: &str| format!("camera {camera} at {at}");
        let make = |camera: String| Source::Still { table: table.clone(), camera, at };
        self.of_cameras(
            &Shot { stem: still_of(subject), ending: "jpg", media_type: "image/jpeg", table, at },
            what,
            make,
        );
    }

    fn recordings(&mut self, played: &Played, dossier: &Dossier) {
        let stored = &played.stored;
        let name = plain(&stored.name());
        let (Ok(table), Ok(shoe), Ok(round)) =
            (stored.table_name.parse::<Ident>(), stored.shoe.try_into(), stored.round.try_into())
        else {
            let why = "the round's name is not one".to_owned();
            self.missing.push(Missing { name: format!("{TAPES}{name}.mcap"), why });
            return;
        };
        let moved = |at: i64, by: i64| utc(at.saturating_add(by));
        let (from, until) = (moved(stored.at, -BEFORE), moved(stored.ended_at, AFTER));
        if !dossier.findings.iter().any(|finding| finding.queued.round_id == stored.id) {
            let at = played.round.as_ref().and_then(last_card).unwrap_or(utc(stored.ended_at));
            self.stills(&stored.name(), &table, at);
        }
        let what = |camera: &str| format!("camera {camera} from {from} to {until}");
        let make = |camera: String| Source::Clip { table: table.clone(), camera, from, until };
        let shot =
            Shot { stem: format!("{CLIPS}{name}"), ending: "mp4", media_type: "video/mp4", table: &table, at: from };
        self.of_cameras(&shot, what, make);
        let name = format!("{TAPES}{name}.mcap");
        let what = format!("everything recorded of the round, from {from} to {until}");
        if let Some(kept) = self.kept.iter().find(|kept| kept.what == name) {
            self.take_from_locker(kept, name, what);
        } else {
            let round = RoundId { table, shoe, round };
            let source = Source::Tape { round, from, until };
            let media_type = "application/octet-stream".to_owned();
            self.wanted.push(Wanted { name, what, media_type, taken_at: Some(from), source });
        }
    }

    /// One file for each camera: those put away earlier, else those of the cameras that look at the table.
    fn of_cameras(&mut self, shot: &Shot<'_>, what: impl Fn(&str) -> String, make: impl Fn(String) -> Source) {
        let Shot { stem, ending, media_type, table, at } = shot;
        let camera_of = |kept: &Linked| {
            let rest = kept.what.strip_prefix(stem.as_str())?.strip_prefix('.')?;
            let camera = rest.strip_suffix(*ending)?.strip_suffix('.')?;
            (!camera.contains('.')).then(|| camera.to_owned())
        };
        let kept: Vec<_> = self.kept.iter().filter_map(|kept| Some((kept, camera_of(kept)?))).collect();
        if !kept.is_empty() {
            for (kept, camera) in kept {
                self.take_from_locker(kept, kept.what.clone(), what(&camera));
            }
            return;
        }
        let cameras = self.footage.cameras(table);
        if cameras.is_empty() {
            let why = format!("no recording of table {table} was at hand");
            self.missing.push(Missing { name: format!("{stem}.{ending}"), why });
        }
        for camera in cameras {
            self.wanted.push(Wanted {
                name: format!("{stem}.{}.{ending}", plain(&camera).replace('.', "_")),
                what: what(&camera),
                media_type: (*media_type).to_owned(),
                taken_at: Some(*at),
                source: make(camera),
            });
        }
    }

    fn take_from_locker(&mut self, linked: &Linked, name: String, what: String) {
        let file = &linked.file;
        self.wanted.push(Wanted {
            name,
            what,
            media_type: file.media_type.clone(),
            taken_at: file.taken_at.map(utc),
            source: Source::Locker { digest: file.digest.clone(), gone: file.removed_at.is_some() },
        });
    }
}

impl Wanted {
    /// The file, or why it is not to be had.
    pub(super) fn fetch(&self, footage: &dyn Footage, locker: Option<&Locker>) -> Result<Vec<u8>, Missing> {
        let nothing = "nothing of that moment was recorded, or it is no longer kept".to_owned();
        let fetched = match &self.source {
            Source::Still { table, camera, at } => {
                footage.still(table, camera, *at).map(|still| still.map(|still| still.jpeg))
            }
            Source::Clip { table, camera, from, until } => footage.clip(table, camera, *from, *until),
            Source::Tape { round, from, until } => footage.tape(round, *from, *until),
            Source::Locker { digest, gone } => {
                return match (locker, gone) {
                    (_, true) => Err("retention has let this file go".to_owned()),
                    (None, false) => Err("the folder of evidence files was not at hand".to_owned()),
                    // The locker's own words name folders of this machine, which are nobody's business elsewhere.
                    (Some(locker), false) => locker.fetch(digest).map_err(|error| {
                        tracing::warn!(%error, "evidence cannot be exported");
                        "the file is gone from the locker, or no longer what its hash says".to_owned()
                    }),
                }
                .map_err(|why| Missing { name: self.name.clone(), why });
            }
        };
        let why = match fetched {
            Ok(Some(bytes)) => return Ok(bytes),
            Ok(None) => nothing,
            Err(error) => error.to_string(),
        };
        Err(Missing { name: self.name.clone(), why })
    }

    /// Whether it was recorded, and is not in the locker yet.
    pub(super) const fn is_fresh(&self) -> bool {
        !matches!(self.source, Source::Locker { .. })
    }
}
