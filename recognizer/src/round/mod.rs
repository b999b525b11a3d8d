//! From events to rounds.
//!
//! The shoe knows which card was drawn and when, the camera where it went, the chips what was staked and paid. A
//! [`Rebuilder`] takes one table's events as they come, keeps several readings of the round alive until later evidence
//! decides, and gives each round when it is over. It knows no law: what usually follows in a game comes in as a
//! [`Grammar`]. The same events give the same rounds, whenever they are read.

mod beam;
mod book;
pub mod exact;
mod faces;
mod guess;
mod narrate;
mod others;
mod rebuilt;
mod shoe;

use table::chips::Spot;
use table::event::{Drawn, Health};
use table::{Event, EventId, Fact, Game, Grammar, Ident, Limit, Source, SourceKind, Utc};

use beam::Beam;
use book::{Book, Did};
use narrate::Aside;
use shoe::ShoeWatch;

pub use rebuilt::{Other, Rebuilt};

/// How rounds are rebuilt.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Settings {
    /// How many readings of a round are kept side by side.
    pub width: usize,
    /// Whether what usually follows in the game is weighed.
    pub grammar: bool,
    /// Whether a round is told ahead of its end as well, once its last chip is off the layout: nothing that is paid or taken
    /// can change then, and whoever watches need not wait for the cards to be cleared away.
    pub ahead: bool,
}

impl Default for Settings {
    fn default() -> Self {
        Self { width: 24, grammar: true, ahead: false }
    }
}

/// What is played at a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Playing {
    /// The table's name.
    pub table: Ident,
    /// The game.
    pub game: Game,
    /// What its sign says.
    pub limits: Vec<Limit>,
    /// The shape of its rounds.
    pub grammar: Grammar,
    /// Whether a shuffling machine stands there. No device watches a shuffle; where there is a machine, it made it.
    pub shuffler: bool,
}

/// With no cards on the table a round is over after this, whatever chips still lie there, in microseconds.
const LINGER: i64 = 8_000_000;
/// Cards lie for at most this long after the last chip of their round, in microseconds.
const CLEARS_AWAY: i64 = 6_000_000;
/// Events of one round that are followed; what makes more is no round.
const MOST_EVENTS: usize = 20_000;

/// Cameras of one table that are told apart.
const MOST_CAMERAS: usize = 32;

/// Things done with the shoe that are kept for the next round.
const MOST_ASIDES: usize = 16;

/// Rebuilds one table's rounds.
pub struct Rebuilder {
    playing: Playing,
    settings: Settings,
    book: Book,
    beam: Beam,
    shoe: ShoeWatch,
    asides: Vec<(i64, EventId, Aside)>,
    /// When the first event of this round happened.
    began: Option<i64>,
    /// When the last card left the table, or the shoe said that the round is over.
    over: Option<i64>,
    /// How doubtful the camera's readings have been lately.
    doubt: f64,
    /// The cameras that have told of cards.
    cameras: Vec<Ident>,
    /// Sources that have spoken in this round.
    heard: Heard,
    /// When the latest event happened.
    last: i64,
    /// Whether the latest event happened before one that was known already.
    late: bool,
    /// When the round before was told.
    closed: i64,
    /// When a card was last seen to come.
    laid: i64,
    /// Up to when the round was last told ahead of its end.
    told_ahead: Option<i64>,
    events: usize,
    done: Vec<Rebuilt>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Heard {
    camera: bool,
    shoe: bool,
    /// The shoe said that the round is over.
    standby: bool,
    /// A source was lost or wrong for a time.
    trouble: bool,
    /// A camera's clock jumped: when its cards came and went is known to nobody.
    jumped: bool,
}

impl Rebuilder {
    /// A table at which nothing has happened yet.
    pub fn new(playing: Playing, settings: Settings) -> Self {
        Self::after_shoe(0, playing, settings)
    }

    /// The same at a table where so many shoes have been told of: the next has the number after them.
    pub fn after_shoe(shoes: u32, playing: Playing, settings: Settings) -> Self {
        let shoe = ShoeWatch::after(shoes, playing.grammar);
        let beam = Beam::new(shoe.prior(), playing.grammar, settings, false, 0.0);
        Self {
            playing,
            settings,
            book: Book::default(),
            beam,
            shoe,
            asides: Vec::new(),
            began: None,
            over: None,
            doubt: 0.0,
            cameras: Vec::new(),
            heard: Heard::default(),
            last: i64::MIN,
            late: false,
            closed: i64::MIN,
            laid: i64::MIN,
            told_ahead: None,
            events: 0,
            done: Vec::new(),
        }
    }

