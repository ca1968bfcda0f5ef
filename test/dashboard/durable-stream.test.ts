import { expect } from 'vitest'
import { describeInBrowser } from '../support/chromium.ts'
import { part, test } from '../support/durable-pages.ts'
import { until } from '../support/until.ts'

describeInBrowser('the stream of a task', () => {
  test('is followed as it is written, and after a restart of the server from the same place', async ({
    visit,
    site,
    engine,
  }) => {
    const task = await engine.running({ queue: 'agent' })
    const write = (...chunks: readonly unknown[]) =>
      engine.rows(
        'select write_chunks($1, $2, $3::jsonb[])',
        task.id,
        task.claim,
        chunks.map((chunk) => JSON.stringify(chunk)),
      )
    await write('Hello', ' ')
    const page = await visit(`/tasks/${task.id}`)
    const lines = part(page, 'Stream').locator('.stream__line .log__text')
    await expect.poll(() => lines.allTextContents()).toEqual(['"Hello"', '" "'])

    await write('Ada')
    await expect.poll(() => lines.allTextContents()).toEqual(['"Hello"', '" "', '"Ada"'])
    await site.stop()
    await write({ tokens: 3 })
    const again = page.waitForRequest(
      (request) => /\/stream$/.test(request.url()) && request.headers()['last-event-id'] === '3',
    )
    await site.start()
    await again
    await write('.')
    const all = ['"Hello"', '" "', '"Ada"', '{"tokens":3}', '"."']
    await expect.poll(() => lines.allTextContents()).toEqual(all)

    await part(page, 'Stream').getByRole('button', { name: 'Text' }).click()
    await part(page, 'Stream').getByText('Hello Ada').waitFor()
    await engine.complete(task)
    await page.getByRole('heading', { name: 'done' }).waitFor()
    await part(page, 'Stream').getByRole('button', { name: 'Chunks' }).click()
    expect(await lines.allTextContents()).toEqual(all)
  })

  test('stands still while live updates are paused, and then goes on without a gap', async ({
    visit,
    engine,
  }) => {
    const task = await engine.running({ queue: 'agent' })
    const write = (chunk: string) =>
      engine.rows(
        'select write_chunks($1, $2, array[to_jsonb($3::text)])',
        task.id,
        task.claim,
        chunk,
      )
    await write('one')
    const page = await visit(`/tasks/${task.id}`)
    const lines = part(page, 'Stream').locator('.stream__line .log__text')
    await expect.poll(() => lines.allTextContents()).toEqual(['"one"'])
    const closed = page.waitForEvent('requestfailed', (request) => /\/stream$/.test(request.url()))
    await page.keyboard.press('p')
    await closed
    await write('two')
    await until(() => engine.value('select count(*) = 2 from chunks'))
    expect(await lines.allTextContents()).toEqual(['"one"'])

    await page.keyboard.press('p')

    await expect.poll(() => lines.allTextContents()).toEqual(['"one"', '"two"'])
  })
})
