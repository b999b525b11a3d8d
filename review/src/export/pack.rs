//! The ZIP of an export: its files, the manifest with the hash of each, and the site's signature over the manifest.
//!
//! The same files give the same bytes: every member has the same time, and nothing is sorted by chance.

use std::io::{self, Seek, Write};

use serde::{Deserialize, Serialize};
use table::Utc;
use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, DateTime, ZipWriter};

use super::key::SiteKey;
use super::pieces::Missing;
use crate::log::sha256;

/// The form of export.
pub const FORMAT: &str = "fairdeal-export 1";
/// The member that names all others but itself and its signature.
pub const MANIFEST: &str = "manifest.json";
/// The signature over the manifest's bytes.
pub const SIGNATURE: &str = "manifest.sig";
/// The hashes as `sha256sum --check` reads them.
pub const SUMS: &str = "SHA256SUMS";

/// What is in an export.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// [`FORMAT`].
    pub format: String,
    /// The site.
    pub site: String,
    /// The case's number in the site's sequence.
    pub case: i64,
    /// Its number in the database.
    pub id: i64,
    /// What it is about.
    pub title: String,
    /// When it was sealed; nothing if it was not.
    pub sealed: Option<Utc>,
    /// When the export was made.
    pub made: Utc,
    /// By whom.
    pub by: String,
    /// With what.
    pub software: String,
    /// The key it is signed with.
    pub key: ManifestKey,
    /// Every file but the manifest and its signature.
    pub files: Vec<Part>,
    /// What should be there and is not.
    pub missing: Vec<Missing>,
}

/// The key of a manifest's signature.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ManifestKey {
    /// `Ed25519`.
    pub algorithm: String,
    /// The public key in PEM form.
    pub public: String,
    /// SHA-256 of it in DER form.
    pub fingerprint: String,
}

/// A file of an export.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// Its length in bytes.
    pub size: u64,
    /// SHA-256 of its bytes.
    pub sha256: String,
}

/// A ZIP that is being written.
pub(super) struct Packer<W: Write + Seek> {
    zip: ZipWriter<W>,
    parts: Vec<Part>,
}

impl<W: Write + Seek> Packer<W> {
    pub(super) fn new(into: W) -> Self {
        Self { zip: ZipWriter::new(into), parts: Vec::new() }
    }

    /// Adds a file and gives what the manifest will say of it.
    pub(super) fn add(&mut self, name: &str, bytes: &[u8]) -> io::Result<Part> {
        self.put(name, bytes)?;
        let part = Part { name: name.to_owned(), size: bytes.len() as u64, sha256: sha256(bytes) };
        self.parts.push(part.clone());
        Ok(part)
    }

    fn put(&mut self, name: &str, bytes: &[u8]) -> io::Result<()> {
        // Pictures, video and tapes are packed already.
        let text = [".html", ".txt", ".json", ".pem"].iter().any(|ending| name.ends_with(ending));
        let method = if text { CompressionMethod::Deflated } else { CompressionMethod::Stored };
        let options = SimpleFileOptions::default()
            .compression_method(method)
            .last_modified_time(DateTime::default())
            .unix_permissions(0o644)
            .large_file(bytes.len() >= u32::MAX as usize);
        self.zip.start_file(name, options)?;
        self.zip.write_all(bytes)
    }

    /// Adds the sums, the manifest and its signature, and ends the file.
    pub(super) fn seal(mut self, cover: Manifest, key: &SiteKey) -> io::Result<(Manifest, W)> {
        let sums: String = self.parts.iter().map(|part| format!("{}  {}\n", part.sha256, part.name)).collect();
        self.add(SUMS, sums.as_bytes())?;
        let manifest = Manifest { files: std::mem::take(&mut self.parts), ..cover };
        let mut bytes = serde_json::to_vec_pretty(&manifest)?;
        bytes.push(b'\n');
        self.put(MANIFEST, &bytes)?;
        self.put(SIGNATURE, &key.sign(&bytes))?;
        Ok((manifest, self.zip.finish()?))
    }
}
