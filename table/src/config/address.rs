//! Where things are reached: databases, cameras, shoes and sensors, each address read into what it means.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use super::secret::{NetUrl, Secrets};
use crate::text::nearest;

/// Text that is no address of the kind expected. Never quotes the address, which may hold a password.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NotAnAddress {
    /// Does not begin with `scheme:`.
    #[error("expected an address such as {0}")]
    NoScheme(&'static str),
    /// Begins with a scheme that cannot be used here.
    #[error("unknown scheme `{found}`, {}", hint(found, known))]
    Scheme {
        /// What stood there.
        found: String,
        /// What may stand there.
        known: &'static [&'static str],
    },
    /// Has a port that no host has.
    #[error("the port is not a number from 1 to 65535")]
    Port,
    /// Needs a port.
    #[error("the port is missing, write {0}")]
    NoPort(&'static str),
    /// Names no host.
    #[error("the host is missing")]
    NoHost,
    /// Has something the network does not understand.
    #[error("not a network address: {0}")]
    Malformed(url::ParseError),
    /// Has a blank or line break in it.
    #[error("an address has no blanks or line breaks in it; write a blank as %20")]
    Blank,
    /// Says more than it may.
    #[error("expected only a host and a port, such as {0}")]
    OnlyHostAndPort(&'static str),
    /// Names no file.
    #[error("the path is missing")]
    NoPath,
    /// Has two slashes where none or three belong.
    #[error("write `{0}:path` for a path from this file's folder, or `{0}:///path` for one from the root")]
    TwoSlashes(&'static str),
    /// Has a line break or the like in it.
    #[error("an address has no line breaks or other control characters in it")]
    Control,
    /// Names no device.
    #[error("the device is missing or lacks its third slash, write {0}")]
    NoDevice(&'static str),
    /// Has a speed no serial port has.
    #[error("baud is not a whole number from 50 to 4000000")]
    Baud,
    /// Leaves the speed open where nothing else tells it.
    #[error("the speed is missing, add ?baud=9600 or whatever the device sends at")]
    NoBaud,
    /// Has a setting that serial ports do not have here.
    #[error("unknown setting `{0}` of a serial port, expected baud")]
    SerialSetting(String),
    /// Keeps the records where they do not last.
    #[error("expected a database file: what is kept in memory is lost at the end")]
    Memory,
    /// Has settings after the name of the database file.
    #[error("expected only the path of the database file, without settings after it")]
    SqliteSettings,
}

fn hint(found: &str, known: &[&str]) -> String {
    match nearest(found, known.iter().copied()) {
        Some(near) => format!("did you mean `{near}`?"),
        None => format!("expected one of {}", known.join(", ")),
    }
}

/// Splits `scheme:rest`, having made sure that the scheme is one of those known.
fn scheme<'a>(
    text: &'a str,
    known: &'static [&'static str],
    example: &'static str,
) -> Result<(&'static str, &'a str), NotAnAddress> {
    if text.chars().any(char::is_control) {
        return Err(NotAnAddress::Control);
    }
    let is_scheme = |s: &str| !s.is_empty() && s.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b));
    let (found, rest) = text.split_once(':').filter(|(s, _)| is_scheme(s)).ok_or(NotAnAddress::NoScheme(example))?;
    match known.iter().find(|scheme| **scheme == found) {
        Some(scheme) => Ok((scheme, rest)),
        // A host and port without a scheme (`cam:554`), or a long string that may be anything, is not repeated.
        None if !rest.starts_with("//") || found.len() > 12 => Err(NotAnAddress::NoScheme(example)),
        None => Err(NotAnAddress::Scheme { found: found.into(), known }),
    }
}

/// A path as the site file writes it: from the folder of that file, unless it begins at the root.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SitePath(Box<str>);

impl SitePath {
    /// The path as written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The path from where we are, given the folder that the site file is in.
    pub fn within(&self, folder: &Path) -> PathBuf {
        folder.join(self.as_str())
    }

