import type { Client } from 'pg'
import type { Background, Claimed, NewTasks, Subject, SubjectKind } from '../subjects/subject.ts'

/**
 * A task table that you could write in an afternoon, with every trick that needs no special design: batches,
 * prepared statements, SKIP LOCKED, a partial index on ready tasks. Its claim writes the index
 * twice, because the index mentions the state.
 */
const tables = `
  create table tasks (
    id         bigint      generated always as identity (cache 32) primary key,
    queue      text        collate "C" not null,
    priority   integer     not null default 0,
    run_at     timestamptz not null default clock_timestamp(),
    state      text        not null default 'ready',
    attempt    integer     not null default 0,
    expires_at timestamptz,
    payload    jsonb       not null
  ) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
  create index tasks_ready on tasks (queue, priority desc, run_at, id) where state = 'ready';`

const history = `
  create table history (
    id bigint primary key, queue text not null, finished_at timestamptz not null default clock_timestamp(),
    payload jsonb not null
  );`

// An array of ids and not a join: the planner cannot take the join for a hash of the whole table.
const claimText = `
  update tasks set state = 'running', attempt = attempt + 1, expires_at = now() + interval '15 seconds'
  where id = any (array(
    select id from tasks
    where queue = $1 and state = 'ready' and run_at <= now()
    order by priority desc, run_at, id
    limit $2
    for update skip locked))
  returning id, 0 as claim, priority, run_at, payload, null as groups`

const completeText = `delete from tasks where id = any ($1::bigint[]) and state = 'running' returning id`
const completeWithHistoryText = `
  with ended as (
    delete from tasks where id = any ($1::bigint[]) and state = 'running' returning id, queue, payload
  )
  insert into history (id, queue, payload) select id, queue, payload from ended returning id`

export function stateColumnKind(name: string, keepsHistory: boolean): SubjectKind {
  return { name, open: (schema) => openDesign(name, schema, keepsHistory) }
}

function openDesign(name: string, schema: string, keepsHistory: boolean): Subject {
  return {
    name,
    schema,
    takesHints: false,
    keepsGroups: false,
    keepsHistory,
    install: async (db) => {
      await db.query(`create schema ${schema}; ${tables} ${keepsHistory ? history : ''}`)
    },
    load,
    enqueueMany,
    enqueueOne: (db, queue) => enqueueMany(db, { queue, count: 1 }),
    claim: async (db, queue, limit) => {
      const values = [queue, limit]
      return (await db.query<Claimed>({ name: 'claim', text: claimText, values })).rows
    },
    complete: async (db, tasks) => {
      const text = keepsHistory ? completeWithHistoryText : completeText
      const values = [`{${tasks.map(({ id }) => id).join(',')}}`]
      return (await db.query({ name: 'complete', text, values, rowMode: 'array' })).rows.length
    },
    limitGroups: () => Promise.reject(new Error(`${name} has no groups`)),
    limitGroupsOfQueue: () => Promise.reject(new Error(`${name} has no groups`)),
  }
}

async function load(db: Client, background: Background): Promise<void> {
  const { kind, queue, count, priority = 0 } = background
  if (kind === 'finished') {
    const text = `insert into history (id, queue, payload)
                  select -n, $1, jsonb_build_object('n', n) from generate_series(1, $2) as n`
    await db.query(text, [queue, count])
    return
  }
  await db.query(
    `insert into tasks (queue, priority, run_at, payload)
     select $1, $2, now() + n * interval '1 microsecond' + $3::interval, jsonb_build_object('n', n)
     from generate_series(1, $4) as n`,
    [queue, priority, kind === 'future' ? '1 day' : '-10 minutes', count],
  )
}

async function enqueueMany(db: Client, { queue, count, priority = 0 }: NewTasks): Promise<void> {
  await db.query({
    name: 'enqueue',
    text: 'insert into tasks (queue, priority, payload) select $1, $2, * from unnest($3::jsonb[]) returning id',
    values: [queue, priority, Array.from({ length: count }, (_, n) => `{"n":${n}}`)],
    rowMode: 'array',
  })
}
