import { spawnSync } from 'node:child_process'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { migrate } from '../../src/db/migrate.ts'
import { buildExamples, type Examples, listExamples } from '../support/examples.ts'

/** What each says, where that is always the same. */
const said: Readonly<Record<string, string>> = {
  'fetchq-client':
    'pushed again: 0\nhandled: A-1, A-2; one is completed, one comes back tomorrow\n',
  documents: `A-1: created
A-2: created
A-1: kept
a second report about A-1: lease_lost
A-2: done, round 0
A-1: scheduled, round 1
`,
  quickstart: 'Hello, Ada!\n',
  'send-later': 'scheduled\nreminded ada\ncancelled\n',
  'progress-bar': '8 pages\n',
  'long-poll': 'done 49\n',
  webhook: '{ received: 7 } after 2 requests\n',
  'payload-version': 'Hello Ada of Lovelace\nHello Bob of Ross\n',
  'batch-import': 'first run: 2500 created, 0 were there\nsecond run: 0 created, 2500 were there\n',
  'idempotent-call': 'same task: true\nreplayed: true\nstored: 1\n',
  'cancel-task': 'stopped: the task was cancelled\ncancelled\n',
  'enqueue-next':
    "shipped\ncrawl [ 'page 1', 'page 2', 'page 3' ]\nmail [ 'order 7 is on its way' ]\n",
  'durable-order': `{ bill: 1, state: 'shipped', paidBy: 'ada' }
shipped a lamp in a box
[ 'bill: done', 'paid: done', 'pack: done', 'cool down: done' ]
`,
  'durable-procedure': `[ 'charged 42', 'thanked ada', 'shipped 42' ]
[
  'charge: done',
  'paid: done',
  'thank: done',
  'cool down: done',
  'ship: done'
]
`,
  'nightly-graph': `[ 'ready', 'ready', 'waiting', 'waiting' ]
[ 'done', 'done', 'done', 'done' ]
[ { n: 15 } ]
[ { visits: 0 } ]
`,
  'order-reminder': `waiting
paid by ada
paid by bob
cancelled
[
  'confirmed a lamp',
  'confirmed a chair',
  'confirmed a table',
  'reminder for a chair',
  'reminder for a table'
]
`,
  'fan-out-report': `{ total: 42, missing: [ 'east' ] }
region north: done
region south: done
region east: failed
region west: done
`,
  'agent-stream': ` Let me
 Let me look. Take an umbrella: rain.
Take an umbrella: rain.
[ 'turn 1', 'turn 1/weather', 'turn 2' ]
`,
  approval: '700 approved by ada\n',
  'curl-worker': 'HELLO\ntask N failed (error)\n',
  'handler-context': '{ booked: 7 }\ninvoice of order 7 - started by the booking: true\n',
  'exactly-once': '{ moved: 30 }\nada has 70, bob has 30\n',
  'batch-handler':
    'indexed https://one.example\ntask N failed (error): not secure\nindexed https://three.example\n',
  'graceful-stop': 'short: transcoded\nlong: ready again, 0 attempts charged\n',
  schedules: `Sat 2027-03-27 02:30:00 +01:00${' '}
Sun 2027-03-28 03:00:00 +02:00 02:30 does not exist: moved to 03:00
Mon 2027-03-29 02:30:00 +02:00${' '}
heartbeat: beat 1
heartbeat: beat 2
4 nights made up for
`,
  'own-chore': "[ { strategy: 'lease', term: '1' } ]\n252 carts ended, 2 workers, one leader\n",
  'pg-background': `[ { count: '1000' } ]
22012: division by zero
SELECT pg_sleep(1): finished${' '}
select 1 as letter: finished${' '}
select 2 as letter: finished${' '}
select count(*) from generate_series(1, 1000): finished${' '}
select 1/0: failed division by zero
`,
  'pg-task': `[
  { state: 'DONE', error: null },
  {
    state: 'FAIL',
    error: 'ERROR:  division by zero\\nSTATEMENT:  SELECT 1/0'
  }
]
[ { planned: '3' } ]
[
  { group: 'group', running: '2' },
  { group: 'one', running: '2' },
  { group: 'two', running: '2' }
]
[
  {
    error: 'ERROR:  canceling statement due to statement timeout\\n' +
      'STATEMENT:  SELECT pg_sleep(10)'
  }
]
[
  { state: 'DONE', count: '3' },
  { state: 'FAIL', count: '2' },
  { state: 'STOP', count: '7' }
]
`,
  payments: "[ { key: 'settle: 1' } ]\n[ [ '1', '21', 't' ], [ '2', '0', 'f' ] ]\n",
  'enqueue-in-transaction-drizzle':
    'Bob changed his mind\n1 order\n1 task, for order {"order":7}\n',
  'enqueue-in-transaction-kysely':
    'duplicate key value violates unique constraint "customers_pkey"\n1 task, scheduled\n',
}

const hasCurl = spawnSync('curl', ['--version']).status === 0
/** All of them; on a machine without curl, all that need none. */
const names = (await listExamples()).filter((name) => name !== 'curl-worker' || hasCurl)
let examples: Examples
const admin = new pg.Client(inject('pgUrl'))

beforeAll(async () => {
  examples = await buildExamples()
  await admin.connect()
})
afterAll(async () => {
  await examples.remove()
  await admin.end()
})

/** A database of its own: examples use the schema `tusk` and tables of theirs. */
async function withDatabase(work: (url: string) => Promise<void>): Promise<void> {
  const name = `example_${process.hrtime.bigint()}`
  await admin.query(`create database ${name}`)
  const url = new URL(inject('pgUrl'))
  url.pathname = `/${name}`
  try {
    await migrate(url.href, { roles: false })
    await work(url.href)
  } finally {
    await admin.query(`drop database ${name} with (force)`)
  }
}

describe('the example', () => {
  test.for(names)('%s runs and says what it should', async (name) => {
    await withDatabase(async (url) => {
      const answer = await examples.run(name, { DATABASE_URL: url })

      // Sessions take ids in bundles, so the second task need not be task 2.
      const reported = answer.replaceAll(/task \d+/g, 'task N')
      expect(reported).toBe(said[name] ?? reported)
    })
  })
})
