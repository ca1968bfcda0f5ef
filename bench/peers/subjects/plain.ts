import { setTimeout as delay } from 'node:timers/promises'
import { Client, Pool } from 'pg'
import type { Adapter, Payload, PeerSubject, PeerTask, WorkOptions } from './adapter.ts'

export const plain: PeerSubject = {
  name: 'plain',
  title: 'plain table',
  settings: 'batches of 500, claim and completion overlapped on two connections, looks every 1 ms',
  keeps: 'nothing: no history, retries, leases, limits or wake-ups',
  skills: ['all'],
  pending: 'select exists (select from tasks) as pending',
  open: async (url) => openPlain(url),
}

const table = `
  create table tasks (
    id         bigint      generated always as identity (cache 32) primary key,
    queue      text        collate "C" not null,
    priority   integer     not null default 0,
    run_at     timestamptz not null default clock_timestamp(),
    state      text        not null default 'ready',
    payload    jsonb       not null
  ) with (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
  create index tasks_ready on tasks (queue, priority desc, run_at, id) where state = 'ready';`

const insertText = `
  insert into tasks (queue, priority, run_at, payload)
  select * from unnest($1::text[], $2::integer[], $3::timestamptz[], $4::jsonb[]) returning id`

const claimText = `
  update tasks set state = 'running'
  where id = any (array(
    select id from tasks
    where queue = $1 and state = 'ready' and run_at <= now()
    order by priority desc, run_at, id
    limit 500
    for update skip locked))
  returning id, payload`

const completeText = 'delete from tasks where id = any ($1::bigint[])'

function openPlain(connectionString: string): Adapter {
  const pool = new Pool({ connectionString, max: 32 })
  return {
    install: () => pool.query(table).then(() => undefined),
    enqueueOne: (task) => pool.query(insertOf([task])),
    enqueueIn: (transaction, task) => transaction.query(insertOf([task])),
    enqueueMany: (tasks) => pool.query(insertOf(tasks)),
    startWorker: (options) => startWorker(connectionString, options),
    close: () => pool.end(),
  }
}

function insertOf(tasks: readonly PeerTask[]) {
  const now = new Date()
  const values = [
    tasks.map(({ queue }) => queue),
    tasks.map(({ priority = 0 }) => priority),
    tasks.map(({ runAt = now }) => runAt),
    tasks.map(({ payload }) => JSON.stringify(payload)),
  ]
  return { name: 'insert', text: insertText, values, rowMode: 'array' as const }
}

async function startWorker(connectionString: string, { queues, onTask }: WorkOptions) {
  const [claimer, reporter] = [new Client({ connectionString }), new Client({ connectionString })]
  await Promise.all([claimer.connect(), reporter.connect()])
  let isOver = false
  const loop = async () => {
    let reported: Promise<unknown> = Promise.resolve()
    while (!isOver) {
      const values = [queues[0]]
      const [{ rows }] = await Promise.all([
        claimer.query<{ id: string; payload: Payload }>({ name: 'claim', text: claimText, values }),
        reported,
      ])
      if (rows.length === 0) await delay(1)
      for (const { payload } of rows) onTask(payload)
      const ids = [`{${rows.map(({ id }) => id).join(',')}}`]
      if (rows.length > 0) {
        reported = reporter.query({ name: 'complete', text: completeText, values: ids })
      }
    }
    await reported
  }
  const running = loop()
  return async () => {
    isOver = true
    await running
    await Promise.all([claimer.end(), reporter.end()])
  }
}
