//! H.264 as a tape keeps it: each frame with start codes, and each key frame with all a player needs to begin there.
//!
//! Files put a length before each part of a frame where streams put a start code, and both may keep the parameter sets
//! apart from the frames. Nothing is encoded anew; the bytes of the pictures stay as the camera made them.

const START: &[u8] = &[0, 0, 0, 1];
const KEY: u8 = 5;
const SEQUENCE: u8 = 7;
const PICTURE: u8 = 8;
/// Marks the beginning of an access unit and has to stay in front of the parameter sets.
const DELIMITER: u8 = 9;

/// What is known of a stream's packing before its first frame.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Parameters {
    /// Sequence and picture parameter sets, with start codes.
    sets: Vec<u8>,
    /// How many bytes a length has, where parts are headed by lengths.
    length_bytes: usize,
}

impl Parameters {
    /// From an `avcC` box: version, profile and level, size of lengths, and lists of parameter sets.
    pub(super) fn from_avcc(bytes: &[u8]) -> Option<Self> {
        let length_bytes = usize::from(bytes.get(4)? & 3) + 1;
        let mut sets = Vec::new();
        let mut rest = bytes.get(5..)?;
        for mask in [0x1F, 0xFF] {
            let (count, mut list) = rest.split_first()?;
            for _ in 0..count & mask {
                let length = usize::from(u16::from_be_bytes(*list.first_chunk()?));
                sets.extend_from_slice(START);
                sets.extend_from_slice(list.get(2..2 + length)?);
                list = list.get(2 + length..)?;
            }
            rest = list;
        }
        Some(Self { sets, length_bytes })
    }

    /// A frame as the tape wants it, and whether play can begin with it; `None` for bytes that are no frame.
    pub(super) fn unit(&self, packet: &[u8]) -> Option<(Vec<u8>, bool)> {
        let parts = if begins_with_start_code(packet) { by_start_codes(packet) } else { self.by_lengths(packet)? };
        let has = |kind: u8| parts.iter().any(|part| part.first().is_some_and(|byte| byte & 0x1F == kind));
        let key = has(KEY);
        let bare = key && !(has(SEQUENCE) && has(PICTURE));
        let mut unit = Vec::with_capacity(packet.len() + self.sets.len() + 8);
        let delimiters =
            parts.iter().take_while(|part| part.first().is_some_and(|byte| byte & 0x1F == DELIMITER)).count();
        for (number, part) in parts.iter().enumerate() {
            if number == delimiters && bare {
                unit.extend_from_slice(&self.sets);
            }
            unit.extend_from_slice(START);
            unit.extend_from_slice(part);
        }
        (!parts.is_empty()).then_some((unit, key))
    }

    fn by_lengths<'a>(&self, mut packet: &'a [u8]) -> Option<Vec<&'a [u8]>> {
        let mut parts = Vec::new();
        while !packet.is_empty() && self.length_bytes > 0 {
            let (length, rest) = packet.split_at_checked(self.length_bytes)?;
            let length = length.iter().fold(0, |sum, byte| sum << 8 | usize::from(*byte));
            let (part, rest) = rest.split_at_checked(length)?;
            if !part.is_empty() {
                parts.push(part);
            }
            packet = rest;
        }
        Some(parts)
    }
}

/// Whether a player can begin with a frame as the tape has it: a key frame with its parameter sets.
pub(crate) fn begins_play(unit: &[u8]) -> bool {
    let parts = by_start_codes(unit);
    let has = |kind: u8| parts.iter().any(|part| part.first().is_some_and(|byte| byte & 0x1F == kind));
    has(KEY) && has(SEQUENCE)
}

/// Finds the `avcC` box within the head of an MP4 file.
pub(super) fn find_avcc(head: &[u8]) -> Option<&[u8]> {
    let at = head.windows(4).position(|name| name == b"avcC")?;
    let length = u32::from_be_bytes(*head.get(at.checked_sub(4)?..)?.first_chunk()?) as usize;
    head.get(at + 4..(at - 4).checked_add(length)?)
}

fn begins_with_start_code(packet: &[u8]) -> bool {
    packet.starts_with(START) || packet.starts_with(&START[1..])
}

/// The parts between start codes, without the zeros that may follow a part.
fn by_start_codes(packet: &[u8]) -> Vec<&[u8]> {
    let mut starts: Vec<usize> = Vec::new();
    let mut at = 0;
    while let Some(found) = packet.get(at..).and_then(|rest| rest.windows(3).position(|code| code == [0, 0, 1])) {
        at += found + 3;
        starts.push(at);
    }
    let ends = starts.iter().skip(1).map(|next| next - 3).chain([packet.len()]);
    let part = |(from, to): (&usize, usize)| packet.get(*from..to).unwrap_or_default();
    let trimmed = |part: &'_ [u8]| part.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
    starts.iter().zip(ends).map(part).map(|part| &part[..trimmed(part)]).filter(|part| !part.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const AVCC: &[u8] = &[1, 100, 0, 31, 0xFF, 0xE1, 0, 3, 0x67, 1, 2, 1, 0, 2, 0x68, 3];
    const SETS: &[u8] = &[0, 0, 0, 1, 0x67, 1, 2, 0, 0, 0, 1, 0x68, 3];

    #[test]
    fn a_key_frame_of_a_file_gets_start_codes_and_parameter_sets() {
        let parameters = Parameters::from_avcc(AVCC).unwrap();
        let (unit, key) = parameters.unit(&[0, 0, 0, 2, 0x65, 9, 0, 0, 0, 1, 0x65]).unwrap();
        assert_eq!(unit, [SETS, &[0, 0, 0, 1, 0x65, 9, 0, 0, 0, 1, 0x65]].concat());
        assert!(key);
    }

    #[test]
    fn other_frames_get_start_codes_only() {
        let parameters = Parameters::from_avcc(AVCC).unwrap();
        assert_eq!(parameters.unit(&[0, 0, 0, 2, 0x41, 9]), Some((vec![0, 0, 0, 1, 0x41, 9], false)));
    }

    #[test]
    fn a_stream_that_repeats_its_parameter_sets_is_left_as_it_is() {
        let unit = [SETS, &[0, 0, 0, 1, 0x65, 9]].concat();
        assert_eq!(Parameters::from_avcc(AVCC).unwrap().unit(&unit), Some((unit, true)));
    }

    #[test]
    fn parameter_sets_from_the_session_come_after_the_delimiter() {
        let parameters = Parameters::from_avcc(AVCC).unwrap();
        let (unit, _) = parameters.unit(&[0, 0, 1, 9, 0xF0, 0, 0, 1, 0x65, 9, 0, 0]).unwrap();
        assert_eq!(unit, [&[0, 0, 0, 1, 9, 0xF0], SETS, &[0, 0, 0, 1, 0x65, 9]].concat());
    }

    #[test]
    fn cut_bytes_are_refused_and_never_break_anything() {
        let parameters = Parameters::from_avcc(AVCC).unwrap();
        let packet = [0, 0, 0, 2, 0x65, 9, 0, 0, 0, 1, 0x65];
        for end in 0..packet.len() {
            let whole = end == 6;
            assert_eq!(parameters.unit(&packet[..end]).is_some(), whole, "cut after {end}");
        }
        for end in 0..AVCC.len() {
            assert_eq!(Parameters::from_avcc(&AVCC[..end]), None, "cut after {end}");
        }
        let head = [&[0, 0, 0, 24], b"avcC".as_slice(), AVCC].concat();
        assert_eq!(find_avcc(&head), Some(AVCC));
        assert!((0..head.len()).all(|end| find_avcc(&head[..end]).is_none()));
    }
}
