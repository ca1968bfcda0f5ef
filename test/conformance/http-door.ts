import type { ClaimedTask } from '../../src/engine/task.ts'
import type { Http } from '../../src/http/app.ts'
import type { Door, DoorVerbs } from '../support/doors/door.ts'
import type { JsonBody } from '../support/http-ask.ts'
import { taskAsObject } from './objects-door.ts'

const token = `tusk_testtest_${'a'.repeat(43)}`

interface Refused extends Error {
  code?: string
}

async function ask(http: Http, method: string, path: string, body?: unknown): Promise<JsonBody> {
  const response = await http.fetch(
    new Request(`http://tusk.test/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
  )
  const text = await response.text()
  const answer = text === '' ? undefined : JSON.parse(text)
  if (response.status < 400) return answer
  throw Object.assign(new Error(answer.detail ?? answer.title) as Refused, { code: answer.code })
}

const times = ['created_at', 'run_at', 'deadline', 'lease_expires_at'] as const

/** A task as it came over HTTP, with its times as dates. */
function claimed(answer: JsonBody): ClaimedTask[] {
  return answer.tasks.map((task: JsonBody) => {
    const whole = { ...task, claim: answer.claim, lease_expires_at: answer.lease_expires_at }
    for (const name of times) whole[name] = whole[name] === null ? null : new Date(whole[name])
    return whole
  })
}

const ended = (answer: JsonBody) => ({
  state: answer.state,
  run_at: answer.run_at === null ? null : new Date(answer.run_at),
})

function verbsOf(http: Http): Partial<DoorVerbs> {
  const post = (path: string, body: unknown = {}) => ask(http, 'POST', path, body)
  return {
    enqueue: async (task) => {
      const { id, outcome } = await post('/tasks', taskAsObject(task))
      return { id, outcome }
    },
    enqueueMany: async (tasks) => (await post('/tasks', { tasks: tasks.map(taskAsObject) })).tasks,
    claim: async (queue, { kinds = ['handler', 'document'], ...options } = {}) => {
      const answer = await post('/claims', { queue, lease: '15 seconds', kinds, ...options })
      return answer === undefined ? [] : claimed(answer)
    },
    extend: async ([claim = ''], lease = '15 seconds') =>
      (await post(`/claims/${claim}/extend`, { lease })).held ? [claim] : [],
    complete: ({ id, claim }, output = null) => post(`/tasks/${id}/complete`, { claim, output }),
    completeMany: async (held, outputs) => {
      const tasks = held.map(({ id }, at) => ({ id, output: outputs?.[at] ?? null }))
      return (await post(`/claims/${held[0]?.claim}/complete`, { tasks })).done
    },
    fail: async ({ id, claim }, error = null, options = {}) =>
      ended(await post(`/tasks/${id}/fail`, { claim, error, ...options })),
    reject: async ({ id, claim }, error = null, delay = null) =>
      ended(await post(`/tasks/${id}/reject`, { claim, error, delay: delay ?? undefined })),
    kill: ({ id, claim }, error = null) => post(`/tasks/${id}/kill`, { claim, error }),
    killRunning: (id, error = null) => post(`/tasks/${id}/kill`, { error: error ?? undefined }),
    release: async (held) => {
      for (const { id, claim } of held) await post(`/tasks/${id}/release`, { claim })
      return held.map(({ id }) => id)
    },
    reschedule: ({ id, claim }, run_at, payload) =>
      post(`/tasks/${id}/reschedule`, { claim, run_at, payload }),
    cancel: (id) => post(`/tasks/${id}/cancel`, undefined),
    retry: (id, run_at, payload) =>
      post(`/tasks/${id}/retry`, { run_at: run_at ?? undefined, payload }),
    move: (id, run_at) => post(`/tasks/${id}/move`, { run_at }),
    amend: (id, changes) => ask(http, 'PATCH', `/tasks/${id}`, changes),
    delete: (id) => ask(http, 'DELETE', `/tasks/${id}`),
  }
}

/** The API over HTTP: its fetch handler, without a socket. */
export const httpDoor = Object.assign(
  (http: Http): Door =>
    () =>
      verbsOf(http),
  { token },
)
