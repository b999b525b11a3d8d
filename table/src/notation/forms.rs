//! Every step there is: its word, its form, what it says, an example, and how it is read.

use super::ParseError;
use super::line::Line;
use crate::ident::Ident;
use crate::place::{Face, Turn};
use crate::round::{Act, Cutter, Device, Mix, Person, Preparation, Stake, Touched};
use crate::text::nearest;
use crate::wager::WagerKind;

/// One kind of step as it is written.
pub struct Form {
    /// The word the line begins with.
    pub word: &'static str,
    /// What follows it; brackets hold what may be left out.
    pub follows: &'static str,
    /// What it says, in a few words.
    pub says: &'static str,
    /// A line as somebody would type it.
    pub example: &'static str,
    read: fn(&mut Line<'_>) -> Result<Act, ParseError>,
}

/// Reads the word and what follows it.
pub(super) fn act(line: &mut Line<'_>) -> Result<Act, ParseError> {
    let word = line.peek().unwrap_or_default();
    match FORMS.iter().find(|form| form.word == word) {
        Some(form) => {
            line.next();
            (form.read)(line)
        }
        None => Err(line.expected(match nearest(word, FORMS.iter().map(|form| form.word)) {
            Some(near) => format!("a step (did you mean {near}?)"),
            None => "a step such as bet, card, stand or pay".into(),
        })),
    }
}

/// The stake of a double or split: nothing for the full stake, an amount, or `free`.
fn stake(line: &mut Line<'_>) -> Result<Stake, ParseError> {
    if line.take("free") {
        return Ok(Stake::Free);
    }
    Ok(match line.amount_if_any()? {
        Some(amount) => Stake::Chips(amount),
        None => Stake::Full,
    })
}

/// A card to a hand, with how it lies if not upright and face up.
fn card(line: &mut Line<'_>) -> Result<Act, ParseError> {
    let (to, card) = (line.place()?, line.card()?);
    let face = if line.take("down") { Face::Down } else { Face::Up };
    let turn = if line.take("sideways") { Turn::Sideways } else { Turn::Upright };
    Ok(Act::Card { to, card, face, turn })
}

/// `cut 3 104` or `cut staff`.
fn cut(line: &mut Line<'_>) -> Result<Act, ParseError> {
    let by = if line.take("staff") { Cutter::Staff } else { Cutter::Box(line.box_no()?) };
    let depth = match line.peek() {
        Some(word) if word.as_bytes()[0].is_ascii_digit() => Some(line.value("how many cards from the front")?),
        _ => None,
    };
    Ok(Act::Cut { by, depth })
}

/// A plain `shuffle` is the whole procedure; a word names one move of it.
fn shuffle(line: &mut Line<'_>) -> Result<Act, ParseError> {
    match line.peek().and_then(|word| word.parse().ok()) {
        Some(mix) => {
            line.next();
            Ok(Act::Shuffle(mix))
        }
        None => Ok(Act::Shuffle(Mix::Whole)),
    }
}

/// Declares the table of steps in the order a round meets them.
macro_rules! forms {
    ($($word:literal $follows:literal, $says:literal, $example:literal, $read:expr;)+) => {
        /// Every kind of step, in about the order in which a round meets them.
        pub const FORMS: &[Form] = &[
            $(Form { word: $word, follows: $follows, says: $says, example: $example, read: $read },)+
        ];
    };
}

forms! {
    "cards" "PREPARED DECKS", "decks come to the table: new, checked, preshuffled or sealed", "cards checked 6",
        |l| Ok(Act::Cards { prepared: l.value(Preparation::EXPECTED)?, decks: l.value("how many decks")? });
    "inspect" "WHO", "the cards are looked through by the dealer, supervisor or players", "inspect supervisor",
        |l| Ok(Act::Inspect(l.value(Person::EXPECTED)?));
    "shuffle" "[MOVE]", "the cards are mixed, or one move of it: wash, stack, riffle, strip, box, machine", "shuffle riffle",
        shuffle;
    "offer-cut" "BOX", "the cut is offered to a box", "offer-cut 3",
        |l| Ok(Act::OfferCut(l.box_no()?));
    "cut" "BOX|staff [DEPTH]", "the cards are cut, so many from the front", "cut 3 104",
        cut;
    "cut-card-in" "CARDS", "the dealer puts the cutting card in, so many cards from the back", "cut-card-in 78",
        |l| Ok(Act::CutCardIn(l.value("how many cards from the back")?));
    "cut-card" "", "the cutting card comes out of the shoe", "cut-card",
        |_| Ok(Act::CutCardOut);
    "burn" "CARD", "a card is burned", "burn XX",
        |l| Ok(Act::Burn(l.card()?));
    "final-rounds" "", "the last rounds of the day are announced", "final-rounds",
        |_| Ok(Act::FinalRounds);
    "marker" "BOX AMOUNT", "a marker gives a box a maximum of its own", "marker 5 2000",
        |l| Ok(Act::Marker(l.box_no()?, l.amount()?));
    "meter" "AMOUNT", "the progressive meter shows this", "meter 2000.23",
        |l| Ok(Act::Meter(l.amount()?));
    "bet" "WAGER AMOUNT", "a wager is placed", "bet 3/2 super_sevens 5",
        |l| Ok(Act::Bet(l.wager()?, l.amount()?));
    "alter" "WAGER AMOUNT", "a standing wager is changed to this", "alter 3 50",
        |l| Ok(Act::Alter(l.wager()?, l.amount()?));
    "no-more-bets" "", "no more bets", "no-more-bets",
        |_| Ok(Act::NoMoreBets);
    "card" "PLACE CARD [down] [sideways]", "a card is put to a hand", "card 3b 5D sideways",
        card;
    "turn" "PLACE CARD", "a hand's first face-down card is turned up", "turn dealer 6C",
        |l| Ok(Act::TurnUp(l.place()?, l.card()?));
    "sideways" "PLACE", "the cards of a hand are turned sideways", "sideways 3",
        |l| Ok(Act::TurnSideways(l.place()?));
    "tuck" "PLACE", "the player tucks the cards under the wager", "tuck 2",
        |l| Ok(Act::Tuck(l.place()?));
    "offer-insurance" "", "insurance is offered", "offer-insurance",
        |_| Ok(Act::OfferInsurance);
    "insure" "WAGER AMOUNT", "an insurance wager is placed", "insure 3 12.50",
        |l| Ok(Act::Bet(l.wager()?.of_kind(WagerKind::Insurance), l.amount()?));
    "even-money" "WAGER", "a natural asks for even money", "even-money 3",
        |l| Ok(Act::EvenMoney(l.wager()?));
    "peek" "", "the dealer looks at the hole card", "peek",
        |_| Ok(Act::Peek);
    "hit" "PLACE", "the player asks for a card", "hit 3",
        |l| Ok(Act::Hit(l.place()?));
    "stand" "PLACE", "the player asks for no more", "stand 3b",
        |l| Ok(Act::Stand(l.place()?));
    "double" "WAGER [AMOUNT|free]", "a bettor doubles: in full, for less, or on a free bet", "double 3 10",
        |l| Ok(Act::Double(l.wager()?, stake(l)?));
    "split" "WAGER [AMOUNT|free]", "a bettor splits; the next free letter names the new hand", "split 3",
        |l| Ok(Act::Split(l.wager()?, stake(l)?));
    "surrender" "WAGER", "a bettor gives up half", "surrender 3",
        |l| Ok(Act::Surrender(l.wager()?));
    "zap" "PLACE", "the player exchanges both cards", "zap 3",
        |l| Ok(Act::Zap(l.place()?));
    "parlay" "WAGER AMOUNT", "War winnings go on top of the main wager", "parlay 3 10",
        |l| Ok(Act::Parlay(l.wager()?, l.amount()?));
    "ride" "WAGER AMOUNT", "so much of a won side bet and its winnings stays on the hand", "ride 3 house_money 25",
        |l| Ok(Act::Ride(l.wager()?, l.amount()?));
    "absent" "BOX", "the player of a box is away", "absent 4",
        |l| Ok(Act::Absent(l.box_no()?));
    "refuse" "PLACE", "the player refuses a card", "refuse 2",
        |l| Ok(Act::Refuse(l.place()?));
    "accept" "PLACE", "the player accepts a card that could be refused", "accept 2",
        |l| Ok(Act::Accept(l.place()?));
    "drawn" "CARD", "a card leaves the shoe and is not yet put anywhere", "drawn XX",
        |l| Ok(Act::Drawn(l.card()?));
    "exposed" "CARD", "a card's face is shown before its time", "exposed 9H",
        |l| Ok(Act::Exposed(l.card()?));
    "dropped" "CARD", "a card falls to the floor", "dropped 9H",
        |l| Ok(Act::Dropped(l.card()?));
    "boxed" "CARD", "a card is found face up in the shoe", "boxed 9H",
        |l| Ok(Act::Boxed(l.card()?));
    "damaged" "CARD", "a card is found damaged", "damaged 9H",
        |l| Ok(Act::Damaged(l.card()?));
    "replaced" "CARD", "a card is replaced by a fresh one", "replaced 9H",
        |l| Ok(Act::Replaced(l.card()?));
    "discard" "CARD", "a single card goes to the discard rack", "discard 9H",
        |l| Ok(Act::Discard(l.card()?));
    "move" "CARD PLACE PLACE", "a card is moved to the hand it belongs to", "move 9H 3 4",
        |l| Ok(Act::Move { card: l.card()?, from: l.place()?, to: l.place()? });
    "reconstruct" "PLACE", "a hand is put back to what it should have been", "reconstruct 3",
        |l| Ok(Act::Reconstruct(l.place()?));
    "void" "PLACE|round", "a hand or the whole round is declared void", "void 3",
        |l| if l.take("round") { Ok(Act::VoidRound) } else { Ok(Act::Void(l.place()?)) };
    "touch" "BOX WHAT", "somebody other than the dealer touches a box's cards or wager", "touch 3 wager",
        |l| Ok(Act::Touch(l.box_no()?, l.value(Touched::EXPECTED)?));
    "fault" "DEVICE", "the shuffler, shoe, button or meter fails", "fault shuffler",
        |l| Ok(Act::Fault(l.value(Device::EXPECTED)?));
    "supervisor" "", "a supervisor is called", "supervisor",
        |_| Ok(Act::Supervisor);
    "prize" "WAGER AMOUNT", "the jackpot button gives this prize for every unit staked", "prize 3 madness21 24",
        |l| Ok(Act::Prize(l.wager()?, l.amount()?));
    "pay" "WAGER AMOUNT", "a wager is paid this much beside its stake", "pay 3b double 25",
        |l| Ok(Act::Pay(l.wager()?, l.amount()?));
    "take" "WAGER [AMOUNT]", "a wager is taken, whole or so much of it", "take 3 12.50",
        |l| Ok(Act::Take(l.wager()?, l.amount_if_any()?));
    "push" "WAGER", "a wager stands off", "push 3",
        |l| Ok(Act::Push(l.wager()?));
    "return" "WAGER", "a wager is handed back as if never made", "return 3 insurance",
        |l| Ok(Act::Return(l.wager()?));
    "collect" "PLACE", "the cards of a hand go to the discard rack", "collect 3",
        |l| Ok(Act::Collect(l.place()?));
    "new-dealer" "NAME", "another dealer takes over", "new-dealer D-12",
        |l| Ok(Act::DealerChange(l.value(Ident::EXPECTED)?));
    "note" "\"REMARK\"", "somebody's remark", "note \"spilled drink on box 2\"",
        |l| Ok(Act::Note(l.remark()?));
    "end" "", "all cards are in the rack", "end",
        |_| Ok(Act::End);
}
