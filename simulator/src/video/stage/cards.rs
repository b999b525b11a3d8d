//! What happens to cards: dealt, turned, moved, tucked, laid about, put away.

use std::f32::consts::FRAC_PI_2;
use std::num::NonZeroU8;

use table::{BoxNo, Card, CardAt, Face, Place, Turn, Wager};

use super::super::scene::{Point, Pose};
use super::arms::{Actor, Manner};
use super::felt::{CARRY, Felt, Laid, When};
use super::track::{Item, Lie, Micros};

/// How high a card is carried.
const CARRIED: f32 = 60.0;
/// How high a card rises that is turned over where it lies.
const TURNED: f32 = 35.0;

impl Felt {
    /// A card comes to a hand, from the shoe or from where it lay about.
    pub(super) fn deal(&mut self, step: usize, to: Place, (card, face, turn): (Card, Face, Turn), when: When) {
        let when = self.clear_zapped(to, when);
        let window = when.lasting(CARRY);
        self.make_room(to, window);
        let position = self.hands.get(&to).map_or(0, Vec::len);
        let askew = self.askew();
        let put = self.pose(to, position, turn, askew).at;
        let (id, moving) = self.bring(step, card, window, put);
        let laid = Laid { id, turn, askew };
        self.hands.entry(to).or_default().push(laid);
        let mut lie = self.lie(to, position, laid, face == Face::Up);
        lie.order = self.order_in(to, face);
        self.go(id, moving, lie, CARRIED);
    }

    /// Cards that were to be exchanged and still lie there go to the rack before new ones come, for which what is left of
    /// the time remains.
    fn clear_zapped(&mut self, place: Place, when: When) -> When {
        if !self.zapped.remove(&place) || self.hands.get(&place).is_none_or(Vec::is_empty) {
            return when;
        }
        let (from, until) = when.lasting(2 * CARRY);
        let half = from + (until - from) / 2;
        self.collect(&[place], When { at: half, ..when });
        When { from: half, ..when }
    }

    /// A later card lies on the earlier ones, but the dealer's hole card is slid below the card that is up.
    fn order_in(&self, to: Place, face: Face) -> i64 {
        let first = self.hands.get(&to).and_then(|hand| hand.first()).and_then(|first| self.lies(first.id));
        match first.filter(|first| to == Place::Dealer && face == Face::Down && first.up) {
            Some(first) => first.order - 1,
            None => self.on_top(),
        }
    }

    /// The dealer fetches the card that a step speaks of: which thing it is, and when it is in the dealer's hand.
    fn bring(&mut self, step: usize, card: Card, window: (Micros, Micros), put: Point) -> (u32, (Micros, Micros)) {
        if let Some(id) = self.lying_about(step, card) {
            let take = self.lies(id).map_or_else(|| self.geometry.mouth(), |lie| lie.pose.at);
            let moving = self.carry(Actor::Dealer, window, (take, put));
            if let Some(track) = self.tracks.get_mut(&id).filter(|_| card.is_known()) {
                track.reveal(card);
            }
            return (id, moving);
        }
        let face = if card.is_known() { card } else { self.drawn.get(&step).copied().unwrap_or(card) };
        let shoe = self.geometry.shoe().pose;
        let mouth = Pose { at: self.geometry.mouth(), turn: shoe.turn, lift: 15.0 };
        let moving = self.carry(Actor::Dealer, window, (mouth.at, put));
        let first = Lie { order: self.on_top(), ..Lie::back(mouth, face) };
        let id = self.add(Item::Card, first, moving.0);
        let left = self.shoe.last().saturating_sub(1);
        self.shoe.set(moving.0, left);
        (id, moving)
    }

    /// The card lying about that a step speaks of, unless the step's card comes from the shoe.
    fn lying_about(&mut self, step: usize, card: Card) -> Option<u32> {
        if self.drawn.contains_key(&step) {
            return None;
        }
        let known = |id: &u32| self.lies(*id).map(|lie| lie.card);
        let same = self.loose.iter().rposition(|id| known(id) == Some(card));
        let unsure = |id: &u32| !card.is_known() || known(id).is_some_and(|known| !known.is_known());
        let at = same.or_else(|| self.loose.iter().rposition(unsure))?;
        Some(self.loose.remove(at))
    }

