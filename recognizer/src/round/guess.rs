//! One reading of a round's cards: which card lies where, and what happened to each.

use table::{BoxNo, Card, CardAt, EventId, Face, Grammar, Hand, Place, Turn};

use super::beam::{Draw, Sight};

/// A card passes the shoe's eye about this long before it lies on the table, in microseconds.
const LEAD: i64 = 500_000;

/// A card put to a hand.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Laid {
    /// Which draw it is.
    pub(super) draw: Option<usize>,
    /// The sightings of it.
    pub(super) sights: Vec<usize>,
    pub(super) place: Place,
    pub(super) position: u8,
    /// Where the camera has it.
    pub(super) seen: Option<CardAt>,
    pub(super) face: Face,
    /// How it lay when it came.
    pub(super) came: Face,
    pub(super) turn: Turn,
    pub(super) at: i64,
    /// The cameras that have it in sight, a bit each.
    pub(super) watched: u32,
    /// The cameras that saw it leave, a bit each.
    pub(super) left_by: u32,
    /// Where cameras have it that count the cards of its hand in another order.
    pub(super) counted: Vec<(u32, CardAt)>,
    pub(super) gone: bool,
    left_at: i64,
    /// The draw before which it left the shoe, if the shoe says that it lost something there.
    pub(super) in_gap: Option<usize>,
}

impl Laid {
    /// A camera sees it, whatever it saw before.
    pub(super) fn is_in_sight_of(&mut self, camera: u32) {
        self.watched |= camera;
        self.left_by &= !camera;
        self.counted.retain(|(of, _)| *of != camera);
    }
}

/// Something that happened to a card.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Happening {
    /// It came to a hand.
    Laid(usize),
    /// It was turned up.
    Turned(usize),
    /// It was turned sideways.
    Sideways(usize),
    /// It left the table.
    Gone(usize),
    /// It came from another hand.
    Moved(usize, Place),
    /// This draw lies about.
    Loose(usize),
}

/// One reading.
#[derive(Clone, Debug, Default)]
pub(super) struct Guess {
    /// The logarithm of how likely it is.
    pub(super) score: f64,
    pub(super) laid: Vec<Laid>,
    /// What happened, when, and the event that shows it.
    pub(super) log: Vec<(i64, Option<EventId>, Happening)>,
    /// Draws not seen on the table yet.
    pub(super) pending: Vec<usize>,
    /// Draws that lie about.
    pub(super) loose: Vec<usize>,
    /// Sightings of nothing.
    pub(super) phantoms: Vec<CardAt>,
    /// Cards that the shoe may have missed, and the draw before which it noticed.
    pub(super) gap: u32,
    pub(super) gap_before: usize,
}