    /// What follows `scheme:`: a path, or two slashes and a path from the root.
    fn after(scheme: &'static str, rest: &str) -> Result<Self, NotAnAddress> {
        match rest.strip_prefix("//") {
            Some(path) if path.starts_with('/') => path.parse(),
            Some(_) => Err(NotAnAddress::TwoSlashes(scheme)),
            None => rest.parse(),
        }
    }

    /// The inverse of [`after`](Self::after).
    fn written(&self, scheme: &str) -> String {
        let slashes = if self.0.starts_with('/') { "//" } else { "" };
        format!("{scheme}:{slashes}{}", self.0)
    }
}

impl FromStr for SitePath {
    type Err = NotAnAddress;

    fn from_str(text: &str) -> Result<Self, NotAnAddress> {
        if text.trim().is_empty() {
            return Err(NotAnAddress::NoPath);
        }
        if text.chars().any(char::is_control) {
            return Err(NotAnAddress::Control);
        }
        Ok(Self(text.into()))
    }
}

impl fmt::Display for SitePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// Where rounds and flags are kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Database {
    /// A SQLite file: needs no server.
    Sqlite(SitePath),
    /// A PostgreSQL server, for sites of many machines.
    Postgres(NetUrl),
}

impl Database {
    pub(super) const EXAMPLE: &'static str = "sqlite:fairdeal.db";

    /// The address with or without its password.
    pub(super) fn written(&self, secrets: Secrets) -> String {
        match self {
            Self::Sqlite(file) => file.written("sqlite"),
            Self::Postgres(url) => url.written(secrets),
        }
    }
}

impl FromStr for Database {
    type Err = NotAnAddress;

    fn from_str(text: &str) -> Result<Self, NotAnAddress> {
        match scheme(text, &["sqlite", "postgres", "postgresql"], Self::EXAMPLE)? {
            (_, ":memory:") => Err(NotAnAddress::Memory),
            ("sqlite", rest) if rest.contains('?') => Err(NotAnAddress::SqliteSettings),
            ("sqlite", rest) => SitePath::after("sqlite", rest).map(Self::Sqlite),
            _ => NetUrl::read(text, false).map(Self::Postgres),
        }
    }
}

/// Where a camera's pictures come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CameraSource {
    /// A stream: `rtsp://…`.
    Rtsp(NetUrl),
    /// Pictures one after another: `http://…`.
    Mjpeg(NetUrl),
    /// A camera on this machine: `v4l2:///dev/video0`.
    Device(SitePath),
    /// A recording: `file:table4.mp4`.
    File(SitePath),
    /// Still pictures in the order of their names: `folder:stills`.
    Folder(SitePath),
}

impl CameraSource {
    const EXAMPLE: &'static str = "rtsp://host/stream";

    /// The address with or without its password.
    pub(super) fn written(&self, secrets: Secrets) -> String {
        match self {
            Self::Rtsp(url) | Self::Mjpeg(url) => url.written(secrets),
            Self::Device(path) => path.written("v4l2"),
            Self::File(path) => path.written("file"),
            Self::Folder(path) => path.written("folder"),
        }
    }
}

impl FromStr for CameraSource {
    type Err = NotAnAddress;

    fn from_str(text: &str) -> Result<Self, NotAnAddress> {
        match scheme(text, &["rtsp", "http", "https", "v4l2", "file", "folder"], Self::EXAMPLE)? {
            ("rtsp", _) => NetUrl::read(text, true).map(Self::Rtsp),
            ("v4l2", rest) => device(rest, "v4l2:///dev/video0").map(Self::Device),
            ("file", rest) => SitePath::after("file", rest).map(Self::File),
            ("folder", rest) => SitePath::after("folder", rest).map(Self::Folder),
            _ => NetUrl::read(text, true).map(Self::Mjpeg),
        }
    }
}

