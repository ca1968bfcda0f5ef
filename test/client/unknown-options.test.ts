import { describe, expect, inject } from 'vitest'
import { defineChore } from '../../src/chores/chore.ts'
import { Tusk } from '../../src/client/tusk.ts'
import { migrate } from '../../src/database/migrate-database.ts'
import { adoptFetchq } from '../../src/dialects/fetchq/adopt-original.ts'
import { installDialect } from '../../src/dialects/install-dialect.ts'
import { adoptTaskTable } from '../../src/dialects/pg-task/adopt-table.ts'
import { createTaskTable } from '../../src/dialects/pg-task/create-task-table.ts'
import { releaseTaskTable } from '../../src/dialects/pg-task/release-table.ts'
import { upgradeDialects } from '../../src/dialects/upgrade-dialects.ts'
import { callingAs } from '../../src/engine/calling-as.ts'
import { createHttp, serveHttp } from '../../src/http/index.ts'
import type { TuskError } from '../../src/lib/errors.ts'
import { defineTask } from '../../src/tasks/define-task.ts'
import { reject } from '../../src/tasks/steering.ts'
import { openTestTusk } from '../../src/testing/index.ts'
import { startWorker } from '../../src/worker/worker.ts'
import { test } from '../support/client.ts'

/** As JavaScript calls: without a compiler in front. */
// biome-ignore lint/suspicious/noExplicitAny: that is the point.
type Any = any

async function refusalOf(call: () => unknown): Promise<TuskError> {
  try {
    await call()
  } catch (error) {
    return error as TuskError
  }
  throw new Error('it was not refused')
}

const nouns: Readonly<Record<string, Readonly<Record<string, readonly unknown[]>>>> = {
  tasks: {
    get: ['1'],
    list: [{}],
    count: [{}],
    explain: ['1'],
    attempts: ['1'],
    logs: ['1'],
    errorGroups: [],
    cancel: ['1'],
    cancelMany: [[]],
    kill: ['1'],
    retry: ['1'],
    signal: ['1', 'paid', null],
    steps: ['1'],
    chunks: ['1'],
    family: ['1'],
    dependencies: ['1'],
    move: ['1', new Date()],
    amend: ['1', {}],
    delete: ['1'],
    deleteMany: [[]],
  },
  claims: {
    claim: ['mail'],
    extend: [[], '1 minute'],
    complete: [{ id: '1', claim: '1' }, null],
    completeMany: [[]],
    fail: [{ id: '1', claim: '1' }, null],
    reject: [{ id: '1', claim: '1' }, null],
    kill: [{ id: '1', claim: '1' }, null],
    reschedule: [{ id: '1', claim: '1' }, new Date()],
    release: [[]],
  },
  queues: {
    set: ['mail', {}],
    setPush: ['mail', null],
    pushes: [],
    explain: [[]],
    pause: ['mail'],
    resume: ['mail'],
    stats: [],
    totals: [],
    handlerStats: [],
    settings: ['mail'],
    series: [],
  },
  groups: { set: ['a', {}], pause: ['a'], resume: ['a'], stats: [] },
  schedules: {
    set: ['a', {}],
    apply: [{}],
    list: [],
    get: ['a'],
    occurrences: ['a'],
    pause: ['a'],
    resume: ['a'],
    run: ['a'],
    preview: ['a'],
    backfill: ['a', new Date(), new Date()],
    delete: ['a'],
  },
  operations: {
    start: [{ action: 'cancel', filter: {} }],
    count: [{ action: 'cancel', filter: {} }],
    drive: ['1'],
    get: ['1'],
    list: [],
    cancel: ['1'],
  },
  workers: { list: [], drain: ['a'] },
  chores: { list: [], leaders: [], resign: ['a'] },
  events: { follow: ['1 minute'], list: [] },
  tokens: {
    create: [{ name: 'a', scopes: ['read'] }],
    list: [],
    exist: [],
    revoke: ['1'],
    find: ['a'],
  },
  grants: {
    give: ['mail', 'a', ['enqueue']],
    revoke: ['mail', 'a', null],
    open: ['mail'],
    list: [],
  },
  audit: { list: [] },
}

