//! `fairdeal run` and `fairdeal status` as a surveillance room meets them: real processes, real sockets, and a power switch.
#![allow(clippy::panic, clippy::unwrap_used, reason = "a test stops where it stands")]

mod running;

use std::collections::BTreeMap;
use std::io::Write;
use std::net::TcpListener;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use running::{House, chips_line, page, telegram};

/// One table, at which a shift is rehearsed.
const ONE: [&str; 4] = ["--table", "BJ-04", "--rehearse", "BJ-04=shift.mcap"];

#[test]
fn killed_at_any_moment_it_tells_the_same_rounds_once_each() {
    let whole = House::with_shift(&["--rounds", "18", "--seed", "8", "--fault", "all=0.7", "--fault", "equipment=0.2"]);
    whole.run(&[&ONE[..], &["--speed", "0"]].concat()).finish();
    let expected = whole.database();
    assert!(
        expected.rounds.len() >= 16 && expected.flags.len() >= 4,
        "{} rounds, {} flags",
        expected.rounds.len(),
        expected.flags.len()
    );

    let house = House::beside(&whole);
    // Killed some milliseconds after so many rounds are known: before, while and after the next is written.
    for (rounds, later) in [(0, 30), (1, 0), (4, 11), (8, 47), (12, 5)] {
        let mut running = house.run(&[&ONE[..], &["--speed", "450"]].concat());
        house.until_told(rounds);
        std::thread::sleep(Duration::from_millis(later));
        running.child.kill().unwrap();
        running.child.wait().unwrap();
        let told = house.database().rounds;
        assert!(told.len() >= rounds && told.len() < expected.rounds.len(), "killed in the middle: {}", told.len());
        // The last may have been told ahead of its end, with more to come.
        let over = told.split_last().map_or(&[][..], |(_, over)| over);
        assert!(over.iter().all(|round| expected.rounds.contains(round)), "after {rounds} rounds one is another");
    }
    house.run(&[&ONE[..], &["--speed", "0"]].concat()).finish();
    assert!(house.database() == expected, "the same rounds and flags, none lost and none twice");

    // Once more from the start of the journal: nothing changes.
    house.run(&[&ONE[..], &["--speed", "0"]].concat()).finish();
    assert!(house.database() == expected);
}

#[test]
fn a_table_that_fails_is_tried_again_and_touches_no_other() {
    let house = House::with_shift(&["--rounds", "4", "--seed", "2"]);
    let running = house.run(&["--rehearse", "BJ-04=shift.mcap", "--rehearse", "BJ-05=nowhere.mcap", "--speed", "0"]);
    let tables = running.until(|tables| tables["BJ-04"]["doing"] == "ended" && tables["BJ-05"]["restarts"] != 0);
    assert_eq!(tables["BJ-05"]["doing"], "failed");
    assert!(tables["BJ-05"]["failure"].as_str().unwrap().contains("nowhere.mcap"), "{tables:?}");
    assert_eq!((&tables["BJ-04"]["rounds"], &tables["BJ-04"]["restarts"]), (&4.into(), &0.into()), "{tables:?}");

    let again = house.fairdeal(&["run", "--config", "site.toml", "--table", "BJ-04"]);
    assert_eq!(again.status.code(), Some(2), "two programs must not write the same tapes");
    assert!(String::from_utf8_lossy(&again.stderr).contains("another fairdeal runs this site"));
    running.terminate();
}

#[test]
fn status_says_plainly_whether_anything_runs() {
    let house = House::with_shift(&["--rounds", "2", "--seed", "3"]);
    let never = house.fairdeal(&["status", "--config", "site.toml"]);
    assert_eq!(never.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&never.stdout).starts_with("nothing runs, and nothing ever ran here"));

    let running = house.run(&ONE);
    running.until(|tables| tables["BJ-04"]["doing"] == "watching");
    let text = house.fairdeal(&["status", "--config", "site.toml"]);
    let told = String::from_utf8_lossy(&text.stdout).into_owned();
    assert!(told.starts_with("Test is watched by process "), "{told}");
    assert!(told.contains("BJ-04  watched for "), "{told}");
    assert_eq!(text.status.code(), Some(0));
    running.terminate();

    let stopped = house.fairdeal(&["status", "--config", "site.toml"]);
    assert_eq!(stopped.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&stopped.stdout).starts_with("nothing runs: Test was last watched at "));
}

