-- Operations: one action on all tasks that match a filter.

-- An operation goes through the tasks page by page, from the newest on. `first_id`,
-- `oldest_id` and `created_at` bound the tasks that existed when it began; `last_id` is where
-- the next page starts. `by_chore` is true once its driver was silent for too long and the
-- chore took over. `error` is why it failed, or why the last rejected task was rejected.
-- `started_by` is the role that started it; the chore continues in its name, which `secret`
-- proves to acting_for(). `total` is the size of a frozen set, whose ids are in operation_pages;
-- null when the filter alone says which tasks are meant.
create table operations (
  id          bigint      generated always as identity,
  action      text        not null,
  filter      jsonb       not null,
  arguments   jsonb       not null,
  state       text        not null default 'running',
  total       bigint,
  matched     bigint      not null default 0,
  done        bigint      not null default 0,
  refused     bigint      not null default 0,
  first_id    bigint      not null,
  oldest_id   bigint      not null,
  last_id     bigint      not null,
  error       text,
  created_by  text        not null,
  created_at  timestamptz not null,
  advanced_at timestamptz not null,
  ended_at    timestamptz,
  by_chore    boolean     not null default false,
  caller      jsonb,
  started_by  text,
  secret      uuid        not null default gen_random_uuid(),

  constraint operations_pkey primary key (id),
  constraint action_is_known check (action in ('cancel', 'kill', 'retry', 'delete', 'move', 'amend')),
  constraint operation_state_is_known check (state in ('running', 'done', 'cancelled', 'failed')),
  constraint ended_when_over check ((state = 'running') = (ended_at is null)),
  constraint matched_is_counted check (matched = done + refused)
) with (fillfactor = 50);

-- Read by the chore operations.
create index operations_to_advance on operations (advanced_at) where state = 'running';

-- Read by delete_old_access_rows().
create index operations_by_age on operations (ended_at) where ended_at is not null;

-- The tasks of an operation that is about a state which changes by itself (freeze_operation()),
-- the newest first: `lowest` is the lowest id of a page. Removed when the operation ends.
create table operation_pages (
  operation bigint   not null,
  lowest    bigint   not null,
  ids       bigint[] not null,

  constraint operation_pages_pkey primary key (operation, lowest)
);
