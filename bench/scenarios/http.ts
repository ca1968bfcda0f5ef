import { Agent, createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Tusk } from '../../src/client/tusk.ts'
import { createHttp } from '../../src/http/app.ts'
import type { Figures } from '../measure/figures.ts'
import { Meter } from '../measure/meter.ts'
import { fill } from './fill.ts'
import type { Scenario, Stage, Variant } from './scenario.ts'

const queue = 'bench'
const callers = 16
const bulk = 100
const batch = 10
const token = `tusk_benchmrk_${'b'.repeat(43)}`

/** The two interfaces that are compared. */
interface Door {
  enqueue(count: number): Promise<void>
  /** Claims tasks and completes them. Returns how many. */
  work(): Promise<number>
}

export const http: Scenario = {
  name: 'http',
  shows:
    'the same over HTTP and through the client; node µs are those of client and server together',
  variants: [
    ...both('one by one', (door, { sizes }) => shared(sizes.singles, () => door.enqueue(1), 1)),
    ...both('bulks of 100', (door, { sizes }) =>
      shared(sizes.tasks, () => door.enqueue(bulk), bulk),
    ),
    ...both('claim and complete', async (door, stage) => {
      const count = stage.sizes.singles
      await shared(count, () => door.work(), batch)
    }),
  ],
}

function both(name: string, run: (door: Door, stage: Stage) => Promise<void>): Variant[] {
  const variant = (way: 'client' | 'http'): Variant => ({
    name: `${name}, ${way}`,
    suits: (subject) => subject.keepsGroups,
    round: (stage) => withTusk(stage, (tusk) => measured(stage, name, way, tusk, run)),
  })
  return [variant('client'), variant('http')]
}

async function measured(
  stage: Stage,
  name: string,
  way: 'client' | 'http',
  tusk: Tusk,
  run: (door: Door, stage: Stage) => Promise<void>,
): Promise<Figures> {
  const { sizes, admin } = stage
  const count = name.startsWith('bulks') ? sizes.tasks : sizes.singles
  if (name.startsWith('claim')) await fill(stage, { queue, count })
  const { door, close } = way === 'client' ? clientDoor(tusk) : await httpDoor(tusk)
  const meter = await Meter.start(admin, {})
  await run(door, stage)
  const figures = await meter.stop(count)
  await close()
  await admin.query(`truncate ${stage.subject.schema}.tasks`)
  // All connections are those of the client's pool, so their times cannot be separated.
  return { ...figures, databaseMicros: null }
}

async function withTusk<T>(
  { admin, subject }: Stage,
  work: (tusk: Tusk) => Promise<T>,
): Promise<T> {
  const { host, port, user, password, database } = admin
  const url = `postgresql://${user}:${password ?? ''}@${host}:${port}/${database}`
  const tusk = await Tusk.open({ database: url, schema: subject.schema })
  try {
    return await work(tusk)
  } finally {
    await tusk.close()
  }
}

function clientDoor(tusk: Tusk) {
  const door: Door = {
    enqueue: async (count) => {
      if (count === 1) await tusk.enqueueTask({ queue, payload: { n: 1 } })
      else await tusk.enqueueTasks(tasksOf(count))
    },
    work: async () => {
      const claimed = await tusk.claims.claim(queue, { limit: batch, kinds: ['handler'] })
      if (claimed.length > 0) await tusk.claims.completeMany(claimed)
      return claimed.length
    },
  }
  return { door, close: async () => {} }
}

async function httpDoor(tusk: Tusk) {
  const opened = await createHttp({ tusk, token, logger: false, dashboard: false })
  const server = createServer(opened.listener)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const agent = new Agent({ keepAlive: true, maxSockets: callers })
  const post = (path: string, body: unknown) => send(agent, port, path, body)
  const door: Door = {
    enqueue: async (count) => {
      const one = { queue, payload: { n: 1 } }
      await post('/tasks', count === 1 ? one : { tasks: tasksOf(count) })
    },
    work: async () => {
      const claimed = (await post('/claims', { queue, limit: batch, kinds: ['handler'] })) as {
        claim?: string
        tasks?: { id: string }[]
      }
      const tasks = (claimed.tasks ?? []).map(({ id }) => ({ id }))
      if (tasks.length > 0) await post(`/claims/${claimed.claim}/complete`, { tasks })
      return tasks.length
    },
  }
  const close = async () => {
    agent.destroy()
    await opened.close()
    await new Promise((resolve) => server.close(resolve))
  }
  return { door, close }
}

function tasksOf(count: number) {
  return Array.from({ length: count }, () => ({ queue, payload: { n: 1 } }))
}

/** Runs many callers at once. Each makes its next call when the last one has ended. */
async function shared(count: number, call: () => Promise<unknown>, each: number): Promise<void> {
  let left = Math.ceil(count / each)
  const caller = async () => {
    while (left > 0) {
      left -= 1
      await call()
    }
  }
  await Promise.all(Array.from({ length: callers }, caller))
}

function send(agent: Agent, port: number, path: string, body: unknown): Promise<unknown> {
  const text = JSON.stringify(body)
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  }
  return new Promise((resolve, reject) => {
    const options = {
      agent,
      port,
      host: '127.0.0.1',
      method: 'POST',
      path: `/api/v1${path}`,
      headers,
    }
    const sent = request(options, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const answer = Buffer.concat(chunks).toString()
        const { statusCode = 0 } = response
        if (statusCode >= 400) reject(new Error(`${statusCode}: ${answer}`))
        else resolve(answer === '' ? {} : JSON.parse(answer))
      })
    })
    sent.on('error', reject).end(text)
  })
}
