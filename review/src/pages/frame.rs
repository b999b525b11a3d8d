//! What surrounds every page: the bar with the ways through the house, who is logged in, light or dark.

use askama::Template;
use axum::response::{Html, IntoResponse, Response};
use table::{AtStake, Utc};

use super::assets::VERSION;
use super::words::{self, When};
use crate::accounts::{Officer, Right};
use crate::server::{Failure, Site};

/// A way through the house.
pub(crate) struct Way {
    pub(crate) name: &'static str,
    pub(crate) path: &'static str,
    right: Right,
}

const WAYS: &[Way] = &[
    Way { name: "Queue", path: "/", right: Right::Read },
    Way { name: "Cases", path: "/cases", right: Right::Read },
    Way { name: "Tables", path: "/tables", right: Right::Read },
    Way { name: "Dealers", path: "/dealers", right: Right::Read },
    Way { name: "Calculator", path: "/calculator", right: Right::Read },
    Way { name: "Rules", path: "/rules", right: Right::Read },
    Way { name: "Health", path: "/health", right: Right::Read },
    Way { name: "Log", path: "/log", right: Right::History },
];

/// Why flags are confirmed, dismissed and escalated, the usual reason of each first.
const REASONS: &[(&str, &[&str])] = &[
    ("confirm", &["as described", "put right at the table", "seen on video", "dealer to be told"]),
    ("dismiss", &["misread", "allowed by the house", "put right at the table", "too small to matter"]),
    ("escalate", &["money to be recovered", "pattern", "needs a second look", "regulator to be told"]),
];

/// The frame of a page.
pub(crate) struct Frame {
    pub(crate) title: String,
    /// The path of the way we are on.
    pub(crate) here: &'static str,
    pub(crate) officer: Officer,
    pub(crate) site: Site,
    pub(crate) now: Utc,
}

impl Frame {
    pub(crate) fn new(site: &Site, officer: &Officer, here: &'static str, title: impl Into<String>) -> Self {
        Self { title: title.into(), here, officer: officer.clone(), site: site.clone(), now: site.now() }
    }

    pub(crate) fn ways(&self) -> impl Iterator<Item = &'static Way> {
        WAYS.iter().filter(|way| self.officer.may(way.right))
    }

    pub(crate) fn version(&self) -> &'static str {
        &VERSION
    }

    pub(crate) fn sprite(&self) -> &'static str {
        crate::draw::SPRITE
    }

    pub(crate) fn csrf(&self) -> &str {
        self.officer.csrf()
    }

    pub(crate) fn site_name(&self) -> &str {
        &self.site.setup.site
    }

    pub(crate) fn may_decide(&self) -> bool {
        self.officer.may(Right::Decide)
    }

    pub(crate) fn may_investigate(&self) -> bool {
        self.officer.may(Right::Investigate)
    }

    pub(crate) fn may_manage(&self) -> bool {
        self.officer.may(Right::Manage)
    }

    pub(crate) fn may_export(&self) -> bool {
        self.officer.may(Right::Export)
    }

    pub(crate) fn is_admin(&self) -> bool {
        self.officer.may(Right::Admin)
    }

    /// The reasons offered for a decision, the usual one first.
    pub(crate) fn reasons(&self) -> &'static [(&'static str, &'static [&'static str])] {
        REASONS
    }

    /// A time in the site's zone.
    pub(crate) fn when(&self, at: Utc) -> When {
        When::new(at, self.site.setup.zone, self.now)
    }

    pub(crate) fn currency(&self) -> &str {
        &self.site.setup.currency
    }

    pub(crate) fn stake(&self, money: AtStake) -> String {
        words::stake(money, self.currency())
    }
}

/// A page on its way out.
pub(crate) fn page(template: &impl Template) -> Result<Response, Failure> {
    Ok(Html(template.render()?).into_response())
}