    /// A card leaves the shoe and lies about, up or down; one that lies about already is only turned.
    pub(super) fn lay_about(&mut self, step: usize, card: Card, up: bool, odd: f64, when: When) {
        if !self.drawn.is_empty() && !self.drawn.contains_key(&step) && self.show(card, up, when) {
            return;
        }
        let at = self.geometry.loose(self.loose.len());
        let turn = self.dice.between(-odd, odd) as f32;
        let (id, moving) = self.bring(step, card, when.lasting(CARRY), at);
        let Some(last) = self.lies(id) else { return };
        let order = self.on_top();
        self.go(id, moving, Lie { pose: Pose { at, turn, lift: 0.0 }, up, at: None, order, ..last }, CARRIED);
        self.loose.push(id);
    }

    /// Shows a card that is on the table: one lying about is turned, one in a hand is pointed at.
    fn show(&mut self, card: Card, up: bool, when: When) -> bool {
        let Some(id) = self.find(card) else { return false };
        let Some(last) = self.lies(id) else { return false };
        if self.loose.contains(&id) && last.up != up {
            let moving = self.carry(Actor::Dealer, when.lasting(CARRY), (last.pose.at, last.pose.at));
            self.go(id, moving, Lie { up, ..last }, TURNED);
        } else {
            self.gesture(Actor::Dealer, last.pose.at, Manner::Points, when);
        }
        true
    }

    /// A card on the table with this face: the last of those lying about, or else of those to be exchanged, or else of
    /// those in a hand.
    fn find(&self, card: Card) -> Option<u32> {
        let is = |id: &u32| self.lies(*id).is_some_and(|lie| lie.card == card);
        let zapped = self.hands.iter().filter(|(place, _)| self.zapped.contains(place)).flat_map(|(_, hand)| hand);
        let in_hands = self.hands.values().flatten().chain(zapped).map(|laid| laid.id);
        in_hands.chain(self.loose.iter().copied()).rev().find(is)
    }

    /// A single card goes to the rack: one lying about, one of a hand, or else the next of the shoe.
    pub(super) fn discard(&mut self, step: usize, card: Card, when: When) {
        let in_a_hand = !self.loose.iter().any(|id| self.lies(*id).is_some_and(|lie| lie.card == card))
            && !self.drawn.contains_key(&step);
        let found = self.find(card).filter(|_| in_a_hand && card.is_known());
        let rack = self.geometry.rack().pose;
        if let Some(id) = found {
            let from = self.hands.iter().find(|(_, hand)| hand.iter().any(|laid| laid.id == id));
            let from = from.map(|(place, _)| *place);
            self.hands.values_mut().for_each(|hand| hand.retain(|laid| laid.id != id));
            let take = self.lies(id).map_or(rack.at, |lie| lie.pose.at);
            let moving = self.carry(Actor::Dealer, when.lasting(CARRY), (take, rack.at));
            self.rack_up(&[id], moving);
            return from.into_iter().for_each(|place| self.settle(place, moving));
        }
        let (id, moving) = self.bring(step, card, when.lasting(CARRY), rack.at);
        self.rack_up(&[id], moving);
    }

    /// A damaged card is taken out of sight and a fresh one of the same face laid in its stead.
    pub(super) fn replace(&mut self, card: Card, when: When) {
        let Some((id, last)) = self.find(card).and_then(|id| Some((id, self.lies(id)?))) else {
            return self.gesture(Actor::Dealer, self.geometry.mouth(), Manner::Points, when);
        };
        let edge = Point { x: 400.0, y: -120.0 };
        let (from, until) = when.lasting(2 * CARRY);
        let half = from + (until - from) / 2;
        let off = self.carry(Actor::Dealer, (from, half), (last.pose.at, edge));
        self.go(id, off, Lie { pose: Pose { at: edge, ..last.pose }, at: None, ..last }, CARRIED);
        let back = self.carry(Actor::Dealer, (half, until), (edge, last.pose.at));
        self.go(id, back, last, CARRIED);
    }

    /// Turns a hand's first face-down card up.
    pub(super) fn turn_up(&mut self, place: Place, card: Card, when: When) {
        let hand = self.hands.get(&place).map(Vec::as_slice).unwrap_or_default();
        let down = || hand.iter().filter(|laid| self.lies(laid.id).is_some_and(|lie| !lie.up));
        // Where several lie face down, the one that has this face was turned.
        let same = down().find(|laid| self.lies(laid.id).is_some_and(|lie| lie.card == card));
        let Some(id) = same.or_else(|| down().next()).map(|laid| laid.id) else {
            let at = self.geometry.card_pose(place, 1, Turn::Upright, 1).at;
            return self.gesture(Actor::Dealer, at, Manner::Points, when);
        };
        if let Some(track) = self.tracks.get_mut(&id).filter(|_| card.is_known()) {
            track.reveal(card);
        }
        let Some(last) = self.lies(id) else { return };
        let moving = self.carry(Actor::Dealer, when.lasting(CARRY), (last.pose.at, last.pose.at));
        let card = if card.is_known() { card } else { last.card };
        let at = last.at.map(|at| CardAt { face: Face::Up, ..at });
        self.go(id, moving, Lie { card, up: true, at, order: self.on_top(), ..last }, TURNED);
    }

