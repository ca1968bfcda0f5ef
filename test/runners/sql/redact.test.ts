import { describe, expect } from 'vitest'
import { redact, redactHost } from '../../../src/lib/redact.ts'
import {
  ConnectionError,
  toConnectionError,
} from '../../../src/runners/sql/connections/connection-error.ts'
import { parseConninfo } from '../../../src/runners/sql/connections/conninfo.ts'
import { test } from '../../support/sql-tasks.ts'

/** Connection strings that were written down wrongly, each with "secret" where its password is. */
const malformed = [
  'u:secret@h/db',
  '//u:secret@h/db',
  'postgres:/u:secret@h/db',
  'postgres//u:secret@h/db',
  ' postgres://u:secret@h/db',
  'postgres://u:secret',
  'postgres://u:secret/db',
  'postgres://u:secret:x/db',
  'postgres://u:secret,h2/db',
  'postgres://u@x:secret@h/db',
  'postgres://u:se@secret@h1:1,h2:2/db',
  'postgres://u:a secret@h/db',
  'postgres://u:a"secret@h/db',
  'postgres://u:a/secret@h/db',
  'postgres://u:a?secret@h/db',
  'postgres://u:%secret@h/db',
  'postgres://u:secret@[::1/db',
  'postgres://h/db?pass=secret',
  'postgres://h/db?p%61ssword=secret',
  'postgres://h/db?user=u&PASSWORD=secret%',
  'postgresql+psycopg://u:secret@h/db',
  'jdbc:postgresql://h/db?user=u&password=secret',
  'host=u:secret@h',
  'host=h dbname=postgres://u:secret@h/db',
  'Server=h;Password=secret;User=u',
  "password = 'a secret' host=h",
  "host=h password='secret",
  'host=h password=a secret b user=u',
  'host=h password=a secret=b user=u',
  'host=h password="a secret" user=u',
  'host=h pass=secret user=u',
  'host=h PASSWORD = secret',
  "host=h options='-c my.password=secret'",
]

/** Texts that make a careless pattern look at every character again for every character. */
const hostile: readonly (readonly [string, (length: number) => string])[] = [
  ['blanks', (n) => `password=a${' '.repeat(n)}b`],
  ['words', (n) => `password=${'a '.repeat(n / 2)}`],
  ['passwords', (n) => 'password '.repeat(n / 9)],
  ['open quotes', (n) => `password=' `.repeat(n / 11)],
  ['backslashes', (n) => `password='${'\\'.repeat(n)}`],
  ['schemes', (n) => 'postgres://a:'.repeat(n / 13)],
  ['schemes with blanks', (n) => 'postgres://a:b '.repeat(n / 15)],
  ['hosts', (n) => `postgres://${'h:1,'.repeat(n / 4)}:x`],
  ['parameters', (n) => `postgres://h/?${'&password'.repeat(n / 9)}`],
  ['pairs', (n) => 'a=b '.repeat(n / 4)],
]
const megabyte = 1_000_000

describe('a password', () => {
  test.for(malformed)('is not shown by the views: %s', async (dsn, { engine }) => {
    const payload = { sql: 'select 1', connection: { dsn } }
    await engine.enqueue({ queue: 'sql', kind: 'sql', payload })

    const [row] = await engine.rows<{ dsn: string }>(
      `select payload #>> '{connection,dsn}' as dsn from task`,
    )

    expect(row?.dsn).toContain('***')
    expect(row?.dsn).not.toContain('secret')
  })

  test.for(malformed)('is not in the error of a task: %s', async (dsn, { work, runSql }) => {
    await work({ sql: { allowConnectionStrings: true } })

    const { state, error } = await runSql({
      sql: 'select 1',
      connection: { dsn },
    })

    expect(state).toBe('failed')
    expect(JSON.stringify(error)).not.toContain('secret')
  })

  test('is not in an error that repeats a connection string', () => {
    const uris = malformed.filter((dsn) => dsn.includes('://'))
    const reported = uris.map((dsn) => redact(`could not use the string ${dsn} today`))

    expect(reported.filter((text) => text.includes('secret') || !text.includes('today'))).toEqual(
      [],
    )
    expect(redact('could not use postgres://h:5432/db today')).toBe(
      'could not use postgres://h:5432/db today',
    )
    expect(redact(`db_password = 'a \\'secret' and more`)).toBe('db_password = *** and more')
    expect(redactHost('u:secret@h')).toBe('h')
    expect(
      toConnectionError({ host: 'u:secret@h', port: 1 }, { code: 'ENOTFOUND' }).message,
    ).toContain('"h"')
    expect(() => parseConninfo('u:secret@h')).toThrow('missing "=" after "***"')
    expect(
      new ConnectionError('no password=secret here', { fault: 'connection_failed' }).message,
    ).not.toContain('secret')
  })
})

describe('a megabyte of hostile text', () => {
  test.for(hostile)('of %s takes the views one look', async ([, make], { engine, connect }) => {
    const there = engine.on(await connect())
    // A backstop: one pass takes milliseconds, and a look per pair of characters would take hours.
    await there.rows(`set statement_timeout = '60s'`)
    for (const length of [4_000, megabyte]) {
      const payload = { sql: 'select 1', connection: { dsn: make(length) } }

      const [row] = await there.rows<{ shown: string }>(
        `select hide_password('sql', $1) #>> '{connection,dsn}' as shown`,
        payload,
      )

      expect(row?.shown.length).toBeLessThanOrEqual(5_000)
    }
  })

  test.for(hostile)(
    'of %s takes the redaction of errors one look',
    // Likewise a backstop.
    { timeout: 60_000 },
    ([, make]) => {
      expect(redact(make(megabyte)).length).toBeLessThanOrEqual(2 * megabyte)
    },
  )
})
