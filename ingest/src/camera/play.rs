//! A camera's thread: call, play, and call again when the line is lost.

use std::sync::Arc;
use std::time::{Duration, Instant};

use table::Utc;
use table::config::CameraSource;
use table::tape::Picture;

use super::backoff::Backoff;
use super::clock::{Clock, Oddity, Times};
use super::device::Device;
use super::health::{Condition, Gauge, Watch};
use super::lost::Lost;
use super::source::{Decoded, Packed, Source, Took, now};
use super::stills::Stills;
use super::video::{Kind, Video};
use super::{BROKEN, DROPPED, FRAMES_CAME, Frame, LOSSES, Mode, NOT_KEPT, News, Setup, Shared, Told};

pub(super) struct Player {
    source: CameraSource,
    setup: Setup,
    shared: Arc<Shared>,
    clock: Clock,
    /// The camera's wall clock against ours.
    wall: crate::clock::Clock,
    backoff: Backoff,
    gauge: Gauge,
    watch: Watch,
    number: u64,
    last: Option<Utc>,
    /// Packed pictures left out since the recorder fell behind; it takes up again with one that play can begin with.
    left_out: u64,
}

impl Player {
    pub(super) fn new(source: CameraSource, setup: Setup, shared: Arc<Shared>) -> Self {
        Self {
            backoff: Backoff::new(setup.seed),
            clock: Clock::new(Times::Arrival),
            wall: crate::clock::Clock::default(),
            gauge: Gauge::default(),
            watch: Watch::default(),
            number: 0,
            last: None,
            left_out: 0,
            source,
            setup,
            shared,
        }
    }

    /// Plays until the end, or until told to stop.
    pub(super) fn run(mut self) {
        while self.once() {}
        self.shared.close();
    }

    /// Calls and plays once; says whether to call again.
    fn once(&mut self) -> bool {
        self.tell(News::Connecting);
        self.shared.leash.allow(self.setup.opening);
        let why = match self.open() {
            Ok(mut source) => self.play(source.as_mut()),
            Err(why) => why,
        };
        match why {
            _ if self.shared.leash.is_stopped() => return false,
            Lost::Over => {
                self.tell(News::Over);
                return false;
            }
            why => self.tell(News::Lost(why)),
        }
        self.shared.count(LOSSES, 1);
        if self.setup.watched && self.watch.lost() {
            self.tell(News::Picture(Condition::Lost));
        }
        // A file that cannot be read will not be better for waiting.
        if matches!(self.source, CameraSource::File(_) | CameraSource::Folder(_)) {
            return false;
        }
        let wait = self.backoff.wait();
        self.tell(News::Retrying(wait));
        !self.shared.leash.sleep(wait)
    }

    fn open(&self) -> Result<Box<dyn Source>, Lost> {
        let (setup, leash) = (&self.setup, &self.shared.leash);
        let video =
            |kind, address: &str| Ok(Box::new(Video::open(kind, address, leash, setup.opening)?) as Box<dyn Source>);
        let live = setup.mode == Mode::Live;
        match &self.source {
            CameraSource::Rtsp(url) => video(Kind::Rtsp, url.exposed().as_str()),
            CameraSource::Mjpeg(url) => video(Kind::Mjpeg, url.exposed().as_str()),
            CameraSource::Device(path) => Ok(Box::new(Device::open(path.as_str().as_ref(), setup.pictures)?)),
            CameraSource::Folder(path) => Ok(Box::new(Stills::open(&path.within(&setup.folder), leash, live)?)),
            CameraSource::File(path) => {
                let path = path.within(&setup.folder);
                if !path.exists() {
                    return Err(Lost::Missing(path));
                }
                // Without the scheme a file named `a:b.mp4` would be taken for an address.
                let address =
                    path.to_str().map(|path| format!("file:{path}")).ok_or_else(|| Lost::Path(path.clone()))?;
                video(if live { Kind::PacedFile } else { Kind::File }, &address)
            }
        }
    }

