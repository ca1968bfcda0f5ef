import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect } from 'vitest'
import { serveHttp } from '../../src/http/serve.ts'
import { adminToken, test as base } from '../support/http.ts'
import { type Ask, openAsk } from '../support/http-ask.ts'

/** The paper's MAX_RETRIES: so many executions. */
const maxRetries = 3

interface Story {
  /** The paper's server, with its executors' view of it. */
  server: { readonly url: string; readonly ask: Ask }
}

const test = base.extend<Story>({
  server: async ({ tusk }, use) => {
    const server = await serveHttp({ tusk, token: adminToken, port: 0, logger: false })
    await use({ url: server.url, ask: await openAsk(server.http, adminToken) })
    await server.close()
  },
})

/** An executor with a buffer of its own, which speaks HTTP and nothing else. */
function executor(ask: Ask, name: string, size: number) {
  const reserve = async () => {
    const { status, body } = await ask.post('/claims', { queue: 'jobs', limit: size, worker: name })
    return status === 204 ? { claim: '', ids: [] } : { claim: body.claim, ids: idsOf(body.tasks) }
  }
  return { name, reserve }
}

function idsOf(tasks: readonly { id: string }[]): string[] {
  return tasks.map(({ id }) => id)
}

/** A process that reserves one task, says which, and never speaks again. */
const crashing = `
  const headers = { authorization: 'Bearer ' + process.env.TOKEN, 'content-type': 'application/json' }
  const body = JSON.stringify({ queue: 'jobs', worker: 'b' })
  const response = await fetch(process.env.URL + '/api/v1/claims', { method: 'POST', headers, body })
  const { claim, tasks } = await response.json()
  console.log(claim, tasks[0].id)
  setInterval(() => {}, 1000)`

