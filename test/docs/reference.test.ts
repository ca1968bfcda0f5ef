import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect } from 'vitest'
import { fillRegion, type GeneratedPage } from '../../build/reference/generated-page.ts'
import { readExamples } from '../../build/reference/read-examples.ts'
import { readVerbs } from '../../build/reference/read-verbs.ts'
import { writeCommands } from '../../build/reference/write-commands.ts'
import { type OpenApi, writeHttp } from '../../build/reference/write-http.ts'
import { writeRoutes } from '../../build/reference/write-routes.ts'
import { writeSettings } from '../../build/reference/write-settings.ts'
import { writeSqlReference } from '../../build/reference/write-sql.ts'
import { readModules, writeTypescript } from '../../build/reference/write-typescript.ts'
import { writeViews } from '../../build/reference/write-views.ts'
import { buildProgram } from '../../src/cli/program.ts'
import { codeBySqlState } from '../../src/db/queryable.ts'
import { builtDeclarations } from '../support/declarations.ts'
import { testRoles } from '../support/engine.ts'
import { adminToken, test } from '../support/http.ts'

const root = new URL('../../', import.meta.url)
/** `npm run docs:reference` sets it. */
const isWriting = process.env['TUSK_WRITE_REFERENCE'] === '1'

/** Compares a page with what is generated now, or writes it. */
async function expectPage({ path, text }: GeneratedPage): Promise<void> {
  const file = new URL(`docs/${path}`, root)
  if (isWriting) {
    await mkdir(dirname(fileURLToPath(file)), { recursive: true })
    await writeFile(file, text)
  }
  const committed = await readFile(file, 'utf8').catch(() => '')
  expect(committed, `docs/${path} is out of date: run npm run docs:reference`).toBe(text)
}

async function expectRegion(path: string, name: string, content: string): Promise<void> {
  const page = await readFile(new URL(`docs/${path}`, root), 'utf8')
  await expectPage({ path, text: fillRegion(page, name, content) })
}

describe('the generated reference', () => {
  test('has every verb of an installed database, with an example', async ({ db }) => {
    const prefix = `${testRoles}_`
    const verbs = await readVerbs(fileURLToPath(root), db, prefix)
    const examples = readExamples()

    const missing = verbs.filter(
      ({ name, comment }) => !examples.has(name) && !/^Part of /m.test(comment.body),
    )
    expect(missing.map(({ name }) => name)).toEqual(partsOfProcedures)
    const names = new Set(verbs.map(({ name }) => name))
    expect([...examples.keys()].filter((name) => !names.has(name))).toEqual([])
    for (const page of writeSqlReference({ verbs, examples, codeNames: codeBySqlState }))
      await expectPage(page)
  })

  test('has every view that a role may read', async ({ db }) => {
    await expectPage(await writeViews(fileURLToPath(root), db, `${testRoles}_`))
  })

  test('has every export of the package, and each says what it is for', async () => {
    const declarations = await builtDeclarations()

    for (const page of writeTypescript(declarations)) await expectPage(page)
    const silent = readModules(declarations).flatMap(({ module, exports }) =>
      exports.filter(({ doc }) => doc === '').map(({ name }) => `${module}: ${name}`),
    )
    expect(silent).toEqual([])
  })

  test('has every route of the OpenAPI document', async ({ http }) => {
    const headers = { authorization: `Bearer ${adminToken}` }
    const answer = await http.fetch(
      new Request('http://tusk.test/api/v1/openapi.json', { headers }),
    )
    const api = (await answer.json()) as OpenApi

    await expectPage(writeHttp(api))
    await expectRegion('reference/http.md', 'routes', writeRoutes(api))
  })

  test('has every command', async () => {
    const io = { write: () => true }
    const program = buildProgram({
      stdout: io,
      stderr: io,
      env: {},
      stopRequested: () => Promise.resolve(),
    })

    await expectPage(writeCommands(program))
  })

  test('has every setting', async () => {
    await expectRegion('reference/configuration.md', 'settings', writeSettings())
  })
})

/** A worker and step() call these inside of a run; people never do. */
const partsOfProcedures = ['begin_procedure', 'end_procedure', 'open_procedure', 'run_effect']
