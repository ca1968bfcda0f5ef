import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { Stage } from '../scenarios/scenario.ts'

const restMs = 200
const patienceMs = 10_000

/**
 * Measures how many milliseconds after a task was stored or completed its row shows it, one task after the
 * other until `seconds` are over.
 */
export async function rowsLate(
  { subject, connections }: Stage,
  page: Page,
  queue: string,
  seconds: number,
): Promise<number[]> {
  const db = await connections.get('watched')
  const late: number[] = []
  const endAt = performance.now() + seconds * 1_000
  while (performance.now() < endAt) {
    // Otherwise the connection would use an id that it reserved long ago, and the task would be far down in the list.
    await db.query('discard sequences')
    const { rows } = await db.query<{ id: string }>('select id from enqueue($1)', [queue])
    const id = rows[0]?.id ?? ''
    late.push(await untilShown(page, id, ['ready', 'running']))
    while ((await subject.complete(db, await subject.claim(db, queue, 1))) === 0);
    late.push(await untilShown(page, id, ['done']))
    await delay(restMs)
  }
  return late
}

/** Both clocks are the clock of this machine. */
async function untilShown(page: Page, id: string, states: readonly string[]): Promise<number> {
  const from = Date.now()
  const seenAt = await page.evaluate<number | null>(`new Promise((resolve) => {
    const giveUpAt = Date.now() + ${patienceMs}
    const look = () => {
      const shown = document.querySelector('[data-row="${id}"] .badge')?.textContent
      if (${JSON.stringify(states)}.includes(shown)) resolve(Date.now())
      else if (Date.now() > giveUpAt) resolve(null)
      else setTimeout(look, 5)
    }
    look()
  })`)
  if (seenAt === null) throw new Error(`the row of task ${id} never said ${states.join(' or ')}`)
  return Math.max(seenAt - from, 0)
}
