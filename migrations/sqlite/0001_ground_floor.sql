-- The officers' database. `postgres/` holds the same tables under the same numbers.
--
-- Times are whole microseconds of UTC since 1970, named `…_at` or `at`. Money is whole minor units of the site's currency.
-- Probabilities are whole millionths. Documents are JSON as text, exactly the bytes that were hashed.
-- What history rests on (log, rounds, flags, decisions, notes, corrections, changes of cases) is only ever added to;
-- triggers at the end of this file refuse everything else.

create table sites (
    name text primary key,
    -- IANA zone in which officers read times.
    zone text not null,
    -- ISO 4217 code of every amount recorded at the site.
    currency text not null check (length(currency) = 3)
) strict;

-- Append-only and chained: `hash` is SHA-256 over the hash before and this entry's canonical JSON, so that an entry
-- changed or taken out is found by anybody who recomputes the chain.
create table log (
    -- Counted from 1 without gaps.
    seq integer primary key check (seq > 0),
    at integer not null,
    -- The user's name as it was then, or `system`.
    actor text not null,
    -- What was done: `login`, `view`, `decide`, `export`, `setting`, `ingest`, …
    action text not null,
    -- What it was done to: `flag BJ-04.17.212.paid_a_push.3a`, `case 12`, …
    subject text not null,
    detail text not null,
    -- Lower-case hexadecimal; 64 zeros before the first entry.
    previous text not null check (length(previous) = 64),
    hash text not null unique check (length(hash) = 64)
) strict;
create index log_subject on log (subject, seq);
create index log_actor on log (actor, seq);

create table tables (
    -- Unique in the whole database, since flags are known by it.
    name text primary key,
    site text not null references sites (name)
) strict;

create table dealers (
    name text primary key,
    site text not null references sites (name)
) strict;

create table shoes (
    table_name text not null references tables (name),
    -- Counted per table.
    shoe integer not null check (shoe >= 0),
    -- When its first round known to us began.
    began_at integer not null,
    primary key (table_name, shoe)
) strict;

-- Every entry of every round. A round that is audited again and reads the same is not written again; one that reads
-- differently is a new entry, and the one before names it.
create table rounds (
    -- Handed out by us, in the order of writing; so are those of flags and of the queue.
    id integer primary key,
    table_name text not null references tables (name),
    shoe integer not null,
    round integer not null check (round >= 0),
    -- 1 for the first reading of the round, 2 for the one that superseded it, …
    entry integer not null check (entry > 0),
    at integer not null,
    -- The time of its last step; the same as `at` where no step has a time.
    ended_at integer not null,
    dealer text references dealers (name),
    game text not null,
    -- Player hands played in it: what errors are counted against.
    hands integer not null check (hands >= 0),
    -- SHA-256 of `document` in lower-case hexadecimal.
    digest text not null check (length(digest) = 64),
    -- The round as JSON; null once retention has let it go.
    document text,
    -- What could be checked and what could not, as JSON.
    coverage text not null,
    -- The entry of the log that recorded its writing.
    batch integer not null references log (seq),
    superseded_by integer references rounds (id),
    forgotten_at integer,
    check ((document is null) = (forgotten_at is not null)),
    foreign key (table_name, shoe) references shoes (table_name, shoe),
    unique (table_name, shoe, round, entry)
) strict;
-- The round page's neighbours, dealers' and tables' statistics, retention, `fairdeal verify`.
create index rounds_table_at on rounds (table_name, at, shoe, round, hands) where superseded_by is null;
create index rounds_dealer_at on rounds (dealer, at, table_name, hands) where superseded_by is null;
create index rounds_at on rounds (at) where document is not null;
create index rounds_batch on rounds (batch, id);

-- Every entry of every finding. A verdict that changes is a new entry; one that is no longer found is an entry that says so.
create table flags (
    id integer primary key,
    -- A function of table, shoe, round, check, box and hand.
    flag text not null,
    entry integer not null check (entry > 0),
    round_id integer not null references rounds (id),
    -- The flag as JSON, as in `fairdeal audit --json`.
    document text not null,
    digest text not null check (length(digest) = 64),
    -- A later audit did not find it again.
    withdrawn integer not null check (withdrawn in (0, 1)),
    written_at integer not null,
    batch integer not null references log (seq),
    unique (flag, entry)
) strict;
create index flags_round on flags (round_id);
create index flags_batch on flags (batch, id);

