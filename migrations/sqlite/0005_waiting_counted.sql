-- How many flags wait, by all that the filters of the queue's left pane ask for. The pane is counted for every page, and
-- counting the flags themselves reads each of them. Kept by the database itself, so that nobody who writes can forget it.
create table waiting (
    table_name text not null,
    state text not null,
    doubt integer not null,
    kind text not null,
    severity integer not null,
    -- Who has them; 0 if nobody has.
    assignee integer not null,
    flags integer not null,
    primary key (table_name, state, doubt, kind, severity, assignee)
) strict, without rowid;
insert into waiting (table_name, state, doubt, kind, severity, assignee, flags)
    select table_name, state, doubt, kind, severity, coalesce(assignee, 0), count(*) from queue
    where state in ('new', 'escalated') group by table_name, state, doubt, kind, severity, coalesce(assignee, 0);
create trigger queue_comes after insert on queue when new.state in ('new', 'escalated') begin
    insert into waiting (table_name, state, doubt, kind, severity, assignee, flags)
        values (new.table_name, new.state, new.doubt, new.kind, new.severity, coalesce(new.assignee, 0), 1)
        on conflict (table_name, state, doubt, kind, severity, assignee) do update set flags = waiting.flags + 1;
end;
create trigger queue_was before update on queue when old.state in ('new', 'escalated') begin
    update waiting set flags = flags - 1 where table_name = old.table_name and state = old.state and doubt = old.doubt and kind = old.kind
        and severity = old.severity and assignee = coalesce(old.assignee, 0);
end;
create trigger queue_is after update on queue when new.state in ('new', 'escalated') begin
    insert into waiting (table_name, state, doubt, kind, severity, assignee, flags)
        values (new.table_name, new.state, new.doubt, new.kind, new.severity, coalesce(new.assignee, 0), 1)
        on conflict (table_name, state, doubt, kind, severity, assignee) do update set flags = waiting.flags + 1;
end;
create trigger queue_goes after delete on queue when old.state in ('new', 'escalated') begin
    update waiting set flags = flags - 1 where table_name = old.table_name and state = old.state and doubt = old.doubt and kind = old.kind
        and severity = old.severity and assignee = coalesce(old.assignee, 0);
end;
