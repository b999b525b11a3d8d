//! What the site engineer is told when a site file is wrong: every fault, in words, at its line and column.

use table::config::Site;

/// A good site of one table, its devices and its limits. Each test breaks some of it.
const GOOD: &str = r#"name = "Harbour"
currency = "NZD"
[evidence]
keep_days = 7
[[table]]
id = "BJ-04"
game = "nz-base"
boxes = 7
side_bets = ["super_sevens", "push22"]
[table.options]
bj_pays = "3:2"
[[table.limits]]
on = "main"
min = "10"
max = "500"
step = "2.50"
[[table.camera]]
name = "left"
url = "rtsp://10.0.0.4/1"
width = 800
height = 600
[[table.camera.area]]
place = "3"
polygon = [[0, 0], [9, 0], [9, 9]]
[table.shoe]
name = "shoe"
url = "serial:///dev/ttyUSB0?baud=4800"
dialect = "angel-eye"
[table.chips]
name = "chips"
url = "tcp://10.0.0.5:4001"
"#;

/// The faults of a text, a line each: `line:column message`.
fn faults(text: &str) -> String {
    match Site::parse(text) {
        Ok(_) => String::new(),
        Err(wrong) => {
            let lines: Vec<_> =
                wrong.all().iter().map(|fault| format!("{}:{} {}", fault.line, fault.column, fault.message)).collect();
            lines.join("\n")
        }
    }
}

/// Breaks the good site in one place and says what is then wrong with it.
#[track_caller]
fn assert_told(was: &str, becomes: &str, told: &str) {
    assert_eq!(GOOD.matches(was).count(), 1, "{was:?} is in the good site once");
    assert_eq!(faults(&GOOD.replace(was, becomes)), told, "{was:?} became {becomes:?}");
}

#[test]
fn the_good_site_is_good() {
    assert_eq!(faults(GOOD), "");
    assert_eq!(faults(&format!("\u{feff}{GOOD}")), "", "a byte order mark does no harm");
    assert_eq!(faults(&GOOD.replace('\n', "\r\n")), "", "nor do the line ends of another system");
}

#[test]
fn keys_that_are_unknown_or_missing() {
    for (was, becomes, told) in [
        ("dialect = ", "dialekt = ", "28:1 unknown key `dialekt`, did you mean `dialect`?"),
        ("boxes = 7", "boxs = 7", "8:1 unknown key `boxs`, did you mean `boxes`?"),
        (
            "boxes = 7",
            "qqq = 7",
            "8:1 unknown key `qqq`, expected one of id, game, house, boxes, decks, shuffler, currency, side_bets, options, limits, \
             camera, shoe, chips",
        ),
        ("[evidence]", "[evidense]", "3:2 unknown key `evidense`, did you mean `evidence`?"),
        ("[table.chips]", "[table.chip]", "29:8 unknown key `chip`, did you mean `chips`?"),
        ("id = \"BJ-04\"\n", "", "5:1 missing key `id` in [[table]]"),
        ("name = \"Harbour\"\n", "", "1:1 missing key `name` at the top of the file"),
        ("currency = \"NZD\"\n", "", "4:1 missing key `currency` in [[table]]"),
        ("height = 600\n", "", "17:1 missing key `height` in [[table.camera]]"),
        ("width = 800\n", "", "17:1 missing key `width` in [[table.camera]]"),
        ("max = \"500\"\n", "", "12:1 missing key `max` in [[table.limits]]"),
        (
            "[evidence]",
            "[database]",
            "3:1 missing key `url` in [database]\n4:1 unknown key `keep_days`, expected one of url",
        ),
    ] {
        assert_told(was, becomes, told);
    }
}

