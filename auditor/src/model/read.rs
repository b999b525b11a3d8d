//! Reading a plan: items on lines or between semicolons, words between blanks.

use std::str::FromStr;

use table::notation::FORMS;
use table::{Act, Bettor, BoxNo, Card, SideBet, WagerKind};

use super::error::PlanError;
use super::plan::{Amount, BetPlan, BoxPlan, Decision, Early, Item, Plan, Put, Raise, Who};

const AMOUNT: &str = "an amount such as 10, $, $/2 or 2$";
const CARD: &str = "a card such as 7H";
const BET: &str = "an amount, a side bet, tip, ante or /2";
const DECISION: &str = "hit, stand, double, split, surrender, zap, insure, even-money, ride, parlay";

impl FromStr for Plan {
    type Err = PlanError;

    fn from_str(text: &str) -> Result<Self, PlanError> {
        let mut plan = Self::default();
        for item in text.split(['\n', ';']).map(str::trim).filter(|item| !item.is_empty()) {
            item_of(&mut plan, item)?;
        }
        plan.boxes.sort_by_key(|planned| planned.box_no);
        Ok(plan)
    }
}

/// One item: a box, the dealer, or something about the equipment.
fn item_of(plan: &mut Plan, item: &str) -> Result<(), PlanError> {
    let mut words = Words::of(item);
    match words.peek() {
        Some("dealer:") => {
            words.next();
            while words.peek().is_some() {
                plan.dealer.push(words.value(CARD)?);
            }
        }
        Some("shoe:") => plan.shoe.extend(acts(&mut words)?),
        Some("after:") => plan.after.extend(acts(&mut words)?),
        Some("meter") => {
            words.next();
            plan.meter = Some(words.amount()?);
        }
        Some("prize") => {
            words.next();
            plan.prizes.push((words.box_no()?, words.amount()?));
        }
        _ => {
            let planned = box_plan(&mut words)?;
            if plan.boxes.iter().any(|other| other.box_no == planned.box_no) {
                return Err(words.wrong("each box once"));
            }
            plan.boxes.push(planned);
        }
    }
    words.end()
}

/// Steps in round notation one after another; each begins with a step's word.
fn acts(words: &mut Words<'_>) -> Result<Vec<Act>, PlanError> {
    words.next();
    let is_step = |word: &str| FORMS.iter().any(|form| form.word == word);
    let mut acts = Vec::new();
    while let Some(first) = words.next() {
        let mut step = first.to_owned();
        // A step's word may also be what another step is about: `inspect supervisor`.
        while let Some(word) = words.peek().filter(|word| !is_step(word) || step.parse::<Act>().is_err()) {
            step.push(' ');
            step.push_str(word);
            words.next();
        }
        acts.push(step.parse().map_err(|_| words.wrong("steps in round notation"))?);
    }
    Ok(acts)
}

fn box_plan(words: &mut Words<'_>) -> Result<BoxPlan, PlanError> {
    let box_no = words.box_no()?;
    let mut planned = BoxPlan { box_no, bets: Vec::new(), early: Vec::new(), hand: Vec::new() };
    let own = words.amount()?;
    planned.bets.push(BetPlan { by: Who::SEATED, on: WagerKind::Main, amount: Some(own) });
    bets(words, &mut planned.bets)?;
    let cards = [words.value(CARD)?, words.value(CARD)?];
    planned.hand.extend(cards.map(Item::Card));
    hand(words, &mut planned.early, &mut planned.hand)?;
    Ok(planned)
}

/// Everything up to the colon: side bets, tips and bettors behind.
fn bets(words: &mut Words<'_>, bets: &mut Vec<BetPlan>) -> Result<(), PlanError> {
    let mut bettor = Bettor::SEATED;
    while !words.take(":") {
        let mut by = Who { bettor, tip: false };
        if let Some(behind) = words.bettor() {
            bettor = behind?;
            by.bettor = bettor;
            if !words.is_amount() {
                continue;
            }
        } else {
            by.tip = words.take("tip");
        }
        let on = if words.take("ante") {
            WagerKind::Ante
        } else if words.is_amount() && (by.tip || bettor != Bettor::SEATED) {
            WagerKind::Main
        } else {
            WagerKind::Side(words.value::<SideBet>(BET)?)
        };
        let none = on == WagerKind::Ante && words.take("none");
        bets.push(BetPlan { by, on, amount: if none { None } else { Some(words.amount()?) } });
    }
    Ok(())
}

