//! `fairdeal demo`: the main job on the tape that comes with the program.

mod summary;

use std::io::{IsTerminal, Write};
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Instant;

use anyhow::Context;
use review::accounts::{Role, Tables, secret};
use review::notify::Notifier;
use review::server::{Setup, serve};
use review::store::users::NewUser;
use review::{Site, Store};
use table::tape::Reader;

use crate::archive::Archive;
use crate::audit::ledger::Ledger;
use crate::audit::{Audit, write_flag};
use crate::rebuild::{self, Origin, Rebuilding, Rounds};
use crate::review::{listen, stopped};
use crate::show::Picture;
use crate::sight::Filmed;
use crate::{Outcome, books, database, equipment, tape};
use summary::Summary;

/// See it run on the bundled tape
///
/// Rebuilds forty minutes of simulated play from its video, a shoe's bytes and a chip
/// feed, which takes most of a minute; audits it into a database of its own, shows
/// what was found, each round with a flag drawn above it, and serves the officers'
/// pages on this machine. The link it prints logs in once; control-C ends it, and
/// nothing is left behind unless a database was named.
///
/// Example: fairdeal demo
/// Example: fairdeal demo --exit
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// Stop after the summary
    #[arg(long)]
    exit: bool,
    /// Keep the rounds in this database: sqlite:FILE or postgres://USER@HOST/NAME
    #[arg(long, value_name = "URL")]
    db: Option<String>,
    /// The address to listen at, on this machine; a port of 0 is any that is free
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0")]
    listen: SocketAddr,
}

/// The bundled tape.
pub(crate) const TAPE: &[u8] = include_bytes!("../fixtures/demo/demo.mcap");
const SITE: &str = "Demonstration";
/// The account the link logs in to.
const NAME: &str = "demo";
/// How long the link waits to be used, in microseconds.
const LINK_LASTS: i64 = 3_600_000_000;

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    anyhow::ensure!(args.listen.ip().is_loopback(), "{}: the demonstration is for this machine alone", args.listen);
    let folder = tempfile::tempdir().context("cannot make a folder for the database")?;
    let url = args.db.clone().unwrap_or_else(|| format!("sqlite:{}", folder.path().join("demo.db").display()));
    let mut out = anstream::stdout().lock();
    write!(out, "{}", tape::describe("the bundled tape", Reader::open(TAPE)?)?)?;
    writeln!(out)?;
    watch(args, &url, &mut out)?;
    if args.exit {
        return Ok(Outcome::Clean);
    }
    let listener = listen(args.listen)?;
    database::block_on(async {
        let store = database::open(&url).await?;
        let link = invite(&store).await?;
        writeln!(out, "\nThe officers' pages, for whoever opens this first:")?;
        writeln!(out, "  http://{}/login/once/{link}", listener.local_addr()?)?;
        out.flush()?;
        drop(out);
        let setup = Setup { site: SITE.to_owned(), signing_key: database::key_beside(&url), ..Setup::default() };
        let site = Site::new(store, Arc::from(books::shipped()?), Arc::new(Archive::bundled(TAPE)?), setup);
        serve(site, listener, None, Notifier::new(None)?, stopped()).await?;
        Ok(Outcome::Clean)
    })
}

/// Rebuilds and audits the tape's rounds and says what came of them.
fn watch(args: &Args, url: &str, out: &mut impl Write) -> anyhow::Result<()> {
    let begun = Instant::now();
    let mut audit = Audit::new(books::shipped()?.into());
    let mut ledger = Ledger::open(url, SITE)?;
    let (rounds, filmed) = rounds(out)?;
    if std::io::stderr().is_terminal() {
        eprintln!("reading the video …");
    }
    let rounds: Vec<_> = rounds.collect::<Result<_, _>>()?;
    let begins = rounds.iter().map(|rebuilt| (rebuilt.round.at, rebuilt.round.id.clone())).collect();
    let failed = equipment::of(Reader::open(TAPE)?, begins)?;
    let mut summary = Summary::default();
    for rebuilt in rounds {
        let mut audited = audit.rebuilt(&rebuilt)?;
        let round = rebuilt.round;
        audited.flags.extend(failed.iter().filter(|flag| flag.round == round.id).cloned());
        if !args.exit && !audited.flags.is_empty() {
            writeln!(out, "{}", Picture(&round))?;
            for flag in &audited.flags {
                write_flag(out, audit.books(), flag)?;
            }
        }
        summary.add(filmed.at(round.at), &audited.flags, &audited.coverage);
        ledger.add(round, audited)?;
    }
    summary.write(out, begun.elapsed())?;
    Ok(ledger.close()?.write(out)?)
}

/// The rounds of the bundled tape, and when there is video that was read for them.
fn rounds(out: &mut impl Write) -> anyhow::Result<(Rounds, Filmed)> {
    let tape = || Ok(Reader::open(TAPE)?);
    let asked = Rebuilding { rounds: Origin::Feeds, read_video: true, ..Rebuilding::default() };
    match rebuild::on_tape(tape, books::shipped()?, &asked) {
        Ok(rounds) => Ok((rounds, Filmed::on(tape()?)?)),
        // Without what runs the networks the rest can be shown all the same.
        Err(error) => {
            writeln!(out, "the video is not read: {error:#}\n")?;
            let asked = Rebuilding { read_video: false, ..asked };
            Ok((rebuild::on_tape(tape, books::shipped()?, &asked)?, Filmed::default()))
        }
    }
}

/// Makes the account if it is not there, and a link that logs in to it once.
async fn invite(store: &Store) -> anyhow::Result<String> {
    let now = database::now();
    let there = store.user_named(NAME).await?.is_some();
    let mut tx = store.begin().await?;
    if !there {
        let user = NewUser {
            name: NAME,
            full_name: "Demonstration",
            title: "",
            role: Role::Admin,
            password: None,
            tables: Tables::All,
        };
        tx.add_user(&user, now, review::log::SYSTEM).await?;
    }
    let link = secret::fresh()?;
    let until = now.shifted(LINK_LASTS).context("the clock is at the end of time")?;
    tx.add_login_link(NAME, &secret::hashed(&link), until, now, review::log::SYSTEM).await?;
    tx.commit().await?;
    Ok(link)
}