create table users (
    id integer primary key,
    name text not null unique,
    -- As it stands under a report.
    full_name text not null,
    title text not null,
    role text not null check (role in ('officer', 'investigator', 'manager', 'auditor', 'admin')),
    -- argon2id in PHC form; null for users who only have tokens or one-time links.
    password text,
    -- False: only the tables in `user_tables`.
    all_tables integer not null check (all_tables in (0, 1)),
    theme text not null check (theme in ('auto', 'dark', 'light')),
    created_at integer not null,
    disabled_at integer,
    -- Wrong passwords in a row, and until when no further is looked at.
    failures integer not null check (failures >= 0),
    locked_until integer
) strict;

create table user_tables (
    user_id integer not null references users (id),
    -- Need not exist yet: permissions are given before a table's first round.
    table_name text not null,
    primary key (user_id, table_name)
) strict;

-- Where each flag stands now: a projection of `flags` and `decisions` that the queue can search.
create table queue (
    id integer primary key,
    flag text not null unique,
    -- Its current entry.
    flag_entry integer not null references flags (id),
    round_id integer not null references rounds (id),
    table_name text not null,
    shoe integer not null,
    round integer not null,
    at integer not null,
    dealer text,
    check_name text not null,
    clause text not null,
    -- 0 info, 1 minor, 2 major, 3 critical.
    severity integer not null check (severity between 0 and 3),
    kind text not null,
    doubt integer not null check (doubt in (0, 1)),
    box integer,
    hand text,
    amount integer not null,
    favours text not null check (favours in ('player', 'house', 'none')),
    confidence integer not null check (confidence between 0 and 1000000),
    state text not null check (state in ('new', 'confirmed', 'dismissed', 'escalated', 'withdrawn')),
    assignee integer references users (id),
    decided_at integer,
    decided_by integer references users (id)
) strict;
create index queue_by_weight on queue (state, doubt, severity desc, at desc, id desc);
create index queue_by_time on queue (state, doubt, at desc, id desc);
create index queue_by_money on queue (state, doubt, amount desc, at desc, id desc);
create index queue_table on queue (table_name, at);
create index queue_dealer on queue (dealer, at);
create index queue_assignee on queue (assignee, state);
create index queue_check on queue (check_name, at);
create index queue_clause on queue (clause, at);
create index queue_round on queue (table_name, shoe, round);

-- What officers decided, in order; an undone decision stays and is followed by its undoing.
create table decisions (
    id integer primary key,
    flag text not null references queue (flag),
    -- The entry of the flag that was on the screen.
    flag_entry integer not null references flags (id),
    at integer not null,
    -- Null where an audit reopened or withdrew the flag.
    user_id integer references users (id),
    action text not null check (action in ('confirm', 'dismiss', 'escalate', 'assign', 'reopen', 'undo', 'withdraw')),
    -- The state and the assignee after it.
    state text not null,
    assignee integer references users (id),
    reason text not null,
    -- The decision that this one takes back.
    undoes integer unique references decisions (id),
    check ((action = 'undo') = (undoes is not null))
) strict;
create index decisions_flag on decisions (flag, id);
create index decisions_user on decisions (user_id, id);

create table notes (
    id integer primary key,
    kind text not null check (kind in ('flag', 'round', 'case')),
    -- The flag's id, the round as `BJ-04.17.212`, or the case's id.
    subject text not null,
    at integer not null,
    user_id integer not null references users (id),
    text text not null check (length(text) between 1 and 4000)
) strict;
create index notes_subject on notes (kind, subject, id);

-- Which flags a user has had on the screen.
create table seen (
    user_id integer not null references users (id),
    flag text not null references queue (flag),
    at integer not null,
    primary key (user_id, flag)
) strict;

create table saved_filters (
    id integer primary key,
    -- Null: everybody's.
    user_id integer references users (id),
    name text not null check (length(name) between 1 and 80),
    -- As in the queue's address, after the question mark.
    query text not null,
    position integer not null
) strict;
create index saved_filters_user on saved_filters (user_id, position);

