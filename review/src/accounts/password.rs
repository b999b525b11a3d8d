//! Passwords: argon2id, and nothing shorter than twelve characters.

use argon2::password_hash::phc::PasswordHash;
use argon2::password_hash::{PasswordHasher, PasswordVerifier};
use argon2::{Algorithm, Argon2, Params, Version};
use rand::TryRngCore;
use rand::rngs::OsRng;

/// The fewest characters of a password. Length is what resists guessing; we ask for no special signs.
pub const SHORTEST: usize = 12;
/// The most bytes: hashing a novel would only keep a core busy.
const LONGEST: usize = 1024;

/// Why a password will not do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PasswordError {
    /// Too short.
    #[error("a password has at least {SHORTEST} characters")]
    Short,
    /// Too long.
    #[error("a password has at most {LONGEST} bytes")]
    Long,
    /// It could not be hashed.
    #[error("the password could not be hashed")]
    Hash,
}

/// 19 MiB, two passes, one lane: what OWASP asks for at least, about 30 ms.
fn argon2() -> Result<Argon2<'static>, PasswordError> {
    let params = Params::new(19 * 1024, 2, 1, None).map_err(|_| PasswordError::Hash)?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

/// A password as it is stored. Takes its time: call it where blocking does no harm.
pub fn hash(password: &str) -> Result<String, PasswordError> {
    if password.chars().count() < SHORTEST {
        return Err(PasswordError::Short);
    }
    if password.len() > LONGEST {
        return Err(PasswordError::Long);
    }
    let mut salt = [0; 16];
    OsRng.try_fill_bytes(&mut salt).map_err(|_| PasswordError::Hash)?;
    let hash = argon2()?.hash_password_with_salt(password.as_bytes(), &salt).map_err(|_| PasswordError::Hash)?;
    Ok(hash.to_string())
}

/// Whether a password is the one stored. Nobody's password takes as long as somebody's, so that a name cannot be found out.
pub fn verify(password: &str, stored: Option<&str>) -> bool {
    // Of a password nobody has.
    const NOBODY: &str =
        "$argon2id$v=19$m=19456,t=2,p=1$AAAAAAAAAAAAAAAAAAAAAA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";
    let password = if password.len() > LONGEST { "" } else { password };
    let Ok(parsed) = PasswordHash::new(stored.unwrap_or(NOBODY)) else { return false };
    argon2().is_ok_and(|argon2| argon2.verify_password(password.as_bytes(), &parsed).is_ok()) && stored.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_verified_and_another_is_not() {
        let stored = hash("correct horse battery").unwrap();
        assert!(stored.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
        assert!(verify("correct horse battery", Some(&stored)));
        assert!(!verify("correct horse batterz", Some(&stored)));
        assert_ne!(stored, hash("correct horse battery").unwrap(), "salted");
    }

    #[test]
    fn nobody_has_no_password() {
        assert!(!verify("", None));
        assert!(!verify("whatever you like", None));
        assert!(!verify("whatever you like", Some("not a hash")));
    }

    #[test]
    fn short_and_endless_passwords_are_refused() {
        assert_eq!(hash("elevenchars"), Err(PasswordError::Short));
        assert_eq!(hash(&"x".repeat(1025)), Err(PasswordError::Long));
    }
}