    /// Whether a round is being played, as far as is known by now.
    pub const fn in_round(&self) -> bool {
        self.began.is_some()
    }

    /// Takes the next event and gives the rounds that are over, and the one told ahead of its end if the settings ask for
    /// that. Events come in the order in which they happened; one that comes too late is taken for what it is worth.
    pub fn push(&mut self, event: &Event) -> Vec<Rebuilt> {
        self.take(event);
        std::mem::take(&mut self.done)
    }

    /// Nothing happened until now: gives the rounds that are over by then. How often this is asked changes nothing: a
    /// round ends when it is over, not when somebody looks.
    pub fn tick(&mut self, now: Utc) -> Vec<Rebuilt> {
        self.turn_to(now.micros());
        std::mem::take(&mut self.done)
    }

    /// Nothing more comes: gives what there is, the round in progress included.
    pub fn finish(&mut self) -> Vec<Rebuilt> {
        self.book.turn_to(i64::MAX);
        if self.has_round() {
            let last = self.over.or(self.began).unwrap_or_default();
            self.close(last);
        }
        std::mem::take(&mut self.done)
    }

    /// Takes an event in its turn.
    fn take(&mut self, event: &Event) {
        let at = event.at.micros();
        self.turn_to(at);
        self.late = at < self.last;
        self.last = self.last.max(at);
        self.events += 1;
        if self.events > MOST_EVENTS {
            self.close(at);
        }
        match &event.fact {
            Fact::Drew { card, drawn } => self.drew(at, event.id, card.card, *drawn),
            Fact::CutCard => {
                self.begin(at);
                self.shoe.cut_card();
                self.asides.push((at, event.id, Aside::CutCard));
            }
            Fact::ShoeStart => self.shoe.started(),
            Fact::StandBy if self.has_cards() => {
                self.over = Some(self.over.map_or(at, |over| over.max(at)));
                self.heard.standby = true;
            }
            Fact::StandBy => {}
            Fact::Gap { .. } if event.source.kind == SourceKind::Chips => {
                self.heard.trouble = true;
                self.book.line_lost(at);
            }
            Fact::Gap { at_most } => {
                self.heard.trouble = true;
                self.beam.gap(*at_most);
            }
            Fact::Settled { at: spot, card } => {
                self.next_if_over(at);
                self.new_shoe_if(at, event.id, Drawn::Game);
                self.begin(at);
                self.heard.camera = true;
                self.laid = at;
                if card.card.is_known() {
                    self.doubt += (1.0 - card.chance.as_f64() - self.doubt) / 50.0;
                    self.beam.doubts(self.doubt);
                }
                self.beam.wagered(self.book.wagered());
                let camera = self.camera(&event.source.name);
                self.beam.settled(event, camera, *spot, card);
                self.over = None;
            }
            Fact::Left { at: spot } => {
                let camera = self.camera(&event.source.name);
                self.beam.left(event, camera, *spot);
                if self.beam.saw_cards() && !self.beam.cards_lie() {
                    self.over = Some(at);
                }
            }
            Fact::Stands { wager, amount, payout, lammer, .. } => {
                let spot = Spot { wager: *wager, payout: *payout };
                let placed = !payout && (amount.minor() > 0 || *lammer);
                // What comes to light of a round that is over has no place in it any more.
                let at = at.max(self.closed);
                if placed {
                    self.begin(at);
                }
                self.book.stands(at, event.id, spot, *amount, *lammer);
            }
            Fact::Tray { total } => self.book.tray(at.max(self.closed), event.id, *total),
            Fact::Health { state } => self.health(&event.source, *state),
        }
    }

    /// A camera's own bit; those beyond the last share one.
    fn camera(&mut self, name: &Ident) -> u32 {
        let number = self.cameras.iter().position(|other| other == name).unwrap_or(self.cameras.len());
        if number == self.cameras.len() && number < MOST_CAMERAS {
            self.cameras.push(name.clone());
        }
        1 << number.min(MOST_CAMERAS - 1)
    }

