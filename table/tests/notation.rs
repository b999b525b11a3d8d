//! Round notation: what is printed reads back the same, what is typed wrong is named by line and column.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it stands")]

use proptest::collection::{btree_map, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use table::notation::{FORMS, parse, print};
use table::round::{Cutter, Device, Mix, Person, Preparation, Stake, Touched};
use table::{
    Act, Bettor, BoxNo, Card, Chance, EventId, Face, Game, Hand, Ident, Limit, Money, Place, Round, RoundId, SideBet,
    Step, Turn, Unseen, Utc, Wager, WagerKind,
};

fn ident() -> impl Strategy<Value = Ident> {
    "[A-Za-z0-9_-]{1,32}".prop_map(|text| text.parse().unwrap())
}

fn card() -> impl Strategy<Value = Card> {
    select(Card::faces().chain([Card::UNREAD, Card::HIDDEN]).collect::<Vec<_>>())
}

fn box_no() -> impl Strategy<Value = BoxNo> {
    (1u8..=9).prop_map(|n| BoxNo::new(n).unwrap())
}

fn hand() -> impl Strategy<Value = Hand> {
    (0u8..26).prop_map(|n| Hand::new(n).unwrap())
}

fn place() -> impl Strategy<Value = Place> {
    prop_oneof![Just(Place::Dealer), (box_no(), hand()).prop_map(|(b, h)| Place::Box(b, h))]
}

fn amount() -> impl Strategy<Value = Money> {
    (0i64..=i64::MAX / 200).prop_map(Money::from_minor)
}

fn kind(hand: Hand) -> impl Strategy<Value = WagerKind> {
    prop_oneof![
        Just(WagerKind::stake(hand)),
        Just(WagerKind::Double),
        Just(WagerKind::Insurance),
        Just(WagerKind::Ante),
        select(SideBet::ALL).prop_map(WagerKind::Side),
    ]
}

fn wager() -> impl Strategy<Value = Wager> {
    (box_no(), hand(), 1u8..=9, any::<bool>()).prop_flat_map(|(box_no, hand, bettor, tip)| {
        kind(hand).prop_map(move |kind| Wager { box_no, hand, bettor: Bettor::new(bettor).unwrap(), tip, kind })
    })
}

fn stake() -> impl Strategy<Value = Stake> {
    prop_oneof![Just(Stake::Full), Just(Stake::Free), amount().prop_map(Stake::Chips)]
}

fn shoe_act() -> impl Strategy<Value = Act> {
    let cutter = prop_oneof![Just(Cutter::Staff), box_no().prop_map(Cutter::Box)];
    prop_oneof![
        (select(Preparation::ALL), any::<u8>()).prop_map(|(prepared, decks)| Act::Cards { prepared, decks }),
        select(Person::ALL).prop_map(Act::Inspect),
        select(Mix::ALL).prop_map(Act::Shuffle),
        box_no().prop_map(Act::OfferCut),
        (cutter, option::of(any::<u16>())).prop_map(|(by, depth)| Act::Cut { by, depth }),
        any::<u16>().prop_map(Act::CutCardIn),
        Just(Act::CutCardOut),
        card().prop_map(Act::Burn),
        Just(Act::FinalRounds),
        card().prop_map(Act::Drawn),
        card().prop_map(Act::Exposed),
        card().prop_map(Act::Dropped),
        card().prop_map(Act::Boxed),
        card().prop_map(Act::Damaged),
        card().prop_map(Act::Replaced),
        card().prop_map(Act::Discard),
        select(Device::ALL).prop_map(Act::Fault),
    ]
}

fn money_act() -> impl Strategy<Value = Act> {
    prop_oneof![
        (box_no(), amount()).prop_map(|(b, a)| Act::Marker(b, a)),
        amount().prop_map(Act::Meter),
        (wager(), amount()).prop_map(|(w, a)| Act::Bet(w, a)),
        (wager(), amount()).prop_map(|(w, a)| Act::Alter(w, a)),
        Just(Act::NoMoreBets),
        wager().prop_map(Act::EvenMoney),
        (wager(), stake()).prop_map(|(w, s)| Act::Double(w, s)),
        (wager(), stake()).prop_map(|(w, s)| Act::Split(w, s)),
        wager().prop_map(Act::Surrender),
        (wager(), amount()).prop_map(|(w, a)| Act::Parlay(w, a)),
        (wager(), amount()).prop_map(|(w, a)| Act::Ride(w, a)),
        (wager(), amount()).prop_map(|(w, a)| Act::Prize(w, a)),
        (wager(), amount()).prop_map(|(w, a)| Act::Pay(w, a)),
        (wager(), option::of(amount())).prop_map(|(w, a)| Act::Take(w, a)),
        wager().prop_map(Act::Push),
        wager().prop_map(Act::Return),
    ]
}

fn hand_act() -> impl Strategy<Value = Act> {
    let laid = (place(), card(), select(Face::ALL), select(Turn::ALL));
    prop_oneof![
        laid.prop_map(|(to, card, face, turn)| Act::Card { to, card, face, turn }),
        (place(), card()).prop_map(|(p, c)| Act::TurnUp(p, c)),
        place().prop_map(Act::TurnSideways),
        place().prop_map(Act::Tuck),
        Just(Act::OfferInsurance),
        Just(Act::Peek),
        place().prop_map(Act::Hit),
        place().prop_map(Act::Stand),
        place().prop_map(Act::Zap),
        box_no().prop_map(Act::Absent),
        place().prop_map(Act::Refuse),
        place().prop_map(Act::Accept),
        (card(), place(), place()).prop_map(|(card, from, to)| Act::Move { card, from, to }),
        place().prop_map(Act::Reconstruct),
        place().prop_map(Act::Void),
        Just(Act::VoidRound),
        (box_no(), select(Touched::ALL)).prop_map(|(b, t)| Act::Touch(b, t)),
        Just(Act::Supervisor),
        place().prop_map(Act::Collect),
        ident().prop_map(Act::DealerChange),
        "[^\\p{Cc}]{1,40}".prop_map(|text| Act::Note(text.parse().unwrap())),
        Just(Act::End),
    ]
}

fn step() -> impl Strategy<Value = Step> {
    let act = prop_oneof![shoe_act(), money_act(), hand_act()];
    let chance = option::of((0u32..=1_000_000).prop_map(|m| Chance::from_millionths(m).unwrap()));
    let events = vec(any::<u64>().prop_map(EventId), 0..3);
    (act, option::of(any::<u64>()), chance, events).prop_map(|(act, after, chance, events)| Step {
        act,
        after,
        chance,
        events: events.into(),
    })
}

fn limit() -> impl Strategy<Value = Limit> {
    let on = kind(Hand::A);
    (on, amount(), amount(), option::of(amount())).prop_map(|(on, min, max, step)| Limit { on, min, max, step })
}

fn round() -> impl Strategy<Value = Round> {
    let id = (ident(), any::<u32>(), any::<u32>()).prop_map(|(table, shoe, round)| RoundId { table, shoe, round });
    let value = "[A-Za-z0-9_.:,+-]{1,64}".prop_map(|text| text.parse().unwrap());
    let game = (ident(), btree_map(ident(), value, 0..4)).prop_map(|(name, options)| Game { name, options });
    let at = (0i64..4_000_000_000_000_000).prop_map(|micros| Utc::from_micros(micros).unwrap());
    let unseen = vec(select(Unseen::ALL), 0..3);
    (id, at, option::of(ident()), game, vec(limit(), 0..3), unseen, vec(step(), 0..40))
        .prop_map(|(id, at, dealer, game, limits, unseen, steps)| Round { id, at, dealer, game, limits, unseen, steps })
}

proptest! {
    #[test]
    fn what_is_printed_reads_back_the_same(rounds in vec(round(), 0..4)) {
        let text = print(&rounds);
        let back = parse(&text).map_err(|error| TestCaseError::fail(format!("{error}\n{text}")))?;
        prop_assert_eq!(&back, &rounds);
        prop_assert_eq!(print(&back), text);
    }

    #[test]
    fn a_round_survives_json(round in round()) {
        let json = serde_json::to_string(&round).unwrap();
        prop_assert_eq!(serde_json::from_str::<Round>(&json).unwrap(), round);
    }

    #[test]
    fn any_text_is_rounds_or_an_error_on_one_of_its_lines(text in "(?s).{0,200}") {
        if let Err(error) = parse(&text) {
            prop_assert!(error.line >= 1 && error.line <= text.lines().count().max(1), "{}", error);
            prop_assert!(error.column >= 1);
        }
    }

    #[test]
    fn a_round_with_a_letter_changed_never_panics(round in round(), at: prop::sample::Index, letter: char) {
        let mut text = print([&round]);
        let at = at.index(text.len());
        if text.is_char_boundary(at) {
            text.insert(at, letter);
        }
        let _ = parse(&text);
    }
}

#[test]
fn every_form_has_an_example_that_reads_and_prints_as_it_stands() {
    for form in FORMS {
        let act: Act = form.example.parse().unwrap_or_else(|error| panic!("{}: {error}", form.word));
        assert!(form.example.starts_with(form.word));
        let printed: Act = act.to_string().parse().unwrap();
        assert_eq!(printed, act, "{}", form.word);
    }
}

#[test]
fn no_two_forms_share_a_word() {
    let mut words: Vec<_> = FORMS.iter().map(|form| form.word).collect();
    words.sort_unstable();
    words.dedup();
    assert_eq!(words.len(), FORMS.len());
}

#[test]
fn the_manual_lists_every_form_as_it_is() {
    let manual = include_str!("../../docs/ref/round-notation.md");
    for form in FORMS {
        let row = format!("| `{}` | {} | `{}` |", [form.word, form.follows].join(" ").trim(), form.says, form.example)
            .replace("BOX|staff", "BOX\\|staff")
            .replace("AMOUNT|free", "AMOUNT\\|free")
            .replace("PLACE|round", "PLACE\\|round");
        assert!(manual.contains(&row), "docs/ref/round-notation.md lacks the row:\n{row}");
    }
}

#[test]
fn the_rounds_in_the_manual_read() {
    let manual = include_str!("../../docs/ref/round-notation.md");
    let mut examples = 0;
    for block in manual.split("```round\n").skip(1) {
        let text = block.split("```").next().unwrap();
        if let Err(error) = parse(text) {
            panic!("{error}\n{text}");
        }
        examples += 1;
    }
    assert!(examples >= 3);
}

#[test]
fn errors_name_line_column_and_what_was_expected() {
    let cases = [
        (
            "game nz-base\ncard 3 7X",
            "line 2, column 8: expected a card such as 7H, TD or 10D, A♠, ?? (unread) or XX (face down), found \"7X\"",
        ),
        (
            "game nz-base\n  bet 3",
            "line 2, column 8: expected an amount such as 25 or 12.50, found nothing more on the line",
        ),
        (
            "game nz-base\nbet 0 5",
            "line 2, column 5: expected a wager such as 3, 3b, 3/2 or 3 super_sevens, found \"0\"",
        ),
        ("game nz-base\nbet 3 -5", "line 2, column 7: expected an amount such as 25 or 12.50, found \"-5\""),
        ("game nz-base\nsurender 3", "line 2, column 1: expected a step (did you mean surrender?), found \"surender\""),
        ("game nz-base\nqqq", "line 2, column 1: expected a step such as bet, card, stand or pay, found \"qqq\""),
        ("game nz-base\nstand 3 now", "line 2, column 9: expected the end of the line, found \"now\""),
        (
            "bet 3 5",
            "line 1, column 1: expected a line such as game nz-base in this round, found \"a round without one\"",
        ),
        (
            "game nz-base\npeek\ngame act",
            "line 3, column 1: expected a step: game, dealer, limits and unseen come before the first one, found \"game\"",
        ),
        (
            "game nz-base a=1 a=2",
            "line 1, column 18: expected an option such as bj_pays=3:2, each named once, found \"a=2\"",
        ),
        (
            "game nz-base\npay 3b main 5",
            "line 2, column 8: expected main on hand a, split on the others, found \"main\"",
        ),
        ("game nz-base\nhit 3 @x", "line 2, column 7: expected seconds into the round such as @4.25, found \"@x\""),
        (
            "game nz-base\nnote \"open",
            "line 2, column 6: expected a remark between double quotes, 1 to 400 characters, found \"\\\"open\"",
        ),
    ];
    for (text, message) in cases {
        assert_eq!(parse(text).unwrap_err().to_string(), message);
    }
}

#[test]
fn what_people_type_is_read_generously() {
    let typed =
        "\r\n# a disputed hand\r\n\tgame nz-base   # posted 3:2\r\nbet 3 25\r\ncard 3a 10h\r\ncard dealer 7♠\r\n";
    let rounds = parse(typed).unwrap();
    assert_eq!(rounds.len(), 1);
    assert_eq!(print(&rounds), "round table 1 1\ngame nz-base\nbet 3 25.00\ncard 3 TH\ncard dealer 7S\n");
}
