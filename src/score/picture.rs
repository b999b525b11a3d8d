//! The picture that shows a moment of a tape.

use std::collections::BTreeMap;
use std::io::{self, Read, Seek, Write};
use std::process::{Command, Stdio};
use std::thread;

use table::tape::{Picture, PictureFormat, Record, SeekReader};
use table::{Ident, Utc};

/// How long before the moment a video's last keyframe is looked for, in nanoseconds.
const BEFORE: u64 = 20_000_000_000;
/// How long after it a picture still shows something of it.
const AFTER: u64 = 1_000_000_000;

/// A picture as JPEG, or why there is none.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Shot {
    Jpeg(Vec<u8>),
    Nothing(&'static str),
}

/// The picture recorded nearest to a moment, by whichever camera.
pub(super) fn nearest<R: Read + Seek>(tape: &mut SeekReader<R>, at: Utc) -> anyhow::Result<Shot> {
    let moment = u64::try_from(at.micros()).unwrap_or(0).saturating_mul(1000);
    let window = moment.saturating_sub(BEFORE)..moment.saturating_add(AFTER);
    let mut cameras: BTreeMap<Ident, Reel> = BTreeMap::new();
    for message in tape.messages(window, |topic| topic.starts_with("/camera/")) {
        let message = message?;
        if let Record::Picture { camera, picture } = Record::decode(&message)? {
            cameras.entry(camera).or_default().see(picture, message.log_time, moment);
        }
    }
    let nearest = cameras.into_values().filter(|reel| !reel.frames.is_empty()).min_by_key(|reel| reel.distance);
    Ok(match nearest {
        None => Shot::Nothing("no camera recorded the moment"),
        Some(mut reel) if reel.format == Some(PictureFormat::Jpeg) => {
            reel.frames.pop().map_or(Shot::Nothing("no camera recorded the moment"), Shot::Jpeg)
        }
        Some(reel) => decoded(reel.frames),
    })
}

/// What one camera recorded that is needed to see the moment.
#[derive(Default)]
struct Reel {
    format: Option<PictureFormat>,
    /// From the last picture that stands alone to the one wanted.
    frames: Vec<Vec<u8>>,
    distance: u64,
}

impl Reel {
    fn see(&mut self, picture: Picture, recorded: u64, moment: u64) {
        let distance = recorded.abs_diff(moment);
        let is_video = picture.format == PictureFormat::H264;
        // Of video the last frame before the moment will do: to find a nearer one after it might take another keyframe.
        if recorded > moment && !self.frames.is_empty() && (is_video || distance >= self.distance) {
            return;
        }
        if !is_video || is_keyframe(&picture.data) {
            self.frames.clear();
        } else if self.frames.is_empty() {
            return;
        }
        self.frames.push(picture.data);
        self.format = Some(picture.format);
        self.distance = distance;
    }
}

/// Whether a frame in Annex B form can be decoded without those before it: it holds an IDR slice or parameter sets.
fn is_keyframe(data: &[u8]) -> bool {
    data.windows(4).any(|bytes| bytes.starts_with(&[0, 0, 1]) && matches!(bytes[3] & 0x1f, 5 | 7))
}

/// The last of these frames as ffmpeg shows it.
fn decoded(frames: Vec<Vec<u8>>) -> Shot {
    match ffmpeg(frames) {
        Ok(jpeg) if !jpeg.is_empty() => Shot::Jpeg(jpeg),
        Ok(_) => Shot::Nothing("the video cannot be decoded"),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Shot::Nothing("ffmpeg is not installed"),
        Err(_) => Shot::Nothing("ffmpeg failed"),
    }
}

