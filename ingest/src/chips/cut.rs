//! Lines out of bytes that come split anywhere, and no more memory than the longest line may have.

use std::mem;

use table::chips::LONGEST;

/// Cuts bytes into lines.
#[derive(Clone, Debug, Default)]
pub(super) struct Cutter {
    /// What has come of the line so far.
    line: Vec<u8>,
    /// How long a line is by now that is too long to keep.
    too_long: usize,
    /// Lines so far.
    number: u64,
}

/// A line, without its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    /// Its place, counted from 1.
    pub(super) number: u64,
    /// Its bytes, or how many there were of one that is too long.
    pub(super) line: Result<Vec<u8>, usize>,
}

impl Cutter {
    /// Takes bytes up to the end of the next line; `None` when they are used up before it.
    pub(super) fn next(&mut self, bytes: &mut &[u8]) -> Option<Cut> {
        let end = bytes.iter().position(|byte| *byte == b'\n');
        let (part, rest) = bytes.split_at(end.unwrap_or(bytes.len()));
        self.keep(part);
        *bytes = rest.get(1..).unwrap_or_default();
        end.map(|_| self.cut())
    }

    /// What has come of a line whose end will not come; `None` if nothing has.
    pub(super) fn broken_off(&mut self) -> Option<Cut> {
        (self.too_long > 0 || !self.line.is_empty()).then(|| self.cut())
    }

    fn keep(&mut self, part: &[u8]) {
        if self.too_long > 0 || self.line.len() + part.len() > LONGEST {
            self.too_long += mem::take(&mut self.line).len() + part.len();
        } else {
            self.line.extend_from_slice(part);
        }
    }

    fn cut(&mut self) -> Cut {
        self.number += 1;
        let line = mem::take(&mut self.line);
        let too_long = mem::take(&mut self.too_long);
        Cut { number: self.number, line: if too_long > 0 { Err(too_long) } else { Ok(line) } }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn lines<'b>(parts: impl IntoIterator<Item = &'b [u8]>) -> Vec<Cut> {
        let mut cutter = Cutter::default();
        let mut lines = Vec::new();
        for mut part in parts {
            while let Some(cut) = cutter.next(&mut part) {
                lines.push(cut);
            }
        }
        lines.extend(cutter.broken_off());
        lines
    }

    #[test]
    fn a_line_that_is_too_long_is_measured_and_the_next_one_read() {
        let long = vec![b'x'; LONGEST];
        let cuts = lines([&long[..], b"yz\nnext\n"]);
        assert_eq!(cuts[0], Cut { number: 1, line: Err(LONGEST + 2) });
        assert_eq!(cuts[1], Cut { number: 2, line: Ok(b"next".to_vec()) });
        assert_eq!(lines([&long[..], b"\n"])[0].line, Ok(long.clone()), "the longest line is not too long");
    }

    proptest! {
        #[test]
        fn lines_are_the_same_wherever_the_bytes_are_split(
            bytes in proptest::collection::vec(prop_oneof![Just(b'\n'), any::<u8>()], 0..200),
            size in 1_usize..20,
        ) {
            let whole = lines([&bytes[..]]);
            prop_assert_eq!(&lines(bytes.chunks(size)), &whole);
            let text: Vec<u8> = whole.iter().flat_map(|cut| [cut.line.clone().unwrap(), b"\n".to_vec()].concat()).collect();
            prop_assert_eq!(text.strip_suffix(b"\n").unwrap_or_default(), bytes.strip_suffix(b"\n").unwrap_or(&bytes));
        }
    }
}
