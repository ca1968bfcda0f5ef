import { expect } from 'vitest'
import { test } from '../support/browser.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { adminToken } from '../support/http.ts'

describeInBrowser('signing in', () => {
  test('takes the token out of the address at once', async ({ visit }) => {
    const page = await visit('/tasks?queue=mail')

    expect(page.url()).toMatch(/\/tasks\?queue=mail$/)
    expect(await page.evaluate('history.length + document.cookie')).not.toContain('tusk_')
  })

  test('asks for a token, and says so when it does not hold', async ({ page, site }) => {
    await page.goto(site.url)

    await page.getByLabel('Token').fill(`tusk_wrongwro_${'b'.repeat(43)}`)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    await page.getByLabel('Token').fill(adminToken)
    await page.getByRole('button', { name: 'Sign in' }).click()

    await page.getByRole('heading', { name: 'Overview' }).waitFor()
  })

  test('takes the token of an address that is pasted over the form', async ({ page, site }) => {
    await page.goto(`${site.url}/tasks`)
    await page.getByLabel('Token').waitFor()

    await page.goto(`${site.url}/tasks#token=${adminToken}`)

    await page.getByRole('heading', { name: 'Tasks', level: 1 }).waitFor()
    expect(page.url()).toBe(`${site.url}/tasks`)
  })

  test('lasts over a reload, until signing out', async ({ visit }) => {
    const page = await visit('/tasks')

    await page.reload()
    await page.getByRole('heading', { name: 'Tasks', level: 1 }).waitFor()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Token').waitFor()
    await page.reload()

    await page.getByLabel('Token').waitFor()
  })

  test('asks for nothing again that the token may not, and says which scope is missing', async ({
    page,
    visit,
    tusk,
    site,
  }) => {
    const { token } = await tusk.tokens.create({ name: 'producer', scopes: ['enqueue'] })
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.clock.install()
    await visit('/', token)
    await page.getByRole('complementary').getByText('Needs scope read').waitFor()
    await page.getByRole('alert').getByText('this request needs the scope read').first().waitFor()
    await page.waitForLoadState('networkidle')
    expect(asked).toContain('/api/v1/events')
    const before = asked.length

    await page.clock.runFor(60_000)
    await page.evaluate("fetch('/healthz')")

    // The server's own state, which every caller may see, is asked for as before.
    const again = asked.slice(before).filter((path) => path !== '/api/v1/info')
    expect(again).toEqual(['/healthz'])

    await page.goto(`${site.url}/#token=${adminToken}`)
    await page
      .getByRole('button', { name: /^Live\./ })
      .first()
      .waitFor()
  })

  test('shows those who may only read no button that would be refused', async ({
    visit,
    tusk,
    db,
  }) => {
    await db.query("select enqueue('mail')")
    const { token } = await tusk.tokens.create({ name: 'reader', scopes: ['read'] })

    const page = await visit('/tasks', token)
    await page.getByRole('link', { name: '#1', exact: true }).click()
    await page.getByRole('button', { name: 'Copy as' }).waitFor()

    expect(await page.getByRole('button', { name: 'Cancel', exact: true }).count()).toBe(0)
    await page.goBack()
    await page.getByRole('link', { name: '#1', exact: true }).waitFor()
    expect(await page.getByRole('checkbox').count()).toBe(0)
  })

  test('ends when the token is revoked', async ({ visit, tusk }) => {
    const { token, id } = await tusk.tokens.create({ name: 'gone', scopes: ['operate'] })
    const page = await visit('/tasks', token)

    await tusk.tokens.revoke(id)
    await page.getByRole('link', { name: 'Overview' }).click()

    await page.getByText('You were signed out.').waitFor()
  })

  test('works below a base path, deep links included', async ({ page, openSite, db }) => {
    await db.query("select enqueue('mail')")
    const site = await openSite({ basePath: '/ops/tusk' })

    await page.goto(`${site.url}/ops/tusk/tasks/1#token=${adminToken}`)
    await page.getByRole('heading', { name: /Task #1/ }).waitFor()
    await page.getByRole('link', { name: 'Tasks', exact: true }).click()
    await page.getByRole('link', { name: '#1', exact: true }).waitFor()

    expect(page.url()).toBe(`${site.url}/ops/tusk/tasks`)
  })
})
