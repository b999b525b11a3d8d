//! Stills for training: random tables, cameras, decks and lights, and a file that says where every card is.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use auditor::model::random::Dice;
use jpeg_encoder::{ColorType, EncodingError};
use serde::{Deserialize, Serialize};
use table::{Card, Rank};

use super::camera::{Camera, Size, View};
use super::effects::Conditions;
use super::eye::Eye;
use super::felt::Look;
use super::frame::Frame;
use super::geometry::Geometry;
use super::random;
use super::render::Sighting;
use super::scene::{Point, Scene, Thing};
use crate::art::Design;

/// A card of which less shows is not labelled: nobody could say that it is there.
const LEAST: f32 = 0.01;
/// What felts say.
const SAYINGS: [&str; 6] = [
    "BLACKJACK PAYS 3 TO 2",
    "DEALER MUST DRAW TO 16",
    "INSURANCE PAYS 2 TO 1",
    "DEALER STANDS ON ALL 17",
    "PERFECT PAIRS",
    "PONTOON",
];

/// What stills to make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Order {
    /// How many.
    pub count: u32,
    /// The seed: the same gives the same stills, and a longer order begins with the shorter one.
    pub seed: u64,
    /// How large.
    pub size: Size,
    /// Quality of the JPEG files, from 1 to 100.
    pub quality: u8,
}

impl Order {
    /// So many stills of 1280 by 720.
    pub const fn new(count: u32, seed: u64) -> Self {
        Self { count, seed, size: Size::HD, quality: 90 }
    }
}

/// The labels of a set of stills, as in its `labels.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Labels {
    /// The set's name.
    pub name: String,
    /// Where it comes from.
    pub source: String,
    /// Under what terms it may be used.
    pub licence: String,
    /// What else to know.
    pub note: String,
    /// Its pictures.
    pub images: Vec<Image>,
}

/// One labelled picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Image {
    /// Its file, beside the labels.
    pub image: String,
    /// Pixels across.
    pub w: usize,
    /// Pixels down.
    pub h: usize,
    /// What it is for: `train` or `val`.
    pub split: String,
    /// The cards in it, the lowest first.
    pub boxes: Vec<CardBox>,
}

/// One labelled card.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CardBox {
    /// Its face, or `BACK`.
    pub card: String,
    /// Left, top, right and bottom of the part inside the picture.
    pub bbox: [f32; 4],
    /// The corners of the whole card, clockwise from its own top left.
    pub quad: [[f32; 2]; 4],
    /// The part of it that shows.
    pub visible: f32,
    /// `up` or `down`.
    pub face: String,
}

/// Why there are no stills.
#[derive(Debug, thiserror::Error)]
pub enum StillsError {
    /// A file could not be written.
    #[error("{} could not be written", path.display())]
    Write {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A picture could not be packed.
    #[error("picture {} could not be packed", path.display())]
    Pack {
        /// Which.
        path: PathBuf,
        /// Why.
        source: EncodingError,
    },
    /// The labels could not be written.
    #[error("the labels could not be put into words")]
    Labels(#[from] serde_json::Error),
}

/// Makes the stills of an order in a folder, on all processors; `done` is told of each as it is finished.
pub fn write(order: &Order, folder: &Path, done: impl Fn() + Sync) -> Result<Labels, StillsError> {
    fs::create_dir_all(folder).map_err(|source| StillsError::Write { path: folder.to_owned(), source })?;
    let next = AtomicU32::new(0);
    let stop = AtomicBool::new(false);
    let finished = Mutex::new(Vec::new());
    let work = || {
        let mut made = Ok(());
        while made.is_ok() && !stop.load(Ordering::Relaxed) {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= order.count {
                break;
            }
            made = one(order, number, folder).map(|image| {
                finished.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).push((number, image));
                done();
            });
        }
        stop.fetch_or(made.is_err(), Ordering::Relaxed);
        made
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..workers).map(|_| scope.spawn(work)).collect();
        let mine = work();
        // A worker that panicked would leave a gap: carry its panic on.
        let theirs =
            others.into_iter().map(|other| other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        theirs.fold(mine, Result::and)
    })?;
    let mut images = finished.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    images.sort_by_key(|(number, _)| *number);
    let labels = labels(order, images.into_iter().map(|(_, image)| image).collect());
    let path = folder.join("labels.json");
    fs::write(&path, serde_json::to_vec(&labels)?).map_err(|source| StillsError::Write { path, source })?;
    Ok(labels)
}

fn labels(order: &Order, images: Vec<Image>) -> Labels {
    Labels {
        name: format!("simulated-{}", order.seed),
        source: format!("fairdeal simulator, seed {}", order.seed),
        licence: "MIT OR Apache-2.0".to_owned(),
        note: format!("drawn, not photographed; cards of which less than {LEAST} shows have no box"),
        images,
    }
}

fn one(order: &Order, number: u32, folder: &Path) -> Result<Image, StillsError> {
    let (frame, boxes) = still(order, number);
    let name = format!("{:06}.jpg", number + 1);
    let path = folder.join(&name);
    let packed = jpeg(&frame, order.quality).map_err(|source| StillsError::Pack { path: path.clone(), source })?;
    fs::write(&path, packed).map_err(|source| StillsError::Write { path, source })?;
    let split = if number % 10 == 9 { "val" } else { "train" };
    Ok(Image { image: name, w: order.size.width(), h: order.size.height(), split: split.to_owned(), boxes })
}

