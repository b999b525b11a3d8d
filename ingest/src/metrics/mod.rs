//! Counters for Prometheus. Each part counts for itself; a page of all counts is put together when somebody asks.
//!
//! ```
//! use ingest::metrics::{Kind, Page};
//!
//! let mut page = Page::default();
//! page.put(Kind::Counter, "fairdeal_shoe_bytes_total", "Bytes that came from a shoe.", &[("shoe", "east")], 4800.0);
//! assert!(page.to_string().contains("fairdeal_shoe_bytes_total{shoe=\"east\"} 4800\n"));
//! ```

mod parts;
mod serve;

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};
use std::sync::{Arc, Mutex, PoisonError};

pub use parts::{camera, chips, clock, feed, health, line, pairing, recorder, shoe};
pub use serve::{ServeError, Server};

/// Whether a number only grows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// It only grows. Its name ends in `_total`.
    Counter,
    /// It goes up and down.
    Gauge,
}

/// What is known of one metric.
#[derive(Debug)]
struct Metric {
    kind: Kind,
    help: &'static str,
    /// For every set of labels, as written, its value.
    values: BTreeMap<String, f64>,
}

/// All numbers at one moment, in the text format that Prometheus reads (version 0.0.4).
#[derive(Debug, Default)]
pub struct Page(BTreeMap<&'static str, Metric>);

impl Page {
    /// Puts a number on the page.
    pub fn put(&mut self, kind: Kind, name: &'static str, help: &'static str, labels: &[(&str, &str)], value: f64) {
        let mut written = String::new();
        for (label, text) in labels {
            let comma = if written.is_empty() { "" } else { "," };
            let text = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
            // Writing to a string cannot fail.
            let _ = write!(written, "{comma}{label}=\"{text}\"");
        }
        let metric = self.0.entry(name).or_insert_with(|| Metric { kind, help, values: BTreeMap::new() });
        metric.values.insert(written, value);
    }
}

impl fmt::Display for Page {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, Metric { kind, help, values }) in &self.0 {
            let kind = if *kind == Kind::Counter { "counter" } else { "gauge" };
            writeln!(f, "# HELP {name} {help}\n# TYPE {name} {kind}")?;
            for (labels, value) in values {
                match labels.as_str() {
                    "" => writeln!(f, "{name} {value}")?,
                    labels => writeln!(f, "{name}{{{labels}}} {value}")?,
                }
            }
        }
        Ok(())
    }
}

/// Something that puts its numbers on a page.
type Source = Box<dyn Fn(&mut Page) + Send>;

/// All that count. Cheap to copy.
#[derive(Clone, Default)]
pub struct Registry(Arc<Mutex<Vec<Source>>>);

impl Registry {
    /// Adds something that counts.
    pub fn add(&self, source: impl Fn(&mut Page) + Send + 'static) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(Box::new(source));
    }

    /// All numbers now.
    pub fn page(&self) -> Page {
        let mut page = Page::default();
        for source in self.0.lock().unwrap_or_else(PoisonError::into_inner).iter() {
            source(&mut page);
        }
        page
    }
}

impl fmt::Debug for Registry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Registry")
    }
}
