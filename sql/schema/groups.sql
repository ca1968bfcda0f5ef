-- Groups and their limits.

-- A group without a row has no limits, and its tasks run uncounted. It gets its row with its
-- first limit: by set_group(), or by the first claim that meets a task of it with a limit.
--
-- `running` is changed by the statement that starts or ends a task, so it is exact. The limits
-- of a queue are those of the group '@' || queue, to which all its tasks belong without
-- naming it. `opened_by` is the transaction that made the row, until the tasks that were
-- running then have been counted (count_new_groups()); before that, nothing of the group starts.
--
-- `next_start_at` is when the gap or the rate allows the next start. `start_times` and
-- `start_counts` hold the starts within the rate window. `is_owed` marks a group
-- whose parked task was to be unparked while another transaction had locked its row; the next
-- claim() tries again.
create table groups (
  name          text collate "C" not null,
  max_running   integer,
  gap           interval,
  gap_from      text    not null default 'start',
  rate          integer,
  rate_window   interval,
  weight        integer not null default 1,
  paused_at     timestamptz,
  running       integer not null default 0,
  next_start_at timestamptz,
  start_times   timestamptz[] not null default '{}',
  start_counts  integer[]     not null default '{}',
  rate_left     integer,
  used_at       timestamptz   not null default clock_timestamp(),
  is_owed       boolean       not null default false,
  opened_by     xid8,

  constraint groups_pkey primary key (name),
  constraint running_is_never_negative check (running >= 0),
  constraint limits_make_sense check (max_running >= 0 and rate >= 1 and weight >= 1),
  constraint gap_from_is_known check (gap_from in ('start', 'end')),
  constraint rate_has_a_window check ((rate is null) = (rate_window is null))
) with (fillfactor = 50);

-- Read by claim().
create index groups_owed on groups (name) where is_owed;
