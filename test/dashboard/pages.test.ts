import type { Page, Request } from 'playwright-core'
import { expect } from 'vitest'
import type { Queryable } from '../../src/db/queryable.ts'
import { seriousProblems } from '../support/axe.ts'
import { test } from '../support/browser.ts'
import { describeInBrowser } from '../support/chromium.ts'
import { goTo } from '../support/go-to.ts'
import type { TestEngine } from '../support/test-engine.ts'

/** Names and texts that would do something where they are taken for markup. */
const attack = `"><img src=x onerror="window.hurt=1"><script>window.hurt=1</script>{{7*7}}'`

/** Something of everything, with a name of the same. */
async function fill(db: Queryable, engine: TestEngine, name: string): Promise<void> {
  await db.query('select enqueue($1), set_queue($1, \'{"max_running": 3}\')', [name])
  await db.query('select set_group($1, \'{"max_running": 2}\')', [name])
  await db.query('select set_schedule($1, $2)', [
    name,
    { cron: '30 2 * * *', task: { queue: name, payload: { text: name }, tags: [name] } },
  ])
  await db.query('select run_schedule($1)', [name])
  const task = await engine.running({ queue: 'broken', maxAttempts: 1 })
  await engine.fail(task, { code: name, message: name })
  await db.query('select roll_up()')
  await db.query(
    `insert into workers (id, host, pid, version, queues, slots, started_at, beat_at, state)
     values ($1, $1, 1, $1, array[$1], 2, now(), now(), jsonb_build_object($1::text, $1::text))`,
    [name],
  )
  await db.query(
    `begin; select set_config('tusk.caller', '{"actor": "ada", "door": "test"}', true); select pause('broken'); commit`,
  )
}

const lists = [
  '/queues',
  '/schedules',
  '/plan',
  '/new',
  '/errors',
  '/workers',
  '/chores',
  '/database',
  '/audit',
  '/settings',
]

const notThere = ['/tasks/999999', '/nowhere']

function detailsOf(name: string): string[] {
  const id = encodeURIComponent(name)
  return [
    `/queues/${id}`,
    `/groups/${id}`,
    `/schedules/${id}`,
    `/workers/${id}`,
    `/plan?schedule=${id}`,
  ]
}

/** Goes through the pages of one tab, to each once it has shown what it asked for. */
function goer(page: Page): (path: string) => Promise<void> {
  const asked = new Set<Request>()
  page.on('request', (request) => {
    const isAnswered = /\/api\/v1\/(?!events)/.test(request.url())
    if (isAnswered) asked.add(request)
  })
  page.on('requestfinished', (request) => asked.delete(request))
  page.on('requestfailed', (request) => asked.delete(request))
  return async (path) => {
    // Before that, pages wait to ask.
    await page.getByText('Live', { exact: true }).first().waitFor({ state: 'attached' })
    await page.evaluate(
      `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
    )
    await page.getByRole('heading', { level: 1 }).waitFor()
    await twoFrames(page)
    await expect.poll(() => asked.size).toBe(0)
    await twoFrames(page)
  }
}

/** What was rendered has asked, what was answered is rendered. */
async function twoFrames(page: Page): Promise<void> {
  await page.evaluate(
    'new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(() => then())))',
  )
}

describeInBrowser('every page', () => {
  for (const scheme of ['light', 'dark'] as const) {
    test(`is open to everybody, in the ${scheme}`, { timeout: 600_000 }, async ({
      visit,
      db,
      engine,
    }) => {
      await fill(db, engine, 'mail')
      const page = await visit('/')
      const go = goer(page)
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })

      for (const path of [...lists, ...detailsOf('mail'), ...detailsOf('nope'), ...notThere]) {
        await go(path)
        expect({ path, problems: await seriousProblems(page) }).toEqual({ path, problems: [] })
      }
    })
  }

  test('fits a phone without scrolling sideways', async ({ visit, db, engine }) => {
    await fill(db, engine, 'a-queue-with-a-rather-long-name-as-people-do-give-them')
    const page = await visit('/')
    const go = goer(page)
    await page.setViewportSize({ width: 360, height: 740 })

    for (const path of [
      ...lists,
      ...detailsOf('a-queue-with-a-rather-long-name-as-people-do-give-them'),
    ]) {
      await go(path)
      const over = await page.evaluate(
        'Math.max(document.documentElement.scrollWidth - document.documentElement.clientWidth, 0)',
      )
      expect({ path, over }).toEqual({ path, over: 0 })
    }
  })

  test('shows what comes from the database as text alone', async ({ visit, db, engine }) => {
    await fill(db, engine, attack)
    const page = await visit('/')
    const go = goer(page)
    const shown = new Set<string>()

    for (const path of [...lists, ...detailsOf(attack)]) {
      await go(path)
      if ((await page.locator('main').textContent())?.includes('<script>')) shown.add(path)
      expect(await page.evaluate('window.hurt')).toBeUndefined()
      expect(await page.locator('main img[src="x"], main script').count()).toBe(0)
    }

    // It was there to be seen, as itself.
    expect([...shown]).toEqual(
      expect.arrayContaining(['/queues', '/schedules', '/errors', '/workers']),
    )
    expect(shown.size).toBeGreaterThanOrEqual(8)
  })

  test('asks in dialogs that are open to everybody', async ({ visit, db, engine }) => {
    await fill(db, engine, 'mail')
    const page = await visit('/queues/mail')

    for (const [path, menu, item] of [
      ['/queues/mail', 'Actions', 'Pause'],
      ['/queues/mail', 'Actions', 'Settings and limits'],
      ['/queues/mail', 'Actions', 'Purge'],
      ['/schedules/mail', 'Actions', 'Backfill'],
      ['/settings', 'New token', null],
      ['/audit', 'Show', null],
    ] as const) {
      await goer(page)(path)
      await page.getByRole('button', { name: menu, exact: true }).first().click()
      if (item !== null) await page.getByRole('menuitem', { name: item }).click()
      await page.getByRole('dialog').waitFor()
      expect({ path, item, problems: await seriousProblems(page) }).toEqual({
        path,
        item,
        problems: [],
      })
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
    }
  })

  test('is reached by keys, and its rows are gone through by j, k and Enter', async ({
    visit,
    db,
  }) => {
    await db.query("select enqueue('alpha'), enqueue('beta')")
    const page = await visit('/')
    await page.getByRole('heading', { name: 'Overview' }).waitFor()

    for (const [key, title] of [
      ['n', 'New task'],
      ['s', 'Schedules'],
      ['e', 'Errors'],
      ['w', 'Workers'],
      ['c', 'Chores'],
      ['d', 'Database'],
      ['a', 'Audit'],
      [',', 'Settings'],
      ['q', 'Queues'],
    ] as const) {
      await goTo(page, key, title)
    }
    await page.getByRole('link', { name: 'beta' }).waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('Enter')

    await page.getByRole('heading', { name: 'beta', level: 1 }).waitFor()
  })

  test('works below a base path', async ({ openSite, page, db }) => {
    const { adminToken } = await import('../support/http.ts')
    await db.query("select enqueue('mail')")
    const site = await openSite({ basePath: '/tusk' })

    await page.goto(`${site.url}/tusk/queues#token=${adminToken}`)
    await page.getByRole('link', { name: 'mail' }).click()

    await page.getByRole('heading', { name: 'mail', level: 1 }).waitFor()
    expect(page.url()).toBe(`${site.url}/tusk/queues/mail`)
  })
})
