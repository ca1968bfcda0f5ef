import { expect } from 'vitest'
import { describeInBrowser } from '../support/chromium.ts'
import { part, test } from '../support/durable-pages.ts'

const paid = { kind: 'signal', name: 'paid', signal: 'paid', for: '1 day' }

describeInBrowser('a task that waits', () => {
  test('says for which signal and how long, also in the list, and is sent it', async ({
    visit,
    engine,
    durable,
  }) => {
    const task = await engine.running({ queue: 'orders' })
    await durable.suspend(task, paid)
    const page = await visit('/tasks')
    await page.locator(`[data-row="${task.id}"]`).getByText('waits for signal paid').waitFor()
    await page.getByRole('link', { name: `#${task.id}` }).click()
    const waits = part(page, 'Waits for')
    await waits.getByText('Signal paid').waitFor()
    await waits.getByText(/^time-out in 23 h$/).waitFor()
    expect(await page.getByRole('button', { name: 'Run now' }).count()).toBe(0)

    await waits.getByRole('button', { name: 'Send signal' }).click()
    const dialog = page.getByRole('dialog')
    expect(await dialog.getByLabel('Name').inputValue()).toBe('paid')
    await dialog.getByLabel('Payload, as JSON').fill('{by: ada}')
    await dialog.getByRole('button', { name: 'Send signal' }).click()
    await dialog.getByText(/^The payload is not JSON:/).waitFor()
    expect(await engine.value('select count(*)::integer from signals')).toBe(0)
    await dialog.getByLabel('Payload, as JSON').fill('{"by": "ada"}')
    await dialog.getByRole('button', { name: 'Send signal' }).click()

    await page.getByText(`Signal paid is sent to task ${task.id}.`).waitFor()
    await page.getByRole('heading', { name: 'ready' }).waitFor()
    await part(page, 'Signals not received yet').getByText('ada').waitFor()
    await waits.waitFor({ state: 'detached' })
    const again = await engine.claimOne('orders')
    expect(await durable.suspend(again, paid)).toMatchObject([{ output: { by: 'ada' } }])
  })

  test('says so of a delay, of children and of earlier tasks', async ({
    visit,
    engine,
    durable,
    db,
  }) => {
    const late = await engine.running({ queue: 'orders' })
    await durable.suspend(late, { kind: 'delay', name: 'cool down', for: '2 hours' })
    const parent = await engine.running({ queue: 'orders' })
    const [pack, label] = await durable.spawn(parent, {
      pack: { queue: 'pack' },
      label: { queue: 'pack' },
    })
    await durable.suspend(parent, { kind: 'children', children: ['pack', 'label'] })
    await engine.complete(await engine.claimOne('pack'))
    const { rows } = await db.query(
      'select id::text from enqueue($1, p_after => array[$2::bigint, $3::bigint])',
      ['report', late.id, parent.id],
    )

    const page = await visit(`/tasks/${late.id}`)
    await part(page, 'Waits for').getByText('Delay cool down').waitFor()
    await part(page, 'Waits for').getByText('in 1 h').waitFor()
    await page.goto(new URL(`/tasks/${parent.id}`, page.url()).href)
    await part(page, 'Waits for').getByText('1 child').waitFor()
    await part(page, 'Waits for')
      .getByRole('link', { name: `#${label}` })
      .waitFor()
    expect(
      await part(page, 'Waits for')
        .getByRole('link', { name: `#${pack}` })
        .count(),
    ).toBe(0)
    await page.goto(new URL(`/tasks/${rows[0].id}`, page.url()).href)
    await part(page, 'Waits for').getByText('2 earlier tasks').waitFor()
    await part(page, 'Waits for')
      .getByRole('link', { name: `#${late.id}` })
      .waitFor()
    await part(page, 'Waits for')
      .getByRole('link', { name: `#${parent.id}` })
      .waitFor()
    expect(await page.locator('.graph__arrow--after').count()).toBeGreaterThan(0)
    expect(await part(page, 'Details').getByText('Due').count()).toBe(0)
  })

  test('is sent a signal that it does not wait for yet, from the menu', async ({
    visit,
    engine,
    durable,
  }) => {
    const { id } = await engine.enqueue({ queue: 'orders' })
    const page = await visit(`/tasks/${id}`)

    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Send a signal' }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('paid')
    await page.getByRole('dialog').getByRole('button', { name: 'Send signal' }).click()

    await page.getByText(`Signal paid is sent to task ${id}.`).waitFor()
    const task = await engine.claimOne('orders')
    expect(await durable.suspend(task, paid)).toMatchObject([{ name: 'paid', output: null }])
  })
})
