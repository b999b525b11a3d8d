//! Films a round and says how fast: `cargo run --release -p simulator --example film -- OUT.h264 [GAME] [SEED]`.

use std::error::Error;
use std::time::{Duration, Instant};

use auditor::check::{Law, posted_limits};
use auditor::model::random::{self, Dice, Habits};
use auditor::rulebook::books;
use simulator::Dealt;
use simulator::art::Design;
use simulator::video::camera::{Camera, Size, View};
use simulator::video::effects::Conditions;
use simulator::video::encode::{Encoder, Packing};
use simulator::video::eye::Eye;
use simulator::video::felt::Look;
use simulator::video::geometry::Geometry;
use simulator::video::stage::Stage;
use table::{Game, Ident, RoundId};

/// Fifteen frames a second.
const MICROS_PER_FRAME: u32 = 66_667;

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let out = words.next().ok_or("where to? give the name of a file for the H.264 stream")?;
    let game = Game { name: words.next().as_deref().unwrap_or("nz-base").parse()?, options: Default::default() };
    let seed = words.next().map_or(Ok(1), |seed| seed.parse())?;

    let law = Law::of(books::all()?, &game)?;
    let id = RoundId { table: Ident::unnamed_table(), shoe: 1, round: 1 };
    let mut round = random::fresh(&law.rules, &posted_limits(&law.rules), Habits::default(), seed, id, game)?;
    for (number, step) in round.steps.iter_mut().enumerate() {
        step.after = Some((number as u64 + 1) * 700_000);
    }
    let dealt = Dealt { round, drawn: Vec::new(), shuffled: None, labels: Vec::new(), troubles: Vec::new() };

    let mut dice = Dice::new(seed);
    let size = Size::FULL_HD;
    let geometry = Geometry::new(law.rules.boxes_max);
    let camera = Camera::new(View::overhead().showing(&geometry.edge(), size), size);
    let design = dice.pick(Design::ALL).copied().ok_or("no deck")?;
    let look = Look::new(geometry.clone(), vec!["BLACKJACK PAYS 3 TO 2".to_owned()], design);
    let conditions = Conditions::ordinary(&mut dice);
    let mut stage = Stage::new(geometry, &dice, usize::from(law.rules.decks) * 52);

    let begun = Instant::now();
    let mut eye = Eye::new(camera, &look, conditions, &dice);
    let ready = begun.elapsed();
    let mut encoder = Encoder::start(size, &Packing::at(MICROS_PER_FRAME))?;
    let (mut staged, mut seen, mut packed) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    let mut pictures = Vec::new();
    let begun = Instant::now();
    let mut frames = 0;
    let mut scenes = stage.scenes(&dealt, MICROS_PER_FRAME);
    loop {
        let from = Instant::now();
        let Some(scene) = scenes.next() else { break };
        let shown = Instant::now();
        let (frame, _) = eye.see(&scene);
        let taken = Instant::now();
        pictures.extend(encoder.push(frame, scene.at)?);
        staged += shown - from;
        seen += taken - shown;
        packed += taken.elapsed();
        frames += 1;
    }
    pictures.extend(encoder.finish()?);
    let all = begun.elapsed();
    let stream: Vec<u8> = pictures.into_iter().flat_map(|picture| picture.data).collect();
    println!("{frames} frames, {} kB; the plate took {ready:.2?}", stream.len() / 1000);
    for (what, time) in [("stage", staged), ("picture", seen), ("waiting for the encoder", packed), ("all", all)] {
        println!("{what}: {:.1} frames a second", f64::from(frames) / time.as_secs_f64());
    }
    std::fs::write(&out, stream)?;
    Ok(())
}
