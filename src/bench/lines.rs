//! What it costs to listen: thirty-two shoes and as many chip sensors, each sending as fast as its line allows.

use std::io::Write;
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use anyhow::{Context, anyhow};
use auditor::model::random::Dice;
use ingest::feed::Feed;
use ingest::transport::{self, Settings, Told};
use simulator::feeds::{Feeds, Names};
use simulator::players;
use simulator::setup::Setup;
use simulator::shift::{Shift, Wishes};
use table::chips::Line;
use table::config::{Dialect, Transport};
use table::tape::Record;
use table::{Game, Ident, Utc};
use tokio::task::JoinSet;

use super::work;
use crate::books;

const TABLES: usize = 32;
/// A serial adapter passes on what came every so often.
const LATENCY: Duration = Duration::from_millis(16);
/// The fastest speed a sensor's serial line usually has, in bytes a second.
const SENSOR_RATE: f64 = 11_520.0;
/// Rounds whose bytes are sent again and again.
const ROUNDS: u32 = 30;

/// What one line sends.
struct Sender {
    listener: TcpListener,
    bytes: Arc<Vec<u8>>,
    /// Bytes a second.
    rate: f64,
}

/// The part of one core that listening takes.
pub(super) fn load(time: Duration) -> anyhow::Result<f64> {
    let mut senders = Vec::new();
    let mut tables = Vec::new();
    let [angel_eye, bee_tek] = [shift(Dialect::AngelEye)?, shift(Dialect::BeeTek)?];
    for number in 0..TABLES {
        let (dialect, sent) =
            if number % 2 == 0 { (Dialect::AngelEye, &angel_eye) } else { (Dialect::BeeTek, &bee_tek) };
        let shoe = TcpListener::bind("127.0.0.1:0")?;
        let chips = TcpListener::bind("127.0.0.1:0")?;
        tables.push((dialect, transport(&shoe)?, transport(&chips)?));
        let rate = f64::from(dialect.usual_baud()) / 10.0;
        senders.push(Sender { listener: shoe, bytes: Arc::clone(&sent.shoe), rate });
        senders.push(Sender { listener: chips, bytes: Arc::clone(&sent.chips), rate: SENSOR_RATE });
    }
    let over = Arc::new(AtomicBool::new(false));
    let sending = thread::spawn({
        let over = Arc::clone(&over);
        move || send(&senders, &over)
    });
    let listening = thread::spawn(move || listen(tables, time));
    let load = listening.join().map_err(|_| anyhow!("listening broke off"))?;
    over.store(true, Ordering::Relaxed);
    sending.join().map_err(|_| anyhow!("sending broke off"))?.context("the lines' far ends")?;
    load
}

fn transport(at: &TcpListener) -> anyhow::Result<Transport> {
    Ok(format!("tcp://{}", at.local_addr()?).parse()?)
}

/// What the devices of a table send in a shift.
struct Sent {
    shoe: Arc<Vec<u8>>,
    chips: Arc<Vec<u8>>,
}

fn shift(dialect: Dialect) -> anyhow::Result<Sent> {
    let game = Game { name: "nz-base".parse()?, options: Default::default() };
    let setup = Setup::new(books::shipped()?, Ident::unnamed_table(), game)?;
    let wishes = Wishes {
        seed: 1,
        rounds: ROUNDS,
        begins: Utc::EPOCH,
        mid_shoe: false,
        company: players::Wish::default(),
        dealers: vec!["D-01".parse()?],
        procedure: None,
        faults: Vec::new(),
        several: false,
    };
    let mut feeds = Feeds::new(Names::usual()?, dialect, 0.0, &Dice::new(1));
    let (mut shoe, mut chips) = (Vec::new(), Vec::new());
    for dealt in Shift::open(&setup, wishes) {
        for (_, record) in feeds.of(&dealt?).records {
            match record {
                Record::ShoeBytes { bytes, .. } => shoe.extend(bytes),
                Record::ChipLine { line, .. } => {
                    // The shift is sent faster than it was played. A sensor's clock would still run as ours does.
                    let mut line = Line::parse(0, &line)?;
                    line.at = (chips.len() as f64 / SENSOR_RATE * 1e6) as i64;
                    chips.extend(line.to_json()?);
                    chips.push(b'\n');
                }
                _ => {}
            }
        }
    }
    Ok(Sent { shoe: Arc::new(shoe), chips: Arc::new(chips) })
}

/// Sends on all lines at their own speeds until it is over.
fn send(senders: &[Sender], over: &AtomicBool) -> std::io::Result<()> {
    let ends = senders.iter().map(|sender| Ok(sender.listener.accept()?.0));
    let mut ends: Vec<TcpStream> = ends.collect::<std::io::Result<_>>()?;
    let begun = Instant::now();
    let mut sent = vec![0_u64; ends.len()];
    while !over.load(Ordering::Relaxed) {
        thread::sleep(LATENCY);
        let passed = begun.elapsed().as_secs_f64();
        for ((end, sender), sent) in ends.iter_mut().zip(senders).zip(&mut sent) {
            let due = (passed * sender.rate) as u64;
            let length = sender.bytes.len() as u64;
            while *sent < due {
                let from = *sent % length;
                let to = (from + due - *sent).min(length);
                let part = sender.bytes.get(from as usize..to as usize).unwrap_or_default();
                // The listener has its measure and is gone.
                if end.write_all(part).is_err() {
                    return Ok(());
                }
                *sent += to - from;
            }
        }
    }
    Ok(())
}

/// Listens to all tables on this thread, and says what part of a core that took.
fn listen(tables: Vec<(Dialect, Transport, Transport)>, time: Duration) -> anyhow::Result<f64> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let names = Names::usual()?;
    runtime.block_on(async {
        let mut devices = JoinSet::new();
        for (dialect, shoe, chips) in tables {
            devices.spawn(table(names.clone(), dialect, shoe, chips));
        }
        // Connecting is no part of listening.
        tokio::time::sleep(Duration::from_millis(200)).await;
        let (before, begun) = (work::of_this_thread()?, Instant::now());
        tokio::time::sleep(time).await;
        let worked = work::of_this_thread()?.saturating_sub(before);
        let passed = begun.elapsed();
        devices.abort_all();
        Ok(worked.as_secs_f64() / passed.as_secs_f64())
    })
}

/// One table, from its lines to its events.
async fn table(names: Names, dialect: Dialect, shoe: Transport, chips: Transport) {
    let mut feed = Feed::default();
    feed.shoe(names.shoe.clone(), dialect);
    let mut events = Vec::new();
    let (mut shoe, mut chips) =
        (transport::Line::open(&shoe, Settings::default()), transport::Line::open(&chips, Settings::default()));
    let mut begun = Vec::new();
    loop {
        let (told, is_shoe) = tokio::select! {
            told = shoe.next() => (told, true),
            told = chips.next() => (told, false),
        };
        let Some(told) = told else { return };
        let Told::Read(read) = told else { continue };
        if is_shoe {
            let record = Record::ShoeBytes { shoe: names.shoe.clone(), bytes: read.bytes };
            feed.hear(read.at, &record, &mut events);
        } else {
            for part in read.bytes.split_inclusive(|byte| *byte == b'\n') {
                begun.extend_from_slice(part);
                if begun.pop_if(|last| *last == b'\n').is_some() {
                    let record = Record::ChipLine { sensor: names.chips.clone(), line: std::mem::take(&mut begun) };
                    feed.hear(read.at, &record, &mut events);
                }
            }
        }
        std::hint::black_box(&events);
        events.clear();
    }
}
