//! Makes labelled stills to look at or to train on:
//! `cargo run --release -p simulator --example stills -- FOLDER COUNT [SEED] [WIDTHxHEIGHT]`.

use std::error::Error;
use std::path::PathBuf;

use simulator::video::camera::Size;
use simulator::video::stills::{Order, write};

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let folder = PathBuf::from(words.next().ok_or("where to? give a folder")?);
    let count = words.next().ok_or("how many?")?.parse()?;
    let mut order = Order::new(count, words.next().map_or(Ok(1), |seed| seed.parse())?);
    if let Some(size) = words.next() {
        let (width, height) = size.split_once('x').ok_or("a size is written 1280x720")?;
        order.size = Size::new(width.parse()?, height.parse()?);
    }
    let labels = write(&order, &folder, || {})?;
    let cards: usize = labels.images.iter().map(|image| image.boxes.len()).sum();
    println!("{} stills with {cards} cards in {}", labels.images.len(), folder.display());
    Ok(())
}
