-- The officers' database. `sqlite/` holds the same tables under the same numbers.
--
-- Times are whole microseconds of UTC since 1970, named `…_at` or `at`. Money is whole minor units of the site's currency.
-- Probabilities are whole millionths. Documents are JSON as text, exactly the bytes that were hashed.
-- What history rests on (log, rounds, flags, decisions, notes, corrections, changes of cases) is only ever added to;
-- triggers at the end of this file refuse everything else.

create table sites (
    name text collate "C" primary key,
    -- IANA zone in which officers read times.
    zone text collate "C" not null,
    -- ISO 4217 code of every amount recorded at the site.
    currency text collate "C" not null check (length(currency) = 3)
);

-- Append-only and chained: `hash` is SHA-256 over the hash before and this entry's canonical JSON, so that an entry
-- changed or taken out is found by anybody who recomputes the chain.
create table log (
    -- Counted from 1 without gaps.
    seq bigint primary key check (seq > 0),
    at bigint not null,
    -- The user's name as it was then, or `system`.
    actor text collate "C" not null,
    -- What was done: `login`, `view`, `decide`, `export`, `setting`, `ingest`, …
    action text collate "C" not null,
    -- What it was done to: `flag BJ-04.17.212.paid_a_push.3a`, `case 12`, …
    subject text collate "C" not null,
    detail text collate "C" not null,
    -- Lower-case hexadecimal; 64 zeros before the first entry.
    previous text collate "C" not null check (length(previous) = 64),
    hash text collate "C" not null unique check (length(hash) = 64)
);
create index log_subject on log (subject, seq);
create index log_actor on log (actor, seq);

create table tables (
    -- Unique in the whole database, since flags are known by it.
    name text collate "C" primary key,
    site text collate "C" not null references sites (name)
);

create table dealers (
    name text collate "C" primary key,
    site text collate "C" not null references sites (name)
);

create table shoes (
    table_name text collate "C" not null references tables (name),
    -- Counted per table.
    shoe bigint not null check (shoe >= 0),
    -- When its first round known to us began.
    began_at bigint not null,
    primary key (table_name, shoe)
);

-- Every entry of every round. A round that is audited again and reads the same is not written again; one that reads
-- differently is a new entry, and the one before names it.
create table rounds (
    -- Handed out by us, in the order of writing; so are those of flags and of the queue.
    id bigint primary key,
    table_name text collate "C" not null references tables (name),
    shoe bigint not null,
    round bigint not null check (round >= 0),
    -- 1 for the first reading of the round, 2 for the one that superseded it, …
    entry bigint not null check (entry > 0),
    at bigint not null,
    -- The time of its last step; the same as `at` where no step has a time.
    ended_at bigint not null,
    dealer text collate "C" references dealers (name),
    game text collate "C" not null,
    -- Player hands played in it: what errors are counted against.
    hands bigint not null check (hands >= 0),
    -- SHA-256 of `document` in lower-case hexadecimal.
    digest text collate "C" not null check (length(digest) = 64),
    -- The round as JSON; null once retention has let it go.
    document text collate "C",
    -- What could be checked and what could not, as JSON.
    coverage text collate "C" not null,
    -- The entry of the log that recorded its writing.
    batch bigint not null references log (seq),
    superseded_by bigint references rounds (id),
    forgotten_at bigint,
    check ((document is null) = (forgotten_at is not null)),
    foreign key (table_name, shoe) references shoes (table_name, shoe),
    unique (table_name, shoe, round, entry)
);
-- The round page's neighbours, dealers' and tables' statistics, retention, `fairdeal verify`.
create index rounds_table_at on rounds (table_name, at, shoe, round, hands) where superseded_by is null;
create index rounds_dealer_at on rounds (dealer, at, table_name, hands) where superseded_by is null;
create index rounds_at on rounds (at) where document is not null;
create index rounds_batch on rounds (batch, id);

-- Every entry of every finding. A verdict that changes is a new entry; one that is no longer found is an entry that says so.
create table flags (
    id bigint primary key,
    -- A function of table, shoe, round, check, box and hand.
    flag text collate "C" not null,
    entry bigint not null check (entry > 0),
    round_id bigint not null references rounds (id),
    -- The flag as JSON, as in `fairdeal audit --json`.
    document text collate "C" not null,
    digest text collate "C" not null check (length(digest) = 64),
    -- A later audit did not find it again.
    withdrawn boolean not null,
    written_at bigint not null,
    batch bigint not null references log (seq),
    unique (flag, entry)
);
create index flags_round on flags (round_id);
create index flags_batch on flags (batch, id);

