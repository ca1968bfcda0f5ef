import { expect } from 'vitest'
import { describeInBrowser } from '../support/chromium.ts'
import { part, test } from '../support/durable-pages.ts'

describeInBrowser('the steps of a task', () => {
  test('are on a line of time, with failed attempts and results', async ({
    visit,
    engine,
    durable,
  }) => {
    const first = await engine.running({ queue: 'orders' })
    await durable.save(first, 'bill', { number: 4711 })
    const failed = `select save_steps($1, $2, '{mail}', null, $3::jsonb[], '{retrying}')`
    const error = JSON.stringify({ message: 'the mail server is full' })
    await engine.rows(failed, [first.id], [first.claim], [error])
    await engine.fail(first, { message: 'no stamp left' }, { delay: '0 seconds' })
    const page = await visit(`/tasks/${first.id}`)
    const steps = part(page, 'Steps')

    await expect
      .poll(() => steps.locator('.step__name').allTextContents())
      .toEqual(['Attempt 1 ', 'bill ', 'mail '])
    await steps.getByText('bill').click()
    await steps.getByText('4711').waitFor()
    await steps.locator('summary', { hasText: 'mail' }).getByText('retrying').waitFor()
    await steps.locator('summary', { hasText: 'mail' }).click()
    await steps.getByText('the mail server is full').waitFor()
    await steps.locator('summary', { hasText: 'Attempt 1' }).click()
    await steps.getByText('no stamp left').waitFor()

    const second = await engine.claimOne('orders')
    await durable.save(second, 'mail')
    await engine.complete(second)

    await steps.locator('summary', { hasText: 'mail' }).getByText('2 attempts').waitFor()
  })

  test('come as a task that runs stores them', async ({ visit, engine, durable }) => {
    const task = await engine.running({ queue: 'orders' })
    await durable.save(task, 'bill')
    const page = await visit(`/tasks/${task.id}`)
    await part(page, 'Steps').getByText('bill').waitFor()

    // Several, one after the other: something else may have the page load once more.
    for (const name of ['ship', 'mail', 'thank', 'close']) {
      await durable.save(task, name)
      await part(page, 'Steps').getByText(name).waitFor()
    }
  })

  test('are where a task that ended is retried from, after asking', async ({
    visit,
    engine,
    durable,
  }) => {
    const task = await engine.running({ queue: 'orders' })
    for (const name of ['bill', 'ship', 'mail']) await durable.save(task, name)
    const page = await visit(`/tasks/${task.id}`)
    const ship = part(page, 'Steps').locator('li', { hasText: 'ship' })
    await ship.getByText('ship').click()
    await ship.getByText('Started').waitFor()
    expect(await ship.getByRole('button', { name: 'Retry from here' }).count()).toBe(0)

    await engine.fail(task, { message: 'lost' }, { retry: false })
    await ship.getByRole('button', { name: 'Retry from here' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Retry from here' }).click()

    await page.getByText(`Task ${task.id} is queued again, from ship.`).waitFor()
    await page.getByRole('heading', { name: 'ready' }).waitFor()
    expect(await durable.steps(task.id)).toMatchObject([{ name: 'bill' }])
    await ship.waitFor({ state: 'detached' })
  })
})