describe('options that do not exist', () => {
  test('are refused by every method of every noun', async ({ open }) => {
    const tusk = (await open()) as Any
    for (const [noun, methods] of Object.entries(nouns)) {
      const own = Object.getOwnPropertyNames(Object.getPrototypeOf(tusk[noun]))
      expect(new Set(Object.keys(methods)), noun).toEqual(
        new Set(own.filter((name) => name !== 'constructor')),
      )
      for (const [method, given] of Object.entries(methods)) {
        const refusal = await refusalOf(() => tusk[noun][method](...given, { onn: 1 }))
        expect(refusal.code, `${noun}.${method}`).toBe('invalid_argument')
        expect(refusal.message).toBe(`tusk.${noun}.${method}() has no option "onn"`)
      }
    }
  })

  test('are refused when tasks are enqueued and waited for', async ({ open }) => {
    const tusk = (await open({ tasks: { mail: () => {} } })) as Any
    const refused: [() => unknown, string, string][] = [
      [() => tusk.enqueue('mail', {}, { prioritty: 1 }), 'prioritty', 'priority'],
      [() => tusk.enqueueMany([{ name: 'mail', run_at: new Date() }]), 'run_at', 'runAt'],
      [() => tusk.enqueueMany([{ name: 'mail' }], { onn: 1 }), 'onn', 'on'],
      [() => tusk.enqueueTask({ queue: 'mail', maxAttempt: 3 }), 'maxAttempt', 'maxAttempts'],
      [() => tusk.enqueueTasks([{ queue: 'mail', handle: 'a' }]), 'handle', 'handler'],
      [() => tusk.enqueueTasks([], { onn: 1 }), 'onn', 'on'],
      [() => tusk.sql('select 1', { maxRow: 1 }), 'maxRow', 'maxRows'],
      [() => tusk.sql('select 1', { session: { scop: 'a' } }), 'scop', 'scope'],
      [() => tusk.statement('a', {}, { delays: 1 }), 'delays', 'delay'],
      [() => tusk.wait('1', { timeOut: 1 }), 'timeOut', 'timeout'],
      [() => tusk.waitForEnd('1', { signa: 1 }), 'signa', 'signal'],
    ]
    for (const [call, wrong, meant] of refused) {
      const refusal = await refusalOf(call)
      expect(refusal.message).toContain(`has no option "${wrong}"`)
      expect(refusal).toMatchObject({ code: 'invalid_argument', hint: `Did you mean "${meant}"?` })
    }
    expect((await tusk.tasks.list()).tasks).toEqual([])
  })

  test('are refused by everything that is opened, started, defined or installed', async ({
    open,
  }) => {
    const tusk = await open()
    const database = inject('pgUrl')
    const tasks = { mail: () => {} }
    const run = () => {}
    const refused: [() => unknown, string, string][] = [
      [() => Tusk.open({ databas: database } as Any), 'databas', 'database'],
      [() => startWorker({ database, tasks, concurency: 5 } as Any), 'concurency', 'concurrency'],
      [() => startWorker({ database, sql: { maxRow: 5 } } as Any), 'maxRow', 'maxRows'],
      [() => startWorker({ database, tasks, chores: { mayLed: 1 } } as Any), 'mayLed', 'mayLead'],
      [() => defineTask({ name: 'a', run, maxAttempt: 1 } as Any), 'maxAttempt', 'maxAttempts'],
      [
        () => Tusk.open({ database, tasks: { a: { run, tiemout: 1 } } } as Any),
        'tiemout',
        'timeout',
      ],
      [() => defineChore({ name: 'a', everyMs: 1, run, bach: 1 } as Any), 'bach', 'batch'],
      [() => reject('no', { dely: 1 } as Any), 'dely', 'delay'],
      [() => createHttp({ tusk, tokn: 'a' } as Any), 'tokn', 'token'],
      [() => serveHttp({ tusk, prt: 0 } as Any), 'prt', 'port'],
      [() => openTestTusk({ tasks, schem: 'a' } as Any), 'schem', 'schema'],
      [() => migrate(database, { shema: 'a' } as Any), 'shema', 'schema'],
      [() => installDialect(database, { dialekt: 'fetchq' } as Any), 'dialekt', 'dialect'],
      [() => upgradeDialects(database, { engineSchem: 'a' } as Any), 'engineSchem', 'engineSchema'],
      [() => createTaskTable(database, { tabel: 'a' } as Any), 'tabel', 'table'],
      [() => adoptTaskTable(database, { dryrun: true } as Any), 'dryrun', 'dryRun'],
      [() => releaseTaskTable(database, { tabel: 'a' } as Any), 'tabel', 'table'],
      [() => adoptFetchq(database, { dryrun: true } as Any), 'dryrun', 'dryRun'],
      [
        () => callingAs(tusk.pool, { actor: 'ada' }, run as Any, { timeoutMS: 1 } as Any),
        'timeoutMS',
        'timeoutMs',
      ],
    ]
    for (const [call, wrong, meant] of refused) {
      const refusal = await refusalOf(call)
      expect(refusal.message, wrong).toContain(`has no option "${wrong}"`)
      expect(refusal).toMatchObject({ code: 'invalid_argument', hint: `Did you mean "${meant}"?` })
    }
  })

  test('are refused by the handles of tasks and by the helpers of tests', async ({ open }) => {
    const tusk = (await open({ tasks: { mail: () => {} } })) as Any
    const handle = await tusk.enqueue('mail', {})
    await using inTest = (await openTestTusk({ tasks: {}, database: inject('pgUrl') })) as Any
    const calls: [() => unknown, string][] = [
      [() => handle.wait({ timeOut: 1 }), 'timeOut'],
      [() => handle.waitForEnd({ timeOut: 1 }), 'timeOut'],
      [() => handle.cancel({ onn: 1 }), 'onn'],
      [() => handle.progress({ onn: 1 }), 'onn'],
      [() => inTest.run(1, { throwsOnError: true }), 'throwsOnError'],
      [() => inTest.runAll({ throwsOnError: true }), 'throwsOnError'],
      [() => inTest.enqueued({ tags: ['a'] }), 'tags'],
      [() => inTest.expectNothingEnqueued({ nam: 'a' }), 'nam'],
    ]
    for (const [call, wrong] of calls) {
      const refusal = await refusalOf(call)
      expect(refusal.code, wrong).toBe('invalid_argument')
      expect(refusal.message).toContain(`has no option "${wrong}"`)
    }
  })

  test.for<[string, (ctx: Any) => unknown, string]>([
    ['step', (ctx) => ctx.step('a', () => 1, { maxAttempt: 3 }), 'maxAttempts'],
    ['receive', (ctx) => ctx.receive('paid', { timeOut: 1 }), 'timeout'],
    ['spawn', (ctx) => ctx.spawn('child', {}, { prioritty: 1 }), 'priority'],
    ['join', (ctx) => ctx.join([], { onFailures: 'collect' }), 'onFailure'],
  ])('are refused by ctx.%s()', async ([method, call, meant]) => {
    const tasks = { parent: (_: unknown, ctx: Any) => call(ctx) as Any }
    await using inTest = await openTestTusk({ tasks, database: inject('pgUrl') })
    await inTest.tusk.enqueue('parent', {})

    const refusal = await refusalOf(() => inTest.run(1, { throwOnError: true }))

    expect(refusal).toMatchObject({ code: 'invalid_argument', hint: `Did you mean "${meant}"?` })
    expect(refusal.message).toContain(`ctx.${method}() has no option`)
  })

  test('of settings, filters and changes are refused by the engine', async ({ open }) => {
    const tusk = (await open()) as Any
    const { id } = await tusk.enqueueTask({ queue: 'mail' })
    const calls = [
      () => tusk.queues.set('mail', { maxRuning: 1 }),
      () => tusk.groups.set('a', { wieght: 1 }),
      () => tusk.schedules.set('a', { task: { queue: 'mail' }, crom: '* * * * *' }),
      () => tusk.tasks.list({ quue: 'mail' }),
      () => tusk.tasks.amend(id, { priorty: 1 }),
    ]
    for (const call of calls) expect((await refusalOf(call)).code).toBe('invalid_argument')
  })
})
