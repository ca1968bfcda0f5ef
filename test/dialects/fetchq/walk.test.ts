import type pg from 'pg'
import { describe, expect, test } from 'vitest'
import { sideBySide } from '../../support/fetchq-databases.ts'
import { Dice } from '../../support/model.ts'

const both = sideBySide()

const subjects = ['a', 'b', 'c', 'd', 'e', 'f']
/** Far from now, so that it is on the same side of it in both databases. */
const times = [`now() - interval '1 hour'`, `now() - interval '2 days'`, `now() + interval '1 day'`]
const payloads = [`'{}'`, `'{"n": 1}'`, `'{"list": [1, null, "x"]}'`]

/** A lock that is over when it is looked at next. */
const brief = '1 microsecond'

/** One word of a client, about one of a few documents, so that most words meet something. */
function word(dice: Dice, queue: string, { orphans }: { orphans: boolean }): string {
  const of = `'${queue}', '${dice.pick(subjects)}'`
  const time = dice.pick(times)
  const payload = dice.pick(payloads)
  const priority = dice.pick([0, 0, 5])
  // An orphan keeps its place with us, and loses it there: so all that is due is picked at once then.
  const limit = orphans ? 10 : dice.pick([1, 1, 3])
  return dice.pick([
    `doc_push(${of}, 0, ${priority}, ${time}, ${payload})`,
    `doc_push(${of}, ${payload}, ${time})`,
    `doc_push('${queue}', 0, ${time}, '(''a'', 0, ''{}'', {DATA}), (''g'', 1, ''{"n": 2}'', {DATA})')`,
    `doc_upsert(${of}, 0, ${priority}, ${time}, ${payload})`,
    ...Array(4).fill(`doc_pick('${queue}', 0, ${limit}, '${dice.pick(['5m', brief])}')`),
    `doc_complete(${of})`,
    `doc_complete(${of}, ${payload})`,
    `doc_kill(${of})`,
    `doc_kill(${of}, ${payload})`,
    `doc_reschedule(${of}, ${time})`,
    `doc_reschedule(${of}, ${time}, ${payload})`,
    `doc_reject(${of}, 'no', ${payload}, 'ref')`,
    `doc_reject(${of}, 'not now', ${payload})`,
    `doc_drop(${of})`,
    ...(orphans ? [`mnt_reschedule_orphans('${queue}', 10)`] : []),
    `mnt_mark_dead('${queue}', 10)`,
    `mnt_make_pending('${queue}', 10)`,
  ])
}

const looks = (queue: string) => [
  `select subject, status, version, priority, attempts, iterations, payload, next_iteration > now() as is_later,
          last_iteration is null as is_new
   from fetchq_data.${queue}__docs order by subject`,
  `select subject, message, details, ref_id from fetchq_data.${queue}__logs order by id`,
  'select fetchq.metric_log_pack() >= 0 as is_packed',
  `select metric, current_value from fetchq.metric_get('${queue}') where current_value <> 0 order by metric`,
]

/** Times differ between the databases, and are looked at apart. */
const hidden = ['created_at', 'last_iteration', 'next_iteration']

async function answer({ pool }: { pool: pg.Pool }, statement: string): Promise<unknown> {
  const { rows } = await pool.query<Record<string, unknown>>(statement)
  // The original gives what was picked together in no order.
  return rows
    .map((row) => JSON.stringify(row, (name, value) => (hidden.includes(name) ? null : value)))
    .sort()
}

describe('a random conversation', () => {
  test.for(Array.from({ length: 12 }, (_, n) => n + 1))(
    'goes as with the original: %i',
    async (seed) => {
      const dice = new Dice(seed)
      const queue = `walk${seed}`
      const said = [`select was_created from fetchq.queue_create('${queue}')`]
      said.push(`select affected_rows from fetchq.queue_set_max_attempts('${queue}', 3)`)
      for (let n = 0; n < 120; n++) {
        const next = word(dice, queue, { orphans: seed % 2 === 0 })
        // The dialect does not wait for maintenance to find what is due; the original does.
        if (next.startsWith('doc_pick')) said.push(`select fetchq.mnt_make_pending('${queue}', 10)`)
        said.push(`select * from fetchq.${next}`)
        if (n % 10 === 9) said.push(...looks(queue))
      }

      for (const [n, statement] of said.entries()) {
        const theirs = await answer(both.original, statement)
        const ours = await answer(both.dialect, statement)
        expect(ours, said.slice(Math.max(0, n - 12), n + 1).join('\n')).toEqual(theirs)
      }
    },
  )
})
