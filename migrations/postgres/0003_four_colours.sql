-- How many colours a user sees the suits in: two as printed, or four, by which they can be told apart at a distance.
alter table users add column suits bigint not null default 2 check (suits in (2, 4));
