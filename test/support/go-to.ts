import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** Goes to a page by `g` and its key, which are one only if they come soon after each other: a busy machine may need several goes. */
export async function goTo(page: Page, key: string, title: string): Promise<void> {
  await expect
    .poll(async () => {
      await page.keyboard.press('g')
      await page.keyboard.press(key)
      return page.getByRole('heading', { name: title, level: 1 }).isVisible()
    })
    .toBe(true)
}
