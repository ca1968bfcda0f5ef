import { expect } from 'vitest'
import { test } from '../support/browser.ts'
import { describeInBrowser } from '../support/chromium.ts'

describeInBrowser('the edits of a task', () => {
  test('bring it back changed, and say what is wrong with a change', async ({
    visit,
    db,
    engine,
  }) => {
    await db.query('select enqueue(\'mail\', \'{"to": "ada"}\')')
    await db.query('select cancel(1)')
    const page = await visit('/tasks/1')

    await page.getByRole('button', { name: 'Retry with edits' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Payload, as JSON').fill('{"to": ')
    await dialog.getByRole('button', { name: 'Retry' }).click()
    await dialog.getByText(/the text ends too early at character 8/).waitFor()
    await dialog.getByLabel('Payload, as JSON').fill('{"to": "grace"}')
    await dialog.getByRole('button', { name: 'Retry' }).click()
    await dialog.waitFor({ state: 'detached' })

    expect(await engine.value("select state || ' ' || (payload ->> 'to') from task")).toBe(
      'ready grace',
    )
  })

  test.for([
    [
      'Payload, as JSON',
      `enqueue('mail', '{"share": 1.10000000000000000001, "n": 90071992547409931234}')`,
      '1234',
      '1235',
    ],
    [
      'SQL',
      `sql(E'select 1, "é\\n\\t\\x7f\\x1f\\\\"', p_connection => 'x')`,
      'select 1',
      'select 2',
    ],
  ] as const)('change nothing but what was typed: %s', async (given, { visit, db, engine }) => {
    const [label, verb, from, to] = given
    await db.query(`select set_connection('x', '{"host": "127.0.0.1"}')`)
    await db.query(`select ${verb}`)
    const before = String(await engine.value('select payload::text from task'))
    await db.query('select cancel(1)')
    const page = await visit('/tasks/1')

    await page.getByRole('button', { name: 'Retry with edits' }).click()
    const dialog = page.getByRole('dialog')
    const box = dialog.getByLabel(label)
    await box.fill((await box.inputValue()).replace(from, to))
    await dialog.getByRole('button', { name: 'Retry' }).click()
    await dialog.waitFor({ state: 'detached' })

    expect(await engine.value('select payload::text from task')).toBe(before.replace(from, to))
  })

  test('change what waits, but not what another user has changed meanwhile', async ({
    visit,
    db,
    engine,
  }) => {
    await db.query("select enqueue('mail', '{}')")
    const page = await visit('/tasks/1')

    const edit = () =>
      Promise.all([
        page.waitForResponse(/\/tasks\/1$/),
        page.getByRole('button', { name: 'Edit', exact: true }).click(),
      ])
    await edit()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Priority, higher first').fill('5')
    await db.query(`select amend(1, '{"priority": 9}')`)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByRole('alert').waitFor()
    await page.keyboard.press('Escape')
    await edit()
    await dialog.getByLabel('Priority, higher first').fill('6')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })

    expect(await engine.value('select priority from task')).toBe(6)
  })

  test('begin with the task as it is, not as the page still shows it', async ({
    page,
    visit,
    db,
    engine,
  }) => {
    await db.query(`select sql('select 1')`)
    await page.addInitScript('window.setInterval = () => 0')
    await visit('/tasks/1')
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
    await page.keyboard.press('p')
    await page
      .getByRole('button', { name: /^Paused\./ })
      .first()
      .waitFor()
    await db.query(
      `select amend(1, jsonb_build_object('priority', 9, 'payload', payload || '{"sql": "select 2"}')) from task`,
    )

    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('SQL').fill('select 3')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })

    expect(await engine.value(`select priority || ' ' || (payload ->> 'sql') from task`)).toBe(
      '9 select 3',
    )
  })
})