/// Real lines in real time: a round whose first half was heard before the power went, and whose second half after.
#[test]
fn a_round_on_real_lines_survives_the_power_switch() {
    let [shoe, chips] = [0, 1].map(|_| TcpListener::bind("127.0.0.1:0").unwrap());
    let house = House::with_lines(&shoe, &chips);
    let mut running = house.run(&[]);
    let (mut shoe_line, _) = shoe.accept().unwrap();
    let (mut chip_line, _) = chips.accept().unwrap();
    chip_line.write_all(chips_line(1, "3", "25.00", "1000.00").as_bytes()).unwrap();
    running.until_recorded(3);
    shoe_line.write_all(&[telegram(1, b"S"), telegram(2, b"D\x01\x3a"), telegram(3, b"D\x11\x49")].concat()).unwrap();
    // Two lines that were opened, a line of chips, and the cards.
    running.until_recorded(4);
    running.child.kill().unwrap();
    running.child.wait().unwrap();
    assert!(house.database().rounds.is_empty(), "it is not over yet");

    let running = house.run(&[]);
    let (mut shoe_line, _) = shoe.accept().unwrap();
    let (mut chip_line, _) = chips.accept().unwrap();
    shoe_line.write_all(&[telegram(4, b"D\x02\x2a"), telegram(5, b"D\x12\x18"), telegram(6, b"P")].concat()).unwrap();
    std::thread::sleep(Duration::from_millis(200));
    chip_line.write_all(chips_line(2, "3", "0.00", "1025.00").as_bytes()).unwrap();
    let tables = running.until(|tables| tables["BJ-04"]["rounds"] == 1);
    assert_eq!(tables["BJ-04"]["last_round"], "1.1");
    running.terminate();
    let told = house.database();
    assert_eq!(told.rounds.len(), 1);
    let document = &told.rounds[0].document;
    for card in ["TS", "9H", "TC", "8D"] {
        assert!(document.contains(card), "{card} is in the round: {document}");
    }
}

/// A machine that the site's file names at a table: what it shuffled, as its page and the table's show it.
#[test]
fn what_a_tables_shuffling_machine_did_is_on_the_machines_page() {
    // The machine stands there from now on, and what is rehearsed comes after that.
    let shift = ["--begins", "2099-01-05T20:00:00Z", "--rounds", "28", "--seed", "3"];
    let house = House::with_shift(&[&shift[..], &["--shuffle", "machine", "--shuffler", "SH-11"]].concat());
    let token = house.token();
    let mut running = house.run(&[&ONE[..], &["--speed", "0", "--listen", "127.0.0.1:0"]].concat());
    let address = running.served_at();
    running.until(|tables| tables["BJ-04"]["doing"] == "ended");
    let shown = page(&address, "/shufflers/SH-11/shuffles", &token);
    let table = page(&address, "/tables/BJ-04/shuffles", &token);
    let stranger = page(&address, "/shufflers/SH-12/shuffles", &token);
    running.terminate();
    assert!(shown.starts_with("HTTP/1.1 200") && shown.contains("Shuffles of shuffling machine SH-11"), "{shown}");
    // Each shoe after the first is judged as the machine's, and nothing is found.
    for page in [&shown, &table] {
        assert!(page.contains("3 shuffles judged. Nothing found in them"), "{page}");
        assert_eq!(page.matches("not seen before and after").count(), 1, "{page}");
    }
    assert!(shown.contains("class=\"trend\""), "its evidence is drawn: {shown}");
    assert!(table.contains("href=\"/shufflers/SH-11/shuffles\""), "the table's page leads to it: {table}");
    assert!(stranger.starts_with("HTTP/1.1 404"), "{stranger}");
}

/// Tables watched at once, and rounds at each, to see how soon a screen shows what was wrong.
const TABLES: usize = 6;
const ROUNDS: u64 = 3;

