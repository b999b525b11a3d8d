//! A case as one ZIP that proves itself: report as page and PDF, stills, clips, tapes, record, manifest and signature.
//!
//! Exporting seals the case if whoever exports may write cases: what has left the house must stay as it left. Its
//! recordings are put away in the evidence folder at the same time, so that the tapes may go. An auditor changes nothing,
//! and gets a copy that says whether the case was sealed.

pub mod check;
mod dossier;
mod html;
pub mod key;
mod pack;
mod pdf;
mod pieces;
mod report;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, BufWriter, Read, Seek, Write};
use std::sync::Arc;

use askama::Template;
use serde_json::json;
use sha2::{Digest, Sha256};
use table::Utc;

pub use pack::{FORMAT, MANIFEST, Manifest, ManifestKey, Part, SIGNATURE, SUMS};
pub use pieces::Missing;

use crate::Footage;
use crate::accounts::{Officer, Right};
use crate::evidence::{Locker, LockerError};
use crate::log::{self, Deed};
use crate::pages::Frame;
use crate::server::{Failure, Site};
use crate::store::StoreError;
use crate::store::notes::Subject;
use dossier::Dossier;
use key::{KeyError, SiteKey};
use pack::Packer;
use pieces::Wanted;

/// What made an export.
pub(crate) const SOFTWARE: &str = concat!("fairdeal ", env!("CARGO_PKG_VERSION"));

