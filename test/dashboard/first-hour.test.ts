import { expect } from 'vitest'
import { seriousProblems } from '../support/axe.ts'
import { test } from '../support/browser.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { adminToken } from '../support/http.ts'

describeInBrowser('the API page', () => {
  test('sends an operation as the session of the dashboard, and with a token', async ({
    visit,
    site,
    engine,
  }) => {
    const page = await visit('/')
    await page.goto(`${site.url}/api/v1/docs#post-api-v1-tasks`)
    await page.getByText(/^You are .* \(admin\)\.$/).waitFor()

    const form = page.getByRole('form', { name: 'Try POST /api/v1/tasks', exact: true })
    await form.getByLabel('body').fill('{"queue": "mail", "payload": {"to": "ada"}}')
    await form.getByRole('button', { name: 'Send' }).click()
    await form.getByText('201').waitFor()
    await form.getByText(/"outcome": "created"/).waitFor()
    expect(await engine.value(`select payload ->> 'to' from task`)).toBe('ada')
    await form.getByText(/^curl -X POST/).waitFor()
    expect(await page.content()).not.toContain(adminToken)

    await page.context().clearCookies()
    await page.reload()
    await page.getByText(/^Not signed in/).waitFor()
    await page.getByLabel('Token for').fill(adminToken)
    await page.keyboard.press('Tab')
    await page.getByText(/^You are .* \(admin\)\.$/).waitFor()
  })

  test('fills paths and queries, shows problems, and can be used by everybody', async ({
    visit,
    site,
  }) => {
    const page = await visit('/')
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      await page.goto(`${site.url}/api/v1/docs#get-api-v1-tasks-id`)
      const form = page.getByRole('form', { name: 'Try GET /api/v1/tasks/{id}', exact: true })
      await form.getByLabel('id').fill('99')
      await form.getByRole('button', { name: 'Send' }).click()
      await form.getByText(/"code": "task_not_found"/).waitFor()
      expect(await seriousProblems(page)).toEqual([])
    }
    await page.setViewportSize({ width: 390, height: 800 })
    const beyond = 'document.documentElement.scrollWidth - document.documentElement.clientWidth'
    expect(await page.evaluate(beyond)).toBe(0)
  })
})