    /// Plays until something ends it, and says what.
    fn play(&mut self, source: &mut dyn Source) -> Lost {
        self.clock.reconnected(source.times());
        let mut took = Vec::new();
        let mut playing = false;
        let mut seen = Instant::now();
        loop {
            // Before every read: in replay it is the reader, not the camera, who may have let the time pass.
            let patience = if playing { self.setup.silence } else { self.setup.opening };
            self.shared.leash.allow(patience);
            let ended = source.next(&mut took).err();
            for took in took.drain(..) {
                match took {
                    Took::Broken => self.shared.count(BROKEN, 1),
                    Took::Packed(packed) => self.keep(packed, source),
                    Took::Frame(decoded) => {
                        if !std::mem::replace(&mut playing, true) {
                            self.begin(&decoded, source);
                        }
                        self.show(decoded);
                        seen = Instant::now();
                    }
                }
            }
            match ended {
                Some(Lost::Silent(_)) => return Lost::Silent(patience),
                Some(why) => return why,
                None if self.shared.leash.is_stopped() => return Lost::Stopped,
                None if self.setup.mode == Mode::Live && seen.elapsed() > patience => {
                    return Lost::Undecodable(format!("none of the last {:.1} s", patience.as_secs_f64()));
                }
                None => {}
            }
        }
    }

    /// The first frame of a connection is here.
    fn begin(&mut self, first: &Decoded, source: &dyn Source) {
        self.backoff.reset();
        let (width, height) = (first.image.width(), first.image.height());
        self.tell(News::Playing { width, height, packing: source.packing() });
        if let Some(last) = self.last {
            let gap = self.clock.taken(first.counted, first.arrived).micros().saturating_sub(last.micros());
            self.tell(News::Gap(Duration::from_micros(u64::try_from(gap).unwrap_or(0))));
        }
    }

    fn keep(&mut self, packed: Packed, source: &dyn Source) {
        let odd = self.clock.heard(packed.counted, packed.arrived);
        let at = self.clock.taken(packed.counted, packed.arrived);
        if let Some(wall) = packed.wall {
            self.wall.observe(wall, packed.arrived);
            self.shared.clock_is(self.wall.measured());
        }
        let odd_too = packed.wall.and_then(|wall| self.clock.wall(wall, at));
        for odd in odd.into_iter().chain(odd_too) {
            self.tell(match odd {
                Oddity::Offset(by) => News::ClockOffset(by),
                Oddity::Jump(by) => News::ClockJump(by),
            });
        }
        let (true, Some(format), Some((data, key))) = (self.setup.pictures, source.packing(), packed.unit) else {
            return;
        };
        let picture = Picture { at, format, data };
        if self.setup.mode == Mode::Replay {
            self.shared.pictures.push_waiting(picture);
            return;
        }
        // After a picture is missing, those that build on it are of no use up to the next that stands alone.
        if (self.left_out == 0 || key) && self.shared.pictures.push_if_room(picture) {
            if self.left_out > 0 {
                self.tell(News::NotKept(self.left_out));
                self.left_out = 0;
            }
        } else {
            self.left_out += 1;
            self.shared.count(NOT_KEPT, 1);
        }
    }

    fn show(&mut self, decoded: Decoded) {
        let at = self.clock.shown(decoded.counted, decoded.arrived);
        self.last = Some(at);
        self.number += 1;
        self.shared.count(FRAMES_CAME, 1);
        let Decoded { arrived, wall, image, .. } = decoded;
        if self.setup.watched && self.watch.is_due(at) {
            // A picture that cannot be measured is no reason to withhold it.
            let changed = self.gauge.measure(&image).ok().and_then(|measure| self.watch.look(at, &measure));
            if let Some(condition) = changed {
                self.shared.news.push_newest(Told { at, news: News::Picture(condition) });
            }
        }
        let frame = Frame { number: self.number, at, arrived, source_clock: wall, image };
        match self.setup.mode {
            Mode::Live => self.shared.count(DROPPED, self.shared.frames.push_newest(frame)),
            Mode::Replay => {
                self.shared.frames.push_waiting(frame);
            }
        }
    }

    fn tell(&self, news: News) {
        self.shared.news.push_newest(Told { at: now(), news });
    }
}