fn ffmpeg(frames: Vec<Vec<u8>>) -> io::Result<Vec<u8>> {
    let last = format!("select=eq(n\\,{})", frames.len().saturating_sub(1));
    let mut child = Command::new("ffmpeg")
        .args(["-v", "error", "-f", "h264", "-i", "pipe:0", "-vf", &last, "-frames:v", "1"])
        .args(["-q:v", "4", "-f", "image2pipe", "-c:v", "mjpeg", "pipe:1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let stdin = child.stdin.take();
    // Fed from aside, for ffmpeg may fill its output before it has read all. It need not read all, so a pipe it has
    // closed is no failure.
    let feeding = thread::spawn(move || stdin.map(|mut pipe| pipe.write_all(&frames.concat())));
    let output = child.wait_with_output()?;
    drop(feeding.join());
    Ok(output.stdout)
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &[u8] = &[0, 0, 0, 1, 0x67, 1, 0, 0, 1, 0x65, 2];
    const FOLLOWING: &[u8] = &[0, 0, 0, 1, 0x41, 3];

    fn reel(format: PictureFormat, seen: &[(&[u8], u64)]) -> Reel {
        let mut reel = Reel::default();
        for (data, recorded) in seen {
            reel.see(Picture { at: Utc::EPOCH, format, data: data.to_vec() }, *recorded, 100);
        }
        reel
    }

    #[test]
    fn video_is_kept_from_the_last_keyframe_to_the_moment() {
        let seen: [(&[u8], u64); 6] =
            [(FOLLOWING, 10), (KEY, 20), (FOLLOWING, 30), (KEY, 80), (FOLLOWING, 95), (FOLLOWING, 101)];
        let reel = reel(PictureFormat::H264, &seen);
        assert_eq!((reel.frames, reel.distance), (vec![KEY.to_vec(), FOLLOWING.to_vec()], 5));
    }

    #[test]
    fn video_that_begins_after_the_moment_shows_its_first_keyframe() {
        let reel = reel(PictureFormat::H264, &[(FOLLOWING, 101), (KEY, 110), (FOLLOWING, 120)]);
        assert_eq!((reel.frames, reel.distance), (vec![KEY.to_vec()], 10));
    }

    #[test]
    fn of_single_pictures_the_nearest_is_taken_be_it_before_or_after() {
        let before = reel(PictureFormat::Jpeg, &[(b"a", 50), (b"b", 90), (b"c", 115)]);
        assert_eq!(before.frames, [b"b"]);
        let after = reel(PictureFormat::Jpeg, &[(b"a", 50), (b"b", 90), (b"c", 105), (b"d", 106)]);
        assert_eq!(after.frames, [b"c"]);
    }

    /// A black frame of 32 by 32 dots, and one that turns it white.
    const BLACK: &[u8] = &[
        0x00, 0x00, 0x00, 0x01, 0x67, 0x42, 0xc0, 0x3c, 0xda, 0x25, 0xb0, 0x11, 0x00, 0x00, 0x03, 0x00, 0x01, 0x00,
        0x1e, 0x84, 0x80, 0x0f, 0x08, 0x04, 0x2a, 0x00, 0x00, 0x00, 0x01, 0x68, 0xce, 0x0f, 0xc8, 0x00, 0x00, 0x01,
        0x65, 0x88, 0x84, 0x3a, 0x26, 0x28, 0x00, 0x09, 0x02, 0xc9, 0xd7, 0x5e,
    ];
    const WHITE: &[u8] =
        &[0x00, 0x00, 0x00, 0x01, 0x41, 0x9a, 0x20, 0xea, 0x27, 0x14, 0x00, 0x04, 0x7b, 0x31, 0x3e, 0x7f, 0x3f, 0x80];

    #[test]
    fn of_a_video_the_last_frame_is_shown() {
        let (first, last) = (decoded(vec![BLACK.to_vec()]), decoded(vec![BLACK.to_vec(), WHITE.to_vec()]));
        match (first, last) {
            (Shot::Jpeg(first), Shot::Jpeg(last)) => {
                assert!(first.starts_with(&[0xff, 0xd8]) && last.starts_with(&[0xff, 0xd8]));
                assert_ne!(first, last, "the second frame is another picture");
            }
            (first, last) => assert_eq!((first, last), (missing(), missing()), "only without ffmpeg"),
        }
    }

    fn missing() -> Shot {
        Shot::Nothing("ffmpeg is not installed")
    }

    #[test]
    fn what_is_no_video_gives_no_picture() {
        assert!(matches!(decoded(vec![b"nothing of the sort".to_vec()]), Shot::Nothing(_)));
    }
}
