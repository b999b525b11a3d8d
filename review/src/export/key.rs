//! The key a site signs its exports with: an Ed25519 key in a file of its own, readable by its owner alone.
//!
//! It is neither in the database nor in backups: whoever can read those must not be able to sign in the site's name.

use std::fmt;
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use ed25519_dalek::pkcs8::spki::der::pem::LineEnding;
use ed25519_dalek::pkcs8::{DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey};
use ed25519_dalek::{Signature, Signer, SigningKey, VerifyingKey};
use rand::TryRngCore;
use rand::rngs::OsRng;

use crate::log::sha256;

/// Why there is no key to sign with, or none to verify with.
#[derive(Debug, thiserror::Error)]
pub enum KeyError {
    /// The file failed.
    #[error("{}: {what}", path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// What was tried.
        what: &'static str,
        /// Why it failed.
        source: io::Error,
    },
    /// Others can read the private key.
    #[error("{}: others than its owner may read or write this key; run chmod 600 on it", .0.display())]
    Open(PathBuf),
    /// It is not a key.
    #[error("{0}: not an Ed25519 key in PEM form")]
    NotAKey(String),
    /// The system gave us no randomness.
    #[error("the system gives no random numbers to make a key of")]
    NoEntropy,
}

/// A site's private key.
pub struct SiteKey(SigningKey);

impl fmt::Debug for SiteKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SiteKey({})", self.public())
    }
}

impl SiteKey {
    /// The key in a file, which is made on first use.
    pub fn open_or_make(path: &Path) -> Result<Self, KeyError> {
        match Self::open(path) {
            Err(KeyError::File { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                Self::make(path)?;
                // Somebody else may have been quicker; the key that is there is the one that counts.
                Self::open(path)
            }
            opened => opened,
        }
    }

    /// The key in a file.
    pub fn open(path: &Path) -> Result<Self, KeyError> {
        let failed = |source| KeyError::File { path: path.to_owned(), what: "cannot be read", source };
        let about = fs::metadata(path).map_err(failed)?;
        if about.permissions().mode() & 0o077 != 0 {
            return Err(KeyError::Open(path.to_owned()));
        }
        let pem = fs::read_to_string(path).map_err(failed)?;
        let key = SigningKey::from_pkcs8_pem(&pem).map_err(|_| KeyError::NotAKey(path.display().to_string()))?;
        Ok(Self(key))
    }

    /// Writes a fresh key, whole or not at all, unless there is one.
    fn make(path: &Path) -> Result<(), KeyError> {
        let failed = |source| KeyError::File { path: path.to_owned(), what: "the key cannot be written", source };
        let mut bytes = [0; 32];
        OsRng.try_fill_bytes(&mut bytes).map_err(|_| KeyError::NoEntropy)?;
        let pem = SigningKey::from_bytes(&bytes)
            .to_pkcs8_pem(LineEnding::LF)
            .map_err(|_| KeyError::NotAKey(path.display().to_string()))?;
        let folder = path.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
        // Such a file is its owner's alone from its first byte on.
        let mut file = tempfile::NamedTempFile::new_in(folder).map_err(failed)?;
        file.write_all(pem.as_bytes()).and_then(|()| file.as_file().sync_all()).map_err(failed)?;
        match file.persist_noclobber(path) {
            Err(error) if error.error.kind() != io::ErrorKind::AlreadyExists => Err(failed(error.error)),
            _ => Ok(()),
        }
    }

    /// What others verify with.
    pub fn public(&self) -> PublicKey {
        PublicKey(self.0.verifying_key())
    }

    /// Signs bytes.
    pub fn sign(&self, bytes: &[u8]) -> [u8; 64] {
        self.0.sign(bytes).to_bytes()
    }
}

/// A site's public key. It prints as its fingerprint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicKey(VerifyingKey);

impl PublicKey {
    /// The key in PEM form, as OpenSSL reads it.
    pub fn pem(&self) -> Result<String, KeyError> {
        self.0.to_public_key_pem(LineEnding::LF).map_err(|_| KeyError::NotAKey("the public key".to_owned()))
    }

    /// The key from PEM form.
    pub fn from_pem(pem: &str) -> Result<Self, KeyError> {
        let key = VerifyingKey::from_public_key_pem(pem.trim());
        key.map(Self).map_err(|_| KeyError::NotAKey("the public key".to_owned()))
    }

    /// SHA-256 of the key in DER form: short enough to read out over the telephone.
    pub fn fingerprint(&self) -> String {
        self.0.to_public_key_der().map(|der| sha256(der.as_bytes())).unwrap_or_default()
    }

    /// Whether the site signed these bytes.
    pub fn signed(&self, bytes: &[u8], signature: &[u8]) -> bool {
        Signature::from_slice(signature).is_ok_and(|signature| self.0.verify_strict(bytes, &signature).is_ok())
    }
}

impl fmt::Display for PublicKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.fingerprint())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_key_is_made_once_for_its_owner_alone_and_comes_back() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("night.db.key");
        let made = SiteKey::open_or_make(&path).unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        let again = SiteKey::open_or_make(&path).unwrap();
        assert_eq!(made.public(), again.public());
        let signature = made.sign(b"manifest");
        assert!(again.public().signed(b"manifest", &signature));
        assert!(!again.public().signed(b"manifesto", &signature));
        assert!(!again.public().signed(b"manifest", &signature[1..]));
    }

    #[test]
    fn a_key_that_others_can_read_signs_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        SiteKey::open_or_make(&path).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        assert!(matches!(SiteKey::open_or_make(&path), Err(KeyError::Open(_))));
    }

    #[test]
    fn what_is_no_key_is_not_replaced_by_one() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("key");
        fs::write(&path, "a letter").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        assert!(matches!(SiteKey::open_or_make(&path), Err(KeyError::NotAKey(_))));
        assert_eq!(fs::read_to_string(&path).unwrap(), "a letter");
    }

    #[test]
    fn a_public_key_comes_back_from_its_pem() {
        let folder = tempfile::tempdir().unwrap();
        let key = SiteKey::open_or_make(&folder.path().join("key")).unwrap().public();
        assert_eq!(PublicKey::from_pem(&key.pem().unwrap()).unwrap(), key);
        assert!(PublicKey::from_pem("-----BEGIN").is_err());
    }
}
