-- How each table is that somebody watches (`fairdeal run`), written over every few seconds; so there is no history of it. What
-- was not written for a while was left by a program that no longer runs.
create table watches (
    table_name text not null primary key,
    at integer not null,
    doing text not null check (doing in ('starting', 'catching', 'watching', 'failed', 'ended', 'stopped')),
    since_at integer,
    -- When something was last heard of its devices.
    heard_at integer,
    -- From what was heard last of a round to its flags in the database, in microseconds: of the last round, half of the
    -- latest within the second, 99 % within the third.
    lag integer,
    lag_half integer,
    lag_most integer,
    -- Rounds that wait for the database.
    waiting integer not null check (waiting >= 0),
    -- What keeps it from being watched; empty if nothing does.
    failure text not null
) strict;
