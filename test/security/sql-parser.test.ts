import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { afterEach, describe, expect, test } from 'vitest'
import { commentsNestBeyond } from '../../src/runners/sql/parser/comment-depth.ts'
import { ScriptReader } from '../../src/runners/sql/parser/script.ts'
import {
  SqlParser,
  type SqlParserOptions,
  Unreadable,
} from '../../src/runners/sql/parser/sql-parser.ts'

const opened: SqlParser[] = []

function open(options?: SqlParserOptions): SqlParser {
  const parser = new SqlParser(options)
  opened.push(parser)
  return parser
}

afterEach(() => {
  for (const parser of opened.splice(0)) parser.close()
})

/** Operators keep the parser busy for minutes, and no comment is in them. */
const endless = `select 1 ${'+-'.repeat(400_000)} 1`

describe('the parser of SQL', () => {
  test('gives up a text that takes too long, and parses the next one in a new thread', async () => {
    const parser = open({ timeoutMs: 3_000 })

    const refused = parser.parse(endless)
    let turns = 0
    const turning = setInterval(() => {
      turns += 1
    }, 10)

    await expect(refused).rejects.toThrow(Unreadable)
    await expect(refused).rejects.toThrow('parsing took longer than 3 seconds')
    clearInterval(turning)
    // The loop went on meanwhile.
    expect(turns).toBeGreaterThan(1)
    expect((await parser.parse('select 1; vacuum')).map(({ kind }) => kind)).toEqual([
      'select',
      'vacuum',
    ])
  })

  test('parses what waits behind a text that was given up, in a new thread', async () => {
    let threads = 0
    const count = () => {
      threads += 1
    }
    subscribe('worker_threads', count)
    const parser = open({ timeoutMs: 20_000 })
    await parser.parse('select 0')
    // A stack that is exhausted ends the thread as well.
    const exhausted = parser.parse(`select ${"'x'||".repeat(100_000)}'x'`)
    const waiting = parser.parse('select 1')

    await expect(exhausted).rejects.toThrow(Unreadable)
    expect(await waiting).toHaveLength(1)
    unsubscribe('worker_threads', count)
    expect(threads).toBe(2)
  })

  test('rejects comments that nest too deeply without parsing them', async () => {
    const parser = open()

    await expect(parser.parse('/*'.repeat(100_000))).rejects.toThrow(
      'comments nest more than 200 levels deep',
    )
    await expect(
      parser.parse(`select 1 ${'/*'.repeat(100_000)}${'*/'.repeat(100_000)}`),
    ).rejects.toThrow('comments nest more than 200 levels deep')
  })

  test('rejects a text longer than a megabyte', async () => {
    await expect(open().parse(`select '${'x'.repeat(1024 * 1024)}'`)).rejects.toThrow('1048576')
  })

  test('lets only so many texts wait', async () => {
    const parser = open({ maxWaiting: 2 })
    const answers = await Promise.allSettled([1, 2, 3, 4].map((n) => parser.parse(`select ${n}`)))

    expect(answers.map(({ status }) => status)).toEqual([
      'fulfilled',
      'fulfilled',
      'rejected',
      'rejected',
    ])
    expect(answers[3]).toMatchObject({ reason: { code: 'too_many_pending' } })
  })

  test('rejects what waits when it is closed', async () => {
    const parser = open()
    const waiting = parser.parse('select 1')
    parser.close()

    await expect(waiting).rejects.toMatchObject({ code: 'client_closed' })
    await expect(parser.parse('select 1')).rejects.toMatchObject({ code: 'client_closed' })
  })
})

test('a script that cannot be parsed in time is left to the server', async () => {
  const scripts = new ScriptReader(open({ timeoutMs: 200 }))

  expect(await scripts.read(endless)).toEqual({
    way: 'whole',
    statements: [{ text: endless, offset: 0, kind: '' }],
  })
})

describe('comments', () => {
  test.for([
    ['/*/*/* x */*/*/ select 1', true],
    ['/* /* x */ */ /* /* */ */', false],
    ["select '/*/*/*/*'", false],
    ['select "/*/*/*/*"', false],
    ['-- /*/*/*/*', false],
    ['select $$/*/*/*/*$$, $a$/*/*/*/*$a$', false],
    ['select $a$x$a$ /*/*/*/*', true],
    ["select 'it''s' /*/*/*", true],
    ['', false],
  ] as const)('of %j nest beyond two levels: %j', ([text, isBeyond]) => {
    expect(commentsNestBeyond(2, text)).toBe(isBeyond)
  })
})
