//! `fairdeal show`: rounds as people read them, with suits, boxes and chips.

use std::fmt::{self, Write as _};
use std::io::Write as _;
use std::path::PathBuf;

use anstyle::{AnsiColor, Style};
use table::layout::{Chips, LaidCard, LaidHand};
use table::{Act, Bettor, Card, Colour, Face, Layout, Place, Round, Turn, Utc, Wager, WagerKind};

use crate::{Outcome, rounds};

/// Show rounds readably: cards with suits, boxes, chips
///
/// Example: fairdeal show dispute.round
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Rounds in notation (.round), as JSON Lines (.jsonl), or tapes (.mcap)
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let mut out = anstream::stdout().lock();
    for file in &args.files {
        for round in rounds::read(file)? {
            writeln!(out, "{}", Picture(&round?))?;
        }
    }
    Ok(Outcome::Clean)
}

const STRONG: Style = Style::new().bold();
const FAINT: Style = Style::new().dimmed();
const RED: Style = AnsiColor::Red.on_default();

/// A round drawn for the terminal.
pub(crate) struct Picture<'r>(pub(crate) &'r Round);

impl fmt::Display for Picture<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(round) = self;
        let layout = Layout::after(round);
        write_title(f, round)?;
        for step in &round.steps {
            write_remark(f, &step.act)?;
        }
        if let Some(hand) = layout.hands.get(&Place::Dealer) {
            write_row(f, "dealer", "", hand, "")?;
        }
        for box_no in layout.boxes() {
            for (place, hand) in layout.hands.iter().filter(|(place, _)| place.box_no() == Some(box_no)) {
                let name = match place {
                    Place::Box(_, hand) if hand.index() > 0 => format!("  hand {hand}"),
                    _ => format!("box {box_no}"),
                };
                let (stake, rest) = chips(&layout, *place);
                write_row(f, &name, &stake, hand, &rest)?;
            }
            if !layout.hands.keys().any(|place| place.box_no() == Some(box_no)) {
                let (stake, rest) = chips(&layout, Place::Box(box_no, table::Hand::A));
                write_row(f, &format!("box {box_no}"), &stake, &LaidHand::default(), &rest)?;
            }
        }
        Ok(())
    }
}

fn write_title(f: &mut fmt::Formatter<'_>, round: &Round) -> fmt::Result {
    write!(f, "{STRONG}{} shoe {} round {}{STRONG:#}", round.id.table, round.id.shoe, round.id.round)?;
    write!(f, "  {}", round.game.name)?;
    for (name, value) in &round.game.options {
        write!(f, " {name}={value}")?;
    }
    if let Some(dealer) = &round.dealer {
        write!(f, "  dealer {dealer}")?;
    }
    if round.at != Utc::EPOCH {
        write!(f, "  {FAINT}{}{FAINT:#}", round.at)?;
    }
    writeln!(f)
}

/// What happened beside cards and chips.
fn write_remark(f: &mut fmt::Formatter<'_>, act: &Act) -> fmt::Result {
    let remarkable = matches!(
        act,
        Act::Cards { .. }
            | Act::Shuffle(_)
            | Act::Cut { .. }
            | Act::CutCardOut
            | Act::Burn(_)
            | Act::FinalRounds
            | Act::Alter(..)
            | Act::Absent(_)
            | Act::Refuse(_)
            | Act::Drawn(_)
            | Act::Exposed(_)
            | Act::Dropped(_)
            | Act::Boxed(_)
            | Act::Damaged(_)
            | Act::Replaced(_)
            | Act::Discard(_)
            | Act::Move { .. }
            | Act::Reconstruct(_)
            | Act::VoidRound
            | Act::Touch(..)
            | Act::Fault(_)
            | Act::Supervisor
            | Act::DealerChange(_)
            | Act::Note(_)
            | Act::Prize(..)
            | Act::Meter(_)
    );
    if remarkable { writeln!(f, "  {FAINT}{act}{FAINT:#}") } else { Ok(()) }
}

fn write_row(f: &mut fmt::Formatter<'_>, name: &str, stake: &str, hand: &LaidHand, rest: &str) -> fmt::Result {
    let (cards, width) = cards(hand);
    let total = match hand.total() {
        Some(total) if !hand.cards.is_empty() => total.to_string(),
        _ => String::new(),
    };
    // The cards carry colour codes, so they are padded by the width people see.
    let row =
        format!("  {name:<9} {stake:>9}  {cards}{:pad$}  {total:<8}  {rest}", "", pad = 26usize.saturating_sub(width));
    writeln!(f, "{}", row.trim_end())
}

/// The cards of a hand and how wide they look.
fn cards(hand: &LaidHand) -> (String, usize) {
    let mut text = String::new();
    let mut width = 0;
    let zapped = hand.zapped.iter().map(|laid| (laid, true));
    for (laid, gone) in zapped.chain(hand.cards.iter().map(|laid| (laid, false))) {
        let label = label(laid, gone);
        let style = if gone { FAINT } else { style(laid.card) };
        width += label.chars().count() + 1;
        // Writing to a string cannot fail.
        let _ = write!(text, "{style}{label}{style:#} ");
    }
    (text, width)
}

/// A card as it lies: `(7♥)` exchanged, `[7♥]` face down though known, `7♥-` sideways.
fn label(laid: &LaidCard, gone: bool) -> String {
    let card = laid.card.pretty();
    match (gone, laid.face, laid.turn) {
        (true, ..) => format!("({card})"),
        (_, Face::Down, _) if laid.card.is_known() => format!("[{card}]"),
        (_, _, Turn::Sideways) => format!("{card}-"),
        _ => card,
    }
}

fn style(card: Card) -> Style {
    match card.suit().map(|suit| suit.colour()) {
        Some(Colour::Red) => RED,
        _ => Style::new(),
    }
}

/// A hand's own stake, and in words what else stood there and what became of it all.
fn chips(layout: &Layout, place: Place) -> (String, String) {
    let mut stake = String::new();
    let mut said = Vec::new();
    if layout.hands.get(&place).is_some_and(|hand| hand.void) {
        said.push("void".to_owned());
    }
    for (wager, chips) in layout.wagers.iter().filter(|(wager, _)| wager.place() == place) {
        let own = wager.kind == WagerKind::stake(wager.hand) && wager.bettor == Bettor::SEATED && !wager.tip;
        let fate = fate(chips);
        if own {
            stake = if chips.free { format!("free {}", chips.stake) } else { chips.stake.to_string() };
            said.insert(0, fate);
        } else {
            let free = if chips.free { "free " } else { "" };
            said.push(format!("{} {free}{} {fate}", whose(wager), chips.stake).trim_end().to_owned());
        }
    }
    said.retain(|part| !part.is_empty());
    (stake, said.join(", "))
}

fn whose(wager: &Wager) -> String {
    let mut words = Vec::new();
    if wager.bettor != Bettor::SEATED {
        words.push(format!("bettor {}", wager.bettor.number()));
    }
    if wager.tip {
        words.push("tip".to_owned());
    }
    if wager.kind != WagerKind::stake(wager.hand) {
        words.push(wager.kind.name().replace('_', " "));
    }
    words.join(" ")
}

fn fate(chips: &Chips) -> String {
    match chips {
        Chips { paid: Some(amount), .. } => format!("paid {amount}"),
        Chips { taken: Some(amount), stake, .. } if amount != stake => format!("taken {amount}"),
        Chips { taken: Some(_), .. } => "taken".to_owned(),
        Chips { pushed: true, .. } => "pushed".to_owned(),
        Chips { returned: true, .. } => "handed back".to_owned(),
        _ => String::new(),
    }
}
