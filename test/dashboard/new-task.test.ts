import { expect } from 'vitest'
import { test } from '../support/browser.ts'
import { describeInBrowser } from '../support/chromium.ts'

describeInBrowser('a new task', () => {
  test('of SQL shows its statements before it runs, and what it gave after', async ({
    visit,
    work,
  }) => {
    await work({ sql: true, queues: ['sql'] })
    const page = await visit('/new')

    await page.getByLabel('SQL', { exact: true }).fill("select 6 * 7 as answer; select 'done'")
    await page.getByText('2 statements, in one transaction: all of it or nothing.').waitFor()
    await page.keyboard.press('Control+Enter')

    await page.getByRole('cell', { name: '42' }).waitFor()
    await page.getByText('exactly once').waitFor()
  })

  test('says which statements commit by themselves, and where it cannot be read', async ({
    visit,
  }) => {
    const page = await visit('/new')

    await page.getByLabel('SQL', { exact: true }).fill('select 1; vacuum')
    await page.getByText('2 statements, each committed by itself.').waitFor()
    await page.getByLabel('SQL', { exact: true }).fill('select 1 form t x')

    await page.getByText(/It cannot be read: syntax error/).waitFor()
    await page.locator('mark').waitFor()
  })

  test('for a handler takes JSON, and says when it is none', async ({ visit, db }) => {
    const page = await visit('/new')

    await page.getByRole('button', { name: 'Handler', exact: true }).click()
    await page.getByLabel('Queue').fill('mail')
    await page.getByLabel('Payload, JSON').fill('{to: ada}')
    await page.getByRole('button', { name: 'Submit it' }).click()
    await page.getByRole('alert').getByText('The payload is not JSON').waitFor()
    await page.getByLabel('Payload, JSON').fill('{"to": "ada"}')
    await page.getByText('Key, tags, groups, priority, attempts, timeout').click()
    await page.getByLabel('Tags').fill('a, b')
    await page.getByLabel('Priority').fill('5')
    await page.getByRole('button', { name: 'Submit it' }).click()

    await page.getByText('Task 1 is queued.').waitFor()
    const { rows } = await db.query('select queue, kind, payload, tags, priority from task')
    expect(rows).toEqual([
      { queue: 'mail', kind: 'handler', payload: { to: 'ada' }, tags: ['a', 'b'], priority: 5 },
    ])
  })

  test('is refused with a number that cannot be kept, instead of losing it', async ({
    visit,
    db,
  }) => {
    const page = await visit('/new?kind=handler&queue=mail')

    await page.getByLabel('Payload, JSON').fill('{"total": 1e400}')
    await page.getByRole('button', { name: 'Submit it' }).click()

    await page.getByRole('alert').getByText('a number too large to be kept exactly').waitFor()
    expect((await db.query('select from task')).rowCount).toBe(0)
  })

  test('waits until later', async ({ visit, db }) => {
    const page = await visit('/new?kind=document')

    await page.getByLabel('Queue').fill('papers')
    await page.getByRole('button', { name: 'Later' }).click()
    await page.getByLabel('Not before, in your time zone').fill('2040-01-01T10:00')
    await page.getByRole('button', { name: 'Submit it for then' }).click()

    await page.getByText('Task 1 is queued.').waitFor()
    expect((await db.query('select kind, state from task')).rows).toEqual([
      { kind: 'document', state: 'scheduled' },
    ])
  })

  test('says what is expected of a time beyond the calendar', async ({ visit, db }) => {
    const page = await visit('/new')
    await page.getByRole('button', { name: 'Later' }).click()
    const box = page.getByLabel('Not before, in your time zone')
    await page.getByLabel('SQL', { exact: true }).fill('select 1')

    await box.fill('12026-01-01T00:00')
    await page.getByRole('button', { name: 'Submit it for then' }).click()
    const reported = await box.evaluate(
      (input: { validationMessage: string }) => input.validationMessage,
    )
    // For browsers that take it all the same.
    await box.evaluate((input: { removeAttribute(name: string): void }) =>
      input.removeAttribute('max'),
    )
    await page.getByRole('button', { name: 'Submit it for then' }).click()

    expect(reported).toContain('9999')
    await page.getByRole('alert').getByText('Give a time up to the end of the year 9999.').waitFor()
    expect((await db.query('select from task')).rowCount).toBe(0)
  })

  test('comes again and again as a schedule', async ({ visit, db }) => {
    const page = await visit('/new')

    await page.getByLabel('SQL', { exact: true }).fill('select 1')
    await page.getByRole('button', { name: 'On a schedule' }).click()
    await page.getByLabel('Name of the schedule').fill('tick')
    await page.getByRole('button', { name: 'Interval' }).click()
    await page.getByLabel('Every').fill('10 minutes')
    await page.getByText('Every 10 minutes').waitFor()
    await page.getByRole('button', { name: 'Make the schedule' }).click()

    await page.getByRole('heading', { name: 'tick', level: 1 }).waitFor()
    expect((await db.query('select every::text from schedule')).rows).toEqual([
      { every: '00:10:00' },
    ])
  })

  test('of SQL is refused with the reason where the server takes none', async ({
    openSite,
    page,
  }) => {
    const { adminToken } = await import('../support/http.ts')
    const site = await openSite({ sql: false })
    await page.goto(`${site.url}/new#token=${adminToken}`)

    await page.getByText('This server takes no SQL over HTTP.').waitFor()
    await page.getByLabel('SQL', { exact: true }).fill('select 1')
    await page.getByRole('button', { name: 'Run it' }).click()

    await page.getByRole('alert').waitFor()
  })

  test('is offered to those who may submit into some queues', async ({ visit, tusk }) => {
    const { token } = await tusk.tokens.create({ name: 'mailer', scopes: ['enqueue:mail'] })
    const page = await visit('/new?kind=handler&queue=mail', token)

    await page.getByRole('button', { name: 'Submit it' }).click()

    await page.getByText('Task 1 is queued.').waitFor()
  })

  test('is not offered to those who may not submit any', async ({ visit, tusk }) => {
    const { token } = await tusk.tokens.create({ name: 'reader', scopes: ['read'] })

    const page = await visit('/new', token)

    await page.getByText('Read-only: to submit tasks').waitFor()
    expect(await page.getByRole('button', { name: 'Run it' }).count()).toBe(0)
  })
})
