//! Pictures of scenes: do they show what the labels say, and is a picture mended the same as a picture painted anew?
#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

use auditor::model::random::Dice;
use simulator::art::Design;
use simulator::video::camera::{Camera, Size, View};
use simulator::video::canvas::Canvas;
use simulator::video::effects::Conditions;
use simulator::video::encode::{EncodeError, Encoder, Packing};
use simulator::video::eye::Eye;
use simulator::video::felt::Look;
use simulator::video::geometry::Geometry;
use simulator::video::random;
use simulator::video::render::Renderer;
use simulator::video::scene::{Point, Pose, Scene, Thing, Whose};
use table::tape::PictureFormat;
use table::{Card, Money, Utc};

fn size() -> Size {
    Size::new(480, 270)
}

fn look() -> Look {
    Look { felt: [20.0, 50.0, 36.0], ..Look::new(Geometry::new(7), Vec::new(), Design::ALL[0]) }
}

fn scene(things: Vec<Thing>) -> Scene {
    Scene { at: Utc::from_micros(0).unwrap(), things }
}

fn card(name: &str, x: f32, y: f32, turn: f32) -> Thing {
    let pose = Pose { at: Point { x, y }, turn, lift: 0.0 };
    Thing::Card { card: name.parse().unwrap(), up: true, pose, at: None }
}

fn arm(x: f32, y: f32) -> Thing {
    let elbow = Point { x: 100.0, y: -300.0 };
    Thing::Arm { elbow, hand: Point { x, y }, lift: 20.0, whose: Whose::Dealer, points: false }
}

/// How bright the picture is at a pixel.
fn bright(canvas: &Canvas, x: i32, y: i32) -> f32 {
    let pixel = usize::try_from(y).ok().and_then(|y| canvas.row(y).get(usize::try_from(x).ok()?).copied());
    pixel.map_or(0.0, |[red, green, blue, _]| (f32::from(red) + f32::from(green) + f32::from(blue)) / 3.0)
}

/// Walks from outside towards the middle of a card, half a pixel at a time, up to where the card is half as bright as it
/// will be.
fn edge(canvas: &Canvas, from: [f32; 2], middle: [f32; 2]) -> [f32; 2] {
    let steps = (2.0 * (from[0] - middle[0]).hypot(from[1] - middle[1])) as i32;
    let at = |step: i32| {
        let part = step as f32 / steps as f32;
        [from[0] + part * (middle[0] - from[0]), from[1] + part * (middle[1] - from[1])]
    };
    (0..steps).map(at).find(|at| bright(canvas, at[0].floor() as i32, at[1].floor() as i32) > 140.0).unwrap()
}

#[test]
fn a_card_is_where_its_label_says() {
    for (view, turn) in
        [(View::overhead(), 0.0), (View::overhead(), 0.5), (View::oblique(0.8), -0.3), (View::oblique(1.1), 0.2)]
    {
        let camera = Camera::new(View { k1: -0.1, ..view }.with_card(90.0, size()), size());
        let mut renderer = Renderer::new(camera, &look());
        renderer.show(&scene(vec![card("AD", 30.0, 500.0, turn)]));
        let quad = renderer.cards()[0].quad;
        let middle = [0, 1].map(|axis| quad.iter().map(|corner| corner[axis]).sum::<f32>() / 4.0);
        for side in 0..4 {
            // A card's corners are round, so look for the middles of its edges.
            let (one, other) = (quad[side], quad[(side + 1) % 4]);
            let labelled = [0.5 * (one[0] + other[0]), 0.5 * (one[1] + other[1])];
            let outside = [0, 1].map(|axis| middle[axis] + 1.4 * (labelled[axis] - middle[axis]));
            let seen = edge(renderer.canvas(), outside, middle);
            let off = (seen[0] - labelled[0]).hypot(seen[1] - labelled[1]);
            assert!(off < 1.5, "edge {side} of a card turned by {turn} is {off} pixels off its label");
        }
    }
}

