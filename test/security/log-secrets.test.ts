import pino from 'pino'
import { expect, test } from 'vitest'
import { redactedFields } from '../../src/lib/redacted-fields.ts'

test('a log line has no secrets of what it is about', () => {
  const lines: string[] = []
  const log = pino({ redact: redactedFields }, { write: (line: string) => void lines.push(line) })
  const err = Object.assign(new Error('no connection'), {
    password: 'hidden-1',
    config: { connectionString: 'postgres://u:hidden-2@h/db' },
    request: { headers: { authorization: 'Bearer hidden-3', cookie: 'tusk_session=hidden-4' } },
  })

  log.error({ err, token: 'hidden-5' }, 'a request failed')

  expect(lines.join()).toContain('no connection')
  expect(lines.join()).not.toContain('hidden')
})
