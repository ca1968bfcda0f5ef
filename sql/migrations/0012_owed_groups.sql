-- Groups of which a parked task was to be let back in while somebody held its row.

alter table groups add column is_owed boolean not null default false;

-- Read by claim().
create index groups_owed on groups (name) where is_owed;