describeInBrowser('the first hour with the dashboard', () => {
  test('shows each setting that holds, and where it comes from; backoff is a form', async ({
    visit,
    engine,
  }) => {
    await engine.setQueue('*', { keep_done: '3 days' })
    await engine.setQueue('mail', { max_attempts: 2 })
    const page = await visit('/queues/mail')
    const fact = (name: string) =>
      page.locator('.facts__fact').filter({ hasText: new RegExp(`^${name}`) })

    await fact('Attempts').getByText('2 set here').waitFor()
    await fact('Keep done tasks').getByText('3 days set for all queues').waitFor()
    await fact('Keep failed tasks').getByText('7 days default').waitFor()

    await page.getByRole('button', { name: 'Actions' }).click()
    await page.getByRole('menuitem', { name: 'Settings and limits' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Backoff', { exact: true }).selectOption('fixed')
    await dialog.getByLabel('First wait').fill('5 seconds')
    expect(await dialog.getByLabel('At most', { exact: true }).count()).toBe(0)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })

    expect(await engine.value(`select backoff from queue where queue = 'mail'`)).toEqual({
      kind: 'fixed',
      base: '5 seconds',
    })
    await fact('Backoff').getByText('fixed, base 5 seconds set here').waitFor()
  })

  test('shows statistics of each handler, and charts of 15 minutes', async ({ visit, engine }) => {
    await engine.complete(await engine.running({ handler: 'letter' }))
    await engine.fail(await engine.running({ handler: 'parcel', maxAttempts: 1 }))
    const page = await visit('/queues/mail')

    const table = page.getByRole('table', { name: 'Handlers' })
    await table.getByRole('row', { name: /^letter 1 0/ }).waitFor()
    await table.getByRole('row', { name: /^parcel 0 1/ }).waitFor()
    await page.getByRole('button', { name: '15m' }).click()
    await expect.poll(() => page.url()).toContain('range=15m')
  })

  test('keeps filters by name', async ({ visit, db }) => {
    await db.query("select enqueue('mail'), enqueue('reports')")
    const page = await visit('/tasks?q=queue:mail')
    await page.getByRole('button', { name: 'Saved filters' }).click()
    await page.getByRole('menuitem', { name: 'Save this filter' }).click()
    await page.getByLabel('Name').fill('All mail')
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await page.getByRole('button', { name: 'Remove the filter queue' }).click()
    await page.reload()
    await page.getByRole('button', { name: 'Saved filters' }).click()
    await page.getByRole('menuitem', { name: 'All mail' }).click()
    await expect.poll(() => new URL(page.url()).searchParams.get('q')).toBe('queue:mail')

    await page.getByRole('button', { name: 'All mail' }).click()
    await page.getByRole('menuitem', { name: /^Forget/ }).click()
    await page.getByRole('button', { name: 'Saved filters' }).waitFor()
  })

  test('shows how a payload was changed between attempts', async ({ visit, engine }) => {
    const task = await engine.running({ payload: { to: 'ada', n: 1 }, maxAttempts: 1 })
    await engine.fail(task)
    await engine.rows(`select retry($1, p_payload => '{"to": "bob", "n": 1}')`, task.id)
    const page = await visit(`/tasks/${task.id}`)

    const changes = page.getByRole('region', { name: 'Payload changes' })
    await changes.locator('del').getByText('"to": "ada"').waitFor()
    await changes.locator('ins').getByText('"to": "bob"').waitFor()
    expect(await changes.locator('del').count()).toBe(1)
  })

  test('offers no cancel for tasks that have ended, and no retry for those that wait', async ({
    visit,
    engine,
    db,
  }) => {
    await engine.complete(await engine.running())
    await db.query("select enqueue('mail')")
    const page = await visit('/tasks')
    const bar = page.getByRole('toolbar', { name: 'Actions on the selected tasks' })
    const offered = async () => [
      await bar.getByRole('button', { name: 'Retry' }).count(),
      await bar.getByRole('button', { name: 'Cancel' }).count(),
    ]

    await page.getByRole('checkbox', { name: 'Select task 1', exact: true }).check()
    await bar.getByText('1 task selected').waitFor()
    expect(await offered()).toEqual([1, 0])
    await page.getByRole('checkbox', { name: 'Select task 1', exact: true }).uncheck()
    await page.getByRole('checkbox', { name: 'Select task 2', exact: true }).check()
    await bar.getByText('1 task selected').waitFor()
    expect(await offered()).toEqual([0, 1])
  })

  test('brings what a submitted task gave into view', async ({ visit, work }) => {
    await work({ sql: true, queues: ['sql'] })
    const page = await visit('/new')
    await page.setViewportSize({ width: 1200, height: 500 })
    await page.getByLabel('SQL').fill(`select 'seen' as result`)
    await page.getByRole('button', { name: 'Run it' }).click()

    const cell = page.getByText('seen', { exact: true })
    await cell.waitFor()
    await expect
      .poll(async () => {
        const box = await cell.boundingBox()
        return box !== null && box.y > 0 && box.y + box.height < 500
      })
      .toBe(true)
  })

  test('draws one triangle beside what unfolds', async ({ visit }) => {
    const page = await visit('/new')
    await page.locator('summary').first().waitFor()

    const style = await page.evaluate(`(() => {
      const summary = document.querySelector('summary')
      const { display, listStyleType } = getComputedStyle(summary)
      const isHidden = display !== 'list-item' || listStyleType === 'none'
      return [isHidden, getComputedStyle(summary, '::before').content]
    })()`)
    expect(style).toEqual([true, '"▸ "'])
  })
})
