use super::*;

fn spot(text: &str) -> Spot {
    text.parse().unwrap()
}

struct Felt(Book, i64);

impl Felt {
    fn new() -> Self {
        let mut book = Book::default();
        book.tray(0, EventId(0), Money::from_minor(100_000));
        Self(book, 0)
    }

    /// Spots as `3=25.00`, and `tray=…`, told for one moment.
    fn tell(self, line: &str) -> Self {
        self.after(3_000_000, line)
    }

    /// The same, so many microseconds after the last.
    fn after(mut self, micros: i64, line: &str) -> Self {
        self.1 += micros;
        for word in line.split(", ") {
            let (what, amount) = word.split_once('=').unwrap();
            let (lammer, amount) = amount.strip_suffix('*').map_or((false, amount), |amount| (true, amount));
            let amount: Money = amount.parse().unwrap();
            match what {
                "tray" => self.0.tray(self.1, EventId(1), amount),
                what => self.0.stands(self.1, EventId(1), spot(what), amount, lammer),
            }
        }
        self
    }

    fn acts(mut self) -> Vec<String> {
        self.0.close(self.1 + 1, self.1 + 1).iter().map(|act| format!("{:?}", act.did)).collect()
    }
}

fn has(acts: &[String], words: &[&str]) -> bool {
    words.len() == acts.len() && acts.iter().zip(words).all(|(act, word)| act.starts_with(word))
}

#[test]
fn what_the_tray_gains_was_taken_and_what_it_does_not_was_taken_up() {
    let felt = Felt::new().tell("3=25, 4=10").tell("3=0, tray=1025").tell("4=0");
    let acts = felt.acts();
    assert!(has(&acts, &["Bet", "Bet", "Take", "TakenUp"]), "{acts:?}");
}

#[test]
fn winnings_are_paid_and_go_with_their_stake() {
    let acts = Felt::new().tell("3=25").tell("3 payout=25, tray=975").tell("3=0, 3 payout=0").acts();
    assert!(has(&acts, &["Bet", "Pay", "TakenUp"]), "{acts:?}");
}

#[test]
fn a_line_that_heals_several_losses_is_told_apart_by_the_tray() {
    let felt = Felt::new().tell("3=25, 4=10, 5=40").tell("3=0, 4=0, 5=0, tray=1050");
    let acts = felt.acts();
    assert!(has(&acts, &["Bet", "Bet", "Bet", "TakenUp", "Take", "Take"]), "{acts:?}");
}

#[test]
fn a_payment_nobody_saw_is_told_by_the_tray() {
    let acts = Felt::new().tell("3=25").tell("3=0").tell("tray=975").acts();
    assert!(has(&acts, &["Bet", "Pay", "TakenUp"]), "{acts:?}");
}

#[test]
fn what_several_were_paid_unseen_is_told_by_their_stakes() {
    let acts = Felt::new().tell("3=25, 4=10, 5=7").tell("3=0, 4=0, 5=0").tell("tray=968").acts();
    assert!(has(&acts, &["Bet", "Bet", "Bet", "Pay", "Pay", "TakenUp", "TakenUp", "TakenUp"]), "{acts:?}");
    assert!(acts[3].contains("2500") && acts[4].contains("700"), "{acts:?}");
}

#[test]
fn a_payment_that_was_seen_is_no_part_of_one_that_was_not() {
    let acts = Felt::new().tell("3=25, 4=1").tell("4 payout=1, 3=0, tray=974").tell("4=0, 4 payout=0").acts();
    assert!(has(&acts, &["Bet", "Bet", "Pay", "Pay", "TakenUp", "TakenUp"]), "{acts:?}");
    assert!(acts[2].contains("2500") && acts[3].contains("100"), "{acts:?}");
}

#[test]
fn chips_that_come_with_a_lammer_were_asked_of_its_bettor() {
    let acts = Felt::new().tell("3=25").tell("3b=0*").tell("3b=0, tray=1025").acts();
    assert!(has(&acts, &["Bet", "Split", "Take"]) && acts[2].contains("Some"), "{acts:?}");
    let acts = Felt::new().tell("3=25").tell("3b=0*").tell("3b=0").acts();
    assert!(has(&acts, &["Bet", "Split", "TakenUp"]), "{acts:?}");
}

#[test]
fn a_double_for_less_a_free_split_and_a_parlay_are_known_by_their_chips() {
    let felt = Felt::new().tell("3=25, 3 war=5").tell("3 war payout=5, tray=995").tell("3 war payout=0, 3=30");
    let acts = felt.tell("3 double=10").tell("3b=0*").acts();
    assert!(has(&acts, &["Bet", "Bet", "Pay", "Parlay", "Double", "Split"]), "{acts:?}");
    assert!(acts[4].contains("Chips") && acts[5].contains("Free"), "{acts:?}");
}

#[test]
fn what_still_stands_is_bet_in_the_next_round() {
    let mut felt = Felt::new().tell("3=25");
    assert_eq!(felt.0.close(9_000_000, 9_000_000).len(), 1);
    assert!(matches!(felt.0.acts(), [ChipAct { did: Did::Bet(..), at: 9_000_000, .. }]));
}

#[test]
fn the_halves_of_a_parlay_that_are_told_apart_are_one() {
    let won = || Felt::new().tell("3=11, 3 war=3").tell("3 war payout=3, tray=997");
    let acts = won().tell("3 war payout=0").after(500_000, "3=14").acts();
    assert!(has(&acts, &["Bet", "Bet", "Pay", "Parlay"]), "{acts:?}");
    let acts = won().tell("3=14").after(500_000, "3 war payout=0").acts();
    assert!(has(&acts, &["Bet", "Bet", "Pay", "Parlay"]), "{acts:?}");
    let acts = won().tell("3 war payout=0").tell("3=14").acts();
    assert!(has(&acts, &["Bet", "Bet", "Pay", "Alter"]), "{acts:?}");
}

#[test]
fn winnings_that_ride_are_known_also_if_stake_and_winnings_are_told_apart() {
    let won = || Felt::new().tell("8=70, 8 let_it_ride=2").tell("8 let_it_ride payout=2, tray=998");
    let rides = ["Bet", "Bet", "Pay", "Ride"];
    let acts = won().tell("8 let_it_ride payout=0, 8 let_it_ride=4").acts();
    assert!(has(&acts, &rides), "{acts:?}");
    let acts = won().tell("8 let_it_ride payout=0").after(500_000, "8 let_it_ride=4").acts();
    assert!(has(&acts, &rides), "{acts:?}");
    let acts = won().tell("8 let_it_ride=4").after(500_000, "8 let_it_ride payout=0").acts();
    assert!(has(&acts, &rides), "{acts:?}");
    let acts = won().tell("8 let_it_ride payout=0").tell("8 let_it_ride=4").acts();
    assert!(has(&acts, &["Bet", "Bet", "Pay", "Alter"]), "long after, it is chips of the bettor's own: {acts:?}");
}

#[test]
fn a_won_stake_that_goes_to_the_tray_while_its_winnings_lie_there_was_kept() {
    let felt = Felt::new().tell("3=11, 3 war=3").tell("3 war payout=3, tray=997");
    let acts = felt.tell("3 war=0, tray=1000").tell("3=14, 3 war payout=0").acts();
    assert!(has(&acts, &["Bet", "Bet", "Pay", "Take", "Parlay"]), "{acts:?}");
}
