import { readFile } from 'node:fs/promises'
import { describe, expect, inject, vi } from 'vitest'
import { byErrorCode, exitCode } from '../../src/cli/process/exit-code.ts'
import { buildProgram } from '../../src/cli/program.ts'
import { filterQualifiers } from '../../src/lib/filter-query.ts'
import { terminal } from '../support/cli.ts'
import { test } from '../support/engine.ts'

// Who sits there on the page: how wide the other columns are depends on it.
vi.mock('node:os', async (original) => {
  const os = await original<typeof import('node:os')>()
  return { ...os, hostname: () => 'lab', userInfo: () => ({ ...os.userInfo(), username: 'ada' }) }
})

const page = await readFile(new URL('../../docs/reference/cli.md', import.meta.url), 'utf8')

interface Step {
  readonly line: string
  readonly answer: string
}

/** What is typed after each `$ `, and what the page shows below it. */
function steps(): Step[] {
  const blocks = Array.from(page.matchAll(/```console\n([\s\S]*?)```/g), ([, block = '']) => block)
  return blocks.flatMap((block) =>
    block
      .split(/^\$ /m)
      .filter(Boolean)
      .map((step) => {
        const end = step.indexOf('\n')
        return { line: step.slice(0, end), answer: step.slice(end + 1) }
      }),
  )
}

function wordsOf(line: string): string[] {
  const words = line.match(/(?:'[^']*'|[^\s'])+/g) ?? []
  return words.map((word) => word.replaceAll(/'([^']*)'/g, '$1'))
}

/** Without what differs from run to run: moments, and the widths that follow. */
function steady(text: string): string {
  return text
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .replaceAll(/\d+[smhd]( \d+[smhd])? ago/g, 'AGO')
    .replaceAll(/in \d+[smhd]( \d+[smhd])?/g, 'SOON')
    .replaceAll(/(by +)\w+$/gm, '$1LOGIN')
    .replaceAll(/─+/g, '─')
    .replaceAll(/[^\S\n]+/g, ' ')
    .replaceAll(/ $/gm, '')
    .trim()
}

describe('the page on the command line', () => {
  test('shows what the commands print', async ({ db: _, schema }) => {
    const env = { DATABASE_URL: inject('pgUrl'), TUSK_SCHEMA: schema, NO_COLOR: '1' }

    expect(steps().length).toBeGreaterThan(12)
    for (const { line, answer } of steps()) {
      const said = await terminal(wordsOf(line).slice(1), { env, columns: 110 })
      // The bar of progress is gone when the command has ended.
      const seen = said.seen.replaceAll(/\r[^\r\n]*(?=\r)/g, '').replaceAll('\r\x1b[2K', '')
      expect(steady(seen), line).toBe(steady(answer))
    }
  })

  test('lists every exit code with every error that ends so', () => {
    const rows = Array.from(
      page.matchAll(/^\| (\d+) \| [^|]+ \| ([^|]*) \|$/gm),
      ([, code = '', names = '']) =>
        [Number(code), Array.from(names.matchAll(/`(\w+)`/g), ([, name = '']) => name)] as const,
    )

    expect(rows.map(([code]) => code)).toEqual(Object.values(exitCode))
    const reported = rows.flatMap(([code, names]) => names.map((name) => [name, code] as const))
    expect(Object.fromEntries(reported)).toEqual(byErrorCode)
  })

  test('names every command and every qualifier of a query', () => {
    const io = { write: () => true }
    const program = buildProgram({
      stdout: io,
      stderr: io,
      env: {},
      stopRequested: () => Promise.resolve(),
    })

    for (const command of program.commands) expect(page).toContain(`\`${command.name()}`)
    for (const noun of program.commands)
      for (const verb of noun.commands)
        expect(page, `${noun.name()} ${verb.name()}`).toMatch(
          new RegExp(`\`${noun.name()} [^\`]*\\b${verb.name()}\\b`),
        )
    for (const name of Object.keys(filterQualifiers)) expect(page).toContain(`\`${name}:`)
  })
})
