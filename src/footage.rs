//! Video from wherever it is kept: the frames of a film or of a tape's camera, one after another.

use std::fs::File;
use std::io::BufReader;
use std::path::Path;
use std::time::Duration;

use anyhow::{Context, bail};
use ingest::camera::{self, Camera, Frame, Mode, News, Nothing, Setup, Unpacker};
use table::Ident;
use table::config::{CameraSource, TableConfig};
use table::tape::{Reader, Record};

/// How long a frame is waited for before asking whether the camera has something to say.
const PATIENCE: Duration = Duration::from_millis(500);

/// Frames to come.
pub(crate) struct Footage {
    from: From,
    /// The camera that took them.
    pub(crate) camera: Option<Ident>,
    /// The table's configuration, where a tape brings it along.
    pub(crate) table: Option<TableConfig>,
}

enum From {
    Film(Camera),
    Tape { tape: Box<Reader<BufReader<File>>>, unpacker: Option<Unpacker>, ready: std::vec::IntoIter<Frame> },
}

impl Footage {
    /// Opens a film, or a tape with the pictures of a camera: the one named, or the first that comes.
    pub(crate) fn open(path: &Path, camera: Option<&Ident>) -> anyhow::Result<Self> {
        let naming = || path.display().to_string();
        let file = File::open(path).with_context(naming)?;
        if !file.metadata().with_context(naming)?.is_file() {
            bail!("{} is no file", path.display());
        }
        if path.extension().is_some_and(|ending| ending == "mcap") {
            let tape = Reader::open(BufReader::new(file)).with_context(naming)?;
            let config = tape.about().config.as_ref().map(|config| TableConfig::parse(&config.text));
            let table = config.transpose().with_context(|| format!("the configuration on {}", path.display()))?;
            let from =
                From::Tape { tape: Box::new(tape), unpacker: Some(Unpacker::new()), ready: Vec::new().into_iter() };
            return Ok(Self { from, camera: camera.cloned(), table });
        }
        let whole = path.canonicalize().with_context(naming)?;
        let source = CameraSource::File(whole.to_str().context("the path is not UTF-8")?.parse()?);
        Ok(Self { camera: camera.cloned(), ..Self::live(&source, Path::new("")) })
    }

    /// Opens a camera of the site whose file is in this folder; recordings play as fast as they are read.
    pub(crate) fn live(source: &CameraSource, folder: &Path) -> Self {
        let setup = Setup { watched: false, folder: folder.to_owned(), ..Mode::Replay.into() };
        Self { from: From::Film(camera::open(source, setup)), camera: None, table: None }
    }

    /// The next frame; none at the end.
    pub(crate) fn next(&mut self) -> anyhow::Result<Option<Frame>> {
        match &mut self.from {
            From::Film(film) => loop {
                match film.frame(PATIENCE) {
                    Ok(frame) => return Ok(Some(frame)),
                    // A camera that calls again and again is not waited for.
                    Err(Nothing::Yet) => why_lost(film)?,
                    Err(Nothing::More) => return why_lost(film).map(|()| None),
                }
            },
            From::Tape { tape, unpacker, ready } => loop {
                if let Some(frame) = ready.next() {
                    return Ok(Some(frame));
                }
                let Some(open) = unpacker else { return Ok(None) };
                let Some(message) = tape.next() else {
                    *ready = unpacker.take().map(Unpacker::finish).unwrap_or_default().into_iter();
                    continue;
                };
                let message = message?;
                if !message.channel.topic.starts_with("/camera/") {
                    continue;
                }
                if let Record::Picture { camera, picture } = Record::decode(&message)?
                    && *self.camera.get_or_insert_with(|| camera.clone()) == camera
                {
                    *ready = open.push(&picture)?.into_iter();
                }
            },
        }
    }
}

/// Why a film cannot be played, if that is so.
fn why_lost(film: &Camera) -> anyhow::Result<()> {
    while let Ok(told) = film.told(Duration::ZERO) {
        if let News::Lost(why) = told.news {
            bail!("the video cannot be played: {why}");
        }
    }
    Ok(())
}
