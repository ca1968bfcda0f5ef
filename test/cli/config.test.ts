import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test as base, describe, expect } from 'vitest'
import { settingNamed, settingNames } from '../../src/cli/config/setting.ts'
import { main } from '../../src/cli/main.ts'
import { tusk } from '../support/cli.ts'

const test = base.extend<{ folder: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the fixture's needs from this pattern.
  folder: async ({}, use) => {
    const folder = await mkdtemp(join(tmpdir(), 'tusk-config-'))
    await use(folder)
    await rm(folder, { recursive: true })
  },
})

/** `tusk config show`, in a folder. */
async function show(cwd: string, args: readonly string[] = [], env: NodeJS.ProcessEnv = {}) {
  const data: string[] = []
  const talk: string[] = []
  const code = await main([...args, 'config', 'show'], {
    stdout: { write: (text) => data.push(text) },
    stderr: { write: (text) => talk.push(text) },
    env,
    cwd,
    stopRequested: () => Promise.resolve(),
  })
  const shown = code === 0 ? (JSON.parse(data.join('')) as { name: string }[]) : []
  const setting = (name: string) => shown.find((one) => one.name === name)
  return { code, data: data.join(''), talk: talk.join(''), setting }
}

describe('tusk config show', () => {
  test('shows every setting, with its default', async ({ folder }) => {
    const { setting } = await show(folder)

    for (const name of settingNames) {
      const { fallback = null } = settingNamed(name)
      expect(setting(name)).toMatchObject({ value: fallback, source: 'default' })
    }
  })

  test('finds a file upward, and lets the environment win over it', async ({ folder }) => {
    const file = join(folder, 'tusk.config.json')
    await writeFile(file, JSON.stringify({ http: { port: 9000 }, database: { schema: 'work' } }))
    const below = join(folder, 'a', 'b')
    await mkdir(below, { recursive: true })

    const { setting } = await show(below, [], { TUSK_HTTP_PORT: '9001' })

    expect(setting('http.port')).toMatchObject({ value: 9001, source: 'env TUSK_HTTP_PORT' })
    expect(setting('database.schema')).toMatchObject({ value: 'work', source: file })
  })

  test('reads a module that --config or TUSK_CONFIG names, and paths from its folder', async ({
    folder,
  }) => {
    const file = join(folder, 'prod.mjs')
    await writeFile(
      file,
      'export default { worker: { handlers: "./tasks.mjs", queues: ["mail"] } }',
    )
    const handlers = { value: join(folder, 'tasks.mjs'), source: file }

    const named = await show('/', ['--config', file])
    const inEnvironment = await show('/', [], { TUSK_CONFIG: file })

    expect(named.setting('worker.handlers')).toMatchObject(handlers)
    expect(inEnvironment.setting('worker.handlers')).toMatchObject(handlers)
    expect(named.setting('worker.queues')).toMatchObject({ value: ['mail'] })
  })

  test('keeps passwords to itself', async ({ folder }) => {
    const { data, setting } = await show(folder, [], {
      DATABASE_URL: 'postgres://ada:hush@db/mail',
      DIRECT_DATABASE_URL: 'postgres://db/mail?user=ada&password=hush',
    })

    expect(data).not.toContain('hush')
    expect(setting('database.url')).toMatchObject({ value: 'postgres://ada:***@db/mail' })
  })

  test.for([
    [{ http: { prot: 1 } }, 'unknown setting http.prot (did you mean port?)'],
    [{ databse: {} }, 'unknown setting databse (did you mean database?)'],
    [{ http: { port: 'high' } }, 'http.port must be a whole number from 0 to 65535'],
    [{ http: 8080 }, 'http must be an object'],
    [{ logLevel: 'loud' }, 'logLevel must be one of silent, error, warn, info, debug'],
    [[], 'the file must be an object'],
  ] as const)('names the file and what is wrong with %j', async ([content, words], { folder }) => {
    const file = join(folder, 'tusk.config.json')
    await writeFile(file, JSON.stringify(content))

    const { code, talk } = await show(folder)

    expect({ code, talk }).toEqual({ code: 2, talk: expect.stringContaining(`${file}: ${words}`) })
  })

  test('says everything that is wrong at once', async ({ folder }) => {
    await writeFile(join(folder, 'tusk.config.json'), '{"http": {"port": -1, "sql": "maybe"}}')

    const { talk } = await show(folder)

    expect(talk).toContain('http.port must be')
    expect(talk).toContain('http.sql must be true or false')
  })

  test.for([
    ['tusk.config.json', '{"http": }', 'cannot be read'],
    ['tusk.config.mjs', 'export const config = {}', 'has no default export'],
    ['tusk.config.mjs', 'export default {', 'cannot be read'],
  ] as const)('says why %s with %j is of no use', async ([name, text, words], { folder }) => {
    await writeFile(join(folder, name), text)

    expect(await show(folder)).toMatchObject({ code: 2, talk: expect.stringContaining(words) })
  })

  test('refuses a file that is not there, and two in one folder', async ({ folder }) => {
    const missing = await show(folder, ['--config', 'none.json'])
    await writeFile(join(folder, 'tusk.config.json'), '{}')
    await writeFile(join(folder, 'tusk.config.mjs'), 'export default {}')
    const two = await show(folder)

    expect(missing).toMatchObject({ code: 2, talk: expect.stringContaining('does not exist') })
    expect(two).toMatchObject({ code: 2, talk: expect.stringContaining('both configure') })
  })

  test.for([
    ['TUSK_HTTP_PORT', '70000', 'a whole number'],
    ['TUSK_HTTP_SQL', 'perhaps', 'true or false'],
    ['TUSK_OUTPUT', 'xml', 'one of table, json, jsonl, csv'],
  ] as const)('names the variable %s when it is %s', async ([name, value, words], { folder }) => {
    const { code, talk } = await show(folder, [], { [name]: value })

    expect(code).toBe(2)
    expect(talk).toContain(`the environment variable ${name} must be ${words}`)
  })
})

