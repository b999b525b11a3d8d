//! Telling people and programs of severe flags: signed webhooks and letters, tried again until they arrive.
//!
//! Whatever is to be told stands in the outbox in the same transaction as the flag itself. A webhook's body is signed with
//! HMAC-SHA-256 under its subscriber's secret; `x-fairdeal-signature: sha256=…` holds the signature in hexadecimal.

use std::time::Duration;

use data_encoding::HEXLOWER;
use hmac::{Hmac, KeyInit, Mac};
use lettre::message::Mailbox;
use lettre::{AsyncSmtpTransport, AsyncTransport, Message, Tokio1Executor};
use sha2::Sha256;
use table::{Flag, Utc};

use crate::store::site::Due;
use crate::store::{Store, StoreError};

/// How long a receiver may take.
const TIMEOUT: Duration = Duration::from_secs(10);
/// The first wait after a failure, in microseconds; it doubles up to an hour.
const FIRST_WAIT: i64 = 30_000_000;
const LONGEST_WAIT: i64 = 3_600_000_000;
/// Messages at a time.
const AT_ONCE: i64 = 20;

/// The header of a webhook's signature.
pub const SIGNATURE: &str = "x-fairdeal-signature";

/// Where letters are handed in.
#[derive(Clone, Debug)]
pub struct Post {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

/// Why messages cannot be sent at all.
#[derive(Debug, thiserror::Error)]
pub enum NotifyError {
    /// The mail server's address makes no sense.
    #[error("the mail server's address: expected smtps://USER:PASSWORD@HOST or smtp://HOST:PORT")]
    Smtp(#[source] lettre::transport::smtp::Error),
    /// The sender is no mailbox.
    #[error("the sender of letters: expected a mailbox such as fairdeal@example.org")]
    From(#[source] lettre::address::AddressError),
    /// Nothing can be sent over HTTP.
    #[error("webhooks cannot be sent")]
    Http(#[from] reqwest::Error),
}

/// Sends what is due.
#[derive(Clone, Debug)]
pub struct Notifier {
    http: reqwest::Client,
    post: Option<Post>,
}

impl Notifier {
    /// One that sends webhooks and, with a mail server's address and a sender, letters.
    pub fn new(smtp: Option<(&str, &str)>) -> Result<Self, NotifyError> {
        crate::server::choose_cryptography();
        let post = match smtp {
            None => None,
            Some((url, from)) => {
                let transport = AsyncSmtpTransport::<Tokio1Executor>::from_url(url).map_err(NotifyError::Smtp)?;
                let from = from.parse().map_err(NotifyError::From)?;
                Some(Post { transport: transport.timeout(Some(TIMEOUT)).build(), from })
            }
        };
        // Following a redirection would send the flag to somewhere nobody chose.
        let http = reqwest::Client::builder().timeout(TIMEOUT).redirect(reqwest::redirect::Policy::none()).build()?;
        Ok(Self { http, post })
    }

    /// Sends what is due now, and says how much arrived.
    pub async fn deliver(&self, store: &Store, now: Utc) -> Result<u64, StoreError> {
        let mut arrived = 0;
        for due in store.due(now, AT_ONCE).await? {
            let sent = match due.kind.as_str() {
                "webhook" => self.call(&due).await,
                _ => self.write(&due).await,
            };
            match sent {
                Ok(()) => {
                    arrived += 1;
                    store.told(due.id, now, Ok(())).await?;
                }
                Err(failure) => {
                    tracing::warn!(target = due.target, flag = due.flag, failure, "a message did not arrive");
                    let again = now.shifted(wait(due.attempts)).unwrap_or(now);
                    store.told(due.id, now, Err((&failure, again))).await?;
                }
            }
        }
        Ok(arrived)
    }

    async fn call(&self, due: &Due) -> Result<(), String> {
        let body = format!("{{\"delivery\":{},\"flag\":{}}}", due.id, due.document);
        let request = self
            .http
            .post(&due.target)
            .header("content-type", "application/json")
            .header(SIGNATURE, format!("sha256={}", sign(&due.secret, body.as_bytes())))
            .body(body);
        let answer = request.send().await.map_err(|error| error.without_url().to_string())?;
        let status = answer.status();
        if status.is_success() { Ok(()) } else { Err(format!("answered {status}")) }
    }

    async fn write(&self, due: &Due) -> Result<(), String> {
        let post = self.post.as_ref().ok_or("no mail server is set up")?;
        let flag: Flag = serde_json::from_str(&due.document).map_err(|error| error.to_string())?;
        let to = due.target.parse().map_err(|_| "not a mailbox")?;
        let letter = Message::builder()
            .from(post.from.clone())
            .to(Mailbox::new(None, to))
            .subject(format!("{} at {}: {}", flag.severity, flag.round.table, flag.observed))
            .body(letter(&flag))
            .map_err(|error| error.to_string())?;
        post.transport.send(letter).await.map(drop).map_err(|error| error.to_string())
    }
}

/// The signature of a body, in hexadecimal.
pub fn sign(secret: &str, body: &[u8]) -> String {
    // HMAC takes keys of every length.
    match Hmac::<Sha256>::new_from_slice(secret.as_bytes()) {
        Ok(mut mac) => {
            mac.update(body);
            HEXLOWER.encode(&mac.finalize().into_bytes())
        }
        Err(_) => String::new(),
    }
}

fn letter(flag: &Flag) -> String {
    format!(
        "Flag      {}\nWhen      {}\nTable     {}, shoe {}, round {}\nClause    {}\nSeen      {}\nAsked     {}\nMoney     {} \
         (favours {})\n",
        flag.id(),
        flag.at,
        flag.round.table,
        flag.round.shoe,
        flag.round.round,
        flag.clause,
        flag.observed,
        flag.expected,
        flag.money.amount,
        flag.money.favours,
    )
}

/// How long to wait after so many failures before this one.
fn wait(failures: i64) -> i64 {
    let doublings = u32::try_from(failures).unwrap_or(u32::MAX).min(16);
    (FIRST_WAIT << doublings).min(LONGEST_WAIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 4231, test case 2.
    #[test]
    fn the_signature_is_hmac_sha_256() {
        assert_eq!(
            sign("Jefe", b"what do ya want for nothing?"),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
        );
    }

    #[test]
    fn waits_grow_to_an_hour() {
        assert_eq!(wait(0), FIRST_WAIT);
        assert_eq!(wait(1), 2 * FIRST_WAIT);
        assert_eq!(wait(60), LONGEST_WAIT);
    }
}
