//! An honest shuffle raises nothing in any game, a short one is found where a book holds the table to its moves, and a
//! fraud with lawful hands passes every check of the moves.
#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

use auditor::check::{Law, Session, posted_limits};
use auditor::model::random::{self, Dice, Habits, Shoe};
use auditor::rulebook::books;
use simulator::shuffle::{Procedure, Ready, ShuffleFault, open, ready};
use table::notation::print;
use table::{Act, BoxNo, Card, Game, Ident, Place, Round, RoundId, Step};

fn games() -> Vec<Game> {
    let names = books::all().unwrap().iter().flat_map(|book| book.games.iter().map(|game| game.name.clone()));
    names.map(|name| Game { name, options: Default::default() }).collect()
}

fn game(name: &str, options: &[(&str, &str)]) -> Game {
    let options = options.iter().map(|(key, value)| (key.parse().unwrap(), value.parse().unwrap()));
    Game { name: name.parse().unwrap(), options: options.collect() }
}

fn law_of(game: &Game) -> Law {
    Law::of(books::all().unwrap(), game).unwrap()
}

fn pack(law: &Law) -> Vec<Card> {
    (0..law.rules.decks).flat_map(|_| Card::faces()).collect()
}

/// A table that deals several shoes, each until its cutting card comes.
struct Pit<'a> {
    law: &'a Law,
    game: &'a Game,
    dice: Dice,
    rounds: u32,
    cut_cards: u32,
    cuts: BoxNo,
    session: Session,
    said: Vec<String>,
}

impl<'a> Pit<'a> {
    fn new(law: &'a Law, game: &'a Game, seed: u64) -> Self {
        let cuts = BoxNo::new(3).unwrap();
        let session = Session::default();
        Self { law, game, dice: Dice::new(seed), rounds: 0, cut_cards: 0, cuts, session, said: Vec::new() }
    }

    /// Deals a shoe out, or a few rounds of it where nothing ends it.
    fn deal(&mut self, number: u32, made: &Ready) {
        let limits = posted_limits(&self.law.rules);
        let mut shoe = Shoe::shuffled(self.law.rules.decks, &mut self.dice);
        let mut left = made.stock.len();
        for _ in &made.burned {
            shoe.draw().unwrap();
        }
        let mut acts = Some(made.acts.clone());
        for _ in 0..40 {
            self.rounds += 1;
            let id = RoundId { table: Ident::unnamed_table(), shoe: number, round: self.rounds };
            let dice = (&mut self.dice, &mut shoe);
            let next = random::next(&self.law.rules, &limits, Habits::default(), dice, id, self.game.clone());
            let Ok(mut round) = next else { break };
            round.steps.splice(0..0, acts.take().into_iter().flatten().map(Step::from));
            let came = self.cut_card_comes(&mut round, &mut left, made.cut_card_behind);
            let (flags, _) = self.session.audit(self.law, &round);
            let flags = flags.iter().map(|flag| format!("{}: {flag}\n{}", flag.check, print([&round])));
            self.said.extend(flags);
            if came || (self.law.rules.csm && self.rounds >= 4 * number) {
                break;
            }
        }
    }

    /// Puts the cutting card before the card it comes with, and remembers who cuts next.
    fn cut_card_comes(&mut self, round: &mut Round, left: &mut usize, behind: usize) -> bool {
        if self.law.rules.csm {
            return false;
        }
        let mut dealt: Vec<(usize, Place)> = round.steps.iter().enumerate().filter_map(place_of).collect();
        let boxes = dealt.iter().filter_map(|(_, to)| to.box_no()).max();
        let due = left.saturating_sub(behind);
        *left = left.saturating_sub(dealt.len());
        if due >= dealt.len() {
            return false;
        }
        // As the first card of a round it would end the shoe there and then; let it lie one card deeper.
        let (step, to) = dealt.swap_remove(due.max(1));
        round.steps.insert(step, Step::from(Act::CutCardOut));
        self.cuts = to.box_no().or(boxes).unwrap();
        self.cut_cards += 1;
        true
    }
}

fn place_of((index, step): (usize, &Step)) -> Option<(usize, Place)> {
    match step.act {
        Act::Card { to, .. } => Some((index, to)),
        _ => None,
    }
}

/// What is said about a table that opens and shuffles twice, honestly.
fn honest_shift(law: &Law, game: &Game, procedure: &Procedure, seed: u64) -> Vec<String> {
    let mut pit = Pit::new(law, game, seed);
    let mut made = open(&law.rules, procedure, pit.cuts, &mut pit.dice);
    for number in 1..=3 {
        pit.deal(number, &made);
        made = ready(&law.rules, procedure, pit.cuts, made.after, &mut pit.dice);
    }
    // A single deck may run out before; then its last round is not dealt.
    let dealt_out = pit.cut_cards == 3 || law.rules.decks == 1;
    assert!(dealt_out != law.rules.csm && pit.rounds >= 3, "{} cutting cards in {} rounds", pit.cut_cards, pit.rounds);
    pit.said
}