/// What follows `scheme:` of a device on this machine.
fn device(rest: &str, example: &'static str) -> Result<SitePath, NotAnAddress> {
    let path = rest.strip_prefix("//").filter(|path| path.starts_with('/') && path.len() > 1);
    path.ok_or(NotAnAddress::NoDevice(example))?.parse()
}

/// How the bytes of a shoe or a chip sensor come in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Transport {
    /// A serial port of this machine.
    Serial {
        /// The port: `/dev/ttyUSB0`, or `COM3` on Windows.
        port: SitePath,
        /// Bits a second.
        baud: u32,
    },
    /// A serial device server. It talks to one client at a time.
    Tcp {
        /// Its name or address; an IPv6 address stands in brackets.
        host: String,
        /// Its port.
        port: u16,
    },
    /// Bytes captured earlier.
    File(SitePath),
}

impl Transport {
    const TCP: &'static str = "tcp://host:4001";

    /// Reads an address; `usual` is the speed of a serial port that does not say its own.
    pub fn read(text: &str, usual: Option<u32>) -> Result<Self, NotAnAddress> {
        match scheme(text, &["serial", "tcp", "file"], Self::TCP)? {
            ("serial", rest) => serial(rest, usual),
            ("file", rest) => SitePath::after("file", rest).map(Self::File),
            _ => tcp(text),
        }
    }

    /// The port that only one may listen to: bytes that one listener reads are lost to the next.
    pub(super) fn port(&self) -> Option<String> {
        match self {
            Self::Serial { port, .. } => Some(port.to_string()),
            Self::Tcp { host, port } => Some(format!("{host}:{port}")),
            Self::File(_) => None,
        }
    }
}

fn serial(rest: &str, usual: Option<u32>) -> Result<Transport, NotAnAddress> {
    let (port, settings) = rest.split_once('?').unwrap_or((rest, ""));
    let is_windows = |port: &&str| port.strip_prefix("COM").is_some_and(|n| n.parse::<u8>().is_ok());
    let port = match port.strip_prefix("//").filter(is_windows) {
        Some(port) => port.parse()?,
        None => device(port, "serial:///dev/ttyUSB0")?,
    };
    let baud = match settings.split_once('=') {
        None if settings.is_empty() => usual.ok_or(NotAnAddress::NoBaud)?,
        Some(("baud", speed)) => {
            speed.parse().ok().filter(|speed| (50..=4_000_000).contains(speed)).ok_or(NotAnAddress::Baud)?
        }
        Some((name, _)) => return Err(NotAnAddress::SerialSetting(name.chars().take(20).collect())),
        None => return Err(NotAnAddress::SerialSetting(settings.chars().take(20).collect())),
    };
    Ok(Transport::Serial { port, baud })
}

fn tcp(text: &str) -> Result<Transport, NotAnAddress> {
    let url = NetUrl::read(text, true)?;
    let url = url.exposed();
    let plain = url.username().is_empty() && url.password().is_none() && url.query().is_none();
    if !plain || url.fragment().is_some() || !matches!(url.path(), "" | "/") {
        return Err(NotAnAddress::OnlyHostAndPort(Transport::TCP));
    }
    let host = url.host_str().ok_or(NotAnAddress::NoHost)?.to_owned();
    Ok(Transport::Tcp { host, port: url.port().ok_or(NotAnAddress::NoPort(Transport::TCP))? })
}

impl FromStr for Transport {
    type Err = NotAnAddress;

    fn from_str(text: &str) -> Result<Self, NotAnAddress> {
        Self::read(text, None)
    }
}

impl fmt::Display for Transport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Serial { port, baud } => write!(f, "serial://{port}?baud={baud}"),
            Self::Tcp { host, port } => write!(f, "tcp://{host}:{port}"),
            Self::File(path) => f.write_str(&path.written("file")),
        }
    }
}

impl fmt::Display for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written(Secrets::Masked))
    }
}

impl fmt::Display for CameraSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.written(Secrets::Masked))
    }
}
