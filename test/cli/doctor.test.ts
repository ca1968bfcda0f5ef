import { describe, expect, inject } from 'vitest'
import type { Finding } from '../../src/doctor/finding.ts'
import { tusk } from '../support/cli.ts'
import { test } from '../support/engine.ts'

describe('tusk doctor', () => {
  test('gives its findings as data, and 1 when there is a problem', async ({ engine, schema }) => {
    const env = { DATABASE_URL: inject('pgUrl'), TUSK_SCHEMA: schema }
    const args = ['doctor', '--only', 'queues', '--only', 'schema-version']

    const before = await tusk(args, env)
    const { id } = await engine.enqueue({ queue: 'mail' })
    await engine.pass('5 minutes', id)
    const after = await tusk(args, env)

    expect(before.code).toBe(0)
    expect(after.code).toBe(1)
    expect(JSON.parse(after.data)).toMatchObject([
      { check: 'schema-version', level: 'ok' },
      { check: 'queues', level: 'problem', details: { queue: 'mail' } },
    ] satisfies Partial<Finding>[])
  })

  test('tells people what is wrong and what to do, and counts what is well', async ({ schema }) => {
    const env = { DATABASE_URL: inject('pgUrl') }
    const args = ['doctor', '-o', 'table', '--only', 'schema-version', '--only', 'version']

    const { code, data } = await tusk([...args, '--schema', `${schema}_not`], env)
    const verbose = await tusk([...args, '--schema', schema, '--verbose'], env)

    expect(code).toBe(1)
    expect(data).toBe(
      [
        `✗ schema-version  Tusk is not installed in schema ${schema}_not.`,
        '    Run: tusk migrate up, or name another --schema.',
        '1 problem, 1 check is well.',
        '',
      ].join('\n'),
    )
    expect(verbose.data).toContain('✓ schema-version  The schema is that of this version.')
  })

  test('looks at all of it with nothing asked for', async ({ schema }) => {
    const env = { DATABASE_URL: inject('pgUrl'), TUSK_SCHEMA: schema }

    const { data } = await tusk(['doctor', '-o', 'jsonl'], env)

    const checks = data
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as Finding).check)
    expect(checks).toContain('pooler')
    expect(checks).toContain('clock')
  })

  test.for([
    [['--only', 'queue'], 2, 'Did you mean queues?'],
    [['--database-url', 'postgres://ada:hush@127.0.0.1:1/x'], 1, 'cannot reach Postgres'],
  ] as const)('answers %j with a line', async ([args, code, words]) => {
    const answer = await tusk(['doctor', ...args], { TUSK_HOME: '/nonexistent' })

    expect(answer).toMatchObject({ code, talk: expect.stringContaining(words) })
    expect(answer.talk).not.toContain('hush')
  })
})
