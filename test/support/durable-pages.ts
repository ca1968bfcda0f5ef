import type { Locator, Page } from 'playwright-core'
import { test as base } from './browser.ts'
import { durableVerbs } from './durable.ts'

/** The tests of browsers, with the verbs of durable tasks. */
export const test = base.extend<{ durable: ReturnType<typeof durableVerbs> }>({
  durable: async ({ engine }, use) => use(durableVerbs(engine)),
})

/** A part of a page, by its heading. */
export function part(page: Page, name: string): Locator {
  return page.getByRole('region', { name, exact: true })
}
