import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { test as base, describe, expect } from 'vitest'

const execute = promisify(execFile)
const script = fileURLToPath(new URL('../../build/release.mjs', import.meta.url))

interface Repository {
  write(files: Readonly<Record<string, string>>): Promise<void>
  read(file: string): Promise<string>
  git(...args: string[]): Promise<string>
  commit(files?: Readonly<Record<string, string>>): Promise<void>
  release(
    args?: readonly string[],
    env?: NodeJS.ProcessEnv,
  ): Promise<{ code: number; said: string }>
  /** Versions that the registry has. */
  published: string[]
}

const manifest = {
  name: 'pgtusk-release-test',
  version: '0.1.0',
  type: 'module',
  repository: { type: 'git', url: 'git+https://example.org/r.git' },
  publishConfig: { access: 'public', provenance: true },
  exports: { '.': './dist/index.js' },
  files: ['dist', 'sql', 'CHANGELOG.md'],
  scripts: { prepack: 'mkdir -p dist && echo built > dist/index.js' },
}

const project = {
  'package.json': JSON.stringify(manifest),
  'package-lock.json': JSON.stringify({ name: manifest.name, version: '0.1.0' }),
  'CHANGELOG.md': '# Changelog\n\n## [0.1.0] - unreleased\n\n- The first release.\n',
  'README.md': '# A package\n',
  LICENSE: 'MIT\n',
  '.gitignore': 'dist/\n',
  '.ci/run': '#!/bin/sh\necho CI ran\n',
  '.github/workflows/release.yml': 'jobs:\n  publish:\n    permissions:\n      id-token: write\n',
  'sql/schema/tasks.sql': 'create table tasks ();\n',
}

const test = base.extend<{ repository: Repository }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures' names from the pattern.
  repository: async ({}, use) => {
    const root = await mkdtemp(join(tmpdir(), 'tusk-release-'))
    const home = await mkdtemp(join(tmpdir(), 'tusk-release-home-'))
    const published: string[] = []
    const registry = await openRegistry(published)
    const quiet = { NODE_OPTIONS: '', HOME: home, npm_config_registry: registry.url }
    const named = ['GIT_AUTHOR', 'GIT_COMMITTER'].flatMap((who) => [
      [`${who}_NAME`, 'Ada'],
      [`${who}_EMAIL`, 'ada@example.org'],
    ])
    const env = { PATH: process.env['PATH'], ...quiet, ...Object.fromEntries(named) }
    const git = async (...args: string[]) => {
      const { stdout } = await execute('git', args, { cwd: root, env })
      return stdout.trim()
    }
    const write: Repository['write'] = async (files) => {
      for (const [file, text] of Object.entries(files)) {
        await mkdir(dirname(join(root, file)), { recursive: true })
        await writeFile(join(root, file), text)
      }
    }
    const repository: Repository = {
      write,
      git,
      published,
      read: (file) => readFile(join(root, file), 'utf8'),
      commit: async (files = {}) => {
        await write(files)
        await git('add', '--all')
        await git('commit', '--quiet', '--message', 'Change')
      },
      release: (args = [], more = {}) =>
        execute(process.execPath, [script, ...args], { cwd: root, env: { ...env, ...more } }).then(
          ({ stdout }) => ({ code: 0, said: stdout }),
          (error: { code: number; stdout: string; stderr: string }) => ({
            code: error.code,
            said: error.stdout + error.stderr,
          }),
        ),
    }
    await git('init', '--quiet', '--initial-branch=main')
    await write(project)
    await chmod(join(root, '.ci/run'), 0o755)
    await repository.commit()
    await use(repository)
    registry.close()
    await rm(root, { recursive: true })
    await rm(home, { recursive: true })
  },
})