/// Cards and decisions up to the end or a closing bracket.
fn hand(words: &mut Words<'_>, early: &mut Vec<Early>, items: &mut Vec<Item>) -> Result<(), PlanError> {
    let decided = |decision| Item::Decision(decision);
    while let Some(word) = words.peek().filter(|word| *word != "]") {
        let by = words.bettor().transpose()?.unwrap_or(Bettor::SEATED);
        let word = if by == Bettor::SEATED { word } else { words.peek().unwrap_or_default() };
        match word {
            "insure" => {
                words.next();
                early.push(Early::Insure(by, words.amount()?));
            }
            "even-money" => {
                words.next();
                early.push(Early::EvenMoney(by));
            }
            "parlay" => {
                words.next();
                early.push(Early::Parlay(by));
            }
            "ride" => {
                words.next();
                early.push(Early::Ride(by, words.value("a side bet")?, words.amount()?));
            }
            _ if by != Bettor::SEATED => return Err(words.wrong("insure, even-money, ride or parlay")),
            "hit" => {
                words.next();
                items.extend([decided(Decision::Hit), Item::Card(words.value(CARD)?)]);
                while words.is_card() {
                    items.extend([decided(Decision::Hit), Item::Card(words.value(CARD)?)]);
                }
            }
            "stand" => {
                words.next();
                items.push(decided(Decision::Stand));
            }
            "surrender" => {
                words.next();
                items.push(decided(Decision::Surrender));
            }
            "zap" => {
                words.next();
                items.push(decided(Decision::Zap));
                items.extend([Item::Card(words.value(CARD)?), Item::Card(words.value(CARD)?)]);
            }
            "double" => {
                words.next();
                items.push(decided(Decision::Double(raise(words)?)));
                items.push(Item::Card(words.value(CARD)?));
            }
            "split" => {
                words.next();
                let raise = raise(words)?;
                let (first, second) = (bracket(words, early)?, bracket(words, early)?);
                items.push(Item::Split(raise, first, second));
            }
            _ => return Err(words.wrong(DECISION)),
        }
    }
    Ok(())
}

/// A split hand's next card and what follows, in brackets.
fn bracket(words: &mut Words<'_>, early: &mut Vec<Early>) -> Result<Vec<Item>, PlanError> {
    if !words.take("[") {
        return Err(words.wrong("each split hand in brackets such as [3D stand]"));
    }
    let mut items = vec![Item::Card(words.value(CARD)?)];
    hand(words, early, &mut items)?;
    if !words.take("]") {
        return Err(words.wrong("a closing bracket"));
    }
    Ok(items)
}

/// Who puts up what: `10`, `free`, then `/2 stay`, `/3 5`, `tip`.
fn raise(words: &mut Words<'_>) -> Result<Raise, PlanError> {
    let mut raise = Raise { own: put(words)?, others: Vec::new() };
    loop {
        let mut who = Who::SEATED;
        if let Some(behind) = words.bettor() {
            who.bettor = behind?;
        }
        who.tip = words.take("tip");
        if who == Who::SEATED {
            return Ok(raise);
        }
        raise.others.push((who, put(words)?));
    }
}

fn put(words: &mut Words<'_>) -> Result<Put, PlanError> {
    Ok(if words.take("free") {
        Put::Free
    } else if words.take("stay") {
        Put::Stay
    } else if words.is_amount() {
        Put::Chips(words.amount()?)
    } else {
        Put::Due
    })
}

impl FromStr for Amount {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let Some((times, parts)) = text.split_once('$') else {
            let chips: table::Money = text.parse().map_err(|_| ())?;
            return if chips.is_negative() { Err(()) } else { Ok(Self::Chips(chips)) };
        };
        let number = |text: &str| text.parse::<u32>().ok().filter(|number| *number > 0).ok_or(());
        Ok(Self::Usual {
            times: if times.is_empty() { 1 } else { number(times)? },
            parts: match parts.strip_prefix('/') {
                Some(parts) => number(parts)?,
                None if parts.is_empty() => 1,
                None => return Err(()),
            },
        })
    }
}

/// The words of an item; brackets and the box's colon are words of their own.
struct Words<'t> {
    item: &'t str,
    words: Vec<&'t str>,
    at: usize,
}

impl<'t> Words<'t> {
    fn of(item: &'t str) -> Self {
        let mut words = Vec::new();
        for word in item.split_whitespace() {
            let mut rest = word;
            if matches!(word, "dealer:" | "shoe:" | "after:") {
                words.push(word);
                continue;
            }
            while let Some(at) = rest.find(['[', ']', ':']) {
                words.extend([&rest[..at], &rest[at..=at]].into_iter().filter(|part| !part.is_empty()));
                rest = &rest[at + 1..];
            }
            if !rest.is_empty() {
                words.push(rest);
            }
        }
        Self { item, words, at: 0 }
    }

