-- Which shuffling machine stood at a table since when, as the site's configuration said; null if none, or one without a
-- name. Its shuffles are followed from table to table.
create table shufflers (
    table_name text not null references tables (name),
    since_at integer not null,
    name text,
    primary key (table_name, since_at)
) strict;
create index shufflers_name on shufflers (name);
