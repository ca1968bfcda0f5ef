import { createHash } from 'node:crypto'
import { drainNow, queue } from './drain.ts'
import { fill } from './fill.ts'
import type { Scenario, Variant } from './scenario.ts'

const manner = { batch: 100, overlaps: true, hints: true }

export const payloads: Scenario = {
  name: 'payloads',
  shows:
    'claim and complete in batches of 100 with payloads of 10 and 200 kB, of records and of noise',
  variants: [
    carrying('10 kB of records', 25, records(10_000)),
    carrying('10 kB of noise', 25, noise(10_000)),
    carrying('200 kB of records', 250, records(200_000)),
    carrying('200 kB of noise', 250, noise(200_000)),
  ],
}

/** The share of the usual number of tasks, because bytes matter here. */
function carrying(name: string, share: number, payload: string): Variant {
  return {
    name,
    suits: (subject) => subject.keepsGroups,
    async round(stage) {
      const count = Math.max(manner.batch, Math.floor(stage.sizes.tasks / share))
      await fill(stage, { queue, count, payload })
      return drainNow(stage, count, manner)
    },
  }
}

/** A typical payload: rows of the same shape, which compress to about a sixth. */
function records(bytes: number): string {
  const rows: object[] = []
  for (let size = 0; size < bytes; size += 125) {
    const id = rows.length + 1
    rows.push({
      id,
      email: `user${id * 7919}@example.com`,
      price: (id * 37) % 1_000,
      note: hash(id).slice(0, 12),
      shipped: id % 3 === 0,
    })
  }
  return JSON.stringify({ rows })
}

/** A payload that does not compress. */
function noise(bytes: number): string {
  let text = ''
  for (let n = 0; text.length < bytes; n++) text += hash(n)
  return JSON.stringify({ text: text.slice(0, bytes) })
}

function hash(n: number): string {
  return createHash('sha512').update(String(n)).digest('base64')
}