create table users (
    id bigint generated by default as identity primary key,
    name text collate "C" not null unique,
    -- As it stands under a report.
    full_name text collate "C" not null,
    title text collate "C" not null,
    role text collate "C" not null check (role in ('officer', 'investigator', 'manager', 'auditor', 'admin')),
    -- argon2id in PHC form; null for users who only have tokens or one-time links.
    password text collate "C",
    -- False: only the tables in `user_tables`.
    all_tables boolean not null,
    theme text collate "C" not null check (theme in ('auto', 'dark', 'light')),
    created_at bigint not null,
    disabled_at bigint,
    -- Wrong passwords in a row, and until when no further is looked at.
    failures bigint not null check (failures >= 0),
    locked_until bigint
);

create table user_tables (
    user_id bigint not null references users (id),
    -- Need not exist yet: permissions are given before a table's first round.
    table_name text collate "C" not null,
    primary key (user_id, table_name)
);

-- Where each flag stands now: a projection of `flags` and `decisions` that the queue can search.
create table queue (
    id bigint primary key,
    flag text collate "C" not null unique,
    -- Its current entry.
    flag_entry bigint not null references flags (id),
    round_id bigint not null references rounds (id),
    table_name text collate "C" not null,
    shoe bigint not null,
    round bigint not null,
    at bigint not null,
    dealer text collate "C",
    check_name text collate "C" not null,
    clause text collate "C" not null,
    -- 0 info, 1 minor, 2 major, 3 critical.
    severity bigint not null check (severity between 0 and 3),
    kind text collate "C" not null,
    doubt boolean not null,
    box bigint,
    hand text collate "C",
    amount bigint not null,
    favours text collate "C" not null check (favours in ('player', 'house', 'none')),
    confidence bigint not null check (confidence between 0 and 1000000),
    state text collate "C" not null check (state in ('new', 'confirmed', 'dismissed', 'escalated', 'withdrawn')),
    assignee bigint references users (id),
    decided_at bigint,
    decided_by bigint references users (id)
);
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
    id bigint generated by default as identity primary key,
    flag text collate "C" not null references queue (flag),
    -- The entry of the flag that was on the screen.
    flag_entry bigint not null references flags (id),
    at bigint not null,
    -- Null where an audit reopened or withdrew the flag.
    user_id bigint references users (id),
    action text collate "C" not null check (action in ('confirm', 'dismiss', 'escalate', 'assign', 'reopen', 'undo', 'withdraw')),
    -- The state and the assignee after it.
    state text collate "C" not null,
    assignee bigint references users (id),
    reason text collate "C" not null,
    -- The decision that this one takes back.
    undoes bigint unique references decisions (id),
    check ((action = 'undo') = (undoes is not null))
);
create index decisions_flag on decisions (flag, id);
create index decisions_user on decisions (user_id, id);

create table notes (
    id bigint generated by default as identity primary key,
    kind text collate "C" not null check (kind in ('flag', 'round', 'case')),
    -- The flag's id, the round as `BJ-04.17.212`, or the case's id.
    subject text collate "C" not null,
    at bigint not null,
    user_id bigint not null references users (id),
    text text collate "C" not null check (length(text) between 1 and 4000)
);
create index notes_subject on notes (kind, subject, id);

-- Which flags a user has had on the screen.
create table seen (
    user_id bigint not null references users (id),
    flag text collate "C" not null references queue (flag),
    at bigint not null,
    primary key (user_id, flag)
);

create table saved_filters (
    id bigint generated by default as identity primary key,
    -- Null: everybody's.
    user_id bigint references users (id),
    name text collate "C" not null check (length(name) between 1 and 80),
    -- As in the queue's address, after the question mark.
    query text collate "C" not null,
    position bigint not null
);
create index saved_filters_user on saved_filters (user_id, position);

-- Cards an officer read otherwise than we did. The latest for a step counts.
create table corrections (
    id bigint generated by default as identity primary key,
    round_id bigint not null references rounds (id),
    -- Index of the step in the round, from 0.
    step bigint not null check (step >= 0),
    was text collate "C" not null,
    becomes text collate "C" not null,
    reason text collate "C" not null,
    at bigint not null,
    user_id bigint not null references users (id)
);
create index corrections_round on corrections (round_id, id);

