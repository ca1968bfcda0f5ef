import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { test } from '../support/engine.ts'
import { whyNoRegistry } from '../support/outside.ts'
import { renderTemplate, type Values } from '../support/render-chart.ts'

const deploy = fileURLToPath(new URL('../../deploy/', import.meta.url))
const missing = await whyNoRegistry()
const skipped = missing === undefined ? '' : ` (skipped: ${missing})`

interface Resource {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string }
  readonly spec?: { readonly replicas?: number; readonly template?: { spec: PodSpec } }
}

interface PodSpec {
  readonly containers: readonly { imagePullPolicy?: string; args: readonly string[] }[]
}

function resourcesIn(text: string): Resource[] {
  return parseAllDocuments(text)
    .map((document) => document.toJS() as Resource | null)
    .filter((resource) => resource !== null)
}

async function manifests(): Promise<Resource[]> {
  const folder = join(deploy, 'kubernetes')
  const names = (await readdir(folder)).filter((name) => name.endsWith('.yaml'))
  const texts = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return texts.flatMap(resourcesIn)
}

async function chart(isScaled = false) {
  const folder = join(deploy, 'helm', 'tusk')
  const values = parse(await readFile(join(folder, 'values.yaml'), 'utf8'))
  values.keda.enabled = isScaled
  const context: Values = { Values: values, Release: { Name: 'tusk' } }
  const names = await readdir(join(folder, 'templates'))
  const texts = await Promise.all(
    names.map((name) => readFile(join(folder, 'templates', name), 'utf8')),
  )
  return texts.flatMap((text) => resourcesIn(renderTemplate(text, context)))
}

/** Says what the schema of the Kubernetes API or of KEDA finds wrong. */
const validator = `
import { readFileSync } from 'node:fs'
const faults = []
for (const resource of JSON.parse(readFileSync('resources.json', 'utf8'))) {
  const { apiVersion, kind } = resource
  const models = apiVersion.startsWith('keda') ? '@kubernetes-models/keda' : 'kubernetes-models'
  const all = await import(models + '/' + apiVersion + '/' + kind)
  const Model = all[kind] ?? all.default[kind]
  try { new Model(resource).validate() } catch (error) { faults.push(kind + ': ' + error.message) }
}
console.log(JSON.stringify(faults))
`

describe.skipIf(missing !== undefined)(`the manifests for Kubernetes${skipped}`, () => {
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tusk-kubernetes-'))
    await writeFile(join(folder, 'package.json'), '{ "private": true }')
    await writeFile(join(folder, 'validate.mjs'), validator)
    const packages = ['kubernetes-models@4.5.1', '@kubernetes-models/keda@0.4.2']
    const flags = ['--no-audit', '--no-fund', '--prefer-offline']
    await promisify(execFile)('npm', ['install', ...flags, ...packages], { cwd: folder })
  })

  afterAll(() => rm(folder, { recursive: true }))

  async function faultsOf(resources: readonly unknown[]): Promise<string[]> {
    await writeFile(join(folder, 'resources.json'), JSON.stringify(resources))
    const { stdout } = await promisify(execFile)(process.execPath, ['validate.mjs'], {
      cwd: folder,
    })
    return JSON.parse(stdout)
  }

  test('fit the schemas of Kubernetes and KEDA', async () => {
    const all = await manifests()

    expect(all.map(({ kind }) => kind).toSorted((a, b) => a.localeCompare(b))).toEqual([
      ...['Deployment', 'Deployment', 'Job', 'PodDisruptionBudget', 'PodDisruptionBudget'],
      ...['ScaledObject', 'Service', 'TriggerAuthentication'],
    ])
    expect(await faultsOf(all)).toEqual([])
    const broken = all.map((each) => ({ ...each, metadata: { name: 7 } }))
    expect(await faultsOf(broken)).toHaveLength(all.length)
  })

  test('are what the chart renders, which fits them as well', async () => {
    const scaled = await chart(true)

    expect(await faultsOf(await chart())).toEqual([])
    expect(await faultsOf(scaled)).toEqual([])
    expect(podsOf(await chart())).toEqual(podsOf(await manifests()))
    const worker = (all: readonly Resource[]) =>
      all.find(({ kind, metadata }) => kind === 'Deployment' && metadata.name === 'tusk-work')
    expect(worker(await chart())?.spec?.replicas).toBe(2)
    // Two that decide how many there are would fight.
    expect(worker(scaled)?.spec).not.toHaveProperty('replicas')
  })
})

/** The pods by the name of what makes them, without what only the chart sets. */
function podsOf(all: readonly Resource[]) {
  const made = all.filter(({ spec }) => spec?.template !== undefined)
  return Object.fromEntries(
    made.map(({ metadata, spec }) => {
      const containers = spec?.template?.spec.containers.map(
        ({ imagePullPolicy: _, ...each }) => each,
      )
      return [metadata.name, { ...spec?.template?.spec, containers }]
    }),
  )
}

test('the scaler counts what is due or runs, by a login that may see nothing else', async ({
  engine,
  db,
  schema,
  connect,
}) => {
  const role = `${schema}_keda`
  const sql = (await readFile(join(deploy, 'kubernetes', 'keda.sql'), 'utf8'))
    .replaceAll('tusk.queue_stats', `${schema}.queue_stats`)
    .replaceAll('tusk_keda', role)
  const scaler = (await manifests()).find(({ kind }) => kind === 'ScaledObject') as unknown as {
    spec: { triggers: { metadata: { query: string } }[] }
  }
  await db.query(sql)
  await db.query(`grant usage on schema ${schema} to ${role}`)
  await engine.enqueue({ queue: 'mail' })
  await engine.enqueue({ queue: 'mail' })
  await engine.enqueue({ queue: 'reports' })
  await engine.enqueue({ queue: 'other' })
  await engine.claimOne('mail')
  const client = await connect()
  await client.query(`set role ${role}`)

  const { rows } = await client.query(scaler.spec.triggers[0]?.metadata.query ?? '')

  expect(Object.values(rows[0])).toEqual(['3'])
  await expect(client.query('select from task')).rejects.toThrow('permission denied')
  await client.query('reset role')
  await db.query(`drop view tusk_depth; drop owned by ${role}; drop role ${role}`)
})
