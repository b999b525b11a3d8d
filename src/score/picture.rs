//! The picture that shows a moment of a tape.

use std::io::{Read, Seek};

use ingest::footage::{Footage, FootageError};
use table::Utc;

/// A picture as JPEG, or why there is none.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Shot {
    Jpeg(Vec<u8>),
    Nothing(&'static str),
}

/// The picture of a moment, by the first camera that has one.
pub(super) fn nearest<R: Read + Seek>(footage: &mut Footage<R>, at: Utc) -> anyhow::Result<Shot> {
    let Some(camera) = footage.cameras().pop_first() else {
        return Ok(Shot::Nothing("no camera recorded the moment"));
    };
    match footage.still(&camera, at) {
        Ok(still) => Ok(Shot::Jpeg(still.jpeg)),
        Err(FootageError::NotRecorded) => Ok(Shot::Nothing("no camera recorded the moment")),
        Err(FootageError::Undecodable(_)) => Ok(Shot::Nothing("the video cannot be decoded")),
        Err(wrong) => Err(wrong.into()),
    }
}
