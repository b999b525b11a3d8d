//! Any site prints as a text that reads the same, and no text whatsoever can upset the reader.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on has failed")]

use proptest::collection::{btree_map, btree_set, vec};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select, subsequence};
use table::config::{
    Area, Camera, CameraSource, Chips, Dialect, EvidenceStore, GAMES, Lens, Point, Polygon, Secrets, Shoe, Site, Spot,
    TableConfig, Transport,
};
use table::{BoxNo, Game, Ident, Limit, Money, SideBet, WagerKind, Word};

const EXAMPLE: &str = include_str!("../../docs/ref/site.example.toml");

fn ident() -> impl Strategy<Value = Ident> {
    "[A-Za-z0-9_-]{1,32}".prop_map(|text| text.parse().unwrap())
}

fn path() -> impl Strategy<Value = String> {
    // Paths of the wild: from the root, with blanks, dots, quotes, other scripts, even two slashes.
    "/{0,3}[a-zA-Z0-9ā漢 ._'\"\\\\=%-]{1,12}x(/[a-z .]{1,8})?"
}

fn login() -> impl Strategy<Value = String> {
    prop_oneof![Just(String::new()), "[a-z]{1,6}@", "[a-z]{1,6}:[a-zA-Z0-9!$*%:_.-]{1,10}@"]
}

fn tail() -> impl Strategy<Value = String> {
    "(/[a-zA-Z0-9._=-]{0,8}){0,3}(\\?(ch|token|password)=[a-z0-9%]{0,6})?"
}

fn database() -> impl Strategy<Value = String> {
    prop_oneof![
        path().prop_map(|path| if path.starts_with('/') {
            format!("sqlite://{path}")
        } else {
            format!("sqlite:{path}")
        }),
        (login(), tail()).prop_map(|(login, tail)| format!("postgres://{login}db.example:5432{tail}")),
        tail().prop_map(|tail| format!("postgresql://{tail}")),
    ]
}

fn camera_source() -> impl Strategy<Value = CameraSource> {
    prop_oneof![
        (select(&["rtsp", "http", "https"][..]), login(), option::of(1u16..), tail()).prop_map(
            |(scheme, login, port, tail)| {
                let port = port.map(|port| format!(":{port}")).unwrap_or_default();
                format!("{scheme}://{login}10.0.0.4{port}{tail}")
            }
        ),
        (select(&["file", "folder"][..]), path()).prop_map(|(scheme, path)| {
            let slashes = if path.starts_with('/') { "//" } else { "" };
            format!("{scheme}:{slashes}{path}")
        }),
        (0u8..9).prop_map(|number| format!("v4l2:///dev/video{number}")),
    ]
    .prop_map(|url| url.parse().unwrap())
}

/// An address that no other device of the site listens to: its number is unique.
fn transport(number: usize) -> impl Strategy<Value = Transport> {
    prop_oneof![
        (50u32..=4_000_000).prop_map(move |baud| format!("serial:///dev/ttyUSB{number}?baud={baud}")),
        (1u16..).prop_map(move |port| format!("tcp://[fd00::{number:x}]:{port}")),
        Just("file:capture one.bin".to_owned()),
    ]
    .prop_map(|url| url.parse().unwrap())
}

fn limit(on: WagerKind) -> impl Strategy<Value = Limit> {
    (0i64..1_000_000, 1i64..1_000_000, any::<bool>()).prop_map(move |(min, more, stepped)| Limit {
        on,
        min: Money::from_minor(min),
        max: Money::from_minor(min + more),
        step: stepped.then(|| Money::from_minor(min + more)),
    })
}

fn area(spot: Spot) -> impl Strategy<Value = Area> {
    (0u16..400, 0u16..400, 1u16..200, 1u16..200).prop_map(move |(x, y, width, height)| {
        let corners = [(x, y), (x + width, y), (x + width, y + height), (x, y + height)];
        let points = corners.into_iter().map(|(x, y)| Point { x, y }).collect();
        Area { spot, polygon: Polygon::new(points).unwrap() }
    })
}

fn camera(boxes: u8) -> impl Strategy<Value = Camera> {
    let spots: Vec<_> =
        (1..=boxes).filter_map(BoxNo::new).map(Spot::Box).chain([Spot::Dealer, Spot::Shoe, Spot::Rack]).collect();
    let areas = subsequence(spots, 0..=3).prop_flat_map(|spots| spots.into_iter().map(area).collect::<Vec<_>>());
    let lens = option::of((-150_000i32..=150_000, -50_000i32..=50_000, 900_000i32..=3_000_000));
    (ident(), camera_source(), option::of((600u16..=16_384, 600u16..=16_384)), lens, areas).prop_map(
        |(name, source, size, lens, areas)| {
            let millionths = |of: i32| f64::from(of) / 1e6;
            // A picture much higher than wide may be folded over by what another bears.
            let lens = size.zip(lens).and_then(|(size, (k1, k2, focal))| {
                Lens::new(millionths(k1), millionths(k2), millionths(focal), size).ok()
            });
            Camera { name, source, size, lens, areas }
        },
    )
}

/// What is on and around a table: cameras with one name each.
fn cameras(boxes: u8) -> impl Strategy<Value = Vec<Camera>> {
    vec(camera(boxes), 0..3).prop_map(|mut cameras| {
        let mut seen = std::collections::BTreeSet::new();
        cameras.retain(|camera| seen.insert(camera.name.clone()));
        cameras
    })
}

