//! Dealers and tables over time: hands, errors, money, pace. Counts only; what they are worth is [`crate::interval`]'s.

use sqlx::AssertSqlSafe;
use table::{Utc, named};

use super::sql::{Conditions, Value, bound};
use super::{Store, StoreError, on};
use crate::accounts::{Officer, Tables};
use crate::interval::{self, Rate};

named! {
    /// Whom or what rounds and flags are counted by.
    pub enum Whose, "dealer or table" {
        /// Who dealt.
        Dealer = "dealer",
        /// Where.
        Table = "table",
    }
}

/// A stretch of time of one dealer or table.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Stretch {
    /// Whose.
    pub name: String,
    /// When the week began, in microseconds of UTC; the beginning of the whole stretch where no weeks were asked for.
    pub from: i64,
    /// Rounds.
    pub rounds: u64,
    /// Player hands.
    pub hands: u64,
    /// Time at play: between the beginnings of rounds, pauses above ten minutes left out.
    pub playing_micros: u64,
    /// Flags that are neither doubts nor dismissed nor withdrawn.
    pub errors: u64,
    /// Of those, the ones an officer confirmed.
    pub confirmed: u64,
    /// What those flags gave to players, in minor units.
    pub to_players: i64,
    /// What they gave to the house.
    pub to_house: i64,
}

impl Stretch {
    /// Errors per thousand hands.
    pub fn rate(&self) -> Rate {
        interval::per_thousand(self.errors, self.hands)
    }

    /// Hands an hour; `None` where too little was played to say.
    pub fn pace(&self) -> Option<u64> {
        const HOUR: u128 = 3_600_000_000;
        let playing = u128::from(self.playing_micros);
        if playing < HOUR / 2 {
            return None;
        }
        u64::try_from(u128::from(self.hands) * HOUR / playing).ok()
    }
}

#[derive(sqlx::FromRow)]
struct Played {
    name: String,
    week: i64,
    rounds: i64,
    hands: i64,
    playing: i64,
}

#[derive(sqlx::FromRow)]
struct Erred {
    name: String,
    week: i64,
    errors: i64,
    confirmed: i64,
    to_players: i64,
    to_house: i64,
}

/// 1970-01-05, the first Monday, and a week.
const MONDAY: i64 = 345_600_000_000;
const WEEK: i64 = 604_800_000_000;
/// A pause longer than this is no play.
const PAUSE: i64 = 600_000_000;

/// A question about dealers or tables.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// Dealers or tables.
    pub whose: Whose,
    /// One of them; all where nobody is named.
    pub name: Option<&'a str>,
    /// From this instant on.
    pub from: Utc,
    /// Before this instant.
    pub until: Utc,
    /// Week by week (Mondays, UTC), or all in one.
    pub weekly: bool,
}

impl Store {
    /// How dealers or tables did, by name and week, of the tables an officer may see.
    pub async fn stretches(&self, officer: &Officer, question: &Question<'_>) -> Result<Vec<Stretch>, StoreError> {
        let column = match question.whose {
            Whose::Dealer => "dealer",
            Whose::Table => "table_name",
        };
        let week = if question.weekly { format!("(at - {MONDAY}) / {WEEK}") } else { "cast(0 as bigint)".to_owned() };
        let mut conditions = Conditions::default();
        conditions.and("at >= ? and at < ?", [question.from.micros(), question.until.micros()].map(Value::Int));
        conditions.and(&format!("{column} is not null"), []);
        if let Some(name) = question.name {
            conditions.and(&format!("{column} = ?"), [name.into()]);
        }
        if let Tables::Only(names) = &officer.tables {
            conditions.one_of("table_name", names.iter().map(String::as_str));
        }
        let Conditions { sql, values } = conditions;
        let played = format!(
            "select name, week, count(*) as rounds, cast(sum(hands) as bigint) as hands, \
             cast(sum(case when since <= {PAUSE} then since else 0 end) as bigint) as playing from (\
             select {column} as name, {week} as week, hands, \
             at - lag(at, 1, at) over (partition by {column}, table_name order by at) as since \
             from rounds{sql} and superseded_by is null) played group by name, week order by name, week"
        );
        let erred = format!(
            "select {column} as name, {week} as week, count(*) as errors, \
             cast(sum(case when state = 'confirmed' then 1 else 0 end) as bigint) as confirmed, \
             cast(sum(case when favours = 'player' then amount else 0 end) as bigint) as to_players, \
             cast(sum(case when favours = 'house' then amount else 0 end) as bigint) as to_house \
             from queue{sql} and doubt = false and state not in ('dismissed', 'withdrawn') \
             group by {column}, {week} order by {column}, {week}"
        );
        let played: Vec<Played> =
            on!(Store self, db => bound!(sqlx::query_as(AssertSqlSafe(played)), values.clone()).fetch_all(db).await?);
        let erred: Vec<Erred> =
            on!(Store self, db => bound!(sqlx::query_as(AssertSqlSafe(erred)), values).fetch_all(db).await?);
        let mut erred = erred.into_iter().peekable();
        let from = |week| if question.weekly { week * WEEK + MONDAY } else { question.from.micros() };
        Ok(played
            .into_iter()
            .map(|Played { name, week, rounds, hands, playing }| {
                // Both are sorted alike, and flags without rounds are of rounds that began just outside.
                while erred.next_if(|erred| (&erred.name, erred.week) < (&name, week)).is_some() {}
                let erred = erred.next_if(|erred| (&erred.name, erred.week) == (&name, week));
                let erred = erred.unwrap_or(Erred {
                    name: String::new(),
                    week,
                    errors: 0,
                    confirmed: 0,
                    to_players: 0,
                    to_house: 0,
                });
                Stretch {
                    name,
                    from: from(week),
                    rounds: count(rounds),
                    hands: count(hands),
                    playing_micros: count(playing),
                    errors: count(erred.errors),
                    confirmed: count(erred.confirmed),
                    to_players: erred.to_players,
                    to_house: erred.to_house,
                }
            })
            .collect())
    }

    /// The names of all tables an officer may see.
    pub async fn tables(&self, officer: &Officer) -> Result<Vec<String>, StoreError> {
        let names: Vec<String> =
            on!(Store self, db => sqlx::query_scalar("select name from tables order by name").fetch_all(db).await?);
        Ok(names.into_iter().filter(|name| officer.tables.include(name)).collect())
    }

    /// The names of all dealers who dealt at tables an officer may see.
    pub async fn dealers(&self, officer: &Officer) -> Result<Vec<String>, StoreError> {
        let mut conditions = Conditions::default();
        if let Tables::Only(names) = &officer.tables {
            conditions.and("r.dealer = d.name and r.superseded_by is null", []);
            conditions.one_of("r.table_name", names.iter().map(String::as_str));
            conditions.sql = format!(" where exists (select 1 from rounds r{})", conditions.sql);
        }
        let Conditions { sql, values } = conditions;
        let sql = format!("select d.name from dealers d{sql} order by d.name");
        Ok(on!(Store self, db => bound!(sqlx::query_scalar(AssertSqlSafe(sql)), values).fetch_all(db).await?))
    }
}

/// A count out of a column.
fn count(count: i64) -> u64 {
    u64::try_from(count).unwrap_or_default()
}