/// Why a case could not be exported.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// There is nothing to sign with.
    #[error("no key to sign exports with was chosen when the server started")]
    NoKey,
    /// The key is there and is no good.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// Whoever asks may not see all of it.
    #[error(
        "the case holds rounds of tables your account does not include; somebody who may see all of it must export it"
    )]
    OtherTables,
    /// The database failed, or there is no such case.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The evidence failed.
    #[error(transparent)]
    Locker(#[from] LockerError),
    /// The report could not be written.
    #[error("the report could not be written")]
    Report(#[from] Failure),
    /// The PDF could not be made.
    #[error("the PDF could not be made: {0}")]
    Pdf(String),
    /// The file failed.
    #[error("the export could not be written")]
    File(#[from] io::Error),
    /// The work was cut off.
    #[error("the export was interrupted")]
    Interrupted(#[source] tokio::task::JoinError),
}

impl From<ExportError> for Failure {
    fn from(error: ExportError) -> Self {
        match error {
            ExportError::NoKey | ExportError::OtherTables => Self::Refused(error.to_string()),
            ExportError::Store(error) => error.into(),
            ExportError::Report(failure) => failure,
            other => Self::broken(other),
        }
    }
}

/// An export that was made.
#[derive(Debug)]
pub struct Exported {
    /// A name for it.
    pub name: String,
    /// The ZIP, from its beginning.
    pub file: File,
    /// Its length.
    pub bytes: u64,
    /// SHA-256 of it, which the log has too.
    pub sha256: String,
    /// What is in it.
    pub manifest: Manifest,
}

/// Exports a case into a file, which is empty and can be read and written.
pub async fn export(site: &Site, officer: &Officer, id: i64, into: File) -> Result<Exported, ExportError> {
    let path = site.setup.signing_key.clone().ok_or(ExportError::NoKey)?;
    let key = SiteKey::open_or_make(&path)?;
    let now = site.now();
    let dossier = Dossier::gather(&site.store, officer, id).await?;
    let seals = officer.may(Right::Investigate);
    let dossier = if seals && dossier.case.locked_at.is_none() {
        site.store.lock_case(officer, id, now).await?;
        Dossier::gather(&site.store, officer, id).await?
    } else {
        dossier
    };
    let locker = site.setup.evidence.as_deref().map(Locker::open).transpose()?;
    let frame = Frame::new(site, officer, "/cases", "");
    let footage = Arc::clone(&site.footage);
    let packing = Packing { frame, dossier, locker, keeps: seals, key };
    let packed = tokio::task::spawn_blocking(move || packing.pack(&*footage, into));
    let packed = packed.await.map_err(ExportError::Interrupted)??;
    record(site, officer, id, &packed, now).await?;
    Ok(packed.exported)
}

/// A ZIP that was written, and what was put away meanwhile.
struct Packed {
    exported: Exported,
    kept: Vec<(Wanted, Part)>,
}

struct Packing {
    frame: Frame,
    dossier: Dossier,
    locker: Option<Locker>,
    /// Whether recordings are put away in the locker.
    keeps: bool,
    key: SiteKey,
}

impl Packing {
    fn pack(self, footage: &dyn Footage, into: File) -> Result<Packed, ExportError> {
        let mut zip = Packer::new(BufWriter::new(into));
        let (wanted, mut missing) = pieces::plan(&self.dossier, footage);
        let (mut recordings, mut kept, mut stills) = (Vec::new(), Vec::new(), BTreeMap::new());
        for wanted in wanted {
            let bytes = match wanted.fetch(footage, self.locker.as_ref()) {
                Ok(bytes) => bytes,
                Err(absent) => {
                    missing.push(absent);
                    continue;
                }
            };
            let part = zip.add(&wanted.name, &bytes)?;
            recordings.push((part.clone(), wanted.what.clone()));
            if let (Some(locker), true) = (&self.locker, self.keeps && wanted.is_fresh()) {
                locker.keep(&bytes)?;
                kept.push((wanted, part));
            }
            if pictured(&recordings) {
                stills.extend(recordings.last().map(|(part, _)| (part.name.clone(), bytes)));
            }
        }
        missing.sort_by(|a, b| a.name.cmp(&b.name));
        let mut record = serde_json::to_vec_pretty(&self.dossier.json()).map_err(io::Error::from)?;
        record.push(b'\n');
        zip.add("case.json", &record)?;
        let enclosed = report::Enclosed { recordings: &recordings, stills: &stills, missing: &missing };
        let report = report::write(&self.frame, &self.dossier, &enclosed)?;
        zip.add("report.html", html::page(&report).as_bytes())?;
        zip.add("report.pdf", &pdf::document(&report).map_err(ExportError::Pdf)?)?;
        let public = self.key.public();
        let pem = public.pem()?;
        zip.add("public-key.pem", pem.as_bytes())?;
        let how =
            How { site: &self.dossier.case.site, case: self.dossier.case.number, fingerprint: public.fingerprint() };
        zip.add("VERIFY.txt", HowText(&how).render().map_err(Failure::from)?.as_bytes())?;
        zip.add("VERIFY.html", HowPage(&how).render().map_err(Failure::from)?.as_bytes())?;
        let key = ManifestKey { algorithm: "Ed25519".to_owned(), public: pem, fingerprint: public.fingerprint() };
        let (manifest, file) = zip.seal(self.cover(key, missing), &self.key)?;
        let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
        let exported = finished(file, manifest)?;
        Ok(Packed { exported, kept })
    }

    /// The manifest, before its files are known.
    fn cover(&self, key: ManifestKey, missing: Vec<Missing>) -> Manifest {
        let case = &self.dossier.case;
        Manifest {
            format: FORMAT.to_owned(),
            site: case.site.clone(),
            case: case.number,
            id: case.id,
            title: case.fields.title.clone(),
            sealed: case.locked_at.map(crate::store::utc),
            made: self.frame.now,
            by: self.frame.officer.name.clone(),
            software: SOFTWARE.to_owned(),
            key,
            files: Vec::new(),
            missing,
        }
    }
}

/// Whether the last recording is a picture that the report shows.
fn pictured(recordings: &[(Part, String)]) -> bool {
    recordings.last().is_some_and(|(part, _)| part.name.ends_with(".jpg"))
}

/// The file, rewound and hashed.
fn finished(mut file: File, manifest: Manifest) -> io::Result<Exported> {
    file.flush()?;
    file.rewind()?;
    let mut hash = Sha256::new();
    let mut reader = BufReader::with_capacity(1 << 16, &file);
    let mut piece = vec![0; 1 << 16];
    let mut bytes = 0;
    loop {
        match reader.read(&mut piece)? {
            0 => break,
            read => {
                hash.update(&piece[..read]);
                bytes += read as u64;
            }
        }
    }
    file.rewind()?;
    let name = format!("{}-case-{}.zip", pieces::plain(&manifest.site), manifest.case);
    Ok(Exported { name, file, bytes, sha256: data_encoding::HEXLOWER.encode(&hash.finalize()), manifest })
}

/// Writes down what left the house, and what was put away for it.
async fn record(site: &Site, officer: &Officer, id: i64, packed: &Packed, at: Utc) -> Result<(), ExportError> {
    let mut tx = site.store.begin().await?;
    let mut kept: BTreeMap<&str, Vec<&(Wanted, Part)>> = BTreeMap::new();
    for piece in &packed.kept {
        kept.entry(&piece.1.sha256).or_default().push(piece);
    }
    for (digest, pieces) in kept {
        let Some((wanted, part)) = pieces.first() else { continue };
        let names = pieces.iter().map(|(wanted, _)| wanted.name.as_str()).collect::<Vec<_>>().join(" ");
        let length = i64::try_from(part.size).unwrap_or(i64::MAX);
        tx.add_evidence(digest, &wanted.media_type, length, wanted.taken_at, at).await?;
        tx.link_evidence(digest, Subject::Case, &id.to_string(), &names).await?;
        let detail = json!({ "sha256": digest, "bytes": length, "what": names });
        let deed = Deed { at, actor: &officer.name, action: "evidence", subject: format!("case {id}"), detail };
        log::append(&mut tx, deed).await?;
    }
    let Exported { sha256, bytes, manifest, .. } = &packed.exported;
    let detail = json!({ "exported": sha256, "bytes": bytes, "files": manifest.files.len(),
                         "missing": manifest.missing.len(), "key": manifest.key.fingerprint });
    let deed = Deed { at, actor: &officer.name, action: "export", subject: format!("case {id}"), detail };
    log::append(&mut tx, deed).await?;
    tx.commit().await?;
    Ok(())
}

/// How to verify an export without us.
struct How<'a> {
    site: &'a str,
    case: i64,
    fingerprint: String,
}

#[derive(Template)]
#[template(path = "export_verify.txt")]
struct HowText<'a>(&'a How<'a>);

#[derive(Template)]
#[template(path = "export_verify.html")]
struct HowPage<'a>(&'a How<'a>);