/** Starts it, kills it once it holds a task, and tells what it held. */
async function crash(url: string): Promise<{ claim: string; id: string }> {
  const child = spawn(process.execPath, ['--input-type=module', '-e', crashing], {
    env: { URL: url, TOKEN: adminToken },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  child.kill('SIGKILL')
  await once(child, 'exit')
  const [claim = '', id = ''] = said.toString().trim().split(' ')
  return { claim, id }
}

test('the task server of the paper, from New to each of its ends', async ({
  server,
  engine,
  tusk,
}) => {
  const { ask, url } = server
  const backoff = { kind: 'none' }
  const create = async (more: object = {}) => {
    const given = { queue: 'jobs', max_attempts: maxRetries, backoff, ...more }
    return (await ask.post('/tasks', given)).body
  }
  const stateOf = async (id: string) =>
    (await ask.get(`/tasks/${id}?states=task-server`)).body.paper_state
  const a = executor(ask, 'a', 2)
  const b = executor(ask, 'b', 2)

  // Without a delay New becomes Ready; New itself is never seen.
  const { id: plain } = await create()
  expect(await stateOf(plain)).toBe('Ready')

  // Delayed and repeated tasks begin as Delayed. A repeated one is a schedule.
  const { id: delayed } = await create({ delay: '1 hour' })
  const { schedule, task: repeated } = await create({
    payload: 'again',
    repeat: { every: '1 hour', starts_at: '2100-01-01T00:00:00Z' },
  })
  expect(await stateOf(delayed)).toBe('Delayed')
  expect(repeated).toMatchObject({ queue: 'jobs', payload: 'again', max_attempts: maxRetries })
  expect(await tusk.schedules.get(schedule)).toMatchObject({ state: 'planned' })

  // TS-37, C43: each time makes one clone that is Ready; the plan stays and moves on.
  const clone = await tusk.schedules.run(schedule)
  expect(await stateOf(clone)).toBe('Ready')
  expect(await tusk.schedules.get(schedule)).toMatchObject({ state: 'planned', lastTask: clone })
  await tusk.schedules.delete(schedule)
  await ask.delete(`/tasks/${clone}`)

  // No process has to watch. Not due, it cannot be taken; then it is Ready.
  const first = await a.reserve()
  expect(first.ids).toEqual([plain])
  await engine.pass('1 hour', delayed)
  expect(await stateOf(delayed)).toBe('Ready')

  // Reserved, with the time and the executor.
  const { body: reserved } = await ask.get(`/tasks/${plain}?states=task-server`)
  expect(reserved).toMatchObject({
    paper_state: 'Reserved',
    worker: 'a',
    claimed_at: expect.any(String),
  })

  // Success.
  await ask.post(`/tasks/${plain}/complete`, { claim: first.claim, output: 'well done' })
  expect(await stateOf(plain)).toBe('Success')
  // When and by whom it was reserved is kept.
  expect((await ask.get(`/tasks/${plain}`)).body).toMatchObject({
    worker: 'a',
    claimed_at: reserved.claimed_at,
  })

  // Two executors take batches at once, and neither gets what the other has.
  await ask.post(`/tasks/${delayed}/cancel`)
  const batch = await Promise.all([create(), create(), create(), create()])
  const taken = await Promise.all([a.reserve(), b.reserve()])
  const reservedIds = taken.flatMap(({ ids }) => ids)
  expect(reservedIds).toHaveLength(4)
  expect(new Set(reservedIds)).toEqual(new Set(idsOf(batch)))
  for (const { claim, ids } of taken) {
    const tasks = ids.map((id) => ({ id }))
    const { body } = await ask.post(`/claims/${claim}/complete`, { tasks })
    expect(body).toEqual({ done: ids, lost: [] })
  }

  // A failed attempt is Ready again until MAX_RETRIES, then Aborted.
  const { id: failing } = await create()
  for (let attempt = 1; attempt <= maxRetries; attempt += 1) {
    const { claim } = await a.reserve()
    await ask.post(`/tasks/${failing}/fail`, { claim, error: { message: 'no' } })
    expect(await stateOf(failing)).toBe(attempt < maxRetries ? 'Ready' : 'Aborted')
  }

  // So does one that took too long.
  const { id: slow } = await create({ timeout: '1 second' })
  for (let attempt = 1; attempt <= maxRetries; attempt += 1) {
    const { claim } = await b.reserve()
    await ask.post(`/tasks/${slow}/fail`, { claim, reason: 'timeout' })
    expect(await stateOf(slow)).toBe(attempt < maxRetries ? 'Ready' : 'Aborted')
  }
  expect((await ask.get(`/tasks/${slow}`)).body).toMatchObject({ reason: 'timeout', attempt: 3 })

  // An executor that crashed loses its task to another, and its word counts no more.
  const { id: orphan } = await create()
  const dead = await crash(url)
  expect(dead.id).toBe(orphan)
  await engine.pass('2 minutes', orphan)
  await engine.rescue()
  expect(await stateOf(orphan)).toBe('Ready')
  const second = await a.reserve()
  expect(second.ids).toEqual([orphan])
  const late = await ask.post(`/tasks/${orphan}/complete`, { claim: dead.claim })
  expect([late.status, late.body.code]).toEqual([409, 'lease_lost'])

  // Lost with its last attempt, it is Buried.
  for (let attempt = 2; attempt <= maxRetries; attempt += 1) {
    await engine.pass('2 minutes', orphan)
    await engine.rescue()
    if (attempt < maxRetries) await b.reserve()
  }
  expect(await stateOf(orphan)).toBe('Buried')

  // And at once, where a queue wants the paper to the letter.
  await engine.setQueue('jobs', { on_lost: 'fail' })
  const { id: literal } = await create()
  await b.reserve()
  await engine.pass('2 minutes', literal)
  await engine.rescue()
  expect(await stateOf(literal)).toBe('Buried')

  // By hand, Ready, Delayed and Reserved become Aborted.
  const { id: ready } = await create()
  const { id: later } = await create({ delay: '1 hour' })
  const { id: held } = await create({ priority: 9 })
  const { claim } = await executor(ask, 'a', 1).reserve()
  for (const id of [ready, later, held]) {
    await ask.post(`/tasks/${id}/cancel`)
    expect(await stateOf(id)).toBe('Aborted')
  }
  expect((await ask.post(`/tasks/${held}/complete`, { claim })).status).toBe(409)

  // The ends are ends.
  for (const id of [plain, failing, orphan, ready]) {
    expect((await ask.post(`/tasks/${id}/cancel`)).body.code).toBe('wrong_state')
  }
  const { body: left } = await ask.get('/tasks?state=ready&state=running&state=scheduled')
  expect(left.items).toEqual([])
})