#[test]
fn values_of_the_wrong_type() {
    for (was, becomes, told) in [
        ("boxes = 7", "boxes = \"7\"", "8:9 `boxes` takes a whole number from 1 to 9, found a string"),
        ("boxes = 7", "boxes = 7.0", "8:9 `boxes` takes a whole number from 1 to 9, found 7.0"),
        ("id = \"BJ-04\"", "id = 4", "6:6 `id` takes a name of 1 to 32 letters, digits, - or _, found 4"),
        ("game = \"nz-base\"", "game = true", "7:8 `game` takes the name of a game, found true"),
        ("[\"super_sevens\", \"push22\"]", "\"push22\"", "9:13 `side_bets` takes a list of side bets, found a string"),
        ("\"angel-eye\"", "\"angel-eye\"\nread_only = \"no\"", "29:13 `read_only` takes true or false, found a string"),
        (
            "place = \"3\"",
            "place = 3",
            "23:9 `place` takes a box from \"1\" to \"9\", its betting spot from \"bet-1\" to \"bet-9\", \"dealer\", \"shoe\", \"rack\", \"tray\" or \"insurance\", found 3",
        ),
        ("[table.chips]", "[[table.chips]]", "29:1 `chips` takes a section [table.chips], found a list"),
        ("\"tcp://10.0.0.5:4001\"", "4001", "31:7 `url` takes an address in quotes, found 4001"),
        (
            "bj_pays = \"3:2\"",
            "bj_pays = [3, 2]",
            "11:11 `bj_pays` takes a word of 1 to 64 letters, digits or _ - . : , +, found a list",
        ),
    ] {
        assert_told(was, becomes, told);
    }
    let plain = "name = \"x\"\n[table]\nid = \"t\"\n";
    assert_eq!(faults(plain), "2:1 `table` takes sections headed [[table]], found a section");
}

#[test]
fn names_nobody_knows() {
    for (was, becomes, told) in [
        ("\"nz-base\"", "\"nz-bsae\"", "7:8 unknown game `nz-bsae`, did you mean `nz-base`?"),
        ("\"angel-eye\"", "\"angeleye\"", "28:11 unknown dialect `angeleye`, did you mean `angel-eye`?"),
        ("\"angel-eye\"", "\"zzz\"", "28:11 unknown dialect `zzz`, expected one of angel-eye, bee-tek"),
        ("\"push22\"", "\"push23\"", "9:30 unknown side bet `push23`, did you mean `push22`?"),
        ("on = \"main\"", "on = \"mian\"", "13:6 unknown wager `mian`, did you mean `main`?"),
        (
            "place = \"3\"",
            "place = \"dealr\"",
            "23:9 `place` takes a box from \"1\" to \"9\", its betting spot from \"bet-1\" to \"bet-9\", \"dealer\", \"shoe\", \"rack\", \"tray\" or \"insurance\", found \"dealr\"",
        ),
        (
            "\"NZD\"",
            "\"nzd\"",
            "2:12 `currency` takes a currency code of three capital letters such as \"NZD\", found \"nzd\"",
        ),
        ("bj_pays = ", "\"bj pays\" = ", "11:1 key `bj pays` is not a name of 1 to 32 letters, digits, - or _"),
        (
            "\"3:2\"",
            "\"3 to 2\"",
            "11:11 `bj_pays` takes a word of 1 to 64 letters, digits or _ - . : , +, found \"3 to 2\"",
        ),
    ] {
        assert_told(was, becomes, told);
    }
}

#[test]
fn money_that_is_no_limit() {
    for (was, becomes, told) in [
        ("min = \"10\"", "min = 10", "14:7 `min` takes an amount in quotes, such as \"10\""),
        ("min = \"10\"", "min = 12.5", "14:7 `min` takes an amount in quotes, such as \"12.5\""),
        ("min = \"10\"", "min = nan", "14:7 `min` takes an amount in quotes, such as \"12.50\""),
        ("min = \"10\"", "min = \"ten\"", "14:7 `min` takes an amount such as \"25\" or \"12.50\", found \"ten\""),
        ("min = \"10\"", "min = \"-10\"", "14:7 `min` cannot be negative"),
        ("min = \"10\"", "min = \"99999999999999999999\"", "14:7 `min` is too large an amount"),
        ("min = \"10\"", "min = \"1000\"", "15:7 `max` = 500.00 is below `min` = 1000.00"),
        ("max = \"500\"", "max = \"0\"", "15:7 `max` is zero: no wager could be made"),
        ("step = \"2.50\"", "step = \"0\"", "16:8 `step` is zero: leave it out if any amount may be staked"),
        (
            "step = \"2.50\"",
            "step = \"501\"",
            "16:8 no multiple of `step` = 501.00 lies between `min` = 10.00 and `max` = 500.00",
        ),
        ("on = \"main\"", "on = \"war\"", "13:6 limits on `war`, which is not among the table's `side_bets`"),
        (
            "[[table.camera]]",
            "[[table.limits]]\non = \"main\"\nmin = \"1\"\nmax = \"2\"\n[[table.camera]]",
            "18:6 there are already limits on `main`",
        ),
    ] {
        assert_told(was, becomes, told);
    }
}