#[test]
fn the_index_is_at_the_first_corner() {
    // A red heart in the top left corner of an otherwise empty quarter tells which corner is which.
    let camera = Camera::new(View::overhead().with_card(150.0, size()), size());
    for turn in [0.0, 1.2, 3.0, -1.7] {
        let mut renderer = Renderer::new(camera.clone(), &look());
        renderer.show(&scene(vec![card("2H", 0.0, 520.0, turn)]));
        let quad = renderer.cards()[0].quad;
        let redness = |corner: usize| {
            let (near, far) = (quad[corner], quad[(corner + 2) % 4]);
            let mut red = 0.0;
            for step in 0..40 {
                let part = 0.05 + 0.004 * step as f32;
                let at = [0, 1].map(|axis| (near[axis] + part * (far[axis] - near[axis])) as usize);
                let [r, g, _, _] = renderer.canvas().row(at[1])[at[0]];
                red += f32::from(r) - f32::from(g);
            }
            red
        };
        assert!(redness(0) > 2.0 * redness(1) + 200.0, "turned by {turn}: {} and {}", redness(0), redness(1));
    }
}

#[test]
fn half_a_card_is_half_visible() {
    let camera = Camera::new(View::overhead().with_card(60.0, size()), size());
    let mut renderer = Renderer::new(camera, &look());
    let width = Design::ALL[0].size_mm().0;
    let stack = Thing::Chips { at: Point { x: 200.0, y: 500.0 }, stack: vec![Money::from_minor(500); 3], lift: 0.0 };
    renderer.show(&scene(vec![
        card("7S", 0.0, 500.0, 0.4),
        card("8S", 0.5 * width * 0.4_f32.cos(), 500.0 + 0.5 * width * 0.4_f32.sin(), 0.4),
        card("9S", 200.0, 500.0, 0.0),
        stack,
    ]));
    let seen = renderer.cards();
    assert!((seen[0].visible - 0.5).abs() < 0.04, "{}", seen[0].visible);
    assert!(seen[1].visible > 0.99);
    // A chip of 39 mm on a card of 63 by 88.
    let hidden = std::f32::consts::PI * 19.5 * 19.5 / (width * 88.0);
    assert!((1.0 - seen[2].visible - hidden).abs() < 0.05, "{} and {hidden}", seen[2].visible);
}

#[test]
fn a_card_half_out_of_the_picture_is_half_visible() {
    let camera = Camera::new(View { k1: 0.0, k2: 0.0, ..View::overhead() }.with_card(60.0, size()), size());
    let left = camera.unproject([0.0, 135.0]).unwrap();
    let mut renderer = Renderer::new(camera, &look());
    renderer.show(&scene(vec![card("7S", left.x, left.y, 0.0), card("KS", left.x - 300.0, left.y, 0.0)]));
    let seen = renderer.cards();
    assert!((seen[0].visible - 0.5).abs() < 0.04, "{}", seen[0].visible);
    assert!(seen[1].visible < 1e-6 && seen[1].quad[0][0] < 0.0);
}