fn game() -> impl Strategy<Value = Game> {
    let word = "[a-zA-Z0-9_.:,+-]{1,64}".prop_map(|text| text.parse::<Word>().unwrap());
    let name = select(GAMES).prop_map(|name| name.parse().unwrap());
    (name, btree_map(ident(), word, 0..4)).prop_map(|(name, options)| Game { name, options })
}

fn bets_and_limits() -> impl Strategy<Value = (Vec<SideBet>, Vec<Limit>)> {
    subsequence(SideBet::ALL.to_vec(), 0..=4).prop_shuffle().prop_flat_map(|bets| {
        let kinds =
            [WagerKind::Main, WagerKind::Insurance].into_iter().chain(bets.iter().copied().map(WagerKind::Side));
        (Just(bets.clone()), kinds.map(limit).collect::<Vec<_>>())
    })
}

fn table(id: Ident, number: usize) -> impl Strategy<Value = TableConfig> {
    let shoe = (ident(), transport(2 * number), select(Dialect::ALL), any::<bool>())
        .prop_map(|(name, transport, dialect, read_only)| Shoe { name, transport, dialect, read_only });
    let chips = (ident(), transport(2 * number + 1)).prop_map(|(name, transport)| Chips { name, transport });
    let devices = (1u8..=9).prop_flat_map(|boxes| (Just(boxes), cameras(boxes)));
    let rest = (option::of(path()), option::of(1u8..=12), option::of(ident()), "[A-Z]{3}");
    (game(), devices, rest, bets_and_limits(), option::of(shoe), option::of(chips)).prop_map(
        move |(game, (boxes, cameras), (house, decks, shuffler, currency), (side_bets, limits), shoe, chips)| {
            TableConfig {
                id: id.clone(),
                game,
                house: house.map(|path| path.parse().unwrap()),
                boxes,
                decks,
                shuffler,
                currency: currency.parse().unwrap(),
                limits,
                side_bets,
                cameras,
                shoe,
                chips,
            }
        },
    )
}

fn site() -> impl Strategy<Value = Site> {
    let tables = btree_set(ident(), 1..4)
        .prop_flat_map(|ids| ids.into_iter().enumerate().map(|(number, id)| table(id, number)).collect::<Vec<_>>());
    let evidence = (path(), 1u16..100, 0u16..100).prop_map(|(folder, keep_days, more)| EvidenceStore {
        folder: folder.parse().unwrap(),
        keep_days,
        keep_suspected_days: keep_days + more,
    });
    let name = "[^\\p{Cc}]{1,40}";
    let bus = option::of(login().prop_map(|login| format!("nats://{login}bus:4222").parse().unwrap()));
    (name, database(), evidence, bus, any::<[u8; 4]>(), 1u16.., tables).prop_map(
        |(name, database, evidence, bus, host, port, tables)| Site {
            name: name.parse().unwrap(),
            database: database.parse().unwrap(),
            evidence,
            bus,
            review: (host, port).into(),
            tables,
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(128))]

    #[test]
    fn a_site_prints_and_reads_back(site in site()) {
        let text = site.to_toml(Secrets::Kept);
        prop_assert_eq!(Site::parse(&text), Ok(site.clone()), "{}", text);
        for table in &site.tables {
            prop_assert_eq!(TableConfig::parse(&table.to_toml(Secrets::Kept)), Ok(table.clone()));
        }
    }

    #[test]
    fn a_masked_site_reads_back_and_differs_in_secrets_alone(site in site()) {
        let text = site.to_toml(Secrets::Masked);
        let masked = Site::parse(&text);
        prop_assert!(masked.is_ok(), "{:?}\n{}", masked, text);
        let masked = masked.unwrap();
        prop_assert_eq!(masked.to_toml(Secrets::Masked), text);
        prop_assert_eq!(serde_json::to_string(&masked).unwrap(), serde_json::to_string(&site).unwrap());
        prop_assert_eq!(format!("{masked:?}"), format!("{site:?}"));
    }

    #[test]
    fn any_text_is_a_site_or_a_list_of_faults(text in ".{0,200}") {
        read_anything(&text);
    }

    #[test]
    fn anything_like_toml_is_a_site_or_a_list_of_faults(
        lines in vec("(\\[\\[?)?(name|table|table\\.camera|url|on|polygon|options)(\\]\\]?)?( = .{0,12})?", 0..12),
    ) {
        read_anything(&lines.join("\n"));
    }

    #[test]
    fn a_damaged_example_is_a_site_or_a_list_of_faults(at: Index, length in 0usize..40, other in ".{0,6}") {
        let start = EXAMPLE.floor_char_boundary(at.index(EXAMPLE.len()));
        let end = EXAMPLE.floor_char_boundary((start + length).min(EXAMPLE.len()));
        read_anything(&format!("{}{other}{}", &EXAMPLE[..start], &EXAMPLE[end..]));
    }
}

/// A text that reads must print and read the same; one that does not must say why, and where within the text.
fn read_anything(text: &str) {
    match Site::parse(text) {
        Ok(site) => assert_eq!(Site::parse(&site.to_toml(Secrets::Kept)), Ok(site)),
        Err(wrong) => {
            assert!(!wrong.all().is_empty());
            let lines = text.matches('\n').count() + 1;
            assert!(wrong.all().iter().all(|fault| (1..=lines).contains(&fault.line) && fault.column >= 1), "{wrong}");
        }
    }
}
