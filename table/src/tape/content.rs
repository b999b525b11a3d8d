//! Hashes: of a channel's messages, and of a metadata record by itself.

use std::collections::BTreeMap;

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use super::fields::Fields;

/// The metadata entry that holds the hash of the others.
const SEAL: &str = "sha256";

/// What went over a channel: how many messages, how many bytes, and the hash of it all.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Messages.
    pub messages: u64,
    /// Bytes in them.
    pub bytes: u64,
    hash: Sha256,
}

impl Tally {
    /// Counts a message in. Its times and its length are hashed with it, so that messages can be neither moved in
    /// time nor joined.
    pub(super) fn add(&mut self, log_time: u64, publish_time: u64, data: &[u8]) {
        let length = data.len() as u64;
        self.messages += 1;
        self.bytes = self.bytes.saturating_add(length);
        for number in [log_time, publish_time, length] {
            self.hash.update(number.to_le_bytes());
        }
        self.hash.update(data);
    }

    /// The hash so far, in hexadecimal.
    pub fn sha256(&self) -> String {
        HEXLOWER.encode(&self.hash.clone().finalize())
    }

    /// As the `content` metadata has it.
    pub(super) fn entry(&self) -> String {
        format!("{} {}", self.messages, self.sha256())
    }
}

/// The hash of a metadata record's name and entries, each text after its length.
fn seal_of(name: &str, entries: &BTreeMap<String, String>) -> String {
    let mut hash = Sha256::new();
    let texts = entries.iter().filter(|(key, _)| *key != SEAL).flat_map(|(key, value)| [key.as_str(), value]);
    for text in std::iter::once(name).chain(texts) {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    }
    HEXLOWER.encode(&hash.finalize())
}

/// A metadata record with its own hash among its entries: nothing else protects metadata of an unfinished tape.
pub(super) fn sealed(name: &str, mut entries: BTreeMap<String, String>) -> mcap::records::Metadata {
    let seal = seal_of(name, &entries);
    entries.insert(SEAL.into(), seal);
    mcap::records::Metadata { name: name.into(), metadata: entries }
}

/// A metadata record as it was read.
pub(super) struct Metadata {
    pub(super) name: String,
    pub(super) entries: BTreeMap<String, String>,
}

impl Metadata {
    pub(super) fn parse(body: &[u8]) -> Option<Self> {
        let mut fields = Fields(body);
        let (name, entries) = (fields.text()?.to_owned(), fields.map()?);
        fields.end()?;
        Some(Self { name, entries })
    }

    /// Whether it is what was written.
    pub(super) fn holds(&self) -> bool {
        self.entries.get(SEAL).is_some_and(|seal| *seal == seal_of(&self.name, &self.entries))
    }

    /// Its entries without the hash.
    pub(super) fn own(mut self) -> BTreeMap<String, String> {
        self.entries.remove(SEAL);
        self.entries
    }
}
