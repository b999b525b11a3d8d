//! `fairdeal export`: a case as one ZIP that proves itself.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, bail, ensure};
use review::accounts::{Entrance, Looks, Officer, Right, Role, Tables};
use review::export::key::SiteKey;
use review::export::{Manifest, export};
use review::footage::{Footage, NoFootage};
use review::server::Setup;
use review::store::cases::Case;
use review::{Site, Store};

use crate::archive::Archive;
use crate::audit::several;
use crate::{Outcome, books, database, json};

/// Put a case into one ZIP: report, pictures, video, tapes, manifest, signature
///
/// The report is a page and a PDF. manifest.json has the SHA-256 of every file and
/// is signed with the site's key; VERIFY.txt inside says how to check it without us.
/// What should be there and is not is named with the reason.
///
/// With --by, the export is made in an officer's name and seals the case if they may
/// write cases; without, it is a copy, and the case stays as it is.
///
/// Example: fairdeal export 12 --db sqlite:night.db --tapes tapes/ --out case-12.zip
/// Example: fairdeal export --key --db sqlite:night.db
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(crate) struct Args {
    /// The case, by its number
    #[arg(required_unless_present = "key_only")]
    case: Option<i64>,
    #[command(flatten)]
    db: database::Address,
    /// The file to make, case-NUMBER.zip if left out; nothing is overwritten
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// The folder of tapes that pictures, video and tapes are taken from
    #[arg(long, value_name = "DIR")]
    tapes: Option<PathBuf>,
    /// The folder of evidence files
    #[arg(long, value_name = "DIR")]
    evidence: Option<PathBuf>,
    /// The site, where several have a case of that number
    #[arg(long, value_name = "NAME")]
    site: Option<String>,
    /// In whose name
    #[arg(long, value_name = "USER")]
    by: Option<String>,
    #[command(flatten)]
    signing: database::Key,
    /// Print the public key that others verify with, and its fingerprint
    #[arg(long = "key", id = "key_only", conflicts_with_all = ["case", "out", "tapes", "evidence", "site", "by"])]
    key_only: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    books: books::Source,
}

pub(crate) fn run(args: &Args) -> anyhow::Result<Outcome> {
    let key = args.signing.path(args.db.url());
    let key = key.context("this database is on a server: name the file of the site's key with --signing-key")?;
    let Some(number) = args.case else { return show_key(args, &key) };
    let footage: Arc<dyn Footage> = match &args.tapes {
        Some(folder) => Arc::new(Archive::in_folder(folder)?),
        None => Arc::new(NoFootage),
    };
    let books = args.books.read()?;
    let done = database::block_on(async {
        let store = args.db.open().await?;
        let case = find(&store, number, args.site.as_deref()).await?;
        let officer = officer(&store, args.by.as_deref()).await?;
        let (zone, currency) = store.zone_and_currency(&case.site).await?.unwrap_or_default();
        let setup = Setup {
            site: case.site.clone(),
            zone: zone.parse().unwrap_or_default(),
            currency,
            evidence: args.evidence.clone(),
            signing_key: Some(key),
            ..Setup::default()
        };
        let site = Site::new(store, Arc::from(books.as_ref()), footage, setup);
        let to = args.out.clone().unwrap_or_else(|| format!("case-{number}.zip").into());
        write(&site, &officer, case.id, &to).await
    })?;
    let mut out = anstream::stdout().lock();
    if args.json {
        json::lines(&mut out, [&done])?;
    } else {
        done.write(&mut out)?;
    }
    Ok(Outcome::Clean)
}

fn show_key(args: &Args, path: &Path) -> anyhow::Result<Outcome> {
    let key = SiteKey::open_or_make(path)?.public();
    let mut out = anstream::stdout().lock();
    if args.json {
        json::lines(&mut out, [serde_json::json!({ "public": key.pem()?, "fingerprint": key.fingerprint() })])?;
    } else {
        write!(out, "{}", key.pem()?)?;
        writeln!(out, "SHA-256 {}", key.fingerprint())?;
    }
    Ok(Outcome::Clean)
}

/// The case with a number, which is unique within a site.
async fn find(store: &Store, number: i64, site: Option<&str>) -> anyhow::Result<Case> {
    let mut found = store.cases_numbered(number).await?;
    found.retain(|case| site.is_none_or(|site| case.site == site));
    match found.len() {
        0 => bail!("there is no case {number}"),
        1 => Ok(found.remove(0)),
        _ => {
            let sites: Vec<_> = found.iter().map(|case| case.site.as_str()).collect();
            bail!("several sites have a case {number}; name one with --site: {}", sites.join(", "))
        }
    }
}

/// The officer in whose name it is done; without one, somebody who may see all and change nothing.
async fn officer(store: &Store, by: Option<&str>) -> anyhow::Result<Officer> {
    let entrance = Entrance::Session { csrf: String::new() };
    let Some(name) = by else {
        return Ok(Officer {
            id: 0,
            name: "command-line".to_owned(),
            full_name: String::new(),
            title: String::new(),
            role: Role::Auditor,
            tables: Tables::All,
            looks: Looks::default(),
            by: entrance,
        });
    };
    let user = store.user_named(name).await?.filter(|user| user.disabled_at.is_none());
    let user = user.with_context(|| format!("there is no account {name}"))?;
    let tables = store.tables_of(&user).await?;
    let officer = Officer {
        id: user.id,
        name: user.name,
        full_name: user.full_name,
        title: user.title,
        role: user.role.0,
        tables,
        looks: user.looks,
        by: entrance,
    };
    ensure!(officer.may(Right::Export), "{name} may not export: {} accounts cannot", officer.role);
    Ok(officer)
}

/// What was exported.
#[derive(serde::Serialize)]
struct Done {
    file: PathBuf,
    bytes: u64,
    sha256: String,
    manifest: Manifest,
}

async fn write(site: &Site, officer: &Officer, id: i64, to: &Path) -> anyhow::Result<Done> {
    ensure!(!to.exists(), "{} exists already", to.display());
    let folder = to.parent().filter(|folder| *folder != Path::new("")).unwrap_or(Path::new("."));
    let cannot = || format!("cannot write {}", to.display());
    let draft = tempfile::NamedTempFile::new_in(folder).with_context(cannot)?;
    let exported = export(site, officer, id, draft.reopen().with_context(cannot)?).await?;
    exported.file.sync_all().with_context(cannot)?;
    draft.persist_noclobber(to).map_err(|error| error.error).with_context(cannot)?;
    let review::export::Exported { bytes, sha256, manifest, .. } = exported;
    Ok(Done { file: to.to_owned(), bytes, sha256, manifest })
}

impl Done {
    fn write(&self, out: &mut impl Write) -> std::io::Result<()> {
        let Manifest { site, case, files, missing, sealed, key, .. } = &self.manifest;
        let files = several(files.len() as u64, "file");
        writeln!(out, "{}: case {case} of {site}, {files}, {} bytes", self.file.display(), self.bytes)?;
        for absent in missing {
            writeln!(out, "missing: {}: {}", absent.name, absent.why)?;
        }
        if sealed.is_none() {
            writeln!(out, "the case is not sealed and may still change; --by USER seals it in that officer's name")?;
        }
        writeln!(out, "SHA-256 {}", self.sha256)?;
        writeln!(out, "signed with the key {}", key.fingerprint)
    }
}
