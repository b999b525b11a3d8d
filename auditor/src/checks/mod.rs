//! The checks, one file each, named for the wrong they find.

mod prelude;

use crate::check::Check;

/// Declares the files and the registry in one list.
macro_rules! checks {
    ($($name:ident,)+) => {
        $(mod $name;)+

        /// Every check there is, by name.
        pub static CHECKS: &[&Check] = &[$(&$name::CHECK,)+];
    };
}

checks! {
    dealer_overdrew,
    dealer_stood_short,
    dealt_out_of_order,
    late_wager,
    paid_a_push,
    stood_short,
    took_a_push,
    wager_altered,
}

/// The check with a name.
pub fn find(name: &str) -> Option<&'static Check> {
    CHECKS.iter().copied().find(|check| check.name == name)
}
