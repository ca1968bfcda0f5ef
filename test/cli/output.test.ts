import { describe, expect, test } from 'vitest'
import { csvLines } from '../../src/cli/output/csv.ts'
import { formatProgress, startProgress } from '../../src/cli/output/progress.ts'
import { type Column, Screen, type ScreenOptions } from '../../src/cli/output/screen.ts'
import { fromNow, spanInWords } from '../../src/cli/output/spans.ts'
import { table } from '../../src/cli/output/table.ts'
import { textWidth } from '../../src/cli/output/text-width.ts'
import type { Io } from '../../src/cli/process/io.ts'
import { openConsoleLogger } from '../../src/cli/serving/console-logger.ts'

interface Heard {
  readonly io: Io
  readonly data: string[]
  readonly talk: string[]
}

function listen(isTTY: boolean, env: NodeJS.ProcessEnv = {}, columns = 40): Heard {
  const data: string[] = []
  const talk: string[] = []
  const io: Io = {
    stdout: { isTTY, columns, write: (text) => data.push(text) },
    stderr: { isTTY, columns, write: (text) => talk.push(text) },
    env,
    stopRequested: () => Promise.resolve(),
  }
  return { io, data, talk }
}

const rows = [
  { name: 'ada', at: new Date(0), more: { n: 1 } },
  { name: 'bob "b"', at: null, more: null },
]
const columns: readonly Column<(typeof rows)[number]>[] = [
  { name: 'name', of: ({ name }) => name, style: () => 'red' },
]

function printed(isTTY: boolean, options: ScreenOptions = {}, env: NodeJS.ProcessEnv = {}) {
  const { io, data, talk } = listen(isTTY, env)
  const screen = new Screen(io, options)
  screen.list(rows, columns)
  screen.say('Done.')
  return { data: data.join(''), talk: talk.join('') }
}

describe('a list', () => {
  test('is a table on a terminal and JSON elsewhere', () => {
    expect(printed(true, {}, { NO_COLOR: '1' }).data).toBe('name\n───────\nada\nbob "b"\n')
    expect(JSON.parse(printed(false).data)).toEqual(JSON.parse(JSON.stringify(rows)))
  })

  test('is whole on a terminal of unknown size', () => {
    const { io, data } = listen(true, { NO_COLOR: '1' }, 0)

    new Screen(io, {}).list([{ name: 'a long name' }], [{ name: 'name', of: ({ name }) => name }])

    expect(data.join('')).toContain('\na long name\n')
  })

  test('is what was asked for, anywhere', () => {
    expect(printed(true, { output: 'jsonl' }).data).toBe(
      '{"name":"ada","at":"1970-01-01T00:00:00.000Z","more":{"n":1}}\n' +
        '{"name":"bob \\"b\\"","at":null,"more":null}\n',
    )
    expect(printed(false, { output: 'csv' }).data).toBe(
      'name,at,more\nada,1970-01-01T00:00:00.000Z,"{""n"":1}"\n"bob ""b""",,\n',
    )
    expect(printed(false, { output: 'table' }).data).toBe('name\n───────\nada\nbob "b"\n')
  })

  test('has colours on a terminal only, and there by default', () => {
    expect(printed(true).data).toContain('\x1b[31mada')
    expect(printed(true, { color: false }).data).not.toContain('\x1b')
    expect(printed(true, {}, { NO_COLOR: '1' }).data).not.toContain('\x1b')
    expect(printed(true, {}, { TERM: 'dumb' }).data).not.toContain('\x1b')
    expect(printed(false, { output: 'table' }).data).not.toContain('\x1b')
  })

  test('comes without talk when quiet', () => {
    expect(printed(false).talk).toBe('Done.\n')
    expect(printed(false, { quiet: true }).talk).toBe('')
  })
})

describe('a table', () => {
  test('is cut to the width of the terminal, where there is most to cut', () => {
    const cells = [['1', 'a long text that goes on and on', 'short']]

    const lines = table([{ name: 'id' }, { name: 'text' }, { name: 'end' }], cells, { fit: 30 })

    expect(lines.map(textWidth)).toEqual([28, 30, 30])
    expect(lines[2]).toBe('1  │ a long text that… │ short')
  })

  test('gives letters of two places their room', () => {
    const lines = table(
      [{ name: 'a' }, { name: 'b' }],
      [
        ['漢字', 'x'],
        ['é', 'y'],
        ['🙂', 'z'],
      ],
    )

    expect(lines).toEqual(['a    │ b', '─────┼──', '漢字 │ x', 'é    │ y', '🙂   │ z'])
  })
})

