import { describe, expect } from 'vitest'
import { test } from '../../support/engine.ts'

const refused = (words: string) => ({
  code: 'invalid_argument',
  message: expect.stringContaining(words),
})

describe('a statement', () => {
  test.for([
    [{}, 'it has no sql'],
    [{ sql: 5 }, 'sql must be text'],
    [{ sql: 'x', params: [1] }, 'params must be a list of names'],
    [{ sql: 'x', params: ['a', 'a'] }, 'params must be a list of names'],
    [{ sql: 'x', granted_to: 'ada' }, 'granted_to must be a list of roles'],
    [{ sql: 'x', connection: { dsn: 'host=a' } }, 'connection must be the name of one'],
    [{ sql: 'x', role: 5 }, 'role must be text'],
    [{ sql: 'x', settings: { role: 'ada' } }, 'a run has its role in "role"'],
  ] as const)('is not registered if it is invalid: %j', async ([statement, why], { engine }) => {
    await expect(
      engine.rows(`select set_statement('odd', $1)`, JSON.stringify(statement)),
    ).rejects.toMatchObject(refused(why))
  })
})

describe('a connection', () => {
  test.for([
    [{ host: ['a'] }, 'host must be text or a number'],
    [{ host: 'a', port: null }, 'port must be text or a number'],
    [{ host: 'a', roles: 'ada' }, 'roles must be a list'],
    [{ host: 'a', granted_to: [null] }, 'granted_to must be a list'],
    [{ host: 'a', secret: { env: 5 } }, 'secret'],
    ['a', 'settings must be a JSON object'],
  ] as const)('is refused if it is invalid: %j', async ([connection, why], { engine }) => {
    await expect(
      engine.rows(`select set_connection('x', $1)`, JSON.stringify(connection)),
    ).rejects.toMatchObject(refused(why))
  })
})
