//! A camera over a simulated table: frames through the gate and the networks, twice the same.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on should stop where it stands")]

use std::path::Path;

use ingest::camera::{Frame, Image};
use opencv::core::{Mat, MatTraitConst};
use recognizer::runtime::Places;
use recognizer::track::{Layout, Sighting, Watcher};
use recognizer::vision::{Eyes, Models};
use simulator::video::camera::Size;
use simulator::video::stills::{Order, still};
use table::Utc;

fn eyes() -> Eyes {
    let project = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned();
    let chosen = std::env::var_os("ORT_DYLIB_PATH").map(Into::into);
    Eyes::open(&Models::BuiltIn, &Places { chosen, folders: vec![project], system: None }).unwrap()
}

/// Eight pictures a second of one still and then of another.
fn frames() -> Vec<Frame> {
    let order = Order { size: Size::new(640, 360), ..Order::new(2, 3) };
    let images: Vec<Image> = (0..2)
        .map(|number| {
            let (frame, _) = still(&order, number);
            // In the wrong order of colours, which is as good as another light.
            let pixels = frame.to_rgb();
            let row = Mat::from_slice(&pixels).unwrap();
            Image::from_bgr(row.reshape(3, 360).unwrap().try_clone().unwrap()).unwrap()
        })
        .collect();
    (0..16_u64)
        .map(|number| {
            let at = Utc::from_micros(1_000_000 + 125_000 * number as i64).unwrap();
            let image = images[usize::from(number >= 6)].clone();
            Frame { number: number + 1, at, arrived: at, source_clock: None, image }
        })
        .collect()
}

fn watch(frames: &[Frame]) -> (Vec<Sighting>, u64) {
    let mut eyes = eyes();
    let mut watcher = Watcher::new(Layout::default());
    let told = frames.iter().flat_map(|frame| watcher.see(&mut eyes, frame).unwrap()).collect();
    (told, watcher.looks())
}

#[test]
fn the_same_frames_are_told_the_same_way_twice_and_cost_few_looks() {
    let frames = frames();
    let (first, looks) = watch(&frames);
    let (second, _) = watch(&frames);
    assert_eq!(first, second);
    // The whole picture at the start and after the change, and some second looks at what was not sure.
    assert!((2..40).contains(&looks), "{looks} looks");
    for sighting in &first {
        assert!(sighting.at <= sighting.shown && sighting.place.is_none());
    }
}
