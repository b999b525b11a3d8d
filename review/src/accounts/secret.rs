//! Secrets that only their holder knows: we keep their hash.

use data_encoding::BASE64URL_NOPAD;
use rand::TryRngCore;
use rand::rngs::OsRng;

use crate::log::sha256;

/// A fresh secret of 256 bits, as text that fits a cookie, a header or an address.
pub fn fresh() -> Result<String, NoEntropy> {
    let mut bytes = [0; 32];
    OsRng.try_fill_bytes(&mut bytes).map_err(|_| NoEntropy)?;
    Ok(BASE64URL_NOPAD.encode(&bytes))
}

/// What is stored of a secret.
pub fn hashed(secret: &str) -> String {
    sha256(secret.as_bytes())
}

/// Whether two secrets are the same, in a time that does not tell how far they agree.
pub fn same(one: &str, other: &str) -> bool {
    // Comparing hashes leaks at most what the hashes have in common, which tells nothing about the secrets.
    hashed(one) == hashed(other)
}

/// The system gave us no randomness.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the system gives no random numbers")]
pub struct NoEntropy;
