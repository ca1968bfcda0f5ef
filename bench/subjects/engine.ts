import type { Client } from 'pg'
import { migrate } from '../../src/db/migrate.ts'
import { loadEngine } from './engine-load.ts'
import type { Claimed, Hint, NewTasks, StartWorker, Subject, SubjectKind } from './subject.ts'

/** The engine, as a folder of SQL defines it. Called through its verbs, like every caller does. */
export function engineKind(
  name: string,
  directory: string,
  worker: () => Promise<StartWorker>,
): SubjectKind {
  return { name, open: (schema) => openEngine(name, schema, directory, worker) }
}

function openEngine(
  name: string,
  schema: string,
  directory: string,
  worker: () => Promise<StartWorker>,
): Subject {
  return {
    name,
    schema,
    worker,
    takesHints: true,
    keepsGroups: true,
    keepsHistory: true,
    install: async (db) => {
      await migrate(db, { schema, directory, roles: false })
    },
    load: loadEngine,
    enqueueMany,
    enqueueOne,
    claim,
    complete,
    limitGroups,
    limitGroupsOfQueue,
  }
}

async function enqueueMany(db: Client, tasks: NewTasks): Promise<void> {
  const numbers = Array.from({ length: tasks.count }, (_, n) => n)
  const { groupOf, priority, maxRunning, payload } = tasks
  await db.query({
    name: 'enqueue_many',
    text: `select id from enqueue_many(
             $1::text[], $2::jsonb[], p_priorities => $3::integer[], p_groups => $4::text[],
             p_max_runnings => $5::integer[])`,
    values: [
      numbers.map(() => tasks.queue),
      numbers.map((n) => payload ?? `{"n":${n}}`),
      priority === undefined ? null : numbers.map(() => priority),
      groupOf === undefined ? null : numbers.map((n) => `{${groupOf(n)}}`),
      maxRunning === undefined ? null : numbers.map(() => maxRunning),
    ],
    rowMode: 'array',
  })
}

async function enqueueOne(db: Client, queue: string): Promise<void> {
  await db.query({
    name: 'enqueue',
    text: `select id from enqueue($1, $2)`,
    values: [queue, '{"n":1}'],
  })
}

async function claim(
  db: Client,
  queue: string,
  limit: number,
  hints: readonly Hint[] = [],
): Promise<Claimed[]> {
  const { rows } = await db.query<Claimed>({
    name: 'claim',
    text: `select id, claim, priority, run_at, payload, groups
           from claim(
             $1, $2, 'bench', p_from_priorities => $3::integer[], p_from_times => $4::timestamptz[])`,
    values: [
      queue,
      limit,
      hints.map(({ priority }) => priority),
      hints.map(({ from }) => from.toISOString()),
    ],
  })
  return rows
}

async function complete(db: Client, tasks: readonly Claimed[]): Promise<number> {
  const { rows } = await db.query({
    name: 'complete_many',
    text: `select complete_many from complete_many($1::bigint[], $2::bigint[])`,
    values: [
      `{${tasks.map(({ id }) => id).join(',')}}`,
      `{${tasks.map((task) => task.claim).join(',')}}`,
    ],
    rowMode: 'array',
  })
  return rows.length
}

async function limitGroups(db: Client, names: readonly string[], limit: number): Promise<void> {
  await db.query(
    `select set_group(name, jsonb_build_object('max_running', $2::integer)) from unnest($1::text[]) as name`,
    [names, limit],
  )
}

async function limitGroupsOfQueue(db: Client, queue: string, limit: number): Promise<void> {
  await db.query(`select set_queue($1, jsonb_build_object('group_max_running', $2::integer))`, [
    queue,
    limit,
  ])
}
