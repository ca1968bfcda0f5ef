import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject } from 'vitest'
import { test } from '../support/engine.ts'
import { type OutsideProject, openOutsideProject, whyNoRegistry } from '../support/outside.ts'
import { until } from '../support/until.ts'

const missing = await whyNoRegistry()
const skipped = missing === undefined ? '' : ` (skipped: ${missing})`

const files = {
  'app/layout.js': `export default function Layout({ children }) { return <html><body>{children}</body></html> }`,
  'app/page.js': `
import { welcome } from './actions.js'
export const dynamic = 'force-dynamic'
export default function Page() {
  return <form action={welcome}><input name="to" defaultValue="ada" /><button>Send</button></form>
}`,
  'app/actions.js': `'use server'
import { Tusk } from 'pgtusk'
let opening
export async function welcome(form) {
  opening ??= Tusk.open({ schema: process.env.SCHEMA, tasks: [{ name: 'mail' }] })
  const tusk = await opening
  await tusk.enqueue('mail', { to: form.get('to') })
}`,
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address !== null ? address.port : 0
}

describe.skipIf(missing !== undefined)(`a Next.js application${skipped}`, () => {
  let project: OutsideProject

  beforeAll(async () => {
    project = await openOutsideProject()
    await project.write(files)
    // Its compiler is an optional package.
    await project.run('npm', [
      'install',
      '--no-audit',
      '--no-fund',
      'next@16',
      'react@19',
      'react-dom@19',
    ])
    await project.run('npx', ['next', 'build'], { NEXT_TELEMETRY_DISABLED: '1' })
  })

  afterAll(() => project.remove())

  test('enqueues from a server action', async ({ engine, schema }) => {
    const port = await freePort()
    const next = join(project.directory, 'node_modules', 'next', 'dist', 'bin', 'next')
    const server = spawn(process.execPath, [next, 'start', '-H', '127.0.0.1', '-p', String(port)], {
      cwd: project.directory,
      env: { PATH: process.env['PATH'], DATABASE_URL: inject('pgUrl'), SCHEMA: schema },
      stdio: 'ignore',
    })
    const ended = once(server, 'exit')
    const url = `http://127.0.0.1:${port}/`
    try {
      await engine.value('select 1')
      await until(async () => (await fetch(url).catch(() => null))?.ok === true)
      const page = await (await fetch(url)).text()
      const action = /name="(\$ACTION_ID_[0-9a-f]+)"/.exec(page)?.[1] ?? ''
      const form = new FormData()
      form.set(action, '')
      form.set('to', 'ada')
      const answer = await fetch(url, { method: 'POST', body: form })
      expect(answer.ok).toBe(true)
      expect(await engine.value("select payload from task where queue = 'mail'")).toEqual({
        to: 'ada',
      })
    } finally {
      server.kill('SIGKILL')
      await ended
    }
  })
})
