//! The few forms a query takes here, the same for both databases.

/// A value of a query whose text is made as we go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// A number, a time, an amount.
    Int(i64),
    /// A number that may be missing.
    MaybeInt(Option<i64>),
    /// A text.
    Text(String),
    /// A text that may be missing.
    MaybeText(Option<String>),
    /// Yes or no.
    Bool(bool),
}

impl From<i64> for Value {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<Option<i64>> for Value {
    fn from(value: Option<i64>) -> Self {
        Self::MaybeInt(value)
    }
}

impl From<&str> for Value {
    fn from(value: &str) -> Self {
        Self::Text(value.to_owned())
    }
}

impl From<String> for Value {
    fn from(value: String) -> Self {
        Self::Text(value)
    }
}

impl From<Option<String>> for Value {
    fn from(value: Option<String>) -> Self {
        Self::MaybeText(value)
    }
}

impl From<bool> for Value {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

/// Conditions joined by `and`, with their values.
#[derive(Clone, Debug, Default)]
pub(crate) struct Conditions {
    pub(crate) sql: String,
    pub(crate) values: Vec<Value>,
}

impl Conditions {
    /// Adds a condition; each `?` in it stands for the next of `values`.
    pub(crate) fn and(&mut self, condition: &str, values: impl IntoIterator<Item = Value>) {
        self.sql.push_str(if self.sql.is_empty() { " where " } else { " and " });
        let mut values = values.into_iter();
        for (index, piece) in condition.split('?').enumerate() {
            if index > 0 {
                self.values.extend(values.next());
                self.sql.push_str(&format!("${}", self.values.len()));
            }
            self.sql.push_str(piece);
        }
    }

    /// Adds the condition that a column is one of several; of none, nothing is.
    pub(crate) fn one_of<V: Into<Value>>(&mut self, column: &str, values: impl IntoIterator<Item = V>) {
        let values: Vec<Value> = values.into_iter().map(Into::into).collect();
        let marks = vec!["?"; values.len()].join(", ");
        let condition = if values.is_empty() { "1 = 0".to_owned() } else { format!("{column} in ({marks})") };
        self.and(&condition, values);
    }
}

/// Binds values whose number only the query's maker knows. They are given away, so that no text is copied on the way.
macro_rules! bound {
    ($query:expr, $values:expr) => {{
        let mut query = $query;
        for value in $values {
            query = match value {
                $crate::store::sql::Value::Int(value) => query.bind(value),
                $crate::store::sql::Value::MaybeInt(value) => query.bind(value),
                $crate::store::sql::Value::Text(value) => query.bind(value),
                $crate::store::sql::Value::MaybeText(value) => query.bind(value),
                $crate::store::sql::Value::Bool(value) => query.bind(value),
            };
        }
        query
    }};
}

/// Every row.
macro_rules! all {
    ($on:ident $from:expr, $sql:expr $(, $bind:expr)* $(,)?) => {
        $crate::store::on!($on $from, db => sqlx::query_as($sql)$(.bind($bind))*.fetch_all(db).await?)
    };
}

/// The row, if there is one.
macro_rules! find {
    ($on:ident $from:expr, $sql:expr $(, $bind:expr)* $(,)?) => {
        $crate::store::on!($on $from, db => sqlx::query_as($sql)$(.bind($bind))*.fetch_optional(db).await?)
    };
}

/// The only value of the only row.
macro_rules! value {
    ($on:ident $from:expr, $sql:expr $(, $bind:expr)* $(,)?) => {
        $crate::store::on!($on $from, db => sqlx::query_scalar($sql)$(.bind($bind))*.fetch_one(db).await?)
    };
}

/// Changes rows and says how many.
macro_rules! run {
    ($on:ident $from:expr, $sql:expr $(, $bind:expr)* $(,)?) => {
        $crate::store::on!($on $from, db => sqlx::query($sql)$(.bind($bind))*.execute(db).await?.rows_affected())
    };
}

pub(crate) use {all, bound, find, run, value};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conditions_number_their_values() {
        let mut conditions = Conditions::default();
        conditions.and("at >= ?", [Value::Int(5)]);
        conditions.one_of("state", ["new", "escalated"]);
        conditions.and("(a, b) < (?, ?)", [Value::Int(1), Value::Int(2)]);
        assert_eq!(conditions.sql, " where at >= $1 and state in ($2, $3) and (a, b) < ($4, $5)");
        assert_eq!(conditions.values.len(), 5);
    }

    #[test]
    fn one_of_none_is_nothing() {
        let mut conditions = Conditions::default();
        conditions.one_of::<i64>("id", []);
        assert_eq!(conditions.sql, " where 1 = 0");
    }
}