#[test]
fn numbers_off_the_layout() {
    for (was, becomes, told) in [
        ("boxes = 7", "boxes = 12", "8:9 `boxes` takes a whole number from 1 to 9, found 12"),
        ("boxes = 7", "boxes = 0", "8:9 `boxes` takes a whole number from 1 to 9, found 0"),
        ("boxes = 7", "boxes = 7\ndecks = -1", "9:9 `decks` takes a whole number from 1 to 12, found -1"),
        (
            "boxes = 7",
            "boxes = 99999999999999999999",
            "8:9 `boxes` takes a whole number from 1 to 9, found 99999999999999999999",
        ),
        (
            "place = \"3\"",
            "place = \"12\"",
            "23:9 `place` takes a box from \"1\" to \"9\", its betting spot from \"bet-1\" to \"bet-9\", \"dealer\", \"shoe\", \"rack\", \"tray\" or \"insurance\", found \"12\"",
        ),
        ("place = \"3\"", "place = \"8\"", "23:9 box 8 is not on this table, which has 7 boxes"),
        ("width = 800", "width = 0", "20:9 `width` takes a whole number from 1 to 16384, found 0"),
        (", [9, 9]]", "]", "24:11 a polygon has at least 3 points, found 2"),
        ("[9, 9]]", "[5, 0]]", "24:11 the polygon encloses nothing: its points lie on one line"),
        ("[9, 9]]", "[9, 9], [0, 9], [5, -1]]", "24:48 `polygon` takes a whole number from 0 to 16384, found -1"),
        ("[9, 9]]", "[9, 601]]", "24:28 [9, 601] lies outside the picture of 800 x 600"),
        ("[9, 9]]", "[9]]", "24:28 a point is two whole numbers such as [40, 30]"),
        ("keep_days = 7", "keep_days = 0", "4:13 `keep_days` takes a whole number from 1 to 36500, found 0"),
        (
            "keep_days = 7",
            "keep_days = 7\nkeep_suspected_days = 5",
            "5:23 `keep_suspected_days` is 5, fewer than `keep_days` = 7",
        ),
    ] {
        assert_told(was, becomes, told);
    }
}

#[test]
fn things_that_are_there_twice() {
    let table = "[[table]]\nid = \"BJ-04\"\ngame = \"act\"\n";
    assert_eq!(faults(&format!("{GOOD}{table}")), "33:6 there is already a table `BJ-04`");
    let other =
        "[[table]]\nid = \"BJ-05\"\ngame = \"act\"\n[table.chips]\nname = \"c\"\nurl = \"tcp://10.0.0.5:4001\"\n";
    assert_eq!(faults(&format!("{GOOD}{other}")), "37:7 `chips` of table `BJ-04` listens to this port already");
    assert_told(
        "tcp://10.0.0.5:4001",
        "serial:///dev/ttyUSB0?baud=9600",
        "31:7 `shoe` of table `BJ-04` listens to this port already",
    );
    for (was, becomes, told) in [
        ("\"push22\"", "\"super_sevens\"", "9:30 there is already a side bet `super_sevens`"),
        (
            "[table.shoe]",
            "[[table.camera]]\nname = \"left\"\nurl = \"file:x\"\n[table.shoe]",
            "26:8 there is already a camera `left`",
        ),
        (
            "[table.shoe]",
            "[[table.camera.area]]\nplace = \"3\"\npolygon = [[0, 0], [9, 0], [9, 9]]\n[table.shoe]",
            "26:9 there is already a polygon of `3`",
        ),
        ("[[table.camera]]", "[[table.camera]]\nname = \"right\"", "19:1 not TOML: duplicate key"),
    ] {
        assert_told(was, becomes, told);
    }
}

