//! One table followed from its events to audited rounds: the same while it is played and from its tape.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};

use auditor::Rulebook;
use auditor::equipment::Equipment;
use ingest::feed::Feed;
use recognizer::round::{Playing, Rebuilder, Rebuilt, Settings};
use review::store::ingest::Audited;
use table::tape::Record;
use table::{Event, Fact, Flag, RoundId, Utc};

use crate::audit::Audit;

/// So many rounds with failed equipment can still be told more of.
const KEPT: usize = 16;

/// Makes audited rounds of one table's events. Nothing in here looks at a clock, so the same events give the same rounds,
/// however often it was asked in between what is over by now.
pub(crate) struct Follower {
    books: Cow<'static, [Rulebook]>,
    playing: Playing,
    settings: Settings,
    state: State,
    /// The last round told, and how many there were.
    last: Option<RoundId>,
    rounds: u64,
    /// Shoes that had been told of before the first round here.
    shoes: u32,
    broke_off: u64,
}

/// What is lost if a table cannot be followed on.
struct State {
    rebuilder: Rebuilder,
    audit: Audit<'static>,
    equipment: Equipment,
    /// What failed in a round that is not over yet.
    waiting: Vec<Event>,
    kept: VecDeque<Kept>,
}

/// A round that can still be told more of.
struct Kept {
    audited: Audited,
    /// What is told of its equipment so far.
    failed: Vec<Flag>,
}

impl Follower {
    /// Follows a table at which so many shoes have been told of.
    pub(crate) fn new(books: Cow<'static, [Rulebook]>, playing: Playing, shoes: u32) -> Self {
        let settings = Settings { ahead: true, ..Settings::default() };
        let state = State::new(books.clone(), &playing, settings, shoes);
        Self { books, playing, settings, state, last: None, rounds: 0, shoes, broke_off: 0 }
    }

    /// Takes a record, lets time pass up to it, and gives the rounds that are over or of which there is more to say.
    pub(crate) fn hear(&mut self, feed: &mut Feed, arrived: Utc, record: &Record) -> Vec<Audited> {
        let mut events = Vec::new();
        feed.pass(arrived, &mut events);
        let mut told = self.take(&events, feed.told_until());
        events.clear();
        feed.hear(arrived, record, &mut events);
        told.extend(self.take(&events, feed.told_until()));
        told
    }

    /// Takes what a feed told, with the time up to which nothing else happened.
    pub(crate) fn take(&mut self, events: &[Event], until: Option<Utc>) -> Vec<Audited> {
        let mut told = Vec::new();
        for event in events {
            self.guarded(|state, told| state.event(event, told), &mut told);
        }
        if let Some(until) = until {
            self.guarded(|state, told| state.tick(until, told), &mut told);
        }
        told
    }

    /// A round that breaks our program must not end the watch: it is given up, and the next is followed as if the table had
    /// just been opened. A tape that holds such a round gives it up at the same place.
    fn guarded(&mut self, job: impl FnOnce(&mut State, &mut Vec<Audited>), told: &mut Vec<Audited>) {
        let before = told.len();
        let state = &mut self.state;
        if catch_unwind(AssertUnwindSafe(|| job(state, told))).is_err() {
            tracing::error!(table = %self.playing.table, "a round could not be followed and is given up");
            self.broke_off += 1;
            self.shoes = self.shoe();
            self.state = State::new(self.books.clone(), &self.playing, self.settings, self.shoes);
        }
        for audited in told.iter().skip(before) {
            let id = &audited.round.id;
            if self.last.as_ref().is_none_or(|last| (last.shoe, last.round) < (id.shoe, id.round)) {
                self.last = Some(id.clone());
                self.rounds += 1;
            }
        }
    }

    /// The last round told.
    pub(crate) const fn last(&self) -> Option<&RoundId> {
        self.last.as_ref()
    }

    /// The number of the last shoe told of.
    pub(crate) fn shoe(&self) -> u32 {
        self.last.as_ref().map_or(self.shoes, |last| last.shoe)
    }

    /// Rounds told.
    pub(crate) const fn rounds(&self) -> u64 {
        self.rounds
    }

    /// Rounds that could not be followed.
    pub(crate) const fn broke_off(&self) -> u64 {
        self.broke_off
    }

    /// Whether a round is being played.
    pub(crate) const fn in_round(&self) -> bool {
        self.state.rebuilder.in_round()
    }
}

impl State {
    fn new(books: Cow<'static, [Rulebook]>, playing: &Playing, settings: Settings, shoes: u32) -> Self {
        Self {
            rebuilder: Rebuilder::after_shoe(shoes, playing.clone(), settings),
            audit: Audit::new(books),
            equipment: Equipment::new(playing.table.clone()),
            waiting: Vec::new(),
            kept: VecDeque::new(),
        }
    }

    fn event(&mut self, event: &Event, told: &mut Vec<Audited>) {
        for rebuilt in self.rebuilder.push(event) {
            self.over(&rebuilt, told);
        }
        if matches!(event.fact, Fact::Health { .. } | Fact::Gap { .. }) {
            self.waiting.push(event.clone());
            // Between two rounds it belongs to the one before; else to the one being played, which has no name yet.
            if !self.rebuilder.in_round() {
                self.judge_equipment(told);
            }
        }
    }

    fn tick(&mut self, until: Utc, told: &mut Vec<Audited>) {
        for rebuilt in self.rebuilder.tick(until) {
            self.over(&rebuilt, told);
        }
    }

    /// A round is over, or its last chip is settled.
    fn over(&mut self, rebuilt: &Rebuilt, told: &mut Vec<Audited>) {
        let (flags, coverage) = match self.audit.rebuilt(rebuilt) {
            Ok(audited) => (audited.flags, audited.coverage),
            Err(error) => {
                tracing::error!("a round cannot be judged: {error:#}");
                return;
            }
        };
        let round = rebuilt.round.clone();
        let audited = Audited { round, flags, seen: coverage.seen_names(), not_seen: coverage.missing_names() };
        if !rebuilt.over {
            // What is in order can wait for the cards to be cleared away; what is not cannot.
            told.extend(Some(audited).filter(|audited| !audited.flags.is_empty()));
            return;
        }
        self.kept.retain(|kept| !kept.failed.is_empty());
        let surplus = self.kept.len().saturating_sub(KEPT);
        self.kept.drain(..surplus);
        self.equipment.round(audited.round.id.clone());
        told.push(audited.clone());
        self.kept.push_back(Kept { audited, failed: Vec::new() });
        self.judge_equipment(told);
    }

    /// Judges what failed, and tells again the rounds of which there is more to say.
    fn judge_equipment(&mut self, told: &mut Vec<Audited>) {
        let mut news = false;
        for event in self.waiting.drain(..) {
            news |= self.equipment.hear(&event).is_some();
        }
        if !news {
            return;
        }
        for kept in &mut self.kept {
            let id = &kept.audited.round.id;
            let failed: Vec<Flag> = self.equipment.flags().filter(|flag| flag.round == *id).collect();
            if failed != kept.failed {
                let mut audited = kept.audited.clone();
                audited.flags.extend(failed.iter().cloned());
                told.retain(|before| before.round.id != *id);
                told.push(audited);
                kept.failed = failed;
            }
        }
    }
}
