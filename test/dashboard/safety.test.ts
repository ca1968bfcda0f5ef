import type { Page } from 'playwright-core'
import { expect } from 'vitest'
import { test } from '../support/browser.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { durableVerbs } from '../support/durable.ts'
import { hostile, hostileName } from '../support/hostile.ts'

/** Nothing ran, and nothing became an element. */
async function isUnhurt(page: Page): Promise<void> {
  expect(await page.evaluate('window.hurt')).toBeUndefined()
  expect(await page.locator('#app img, #app script, #app a[href^="javascript"]').count()).toBe(0)
}

describeInBrowser('what the database holds', () => {
  test('is shown as text in the list, the filters and the overview', async ({
    visit,
    db,
    engine,
  }) => {
    const { id, claim } = await engine.running({
      queue: hostileName,
      handler: hostileName,
      key: hostileName,
      tags: [hostileName],
      groups: [hostileName],
      payload: { [hostile]: hostile },
      maxAttempts: 1,
    })
    await db.query('select fail($1, $2, $3)', [
      id,
      claim,
      JSON.stringify({
        message: hostile,
        code: hostile,
        name: hostile,
        detail: hostile,
        stack: hostile,
      }),
    ])
    await db.query('select enqueue($1, $2, p_key => $1)', [hostileName, JSON.stringify(hostile)])

    const page = await visit('/')
    await page.getByText('<img src=x').first().waitFor()
    await isUnhurt(page)
    await page.getByRole('link', { name: 'Tasks', exact: true }).click()
    await page.locator('[data-row="1"]').waitFor()
    await isUnhurt(page)
    await page.getByRole('combobox', { name: 'Filter' }).fill('queue:')
    await page.getByRole('option').first().click()
    await page.locator('.chip').getByText('<img src=x').waitFor()
    await isUnhurt(page)
  })

  test('is shown as text on the page of a task', async ({ visit, db, engine }) => {
    const { id, claim } = await engine.running({
      queue: hostileName,
      handler: hostileName,
      key: hostileName,
      tags: [hostileName],
      payload: { [hostile]: [hostile, { a: hostile }] },
      meta: { [hostile]: hostile },
      maxAttempts: 1,
    })
    await db.query('select log(array[$1::bigint], array[$2::bigint], array[$3], array[$4])', [
      id,
      claim,
      'info',
      hostile,
    ])
    await db.query('select progress($1, $2, $3)', [id, claim, JSON.stringify({ message: hostile })])
    const page = await visit(`/tasks/${id}`)
    await page.getByRole('log').getByText('<img src=x').waitFor()
    await page.getByRole('region', { name: 'Running' }).getByText('<img src=x').waitFor()
    await isUnhurt(page)

    const error = {
      name: hostile,
      code: hostile,
      message: hostile,
      detail: hostile,
      hint: hostile,
      where: hostile,
      stack: hostile,
    }
    await db.query('select fail($1, $2, $3)', [id, claim, JSON.stringify(error)])
    await page.getByRole('region', { name: 'Error' }).getByText('<img src=x').first().waitFor()
    await isUnhurt(page)
    expect(await page.title()).toBe(`Task ${id} · Tusk`)
  })

  test('is shown as text in SQL and what it gave', async ({ visit, work, db }) => {
    await work({ sql: true })
    await db.query('select sql($1)', [
      `select '${hostile.replaceAll("'", "''")}' as "${hostile.replaceAll('"', '""').slice(0, 60)}"; do $$ begin raise notice '%', $q$${hostile}$q$; end $$`,
    ])
    const page = await visit('/tasks/1')

    await page.getByRole('cell').getByText('<img src=x').waitFor()
    await page.getByRole('list', { name: 'Notices' }).getByText('<img src=x').waitFor()
    await isUnhurt(page)
  })

  test('is shown as text in steps, signals, families and streams', async ({ visit, engine }) => {
    const durable = durableVerbs(engine)
    const task = await engine.running({ queue: hostileName })
    const error = JSON.stringify({ message: hostile, error: { message: hostile } })
    await engine.rows(
      `select save_steps($1, $2, $3, $4::jsonb[], $5::jsonb[], '{failed}')`,
      [task.id],
      [task.claim],
      [hostileName],
      [JSON.stringify({ [hostile]: hostile })],
      [error],
    )
    await durable.spawn(task, { [`child ${hostileName}`]: { queue: hostileName } })
    await durable.signal(task.id, hostileName, { [hostile]: hostile })
    await engine.rows(
      'select write_chunks($1, $2, array[to_jsonb($3::text)])',
      task.id,
      task.claim,
      hostile,
    )
    const signal = `await ${hostileName}`
    await durable.suspend(task, { kind: 'signal', name: signal, signal })
    const page = await visit(`/tasks/${task.id}`)

    await page.getByRole('region', { name: 'Steps' }).locator('summary').first().click()
    for (const name of ['Waits for', 'Signals not received yet', 'Steps', 'Family', 'Stream']) {
      const part = page.getByRole('region', { name, exact: true })
      await part.getByText('<img src=x').first().waitFor()
    }
    await page.getByRole('button', { name: 'Text', exact: true }).click()
    await page.getByRole('button', { name: 'Send signal' }).click()
    await page.getByRole('dialog').waitFor()
    await isUnhurt(page)
  })

  test('in an address does nothing either', async ({ visit }) => {
    const page = await visit(
      `/tasks?text=${encodeURIComponent(hostile)}&queue=${encodeURIComponent(hostile)}`,
    )
    await page.locator('.chip').first().waitFor()
    await isUnhurt(page)
  })
})

describeInBrowser('the policy of the page', () => {
  test('lets no script in that is not a file of ours', async ({ visit, faults }) => {
    const page = await visit('/')

    await page.evaluate(`
      const script = document.createElement('script')
      script.textContent = 'window.hurt = 1'
      document.body.append(script)
      const frame = document.createElement('img')
      frame.src = 'http://127.0.0.1:9/x.png'
      document.body.append(frame)
    `)

    expect(await page.evaluate('window.hurt')).toBeUndefined()
    await expect
      .poll(() => faults.filter((fault) => fault.includes('Content Security Policy')).length)
      .toBe(2)
    faults.length = 0
  })
})