#[test]
fn addresses_that_lead_nowhere() {
    let (camera, shoe, chips) = ("rtsp://10.0.0.4/1", "serial:///dev/ttyUSB0?baud=4800", "tcp://10.0.0.5:4001");
    for (was, becomes, told) in [
        (camera, "rstp://10.0.0.4/1", "19:7 `url`: unknown scheme `rstp`, did you mean `rtsp`?"),
        (
            camera,
            "gopher://10.0.0.4/1",
            "19:7 `url`: unknown scheme `gopher`, expected one of rtsp, http, https, v4l2, file, folder",
        ),
        (camera, "10.0.0.4", "19:7 `url`: expected an address such as rtsp://host/stream"),
        (camera, "rtsp://", "19:7 `url`: the host is missing"),
        (camera, "http://cam:99999/", "19:7 `url`: the port is not a number from 1 to 65535"),
        (camera, "rtsp://cam:0/", "19:7 `url`: the port is not a number from 1 to 65535"),
        (camera, "rtsp://[::1/", "19:7 `url`: not a network address: invalid IPv6 address"),
        (camera, "rtsp://cam/ 1", "19:7 `url`: an address has no blanks or line breaks in it; write a blank as %20"),
        (
            camera,
            "v4l2://dev/video0",
            "19:7 `url`: the device is missing or lacks its third slash, write v4l2:///dev/video0",
        ),
        (camera, "file:", "19:7 `url`: the path is missing"),
        (
            camera,
            "folder://stills",
            "19:7 `url`: write `folder:path` for a path from this file's folder, or `folder:///path` for one from the root",
        ),
        (shoe, "serial:///dev/ttyUSB0?baud=0", "27:7 `url`: baud is not a whole number from 50 to 4000000"),
        (
            shoe,
            "serial:///dev/ttyUSB0?bauds=9600",
            "27:7 `url`: unknown setting `bauds` of a serial port, expected baud",
        ),
        (
            shoe,
            "serial://dev/ttyUSB0",
            "27:7 `url`: the device is missing or lacks its third slash, write serial:///dev/ttyUSB0",
        ),
        (shoe, "tpc://10.0.0.5:4001", "27:7 `url`: unknown scheme `tpc`, expected one of serial, tcp, file"),
        (
            chips,
            "serial:///dev/ttyUSB1",
            "31:7 `url`: the speed is missing, add ?baud=9600 or whatever the device sends at",
        ),
        (chips, "tcp://10.0.0.5", "31:7 `url`: the port is missing, write tcp://host:4001"),
        (chips, "tcp://10.0.0.5:99999", "31:7 `url`: the port is not a number from 1 to 65535"),
        (chips, "tcp://me:pw@10.0.0.5:4001", "31:7 `url`: expected only a host and a port, such as tcp://host:4001"),
    ] {
        assert_told(was, becomes, told);
    }
    for (section, told) in [
        (
            "[database]\nurl = \"mysql://db/x\"",
            "3:7 `url`: unknown scheme `mysql`, expected one of sqlite, postgres, postgresql",
        ),
        (
            "[database]\nurl = \"sqlite::memory:\"",
            "3:7 `url`: expected a database file: what is kept in memory is lost at the end",
        ),
        (
            "[database]\nurl = \"sqlite:a.db?mode=ro\"",
            "3:7 `url`: expected only the path of the database file, without settings after it",
        ),
        ("[bus]\nurl = \"bus:4222\"", "3:7 `url`: expected an address such as nats://host:4222"),
        ("[bus]\nurl = \"nat://bus:4222\"", "3:7 `url`: unknown scheme `nat`, did you mean `nats`?"),
        ("[review]\nlisten = \"127.0.0.1:99999\"", "3:10 `listen`: the port is not a number from 1 to 65535"),
        ("[review]\nlisten = \"8080\"", "3:10 `listen`: expected an address such as 127.0.0.1:8080"),
    ] {
        let text = format!("name = \"x\"\n{section}\n[[table]]\nid = \"t\"\ngame = \"act\"\ncurrency = \"AUD\"\n");
        assert_eq!(faults(&text), told);
    }
}

#[test]
fn a_fault_never_tells_a_password() {
    for url in [
        "rtsp://me:hunter2@cam:99999/",
        "rtsp://me:hun#ter2@cam/",
        "rtsp://me:hunter2@/",
        "rtps://me:hunter2@cam/",
        "me:hunter2@cam",
        "rtsp://me:hunter2 @cam/",
    ] {
        let told = faults(&GOOD.replace("rtsp://10.0.0.4/1", url));
        assert!(!told.is_empty() && !told.contains("hun"), "{url}: {told}");
    }
    let misplaced = faults(&GOOD.replace("BJ-04", "rtsp://me:hunter2@cam/"));
    assert_eq!(misplaced, "6:6 `id` takes a name of 1 to 32 letters, digits, - or _, found an address");
}

