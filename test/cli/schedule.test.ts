import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, inject } from 'vitest'
import { type Said, tusk } from '../support/cli.ts'
import { test as base } from '../support/engine.ts'

/** Runs `tusk schedule …` on the schema of this test. */
const test = base.extend<{
  schedule: (...args: string[]) => Promise<Said>
  file: (text: string) => Promise<string>
}>({
  schedule: async ({ db: _, schema }, use) => {
    const env = { DATABASE_URL: inject('pgUrl'), TUSK_SCHEMA: schema }
    await use((...args) => tusk(['schedule', ...args], env))
  },
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures' names from the pattern.
  file: async ({}, use) => {
    const directory = await mkdtemp(join(tmpdir(), 'tusk-schedules-'))
    await use(async (text) => {
      const path = join(directory, 'schedules.json')
      await writeFile(path, text)
      return path
    })
    await rm(directory, { recursive: true })
  },
})

const daily = ['--cron', '30 2 * * *', '--zone', 'Europe/Berlin']

describe('tusk schedule', () => {
  test('sets one, shows it, changes it, and lists it', async ({ schedule, engine }) => {
    const set = await schedule(
      ...['set', 'report', '--queue', 'reports', '--payload', '{"of": "today"}', ...daily],
    )
    await schedule('set', 'report', '--overlap', 'skip', '--catch-up', '5')

    expect(set).toMatchObject({ code: 0, data: expect.stringMatching(/^\d{4}-.*Z\n$/) })
    expect(set.talk).toContain('02:30')
    expect(await engine.schedule('report')).toMatchObject({
      task: { queue: 'reports', payload: { of: 'today' } },
      cron: '30 2 * * *',
      overlap: 'skip',
      catch_up: 5,
    })
    expect(JSON.parse((await schedule('list')).data)).toMatchObject([
      { name: 'report', state: 'planned', words: expect.stringContaining('02:30') },
    ])
    expect((await schedule('list', '-o', 'table')).data).toMatch(
      /^schedule .*\n─.*\nreport +│ planned │ in \d.*02:30/,
    )
    expect((await schedule('show', 'report', '-o', 'table')).data).toMatch(/overlap +skip\n/)
  })

  test('pauses, resumes, runs and deletes', async ({ schedule, engine }) => {
    await schedule('set', 'report', '--queue', 'reports', '--every', '1 hour')

    expect((await schedule('pause', 'report')).talk).toBe('Schedule report is paused.\n')
    const ran = await schedule('run', 'report')
    expect(await engine.task(ran.data.trim())).toMatchObject({ queue: 'reports' })
    expect((await schedule('show', 'report', '-o', 'table')).data).toMatch(
      /│ fired +│ now +│ +\d+\n$/,
    )
    expect((await schedule('resume', 'report')).talk).toBe('Schedule report is resumed.\n')
    expect(await schedule('delete', 'report')).toMatchObject({
      code: 2,
      talk: expect.stringMatching(/this deletes the schedule report.*\n.*--yes/),
    })
    expect(await schedule('delete', 'report', '--dry-run')).toMatchObject({
      code: 0,
      data: expect.stringContaining('"report"'),
      talk: expect.stringContaining('Nothing was changed'),
    })
    expect((await schedule('delete', 'raport', '--yes')).code).toBe(3)
    expect((await schedule('delete', 'report', '--yes')).code).toBe(0)
    expect((await schedule('list')).data).toBe('[]\n')
  })

  test('previews what is set, and what is not set yet', async ({ schedule }) => {
    await schedule('set', 'report', '--queue', 'reports', ...daily)
    const range = ['-n', '2', '--from', '2027-03-28']

    const named = await schedule('preview', 'report', ...range)
    const tried = await schedule('preview', ...daily, ...range)

    expect(JSON.parse(named.data)).toMatchObject([
      {
        planned_at: '2027-03-28T01:00:00.000Z',
        local: 'Sun 2027-03-28 03:00:00 +02:00',
        note: 'moved',
        meant: '02:30',
        words: '02:30 does not exist: moved to 03:00',
      },
      { planned_at: '2027-03-29T00:30:00.000Z', local: 'Mon 2027-03-29 02:30:00 +02:00' },
    ])
    expect(tried.data).toBe(named.data)
  })

  test('fills a range, and says where to go on', async ({ schedule }) => {
    await schedule('set', 'report', '--queue', 'reports', '--cron', '@daily')
    const range = ['--from', '2026-01-01', '--to', '2026-01-03T00:00:00Z']

    const first = await schedule('backfill', 'report', ...range, '--limit', '2')
    const second = await schedule('backfill', 'report', ...range)

    expect(first).toMatchObject({ data: '2\n', talk: expect.stringContaining('2026-01-03T00') })
    expect(second).toMatchObject({ data: '1\n', talk: '' })
  })

  test('applies a file, and removes others only with --prune', async ({ schedule, file }) => {
    await schedule('set', 'other', '--queue', 'reports', '--cron', '@daily')
    const path = await file('{"report": {"task": {"queue": "reports"}, "every": "1 hour"}}')

    const pruned = [
      { name: 'report', outcome: 'kept' },
      { name: 'other', outcome: 'deleted' },
    ]
    expect(JSON.parse((await schedule('apply', path)).data)).toEqual([
      { name: 'report', outcome: 'created' },
    ])
    const trial = await schedule('apply', path, '--prune', '--dry-run')
    expect(JSON.parse(trial.data)).toEqual(pruned)
    expect(trial.talk).toBe('Dry run: nothing was changed.\n')
    expect(await schedule('apply', path, '--prune')).toMatchObject({
      code: 2,
      talk: expect.stringContaining('this deletes 1 schedule,'),
    })
    expect(JSON.parse((await schedule('apply', path, '--prune', '--yes')).data)).toEqual(pruned)
  })

  test.for([
    ['a schedule that is not there', ['show', 'raport'], 3, /there is no schedule 'raport'/],
    ['a wrong expression', ['set', 'a', '--queue', 'q', '--cron', '99 * * * *'], 2, /99/],
    ['a task without a queue', ['set', 'a', '--kind', 'sql', '--cron', '@daily'], 2, /no queue/],
    ['a task that is not JSON', ['set', 'a', '--task', '{queue}'], 2, /It is not JSON/],
    ['a time without an offset', ['preview', 'a', '--from', '2026-01-01T00:00'], 2, /an offset/],
    ['a preview of two', ['preview', 'a', '--cron', '@daily'], 2, /not of both/],
    [
      'two tasks',
      ['set', 'a', '--task', '{"queue": "q"}', '--queue', 'p'],
      2,
      /--task already describes/,
    ],
    ['a range without an end', ['backfill', 'a', '--from', '2026-01-01'], 2, /--to/],
    ['a file that is not there', ['apply', '/no/such/file.json'], 2, /cannot be read/],
    ['an option that it does not know', ['set', 'a', '--corn', '@daily'], 2, /--cron/],
    ['a rule that there is not', ['set', 'a', '--overlap', 'skp'], 2, /Did you mean skip\?/],
  ] as const)('refuses %s in one line, with a hint', async ([, args, code, said], { schedule }) => {
    const answer = await schedule(...args)

    expect(answer).toMatchObject({ code, data: '', talk: expect.stringMatching(/^tusk: /) })
    expect(answer.talk).toMatch(said)
  })

  test('refuses a file that is not an object of schedules', async ({ schedule, file }) => {
    expect(await schedule('apply', await file('[1]'))).toMatchObject({
      code: 2,
      talk: expect.stringContaining('not an object of schedules'),
    })
    expect(await schedule('apply', await file('{"a": {"corn": "@daily"}}'))).toMatchObject({
      code: 2,
      talk: expect.stringMatching(/schedule a .*'corn'\nDid you mean cron\?/),
    })
  })
})
