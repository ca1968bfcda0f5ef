import type { z } from '@hono/zod-openapi'
import type { Held } from '../../engine/outcomes.ts'
import type { ClaimedTask, Json } from '../../engine/task.ts'
import { requireScope } from '../gate/caller.ts'
import { requireConsume } from '../gate/require-consume.ts'
import { requireSql } from '../gate/sql-over-http.ts'
import type { HttpContext } from '../http-context.ts'
import { preferredWait, waited } from '../requests/prefer.ts'
import type { AnyCall, Api } from '../routing/route.ts'
import * as schemas from '../schemas/executor.ts'
import { Executors } from '../waiting/executors.ts'
import { ReadyBell } from '../waiting/ready-bell.ts'

/** The most bytes of one answer: a thousand tasks of a megabyte each would take a gigabyte of memory. */
const mostBytes = 8 * 1024 * 1024

const common = { method: 'post', scope: 'consume', tag: 'Executors' } as const

/** Claiming tasks, and reporting on all tasks of a claim together. */
export function register(api: Api, context: HttpContext): void {
  claimTasks(api, context)
  extendClaims(api, context)
  endMany(api, context)
}

function claimTasks(api: Api, context: HttpContext): void {
  const bell = new ReadyBell(context)
  const executors = new Executors(context)
  api.route(
    {
      ...common,
      path: '/claims',
      operationId: 'claimTasks',
      summary: 'Claim due tasks of a queue under a lease. `Prefer: wait=30` waits for tasks.',
      description:
        'No other executor gets them while the lease lasts. Send the claim with every report about them. If no task is due, the answer is 204. An answer stops at 8 MB of JSON; the other tasks stay in the queue, so ask again.',
      body: schemas.newClaim,
      responses: {
        201: {
          description: 'The claimed tasks, yours until the lease expires',
          body: schemas.claimed,
        },
        204: { description: 'No task is due' },
      },
    },
    async (call) => {
      requireScope(call.caller, 'consume', call.body.queue)
      // Payloads of SQL tasks may have passwords of other databases.
      if (call.body.kinds.includes('sql')) requireSql(call)
      executors.sees(executorOf(call, call.body))
      const seconds = call.on === undefined ? preferredWait(call.request) : undefined
      const look = asLongAsAllowed(call, () => claim(call, call.body))
      const found = await bell.until(call.body.queue, (seconds ?? 0) * 1000, call.signal, look)
      const tasks = await keptUnlessGone(call, found)
      const headers = seconds === undefined ? {} : waited(seconds)
      const [first] = tasks
      if (first === undefined) return { status: 204, headers }
      const { lease_expires_at } = first
      const body = {
        claim: await context.claims.sign(first.claim),
        lease_expires_at,
        tasks: tasks.map(toWire),
      }
      return { status: 201, headers, body }
    },
  )
}

/** Looks again and again, and checks the caller again each time but the first. */
function asLongAsAllowed<T>(call: Pick<AnyCall, 'readmit'>, look: () => Promise<T>) {
  let isFirst = true
  return async (): Promise<T> => {
    if (!isFirst) await call.readmit()
    isFirst = false
    return look()
  }
}

type NewClaim = z.output<typeof schemas.newClaim>

/** The name of the executor: the one it gives, or the name of its token. */
function workerOf({ caller }: AnyCall, { worker }: NewClaim): string {
  return worker ?? `http:${caller.name}`
}

function executorOf(call: AnyCall, body: NewClaim) {
  const { queue, limit, kinds, handlers, versions } = body
  return {
    id: workerOf(call, body),
    queue,
    limit,
    kinds,
    ...(handlers === undefined ? {} : { handlers }),
    ...(versions === undefined ? {} : { versions }),
    host: call.address ?? 'http',
    version: (call.request.headers.get('user-agent') ?? 'http').slice(0, 100),
  }
}

function claim(call: AnyCall, body: NewClaim): Promise<ClaimedTask[]> {
  const { verbs, writes } = call.context
  const { queue, limit, lease, kinds, handlers, versions } = body
  const worker = workerOf(call, body)
  return verbs.claim(call.on ?? writes, queue, {
    limit,
    lease,
    kinds,
    worker,
    bytes: mostBytes,
    ...(handlers === undefined ? {} : { handlers }),
    ...(versions === undefined ? {} : { versions }),
  })
}

/**
 * Releases the tasks of a client that has disconnected: it never learns what it got, so others need not wait for
 * its lease. With an Idempotency-Key it comes back for the answer, which must name the tasks it holds. A server
 * that closes still answers.
 */
async function keptUnlessGone(
  { context: { verbs, writes }, on, request }: AnyCall,
  tasks: readonly ClaimedTask[],
): Promise<readonly ClaimedTask[]> {
  if (tasks.length === 0 || on !== undefined || !request.signal.aborted) return tasks
  await verbs.release(writes, tasks)
  return []
}

function toWire(task: ClaimedTask) {
  const { claim: _, lease_expires_at: __, ...shown } = task
  return shown
}

function extendClaims(api: Api, { verbs, writes }: HttpContext): void {
  api.route(
    {
      ...common,
      path: '/claims/{claim}/extend',
      operationId: 'extendClaim',
      summary: 'Extend the lease of claimed tasks, from now',
      params: schemas.byClaim,
      body: schemas.extendClaim,
      responses: {
        200: { description: 'Whether the claim is still held', body: schemas.extended },
      },
    },
    async (call) => {
      const { claim: token } = call.params
      const taken = await requireConsume(call, token)
      const held = await verbs.extend(call.on ?? writes, [taken], call.body.lease)
      return { status: 200, body: { claim: token, held: held.includes(taken) } }
    },
  )
}

function endMany(api: Api, { verbs, writes }: HttpContext): void {
  api.route(
    {
      ...common,
      path: '/claims/{claim}/complete',
      operationId: 'completeTasks',
      summary: 'Complete several claimed tasks',
      params: schemas.byClaim,
      body: schemas.completeMany,
      responses: {
        200: { description: 'The tasks that were still yours', body: schemas.completedMany },
      },
    },
    async (call) => {
      const taken = await requireConsume(call, call.params.claim)
      const { tasks } = call.body
      const held = tasks.map(({ id }) => ({ id, claim: taken }))
      const outputs = tasks.map(({ output = null }) => output as Json)
      const done = await verbs.completeMany(call.on ?? writes, held, outputs)
      return { status: 200, body: { done, lost: missing(held, done) } }
    },
  )

  api.route(
    {
      ...common,
      path: '/claims/{claim}/fail',
      operationId: 'failTasks',
      summary: 'Fail several claimed tasks',
      params: schemas.byClaim,
      body: schemas.failMany,
      responses: { 200: { description: 'The new state of each task', body: schemas.failedMany } },
    },
    async (call) => {
      const taken = await requireConsume(call, call.params.claim)
      const failed = call.body.tasks.map((one) => ({ ...stated(one), claim: taken }))
      const ended = await verbs.failMany(call.on ?? writes, failed)
      const ids = ended.map(({ id }) => id)
      return { status: 200, body: { ended, lost: missing(failed, ids) } }
    },
  )
}

type FailedOne = z.output<typeof schemas.failMany>['tasks'][number]

function stated({ id, error = null, reason = 'error', retry = true, delay }: FailedOne) {
  return { id, error: error as Json, reason, retry, ...(delay === undefined ? {} : { delay }) }
}

function missing(held: readonly Held[], found: readonly string[]): string[] {
  const known = new Set(found)
  return held.map(({ id }) => id).filter((id) => !known.has(id))
}
