import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { test } from '../support/browser.ts'
import { describeInBrowser } from '../support/chromium.ts'

async function choose(page: Page, menu: string, item: string): Promise<void> {
  await page.getByRole('button', { name: menu, exact: true }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

async function confirm(page: Page, action: string | RegExp): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: action }).click()
}

function row(page: Page, name: string) {
  return page.getByRole('row', { name: new RegExp(`^${name} `) })
}

describeInBrowser('queues and groups', () => {
  test('show the commands that fill the page while it is empty', async ({ visit }) => {
    const page = await visit('/queues')

    await page.getByText("tusk sql 'select now()' --wait").waitFor()
    await page.getByText("tusk group set 'customer 42' --max-running 2").waitFor()
  })

  test('show what waits in a queue as it changes, without looking by themselves', async ({
    page,
    visit,
    db,
  }) => {
    await db.query("select enqueue('mail')")
    await page.addInitScript('window.setInterval = () => 0')
    await visit('/queues')
    await row(page, 'mail').waitFor()
    await page.getByRole('button', { name: /Live/ }).first().waitFor()

    await db.query("select enqueue('reports') from generate_series(1, 3)")

    await row(page, 'reports').getByRole('cell', { name: '3', exact: true }).waitFor()
  })

  test('are narrowed by name, and kept so in the address', async ({ visit, db }) => {
    await db.query("select enqueue('mail'), enqueue('reports')")
    const page = await visit('/queues')
    await row(page, 'mail').waitFor()

    await page.keyboard.press('/')
    await page.keyboard.type('REP')

    await row(page, 'mail').waitFor({ state: 'detached' })
    await row(page, 'reports').waitFor()
    expect(page.url()).toMatch(/\?name=REP$/)
  })

  test('say where the tasks of a queue are pushed to', async ({ visit, engine }) => {
    const url = 'https://example.org/tasks'
    await engine.setPush('mail', { url, secrets: [{ env: 'TUSK_SECRET_PUSH' }] })
    await engine.enqueueMany([{ queue: 'mail' }, { queue: 'reports' }])

    const page = await visit('/queues/mail')
    await page.getByText(`Its tasks are pushed to ${url}`).waitFor()

    const asked = page.waitForResponse(/\/api\/v1\/push$/)
    await page.goto(page.url().replace('/mail', '/reports'))
    await asked
    await page.getByRole('heading', { name: 'reports' }).waitFor()
    expect(await page.getByText('Its tasks are pushed to').count()).toBe(0)
  })

  test('are paused after a question that tells what waits, and resumed', async ({ visit, db }) => {
    await db.query("select enqueue('mail') from generate_series(1, 3)")
    const page = await visit('/queues')

    await choose(page, 'Actions for mail', 'Pause')
    await page.getByRole('dialog').getByText('3 tasks due wait until it is resumed').waitFor()
    await confirm(page, 'Pause the queue')
    await row(page, 'mail').getByText('paused').waitFor()
    await choose(page, 'Actions for mail', 'Resume')

    await row(page, 'mail').getByText('no worker serves queue mail').waitFor()
  })

  test('take limits, and refuse an edit of settings that have changed meanwhile', async ({
    visit,
    db,
  }) => {
    await db.query("select enqueue('mail')")
    const page = await visit('/queues/mail')

    await choose(page, 'Actions', 'Settings and limits')
    await page.getByLabel('At most running', { exact: true }).fill('7')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('0 / 7').waitFor()

    await choose(page, 'Actions', 'Settings and limits')
    await page.getByLabel('At most running', { exact: true }).fill('8')
    await db.query(`select set_queue('mail', '{"max_running": 9}')`)
    await page.getByRole('button', { name: 'Save' }).click()

    await page.getByRole('alert').getByText('the resource has changed since you read it').waitFor()
    expect((await db.query("select max_running from queue where queue = 'mail'")).rows).toEqual([
      { max_running: 9 },
    ])
  })

  test('tell which setting is wrong', async ({ visit, db }) => {
    await db.query("select enqueue('mail')")
    const page = await visit('/queues/mail')

    await choose(page, 'Actions', 'Settings and limits')
    await page.getByLabel('Keep done tasks').fill('soon')
    await page.getByRole('button', { name: 'Save' }).click()

    await page.getByRole('alert').getByText(/soon/).waitFor()
  })

  test('retry all that failed, after a question with the count', async ({ visit, db, engine }) => {
    await db.query("select enqueue('mail', p_max_attempts => 1) from generate_series(1, 4)")
    for (let n = 0; n < 4; n += 1) await engine.fail(await engine.claimOne('mail'))
    const page = await visit('/queues/mail')

    await choose(page, 'Actions', 'Retry all failed')
    await confirm(page, 'Retry 4 tasks')

    await page.getByText('4 tasks queued again.').waitFor()
    expect(
      (await db.query("select coalesce(sum(size), 0)::int as n from tasks where queue = 'mail'"))
        .rows,
    ).toEqual([{ n: 4 }])
  })

  test('are purged of what is chosen, after the count', async ({ visit, db }) => {
    await db.query("select enqueue('mail') from generate_series(1, 5)")
    await db.query('select cancel(1), cancel(2)')
    const page = await visit('/queues/mail')

    await choose(page, 'Actions', 'Purge')
    await page.getByLabel('Cancelled 2').check()
    await page.getByRole('button', { name: 'Delete…' }).click()
    await confirm(page, 'Delete 2 tasks')

    await page.getByText('2 tasks deleted.').waitFor()
    expect((await db.query('select count(*)::int as n from task')).rows).toEqual([{ n: 3 }])
  })

  test('have pages whose names need no care', async ({ visit, db }) => {
    await db.query("select enqueue('a/b & c?')")
    const page = await visit('/queues')

    await page.getByRole('link', { name: 'a/b & c?' }).click()

    await page.getByRole('heading', { name: 'a/b & c?', level: 1 }).waitFor()
    await page.getByText('All tasks of the queue').click()
    await page.getByRole('link', { name: '#1', exact: true }).waitFor()
  })

  test('are said not to be there if they never had a task or a setting', async ({ visit, db }) => {
    const page = await visit('/queues/mial')
    await page.getByText('There is no queue mial.').waitFor()
    expect(await page.getByRole('button', { name: 'Actions' }).count()).toBe(0)
    await page.getByRole('main').getByRole('link', { name: 'All queues' }).waitFor()

    await db.query("select enqueue('mial')")
    await page.getByRole('region', { name: 'Settings' }).waitFor()
    await page.getByText('There is no queue mial.').waitFor({ state: 'detached' })
  })

  test('are shown although they are empty', async ({ visit, db, engine }) => {
    await db.query(`select set_queue('set', '{"max_running": 3}')`)
    const { id } = await engine.enqueue({ queue: 'emptied' })
    await engine.delete(id)
    const page = await visit('/queues/set')

    await page.getByText('0 / 3').waitFor()
    await page.goto(new URL('/queues/emptied', page.url()).href)
    await page.getByRole('button', { name: 'Actions', exact: true }).waitFor()
    await page.getByRole('region', { name: 'Settings' }).waitFor()
    expect(await page.getByText('There is no queue').count()).toBe(0)
  })

  test('have groups that are limited and paused alike', async ({ visit, db }) => {
    await db.query(`select set_group('tenant', '{"max_running": 2}')`)
    const page = await visit('/queues')

    await page.getByRole('link', { name: 'tenant' }).click()
    await choose(page, 'Actions', 'Limits')
    await page.getByLabel('Rate', { exact: true }).fill('10')
    await page.getByLabel('Rate window').fill('90 seconds')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('10 per 1 minute 30 seconds').waitFor()
    await choose(page, 'Actions', 'Pause')
    await confirm(page, 'Pause the group')

    await page.getByText('paused', { exact: true }).waitFor()
  })

  test('show those who may only read why there are no buttons', async ({ visit, tusk, db }) => {
    await db.query("select enqueue('mail')")
    const { token } = await tusk.tokens.create({ name: 'reader', scopes: ['read'] })

    const page = await visit('/queues', token)

    await page.getByText('Read-only: to pause, limit, retry or purge').waitFor()
    await row(page, 'mail').waitFor()
    expect(await page.getByRole('button', { name: /^Actions/ }).count()).toBe(0)
  })
})