    fn drew(&mut self, at: i64, id: EventId, card: table::Card, drawn: Drawn) {
        self.next_if_over(at);
        self.new_shoe_if(at, id, drawn);
        self.begin(at);
        self.heard.shoe = true;
        let read = Some(card).filter(|card| card.is_known());
        match drawn {
            Drawn::Burn => {
                self.shoe.saw(read);
                self.asides.push((at, id, Aside::Burn));
            }
            Drawn::Game | Drawn::OutsideGame => {
                self.beam.wagered(self.book.wagered());
                self.beam.drew(at, id, read);
            }
        }
    }

    /// Before the first card of a round: whether it comes from another shoe.
    fn new_shoe_if(&mut self, at: i64, id: EventId, drawn: Drawn) {
        // A burn card long after another that no round followed: the cards were shuffled once more.
        let came = self.asides.iter().filter(|(.., aside)| *aside != Aside::Shuffle);
        let again = came.map(|(before, ..)| at.saturating_sub(*before)).any(|since| since > shoe::SHUFFLE);
        if self.beam.is_blank() && (self.shoe.is_new(at, drawn) || again && drawn == Drawn::Burn) {
            self.asides.clear();
            // After a mere pause the cards may be the same as before it, and a shuffle that never was accuses whoever did it.
            if again || self.shoe.is_done_with(drawn) {
                self.asides.push((self.began.unwrap_or(at).min(at), id, Aside::Shuffle));
            }
            self.shoe.begin();
            let shoe = drawn == Drawn::Burn || self.heard.shoe;
            self.beam = Beam::new(self.shoe.prior(), self.playing.grammar, self.settings, shoe, self.doubt);
        }
    }

    fn health(&mut self, source: &Source, state: Health) {
        let well = matches!(state, Health::Ok | Health::Locked | Health::Unlocked);
        self.heard.trouble |= !well && source.kind != SourceKind::Person;
        self.heard.jumped |= source.kind == SourceKind::Camera && state == Health::ClockJump;
        if source.kind == SourceKind::Camera && !well {
            let camera = self.camera(&source.name);
            self.beam.blinded(camera);
        }
    }

    fn begin(&mut self, at: i64) {
        self.began.get_or_insert(at);
    }

    fn has_cards(&self) -> bool {
        !self.beam.is_blank()
    }

    fn has_round(&self) -> bool {
        self.has_cards() || !self.book.acts().is_empty()
    }

    /// A new card after the last round's are gone begins the next, whatever chips are left lying.
    fn next_if_over(&mut self, at: i64) {
        let over = self.over.is_some_and(|over| self.heard.standby || at.saturating_sub(over) > beam::IN_HAND);
        if over && self.has_cards() && !self.beam.cards_lie() {
            self.close(at);
            return;
        }
        // Nobody deals to new stakes over the cards of a round whose chips are gone: what seems to lie there was cleared away
        // unseen.
        let of_round = |cleared: &i64| self.beam.first_card().is_some_and(|first| first <= *cleared);
        let anew =
            self.book.bet_anew().filter(|cleared| of_round(cleared) && at.saturating_sub(*cleared) > CLEARS_AWAY);
        if let Some(cleared) = anew {
            self.over = Some(self.over.unwrap_or(cleared));
            self.close(at);
        }
    }

    /// Time has come so far, and nothing happened meanwhile.
    fn turn_to(&mut self, now: i64) {
        self.book.turn_to(now);
        self.look_ahead(now);
        self.look(now);
    }

    /// Tells the round in the moment after its last chip went, and once more in the moment after something happened that nobody
    /// expects by then, and after its last card went, if it is not over in that moment as well. Chips that went before a card
    /// that is still on its way were not the last.
    fn look_ahead(&mut self, now: i64) {
        let asked = self.settings.ahead && now > self.last && self.has_cards() && !self.beam.is_awaited();
        let told = self.told_ahead >= Some(self.last) && !self.late;
        if !asked || told || !self.has_news() {
            return;
        }
        self.late = false;
        self.told_ahead = Some(self.last);
        if self.due().is_none_or(|due| due > self.last.saturating_add(1)) {
            let rebuilt = self.so_far();
            self.done.push(rebuilt);
        }
    }