-- Cards an officer read otherwise than we did. The latest for a step counts.
create table corrections (
    id integer primary key,
    round_id integer not null references rounds (id),
    -- Index of the step in the round, from 0.
    step integer not null check (step >= 0),
    was text not null,
    becomes text not null,
    reason text not null,
    at integer not null,
    user_id integer not null references users (id)
) strict;
create index corrections_round on corrections (round_id, id);

-- Disputes and incidents, with the fields a report must have. Texts are empty until somebody fills them in.
create table cases (
    id integer primary key,
    site text not null references sites (name),
    -- In sequence per site, whatever the weight of the matter.
    number integer not null check (number > 0),
    kind text not null check (kind in ('dispute', 'incident')),
    state text not null check (state in ('open', 'closed')),
    title text not null,
    opened_at integer not null,
    opened_by integer not null references users (id),
    -- When it happened.
    incident_at integer not null,
    incident_until integer,
    place text not null,
    nature text not null,
    requester text not null,
    persons text not null,
    witnesses text not null,
    staff text not null,
    recordings text not null,
    action text not null,
    disposition text not null,
    remarks text not null,
    -- What the review saved the house, and what was lost, in minor units.
    savings integer not null,
    losses integer not null,
    second_auditor integer references users (id),
    assignee integer references users (id),
    closed_at integer,
    -- Locked: evidence and fields stay as they are, and retention keeps away.
    locked_at integer,
    locked_by integer references users (id),
    unique (site, number)
) strict;
create index cases_state on cases (state, id);

create table case_members (
    case_id integer not null references cases (id),
    kind text not null check (kind in ('flag', 'round', 'evidence')),
    subject text not null,
    added_at integer not null,
    added_by integer not null references users (id),
    primary key (case_id, kind, subject)
) strict;
create index case_members_subject on case_members (kind, subject);

-- What was changed in a case, by whom: the fields after the change, as JSON.
create table case_changes (
    id integer primary key,
    case_id integer not null references cases (id),
    at integer not null,
    user_id integer not null references users (id),
    change text not null
) strict;
create index case_changes_case on case_changes (case_id, id);

create table sessions (
    -- SHA-256 of the cookie: who reads the database cannot take over a session.
    token text primary key check (length(token) = 64),
    user_id integer not null references users (id),
    csrf text not null,
    created_at integer not null,
    seen_at integer not null,
    expires_at integer not null,
    address text not null
) strict;
create index sessions_user on sessions (user_id);

-- Links that log somebody in once, such as the demo prints.
create table login_links (
    token text primary key check (length(token) = 64),
    user_id integer not null references users (id),
    expires_at integer not null,
    used_at integer
) strict;

create table api_tokens (
    id integer primary key,
    token text not null unique check (length(token) = 64),
    user_id integer not null references users (id),
    name text not null,
    -- Some of `read decide export admin`, separated by blanks.
    scopes text not null,
    created_at integer not null,
    expires_at integer,
    revoked_at integer,
    unique (user_id, name)
) strict;

-- Attempts to log in that failed, by address: what the back-off counts.
create table login_failures (
    id integer primary key,
    at integer not null,
    address text not null,
    name text not null
) strict;
create index login_failures_address on login_failures (address, at);

create table settings (
    name text primary key,
    value text not null,
    changed_at integer not null,
    changed_by text not null
) strict;

-- Files in the evidence folder, named by what is in them.
create table evidence (
    -- SHA-256 of the bytes in lower-case hexadecimal; also the file's name.
    digest text primary key check (length(digest) = 64),
    media_type text not null,
    bytes integer not null check (bytes >= 0),
    taken_at integer,
    added_at integer not null,
    -- Retention took the file; the row stays.
    removed_at integer
) strict;

create table evidence_links (
    digest text not null references evidence (digest),
    kind text not null check (kind in ('flag', 'round', 'case')),
    subject text not null,
    what text not null,
    primary key (digest, kind, subject)
) strict;
create index evidence_links_subject on evidence_links (kind, subject);

