//! Cameras at real ends: files, folders, a web server and an RTSP server that is killed under us.
#![allow(clippy::unwrap_used, reason = "a test stops where it stands")]

mod ends;
mod files;
mod health;
mod network;
mod rtsp;
mod tape;
