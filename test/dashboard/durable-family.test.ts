import { expect } from 'vitest'
import { describeInBrowser } from '../support/chromium.ts'
import { part, test } from '../support/durable-pages.ts'

describeInBrowser('the family of a task', () => {
  test('of 300 children is a graph that fits the page, goes along, and is gone through by keys', async ({
    visit,
    engine,
    durable,
  }) => {
    const parent = await engine.running({ queue: 'report' })
    const names = Array.from({ length: 300 }, (_, index) => `page ${index}`)
    await durable.spawn(parent, Object.fromEntries(names.map((name) => [name, { queue: 'page' }])))
    await durable.suspend(parent, { kind: 'children', children: names })
    const page = await visit(`/tasks/${parent.id}`)
    const family = part(page, 'Family')

    await expect.poll(() => family.locator('[data-node]').count()).toBe(301)
    const places = await family.locator('[data-node]').evaluateAll((nodes) =>
      nodes.map((node) => {
        const { x, y } = node.getBoundingClientRect()
        return `${Math.round(x)} ${Math.round(y)}`
      }),
    )
    expect(new Set(places).size).toBe(301)
    const tall = await family.locator('.graph__canvas').evaluate((canvas) => canvas.clientHeight)
    expect(tall).toBeLessThan(480)

    const failing = await engine.claim('page', { limit: 3 })
    for (const task of failing) await engine.fail(task, { message: 'no' }, { retry: false })
    await family.getByRole('button', { name: '3 failed' }).click()
    await expect.poll(() => family.locator('[data-node]').count()).toBe(4)
    await family.getByRole('button', { name: '3 failed' }).click()
    await family.getByRole('button', { name: 'Names' }).click()
    await family.getByText('page 299', { exact: true }).waitFor()
    const own = await family.locator('[aria-current]').evaluate((node) => {
      const box = node.closest('.graph__scroll')?.getBoundingClientRect()
      return { top: node.getBoundingClientRect().top, bottom: box?.bottom ?? 0 }
    })
    expect(own.top).toBeLessThan(own.bottom)

    expect(await family.locator('[data-node][tabindex="0"]').count()).toBe(1)
    await family.locator(`[data-node="${parent.id}"]`).focus()
    await page.keyboard.press('ArrowRight')
    const child = await page.evaluate('document.activeElement.dataset.node')
    expect(Number(child)).toBeGreaterThan(Number(parent.id))
    await page.keyboard.press('ArrowDown')
    expect(await page.evaluate('document.activeElement.dataset.node')).not.toBe(child)
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press('Enter')

    await page.getByRole('heading', { name: `Task #${child}` }).waitFor()
    await expect
      .poll(() =>
        part(page, 'Family')
          .locator('[data-node]')
          .evaluateAll((nodes) => nodes.length),
      )
      .toBe(2)
  })

  test('is cancelled with one button, detached tasks too, after asking', async ({
    visit,
    engine,
    durable,
  }) => {
    const parent = await engine.running({ queue: 'orders' })
    await durable.spawn(parent, { pack: { queue: 'pack' }, label: { queue: 'pack' } })
    await engine.rows(
      `select spawn($1, $2, '{alone}', '[{"queue": "pack"}]', '{true}')`,
      parent.id,
      parent.claim,
    )
    await durable.suspend(parent, { kind: 'children', children: ['pack', 'label'] })
    await engine.complete(await engine.claimOne('pack'))
    const page = await visit(`/tasks/${parent.id}`)
    await part(page, 'Family').getByRole('button', { name: '1 done' }).waitFor()

    await part(page, 'Family').getByRole('button', { name: 'Cancel the family' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel 3 tasks' }).click()

    await page.getByRole('heading', { name: 'cancelled' }).waitFor()
    await part(page, 'Family').getByRole('button', { name: '3 cancelled' }).waitFor()
    const states = 'select state from task order by id'
    expect(await engine.rows(states)).toEqual(
      ['cancelled', 'done', 'cancelled', 'cancelled'].map((state) => ({ state })),
    )
    expect(await page.getByRole('button', { name: 'Cancel the family' }).count()).toBe(0)
  })
})
