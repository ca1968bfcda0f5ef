import { readFile } from 'node:fs/promises'
import { describe, expect } from 'vitest'
import { describeSchedule } from '../../src/lib/schedule-words/describe-schedule.ts'
import { test } from '../support/engine.ts'

const plan = { every: null, at: null, zone: 'UTC', drift: 'planned', anchor: new Date(0) } as const

/** The rows of the table under a heading: what is written in code, and what is said of it. */
async function rowsUnder(heading: string): Promise<[string, string][]> {
  const page = await readFile(new URL('../../docs/reference/cron.md', import.meta.url), 'utf8')
  const section = page.split(/^#+ /m).find((part) => part.startsWith(`${heading}\n`)) ?? ''
  const rows = section.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)
  return Array.from(rows, ([, written = '', said = '']) => [written, said])
}

describe('the page on cron', () => {
  test('describes each expression as the doors do', async () => {
    const rows = await rowsUnder('In words')

    expect(rows.length).toBeGreaterThan(10)
    for (const [cron, words] of rows) {
      expect(describeSchedule({ ...plan, cron })).toBe(words)
    }
  })

  test('shows refusals as the engine gives them', async ({ engine }) => {
    const rows = await rowsUnder('Rejected expressions')

    expect(rows.length).toBeGreaterThan(5)
    for (const [cron, answer] of rows) {
      await expect(engine.value('select parse_cron($1)', cron), cron).rejects.toMatchObject({
        code: 'invalid_argument',
        message: expect.stringMatching(new RegExp(`^cron "[^"]+":? ${answer}$`)),
      })
    }
  })
})