#[test]
fn the_usual_shuffle_is_lawful_in_every_game() {
    let games = games();
    assert_eq!(games.len(), 13);
    for game in games {
        let law = law_of(&game);
        for seed in 0..4 {
            let said = honest_shift(&law, &game, &Procedure::usual(&law.rules), seed);
            assert!(said.is_empty(), "{} seed {seed}: {}", game.name, said.join("\n"));
        }
    }
}

#[test]
fn so_it_is_with_other_decks_and_with_a_continuous_shuffler() {
    let tables = [
        ("nz-base", [("decks", "8")]),
        ("nz-base", [("csm", "true")]),
        ("nz-freebet", [("csm", "true")]),
        ("act", [("decks", "4")]),
        ("act", [("csm", "true")]),
        ("nh-6d", [("decks", "4")]),
        ("nh-6d", [("decks", "2")]),
        ("nh-6d", [("decks", "1")]),
    ];
    for (name, options) in tables {
        let game = game(name, &options);
        let law = law_of(&game);
        for seed in 0..4 {
            let said = honest_shift(&law, &game, &Procedure::usual(&law.rules), seed);
            assert!(said.is_empty(), "{name} {options:?} seed {seed}: {}", said.join("\n"));
        }
    }
}

#[test]
fn a_machine_may_shuffle_where_hands_might() {
    for name in ["nz-base", "act", "nh-6d", "nh-54", "bclc-basic"] {
        for text in ["machine", "shelf:10"] {
            let game = game(name, &[]);
            let said = honest_shift(&law_of(&game), &game, &text.parse().unwrap(), 1);
            assert!(said.is_empty(), "{name} {text}: {}", said.join("\n"));
        }
    }
}

/// What is said about a table whose second shoe is spoiled.
fn spoiled_shift(law: &Law, game: &Game, fault: ShuffleFault, seed: u64) -> Vec<String> {
    let procedure = Procedure::usual(&law.rules);
    let mut pit = Pit::new(law, game, seed);
    let first = open(&law.rules, &procedure, pit.cuts, &mut pit.dice);
    pit.deal(1, &first);
    assert_eq!(pit.said, [""; 0]);
    let second = fault.apply(&law.rules, &procedure, pit.cuts, pack(law), &mut pit.dice).unwrap();
    pit.deal(2, &second.ready);
    pit.said
}

#[test]
fn a_riffle_too_few_is_found_where_the_book_holds_the_table_to_its_moves() {
    for name in ["nh-54", "act", "nh-6d", "nz-base", "bclc-basic"] {
        let game = game(name, &[]);
        let law = law_of(&game);
        for seed in 0..4 {
            let said = spoiled_shift(&law, &game, ShuffleFault::OneRiffleShort, seed);
            let found: Vec<&str> = said.iter().filter_map(|flag| flag.split(':').next()).collect();
            let usual = Procedure::usual(&law.rules);
            let expected: Vec<&str> = ShuffleFault::OneRiffleShort.check(&law, &usual).into_iter().collect();
            assert_eq!(found, expected, "{name} seed {seed}");
        }
    }
    let check =
        |name: &str, text: &str| ShuffleFault::OneRiffleShort.check(&law_of(&game(name, &[])), &text.parse().unwrap());
    assert_eq!(check("nh-54", "riffle-riffle-box-riffle"), Some("shuffle_wrong"));
    assert_eq!(check("act", "half-decks"), Some("shuffle_wrong"));
    assert_eq!(check("act", "riffles:2+machine"), None);
    assert_eq!(check("act", "half-decks+half-decks+half-decks"), None);
    assert_eq!(check("nh-6d", "half-decks"), None);
}

#[test]
fn frauds_with_lawful_hands_look_lawful() {
    for game in games() {
        let law = law_of(&game);
        for fault in ShuffleFault::ALL.iter().filter(|fault| **fault != ShuffleFault::OneRiffleShort) {
            if law.rules.csm && !matches!(fault, ShuffleFault::CardMissing | ShuffleFault::CardAdded) {
                continue;
            }
            let said = spoiled_shift(&law, &game, *fault, 5);
            assert!(said.is_empty(), "{} {fault}: {}", game.name, said.join("\n"));
            // What finds them looks at the cards, and these rounds were dealt from others.
            assert_ne!(fault.check(&law, &Procedure::usual(&law.rules)), Some("shuffle_wrong"));
        }
    }
}
