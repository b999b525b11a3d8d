//! The schema: the same from every earlier version, and the same in both databases.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on should stop where it stands")]

mod support;

use std::collections::BTreeMap;

use review::Store;
use sqlx::migrate::Migrator;
use sqlx::{PgPool, SqlitePool};

static SQLITE: Migrator = sqlx::migrate!("../migrations/sqlite");
static POSTGRES: Migrator = sqlx::migrate!("../migrations/postgres");

/// Every table, index and trigger as SQLite remembers it.
async fn sqlite_schema(pool: &SqlitePool) -> Vec<(String, String)> {
    let sql =
        "select name, coalesce(sql, '') from sqlite_master where name not like '\\_sqlx%' escape '\\' order by name";
    sqlx::query_as(sql).fetch_all(pool).await.unwrap()
}

/// Every column, constraint, index and trigger as PostgreSQL remembers it.
async fn postgres_schema(pool: &PgPool) -> Vec<(String, String)> {
    let sql = "select table_name || '.' || column_name, data_type || is_nullable || coalesce(collation_name, '') \
               from information_schema.columns where table_schema = 'public' and table_name not like '\\_sqlx%' \
               union all select conrelid::regclass || ' ' || conname, pg_get_constraintdef(oid) from pg_constraint \
               where connamespace = 'public'::regnamespace and conrelid::regclass::text not like '\\_sqlx%' \
               union all select indexname, indexdef from pg_indexes where schemaname = 'public' and tablename not like '\\_sqlx%' \
               union all select tgname, pg_get_triggerdef(oid) from pg_trigger where not tgisinternal order by 1, 2";
    sqlx::query_as(sql).fetch_all(pool).await.unwrap()
}

#[tokio::test]
async fn sqlite_comes_up_from_every_version() {
    let folder = tempfile::tempdir().unwrap();
    let url = |name: &str| format!("sqlite:{}?mode=rwc", folder.path().join(name).display());
    let Store::Sqlite { reads: fresh, .. } = Store::open(&url("fresh.db")).await.unwrap() else { panic!("SQLite") };
    let fresh = sqlite_schema(&fresh).await;
    assert!(fresh.len() > 50);
    for version in SQLITE.iter().map(|migration| migration.version) {
        let url = url(&format!("{version}.db"));
        let old = SqlitePool::connect(&url).await.unwrap();
        SQLITE.run_to(version, &old).await.unwrap();
        old.close().await;
        let Store::Sqlite { reads: upgraded, .. } = Store::open(&url).await.unwrap() else { panic!("SQLite") };
        assert_eq!(sqlite_schema(&upgraded).await, fresh, "from version {version}");
    }
}

#[tokio::test]
async fn postgres_comes_up_from_every_version() {
    let server = support::postgres::Server::start();
    let Store::Postgres(fresh) = Store::open(&server.database().await).await.unwrap() else { panic!("PostgreSQL") };
    let fresh = postgres_schema(&fresh).await;
    assert!(fresh.len() > 200);
    for version in POSTGRES.iter().map(|migration| migration.version) {
        let url = server.database().await;
        let old = PgPool::connect(&url).await.unwrap();
        POSTGRES.run_to(version, &old).await.unwrap();
        old.close().await;
        let Store::Postgres(upgraded) = Store::open(&url).await.unwrap() else { panic!("PostgreSQL") };
        assert_eq!(postgres_schema(&upgraded).await, fresh, "from version {version}");
    }
}

#[tokio::test]
async fn both_have_the_same_tables_and_columns() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("test.db").display());
    let Store::Sqlite { reads: sqlite, .. } = Store::open(&url).await.unwrap() else { panic!("SQLite") };
    let server = support::postgres::Server::start();
    let Store::Postgres(postgres) = Store::open(&server.database().await).await.unwrap() else { panic!("PostgreSQL") };
    let one = "select m.name, c.name from sqlite_master m join pragma_table_info(m.name) c where m.type = 'table' \
               and m.name not like '\\_sqlx%' escape '\\' order by m.name, c.cid";
    let other = "select table_name::text, column_name::text from information_schema.columns where table_schema = 'public' \
                 and table_name not like '\\_sqlx%' order by table_name collate \"C\", ordinal_position";
    let one: Vec<(String, String)> = sqlx::query_as(one).fetch_all(&sqlite).await.unwrap();
    let other: Vec<(String, String)> = sqlx::query_as(other).fetch_all(&postgres).await.unwrap();
    let gathered = |columns: Vec<(String, String)>| {
        let mut tables: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (table, column) in columns {
            tables.entry(table).or_default().push(column);
        }
        tables
    };
    assert_eq!(gathered(one), gathered(other));
    let versions = |migrator: &Migrator| -> Vec<_> {
        migrator.iter().map(|migration| (migration.version, migration.description.to_string())).collect()
    };
    assert_eq!(versions(&SQLITE), versions(&POSTGRES));
}
