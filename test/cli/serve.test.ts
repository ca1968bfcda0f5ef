import { describe, expect, inject } from 'vitest'
import { tusk } from '../support/cli.ts'
import { test } from '../support/engine.ts'
import { listening } from '../support/listening.ts'

describe('tusk serve', () => {
  test('serves an engine that is installed, and says how to get a token', async ({
    engine,
    schema,
  }) => {
    await engine.value('select 1')
    const env = { DATABASE_URL: inject('pgUrl'), TUSK_SCHEMA: schema }
    const answers: number[] = []

    const { code, data, talk } = await listening(
      ['serve', '--http-base-path', '/tusk'],
      env,
      async ({ url }) => {
        for (const path of ['/tusk/healthz', '/tusk/readyz', '/tusk/api/v1/info'])
          answers.push((await fetch(`${url}${path}`)).status)
      },
    )

    expect({ code, answers }).toEqual({ code: 0, answers: [200, 200, 401] })
    expect(data).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/tusk\n$/)
    expect(talk).toContain('tusk token create me --scope admin')
  })

  test('will not listen to the world while there is no token', async ({ engine, schema }) => {
    await engine.value('select 1')
    const env = { DATABASE_URL: inject('pgUrl'), TUSK_SCHEMA: schema }

    const { code, talk } = await tusk(['serve', '--http-host', '0.0.0.0', '--http-port', '0'], env)

    expect(code).toBe(2)
    expect(talk).toContain('cannot listen on 0.0.0.0 while there is no token')
  })

  test('changes no schema, and says what a wrong one needs', async ({ db, engine, schema }) => {
    await engine.value('select 1')
    const env = { DATABASE_URL: inject('pgUrl'), TUSK_HTTP_PORT: '0' }
    const missing = await tusk(['serve', '--schema', 'nowhere'], env)
    const path = 'verbs/tasks/cancel.sql'
    const { rows } = await db.query('delete from installed where path = $1 returning *', [path])
    const behind = await tusk(['serve', '--schema', schema], env)
    await db.query(
      'insert into installed select * from jsonb_populate_record(null::installed, $1)',
      [JSON.stringify(rows[0])],
    )

    expect(missing).toMatchObject({
      code: 1,
      talk: expect.stringContaining(
        'is not installed in schema "nowhere"\nRun `npx tusk migrate up`',
      ),
    })
    expect(behind).toMatchObject({
      code: 1,
      talk: expect.stringContaining('older version of Tusk\nRun `npx tusk migrate up`'),
    })
  })

  test.for([
    [['--http-port', 'high'], 'A port is a number from 0 to 65535.'],
    [['--prot', '1'], '(Did you mean --port?)'],
    [['--log-level', 'wran'], 'Did you mean warn?'],
    [['--http-base-path', 'tusk/'], '--http-base-path must be a path such as /tusk'],
  ] as const)('answers %j with a line', async ([args, words]) => {
    const answer = await tusk(['serve', ...args], { DATABASE_URL: inject('pgUrl') })

    expect(answer).toMatchObject({ code: 2, talk: expect.stringContaining(words) })
  })
})
