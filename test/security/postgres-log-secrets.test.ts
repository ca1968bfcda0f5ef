import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { Tusk } from '../../src/client/tusk.ts'
import { migrate } from '../../src/db/migrate.ts'
import { openSqlLogin } from '../../src/embedded/sql-login.ts'
import { createHttp } from '../../src/http/app.ts'
import { startWorker } from '../../src/worker/worker.ts'
import { launchIn, query, test } from '../support/home.ts'

describe('the log of a Postgres that writes down every statement', () => {
  test('has no password, token or cookie of Tusk in it', async ({ home }) => {
    const settings = { log_statement: 'all', log_parameter_max_length_on_error: '-1' }
    const { url, dataDirectory } = await launchIn(home, { settings })
    await migrate(url)
    const tusk = await Tusk.open({ database: url })
    const http = await createHttp({ tusk, logger: false })
    const login = await openSqlLogin(url)
    const worker = await startWorker({
      database: url,
      sql: { logins: { tusk_sql: login } },
      signals: false,
      logger: false,
    })
    const { token } = await tusk.tokens.create({ name: 'ada', scopes: ['admin'] })
    const opened = await http.fetch(
      new Request('http://tusk.test/api/v1/session', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ token }),
      }),
    )
    const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? ''
    const listed = await http.fetch(
      new Request('http://tusk.test/api/v1/queues', { headers: { cookie } }),
    )
    expect(listed.status).toBe(200)
    expect(await query(login, 'select current_user::text as login')).toEqual([
      { login: 'tusk_sql' },
    ])
    await worker.stop()
    await http.close()
    await tusk.close()

    const log = await readFile(join(dataDirectory, '..', 'postgres.log'), 'utf8')
    expect(log).toContain('alter role "tusk_sql"')
    const secrets = [new URL(url).password, new URL(login).password, token, cookie.split('=')[1]]
    for (const secret of secrets) {
      expect(secret?.length).toBeGreaterThan(20)
      expect(log.includes(String(secret))).toBe(false)
    }
  })
})
