//! Where flags become decisions: the database, the evidence, the pages and the API of the officers.
//!
//! [`Store`] is the database, SQLite or PostgreSQL alike; [`log`] is the chained history of who did what; [`accounts`] says
//! who may. [`server`] puts the [`pages`] and the [`api`] on a socket. Pictures come from outside through [`Footage`].

pub mod accounts;
pub mod api;
pub mod backup;
pub mod draw;
pub mod evidence;
pub mod export;
pub mod filter;
pub mod footage;
pub mod interval;
pub mod log;
pub mod notify;
pub mod pages;
pub mod retention;
pub mod server;
pub mod settings;
pub mod store;
pub mod verify;

pub use footage::Footage;
pub use server::{Site, router};
pub use store::{Store, StoreError};