describe('the URL of a database', () => {
  const right = 'a URL such as postgres://user:password@host:5432/database: '
  const wrong = [
    ['nonsense', 'it does not begin with postgres://'],
    ['postgres://ada:hush@/mail', 'it names no host'],
    ['postgres://ada:hush@db:high/mail', 'its port is not a number from 1 to 65535'],
    ['postgres://ada:hush@db/mail?sslmode=always', 'its sslmode is none of disable, allow'],
    ['host=db password=hush', 'it does not begin with postgres://'],
  ] as const

  test.for(wrong)('is refused by name in the environment: %s', async ([url, fault], { folder }) => {
    const ours = await show(folder, [], { DATABASE_URL: url })
    const direct = await show(folder, [], { DIRECT_DATABASE_URL: url })

    expect(ours.code).toBe(2)
    expect(ours.talk).toContain(`the environment variable DATABASE_URL must be ${right}${fault}`)
    expect(direct.talk).toContain(`variable DIRECT_DATABASE_URL must be ${right}${fault}`)
    expect(ours.talk).not.toContain('hush')
  })

  test.for(wrong)('is refused by name in a file: %s', async ([url, fault], { folder }) => {
    const file = join(folder, 'tusk.config.json')
    await writeFile(file, JSON.stringify({ database: { url } }))

    const { code, talk } = await show(folder)

    expect(code).toBe(2)
    expect(talk).toContain(`${file}: database.url must be ${right}${fault}`)
    expect(talk).not.toContain('hush')
  })

  test.for(wrong)('is refused by name as a flag: %s', async ([url, fault]) => {
    const { code, talk } = await tusk(['task', 'list', '--database-url', url])

    expect(code).toBe(2)
    expect(talk).toContain(`--database-url must be ${right}${fault}`)
    expect(talk).not.toContain('hush')
  })
})

describe('a configuration file', () => {
  test('says what the options of other commands leave out', async ({ folder }) => {
    const url = 'postgres://ada:hush@127.0.0.1:1/mail'
    await writeFile(join(folder, 'tusk.config.json'), JSON.stringify({ database: { url } }))
    const talk: string[] = []

    const code = await main(['migrate', 'list'], {
      stdout: { write: () => {} },
      stderr: { write: (text) => talk.push(text) },
      env: {},
      cwd: folder,
      stopRequested: () => Promise.resolve(),
    })

    expect(code).toBe(1)
    expect(talk.join('')).toContain('cannot reach Postgres at 127.0.0.1:1/mail')
  })
})