/// A frame as a JPEG picture.
pub fn jpeg(frame: &Frame, quality: u8) -> Result<Vec<u8>, EncodingError> {
    let mut packed = Vec::new();
    // Sizes end at 8192, far below what sixteen bits hold.
    let (width, height) = (frame.size().width() as u16, frame.size().height() as u16);
    let encoder = jpeg_encoder::Encoder::new(&mut packed, quality.clamp(1, 100));
    encoder.encode(&frame.to_rgb(), width, height, ColorType::Rgb)?;
    Ok(packed)
}

/// One still of an order and its labels, each with dice of its own.
pub fn still(order: &Order, number: u32) -> (Frame, Vec<CardBox>) {
    let mut dice = Dice::new(order.seed).fork(&format!("still {number}"));
    let geometry = Geometry::new(1 + dice.below(9) as u8);
    let scene = random::scene(&mut dice, &geometry);
    let view = view(&mut dice, order.size, &geometry, &scene);
    let (first, lines) = (dice.below(SAYINGS.len()), dice.below(4));
    let sayings = SAYINGS.iter().cycle().skip(first).take(lines).map(|&line| line.to_owned()).collect();
    let look = Look::new(geometry, sayings, Design::invented(&mut dice)).redecorated(&mut dice);
    let conditions = Conditions::random(&mut dice);
    let mut eye = Eye::new(Camera::new(view, order.size), &look, conditions, &dice);
    let frame = eye.see(&scene).0.clone();
    let boxes = eye.renderer().sightings().filter_map(|seen| card_box(&seen, order.size)).collect();
    (frame, boxes)
}

/// Mostly a view of some card and what is around it; sometimes of the whole table, as cameras are really hung.
fn view(dice: &mut Dice, size: Size, geometry: &Geometry, scene: &Scene) -> View {
    let any = View::random(dice, size);
    if dice.chance(0.2) {
        let azimuth = 0.15 * dice.normal() + if dice.chance(0.3) { std::f64::consts::PI } else { 0.0 };
        let table = View { target: View::overhead().target, azimuth, tilt: any.tilt.min(0.9), ..any };
        return table.showing(&geometry.edge(), size);
    }
    let cards: Vec<Point> = scene.things.iter().filter_map(card_at).collect();
    let Some(card) = dice.pick(&cards).filter(|_| dice.chance(0.95)) else { return any };
    let (x, y) = (70.0 * dice.normal() as f32, 70.0 * dice.normal() as f32);
    View { target: Point { x: card.x + x, y: card.y + y }, ..any }
}

fn card_at(thing: &Thing) -> Option<Point> {
    match thing {
        Thing::Card { pose, .. } => Some(pose.at),
        _ => None,
    }
}

fn card_box(seen: &Sighting<'_>, size: Size) -> Option<CardBox> {
    let Thing::Card { card, up, .. } = seen.thing else { return None };
    if seen.visible < LEAST {
        return None;
    }
    let (width, height) = (size.width() as f32, size.height() as f32);
    let along = |axis: usize| seen.quad.iter().map(move |corner| corner[axis]);
    let low = |axis: usize, most: f32| along(axis).fold(most, f32::min).max(0.0);
    let high = |axis: usize, most: f32| along(axis).fold(0.0, f32::max).min(most);
    let up = *up && card.is_known();
    Some(CardBox {
        card: if up { named(*card) } else { "BACK".to_owned() },
        bbox: [low(0, width), low(1, height), high(0, width), high(1, height)],
        quad: seen.quad,
        visible: seen.visible,
        face: if up { "up" } else { "down" }.to_owned(),
    })
}

/// A face as data sets of cards write it: a ten in figures.
fn named(card: Card) -> String {
    match (card.rank(), card.suit()) {
        (Some(Rank::Ten), Some(suit)) => format!("10{}", suit.letter()),
        _ => card.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_of_stills_is_what_its_labels_say() {
        let folder = tempfile::tempdir().unwrap();
        let order = Order { size: Size::new(320, 180), ..Order::new(12, 5) };
        let labels = write(&order, folder.path(), || {}).unwrap();
        let read: Labels = serde_json::from_slice(&fs::read(folder.path().join("labels.json")).unwrap()).unwrap();
        assert_eq!(read, labels);
        assert_eq!(labels.images.len(), 12);
        assert_eq!(labels.images[11].image, "000012.jpg");
        assert!(labels.images.iter().any(|image| image.split == "val"));
        for image in &labels.images {
            let packed = fs::read(folder.path().join(&image.image)).unwrap();
            assert!(packed.starts_with(&[0xFF, 0xD8]) && packed.ends_with(&[0xFF, 0xD9]));
            for card in &image.boxes {
                let [x0, y0, x1, y1] = card.bbox;
                assert!(x0 < x1 && y0 < y1 && x0 >= 0.0 && y1 <= 180.0, "{card:?}");
                assert_eq!(card.card == "BACK", card.face == "down");
            }
        }
        assert!(labels.images.iter().map(|image| image.boxes.len()).sum::<usize>() > 20);
    }

    #[test]
    fn a_still_depends_on_its_number_and_seed_alone() {
        let order = Order { size: Size::new(160, 90), ..Order::new(3, 8) };
        assert!(still(&order, 1) == still(&Order { count: 100, ..order.clone() }, 1));
        assert!(still(&order, 1).0 != still(&order, 2).0);
    }

    #[test]
    fn a_folder_that_cannot_be_made_is_named() {
        let file = tempfile::NamedTempFile::new().unwrap();
        let error = write(&Order::new(1, 1), file.path(), || {}).unwrap_err();
        assert!(error.to_string().contains(&file.path().display().to_string()), "{error}");
    }
}