-- Disputes and incidents, with the fields a report must have. Texts are empty until somebody fills them in.
create table cases (
    id bigint generated by default as identity primary key,
    site text collate "C" not null references sites (name),
    -- In sequence per site, whatever the weight of the matter.
    number bigint not null check (number > 0),
    kind text collate "C" not null check (kind in ('dispute', 'incident')),
    state text collate "C" not null check (state in ('open', 'closed')),
    title text collate "C" not null,
    opened_at bigint not null,
    opened_by bigint not null references users (id),
    -- When it happened.
    incident_at bigint not null,
    incident_until bigint,
    place text collate "C" not null,
    nature text collate "C" not null,
    requester text collate "C" not null,
    persons text collate "C" not null,
    witnesses text collate "C" not null,
    staff text collate "C" not null,
    recordings text collate "C" not null,
    action text collate "C" not null,
    disposition text collate "C" not null,
    remarks text collate "C" not null,
    -- What the review saved the house, and what was lost, in minor units.
    savings bigint not null,
    losses bigint not null,
    second_auditor bigint references users (id),
    assignee bigint references users (id),
    closed_at bigint,
    -- Locked: evidence and fields stay as they are, and retention keeps away.
    locked_at bigint,
    locked_by bigint references users (id),
    unique (site, number)
);
create index cases_state on cases (state, id);

create table case_members (
    case_id bigint not null references cases (id),
    kind text collate "C" not null check (kind in ('flag', 'round', 'evidence')),
    subject text collate "C" not null,
    added_at bigint not null,
    added_by bigint not null references users (id),
    primary key (case_id, kind, subject)
);
create index case_members_subject on case_members (kind, subject);

-- What was changed in a case, by whom: the fields after the change, as JSON.
create table case_changes (
    id bigint generated by default as identity primary key,
    case_id bigint not null references cases (id),
    at bigint not null,
    user_id bigint not null references users (id),
    change text collate "C" not null
);
create index case_changes_case on case_changes (case_id, id);

create table sessions (
    -- SHA-256 of the cookie: who reads the database cannot take over a session.
    token text collate "C" primary key check (length(token) = 64),
    user_id bigint not null references users (id),
    csrf text collate "C" not null,
    created_at bigint not null,
    seen_at bigint not null,
    expires_at bigint not null,
    address text collate "C" not null
);
create index sessions_user on sessions (user_id);

-- Links that log somebody in once, such as the demo prints.
create table login_links (
    token text collate "C" primary key check (length(token) = 64),
    user_id bigint not null references users (id),
    expires_at bigint not null,
    used_at bigint
);

create table api_tokens (
    id bigint generated by default as identity primary key,
    token text collate "C" not null unique check (length(token) = 64),
    user_id bigint not null references users (id),
    name text collate "C" not null,
    -- Some of `read decide export admin`, separated by blanks.
    scopes text collate "C" not null,
    created_at bigint not null,
    expires_at bigint,
    revoked_at bigint,
    unique (user_id, name)
);

-- Attempts to log in that failed, by address: what the back-off counts.
create table login_failures (
    id bigint generated by default as identity primary key,
    at bigint not null,
    address text collate "C" not null,
    name text collate "C" not null
);
create index login_failures_address on login_failures (address, at);

create table settings (
    name text collate "C" primary key,
    value text collate "C" not null,
    changed_at bigint not null,
    changed_by text collate "C" not null
);

-- Files in the evidence folder, named by what is in them.
create table evidence (
    -- SHA-256 of the bytes in lower-case hexadecimal; also the file's name.
    digest text collate "C" primary key check (length(digest) = 64),
    media_type text collate "C" not null,
    bytes bigint not null check (bytes >= 0),
    taken_at bigint,
    added_at bigint not null,
    -- Retention took the file; the row stays.
    removed_at bigint
);

create table evidence_links (
    digest text collate "C" not null references evidence (digest),
    kind text collate "C" not null check (kind in ('flag', 'round', 'case')),
    subject text collate "C" not null,
    what text collate "C" not null,
    primary key (digest, kind, subject)
);
create index evidence_links_subject on evidence_links (kind, subject);

