//! An export checked from outside: the signature over the manifest, and every file against it.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read, Seek};

use sha2::{Digest, Sha256};
use zip::ZipArchive;
use zip::result::ZipError;

use super::key::PublicKey;
use super::pack::{FORMAT, MANIFEST, Manifest, SIGNATURE};

/// The longest manifest we read: a forged one must not fill the memory.
const LONGEST: u64 = 64 << 20;

/// What was found in an export.
#[derive(Clone, Debug, serde::Serialize)]
pub struct Checked {
    /// What the manifest says, if there is one that can be read.
    pub manifest: Option<Manifest>,
    /// Files that are as the manifest says.
    pub good: u64,
    /// SHA-256 of the whole file, as the site's log has it.
    pub sha256: String,
    /// What is wrong, in words; empty if nothing is.
    pub faults: Vec<String>,
}

/// Checks an export. `expected` is the site's key as the site itself told it; without, the key is the one inside, and
/// only the fingerprint says whose it is.
pub fn check<R: Read + Seek>(mut from: R, expected: Option<&PublicKey>) -> io::Result<Checked> {
    let mut hash = Sha256::new();
    io::copy(&mut from, &mut HashWriter(&mut hash))?;
    let sha256 = data_encoding::HEXLOWER.encode(&hash.finalize());
    from.rewind()?;
    let mut checked = Checked { manifest: None, good: 0, sha256, faults: Vec::new() };
    match ZipArchive::new(from) {
        Ok(mut zip) => checked.look_into(&mut zip, expected)?,
        Err(ZipError::Io(error)) if error.kind() != io::ErrorKind::UnexpectedEof => return Err(error),
        Err(error) => checked.faults.push(format!("it is not a ZIP, or a damaged one: {error}")),
    }
    Ok(checked)
}

struct HashWriter<'h>(&'h mut Sha256);

impl io::Write for HashWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.update(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Checked {
    fn look_into<R: Read + Seek>(&mut self, zip: &mut ZipArchive<R>, expected: Option<&PublicKey>) -> io::Result<()> {
        let Some(bytes) = self.read(zip, MANIFEST) else { return Ok(()) };
        let manifest: Manifest = match serde_json::from_slice(&bytes) {
            Ok(manifest) => manifest,
            Err(error) => {
                self.faults.push(format!("{MANIFEST} cannot be read: {error}"));
                return Ok(());
            }
        };
        if manifest.format != FORMAT {
            self.faults.push(format!("it is a {}, not a {FORMAT}", manifest.format));
        }
        self.signed(zip, &manifest, &bytes, expected);
        self.files(zip, &manifest);
        self.manifest = Some(manifest);
        Ok(())
    }

    fn signed<R: Read + Seek>(
        &mut self,
        zip: &mut ZipArchive<R>,
        manifest: &Manifest,
        bytes: &[u8],
        expected: Option<&PublicKey>,
    ) {
        let Some(signature) = self.read(zip, SIGNATURE) else { return };
        let Ok(inside) = PublicKey::from_pem(&manifest.key.public) else {
            self.faults.push(format!("{MANIFEST} names no key that can be read"));
            return;
        };
        if let Some(expected) = expected.filter(|expected| **expected != inside) {
            self.faults.push(format!("it is signed with the key {inside}, not with {expected}"));
        }
        if manifest.key.fingerprint != inside.fingerprint() {
            self.faults.push(format!("{MANIFEST} gives its own key a wrong fingerprint"));
        }
        if !expected.unwrap_or(&inside).signed(bytes, &signature) {
            self.faults.push(format!("the signature over {MANIFEST} is not right"));
        }
    }

    fn files<R: Read + Seek>(&mut self, zip: &mut ZipArchive<R>, manifest: &Manifest) {
        let mut said: BTreeMap<&str, _> = BTreeMap::new();
        for part in &manifest.files {
            if said.insert(&part.name, part).is_some() {
                self.faults.push(format!("{MANIFEST} names {} twice", part.name));
            }
        }
        let mut seen = BTreeSet::new();
        for index in 0..zip.len() {
            let mut member = match zip.by_index(index) {
                Ok(member) => member,
                Err(error) => {
                    self.faults.push(format!("a member cannot be read: {error}"));
                    continue;
                }
            };
            let name = match member.name() {
                Ok(name) => name.into_owned(),
                Err(error) => {
                    self.faults.push(format!("a member has no name that can be read: {error}"));
                    continue;
                }
            };
            if !seen.insert(name.clone()) {
                self.faults.push(format!("{name} is there twice"));
            }
            if name == MANIFEST || name == SIGNATURE {
                continue;
            }
            let Some(part) = said.remove(&*name) else {
                self.faults.push(format!("{name} is not in {MANIFEST}"));
                continue;
            };
            let mut hash = Sha256::new();
            // One byte more than there should be is enough to know.
            let read = io::copy(&mut member.by_ref().take(part.size.saturating_add(1)), &mut HashWriter(&mut hash));
            let found = data_encoding::HEXLOWER.encode(&hash.finalize());
            match read {
                Ok(size) if size == part.size && found == part.sha256 => self.good += 1,
                Ok(_) => self.faults.push(format!("{name} was altered")),
                Err(error) => self.faults.push(format!("{name} was altered: {error}")),
            }
        }
        self.faults.extend(said.keys().map(|name| format!("{name} is missing")));
    }

    fn read<R: Read + Seek>(&mut self, zip: &mut ZipArchive<R>, name: &str) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let read = match zip.by_name(name) {
            Ok(member) => member.take(LONGEST).read_to_end(&mut bytes).map_err(|error| error.to_string()),
            Err(ZipError::FileNotFound) => Err("it is not there".to_owned()),
            Err(error) => Err(error.to_string()),
        };
        if let Err(why) = &read {
            self.faults.push(format!("{name} cannot be read: {why}"));
        }
        read.is_ok().then_some(bytes)
    }
}
