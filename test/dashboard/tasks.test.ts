import { readFile } from 'node:fs/promises'
import type { Page, Route } from 'playwright-core'
import { expect } from 'vitest'
import { test } from '../support/browser.ts'
import { describeInBrowser } from '../support/chromium.ts'

/** The ids in the list, from the top. */
function shown(page: Page): Promise<string[]> {
  return page.locator('[data-row] a[href*="/tasks/"]').allTextContents()
}

async function seesOnly(page: Page, ids: readonly string[]): Promise<void> {
  await expect.poll(() => shown(page)).toEqual(ids)
}

async function confirm(page: Page, action: string | RegExp): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: action }).click()
}

describeInBrowser('the list of tasks', () => {
  test('offers what can be filtered for, also to who typed before it was known', async ({
    visit,
    db,
  }) => {
    await db.query("select enqueue('mail')")
    const page = await visit('/tasks')
    const held: Route[] = []
    await page.route(/\/stats$/, (route) => void held.push(route))

    await page.getByRole('combobox', { name: 'Filter' }).fill('queue:ma')
    await expect.poll(() => held.length).toBe(1)
    await held[0]?.continue()

    await page.getByRole('option', { name: 'queue:mail' }).waitFor()
  })

  test('shows the command that fills it while it is empty', async ({ visit }) => {
    const page = await visit('/tasks')

    await page.getByText("tusk sql 'select now()' --wait").waitFor()
  })

  test('has a tab with a count for each state', async ({ visit, db }) => {
    await db.query("select enqueue('mail') from generate_series(1, 3)")
    await db.query("select enqueue('mail', p_run_at => now() + interval '1 hour')")
    await db.query('select cancel(1)')
    const page = await visit('/tasks')

    await page.getByRole('button', { name: 'ready 2' }).waitFor()
    await page.getByRole('button', { name: 'scheduled 1' }).waitFor()
    await page.getByRole('button', { name: 'cancelled 1' }).click()

    await seesOnly(page, ['#1'])
    expect(page.url()).toMatch(/\?q=state:cancelled$/)
  })

  test('is narrowed by chips that the address keeps', async ({ visit, db }) => {
    await db.query('select enqueue(\'mail\', \'{"to": "ada"}\')')
    await db.query("select enqueue('reports')")
    const page = await visit('/tasks')
    await seesOnly(page, ['#2', '#1'])

    await page.getByRole('combobox', { name: 'Filter' }).fill('que')
    await page.getByRole('option', { name: /^queue:/ }).click()
    await page.getByRole('option', { name: 'queue:mail' }).click()
    await seesOnly(page, ['#1'])
    await page.reload()
    await seesOnly(page, ['#1'])

    await page.getByRole('button', { name: 'Remove the filter queue' }).click()
    await page.getByRole('combobox', { name: 'Filter' }).fill('ADA')
    await page.keyboard.press('Enter')
    await seesOnly(page, ['#1'])
    expect(page.url()).toMatch(/\?q=ADA$/)
    await page.goBack()
    await seesOnly(page, ['#2', '#1'])
  })

  test('reads the queries of the command line, several words at once', async ({ visit, db }) => {
    await db.query("select enqueue('mail', p_tags => '{a b}') from generate_series(1, 2)")
    await db.query("select enqueue('reports', p_tags => '{a b}')")
    await db.query('select cancel(2)')
    const page = await visit('/tasks')
    await seesOnly(page, ['#3', '#2', '#1'])

    const box = page.getByRole('combobox', { name: 'Filter' })
    await box.fill('queue:mail state:ready,cancelled after:1h tag:')
    await page.getByRole('option', { name: 'tag:"a b"' }).click()
    await seesOnly(page, ['#2', '#1'])
    await box.fill('state:ready')
    await page.keyboard.press('Enter')

    await seesOnly(page, ['#1'])
    const asked = new URL(page.url()).searchParams.get('q')
    expect(asked).toBe('queue:mail after:1h tag:"a b" state:ready')
  })

  test('tells what is wrong with a query, and what may have been meant', async ({ visit }) => {
    const page = await visit('/tasks?q=queu:mail')

    await page.getByRole('alert').getByText('unknown filter queu:').waitFor()
    await page
      .getByRole('alert')
      .getByText(/Did you mean queue:\?/)
      .waitFor()
  })

  test('shows and exports nothing for a query that cannot be read', async ({ visit, db }) => {
    await db.query("select enqueue('mail')")
    const page = await visit('/tasks')
    await seesOnly(page, ['#1'])

    await page.getByRole('combobox', { name: 'Filter' }).fill('queu:mail')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').waitFor()

    await seesOnly(page, [])
    expect(await page.getByRole('button', { name: 'Export' }).count()).toBe(0)
  })

  test('goes on by cursor and comes back', async ({ visit, db }) => {
    await db.query("select enqueue('mail') from generate_series(1, 120)")
    const page = await visit('/tasks')
    await expect.poll(() => shown(page)).toHaveLength(50)

    await page.getByRole('button', { name: 'Next' }).click()
    await expect.poll(async () => (await shown(page))[0]).toBe('#70')
    await page.getByRole('button', { name: 'Next' }).click()
    await expect.poll(async () => (await shown(page)).at(-1)).toBe('#1')
    expect(await page.getByRole('button', { name: 'Next' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Newest' }).click()

    await expect.poll(async () => (await shown(page))[0]).toBe('#120')
  })

  test('does something to what is selected, after asking with the count', async ({
    visit,
    db,
    engine,
  }) => {
    await db.query("select enqueue('mail') from generate_series(1, 5)")
    const page = await visit('/tasks')

    await page.getByRole('checkbox', { name: 'Select task 2' }).check()
    await page.getByRole('checkbox', { name: 'Select task 4' }).check()
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await page.getByRole('dialog', { name: 'Cancel 2 tasks?' }).waitFor()
    await confirm(page, 'Cancel 2 tasks')

    await page.getByText('2 tasks cancelled.').waitFor()
    expect(
      await engine.value(
        "select array_agg(id::integer order by id) from task where state = 'cancelled'",
      ),
    ).toEqual([2, 4])
  })

  test('leaves everything as it is when the answer is no', async ({ visit, db, engine }) => {
    await db.query("select enqueue('mail')")
    const page = await visit('/tasks')

    await page.getByRole('checkbox', { name: 'Select task 1' }).check()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    expect(await engine.value('select count(*)::integer from task')).toBe(1)
  })

  test('does something to all that match, also beyond the page', async ({ visit, db, engine }) => {
    await db.query("select enqueue('mail') from generate_series(1, 70)")
    await db.query("select enqueue('reports')")
    const page = await visit('/tasks?queue=mail')

    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    await page.getByRole('button', { name: 'All that match' }).click()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await confirm(page, 'Delete 70 tasks')

    await page.getByText('70 tasks deleted.').waitFor()
    expect(await engine.value('select array_agg(queue) from task')).toEqual(['reports'])
  })

  test.for(['unticks a row', 'looks at other tasks'] as const)(
    'does it to no more than is ticked once the user %s',
    async (deed, { visit, db }) => {
      await db.query("select enqueue('mail') from generate_series(1, 70)")
      await db.query("select enqueue('reports') from generate_series(1, 3)")
      const page = await visit('/tasks?queue=mail')
      await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
      await page.getByRole('button', { name: 'All that match' }).click()
      await page.getByText('All matching selected').waitFor()

      if (deed === 'unticks a row') {
        await page.getByRole('checkbox', { name: 'Select task 70' }).uncheck()
      } else {
        await page.getByRole('combobox', { name: 'Filter' }).fill('queue:reports')
        await page.keyboard.press('Enter')
        await seesOnly(page, ['#73', '#72', '#71'])
        await page.getByRole('checkbox', { name: 'Select task 71' }).check()
      }

      const left = deed === 'unticks a row' ? '49 tasks' : '1 task'
      await page.getByText(`${left} selected`).waitFor()
      await page.getByRole('button', { name: 'Cancel', exact: true }).click()
      await page.getByRole('dialog', { name: `Cancel ${left}?` }).waitFor()
    },
  )

  test('changes time and priority of many', async ({ visit, db, engine }) => {
    await db.query("select enqueue('mail') from generate_series(1, 2)")
    const page = await visit('/tasks')

    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Change…' }).click()
    await page.getByLabel('Priority, higher first').fill('7')
    await confirm(page, 'Change…')
    await confirm(page, 'Change 2 tasks')

    await page.getByText('2 tasks changed.').waitFor()
    expect(await engine.value('select array_agg(priority) from task')).toEqual([7, 7])
  })

  test('exports what matches, without formulas', async ({ visit, db }) => {
    await db.query("select enqueue('mail', p_key => '=1+2')")
    await db.query("select enqueue('reports')")
    const page = await visit('/tasks?queue=mail')

    await page.getByRole('button', { name: 'Export' }).click()
    const [csv] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'As CSV' }).click(),
    ])
    await page.getByRole('button', { name: 'Export' }).click()
    const [json] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: 'As JSON' }).click(),
    ])

    const lines = (await readFile(await csv.path(), 'utf8')).trim().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toMatch(/^1,ready,,mail,handler,.*,'=1\+2,/)
    expect(JSON.parse(await readFile(await json.path(), 'utf8'))).toMatchObject([
      { id: '1', queue: 'mail' },
    ])
  })

  test('hand the focus of a row that has left to no other', async ({ visit, db }) => {
    await db.query("select enqueue('mail') from generate_series(1, 2)")
    const page = await visit('/tasks?state=ready')
    await page.locator('[data-row="2"]').waitFor()
    await page.keyboard.press('j')
    const focused = () => page.evaluate<string | undefined>('document.activeElement.dataset.row')
    expect(await focused()).toBe('2')

    await db.query('select cancel(id) from generate_series(1, 2) as id')
    await db.query("select enqueue('post') from generate_series(1, 2)")

    await page.locator('[data-row="1"]').waitFor({ state: 'detached' })
    await page.locator('[data-row]').nth(1).waitFor()
    expect(await focused()).toBeUndefined()
  })

  test('are not moved beyond the calendar, and the dialog says how far it goes', async ({
    visit,
    db,
  }) => {
    await db.query("select enqueue('mail')")
    const page = await visit('/tasks')
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check()
    await page.getByRole('button', { name: 'More' }).click()
    await page.getByRole('menuitem', { name: 'Change' }).click()
    const box = page.getByLabel('Run at, in your time zone')

    await box.fill('12026-01-01T00:00')
    await page.getByRole('button', { name: 'Change…' }).click()

    const reported = (input: { validationMessage: string }) => input.validationMessage
    expect(await box.evaluate(reported)).toContain('9999')
  })
})