impl Guess {
    /// Whether two readings agree on what lies where, so that nothing later can tell them apart.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        self.pending == other.pending
            && self.loose == other.loose
            && self.phantoms.len() == other.phantoms.len()
            && self.laid == other.laid
    }

    /// The card that the camera has at this spot, or one that lies there and that it counted wrong when it came.
    pub(super) fn at(&self, spot: CardAt) -> Option<usize> {
        let lies = |laid: &Laid| (laid.place, laid.position) == (spot.place, spot.position.get());
        let is = |laid: &Laid| match laid.seen {
            Some(seen) => (seen.place, seen.position) == (spot.place, spot.position),
            None => lies(laid),
        };
        let here = self.laid.iter().rposition(|laid| !laid.gone && is(laid));
        here.or_else(|| self.laid.iter().rposition(|laid| !laid.gone && lies(laid)))
    }

    /// When something first happened.
    pub(super) fn when(&self, of: Happening) -> Option<i64> {
        self.log.iter().find(|(.., happening)| *happening == of).map(|(at, ..)| *at)
    }

    /// When a card was first moved, and from which hand.
    pub(super) fn first_move(&self, piece: usize) -> Option<(i64, Place)> {
        self.log.iter().find_map(|(at, _, happening)| match happening {
            Happening::Moved(other, from) if *other == piece => Some((*at, *from)),
            _ => None,
        })
    }

    /// The card that this camera has at a spot where it lies by no other's count.
    pub(super) fn counted_by(&self, camera: u32, spot: CardAt) -> Option<usize> {
        let here = |(of, at): &(u32, CardAt)| (*of, at.place, at.position) == (camera, spot.place, spot.position);
        self.laid.iter().rposition(|laid| !laid.gone && laid.counted.iter().any(here))
    }

    /// Cards that left their place after this time and went nowhere yet.
    pub(super) fn in_hand(&self, since: i64) -> Vec<usize> {
        let moving = |laid: &Laid| laid.gone && laid.left_at >= since;
        (0..self.laid.len()).filter(|piece| moving(&self.laid[*piece])).collect()
    }

    /// Cards that may just be parting from their hand, where one is seen as the first of another hand of its box.
    pub(super) fn parting(&self, to: CardAt) -> Option<usize> {
        let Place::Box(box_no, hand) = to.place else { return None };
        let opens = hand != Hand::A && to.position.get() == 1 && self.of(to.place).next().is_none();
        let of_box = |laid: &Laid| matches!(laid.place, Place::Box(other, _) if other == box_no);
        let second = |laid: &Laid| !laid.gone && laid.position == 2 && of_box(laid);
        self.laid.iter().rposition(second).filter(|_| opens)
    }

    /// Whether a card that left the shoe later lies on the table already.
    pub(super) fn is_overtaken(&self, draw: usize) -> bool {
        self.laid.iter().any(|laid| laid.draw > Some(draw))
    }

    /// What lay on the table when this draw left the shoe, for a card that is seen only now.
    pub(super) fn when_drawn(&self, number: usize, draw: &Draw) -> Self {
        let before = |laid: &&Laid| laid.draw.map_or(laid.at <= draw.at, |other| other < number);
        Self { laid: self.laid.iter().filter(before).cloned().collect(), ..Self::default() }
    }

    /// A position that a camera left free when it saw a card lie beyond it, after this time: one lies there unseen.
    pub(super) fn left_free(&self, since: i64) -> Option<(Place, u8)> {
        let beyond = |laid: &&Laid| laid.at >= since && !laid.gone && laid.position > 1;
        let free = |laid: &Laid| {
            let before = laid.position - 1;
            // One that lay there and was exchanged had gone by then.
            let lay = |other: &Laid| !other.gone || other.left_at > laid.at;
            let taken =
                self.laid.iter().any(|other| other.place == laid.place && other.position == before && lay(other));
            (!taken).then_some((laid.place, before))
        };
        self.laid.iter().filter(beyond).find_map(free)
    }

    /// The same reading if the card that has just left its hand, since this time, opened another hand of its box and nobody saw it
    /// there; none if nothing left, or if that hand has cards.
    pub(super) fn parted_unseen(&self, opened: CardAt, since: i64) -> Option<Self> {
        let Place::Box(box_no, hand) = opened.place else { return None };
        let opens = hand != Hand::A && opened.position.get() == 2 && self.of(opened.place).next().is_none();
        let left = |laid: &Laid| laid.gone && laid.left_at >= since && laid.place.box_no() == Some(box_no);
        let piece = self.laid.iter().rposition(left).filter(|_| opens)?;
        let mut parted = self.clone();
        let (from, at) = (parted.laid[piece].place, parted.laid[piece].left_at);
        let laid = &mut parted.laid[piece];
        (laid.place, laid.position, laid.seen) = (opened.place, 1, None);
        (laid.gone, laid.watched) = (false, 0);
        parted.log.retain(|(_, _, happening)| *happening != Happening::Gone(piece));
        parted.log.push((at, None, Happening::Moved(piece, from)));
        Some(parted)
    }

    /// Cards laid after this time of which the shoe said nothing.
    pub(super) fn without_draw(&self, since: i64) -> Vec<usize> {
        let untold = |laid: &Laid| laid.draw.is_none() && laid.at >= since;
        (0..self.laid.len()).filter(|piece| untold(&self.laid[*piece])).collect()
    }

    /// The position of the next card of a hand.
    pub(super) fn next_position(&self, place: Place) -> u8 {
        self.of(place).map(|laid| laid.position).max().unwrap_or(0).saturating_add(1)
    }

    /// A card of the hand at this spot that no camera has seen so far, where the camera has it in another position than it was laid:
    /// a camera numbers cards as it sees them.
    pub(super) fn unseen_until_now(&self, spot: CardAt) -> Option<usize> {
        let unseen = |laid: &Laid| !laid.gone && laid.place == spot.place && laid.sights.is_empty();
        self.laid.iter().position(|laid| unseen(laid) && laid.position != spot.position.get())
    }

    /// Cards of the hand at this spot that lie face down in other positions: one that is turned up may be counted wrong.
    pub(super) fn lie_down_beside(&self, spot: CardAt) -> Vec<usize> {
        let here = self.at(spot);
        let down = |laid: &Laid| !laid.gone && laid.place == spot.place && laid.face == Face::Down;
        let is = |piece: &usize| down(&self.laid[*piece]) && !self.laid[*piece].sights.is_empty();
        (0..self.laid.len()).filter(|piece| spot.face == Face::Up && Some(*piece) != here && is(piece)).collect()
    }

    /// How many cards lie in a hand that no camera has seen.
    pub(super) fn unseen_in(&self, place: Place) -> u8 {
        u8::try_from(self.of(place).filter(|laid| laid.sights.is_empty()).count()).unwrap_or(u8::MAX)
    }

    /// Lays a card that was seen.
    pub(super) fn lay(&mut self, sight: &Sight, number: usize, draw: Option<usize>, to: (Place, u8)) -> usize {
        let piece = self.laid.len();
        let (place, position) = to;
        self.laid.push(Laid {
            draw,
            sights: vec![number],
            place,
            position,
            seen: Some(sight.spot),
            face: sight.spot.face,
            came: sight.spot.face,
            turn: sight.spot.turn,
            at: sight.at,
            watched: sight.camera,
            left_by: 0,
            counted: Vec::new(),
            gone: false,
            left_at: 0,
            in_gap: Some(self.gap_before).filter(|_| draw.is_none() && self.gap > 0),
        });
        self.log.push((sight.at, Some(sight.id), Happening::Laid(piece)));
        piece
    }

    /// Lays a card that nobody saw on the table.
    pub(super) fn lay_unseen(&mut self, draw: &Draw, number: usize, (place, position): (Place, u8), face: Face) {
        let piece = self.laid.len();
        let at = draw.at.saturating_add(LEAD);
        let (turn, draw) = (Turn::Upright, Some(number));
        let (sights, seen, gone, left_at, in_gap) = (Vec::new(), None, false, 0, None);
        let (watched, left_by, counted) = (0, 0, Vec::new());
        let came = face;
        self.laid.push(Laid {
            draw,
            sights,
            place,
            position,
            seen,
            face,
            came,
            turn,
            at,
            watched,
            left_by,
            counted,
            gone,
            left_at,
            in_gap,
        });
        self.log.push((at, None, Happening::Laid(piece)));
    }

    /// Whether a card of the initial deal comes face down to a box, as most of those do that were seen.
    pub(super) fn comes_down(&self, place: Place, position: u8) -> bool {
        let first = |place: Place, position: u8| matches!(place, Place::Box(_, Hand::A)) && position <= 2;
        let seen = |laid: &&Laid| first(laid.place, laid.position) && !laid.sights.is_empty();
        let (down, up): (Vec<&Laid>, Vec<&Laid>) =
            self.laid.iter().filter(seen).partition(|laid| laid.came == Face::Down);
        first(place, position) && down.len() > up.len()
    }

    /// A card that left the shoe lies about.
    pub(super) fn lie_about(&mut self, draw: &Draw, number: usize) {
        self.loose.push(number);
        self.log.push((draw.at, Some(draw.id), Happening::Loose(number)));
    }

    /// Puts a card that was taken from one hand to another.
    pub(super) fn put(&mut self, piece: usize, sight: &Sight) {
        let (laid, spot) = (&mut self.laid[piece], sight.spot);
        (laid.watched, laid.left_by, laid.counted) = (sight.camera, 0, Vec::new());
        (laid.place, laid.position, laid.seen) = (spot.place, spot.position.get(), Some(spot));
        (laid.face, laid.turn, laid.gone) = (spot.face, spot.turn, false);
        // It did not leave the table after all.
        let left = self.log.iter().rposition(|(_, _, happening)| *happening == Happening::Gone(piece));
        left.map(|left| self.log.remove(left));
    }

    /// A camera saw a card leave its place. It is gone when no camera has it in sight any more.
    pub(super) fn left(&mut self, at: i64, id: EventId, spot: CardAt, camera: u32) {
        if let Some(piece) = self.counted_by(camera, spot).or_else(|| self.at(spot)) {
            self.laid[piece].watched &= !camera;
            self.laid[piece].left_by |= camera;
            let place = self.laid[piece].place;
            if self.laid[piece].watched != 0 {
                return;
            }
            self.goes(piece, at, id);
            // A card that no camera saw come there goes with the last that one did, and so does one that only some saw leave.
            let unwatched = |laid: &Laid| laid.watched == 0 || laid.left_by != 0;
            if self.of(place).all(unwatched) {
                let of_hand = |laid: &Laid| !laid.gone && laid.place == place && !laid.sights.is_empty();
                let rest: Vec<usize> = (0..self.laid.len()).filter(|rest| of_hand(&self.laid[*rest])).collect();
                rest.into_iter().for_each(|rest| self.goes(rest, at, id));
            }
        } else if let Some(without) = self.without_phantom(spot) {
            *self = without;
        } else {
            self.score -= 1.0;
        }
    }

    /// How many backs that were none a camera counted in a hand before this spot.
    pub(super) fn backs_made_up(&self, spot: CardAt) -> u8 {
        let below = |phantom: &&CardAt| {
            phantom.face == Face::Down && phantom.place == spot.place && phantom.position < spot.position
        };
        u8::try_from(self.phantoms.iter().filter(below).count()).unwrap_or(u8::MAX).min(spot.position.get() - 1)
    }

    /// The same reading if what left this spot was a sighting of nothing; none if there was none.
    pub(super) fn without_phantom(&self, spot: CardAt) -> Option<Self> {
        let here = |phantom: &CardAt| (phantom.place, phantom.position) == (spot.place, spot.position);
        let phantom = self.phantoms.iter().position(here)?;
        let mut without = self.clone();
        without.phantoms.remove(phantom);
        Some(without)
    }

    /// No camera has a card in sight: whatever seems to lie there is gone. Gives how many seemed to.
    pub(super) fn clear(&mut self, at: i64, id: EventId) -> usize {
        let lies = |laid: &Laid| !laid.gone && !laid.sights.is_empty();
        let lie: Vec<usize> = (0..self.laid.len()).filter(|piece| lies(&self.laid[*piece])).collect();
        lie.iter().for_each(|piece| self.goes(*piece, at, id));
        lie.len()
    }

    fn goes(&mut self, piece: usize, at: i64, id: EventId) {
        self.laid[piece].gone = true;
        self.laid[piece].left_at = at;
        self.log.push((at, Some(id), Happening::Gone(piece)));
    }

    /// A camera sees nothing any more: the others know what lies there.
    pub(super) fn blinded(&mut self, camera: u32) {
        let by_others = |laid: &&mut Laid| laid.watched & !camera != 0;
        self.laid.iter_mut().filter(by_others).for_each(|laid| laid.watched &= !camera);
    }

    fn of(&self, place: Place) -> impl Iterator<Item = &Laid> {
        self.laid.iter().filter(move |laid| laid.place == place && !laid.gone)
    }

    /// How many cards a hand got, those among them that lie below one that was seen and that nobody saw themselves.
    fn dealt(&self, place: Place) -> usize {
        let of_hand = || self.laid.iter().filter(|laid| laid.place == place);
        of_hand().count().max(of_hand().map(|laid| usize::from(laid.position)).max().unwrap_or(0))
    }

    /// Where the last card went.
    pub(super) fn last_place(&self) -> Option<Place> {
        self.laid.last().map(|laid| laid.place)
    }

    /// Who is next in the initial deal; nobody once it is over, or if nobody is known to play.
    pub(super) fn next_in_deal(&self, wagered: &[BoxNo], hole_card: bool) -> Option<Place> {
        let dealt = |place: Place| self.dealt(place);
        // Whom the dealer has passed over is not next any more; nor is a box that was left out of the first cards among the second.
        let box_short = |count: usize| {
            let boxes = wagered.iter().map(|box_no| Place::Box(*box_no, Hand::A));
            let hands: Vec<Place> = boxes.filter(|place| dealt(*place) + 1 >= count).collect();
            let served = hands.iter().rposition(|place| dealt(*place) >= count).map_or(0, |last| last + 1);
            hands.into_iter().skip(served).find(|place| dealt(*place) < count)
        };
        let play_began = self.laid.iter().any(|laid| match laid.place {
            Place::Box(_, hand) => hand != Hand::A || laid.position > 2,
            Place::Dealer => laid.position > 1 && !hole_card,
        });
        if wagered.is_empty() || play_began {
            return None;
        }
        let dealer = dealt(Place::Dealer);
        let hole = || (hole_card && dealer < 2).then_some(Place::Dealer);
        let first = || box_short(1).unwrap_or(Place::Dealer);
        (dealer == 0).then(first).or_else(|| box_short(2)).or_else(hole)
    }

    /// Whether a box was passed over in the initial deal and may still get its card.
    pub(super) fn is_owed(&self, place: Place, wagered: &[BoxNo]) -> bool {
        let dealt = |place: Place| self.dealt(place);
        let Place::Box(box_no, Hand::A) = place else { return false };
        let later = wagered.iter().filter(|other| **other > box_no).map(|other| Place::Box(*other, Hand::A));
        wagered.contains(&box_no) && later.chain([Place::Dealer]).map(dealt).any(|cards| cards.min(2) > dealt(place))
    }

    /// The hands that may still get cards, and the dealer's.
    pub(super) fn open_hands(&self, grammar: &Grammar, face: impl Fn(&Laid) -> Card) -> Vec<Place> {
        let mut places: Vec<Place> = self.laid.iter().filter(|laid| !laid.gone).map(|laid| laid.place).collect();
        places.sort_unstable();
        places.dedup();
        let cards = |place: Place| self.of(place).map(&face).collect::<Vec<_>>();
        places.retain(|place| match place {
            Place::Dealer => grammar.dealer_draws(&cards(*place)),
            Place::Box(box_no, hand) => {
                let split = *hand != Hand::A
                    || self.laid.iter().any(
                        |laid| matches!(laid.place, Place::Box(other, hand) if other == *box_no && hand != Hand::A),
                    );
                let sideways = self.of(*place).any(|laid| laid.turn == Turn::Sideways);
                !sideways && !grammar.is_full(&cards(*place), split)
            }
        });
        places
    }
}
