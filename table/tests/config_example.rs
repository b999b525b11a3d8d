//! The example and the reference cannot rot: both know every key there is, and the example is a good site.

use table::config::{CameraSource, Database, SCHEMA, Secrets, Site, Spot, Transport};

const EXAMPLE: &str = include_str!("../../docs/ref/site.example.toml");
const REFERENCE: &str = include_str!("../../docs/ref/configuration.md");

/// Every table under a dotted path, looking into each element of a list.
fn sections<'a>(value: &'a toml::Value, path: &str) -> Vec<&'a toml::Value> {
    let mut found = vec![value];
    for key in path.split('.').filter(|key| !key.is_empty()) {
        found = found
            .into_iter()
            .filter_map(|value| value.get(key))
            .flat_map(|value| value.as_array().map_or_else(|| vec![value], |list| list.iter().collect()))
            .collect();
    }
    found
}

#[test]
fn the_example_is_a_good_site() {
    let site = Site::parse(EXAMPLE).unwrap_or_else(|wrong| panic!("{wrong}"));
    assert!(matches!(site.database, Database::Postgres(_)));
    assert_eq!(site.tables.len(), 2);
    let table = &site.tables[0];
    assert_eq!(table.currency.to_string(), "AUD");
    assert!(matches!(table.cameras[0].source, CameraSource::Rtsp(_)));
    assert_eq!(table.cameras[0].areas[1].spot, Spot::Dealer);
    let shoe = table.shoe.as_ref().unwrap();
    assert!(matches!(&shoe.transport, Transport::Serial { port, baud: 4800 } if port.as_str() == "/dev/ttyUSB0"));
    assert_eq!(site.tables[1].currency.to_string(), "NZD", "the second table takes the site's currency");
}

#[test]
fn the_example_uses_every_key() {
    let example: toml::Value = toml::from_str(EXAMPLE).unwrap();
    for keys in SCHEMA {
        let under = sections(&example, keys.header.trim_matches(['[', ']']));
        for name in keys.names {
            assert!(under.iter().any(|section| section.get(name).is_some()), "{} {name} is not in it", keys.header);
        }
    }
}

#[test]
fn the_example_and_the_reference_name_every_choice() {
    for keys in SCHEMA {
        let row = REFERENCE.lines().find(|line| line.starts_with(&format!("| `{}` |", keys.header)));
        let row =
            if keys.header.is_empty() { REFERENCE.lines().find(|line| line.contains("top of the file")) } else { row };
        let row = row.unwrap_or_else(|| panic!("no row for {}", keys.header));
        for name in keys.names {
            assert!(row.contains(&format!("`{name}`")), "{} {name} is not in the reference", keys.header);
        }
    }
    let side_bets = table::SideBet::ALL.iter().map(|bet| bet.name());
    for name in table::config::GAMES.iter().copied().chain(side_bets) {
        assert!(EXAMPLE.contains(name), "{name} is not in the example");
    }
}

#[test]
fn what_is_left_out_has_the_documented_value() {
    let site = Site::parse("name = 'x'\n[[table]]\nid = 'a'\ngame = 'act'\ncurrency = 'AUD'\n").unwrap();
    let text = site.to_toml(Secrets::Kept);
    assert_eq!(
        text,
        "name = \"x\"\n\n[database]\nurl = \"sqlite:fairdeal.db\"\n\n[evidence]\nfolder = \"evidence\"\nkeep_days = 7\n\
         keep_suspected_days = 30\n\n[review]\nlisten = \"127.0.0.1:8080\"\n\n[[table]]\nid = \"a\"\ngame = \"act\"\n\
         boxes = 7\ncurrency = \"AUD\"\n"
    );
}

#[test]
fn a_shoe_that_does_not_say_its_speed_runs_at_the_speed_of_its_dialect() {
    for (dialect, speed) in [("angel-eye", 4800), ("bee-tek", 9600)] {
        let text = EXAMPLE
            .replace("?baud=4800\"", "\"")
            .replace("dialect = \"angel-eye\"", &format!("dialect = \"{dialect}\""));
        let shoe = Site::parse(&text).unwrap().tables.remove(0).shoe.unwrap();
        assert!(matches!(shoe.transport, Transport::Serial { baud, .. } if baud == speed), "{dialect}");
    }
}

#[test]
fn nothing_we_print_tells_a_password() {
    let site = Site::parse(EXAMPLE).unwrap();
    let json = serde_json::to_string(&site).unwrap();
    for shown in [format!("{site:?}"), site.to_toml(Secrets::Masked), json, site.database.to_string()] {
        assert!(shown.contains("***") && !shown.contains("change-me"), "{shown}");
    }
    assert!(site.to_toml(Secrets::Kept).contains("surveillance:change-me@"), "unless asked for");
}
