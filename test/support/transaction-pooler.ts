import { type AddressInfo, createServer, type Socket } from 'node:net'
import pg from 'pg'

/** A pooler in transaction mode, as far as simple queries go: a connection serves the next client. */
export interface TransactionPooler {
  readonly url: string
  close(): Promise<void>
}

const askForTls = 80_877_103

/**
 * Speaks just enough of the protocol: any login is welcome, a simple query is run on the server
 * connection that has been free for the shortest time, and a transaction keeps it until its end.
 */
export async function openTransactionPooler(databaseUrl: string): Promise<TransactionPooler> {
  const made: pg.Client[] = []
  const free: pg.Client[] = []
  const take = async () => {
    const client = free.pop() ?? new pg.Client(databaseUrl)
    if (!made.includes(client)) {
      made.push(client)
      await client.connect()
    }
    return client
  }
  const server = createServer((socket) => serve(socket, take, (client) => free.push(client)))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `postgres://any:any@127.0.0.1:${port}/any`,
    close: async () => {
      await Promise.all(made.map((client) => client.end()))
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function serve(
  socket: Socket,
  take: () => Promise<pg.Client>,
  giveBack: (client: pg.Client) => void,
): void {
  let isStarted = false
  let held: pg.Client | undefined
  let turn = Promise.resolve()
  const run = async (text: string) => {
    const client = held ?? (await take())
    const { rows } = await client.query<Record<string, unknown>>(text)
    if (/^begin/i.test(text)) held = client
    else if (/^(commit|rollback)/i.test(text)) held = undefined
    if (held === undefined) giveBack(client)
    answer(socket, rows, held === undefined ? 'I' : 'T')
  }
  const hear = (type: string, body: Buffer) => {
    if (type === 'Q') turn = turn.then(() => run(body.subarray(0, -1).toString()))
    else if (type === 'X') socket.end()
    else if (type === '' && body.readInt32BE(0) === askForTls) socket.write('N')
    else if (type === '') {
      isStarted = true
      socket.write(Buffer.concat([message('R', int32(0)), message('Z', Buffer.from('I'))]))
    }
  }
  socket.on('error', () => {})
  socket.on('data', (data) => {
    for (let at = 0; at < data.length; ) {
      const head = isStarted ? 1 : 0
      const type = isStarted ? String.fromCharCode(data[at] ?? 0) : ''
      const end = at + head + data.readInt32BE(at + head)
      hear(type, data.subarray(at + head + 4, end))
      at = end
    }
  })
}

function answer(socket: Socket, rows: readonly Record<string, unknown>[], state: string): void {
  const names = Object.keys(rows[0] ?? {})
  const fields = names.map((name) =>
    Buffer.concat([
      Buffer.from(`${name}\0`),
      int32(0),
      int16(0),
      int32(23),
      int16(4),
      int32(-1),
      int16(0),
    ]),
  )
  const lines = rows.map((row) => {
    const cells = names.map((name) => {
      const text = Buffer.from(String(row[name]))
      return Buffer.concat([int32(text.length), text])
    })
    return message('D', Buffer.concat([int16(names.length), ...cells]))
  })
  socket.write(
    Buffer.concat([
      ...(names.length > 0 ? [message('T', Buffer.concat([int16(names.length), ...fields]))] : []),
      ...lines,
      message('C', Buffer.from('SELECT\0')),
      message('Z', Buffer.from(state)),
    ]),
  )
}

function message(type: string, body: Buffer): Buffer {
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body])
}

function int32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeInt32BE(value)
  return bytes
}

function int16(value: number): Buffer {
  const bytes = Buffer.alloc(2)
  bytes.writeInt16BE(value)
  return bytes
}