#[test]
fn a_mended_picture_is_the_same_as_a_new_one() {
    let mut dice = Dice::new(12);
    let geometry = Geometry::new(7);
    let look = look();
    let size = Size::new(320, 180);
    for view in [View::overhead(), View::oblique(0.7)] {
        let camera = Camera::new(view.showing(&geometry.edge(), size), size);
        let mut mended = Renderer::new(camera.clone(), &look);
        let mut before = random::scene(&mut dice, &geometry).things;
        for frame in 0..5 {
            match frame % 4 {
                0 => before.push(arm(30.0 * frame as f32, 500.0)),
                1 => before.insert(before.len() / 2, card("QH", -200.0, 400.0, 0.3)),
                2 => before.truncate(before.len() * 3 / 4),
                _ => {
                    let swapped = before.len() / 3;
                    before.swap(swapped, swapped + 1);
                    before.extend(random::scene(&mut dice, &geometry).things.into_iter().step_by(3));
                }
            }
            let now = scene(before.clone());
            mended.show(&now);
            let mut fresh = Renderer::new(camera.clone(), &look);
            fresh.show(&now);
            assert!(mended.canvas() == fresh.canvas(), "frame {frame} differs");
            assert_eq!(mended.cards(), fresh.cards(), "frame {frame}");
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_frames() {
    let film = |seed: u64| {
        let mut dice = Dice::new(seed);
        let geometry = Geometry::new(5);
        let camera = Camera::new(View::random(&mut dice, size()), size());
        let look = look().redecorated(&mut dice);
        let conditions = Conditions::random(&mut dice);
        let mut eye = Eye::new(camera, &look, conditions, &dice);
        let scenes = [random::scene(&mut dice, &geometry), random::scene(&mut dice, &geometry)];
        scenes.map(|scene| eye.see(&scene).0.bytes().to_vec())
    };
    assert!(film(4) == film(4));
    assert!(film(4) != film(5));
}

#[test]
fn nothing_in_a_scene_is_too_strange_to_be_shown() {
    let far = [0.0, -900.0, 5000.0, 1e9, -1e20, f32::NAN, f32::INFINITY];
    let camera = Camera::new(View::oblique(1.2).with_card(40.0, size()), size());
    let mut renderer = Renderer::new(camera, &look());
    for x in far {
        for y in far {
            let at = Point { x, y };
            let pose = Pose { at, turn: y, lift: x };
            let stack = vec![Money::from_minor(100); 300];
            renderer.show(&scene(vec![
                Thing::Card { card: Card::HIDDEN, up: true, pose, at: None },
                Thing::Card { card: "AS".parse().unwrap(), up: false, pose: Pose { at, turn: 0.0, lift: y }, at: None },
                Thing::CutCard(pose),
                Thing::Chips { at, stack, lift: x },
                Thing::Chips { at, stack: Vec::new(), lift: 0.0 },
                Thing::Lammer(at),
                Thing::Arm { elbow: at, hand: at, lift: 0.0, whose: Whose::Player(255), points: true },
                Thing::Arm { elbow: Point { x: y, y: x }, hand: at, lift: y, whose: Whose::Dealer, points: false },
                Thing::Shoe(usize::MAX),
                Thing::Rack(usize::MAX),
                Thing::Clutter { kind: 250, pose },
                Thing::Clutter { kind: 1, pose },
            ]));
            assert!(renderer.cards().iter().all(|card| (0.0..=1.0).contains(&card.visible)));
        }
    }
}

/// A short film of a hand that crosses the table.
fn film(packing: &Packing, frames: usize) -> Result<Vec<table::tape::Picture>, EncodeError> {
    let geometry = Geometry::new(7);
    let camera = Camera::new(View::overhead().showing(&geometry.edge(), size()), size());
    let mut dice = Dice::new(7);
    let conditions = Conditions::ordinary(&mut dice);
    let mut eye = Eye::new(camera, &look(), conditions, &dice);
    let table = random::scene(&mut dice, &geometry).things;
    let mut encoder = Encoder::start(size(), packing)?;
    let mut pictures = Vec::new();
    for number in 0..frames {
        let mut things = table.clone();
        things.push(arm(-400.0 + 40.0 * number as f32, 300.0));
        let (frame, _) = eye.see(&scene(things));
        pictures.extend(encoder.push(frame, Utc::from_micros(66_667 * number as i64).unwrap())?);
    }
    pictures.extend(encoder.finish()?);
    Ok(pictures)
}

#[test]
fn every_frame_is_one_access_unit_and_decodes_again() {
    let pictures = film(&Packing { key_every: 10, ..Packing::at(66_667) }, 25).unwrap();
    assert_eq!(pictures.len(), 25);
    assert!(pictures.iter().all(|picture| picture.format == PictureFormat::H264));
    assert!(pictures.iter().zip(0..).all(|(picture, number)| picture.at.micros() == 66_667 * number));

    let dir = tempfile::tempdir().unwrap();
    let clip = dir.path().join("clip.h264");
    std::fs::write(&clip, pictures.iter().flat_map(|picture| picture.data.clone()).collect::<Vec<u8>>()).unwrap();
    let decoded = std::process::Command::new("ffmpeg")
        .args(["-v", "error", "-i"])
        .arg(&clip)
        .args(["-f", "rawvideo", "-pix_fmt", "yuv420p", "-fps_mode", "passthrough", "-"])
        .output()
        .unwrap();
    assert!(decoded.status.success() && decoded.stderr.is_empty());
    assert_eq!(decoded.stdout.len(), 25 * 480 * 270 * 3 / 2);

    let again = film(&Packing { key_every: 10, ..Packing::at(66_667) }, 25).unwrap();
    assert!(pictures == again, "the same film came out in other bytes");
}

#[test]
fn an_encoder_that_is_not_there_is_named() {
    let packing = Packing { program: "no-such-encoder".into(), ..Packing::at(66_667) };
    let error = film(&packing, 1).unwrap_err();
    assert_eq!(error.to_string(), "`no-such-encoder` packs the video and is not installed");
}

#[test]
fn an_encoder_that_gives_up_is_reported() {
    // `false` takes nothing, gives nothing and fails.
    let packing = Packing { program: "false".into(), ..Packing::at(66_667) };
    let error = film(&packing, 50).unwrap_err();
    assert!(matches!(&error, EncodeError::Ended { packed: 0, .. }), "{error}");
}
