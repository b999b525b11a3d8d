//! What managers may set, each with a strict default.

use std::collections::BTreeMap;

/// A setting.
#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// Its name.
    pub name: &'static str,
    /// Its value until somebody changes it.
    pub usual: &'static str,
    /// What it is for.
    pub what: &'static str,
    least: u32,
    most: u32,
}

/// Days that rounds are kept in full. Their hashes, flags and decisions are kept for ever.
pub const KEEP_ROUNDS: &str = "keep-rounds-days";
/// Days that evidence files are kept.
pub const KEEP_EVIDENCE: &str = "keep-evidence-days";

/// Every setting.
pub const ALL: &[Setting] = &[
    Setting {
        name: KEEP_ROUNDS,
        usual: "365",
        what: "Days that rounds are kept card by card; flags and decisions are kept for ever",
        least: 7,
        most: 36_500,
    },
    Setting {
        name: KEEP_EVIDENCE,
        usual: "30",
        what: "Days that stills and clips are kept, unless they belong to a case, a hold or an undecided flag",
        least: 7,
        most: 36_500,
    },
];

/// The setting with a name.
pub fn find(name: &str) -> Option<&'static Setting> {
    ALL.iter().find(|setting| setting.name == name)
}

impl Setting {
    /// A value as it is stored, or what it should have been.
    pub fn read(&self, value: &str) -> Result<String, String> {
        match value.trim().parse::<u32>() {
            Ok(number) if (self.least..=self.most).contains(&number) => Ok(number.to_string()),
            _ => Err(format!("{}: expected a number from {} to {}", self.name, self.least, self.most)),
        }
    }

    /// Its value among those that somebody changed.
    pub fn among(&self, changed: &BTreeMap<String, String>) -> u32 {
        let stored = changed.get(self.name).and_then(|value| value.parse().ok());
        stored.or_else(|| self.usual.parse().ok()).unwrap_or(self.most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_setting_allows_its_own_default() {
        for setting in ALL {
            assert_eq!(setting.read(setting.usual).as_deref(), Ok(setting.usual));
        }
    }

    #[test]
    fn less_than_a_week_is_no_retention() {
        assert!(find(KEEP_EVIDENCE).unwrap().read("6").is_err());
    }
}
