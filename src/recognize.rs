//! `fairdeal recognize`: the cards in pictures and videos.

pub(crate) mod stills;
mod video;

use std::path::PathBuf;

use recognizer::vision::{Eyes, Models};
use table::Ident;

use crate::Outcome;
use crate::doctor::Machine;

/// Find and read the cards in pictures, or follow them through a video
///
/// Pictures may be photographs of any size from any camera. A card that is read
/// carries how likely its rank and its suit are; a card that lies face down has
/// no name. A picture that cannot be read is named, the others go on, and the
/// command exits with 2.
///
/// A video is a film or a tape. With the table's configuration, which a tape
/// brings along, cards are told by box, hand and position.
///
/// Examples: fairdeal recognize table.jpg
///           fairdeal recognize *.jpg --json --draw seen/
///           fairdeal recognize --video fixtures/demo/demo.mcap --draw seen.mp4
///           fairdeal recognize --video cam1.mp4 --config site.toml --table BJ-04
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Pictures
    #[arg(value_name = "IMAGE", required_unless_present = "video", conflicts_with = "video")]
    images: Vec<PathBuf>,
    /// A film (mp4 and others) or a tape (mcap)
    #[arg(long, value_name = "FILE")]
    video: Option<PathBuf>,
    /// One JSON object for each picture, or for each thing a card of a video does
    #[arg(long)]
    json: bool,
    /// Draw what was seen: a picture for a single picture, a film for a video (.mp4), or a folder
    #[arg(long, value_name = "OUT")]
    draw: Option<PathBuf>,
    /// Use finder.onnx and reader.onnx from this folder instead of those built in
    #[arg(long, value_name = "DIR")]
    models: Option<PathBuf>,
    /// The site's configuration, for a film
    #[arg(long, value_name = "FILE", requires = "video")]
    config: Option<PathBuf>,
    /// Which of the site's tables
    #[arg(long, value_name = "ID", requires = "config")]
    table: Option<Ident>,
    /// Which of the table's cameras, if not the first
    #[arg(long, value_name = "NAME", requires = "video")]
    camera: Option<Ident>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let eyes = eyes(args.models.as_deref())?;
    match &args.video {
        Some(video) => video::run(args, video, eyes),
        None => stills::run(args, eyes),
    }
}

/// The networks, built in or from a folder.
pub(crate) fn eyes(models: Option<&std::path::Path>) -> anyhow::Result<Eyes> {
    let models = models.map_or(Models::BuiltIn, |folder| Models::Folder(folder.to_owned()));
    Ok(Eyes::open(&models, &Machine::this().runtime())?)
}
