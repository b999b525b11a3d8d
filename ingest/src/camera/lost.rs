//! Why there are no pictures, in words for whoever has to see to it.

use std::path::PathBuf;
use std::time::Duration;

use super::image::ImageError;

/// Why a camera gives no pictures.
#[derive(Debug, thiserror::Error)]
pub enum Lost {
    /// Nobody answers, or what answers is no camera.
    #[error("cannot be opened: {why}{}", advice(.why))]
    NotOpened {
        /// What the network or the file said.
        why: String,
    },
    /// It was opened, and then nothing came.
    #[error("no picture for {:.1} s", .0.as_secs_f64())]
    Silent(Duration),
    /// Packets come, but nothing can be made of them.
    #[error("its pictures cannot be decoded: {0}")]
    Undecodable(String),
    /// The line broke.
    #[error("the connection broke: {0}")]
    Broken(String),
    /// It hung up.
    #[error("the camera ended the stream")]
    HungUp,
    /// It plays something, but no video.
    #[error("there is no video in it")]
    NoVideo,
    /// No such file, folder or device.
    #[error("there is no {}", .0.display())]
    Missing(PathBuf),
    /// A path with bytes in it that the decoder does not take.
    #[error("the path {} has characters in it that cannot be used", .0.display())]
    Path(PathBuf),
    /// A folder could not be listed.
    #[error("the folder {} cannot be read", folder.display())]
    Folder {
        /// Which.
        folder: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// A folder without pictures.
    #[error("there are no pictures in {}", .0.display())]
    NoStills(PathBuf),
    /// A still picture that is none.
    #[error("{} is not a picture that can be read", .0.display())]
    Still(PathBuf),
    /// A device that is no camera, or belongs to somebody else.
    #[error("{} is no camera, is in use, or may not be read (is this user in the group `video`?)", .0.display())]
    Device(PathBuf),
    /// A picture that cannot be used.
    #[error(transparent)]
    Image(#[from] ImageError),
    /// The system would not start a thread for it.
    #[error("no thread could be started for it: {0}")]
    Thread(std::io::Error),
    /// It was a recording, and is over.
    #[error("the recording is over")]
    Over,
    /// We were asked to stop.
    #[error("stopped")]
    Stopped,
}

/// What to look at, for errors of which the network's own words do not tell.
fn advice(why: &str) -> &'static str {
    const KNOWN: &[(&str, &str)] = &[
        ("401", "; check user and password in the address"),
        ("403", "; this user may not see the stream"),
        ("404", "; the camera is there, the path in the address is not"),
        ("refused", "; the machine is there, but nothing listens on that port"),
        ("No route", "; check cable, address and network"),
        ("resolve", "; the host's name is not known here"),
        ("Invalid data", "; what answers there sends no video"),
    ];
    KNOWN.iter().find(|(word, _)| why.contains(word)).map_or("", |(_, advice)| advice)
}

impl From<opencv::Error> for Lost {
    fn from(wrong: opencv::Error) -> Self {
        Self::Image(wrong.into())
    }
}