/** A registry that knows the versions of one package. */
async function openRegistry(published: readonly string[]) {
  const server = createServer((_, response) => {
    const versions = Object.fromEntries(
      published.map((version) => [version, { name: manifest.name, version }]),
    )
    const isKnown = published.length > 0
    response.writeHead(isKnown ? 200 : 404, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify(
        isKnown
          ? { name: manifest.name, 'dist-tags': { latest: published[0] }, versions }
          : { error: 'not found' },
      ),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `http://127.0.0.1:${port}/`,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

const dryRun = ['--dry-run']

describe('npm run release', () => {
  test('finds nothing wrong with a tree that is ready, and changes nothing in a dry run', async ({
    repository,
  }) => {
    const head = await repository.git('rev-parse', 'HEAD')

    const { code, said } = await repository.release(dryRun)

    expect(said).not.toContain('NO ')
    expect(said).toContain('Not run: .ci/run. Nothing was changed.')
    expect(code).toBe(0)
    expect(await repository.git('status', '--porcelain')).toBe('')
    expect(await repository.git('rev-parse', 'HEAD')).toBe(head)
    expect(await repository.git('tag')).toBe('')
  })

  test('runs CI, freezes the baseline, dates the changelog, commits and tags', async ({
    repository,
  }) => {
    const { code, said } = await repository.release()

    expect(code, said).toBe(0)
    expect(said).toContain('CI ran')
    expect(said).toContain('git push --atomic origin main v0.1.0')
    expect(await repository.git('tag', '--points-at', 'HEAD')).toBe('v0.1.0')
    expect(await repository.git('status', '--porcelain')).toBe('')
    expect(await repository.read('CHANGELOG.md')).toMatch(/^## \[0\.1\.0\] - \d{4}-\d\d-\d\d$/m)
    expect(await repository.read('sql/schema/RELEASED')).toMatch(/^[0-9a-f]{64} {2}tasks\.sql\n$/)
  })

  test('releases nothing when CI fails', async ({ repository }) => {
    await repository.commit({ '.ci/run': '#!/bin/sh\nexit 3\n' })

    const { code, said } = await repository.release()

    expect(code).toBe(1)
    expect(said).toContain('.ci/run failed')
    expect(await repository.git('tag')).toBe('')
    expect(await repository.git('status', '--porcelain')).toBe('')
  })

  test.for<[string, Readonly<Record<string, string>>, string]>([
    ['an uncommitted change', { 'README.md': 'new' }, 'uncommitted changes'],
    [
      'a changelog of another version',
      { 'CHANGELOG.md': '## [0.0.9] - unreleased\n\n- x\n' },
      'the first heading is "[0.0.9] - unreleased"; write "[0.1.0] - unreleased"',
    ],
    [
      'an empty changelog',
      { 'CHANGELOG.md': '## [0.1.0] - unreleased\n\n## [0.0.9] - 2026-01-01\n\n- x\n' },
      'names no change',
    ],
    [
      'a lock file of another version',
      { 'package-lock.json': '{"version": "0.0.9"}' },
      'package-lock.json says 0.0.9',
    ],
    [
      'an entry that is not built',
      { 'package.json': JSON.stringify({ ...manifest, exports: './dist/other.js' }) },
      'dist/other.js is not in the package',
    ],
    [
      'a file that does not belong',
      {
        'package.json': JSON.stringify({ ...manifest, files: [...manifest.files, '.env'] }),
        '.env': 'SECRET=1',
      },
      '.env does not belong into the package',
    ],
    [
      'no provenance',
      { 'package.json': JSON.stringify({ ...manifest, publishConfig: {} }) },
      'set publishConfig.provenance',
    ],
    [
      'a workflow without an identity',
      { '.github/workflows/release.yml': 'jobs: {}\n' },
      'id-token: write',
    ],
  ])('rejects %s', async ([what, files, problem], { repository }) => {
    if (what === 'an uncommitted change') await repository.write(files)
    else await repository.commit(files)

    const { code, said } = await repository.release(dryRun)

    expect(code).toBe(1)
    expect(said).toContain(problem)
    expect(said).toMatch(/1 problem: nothing was released/)
  })

  test('rejects a branch other than main', async ({ repository }) => {
    await repository.git('switch', '--quiet', '--create', 'other')

    expect((await repository.release(dryRun)).said).toContain('on other; run: git switch main')
  })

  test('rejects a version that the registry has', async ({ repository }) => {
    repository.published.push('0.0.9')
    expect((await repository.release(dryRun)).code).toBe(0)
    repository.published.push('0.1.0')

    expect((await repository.release(dryRun)).said).toContain('is published already')
  })

  test('rejects when the registry does not answer', async ({ repository }) => {
    const env = { npm_config_registry: 'http://127.0.0.1:9/', npm_config_fetch_retries: '0' }

    expect((await repository.release(dryRun, env)).said).toContain('could not be asked')
  })

  test('rejects a change to what was released', async ({ repository }) => {
    await repository.commit({ 'sql/migrations/0001_color.sql': 'select 1;\n' })
    await repository.release()
    await repository.commit({
      'package.json': JSON.stringify({ ...manifest, version: '0.2.0' }),
      'package-lock.json': '{"version": "0.2.0"}',
      'CHANGELOG.md': '## [0.2.0] - unreleased\n\n- More.\n',
      'sql/migrations/0002_size.sql': 'select 2;\n',
    })
    expect((await repository.release(dryRun)).said).not.toContain('NO ')

    await repository.commit({
      'sql/schema/tasks.sql': 'create table tasks (id int);\n',
      'sql/migrations/0001_color.sql': 'select 3;\n',
    })
    const { said } = await repository.release(dryRun)

    expect(said).toContain('sql/schema changed after its release: tasks.sql')
    expect(said).toContain(
      'released migrations changed since v0.1.0: sql/migrations/0001_color.sql',
    )
  })

  test('rejects a version that is not above the last one', async ({ repository }) => {
    await repository.git('tag', 'v0.1.1')

    expect((await repository.release(dryRun)).said).toContain('0.1.0 is not above v0.1.1')
  })

  test('publishes only in the workflow of the tag', async ({ repository }) => {
    const early = await repository.release(['--publish'])
    expect(early.said).toContain('this commit is not tagged v0.1.0')
    expect(early.said).toContain('only the workflow of a tag publishes')
    await repository.release()

    const { said } = await repository.release(['--publish'])

    expect(said).toContain('1 problem: nothing was released')
    expect(said).toContain('only the workflow of a tag publishes')
  })
})
