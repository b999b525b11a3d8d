//! The questions of the queue in SQL: which flags, and what is told of each.

use super::{Cursor, Doubts, Filter, Listed, Order, Page, State};
use crate::accounts::{Officer, Tables};
use crate::store::sql::{Conditions, Value};

/// What a list says of a flag.
pub(super) const LISTED: &str = "select q.id, q.flag, q.flag_entry, q.round_id, q.table_name, q.shoe, q.round, q.at, \
                                 q.dealer, q.check_name, q.clause, q.severity, q.kind, q.doubt, q.box, q.hand, q.amount, \
                                 q.favours, q.confidence, q.state, a.name as assignee, q.decided_at, d.name as decided_by, \
                                 s.at is not null as read";
/// Where that stands, beside the queue; `$1` is the asker.
pub(super) const BESIDE: &str = "left join users a on a.id = q.assignee left join users d on d.id = q.decided_by \
                                 left join seen s on s.flag = q.flag and s.user_id = $1";
/// Where the flags themselves stand.
pub(super) const DOCUMENT: &str = "join flags f on f.id = q.flag_entry";

/// The conditions of a filter, after the values there are already; the first of them is the asker's number.
pub(super) fn conditions(filter: &Filter, officer: &Officer, values: Vec<Value>) -> Conditions {
    let mut all = Conditions { sql: String::new(), values };
    // The asker's number must be used, or a server does not know its type.
    all.and("cast($1 as bigint) is not null", []);
    if !filter.states.is_empty() {
        all.one_of("q.state", filter.states.iter().map(|state| state.name()));
    }
    match filter.doubts {
        Doubts::Without => all.and("q.doubt = ?", [false.into()]),
        Doubts::Only => all.and("q.doubt = ?", [true.into()]),
        Doubts::With => {}
    }
    if let Some(least) = filter.least {
        all.and("q.severity >= ?", [(least as i64).into()]);
    }
    if let Tables::Only(names) = &officer.tables {
        all.one_of("q.table_name", names.iter().map(String::as_str));
    }
    if !filter.tables.is_empty() {
        all.one_of("q.table_name", filter.tables.iter().map(String::as_str));
    }
    if !filter.kinds.is_empty() {
        all.one_of("q.kind", filter.kinds.iter().map(String::as_str));
    }
    let texts =
        [("q.dealer = ?", &filter.dealer), ("q.check_name = ?", &filter.check), ("q.clause = ?", &filter.clause)];
    for (condition, text) in texts {
        if let Some(text) = text {
            all.and(condition, [text.as_str().into()]);
        }
    }
    if let Some(from) = filter.from {
        all.and("q.at >= ?", [from.micros().into()]);
    }
    if let Some(until) = filter.until {
        all.and("q.at < ?", [until.micros().into()]);
    }
    if let Some(amount) = filter.amount {
        // As a number that was computed: SQLite would take the index by money for it, and sort all it finds.
        let by_money = filter.order == Order::Money;
        all.and(if by_money { "q.amount >= ?" } else { "q.amount + 0 >= ?" }, [amount.into()]);
    }
    match filter.assignee.as_deref() {
        None => {}
        Some("me") => all.and("q.assignee = ?", [officer.id.into()]),
        Some("nobody") => all.and("q.assignee is null", []),
        Some(name) => all.and("q.assignee = (select id from users where name = ?)", [name.into()]),
    }
    if filter.unread {
        all.and("not exists (select 1 from seen u where u.flag = q.flag and u.user_id = $1)", []);
    }
    all
}

/// Which flags a page of the queue has, by number, from indices alone: the rest is read for these few.
pub(super) struct Which {
    sql: String,
    pub(super) values: Vec<Value>,
    order: Order,
    limit: usize,
}

impl Which {
    pub(super) fn of(filter: &Filter, officer: &Officer, after: Option<Cursor>, limit: usize) -> Self {
        let asked = limit as i64 + 1;
        let mut values: Vec<Value> = vec![officer.id.into(), asked.into()];
        let (first, by) = (first(filter.order), order(filter.order));
        let heaps = heaps(filter);
        let mut pieces = Vec::with_capacity(heaps.len());
        for heap in &heaps {
            let mut conditions = conditions(heap, officer, values);
            if let Some(Cursor { first: key, at, id }) = after {
                match filter.order {
                    Order::Time => conditions.and("(q.at, q.id) < (?, ?)", [at, id].map(Value::Int)),
                    _ => conditions.and(&format!("({first}, q.at, q.id) < (?, ?, ?)"), [key, at, id].map(Value::Int)),
                }
            }
            let Conditions { sql, values: further } = conditions;
            values = further;
            pieces.push(format!("select q.id, q.at, {first} as first from queue q{sql} order by {by} limit $2"));
        }
        let sql = match &pieces[..] {
            [only] => only.clone(),
            _ => {
                let numbered = pieces.iter().enumerate();
                let heaps: Vec<_> = numbered.map(|(nth, sql)| format!("select * from ({sql}) as heap{nth}")).collect();
                let heaps = heaps.join(" union all ");
                format!("select id from ({heaps}) as heaps order by first desc, at desc, id desc limit $2")
            }
        };
        Self { sql, values, order: filter.order, limit }
    }

    /// Asks for these columns of them, from what stands beside the queue.
    pub(super) fn with(&self, columns: &str, beside: &str) -> String {
        let (which, by) = (&self.sql, order(self.order));
        format!("{columns} from ({which}) as which join queue q on q.id = which.id {beside} order by {by}")
    }

    /// The page that was found: one flag more than asked for says that there is another.
    pub(super) fn page<F>(&self, mut flags: Vec<F>, listed: impl Fn(&F) -> &Listed) -> Page<F> {
        let more = flags.len() > self.limit;
        flags.truncate(self.limit);
        let cursor = |last: &Listed| Cursor {
            first: match self.order {
                Order::Weight => last.severity,
                Order::Time => 0,
                Order::Money => last.amount,
            },
            at: last.at,
            id: last.id,
        };
        let next = flags.last().filter(|_| more).map(|last| cursor(listed(last)));
        Page { flags, next }
    }
}

/// What an order sorts by before the time.
const fn first(order: Order) -> &'static str {
    match order {
        Order::Weight => "q.severity",
        Order::Time => "0",
        Order::Money => "q.amount",
    }
}

const fn order(order: Order) -> &'static str {
    match order {
        Order::Weight => "q.severity desc, q.at desc, q.id desc",
        Order::Time => "q.at desc, q.id desc",
        Order::Money => "q.amount desc, q.at desc, q.id desc",
    }
}

/// A filter of several states, or of doubts among others, as filters of one each. The indices begin with both and go on in
/// the page's order, so the first flags of each are found at once; of all together they would have to be sorted.
fn heaps(filter: &Filter) -> Vec<Filter> {
    let asked = |state: &State| filter.states.is_empty() || filter.states.contains(state);
    let doubts = match filter.doubts {
        Doubts::With => vec![Doubts::Without, Doubts::Only],
        one => vec![one],
    };
    let of = |state: State| doubts.iter().map(move |doubts| (state, *doubts));
    let heap = |(state, doubts)| Filter { states: vec![state], doubts, ..filter.clone() };
    State::ALL.iter().copied().filter(asked).flat_map(of).map(heap).collect()
}
