import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { expect, inject } from 'vitest'
import { createHttp, type Http } from '../../src/http/app.ts'
import type { HttpOptions } from '../../src/http/options.ts'
import type { WorkerOptions } from '../../src/worker/options.ts'
import { startWorker, type Worker } from '../../src/worker/worker.ts'
import { builtDashboard } from './built.ts'
import { chromiumPath } from './chromium.ts'
import { adminToken, test as base } from './http.ts'

/** A server that listens, with the dashboard on it; it can be stopped and started again. */
export interface Site {
  readonly url: string
  stop(): Promise<void>
  start(): Promise<void>
}

interface BrowserFixtures {
  /** The folder of a build of the dashboard as it is now. */
  dashboard: string
  browser: Browser
  /** Opens servers over the client of this test; closed afterwards. */
  openSite: (options?: Partial<HttpOptions>) => Promise<Site>
  /** A server that lets SQL tasks in. */
  site: Site
  /** Starts workers on the schema of this test; stopped afterwards. */
  work: (options: Partial<WorkerOptions>) => Promise<Worker>
  context: BrowserContext
  /** A tab that nothing is open in yet; the test fails if a script of the page does, or breaks its policy. */
  page: Page
  /** The same tab, signed in and at the path. */
  visit: (path?: string, token?: string) => Promise<Page>
  /** What went wrong in the tab; a test that expects something takes it out. */
  faults: string[]
}

/** A real engine, a real server, and a real browser that looks at it. */
export const test = base.extend<BrowserFixtures>({
  dashboard: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures' names from the pattern.
    async ({}, use) => use(await builtDashboard()),
    { scope: 'file' },
  ],

  browser: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures' names from the pattern.
    async ({}, use) => {
      const browser = await chromium.launch({
        executablePath: chromiumPath ?? '',
        // Root, as in containers, has no sandbox; the pages are our own.
        args: ['--no-sandbox', '--disable-dev-shm-usage'],
      })
      await use(browser)
      await browser.close()
    },
    { scope: 'file' },
  ],

  openSite: async ({ tusk, dashboard }, use) => {
    const sites: Site[] = []
    await use(async (options = {}) => {
      const site = new TestSite(() =>
        createHttp({ tusk, token: adminToken, logger: false, dashboard, sql: true, ...options }),
      )
      await site.start()
      sites.push(site)
      return site
    })
    for (const site of sites) await site.stop()
  },

  site: async ({ openSite }, use) => use(await openSite()),

  work: async ({ db, schema }, use) => {
    const workers: Worker[] = []
    await db.query('select')
    await use(async (options) => {
      const worker = await startWorker({
        database: inject('pgUrl'),
        schema,
        signals: false,
        graceMs: 200,
        logger: false,
        ...options,
      })
      workers.push(worker)
      return worker
    })
    await Promise.all(workers.map((worker) => worker.stop({ deadlineMs: 0 })))
  },

  // biome-ignore lint/correctness/noEmptyPattern: vitest reads the fixtures' names from the pattern.
  faults: async ({}, use) => use([]),

  context: async ({ browser }, use) => {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
    context.setDefaultTimeout(60_000)
    await use(context)
    await context.close()
  },

  page: async ({ context, faults }, use) => {
    const page = await context.newPage()
    page.on('pageerror', (error) => faults.push(String(error)))
    page.on('console', (message) => {
      // A request that was refused is logged by the browser itself; pages show it, tests look at that.
      const isAnswer = message.text().startsWith('Failed to load resource')
      if (message.type() === 'error' && !isAnswer) faults.push(message.text())
    })
    await use(page)
    expect(faults).toEqual([])
  },

  visit: async ({ page, site }, use) => {
    await use(async (path = '/', token = adminToken) => {
      await page.goto(`${site.url}${path}#token=${token}`)
      await page
        .getByRole('navigation', { name: 'Pages', exact: true })
        .waitFor({ state: 'attached' })
      return page
    })
  },
})

/** Listens on a port of its own, the same one after a restart. */
class TestSite implements Site {
  readonly #open: () => Promise<Http>
  #http: Http | undefined
  #server: Server | undefined
  #port = 0

  constructor(open: () => Promise<Http>) {
    this.#open = open
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}`
  }

  async start(): Promise<void> {
    const http = await this.#open()
    const server = createServer((incoming, outgoing) => void http.listener(incoming, outgoing))
    await new Promise<void>((resolve) => server.listen(this.#port, '127.0.0.1', resolve))
    this.#port = (server.address() as AddressInfo).port
    this.#http = http
    this.#server = server
  }

  async stop(): Promise<void> {
    const server = this.#server
    this.#server = undefined
    if (server === undefined) return
    await this.#http?.close()
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
}
