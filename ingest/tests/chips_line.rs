//! A chip sensor behind a device server that dies in the middle of a line.
#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

use std::time::Duration;

use ingest::chips::{Sensor, Settings, Told, Trouble, What};
use ingest::transport::{self, Line, State, now};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpListener;
use tokio::time::timeout;

/// Feeds the sensor from the line until it has told so much, and ticks it when it asks to be.
async fn follow(line: &mut Line, sensor: &mut Sensor, told: &mut Vec<Told>, enough: impl Fn(&[Told]) -> bool) {
    while !enough(told) {
        let due = sensor.next_tick().map_or(60_000_000, |due| due.micros() - now().micros());
        match timeout(Duration::from_micros(due.max(0).unsigned_abs()), line.next()).await {
            Ok(Some(transport::Told::Read(read))) => sensor.push(read.at, &read.bytes, told),
            Ok(Some(transport::Told::State { at, state: State::Lost(_) })) => sensor.gone(at, told),
            Ok(Some(transport::Told::State { .. })) => {}
            Ok(None) => return,
            Err(_) => sensor.tick(now(), told),
        }
    }
}

fn words(told: &[Told]) -> Vec<String> {
    let words = told.iter().map(|told| match told {
        Told::Change(change) => match &change.what {
            What::Stands(pile) => format!("{}: {}", pile.spot, pile.amount),
            What::Tray(total) => format!("tray: {total}"),
            What::Health(health) => health.name().to_owned(),
        },
        Told::Trouble(Trouble::Unreadable(wrong)) => format!("line {} is unreadable", wrong.line),
        Told::Trouble(trouble) => trouble.to_string(),
    });
    words.collect()
}

#[tokio::test]
async fn a_line_that_broke_off_is_told_and_the_feed_heals_after_the_reconnection() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("tcp://{}", listener.local_addr().unwrap());
    let mut line = Line::open(&url.parse().unwrap(), transport::Settings::default());
    let quick = Settings { settle: Duration::from_millis(5), grace: Duration::ZERO, ..Settings::default() };
    let (mut sensor, mut told) = (Sensor::new(quick), Vec::new());

    let mut far = listener.accept().await.unwrap().0;
    far.write_all(b"{\"seq\":1,\"at\":0,\"full\":true,\"spo").await.unwrap();
    far.write_all(b"ts\":[{\"spot\":\"3\",\"amount\":\"25.00\"}]}\n{\"seq\":2,\"at\":90").await.unwrap();
    follow(&mut line, &mut sensor, &mut told, |told| !told.is_empty()).await;
    drop(far);
    let mut far = listener.accept().await.unwrap().0;
    far.write_all(b"{\"seq\":3,\"at\":100000,\"full\":true,\"tray\":\"75.00\"}\n").await.unwrap();
    follow(&mut line, &mut sensor, &mut told, |told| told.len() >= 7).await;

    assert_eq!(
        words(&told),
        [
            "3: 25.00",
            "line 2 is unreadable",
            "lost",
            "chip feed, line 3: lines lost before it: 1",
            "ok",
            "3: 0.00",
            "tray: 75.00"
        ]
    );
}
