//! Reading what a site file says of the site as a whole.

use std::net::SocketAddr;

use super::address::{Database, NotAnAddress, SitePath};
use super::schema::{BUS, DATABASE, EVIDENCE, REVIEW, TABLE};
use super::secret::NetUrl;
use super::section::{Section, Value};
use super::table::{self, Floor};
use super::{Currency, EvidenceStore, Site};
use crate::ident::Remark;

const DAYS: std::ops::RangeInclusive<i64> = 1..=36_500;

/// Reads the top of a site file and everything under it.
pub(super) fn read(top: &Section<'_>) -> Option<Site> {
    let name = top.required("name").and_then(|value| value.parse::<Remark>(Remark::EXPECTED));
    let currency = top.optional("currency").map(|value| value.parse(Currency::EXPECTED).unwrap_or(Currency::NONE));
    let database = database(top);
    let evidence = evidence(top);
    let bus = section(top, "bus", &BUS).and_then(|bus| bus.required("url")?.address(nats));
    let review = section(top, "review", &REVIEW)
        .and_then(|review| review.optional("listen"))
        .and_then(|value| value.address(socket))
        .unwrap_or_else(|| SocketAddr::from(([127, 0, 0, 1], 8080)));

    let mut floor = Floor::of(currency);
    let tables: Vec<_> =
        top.sections("table", &TABLE).iter().filter_map(|section| table::read(section, &mut floor)).collect();
    match top.required("table") {
        Some(value) if value.is_empty_list() => value.fault("a site has at least one [[table]]"),
        _ => {}
    }
    Some(Site { name: name?, database: database?, evidence: evidence?, bus, review, tables })
}

/// A section that may be left out.
fn section<'a>(top: &Section<'a>, key: &'static str, keys: &'static super::Keys) -> Option<Section<'a>> {
    top.optional(key).and_then(|value: Value<'a>| value.section(keys))
}

fn database(top: &Section<'_>) -> Option<Database> {
    match section(top, "database", &DATABASE) {
        Some(section) => section.required("url")?.address(str::parse),
        None => Database::EXAMPLE.parse().ok(),
    }
}

fn evidence(top: &Section<'_>) -> Option<EvidenceStore> {
    let section = section(top, "evidence", &EVIDENCE);
    let value = |key| section.as_ref().and_then(|section| section.optional(key));
    let folder = match value("folder") {
        Some(folder) => folder.address(str::parse::<SitePath>)?,
        None => "evidence".parse().ok()?,
    };
    let keep_days = value("keep_days").and_then(|days| days.number(DAYS)).unwrap_or(7);
    let suspected = value("keep_suspected_days");
    let keep_suspected_days = suspected.and_then(|days| days.number(DAYS)).unwrap_or(keep_days.max(30));
    if let Some(days) = suspected.filter(|_| keep_suspected_days < keep_days) {
        days.fault(format_args!(
            "`keep_suspected_days` is {keep_suspected_days}, fewer than `keep_days` = {keep_days}"
        ));
    }
    Some(EvidenceStore { folder, keep_days, keep_suspected_days })
}

fn nats(text: &str) -> Result<NetUrl, NotAnAddress> {
    match text.split_once("://") {
        Some(("nats" | "tls", _)) => NetUrl::read(text, true),
        Some((scheme, _)) if scheme.len() <= 12 => {
            Err(NotAnAddress::Scheme { found: scheme.into(), known: &["nats", "tls"] })
        }
        _ => Err(NotAnAddress::NoScheme("nats://host:4222")),
    }
}

fn socket(text: &str) -> Result<SocketAddr, NotAnAddress> {
    let wrong = NotAnAddress::NoScheme("127.0.0.1:8080");
    let (host, port) = text.rsplit_once(':').ok_or(wrong.clone())?;
    match port.parse::<u16>() {
        Ok(0) | Err(_) => Err(NotAnAddress::Port),
        Ok(port) => format!("{host}:{port}").parse().map_err(|_| wrong),
    }
}
