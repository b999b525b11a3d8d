//! A flag as the list shows it: two lines, from the queue alone.

use table::{AtStake, BoxNo, Chance, FlagKind, Money};

use crate::draw;
use crate::pages::frame::Frame;
use crate::pages::words::{self, When};
use crate::store::ingest::round_name;
use crate::store::queue::Listed;

/// One flag of the list.
pub(crate) struct Item {
    pub(crate) id: String,
    pub(crate) mark: String,
    pub(crate) what: String,
    pub(crate) severity_word: &'static str,
    pub(crate) place: String,
    pub(crate) table: String,
    pub(crate) shoe: i64,
    pub(crate) round: i64,
    pub(crate) round_path: String,
    pub(crate) when: When,
    pub(crate) dealer: Option<String>,
    pub(crate) money: String,
    pub(crate) clause: String,
    pub(crate) confidence: String,
    pub(crate) state: String,
    pub(crate) assignee: Option<String>,
    pub(crate) unread: bool,
    /// Whether it is the one in the preview.
    pub(crate) now: bool,
}

impl Item {
    /// A flag of the queue; `now` is the one in the preview.
    pub(super) fn new(frame: &Frame, listed: Listed, now: &str) -> Self {
        let kind = if listed.doubt { FlagKind::Doubt } else { listed.kind.parse().unwrap_or(FlagKind::Irregularity) };
        let severity = listed.severity();
        let box_no = listed.box_no.and_then(|number| BoxNo::new(u8::try_from(number).ok()?));
        let hand = listed.hand.as_deref().and_then(|hand| hand.parse().ok());
        let money = AtStake {
            amount: Money::from_minor(listed.amount),
            favours: listed.favours.parse().unwrap_or(table::Favours::None),
        };
        let sure = u32::try_from(listed.confidence).ok().and_then(Chance::from_millionths);
        let now = listed.flag == now;
        Self {
            mark: draw::severity(severity, kind),
            what: words::finding(&listed.check_name),
            severity_word: if listed.doubt { "doubt" } else { severity.name() },
            place: words::place(box_no, hand),
            round_path: format!("/rounds/{}", round_name(&listed.table_name, listed.shoe, listed.round)),
            when: frame.when(listed.time()),
            money: frame.stake(money),
            confidence: sure.map(words::percent).unwrap_or_default(),
            unread: !listed.read && !now,
            now,
            id: listed.flag,
            table: listed.table_name,
            shoe: listed.shoe,
            round: listed.round,
            dealer: listed.dealer,
            clause: listed.clause,
            state: listed.state,
            assignee: listed.assignee,
        }
    }
}
