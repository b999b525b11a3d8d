//! The officers' pages.

use crate::server::Routes;

/// Every page.
pub fn routes() -> Routes {
    Routes::new()
}