    /// Whether no chip of the round stands any more, and with the latest event the last of them went, the tray lost or gained
    /// something, another card came, or the last one went, which may still be on its way to another hand, or something came to
    /// light of what happened before.
    fn has_news(&self) -> bool {
        let Some(settled) = self.book.settled() else { return false };
        let cleared = self.over == Some(self.last) && !self.beam.cards_lie();
        cleared || self.late || [settled, self.book.tray_changed(), self.laid].contains(&self.last)
    }

    /// The round as it would be told if it were over now.
    fn so_far(&self) -> Rebuilt {
        let over = self.last;
        let mut book = self.book.clone();
        let lost = book.lines_lost();
        let acts = book.close(over, over);
        let closed = rebuilt::Closed {
            id: self.shoe.this_round(self.playing.table.clone()),
            began: self.began.unwrap_or(over),
            over,
            known: over.saturating_add(1),
            acts,
            lost,
            paid_by_tray: book.paid_by_tray(),
            asides: self.asides.clone(),
            heard: self.heard,
            chips_heard: self.book.was_heard(),
            doubt: self.doubt,
            miscounted: self.shoe.is_miscounted(),
        };
        Rebuilt { over: false, ..rebuilt::tell(&self.playing, &closed, self.beam.clone()) }
    }

    /// Closes the round once it is over.
    fn look(&mut self, now: i64) {
        if let Some(due) = self.due().map(|due| due.max(self.last)).filter(|due| *due <= now) {
            self.close(due);
        }
    }

    /// When the round will be over if nothing more happens.
    fn due(&self) -> Option<i64> {
        let Some(over) = self.over else { return self.due_by_chips() };
        if !self.has_cards() {
            return None;
        }
        let quiet = !self.beam.cards_lie() && !self.beam.is_awaited();
        let new_bet = || self.book.acts().iter().any(|act| matches!(act.did, Did::Bet(..)) && act.at > over);
        let wait = match () {
            () if !quiet || !self.book.is_empty() && !new_bet() => LINGER,
            // A card that left may be on its way to another hand, unless the shoe knows better.
            () if self.heard.standby => 0,
            () => beam::IN_HAND,
        };
        Some(over.saturating_add(wait).saturating_add(1))
    }

    /// Without any card a round is over when all chips have been gone for a while.
    fn due_by_chips(&self) -> Option<i64> {
        let gone = !self.has_cards() && self.book.is_empty();
        let last = self.book.acts().last().filter(|_| gone)?;
        Some(last.at.saturating_add(LINGER).saturating_add(1))
    }

    /// The round is over: tells it, and begins anew.
    fn close(&mut self, now: i64) {
        let chips_heard = self.book.was_heard();
        let over = self.over.unwrap_or(now);
        let lost = self.book.lines_lost();
        let acts = self.book.close(now, over);
        let paid_by_tray = self.book.paid_by_tray();
        let doubt = self.doubt;
        let next = Beam::new(self.shoe.prior(), self.playing.grammar, self.settings, self.heard.shoe, doubt);
        let beam = std::mem::replace(&mut self.beam, next);
        let heard = std::mem::take(&mut self.heard);
        // What was done with the shoe before a card was dealt belongs to the round that deals one.
        let kept = if beam.shows_no_card() { self.asides.len().min(MOST_ASIDES) } else { 0 };
        let asides: Vec<_> = self.asides.drain(..self.asides.len() - kept).collect();
        let began = self.began.take().unwrap_or(over);
        (self.over, self.events, self.told_ahead, self.closed) = (None, 0, None, now);
        // Bets that were taken back before anything was dealt are no round.
        let settled = acts.iter().any(|act| matches!(act.did, Did::Pay(..) | Did::Take(..)));
        if beam.shows_no_card() && !settled {
            return;
        }
        let id = self.shoe.next_round(self.playing.table.clone(), over);
        let (known, miscounted) = (now, self.shoe.is_miscounted());
        let closed = rebuilt::Closed {
            id,
            began,
            over,
            known,
            acts,
            lost,
            paid_by_tray,
            asides,
            heard,
            chips_heard,
            doubt,
            miscounted,
        };
        let rebuilt = rebuilt::tell(&self.playing, &closed, beam);
        self.shoe.seen(&rebuilt.round);
        if heard.jumped {
            self.shoe.miscount();
        }
        // What was seen of the shoe just now weighs in the next round.
        self.beam = Beam::new(self.shoe.prior(), self.playing.grammar, self.settings, heard.shoe, doubt);
        self.done.push(rebuilt);
    }
}