    /// Turns all cards of a hand sideways.
    pub(super) fn turn_sideways(&mut self, place: Place, when: When) {
        for laid in self.hands.get_mut(&place).into_iter().flatten() {
            laid.turn = Turn::Sideways;
        }
        let moving = self.handle(Actor::Dealer, place, when);
        self.settle(place, moving);
    }

    /// A player pushes a hand's cards below the chips.
    pub(super) fn tuck(&mut self, place: Place, when: When) {
        let Place::Box(box_no, _) = place else { return };
        self.tucked.insert(place);
        let moving = self.handle(Actor::Player(box_no, table::Bettor::SEATED), place, when);
        self.settle(place, moving);
    }

    /// Moves a card from one hand to another.
    pub(super) fn move_card(&mut self, card: Card, from: Place, to: Place, when: When) {
        let is = |laid: &Laid| self.lies(laid.id).is_some_and(|lie| lie.card == card);
        let found = self.hands.get(&from).and_then(|hand| hand.iter().rposition(is));
        let Some(laid) = found.and_then(|at| Some(self.hands.get_mut(&from)?.remove(at))) else {
            let at = self.geometry.card_pose(from, 1, Turn::Upright, 1).at;
            return self.gesture(Actor::Dealer, at, Manner::Points, when);
        };
        self.make_room(to, when.lasting(CARRY));
        let hand = self.hands.entry(to).or_default();
        let position = hand.len();
        hand.push(laid);
        let up = self.lies(laid.id).is_none_or(|lie| lie.up);
        let lie = Lie { order: self.on_top(), ..self.lie(to, position, laid, up) };
        let take = self.lies(laid.id).map_or(lie.pose.at, |last| last.pose.at);
        let moving = self.carry(Actor::Dealer, when.lasting(CARRY), (take, lie.pose.at));
        self.go(laid.id, moving, lie, CARRIED);
        self.settle(from, moving);
    }

    /// Opens a hand beside another with all its cards but the first.
    pub(super) fn open_hand(&mut self, from: Place, to: Place, when: When) {
        let moved = match self.hands.get_mut(&from) {
            Some(cards) if cards.len() > 1 => cards.split_off(1),
            _ => return,
        };
        self.hands.entry(to).or_default().extend(moved);
        self.is_new(to);
        let moving = self.handle(Actor::Dealer, to, when);
        self.settle_box(to, moving);
    }

    /// Puts hands, and with them everything of theirs, into the rack.
    pub(super) fn collect(&mut self, places: &[Place], when: When) {
        let hands = places.iter().filter_map(|place| self.hands.remove(place));
        let ids: Vec<u32> = hands.flatten().map(|laid| laid.id).collect();
        self.sweep(&ids, when);
        for place in places {
            self.tucked.remove(place);
        }
    }

    /// Puts cards into the rack with one hand.
    pub(super) fn sweep(&mut self, ids: &[u32], when: When) {
        let Some(first) = ids.first().and_then(|id| self.lies(*id)) else { return };
        let rack = self.geometry.rack().pose.at;
        let moving = self.carry(Actor::Dealer, when.lasting(CARRY), (first.pose.at, rack));
        self.rack_up(ids, moving);
    }

    fn rack_up(&mut self, ids: &[u32], moving: (Micros, Micros)) {
        let rack = self.geometry.rack().pose;
        self.away(ids, moving, Pose { turn: FRAC_PI_2, ..rack });
        let cards = self.rack.last().saturating_add(ids.len());
        self.rack.set(moving.1, cards);
    }

    /// Notes that a box has this hand too, if it is a new one.
    fn is_new(&mut self, place: Place) -> bool {
        let Place::Box(box_no, hand) = place else { return false };
        let needed = hand.index() as u8 + 1;
        let opened = self.opened.entry(box_no).or_insert(1);
        let more = needed > *opened;
        *opened = needed.max(*opened);
        more
    }

    /// Moves the hands of a box together if this one needs a place beside them.
    fn make_room(&mut self, place: Place, moving: (Micros, Micros)) {
        if self.is_new(place) {
            self.settle_box(place, moving);
        }
    }