    fn peek(&self) -> Option<&'t str> {
        self.words.get(self.at).copied()
    }

    fn next(&mut self) -> Option<&'t str> {
        let word = self.peek()?;
        self.at += 1;
        Some(word)
    }

    fn take(&mut self, word: &str) -> bool {
        let here = self.peek() == Some(word);
        self.at += usize::from(here);
        here
    }

    fn wrong(&self, expected: &'static str) -> PlanError {
        PlanError::Text { item: self.item.to_owned(), expected, found: self.peek().unwrap_or_default().to_owned() }
    }

    fn end(&self) -> Result<(), PlanError> {
        if self.peek().is_some() { Err(self.wrong("nothing more")) } else { Ok(()) }
    }

    fn value<T: FromStr>(&mut self, expected: &'static str) -> Result<T, PlanError> {
        let wrong = self.wrong(expected);
        self.next().and_then(|word| word.parse().ok()).ok_or(wrong)
    }

    fn amount(&mut self) -> Result<Amount, PlanError> {
        self.value(AMOUNT)
    }

    fn is_amount(&self) -> bool {
        self.peek().is_some_and(|word| word.parse::<Amount>().is_ok())
    }

    fn is_card(&self) -> bool {
        self.peek().is_some_and(|word| word.parse::<Card>().is_ok())
    }

    fn box_no(&mut self) -> Result<BoxNo, PlanError> {
        let wrong = self.wrong("a box from 1 to 9, dealer:, shoe:, after:, meter or prize");
        self.next().and_then(|word| word.parse().ok()).and_then(BoxNo::new).ok_or(wrong)
    }

    /// The bettor behind named next, such as `/2`.
    fn bettor(&mut self) -> Option<Result<Bettor, PlanError>> {
        let number = self.peek()?.strip_prefix('/')?;
        let wrong = self.wrong("a bettor behind from /2 to /9");
        self.at += 1;
        let bettor = number.parse().ok().and_then(Bettor::new).filter(|bettor| *bettor != Bettor::SEATED);
        Some(bettor.ok_or(wrong))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_with_everything_in_it_reads() {
        let text = "3 $ super_sevens $/2 tip 1 ante 1 /2 20 perfect_pair 5 /3 10: 8H 8C insure $/2 /2 insure 2 \
                    split /3 stay [8D split [3D double 5 TD] [2C hit 9C]] [KS stand]
                    dealer: AS 5H 4C; shoe: shuffle cut 3 104 cut-card-in 78 burn XX
                    meter 5000; prize 3 24; after: cut-card";
        let plan: Plan = text.parse().unwrap();
        assert_eq!(plan.boxes[0].bets.len(), 7);
        assert_eq!(plan.boxes[0].early.len(), 2);
        assert_eq!(plan.shoe.len(), 4);
        assert_eq!(plan.dealer.len(), 3);
        assert_eq!(plan.after, ["cut-card".parse().unwrap()]);
    }

    #[test]
    fn a_mistyped_plan_says_what_was_expected() {
        let cases = [
            ("3 10 TH 9C", "expected an amount, a side bet, tip, ante or /2 in \"3 10 TH 9C\", found \"TH\""),
            ("3 10: TH", "expected a card such as 7H in \"3 10: TH\", found \"\""),
            (
                "0 10: TH 9C",
                "expected a box from 1 to 9, dealer:, shoe:, after:, meter or prize in \"0 10: TH 9C\", found \"0\"",
            ),
            (
                "3 10: 8H 8C split [3D stand]",
                "expected each split hand in brackets such as [3D stand] in \"3 10: 8H 8C split [3D stand]\", found \"\"",
            ),
            (
                "3 10: 8H 8C dance",
                "expected hit, stand, double, split, surrender, zap, insure, even-money, ride, parlay in \"3 10: 8H 8C dance\", found \"dance\"",
            ),
            ("3 10: 8H 8C; 3 10: 8H 8C", "expected each box once in \"3 10: 8H 8C\", found \"\""),
        ];
        for (text, message) in cases {
            assert_eq!(text.parse::<Plan>().unwrap_err().to_string(), message);
        }
    }

    #[test]
    fn amounts_follow_the_usual_stake() {
        let chips =
            |text: &str| text.parse::<Amount>().unwrap().chips(table::Money::from_minor(400)).map(|m| m.minor());
        assert_eq!(chips("$"), Some(400));
        assert_eq!(chips("$/2"), Some(200));
        assert_eq!(chips("3$"), Some(1200));
        assert_eq!(chips("2.50"), Some(250));
        assert_eq!(chips("$/3"), None);
        for text in ["", "$$", "0$", "$/0", "-5", "x"] {
            assert!(text.parse::<Amount>().is_err(), "{text:?}");
        }
    }
}
