//! The fields of an MCAP record, taken one by one.
//!
//! Every length comes from the file and is held against what is there before anything is allocated: the `mcap`
//! crate's own parser reserves whatever a length claims, which a flipped byte can make four gigabytes.

use std::collections::BTreeMap;

/// What is left of a record. Every method gives `None` where the record is too short or is not text.
pub(super) struct Fields<'a>(pub(super) &'a [u8]);

impl<'a> Fields<'a> {
    pub(super) fn bytes(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.bytes(N)?.try_into().ok()
    }

    pub(super) fn u8(&mut self) -> Option<u8> {
        self.array().map(u8::from_le_bytes)
    }

    pub(super) fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    pub(super) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    /// Bytes after their length in 32 bits.
    pub(super) fn sized(&mut self) -> Option<&'a [u8]> {
        let count = usize::try_from(self.u32()?).ok()?;
        self.bytes(count)
    }

    pub(super) fn text(&mut self) -> Option<&'a str> {
        std::str::from_utf8(self.sized()?).ok()
    }

    /// A map of texts; a key that comes twice makes it unreadable.
    pub(super) fn map(&mut self) -> Option<BTreeMap<String, String>> {
        let mut entries = Fields(self.sized()?);
        let mut map = BTreeMap::new();
        while !entries.0.is_empty() {
            let (key, value) = (entries.text()?, entries.text()?);
            if map.insert(key.to_owned(), value.to_owned()).is_some() {
                return None;
            }
        }
        Some(map)
    }

    /// `Some` if nothing is left.
    pub(super) fn end(&self) -> Option<()> {
        self.0.is_empty().then_some(())
    }
}

/// A record within a chunk or a summary: its kind and its body.
pub(super) fn record<'a>(fields: &mut Fields<'a>) -> Option<(u8, &'a [u8])> {
    let kind = fields.u8()?;
    let length = usize::try_from(fields.u64()?).ok()?;
    Some((kind, fields.bytes(length)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_beyond_the_record_takes_nothing() {
        let mut fields = Fields(b"\xff\xff\xff\xffabc");
        assert_eq!(fields.sized(), None);
    }

    #[test]
    fn a_key_that_comes_twice_spoils_the_map() {
        let mut bytes = Vec::from(20u32.to_le_bytes());
        for text in ["k", "a", "k", "b"] {
            bytes.extend(1u32.to_le_bytes());
            bytes.extend(text.bytes());
        }
        assert_eq!(Fields(&bytes).map(), None);
    }
}
