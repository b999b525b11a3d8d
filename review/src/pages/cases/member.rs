//! What belongs to a case, on its contact sheet.

use super::super::queue::drawing;
use super::super::round::scene;
use super::super::words::{self, When};
use super::super::{Frame, flag, footage};
use crate::accounts::Officer;
use crate::draw;
use crate::server::{Failure, Site};
use crate::store::cases::CaseMember;

/// Something on the contact sheet.
pub(super) struct MemberView {
    /// `flag`, `round` or `evidence`.
    pub(super) kind: String,
    /// Which, as programs name it; empty if it is not for this officer.
    pub(super) subject: String,
    pub(super) name: String,
    pub(super) path: String,
    pub(super) told: String,
    pub(super) still: Option<String>,
    pub(super) drawing: String,
    pub(super) hash: String,
    pub(super) who: String,
    pub(super) when: When,
}

impl MemberView {
    pub(super) async fn new(
        site: &Site,
        officer: &Officer,
        frame: &Frame,
        member: CaseMember,
        whole: bool,
    ) -> Result<Self, Failure> {
        let mut view = Self {
            path: String::new(),
            told: String::new(),
            still: None,
            drawing: String::new(),
            hash: String::new(),
            who: member.added_by,
            when: frame.when(crate::store::utc(member.added_at)),
            kind: member.kind.clone(),
            name: member.subject.clone(),
            subject: member.subject,
        };
        match &*member.kind {
            // A table this officer may not see stays closed, also inside a case.
            "flag" => {
                let Ok(queued) = site.store.flag(officer, &view.name).await else { return Ok(closed(view)) };
                let found = queued.parsed()?;
                view.path = flag::round_path(&found.round);
                view.name = words::called(&found.id());
                view.told = format!("{}; {}", found.observed, frame.stake(found.money));
                let name = view.path.trim_start_matches("/rounds/").to_owned();
                let round = site.store.round(officer, &name).await?.parsed()?;
                let at = round.as_ref().and_then(|round| scene::picture_of(round, &found)).unwrap_or(found.at);
                if footage::has_picture(site, &found.round.table, at).await? {
                    view.still = Some(format!("/rounds/{name}/still?at={}", at.micros()));
                } else if let Some(round) = round {
                    view.drawing = drawing(&round, &found);
                }
            }
            "round" => {
                let Ok(stored) = site.store.round(officer, &view.name).await else { return Ok(closed(view)) };
                view.path = format!("/rounds/{}", view.name);
                view.name = words::called(&view.name);
                view.hash.clone_from(&stored.digest);
                if let Some(round) = stored.parsed()? {
                    view.drawing = draw::felt(&round, round.steps.len(), draw::boxes_of(&round));
                }
            }
            // A file shows whatever the case is about.
            _ if !whole => return Ok(closed(view)),
            _ => {
                let file = site.store.evidence(&view.name).await?;
                view.told = format!("{}, {} bytes", file.media_type, file.bytes);
                view.path = format!("/api/evidence/{}", view.name);
                view.hash.clone_from(&file.digest);
            }
        }
        Ok(view)
    }
}

fn closed(view: MemberView) -> MemberView {
    // Its name tells the table, and a flag's also what happened there.
    MemberView {
        name: String::new(),
        subject: String::new(),
        told: "at a table your account does not include, or no longer there".to_owned(),
        ..view
    }
}
