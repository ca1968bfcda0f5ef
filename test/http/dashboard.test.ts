import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { test as base, describe, expect } from 'vitest'
import { openDashboard } from '../../src/http/pages/dashboard.ts'

/** A build that is not one: what matters is how it is sent. */
const test = base.extend<{ directory: string }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures' names from the pattern.
  directory: async ({}, use) => {
    const directory = await mkdtemp(join(tmpdir(), 'tusk-dashboard-'))
    await mkdir(join(directory, 'assets'))
    const page =
      '<meta name="tusk-base" content=""><script type="module" src="./assets/index-1.js"></script>'
    await writeFile(join(directory, 'index.html'), page)
    await writeFile(join(directory, 'assets', 'index-1.js'), 'export {}')
    await use(directory)
    await rm(directory, { recursive: true })
  },
})

const asBrowser = { accept: 'text/html,application/xhtml+xml' }

function get(path: string, headers: Record<string, string> = asBrowser): [Request, string] {
  return [new Request(`http://localhost${path}`, { headers }), path]
}

describe('the dashboard', () => {
  test('gives its page for every path that a browser opens', async ({ directory }) => {
    const dashboard = openDashboard('', directory)

    for (const path of ['/', '/tasks', '/tasks/42']) {
      const response = await dashboard(...get(path))
      expect(response?.headers.get('content-type')).toBe('text/html; charset=utf-8')
      expect(await response?.text()).toContain('src="/assets/index-1.js"')
    }
  })

  test('tells the page what it is mounted below, as text', async ({ directory }) => {
    const response = await openDashboard('/a"b', directory)(...get('/'))

    const html = await response?.text()
    expect(html).toContain('name="tusk-base" content="/a&quot;b"')
    expect(html).toContain('src="/a&quot;b/assets/index-1.js"')
  })

  test('lets nothing but its own scripts and styles run', async ({ directory }) => {
    const response = await openDashboard('', directory)(...get('/'))

    expect(response?.headers.get('content-security-policy')).toBe(
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
    )
  })

  test('has files kept for good and the page asked for again', async ({ directory }) => {
    const dashboard = openDashboard('', directory)

    const file = await dashboard(...get('/assets/index-1.js', {}))
    const page = await dashboard(...get('/'))

    expect(file?.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
    expect(page?.headers.get('cache-control')).toBe('no-cache')
  })

  test('sends files compressed to those who can read that', async ({ directory }) => {
    const dashboard = openDashboard('', directory)

    const response = await dashboard(
      ...get('/assets/index-1.js', { 'accept-encoding': 'br, gzip' }),
    )

    expect(response?.headers.get('content-encoding')).toBe('gzip')
    const bytes = Buffer.from((await response?.arrayBuffer()) ?? new ArrayBuffer(0))
    expect(gunzipSync(bytes).toString()).toBe('export {}')
  })

  test('leaves the API, files that are not there and programs alone', async ({ directory }) => {
    const dashboard = openDashboard('', directory)

    expect(await dashboard(...get('/api/v1/nothing'))).toBeNull()
    expect(await dashboard(...get('/assets/../index.html'))).toBeNull()
    expect(await dashboard(...get('/assets/gone.js'))).toBeNull()
    expect(await dashboard(...get('/tasks', { accept: '*/*' }))).toBeNull()
  })

  test('is not there where it was not built', async ({ directory }) => {
    const dashboard = openDashboard('', join(directory, 'nowhere'))

    expect(await dashboard(...get('/'))).toBeNull()
  })
})
