import type { Call, Place } from './call.ts'

/** The verbs that deal with one task. Every lap has a queue of its own, so no lap meets what another left. */
export const engineCalls: readonly Call[] = [
  { name: 'enqueue()', text: ({ queue }) => `enqueue('${queue}', '{"n":1}')` },
  {
    name: 'enqueue() with properties',
    text: ({ queue }) =>
      `enqueue('${queue}', '{"n":1}', p_priority => 5, p_tags => '{a,b}', p_meta => '{"a":1}', p_max_attempts => 3,
               p_timeout => '1 minute', p_run_at => clock_timestamp())`,
  },
  {
    name: 'enqueue() with a key',
    text: ({ queue }) => `enqueue('${queue}', '{"n":1}', p_key => gen_random_uuid()::text)`,
  },
  {
    name: 'enqueue() with a key that is taken',
    prepare: ({ queue }) => `select from enqueue('${queue}', p_key => 'taken')`,
    text: ({ queue }) => `enqueue('${queue}', '{"n":1}', p_key => 'taken')`,
  },
  {
    name: 'claim() of 1',
    prepare: (place, count) => `select count(*) ${enqueue(place, '', count)}`,
    text: ({ queue }) => `claim('${queue}', 1, 'bench')`,
  },
  ended('complete(), the last of its claim', '', 1, 'complete(v_ids[i], v_claims[i])'),
  ended('complete() with an output', '', 1, `complete(v_ids[i], v_claims[i], '{"sent":true}')`),
  ended('complete(), of a claim of 10', '', 10, 'complete(v_ids[i], v_claims[i])'),
  ended('complete() with a key', `, p_key => 'k' || n`, 1, 'complete(v_ids[i], v_claims[i])'),
  ended('kill()', '', 1, `kill(v_ids[i], v_claims[i], '{"message":"no"}')`),
  ended('fail(), to be tried again', '', 1, `fail(v_ids[i], v_claims[i], '{"message":"no"}')`),
  ended(
    'fail(), for good',
    '',
    1,
    `fail(v_ids[i], v_claims[i], '{"message":"no"}', p_retry => false)`,
  ),
  ended('reject()', '', 1, `reject(v_ids[i], v_claims[i], '{"message":"no"}')`),
  ended('reschedule()', '', 1, `reschedule(v_ids[i], v_claims[i], clock_timestamp())`),
  ended('release() of 1', '', 1, `release(v_ids[i:i], v_claims[i:i])`),
  ended('extend() of 1', '', 1, `extend(v_claims[i:i])`),
  ended('cancel(), running', '', 1, 'cancel(v_ids[i])'),
  {
    name: 'cancel(), queued',
    prepare: (place, count) => `insert into given (id) select task.id ${enqueue(place, '', count)}`,
    text: () => 'cancel(v_ids[i])',
  },
  {
    name: 'retry(), done',
    prepare: (place, count) =>
      `${claimed('', 1)(place, count)};
       select complete(id, claim) from given`,
    text: () => 'retry(v_ids[i])',
  },
]

/** A call that is given tasks which run. */
function ended(name: string, properties: string, perClaim: number, text: string): Call {
  return { name, prepare: claimed(properties, perClaim), text: () => text }
}

function enqueue({ queue }: Place, properties: string, count: number): string {
  return `from generate_series(1, ${count}) as n
          cross join lateral enqueue('${queue}', jsonb_build_object('n', n)${properties}) as task`
}

function claimed(properties: string, perClaim: number): NonNullable<Call['prepare']> {
  return (place, count) =>
    `select count(*) ${enqueue(place, properties, count)};
     insert into given (id, claim, subject)
     select task.id, task.claim, task.key
     from generate_series(1, ${Math.ceil(count / perClaim)}) as n
     cross join lateral claim('${place.queue}', ${perClaim} + 0 * n, 'bench', '1 hour') as task`
}
