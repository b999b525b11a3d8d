//! Network addresses that may hold a password, and how they are shown without it.

use std::fmt;
use std::str::FromStr;

use url::Url;

use super::address::NotAnAddress;

/// What is shown in place of a secret. It can stand in an address, so a masked one still reads as one.
const MASK: &str = "***";

/// Names of parameters whose values are nobody's business, wherever they stand in an address.
const SECRET_NAMES: &[&str] = &["pass", "pwd", "token", "secret", "key", "auth", "sig", "cred"];

/// Whether passwords are written out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Secrets {
    /// As they are: for a file that only the system may read.
    Kept,
    /// As `***`: for screens, logs and tapes.
    Masked,
}

/// An address on the network. `Display` and `Debug` mask its password; only [`exposed`](Self::exposed) tells it.
#[derive(Clone, PartialEq, Eq)]
pub struct NetUrl(Url);

impl NetUrl {
    /// Reads an address whose scheme has been looked at. Some databases are reached without a host.
    pub(super) fn read(text: &str, host_needed: bool) -> Result<Self, NotAnAddress> {
        // A URL parser drops line breaks and blanks around the address in silence; we would rather hear of them.
        if text.chars().any(|c| c.is_whitespace() || c.is_control()) {
            return Err(NotAnAddress::Blank);
        }
        let url = Url::parse(text).map_err(|wrong| match wrong {
            url::ParseError::InvalidPort => NotAnAddress::Port,
            url::ParseError::EmptyHost => NotAnAddress::NoHost,
            wrong => NotAnAddress::Malformed(wrong),
        })?;
        if url.port() == Some(0) {
            return Err(NotAnAddress::Port);
        }
        if !url.has_authority() || host_needed && url.host_str().is_none_or(str::is_empty) {
            return Err(NotAnAddress::NoHost);
        }
        Ok(Self(url))
    }

    /// The address with its password, to connect with.
    pub fn exposed(&self) -> &Url {
        &self.0
    }

    /// The address with or without its password.
    pub(super) fn written(&self, secrets: Secrets) -> String {
        match secrets {
            Secrets::Kept => self.0.as_str().to_owned(),
            Secrets::Masked => self.to_string(),
        }
    }
}

impl FromStr for NetUrl {
    type Err = NotAnAddress;

    fn from_str(text: &str) -> Result<Self, NotAnAddress> {
        Self::read(text, true)
    }
}

impl fmt::Display for NetUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = self.0.scheme();
        let text = self.0.as_str();
        let Some(rest) = text.strip_prefix(scheme).and_then(|rest| rest.strip_prefix("://")) else {
            return write!(f, "{scheme}:{MASK}");
        };
        let (authority, tail) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
        write!(f, "{scheme}://")?;
        match authority.rsplit_once('@') {
            None => f.write_str(authority)?,
            Some((login, host)) => match login.split_once(':') {
                Some((user, _)) => write!(f, "{user}:{MASK}@{host}")?,
                // A message bus takes a name without a password for a token.
                None if matches!(scheme, "nats" | "tls") => write!(f, "{MASK}@{host}")?,
                None => write!(f, "{login}@{host}")?,
            },
        }
        tail.split_inclusive(['/', '?', '&', ';', '#']).try_for_each(|part| write_masked(f, part))
    }
}

/// Some cameras take the password in the query or, worse, in the path: `user=admin_password=1234_channel=1`.
fn write_masked(f: &mut fmt::Formatter<'_>, part: &str) -> fmt::Result {
    let is_end = |c: char| "/?&;#".contains(c);
    let body = part.trim_end_matches(is_end);
    let mut name_start = 0;
    for (equals, _) in body.match_indices('=') {
        let name = body[name_start..equals].to_ascii_lowercase();
        if SECRET_NAMES.iter().any(|secret| name.contains(secret)) {
            return write!(f, "{}{MASK}{}", &body[..=equals], &part[body.len()..]);
        }
        name_start = equals + 1;
    }
    f.write_str(part)
}

impl fmt::Debug for NetUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NetUrl({self})")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_are_masked_wherever_makers_put_them() {
        let shown = |text: &str| NetUrl::read(text, false).unwrap().to_string();
        for (written, masked) in [
            ("rtsp://admin:hunter2@10.0.0.4:554/ch/1", "rtsp://admin:***@10.0.0.4:554/ch/1"),
            ("rtsp://admin:a:b%40c@cam/", "rtsp://admin:***@cam/"),
            ("rtsp://viewer@cam/ch?sub=1", "rtsp://viewer@cam/ch?sub=1"),
            ("http://cam/video?user=a&pwd=b&ch=1", "http://cam/video?user=a&pwd=***&ch=1"),
            ("http://cam/video?ch=1&Access_Token=b#password=x", "http://cam/video?ch=1&Access_Token=***#password=***"),
            ("rtsp://cam/user=a_password=b_channel=1.sdp", "rtsp://cam/user=a_password=***"),
            ("postgres://fd:pw@db/fairdeal", "postgres://fd:***@db/fairdeal"),
            ("postgres:///fairdeal?host=/run/pg&password=pw", "postgres:///fairdeal?host=/run/pg&password=***"),
            ("nats://s3cr3t@bus:4222", "nats://***@bus:4222"),
            ("nats://me:s3cr3t@bus:4222", "nats://me:***@bus:4222"),
        ] {
            assert_eq!(shown(written), masked);
            assert_eq!(shown(masked), masked, "a masked address reads and stays masked");
            assert_eq!(format!("{:?}", NetUrl::read(written, false).unwrap()), format!("NetUrl({masked})"));
        }
    }
}
