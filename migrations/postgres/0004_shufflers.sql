-- Which shuffling machine stood at a table since when, as the site's configuration said; null if none, or one without a
-- name. Its shuffles are followed from table to table.
create table shufflers (
    table_name text collate "C" not null references tables (name),
    since_at bigint not null,
    name text collate "C",
    primary key (table_name, since_at)
);
create index shufflers_name on shufflers (name);
