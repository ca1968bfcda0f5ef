import type pg from 'pg'
import type { TaskChanges } from '../../../src/client/task-changes.ts'
import { Tusk } from '../../../src/client/tusk.ts'
import type { Queryable } from '../../../src/db/queryable.ts'
import type { ClaimedTask, Json, NewTask, TaskKind } from '../../../src/engine/task.ts'
import { camelCase, snakeCase } from '../../../src/lib/casing.ts'
import type { RawTask } from '../../../src/tasks/enqueue-options.ts'
import type { Door } from './door.ts'

/** The client opens once per pool. It listens to nothing, so there is nothing to close. */
const clients = new WeakMap<pg.Pool, Promise<Tusk>>()

const kinds: readonly TaskKind[] = ['handler', 'sql', 'document']

/**
 * The client in TypeScript over a pool. What runs on a connection of the test's own gets it by `on`.
 * The only file of the tests in test/engine and test/conformance that knows how the client spells its verbs.
 */
export const clientDoor =
  (pool: pg.Pool): Door =>
  ({ db, schema, verbs }) => {
    const on: { on?: Queryable } = db === pool ? {} : { on: db }
    const tusk = () => {
      const opened = clients.get(pool) ?? Tusk.open({ database: pool, schema, listen: false })
      clients.set(pool, opened)
      return opened
    }
    return {
      enqueue: async (task) => {
        const { id, outcome } = await (await tusk()).enqueueTask({ ...rawTask(task), ...on })
        return { id, outcome }
      },
      enqueueMany: async (tasks) => {
        const handles = await (await tusk()).enqueueTasks(tasks.map(rawTask), on)
        return handles.map(({ id, outcome }) => ({ id, outcome }))
      },
      claim: async (queue, options = {}) => {
        const { handlers, lease = '15 seconds', bytes, ...rest } = options
        // The client takes no handlers by name and no bound of bytes: those are for workers and HTTP.
        if (handlers !== undefined || bytes !== undefined) return verbs.claim(queue, options)
        const { claims } = await tusk()
        const claimed = await claims.claim(queue, {
          ...rest,
          ...on,
          lease,
          kinds: kindsOf(options.kinds),
        })
        return claimed.map((task) => snakeCase(task) as unknown as ClaimedTask)
      },
      extend: async (claims, lease = '15 seconds') =>
        (await tusk()).claims.extend(
          claims.map((claim) => ({ id: '', claim })),
          lease,
          on,
        ),
      complete: async (held, output) => (await tusk()).claims.complete(held, output, on),
      completeMany: async (held, outputs) =>
        (await tusk()).claims.completeMany(held, {
          ...on,
          ...(outputs === undefined ? {} : { outputs }),
        }),
      fail: async (held, error, options = {}) => {
        const { reason, ...rest } = options
        // The client reports errors; timeouts are for workers.
        if (reason === 'timeout') return verbs.fail(held, error, options)
        const { state, runAt } = await (await tusk()).claims.fail(held, error, { ...rest, ...on })
        return { state, run_at: runAt }
      },
      reject: async (held, error, delay = null) => {
        const { claims } = await tusk()
        const { state, runAt } = await claims.reject(held, error, {
          ...on,
          ...(delay === null ? {} : { delay }),
        })
        return { state, run_at: runAt }
      },
      kill: async (held, error) => (await tusk()).claims.kill(held, error, on),
      release: async (held) => (await tusk()).claims.release(held, on),
      reschedule: async (held, runAt, payload) =>
        (await tusk()).claims.reschedule(held, runAt, {
          ...on,
          ...(payload === undefined ? {} : { payload }),
        }),
      cancel: async (id) => (await tusk()).tasks.cancel(id, on),
      cancelMany: async (ids) => (await tusk()).tasks.cancelMany(ids, on),
      killRunning: async (id, error) => (await tusk()).tasks.kill(id, { ...on, error }),
      retry: async (id, runAt, payload, from) =>
        (await tusk()).tasks.retry(id, {
          ...on,
          runAt: runAt ?? undefined,
          payload,
          from: from ?? undefined,
        }),
      move: async (id, runAt) => (await tusk()).tasks.move(id, runAt, on),
      amend: async (id, changes) => {
        const given = changes as Record<string, unknown>
        // The client takes times as Dates; tests that give a text want to see how the engine reads it.
        if (typeof given['run_at'] === 'string' || typeof given['deadline'] === 'string')
          return verbs.amend(id, changes)
        if (typeof changes !== 'object' || changes === null) return verbs.amend(id, changes)
        return (await tusk()).tasks.amend(id, camelCase(given) as TaskChanges, on)
      },
      delete: async (id) => (await tusk()).tasks.delete(id, on),
      deleteMany: async (ids) => (await tusk()).tasks.deleteMany(ids, on),
    }
  }

/** The client writes the payload as JSON itself, unless it is given as text. */
function rawTask({ payloadJson, meta, ...task }: NewTask): RawTask {
  return {
    ...task,
    ...(payloadJson === undefined ? {} : { payloadText: payloadJson }),
    ...(meta === undefined ? {} : { meta: meta as Readonly<Record<string, Json>> }),
  }
}

/** Tests that name no kind mean any; the client means documents. */
function kindsOf(given: readonly string[] | undefined): readonly TaskKind[] {
  return (given as readonly TaskKind[] | undefined) ?? kinds
}
