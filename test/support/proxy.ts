import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** A way to the database that a test can cut. */
export interface Proxy {
  /** The database's URL by way of the proxy. */
  readonly url: string
  /** Drops every connection, and takes no new one until restore(). */
  cut(): void
  /** Lets nothing through and says nothing, as a network that lost its way does; restore() lets it arrive. */
  silence(): void
  /** The connections of now fall silent for good, as when a firewall forgets them; new ones work. */
  forget(): void
  restore(): void
  close(): Promise<void>
}

export async function openProxy(databaseUrl: string): Promise<Proxy> {
  const target = new URL(databaseUrl)
  const ways = new Map<Socket, Socket>()
  let state: 'open' | 'cut' | 'silent' = 'open'
  const server = createServer((socket) => {
    if (state === 'cut') {
      socket.destroy()
      return
    }
    const onward = connect(Number(target.port), target.hostname)
    for (const [from, to] of [
      [socket, onward],
      [onward, socket],
    ] as const) {
      ways.set(from, to)
      from
        .on('error', () => {})
        .on('close', () => {
          ways.delete(from)
          to.destroy()
        })
      if (state === 'open') from.pipe(to)
    }
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const url = new URL(databaseUrl)
  url.hostname = '127.0.0.1'
  url.port = String((server.address() as AddressInfo).port)
  const dropAll = () => {
    for (const socket of [...ways.keys()]) socket.destroy()
  }
  return {
    url: url.href,
    cut: () => {
      state = 'cut'
      dropAll()
    },
    silence: () => {
      state = 'silent'
      for (const [from, to] of ways) from.unpipe(to).pause()
    },
    forget: () => {
      for (const [from, to] of ways) from.unpipe(to).pause()
    },
    restore: () => {
      if (state === 'silent') for (const [from, to] of ways) from.pipe(to)
      state = 'open'
    },
    close: async () => {
      dropAll()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
