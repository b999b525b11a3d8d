-- The queue page at a million rounds and 50,000 flags: which flags to show, and how many there are, from indices alone.

-- What comes first in either order, and what every list can be narrowed down by: money, and what the asker has not read.
drop index queue_by_weight;
create index queue_by_weight on queue (state, doubt, severity desc, at desc, id desc, amount, flag);
drop index queue_by_time;
create index queue_by_time on queue (state, doubt, at desc, id desc, amount, flag);
-- Counts by state, kind and severity, of all tables, of some, and of those given to somebody; and the lists of a kind.
create index queue_by_kind on queue (state, doubt, kind, severity desc, at desc, id desc, assignee, table_name);
-- The lists of a table, a dealer, a check and a clause.
create index queue_of_table on queue (table_name, state, doubt, severity desc, at desc, id desc);
create index queue_of_dealer on queue (dealer, state, doubt, severity desc, at desc, id desc);
drop index queue_check;
create index queue_of_check on queue (check_name, state, doubt, severity desc, at desc, id desc);
drop index queue_clause;
create index queue_of_clause on queue (clause, state, doubt, severity desc, at desc, id desc);