-- What retention must keep away from: a table's rounds and evidence between two instants.
create table holds (
    id bigint generated by default as identity primary key,
    table_name text collate "C" not null,
    from_at bigint not null,
    until_at bigint not null check (until_at >= from_at),
    reason text collate "C" not null,
    placed_at bigint not null,
    placed_by bigint not null references users (id),
    released_at bigint,
    released_by bigint references users (id)
);
create index holds_table on holds (table_name, from_at);

-- Cameras, shoes, sensors and clocks: what each said of itself.
create table health (
    id bigint generated by default as identity primary key,
    at bigint not null,
    table_name text collate "C" not null,
    source text collate "C" not null,
    state text collate "C" not null,
    detail text collate "C" not null
);
create index health_source on health (table_name, source, id);
create index health_at on health (at);

-- Where boxes lie in a camera's picture, as officers drew them. The latest counts.
create table calibrations (
    id bigint generated by default as identity primary key,
    table_name text collate "C" not null,
    camera text collate "C" not null,
    at bigint not null,
    user_id bigint not null references users (id),
    document text collate "C" not null
);
create index calibrations_camera on calibrations (table_name, camera, id);

-- Who is told of severe flags.
create table subscribers (
    id bigint generated by default as identity primary key,
    kind text collate "C" not null check (kind in ('webhook', 'email')),
    -- An https address, or a mailbox.
    target text collate "C" not null,
    -- Key of a webhook's HMAC-SHA-256 signature.
    secret text collate "C" not null,
    least_severity bigint not null check (least_severity between 0 and 3),
    removed_at bigint
);

-- What is still to be told, and what was: nothing is told twice, nothing is forgotten by a restart.
create table outbox (
    id bigint generated by default as identity primary key,
    subscriber bigint not null references subscribers (id),
    flag text collate "C" not null,
    flag_entry bigint not null references flags (id),
    due_at bigint not null,
    attempts bigint not null check (attempts >= 0),
    sent_at bigint,
    -- Why the last attempt failed.
    failure text collate "C" not null,
    unique (subscriber, flag_entry)
);
create index outbox_due on outbox (due_at) where sent_at is null;

-- Nobody edits history, the administrator included.
create function refuse_change() returns trigger language plpgsql as $$
begin
    raise exception '% is only ever added to', tg_table_name;
end;
$$;
create trigger log_no_change before update or delete on log for each row execute function refuse_change();
create trigger log_no_truncate before truncate on log for each statement execute function refuse_change();
create trigger flags_no_change before update or delete on flags for each row execute function refuse_change();
create trigger flags_no_truncate before truncate on flags for each statement execute function refuse_change();
create trigger decisions_no_change before update or delete on decisions for each row execute function refuse_change();
create trigger decisions_no_truncate before truncate on decisions for each statement execute function refuse_change();
create trigger notes_no_change before update or delete on notes for each row execute function refuse_change();
create trigger notes_no_truncate before truncate on notes for each statement execute function refuse_change();
create trigger corrections_no_change before update or delete on corrections for each row execute function refuse_change();
create trigger corrections_no_truncate before truncate on corrections for each statement execute function refuse_change();
create trigger case_changes_no_change before update or delete on case_changes for each row execute function refuse_change();
create trigger case_changes_no_truncate before truncate on case_changes for each statement execute function refuse_change();
-- A round may be superseded once and forgotten once, and nothing else about it may change.
create trigger rounds_no_delete before delete on rounds for each row execute function refuse_change();
create trigger rounds_no_truncate before truncate on rounds for each statement execute function refuse_change();
create trigger rounds_no_update before update on rounds for each row when (old.id is distinct from new.id
    or old.table_name is distinct from new.table_name
    or old.shoe is distinct from new.shoe
    or old.round is distinct from new.round
    or old.entry is distinct from new.entry
    or old.at is distinct from new.at
    or old.ended_at is distinct from new.ended_at
    or old.dealer is distinct from new.dealer
    or old.game is distinct from new.game
    or old.hands is distinct from new.hands
    or old.digest is distinct from new.digest
    or old.coverage is distinct from new.coverage
    or old.batch is distinct from new.batch
    or (old.superseded_by is not null and old.superseded_by is distinct from new.superseded_by)
    or (old.document is distinct from new.document and new.document is not null)
    or (old.forgotten_at is not null and old.forgotten_at is distinct from new.forgotten_at))
execute function refuse_change();
