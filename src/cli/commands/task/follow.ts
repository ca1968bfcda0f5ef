import { setTimeout as pause } from 'node:timers/promises'
import type { Tusk } from '../../../client/tusk.ts'
import type { Screen } from '../../output/screen.ts'
import { notFound } from './show.ts'

const lookEveryMs = 500
const ended = new Set(['done', 'failed', 'cancelled'])

/**
 * Prints what is new of a task again and again, until it has ended or Ctrl-C. The end is looked for before what is
 * new, so that the last of it is not missed.
 */
export async function followTask(
  tusk: Tusk,
  id: string,
  screen: Screen,
  printNew: () => Promise<void>,
): Promise<void> {
  const stopping = new AbortController()
  void screen.io.stopRequested().then(() => stopping.abort())
  void screen.io.readerGone?.().then(() => stopping.abort())
  for (let isFirst = true; ; isFirst = false) {
    const found = await tusk.tasks.get(id)
    if (found === null && isFirst) throw notFound(id)
    if (found !== null) await printNew()
    if (found === null || ended.has(found.state)) {
      screen.say(`Task ${id} is ${found?.state ?? 'gone'}.`)
      return
    }
    const goesOn = await pause(lookEveryMs, true, { signal: stopping.signal }).catch(() => false)
    if (!goesOn) return
  }
}
