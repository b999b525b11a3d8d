//! Pictures whose cards are known: simulated stills, and sets of labelled photographs.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context;
use opencv::core::{Mat, MatTraitConst, Size, Vector};
use opencv::{imgcodecs, imgproc};
use recognizer::vision::{self, Quad};
use serde::Deserialize;
use simulator::video::stills::{self, Order};
use table::Card;

/// A card that is really there.
#[derive(Clone, Debug)]
pub(super) struct Truth {
    /// Its face; none for a back.
    pub(super) card: Option<Card>,
    /// Its corners, or those of the box around it.
    pub(super) quad: Quad,
    /// Whether the corners are the card's own.
    pub(super) exact: bool,
    /// The part of it that shows; none if nobody said.
    pub(super) visible: Option<f32>,
}

/// A picture with its truth.
pub(super) struct Picture {
    pub(super) name: String,
    pub(super) image: Mat,
    pub(super) cards: Vec<Truth>,
}

/// Pictures of one kind.
pub(super) struct Set {
    pub(super) name: String,
    pub(super) count: usize,
    pub(super) pictures: Box<dyn Iterator<Item = anyhow::Result<Picture>>>,
}

/// Labels as `labels.json` holds them.
#[derive(Deserialize)]
struct Labels {
    name: String,
    images: Vec<Labelled>,
}

#[derive(Deserialize)]
struct Labelled {
    image: String,
    #[serde(default)]
    split: Option<String>,
    boxes: Vec<Boxed>,
}

#[derive(Deserialize)]
struct Boxed {
    card: String,
    bbox: [f32; 4],
    #[serde(default)]
    quad: Option<[[f32; 2]; 4]>,
    #[serde(default)]
    visible: Option<f32>,
}

/// Stills that nobody has seen before, drawn one by one.
pub(super) fn simulated(count: u32, seed: u64) -> Set {
    let order = Order::new(count, seed);
    let one = move |number: u32| {
        let (frame, boxes) = stills::still(&order, number);
        let jpeg = stills::jpeg(&frame, order.quality)?;
        let image = imgcodecs::imdecode(&Vector::from_slice(&jpeg), imgcodecs::IMREAD_COLOR)?;
        let boxes = boxes.into_iter().map(|of| Boxed {
            card: of.card,
            bbox: of.bbox,
            quad: Some(of.quad),
            visible: Some(of.visible),
        });
        let cards = boxes.filter_map(|of| truth(&of, 1.0)).collect();
        Ok(Picture { name: format!("still {number}"), image, cards })
    };
    Set { name: format!("simulated-{seed}"), count: count as usize, pictures: Box::new((0..count).map(one)) }
}

/// The sets of photographs in a folder. Of a set that is divided, what is not for training; a set whose boxes hold no
/// whole cards is left out.
pub(super) fn photographs(folder: &Path, shrink: Option<f32>) -> anyhow::Result<Vec<Set>> {
    let naming = || folder.display().to_string();
    let mut folders: Vec<PathBuf> =
        fs::read_dir(folder).with_context(naming)?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    folders.sort();
    let mut sets = Vec::new();
    for folder in folders {
        let file = folder.join("labels.json");
        let Ok(bytes) = fs::read(&file) else { continue };
        let labels: Labels = serde_json::from_slice(&bytes).with_context(|| file.display().to_string())?;
        let divided = labels.images.iter().any(|image| image.split.is_some());
        let mut kept: Vec<Labelled> =
            labels.images.into_iter().filter(|image| !divided || image.split.as_deref() != Some("train")).collect();
        let before = kept.len();
        // Nobody has said what is in a picture without labels, so nothing seen in it could be called wrong.
        kept.retain(|image| !image.boxes.is_empty());
        if kept.len() < before {
            eprintln!("fairdeal: {}: {} pictures without labels are left out", labels.name, before - kept.len());
        }
        if !whole_cards(&kept) {
            eprintln!("fairdeal: {}: boxes of corner indices cannot be compared with whole cards", labels.name);
            continue;
        }
        let name = match shrink {
            Some(width) => format!("{} at {width} px", labels.name),
            None => labels.name,
        };
        let count = kept.len();
        let read = move |of: Labelled| photograph(&folder, &of, shrink);
        sets.push(Set { name, count, pictures: Box::new(kept.into_iter().map(read)) });
    }
    Ok(sets)
}

/// Boxes of whole cards are about as large as cards; those of indices come two to a card and are small.
fn whole_cards(images: &[Labelled]) -> bool {
    images.iter().flat_map(|image| &image.boxes).any(|of| of.quad.is_some()) || {
        let mut parts: Vec<f32> = images
            .iter()
            .flat_map(|image| &image.boxes)
            .map(|of| (of.bbox[2] - of.bbox[0]).min(of.bbox[3] - of.bbox[1]))
            .collect();
        parts.sort_by(f32::total_cmp);
        parts.get(parts.len() / 2).is_some_and(|median| *median > 80.0)
    }
}

fn photograph(folder: &Path, of: &Labelled, shrink: Option<f32>) -> anyhow::Result<Picture> {
    let inside = folder.join("images").join(&of.image);
    let path = if inside.exists() { inside } else { folder.join(&of.image) };
    let mut image = vision::open(&path)?;
    let mut widths: Vec<f32> =
        of.boxes.iter().map(|of| (of.bbox[2] - of.bbox[0]).min(of.bbox[3] - of.bbox[1])).collect();
    widths.sort_by(f32::total_cmp);
    let width = widths.get(widths.len() / 2).copied().unwrap_or(1.0);
    let scale = shrink.map_or(1.0, |wanted| (wanted / width).min(1.0));
    if scale < 1.0 {
        let side = |length: i32| ((length as f32 * scale).round() as i32).max(16);
        let size = Size::new(side(image.cols()), side(image.rows()));
        let mut small = Mat::default();
        imgproc::resize(&image, &mut small, size, 0.0, 0.0, imgproc::INTER_AREA)?;
        image = small;
    }
    let cards = of.boxes.iter().filter_map(|of| truth(of, scale)).collect();
    Ok(Picture { name: of.image.clone(), image, cards })
}

/// A label as truth; none for jokers and what else is not in play.
fn truth(of: &Boxed, scale: f32) -> Option<Truth> {
    let card = match of.card.as_str() {
        "BACK" => None,
        name => Some(name.replace("10", "T").parse().ok()?),
    };
    let [left, top, right, bottom] = of.bbox;
    let around = [[left, top], [right, top], [right, bottom], [left, bottom]];
    let quad = Quad(of.quad.unwrap_or(around)).scaled(scale, [0.0, 0.0]);
    // Some people give corners the other way round.
    let quad = if quad.area() < 0.0 { Quad([quad.0[0], quad.0[3], quad.0[2], quad.0[1]]) } else { quad };
    Some(Truth { card, quad, exact: of.quad.is_some(), visible: of.visible })
}
