//! Instants as people type them: by the clock of the site, or in UTC as programs write them.

use chrono::{DateTime, NaiveDateTime, TimeZone};
use chrono_tz::Tz;
use table::Utc;

use crate::server::Failure;

/// The forms in which the site's time is read, the one it is shown in first.
const FORMS: [&str; 4] = ["%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M"];

/// As a form shows it, to the second.
pub(crate) fn typed(at: Utc, zone: Tz) -> String {
    let at = DateTime::from_timestamp_micros(at.micros()).unwrap_or_default();
    at.with_timezone(&zone).format(FORMS[0]).to_string()
}

/// What was typed; `None` if nothing was. `before` is what the form showed: left as it was, it loses nothing of its
/// fractions of a second.
pub(crate) fn read(what: &str, text: &str, zone: Tz, before: Option<Utc>) -> Result<Option<Utc>, Failure> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(None);
    }
    if let Some(before) = before.filter(|before| typed(*before, zone) == text) {
        return Ok(Some(before));
    }
    if let Ok(at) = text.parse() {
        return Ok(Some(at));
    }
    let local = FORMS.iter().find_map(|form| NaiveDateTime::parse_from_str(text, form).ok());
    // Of an hour that comes twice the first is meant; one that is skipped never was.
    let at = local.and_then(|local| zone.from_local_datetime(&local).earliest());
    let at = at.and_then(|at| Utc::from_micros(at.timestamp_micros()));
    at.map(Some)
        .ok_or_else(|| Failure::Bad(format!("{what}: expected a time such as 2026-11-15 21:04:05, found {text}")))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ZONE: Tz = chrono_tz::Pacific::Auckland;

    #[test]
    fn a_time_is_read_by_the_clock_of_the_site_and_in_utc() {
        let read = |text| read("at", text, ZONE, None).map(|at| at.map(|at| at.to_string()));
        let asked = Some("2026-11-15T21:04:05.000000Z".to_owned());
        assert_eq!(read("2026-11-16 10:04:05").unwrap(), asked);
        assert_eq!(read("2026-11-15T21:04:05Z").unwrap(), asked);
        assert_eq!(read("2026-11-16T10:04").unwrap().unwrap(), "2026-11-15T21:04:00.000000Z");
        assert_eq!(read(" ").unwrap(), None);
        // The clocks go from two to three that night.
        for none in ["soon", "2026-09-27 02:30", "2026-13-01 00:00"] {
            assert!(read(none).is_err(), "{none}");
        }
    }

    #[test]
    fn a_time_that_is_left_as_shown_keeps_its_fractions() {
        let at: Utc = "2026-11-15T21:04:05.123456Z".parse().unwrap();
        let shown = typed(at, ZONE);
        assert_eq!(shown, "2026-11-16 10:04:05");
        assert_eq!(read("at", &shown, ZONE, Some(at)).unwrap(), Some(at));
    }
}