-- What retention must keep away from: a table's rounds and evidence between two instants.
create table holds (
    id integer primary key,
    table_name text not null,
    from_at integer not null,
    until_at integer not null check (until_at >= from_at),
    reason text not null,
    placed_at integer not null,
    placed_by integer not null references users (id),
    released_at integer,
    released_by integer references users (id)
) strict;
create index holds_table on holds (table_name, from_at);

-- Cameras, shoes, sensors and clocks: what each said of itself.
create table health (
    id integer primary key,
    at integer not null,
    table_name text not null,
    source text not null,
    state text not null,
    detail text not null
) strict;
create index health_source on health (table_name, source, id);
create index health_at on health (at);

-- Where boxes lie in a camera's picture, as officers drew them. The latest counts.
create table calibrations (
    id integer primary key,
    table_name text not null,
    camera text not null,
    at integer not null,
    user_id integer not null references users (id),
    document text not null
) strict;
create index calibrations_camera on calibrations (table_name, camera, id);

-- Who is told of severe flags.
create table subscribers (
    id integer primary key,
    kind text not null check (kind in ('webhook', 'email')),
    -- An https address, or a mailbox.
    target text not null,
    -- Key of a webhook's HMAC-SHA-256 signature.
    secret text not null,
    least_severity integer not null check (least_severity between 0 and 3),
    removed_at integer
) strict;

-- What is still to be told, and what was: nothing is told twice, nothing is forgotten by a restart.
create table outbox (
    id integer primary key,
    subscriber integer not null references subscribers (id),
    flag text not null,
    flag_entry integer not null references flags (id),
    due_at integer not null,
    attempts integer not null check (attempts >= 0),
    sent_at integer,
    -- Why the last attempt failed.
    failure text not null,
    unique (subscriber, flag_entry)
) strict;
create index outbox_due on outbox (due_at) where sent_at is null;

-- Nobody edits history, the administrator included.
create trigger log_no_update before update on log begin
    select raise(abort, 'log is only ever added to');
end;
create trigger log_no_delete before delete on log begin
    select raise(abort, 'log is only ever added to');
end;
create trigger flags_no_update before update on flags begin
    select raise(abort, 'flags is only ever added to');
end;
create trigger flags_no_delete before delete on flags begin
    select raise(abort, 'flags is only ever added to');
end;
create trigger decisions_no_update before update on decisions begin
    select raise(abort, 'decisions is only ever added to');
end;
create trigger decisions_no_delete before delete on decisions begin
    select raise(abort, 'decisions is only ever added to');
end;
create trigger notes_no_update before update on notes begin
    select raise(abort, 'notes is only ever added to');
end;
create trigger notes_no_delete before delete on notes begin
    select raise(abort, 'notes is only ever added to');
end;
create trigger corrections_no_update before update on corrections begin
    select raise(abort, 'corrections is only ever added to');
end;
create trigger corrections_no_delete before delete on corrections begin
    select raise(abort, 'corrections is only ever added to');
end;
create trigger case_changes_no_update before update on case_changes begin
    select raise(abort, 'case_changes is only ever added to');
end;
create trigger case_changes_no_delete before delete on case_changes begin
    select raise(abort, 'case_changes is only ever added to');
end;
-- A round may be superseded once and forgotten once, and nothing else about it may change.
create trigger rounds_no_delete before delete on rounds begin
    select raise(abort, 'rounds is only ever added to');
end;
create trigger rounds_no_update before update on rounds when old.id is not new.id
    or old.table_name is not new.table_name
    or old.shoe is not new.shoe
    or old.round is not new.round
    or old.entry is not new.entry
    or old.at is not new.at
    or old.ended_at is not new.ended_at
    or old.dealer is not new.dealer
    or old.game is not new.game
    or old.hands is not new.hands
    or old.digest is not new.digest
    or old.coverage is not new.coverage
    or old.batch is not new.batch
    or (old.superseded_by is not null and old.superseded_by is not new.superseded_by)
    or (old.document is not new.document and new.document is not null)
    or (old.forgotten_at is not null and old.forgotten_at is not new.forgotten_at)
begin
    select raise(abort, 'rounds is only ever added to');
end;
