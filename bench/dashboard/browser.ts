import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type CDPSession, chromium, type Page } from 'playwright-core'
import type { Site } from './site.ts'
import { watchDrawing } from './visit.ts'

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** A tab that is signed in, and a connection to the browser's own measurements of it. */
export interface Tab {
  readonly page: Page
  readonly devtools: CDPSession
  close(): Promise<void>
}

export async function openTab({ url, token }: Site): Promise<Tab> {
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    // Root, as in containers, has no sandbox; the pages are our own.
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  })
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } })
  await context.addInitScript({ content: watchDrawing })
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await page.goto(`${url}/settings#token=${token}`)
  await page.getByRole('navigation', { name: 'Pages', exact: true }).waitFor({ state: 'attached' })
  return { page, devtools, close: () => browser.close() }
}

/** The Chromium in TUSK_CHROMIUM, else the first on the path. */
function chromiumPath(): string {
  const given = process.env['TUSK_CHROMIUM']
  if (given) return given
  const places = (process.env['PATH'] ?? '').split(delimiter).filter(Boolean)
  const found = names.flatMap((name) => places.map((place) => join(place, name))).find(isProgram)
  if (found === undefined) throw new Error('no Chromium here: install one, or set TUSK_CHROMIUM')
  return found
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