describe('CSV', () => {
  test('quotes what must be quoted, and gives every row every field', () => {
    expect(
      csvLines([
        { a: 'x,y', b: 'two\nlines' },
        { b: 1, c: true },
      ]),
    ).toEqual(['a,b,c', '"x,y","two\nlines",', ',1,true'])
    expect(csvLines([])).toEqual([])
  })
})

describe('a span of time', () => {
  test.for([
    [0, '0s'],
    [59_999, '59s'],
    [60_000, '1m'],
    [185_000, '3m 5s'],
    [97_200_000, '1d 3h'],
  ] as const)('of %d ms is %s', ([ms, words]) => {
    expect(spanInWords(ms)).toBe(words)
    expect(fromNow(new Date(0), ms)).toBe(`${words} ago`)
  })

  test('lies ahead, or nowhere', () => {
    expect(fromNow(new Date(60_000), 0)).toBe('in 1m')
    expect(fromNow(null)).toBeNull()
  })
})

describe('progress', () => {
  test('tells how much is done, how fast, and how long it will take', () => {
    expect(formatProgress(2_500, 10_000, 5_000)).toBe(
      `${'━'.repeat(6)}${'─'.repeat(18)} 25 % · 2,500 of 10,000 · 500/s · 15s left`,
    )
    expect(formatProgress(10, 10, 1_000)).toBe(`${'━'.repeat(24)} 100 % · 10 of 10 · 10/s`)
    expect(formatProgress(0, 0, 0)).toContain('100 %')
    expect(formatProgress(1_200, undefined, 1_000)).toBe('1,200 · 1,200/s')
  })

  test('draws one line on a terminal and takes it away', () => {
    const { io, talk } = listen(true)

    const progress = startProgress(io, { label: 'Moving', total: 4 })
    progress.update(1)
    progress.end()

    expect(talk[0]).toContain('\r\x1b[2KMoving ━━━━━━──────────────────')
    expect(talk[0]).toContain('25 % · 1 of 4')
    expect(talk.at(-1)).toBe('\r\x1b[2K')
  })

  test('says nothing of short work in a log, and nothing at all when quiet', () => {
    const log = listen(false)
    const quiet = listen(true)

    startProgress(log.io, { label: 'Moving', total: 4 }).update(1)
    const progress = startProgress({ ...quiet.io, isQuiet: true }, { label: 'Moving', total: 4 })
    progress.update(1)
    progress.end()

    expect([...log.talk, ...quiet.talk]).toEqual([])
  })
})

describe('what a server says of itself', () => {
  const err = new Error('full \u001b[2J\nof it \u009b')

  test('is a line without what would move the cursor on a terminal', () => {
    const { io, talk } = listen(true, { NO_COLOR: '1' })

    openConsoleLogger(io, 'worker', 'warn').warn({ queue: 'a\u009bb', err }, 'a task failed')
    openConsoleLogger(io, 'worker', 'warn').info({}, 'nothing')

    // Its message on one line, and below it where in the application it was thrown.
    const [line, ...frames] = talk.join('').trimEnd().split('\n')
    expect(line).toBe('worker: a task failed: full ·[2J↵of it · {"queue":"a·b"}')
    expect(frames).toEqual([expect.stringMatching(/^ {4}at \S+output\.test\.ts:\d+:\d+$/)])
  })

  test('is a line of JSON elsewhere', () => {
    const { io, talk } = listen(false)

    openConsoleLogger(io, 'worker', 'warn').warn({ queue: 'a', err }, 'a task failed')

    expect(talk.join('').trim().split('\n')).toHaveLength(1)
    expect(JSON.parse(talk.join(''))).toMatchObject({
      level: 'warn',
      name: 'worker',
      msg: 'a task failed',
      queue: 'a',
      err: { type: 'Error', message: err.message },
    })
  })
})
