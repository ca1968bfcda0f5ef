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

/** Of one answer, as of a page of tasks: a thousand tasks of a megabyte each would take a gigabyte of memory. */
const mostBytes = 8 * 1024 * 1024

const common = { method: 'post', scope: 'consume', tag: 'Executors' } as const

/** Taking tasks, and speaking about all that was taken together. */
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
      summary: 'Take due tasks of a queue under a lease; `Prefer: wait=30` waits for some',
      description:
        'Nobody else gets them while the lease lasts. Every later word about them carries the claim. Without anything to take the answer is 204. With 8 MB of JSON an answer has fewer tasks than asked for: the others stay in the queue, so ask again.',
      body: schemas.newClaim,
      responses: {
        201: { description: 'They are yours until the lease is over', body: schemas.claimed },
        204: { description: 'There is nothing to do' },
      },
    },
    async (call) => {
      requireScope(call.caller, 'consume', call.body.queue)
      // Their payloads may hold what opens other databases.
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

/** What is looked for again and again. The first look comes right after its caller was let in. */
function asLongAsAllowed<T>(call: Pick<AnyCall, 'readmit'>, look: () => Promise<T>) {
  let isFirst = true
  return async (): Promise<T> => {
    if (!isFirst) await call.readmit()
    isFirst = false
    return look()
  }
}

type NewClaim = z.output<typeof schemas.newClaim>

/** Who claims: as they call themselves, else by the name of their token. */
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
 * A client that hung up meanwhile never learns what it got: others need not wait for its lease. With an
 * Idempotency-Key it comes back for the answer, and must find in it what it holds. A server that closes
 * still answers.
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
      summary: 'Hold what was taken for longer, from now',
      params: schemas.byClaim,
      body: schemas.extendClaim,
      responses: { 200: { description: 'Whether it is still held', body: schemas.extended } },
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
      summary: 'Many of what was taken are done',
      params: schemas.byClaim,
      body: schemas.completeMany,
      responses: {
        200: { description: 'Those that still were yours', body: schemas.completedMany },
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
      summary: 'Attempts at what was taken did not succeed',
      params: schemas.byClaim,
      body: schemas.failMany,
      responses: { 200: { description: 'What became of each', body: schemas.failedMany } },
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
