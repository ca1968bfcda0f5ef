import { describe, expect } from 'vitest'
import { MessageShortener } from '../../../src/runners/sql/session/message-shortener.ts'
import { test } from '../../support/sql-tasks.ts'

/** A message as the server sends it. */
function message(letter: string, body: Buffer | string): Buffer {
  const bytes = Buffer.from(body)
  const header = Buffer.alloc(5)
  header.write(letter)
  header.writeUInt32BE(bytes.length + 4, 1)
  return Buffer.concat([header, bytes])
}

/** The messages in what was read, by letter and body. */
function messagesIn(data: Buffer): [string, string][] {
  if (data.length === 0) return []
  const end = 1 + data.readUInt32BE(1)
  const first: [string, string] = [data.toString('latin1', 0, 1), data.toString('latin1', 5, end)]
  return [first, ...messagesIn(data.subarray(end))]
}

function readIn(pieces: number, data: Buffer): [string, string][] {
  const shortener = new MessageShortener(10)
  const parts: Buffer[] = []
  for (let at = 0; at < data.length; at += pieces) {
    parts.push(...shortener.read(data.subarray(at, at + pieces)))
  }
  return messagesIn(Buffer.concat(parts))
}

describe('a message of the server', () => {
  const long = Buffer.alloc(11, 'x')
  const sent = Buffer.concat([
    message('T', 'columns of a row'),
    message('D', 'short'),
    message('D', long),
    message('Z', ''),
    message('N', Buffer.concat([Buffer.from('SINFO\0M'), long])),
    message('E', long),
    message('D', 'last'),
  ])

  test.for([1, 2, 3, 5, 7, 16, 1_000])(
    'that is too long is shortened, and the others are not, in pieces of %i bytes',
    (pieces) => {
      expect(readIn(pieces, sent)).toEqual([
        ['T', 'columns of a row'],
        ['D', 'short'],
        ['D', '\0\0'],
        ['Z', ''],
        ['N', 'SINFO\0Mxxxxxxxxxxx\0\0'],
        ['E', 'xxxxxxxxxxx\0\0'],
        ['D', 'last'],
      ])
    },
  )

  test.for([1, 4, 1_000])('of COPY loses nothing, in pieces of %i bytes', (pieces) => {
    const read = readIn(pieces, Buffer.concat([message('d', long), message('c', '')]))

    expect(read.map(([letter]) => letter).at(-1)).toBe('c')
    expect(read.map(([, body]) => body).join('')).toBe(long.toString())
  })
})

describe('a SQL task', () => {
  test('may give a row longer than what is read of one', async ({ workSql, runSql }) => {
    await workSql()

    const { output } = await runSql(`select repeat('x', 65 * 1024 * 1024) as a; select 7 as b`)

    expect(output.results).toMatchObject([
      { rows: [], row_count: 1, dropped: 1 },
      { rows: [['7']], row_count: 1, dropped: 0 },
    ])
  })
})
