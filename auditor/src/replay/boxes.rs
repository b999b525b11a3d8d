//! Sets of boxes.

use table::BoxNo;

/// A set of boxes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Boxes(u16);

impl Boxes {
    /// Whether a box is in it.
    pub const fn has(self, box_no: BoxNo) -> bool {
        self.0 & (1 << box_no.number()) != 0
    }

    /// Puts a box in.
    pub const fn add(&mut self, box_no: BoxNo) {
        self.0 |= 1 << box_no.number();
    }

    /// Takes a box out.
    pub const fn remove(&mut self, box_no: BoxNo) {
        self.0 &= !(1 << box_no.number());
    }

    /// Whether there is none.
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many there are.
    pub const fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// Those that are not in another set.
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Its boxes, first to last.
    pub const fn iter(self) -> BoxesIter {
        BoxesIter(self.0)
    }
}

impl FromIterator<BoxNo> for Boxes {
    fn from_iter<I: IntoIterator<Item = BoxNo>>(boxes: I) -> Self {
        let mut set = Self::default();
        boxes.into_iter().for_each(|box_no| set.add(box_no));
        set
    }
}

/// The boxes of a set that are still to be named, from either end.
#[derive(Clone, Debug)]
pub struct BoxesIter(u16);

impl BoxesIter {
    fn take(&mut self, number: u32) -> Option<BoxNo> {
        self.0 &= !(1u16.checked_shl(number)?);
        BoxNo::new(u8::try_from(number).ok()?)
    }
}

impl Iterator for BoxesIter {
    type Item = BoxNo;

    fn next(&mut self) -> Option<BoxNo> {
        self.take(self.0.trailing_zeros())
    }
}

impl DoubleEndedIterator for BoxesIter {
    fn next_back(&mut self) -> Option<BoxNo> {
        self.take(u16::BITS.wrapping_sub(1).wrapping_sub(self.0.leading_zeros()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_names_its_boxes_from_either_end() {
        let boxes: Boxes = [9, 2, 5, 2].into_iter().filter_map(BoxNo::new).collect();
        let numbers = |boxes: &mut dyn Iterator<Item = BoxNo>| boxes.map(BoxNo::number).collect::<Vec<_>>();
        assert_eq!(numbers(&mut boxes.iter()), [2, 5, 9]);
        assert_eq!(numbers(&mut boxes.iter().rev()), [9, 5, 2]);
        assert_eq!(boxes.len(), 3);
        let mut both = boxes.iter();
        assert_eq!((both.next().map(BoxNo::number), both.next_back().map(BoxNo::number)), (Some(2), Some(9)));
        assert_eq!(numbers(&mut both), [5]);
        assert_eq!(Boxes::default().iter().next_back(), None);
    }
}
