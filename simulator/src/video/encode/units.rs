//! Access units: where one frame ends and the next begins in a stream of H.264.

/// The kind of the unit that opens every frame, the access unit delimiter.
const DELIMITER: u8 = 9;

/// Splits a stream into frames as its bytes come in; an iterator over those that are complete.
#[derive(Debug, Default)]
pub(super) struct Units {
    bytes: Vec<u8>,
    /// Up to where no further delimiter begins.
    searched: usize,
}

impl Units {
    /// More of the stream.
    pub(super) fn feed(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// The last frame, once the stream has ended.
    pub(super) fn rest(&mut self) -> Option<Vec<u8>> {
        self.searched = 0;
        let rest = std::mem::take(&mut self.bytes);
        (!rest.is_empty()).then_some(rest)
    }
}

impl Iterator for Units {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        // The first delimiter opens the frame that is being read; the next one ends it.
        let from = self.searched.max(4);
        let Some(found) = self.bytes.get(from..).and_then(delimiter) else {
            self.searched = self.bytes.len().saturating_sub(4);
            return None;
        };
        let mut end = from + found;
        // The zero of a long start code belongs to what it starts.
        if self.bytes.get(end.wrapping_sub(1)) == Some(&0) {
            end -= 1;
        }
        let after = self.bytes.split_off(end);
        self.searched = 0;
        Some(std::mem::replace(&mut self.bytes, after))
    }
}

/// Where the first delimiter's start code begins.
fn delimiter(bytes: &[u8]) -> Option<usize> {
    bytes.windows(4).position(|window| matches!(window, [0, 0, 1, kind] if kind & 0x1F == DELIMITER))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_come_out_whole_however_the_stream_is_cut() {
        let frames: [&[u8]; 3] = [
            &[0, 0, 0, 1, 9, 0xF0, 0, 0, 0, 1, 0x67, 9, 9, 0, 0, 1, 0x65, 1, 2, 3],
            &[0, 0, 0, 1, 9, 0xF0, 0, 0, 1, 0x41, 7],
            &[0, 0, 1, 0x09, 0xF0, 0, 0, 1, 0x41, 8, 8],
        ];
        let stream = frames.concat();
        for piece in 1..stream.len() {
            let mut units = Units::default();
            let mut out = Vec::new();
            for bytes in stream.chunks(piece) {
                units.feed(bytes);
                out.extend(units.by_ref());
            }
            out.extend(units.rest());
            assert_eq!(out, frames, "cut in pieces of {piece}");
        }
    }
}