/// A round with a stake below the sign, on the real lines of a table: the chips are gone long before the shoe says that the
/// round is over. Gives the moment of its last chip.
fn round_below_the_sign(number: u64, shoe: &mut impl Write, chips: &mut impl Write) -> Instant {
    let rest = |millis| std::thread::sleep(Duration::from_millis(millis));
    let telegrams = |says: &[&[u8]]| {
        let first = (number as u8 - 1) * 6;
        let told = says.iter().enumerate().map(|(after, says)| telegram((first + after as u8) % 9 + 1, says));
        told.collect::<Vec<_>>().concat()
    };
    let tray = format!("{}.00", 1000 + 5 * (number - 1));
    chips.write_all(chips_line(2 * number, "3", "5.00", &tray).as_bytes()).unwrap();
    rest(600);
    let dealt: [&[u8]; 6] = [b"S", b"D\x01\x3a", b"D\x11\x49", b"D\x02\x2a", b"D\x12\x18", b"P"];
    let bytes = telegrams(&dealt);
    let standby = bytes.len() - telegram(1, b"P").len();
    shoe.write_all(&bytes[..standby]).unwrap();
    rest(500);
    let tray = format!("{}.00", 1000 + 5 * number);
    chips.write_all(chips_line(2 * number + 1, "3", "0.00", &tray).as_bytes()).unwrap();
    let last_chip = Instant::now();
    rest(1500);
    shoe.write_all(&bytes[standby..]).unwrap();
    rest(1200);
    last_chip
}

/// From the last chip of a round, on real lines and by the wall's clock, to the flag on an officer's screen.
#[test]
fn what_is_wrong_with_a_wager_is_on_the_screen_before_its_cards_are_gone() {
    let ends: Vec<_> = (1..=TABLES)
        .map(|table| (format!("BJ-{table:02}"), [0, 1].map(|_| TcpListener::bind("127.0.0.1:0").unwrap())))
        .collect();
    let house = House::with_tables(ends.iter().map(|(table, [shoe, chips])| (table.as_str(), shoe, chips)));
    let token = house.token();
    let mut running = house.run(&["--listen", "127.0.0.1:0"]);
    let screen = running.screen(&token);
    let (shown, seen) = mpsc::channel();
    std::thread::spawn(move || {
        for line in screen.filter(|line| line.contains("wager_below_minimum")) {
            let _ = shown.send((line, Instant::now()));
        }
    });
    let played = ends.into_iter().map(|(table, [shoe, chips])| {
        std::thread::spawn(move || {
            let ((mut shoe, _), (mut chips, _)) = (shoe.accept().unwrap(), chips.accept().unwrap());
            chips.write_all(chips_line(1, "3", "0.00", "1000.00").as_bytes()).unwrap();
            let round = |number| (format!("{table}.1.{number}."), round_below_the_sign(number, &mut shoe, &mut chips));
            (1..=ROUNDS).map(round).collect::<Vec<_>>()
        })
    });
    let played: Vec<_> = played.collect();
    let chips: BTreeMap<String, Instant> = played.into_iter().flat_map(|table| table.join().unwrap()).collect();
    running.terminate();

    let mut delays = Vec::new();
    let mut told: BTreeMap<&str, Instant> = BTreeMap::new();
    for (line, at) in seen.try_iter() {
        let round = chips.keys().find(|round| line.contains(*round)).unwrap();
        assert!(!line.contains("withdrawn"), "{line}");
        told.entry(round).or_insert(at);
    }
    for (round, last_chip) in &chips {
        let at = told.get(round.as_str()).unwrap_or_else(|| panic!("nothing was told of {round}"));
        delays.push(at.duration_since(*last_chip));
    }
    delays.sort_unstable();
    let (half, most) = (delays[delays.len() / 2], delays[delays.len() - 1]);
    println!("last chip to screen, {} rounds: half within {half:?}, all within {most:?}", delays.len());
    // The sensor is given 0.4 s to prove the change, the sources 0.5 s to come in. The rest is a busy machine's.
    assert!(most < Duration::from_millis(1500), "{delays:?}");
}
