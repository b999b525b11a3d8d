-- How many flags wait, by all that the filters of the queue's left pane ask for. The pane is counted for every page, and
-- counting the flags themselves reads each of them. Kept by the database itself, so that nobody who writes can forget it.
create table waiting (
    table_name text collate "C" not null,
    state text collate "C" not null,
    doubt boolean not null,
    kind text collate "C" not null,
    severity bigint not null,
    -- Who has them; 0 if nobody has.
    assignee bigint not null,
    flags bigint not null,
    primary key (table_name, state, doubt, kind, severity, assignee)
);
insert into waiting (table_name, state, doubt, kind, severity, assignee, flags)
    select table_name, state, doubt, kind, severity, coalesce(assignee, 0), count(*) from queue
    where state in ('new', 'escalated') group by table_name, state, doubt, kind, severity, coalesce(assignee, 0);
create function count_waiting() returns trigger language plpgsql as $$
begin
    if tg_op <> 'INSERT' then
        if old.state in ('new', 'escalated') then
            update waiting set flags = flags - 1 where table_name = old.table_name and state = old.state and doubt = old.doubt and kind = old.kind
                and severity = old.severity and assignee = coalesce(old.assignee, 0);
        end if;
    end if;
    if tg_op <> 'DELETE' then
        if new.state in ('new', 'escalated') then
            insert into waiting (table_name, state, doubt, kind, severity, assignee, flags)
                values (new.table_name, new.state, new.doubt, new.kind, new.severity, coalesce(new.assignee, 0), 1)
                on conflict (table_name, state, doubt, kind, severity, assignee) do update set flags = waiting.flags + 1;
        end if;
    end if;
    return null;
end;
$$;
create trigger queue_counted after insert or update or delete on queue for each row execute function count_waiting();
