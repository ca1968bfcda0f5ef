import { readFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { codeBySqlState } from '../../src/db/queryable.ts'

const read = (path: string) => readFile(new URL(`../../${path}`, import.meta.url), 'utf8')
const page = await read('docs/reference/errors.md')

/** The rows of the first table: SQLSTATE, names, cause and remedy. */
const rows = Array.from(
  page.matchAll(/^\| (`\w+`|–) \| ([^|]+) \| ([^|]+) \| ([^|]+) \|$/gm),
  ([, state = '', names = '', cause = '', remedy = '']) => ({
    state: state.replaceAll('`', ''),
    names: Array.from(names.matchAll(/`(\w+)`/g), ([, name = '']) => name),
    cause,
    remedy,
  }),
)

describe('the page on errors', () => {
  test('lists every code of a TuskError once, and no other', async () => {
    const source = await read('src/lib/errors.ts')
    const codes = Array.from(source.matchAll(/^ {2}\| '(\w+)'$/gm), ([, code = '']) => code)

    expect(codes.length).toBeGreaterThan(20)
    const listed = rows.flatMap(({ names }) => names)
    expect(listed).toHaveLength(codes.length)
    expect(new Set(listed)).toEqual(new Set(codes))
  })

  test('gives every SQLSTATE of the engine with its code', () => {
    const stated = rows.flatMap(({ state, names }) => names.map((name) => [name, state] as const))

    for (const [state, code] of Object.entries(codeBySqlState)) {
      expect(Object.fromEntries(stated)[code], code).toBe(state)
    }
  })

  test('says of each its cause and what to do', () => {
    for (const { names, cause, remedy } of rows) {
      expect(cause.trim().length, names.join()).toBeGreaterThan(10)
      expect(remedy.trim(), names.join()).not.toBe('')
    }
  })

  test('lists every code that a worker writes into the error of a task', async () => {
    const faults = await read('src/engine/sql-output.ts')
    const union = /type ConnectionFault =([\s\S]*?)\n\n/.exec(faults)?.[1] ?? ''
    const codes = Array.from(union.matchAll(/'(\w+)'/g), ([, code = '']) => code)

    expect(codes.length).toBeGreaterThan(3)
    for (const code of codes) expect(page).toContain(`| \`${code}\` |`)
  })
})
