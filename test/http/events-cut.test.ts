import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, createServer as createTcp, type Socket } from 'node:net'
import { describe, expect } from 'vitest'
import type { Http } from '../../src/http/app.ts'
import { EventFeed } from '../../src/http/events/feed.ts'
import { openHttpContext } from '../../src/http/open-context.ts'
import { adminToken, test } from '../support/http.ts'
import { openStream, SseReader } from '../support/sse.ts'
import { until } from '../support/until.ts'

async function listen(server: Server | ReturnType<typeof createTcp>): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return (server.address() as AddressInfo).port
}

async function listening(http: Http) {
  const server = createServer(http.listener)
  const port = await listen(server)
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return { port, close }
}

function requestText(place?: string): string {
  const resume = place === undefined ? '' : `Last-Event-ID: ${place}\r\n`
  return `GET /api/v1/events HTTP/1.0\r\nHost: tusk.test\r\nAuthorization: Bearer ${adminToken}\r\n${resume}\r\n`
}

/** A way to the server that hangs up after so many bytes, wherever in a message that is, or after a while. */
async function cuttingProxy(port: number, bytes: () => number) {
  const open = new Set<Socket>()
  const server = createTcp((client) => {
    const onward = connect(port, '127.0.0.1')
    let left = bytes()
    for (const socket of [client, onward]) {
      open.add(socket)
      socket.on('error', () => {}).on('close', () => open.delete(socket))
    }
    client.pipe(onward)
    const timer = setTimeout(() => client.destroy(), 300 + Math.random() * 1_000)
    client.on('close', () => clearTimeout(timer))
    onward.on('close', () => client.destroy())
    client.on('close', () => onward.destroy())
    onward.on('data', (data: Buffer) => {
      client.write(data.subarray(0, left), () => {
        if (left <= 0) client.destroy()
      })
      left -= data.length
    })
  })
  const close = async () => {
    for (const socket of open) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  }
  return { port: await listen(server), close }
}

/** Reads one connection to its end; answers what was complete in it. */
async function readOnce(port: number, place: string | undefined): Promise<SseReader> {
  const reader = new SseReader()
  let head: string | undefined = ''
  await new Promise<void>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(requestText(place)))
    socket.setEncoding('utf8')
    socket.on('error', () => {}).on('close', () => resolve())
    socket.on('data', (text: string) => {
      if (head === undefined) return reader.push(text)
      head += text
      const end = head.indexOf('\r\n\r\n')
      if (end < 0) return
      reader.push(head.slice(end + 4))
      head = undefined
    })
  })
  return reader
}

describe('a stream that is cut', () => {
  test('in the midst of messages loses nothing and repeats nothing while tasks run', {
    timeout: 300_000,
  }, async ({ serve, engine, connect: connectDb }) => {
    const http = await serve()
    const { port, close } = await listening(http)
    const proxy = await cuttingProxy(port, () => 700 + Math.floor(Math.random() * 20_000))
    const keeper = await openStream(http)
    await keeper.heard('ready')
    const begin = keeper.lastId ?? ''
    await engine.enqueue({ queue: 'mail' })
    let isWorking = true
    const producers = [1, 2].map(async () => {
      const late = engine.on(await connectDb())
      for (let round = 0; round < 25; round += 1) {
        // Those who commit late: their events have older ids than what others have committed already.
        await late.rows('begin')
        await late.enqueueMany(Array.from({ length: 5 }, () => ({ queue: 'mail' })))
        await engine.enqueueMany(Array.from({ length: 5 }, () => ({ queue: 'mail' })))
        await late.rows('commit')
        for (const task of await engine.claim('mail', { limit: 5 })) await engine.complete(task)
      }
    })
    const working = Promise.all(producers).then(() => {
      isWorking = false
    })

    const seen: string[] = []
    let place: string | undefined = begin
    let cuts = 0
    const isComplete = async () => {
      const all = await engine.events({ after: begin, limit: 100_000 })
      return !isWorking && seen.length >= all.length
    }
    while (!(await isComplete())) {
      const reader = await readOnce(proxy.port, place)
      expect(reader.named('gap')).toEqual([])
      seen.push(...reader.events.map(({ id }) => id ?? ''))
      place = reader.lastId ?? place
      cuts += 1
    }
    await working

    const all = (await engine.events({ after: begin, limit: 100_000 })).map(({ id }) => id)
    expect(cuts).toBeGreaterThan(3)
    expect(seen).toEqual(all.slice(0, seen.length))
    await keeper.close()
    await proxy.close()
    await close()
  })

  test('because its client never reads takes no other stream with it', {
    timeout: 300_000,
  }, async ({ serve, engine }) => {
    const http = await serve()
    const { port, close } = await listening(http)
    const deaf = connect(port, '127.0.0.1', () => deaf.write(requestText()))
    let isCut = false
    deaf.pause()
    deaf
      .on('error', () => {})
      .on('close', () => {
        isCut = true
      })
    const other = await openStream(http, '?batch=true')
    await other.heard('ready')

    // A socket that is not read holds a few MB in the kernels of both sides, then it is full.
    let sent = 0
    for (let round = 0; round < 60 && !isCut; round += 1) {
      const tasks = Array.from({ length: 2_000 }, () => ({ queue: 'mail' }))
      await engine.enqueueMany(tasks)
      sent += tasks.length
      await until(async () => heardBy(other) >= sent)
      other.messages.length = 0
      sent = 0
    }
    // It notices that it is cut off once it looks.
    deaf.resume()
    await until(async () => isCut)

    expect(other.named('slow')).toEqual([])
    await other.close()
    await close()
  })

  test('has no followers: then nothing is read any more', async ({ tusk }) => {
    const { context, close } = openHttpContext(
      { tusk, logger: false },
      new AbortController().signal,
    )
    let looks = 0
    const events: typeof context.verbs.events = (db, page) => {
      looks += 1
      return context.verbs.events(db, page)
    }
    const feed = new EventFeed({ ...context, verbs: { ...context.verbs, events } })
    const leave = [feed.listen(), feed.listen(), feed.listen()]
    await until(async () => looks >= 2)
    for (const each of leave) each()
    await until(async () => feed.isIdle)

    expect(feed.at).toBeDefined()
    await close()
  })
})

function heardBy(stream: SseReader): number {
  return stream.named('events').reduce((sum, { data }) => sum + (data as unknown[]).length, 0)
}
