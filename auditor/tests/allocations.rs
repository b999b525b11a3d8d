//! Auditing a clean round asks the system for no memory: a casino's year is a hundred million of them.
#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use auditor::check::{Law, Session, posted_limits};
use auditor::model::random::{self, Habits};
use auditor::rulebook::books;
use table::{Game, Ident, Round, RoundId};

thread_local! {
    /// Requests for memory by this thread. Other threads belong to the test harness.
    static REQUESTS: Cell<u64> = const { Cell::new(0) };
}

struct Counting;

#[global_allocator]
static COUNTING: Counting = Counting;

fn count() {
    // A thread that is being torn down has nothing left to count with, and nothing to count.
    let _ = REQUESTS.try_with(|requests| requests.set(requests.get() + 1));
}

#[allow(unsafe_code, reason = "an allocator can be written in no other way; this one hands everything to the system's")]
// SAFETY: every call is passed on unchanged, so the system's allocator keeps the promises of the trait.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count();
        // SAFETY: the caller keeps the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller keeps the contract of `dealloc`, and `memory` came from the system's allocator.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count();
        // SAFETY: the caller keeps the contract of `realloc`, and `memory` came from the system's allocator.
        unsafe { System.realloc(memory, layout, size) }
    }
}

/// How often `work` asks for memory.
fn requests_of(work: impl FnOnce()) -> u64 {
    let before = REQUESTS.get();
    work();
    REQUESTS.get() - before
}

/// Lawful rounds of a game, each from a fresh shoe.
fn lawful_rounds(name: &Ident, habits: Habits) -> (Law, Vec<Round>) {
    let game = Game { name: name.clone(), options: Default::default() };
    let law = Law::of(books::all().unwrap(), &game).unwrap();
    let limits = posted_limits(&law.rules);
    let rounds = (0..60u32).map(|seed| {
        let id = RoundId { table: Ident::unnamed_table(), shoe: seed, round: 1 };
        random::fresh(&law.rules, &limits, habits, u64::from(seed), id, game.clone()).unwrap()
    });
    let rounds = rounds.collect();
    (law, rounds)
}

/// The games in which a second pass over lawful rounds asks for memory, with the first round that does.
fn games_that_ask(habits: Habits) -> Vec<String> {
    let mut asking = Vec::new();
    for name in books::all().unwrap().iter().flat_map(|book| book.games.iter().map(|game| &game.name)) {
        let (law, rounds) = lawful_rounds(name, habits);
        let mut session = Session::default();
        for round in &rounds {
            assert!(session.audit(&law, round).0.is_empty(), "{name} shoe {} is flagged", round.id.shoe);
        }
        for round in &rounds {
            let requests = requests_of(|| drop(session.audit(&law, round)));
            if requests > 0 {
                asking.push(format!("{name} shoe {}: {requests} requests", round.id.shoe));
                break;
            }
        }
    }
    asking
}

#[test]
fn memory_is_counted_when_it_is_asked_for() {
    assert_eq!(requests_of(|| drop(std::hint::black_box(Box::new(7)))), 1);
}

#[test]
fn plain_rounds_ask_for_no_memory_once_the_session_is_warm() {
    let plain = Habits { sides: false, behind: false, tips: false, ..Habits::default() };
    assert_eq!(games_that_ask(plain), Vec::<String>::new());
}

#[test]
fn rounds_with_side_bets_tips_and_bettors_behind_ask_for_none_either() {
    assert_eq!(games_that_ask(Habits::default()), Vec::<String>::new());
}
