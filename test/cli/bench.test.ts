import { describe, expect, inject } from 'vitest'
import { tusk } from '../support/cli.ts'
import { query, test } from '../support/home.ts'

const scratch = `select nspname from pg_namespace where nspname like 'tusk\\_bench\\_%'`

describe('tusk bench', () => {
  test('measures three things and leaves nothing behind', async () => {
    const url = inject('pgUrl')
    const args = ['bench', '--tasks', '300', '--pickups', '5', '--database-url', url]

    const { code, data, talk } = await tusk(args, {}, () => new Promise(() => {}))

    expect({ code, talk }).toEqual({ code: 0, talk: expect.stringContaining('schema tusk_bench_') })
    expect(JSON.parse(data)).toMatchObject([
      { part: 'enqueue', tasks: 300 },
      { part: 'drain', tasks: 300 },
      { part: 'pickup', tasks: 5, p50_ms: expect.any(Number), p99_ms: expect.any(Number) },
    ])
    expect(await query(url, scratch)).toEqual([])
  })

  test('drops its schema when it is stopped early', async () => {
    const url = inject('pgUrl')
    const args = ['bench', '--tasks', '1000000', '--database-url', url]

    const { code } = await tusk(args, {}, () => Promise.resolve())

    expect(code).toBe(1)
    expect(await query(url, scratch)).toEqual([])
  })
})
