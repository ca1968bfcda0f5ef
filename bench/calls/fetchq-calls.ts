import type { Call, Place } from './call.ts'

/** The calls of Fetchq that deal with one document, and the bulk push. */
export const fetchqCalls: readonly Call[] = [
  { name: 'doc_append', text: call('doc_append', `'{"n":1}', 0, 0`) },
  { name: 'doc_push', text: call('doc_push', `gen_random_uuid()::text, 0, 0, now(), '{"n":1}'`) },
  {
    name: 'doc_push, planned',
    text: call('doc_push', `gen_random_uuid()::text, 0, 0, now() + interval '1 day', '{"n":1}'`),
  },
  {
    name: 'doc_push, a subject that is taken',
    prepare: (place) => `select from ${call('doc_push', `'taken', 0, 0, now(), '{}'`)(place)}`,
    text: call('doc_push', `'taken', 0, 0, now(), '{"n":1}'`),
  },
  {
    name: 'doc_push, 100 a call',
    prepare: manyTexts,
    text: call('doc_push', '0, now(), v_subjects[i]'),
  },
  {
    name: 'doc_upsert, new',
    text: call('doc_upsert', `gen_random_uuid()::text, 0, 0, now(), '{"n":1}'`),
  },
  {
    name: 'doc_upsert, there',
    prepare: waiting,
    text: call('doc_upsert', `v_subjects[i], 0, 0, now(), '{"n":2}'`),
  },
  { name: 'doc_pick(1)', prepare: waiting, text: call('doc_pick', `0, 1, '5m'`) },
  acting('doc_complete', ''),
  acting('doc_complete, with a payload', `, '{"n":2}'`),
  acting('doc_reschedule', `, now()`),
  acting('doc_reschedule, planned', `, now() + interval '1 day'`),
  acting('doc_reject', `, 'no answer', '{"host":"a.example"}'`),
  acting('doc_kill', ''),
  acting('doc_drop', ''),
]

function call(name: string, values: string): (place: Place) => string {
  return ({ schema, queue }) => `${schema}.${name}('${queue}', ${values})`
}

/** A call that is given documents which were picked. */
function acting(name: string, values: string): Call {
  const verb = name.replace(/,.*/, '')
  return { name, prepare: picked, text: call(verb, `v_subjects[i]${values}`) }
}

function waiting(place: Place, count: number): string {
  return `insert into given (subject) select gen_random_uuid() from generate_series(1, ${count});
          select count(*) from given
          cross join lateral ${call('doc_push', `subject, 0, 0, now(), '{"n":1}'`)(place)} as pushed;
          commit`
}

/** One by one: a claim may have several tasks, but a worker of Fetchq picks one. */
function picked(place: Place, count: number): string {
  return `${waiting(place, count)};
          delete from given;
          insert into given (subject)
          select doc.subject from generate_series(1, ${count}) as n
          cross join lateral ${call('doc_pick', `0, 1 + 0 * n, '5m'`)(place)} as doc`
}

function manyTexts(_: Place, count: number): string {
  return `insert into given (subject)
          select string_agg(format('(''%s'', 0, ''{"n":1}'', {DATA})', gen_random_uuid()), ', ')
          from generate_series(1, ${count}) as call cross join generate_series(1, 100) group by call`
}
