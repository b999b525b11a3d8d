//! Any text is a site or a list of faults within the text. A site prints and reads back the same; masked, it still
//! reads, and masking again changes nothing.
#![no_main]

use libfuzzer_sys::fuzz_target;
use table::config::{Secrets, Site};

fuzz_target!(|text: &str| match Site::parse(text) {
    Ok(site) => {
        assert_eq!(Site::parse(&site.to_toml(Secrets::Kept)).as_ref(), Ok(&site));
        let masked = site.to_toml(Secrets::Masked);
        assert_eq!(Site::parse(&masked).map(|site| site.to_toml(Secrets::Masked)), Ok(masked));
    }
    Err(faults) => {
        let lines = text.matches('\n').count() + 1;
        assert!(!faults.all().is_empty());
        for fault in faults.all() {
            assert!((1..=lines).contains(&fault.line) && fault.column >= 1 && !fault.message.contains('\n'));
        }
    }
});
