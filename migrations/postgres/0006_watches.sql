-- How each table is that somebody watches (`fairdeal run`), written over every few seconds; so there is no history of it. What
-- was not written for a while was left by a program that no longer runs.
create table watches (
    table_name text collate "C" primary key,
    at bigint not null,
    doing text collate "C" not null check (doing in ('starting', 'catching', 'watching', 'failed', 'ended', 'stopped')),
    since_at bigint,
    -- When something was last heard of its devices.
    heard_at bigint,
    -- From what was heard last of a round to its flags in the database, in microseconds: of the last round, half of the
    -- latest within the second, 99 % within the third.
    lag bigint,
    lag_half bigint,
    lag_most bigint,
    -- Rounds that wait for the database.
    waiting bigint not null check (waiting >= 0),
    -- What keeps it from being watched; empty if nothing does.
    failure text collate "C" not null
);
