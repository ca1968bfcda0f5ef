import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, inject } from 'vitest'
import { canary, expectNoCanary, secretUrl } from '../support/canaries.ts'
import { terminal, test, tusk } from '../support/cli.ts'

/** Connection strings that lead nowhere, or are none, in each form that libpq and the driver know. */
const urls = [
  `postgres://app:${canary}@127.0.0.1:1/app`,
  `postgresql://app:${canary}@127.0.0.1:1,127.0.0.1:2/app`,
  `postgres://127.0.0.1:1/app?user=app&password=${canary}`,
  `postgres:///app?host=127.0.0.1&port=1&password=${canary}`,
  `postgres:///app?host=u:${canary}@nowhere.invalid`,
  `postgres://app:1/${canary}@127.0.0.1:1/app`,
  `postgres://app:1?${canary}@127.0.0.1:1/app`,
  `postgres://app:1#${canary}@127.0.0.1:1/app`,
  `postgres://app:${canary}`,
  `postgres://app:%${canary}@127.0.0.1:1/app`,
  `postgres://app:${canary}@127.0.0.1:1/app?sslmode=verify-full&sslrootcert=/nowhere`,
  `postgres://app:${canary}@127.0.0.1:1/app?sslmode=perhaps`,
  `postgres://app:${canary}@[::1/app`,
  `host=127.0.0.1 port=1 user=app password=${canary}`,
  `user=app password='${canary}`,
  `jdbc:postgresql://127.0.0.1:1/app?password=${canary}`,
  `app:${canary}@127.0.0.1/app`,
  `socket:/nowhere?db=app&password=${canary}`,
]

async function expectSilence(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<void> {
  const all = { TUSK_DEBUG: '1', TUSK_LOG_LEVEL: 'debug', TUSK_HOME: '/nowhere', ...env }
  const never = () => new Promise<void>(() => {})
  for (const { code, data, talk } of [
    await tusk(args, all, never),
    await terminal(args, { env: all }),
  ]) {
    expectNoCanary(`${data}\n${talk}`)
    expect([code, talk]).not.toEqual([0, ''])
  }
}

describe('the command line says nothing of the password', () => {
  test.for(urls)('in DATABASE_URL=%s', async (url) => {
    for (const args of [
      ['migrate', 'status'],
      ['task', 'list'],
      ['work', '--sql'],
      ['config', 'show'],
    ])
      await expectSilence(args, { DATABASE_URL: url })
  })

  test.for(urls)('in --database-url %s', async (url) => {
    await expectSilence(['doctor', '--database-url', url])
    await expectSilence(['start', '--direct-url', url, '--database-url', url])
  })

  test('that a server refuses', async () => {
    const { host } = new URL(inject('pgUrl'))
    await expectSilence(['doctor'], {
      DATABASE_URL: `postgres://postgres:${canary}@${host}/postgres`,
    })
    await expectSilence(['doctor'], { DATABASE_URL: `postgres://${canary}@${host}/postgres` })
  })

  test.for([
    ['start', secretUrl],
    [secretUrl],
    ['doctor', '--only', secretUrl],
    ['start', '--port', secretUrl],
    ['start', `--database_url=${secretUrl}`],
    ['task', 'add', 'mail', '--run-at', secretUrl],
  ])('in the wrong place: %j', async (args) => {
    await expectSilence(args)
  })

  test.for([
    `{"database": {"url": "${secretUrl}" "schema": "tusk"}}`,
    `{"database": {"url": "${secretUrl}",}}`,
    `"${secretUrl}"`,
    `{"database": "${secretUrl}"}`,
    `{"database": {"url": ["${secretUrl}"]}}`,
    `{"worker": {"sqlLogins": {"reports": "app:${canary}@h"}}}`,
    `{"worker": {"queues": "${secretUrl}"}}`,
  ])('in a configuration file that cannot be read: %s', async (text) => {
    const file = join(inject('runDirectory'), 'leaky.config.json')
    await writeFile(file, text)
    await expectSilence(['config', 'show', '--config', file])
  })

  test('in JSON that breaks off at a quote in it', async () => {
    const [config, tables] = ['quote.config.json', 'quote-tables.json'].map((name) =>
      join(inject('runDirectory'), name),
    )
    // Near the place of the fault: Node repeats a few characters around it.
    const url = 'postgres://u:"c4nary"@h/db'
    await writeFile(config ?? '', `{"database": {"url": "${url}"}}`)
    await writeFile(tables ?? '', `[{"url": "${url}"}]`)

    const said = [
      await tusk(['config', 'show', '--config', config ?? '']),
      await tusk(['pg-task', 'serve', '--tables', tables ?? '']),
    ].map(({ talk }) => talk)

    expect(said.join('')).not.toContain('c4nary')
    for (const talk of said) expect(talk).toContain('line 1, column')
  })

  test('in a module that cannot be loaded', async () => {
    const file = join(inject('runDirectory'), 'leaky-tasks.mjs')
    await writeFile(file, `throw new Error('cannot use ${secretUrl}')`)
    await expectSilence(['work', file], { DATABASE_URL: inject('pgUrl') })
    await expectSilence(['config', 'show', '--config', file])
  })

  test('in an environment variable that cannot be read', async () => {
    const env = { TUSK_SQL_LOGINS: `{"reports": "${secretUrl}"` }
    await expectSilence(['config', 'show'], env)
  })

  test.for([
    `[{"url": "${secretUrl}" "data": "app"}]`,
    `["${secretUrl}"]`,
    `[{"url": "app:${canary}@h"}]`,
    `[{"url": ["${secretUrl}"]}]`,
    `"${secretUrl}"`,
  ])('in a file of task tables that cannot be read: %s', async (text) => {
    const file = join(inject('runDirectory'), 'leaky-tables.json')
    await writeFile(file, text)
    await expectSilence(['pg-task', 'serve', '--tables', file], { DATABASE_URL: inject('pgUrl') })
  })
})

describe('a token', () => {
  test('is printed once, as data, and not said', async ({ run }) => {
    const { data, talk } = await run('token', 'create', 'ada', '--scope', 'read')
    const token = data.trim()
    const later = await run('token', 'list')

    expect(token).toMatch(/^tusk_\w{8}_/)
    expect(`${talk}${later.data}${later.talk}`).not.toContain(token)
  })
})
