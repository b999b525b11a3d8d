//! The style sheet and the scripts, compiled in: no build step, no request to anywhere else.

use std::sync::LazyLock;

use axum::extract::Path;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};

use crate::server::Failure;

struct Asset {
    name: &'static str,
    media_type: &'static str,
    text: &'static str,
}

macro_rules! assets {
    ($($name:literal: $media_type:literal),+ $(,)?) => {
        &[$(Asset { name: $name, media_type: $media_type, text: include_str!(concat!("../../assets/", $name)) }),+]
    };
}

const ASSETS: &[Asset] = assets! {
    "style.css": "text/css; charset=utf-8",
    "keys.js": "text/javascript; charset=utf-8",
    "queue.js": "text/javascript; charset=utf-8",
    "round.js": "text/javascript; charset=utf-8",
    "calculator.js": "text/javascript; charset=utf-8",
    "calibration.js": "text/javascript; charset=utf-8",
    "health.js": "text/javascript; charset=utf-8",
    "icon.svg": "image/svg+xml",
};

/// A few letters that change with the assets, so that browsers may keep them for a year.
pub(crate) static VERSION: LazyLock<String> = LazyLock::new(|| {
    let mut hash = Sha256::new();
    for asset in ASSETS {
        hash.update(asset.text.as_bytes());
    }
    data_encoding::HEXLOWER.encode(&hash.finalize()[..6])
});

/// One asset. Under its own version it never changes; under any other name browsers ask again.
pub(crate) async fn asset(Path((version, name)): Path<(String, String)>) -> Result<Response, Failure> {
    let asset = ASSETS.iter().find(|asset| asset.name == name);
    let asset = asset.ok_or_else(|| Failure::Missing(format!("file {name}")))?;
    let keep = if version == *VERSION { "public, max-age=31536000, immutable" } else { "no-cache" };
    Ok(([(header::CONTENT_TYPE, asset.media_type), (header::CACHE_CONTROL, keep)], asset.text).into_response())
}