#[test]
fn a_fault_stays_on_one_line_of_sensible_length() {
    let told = faults(&GOOD.replace("boxes = 7", &format!("\"a\\nb{}\" = 7", "c".repeat(99))));
    assert!(told.starts_with(&format!("8:1 unknown key `a\u{fffd}b{}…`, ", "c".repeat(37))), "{told}");
    assert_told("nz-base", "a\\u001bb", &told_of_game("a\u{fffd}b"));
    assert_told(
        "rtsp://10.0.0.4/1",
        "rtsp://cam/\\n",
        "19:7 `url`: an address has no line breaks or other control characters in it",
    );
}

fn told_of_game(name: &str) -> String {
    format!("7:8 unknown game `{name}`, expected one of {}", table::config::GAMES.join(", "))
}

#[test]
fn a_text_that_is_not_toml_stops_at_its_first_fault() {
    assert_eq!(faults("name = \"x\nid = 3\n"), "1:10 not TOML: invalid basic string, expected `\"`");
    assert_eq!(faults("name = 'x'\nname = 'y'\n"), "2:1 not TOML: duplicate key");
    assert_eq!(faults("[[table]\n"), "1:9 not TOML: unclosed array table, expected `]`");
}

#[test]
fn all_faults_of_a_file_are_told_in_the_order_of_the_text() {
    let text = "naem = 'x'\n[database]\nurl = 'sqlite:'\n[[table]]\nid = 'a b'\ngame = 'nz'\nboxes = 12\n[table.shoe]\ndialect = 1\n";
    assert_eq!(
        faults(text),
        "1:1 unknown key `naem`, did you mean `name`?\n\
         3:7 `url`: the path is missing\n\
         4:1 missing key `currency` in [[table]]\n\
         5:6 `id` takes a name of 1 to 32 letters, digits, - or _, found \"a b\"\n\
         6:8 unknown game `nz`, did you mean `nz-base`?\n\
         7:9 `boxes` takes a whole number from 1 to 9, found 12\n\
         8:1 missing key `name` in [table.shoe]\n\
         8:1 missing key `url` in [table.shoe]\n\
         9:11 `dialect` takes the name of a dialect, found 1"
    );
    assert_eq!(faults("name = 'x'\ntable = []\n"), "2:9 a site has at least one [[table]]");
    assert_eq!(
        faults(""),
        "1:1 missing key `name` at the top of the file\n1:1 missing key `table` at the top of the file"
    );
}

#[test]
fn lenses_that_no_camera_has() {
    let area = "[[table.camera.area]]";
    let lens = |lines: &str| format!("[table.camera.lens]\n{lines}\n{area}");
    let folds =
        "22:1 the lens folds the picture over before its corners: `k1` or `k2` is too far below 0 for this `focal`";
    for (lines, told) in [
        ("k1 = -0.1\nfocal = 1", ""),
        ("k1 = 0\nk2 = 0.5\nfocal = 0.2", ""),
        ("k1 = -2\nfocal = 1", "23:6 `k1` takes a number from -1 to 1, found -2"),
        ("k1 = nan\nfocal = 1", "23:6 `k1` takes a number from -1 to 1, found nan"),
        ("k1 = 0.1\nfocal = \"long\"", "24:9 `focal` takes a number from 0.2 to 10, found a string"),
        ("k1 = 0.1\nfocal = 0.1", "24:9 `focal` takes a number from 0.2 to 10, found 0.1"),
        ("focal = 1", "22:1 missing key `k1` in [table.camera.lens]"),
        ("k1 = 0.1", "22:1 missing key `focal` in [table.camera.lens]"),
        ("k1 = 0.1\nfocal = 1\nk3 = 0", "25:1 unknown key `k3`, expected one of k1, k2, focal"),
        ("k1 = -0.9\nfocal = 0.4", folds),
    ] {
        assert_told(area, &lens(lines), told);
    }
    let without_size = GOOD.replace("width = 800\nheight = 600\n", "").replace(area, &lens("k1 = 0\nfocal = 1"));
    assert_eq!(faults(&without_size), "20:1 a lens needs `width` and `height` of its camera");
}