    /// Slides the cards of all hands of a box to where they now belong.
    fn settle_box(&mut self, place: Place, moving: (Micros, Micros)) {
        let others: Vec<Place> = self.hands.keys().copied().filter(|other| other.box_no() == place.box_no()).collect();
        for other in others {
            self.settle(other, moving);
        }
    }

    /// Sends a hand to the cards of a place.
    fn handle(&mut self, who: Actor, place: Place, when: When) -> (Micros, Micros) {
        let first = self.hands.get(&place).and_then(|hand| hand.first()).copied();
        let take = first.and_then(|first| Some(self.lies(first.id)?.pose.at));
        let put = first.map(|first| self.pose(place, 0, first.turn, first.askew).at);
        let there = self.geometry.card_pose(place, 1, Turn::Upright, 1).at;
        let (take, put) = (take.unwrap_or(there), put.unwrap_or(there));
        self.carry(who, when.lasting(CARRY), (take, put))
    }

    /// Slides the cards of a hand to where they now belong.
    fn settle(&mut self, place: Place, moving: (Micros, Micros)) {
        let hand = self.hands.get(&place).cloned().unwrap_or_default();
        for (position, laid) in hand.into_iter().enumerate() {
            let Some(last) = self.lies(laid.id) else { continue };
            let lie = Lie { order: last.order, card: last.card, ..self.lie(place, position, laid, last.up) };
            if lie.pose != last.pose || lie.at != last.at {
                self.go(laid.id, moving, lie, 0.0);
            }
        }
    }

    /// How a card of a hand lies.
    fn lie(&self, place: Place, position: usize, laid: Laid, up: bool) -> Lie {
        let face = if up { Face::Up } else { Face::Down };
        let number = u8::try_from(position + 1).ok().and_then(NonZeroU8::new).unwrap_or(NonZeroU8::MAX);
        let at = Some(CardAt { place, position: number, face, turn: laid.turn });
        let card = self.lies(laid.id).map_or(Card::HIDDEN, |last| last.card);
        Lie { pose: self.pose(place, position, laid.turn, laid.askew), card, up, at, order: 0 }
    }

    fn pose(&self, place: Place, position: usize, turn: Turn, askew: Pose) -> Pose {
        let hands = place.box_no().and_then(|box_no| self.opened.get(&box_no)).copied().unwrap_or(1);
        let position = u8::try_from(position + 1).unwrap_or(u8::MAX);
        let meant = self.geometry.card_pose(place, position, turn, hands);
        let (x, y) = if self.tucked.contains(&place) { self.below_the_chips(place) } else { (0.0, 0.0) };
        let at = Point { x: meant.at.x + askew.at.x + x, y: meant.at.y + askew.at.y + y };
        Pose { at, turn: meant.turn + askew.turn, lift: 0.0 }
    }

    /// How far the cards of a hand have to go to lie below its chips.
    fn below_the_chips(&self, place: Place) -> (f32, f32) {
        const MOST_OF_THE_WAY: f32 = 0.7;
        let Place::Box(box_no, hand) = place else { return (0.0, 0.0) };
        let chips = self.geometry.betting_spot(&Wager::on(box_no, hand));
        let cards = self.geometry.card_pose(place, 1, Turn::Upright, 1).at;
        ((chips.x - cards.x) * MOST_OF_THE_WAY, (chips.y - cards.y) * MOST_OF_THE_WAY)
    }

    /// Where the cards of a box are, for somebody who points at them.
    pub(super) fn cards_of(&self, place: Place) -> Point {
        let last = self.hands.get(&place).and_then(|hand| hand.last()).and_then(|laid| self.lies(laid.id));
        last.map_or_else(|| self.geometry.card_pose(place, 1, Turn::Upright, 1).at, |lie| lie.pose.at)
    }

    /// Where the player of a box puts a finger to ask for a card: on the felt before the cards.
    pub(super) fn asking(&self, place: Place) -> Point {
        let Place::Box(box_no, hand) = place else { return self.cards_of(place) };
        let chips = self.geometry.betting_spot(&Wager::on(box_no, hand));
        super::track::on_the_way(chips, self.cards_of(place), 0.5)
    }

    /// Forgets how many hands there were on each box.
    pub(super) fn close_boxes(&mut self) {
        let in_use: Vec<BoxNo> = self.hands.keys().filter_map(|place| place.box_no()).collect();
        self.opened.retain(|box_no, _| in_use.contains(box_no));
    }
}
