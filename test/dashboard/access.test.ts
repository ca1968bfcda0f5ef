import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { seriousProblems } from '../support/axe.ts'
import { test } from '../support/browser.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { goTo } from '../support/go-to.ts'

async function inBothThemes(page: Page): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'light', reducedMotion: 'reduce' })
  const light = await seriousProblems(page)
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  return [...light, ...(await seriousProblems(page))]
}

describeInBrowser('the dashboard for everybody', () => {
  test('has no serious problem on the sign-in page', async ({ page, site }) => {
    await page.goto(site.url)
    await page.getByLabel('Token').waitFor()

    expect(await inBothThemes(page)).toEqual([])
  })

  test('has no serious problem on the overview', async ({ visit, db, engine }) => {
    await db.query("select enqueue('mail') from generate_series(1, 3)")
    await engine.inState('failed')
    const page = await visit('/')
    await page.getByRole('listitem').filter({ hasText: 'last hour' }).first().waitFor()
    await page.getByRole('img', { name: /^Tasks per minute/ }).waitFor()

    expect(await inBothThemes(page)).toEqual([])
  })

  test('has no serious problem in the list of tasks', async ({ visit, engine, db }) => {
    await db.query(
      "select enqueue('mail', '{\"a\": 1}', p_key => 'k', p_tags => '{t}', p_run_at => now() + interval '1 day')",
    )
    for (const state of ['queued', 'running', 'done', 'failed', 'cancelled'] as const)
      await engine.inState(state)
    const page = await visit('/tasks')
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    await page.getByRole('button', { name: 'More' }).click()

    expect(await inBothThemes(page)).toEqual([])
  })

  test('has no serious problem on the page of a task, nor in its dialogs', async ({
    visit,
    work,
    db,
  }) => {
    await work({ sql: true })
    await db.query("select sql('select 1 as n, null as m -- why', p_max_attempts => 1)")
    await db.query("select sql('select totl', p_max_attempts => 1)")
    const page = await visit('/tasks/1')
    await page.getByRole('cell', { name: '1' }).waitFor()
    const done = await inBothThemes(page)
    await page.goto(page.url().replace(/1$/, '2'))
    await page.locator('mark').waitFor()
    const failed = await inBothThemes(page)
    await page.getByRole('button', { name: 'Retry with edits' }).click()
    const dialog = await inBothThemes(page)

    expect({ done, failed, dialog }).toEqual({ done: [], failed: [], dialog: [] })
  })

  test('has no sideways scrolling on a phone', async ({ visit, work, db }) => {
    await work({ sql: true })
    await db.query(
      "select enqueue('a-queue-with-quite-a-long-name', jsonb_build_object('text', repeat('long ', 100)), p_key => repeat('k', 100))",
    )
    await db.query(
      "select sql('select repeat(''wide'', 50) as a, now() as b, now() as c, now() as d')",
    )
    const page = await visit('/')
    await page.setViewportSize({ width: 360, height: 740 })

    const shows = {
      '/': 'last hour',
      '/tasks': 'a-queue-with',
      '/tasks/1': 'a-queue-with',
      '/tasks/2': 'widewide',
    }
    for (const [path, text] of Object.entries(shows)) {
      await page.goto(new URL(path, page.url()).href)
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.getByText(text).first().waitFor({ state: 'attached' })
      const isWide = await page.evaluate('document.documentElement.scrollWidth > innerWidth')
      expect({ path, isWide }).toEqual({ path, isWide: false })
    }
  })

  test('opens its navigation on a phone', async ({ visit }) => {
    const page = await visit('/')
    await page.setViewportSize({ width: 390, height: 844 })

    await page.getByRole('button', { name: 'Open the navigation' }).click()
    await page.getByRole('link', { name: 'Tasks', exact: true }).click()

    await page.getByRole('heading', { name: 'Tasks', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Open the navigation' }).waitFor()
  })

  test('can be gone through by keyboard alone', async ({ visit, db, engine }) => {
    await db.query("select enqueue('mail') from generate_series(1, 3)")
    await db.query("select enqueue('reports')")
    const page = await visit('/')
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }

    await press('?')
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor()
    await press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    await goTo(page, 't', 'Tasks')
    await page.locator('[data-row="4"]').waitFor()
    await press('/')
    await page.keyboard.type('queue:ma')
    await page.getByRole('option', { name: 'queue:mail' }).waitFor()
    await press('ArrowDown', 'Enter', 'Escape')
    await expect.poll(() => page.locator('[data-row]').count()).toBe(3)
    await press('Escape', 'j', 'j', 'x')
    await page.getByText('1 task selected').waitFor()
    await press('x', 'Enter')
    await page.getByRole('heading', { name: 'Task #2' }).waitFor()
    // A heading takes the focus once it has been painted.
    await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('H1')
    await press('Tab', 'Tab')
    await page.getByRole('button', { name: 'Cancel', exact: true }).focus()
    await press('Enter')
    await page.getByRole('dialog', { name: 'Cancel task 2?' }).waitFor()
    await press('Tab', 'Enter')

    await page.getByRole('heading', { name: 'cancelled' }).waitFor()
    expect(await engine.value('select state from task where id = 2')).toBe('cancelled')
  })

  test('keeps the theme that was chosen', async ({ visit }) => {
    const page = await visit('/')
    await page.getByRole('button', { name: /^Theme: auto/ }).click()
    await page.getByRole('button', { name: /^Theme: light/ }).click()

    await page.reload()

    await page.getByRole('button', { name: /^Theme: dark/ }).waitFor()
    expect(await page.evaluate('document.documentElement.dataset.theme')).toBe('dark')
  })
})
