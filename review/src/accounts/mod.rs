//! Who may do what: roles, rights, tokens and passwords.

pub mod login;
pub mod password;
pub mod secret;

use std::collections::BTreeSet;

use table::named;

named! {
    /// What somebody is here for.
    pub enum Role, "officer, investigator, manager, auditor or admin" {
        /// Works the queue.
        Officer = "officer",
        /// Also builds cases, corrects readings and exports.
        Investigator = "investigator",
        /// Also assigns, holds, and changes settings.
        Manager = "manager",
        /// Reads all, changes nothing: a regulator's seat.
        Auditor = "auditor",
        /// Also keeps the accounts.
        Admin = "admin",
    }
}

named! {
    /// What a route asks for.
    pub enum Right, "anyone, known, self, read, decide, investigate, export, manage, history or admin" {
        /// Nobody need be logged in.
        Anyone = "anyone",
        /// Somebody we know, logged in or with a token of any scope.
        Known = "known",
        /// Somebody logged in, about their own account.
        Own = "self",
        /// See tables, rounds, flags and cases.
        Read = "read",
        /// Decide and annotate flags.
        Decide = "decide",
        /// Open and write cases, correct readings.
        Investigate = "investigate",
        /// Take copies out of the house.
        Export = "export",
        /// Settings, holds, calibration, subscribers.
        Manage = "manage",
        /// Read the log of who did what.
        History = "history",
        /// Users and their tokens.
        Admin = "admin",
    }
}

named! {
    /// What an API token may be used for; never more than its user may do.
    pub enum Scope, "read, decide, export or admin" {
        /// Reading.
        Read = "read",
        /// Deciding, annotating and writing cases.
        Decide = "decide",
        /// Exporting.
        Export = "export",
        /// Settings and accounts.
        Admin = "admin",
    }
}

impl Role {
    /// Whether the role includes a right.
    pub const fn has(self, right: Right) -> bool {
        match right {
            Right::Anyone | Right::Known | Right::Own | Right::Read => true,
            Right::Decide => !matches!(self, Self::Auditor),
            Right::Investigate => matches!(self, Self::Investigator | Self::Manager | Self::Admin),
            Right::Export => !matches!(self, Self::Officer),
            Right::Manage => matches!(self, Self::Manager | Self::Admin),
            Right::History => matches!(self, Self::Manager | Self::Auditor | Self::Admin),
            Right::Admin => matches!(self, Self::Admin),
        }
    }
}

impl Scope {
    /// Whether a token of this scope serves for a right.
    pub const fn covers(self, right: Right) -> bool {
        match self {
            _ if matches!(right, Right::Known) => true,
            Self::Read => matches!(right, Right::Anyone | Right::Read | Right::History),
            Self::Decide => matches!(right, Right::Decide | Right::Investigate),
            Self::Export => matches!(right, Right::Export),
            Self::Admin => matches!(right, Right::Manage | Right::Admin),
        }
    }
}

/// The tables somebody may see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tables {
    /// All of them, also those that come.
    All,
    /// These.
    Only(BTreeSet<String>),
}

impl Tables {
    /// Whether a table is among them.
    pub fn include(&self, table: &str) -> bool {
        match self {
            Self::All => true,
            Self::Only(names) => names.contains(table),
        }
    }

    /// Their names; `None` stands for all.
    pub fn names(&self) -> Option<&BTreeSet<String>> {
        match self {
            Self::All => None,
            Self::Only(names) => Some(names),
        }
    }
}

/// Whoever sits at the screen, or holds the token.
#[derive(Clone, Debug)]
pub struct Officer {
    /// The user's number.
    pub id: i64,
    /// The name they log in with.
    pub name: String,
    /// The name that stands under a report.
    pub full_name: String,
    /// Their title.
    pub title: String,
    /// Their role.
    pub role: Role,
    /// The tables they may see.
    pub tables: Tables,
    /// How the pages look to them.
    pub looks: Looks,
    /// How they got in.
    pub by: Entrance,
}

/// How the pages look to somebody.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct Looks {
    /// `auto`, `dark` or `light`.
    pub theme: String,
    /// How many colours the suits have: 2 or 4.
    pub suits: i64,
}

impl Default for Looks {
    fn default() -> Self {
        Self { theme: "auto".to_owned(), suits: 2 }
    }
}

/// How somebody got in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entrance {
    /// Logged in. Forms must bring the token back.
    Session {
        /// The secret in every form.
        csrf: String,
    },
    /// With an API token of these scopes.
    Token {
        /// What it may be used for.
        scopes: Vec<Scope>,
    },
}

impl Officer {
    /// Whether they may.
    pub fn may(&self, right: Right) -> bool {
        let in_scope = match &self.by {
            Entrance::Session { .. } => true,
            Entrance::Token { scopes } => scopes.iter().any(|scope| scope.covers(right)),
        };
        in_scope && self.role.has(right)
    }

    /// The secret every form must bring back; empty for tokens, which send no forms.
    pub fn csrf(&self) -> &str {
        match &self.by {
            Entrance::Session { csrf } => csrf,
            Entrance::Token { .. } => "",
        }
    }
}
