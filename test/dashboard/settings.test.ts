import { expect } from 'vitest'
import { test } from '../support/browser.ts'
import { describeInBrowser } from '../support/chromium.ts'

describeInBrowser('settings and audit', () => {
  test('make a token whose secret is shown once and signs in, and revoke it', async ({
    visit,
    site,
    browser,
  }) => {
    const page = await visit('/settings')

    await page.getByText('No token has been made').waitFor()
    await page.getByRole('button', { name: 'New token' }).click()
    await page.getByLabel('Name').fill('ada')
    await page.getByRole('checkbox', { name: /^enqueue/ }).check()
    await page.getByLabel('Only in these queues').fill('mail, reports')
    await page.getByRole('button', { name: 'Make the token' }).click()
    const secret =
      (await page.getByRole('dialog', { name: 'The token' }).locator('code').textContent()) ?? ''
    expect(secret).toMatch(/^tusk_\w{8}_[\w-]{43}$/)
    await page.getByRole('button', { name: 'It is kept' }).click()

    const row = page.getByRole('row', { name: /ada/ })
    await row.getByText(/enqueue:mail, enqueue:reports/).waitFor()
    expect(await page.content()).not.toContain(secret)

    const other = await (await browser.newContext()).newPage()
    await other.goto(`${site.url}/queues#token=${secret}`)
    await other.getByRole('heading', { name: 'Queues', level: 1 }).waitFor()
    await other.context().close()

    await row.getByRole('button', { name: 'Revoke…' }).click()
    await page.getByRole('button', { name: 'Revoke 1 token' }).click()
    await row.getByText('revoked').waitFor()
  })

  test('change how long things are kept, for all queues', async ({ visit, db }) => {
    const page = await visit('/settings')

    await page.getByRole('button', { name: 'Edit…' }).click()
    await page.getByLabel('Keep done tasks').fill('3 days')
    await page.getByRole('button', { name: 'Save' }).click()

    await page.getByText('3 days').waitFor()
    const { rows } = await db.query("select keep_done::text from queue where queue = '*'")
    expect(rows).toEqual([{ keep_done: '3 days' }])
  })

  test('keep the theme that was chosen', async ({ visit }) => {
    const page = await visit('/settings')

    await page.getByRole('button', { name: 'Dark' }).click()
    await page.reload()

    await page.locator('html[data-theme="dark"]').waitFor()
  })

  test('lead to the reference of the API', async ({ visit }) => {
    const page = await visit('/settings')

    await page.getByRole('link', { name: 'API reference' }).click()

    await page.waitForURL(/\/api\/v1\/docs$/)
    expect(await page.content()).toContain('/tasks')
  })

  test('show tokens to admins only', async ({ visit, tusk }) => {
    const { token } = await tusk.tokens.create({ name: 'operator', scopes: ['operate'] })

    const page = await visit('/settings', token)

    await page.getByText('To see and make tokens').waitFor()
    expect(await page.getByRole('link', { name: 'Audit' }).count()).toBe(0)
  })

  test('write down who did what, and what it changed', async ({ visit, db }) => {
    await db.query("select enqueue('mail')")
    const page = await visit('/queues/mail')
    for (const [label, value] of [
      ['At most running', '5'],
      ['At most running', '6'],
    ] as const) {
      await page.getByRole('button', { name: 'Actions', exact: true }).click()
      await page.getByRole('menuitem', { name: 'Settings and limits' }).click()
      await page.getByLabel(label, { exact: true }).fill(value)
      await page.getByRole('button', { name: 'Save' }).click()
      await page.getByText(`0 / ${value}`).waitFor()
    }

    await page.getByRole('link', { name: 'Audit' }).click()
    await page
      .getByRole('row', { name: /set_queue queue mail/ })
      .first()
      .getByRole('button', { name: 'Show' })
      .click()

    const change = page.getByRole('table', { name: 'What it changed' })
    await change.getByRole('row', { name: 'max_running 5 6' }).waitFor()
  })

  test('find deeds by who did them and to what', async ({ visit, db }) => {
    await db.query("select enqueue('mail'), enqueue('reports')")
    await db.query(
      `begin; select set_config('tusk.caller', '{"actor": "ada", "door": "cli"}', true), pause('mail'); commit;
       begin; select set_config('tusk.caller', '{"actor": "bob", "door": "cli"}', true), pause('reports'); commit`,
    )
    const page = await visit('/audit')
    await page.getByRole('row', { name: /bob/ }).waitFor()

    await page.getByRole('combobox', { name: 'Filter' }).fill('actor:ada')
    await page.keyboard.press('Enter')

    await page.getByRole('row', { name: /bob/ }).waitFor({ state: 'detached' })
    await page.getByRole('row', { name: /ada/ }).getByRole('link', { name: 'queue mail' }).click()
    await page.getByRole('heading', { name: 'mail', level: 1 }).waitFor()
  })
})
