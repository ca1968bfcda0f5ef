-- Who may enqueue, consume and operate which queues.

-- A queue that no row covers is open to every role that may call the verb. `queue` is a
-- name, or the beginning of names followed by *. A row without rights keeps its queues
-- closed after the last right was revoked.
create table queue_grants (
  queue      text        collate "C" not null,
  role       text        collate "C" not null,
  rights     text[]      not null,
  granted_by text        not null,
  granted_at timestamptz not null,

  constraint queue_grants_pkey primary key (queue, role),
  constraint rights_are_known check (rights <@ array['enqueue', 'consume', 'operate'])
);

-- Only in the row *: whether there are grants at all. Verbs read that row anyway, so
-- without grants they cost nothing.
alter table queues add column has_grants boolean not null default false;

-- An operation goes on in the name of the role that started it, see acting_for().
alter table operations
  add column started_by text,
  add column secret     uuid not null default gen_random_uuid();
