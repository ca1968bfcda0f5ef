import { execFile, spawnSync } from 'node:child_process'
import { mkdir, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { parseAst } from 'vite'
import { describe, expect, inject, test } from 'vitest'
import { type CodeBlock, readCodeBlocks, reasonOf } from '../support/code-blocks.ts'
import { builtDeclarations } from '../support/declarations.ts'

const checkout = fileURLToPath(new URL('../../', import.meta.url))
const blocks = await readCodeBlocks()
const of = (...languages: string[]) =>
  blocks.filter((block) => languages.includes(block.language) && reasonOf(block) === undefined)
const nameOf = ({ page, line }: CodeBlock) => `${page}:${line}`

describe('the code blocks of the documentation', () => {
  test('are of languages that a test checks', () => {
    const known = new Set(['', 'sql', 'ts', 'js', 'sh', 'json', 'yaml', 'console', 'text', 'nginx'])

    expect(blocks.length).toBeGreaterThan(250)
    expect(blocks.filter(({ language }) => !known.has(language)).map(nameOf)).toEqual([])
  })

  test('say why they are fragments, and few are', () => {
    const fragments = blocks.filter((block) => block.note?.startsWith('fragment'))

    expect(fragments.filter((block) => (reasonOf(block) ?? '').length < 10).map(nameOf)).toEqual([])
    expect(fragments.length).toBeLessThan(blocks.length / 8)
  })

  test('in TypeScript fit the types that the package ships', async () => {
    const faults = await typeCheck(
      of('ts').filter((block) => !isExample(block) && !isReference(block)),
    )

    expect(faults).toEqual([])
  })

  test('in JavaScript and JSON can be parsed', () => {
    for (const block of of('js')) expect(() => parseAst(block.text), nameOf(block)).not.toThrow()
    for (const block of of('json'))
      expect(() => JSON.parse(block.text), nameOf(block)).not.toThrow()
  })

  test('for a shell can be parsed', () => {
    const faults = of('sh').flatMap((block) => {
      const { status, stderr } = spawnSync('bash', ['-n'], { input: block.text, encoding: 'utf8' })
      return status === 0 ? [] : [`${nameOf(block)}: ${stderr}`]
    })

    expect(faults).toEqual([])
  })
})

/** Shown as it is run; test/docs/examples.test.ts compares it with the file. */
function isExample({ note }: CodeBlock): boolean {
  return note?.startsWith('examples/') ?? false
}

/** Declarations, copied from what the compiler wrote. */
function isReference({ page }: CodeBlock): boolean {
  return page.startsWith('docs/reference/typescript/')
}

/** What the compiler says of these blocks, each as a module of its own. */
async function typeCheck(checked: readonly CodeBlock[]): Promise<string[]> {
  const types = await builtDeclarations()
  const folder = join(inject('runDirectory'), 'code-blocks')
  await mkdir(folder)
  await symlink(join(checkout, 'node_modules'), join(types, 'node_modules')).catch(() => {})
  await symlink(join(checkout, 'node_modules'), join(folder, 'node_modules'))
  const names = new Map(checked.map((block, n) => [`block-${n}.ts`, nameOf(block)]))
  await Promise.all(
    checked.map((block, n) => writeFile(join(folder, `block-${n}.ts`), moduleOf(block))),
  )
  await writeFile(join(folder, 'package.json'), '{"type": "module"}')
  await writeFile(join(folder, 'world.d.ts'), world)
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(tsconfig(types)))
  const tsc = join(checkout, 'node_modules/.bin/tsc')
  const { stdout } = await promisify(execFile)(tsc, ['-p', folder, '--pretty', 'false']).catch(
    (error: { stdout: string }) => error,
  )
  const faults = stdout.split('\n').filter((line) => line.includes('error TS'))
  return faults.map((line) =>
    line.replace(/^.*?(block-\d+\.ts)/, (_, file: string) => names.get(file) ?? file),
  )
}

/** Imports stay outside; the rest may await, and may declare what the world declares too. */
function moduleOf({ text }: CodeBlock): string {
  const imports = text.match(/^import [\s\S]*?from '[^']+'$/gm) ?? []
  const rest = imports.reduce((left, line) => left.replace(line, ''), text)
  return `${imports.join('\n')}\nexport async function block() {\n${rest}\n}\n`
}

function tsconfig(types: string): object {
  return {
    extends: join(checkout, 'tsconfig.json'),
    compilerOptions: {
      noUnusedLocals: false,
      noUnusedParameters: false,
      typeRoots: [join(checkout, 'node_modules/@types')],
      paths: {
        pgtusk: [join(types, 'index.d.ts')],
        'pgtusk/adapters': [join(types, 'adapters/index.d.ts')],
        'pgtusk/http': [join(types, 'http/index.d.ts')],
        'pgtusk/testing': [join(types, 'testing/index.d.ts')],
      },
    },
    include: ['.'],
    exclude: ['node_modules'],
  }
}

/** What pages speak of without declaring it: a client, a worker, an application around them. */
const world = `
import type * as tuskModule from 'pgtusk'
import type * as httpModule from 'pgtusk/http'
import type * as testingModule from 'pgtusk/testing'
import type * as nodeHttp from 'node:http'
import type * as zod from 'zod'
import type pg from 'pg'
import type { Express } from 'express'
import type { FastifyInstance } from 'fastify'
import type { Hono } from 'hono'

declare global {
  type Payload = { to: string }
  const tusk: tuskModule.Tusk<{ send_mail: (payload: Payload) => Promise<string>; mail: (payload: Payload) => Promise<string> }>
  const task: tuskModule.TaskHandle<string>
  const tasks: { send_mail: (payload: Payload) => Promise<string> }
  const database: string
  const client: pg.Client
  const http: httpModule.Http
  const here: testingModule.TestTusk<{ welcome: (payload: Payload) => Promise<string> }>
  const app: { use: Express['use']; register: FastifyInstance['register']; all: Hono['all'] }
  const id: string
  const signal: AbortSignal
  const histogram: { record(value: number): void }
  const createHttp: typeof httpModule.createHttp
  const createServer: typeof nodeHttp.createServer
  const startWorker: typeof tuskModule.startWorker
  const defineTask: typeof tuskModule.defineTask
  const permits: typeof tuskModule.permits
  const callingAs: typeof tuskModule.callingAs
  const openTestTusk: typeof testingModule.openTestTusk
  type TestTusk = testingModule.TestTusk
  type RawTask = tuskModule.RawTask
  const z: typeof zod.z
  function deliver(to: string, options?: unknown): Promise<string>
  function captureException(error: unknown, options: object): void
  function userOf(request: Request): Promise<{ email: string; isAdmin: boolean } | null>
  function tasksOf(helpers: { later: (task: RawTask) => unknown }): readonly tuskModule.AnyTask[]
}
`
