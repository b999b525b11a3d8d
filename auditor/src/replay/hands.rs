//! The hands on the table one after the other, in the order in which they are played.

use table::{BoxNo, Hand, Place};

use super::{BoxState, Boxes, BoxesIter, HandState};

/// The players' hands in the order in which they are played. Nearly every check walks along them.
#[derive(Clone, Debug)]
pub struct Hands<'t> {
    layout: &'t [BoxState; BoxNo::MOST as usize],
    /// Boxes still to come.
    boxes: BoxesIter,
    /// The box walked along, and how many of its hands were passed.
    on: Option<(BoxNo, usize)>,
}

impl<'t> Hands<'t> {
    pub(super) const fn of(layout: &'t [BoxState; BoxNo::MOST as usize], dealt: Boxes) -> Self {
        Self { layout, boxes: dealt.iter(), on: None }
    }
}

impl<'t> Iterator for Hands<'t> {
    type Item = (Place, &'t HandState);

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        loop {
            let (box_no, passed) = match self.on {
                Some(on) => on,
                None => (self.boxes.next()?, 0),
            };
            let state = &self.layout[usize::from(box_no.number() - 1)];
            let Some(letter) = state.order.get(passed) else {
                self.on = None;
                continue;
            };
            self.on = Some((box_no, passed + 1));
            if let (Some(hand), Some(state)) = (Hand::new(*letter), state.hands.get(usize::from(*letter))) {
                return Some((Place::Box(box_no, hand), state));
            }
        }
    }
}
