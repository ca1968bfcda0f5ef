import type { Json } from '../../engine/task.ts'
import type { Outcome } from '../outcome.ts'
import type { Run } from '../run.ts'
import { outcomeOf, outcomeOfError } from './outcome-of.ts'
import { PushError } from './push-error.ts'
import type { Sender } from './send.ts'
import { signedHeaders } from './sign.ts'

/** The endpoint of a queue, with the secrets themselves. */
export interface Endpoint {
  readonly url: string
  readonly secrets: readonly string[]
  readonly timeoutMs: number
}

export interface PushRunner {
  readonly sender: Pick<Sender, 'send'>
  /** The current endpoint of a queue. Undefined if it has none. */
  readonly endpointOf: (queue: string) => Promise<Endpoint | undefined>
  readonly version: string
}

/** Delivers one task and reports the outcome. Never rejects. */
export async function performPush(
  run: Run,
  runner: PushRunner,
  report: (run: Run, outcome: Outcome) => void,
): Promise<void> {
  const outcome = await deliver(run, runner).catch(outcomeOfError)
  const reported = run.aborted === undefined ? outcome : outcomeOfAborted(run, outcome)
  if (run.end()) report(run, reported)
}

/** A timeout fails the attempt. A worker that stops releases the task for another delivery. */
function outcomeOfAborted(run: Run, outcome: Outcome): Outcome {
  if (outcome.kind === 'done') return outcome
  switch (run.aborted?.reason) {
    case 'cancelled':
      return { kind: 'dropped' }
    case 'timeout':
      return outcomeOfError(new PushError('push_timeout', 'the task ran into its timeout'))
    default:
      return { kind: 'released' }
  }
}

async function deliver(run: Run, { sender, endpointOf, version }: PushRunner): Promise<Outcome> {
  const { queue, id, iteration } = run.row
  const endpoint = await endpointOf(queue)
  if (endpoint === undefined) {
    throw new PushError('push_not_configured', `queue ${queue} has no endpoint; see set_push()`)
  }
  const body = JSON.stringify(bodyOf(run))
  // The same for every attempt, so that the receiver recognizes a repeated delivery.
  const message = { id: iteration === '0' ? `task_${id}` : `task_${id}_${iteration}`, body }
  const timestamp = Math.floor(Date.now() / 1_000)
  const answer = await sender.send({
    url: new URL(endpoint.url),
    headers: {
      'content-type': 'application/json',
      'user-agent': `tusk/${version}`,
      ...signedHeaders({ ...message, timestamp }, endpoint.secrets),
    },
    body,
    timeoutMs: endpoint.timeoutMs,
    signal: run.signal,
  })
  return outcomeOf(answer, Date.now())
}

/** The request body: the payload as `data`, and the properties of the task. */
function bodyOf({ row }: Run): Json {
  const { id, queue, handler, version, attempt, max_attempts, key, groups, tags, parent, meta } =
    row
  return {
    type: handler ?? queue,
    timestamp: new Date().toISOString(),
    data: row.payload,
    task: {
      id,
      queue,
      handler,
      version,
      attempt,
      max_attempts,
      iteration: Number(row.iteration),
      key,
      groups,
      tags,
      parent,
      created_at: row.created_at,
      run_at: row.run_at,
      deadline: row.deadline,
      meta,
    },
  } as Json
}
